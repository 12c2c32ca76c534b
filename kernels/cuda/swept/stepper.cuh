/*
 * Classic time stepping: one kernel launch per time level, P adjacent points per thread: the
 * reference that the swept rule is measured against. Device code.
 *
 * A level reads and writes each value once (16 bytes per point and field, f64), and a second stage
 * also reads the level before (24 bytes); the R halo points of a thread come from the L1 cache.
 * Large grids are limited by bandwidth: 2^20 points of heat, f64, take 4.13 us on an H200, which is
 * 93 % of the bandwidth of a triad in device memory. (The two arrays, 8 MiB each, also fit in the
 * L2 cache of 63 MB.) Small grids are limited by the latency of a launch: 677 ns for 2^10.
 */
#ifndef SS_CUDA_STEPPER_CUH
#define SS_CUDA_STEPPER_CUH

#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/swept/arguments.h"
#include "kernels/cuda/swept/equations.cuh"

/* P points from p on, one by one, in the thread blocks near the ends of the line: neighbours are
 * where ss_end_source says. p is a multiple of P. */
template <class E, int P>
static __device__ void level_at_end(const E &eq, const typename E::real *in, typename E::real *out,
                                    ptrdiff_t field, int n, int stage, int p)
{
    const int R = E::radius;
    for (; p < n; p++) {
        ss_around<E, 1> u;
        ss_points<E, 1> v;
#pragma unroll
        for (int f = 0; f < E::fields; f++) {
#pragma unroll
            for (int i = -R; i <= R; i++)
                u.at[f][R + i] = in[f * field + ss_end_source(E::bc, n, p + i)];
            v.at[f][0] = stage ? out[f * field + p] : 0;
        }
        bool fixed = E::bc == SS_BC_FIXED && (p == 0 || p == n - 1);
        v = eq.next(stage, u, v);
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            out[f * field + p] = fixed ? u.at[f][R] : v.at[f][0];
        if (p % P == P - 1)
            return;
    }
}

/* P points of each field with R neighbours on each side. */
template <class E, int P>
static __device__ __forceinline__ ss_around<E, P> load_around(const typename E::real *in,
                                                              ptrdiff_t field)
{
    const int R = E::radius;
    ss_around<E, P> u;
#pragma unroll
    for (int f = 0; f < E::fields; f++, in += field) {
        load_points<P>(in, &u.at[f][R]);
#pragma unroll
        for (int i = 1; i <= R; i++) {
            u.at[f][R - i] = in[-i];
            u.at[f][R + P - 1 + i] = in[P - 1 + i];
        }
    }
    return u;
}

/*
 * The level in row[1] from the one before it in row[0]. The second stage of a step also needs the
 * level before that, which row[1] still holds: each point is read there by the thread that then
 * overwrites it, so that two arrays are enough.
 *
 * A thread has TIMES groups of P points, P * STEPPER_THREADS points apart, so that the threads of a
 * warp access adjacent addresses. It issues all loads before it uses the first: more bytes in
 * flight per SM. Thread blocks with an end of the line among or within R of their points compute
 * all of them one by one.
 *
 * Consecutive launches overlap (device/ptx.cuh): a thread block may begin early, computes its
 * addresses, and accesses the rows only after await_previous.
 */
template <class E, int P, int TIMES>
__global__ void __launch_bounds__(STEPPER_THREADS)
    one_level(E eq, ss_rows<typename E::real> rows, int stage)
{
    typedef typename E::real T;
    const int R = E::radius, BLOCK = P * TIMES * STEPPER_THREADS, n = rows.n;
    const int from = blockIdx.x * BLOCK, p = from + threadIdx.x * P;
    const T *in = rows.row[0] + p;
    T *out = rows.row[1] + p;
    let_next_begin();
    await_previous();
    if (from < R || from + BLOCK + R > n) { /* an end of the line is within reach */
        for (int t = 0; t < TIMES; t++)
            level_at_end<E, P>(eq, rows.row[0], rows.row[1], rows.field, n, stage,
                               p + t * P * STEPPER_THREADS);
        return;
    }
    ss_around<E, P> u[TIMES];
    ss_points<E, P> v[TIMES];
#pragma unroll
    for (int t = 0; t < TIMES; t++) {
        u[t] = load_around<E, P>(in + t * P * STEPPER_THREADS, rows.field);
#pragma unroll
        for (int f = 0; f < (stage ? E::fields : 0); f++)
            load_points<P>(out + t * P * STEPPER_THREADS + f * rows.field, v[t].at[f]);
    }
#pragma unroll
    for (int t = 0; t < TIMES; t++) {
        v[t] = eq.next(stage, u[t], v[t]);
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            store_points<P>(out + t * P * STEPPER_THREADS + f * rows.field, v[t].at[f]);
    }
}

#endif
