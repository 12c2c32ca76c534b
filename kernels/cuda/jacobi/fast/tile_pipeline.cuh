/*
 * Reads after `tile_march.cuh`. Pipelined temporal blocking: tiles that march, as in
 * tile_march.cuh, with the iterations divided among the warps of a block. A marching warp holds two
 * rows of each of its k iterations, so that its tile is 64 columns wide, 2 k of them redundant.
 * Here a tile has 32 C columns, a block is `warps` warps, and every warp does L iterations of all
 * its columns, C per lane:
 *
 *     warp 0    iterations 1 to L         of rows y, y-1, ...
 *     warp 1    iterations L+1 to 2 L     of the rows that warp 0 has finished
 *     ...
 *     the last  writes rows after k = L * warps iterations to the field
 *
 * A warp hands its finished rows to the next one through shared memory. Steps come in pairs with
 * one barrier: a row that is finished in a pair of steps is taken up in the next pair. So a warp is
 * L + PIPE_STEPS rows behind the one before it.
 *
 * The right-hand side of a row is read from shared memory once per warp: iteration t + 1 takes it
 * over from iteration t, a step later, in registers. Copies of the rows to come are asynchronous:
 * one thread asks for whole rows (cp.async.bulk, compute capability 9.0) four steps ahead, and a
 * barrier in shared memory counts the bytes that have arrived.
 *
 * Rows and columns outside the grid stay 0, and results are those of k iterations of the whole
 * field: see tile_march.cuh. A lane's columns must not extend beyond the east end of the grid, so
 * the last tiles end with it. Device code; march.c launches this kernel.
 */
#ifndef SS_CUDA_TILE_PIPELINE_CUH
#define SS_CUDA_TILE_PIPELINE_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/device/update.cuh"
#include "kernels/cuda/jacobi/block_shape.h"
#include "kernels/cuda/jacobi/tile_memory.cuh"

#define PIPE_COPIES 4 /* in a pair of steps: rows of the field and their right-hand sides */
#define PIPE_WARPS 8  /* at most, each with 255 registers per thread */

/* --- rows in shared memory -------------------------------------------------------------------- */

/* A row that is copied in every pair of steps, into a ring. */
template <typename T> struct pipe_copy {
    const T *from;     /* its first column that exists */
    int row;           /* of the field */
    int to, end, size; /* where it goes; the end and the size of the ring */
};

/* What one thread or one warp needs once in a step. Registers are for rows. */
template <typename T> struct alignas(128) pipe_state {
    uint64_t arrived[PIPE_STAGES]; /* barriers that count arriving bytes */
    pipe_copy<T> copy[PIPE_COPIES];
    unsigned bytes;     /* of a row */
    int end;            /* steps of the march */
    int lo, hi;         /* the rows that the tile owns; none if the run has stopped */
    T *out[32];         /* each lane's first point of row 0 */
    unsigned owned[32]; /* bit c: the tile owns column c of the lane */
};

/* Where rows lie behind the state, in values of T: a row of zeros; PIPE_ROWS rows for each warp to
 * read; the ring of right-hand sides. */
template <typename T, int L, int C> struct pipe_rows {
    static const int ROW = 32 * C, IN = ROW, PART = PIPE_ROWS * ROW;
    static const int BEHIND = L + PIPE_STEPS; /* rows from one warp to the next */

    static __device__ int rhs(int warps)
    {
        return IN + warps * PART;
    }
    static __device__ int rhs_size(int warps)
    {
        return pipe_rhs_values(L, C, warps);
    }
    static __device__ int size(int warps)
    {
        return pipe_values(L, C, warps);
    }
};

/* The widest access of a lane to its C values. Lanes that lie an odd number of accesses apart have
 * no bank conflict. */
template <typename T, int C> struct pipe_access {
    static const int SIZE = C * (int)sizeof(T), BYTES = SIZE & -SIZE, N = BYTES / sizeof(T);
    static_assert(BYTES <= 16, "C values are an odd number of accesses");
    struct alignas(BYTES) type {
        T v[N];
    };
};

template <int C, typename T>
static __device__ __forceinline__ void read_lane(const T *row, T (&to)[C])
{
    typedef pipe_access<T, C> access;
#pragma unroll
    for (int c = 0; c < C; c += access::N) {
        typename access::type v = ((const typename access::type *)row)[c / access::N];
#pragma unroll
        for (int i = 0; i < access::N; i++)
            to[c + i] = v.v[i];
    }
}

template <int C, typename T>
static __device__ __forceinline__ void write_lane(T *row, const T (&values)[C])
{
    typedef pipe_access<T, C> access;
#pragma unroll
    for (int c = 0; c < C; c += access::N) {
        typename access::type v;
#pragma unroll
        for (int i = 0; i < access::N; i++)
            v.v[i] = values[c + i];
        ((typename access::type *)row)[c / access::N] = v;
    }
}

/* Writes the values that the tile owns to the field. */
template <int C, typename T>
static __device__ __forceinline__ void store_lane(T *out, const T (&values)[C], unsigned owned)
{
    if (owned == (1u << C) - 1)
        write_lane(out, values);
    else
#pragma unroll
        for (int c = 0; c < C; c++)
            if (owned >> c & 1)
                out[c] = values[c];
}

/* --- copies ----------------------------------------------------------------------------------- */

/* Waits until a barrier has completed its phase of this parity. */
static __device__ __forceinline__ void await_arrivals(uint64_t *barrier, unsigned parity)
{
    while (!arrived(shared_address(barrier), parity)) {
    }
}

/* Begins this warp's part of the copies of one stage. One thread of each warp. */
template <int ROW, typename T>
static __device__ __forceinline__ void copy_rows(pipe_state<T> &state, T *rows, int stage, int ny,
                                                 ptrdiff_t sy)
{
#pragma unroll 1
    for (int i = threadIdx.y; i < PIPE_COPIES; i += blockDim.y) {
        pipe_copy<T> &c = state.copy[i];
        int next = c.to + PIPE_STEPS * ROW;
        unsigned bytes = (unsigned)c.row < (unsigned)ny ? state.bytes : 0;
        unsigned barrier = shared_address(&state.arrived[stage]);
        arrive_expecting(barrier, bytes);
        if (bytes)
            copy_bulk(rows + c.to, c.from, bytes, barrier);
        c.from += PIPE_STEPS * sy;
        c.row += PIPE_STEPS;
        c.to = next < c.end ? next : next - c.size;
    }
}

/* --- a step ----------------------------------------------------------------------------------- */

/* What a lane knows of its tile. */
struct pipe_place {
    bool first, last; /* west of its columns, or east, is the end of the tile or of the grid */
    int ny;           /* rows of the grid */
    int lo, hi;       /* rows that count in the norm */
    unsigned owned;   /* columns that do */
};

/* One step of a warp: n holds this lane's part of row `row` after the iterations of the warps
 * before, and afterwards of row `row` - L after L more. u: two rows of each iteration; rhs: the
 * right-hand sides of rows `row` - L to `row` - 1. Arrays change roles from step to step: STEP
 * says which is which. With NORM returns the squared changes of the first iteration. */
template <int STEP, bool NORM, int L, int C, class E, typename T>
static __device__ __forceinline__ double pipe_step(T (&u)[2][L][C], T (&rhs)[L][C], T (&n)[C],
                                                   const E &update, const pipe_place &at, int row)
{
    double squares = 0;
#pragma unroll
    for (int t = 0; t < L; t++) {
        T(&low)[C] = u[STEP % 2][t], (&mid)[C] = u[1 - STEP % 2][t];
        T(&g)[C] = rhs[(STEP + L - t) % L];
        int j = row - 1 - t; /* the row of this iteration */
        E here = update;
        T made[C];
        T west = __shfl_up_sync(~0u, mid[C - 1], 1);
        T east = __shfl_down_sync(~0u, mid[0], 1);
        if (at.first)
            west = 0;
        if (at.last)
            east = 0;
        if ((unsigned)j >= (unsigned)at.ny)
#pragma unroll
            for (T &c : here.c)
                c = 0;
#pragma unroll
        for (int c = 0; c < C; c++)
            made[c] =
                here(g[c], c > 0 ? mid[c - 1] : west, c + 1 < C ? mid[c + 1] : east, low[c], n[c]);
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (NORM && t == 0 && j >= at.lo && j < at.hi && at.owned >> c & 1) {
                double d = (double)(made[c] - mid[c]);
                squares = fma(d, d, squares);
            }
            low[c] = n[c];
            n[c] = made[c];
        }
    }
    return squares;
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* The first column of a tile: its own, or further west, so that the last lane ends with the grid.
 */
template <int C> static __device__ __forceinline__ int first_column(const launch_tiling &t)
{
    int lo = block_span_x(t).lo;
    return lo > 0 ? min(lo, t.x.n - 32 * C) : 0;
}

/* Fills in the state for a march from row y0 on. One warp. */
template <int L, int C, typename T>
static __device__ void init_state(pipe_state<T> &state, const ss_cuda_sweep<T> &a,
                                  const launch_tiling &t, int y0)
{
    typedef pipe_rows<T, L, C> R;
    ss_span x = block_span_x(t), y = block_span_y(t);
    int x0 = first_column<C>(t), begin = max(x0, 0), warps = blockDim.y;
    int lane_x = x0 + threadIdx.x * C, i = threadIdx.x, rhs = i % 2;
    unsigned owned = 0;
    for (int c = 0; c < C; c++)
        owned |= (unsigned)(lane_x + c >= x.wlo && lane_x + c < x.whi) << c;
    state.owned[i] = owned;
    state.out[i] = a.out + lane_x;
    if (i < PIPE_STAGES)
        arrivals_init(shared_address(&state.arrived[i]), PIPE_COPIES);
    if (i <
        PIPE_COPIES) { /* row y0 + i / 2 of the field, or the right-hand side of the row before */
        int row = y0 + i / 2 - rhs, ring = rhs ? R::rhs(warps) : R::IN;
        int size = rhs ? R::rhs_size(warps) : R::PART;
        const T *from = (rhs ? a.rhs : a.in) + (ptrdiff_t)row * a.sy + begin;
        state.copy[i] = {from, row, ring + i / 2 * R::ROW + begin - x0, ring + size, size};
    }
    state.bytes = (min(x0 + 32 * C, t.x.n) - begin) * sizeof(T);
    state.end = y.whi + L + (warps - 1) * R::BEHIND;
    state.lo = y.wlo;
    state.hi = y.whi;
}

/* A lane's view of its warp's part of the pipeline. */
template <class E, int L, int C, bool NORM> struct pipe_lane {
    typedef typename E::real T;
    typedef pipe_rows<T, L, C> R;
    pipe_state<T> &state;
    T *rows;
    pipe_place at;
    int row, rhs_at, parity; /* row of this step; its right-hand side; of the stages' barriers */
    T u[2][L][C], rhs[L][C];
    double squares;

    /* Begins a pair of steps: all warps have finished the one before. */
    template <int STAGE> __device__ __forceinline__ void begin_pair(ptrdiff_t sy)
    {
        if (threadIdx.y == 0)
            await_arrivals(&state.arrived[STAGE], parity);
        __syncthreads();
        if (threadIdx.x == 0)
            copy_rows<R::ROW>(state, rows, (STAGE + 2) % PIPE_STAGES, at.ny, sy);
        __syncwarp();
    }
    /* Reads this lane's part of a row, of zeros for a row outside the grid. */
    __device__ __forceinline__ void read(T (&to)[C], int offset, int j)
    {
        read_lane(rows + threadIdx.x * C + ((unsigned)j < (unsigned)at.ny ? offset : 0), to);
    }
    template <int STEP> __device__ __forceinline__ void step(const E &update, ptrdiff_t sy)
    {
        const int warp = threadIdx.y, warps = blockDim.y, next = (STEP + PIPE_STEPS) % PIPE_ROWS;
        T n[C];
        if (STEP % PIPE_STEPS == 0)
            begin_pair<STEP / PIPE_STEPS>(sy);
        read(n, R::IN + warp * R::PART + STEP * R::ROW, row);
        read(rhs[STEP % L], rhs_at, row - 1);
        squares += pipe_step<STEP, NORM>(u, rhs, n, update, at, row);
        if (warp < warps - 1)
            write_lane(rows + threadIdx.x * C + R::IN + (warp + 1) * R::PART + next * R::ROW, n);
        else if (row - L >= state.lo && row - L < state.hi)
            store_lane(state.out[threadIdx.x] + (ptrdiff_t)(row - L) * sy, n,
                       state.owned[threadIdx.x]);
        rhs_at += R::ROW;
        if (rhs_at == R::size(warps))
            rhs_at = R::rhs(warps);
        row++;
    }
    __device__ __forceinline__ void march(const E &update, ptrdiff_t sy)
    {
#pragma unroll 1
        for (; row + (int)threadIdx.y * R::BEHIND < state.end; parity ^= 1) {
            step<0>(update, sy);
            step<1>(update, sy);
            step<2>(update, sy);
            step<3>(update, sy);
            step<4>(update, sy);
            step<5>(update, sy);
        }
    }
};

/* One cycle of L iterations per warp: a block takes one tile. */
template <class E, int L, int C, bool NORM>
__global__ void __launch_bounds__(32 * PIPE_WARPS, 1)
    pipeline_tiles(ss_cuda_sweep<typename E::real> a, E update, launch_tiling tiling)
{
    typedef typename E::real T;
    typedef pipe_rows<T, L, C> R;
    static_assert(PIPE_ROWS % L == 0 && PIPE_ROWS % 2 == 0, "names repeat");
    static_assert(sizeof(pipe_state<T>) == PIPE_STATE_BYTES, "see block_shape.h");
    extern __shared__ __align__(128) char memory[];
    pipe_state<T> &state = *(pipe_state<T> *)memory;
    T *rows = (T *)(memory + sizeof state);
    ss_span y = block_span_y(tiling);
    const int warp = threadIdx.y, warps = blockDim.y, y0 = max(y.wlo - L * warps, 0);
    const int x0 = first_column<C>(tiling), end = x0 + ((int)threadIdx.x + 1) * C;
    for (int i = warp * 32 + threadIdx.x; i < R::size(warps); i += 32 * warps)
        rows[i] = 0;
    if (warp == 0)
        init_state<L, C>(state, a, tiling, y0);
    fence_copies();
    __syncthreads();
    pipe_lane<E, L, C, NORM> lane = {state, rows};
    lane.at = {threadIdx.x == 0, threadIdx.x == 31 || end >= tiling.x.n, tiling.y.n};
    if (NORM && warp == 0) {
        lane.at.lo = y.wlo;
        lane.at.hi = y.whi;
        lane.at.owned = state.owned[threadIdx.x];
    }
    lane.row = y0 - warp * R::BEHIND;
    lane.rhs_at = R::rhs(warps) + (warp ? R::rhs_size(warps) - warp * R::BEHIND * R::ROW : 0);
    await_previous();
    int stop = stopped(a);
    if (stop && warp == warps - 1)
        state.hi = y.wlo;
    for (int i = 0; threadIdx.x == 0 && i < PIPE_STAGES - 1; i++)
        copy_rows<R::ROW>(state, rows, i, tiling.y.n, a.sy);
    __syncwarp();
    lane.march(update, a.sy);
    let_next_begin();
    if (NORM)
        add_to_norm(a, stop, lane.squares);
}

#endif
