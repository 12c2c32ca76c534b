/*
 * Checks of a transient run: values finite, conserved quantities, steps left, exact solution; the
 * first cycle whose fields have diverged. Engine thread only; see run.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/run/parts.h"

/* --- divergence ------------------------------------------------------------------------------- */

/*
 * The first cycle whose fields have diverged. Fields are checked now and then, at moments that
 * depend on the clock. When a check finds values that are not finite, or have grown, the run
 * returns to the fields of the last check and takes its cycles one by one, so that the result does
 * not depend on those moments.
 */

/* max |u| of a copy of all fields; infinite if some values are not finite. */
static double largest_of(const ss_run *run, const char *fields)
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

/* Has max |u| grown as it does when a run diverges? */
static bool has_grown(const ss_run *run, double largest)
{
    return !isfinite(largest) || largest > SS_RUN_GROWTH * (run->watch.largest + 1);
}

/* --- the fields of the last check ------------------------------------------------------------- */

/* Keeps the copy of the present fields, which have not diverged: the next search starts there. */
static void keep_good(ss_run *run, char *fields)
{
    if (!run->good && !(run->good = calloc(1, sizeof *run->good))) {
        free(fields);
        return;
    }
    free(run->good->field);
    *run->good = (ss_run_copy){fields, *run};
}

/* --- the search ------------------------------------------------------------------------------- */

/* One cycle towards `end`, or one of the classic steps that completed the run there; then looks at
 * the fields. */
static int take_one(ss_run *run, const ss_run *end, char **fields, double *largest, ss_err *err)
{
    int status = run->cycle < end->cycle ? ss_run_advance(run, 1, err) : ss_run_finish(run, 1, err);
    free(*fields);
    *fields = status == SS_OK ? ss_field_copy(run, 0, err) : NULL;
    *largest = *fields ? largest_of(run, *fields) : 0;
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

/* The present fields have diverged: goes back to the fields kept, and from there cycle by cycle to
 * the first that have diverged. *fields and *largest are those of the result. Without kept fields
 * the run stays where it is. */
static int find_divergence(ss_run *run, char **fields, double *largest, ss_err *err)
{
    if (run->unseen || !run->good || run->good->then.step >= run->step)
        return SS_OK;
    const ss_run_copy from = *run->good; /* freed on the way */
    const ss_run end = *run, then = from.then;
    double openings = openings_since(run, &then);
    if (ss_copy_put(run, &from, err) != SS_OK)
        return SS_FAIL;
    run->chained = true;
    int64_t before;
    do {
        before = run->step;
        if (take_one(run, &end, fields, largest, err) != SS_OK)
            return SS_FAIL;
    } while (run->step > before && run->step < end.step && !has_grown(run, *largest));
    run->chained = false;
    bill_as_before(run, &then, &end, openings);
    return SS_OK;
}

/* --- checks ----------------------------------------------------------------------------------- */

/* Fields of at most SMALL values are checked after every step call. Larger ones wait for
 * WAIT_PER_VALUE seconds of solving per value, at most WAIT_MAX, so that checks cost below 1 %. */
#define SMALL 2048
#define WAIT_PER_VALUE 1e-6
#define WAIT_MAX 0.25

/* The error over time: a measurement follows the last one after this part of the steps so far; the
 * largest problem. */
#define ERROR_SHARE 256
#define ERROR_POINTS 4096

/* Counted from the last change of dt, so that the result does not depend on when it is called. */
int64_t ss_run_steps_left(const ss_run *run)
{
    if (run->max_time <= 0 || run->eq->kind != SS_TRANSIENT)
        return INT64_MAX;
    ss_since since = ss_run_since(run);
    double steps = ceil((run->max_time - since.time) / since.dt - 1e-6);
    if (steps >= 9e15)
        return INT64_MAX;
    if (!(steps > 0))
        return 0;
    int64_t left = (int64_t)steps - (run->step - since.step);
    return left > 0 ? left : 0;
}

/* The fields as doubles: the copy itself, or a new one to free. NULL: out of memory. */
static double *as_doubles(const ss_run *run, char *fields, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t n = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz * (size_t)p->nfield;
    const float *narrow = (const float *)(void *)fields;
    if (run->prec == SS_F64)
        return (double *)(void *)fields;
    double *u = ss_alloc(n * sizeof *u, "a copy of the fields", err);
    for (size_t i = 0; u && i < n; i++)
        u[i] = (double)narrow[i];
    return u;
}

/* "fo: 0.6 is unstable, ...; advice" as a clause: "because fo 0.6 is unstable, ...". */
static void make_clause(const char *sentence, char *buf, size_t size)
{
    size_t name = strcspn(sentence, ":"), end = strcspn(sentence, ";");
    const char *rest = sentence[name] ? sentence + name + 1 : sentence + name;
    int length = rest < sentence + end ? (int)(sentence + end - rest) : 0;
    snprintf(buf, size, "because %.*s%.*s", (int)name, sentence, length, rest);
}

/* Reports divergence with its cause: the stability check that `allow-unstable` has disabled, or the
 * equation's suspect. */
static void report_cause(ss_run *run, double largest)
{
    ss_err err = {0};
    ss_config strict = run->cfg;
    const ss_param *row = ss_param_find(&strict, "allow-unstable", NULL);
    strict.v[row->slot].set = false;
    bool stable = !run->eq->check || run->eq->check(&strict, &run->problem, &err) == SS_OK;
    const char *suspect = run->eq->suspect ? run->eq->suspect(&run->problem) : NULL;
    char clause[200];
    make_clause(err.text, clause, sizeof clause);
    ss_run_say_diverged(run,
                        isfinite(largest) ? "values grew by a factor of 10^6"
                                          : "some values are not finite numbers",
                        !stable   ? clause
                        : suspect ? suspect
                                  : "although the step is stable");
}

typedef bool exact_function(const ss_run *run, int quantity, double *row);

static bool scheme(const ss_run *run, int quantity, double *row)
{
    return run->eq->solution &&
           run->eq->solution(&run->problem, run->step, run->time, quantity, row);
}

/* The solution of the differential equation, where the scheme has one of its own. */
static bool differential(const ss_run *run, int quantity, double *row)
{
    return run->eq->differential ? run->eq->differential(&run->problem, run->time, quantity, row)
                                 : scheme(run, quantity, row);
}

/* Why a solution is unknown at present; one_dt: it needs a constant dt. */
static const char *no_exact(const ss_run *run, exact_function *exact, bool one_dt)
{
    const ss_equation *eq = run->eq;
    if (!eq->solution || !eq->solution(&run->problem, 0, 0, 0, NULL))
        return "the exact solution of this problem is unknown";
    if (run->problem.nx > SS_SOLUTION_POINTS)
        return "the exact solution is only computed for at most 2^20 points";
    if (run->load)
        return "the exact solution is that of the built-in start, and the field was loaded";
    if (one_dt && ss_run_many_dt(run))
        return "the exact solution needs a constant dt, and dt was changed during the run";
    if (!exact(run, 0, NULL))
        return "the exact solution ignores the boundaries, and waves have reached them";
    return NULL;
}

const char *ss_run_no_solution(const ss_run *run)
{
    return no_exact(run, scheme, run->eq->solution_one_dt);
}

const char *ss_run_no_error(const ss_run *run)
{
    if (run->painted)
        return "the exact solution does not include what was painted";
    if (run->problem.nx > ERROR_POINTS)
        return "the error over time is only measured for at most 4096 points";
    return no_exact(run, differential, run->eq->solution_one_dt && !run->eq->differential);
}

bool ss_run_solution(const ss_run *run, int quantity, double *row)
{
    return !ss_run_no_solution(run) && scheme(run, quantity, row);
}

/* Is a measurement of the error due? Their distances grow with the step, so that they cost little
 * and follow each other closely on an axis from 0 to now. */
static bool is_error_due(const ss_run *run)
{
    int64_t last = run->watch.error_step;
    return last < 0 || run->step < last || run->step >= last + 1 + last / ERROR_SHARE;
}

static double mean_error(const ss_run *run, const double *u, double *exact)
{
    double sum = 0, fields[SS_FIELD_MAX];
    int n = run->problem.nx;
    double (*of)(const double *) = run->eq->quantities ? run->eq->quantities[0].of : NULL;
    if (!differential(run, 0, exact))
        return NAN;
    for (int i = 0; i < n; i++) {
        for (int f = 0; f < run->problem.nfield; f++)
            fields[f] = u[(ptrdiff_t)f * n + i];
        sum += fabs((of ? of(fields) : fields[0]) - exact[i]);
    }
    return sum / n;
}

/* Where it is unknown, the last values remain NaN. */
static int measure_error(ss_run *run, const double *u, ss_err *err)
{
    if (!is_error_due(run))
        return SS_OK;
    run->watch.error_step = run->step;
    run->watch.error = run->watch.error_time = NAN;
    if (ss_run_no_error(run))
        return SS_OK;
    double *exact = ss_alloc((size_t)run->problem.nx * sizeof *exact, "the exact solution", err);
    if (!exact)
        return SS_FAIL;
    run->watch.error = mean_error(run, u, exact);
    run->watch.error_time = run->time;
    free(exact);
    return SS_OK;
}

static int measure_fields(ss_run *run, char *fields, ss_err *err)
{
    double *u = as_doubles(run, fields, err);
    int rc = u ? measure_error(run, u, err) : SS_FAIL;
    for (int i = 0; rc == SS_OK && i < run->eq->nmonitor; i++)
        run->watch.now[i] = ss_monitor_value(&run->eq->monitors[i], &run->problem, u);
    if ((void *)u != (void *)fields)
        free(u);
    return rc;
}

/* Notes what the present fields have; `fields` is their copy. */
static int note(ss_run *run, char *fields, double largest, ss_err *err)
{
    bool first = run->watch.step < 0 && run->step == 0;
    if (measure_fields(run, fields, err) != SS_OK)
        return SS_FAIL;
    if (first) {
        memcpy(run->watch.first, run->watch.now, sizeof run->watch.first);
        run->watch.largest = largest;
    }
    run->watch.step = run->step;
    run->watch.time = run->time;
    run->watch.seconds = run->seconds_solve;
    ss_history_add(&run->history, ss_run_point(run, run->seconds_solve));
    return SS_OK;
}

int ss_run_watch(ss_run *run, ss_err *err)
{
    bool first = run->watch.step < 0 && run->step == 0;
    if (run->watch.step == run->step)
        return SS_OK;
    char *fields = ss_field_copy(run, 0, err);
    double largest = fields ? largest_of(run, fields) : 0;
    bool bad = fields && (first ? !isfinite(largest) : has_grown(run, largest));
    if (!fields || (bad && find_divergence(run, &fields, &largest, err) != SS_OK) ||
        note(run, fields, largest, err) != SS_OK) {
        free(fields);
        return SS_FAIL;
    }
    if (!isfinite(largest) || has_grown(run, largest)) {
        free(fields);
        report_cause(run, largest);
    } else {
        keep_good(run, fields);
    }
    return SS_OK;
}

/* That of another start is unknown. */
ss_inflow ss_run_inflow(const ss_run *run, int i)
{
    const ss_monitor *m = &run->eq->monitors[i];
    if (!m->inflow)
        return (ss_inflow){0, INFINITY};
    return run->load || run->painted ? (ss_inflow){0, 0} : m->inflow(&run->problem);
}

double ss_run_drift(const ss_run *run, int i)
{
    ss_inflow in = ss_run_inflow(run, i);
    if (run->watch.time > in.until)
        return NAN;
    return run->watch.now[i] - run->watch.first[i] - in.rate * run->watch.time;
}

int ss_run_watch_sometimes(ss_run *run, ss_err *err)
{
    if (run->unseen)
        return SS_OK;
    double values = (double)run->problem.nx * run->problem.nfield;
    double wait = values <= SMALL ? 0 : fmin(values * WAIT_PER_VALUE, WAIT_MAX);
    bool due = run->seconds_solve - run->watch.seconds >= wait;
    return due ? ss_run_watch(run, err) : SS_OK;
}
