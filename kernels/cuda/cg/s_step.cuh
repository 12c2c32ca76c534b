/*
 * The passes of the s-step variant: bases, dot products, s iterations in coordinates, new vectors.
 * The arithmetic of the coordinates is in kernels/solver/recurrence.h. Per cycle:
 *
 *     cg_power      s launches    the next polynomial of both bases
 *     cg_gram       1 or 2        all dot products. A thread holds those of CG_CHUNK vectors in
 *                                 registers, so that it loads each vector once; a larger basis has
 *                                 two chunks, and a launch for the products between them
 *     cg_iterate    1             in iterate.cuh: s iterations in coordinates
 *     cg_combine    1             u, r and p from their coordinates
 *
 * Device code; cycle.c launches it.
 */
#ifndef SS_CUDA_CG_S_STEP_CUH
#define SS_CUDA_CG_S_STEP_CUH

#include "kernels/cuda/cg/passes.cuh"

static_assert(SS_CG_BASIS <= 2 * CG_CHUNK, "two chunks have one pair");

/* T_(j+1) = factor J T_j - T_(j-1), of p and, but for the last power, of r. */
template <class E> struct cg_power {
    typedef typename E::real T;
    static const int sums = 0, batch = 2;
    static const int bases = 2;
    struct point {
        cg_star<T> v[bases];
        T before[bases];
    };
    const T *v[bases], *before[bases];
    T *to[bases];
    T factor;
    ptrdiff_t sy;
    int count;  /* bases that have a next polynomial */
    bool first; /* there is no T_(j-1) */
    E update;

    __device__ __forceinline__ bool due(const cg_run &)
    {
        return true;
    }
    __device__ __forceinline__ point load(ptrdiff_t k, const point *south) const
    {
        point out;
#pragma unroll
        for (int b = 0; b < bases; b++)
            if (b < count) {
                out.v[b] = cg_star_of<E>(k, sy, south ? &south->v[b] : NULL,
                                         [&](ptrdiff_t at) { return v[b][at]; });
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

template <typename T>
static __device__ __forceinline__ void cg_load_chunk(const cg_vectors<T> &b, int first, ptrdiff_t k,
                                                     T *out)
{
#pragma unroll
    for (int i = 0; i < CG_CHUNK; i++)
        out[i] = first + i < b.n ? b.at(first + i, k) : (T)0;
}

/* The vectors of two chunks at one point. SAME: it is one chunk. */
template <typename T, bool SAME> struct cg_chunk_pair {
    T x[CG_CHUNK], y[SAME ? 1 : CG_CHUNK];

    __device__ __forceinline__ void load(const cg_vectors<T> &b, int i0, int j0, ptrdiff_t k)
    {
        cg_load_chunk(b, i0, k, x);
        if constexpr (!SAME)
            cg_load_chunk(b, j0, k, y);
    }
    __device__ __forceinline__ void add_to(double (*sum)[CG_CHUNK]) const
    {
        const T *right = SAME ? x : y;
#pragma unroll
        for (int i = 0; i < CG_CHUNK; i++)
#pragma unroll
            for (int j = 0; j < (SAME ? i + 1 : CG_CHUNK); j++)
                sum[i][j] += cg_times(x[i], right[j]);
    }
};

/* The dot products of chunks blockIdx.y (SAME), or of chunks 1 and 0. Sixteen threads have a
 * segment and add its points as the CPU's lanes do. A thread loads its next point before it adds
 * the products of the present one. */
template <typename T, bool SAME>
__global__ void __launch_bounds__(CG_GRAM_THREADS, SAME ? 3 : 2)
    cg_gram(const __grid_constant__ cg_vectors<T> b, const __grid_constant__ cg_run a)
{
    const int i0 = (SAME ? blockIdx.y : 1) * CG_CHUNK, j0 = SAME ? i0 : 0;
    const int lane = threadIdx.x % SS_SUM_LANES;
    int segment = blockIdx.x * CG_GRAM_SEGMENTS + threadIdx.x / SS_SUM_LANES;
    double sum[CG_CHUNK][CG_CHUNK] = {{0}};
    if (cg_begins(a))
        return;
    if (segment < a.segments) {
        int x = segment / a.ny * SS_CG_SEGMENT;
        int n = a.nx - x < SS_CG_SEGMENT ? a.nx - x : SS_CG_SEGMENT;
        ptrdiff_t k = segment % a.ny * a.sy + x;
        cg_chunk_pair<T, SAME> now, next;
        if (lane < n)
            now.load(b, i0, j0, k + lane);
#pragma unroll 1
        for (int i = lane; i < n; i += SS_SUM_LANES) {
            if (i + SS_SUM_LANES < n)
                next.load(b, i0, j0, k + i + SS_SUM_LANES);
            now.add_to(sum);
            now = next;
        }
    }
#pragma unroll
    for (int i = 0; i < CG_CHUNK; i++)
#pragma unroll
        for (int j = 0; j < (SAME ? i + 1 : CG_CHUNK); j++) {
            double total = cg_lanes_sum(sum[i][j]);
            if (lane == 0 && segment < a.segments && i0 + i < b.n)
                a.partial[(size_t)ss_cg_pair(i0 + i, j0 + j) * a.segments + segment] = total;
        }
}

/* u += x, and the new r and p, which are vectors of the basis as well. */
template <typename T> struct cg_combine {
    static const int sums = 0, batch = 2;
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
    __device__ __forceinline__ point load(ptrdiff_t k, const point *) const
    {
        point out = {0, 0, 0, u[k]};
#pragma unroll 4
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
