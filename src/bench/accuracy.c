/*
 * Equal accuracy, for asynchronous solvers: the launches after which a solver is as near to a
 * reference as classic Jacobi is after SS_BENCH_T iterations. Accuracy is max |u - ref| / max
 * |ref|, and ref is the field after 4096 Jacobi iterations from the same start, as in the paper on
 * wild asynchrony. See kit.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/bench/kit.h"

#define STRIDES 5  /* errors computed within T iterations, before every launch is tried */
#define TOO_LONG 4 /* gives up after this many times T */

/* Single precision fills the first half of the array; widened in place, from the end. */
static void widen(double *values, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        float v;
        memcpy(&v, (const char *)values + i * sizeof v, sizeof v);
        values[i] = (double)v;
    }
}

static double largest_of(const double *values, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static int error_now(const ss_bench *b, ss_run *run, double *out, ss_err *err)
{
    if (run->backend->reduce(run, NULL, b->fields, out, err) != SS_OK)
        return SS_FAIL;
    *out /= b->largest;
    return SS_OK;
}

int ss_bench_reference(const ss_bench_at *at, ss_err *err)
{
    double seconds;
    ss_bench *b = at->b;
    ss_run *run = at->run;
    size_t n = (size_t)run->problem.nx * (size_t)run->problem.ny;
    if (!ss_bench_take(at))
        return ss_fail(err, "%s", at->c->skipped);
    double *reference = b->fields = ss_alloc(n * sizeof *reference, "the reference", err);
    if (!reference || ss_bench_restart(run, SS_BENCH_REFERENCE, &seconds, err) != SS_OK ||
        ss_bench_transfer(run, 0, reference, false, &seconds, err) != SS_OK)
        return SS_FAIL;
    if (run->prec == SS_F32)
        widen(reference, n);
    b->largest = largest_of(reference, n);
    return ss_bench_restart(run, SS_BENCH_T, &seconds, err) == SS_OK
               ? error_now(b, run, &b->target, err)
               : SS_FAIL;
}

/* Runs `start` launches, then strides of launches until the error is below the target. *launches:
 * the crossing, interpolated in the logarithm of the error; 0: the error never falls below the
 * target. */
static int cross(const ss_bench *b, ss_run *run, int64_t start, int64_t stride, double *launches,
                 ss_err *err)
{
    double before = 0, now, seconds;
    int64_t most = TOO_LONG * SS_BENCH_T / run->iterations_per_cycle + 1;
    *launches = 0;
    if (ss_bench_restart(run, start, &seconds, err) != SS_OK ||
        error_now(b, run, &now, err) != SS_OK)
        return SS_FAIL;
    while (now > b->target && run->cycle < most) {
        before = now;
        if (ss_bench_step(run, stride, &seconds, err) != SS_OK ||
            error_now(b, run, &now, err) != SS_OK)
            return SS_FAIL;
    }
    if (now <= b->target && before > 0)
        *launches = (double)run->cycle - (double)stride * log(b->target / now) / log(before / now);
    else if (now <= b->target)
        *launches = (double)run->cycle; /* it started there */
    return SS_OK;
}

int ss_bench_find_launches(const ss_bench_at *at, ss_err *err)
{
    double *launches = &at->c->found[SS_BENCH_LAUNCHES];
    int64_t stride = SS_BENCH_T / STRIDES / at->run->iterations_per_cycle;
    if (cross(at->b, at->run, 0, stride > 0 ? stride : 1, launches, err) != SS_OK)
        return SS_FAIL;
    int64_t near = (int64_t)*launches - 1;
    if (*launches > 0 && stride > 1 &&
        cross(at->b, at->run, near > 0 ? near : 0, 1, launches, err) != SS_OK)
        return SS_FAIL;
    at->c->found[SS_BENCH_TEFF] = *launches * at->c->per_cycle / SS_BENCH_T;
    if (*launches == 0)
        snprintf(at->c->skipped, sizeof at->c->skipped, "not as accurate as %d iterations after %d",
                 SS_BENCH_T, TOO_LONG * SS_BENCH_T);
    return SS_OK;
}
