/* Quantities of the state in which a cell's run ended: see kit.h. */
#include <math.h>
#include <stdio.h>

#include "src/run/result.h"
#include "src/tune/kit.h"

int ss_tune_state_error(ss_run *run, double *out, char *why, size_t size, ss_err *err)
{
    ss_result r;
    (void)why, (void)size;
    int status = ss_result_make(run, true, false, 0, &r, err);
    *out = r.error_max;
    return status;
}

int ss_tune_state_mean(ss_run *run, double *out, char *why, size_t size, ss_err *err)
{
    (void)why, (void)size;
    return ss_result_mean_error(run, out, err);
}

int ss_tune_state_reduction(ss_run *run, double *out, char *why, size_t size, ss_err *err)
{
    (void)err;
    *out = run->residual0 > 0 ? run->residual / run->residual0 : (double)NAN;
    if (isnan(*out))
        snprintf(why, size, "the first residual is 0");
    return SS_OK;
}

/* A value that still changes would be one of the number of cycles, not of the method. */
int ss_tune_state_factor(ss_run *run, double *out, char *why, size_t size, ss_err *err)
{
    bool settled;
    (void)err;
    *out = ss_run_factor(run, &settled);
    if (run->solver->krylov)
        snprintf(why, size, "%s has no factor per cycle", run->solver->title);
    else if (isnan(*out))
        snprintf(why, size,
                 "the factor needs at least nine residuals above 1e-10 of the first one");
    else if (!settled)
        snprintf(why, size, "the factor has not settled: the residual still changes its rate");
    *out = settled ? *out : (double)NAN;
    return SS_OK;
}
