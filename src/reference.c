/*
 * u*, the exact solution of the discrete system: the right-hand side is copied, the equation's own
 * direct solver runs on a thread of its own, and the run goes on meanwhile. Owned by the run; every
 * function but `work` is called from the engine thread. The solver's thread touches only the
 * ss_reference it was given: `done` publishes the result, `cancelled` asks it to give up.
 */
#include "src/reference.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ss_reference {
    const ss_equation *eq;
    ss_config cfg; /* what problem.cfg points to: the run's own may change meanwhile */
    ss_problem problem;
    double *g; /* the right-hand side; freed by the thread when it is done with it */
    double *u;
    pthread_t thread;
    bool joined;
    atomic_bool done, cancelled;
    /* Written by the thread before `done`. */
    int status;
    ss_err err;
    double seconds;
};

/* OpenBLAS has this, the reference BLAS does not. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

/* The cancel flag of the reference this thread works for. */
static _Thread_local const atomic_bool *cancel_flag;

bool ss_exact_cancelled(void)
{
    return cancel_flag && atomic_load_explicit(cancel_flag, memory_order_relaxed);
}

static void *work(void *arg)
{
    ss_reference *ref = arg;
    double start = ss_clock();
    cancel_flag = &ref->cancelled;
    ref->status = ref->eq->exact(&ref->problem, ref->g, ref->u, &ref->err);
    free(ref->g);
    ref->g = NULL;
    ref->seconds = ss_clock() - start;
    atomic_store_explicit(&ref->done, true, memory_order_release);
    return NULL;
}

/* One plane of the right-hand side, in the run's precision, as doubles. */
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

/* Says what it costs; fails if the memory is not there. */
static int announce(const ss_run *run, double field, bool background, char *say, size_t size,
                    ss_err *err)
{
    double extra = 0, operations = 0;
    char what[96] = "memory", need[32], each[32], work_text[32];
    if (run->eq->exact_cost)
        run->eq->exact_cost(&run->problem, &extra, &operations);
    double total = 2 * field + extra;
    double limit = run->backend->memory ? run->backend->memory(what, sizeof what) : total;
    ss_format_bytes(total, need, sizeof need);
    if (total > limit)
        return ss_fail(err, "computing u* needs %s, but there are %s of %s: take a smaller n", need,
                       ss_format_bytes(limit, each, sizeof each), what);
    snprintf(say, size, "computing u* directly: %s (u* itself %s), about %s operations%s", need,
             ss_format_bytes(field, each, sizeof each),
             ss_format_sci(operations, work_text, sizeof work_text),
             background ? ", in the background" : "");
    return SS_OK;
}

/* One BLAS thread beside a running solver, all when somebody waits. */
static void set_blas_threads(const ss_run *run, bool background)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(background ? 1 : ss_run_threads(run));
}

ss_reference *ss_reference_start(ss_run *run, bool background, char *say, size_t size, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t points = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    if (!run->eq->exact) {
        ss_fail(err, "the exact solution of %s is not known", run->eq->name);
        return NULL;
    }
    if (announce(run, (double)points * sizeof(double), background, say, size, err) != SS_OK)
        return NULL;
    ss_reference *ref = ss_alloc(sizeof *ref, "u*", err);
    if (!ref)
        return NULL;
    ref->eq = run->eq;
    ref->cfg = run->cfg;
    ref->problem = *p;
    ref->problem.cfg = &ref->cfg;
    atomic_init(&ref->done, false);
    atomic_init(&ref->cancelled, false);
    ref->joined = true;
    ref->g = ss_alloc(points * sizeof *ref->g, "a copy of the right-hand side", err);
    ref->u = ref->g ? ss_alloc(points * sizeof *ref->u, "u*", err) : NULL;
    if (!ref->u || copy_rhs(run, ref->g, err) != SS_OK)
        goto fail;
    set_blas_threads(run, background);
    if (!background) {
        work(ref);
        cancel_flag = NULL; /* this thread outlives the reference */
        return ref;
    }
    if (pthread_create(&ref->thread, NULL, work, ref) != 0) {
        ss_fail(err, "no thread for computing u* can be started");
        goto fail;
    }
    ref->joined = false;
    return ref;
fail:
    ss_reference_free(ref);
    return NULL;
}

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

double ss_reference_seconds(const ss_reference *ref)
{
    return ref && atomic_load_explicit(&ref->done, memory_order_acquire) ? ref->seconds : 0;
}

void ss_reference_free(ss_reference *ref)
{
    if (!ref)
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
