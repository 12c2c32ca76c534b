/*
 * Classic time stepping on the GPU: a launch a level, a thread a few points of the line. What is
 * read twice comes from the caches. Engine thread.
 */
#include "kernels/cuda/chain.cuh"

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

/* A level from the one before: row[to] from row[1 - to]. */
template <class E, int P>
__global__ void __launch_bounds__(THREADS)
    one_level(E eq, ss_rows<typename E::real> rows, int to, int stage)
{
    typedef typename E::real T;
    const int R = E::radius, p = (blockIdx.x * THREADS + threadIdx.x) * P, n = rows.n;
    const T *in = rows.row[1 - to] + p;
    T *out = rows.row[to] + p;
    ss_around<E, P> u;
    ss_points<E, P> v;
    let_next_begin();
    await_previous();
    if (p < R || p + P + R > n) {
        level_at_end<E, P>(eq, rows.row[1 - to], rows.row[to], rows.field, n, stage, p);
        return;
    }
#pragma unroll
    for (int f = 0; f < E::fields; f++, in += rows.field) {
        ss_load_points<T, P>(in, &u.at[f][R]);
#pragma unroll
        for (int i = 1; i <= R; i++) {
            u.at[f][R - i] = in[-i];
            u.at[f][R + P - 1 + i] = in[P - 1 + i];
        }
        if (stage)
            ss_load_points<T, P>(out + f * rows.field, v.at[f]);
    }
    v = eq.next(stage, u, v);
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        ss_store_points<T, P>(out + f * rows.field, v.at[f]);
}

/* Points of a thread: a few while that leaves enough threads for the whole device. */
template <class E, int P>
static void launch_points(const ss_run *run, int cur, int i, cudaStream_t stream)
{
    typedef typename E::real T;
    launch_kernel(one_level<E, P>, ceil_div(run->problem.nx, P * THREADS), THREADS, 0, stream,
                  E(run->coef), rows_of<T>(run, cur), i & 1, (i - 1) % E::stages);
}

template <class E> void ss_cuda_launch_level(const ss_run *run, int cur, int i, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, int, cudaStream_t) = {
        launch_points<E, 1>, launch_points<E, 2>, launch_points<E, 4>, launch_points<E, 8>};
    int choice = (int)ss_config_int(&run->cfg, "points");
    int each = choice > 0 ? choice - 1 : run->problem.nx >= 1 << 18 ? 1 : 0;
    launch[each](run, cur, i, stream);
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
