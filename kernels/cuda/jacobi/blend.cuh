/*
 * Jacobi sweeps whose value u' is blended with values that are already there, in one pass:
 *
 *     damped       out = (1 - omega) u + omega u'            damped Jacobi
 *     recurrence   out = omega (u' - before) + before        Chebyshev: `before` is what `out`
 * holds
 *
 * The kernel is rung 6 of the ladder (ladder.cuh) with the equation and the blend as types: 16
 * bytes per load, LADDER_ROWS rows per thread, all loads issued before the first is used. Damping
 * moves no more bytes than Jacobi, 24 per point in double precision: u is in registers anyway. The
 * recurrence also reads the field before u, 32 bytes per point: it lies in `out`, where each thread
 * replaces the values that it has read itself, so that two arrays are enough. Expressions and
 * rounding are those of kernels/cpu/loops/combine_each.h, and so are the bits. Device code;
 * ladder.c and chebyshev.c launch it.
 */
#ifndef SS_CUDA_JACOBI_BLEND_CUH
#define SS_CUDA_JACOBI_BLEND_CUH

#include "kernels/cuda/jacobi/ladder.cuh"
#include "kernels/solver/recurrence.h"

template <typename T> struct damped {
    static const bool reads_out = false;
    T rest, w; /* 1 - omega and omega, each rounded once */
    __device__ __forceinline__ void begin(int)
    {
    }
    __device__ __forceinline__ T operator()(T jacobi, T u, T) const
    {
        return rest * u + w * jacobi;
    }
};

/* Chebyshev's factor of one iteration, and how many the recurrence had before it. */
struct chebyshev_factor {
    double omega;
    long long done;
};

/*
 * The factor changes from cycle to cycle, but a CUDA graph repeats its launches with the same
 * arguments. So the device continues the recurrence of the factors itself: a cycle reads its factor
 * from `now`, and one thread writes that of the next cycle to `next`. The two places alternate like
 * the two fields. A cycle that must store nothing writes no factor either. The first cycle is a
 * Jacobi step, since there is no field before.
 */
template <typename T> struct recurrence {
    static const bool reads_out = true;
    const chebyshev_factor *now;
    chebyshev_factor *next;
    double rho;
    T w;
    bool first;
    __device__ __forceinline__ void begin(int wanted)
    {
        double omega = __ldcg(&now->omega); /* L1 may hold the factor of an earlier cycle */
        long long done = __ldcg(&now->done);
        w = (T)omega;
        first = done == 0;
        if (wanted && blockIdx.x == 0 && threadIdx.x == 0 && threadIdx.y == 0)
            *next = chebyshev_factor{ss_chebyshev_omega(rho, omega, done + 1), done + 1};
    }
    __device__ __forceinline__ T operator()(T jacobi, T, T before) const
    {
        return first ? jacobi : w * (jacobi - before) + before;
    }
};

__global__ void put_factor(chebyshev_factor *to, chebyshev_factor value)
{
    *to = value;
}

/* A load that bypasses L1, for values that are loaded once and then replaced: the next launch may
 * begin before this one has ended, and must not find the old values there. */
template <typename T> static __device__ __forceinline__ pack<T> load_once(const T *p)
{
    pack<T> v;
    *(int4 *)&v = __ldcg((const int4 *)p);
    return v;
}

/*
 * Arguments: E is `plane` or `line` of device/update.cuh, BLEND one of the above. A block's tile is
 * blockDim.x * N by blockDim.y * LADDER_ROWS points; NORM and `tiles` as on rung 6. Rows -1 and ny
 * are read and may belong to a neighbouring slab.
 */
template <class E, class BLEND, bool NORM>
__global__ void __launch_bounds__(512)
    sweep_blended(ss_cuda_sweep<typename E::real> a, E update, BLEND blend, int tiles)
{
    typedef typename E::real T;
    const int N = pack<T>::n;
    const bool coupled = E::dim > 1; /* rows */
    int across = (a.nx + blockDim.x * N - 1) / (blockDim.x * N);
    int wanted = 0;
    double squares = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = (tile % across * blockDim.x + threadIdx.x) * N;
        int j = (tile / across * blockDim.y + threadIdx.y) * LADDER_ROWS;
        int rows = i >= a.nx || j >= a.ny ? 0 : a.ny - j < LADDER_ROWS ? a.ny - j : LADDER_ROWS;
        const T *pu = a.in + j * a.sy + i, *pb = a.rhs + j * a.sy + i;
        T *po = a.out + j * a.sy + i;
        pack<T> v[LADDER_ROWS + 2], g[LADDER_ROWS], before[LADDER_ROWS]; /* v[r + 1] is row r */
        T west[LADDER_ROWS], east[LADDER_ROWS];
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++)
            if (r < rows)
                g[r] = load(pb + r * a.sy);
        if (tile == blockIdx.x) {
            wanted = begin_cycle(a.control->stop);
            let_next_begin();
            blend.begin(wanted);
        }
#pragma unroll
        for (int r = coupled ? -1 : 0; r < LADDER_ROWS + (coupled ? 1 : 0); r++)
            if (rows > 0 && r < rows + (coupled ? 1 : 0))
                v[r + 1] = load(pu + r * a.sy);
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++)
            if (r < rows) {
                if (BLEND::reads_out)
                    before[r] = load_once(po + r * a.sy);
                west[r] = pu[r * a.sy - 1];
                east[r] = pu[r * a.sy + N];
            }
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++) {
            if (r >= rows)
                break;
            pack<T> next;
#pragma unroll
            for (int k = 0; k < N; k++) {
                T u = v[r + 1].v[k];
                T w = k ? v[r + 1].v[k - 1] : west[r], e = k + 1 < N ? v[r + 1].v[k + 1] : east[r];
                T s = coupled ? v[r].v[k] : 0, n = coupled ? v[r + 2].v[k] : 0;
                T jacobi = update(g[r].v[k], w, e, s, n);
                squares += square(i + k < a.nx ? (double)(jacobi - u) : 0);
                next.v[k] = blend(jacobi, u, BLEND::reads_out ? before[r].v[k] : 0);
            }
            if (wanted)
                store(po + r * a.sy, next, a.nx - i);
        }
        if (!NORM)
            break;
    }
    if (NORM && wanted)
        add_to_norm(squares, a.partial, a.control);
}

#endif
