/* The figures of a finished run: see result.h. */
#include "src/run/result.h"

#include <math.h>
#include <stdlib.h>

#include "src/run/accuracy.h"
#include "src/run/reference.h"

/* Error of the first field at the current time. It fails for a painted field: a bare number could
 * not say that the exact solution excludes the paint. */
static int find_error_in_time(ss_run *run, double *out, ss_err *err)
{
    const char *why = ss_run_no_solution(run);
    if (!why && run->painted)
        why = "the exact solution does not include paint, and the field was painted";
    if (why)
        return ss_fail(err, "%s", why);
    double *row = ss_alloc((size_t)run->problem.nx * sizeof *row, "the exact solution", err);
    if (!row)
        return SS_FAIL;
    ss_run_solution(run, 0, row);
    int status = run->backend->reduce(run, NULL, row, out, err);
    free(row);
    return status;
}

static int find_error(ss_run *run, double *out, ss_err *err)
{
    if (run->eq->kind == SS_TRANSIENT)
        return find_error_in_time(run, out, err);
    if (!run->reference)
        run->reference = ss_reference_start(run, false, NULL, 0, err);
    const double *u = run->reference ? ss_reference_wait(run->reference, err) : NULL;
    return u ? run->backend->reduce(run, NULL, u, out, err) : SS_FAIL;
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
