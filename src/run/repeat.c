/* See repeat.h. */
#include "src/run/repeat.h"
#include "src/core/run.h"

#include <stdlib.h>
#include <string.h>

#include "src/run/checkpoint.h"

#define MEMORY_SHARE 0.25 /* largest share of the host's memory for the two copies */

struct ss_repeat {
    char *field, *start; /* dense, in the run's precision */
};

static bool fits(const ss_run *run)
{
    char what[96];
    return 2 * (double)ss_copy_bytes(run) <= MEMORY_SHARE * ss_host_memory(what, sizeof what);
}

ss_repeat *ss_repeat_keep(ss_run *run)
{
    if (run->eq->kind != SS_STEADY || run->cycle == 0 || run->peek > 0 || !run->start_kept ||
        run->repeated || !fits(run))
        return NULL;
    ss_repeat *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->field = ss_field_download(run);
    r->start = r->field ? ss_field_download_start(run) : NULL;
    if (r->start)
        return r;
    ss_repeat_free(r);
    return NULL;
}

void ss_repeat_free(ss_repeat *r)
{
    if (r) {
        free(r->field);
        free(r->start);
    }
    free(r);
}

/* Restores everything that a step changes except the fields. */
static void uncount(ss_run *run, const ss_run *before)
{
    ss_run_return(run, before);
    run->status = before->status;
    memcpy(run->message, before->message, sizeof run->message);
    run->check_every = before->check_every;
    run->stop_at_tol = before->stop_at_tol;
    run->seconds_ghosts = before->seconds_ghosts;
    run->seconds_upload = before->seconds_upload;
    run->seconds_download = before->seconds_download;
}

/* Solvers that draw their order from the number of the cycle draw that of the last one. */
static int one_cycle(ss_run *run, ss_err *err)
{
    run->cycle--;
    run->check_every = 0; /* no norm: that of the counted field remains */
    run->stop_at_tol = false;
    ss_run_clock_start(run);
    return run->ops->step(run, 1, err);
}

int ss_repeat_cycle(ss_run *run, const ss_repeat *r, ss_err *err)
{
    const ss_run before = *run;
    if (ss_field_upload(run, r->start, err) != SS_OK)
        return SS_FAIL;
    int status = one_cycle(run, err);
    bool whole = status == SS_OK && run->cycle == before.cycle;
    uncount(run, &before);
    run->repeated = whole;
    if (whole)
        return SS_OK;
    if (status == SS_OK)
        ss_fail(err, "the repetition of the last cycle was interrupted");
    ss_err ignored;
    ss_repeat_return(run, r, &ignored);
    return SS_FAIL;
}

int ss_repeat_return(ss_run *run, const ss_repeat *r, ss_err *err)
{
    run->repeated = false;
    run->start_kept = false; /* the present settings did not make this field */
    return ss_field_upload(run, r->field, err);
}
