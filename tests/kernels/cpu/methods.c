/* SOR, Chebyshev's iteration, damped Jacobi and conjugate gradients: against plain loops, bit for
 * bit, on grids that are neither square nor a multiple of anything; iteration counts of an
 * independent program; copies of the state that continue bit for bit; factors of convergence. */
#include <math.h>

#include "src/core/history.h"
#include "src/run/checkpoint.h"
#include "tests/fields.h"

/* --- plain loops ------------------------------------------------------------------------------ */

/* A field with a halo of zeros, computed in the run's precision. */
typedef struct grid {
    int nx, ny, dim;
    bool narrow; /* every operation is rounded to float */
    double c, a; /* the coefficients of the update */
    double *u, *before, *g;
} grid;

static size_t at(const grid *p, int i, int j)
{
    return (size_t)(j + 1) * (size_t)(p->nx + 2) + (size_t)(i + 1);
}

static double *copy_of(const grid *p, ss_run *run, int which)
{
    double *dense = get_field(run, which),
           *out = calloc((size_t)(p->nx + 2) * (size_t)(p->ny + 2), 8);
    for (int j = 0; j < p->ny; j++)
        memcpy(out + at(p, 0, j), dense + (size_t)j * (size_t)p->nx, (size_t)p->nx * 8);
    free(dense);
    return out;
}

static grid grid_of(ss_run *run)
{
    grid p = {.nx = run->problem.nx,
              .ny = run->problem.ny,
              .dim = run->eq->dim,
              .narrow = run->prec == SS_F32,
              .c = run->coef.c[0],
              .a = run->coef.c[1]};
    p.u = copy_of(&p, run, FIELD);
    p.before = copy_of(&p, run, FIELD);
    p.g = copy_of(&p, run, RHS);
    return p;
}

static void free_grid(grid *p)
{
    free(p->u);
    free(p->before);
    free(p->g);
}

/* The Jacobi value of a point of u. */
static double jacobi_value(const grid *p, const double *u, int i, int j)
{
    size_t k = at(p, i, j), row = (size_t)(p->nx + 2);
    double w = u[k - 1], e = u[k + 1], s = u[k - row], n = u[k + row];
    if (p->narrow && p->dim == 1)
        return (double)((float)p->g[k] + (float)p->c * ((float)w + (float)e));
    if (p->narrow)
        return (double)((float)p->g[k] + (float)p->c * (((float)w + (float)e) +
                                                        (float)p->a * ((float)s + (float)n)));
    return p->g[k] + p->c * (p->dim == 1 ? w + e : (w + e) + p->a * (s + n));
}

static double relaxed(const grid *p, double u, double jacobi, double omega)
{
    if (p->narrow)
        return (double)((float)(1 - omega) * (float)u + (float)omega * (float)jacobi);
    return (1 - omega) * u + omega * jacobi;
}

/* Points (i, j), counted from 1, with i + j odd or even; a line has j = 0. */
static void sweep_colour(grid *p, int odd, double omega)
{
    for (int j = 0; j < p->ny; j++)
        for (int i = 0; i < p->nx; i++)
            if ((i + 1 + (p->dim == 1 ? 0 : j + 1)) % 2 == odd)
                p->u[at(p, i, j)] =
                    relaxed(p, p->u[at(p, i, j)], jacobi_value(p, p->u, i, j), omega);
}

static void plain_sor(grid *p, int cycles, double omega)
{
    for (int c = 0; c < cycles; c++) {
        sweep_colour(p, 0, omega);
        sweep_colour(p, 1, omega);
    }
}

static void swap_fields(grid *p)
{
    double *u = p->u;
    p->u = p->before;
    p->before = u;
}

static void plain_damped(grid *p, int cycles, double omega)
{
    for (int c = 0; c < cycles; c++) {
        for (int j = 0; j < p->ny; j++)
            for (int i = 0; i < p->nx; i++)
                p->before[at(p, i, j)] =
                    relaxed(p, p->u[at(p, i, j)], jacobi_value(p, p->u, i, j), omega);
        swap_fields(p);
    }
}

/* The value of a recurrence step. */
static double combined(const grid *p, double jacobi, double before, double omega)
{
    if (p->narrow)
        return (double)((float)omega * ((float)jacobi - (float)before) + (float)before);
    return omega * (jacobi - before) + before;
}

static void plain_chebyshev(grid *p, int cycles, double rho)
{
    double omega = 1;
    for (int c = 0; c < cycles; c++) {
        omega = c == 0 ? 1 : c == 1 ? 1 / (1 - rho * rho / 2) : 1 / (1 - rho * rho * omega / 4);
        for (int j = 0; j < p->ny; j++)
            for (int i = 0; i < p->nx; i++) {
                double next = jacobi_value(p, p->u, i, j), *old = &p->before[at(p, i, j)];
                *old = c == 0 ? next : combined(p, next, *old, omega);
            }
        swap_fields(p);
    }
}

typedef void plain_method(grid *p, int cycles, double factor);

/* `cycles` cycles of the run and of the plain loops give the same bits. */
static void check_bits(const char *settings, int cycles, plain_method *plain, double factor)
{
    ss_run *run = open_run(settings);
    grid p = grid_of(run);
    run->tol = 0;
    step_run(run, cycles);
    plain(&p, cycles, factor);
    double *u = copy_of(&p, run, FIELD);
    size_t bytes = (size_t)(p.nx + 2) * (size_t)(p.ny + 2) * 8;
    CHECK_MSG(memcmp(u, p.u, bytes) == 0, "%s: not the bits of plain loops", settings);
    free(u);
    free_grid(&p);
    ss_run_close(run);
}

static const char *const problems[] = {
    "equation poisson2d n 203 ny 131 problem random aspect 1.5",
    "equation poisson2d n 61 ny 7 problem random precision f32",
    "equation poisson2d n 2051 ny 67 problem random threads 3",
    "equation poisson2d n 1031 ny 70 problem random threads 2 check-every 1 precision f32",
    "equation poisson1d n 1009 copies 5 problem random threads 2",
    "equation poisson1d n 9973 problem random threads 3 precision f32",
    "equation poisson2d n 1 ny 3 problem random",
};
#define PROBLEMS (sizeof problems / sizeof *problems)

TEST(methods, sor_has_the_bits_of_plain_loops)
{
    static const double omegas[] = {1, 0.7, 1.9};
    for (size_t i = 0; i < PROBLEMS; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s solver sor omega %g", problems[i], omegas[i % 3]);
        check_bits(text, 7, plain_sor, omegas[i % 3]);
    }
}

TEST(methods, chebyshev_has_the_bits_of_plain_loops)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s solver chebyshev rho 0.99", problems[i]);
        check_bits(text, 9, plain_chebyshev, 0.99);
    }
}

TEST(methods, damped_jacobi_has_the_bits_of_plain_loops)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s solver jacobi damping 0.8", problems[i]);
        check_bits(text, 6, plain_damped, 0.8);
    }
}

/* --- counts ----------------------------------------------------------------------------------- */

TEST(methods, counts_are_those_of_an_independent_program)
{
    static const struct {
        int64_t want;
        const char *settings;
    } counts[] = {
        {116, "equation poisson2d n 64 solver sor"},
        {2275, "equation poisson2d n 64 solver sor omega 1"},
        {871, "equation poisson2d n 64 solver sor omega 1.5"},
        {221, "equation poisson2d n 127 solver sor"},
        {7142, "equation poisson2d n 127 solver sor omega 1"},
        {431, "equation poisson2d n 256 solver sor"},
        {1598, "equation poisson1d n 1024 solver sor"},
        {387, "equation poisson2d n 127 solver chebyshev"},
        {169, "equation poisson2d n 127 solver cg"},
        {169, "equation poisson2d n 127 solver cg precision f32"},
        {169, "equation poisson2d n 127 solver cg variant pipelined"},
        {43, "equation poisson2d n 127 solver cg variant s-step steps 4"},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t got = cycles_of(counts[i].settings);
        CHECK_MSG(got == counts[i].want, "%s: %lld, not %lld", counts[i].settings, (long long)got,
                  (long long)counts[i].want);
    }
}

/* --- conjugate gradients ---------------------------------------------------------------------- */

/* The textbook's loops, with sums in another order. Returns the iterations to 1e-4. */
static int plain_cg(grid *p, int most, double tol)
{
    size_t n = (size_t)(p->nx + 2) * (size_t)(p->ny + 2);
    double *r = calloc(n, 8), *d = calloc(n, 8), *ad = calloc(n, 8), *none = calloc(n, 8), rr = 0;
    double *g = p->g;
    int c = 0;
    for (int j = 0; j < p->ny; j++)
        for (int i = 0; i < p->nx; i++) {
            size_t k = at(p, i, j);
            d[k] = r[k] = jacobi_value(p, p->u, i, j) - p->u[k];
            rr += r[k] * r[k];
        }
    p->g = none;
    for (double first = rr; c < most && rr > tol * tol * first; c++) {
        double dad = 0, before = rr;
        for (int j = 0; j < p->ny; j++)
            for (int i = 0; i < p->nx; i++) {
                size_t k = at(p, i, j);
                ad[k] = d[k] - jacobi_value(p, d, i, j);
                dad += d[k] * ad[k];
            }
        rr = 0;
        for (size_t k = 0; k < n; k++) {
            p->u[k] += before / dad * d[k];
            r[k] -= before / dad * ad[k];
            rr += r[k] * r[k];
        }
        for (size_t k = 0; k < n; k++)
            d[k] = r[k] + rr / before * d[k];
    }
    p->g = g;
    free(r), free(d), free(ad), free(none);
    return c;
}

static double largest_difference(const double *a, const double *b, size_t n, double *largest)
{
    double most = 0;
    *largest = 0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
        *largest = fmax(*largest, fabs(b[k]));
    }
    return most;
}

/* The pipelined recurrences lose more digits. */
TEST(methods, cg_agrees_with_a_textbook_program)
{
    static const double errors[] = {1e-10, 1e-8};
    static const char *const sizes[] = {"n 64", "n 127", "n 256", "n 203 ny 131 aspect 1.5"};
    static const char *const variants[] = {"classic", "pipelined"};
    for (int i = 0; i < 4; i++)
        for (int v = 0; v < 2; v++) {
            char text[256];
            snprintf(text, sizeof text, "equation poisson2d %s solver cg variant %s until 1e-4",
                     sizes[i], variants[v]);
            ss_run *run = open_run(text);
            grid p = grid_of(run);
            run->stop_at_tol = true;
            int want = plain_cg(&p, 10000, 1e-4);
            CHECK_INT(ss_run_step(run, 10000, NULL), SS_OK);
            CHECK_MSG(run->cycle == want, "%s: %lld iterations, not %d", text,
                      (long long)run->cycle, want);
            double largest, *u = copy_of(&p, run, FIELD);
            double d =
                largest_difference(u, p.u, (size_t)(p.nx + 2) * (size_t)(p.ny + 2), &largest);
            CHECK_MSG(d <= errors[v] * largest, "%s: differs by %g of %g", text, d, largest);
            free(u);
            free_grid(&p);
            ss_run_close(run);
        }
}

/* The residual that decides is the true one: the recurrence's would go on falling. */
TEST(methods, cg_stops_at_the_true_residual)
{
    static const char *const variants[] = {"classic", "pipelined", "s-step"};
    for (int v = 0; v < 3; v++) {
        char text[256];
        snprintf(text, sizeof text,
                 "equation poisson2d n 63 ny 40 solver cg variant %s until 1e-12", variants[v]);
        ss_run *run = open_run(text);
        double residual;
        run->stop_at_tol = true;
        CHECK_INT(ss_run_step(run, 5000, NULL), SS_OK);
        CHECK_MSG(run->status == SS_CONVERGED, "%s: %s", text, run->message);
        CHECK_INT(run->backend->reduce(run, &residual, NULL, NULL, NULL), SS_OK);
        CHECK_MSG(residual <= 1.001e-12 * run->residual0, "%s: %g", text,
                  residual / run->residual0);
        ss_run_close(run);
    }
}

/* Without a tolerance the run ends at its rounding errors and stays there. */
TEST(methods, cg_stays_at_round_off)
{
    static const char *const settings[] = {
        "equation poisson2d n 31 solver cg until 0",
        "equation poisson2d n 31 solver cg variant pipelined until 0 precision f32",
        "equation poisson1d n 64 solver cg variant s-step steps 8 until 0",
        "equation poisson1d n 1 solver cg until 0",
    };
    for (int i = 0; i < 4; i++) {
        ss_run *run = open_run(settings[i]);
        CHECK_INT(ss_run_step(run, 2000, NULL), SS_OK);
        CHECK_MSG(run->cycle == 2000 && isfinite(run->residual), "%s: %s", settings[i],
                  run->message);
        CHECK_MSG(run->residual < 1e-4 * run->residual0, "%s: %g", settings[i], run->residual);
        ss_run_close(run);
    }
}

/* --- the microscope --------------------------------------------------------------------------- */

RUN_TEST(methods, the_microscope_shows_the_red_half,
         "equation poisson2d n 203 ny 131 problem random solver sor omega 1.5")
{
    ss_err err = {0};
    run->tol = 0;
    step_run(run, 3);
    grid p = grid_of(run);
    CHECK_INT(ss_run_tick(run, &err), SS_OK);
    CHECK_INT(run->peek, 1);
    sweep_colour(&p, 0, 1.5);
    double *u = copy_of(&p, run, START); /* the other buffer */
    CHECK(memcmp(u, p.u, (size_t)(p.nx + 2) * (size_t)(p.ny + 2) * 8) == 0);
    CHECK_INT(ss_run_tick(run, &err), SS_OK);
    CHECK_INT(run->cycle, 4);
    free(u);
    free_grid(&p);
}

/* --- factors of convergence ------------------------------------------------------------------- */

/* The factor that is measured after so many cycles, over the predicted one. */
static void check_factor(const char *settings, int cycles, double error)
{
    ss_run *run = open_run(settings);
    run->tol = 0;
    CHECK_INT(ss_run_step(run, cycles, NULL), SS_OK);
    bool settled;
    double predicted = run->solver->factor(&run->cfg, &run->problem);
    double measured = ss_factors_measured(&run->factors, &settled);
    CHECK_MSG(settled && fabs(measured - predicted) <= error, "%s: measured %.6f, predicted %.6f",
              settings, measured, predicted);
    ss_run_close(run);
}

TEST(methods, factors_are_those_predicted)
{
    check_factor("equation poisson2d n 31 solver jacobi problem random", 2500, 1e-6);
    check_factor("equation poisson2d n 31 ny 20 solver jacobi damping 0.8 problem random", 2500,
                 1e-6);
    check_factor("equation poisson2d n 31 solver sor omega 1 problem random", 1500, 1e-6);
    check_factor("equation poisson2d n 31 solver sor omega 1.3 problem random", 900, 1e-6);
    check_factor("equation poisson2d n 31 solver sor omega 1.95 problem random", 420, 2e-3);
    check_factor("equation poisson1d n 31 solver chebyshev rho 0.9 problem random", 400, 1e-3);
    /* At the best omega |r| behaves like m (omega - 1)^m, with Chebyshev by a bound: both are
     * slower than their factor for as long as the run lasts. */
    check_factor("equation poisson2d n 127 solver sor", 600, 3e-3);
}

TEST(methods, factors_below_the_floor_are_forgotten)
{
    ss_factors f = {.n = 0};
    bool settled;
    for (int c = 0; c < 200; c++)
        ss_factors_add(&f, c, pow(0.8, c) > 1e-12 ? pow(0.8, c) : 1e-12);
    CHECK_NEAR(ss_factors_measured(&f, &settled), 0.8, 1e-12);
    CHECK(settled);
    CHECK_NEAR(ss_factors_mean(&f), 1, 1e-12);
    f.n = 0;
    CHECK(isnan(ss_factors_measured(&f, &settled)) && !settled);
}
