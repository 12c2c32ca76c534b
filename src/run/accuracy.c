/* Accuracy against many Jacobi iterations: see accuracy.h. */
#include "src/run/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "src/run/reference.h"

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

/* False: not ready, and *status is SS_OK if it may be later, SS_FAIL if it never will be. */
static bool has_reference(ss_run *run, int *status, ss_err *err)
{
    char notice[200];
    bool failed = false;
    *status = SS_FAIL;
    if (!run->baseline)
        run->baseline = ss_reference_iterate(run, 0, notice, sizeof notice, err);
    if (!run->baseline)
        return false;
    for (int i = 0; i < WAIT_MS && !ss_run_abandoned(run); i++) {
        if (ss_reference_get(run->baseline, &failed, err))
            return true;
        if (failed)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    *status = SS_OK;
    return false;
}

/* Interpolates between two cycles, as if the error fell geometrically. */
static void report_reached(ss_run *run, int64_t cycle, double before)
{
    double after = run->accuracy, want = run->until_accuracy, share = 1;
    if (after > 0 && before > want)
        share = log(before / want) / log(before / after);
    double cycles = (double)cycle + share * (double)(run->cycle - cycle);
    run->status = SS_CONVERGED;
    if (isfinite(run->teff)) /* reported before */
        return;
    run->teff = cycles * run->iterations_per_cycle;
    snprintf(run->message, sizeof run->message,
             "accuracy %g after %.6g cycles, T_eff = %.6g iterations", want, cycles, run->teff);
}

int ss_accuracy_seek(ss_run *run, int64_t cycles,
                     int (*advance)(ss_run *run, int64_t cycles, ss_err *err), ss_err *err)
{
    int status;
    if (!has_reference(run, &status, err))
        return status;
    if (!ss_accuracy_measure(run))
        return ss_fail(err, "the accuracy cannot be measured");
    int64_t cycle = run->cycle;
    double before = run->accuracy;
    while (run->status == SS_RUNNING && !(run->accuracy <= run->until_accuracy)) { /* or NaN */
        if (cycles <= 0 || ss_run_abandoned(run))
            return SS_OK;
        cycle = run->cycle;
        before = run->accuracy;
        if (advance(run, 1, err) != SS_OK)
            return SS_FAIL;
        cycles -= run->cycle - cycle;
        if (!ss_accuracy_measure(run))
            return ss_fail(err, "the accuracy cannot be measured");
    }
    if (run->accuracy <= run->until_accuracy)
        report_reached(run, cycle, before);
    return SS_OK;
}
