/* Kernels that measure the device, each a few lines: see limits.c. Device code. */
#ifndef SS_CUDA_LIMITS_CUH
#define SS_CUDA_LIMITS_CUH

#include "kernels/cuda/device/ptx.cuh"

#define THREADS 256
#define UNROLL 4 /* loads of 16 bytes in flight per thread in copy_cached */
#define CACHED_SWEEPS 64
#define FLAG_STRIDE 32 /* each flag in a cache line of its own */

/* --- memory ----------------------------------------------------------------------------------- */

/* 16 bytes of each array per thread; more per thread was slower. */
__global__ void __launch_bounds__(THREADS)
    triad(const double2 *b, const double2 *c, double2 *a, double s)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    double2 x = b[at], y = c[at];
    a[at] = make_double2(x.x + s * y.x, x.y + s * y.y);
}

__global__ void __launch_bounds__(THREADS) copy(const double2 *b, double2 *a)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    a[at] = b[at];
}

/* Many sweeps in one launch, because a launch takes as long as a sweep. A thread block copies
 * another tile in each sweep, bypassing L1. */
__global__ void __launch_bounds__(THREADS) copy_cached(const double2 *b, double2 *a, int tiles)
{
    int tile = blockIdx.x;
    for (int n = 0; n < CACHED_SWEEPS; n++) {
        for (int t = tile; t < tiles; t += gridDim.x) {
            size_t at = (size_t)t * THREADS * UNROLL + threadIdx.x;
            double2 x[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++)
                x[i] = __ldcg(b + at + i * THREADS);
#pragma unroll
            for (int i = 0; i < UNROLL; i++)
                __stcg(a + at + i * THREADS, x[i]);
        }
        tile = tile + 1 < (int)gridDim.x ? tile + 1 : 0;
    }
}

/* --- launches --------------------------------------------------------------------------------- */

__global__ void nothing()
{
}

__global__ void nothing_early()
{
    let_next_begin();
    await_previous();
}

/* --- barriers, one thread block per SM -------------------------------------------------------- */

__global__ void sync_grid(int *count, int times)
{
    for (int i = 0; i < times; i++)
        grid_barrier(count);
}

/* Thread blocks in a ring: each raises its flag and waits for its two neighbours' flags. */
__global__ void sync_neighbours(int *flags, int raised, int times)
{
    int block = blockIdx.x, blocks = gridDim.x;
    int other = (block + (threadIdx.x == 0 ? blocks - 1 : 1)) % blocks;
    int *mine = flags + block * FLAG_STRIDE;
    const int *theirs = flags + other * FLAG_STRIDE;
    for (int i = raised + 1; i <= raised + times; i++) {
        if (threadIdx.x == 0)
            store_release(mine, i);
        if (threadIdx.x < 2)
            while (load_acquire(theirs) < i) {
            }
        __syncthreads();
    }
}

#endif
