/*
 * What the CUDA files share: the state of a run on the device, checked calls, the update of a point
 * and the sums behind a norm. CUDA C++17; host functions are called from the engine thread.
 */
#ifndef SS_CUDA_DEVICE_CUH
#define SS_CUDA_DEVICE_CUH

#include <cuda_runtime.h>
#include <stdlib.h>

#include "kernels/cuda/device/names.h"

/* --- checked calls --------------------------------------------------------------------------- */

/* Writes one sentence with the expression and its place; returns SS_FAIL. */
int ss_cuda_failed(cudaError_t code, const char *expression, const char *file, int line,
                   ss_err *err);
/* The call, or what the fault injection of the tests puts in its place. */
cudaError_t ss_cuda_checked(cudaError_t code);

#define SS_CUDA(expression)                                                                        \
    do {                                                                                           \
        cudaError_t code_ = ss_cuda_checked(expression);                                           \
        if (code_ != cudaSuccess)                                                                  \
            return ss_cuda_failed(code_, #expression, __FILE__, __LINE__, err);                    \
    } while (0)

/* Device memory, for what the sentence about having too little says. */
int ss_cuda_alloc(void **out, size_t bytes, const char *what, ss_err *err);
/* The same, filled with `size` bytes of the host's. */
int ss_cuda_alloc_copy(void **out, const void *host, size_t size, const char *what, ss_err *err);
/* The host's, locked in place, so that copies from and to it run beside kernels. */
int ss_cuda_alloc_host(void **out, size_t bytes, const char *what, ss_err *err);
/* Rows from anywhere to anywhere, by way of the run's stream; pitches in bytes, of any size. */
int ss_cuda_copy_rows(const ss_run *run, void *to, size_t to_pitch, const void *from,
                      size_t from_pitch, size_t width, size_t count, cudaMemcpyKind kind,
                      ss_err *err);

/* --- the update of a point ------------------------------------------------------------------- */

#define SS_REAL double
#define SS_NAME(x) x##_f64
#include "kernels/eq/poisson1d.h"
#include "kernels/eq/poisson2d.h"
#undef SS_REAL
#undef SS_NAME
#define SS_REAL float
#define SS_NAME(x) x##_f32
#include "kernels/eq/poisson1d.h"
#include "kernels/eq/poisson2d.h"
#undef SS_REAL
#undef SS_NAME

/* An equation as kernels see it: its type of numbers, its directions, its update. South and north
 * of a point on a line are never read. */
template <typename T> struct line {
    typedef T real;
    static const int dim = 1;
    T c, a;
    __device__ T operator()(T g, T w, T e, T, T) const;
};
template <typename T> struct plane {
    typedef T real;
    static const int dim = 2;
    T c, a;
    __device__ T operator()(T g, T w, T e, T s, T n) const;
};
template <>
__device__ inline double line<double>::operator()(double g, double w, double e, double,
                                                  double) const
{
    return poisson1d_f64(g, c, w, e);
}
template <>
__device__ inline float line<float>::operator()(float g, float w, float e, float, float) const
{
    return poisson1d_f32(g, c, w, e);
}
template <>
__device__ inline double plane<double>::operator()(double g, double w, double e, double s,
                                                   double n) const
{
    return poisson2d_f64(g, c, a, w, e, s, n);
}
template <>
__device__ inline float plane<float>::operator()(float g, float w, float e, float s, float n) const
{
    return poisson2d_f32(g, c, a, w, e, s, n);
}

/* The same numbers in four operations instead of six, for the kernels that arithmetic limits: where
 * `ss_cuda_even` says so, c is a power of two and a is 1, so that neither product rounds, and one
 * that does not round may be left out or fused with the addition behind it. */
template <typename T> struct even_line {
    typedef T real;
    static const int dim = 1;
    T c, a;
    __device__ T operator()(T g, T w, T e, T, T) const
    {
        return fma(c, w + e, g);
    }
};
template <typename T> struct even_plane {
    typedef T real;
    static const int dim = 2;
    T c, a;
    __device__ T operator()(T g, T w, T e, T s, T n) const
    {
        return fma(c, (w + e) + (s + n), g);
    }
};

template <class E> static E equation(const ss_run *run)
{
    E eq;
    eq.c = (typename E::real)run->coef.c[0];
    eq.a = (typename E::real)run->coef.c[1];
    return eq;
}

/* FN<E>(...) for the equation and the precision of a run; both are properties, not names. */
#define SS_CUDA_DISPATCH(run, FN, ...)                                                             \
    ((run)->problem.dim == 1                                                                       \
         ? ((run)->prec == SS_F64 ? FN<line<double>>(__VA_ARGS__) : FN<line<float>>(__VA_ARGS__))  \
         : ((run)->prec == SS_F64 ? FN<plane<double>>(__VA_ARGS__)                                 \
                                  : FN<plane<float>>(__VA_ARGS__)))

/* The same in as few operations as the run allows. */
#define SS_CUDA_DISPATCH_EVEN(run, FN, ...)                                                        \
    (!ss_cuda_even(run)        ? SS_CUDA_DISPATCH(run, FN, __VA_ARGS__)                            \
     : (run)->problem.dim == 1 ? ((run)->prec == SS_F64 ? FN<even_line<double>>(__VA_ARGS__)       \
                                                        : FN<even_line<float>>(__VA_ARGS__))       \
                               : ((run)->prec == SS_F64 ? FN<even_plane<double>>(__VA_ARGS__)      \
                                                        : FN<even_plane<float>>(__VA_ARGS__)))

/* --- 16 bytes at a time ---------------------------------------------------------------------- */

template <typename T> struct alignas(16) pack {
    static const int n = 16 / sizeof(T);
    T v[n];
};

template <typename T> static __device__ __forceinline__ pack<T> load(const T *p)
{
    return *(const pack<T> *)p;
}

template <typename T> static __device__ __forceinline__ void store(T *p, pack<T> u, int n)
{
    if (n >= pack<T>::n)
        *(pack<T> *)p = u;
    else
#pragma unroll
        for (int k = 0; k < pack<T>::n; k++)
            if (k < n)
                p[k] = u.v[k];
}

/* --- convergence on the device --------------------------------------------------------------- */

#define SS_CUDA_NORMS 1024 /* of one step */

/* Lives on the device while cycles run, and is read back when they are through. Every launch looks
 * at stop: once a norm has met the tolerance, the cycles behind it change nothing. */
struct ss_cuda_control {
    int stop;         /* the cycle whose norm stands last was dropped, and so is all that follows */
    int count;        /* norms so far, in the order of the cycles */
    unsigned arrived; /* thread blocks that have left their sum */
    int stops;        /* does the tolerance stop the run? */
    double scale;     /* |r| = scale * sqrt(sum of squared changes) */
    double tol, first, growth;
    double norm[SS_CUDA_NORMS];
};

/* One cycle as a kernel gets it. in, rhs and out address interior point (0, 0). */
template <typename T> struct ss_cuda_sweep {
    const T *in, *rhs;
    T *out;
    int nx, ny;
    ptrdiff_t sy;
    double *partial; /* a sum per thread block */
    ss_cuda_control *control;
};

/* Not 0: the cycle is dropped. A number and not a bool, so that a kernel can ask before it loads
 * its points and need not wait for the answer before it stores them. */
template <typename T> static __device__ __forceinline__ int stopped(const ss_cuda_sweep<T> &a)
{
    return __ldcg(&a.control->stop);
}

/* Sum over the thread block, the same order always; the result is thread 0's. */
static __device__ inline double block_sum(double v)
{
    __shared__ double warp_sum[32];
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    __syncthreads();
    if (thread % 32 == 0)
        warp_sum[thread / 32] = v;
    __syncthreads();
    if (thread == 0)
        for (int i = 1; i < (threads + 31) / 32; i++)
            v += warp_sum[i];
    return v;
}

static __device__ inline void decide(ss_cuda_control *c, double sum)
{
    double norm = c->scale * sqrt(sum);
    if (c->first < 0)
        c->first = norm;
    bool finite = norm - norm == 0;
    if (!finite || (c->first > 0 && norm > c->growth * c->first) ||
        (c->stops && norm <= c->tol * c->first))
        c->stop = 1;
    c->norm[c->count++] = norm;
}

/* Called by all threads of all blocks: the squared changes of the cycle, of which the block that
 * comes last makes the norm. Blocks must be whole warps. */
template <typename T>
static __device__ void add_to_norm(const ss_cuda_sweep<T> &a, int dropped, double squares)
{
    __shared__ bool last;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    if (dropped) /* by a norm before this launch, so that all threads agree */
        return;
    double sum = block_sum(squares);
    if (thread == 0) {
        a.partial[block] = sum;
        __threadfence();
        last = atomicAdd(&a.control->arrived, 1u) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    sum = 0;
    for (unsigned i = thread; i < blocks; i += threads)
        sum += __ldcg(a.partial + i);
    sum = block_sum(sum);
    if (thread == 0) {
        a.control->arrived = 0;
        decide(a.control, sum);
    }
}

/* --- the state of a run ----------------------------------------------------------------------- */

/*
 * Kernels of cycles overlap: CUDA calls it programmatic dependent launch, and launch_clusters asks
 * for it. The next kernel may begin as soon as EVERY block of this one has called let_next_begin or
 * has ended; a single block's call has no effect by itself. Where no block calls it, as on all
 * rungs of ladder.cu but `vector`, the next one begins only when the last block has ended.
 *
 * A kernel that has begun early may read what no cycle changes (the right-hand side), and touches
 * the fields only after await_previous. That waits until the kernel before has ended altogether and
 * its stores can be seen, those after let_next_begin as well: where the call stands changes when
 * work begins, never what is read.
 *
 * Waiting blocks hold their place on a processor, and yet there is no deadlock: they are let in
 * only after all blocks of the kernel before have begun, so that none that is awaited is still in
 * need of a place. Every kernel of a chain waits, so that the end of one is the end of all before
 * it.
 */
static __device__ __forceinline__ void await_previous()
{
#if __CUDA_ARCH__ >= 900 /* before Hopper launches did not overlap */
    cudaGridDependencySynchronize();
#endif
}
static __device__ __forceinline__ void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* Can they on this device? Known once it has been looked at. */
extern bool ss_cuda_overlap;

/* `cluster` thread blocks at a time run side by side and can write each other's shared memory; 0:
 * nobody does. */
template <class... P, class... A>
static void launch_clusters(int cluster, void (*kernel)(P...), dim3 blocks, dim3 threads,
                            size_t shared, cudaStream_t stream, A... args)
{
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute attr[2] = {};
    how.attrs = attr;
    if (ss_cuda_overlap) {
        cudaLaunchAttribute *overlap = &attr[how.numAttrs++];
        overlap->id = cudaLaunchAttributeProgrammaticStreamSerialization;
        overlap->val.programmaticStreamSerializationAllowed = 1;
    }
    if (cluster > 0) {
        cudaLaunchAttribute *together = &attr[how.numAttrs++];
        together->id = cudaLaunchAttributeClusterDimension;
        together->val.clusterDim.x = (unsigned)cluster;
        together->val.clusterDim.y = together->val.clusterDim.z = 1;
    }
    how.gridDim = blocks;
    how.blockDim = threads;
    how.dynamicSmemBytes = shared;
    how.stream = stream;
    cudaLaunchKernelEx(&how, kernel, P(args)...);
}

template <class... P, class... A>
static void launch_kernel(void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared,
                          cudaStream_t stream, A... args)
{
    launch_clusters(0, kernel, blocks, threads, shared, stream, args...);
}

/* Launches one cycle from u[parity] into u[1 - parity]. */
typedef void ss_cuda_launch(const ss_run *run, int parity, bool norm, cudaStream_t stream);

struct ss_cuda_staging;
struct ss_cuda_patches;

struct ss_cuda_state {
    ss_box box; /* of patches: their window, of which only the extent means something, and all
                   elements of a field */
    ss_cuda_patches *patches; /* patches.cuh; NULL: box is all there is */
    void *u[2], *rhs;         /* on the device, first element of the array */
    double least_rhs;         /* magnitude, zeros left out; a bound from below */
    int cur;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    ss_cuda_control *control, *host; /* on the device; pinned */
    ss_cuda_staging *staging;        /* sample.cuh; NULL: no picture yet */
    void *shadow;                    /* shadow.c */
};

/* Scratch of engine ops that launch a kernel or more a cycle (cycles.cu). What a solver needs
 * beside it follows in `own`. */
struct ss_cuda_cycles {
    ss_cuda_launch *launch;
    /* Before the first launch of a step, which is from u[parity]; NULL: nothing to be done. */
    void (*begin)(const ss_run *run, int parity, cudaStream_t stream);
    double *partial; /* on the device, one per thread block */
    bool loaded;     /* its kernels have been asked for */
    bool graphs;
    cudaGraphExec_t graph; /* NULL: none yet */
    int graph_length;      /* its cycles, */
    int graph_start;       /* of which the first is from u[graph_start] */
    bool graph_even;       /* their kernels: see ss_cuda_even */
    void *own;
    void (*free_own)(void *own);
    /* Before the first cycle of a step and after its last one: a kernel that has the fields in a
     * layout of its own fetches them and gives them back. May be NULL. */
    int (*enter)(ss_run *run, ss_err *err), (*leave)(ss_run *run, ss_err *err);
    /* Cycles are in place, in u[cur], which stays the same; launch is then given any parity. */
    bool in_place;
    /* Before the last cycle of a step: keeps the field it starts from, which cycles from one array
     * into the other do by themselves. NULL: nothing to be done. */
    void (*keep)(const ss_run *run, cudaStream_t stream);
};

void ss_cuda_staging_free(ss_cuda_staging *s);
/* u* may become another one. */
void ss_cuda_staging_forget(ss_cuda_staging *s);

/* tpb-x times tpb-y threads, of which a block of the kernel may have so many: whole warps, as sums
 * over a block want them. */
int ss_cuda_threads(const ss_run *run, int most, dim3 *out, ss_err *err);

/* Subdomains of a tiling, where they are not too many for one launch. */
int ss_cuda_count_tiles(const ss_tiling *t, int *out, ss_err *err);

/* Allocates the scratch for a launch of at most `blocks` thread blocks; own may be NULL. */
int ss_cuda_cycles_make(ss_run *run, ss_cuda_launch *launch, size_t blocks, void *own,
                        void (*free_own)(void *own), ss_err *err);

static inline const ss_cuda_state *ss_cuda_of(const ss_run *run)
{
    return (const ss_cuda_state *)run->state;
}

/* Do the products of the update never round? c must be a power of two and a be 1 (or not be there).
 * A product below the smallest normal number does round, but into what no sum with the right-hand
 * side can tell, unless that is as small. */
static inline bool ss_cuda_even(const ss_run *run)
{
    int exponent;
    return frexp(run->coef.c[0], &exponent) == 0.5 &&
           (run->problem.dim == 1 || run->coef.c[1] == 1) &&
           ss_cuda_of(run)->least_rhs >= (run->prec == SS_F64 ? 1e-250 : 1e-20);
}

/* What a launch from u[parity] works on. */
template <typename T> static ss_cuda_sweep<T> sweep_of(const ss_run *run, int parity)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_cuda_cycles *c = (const ss_cuda_cycles *)run->scratch;
    ss_cuda_sweep<T> a;
    a.in = (const T *)st->u[parity] + st->box.first;
    a.rhs = (const T *)st->rhs + st->box.first;
    a.out = (T *)st->u[1 - parity] + st->box.first;
    a.nx = st->box.nx;
    a.ny = st->box.ny;
    a.sy = st->box.sy;
    a.partial = c ? c->partial : NULL;
    a.control = st->control;
    return a;
}

static inline int ceil_div(int64_t a, int64_t b)
{
    return (int)((a + b - 1) / b);
}

#endif
