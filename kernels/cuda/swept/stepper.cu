/*
 * Classic time stepping on the GPU: a launch a level, a thread a few points of the line. What is
 * read twice comes from the caches. Engine thread.
 */
#include <limits.h>

#include "kernels/cuda/swept/chain.cuh"

#define THREADS 128

/* Where the line ends: point by point, from where ss_end_source says. */
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

/* P points of each field and the R beside them on each side. */
template <class E, int P>
static __device__ __forceinline__ ss_around<E, P> look_around(const typename E::real *in,
                                                              ptrdiff_t field)
{
    const int R = E::radius;
    ss_around<E, P> u;
#pragma unroll
    for (int f = 0; f < E::fields; f++, in += field) {
        ss_load_points<typename E::real, P>(in, &u.at[f][R]);
#pragma unroll
        for (int i = 1; i <= R; i++) {
            u.at[f][R - i] = in[-i];
            u.at[f][R + P - 1 + i] = in[P - 1 + i];
        }
    }
    return u;
}

/* A level, row[1], from the one before, row[0]. In the second stage of a step it starts from the
 * level before that too, which row[1] still holds: each point is read there by the thread that then
 * writes it. A thread has `TIMES` times P points, so far apart that the threads of a block read
 * what lies side by side; it asks for all of them before it works on the first. */
template <class E, int P, int TIMES>
__global__ void __launch_bounds__(THREADS)
    one_level(E eq, ss_rows<typename E::real> rows, int stage)
{
    typedef typename E::real T;
    const int R = E::radius, BLOCK = P * TIMES * THREADS, n = rows.n, from = blockIdx.x * BLOCK;
    const int p = from + threadIdx.x * P;
    const T *in = rows.row[0] + p;
    T *out = rows.row[1] + p;
    let_next_begin();
    await_previous();
    if (from < R || from + BLOCK + R > n) {
        for (int t = 0; t < TIMES; t++)
            level_at_end<E, P>(eq, rows.row[0], rows.row[1], rows.field, n, stage,
                               p + t * P * THREADS);
        return;
    }
    ss_around<E, P> u[TIMES];
    ss_points<E, P> v[TIMES];
#pragma unroll
    for (int t = 0; t < TIMES; t++) {
        u[t] = look_around<E, P>(in + t * P * THREADS, rows.field);
#pragma unroll
        for (int f = 0; f < (stage ? E::fields : 0); f++)
            ss_load_points<T, P>(out + t * P * THREADS + f * rows.field, v[t].at[f]);
    }
#pragma unroll
    for (int t = 0; t < TIMES; t++) {
        v[t] = eq.next(stage, u[t], v[t]);
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            ss_store_points<T, P>(out + t * P * THREADS + f * rows.field, v[t].at[f]);
    }
}

template <class E, int P, int TIMES>
static void launch_points(const ss_run *run, int cur, int i, cudaStream_t stream)
{
    typedef typename E::real T;
    launch_kernel(one_level<E, P, TIMES>, ceil_div(run->problem.nx, P * TIMES * THREADS), THREADS,
                  0, stream, E(run->coef), rows_of<T>(run, (cur + i - 1) & 1), (i - 1) % E::stages);
}

/* Points of a thread: the more, the fewer blocks there are to launch and the more a processor asks
 * of memory at once; as long as there are threads for all processors. Measured: from these many
 * points on. Faces are shared by points side by side, so that equations with many fields have
 * theirs there. */
static int suitable(int fields, int n)
{
    static const int from[2][3] = {{1 << 17, 1 << 19, 1 << 20}, {1 << 18, 1 << 20, INT_MAX}};
    int choice = 0;
    while (choice < 3 && n >= from[fields > 1][choice])
        choice++;
    return choice;
}

template <class E> void ss_cuda_launch_level(const ss_run *run, int cur, int i, cudaStream_t stream)
{
    constexpr int side = E::fields > 1 ? 4 : 2;
    static void (*const launch[])(const ss_run *, int, int, cudaStream_t) = {
        launch_points<E, 1, 1>, launch_points<E, 2, 1>, launch_points<E, side, 4 / side>,
        launch_points<E, side, 8 / side>};
    int choice = (int)ss_config_int(&run->cfg, "points");
    launch[choice > 0 ? choice - 1 : suitable(E::fields, run->problem.nx)](run, cur, i, stream);
}

static int64_t between(const ss_run *run, int64_t cycles)
{
    return cycles * run->iterations_per_cycle;
}

template <class E> static int prepare(ss_run *run, ss_err *err)
{
    ss_cuda_chain like = {};
    like.launch = like.level = ss_cuda_launch_level<E>;
    like.between = between;
    return ss_cuda_chain_make(run, &like, err);
}

extern "C" {
SS_CUDA_PREPARE_EACH(ss_cuda_stepper, prepare)
}

/* For the swept rule, which ends with a few of them. */
#define EACH(E) template void ss_cuda_launch_level<E>(const ss_run *, int, int, cudaStream_t);
#define BOTH(T)                                                                                    \
    EACH(heat<T>)                                                                                  \
    EACH(ks<T>)
BOTH(double)
BOTH(float)
template void ss_cuda_launch_level<euler<double, 0>>(const ss_run *, int, int, cudaStream_t);
template void ss_cuda_launch_level<euler<double, 1>>(const ss_run *, int, int, cudaStream_t);
template void ss_cuda_launch_level<euler<double, 2>>(const ss_run *, int, int, cudaStream_t);
template void ss_cuda_launch_level<euler<float, 0>>(const ss_run *, int, int, cudaStream_t);
template void ss_cuda_launch_level<euler<float, 1>>(const ss_run *, int, int, cudaStream_t);
template void ss_cuda_launch_level<euler<float, 2>>(const ss_run *, int, int, cudaStream_t);
