/*
 * The passes of the s-step variant: bases, dot products, s iterations in coordinates, new vectors.
 * The arithmetic of the coordinates is in kernels/solver/cg_recurrence.h. Per cycle:
 *
 *     cg_power      s launches    the next polynomial of both bases
 *     cg_gram       1             all dot products. A thread holds CG_CHUNK times CG_CHUNK of them
 * in registers; blocks of the same points and other products are adjacent, so that they find the
 * vectors in L2 cg_iterate    1             a block adds the segments of one dot product; the last
 * block has one thread that iterates, of so few numbers cg_combine    1             u, r and p from
 * their coordinates
 *
 * Device code; cycle.cu launches it.
 */
#ifndef SS_CUDA_CG_S_STEP_CUH
#define SS_CUDA_CG_S_STEP_CUH

#include "kernels/cuda/cg/passes.cuh"

#define CG_CHUNK 5 /* vectors */

/* T_(j+1) = factor J T_j - T_(j-1), of p and, but for the last power, of r. */
template <class E> struct cg_power {
    typedef typename E::real T;
    static const int sums = 0;
    static const int bases = 2;
    struct point {
        cg_star<T> v[bases];
        T before[bases];
    };
    const T *v[bases], *before[bases];
    T *to[bases];
    int count;  /* bases that have a next polynomial */
    bool first; /* there is no T_(j-1) */
    T factor;
    ptrdiff_t sy;
    E update;

    __device__ __forceinline__ bool due(const cg_run &)
    {
        return true;
    }
    __device__ __forceinline__ point load(ptrdiff_t k) const
    {
        point out;
#pragma unroll
        for (int b = 0; b < bases; b++)
            if (b < count) {
                out.v[b] = cg_star_of<E>(k, sy, [&](ptrdiff_t at) { return v[b][at]; });
                out.before[b] = first ? (T)0 : before[b][k];
            }
        return out;
    }
    __device__ __forceinline__ void store(ptrdiff_t k, const point &in, double *) const
    {
#pragma unroll
        for (int b = 0; b < bases; b++)
            if (b < count) {
                T next = (T)0 + factor * cg_jacobi(update, in.v[b]);
                to[b][k] = first ? next : next - in.before[b];
            }
    }
};

/* The vectors of the basis: `stride` elements apart, in the order of ss_cg_vector. */
template <typename T> struct cg_vectors {
    const T *first;
    size_t stride;
    int s, n; /* n: ss_cg_basis_size(s) */

    __device__ __forceinline__ T at(int i, ptrdiff_t k) const
    {
        return first[(size_t)ss_cg_vector(s, i) * stride + k];
    }
};

static __host__ __device__ inline int cg_chunks(int n)
{
    return (n + CG_CHUNK - 1) / CG_CHUNK;
}

/* Pairs of chunks: those on and below the diagonal. */
static __host__ __device__ inline int cg_chunk_pairs(int n)
{
    return cg_chunks(n) * (cg_chunks(n) + 1) / 2;
}

template <typename T>
static __device__ __forceinline__ void cg_load_chunk(const cg_vectors<T> &b, int first, ptrdiff_t k,
                                                     double *out)
{
#pragma unroll
    for (int i = 0; i < CG_CHUNK; i++)
        out[i] = first + i < b.n ? (double)b.at(first + i, k) : 0;
}

/* Block 0 has the first pair of chunks of the first segments, block 1 the second pair, ... */
template <typename T>
__global__ void __launch_bounds__(CG_THREADS)
    cg_gram(const __grid_constant__ cg_vectors<T> b, const __grid_constant__ cg_run a)
{
    int pairs = cg_chunk_pairs(b.n), pair = blockIdx.x % pairs, row = 0;
    int segment = cg_segment(blockIdx.x / pairs);
    double sum[CG_CHUNK][CG_CHUNK] = {{0}};
    if (!cg_begins(a))
        return;
    while (ss_cg_pair(row + 1, 0) <= pair)
        row++;
    const int i0 = row * CG_CHUNK, j0 = (pair - ss_cg_pair(row, 0)) * CG_CHUNK;
    cg_batches(a, segment, [&](ptrdiff_t k, int n) {
#pragma unroll 1
        for (int q = 0; q < CG_BATCH && q < n; q++) {
            double x[CG_CHUNK], y[CG_CHUNK];
            cg_load_chunk(b, i0, k + q * SS_SUM_LANES, x);
            cg_load_chunk(b, j0, k + q * SS_SUM_LANES, y);
#pragma unroll
            for (int i = 0; i < CG_CHUNK; i++)
#pragma unroll
                for (int j = 0; j < CG_CHUNK; j++)
                    sum[i][j] += x[i] * y[j];
        }
    });
#pragma unroll
    for (int i = 0; i < CG_CHUNK; i++)
#pragma unroll
        for (int j = 0; j < CG_CHUNK; j++)
            if (i0 + i < b.n && j0 + j <= i0 + i)
                cg_leave(a, ss_cg_pair(i0 + i, j0 + j), segment, sum[i][j]);
}

/* One block per dot product. */
static __global__ void __launch_bounds__(CG_THREADS)
    cg_iterate(ss_cg_basis basis, const __grid_constant__ cg_run a)
{
    __shared__ double gram[SS_CG_PAIRS];
    __shared__ ss_cg_coordinates vectors; /* not local memory, which is slower */
    cg_state *s = a.state;
    if (!cg_begins(a))
        return;
    double sum = cg_tree_sum(a.partial + (size_t)blockIdx.x * a.segments, a.segments);
    int thread = threadIdx.y * SS_SUM_LANES + threadIdx.x;
    if (thread == 0)
        s->gram[blockIdx.x] = sum;
    if (!cg_is_last(s))
        return;
    for (int k = thread; k < (int)gridDim.x; k += CG_THREADS)
        gram[k] = __ldcg(s->gram + k);
    __syncthreads();
    if (thread == 0) {
        s->at.rr = ss_cg_iterate(basis, gram, &vectors);
        s->vectors = vectors;
    }
}

/* u += x, and the new r and p, which are vectors of the basis as well. */
template <typename T> struct cg_combine {
    static const int sums = 0;
    struct point {
        T x, r, p, u;
    };
    cg_vectors<T> basis;
    const T *u;
    T *to, *r, *p;
    const ss_cg_coordinates *by;

    __device__ __forceinline__ bool due(const cg_run &a)
    {
        by = &a.state->vectors;
        return true;
    }
    __device__ __forceinline__ point load(ptrdiff_t k) const
    {
        point out = {0, 0, 0, u[k]};
        for (int i = 0; i < basis.n; i++) {
            T value = basis.at(i, k);
            out.x = out.x + (T)by->x[i] * value;
            out.r = out.r + (T)by->r[i] * value;
            out.p = out.p + (T)by->p[i] * value;
        }
        return out;
    }
    __device__ __forceinline__ void store(ptrdiff_t k, const point &in, double *) const
    {
        to[k] = in.u + in.x;
        r[k] = in.r;
        p[k] = in.p;
    }
};

#endif
