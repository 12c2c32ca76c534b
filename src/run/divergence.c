/*
 * Divergence of time-dependent runs: the first cycle whose fields have diverged. Fields are checked
 * now and then (conservation.c), at moments that depend on the clock. When a check finds values
 * that are not finite, or have grown, the run returns to the fields of the last check and takes its
 * cycles one by one, so that the result does not depend on those moments. Engine thread only.
 */
#include <math.h>
#include <stdlib.h>

#include "src/run/checkpoint.h"
#include "src/run/parts.h"

struct ss_good {
    char *fields; /* dense, in the run's precision */
    ss_run then;  /* the run at that moment: only its counters are used */
};

char *ss_run_fields(ss_run *run, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t each = ss_field_bytes(run) / (size_t)p->nfield;
    char *fields = ss_alloc(ss_field_bytes(run), "a copy of the fields", err);
    for (int f = 0; fields && f < p->nfield; f++)
        if (run->backend->download(run, 0, f, 0, 0, p->ny, fields + (size_t)f * each, err) !=
            SS_OK) {
            free(fields);
            return NULL;
        }
    return fields;
}

double ss_run_largest(const ss_run *run, const char *fields)
{
    const double *wide = (const double *)(const void *)fields;
    const float *narrow = (const float *)(const void *)fields;
    size_t n = ss_field_bytes(run) / ss_prec_size(run->prec);
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double v = fabs(run->prec == SS_F64 ? wide[i] : (double)narrow[i]);
        most = v <= most ? most : v - v == 0 ? v : HUGE_VAL;
    }
    return most;
}

bool ss_run_has_grown(const ss_run *run, double largest)
{
    return !isfinite(largest) || largest > SS_RUN_GROWTH * (run->watch.largest + 1);
}

/* --- the fields of the last check ------------------------------------------------------------- */

void ss_good_keep(ss_run *run, char *fields)
{
    if (!run->good && !(run->good = calloc(1, sizeof *run->good))) {
        free(fields);
        return;
    }
    free(run->good->fields);
    run->good->fields = fields;
    run->good->then = *run;
}

void ss_good_forget(ss_run *run)
{
    if (run->good)
        free(run->good->fields);
    free(run->good);
    run->good = NULL;
}

/* --- the search ------------------------------------------------------------------------------- */

/* One cycle towards `end`, or one of the classic steps that completed the run there; then looks at
 * the fields. */
static int take_one(ss_run *run, const ss_run *end, char **fields, double *largest, ss_err *err)
{
    int status = run->cycle < end->cycle ? ss_run_advance(run, 1, err) : ss_run_finish(run, 1, err);
    free(*fields);
    *fields = status == SS_OK ? ss_run_fields(run, err) : NULL;
    *largest = *fields ? ss_run_largest(run, *fields) : 0;
    return *fields ? SS_OK : SS_FAIL;
}

/* The search took single cycles: the time, and the chains that were opened, are those of the run
 * before it, in proportion. */
static void bill_as_before(ss_run *run, const ss_run *then, const ss_run *end, double openings)
{
    double share = (double)(run->step - then->step) / (double)(end->step - then->step);
    run->seconds_solve = then->seconds_solve + share * (end->seconds_solve - then->seconds_solve);
    run->total.launches += run->cycle > then->cycle ? openings : 0;
}

/* The launches from `then` to the present that are neither of a cycle nor of a step: those that
 * opened a chain of cycles. */
static double openings_since(const ss_run *run, const ss_run *then)
{
    ss_ledger step;
    double launches = run->total.launches - then->total.launches;
    int64_t cycles = run->cycle - then->cycle;
    int64_t steps = run->step - then->step - cycles * (run->iterations_per_cycle / run->eq->nstage);
    launches -= (double)cycles * run->per_cycle.launches;
    if (steps > 0) {
        run->solver->step_ledger(&run->cfg, run->eq, &run->problem, &step);
        launches -= (double)steps * step.launches;
    }
    return launches;
}

int ss_run_find_divergence(ss_run *run, char **fields, double *largest, ss_err *err)
{
    if (run->unseen || !run->good || run->good->then.step >= run->step)
        return SS_OK;
    const ss_run end = *run, then = run->good->then;
    double openings = openings_since(run, &then);
    if (ss_field_upload(run, run->good->fields, err) != SS_OK)
        return SS_FAIL;
    ss_run_return(run, &then);
    run->chained = true;
    int64_t before;
    do {
        before = run->step;
        if (take_one(run, &end, fields, largest, err) != SS_OK)
            return SS_FAIL;
    } while (run->step > before && run->step < end.step && !ss_run_has_grown(run, *largest));
    run->chained = false;
    bill_as_before(run, &then, &end, openings);
    return SS_OK;
}
