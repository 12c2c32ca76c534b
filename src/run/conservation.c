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

/* Counted from the last change of dt, so that the result does not depend on when it is called. */
int64_t ss_run_steps_left(const ss_run *run)
{
    if (run->max_time <= 0 || run->eq->kind != SS_TRANSIENT)
        return INT64_MAX;
    ss_since since = ss_run_since(run);
    double steps = ceil((run->max_time - since.time) / since.dt - 1e-6);
    if (steps >= 9e15)
        return INT64_MAX;
    int64_t left = (int64_t)steps - (run->step - since.step);
    return left > 0 ? left : 0;
}

/* n floats at the start of v to doubles, in place, from the end. */
static void widen(double *v, size_t n)
{
    float narrow;
    while (n-- > 0) {
        memcpy(&narrow, (const char *)v + n * sizeof narrow, sizeof narrow);
        v[n] = (double)narrow;
    }
}

/* All fields as doubles, one after the other (free the array); NULL: out of memory or device lost.
 */
static double *fields(ss_run *run, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t n = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    double *u = ss_alloc(n * (size_t)p->nfield * sizeof *u, "a copy of the fields", err);
    for (int f = 0; u && f < p->nfield; f++) {
        if (run->backend->download(run, 0, f, 0, 0, p->ny, u + (size_t)f * n, err) != SS_OK) {
            free(u);
            return NULL;
        }
        if (run->prec == SS_F32)
            widen(u + (size_t)f * n, n);
    }
    return u;
}

/* max |u|; infinite if some are not finite. */
static double largest(const ss_problem *p, const double *u)
{
    size_t n = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz * (size_t)p->nfield;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double v = fabs(u[i]);
        most = v <= most ? most : v - v == 0 ? v : HUGE_VAL;
    }
    return most;
}

/* Reports divergence with its cause: the stability check that `allow-unstable` has disabled, or the
 * equation's suspect. */
static void report_cause(ss_run *run, double most)
{
    ss_err err = {""};
    ss_config strict = run->cfg;
    const ss_param *row = ss_param_find(&strict, "allow-unstable", NULL);
    strict.v[row->slot].set = false;
    bool stable = !run->eq->check || run->eq->check(&strict, &run->problem, &err) == SS_OK;
    const char *suspect = run->eq->suspect ? run->eq->suspect(&run->problem) : NULL;
    ss_run_say_diverged(run,
                        isfinite(most) ? "values grew by a factor of 10^6"
                                       : "some values are not finite numbers",
                        !stable   ? err.text
                        : suspect ? suspect
                                  : "although the step is stable");
}

const char *ss_run_no_solution(const ss_run *run)
{
    const ss_equation *eq = run->eq;
    if (!eq->solution || !eq->solution(&run->problem, 0, 0, 0, NULL))
        return "the exact solution of this problem is unknown";
    if (run->problem.nx > SS_SOLUTION_POINTS)
        return "the exact solution is only computed for at most 2^20 points";
    if (run->load)
        return "the exact solution is that of the built-in start, and the field was loaded";
    if (eq->solution_one_dt && ss_run_many_dt(run))
        return "the exact solution needs a constant dt, and dt was changed during the run";
    if (!eq->solution(&run->problem, run->step, run->time, 0, NULL))
        return "the exact solution ignores the boundaries, and waves have reached them";
    return NULL;
}

bool ss_run_solution(const ss_run *run, int quantity, double *row)
{
    return !ss_run_no_solution(run) &&
           run->eq->solution(&run->problem, run->step, run->time, quantity, row);
}

int ss_run_watch(ss_run *run, ss_err *err)
{
    bool first = run->watch.step < 0 && run->step == 0;
    if (run->watch.step == run->step)
        return SS_OK;
    double *u = fields(run, err);
    if (!u)
        return SS_FAIL;
    double most = largest(&run->problem, u);
    for (int i = 0; i < run->eq->nmonitor; i++)
        run->watch.now[i] = run->eq->monitors[i].of(&run->problem, u);
    free(u);
    for (int i = 0; i < run->eq->nmonitor && first; i++)
        run->watch.first[i] = run->watch.now[i];
    if (first)
        run->watch.largest = most;
    run->watch.step = run->step;
    run->watch.seconds = run->seconds_solve;
    ss_history_add(&run->history, ss_run_point(run, run->seconds_solve));
    if (!isfinite(most) || most > SS_RUN_GROWTH * (run->watch.largest + 1))
        report_cause(run, most);
    return SS_OK;
}

int ss_run_watch_sometimes(ss_run *run, ss_err *err)
{
    double values = (double)run->problem.nx * run->problem.nfield;
    double wait = values <= SMALL ? 0 : fmin(values * WAIT_PER_VALUE, WAIT_MAX);
    bool due = run->seconds_solve - run->watch.seconds >= wait;
    return due ? ss_run_watch(run, err) : SS_OK;
}
