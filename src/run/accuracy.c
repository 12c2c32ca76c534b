/* Accuracy against many Jacobi iterations, and runs to a distance: see accuracy.h. */
#include "src/run/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "src/run/checks.h"
#include "src/run/error.h"
#include "src/run/reference.h"

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
