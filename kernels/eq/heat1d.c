/*
 * The heat equation in 1D: its description, parameters, problems and their solutions. The point
 * update is in heat1d.h. Constant and pure; any thread.
 * Source: Magee & Niemeyer, appendix B.
 */
#include <math.h>

#include "kernels/eq/inner.h"
#include "src/base/elementary/elementary.h"

#define SS_EQ heat1d
#define SS_EQ_HEADER "kernels/eq/heat1d.h"
#define SS_EQ_VECTORS
#include "kernels/cpu/loops/strips.h"

static const double pi = 3.14159265358979323846;

enum { MODES, MODE, STEP, SPIKE, RANDOM };
static const char *const problems[] = {"modes", "mode", "step", "spike", "random", NULL};
static const char *const problem_help[] = {
    "the first cosine modes: 1 + cos(pi x) / 2 + cos(2 pi x) / 4 + cos(5 pi x) / 8",
    "one cosine mode, cos(mode pi x)",
    "1 in the left half, 0 in the right one",
    "1 at one point in the middle, 0 elsewhere",
    "random at every point, from the seed",
    NULL};

/* Forward Euler with central differences. */
static double stable(const ss_config *cfg)
{
    (void)cfg;
    return 0.5;
}

static const struct ss_step step = {"fo", stable, .least = 0.01};

// clang-format off
static ss_param params[] = {
    {SS_ROW_POINTS("n", 1024, 4, 1 << 28), .unit = "points",
     .help = "points from end to end; the spacing is 1/(n-1)"},
    {SS_ROW_REAL("fo", "Problem", 0.25, 1e-6, 1), .symbol = "Fo", .key = "d", .step = 0.01,
     .help = "Fourier number, alpha dt / dx^2", .flags = SS_P_LIVE | SS_P_CONTROL,
     SS_STEP_ROW},
    SS_ROW_ALLOW_UNSTABLE,
    {SS_ROW_PROBLEM(problems, problem_help), .help = "initial temperature"},
    {SS_ROW_INT("mode", "Problem", 1, 0, 1 << 20), .flags = SS_P_REOPEN,
     .help = "number of the cosine mode of problem mode"},
};
// clang-format on

/* A mode of a problem that is a sum of a few modes. */
typedef struct mode {
    int m;
    double amplitude;
} mode;
#define MODES_MAX 4

static int modes_of(const ss_problem *p, mode *out)
{
    static const mode first[MODES_MAX] = {{0, 1}, {1, 0.5}, {2, 0.25}, {5, 0.125}};
    int64_t problem = ss_config_int(p->cfg, "problem");
    if (problem == MODE) {
        out[0] = (mode){(int)ss_config_int(p->cfg, "mode"), 1};
        return 1;
    }
    if (problem != MODES)
        return 0;
    for (int k = 0; k < MODES_MAX; k++)
        out[k] = first[k];
    return MODES_MAX;
}

/* cos(pi m i / (n-1)), with exact range reduction because m and i may be large. */
static double cosine(int m, int i, int n)
{
    int64_t period = 2 * ((int64_t)n - 1);
    return ss_cos(pi * (double)((int64_t)m * i % period) / (n - 1.0));
}

static void shape(const ss_config *cfg, ss_problem *out)
{
    double dx = 1 / ((double)ss_config_int(cfg, "n") - 1.0);
    ss_step_shape(out, cfg, dx, ss_config_real(cfg, "fo") * dx * dx);
}

static void coef(const ss_problem *p, ss_coef *out)
{
    double fo = ss_config_real(p->cfg, "fo");
    *out = (ss_coef){.c = {fo, 1 - 2 * fo}};
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    mode modes[MODES_MAX];
    int count = modes_of(p, modes);
    (void)field, (void)j, (void)k;
    for (int i = p->i0; i < p->i1; i++, row++) {
        *row = problem == RANDOM  ? ss_random_unit(p->seed, (uint64_t)i)
               : problem == STEP  ? i < p->nx / 2
               : problem == SPIKE ? i == p->nx / 2
                                  : 0;
        for (int m = 0; m < count; m++)
            *row += modes[m].amplitude * cosine(modes[m].m, i, p->nx);
    }
}

/* The exact solution of the discrete system: a step multiplies a mode by 1 - 4 Fo sin^2(...). */
static bool solution(const ss_problem *p, int64_t steps, double time, int quantity, double *row)
{
    double fo = ss_config_real(p->cfg, "fo");
    mode modes[MODES_MAX];
    int count = modes_of(p, modes);
    (void)time, (void)quantity;
    if (count == 0 || !row)
        return count > 0;
    for (int k = 0; k < count; k++) {
        double half = ss_sin(pi * modes[k].m / (2 * (p->nx - 1.0)));
        modes[k].amplitude *= pow(1 - 4 * fo * half * half, (double)steps);
    }
    for (int i = 0; i < p->nx; i++) {
        row[i] = 0;
        for (int k = 0; k < count; k++)
            row[i] += modes[k].amplitude * cosine(modes[k].m, i, p->nx);
    }
    return true;
}

/* The solution of the differential equation: a mode decays with exp(-(pi m)^2 t). */
static bool differential(const ss_problem *p, double time, int quantity, double *row)
{
    mode modes[MODES_MAX];
    int count = modes_of(p, modes);
    (void)quantity;
    for (int k = 0; k < count; k++)
        modes[k].amplitude *= ss_exp(-pi * modes[k].m * pi * modes[k].m * time);
    for (int i = 0; row && i < p->nx; i++) {
        row[i] = 0;
        for (int k = 0; k < count; k++)
            row[i] += modes[k].amplitude * cosine(modes[k].m, i, p->nx);
    }
    return count > 0;
}

/* The heat by the trapezoid rule, which the discrete system conserves with insulated ends. */
static double heat(const ss_problem *p, const double *u)
{
    double sum = 0;
    if (p->i0 == 0)
        sum += 0.5 * u[0];
    if (p->i1 == p->nx)
        sum += 0.5 * u[p->i1 - 1 - p->i0];
    for (int i = p->i0 > 0 ? p->i0 : 1; i < p->i1 && i + 1 < p->nx; i++)
        sum += u[i - p->i0];
    return sum * p->dx;
}

static const ss_monitor monitors[] = {{"heat", "\xe2\x88\xabT",
                                       "integral of the temperature, by the trapezoid rule", heat,
                                       NULL, true, NULL}};

const ss_equation ss_eq_heat1d = {
    .name = "heat1d",
    .title = "1D heat",
    .help = "T_t = T_xx on the unit interval, both ends insulated",
    .dim = 1,
    .nfield = 1,
    .nstage = 1,
    .radius = 1,
    .kind = SS_TRANSIENT,
    .bc = SS_BC_MIRROR,
    SS_PARAMS(params),
    .shape = shape,
    .coef = coef,
    .init = init,
    .advance = {[SS_F64] = heat1d_advance_f64, [SS_F32] = heat1d_advance_f32},
    .monitors = monitors,
    .nmonitor = 1,
    .solution = solution,
    .solution_one_dt = true,
    .differential = differential,
    .step = &step,
    .check = ss_step_check,
    .solver = "swept",
    .pace = 0.01,
    .flops = 4,
    .reads = 3,
    .writes = 1,
};
