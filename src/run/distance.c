/* Distances of a run to its references, runs to a distance, and the figures of a finished run: see
 * reference.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/core/registry.h"
#include "src/run/checkpoint.h"
#include "src/run/checks.h"
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

static double value_at(const ss_run *run, const char *field, size_t i)
{
    return run->prec == SS_F64 ? ((const double *)(const void *)field)[i]
                               : (double)((const float *)(const void *)field)[i];
}

/* v = u* - field; field NULL: u*. */
static void fill_vector(const ss_run *run, const double *exact, const char *field, vector *x)
{
    const ss_problem *p = &run->problem;
    for (int j = 0; j < p->ny; j++)
        for (int i = 0; i < p->nx; i++) {
            size_t at = (size_t)j * (size_t)p->nx + (size_t)i;
            row_of(x, j)[i] = exact[at] - (field ? value_at(run, field, at) : 0);
        }
}

static int energy_error(ss_run *run, const double *exact, double *out, ss_err *err)
{
    vector x = {.v = NULL};
    const char *why = ss_config_no_energy(&run->cfg);
    if (why)
        return ss_fail(err, "there is no energy norm here: %s", why);
    double before = run->seconds_field_down; /* of the problem's own transfers */
    char *field = ss_field_download(run);
    run->seconds_field_down = before;
    if (!field)
        return ss_fail(err, "the energy norm needs a copy of the field: out of memory");
    int status = make_vector(&run->problem, &x, err);
    if (status == SS_OK) {
        fill_vector(run, exact, field, &x);
        double error = energy_of(run, &x);
        fill_vector(run, exact, NULL, &x);
        *out = sqrt(error / energy_of(run, &x));
    }
    free(field);
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

void ss_accuracy_forget(ss_run *run)
{
    ss_reference_free(run->baseline);
    run->baseline = NULL;
    run->baseline_reported = false;
    run->accuracy_cycle = -1;
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

/* --- the figures of a finished run ------------------------------------------------------------ */

/* The exact solution of the first field at the current time, to be freed. It fails for a painted
 * field: a bare number could not say that the exact solution excludes the paint. */
static double *exact_in_time(ss_run *run, ss_err *err)
{
    const char *why = ss_run_no_solution(run);
    if (!why && run->painted)
        why = "the exact solution does not include paint, and the field was painted";
    if (why) {
        ss_fail(err, "%s", why);
        return NULL;
    }
    double *row = ss_alloc((size_t)run->problem.nx * sizeof *row, "the exact solution", err);
    if (row)
        ss_run_solution(run, 0, row);
    return row;
}

/* The exact solution at every point, or NULL; *own is to be freed in any case. */
static const double *find_exact(ss_run *run, double **own, ss_err *err)
{
    *own = NULL;
    if (run->eq->kind == SS_TRANSIENT)
        return *own = exact_in_time(run, err);
    if (!run->reference)
        run->reference = ss_reference_start(run, false, NULL, 0, err);
    return run->reference ? ss_reference_wait(run->reference, err) : NULL;
}

static int find_error(ss_run *run, double *out, ss_err *err)
{
    double *own;
    const double *exact = find_exact(run, &own, err);
    int status = exact ? run->backend->reduce(run, NULL, exact, out, err) : SS_FAIL;
    free(own);
    return status;
}

/* Unasked only where it costs little: ranks would have to send for it, and one may hang. */
void ss_result_errors(ss_run *run, bool wanted, double error[SS_NERROR])
{
    double *own, up = run->seconds_upload, down = run->seconds_download;
    bool known = run->eq->kind == SS_STEADY && run->status != SS_DIVERGED &&
                 (wanted || (!run->backend->asked_by && ss_reference_is_cheap(run))) &&
                 find_exact(run, &own, NULL);
    for (int norm = 0; norm < SS_NERROR; norm++) {
        error[norm] = NAN;
        if (known)
            ss_error_of(run, (ss_error_norm)norm, &error[norm], NULL);
    }
    run->seconds_upload = up; /* of the run, not of what is reported of it */
    run->seconds_download = down;
}

static double row_deviation(const ss_run *run, const void *row, const double *exact)
{
    double sum = 0;
    for (int i = 0; i < run->problem.nx; i++) {
        double u = run->prec == SS_F64 ? ((const double *)row)[i] : (double)((const float *)row)[i];
        sum += fabs(u - exact[i]);
    }
    return sum;
}

/* The backends reduce to a maximum only: the field comes here, row by row. */
static int sum_deviations(ss_run *run, const double *exact, double *sum, ss_err *err)
{
    const ss_problem *p = &run->problem;
    int status = SS_OK;
    void *row = ss_alloc((size_t)p->nx * ss_prec_size(run->prec), "a row", err);
    if (!row)
        return SS_FAIL;
    *sum = 0;
    for (int at = 0; at < p->ny * p->nz && status == SS_OK; at++) {
        int k = at / p->ny, j = at % p->ny;
        status = run->backend->download(run, 0, 0, k, j, j + 1, row, err);
        *sum += status == SS_OK ? row_deviation(run, row, exact + (ptrdiff_t)at * p->nx) : 0;
    }
    free(row);
    return status;
}

int ss_result_mean_error(ss_run *run, double *out, ss_err *err)
{
    double *own, sum = 0;
    const double *exact = find_exact(run, &own, err);
    int status = exact ? sum_deviations(run, exact, &sum, err) : SS_FAIL;
    free(own);
    *out = sum / ((double)run->problem.nx * run->problem.ny * run->problem.nz);
    return status;
}

static int find_accuracy(ss_run *run, double *out, ss_err *err)
{
    if (!ss_accuracy_known(run) && !run->baseline)
        run->baseline = ss_reference_iterate(run, 0, NULL, 0, err);
    if (!ss_accuracy_known(run) && (!run->baseline || !ss_reference_wait(run->baseline, err)))
        return SS_FAIL;
    if (!ss_accuracy_measure(run))
        return ss_fail(err, "the accuracy cannot be measured");
    *out = run->accuracy;
    return SS_OK;
}

int ss_result_make(ss_run *run, bool want_error, bool want_accuracy, double started, ss_result *out,
                   ss_err *err)
{
    out->run = run;
    out->error_max = out->accuracy = NAN;
    for (int norm = 0; norm < SS_NERROR; norm++)
        out->error[norm] = NAN;
    out->wants_error = want_error;
    out->wants_accuracy = want_accuracy || ss_accuracy_known(run);
    if (run->status != SS_DIVERGED && ss_run_settle(run, err) != SS_OK)
        return SS_FAIL;
    out->status = run->status == SS_RUNNING ? SS_LIMIT : run->status;
    out->seconds_total = ss_clock() - started;
    if (run->status == SS_DIVERGED) /* its field is no approximation of anything */
        return SS_OK;
    if (want_error && find_error(run, &out->error_max, err) != SS_OK)
        return SS_FAIL;
    ss_result_errors(run, want_error, out->error);
    return out->wants_accuracy ? find_accuracy(run, &out->accuracy, err) : SS_OK;
}

double ss_result_blocks(const ss_run *run)
{
    if (run->solver->nodes)
        return run->solver->nodes(&run->cfg, &run->problem).count;
    if (run->solver->blocks)
        return run->per_cycle.blocks;
    if (!run->solver->tiling)
        return (double)NAN;
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    return (double)t.x.count * t.y.count;
}
