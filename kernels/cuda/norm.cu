/*
 * |r| of the field on hand, when it is not known from a cycle that began with it. Engine thread.
 */
#include "kernels/cuda/device.cuh"

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

int ss_cuda_residual(ss_run *run, double *residual, ss_err *err)
{
    double *sums = NULL;
    SS_CUDA(cudaMalloc(&sums, REDUCE_BLOCKS * sizeof *sums));
    int status = residual_norm(run, sums, residual, err);
    cudaFree(sums);
    return status;
}
