/* Distances of a run to its references, runs to a distance, and the figures of a finished run: see
 * reference.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/core/registry.h"
#include "src/run/checks.h"
#include "src/run/parts.h"
#include "src/run/reference.h"

/* --- the energy norm -----------------------------------------------------------------------------
 */

/* A vector v with a halo of zeros, a row of zeros, and a row of J v, the point update without a
 * right-hand side. Rows start SS_ALIGN-aligned. */
typedef struct vector {
    double *v, *zero, *out;
    ptrdiff_t stride;
} vector;

enum { EDGE = SS_ALIGN / sizeof(double) };

static int make_vector(const ss_problem *p, vector *x, ss_err *err)
{
    x->stride = (p->nx + EDGE - 1) / EDGE * EDGE + 2 * EDGE;
    x->v = ss_alloc((size_t)x->stride * ((size_t)p->ny + 4) * sizeof *x->v, "the energy norm", err);
    if (!x->v)
        return SS_FAIL;
    x->zero = x->v + x->stride * (p->ny + 2);
    x->out = x->zero + x->stride;
    return SS_OK;
}

static double *row_of(const vector *x, int j)
{
    return x->v + (j + 1) * x->stride + EDGE;
}

/* v'A v over A's diagonal, which is constant: the sum of v (v - J v). */
static double energy_of(const ss_run *run, const vector *x)
{
    const ss_problem *p = &run->problem;
    const ss_sweep sweep = {.nx = p->nx,
                            .ny = 1,
                            .nz = 1,
                            .in_sy = x->stride,
                            .rhs_sy = x->stride,
                            .out_sy = x->stride};
    double sum = 0;
    for (int j = 0; j < p->ny; j++) {
        const double *v = row_of(x, j);
        double *next = x->out + EDGE, part = 0;
        run->eq->apply[SS_F64](&run->coef, 0, v, x->zero + EDGE, next, &sweep);
        for (int i = 0; i < p->nx; i++)
            part += v[i] * (v[i] - next[i]);
        sum += part;
    }
    return sum;
}

/* v = u* - u; u NULL: u*. */
static void fill_vector(const ss_run *run, const double *exact, const double *u, vector *x)
{
    const ss_problem *p = &run->problem;
    for (int j = 0; j < p->ny; j++)
        for (int i = 0; i < p->nx; i++) {
            size_t at = (size_t)j * (size_t)p->nx + (size_t)i;
            row_of(x, j)[i] = exact[at] - (u ? u[at] : 0);
        }
}

static int energy_error(ss_run *run, const double *exact, double *out, ss_err *err)
{
    vector x = {.v = NULL};
    const char *why = ss_config_no_energy(&run->cfg);
    if (why)
        return ss_fail(err, "there is no energy norm here: %s", why);
    size_t points = (size_t)run->problem.nx * (size_t)run->problem.ny;
    double *u = ss_alloc(points * sizeof *u, "a copy of the field for the energy norm", err);
    int status = u ? ss_run_doubles(run, 0, 0, 1, u, err) : SS_FAIL;
    if (status == SS_OK)
        status = make_vector(&run->problem, &x, err);
    if (status == SS_OK) {
        fill_vector(run, exact, u, &x);
        double error = energy_of(run, &x);
        fill_vector(run, exact, NULL, &x);
        *out = sqrt(error / energy_of(run, &x));
    }
    free(u);
    free(x.v);
    return status;
}

/* --- both norms ----------------------------------------------------------------------------------
 */

static int max_error(ss_run *run, const double *exact, double *out, ss_err *err)
{
    int status = run->backend->reduce(run, NULL, exact, out, err);
    *out /= ss_reference_largest(run->reference);
    return status;
}

int ss_error_of(ss_run *run, ss_error_norm norm, double *out, ss_err *err)
{
    static int (*const of[SS_NERROR])(ss_run *, const double *, double *, ss_err *) = {
        [SS_ERROR_MAX] = max_error, [SS_ERROR_ENERGY] = energy_error};
    const double *exact = ss_run_reference(run);
    *out = NAN;
    if (!exact)
        return ss_fail(err, "u* is not known yet");
    if (!(ss_reference_largest(run->reference) > 0))
        return ss_fail(err, "u*, the exact solution, is 0: no error is relative to it");
    return of[norm](run, exact, out, err);
}

/* --- the accuracy ----------------------------------------------------------------------------- */

/* Against many Jacobi iterations. */

#define NEAR 0.01  /* part of the goal within which each cycle is measured */
#define LONGER 2.0 /* a wait over the last one */
#define PART 4     /* no wait is longer than the cycles so far divided by it */
#define WAIT_MS 20 /* milliseconds to wait for the reference before the engine handles commands */

bool ss_accuracy_known(const ss_run *run)
{
    return run->accuracy_cycle == run->cycle;
}

bool ss_accuracy_measure(ss_run *run)
{
    const double *ref = run->baseline ? ss_reference_get(run->baseline, NULL, NULL) : NULL;
    double deviation;
    if (ss_accuracy_known(run))
        return true;
    if (!ref || run->backend->reduce(run, NULL, ref, &deviation, NULL) != SS_OK)
        return false;
    double largest = ss_reference_largest(run->baseline);
    run->accuracy = largest > 0 ? deviation / largest : deviation;
    run->accuracy_cycle = run->cycle;
    return true;
}

/* --- many iterations ---------------------------------------------------------------------------
 */

static void set_int(ss_config *cfg, const char *name, int64_t value)
{
    cfg->v[ss_param_find(cfg, name, NULL)->slot] = (ss_value){.i = value, .set = true};
}

/* The run's problem from its start, solved by classic Jacobi in double precision without limits. */
static int plan_iterations(ss_config *cfg, int threads, ss_err *err)
{
    if (ss_config_set(cfg, "solver", "jacobi", err) != SS_OK)
        return SS_FAIL;
    ss_config_unlimit(cfg);
    set_int(cfg, "precision", SS_F64);
    set_int(cfg, "check-every", 2 * SS_REFERENCE_ITERATIONS);
    set_int(cfg, "pin", 0);
    if (threads > 0)
        set_int(cfg, "threads", threads);
    return ss_config_check(cfg, NULL, err);
}

/* Iterates a separate run that only this thread uses. */
static int iterate(ss_reference *ref)
{
    ss_run *run = ss_run_open(&ref->cfg, ref->load, ref->rhs, &ref->err);
    if (!run)
        return SS_FAIL;
    run->abandon = &ref->cancelled;
    int status = ss_run_advance(run, SS_REFERENCE_ITERATIONS, &ref->err);
    if (status == SS_OK && run->cycle < SS_REFERENCE_ITERATIONS)
        status = ss_fail(&ref->err, "the reference run stopped after %lld iterations",
                         (long long)run->cycle);
    if (status == SS_OK)
        status = ss_run_doubles(run, 0, 0, run->problem.nz, ref->u, &ref->err);
    ss_run_close(run);
    return status;
}

ss_reference *ss_reference_iterate(ss_run *run, int threads, char *notice, size_t size, ss_err *err)
{
    char need[32];
    double bytes = 4.0 * (double)ss_reference_points(run) * sizeof(double);
    if (run->eq->kind != SS_STEADY) {
        ss_fail(err,
                "the accuracy of %s is undefined: its solution depends on time, and the Jacobi "
                "reference is a steady solution",
                run->eq->name);
        return NULL;
    }
    if (ss_reference_memory(run, "the reference", bytes, need, sizeof need, err) != SS_OK)
        return NULL;
    ss_reference *ref = ss_reference_new(run, iterate, "the reference", err);
    if (!ref)
        return NULL;
    ref->load = run->load;
    ref->rhs = run->rhs;
    snprintf(notice, size, "computing %d Jacobi iterations to compare with: %s, in the background",
             SS_REFERENCE_ITERATIONS, need);
    if (plan_iterations(&ref->cfg, threads, err) == SS_OK &&
        ss_reference_run(ref, "the reference", err) == SS_OK)
        return ref;
    ss_reference_free(ref);
    return NULL;
}

/* --- running to a distance -----------------------------------------------------------------------
 */

/* What a run may stop at instead of a residual: its distance from a reference. */
typedef struct goal {
    struct ss_reference *(*start)(ss_run *run, char *notice, size_t size, ss_err *err);
    int (*measure)(ss_run *run, double *out, ss_err *err);
    void (*report)(ss_run *run, int64_t cycle, double before, double now);
} goal;

static struct ss_reference *start_exact(ss_run *run, char *notice, size_t size, ss_err *err)
{
    return ss_reference_start(run, true, notice, size, err);
}

static struct ss_reference *start_baseline(ss_run *run, char *notice, size_t size, ss_err *err)
{
    return ss_reference_iterate(run, 0, notice, size, err);
}

static int measure_error(ss_run *run, double *out, ss_err *err)
{
    return ss_error_of(run, run->error_norm, out, err);
}

static int measure_accuracy(ss_run *run, double *out, ss_err *err)
{
    if (!ss_accuracy_measure(run))
        return ss_fail(err, "the accuracy cannot be measured");
    *out = run->accuracy;
    return SS_OK;
}

static void report_error(ss_run *run, int64_t cycle, double before, double now)
{
    (void)cycle;
    (void)before;
    (void)now;
    snprintf(run->message, sizeof run->message, "the error is at most %g of u*%s", run->until_error,
             run->error_norm == SS_ERROR_ENERGY ? " in the energy norm" : "");
}

/* Interpolates between two cycles, as if the distance fell geometrically. */
static void report_accuracy(ss_run *run, int64_t cycle, double before, double now)
{
    double want = run->until_accuracy, share = 1;
    if (now > 0 && before > want)
        share = log(before / want) / log(before / now);
    double cycles = (double)cycle + share * (double)(run->cycle - cycle);
    if (isfinite(run->teff)) /* reported before */
        return;
    run->teff = cycles * run->iterations_per_cycle;
    snprintf(run->message, sizeof run->message,
             "accuracy %g after %.6g cycles, T_eff = %.6g iterations", want, cycles, run->teff);
}

static const goal to_error = {start_exact, measure_error, report_error};
static const goal to_accuracy = {start_baseline, measure_accuracy, report_accuracy};

/* False: not ready, and *status is SS_OK if it may be later, SS_FAIL if it never will be. */
static bool has_reference(ss_run *run, const goal *g, struct ss_reference **ref, int *status,
                          ss_err *err)
{
    char notice[200];
    bool failed = false;
    *status = SS_FAIL;
    if (!*ref)
        *ref = g->start(run, notice, sizeof notice, err);
    if (!*ref)
        return false;
    for (int i = 0; i < WAIT_MS && !ss_run_abandoned(run); i++) {
        if (ss_reference_get(*ref, &failed, err))
            return true;
        if (failed)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    *status = SS_OK;
    return false;
}

/* Cycles to the next measurement of an error that falls steadily: half of those that it needs to
 * come near its goal, if it goes on as from `before`, `done` cycles ago; 1 there. */
static int64_t wait_of(const ss_run *run, int64_t done, double before, double now)
{
    double left = log(now / run->until_error) - NEAR;
    double fall = done > 0 ? log(before / now) / (double)done : 0;
    double wait = left > 0 && fall > 0 ? left / (2 * fall) : 1;
    double most = fmin(LONGER * (double)done, (double)run->cycle / PART);
    return wait < most ? (int64_t)fmax(wait, 1) : (int64_t)fmax(most, 1);
}

/* Cycles to the next measurement, at most `most`. */
static int64_t stride_of(const ss_run *run, int64_t done, double before, double now, int64_t most)
{
    int64_t every = run->check_every > 0 ? run->check_every : 1;
    int64_t next = every - run->cycle % every;
    if (run->until_error > 0 && ss_run_checks_seldom(run))
        next = wait_of(run, done, before, now);
    return next < most ? next : most;
}

int ss_accuracy_seek(ss_run *run, int64_t cycles,
                     int (*advance)(ss_run *run, int64_t cycles, ss_err *err), ss_err *err)
{
    int status;
    bool exact = run->until_error > 0;
    const goal *g = exact ? &to_error : &to_accuracy;
    double now, want = exact ? run->until_error : run->until_accuracy;
    if (!has_reference(run, g, exact ? &run->reference : &run->baseline, &status, err))
        return status;
    if (g->measure(run, &now, err) != SS_OK)
        return SS_FAIL;
    int64_t cycle = run->cycle;
    double before = now;
    while (run->status == SS_RUNNING && !(now <= want)) { /* or NaN */
        if (cycles <= 0 || ss_run_abandoned(run))
            return SS_OK;
        int64_t stride = stride_of(run, run->cycle - cycle, before, now, cycles);
        cycle = run->cycle;
        before = now;
        if (advance(run, stride, err) != SS_OK)
            return SS_FAIL;
        cycles -= run->cycle - cycle;
        if (g->measure(run, &now, err) != SS_OK)
            return SS_FAIL;
    }
    if (!(now <= want))
        return SS_OK;
    run->status = SS_CONVERGED;
    run->met = true;
    g->report(run, cycle, before, now);
    return SS_OK;
}
