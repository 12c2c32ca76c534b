/*
 * A tile of the grid in the registers of one warp: R rows of C points per lane, LX lanes along x
 * and 32/LX along y. A subiteration needs no memory for the points themselves. Most neighbours of a
 * lane's points are its own; the others come from the next lane by a shuffle, and at the sides of
 * the tile from halo strips in shared memory (halo_strips). On a line the rows of a tile are
 * independent of each other.
 *
 * Why 4 x 8 points per lane: shuffles grow with the perimeter of these points, updates with their
 * area. The 8 rows and 4 columns of a lane need a neighbour at each end, 24 values for 32 updates
 * or 0.75 per update; a float takes one shuffle, a double two. An SM of Hopper does 32 shuffles and
 * 64 operations in double precision per clock. So an update takes 1.5 / 32 = 0.047 clocks of
 * shuffles and, with its two products and four sums, 6 / 64 = 0.094 of arithmetic (0.063 with the
 * fused update of four operations, update.cuh). Both overlap: arithmetic is the limit. The four
 * columns make a row of a lane one or two loads of 16 bytes.
 *
 * "Frozen" points keep their value: those of the halo, and those outside the grid. Device code.
 */
#ifndef SS_CUDA_WARP_TILE_CUH
#define SS_CUDA_WARP_TILE_CUH

#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/device/update.cuh"

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

/* With SMEM_ROWS, the right-hand sides of the lane's last SMEM_ROWS rows are in shared memory, for
 * kernels that would spill registers with all of them (persistent.cuh; tiles of `shared` have
 * none). */
template <class E, int LX_, int C_, int R_, int SMEM_ROWS_ = 0> struct warp_tile {
    typedef typename E::real T;
    typedef typename mask_of<(C_ * R_ > 32)>::type mask;
    static const int DIM = E::dim;
    static const int LX = LX_, LY = 32 / LX_, C = C_, R = R_;
    static const int WIDTH = LX * C, HEIGHT = LY * R; /* of the tile, in points */
    static const int SMEM_ROWS = SMEM_ROWS_, REG_ROWS = R - SMEM_ROWS;
    template <int N> using with_smem_rows = warp_tile<E, LX, C, R, N>;

    /* Single precision: all lanes load the point beside their row, before its shuffles; then no
     * load waits for a shuffle whose result it replaces. H200: tiles of 128 x 64 points 5 % faster,
     * of 64 x 128 7 %. In double precision the choice between both takes two instructions more per
     * point: 6 to 10 % slower. With 9 rows its register costs an SM a thread block: 17 % slower. */
    static const bool EDGE_FIRST = sizeof(T) == 4 && R != 9;

    /* A strip of halo along x has 16 bytes of each lane, then the next 16 bytes of each lane. So
     * lanes that access shared memory together, eight of them, access 128 bytes in a row: no bank
     * conflicts. Column by column each access takes twice as long. */
    static const int PACK = C % pack<T>::n == 0 ? pack<T>::n : 1;
    static __host__ __device__ constexpr int along(int c)
    {
        return c / PACK * LX * PACK + c % PACK;
    }

    /* Where column x of the tile is in such a strip. */
    static __device__ int place(int x)
    {
        return x / C * PACK + along(x % C);
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

    /* Shared memory for right-hand sides of all warps of a block. Lanes of a warp access
     * consecutive words: no bank conflicts. */
    template <int WARPS> struct rhs_smem {
        T g[WARPS][SMEM_ROWS > 0 ? SMEM_ROWS : 1][C][32];
    };
    template <int WARPS> __device__ void use_smem(rhs_smem<WARPS> &s)
    {
        smem_rhs = SMEM_ROWS > 0 ? &s.g[threadIdx.x / 32][0][0][threadIdx.x % 32] : nullptr;
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

    /* Row r of a subiteration between two rows, with zeros west and east of the tile. */
    __device__ __forceinline__ void update_row(const E &update, int r, const T (&south)[C],
                                               const T (&north)[C])
    {
        T west = __shfl_up_sync(~0u, u[r][C - 1], 1);
        T east = __shfl_down_sync(~0u, u[r][0], 1);
        west = lx == 0 ? 0 : west;
        east = lx == LX - 1 ? 0 : east;
#pragma unroll
        for (int c = 0; c < C; c++) {
            T here = u[r][c];
            u[r][c] = update(rhs(r, c), west, c + 1 < C ? u[r][c + 1] : east, south[c], north[c]);
            west = here;
        }
    }

    /* One subiteration that needs the halo late, with one row of lanes (LY = 1) and zeros at the
     * sides: first the inner rows, then wait(), then the two rows next to the halo. */
    template <class WAIT>
    __device__ __forceinline__ void sweep_inner_first(const E &update, const halo_ptrs<T> &halo,
                                                      WAIT wait)
    {
        static_assert(LY == 1 && R > 2, "lanes have no neighbours in y");
        T south[C], second[C], beyond_south[C], beyond_north[C];
#pragma unroll
        for (int c = 0; c < C; c++)
            south[c] = u[0][c], second[c] = u[1][c];
#pragma unroll
        for (int r = 1; r < R - 1; r++) {
            T old[C];
#pragma unroll
            for (int c = 0; c < C; c++)
                old[c] = u[r][c];
            update_row(update, r, south, u[r + 1]);
#pragma unroll
            for (int c = 0; c < C; c++)
                south[c] = old[c];
        }
        wait();
        load_strip(halo.south, beyond_south);
        load_strip(halo.north, beyond_north);
        update_row(update, 0, beyond_south, second);
        update_row(update, R - 1, south, beyond_north);
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

/* Loads or stores C values as 16-byte vectors; the address must be 16-byte aligned. */
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

/* --- halo strips ------------------------------------------------------------------------------ */

/* The halos of a block's warps, WX x WY of them, in shared memory. Strips at the sides of the block
 * are frozen; the others hold the outermost points of the neighbouring warp. A double buffer: a
 * warp writes its points of this subiteration while its neighbour may still read those of the last
 * one, so that one barrier per subiteration is enough. Warps without neighbours, a single one or
 * whole lines beside each other, need neither. */
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

    /* The barrier in halves, so that warps compute between them: write(), arrive(n), later wait(n).
     * With WX = 1 and an even number of warps. The even warps arrive at barriers at which the odd
     * ones wait, and the other way round; a warp's neighbours are all of the other kind. Each kind
     * has two barriers in turn. When a warp arrives at one again, its last phase is over: the warp
     * has waited for an arrival of the other kind, which follows their wait in that phase. That
     * arrival also follows their loads of the strips which the warp then writes again. */
    __device__ __forceinline__ void arrive(int n)
    {
        int barrier = 1 + (n & 1) * 2 + (threadIdx.x / 32 & 1);
        barrier_arrive<32 * WARPS>(barrier);
    }
    __device__ __forceinline__ void wait(int n)
    {
        int barrier = 1 + (n & 1) * 2 + (~(threadIdx.x / 32) & 1);
        barrier_sync<32 * WARPS>(barrier);
    }
};

#endif
