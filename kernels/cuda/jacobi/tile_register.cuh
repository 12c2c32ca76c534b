/*
 * Temporal blocking in registers: as tile_memory.cuh, a thread block loads a tile with a halo of
 * one point, iterates k times on chip, and writes the points that the tile owns; but the tile lies
 * in the registers of one or more warps, one above the other. The halo at the tile's sides keeps
 * its values during the k subiterations ("frozen"); with an overlap of 2 (k - 1) between tiles all
 * written points have the values of classic Jacobi (tile_memory.cuh says more).
 *
 * A lane has R rows of C points; a warp has LX lanes along x and 32 / LX along y. Most neighbours
 * of a lane's points are its own; the others come from the next lane by a shuffle, and at the sides
 * of the warp's part from halo strips in shared memory (halo_strips). Example: LX = 8, C = 4, R =
 * 8: 8 x 4 lanes, 32 x 32 points.
 *
 * Why 4 x 8 points per lane: shuffles grow with the perimeter of these points, updates with their
 * area. The 8 rows and 4 columns of a lane need a neighbour at each end, 24 values for 32 updates
 * or 0.75 per update; a float takes one shuffle, a double two. An SM of Hopper does 32 shuffles and
 * 64 operations in double precision per clock. So an update takes 1.5 / 32 = 0.047 clocks of
 * shuffles and, with its two products and four sums, 6 / 64 = 0.094 of arithmetic (0.063 with the
 * fused update of four operations, update.cuh). Both overlap: arithmetic is the limit. The four
 * columns make a row of a lane one or two loads of 16 bytes.
 *
 * Global memory moves 24/k bytes per point and iteration in double precision. Occupancy is low by
 * design: 4 x 8 points in double precision take about 230 registers per thread, so that 8 of the 64
 * warps of an SM are resident; latencies are hidden by the independent updates of one thread
 * instead of by other warps.
 *
 * H200, double precision, k = 16, no overlap, against `vector`, the best kernel that iterates once:
 * 6.09 times as fast for 1024 x 1024 points in tiles of 32 x 32 (0.70 us per iteration;
 * tile_in_smem: 1.72 us), 7.77 times for 16384 x 16384 in tiles of 64 x 64.
 *
 * Layout and E as in tile_memory.cuh: point (i, j) of the field is element j * a.sy + i;
 * update(rhs, west, east, south, north) is a point's new value; lines (E::dim, here DIM, is 1) have
 * no south and north, and each row of a warp is a tile of its own. Device code; tiles.c launches
 * the kernel.
 */
#ifndef SS_CUDA_TILE_REGISTER_CUH
#define SS_CUDA_TILE_REGISTER_CUH

/* ss_cuda_sweep<T>, the arguments of a cycle: in, rhs, out, sy. stopped(a): has a norm ended the
 * run? add_to_norm(a, stop, squares): all threads call it with the squared changes of their points.
 */
#include "kernels/cuda/device/norm.cuh"
/* pack<T>: 16 bytes, pack<T>::n values v[]; load(p), store(p, v, n): of the first n of them. */
#include "kernels/cuda/device/pack.cuh"
/* await_previous(): waits until the launch before this one has stored its field; let_next_begin():
 * the next launch may begin. opaque(x): the compiler must compute what follows from x again. */
#include "kernels/cuda/device/ptx.cuh"
/* The types E; E::real is double or float. */
#include "kernels/cuda/device/update.cuh"
/* tile_args s: s.k subiterations; s.tiling, the tiles of this launch. */
#include "kernels/cuda/jacobi/tile_memory.cuh"
/* What is between field and registers. classify<NORM>(tiling, p, whole, full) returns the lane's
 * points that the tile owns, a bit each, and sets p.frozen, the bits of points that do not exist;
 * whole: all points of the warp exist; full: the tile owns all of them. load_rhs(): the right-hand
 * sides into p.reg_rhs. load_rows(): the points into p.u and, for the outer lanes, the frozen halo
 * west or east of each row; load_halo_rows(): the rows south and north of the tile. store_tile():
 * stores what the tile owns. */
#include "kernels/cuda/jacobi/tile_rows.cuh"

/* --- the points of a warp --------------------------------------------------------------------- */

/* One bit per point of a lane. */
template <bool MORE_THAN_32> struct mask_of {
    typedef uint32_t type;
};
template <> struct mask_of<true> {
    typedef uint64_t type;
};

/* The halo next to a lane: its west or east column, its south row, its north row. Meaningful only
 * for lanes at that side of the tile; x can be read by all. Column c of the lane is south or
 * north[P::along(c)]; if T is volatile, [c]. */
template <typename T> struct halo_ptrs {
    T *x, *south, *north;
};

/* The warp's part of the tile. SMEM_ROWS is 0 here; in fast/ the right-hand sides of the lane's
 * last SMEM_ROWS rows are in shared memory, where a kernel would spill registers with all of them.
 */
template <class E, int LX_, int C_, int R_, int SMEM_ROWS_ = 0> struct warp_tile {
    typedef typename E::real T;
    typedef typename mask_of<(C_ * R_ > 32)>::type mask;
    static const int DIM = E::dim;
    static const int LX = LX_, LY = 32 / LX_, C = C_, R = R_;
    static const int WIDTH = LX * C, HEIGHT = LY * R; /* of the tile, in points */
    static const int SMEM_ROWS = SMEM_ROWS_, REG_ROWS = R - SMEM_ROWS;

    /* Single precision: all lanes load the point beside their row, before its shuffles; then no
     * load waits for a shuffle whose result it replaces. H200: tiles of 128 x 64 points 5 % faster,
     * of 64 x 128 7 %. In double precision to choose between that load and the shuffled value
     * takes two instructions more per point: 6 to 10 % slower. With 9 rows its register costs an SM
     * a thread block: 17 % slower. */
    static const bool EDGE_FIRST = sizeof(T) == 4 && R != 9;

    /* A strip of halo along x has 16 bytes of each lane, then the next 16 bytes of each lane. So
     * lanes that access shared memory together, eight of them, access 128 bytes in a row: no bank
     * conflicts. Column by column each access takes twice as long. */
    static const int PACK = C % pack<T>::n == 0 ? pack<T>::n : 1;
    static __host__ __device__ constexpr int along(int c)
    {
        return c / PACK * LX * PACK + c % PACK;
    }

    T u[R][C], reg_rhs[REG_ROWS > 0 ? REG_ROWS : 1][C];
    T *smem_rhs; /* [SMEM_ROWS][C][32 lanes], from this lane on */
    int lx, ly;  /* of this lane */
    mask frozen; /* bit r*C + c: the point keeps its value */

    __device__ void init()
    {
        int lane = threadIdx.x % 32;
        lx = lane % LX;
        ly = lane / LX;
        frozen = 0;
    }
    /* Column c and row r of the lane, within the tile. */
    __device__ int x(int c) const
    {
        return lx * C + c;
    }
    __device__ int y(int r) const
    {
        return ly * R + r;
    }
    __device__ bool is_frozen(int r, int c) const
    {
        return frozen >> (r * C + c) & 1;
    }

    __device__ __forceinline__ T &rhs(int r, int c)
    {
        return r < REG_ROWS ? reg_rhs[r][c] : smem_rhs[((r - REG_ROWS) * C + c) * 32];
    }

    /* A lane's part of a strip of halo along x. */
    static __device__ __forceinline__ void load_strip(const T *strip, T (&row)[C])
    {
#pragma unroll
        for (int c = 0; c < C; c += PACK) {
            pack<T> v;
            if (PACK > 1)
                v = load(strip + along(c));
            else
                v.v[0] = strip[along(c)];
#pragma unroll
            for (int k = 0; k < PACK; k++)
                row[c + k] = v.v[k];
        }
    }
    /* Of a strip that others write meanwhile: column by column, in order. */
    static __device__ __forceinline__ void load_strip(const volatile T *strip, T (&row)[C])
    {
#pragma unroll
        for (int c = 0; c < C; c++)
            row[c] = strip[c];
    }
    static __device__ __forceinline__ void store_strip(T *strip, const T (&row)[C])
    {
#pragma unroll
        for (int c = 0; c < C; c += PACK) {
            pack<T> v;
#pragma unroll
            for (int k = 0; k < PACK; k++)
                v.v[k] = row[c + k];
            store(strip + along(c), v, PACK);
        }
    }

    /* The rows below and above the lane's: of the lanes there, or of the halo. */
    template <class HALO>
    __device__ __forceinline__ void get_y_neighbours(const HALO &halo, T (&south)[C],
                                                     T (&north)[C]) const
    {
        if (DIM == 1)
            return;
        if (LY > 1)
#pragma unroll
            for (int c = 0; c < C; c++) {
                south[c] = __shfl_up_sync(~0u, u[R - 1][c], LX % 32);
                north[c] = __shfl_down_sync(~0u, u[0][c], LX % 32);
            }
        if (ly == 0)
            load_strip(halo.south, south);
        if (ly == LY - 1)
            load_strip(halo.north, north);
    }

    /* One subiteration. With SUM, returns the lane's sum of squared changes of the points in
     * `owned`; with FROZEN, points whose bit is set in `frozen` keep their value. Rows are updated
     * in place from south to north: `south` and `west` hold the old values of the points that have
     * been overwritten; with RACE `south` holds the new ones (async_register.cuh). All lanes of a
     * warp execute a shuffle together: west and east of a row are passed on before any lane updates
     * it, the outermost rows before all updates. With ZERO_SIDES zeros lie west and east of the
     * tile, and the halo has only the rows south and north of it. */
    template <bool SUM, bool FROZEN, bool ZERO_SIDES = false, bool RACE = false, class HALO>
    __device__ __forceinline__ double sweep(const E &update, const HALO &halo, mask owned)
    {
        T south[C], north[C];
        double squares = 0;
        if (FROZEN && (SUM || sizeof(T) == 4))
            opaque(frozen); /* its bits are tested anew, not kept as one predicate per point; for
                             * doubles without SUM the registers suffice */
        get_y_neighbours(halo, south, north);
#pragma unroll
        for (int r = 0; r < R; r++) {
            const bool known = ZERO_SIDES || (EDGE_FIRST && !SUM);
            T edge = known && !ZERO_SIDES ? halo.x[r] : 0;
            T west = __shfl_up_sync(~0u, u[r][C - 1], 1);
            T east = __shfl_down_sync(~0u, u[r][0], 1);
            if (lx == 0)
                west = known ? edge : halo.x[r];
            if (lx == LX - 1)
                east = known ? edge : halo.x[r];
#pragma unroll
            for (int c = 0; c < C; c++) {
                T here = u[r][c], e = c + 1 < C ? u[r][c + 1] : east;
                T s = DIM > 1 ? south[c] : 0;
                T n = DIM > 1 ? (r + 1 < R ? u[r + 1][c] : north[c]) : 0;
                T v = update(rhs(r, c), west, e, s, n);
                if (FROZEN)
                    v = is_frozen(r, c) ? here : v;
                if (SUM && owned >> (r * C + c) & 1) {
                    double d = (double)(v - here);
                    squares = fma(d, d, squares);
                }
                u[r][c] = v;
                south[c] = RACE ? u[r][c] : here;
                west = here;
            }
            if (SUM || FROZEN) /* else all rows' shuffles move to the front, and registers spill */
                __syncwarp();
        }
        return squares;
    }
};

/* --- halo strips ------------------------------------------------------------------------------ */

/* The halos of a block's warps, WX x WY of them, in shared memory. Strips at the sides of the block
 * are frozen; the others hold the outermost points of the neighbouring warp. A double buffer: a
 * warp writes its points of this subiteration while its neighbour may still read those of the last
 * one, so that one barrier per subiteration is enough. Warps without neighbours, a single one or
 * whole lines beside each other, need no second buffer and no barrier. */
template <class P, int WX, int WY> struct halo_strips {
    typedef typename P::T T;
    static const bool COUPLED = WX > 1 || (P::DIM > 1 && WY > 1);
    static const int WARPS = WX * WY, BUFFERS = COUPLED ? 2 : 1;
    static const int WIDTH = P::DIM > 1 ? P::WIDTH : 1;
    /* Warps at the block's south and north sides write strips, too, which nobody reads: so that the
     * loop has no branch for them. More than 8 warps have no shared memory for that. */
    static const int BESIDE = P::DIM > 1 && WY > 1 && WARPS <= 8 ? WX : 0;
    /* South and north of each warp's tile (see along()), those of warp w at BESIDE + w. */
    alignas(16) T y[BUFFERS][WARPS + 2 * BESIDE][2][WIDTH];
    T x[BUFFERS][WARPS][2][P::HEIGHT]; /* west and east of it */

    /* The strips next to this lane in subiteration n. */
    __device__ halo_ptrs<T> ptrs(const P &p, int n)
    {
        int warp = threadIdx.x / 32, column = P::DIM > 1 ? p.lx * P::PACK : 0;
        n &= BUFFERS - 1;
        return {&x[n][warp][p.lx != 0][p.y(0)], &y[n][BESIDE + warp][0][column],
                &y[n][BESIDE + warp][1][column]};
    }

    /* Writes the halo that each warp starts with, into both buffers. */
    __device__ __forceinline__ void init(const P &p, const T (&west_or_east)[P::R],
                                         const T (&south)[P::C], const T (&north)[P::C])
    {
#pragma unroll
        for (int n = 0; n < BUFFERS; n++) {
            halo_ptrs<T> halo = ptrs(p, n);
            if (p.lx == 0 || p.lx == P::LX - 1)
#pragma unroll
                for (int r = 0; r < P::R; r++)
                    halo.x[r] = west_or_east[r];
            if (P::DIM > 1 && p.ly == 0)
                P::store_strip(halo.south, south);
            if (P::DIM > 1 && p.ly == P::LY - 1)
                P::store_strip(halo.north, north);
        }
        if (COUPLED)
            __syncthreads(); /* neighbours overwrite parts of it: publish() */
        else
            __syncwarp(); /* written before they are read */
    }

    /* After a subiteration: writes the outermost points of the tile into the halos of the
     * neighbouring warps, for subiteration n. */
    __device__ __forceinline__ void write(const P &p, int n)
    {
        int warp = threadIdx.x / 32, wx = warp % WX, wy = warp / WX;
        if (WX > 1 && p.lx == 0 && wx > 0)
#pragma unroll
            for (int r = 0; r < P::R; r++)
                x[n % BUFFERS][warp - 1][1][p.y(r)] = p.u[r][0];
        if (WX > 1 && p.lx == P::LX - 1 && wx + 1 < WX)
#pragma unroll
            for (int r = 0; r < P::R; r++)
                x[n % BUFFERS][warp + 1][0][p.y(r)] = p.u[r][P::C - 1];
        const bool southern = BESIDE || wy > 0, northern = BESIDE || wy + 1 < WY; /* strips */
        if (P::DIM > 1 && WY > 1 && p.ly == 0 && southern)
            P::store_strip(&y[n & (BUFFERS - 1)][BESIDE + warp - WX][1][p.lx * P::PACK], p.u[0]);
        if (P::DIM > 1 && WY > 1 && p.ly == P::LY - 1 && northern)
            P::store_strip(&y[n & (BUFFERS - 1)][BESIDE + warp + WX][0][p.lx * P::PACK],
                           p.u[P::R - 1]);
    }

    /* The same, and waits for the other warps. */
    __device__ __forceinline__ void publish(const P &p, int n)
    {
        write(p, n);
        if (COUPLED)
            __syncthreads(); /* all strips of subiteration n are written */
    }
};

/* --- iterate ---------------------------------------------------------------------------------- */

/* Loads the warp's part of the tile into registers and its frozen halo into shared memory. */
template <class P, int WARPS>
static __device__ __forceinline__ void load_tile(P &p, halo_strips<P, 1, WARPS> &halo,
                                                 const ss_cuda_sweep<typename P::T> &a,
                                                 const launch_tiling &t, bool whole)
{
    typename P::T west_or_east[P::R], south[P::C], north[P::C];
    load_rows(p, a, t, whole, west_or_east);
    if (P::DIM > 1)
        load_halo_rows(p, a, t, south, north);
    halo.init(p, west_or_east, south, north);
}

/* A thread's part of the norm, in shared memory: it is needed in the first subiteration and at the
 * end of a launch, and a register for it in between would make others spill. */
template <typename mask> struct norm_part {
    mask owned;
    double squares;
};

/* k subiterations. Between warps, the halo of a warp holds its neighbours' points of the last
 * subiteration (publish, which ends with a barrier); at the tile's sides it is frozen. Only warps
 * with frozen points, those of tiles smaller than the block's shape, test for them; with NORM the
 * first subiteration always does. */
template <bool NORM, class E, class P, int WARPS>
static __device__ __forceinline__ void iterate(P &p, halo_strips<P, 1, WARPS> &halo,
                                               const E &update, int k,
                                               norm_part<typename P::mask> *part)
{
    bool frozen = __any_sync(~0u, p.frozen != 0);
    for (int n = 0; n < k; n++) {
        halo_ptrs<typename P::T> h = halo.ptrs(p, n);
        if (NORM && n == 0)
            part->squares = p.template sweep<true, true>(update, h, part->owned);
        else if (frozen)
            p.template sweep<false, true>(update, h, 0);
        else
            p.template sweep<false, false>(update, h, 0);
        halo.publish(p, n + 1);
    }
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* Threads per block for __launch_bounds__. For some tile shapes it is deliberately larger than the
 * launch: with the true size ptxas (CUDA 13.0, sm_90) spills registers, although a thread may have
 * 255 in either case. Wide tiles in single precision are held to 128 registers: ptxas takes 139,
 * and an SM then has 8 warps of the largest tile, not 16 (measured.md). */
template <class P, int WARPS, bool NORM> static constexpr int launch_bound()
{
    const int threads = WARPS == 2 ? 128 : 32 * WARPS;
    const bool wide = P::DIM > 1 && P::LX == 32 && sizeof(typename P::T) == 4 && !NORM;
    const int least = wide ? 512 : NORM && P::R > 8 ? 224 : 0;
    return least > threads ? least : threads;
}

/* One cycle of the tile of these warps, or of their lines. The right-hand side is the same in all
 * cycles and is loaded while the previous one may still run, the field only after it
 * (await_previous). The next kernel may start while this one stores (let_next_begin). `stop` is
 * loaded before the points and tested after them: no thread waits for it. */
template <class E, class P, int WARPS, bool NORM>
__global__ void __launch_bounds__(launch_bound<P, WARPS, NORM>())
    tile_in_registers(ss_cuda_sweep<typename E::real> a, E update, tile_args s)
{
    __shared__ halo_strips<P, 1, WARPS> halo;
    __shared__ norm_part<typename P::mask> norm_parts[NORM ? 32 * WARPS : 1];
    norm_part<typename P::mask> *part = &norm_parts[NORM ? threadIdx.x : 0];
    P p;
    p.init();
    bool whole, full;
    typename P::mask owned = classify<NORM>(s.tiling, p, whole, full);
    load_rhs(p, a, s.tiling, whole);
    await_previous();
    int stop = stopped(a);
    load_tile(p, halo, a, s.tiling, whole);
    if (NORM)
        part->owned = owned;
    iterate<NORM>(p, halo, update, s.k, part);
    let_next_begin();
    store_tile(p, a, s.tiling, stop, full, NORM ? part->owned : owned);
    if (NORM)
        add_to_norm(a, stop, part->squares);
}

#endif
