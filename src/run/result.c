/* The figures of a finished run: see reference.h. */
#include "src/run/reference.h"

#include <math.h>
#include <stdlib.h>

#include "src/run/copy.h"

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

/* The backends reduce to a maximum only: the field comes here. */
static int sum_deviations(ss_run *run, const double *exact, double *sum, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t points = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    double *u = ss_alloc(points * sizeof *u, "a copy of the field", err);
    int status = u ? ss_run_doubles(run, 0, 0, p->nz, u, err) : SS_FAIL;
    *sum = 0;
    for (size_t i = 0; i < points && status == SS_OK; i++)
        *sum += fabs(u[i] - exact[i]);
    free(u);
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
