/*
 * The Euler equations in 1D: their description, parameters, shock tubes and exact solutions. The
 * functions of a step are in euler1d.h. Constant and pure; any thread.
 * Source: Magee & Niemeyer, appendix D; the exact solution is that of Toro, Riemann Solvers,
 * chapter 4.
 */
#include <math.h>

#include "kernels/eq/inner.h"

#define SS_EQ euler1d
#define SS_EQ_HEADER "kernels/eq/euler1d.h"
#include "kernels/cpu/loops/strips.h"

enum { DENSITY, MOMENTUM, ENERGY, NFIELD };

/* --- the exact solution of a Riemann problem (inner.h) ---------------------------------------- */

static double sound(double gamma, double p, double r)
{
    return sqrt(gamma * p / r);
}

/* The change of velocity across the wave from state s to pressure p (equations 4.6, 4.7); *slope is
 * its derivative with respect to p. */
static double jump(double gamma, ss_gas s, double p, double *slope)
{
    if (p > s.p) { /* a shock */
        double a = 2 / ((gamma + 1) * s.r), b = (gamma - 1) / (gamma + 1) * s.p;
        double root = sqrt(a / (p + b));
        *slope = root * (1 - (p - s.p) / (2 * (p + b)));
        return (p - s.p) * root;
    }
    double c = sound(gamma, s.p, s.r), ratio = p / s.p;
    *slope = pow(ratio, -(gamma + 1) / (2 * gamma)) / (s.r * c);
    return 2 * c / (gamma - 1) * (pow(ratio, (gamma - 1) / (2 * gamma)) - 1);
}

/* The density behind that wave. */
static double density(double gamma, ss_gas s, double p)
{
    double ratio = p / s.p, g = (gamma - 1) / (gamma + 1);
    return p > s.p ? s.r * (ratio + g) / (g * ratio + 1) : s.r * pow(ratio, 1 / gamma);
}

ss_riemann ss_riemann_solve(ss_gas left, ss_gas right, double gamma)
{
    ss_riemann s = {.left = left, .right = right, .gamma = gamma};
    double p = 0.5 * (left.p + right.p), a, b, sum = 0;
    for (int i = 0; i < 100; i++) { /* Newton's method; monotone from below */
        sum = jump(gamma, left, p, &a) + jump(gamma, right, p, &b) + right.u - left.u;
        double next = p - sum / (a + b);
        next = next > 0 ? next : 1e-3 * p;
        if (fabs(next - p) <= 1e-16 * (next + p))
            break;
        p = next;
    }
    s.p = p;
    s.u = 0.5 * (left.u + right.u + jump(gamma, right, p, &b) - jump(gamma, left, p, &a));
    s.r_left = density(gamma, left, p);
    s.r_right = density(gamma, right, p);
    return s;
}

/* The state on `ray` across a left-going wave: `ahead` is the state before it, u and r the velocity
 * and density behind it. */
static ss_gas wave_state(const ss_riemann *s, ss_gas ahead, double u, double r, double ray)
{
    double gamma = s->gamma, c = sound(gamma, ahead.p, ahead.r), g = gamma - 1;
    if (s->p > ahead.p) {
        double ratio = s->p / ahead.p;
        double shock = ahead.u - c * sqrt((gamma + 1) / (2 * gamma) * ratio + g / (2 * gamma));
        return ray < shock ? ahead : (ss_gas){r, u, s->p};
    }
    double behind = c * pow(s->p / ahead.p, g / (2 * gamma));
    if (ray <= ahead.u - c)
        return ahead;
    if (ray >= u - behind)
        return (ss_gas){r, u, s->p};
    double k = 2 / (gamma + 1) + g / ((gamma + 1) * c) * (ahead.u - ray); /* in the fan */
    return (ss_gas){ahead.r * pow(k, 2 / g), 2 / (gamma + 1) * (c + g / 2 * ahead.u + ray),
                    ahead.p * pow(k, 2 * gamma / g)};
}

ss_gas ss_riemann_at(const ss_riemann *s, double ray)
{
    if (ray < s->u)
        return wave_state(s, s->left, s->u, s->r_left, ray);
    /* The right-going wave, mirrored. */
    ss_gas ahead = {s->right.r, -s->right.u, s->right.p};
    ss_gas g = wave_state(s, ahead, -s->u, s->r_right, -ray);
    g.u = -g.u;
    return g;
}

static double fastest(double gamma, double r, double u, double p)
{
    return fabs(u) + sound(gamma, p, r);
}

static double max_double(double a, double b)
{
    return a > b ? a : b;
}

/* The largest |u| + c of the four states. */
static double riemann_speed(const ss_riemann *s)
{
    double ahead = max_double(fastest(s->gamma, s->left.r, s->left.u, s->left.p),
                              fastest(s->gamma, s->right.r, s->right.u, s->right.p));
    double behind = max_double(fastest(s->gamma, s->r_left, s->u, s->p),
                               fastest(s->gamma, s->r_right, s->u, s->p));
    return max_double(ahead, behind);
}

/* --- problems: two constant states with a jump between them ----------------------------------- */

static const char *const problems[] = {"sod", "lax", "expansion", "collision", NULL};
static const char *const problem_help[] = {
    "Sod's tube, as in the paper: a shock, a contact and a rarefaction",
    "Lax's tube: a stronger shock, with gas in motion at the start",
    "gas flows away from the middle: two rarefactions", "two streams collide: two shocks", NULL};
static const struct {
    ss_gas left, right;
} tubes[] = {{{1, 0, 1}, {0.125, 0, 0.1}},
             {{0.445, 0.698, 3.528}, {0.5, 0, 0.571}},
             {{1, -0.5, 0.4}, {1, 0.5, 0.4}},
             {{1, 1, 0.4}, {1, -1, 0.4}}};

static ss_riemann tube_of(const ss_config *cfg)
{
    int64_t i = ss_config_int(cfg, "problem");
    return ss_riemann_solve(tubes[i].left, tubes[i].right, SS_EULER_GAMMA);
}

/* CFL condition: the fastest wave crosses at most one cell per step. */
static double stable(const ss_config *cfg)
{
    ss_riemann tube = tube_of(cfg);
    return 1 / riemann_speed(&tube);
}

/* --- parameters ------------------------------------------------------------------------------- */

static const char *const limiters[] = {"minmod", "as-printed", "none", NULL};
static const char *const limiter_help[] = {"min(ratio, 1): no overshoot at a single shock",
                                           "the inverse ratio, as in the paper: not monotone",
                                           "slopes unlimited: oscillates at shocks", NULL};

static const struct ss_step step = {"dtdx", stable, .least = 0.01};

// clang-format off
static ss_param params[] = {
    {SS_ROW_POINTS("n", 1024, 8, 1 << 28), .unit = "cells",
     .help = "cells of the tube; their width is 1/n"},
    {SS_ROW_REAL("dtdx", "Problem", 0.2, 1e-6, 2), .symbol = "dt/dx", .key = "d", .step = 0.01,
     .help = "time step divided by the width of a cell", .flags = SS_P_LIVE | SS_P_CONTROL,
     SS_STEP_ROW},
    {SS_ROW_CHOICE("limiter", "Problem", limiters, limiter_help), .key = "m",
     .help = "slope limiter: prevents overshoots", .flags = SS_P_LIVE | SS_P_CONTROL},
    SS_ROW_ALLOW_UNSTABLE,
    {SS_ROW_PROBLEM(problems, problem_help), .help = "initial states on both sides of the middle"},
};
// clang-format on

static void shape(const ss_config *cfg, ss_problem *out)
{
    double dx = 1 / (double)ss_config_int(cfg, "n");
    ss_step_shape(out, cfg, dx, ss_config_real(cfg, "dtdx") * dx);
}

/* c[0], c[1]: h of the two stages, for twice the fluxes; c[2]: the limiter. */
static void coef(const ss_problem *p, ss_coef *out)
{
    double dtdx = ss_config_real(p->cfg, "dtdx");
    *out = (ss_coef){.c = {dtdx / 4, dtdx / 2, (double)ss_config_int(p->cfg, "limiter")}};
}

/* The likely cause of divergence with a stable step. Near a vacuum density and pressure are about
 * 0, and the limiter of pressures does not bound the other two fields that a face gets (Toro,
 * Riemann solvers, test 2). */
static const char *suspect(const ss_problem *p)
{
    static const char *const by_limiter[] = {
        ("although the step is stable: near a vacuum this reconstruction can lose positive density "
         "or pressure, at any step"),
        "because the limiter as printed lets oscillations grow (minmod does not)",
        "because without a limiter it oscillates at jumps (minmod does not)"};
    return by_limiter[ss_config_int(p->cfg, "limiter")];
}

/* --- quantities ------------------------------------------------------------------------------- */

static double velocity(const double *q)
{
    return q[MOMENTUM] / q[DENSITY];
}

static double pressure(const double *q)
{
    return (SS_EULER_GAMMA - 1) * (q[ENERGY] - 0.5 * q[MOMENTUM] * q[MOMENTUM] / q[DENSITY]);
}

/* Internal energy per mass. */
static double internal(const double *q)
{
    return pressure(q) / ((SS_EULER_GAMMA - 1) * q[DENSITY]);
}

static double mach(const double *q)
{
    return fabs(velocity(q)) / sqrt(SS_EULER_GAMMA * pressure(q) / q[DENSITY]);
}

static const ss_quantity quantities[] = {
    {"density", "\xcf\x81", "mass per volume", NULL},
    {"momentum", "\xcf\x81u", "momentum per volume", NULL},
    {"energy",
     "\xcf\x81"
     "e",
     "total energy per volume", NULL},
    {"velocity", "u", "velocity", velocity},
    {"pressure", "p", "pressure", pressure},
    {"internal", "e", "internal energy per mass", internal},
    {"mach", "Ma", "Mach number", mach},
};

/* --- painting --------------------------------------------------------------------------------- */

enum { VELOCITY = NFIELD, PRESSURE, INTERNAL };

/* Adds `amount` of a quantity to q. Conserved fields change alone. Velocity changes momentum and
 * kinetic energy; pressure and internal energy change the total energy only. */
static bool add(int quantity, double amount, double *q)
{
    if (quantity < NFIELD) {
        q[quantity] += amount;
    } else if (quantity == VELOCITY) {
        q[ENERGY] += amount * (q[MOMENTUM] + 0.5 * q[DENSITY] * amount);
        q[MOMENTUM] += q[DENSITY] * amount;
    } else if (quantity == PRESSURE) {
        q[ENERGY] += amount / (SS_EULER_GAMMA - 1);
    } else if (quantity == INTERNAL) {
        q[ENERGY] += q[DENSITY] * amount;
    }
    return quantity <= INTERNAL;
}

static const char *refuse(const double *q)
{
    if (!(q[DENSITY] > 0))
        return "the density would not be positive";
    return pressure(q) > 0 ? NULL : "the pressure would not be positive";
}

static const ss_painting painting = {add, refuse};

/* --- start and solution ----------------------------------------------------------------------- */

static void conserved(ss_gas g, double *q)
{
    q[DENSITY] = g.r;
    q[MOMENTUM] = g.r * g.u;
    q[ENERGY] = g.p / (SS_EULER_GAMMA - 1) + 0.5 * g.r * g.u * g.u;
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    double q[2][NFIELD];
    (void)j, (void)k;
    conserved(tubes[problem].left, q[0]);
    conserved(tubes[problem].right, q[1]);
    for (int i = p->i0; i < p->i1; i++)
        *row++ = q[(i + 0.5) * p->dx > 0.5][field];
}

/* Whether no wave has reached an end. The exact solution is that of an infinite tube. */
static bool is_inside(const ss_riemann *tube, double time)
{
    return time <= 0 || (ss_riemann_at(tube, -0.5 / time).p == tube->left.p &&
                         ss_riemann_at(tube, 0.5 / time).p == tube->right.p);
}

static bool solution(const ss_problem *p, int64_t steps, double time, int quantity, double *row)
{
    ss_riemann tube = tube_of(p->cfg);
    double (*of)(const double *) = quantities[quantity].of;
    (void)steps;
    if (!is_inside(&tube, time))
        return false;
    for (int i = 0; row && i < p->nx; i++) {
        double x = (i + 0.5) * p->dx - 0.5, q[NFIELD];
        conserved(ss_riemann_at(&tube, time > 0 ? x / time : copysign(1e300, x)), q);
        row[i] = of ? of(q) : q[quantity];
    }
    return true;
}

/* --- conserved integrals ---------------------------------------------------------------------- */

static double integral(const ss_problem *p, const double *u)
{
    double sum = 0;
    for (int i = 0; i < p->i1 - p->i0; i++)
        sum += u[i];
    return sum * p->dx;
}

static double mass(const ss_problem *p, const double *u)
{
    return integral(p, u + DENSITY * (ptrdiff_t)(p->i1 - p->i0));
}

static double momentum(const ss_problem *p, const double *u)
{
    return integral(p, u + MOMENTUM * (ptrdiff_t)(p->i1 - p->i0));
}

static double energy(const ss_problem *p, const double *u)
{
    return integral(p, u + ENERGY * (ptrdiff_t)(p->i1 - p->i0));
}

/* The flux of a field in one state: of mass, of momentum, of energy. */
static double flux(ss_gas g, int field)
{
    double q[NFIELD];
    conserved(g, q);
    const double of[NFIELD] = {q[MOMENTUM], q[MOMENTUM] * g.u + g.p, (q[ENERGY] + g.p) * g.u};
    return of[field];
}

/* Both ends keep their states until the fastest wave arrives there. */
static ss_inflow enters(const ss_problem *p, int field)
{
    ss_riemann tube = tube_of(p->cfg);
    return (ss_inflow){flux(tube.left, field) - flux(tube.right, field),
                       0.5 / riemann_speed(&tube)};
}

static ss_inflow mass_enters(const ss_problem *p)
{
    return enters(p, DENSITY);
}

static ss_inflow momentum_enters(const ss_problem *p)
{
    return enters(p, MOMENTUM);
}

static ss_inflow energy_enters(const ss_problem *p)
{
    return enters(p, ENERGY);
}

static const ss_monitor monitors[] = {
    {"mass", "mass", "integral of the density", mass, NULL, true, mass_enters},
    {"momentum", "mom.", "integral of the momentum; the pressures at the ends drive it", momentum,
     NULL, true, momentum_enters},
    {"energy", "energy", "integral of the energy", energy, NULL, true, energy_enters}};

const ss_equation ss_eq_euler1d = {
    .name = "euler1d",
    .title = "1D Euler",
    .help = "compressible flow in a tube with fixed states at both ends",
    .dim = 1,
    .nfield = NFIELD,
    .painting = &painting,
    .nstage = 2,
    .radius = 2,
    .kind = SS_TRANSIENT,
    .bc = SS_BC_FIXED,
    .origin = 0.5,
    SS_PARAMS(params),
    .shape = shape,
    .coef = coef,
    .init = init,
    .advance = {[SS_F64] = euler1d_advance_f64, [SS_F32] = euler1d_advance_f32},
    .fixed = 1,
    .quantities = quantities,
    .nquantity = sizeof quantities / sizeof *quantities,
    .monitors = monitors,
    .nmonitor = sizeof monitors / sizeof *monitors,
    .solution = solution,
    .step = &step,
    .check = ss_step_check,
    .suspect = suspect,
    .solver = "swept",
    .pace = 0.04,
    .flops = 95,
    .reads = 18,
    .writes = 3,
};
