/*
 * The references of a run: u*, by the equation's direct solver from a copy of the right-hand side,
 * and the baseline, by many Jacobi iterations of a separate run. Each is computed on its own thread
 * while the run continues. Owned by the run; every function but `work` and the solve functions is
 * called from the engine thread. The thread uses only its ss_reference: `done` publishes the
 * result, `cancelled` stops it.
 */
#include "src/run/reference.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/blas/blas.h"
#include "src/core/registry.h"
#include "src/core/run.h"

struct ss_reference {
    int (*solve)(ss_reference *ref); /* fills u */
    const ss_equation *eq;
    ss_config cfg; /* problem.cfg points here, since the run's own config may change */
    ss_problem problem;
    double *g;              /* the right-hand side; freed by the thread after the solve */
    const char *load, *rhs; /* files that the run started from, or NULL */
    double *u, largest;     /* max |u| */
    pthread_t thread;
    bool joined;
    int others; /* owners beside the first */
    atomic_bool done, cancelled;
    /* Written by the thread before `done`. */
    int status;
    ss_err err;
    double seconds;
};

static int solve_exactly(ss_reference *ref)
{
    ss_exact_cancel_by(&ref->cancelled);
    int status = ref->eq->exact(&ref->problem, ref->g, ref->u, &ref->err);
    free(ref->g);
    ref->g = NULL;
    return status;
}

static void *work(void *arg)
{
    ss_reference *ref = arg;
    double start = ss_clock();
    size_t points = (size_t)ref->problem.nx * (size_t)ref->problem.ny * (size_t)ref->problem.nz;
    ref->status = ref->solve(ref);
    for (size_t i = 0; i < points && ref->status == SS_OK; i++)
        ref->largest = fmax(ref->largest, fabs(ref->u[i]));
    ref->seconds = ss_clock() - start;
    atomic_store_explicit(&ref->done, true, memory_order_release);
    return NULL;
}

/* One plane of the right-hand side, converted to double. */
static int copy_rows(ss_run *run, int k, double *g, ss_err *err)
{
    const ss_problem *p = &run->problem;
    if (run->prec == SS_F64)
        return run->backend->download(run, 1, 0, k, 0, p->ny, g, err);
    float *row = ss_alloc((size_t)p->nx * sizeof *row, "row", err);
    if (!row)
        return SS_FAIL;
    int rc = SS_OK;
    for (int j = 0; j < p->ny && rc == SS_OK; j++) {
        rc = run->backend->download(run, 1, 0, k, j, j + 1, row, err);
        for (int i = 0; i < p->nx; i++)
            g[(size_t)j * (size_t)p->nx + (size_t)i] = (double)row[i];
    }
    free(row);
    return rc;
}

static int copy_rhs(ss_run *run, double *g, ss_err *err)
{
    size_t plane = (size_t)run->problem.nx * (size_t)run->problem.ny;
    for (int k = 0; k < run->problem.nz; k++)
        if (copy_rows(run, k, g + (size_t)k * plane, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Fails if there is too little memory; writes `total` as text to need. */
static int check_memory(const ss_run *run, const char *name, double total, char *need, size_t size,
                        ss_err *err)
{
    char what[96] = "memory", have[32];
    double limit = run->backend->memory ? run->backend->memory(what, sizeof what) : total;
    ss_format_bytes(total, need, size);
    if (total > limit)
        return ss_fail(err, "computing %s needs %s, but only %s of %s is available: reduce n", name,
                       need, ss_format_bytes(limit, have, sizeof have), what);
    return SS_OK;
}

/* Writes the cost of u* to `notice`; fails if there is too little memory. */
static int report_cost(const ss_run *run, double field, bool background, char *notice, size_t size,
                       ss_err *err)
{
    double extra = 0, operations = 0;
    char need[32], each[32], work_text[32];
    if (run->eq->exact_cost)
        run->eq->exact_cost(&run->problem, &extra, &operations);
    if (check_memory(run, "u*", 2 * field + extra, need, sizeof need, err) != SS_OK)
        return SS_FAIL;
    snprintf(notice, size, "computing u* directly: %s (u* itself %s), about %s operations%s", need,
             ss_format_bytes(field, each, sizeof each),
             ss_format_sci(operations, work_text, sizeof work_text),
             background ? ", in the background" : "");
    return SS_OK;
}

static size_t points_of(const ss_run *run)
{
    return (size_t)run->problem.nx * (size_t)run->problem.ny * (size_t)run->problem.nz;
}

/* All but the computation itself. */
static ss_reference *new_reference(const ss_run *run, int (*solve)(ss_reference *ref),
                                   const char *what, ss_err *err)
{
    ss_reference *ref = ss_alloc(sizeof *ref, what, err);
    if (!ref)
        return NULL;
    ref->solve = solve;
    ref->eq = run->eq;
    ref->cfg = run->cfg;
    ref->problem = run->problem;
    ref->problem.cfg = &ref->cfg;
    atomic_init(&ref->done, false);
    atomic_init(&ref->cancelled, false);
    ref->joined = true;
    ref->u = ss_alloc(points_of(run) * sizeof *ref->u, what, err);
    if (ref->u)
        return ref;
    ss_reference_free(ref);
    return NULL;
}

static int start_thread(ss_reference *ref, const char *what, ss_err *err)
{
    if (pthread_create(&ref->thread, NULL, work, ref) != 0)
        return ss_fail(err, "cannot start a thread to compute %s", what);
    ref->joined = false;
    return SS_OK;
}

ss_reference *ss_reference_start(ss_run *run, bool background, char *notice, size_t size,
                                 ss_err *err)
{
    size_t points = points_of(run);
    if (!run->eq->exact) {
        ss_fail(err, "the exact solution of %s is not known", run->eq->name);
        return NULL;
    }
    if (report_cost(run, (double)points * sizeof(double), background, notice, size, err) != SS_OK)
        return NULL;
    ss_reference *ref = new_reference(run, solve_exactly, "u*", err);
    if (!ref)
        return NULL;
    ref->g = ss_alloc(points * sizeof *ref->g, "a copy of the right-hand side", err);
    /* One BLAS thread while a solver runs, all threads when the caller waits. */
    if (!ref->g || copy_rhs(run, ref->g, err) != SS_OK ||
        ss_blas_threads(background ? 1 : ss_run_threads(run), err) != SS_OK)
        goto fail;
    if (!background) {
        work(ref);
        ss_exact_cancel_by(NULL); /* the calling thread outlives the flag in ref */
        return ref;
    }
    if (start_thread(ref, "u*", err) == SS_OK)
        return ref;
fail:
    ss_reference_free(ref);
    return NULL;
}

#define CHEAP 2e8 /* operations */

bool ss_reference_is_cheap(const ss_run *run)
{
    double bytes, operations = INFINITY;
    if (run->eq->exact && run->eq->exact_cost)
        run->eq->exact_cost(&run->problem, &bytes, &operations);
    return ss_run_reference(run) || operations <= CHEAP;
}

/* --- many iterations ---------------------------------------------------------------------------
 */

static void set_int(ss_config *cfg, const char *name, int64_t value)
{
    cfg->v[ss_param_find(cfg, name, NULL)->slot] = (ss_value){.i = value, .set = true};
}

/* The run's problem from its start, solved by classic Jacobi in double precision without limits. */
static int plan_iterations(ss_config *cfg, int threads, ss_err *err)
{
    static const char *const limits[] = {"until", "until-accuracy", "until-error", "cycles",
                                         "seconds"};
    if (ss_config_set(cfg, "solver", "jacobi", err) != SS_OK)
        return SS_FAIL;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        cfg->v[ss_param_find(cfg, limits[i], NULL)->slot] = (ss_value){.set = false};
    set_int(cfg, "precision", SS_F64);
    set_int(cfg, "check-every", 2 * SS_REFERENCE_ITERATIONS);
    set_int(cfg, "pin", 0);
    if (threads > 0)
        set_int(cfg, "threads", threads);
    return ss_config_check(cfg, NULL, err);
}

static int copy_field(ss_run *run, double *u, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t plane = (size_t)p->nx * (size_t)p->ny;
    for (int k = 0; k < p->nz; k++)
        if (run->backend->download(run, 0, 0, k, 0, p->ny, u + (size_t)k * plane, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Iterates a separate run that only this thread uses. */
static int iterate(ss_reference *ref)
{
    ss_run *run = ss_run_open(&ref->cfg, ref->load, ref->rhs, &ref->err);
    if (!run)
        return SS_FAIL;
    run->abandon = &ref->cancelled;
    int status = ss_run_step(run, SS_REFERENCE_ITERATIONS, &ref->err);
    if (status == SS_OK && run->cycle < SS_REFERENCE_ITERATIONS)
        status = ss_fail(&ref->err, "the reference run stopped after %lld iterations",
                         (long long)run->cycle);
    if (status == SS_OK)
        status = copy_field(run, ref->u, &ref->err);
    ss_run_close(run);
    return status;
}

ss_reference *ss_reference_iterate(ss_run *run, int threads, char *notice, size_t size, ss_err *err)
{
    char need[32];
    double bytes = 4.0 * (double)points_of(run) * sizeof(double);
    if (run->eq->kind != SS_STEADY) {
        ss_fail(err,
                "the accuracy of %s is undefined: its solution depends on time, and the Jacobi "
                "reference is a steady solution",
                run->eq->name);
        return NULL;
    }
    if (check_memory(run, "the reference", bytes, need, sizeof need, err) != SS_OK)
        return NULL;
    ss_reference *ref = new_reference(run, iterate, "the reference", err);
    if (!ref)
        return NULL;
    ref->load = run->load;
    ref->rhs = run->rhs;
    snprintf(notice, size, "computing %d Jacobi iterations to compare with: %s, in the background",
             SS_REFERENCE_ITERATIONS, need);
    if (plan_iterations(&ref->cfg, threads, err) == SS_OK &&
        start_thread(ref, "the reference", err) == SS_OK)
        return ref;
    ss_reference_free(ref);
    return NULL;
}

/* --- the result --------------------------------------------------------------------------------
 */

const double *ss_reference_get(ss_reference *ref, bool *failed, ss_err *err)
{
    bool done = ref && atomic_load_explicit(&ref->done, memory_order_acquire);
    bool bad = done && ref->status != SS_OK;
    if (failed)
        *failed = bad;
    if (bad)
        ss_fail(err, "%s", ref->err.text);
    return done && !bad ? ref->u : NULL;
}

const double *ss_reference_wait(ss_reference *ref, ss_err *err)
{
    if (!ref->joined) {
        pthread_join(ref->thread, NULL);
        ref->joined = true;
    }
    return ss_reference_get(ref, NULL, err);
}

double ss_reference_largest(const ss_reference *ref)
{
    return ref->largest;
}

double ss_reference_seconds(const ss_reference *ref)
{
    return ref && atomic_load_explicit(&ref->done, memory_order_acquire) ? ref->seconds : 0;
}

void ss_reference_take(ss_run *run, const ss_run *other)
{
    bool same = run->prec == other->prec && run->rhs == other->rhs;
    if (run->reference || !other->reference || !same)
        return;
    other->reference->others++;
    run->reference = other->reference;
    run->reference_reported = true; /* the other one reports it */
}

void ss_reference_free(ss_reference *ref)
{
    if (!ref || ref->others-- > 0)
        return;
    atomic_store_explicit(&ref->cancelled, true, memory_order_relaxed);
    if (!ref->joined)
        pthread_join(ref->thread, NULL);
    free(ref->g);
    free(ref->u);
    free(ref);
}

const double *ss_run_reference(const ss_run *run)
{
    return run->reference ? ss_reference_get(run->reference, NULL, NULL) : NULL;
}
