/*
 * A patch of the grid held in the registers of one warp: R x C points a lane, LX lanes along x and
 * 32/LX along y, so that no shared memory is needed to iterate. Neighbours in x come from the next
 * lane by shuffle, in y they are mostly the lane's own. What lies beyond the patch stands in xh
 * (west for the leftmost lane of a row of lanes, east for the rightmost) and yh (south for the
 * lowest, north for the highest).
 *
 * On a line (one direction) the rows of a patch have nothing to do with each other.
 *
 * How wide a lane should be: a row of C points costs two shuffles, whatever C is, and so does a
 * column of R points in y; the update of a point takes six operations. With 4 x 8 points a lane the
 * shuffles take half the time of the arithmetic in double precision, and hide behind it.
 */
#ifndef SS_CUDA_PATCH_CUH
#define SS_CUDA_PATCH_CUH

#include "kernels/cuda/device.cuh"

/* A bit for each of a lane's points. */
template <bool MANY> struct mask_of {
    typedef uint32_t type;
};
template <> struct mask_of<true> {
    typedef uint64_t type;
};

template <class E, int LX_, int C_, int R_> struct patch {
    typedef typename E::real T;
    typedef typename mask_of<(C_ * R_ > 32)>::type mask;
    static const int DIM = E::dim;
    static const int LX = LX_, LY = 32 / LX_, C = C_, R = R_;
    static const int WIDTH = LX * C, HEIGHT = LY * R; /* of the patch, in points */

    T u[R][C], g[R][C], xh[R], yh[C];
    int lx, ly;  /* of this lane */
    mask frozen; /* bit r*C + c: the point keeps its value */

    __device__ void start()
    {
        int lane = threadIdx.x % 32;
        lx = lane % LX;
        ly = lane / LX;
        frozen = 0;
    }
    __device__ int x(int c) const
    {
        return lx * C + c;
    } /* within the patch */
    __device__ int y(int r) const
    {
        return ly * R + r;
    }
    __device__ bool keeps(int r, int c) const
    {
        return frozen >> (r * C + c) & 1;
    }

    /* One subiteration. With SUM, returns the lane's squared changes of the points in `owned`. */
    template <bool SUM, bool FROZEN>
    __device__ __forceinline__ double sweep(const E &update, mask owned)
    {
        T south[C], north[C], old[C];
        double squares = 0;
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (E::dim == 1)
                break;
            south[c] = __shfl_up_sync(~0u, u[R - 1][c], LX);
            north[c] = __shfl_down_sync(~0u, u[0][c], LX);
            south[c] = ly == 0 ? yh[c] : south[c];
            north[c] = ly == LY - 1 ? yh[c] : north[c];
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
            T west = __shfl_up_sync(~0u, u[r][C - 1], 1);
            T east = __shfl_down_sync(~0u, u[r][0], 1);
            west = lx == 0 ? xh[r] : west;
            east = lx == LX - 1 ? xh[r] : east;
#pragma unroll
            for (int c = 0; c < C; c++)
                old[c] = u[r][c];
#pragma unroll
            for (int c = 0; c < C; c++) {
                T w = c ? old[c - 1] : west, e = c + 1 < C ? old[c + 1] : east;
                T s = E::dim > 1 ? south[c] : 0;
                T n = E::dim > 1 ? (r + 1 < R ? u[r + 1][c] : north[c]) : 0;
                T v = update(g[r][c], w, e, s, n);
                if (FROZEN)
                    v = keeps(r, c) ? old[c] : v;
                u[r][c] = v;
                if (SUM) {
                    double d = owned >> (r * C + c) & 1 ? (double)(v - old[c]) : 0;
                    squares += d * d;
                }
                south[c] = old[c];
            }
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

/* --- several patches side by side: the warps of a thread block, WX across, WY up ----------------
 */

/* What the warps of a block show each other: the outermost points of their patches, twice, so that
 * one barrier a subiteration is enough. Patches that are alone have nobody to show them to. */
template <class P, int WX, int WY> struct fringes {
    typedef typename P::T T;
    static const bool alone = WX * WY == 1 || P::DIM == 1;
    T x[2][alone ? 1 : WX * WY][2][alone ? 1 : P::HEIGHT]; /* leftmost and rightmost column */
    T y[2][alone ? 1 : WX * WY][2][alone ? 1 : P::WIDTH];  /* lowest and highest row */
};

/* After a subiteration: shows the patch's fringe, and takes in that of its neighbours in the block.
 * Sides of the block itself are left as they are. */
template <class P, int WX, int WY>
static __device__ __forceinline__ void exchange(P &p, fringes<P, WX, WY> &f, int turn)
{
    if (fringes<P, WX, WY>::alone)
        return;
    int warp = threadIdx.x / 32, wx = warp % WX, wy = warp / WX;
    turn &= 1;
    if (WX > 1 && (p.lx == 0 || p.lx == P::LX - 1)) {
#pragma unroll
        for (int r = 0; r < P::R; r++)
            f.x[turn][warp][p.lx != 0][p.y(r)] = p.lx == 0 ? p.u[r][0] : p.u[r][P::C - 1];
    }
    if (WY > 1 && (p.ly == 0 || p.ly == P::LY - 1)) {
#pragma unroll
        for (int c = 0; c < P::C; c++)
            f.y[turn][warp][p.ly != 0][p.x(c)] = p.ly == 0 ? p.u[0][c] : p.u[P::R - 1][c];
    }
    __syncthreads();
    bool west = p.lx == 0 && wx > 0, east = p.lx == P::LX - 1 && wx + 1 < WX;
    if (WX > 1 && (west || east)) {
        int other = west ? warp - 1 : warp + 1;
#pragma unroll
        for (int r = 0; r < P::R; r++)
            p.xh[r] = f.x[turn][other][west][p.y(r)];
    }
    bool south = p.ly == 0 && wy > 0, north = p.ly == P::LY - 1 && wy + 1 < WY;
    if (WY > 1 && (south || north)) {
        int other = south ? warp - WX : warp + WX;
#pragma unroll
        for (int c = 0; c < P::C; c++)
            p.yh[c] = f.y[turn][other][south][p.x(c)];
    }
}

#endif
