/*
 * The small grids of a multigrid cycle, of at most MG_SMALL points, in one launch of one thread
 * block. A launch costs a microsecond, and a pass over so few points is shorter: here a barrier of
 * the block takes the place of a launch. A W cycle of 4096 by 4096 points visits the grid of 31 by
 * 31 128 times, and the grids below it 3968 times. Device code; cycle.c launches it.
 */
#ifndef SS_CUDA_MULTIGRID_SMALL_CUH
#define SS_CUDA_MULTIGRID_SMALL_CUH

#include "kernels/cuda/multigrid/passes.cuh"
#include "kernels/solver/multigrid.h"

/* The same layout in both precisions. */
template <class E> struct mg_small {
    mg_grid<E> at[MG_SMALL_LEVELS];
    mg_relaxation<typename E::real> relax;
    mg_line line;
    int last; /* the coarsest grid */
    int pre, post;
    bool solves, red_black;
    ss_mg_shape shapes[SS_MG_NSHAPE];
};

/* One visit. All threads go the same way; none returns before the end. */
template <class E> struct mg_visit {
    typedef typename E::real T;
    const mg_small<E> &s;
    unsigned now; /* bit l: grid l has its present field in u[1] */

    /* f(i, j) for each point of a grid, by one thread each; then all of them are done. */
    template <class F> __device__ __forceinline__ void points(const mg_grid<E> &at, F f)
    {
        for (int k = threadIdx.x; k < at.nx * at.ny; k += blockDim.x)
            f(k % at.nx, k / at.nx);
        __syncthreads();
    }
    __device__ __forceinline__ int present(int level) const
    {
        return now >> level & 1;
    }

    template <mg_pass P> __device__ __forceinline__ void pass(int level)
    {
        const mg_grid<E> &at = s.at[level];
        const T *from = at.u[present(level)];
        T *to = P == MG_RESIDUAL ? at.r : at.u[1 - present(level)];
        points(at, [&](int i, int j) {
            ptrdiff_t k = j * at.sy + i;
            T south = E::dim > 1 ? from[k - at.sy] : 0, north = E::dim > 1 ? from[k + at.sy] : 0;
            T jacobi = at.update(at.g[k], from[k - 1], from[k + 1], south, north);
            to[k] = mg_value<P, E>(s.relax, jacobi, from[k], i, j);
        });
        if (P != MG_RESIDUAL)
            now ^= 1u << level;
    }

    __device__ __forceinline__ void smooth(int level, int sweeps)
    {
        for (int i = 0; i < sweeps; i++)
            if (s.red_black) {
                pass<MG_RED>(level);
                pass<MG_BLACK>(level);
            } else
                pass<MG_DAMPED>(level);
    }

    __device__ __forceinline__ void restrict_residual(int level)
    {
        const mg_grid<E> &fine = s.at[level], &coarse = s.at[level + 1];
        now &= ~(1u << (level + 1));
        points(coarse, [&](int i, int j) {
            coarse.restricted[j * coarse.sy + i] = mg_restricted(fine, i, j);
            coarse.u[0][j * coarse.sy + i] = 0;
        });
    }

    __device__ __forceinline__ void correct(int level)
    {
        const mg_grid<E> &at = s.at[level], &coarse = s.at[level + 1];
        const T *from = at.u[present(level)], *c = coarse.u[present(level + 1)];
        T *to = at.u[1 - present(level)];
        points(at, [&](int i, int j) {
            ptrdiff_t k = j * at.sy + i;
            to[k] = from[k] + mg_correction<E>(c, coarse.sy, i, j);
        });
        now ^= 1u << level;
    }

    __device__ __forceinline__ void coarsest()
    {
        if (!s.solves) {
            smooth(s.last, s.pre + s.post);
            return;
        }
        const mg_grid<E> &at = s.at[s.last];
        for (int k = threadIdx.x; k < s.line.lines; k += blockDim.x)
            mg_solve(s.line, k, at.g, at.u[present(s.last)]);
        __syncthreads();
    }
};

/* A visit of s.at[0], whose present field is u[now], and of all coarser grids. Recursion is a loop:
 * it goes down to the coarsest grid, and up until a grid's second visit begins. */
template <class E>
__global__ void __launch_bounds__(MG_SMALL_THREADS)
    mg_small_grids(const __grid_constant__ mg_small<E> s, int shape, int now, const int *stop)
{
    mg_visit<E> v = {s, (unsigned)now};
    unsigned shapes = (unsigned)shape; /* two bits per grid */
    unsigned again = 0;                /* bit l: the grid below l has a second visit to come */
    if (!begin_pass(stop))
        return;
    for (int level = 0;;) {
        for (; level < s.last; level++) {
            const ss_mg_shape &next = s.shapes[shapes >> 2 * level & 3];
            v.smooth(level, s.pre);
            v.template pass<MG_RESIDUAL>(level);
            v.restrict_residual(level);
            again |= (unsigned)(next.next[1] >= 0) << level;
            shapes = (shapes & ~(3u << 2 * (level + 1))) | (unsigned)next.next[0]
                                                               << 2 * (level + 1);
        }
        v.coarsest();
        for (; level > 0 && !(again >> (level - 1) & 1); level--) {
            v.correct(level - 1);
            v.smooth(level - 1, s.post);
        }
        if (level == 0)
            return;
        again &= ~(1u << (level - 1));
        const ss_mg_shape &of = s.shapes[shapes >> 2 * (level - 1) & 3];
        shapes = (shapes & ~(3u << 2 * level)) | (unsigned)of.next[1] << 2 * level;
    }
}

#endif
