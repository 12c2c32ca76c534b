/*
 * A patch of the grid held in the registers of one warp: R x C points a lane, LX lanes along x and
 * 32/LX along y, so that no memory is needed to iterate. Neighbours in x come from the next lane by
 * shuffle, in y they are mostly the lane's own. What lies beyond the patch, its fringe, stands in
 * shared memory: frozen halo, or what the warp next door has shown after the last subiteration.
 *
 * On a line (one direction) the rows of a patch have nothing to do with each other.
 *
 * How wide a lane should be: a row of C points passes two values by shuffle, whatever C is, and so
 * does a column of R points in y; the update of a point takes four operations or six. With 4 x 8
 * points a lane that is 24 values for 32 updates. A double takes two shuffles, a float one. At the
 * rates of Hopper, 32 shuffles and 64 operations in double precision a cycle, they take half the
 * time of six operations or three quarters of that of four, and hide behind them.
 */
#ifndef SS_CUDA_PATCH_CUH
#define SS_CUDA_PATCH_CUH

#include "kernels/cuda/device/common.cuh"

/* A bit for each of a lane's points. */
template <bool MANY> struct mask_of {
    typedef uint32_t type;
};
template <> struct mask_of<true> {
    typedef uint64_t type;
};

/* Makes the compiler work out what follows from n each time anew: it would keep all of that from
 * one look to the next, and has no registers for it. */
static __device__ __forceinline__ void forget(uint32_t &n)
{
    asm volatile("" : "+r"(n));
}
template <typename T> static __device__ __forceinline__ void forget(T &n)
{
    static_assert(sizeof n == 8, "what fits a register, or two");
    asm volatile("" : "+l"(n));
}

/* The fringe beside a lane: where its west or east neighbours stand, its south and its north ones.
 * Only lanes at a side of the patch have them. */
template <typename T> struct beside {
    T *x, *south, *north;
};

/* With ASIDE, the right-hand sides of the lane's last ASIDE rows wait in shared memory: for kernels
 * that sum norms on the way, and have no registers for all of them. */
template <class E, int LX_, int C_, int R_, int ASIDE_ = 0> struct patch {
    typedef typename E::real T;
    typedef typename mask_of<(C_ * R_ > 32)>::type mask;
    static const int DIM = E::dim;
    static const int LX = LX_, LY = 32 / LX_, C = C_, R = R_;
    static const int WIDTH = LX * C, HEIGHT = LY * R; /* of the patch, in points */
    static const int ASIDE = ASIDE_, HELD = R - ASIDE;
    template <int N> using aside = patch<E, LX, C, R, N>;

    T u[R][C], held[HELD][C];
    T *waiting;  /* [ASIDE][C][32 lanes], from this lane on */
    int lx, ly;  /* of this lane */
    mask frozen; /* bit r*C + c: the point keeps its value */

    __device__ void start()
    {
        int lane = threadIdx.x % 32;
        lx = lane % LX;
        ly = lane / LX;
        frozen = 0;
    }
    /* Of a point, within the patch. */
    __device__ int x(int c) const
    {
        return lx * C + c;
    }
    __device__ int y(int r) const
    {
        return ly * R + r;
    }
    __device__ bool keeps(int r, int c) const
    {
        return frozen >> (r * C + c) & 1;
    }

    /* Room for what waits, of all warps of a block. */
    template <int WARPS> struct room {
        T g[WARPS][ASIDE > 0 ? ASIDE : 1][C][32];
    };
    template <int WARPS> __device__ void wait_in(room<WARPS> &r)
    {
        waiting = ASIDE > 0 ? &r.g[threadIdx.x / 32][0][0][threadIdx.x % 32] : nullptr;
    }
    /* The right-hand side of a point. */
    __device__ __forceinline__ T &g(int r, int c)
    {
        return r < HELD ? held[r][c] : waiting[((r - HELD) * C + c) * 32];
    }

    /* One subiteration. The fringe beside the lane is looked at where there is one. With SUM,
     * returns the lane's squared changes of the points in `owned`. */
    template <bool SUM, bool FROZEN>
    __device__ __forceinline__ double sweep(const E &update, const beside<T> &f, mask owned)
    {
        T south[C], north[C];
        double squares = 0;
        if (FROZEN && (SUM || sizeof(T) == 4))
            forget(frozen);
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (DIM == 1)
                break;
            if (LY > 1) {
                south[c] = __shfl_up_sync(~0u, u[R - 1][c], LX % 32);
                north[c] = __shfl_down_sync(~0u, u[0][c], LX % 32);
            }
            if (ly == 0)
                south[c] = f.south[c];
            if (ly == LY - 1)
                north[c] = f.north[c];
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
            T west = __shfl_up_sync(~0u, u[r][C - 1], 1);
            T east = __shfl_down_sync(~0u, u[r][0], 1);
            if (lx == 0)
                west = f.x[r];
            if (lx == LX - 1)
                east = f.x[r];
#pragma unroll
            for (int c = 0; c < C; c++) {
                T here = u[r][c], e = c + 1 < C ? u[r][c + 1] : east;
                T s = DIM > 1 ? south[c] : 0;
                T n = DIM > 1 ? (r + 1 < R ? u[r + 1][c] : north[c]) : 0;
                T v = update(g(r, c), west, e, s, n);
                if (FROZEN)
                    v = keeps(r, c) ? here : v;
                if (SUM && owned >> (r * C + c) & 1) {
                    double d = (double)(v - here);
                    squares = fma(d, d, squares);
                }
                u[r][c] = v;
                south[c] = west = here;
            }
            if (SUM || FROZEN) /* not the neighbours of all rows first: there are no registers */
                __syncwarp();
        }
        return squares;
    }
};

/* C values, 16 bytes at a time; they must lie well. */
template <int C, typename T> static __device__ __forceinline__ void load_row(const T *from, T *to)
{
#pragma unroll
    for (int c = 0; c < C; c += pack<T>::n) {
        pack<T> v = load(from + c);
#pragma unroll
        for (int k = 0; k < pack<T>::n; k++)
            to[c + k] = v.v[k];
    }
}

template <int C, typename T> static __device__ __forceinline__ void store_row(T *to, const T *from)
{
#pragma unroll
    for (int c = 0; c < C; c += pack<T>::n) {
        pack<T> v;
#pragma unroll
        for (int k = 0; k < pack<T>::n; k++)
            v.v[k] = from[c + k];
        store(to + c, v, pack<T>::n);
    }
}

/* --- the fringes of patches side by side: the warps of a block, WX across and WY up ------------
 */

/* Twice, so that a warp can show its points of this subiteration while its neighbour still looks at
 * those of the last one: one barrier a subiteration is enough. */
template <class P, int WX, int WY> struct fringes {
    typedef typename P::T T;
    static const int WARPS = WX * WY, TURNS = WARPS > 1 ? 2 : 1;
    static const int WIDTH = P::DIM > 1 ? P::WIDTH : 1;
    T x[TURNS][WARPS][2][P::HEIGHT]; /* west and east of each patch */
    T y[TURNS][WARPS][2][WIDTH];     /* south and north of it */

    /* The lane's part of it. */
    __device__ beside<T> of(const P &p, int turn)
    {
        int warp = threadIdx.x / 32, column = P::DIM > 1 ? p.x(0) : 0;
        turn %= TURNS;
        return {&x[turn][warp][p.lx != 0][p.y(0)], &y[turn][warp][0][column],
                &y[turn][warp][1][column]};
    }

    /* What is around the patch at the start; at the sides of the block it stays there. */
    __device__ __forceinline__ void freeze(const P &p, const T (&west_or_east)[P::R],
                                           const T (&south)[P::C], const T (&north)[P::C])
    {
#pragma unroll
        for (int turn = 0; turn < TURNS; turn++) {
            beside<T> f = of(p, turn);
            if (p.lx == 0 || p.lx == P::LX - 1)
#pragma unroll
                for (int r = 0; r < P::R; r++)
                    f.x[r] = west_or_east[r];
#pragma unroll
            for (int c = 0; c < (P::DIM > 1 ? P::C : 0); c++) {
                if (p.ly == 0)
                    f.south[c] = south[c];
                if (p.ly == P::LY - 1)
                    f.north[c] = north[c];
            }
        }
        if (WARPS > 1)
            __syncthreads();
        else
            __syncwarp();
    }

    /* After a subiteration: shows the outermost points of the patch to the warps around it. */
    __device__ __forceinline__ void show(const P &p, int turn)
    {
        int warp = threadIdx.x / 32, wx = warp % WX, wy = warp / WX;
        if (WX > 1 && p.lx == 0 && wx > 0)
#pragma unroll
            for (int r = 0; r < P::R; r++)
                x[turn % TURNS][warp - 1][1][p.y(r)] = p.u[r][0];
        if (WX > 1 && p.lx == P::LX - 1 && wx + 1 < WX)
#pragma unroll
            for (int r = 0; r < P::R; r++)
                x[turn % TURNS][warp + 1][0][p.y(r)] = p.u[r][P::C - 1];
        if (P::DIM > 1 && WY > 1 && p.ly == 0 && wy > 0)
#pragma unroll
            for (int c = 0; c < P::C; c++)
                y[turn % TURNS][warp - WX][1][p.x(c)] = p.u[0][c];
        if (P::DIM > 1 && WY > 1 && p.ly == P::LY - 1 && wy + 1 < WY)
#pragma unroll
            for (int c = 0; c < P::C; c++)
                y[turn % TURNS][warp + WX][0][p.x(c)] = p.u[P::R - 1][c];
        if (WARPS > 1)
            __syncthreads();
    }
};

#endif
