/*
 * Reads after `tile_register.cuh`. Marching tiles: temporal blocking in registers whose tiles are
 * as high as one likes. A tile of tile_register.cuh is loaded whole, and its overlap on all four
 * sides is computed for nothing: of 64 x 72 points 46 x 54 are useful with k = 10. Here a warp
 * takes 32 C columns and marches from its first row to its last. It holds two rows of each of the k
 * iterations; when row y of the field arrives (iteration 0), every iteration advances by one row:
 *
 *     iteration   0    1     2     3    ...   k
 *     row         y    y-1   y-2   y-3  ...  y-k, which is done and stored
 *
 * Iteration t + 1 of row j needs rows j-1, j and j+1 of iteration t. The first two are in
 * registers, `low` and `mid`; the third has just been made. Only columns are redundant, k on each
 * side, and k rows at both ends of a march. Each warp marches alone: no barrier, no halo between
 * warps. West and east neighbours come by shuffle; those of the outermost lanes are wrong, which
 * spreads by a column per iteration and never reaches a column that the tile owns.
 *
 * The right-hand side of a row is needed in k successive steps, by one iteration each. It waits in
 * shared memory in a ring of rows. Copies of the rows to come are asynchronous (cp.async) and four
 * steps ahead: no thread waits for global memory.
 *
 * Rows outside the grid stay 0: their coefficients and their right-hand side are 0. So a march
 * begins with zeros and needs no special case at either end of the grid.
 *
 * The result is that of k iterations of the whole field, and only that: host code requires an
 * overlap of 2 k or more. Device code; march.c launches this kernel.
 */
#ifndef SS_CUDA_TILE_MARCH_CUH
#define SS_CUDA_TILE_MARCH_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/device/update.cuh"
#include "kernels/cuda/jacobi/tile_memory.cuh"

#define MARCH_AHEAD 4 /* steps from the copy of a row to its use */

/* --- rows in shared memory -------------------------------------------------------------------- */

/* Rings of rows, of the field and of the right-hand side. */
template <typename T, int C, int K> struct march_rings {
    static const int N = pack<T>::n, PARTS = C / N; /* values of 16 bytes; parts of a lane's row */
    static const int ROW = 32 * C;
    static const int U_END = (MARCH_AHEAD + 1) * ROW, RHS_END = (K + MARCH_AHEAD) * ROW;
    pack<T> u[U_END / N], rhs[RHS_END / N];

    /* Where the 16 bytes number q of a row lie. Where a lane has two of them, lanes 0 to 7 together
     * read numbers 0, 2, .. 14: without the exchange two of them would lie in each bank. */
    __device__ static int place(int q)
    {
        static_assert(PARTS <= 2, "see above");
        return PARTS > 1 ? q ^ (q >> 3 & 1) : q;
    }
};

/* The place of the next row in a ring of `end` values, and of the row `back` values ago. */
template <int ROW> static __device__ __forceinline__ int next_row(int at, int end)
{
    return at + ROW == end ? 0 : at + ROW;
}
static __device__ __forceinline__ int row_before(int at, int back, int end)
{
    return (int)min((unsigned)(at - back), (unsigned)(at - back + end)); /* below 0: huge */
}

/* This lane's values of the row at `at`. */
template <class RINGS, int C, typename T>
static __device__ __forceinline__ void read_row(const pack<T> *ring, int at, T (&to)[C])
{
    const int N = pack<T>::n;
#pragma unroll
    for (int c = 0; c < C; c += N) {
        pack<T> v = ring[at / N + RINGS::place(threadIdx.x * (C / N) + c / N)];
#pragma unroll
        for (int i = 0; i < N; i++)
            to[c + i] = v.v[i];
    }
}

/* Copies a row of the field into its ring, and with it the row before of the right-hand side, which
 * is needed one step later. Lane l copies the 16 bytes l, l + 32 and so on of a row. */
template <typename T, int C, int K> struct row_copier {
    typedef march_rings<T, C, K> rings;
    static const int N = rings::N, PARTS = rings::PARTS;
    const T *u, *rhs;              /* this lane's first value of the rows that are copied next */
    int row, ny;                   /* the number of that row of the field; the rows of the grid */
    int u_at, rhs_at;              /* where they go */
    int to[PARTS], outside[PARTS]; /* within a row; bytes that lie outside the grid */

    __device__ __forceinline__ void init(const ss_cuda_sweep<T> &a, int x0, int nx, int rows, int y)
    {
        ptrdiff_t first = (ptrdiff_t)y * a.sy + x0 + threadIdx.x * N;
        u = a.in + first;
        rhs = a.rhs + first - a.sy;
        row = y;
        ny = rows;
        u_at = 0;
        rhs_at = rings::RHS_END - rings::ROW; /* of row y - 1 */
#pragma unroll
        for (int i = 0; i < PARTS; i++) {
            int q = i * 32 + threadIdx.x;
            to[i] = rings::place(q);
            outside[i] = x0 + q * N < nx ? 0 : 16;
        }
    }
    __device__ __forceinline__ void copy(rings &r, ptrdiff_t sy)
    {
        bool u_exists = row<ny, rhs_exists = row> 0 && row <= ny;
#pragma unroll
        for (int i = 0; i < PARTS; i++) {
            copy_async(&r.u[u_at / N + to[i]], u + i * 32 * N, u_exists ? outside[i] : 16);
            copy_async(&r.rhs[rhs_at / N + to[i]], rhs + i * 32 * N, rhs_exists ? outside[i] : 16);
        }
        copy_async_commit();
        row++;
        u += sy;
        rhs += sy;
        u_at = next_row<rings::ROW>(u_at, rings::U_END);
        rhs_at = next_row<rings::ROW>(rhs_at, rings::RHS_END);
    }
};

/* --- a step ----------------------------------------------------------------------------------- */

/* What a lane knows of its tile. */
struct march_place {
    int x; /* its first column */
    bool first,
        last;       /* west of it, or east of its columns, is the end of the warp or of the grid */
    unsigned owned; /* bit c: the tile owns column x + c */
    int lo, hi;     /* the rows that the tile owns */
};

/* Step y: n holds this lane's part of row y of the field, and afterwards of row y - K after K
 * iterations. rhs_at: the place of row y. With NORM returns the squared changes of the first
 * iteration that the tile owns. */
template <bool NORM, int C, int K, class E, typename T>
static __device__ __forceinline__ double
march_step(T (&low)[K][C], T (&mid)[K][C], T (&n)[C], const E &update, const march_place &at,
           const march_rings<T, C, K> &r, int rhs_at, int y, int ny)
{
    typedef march_rings<T, C, K> rings;
    double squares = 0;
#pragma unroll
    for (int t = 0; t < K; t++) {
        int j = y - 1 - t; /* the row of this iteration */
        E here = update;
        T g[C], made[C];
        read_row<rings>(r.rhs, row_before(rhs_at, (t + 1) * rings::ROW, rings::RHS_END), g);
        T west = __shfl_up_sync(~0u, mid[t][C - 1], 1);
        T east = __shfl_down_sync(~0u, mid[t][0], 1);
        if (at.first)
            west = 0;
        if (at.last)
            east = 0;
        if ((unsigned)j >= (unsigned)ny)
#pragma unroll
            for (T &c : here.c)
                c = 0;
#pragma unroll
        for (int c = 0; c < C; c++)
            made[c] = here(g[c], c > 0 ? mid[t][c - 1] : west, c + 1 < C ? mid[t][c + 1] : east,
                           low[t][c], n[c]);
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (NORM && t == 0 && j >= at.lo && j < at.hi && at.owned >> c & 1) {
                double d = (double)(made[c] - mid[t][c]);
                squares = fma(d, d, squares);
            }
            low[t][c] = n[c]; /* the rows change roles: see march_on */
            n[c] = made[c];
        }
    }
    return squares;
}

/* Stores this lane's part of a row. */
template <int C, typename T>
static __device__ __forceinline__ void store_march(T *out, const T (&n)[C], unsigned owned)
{
    const int N = pack<T>::n;
    if (owned == (1u << C) - 1)
#pragma unroll
        for (int c = 0; c < C; c += N) {
            pack<T> v;
#pragma unroll
            for (int i = 0; i < N; i++)
                v.v[i] = n[c + i];
            store(out + c, v, N);
        }
    else
#pragma unroll
        for (int c = 0; c < C; c++)
            if (owned >> c & 1)
                out[c] = n[c];
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* The first column of a block's tile is that of the warp. All that steers loops depends on the
 * block's number only: the compiler then knows that the lanes stay together. */
template <int C> static __device__ __forceinline__ march_place place_of(const launch_tiling &t)
{
    ss_span x = block_span_x(t), y = block_span_y(t);
    march_place at;
    at.x = x.lo + threadIdx.x * C;
    at.first = threadIdx.x == 0;
    at.last = threadIdx.x == 31 || at.x + C >= t.x.n;
    at.owned = 0;
#pragma unroll
    for (int c = 0; c < C; c++)
        at.owned |= (unsigned)(at.x + c >= x.wlo && at.x + c < x.whi) << c;
    at.lo = y.wlo;
    at.hi = y.whi;
    return at;
}

/* One cycle of K iterations: a block is a warp and takes one tile. */
template <class E, int C, int K, bool NORM, int WARPS>
__global__ void __launch_bounds__(32, WARPS)
    march_tiles(ss_cuda_sweep<typename E::real> a, E update, launch_tiling tiling)
{
    typedef typename E::real T;
    typedef march_rings<T, C, K> rings_type;
    __shared__ rings_type rings;
    march_place at = place_of<C>(tiling);
    int nx = tiling.x.n, ny = tiling.y.n, y = max(at.lo - K, 0), end = at.hi + K;
    int u_at = 0, rhs_at = 0;
    double squares = 0;
    T one[K][C] = {}, other[K][C] = {};
    for (int i = threadIdx.x; i < rings_type::RHS_END / rings_type::N; i += 32)
        rings.rhs[i] = pack<T>{}; /* rows below the first one are read, and must be numbers */
    __syncwarp();
    row_copier<T, C, K> copier;
    copier.init(a, block_span_x(tiling).lo, nx, ny, y);
    T *out = a.out + (ptrdiff_t)(y - K) * a.sy + at.x;
    await_previous();
    int stop = stopped(a);
#pragma unroll 1
    for (int i = 0; i < MARCH_AHEAD; i++)
        copier.copy(rings, a.sy);
    auto step = [&](T(&low)[K][C], T(&mid)[K][C]) {
        T n[C];
        copy_async_wait<MARCH_AHEAD - 1>();
        __syncwarp(); /* all lanes' copies of row y have arrived, row y - 1 has been read */
        copier.copy(rings, a.sy);
        read_row<rings_type>(rings.u, u_at, n);
        squares += march_step<NORM>(low, mid, n, update, at, rings, rhs_at, y, ny);
        if (y - K >= at.lo && y < end && !stop)
            store_march<C>(out, n, at.owned);
        u_at = next_row<rings_type::ROW>(u_at, rings_type::U_END);
        rhs_at = next_row<rings_type::ROW>(rhs_at, rings_type::RHS_END);
        out += a.sy;
        y++;
    };
#pragma unroll 1
    while (y < end) { /* in pairs: what was `mid` is `low` in the next step */
        step(one, other);
        step(other, one);
    }
    let_next_begin();
    if (NORM)
        add_to_norm(a, stop, squares);
}

#endif
