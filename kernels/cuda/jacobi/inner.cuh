/*
 * The inner iterations of tiles: what a subiteration makes of a point's Jacobi value u'. Kernels of
 * tiles are templates over them; with `jacobi_alone` they are hierarchical Jacobi.
 *
 *     jacobi_alone        u'
 *     damped_in_tile      (1 - omega) u + omega u'
 *     one_colour_a_time   (1 - omega) u + omega u' at the points of one colour, u at the others
 *     chebyshev_in_tile   omega_n (u' - before) + before, where `before` is u one subiteration ago
 *
 * Each is called with the number n of the subiteration within the cycle, from 0 on, and the colour
 * of the point: 0 red, 1 black (kernels/geom/colours.h). Red-black SOR has two subiterations per
 * iteration, one per colour, red first. Expressions and rounding are those of
 * kernels/cpu/loops/combine_each.h, and so are the bits. Device code.
 */
#ifndef SS_CUDA_JACOBI_INNER_CUH
#define SS_CUDA_JACOBI_INNER_CUH

#include "kernels/cuda/jacobi/blend.cuh"
#include "kernels/geom/colours.h"

/* The members of every inner iteration. `recurs`: it needs the field before u, and a thread block
 * beside those of the tiles: see chebyshev_in_tile. */
struct inner_iteration {
    static const bool recurs = false;
    /* For launch_bound (tile_register.cuh). */
    static const int norm_bound = 0, line_bound = 0, wide_bound = 0;
    template <typename T> __device__ __forceinline__ void begin(T *, int)
    {
    }
    __device__ void make_next(int) const
    {
    }
};

/* The colour of point (i, j) of the field. */
template <class E> static __device__ __forceinline__ int colour_of_point(int i, int j)
{
    return ss_colour_first(E::dim > 1, i, j, 0);
}

template <typename T> struct jacobi_alone : inner_iteration {
    static const int wide_bound = 512;
    __device__ __forceinline__ T operator()(int, int, T jacobi, T, T) const
    {
        return jacobi;
    }
};

template <typename T> struct damped_in_tile : inner_iteration {
    damped<T> relax;
    __device__ __forceinline__ T operator()(int, int, T jacobi, T u, T) const
    {
        return relax(jacobi, u, 0);
    }
};

template <typename T> struct one_colour_a_time : inner_iteration {
    static const int norm_bound = 256;
    damped<T> relax;
    __device__ __forceinline__ T operator()(int n, int colour, T jacobi, T u, T) const
    {
        return n % 2 == colour ? relax(jacobi, u, 0) : u;
    }
};

/*
 * A cycle reads the field and the one before it, and writes both again, one cycle on. The two
 * places of each alternate, so that a cycle that is dropped changes nothing.
 *
 * The factors of a cycle's subiterations follow from each other by a division each, so no thread
 * could make its own in time. They are ready in global memory when a cycle begins: the launch has
 * one more thread block than tiles, and that block makes the factors of the next cycle meanwhile.
 * A CUDA graph therefore repeats its launches with the same arguments, as in blend.cuh.
 */
template <typename T> struct chebyshev_in_tile {
    static const bool recurs = true;
    static const int norm_bound = 0, line_bound = 192, wide_bound = 0;
    const T *before; /* at interior point (0, 0) */
    T *next_before;
    const chebyshev_factor *now; /* of each subiteration */
    chebyshev_factor *next;
    double rho;
    /* Set by `begin`: the factors in shared memory. w[-1] is not 0 if the first subiteration is a
     * Jacobi step, because there is no field before; a register for that would make others spill.
     */
    const T *w;

    /* Copies the factors of k subiterations to `smem`, k + 1 values. A barrier follows. */
    __device__ __forceinline__ void begin(T *smem, int k)
    {
        int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
        for (int n = thread; n < k; n += threads)
            smem[n + 1] = (T)__ldcg(&now[n].omega); /* L1 may hold those of an earlier cycle */
        if (thread == 0)
            smem[0] = __ldcg(&now->done) == 0;
        w = smem + 1;
    }
    __device__ __forceinline__ T operator()(int n, int, T jacobi, T, T before_u) const
    {
        return n == 0 && w[-1] != 0 ? jacobi : combine(n, jacobi, before_u);
    }
    /* From the second subiteration on. */
    __device__ __forceinline__ T combine(int n, T jacobi, T before_u) const
    {
        return w[n] * (jacobi - before_u) + before_u;
    }
    /* The factors of the next cycle. One thread. */
    __device__ void make_next(int k) const
    {
        double omega = __ldcg(&now[k - 1].omega);
        long long done = __ldcg(&now[k - 1].done) + 1;
        for (int n = 0; n < k; n++, done++) {
            omega = ss_chebyshev_omega(rho, omega, done);
            next[n] = chebyshev_factor{omega, done};
        }
    }
};

/* The part of the thread block that has no tile, the last one. Returns whether the cycle is
 * dropped, as `stopped` does. */
template <class INNER, typename T>
static __device__ __forceinline__ int make_next_factors(const ss_cuda_sweep<T> &a,
                                                        const INNER &inner, int k)
{
    await_previous();
    int stop = stopped(a);
    if (!stop && threadIdx.x == 0 && threadIdx.y == 0)
        inner.make_next(k);
    return stop;
}

#endif
