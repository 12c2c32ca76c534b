/*
 * The Kuramoto-Sivashinsky equation: its description, parameters and problems. The point update is
 * in ks1d.h. Constant and pure; any thread. Source: Magee & Niemeyer, appendix C; the initial field
 * of problem `waves` is that of Kassam & Trefethen.
 */
#include <math.h>

#include "kernels/eq/inner.h"
#include "src/base/elementary/elementary.h"

#define SS_EQ ks1d
#define SS_EQ_HEADER "kernels/eq/ks1d.h"
#include "kernels/cpu/loops/strips.h"

static const double pi = 3.14159265358979323846;

enum { WAVES, PAPER, RANDOM };
static const char *const problems[] = {"waves", "paper", "random", NULL};
static const char *const problem_help[] = {
    "cos(x/16) (1 + sin(x/16)), which fits a length of 32 pi",
    "the paper's 2 cos(19 pi x / 128) with points 0.5 apart, whatever the length",
    "small random values at every point, from the seed", NULL};

static double spacing(const ss_config *cfg)
{
    if (ss_config_int(cfg, "problem") == PAPER)
        return 0.5;
    return ss_config_real(cfg, "length") / (double)ss_config_int(cfg, "n");
}

/* The midpoint rule is stable to -2 on the real axis, and the shortest wave has the largest rate of
 * decay. With a coarse spacing the limit is advection: with |u| up to 3, half a spacing per step.
 */
static double stable(const ss_config *cfg)
{
    double d = spacing(cfg), rate = 16 / (d * d * d * d) - 4 / (d * d), waves = d / 6;
    return rate * waves > 2 ? 2 / rate : waves;
}

static double usual_dt(const ss_config *cfg)
{
    return 0.8 * stable(cfg);
}

static const struct ss_step step = {"dt", stable, .least = 0};

// clang-format off
static ss_param params[] = {
    {SS_ROW_POINTS("n", 1024, 8, 1 << 28), .unit = "points",
     .help = "points of the periodic line; the spacing is length/n"},
    {SS_ROW_REAL("length", "Problem", 100.53096491487338, 1e-3, 1e9),
     .help = "length of the period (32 pi)", .flags = SS_P_REOPEN | SS_P_LOG},
    {SS_ROW_REAL("dt", "Problem", 0, 1e-60, 1e9), .key = "d", .help = "time step",
     .flags = SS_P_LIVE | SS_P_LOG | SS_P_CONTROL, .usual = usual_dt,
     .def_text = "0.8 of the limit", SS_STEP_ROW},
    SS_ROW_ALLOW_UNSTABLE,
    {SS_ROW_PROBLEM(problems, problem_help), .help = "initial field"},
};
// clang-format on

static void shape(const ss_config *cfg, ss_problem *out)
{
    ss_step_shape(out, cfg, spacing(cfg), ss_config_real(cfg, "dt"));
}

static void coef(const ss_problem *p, ss_coef *out)
{
    double d = p->dx, d2 = d * d, d4 = d2 * d2;
    *out = (ss_coef){.residual = 0};
    for (int stage = 0; stage < 2; stage++) {
        double h = stage == 0 ? p->dt / 2 : p->dt, *c = out->c + 4 * stage;
        c[0] = h * (2 / d2 - 6 / d4);
        c[1] = h * (4 / d4 - 1 / d2);
        c[2] = -h / d4;
        c[3] = -h / (4 * d);
    }
}

/* The largest spacing that resolves the growing waves, found by experiment: with length 32 pi,
 * n = 72 diverges and n = 80 does not. */
#define COARSEST 1.3

static const char *suspect(const ss_problem *p)
{
    return p->dx > COARSEST ? "because a spacing above 1.3 is too coarse for these waves" : NULL;
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    (void)field, (void)j, (void)k;
    for (int i = p->i0; i < p->i1; i++) {
        double x = i * p->dx;
        *row++ = problem == RANDOM  ? 0.02 * ss_random_unit(p->seed, (uint64_t)i) - 0.01
                 : problem == PAPER ? 2 * ss_cos(19 * pi * x / 128)
                                    : ss_cos(x / 16) * (1 + ss_sin(x / 16));
    }
}

static double mean(const ss_problem *p, const double *u)
{
    double sum = 0;
    for (int i = 0; i < p->i1 - p->i0; i++)
        sum += u[i];
    return sum / p->nx;
}

static double mean_square(const ss_problem *p, const double *u)
{
    double sum = 0;
    for (int i = 0; i < p->i1 - p->i0; i++)
        sum += u[i] * u[i];
    return sum / p->nx;
}

static const ss_monitor monitors[] = {
    {.name = "mean", .symbol = "mean u", .help = "mean of u", .of = mean, .conserved = true},
    {.name = "rms",
     .symbol = "rms u",
     .help = "root mean square of u, a measure of its energy",
     .of = mean_square,
     .finish = sqrt}};

const ss_equation ss_eq_ks1d = {
    .name = "ks1d",
    .title = "Kuramoto-Sivashinsky",
    .help = "u_t = -(u^2/2)_x - u_xx - u_xxxx on a ring: spatiotemporal chaos",
    .dim = 1,
    .nfield = 1,
    .nstage = 2,
    .radius = 2,
    .kind = SS_TRANSIENT,
    .bc = SS_BC_PERIODIC,
    SS_PARAMS(params),
    .shape = shape,
    .coef = coef,
    .init = init,
    .advance = {[SS_F64] = ks1d_advance_f64, [SS_F32] = ks1d_advance_f32},
    .monitors = monitors,
    .nmonitor = 2,
    .step = &step,
    .check = ss_step_check,
    .suspect = suspect,
    .solver = "swept",
    .pace = 20,
    .flops = 11,
    .reads = 6,
    .writes = 1,
};
