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
#include "src/run/parts.h"

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

/* Fails if there is too little memory; writes `total` as text to need. */
int ss_reference_memory(const ss_run *run, const char *name, double total, char *need, size_t size,
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
    if (ss_reference_memory(run, "u*", 2 * field + extra, need, sizeof need, err) != SS_OK)
        return SS_FAIL;
    snprintf(notice, size, "computing u* directly: %s (u* itself %s), about %s operations%s", need,
             ss_format_bytes(field, each, sizeof each),
             ss_format_sci(operations, work_text, sizeof work_text),
             background ? ", in the background" : "");
    return SS_OK;
}

size_t ss_reference_points(const ss_run *run)
{
    return (size_t)run->problem.nx * (size_t)run->problem.ny * (size_t)run->problem.nz;
}

/* All but the computation itself. */
ss_reference *ss_reference_new(const ss_run *run, int (*solve)(ss_reference *ref), const char *what,
                               ss_err *err)
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
    ref->u = ss_alloc(ss_reference_points(run) * sizeof *ref->u, what, err);
    if (ref->u)
        return ref;
    ss_reference_free(ref);
    return NULL;
}

int ss_reference_run(ss_reference *ref, const char *what, ss_err *err)
{
    if (pthread_create(&ref->thread, NULL, work, ref) != 0)
        return ss_fail(err, "cannot start a thread to compute %s", what);
    ref->joined = false;
    return SS_OK;
}

ss_reference *ss_reference_start(ss_run *run, bool background, char *notice, size_t size,
                                 ss_err *err)
{
    size_t points = ss_reference_points(run);
    if (!run->eq->exact) {
        ss_fail(err, "the exact solution of %s is not known", run->eq->name);
        return NULL;
    }
    if (report_cost(run, (double)points * sizeof(double), background, notice, size, err) != SS_OK)
        return NULL;
    ss_reference *ref = ss_reference_new(run, solve_exactly, "u*", err);
    if (!ref)
        return NULL;
    ref->g = ss_alloc(points * sizeof *ref->g, "a copy of the right-hand side", err);
    /* One BLAS thread while a solver runs, all threads when the caller waits. */
    if (!ref->g || ss_run_doubles(run, 1, 0, run->problem.nz, ref->g, err) != SS_OK ||
        ss_blas_threads(background ? 1 : ss_run_threads(run), err) != SS_OK)
        goto fail;
    if (!background) {
        work(ref);
        ss_exact_cancel_by(NULL); /* the calling thread outlives the flag in ref */
        return ref;
    }
    if (ss_reference_run(ref, "u*", err) == SS_OK)
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

void ss_accuracy_forget(ss_run *run)
{
    ss_reference_free(run->baseline);
    run->baseline = NULL;
    run->baseline_reported = false;
    run->accuracy_cycle = -1;
}
