/*
 * |r| of the current field on request (norms of cycles are made on the device: norm.cuh), and
 * max |u - u*|. Engine thread.
 */
#include <string.h>

#include "kernels/cuda/device/patches.cuh"
#include "kernels/cuda/device/sample.cuh"
#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/device/split.cuh"

template <class E>
__global__ void changes(ss_cuda_sweep<typename E::real> a, E update, double *sums)
{
    typedef typename E::real T;
    double squares = 0;
    for (int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; at < (int64_t)a.nx * a.ny;
         at += (int64_t)gridDim.x * blockDim.x) {
        int i = (int)(at % a.nx), j = (int)(at / a.nx);
        const T *in = a.in + j * a.sy + i;
        T south = E::dim > 1 ? in[-a.sy] : 0, north = E::dim > 1 ? in[a.sy] : 0;
        double d = (double)(update(a.rhs[j * a.sy + i], in[-1], in[1], south, north) - in[0]);
        squares += d * d;
    }
    double sum = block_sum(squares);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

#define REDUCE_BLOCKS 512
#define REDUCE_THREADS 256

template <class E> static void sum_changes(const ss_run *run, double *sums)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cuda_sweep<typename E::real> a = sweep_of<typename E::real>(run, st->cur);
    changes<E><<<REDUCE_BLOCKS, REDUCE_THREADS, 0, st->stream>>>(a, equation<E>(run), sums);
}

static int residual_norm(const ss_run *run, double *sums, double *out, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    double host[REDUCE_BLOCKS], sum = 0;
    SS_CUDA_DISPATCH(run, sum_changes, run, sums);
    SS_CUDA(cudaGetLastError());
    SS_CUDA(cudaMemcpyAsync(host, sums, sizeof host, cudaMemcpyDeviceToHost, st->stream));
    SS_CUDA(cudaStreamSynchronize(st->stream));
    for (int i = 0; i < REDUCE_BLOCKS; i++)
        sum += host[i];
    *out = run->coef.residual * sqrt(sum);
    return SS_OK;
}

static int residual(const ss_run *run, double *out, ss_err *err)
{
    void *sums = NULL;
    if (ss_cuda_alloc(&sums, REDUCE_BLOCKS * sizeof(double), "a norm", err) != SS_OK)
        return SS_FAIL;
    int status = residual_norm(run, (double *)sums, out, err);
    cudaFree(sums);
    return status;
}

/* --- max |u - ref| ---------------------------------------------------------------------------- */

/* The maximum over rows [j0, j1); ref holds these rows only. A deviation that is not a number
 * counts as infinite, as on the CPU. Bit patterns of non-negative doubles are ordered like their
 * values, so that atomicMax on integers does. */
template <class E>
__global__ void deviations(ss_fields<E> f, int j0, int j1, unsigned long long *max)
{
    double most = 0;
    int64_t n = (int64_t)f.nx * (j1 - j0);
    f.u += j0 * f.sy;
    for (int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; at < n;
         at += (int64_t)gridDim.x * blockDim.x) {
        double e = ss_point_error::at(f, (int)(at % f.nx), (int)(at / f.nx));
        most = e <= most ? most : isnan(e) ? HUGE_VAL : e;
    }
    for (int d = 16; d > 0; d /= 2)
        most = fmax(most, __shfl_down_sync(~0u, most, d));
    if (threadIdx.x % 32 == 0)
        atomicMax(max, (unsigned long long)__double_as_longlong(most));
}

template <class E>
static void find_deviation(const ss_run *run, const double *ref, int j0, int j1, void *max)
{
    deviations<E><<<REDUCE_BLOCKS, REDUCE_THREADS, 0, ss_cuda_of(run)->stream>>>(
        fields_of<E>(run, ref), j0, j1, (unsigned long long *)max);
}

#define CHUNK ((size_t)32 << 20) /* bytes of ref on the device at a time */
#define RESULT 256               /* bytes before ref in the buffer, for the result */

/* In chunks: u* may be larger than the free memory. */
static int max_deviation(ss_run *run, const double *ref, double *out, ss_err *err)
{
    ss_cuda_staging *s;
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t row = (size_t)st->box.nx * sizeof *ref;
    int all = st->box.ny, most = (int)(CHUNK / row);
    most = most < 1 ? 1 : most > all ? all : most;
    if (ss_cuda_staging_get(run, RESULT + (size_t)most * row, &s, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(s->device, 0, sizeof *out, st->stream));
    for (int j = 0; j < all; j += most) {
        int end = j + most < all ? j + most : all;
        double started = ss_clock();
        SS_CUDA(cudaMemcpyAsync(s->device + RESULT, ref + (size_t)j * (size_t)st->box.nx,
                                (size_t)(end - j) * row, cudaMemcpyHostToDevice, st->stream));
        run->seconds_upload += ss_clock() - started;
        SS_CUDA_DISPATCH(run, find_deviation, run, (const double *)(s->device + RESULT), j, end,
                         s->device);
    }
    SS_CUDA(cudaGetLastError());
    if (ss_cuda_staging_fetch(run, s, 0, sizeof *out, err) != SS_OK)
        return SS_FAIL;
    memcpy(out, s->host, sizeof *out);
    return SS_OK;
}

int ss_cuda_reduce(ss_run *run, double *norm, const double *ref, double *max_error, ss_err *err)
{
    if (ss_cuda_of(run)->patches)
        return ss_cuda_patches_reduce(run, norm, ref, max_error, err);
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_reduce(run, norm, ref, max_error, err);
    if (ss_cuda_split_settle(run, 0, err) != SS_OK)
        return SS_FAIL;
    if (norm && residual(run, norm, err) != SS_OK)
        return SS_FAIL;
    return ref && max_error ? max_deviation(run, ref, max_error, err) : SS_OK;
}
