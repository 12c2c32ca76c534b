/*
 * Checks of a transient run: values finite, conserved quantities, steps left, exact solution.
 * Engine thread only; see run.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/run/parts.h"

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
    char *fields = ss_run_fields(run, err);
    double largest = fields ? ss_run_largest(run, fields) : 0;
    bool bad = fields && (first ? !isfinite(largest) : ss_run_has_grown(run, largest));
    if (!fields || (bad && ss_run_find_divergence(run, &fields, &largest, err) != SS_OK) ||
        note(run, fields, largest, err) != SS_OK) {
        free(fields);
        return SS_FAIL;
    }
    if (!isfinite(largest) || ss_run_has_grown(run, largest)) {
        free(fields);
        report_cause(run, largest);
    } else {
        ss_good_keep(run, fields);
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
