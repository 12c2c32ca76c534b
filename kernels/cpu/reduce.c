/*
 * Norms of the whole field: |r|_2 and max |u - u*|. Called by the engine through ss_backend_cpu;
 * OpenMP threads divide the rows. The sum of a row has a fixed order (apply's), and so has the sum
 * of the rows (a binary tree): the result does not depend on the number of threads.
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/team.h"

static int team_of(const ss_run *run)
{
    const ss_box *b = &((const ss_cpu_state *)run->state)->box;
    return ss_team_size(run, (double)b->nx * b->ny * b->nz);
}

static int row_count(const ss_cpu_state *st)
{
    return st->box.ny * st->box.nz;
}

/* Row r of the box, planes one after the other. */
static size_t row_at(const ss_cpu_state *st, int r)
{
    return ss_cpu_at(st, 0, r % st->box.ny, r / st->box.ny);
}

/* sum[r] = sum over row r of (u' - u)^2. The new values are discarded: each thread has one row for
 * them. */
static int sum_rows(const ss_run *run, const char *u, double *sum, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const char *rhs = st->rhs;
    size_t size = ss_prec_size(run->prec);
    size_t row = ((size_t)st->box.nx / SS_ALIGN + 2) * SS_ALIGN * size;
    int threads = team_of(run), rows = row_count(st);
    char *scratch = ss_alloc(row * (size_t)threads, "rows for a norm", err);
    if (!scratch)
        return SS_FAIL;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int r = 0; r < rows; r++) {
        size_t at = row_at(st, r) * size;
        ss_sweep sweep = {.nx = st->box.nx, .ny = 1, .nz = 1, .sum = &sum[r]};
        sweep.in_sy = sweep.rhs_sy = sweep.out_sy = st->box.sy;
        sweep.in_sz = sweep.rhs_sz = sweep.out_sz = st->box.sz;
        run->eq->apply[run->prec](&run->coef, 0, u + at, rhs + at,
                                  scratch + row * (size_t)omp_get_thread_num(), &sweep);
    }
    free(scratch);
    return SS_OK;
}

static double value_at(const void *u, size_t i, ss_prec prec)
{
    return prec == SS_F64 ? ((const double *)u)[i] : (double)((const float *)u)[i];
}

/* The larger of a maximum and a deviation. One that is not a number counts as infinite: comparisons
 * would skip it, and a field of NaN would have the error 0. */
static double larger(double max, double e)
{
    return e <= max ? max : isnan(e) ? HUGE_VAL : e;
}

static double max_deviation(const ss_run *run, const void *u, const double *ref)
{
    const ss_cpu_state *st = run->state;
    int rows = row_count(st), nx = st->box.nx;
    double max = 0;
#pragma omp parallel for num_threads(team_of(run)) schedule(static) reduction(max : max)
    for (int r = 0; r < rows; r++) {
        size_t at = row_at(st, r);
        const double *expected = ref + (size_t)r * (size_t)nx;
        for (int i = 0; i < nx; i++) {
            double e = fabs(value_at(u, at + (size_t)i, run->prec) - expected[i]);
            max = larger(max, e);
        }
    }
    return max;
}

/* The same over the rows of a patch. ref is a dense array of the window. */
static double patch_deviation(const ss_run *run, const ss_patch *p, const void *u,
                              const double *ref)
{
    const ss_cpu_state *st = run->state;
    int64_t rows = (int64_t)p->box.ny * p->box.nz;
    double max = 0;
    for (int64_t r = 0; r < rows; r++) {
        size_t at = ss_patch_row_at(p, r);
        int64_t j = p->at[1] + r % p->box.ny, k = p->at[2] + r / p->box.ny;
        const double *expected = ref + (k * st->box.ny + j) * st->box.nx + p->at[0];
        for (int i = 0; i < p->box.nx; i++) {
            double e = fabs(value_at(u, at + (size_t)i, run->prec) - expected[i]);
            max = larger(max, e);
        }
    }
    return max;
}

static int reduce_patches(ss_run *run, double *residual, const double *ref, double *max_error,
                          ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const void *u = st->u[st->cur];
    double max = 0;
    ss_cpu_ghosts(run);
    if (ref && max_error) {
#pragma omp parallel for num_threads(team_of(run)) schedule(dynamic, 1) reduction(max : max)
        for (int q = 0; q < st->patches; q++) {
            double e = patch_deviation(run, &st->patch[q], u, ref);
            max = larger(max, e);
        }
        *max_error = max;
    }
    if (!residual)
        return SS_OK;
    double *sum = ss_alloc(ss_cpu_rows(run) * sizeof *sum, "row sums", err);
    if (!sum)
        return SS_FAIL;
    *residual = ss_cpu_patches_norm(run, u, sum);
    free(sum);
    return SS_OK;
}

int ss_cpu_reduce(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const char *u = ss_cpu_shown(run);
    if (st->patch)
        return reduce_patches(run, residual, ref, max_error, err);
    if (ref && max_error)
        *max_error = max_deviation(run, u, ref);
    if (!residual)
        return SS_OK;
    double *sum = ss_alloc((size_t)row_count(st) * sizeof *sum, "row sums", err);
    if (!sum || sum_rows(run, u, sum, err) != SS_OK) {
        free(sum);
        return SS_FAIL;
    }
    *residual = fabs(run->coef.residual) * sqrt(ss_tree_sum(sum, (size_t)row_count(st)));
    free(sum);
    return SS_OK;
}
