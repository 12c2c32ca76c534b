/*
 * Hierarchical Jacobi on the GPU: a thread block takes a subdomain, its frozen halo and its
 * right-hand side on chip, iterates k times, and writes back the points the subdomain owns
 * (kernels/geom/tiles.h says which; kernels/cpu/shared.c is the same schedule on a CPU).
 *
 * Two ways to be on chip. `tile=memory`, the papers': two copies of the subdomain in shared memory,
 * a thread a cell, a barrier after each subiteration; shared memory is the limit, for a point costs
 * six accesses. `tile=register`: the subdomain lies in the registers of one or more warps
 * (patch.cuh), where a point costs one and a half shuffles; arithmetic is the limit.
 * Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device.cuh"
#include "kernels/cuda/patch.cuh"

/* What both need to know of a run. */
struct subdomains {
    ss_tiling tiling;
    int k;
};

/* --- tile=memory -------------------------------------------------------------------------------
 */

template <class E> static size_t memory_bytes(const ss_tiling &t, const ss_box &b)
{
    size_t x = (size_t)(t.x.block < b.nx ? t.x.block : b.nx);
    size_t y = (size_t)(t.y.block < b.ny ? t.y.block : b.ny);
    size_t halo = E::dim > 1 ? 2 : 0;
    return (2 * (x + 2) * (y + halo) + x * y) * sizeof(typename E::real);
}

/* The tile with its halo, from the field into both copies; g without. */
template <class E>
static __device__ void load_tile(const ss_cuda_sweep<typename E::real> &a, ss_span x, ss_span y,
                                 typename E::real *u, typename E::real *v, typename E::real *g)
{
    const int halo = E::dim > 1, width = x.hi - x.lo + 2, height = y.hi - y.lo + 2 * halo;
    for (int j = threadIdx.y; j < height; j += blockDim.y)
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            u[j * width + i] = v[j * width + i] = a.in[(y.lo + j - halo) * a.sy + x.lo + i - 1];
    for (int j = threadIdx.y; j < y.hi - y.lo; j += blockDim.y)
        for (int i = threadIdx.x; i < x.hi - x.lo; i += blockDim.x)
            g[j * (width - 2) + i] = a.rhs[(y.lo + j) * a.sy + x.lo + i];
}

/* Does the subdomain write the tile's point (i, j)? */
static __device__ __forceinline__ bool owns(ss_span x, ss_span y, int i, int j)
{
    return x.lo + i >= x.wlo && x.lo + i < x.whi && y.lo + j >= y.wlo && y.lo + j < y.whi;
}

/* A subiteration of one point, from one copy of the tile into the other. */
template <class E>
static __device__ __forceinline__ typename E::real
step_point(const E &update, typename E::real rhs, const typename E::real *from,
           typename E::real *to, int width, bool there)
{
    typedef typename E::real T;
    T south = E::dim > 1 ? from[-width] : 0, north = E::dim > 1 ? from[width] : 0;
    T value = update(rhs, from[-1], from[1], south, north);
    if (there)
        *to = value;
    __syncthreads();
    return value;
}

/* A thread a cell: it loads the cell (and the halo that is next to it), knows the right-hand side
 * there by heart, and after k subiterations it writes the cell. */
template <class E, bool NORM>
__global__ void __launch_bounds__(1024, 2)
    thread_a_cell(ss_cuda_sweep<typename E::real> a, E update, subdomains s)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    const int halo = E::dim > 1;
    ss_span x = ss_cut_span(s.tiling.x, blockIdx.x % s.tiling.x.count);
    ss_span y = ss_cut_span(s.tiling.y, blockIdx.x / s.tiling.x.count);
    int i = threadIdx.x, j = threadIdx.y, nx = x.hi - x.lo, ny = y.hi - y.lo;
    int width = nx + 2, size = width * (ny + 2 * halo);
    bool there = i < nx && j < ny, mine = there && owns(x, y, i, j);
    ptrdiff_t at = (ptrdiff_t)(y.lo + j) * a.sy + x.lo + i;
    /* Threads without a cell go along with the first one, for the barriers, and store nothing. */
    T *from = (T *)raw + (there ? (j + halo) * width + i + 1 : halo * width + 1);
    T *to = from + size, value = 0, rhs = there ? a.rhs[at] : 0;
    double squares = 0;
    await_previous();
    int drop = stopped(a);
    if (there) {
        const T *in = a.in + at;
        value = *from = in[0];
        if (i == 0)
            from[-1] = to[-1] = in[-1];
        if (i == nx - 1)
            from[1] = to[1] = in[1];
        if (halo && j == 0)
            from[-width] = to[-width] = in[-a.sy];
        if (halo && j == ny - 1)
            from[width] = to[width] = in[a.sy];
    }
    __syncthreads();
    if (NORM && mine) {
        T south = halo ? from[-width] : 0, north = halo ? from[width] : 0;
        double change = (double)(update(rhs, from[-1], from[1], south, north) - value);
        squares = change * change;
    }
    if (s.k % 2) {
        value = step_point(update, rhs, from, to, width, there);
        T *swap = from;
        from = to;
        to = swap;
    }
    for (int n = 0; n < s.k / 2; n++) {
        step_point(update, rhs, from, to, width, there);
        value = step_point(update, rhs, to, from, width, there);
    }
    if (mine && !drop)
        a.out[at] = value;
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* For tiles of more cells than a block has threads: each thread walks over several. */
template <class E, bool NORM>
__global__ void in_memory(ss_cuda_sweep<typename E::real> a, E update, subdomains s)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    const int halo = E::dim > 1;
    ss_span x = ss_cut_span(s.tiling.x, blockIdx.x % s.tiling.x.count);
    ss_span y = ss_cut_span(s.tiling.y, blockIdx.x / s.tiling.x.count);
    int nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2, size = width * (ny + 2 * halo);
    T *u = (T *)raw, *v = u + size, *g = v + size;
    double squares = 0;
    await_previous();
    int drop = stopped(a);
    load_tile<E>(a, x, y, u, v, g);
    __syncthreads();
    for (int n = 0; n < s.k; n++) {
        for (int j = threadIdx.y; j < ny; j += blockDim.y)
            for (int i = threadIdx.x; i < nx; i += blockDim.x) {
                const T *in = u + (j + halo) * width + i + 1;
                T south = halo ? in[-width] : 0, north = halo ? in[width] : 0;
                T value = update(g[j * nx + i], in[-1], in[1], south, north);
                v[(j + halo) * width + i + 1] = value;
                if (NORM && n == 0 && owns(x, y, i, j))
                    squares += (double)(value - in[0]) * (double)(value - in[0]);
            }
        __syncthreads();
        T *swap = u;
        u = v;
        v = swap;
    }
    for (int j = threadIdx.y; j < ny && !drop; j += blockDim.y)
        for (int i = threadIdx.x; i < nx; i += blockDim.x)
            if (owns(x, y, i, j))
                a.out[(y.lo + j) * a.sy + x.lo + i] = u[(j + halo) * width + i + 1];
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* --- tile=register -----------------------------------------------------------------------------
 */

/* Row r of a lane in the grid: its points are (i, j), (i + 1, j), ... up to but not including
 * (x.hi, j), and it writes those in [x.wlo, x.whi). rows: how many follow within the tile, this one
 * included; 0 or less: beyond it. */
struct place {
    ss_span x;
    int i, j, rows;
    bool writes;
};

/* The tile is blockIdx.x, the warp's patch starts at (x0, y0) within it. */
template <class P>
static __device__ __forceinline__ place place_in_plane(const subdomains &s, const P &p, int r,
                                                       int x0, int y0)
{
    place at;
    ss_span y = ss_cut_span(s.tiling.y, blockIdx.x / s.tiling.x.count);
    at.x = ss_cut_span(s.tiling.x, blockIdx.x % s.tiling.x.count);
    at.i = at.x.lo + x0 + p.x(0);
    at.j = y.lo + y0 + p.y(r);
    at.rows = y.hi - at.j;
    at.writes = at.j >= y.wlo && at.j < y.whi;
    return at;
}

/* On a line each row of a patch is a subdomain of its own. */
template <class P>
static __device__ __forceinline__ place place_in_line(const subdomains &s, const P &p, int r,
                                                      int x0, int y0)
{
    place at;
    unsigned index = blockIdx.x * (blockDim.x / 32) * P::HEIGHT + y0 + p.y(r);
    at.j = (int)(index / (unsigned)s.tiling.x.count);
    at.x = ss_cut_span(s.tiling.x, (int)(index % (unsigned)s.tiling.x.count));
    at.i = at.x.lo + x0 + p.x(0);
    at.rows = s.tiling.y.n - at.j;
    at.writes = at.rows > 0;
    return at;
}

template <class P>
static __device__ __forceinline__ place place_row(const subdomains &s, const P &p, int r, int x0,
                                                  int y0)
{
    return P::DIM > 1 ? place_in_plane(s, p, r, x0, y0) : place_in_line(s, p, r, x0, y0);
}

/* Bits from `from` up to `to`, of the first n. */
template <typename mask> static __device__ __forceinline__ mask bits(int from, int to, int n)
{
    from = from < 0 ? 0 : from > n ? n : from;
    to = to < 0 ? 0 : to > n ? n : to;
    return to > from ? (((mask)1 << (to - from)) - 1) << from : 0;
}

/* The row's C values, those before `end` of them; 0 for the others. */
template <int C, typename T>
static __device__ __forceinline__ void load_some(const T *from, int end, T *to)
{
#pragma unroll
    for (int c = 0; c < C; c++)
        to[c] = c < end ? from[c] : 0;
}

/* What a thread needs for the norm, and now and then only: no reason to keep it in registers. */
template <typename mask> struct aside {
    mask owned;
    double squares;
};

/* (Two warps are announced as four: the compiler then finds registers for everything.) */
template <class E, class P, int WX, int WY, bool NORM>
__global__ void __launch_bounds__(WX * WY == 2 ? 128 : 32 * WX * WY)
    in_registers(ss_cuda_sweep<typename E::real> a, E update, subdomains s)
{
    typedef typename E::real T;
    typedef typename P::mask mask;
    __shared__ fringes<P, WX, WY> fringe;
    __shared__ aside<mask> kept[NORM ? 32 * WX * WY : 1];
    const int C = P::C, R = P::R;
    int warp = threadIdx.x / 32, x0 = warp % WX * P::WIDTH, y0 = warp / WX * P::HEIGHT;
    mask owned = 0;
    P p;
    p.start();
    /* Are all points of the patch there, does every row lie well, are all points written? Most
     * patches are like that, and they get by with a tenth of the instructions: there are few warps,
     * so that each instruction before the first subiteration costs. */
    bool whole = true, full = true;
#pragma unroll
    for (int r = 0; r<R; r += E::dim> 1 ? R - 1 : 1) {
        place at = place_row(s, p, r, x0, y0);
        whole = whole && at.rows > 0 && at.x.hi - at.i >= C && at.i % pack<T>::n == 0;
        full = full && at.writes && at.i >= at.x.wlo && at.i + C <= at.x.whi;
    }
    whole = __all_sync(~0u, whole);
    full = __all_sync(~0u, full) && whole;
    if (!full || NORM) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            mask there = at.rows > 0 ? bits<mask>(0, at.x.hi - at.i, C) : 0;
            mask mine = at.writes ? bits<mask>(at.x.wlo - at.i, at.x.whi - at.i, C) : 0;
            p.frozen |= (mask)~there << (r * C) & bits<mask>(r * C, r * C + C, R * C);
            owned |= (mine & there) << (r * C);
        }
    }
    /* The right-hand side does not change from cycle to cycle, so it is read before the cycle that
     * went before is through. */
#pragma unroll
    for (int r = 0; r < R; r++) {
        place at = place_row(s, p, r, x0, y0);
        const T *rhs = a.rhs + (ptrdiff_t)at.j * a.sy + at.i;
        if (whole)
            load_row<C>(rhs, p.g[r]);
        else
            load_some<C>(rhs, at.rows > 0 ? at.x.hi - at.i : 0, p.g[r]);
    }
    await_previous();
    int drop = stopped(a);
    bool side = p.lx == 0 || p.lx == P::LX - 1;
    int far = p.lx == 0 ? -1 : C;
    T west_or_east[R], south[C], north[C];
    /* A point beyond the tile is frozen; right behind the tile's end it is the halo. */
    if (whole) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            const T *in = a.in + (ptrdiff_t)at.j * a.sy + at.i;
            load_row<C>(in, p.u[r]);
            west_or_east[r] = side ? in[far] : 0;
        }
    } else {
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            const T *in = a.in + (ptrdiff_t)at.j * a.sy + at.i;
            int halo =
                at.rows > 0 || (E::dim > 1 && at.rows == 0) ? at.x.hi - at.i + (at.rows > 0) : 0;
            load_some<C>(in, halo, p.u[r]);
            west_or_east[r] = side && at.rows > 0 && far < halo ? in[far] : 0;
        }
    }
    if (E::dim > 1) {
        place first = place_row(s, p, 0, x0, y0), last = place_row(s, p, R - 1, x0, y0);
        const T *below = a.in + (ptrdiff_t)(first.j - 1) * a.sy + first.i;
        const T *above = a.in + (ptrdiff_t)(last.j + 1) * a.sy + last.i;
#pragma unroll
        for (int c = 0; c < C; c++) {
            bool across = c < first.x.hi - first.i;
            south[c] = p.ly == 0 && first.rows > 0 && across ? below[c] : 0;
            north[c] = p.ly == P::LY - 1 && last.rows > 0 && across ? above[c] : 0;
        }
    }
    fringe.freeze(p, west_or_east, south, north);
    if (NORM)
        kept[threadIdx.x].owned = owned;
    /* Patches at the end of the grid have frozen points; all others never look. */
    bool some = __any_sync(~0u, p.frozen != 0);
    for (int n = 0; n < s.k; n++) {
        beside<T> f = fringe.of(p, n);
        if (NORM && n == 0)
            kept[threadIdx.x].squares =
                p.template sweep<true, true>(update, f, kept[threadIdx.x].owned);
        else if (some)
            p.template sweep<false, true>(update, f, 0);
        else
            p.template sweep<false, false>(update, f, 0);
        fringe.show(p, n + 1);
    }
    let_next_begin();
    if (full && !drop) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            store_row<C>(a.out + (ptrdiff_t)at.j * a.sy + at.i, p.u[r]);
        }
    } else if (!drop) {
        owned = NORM ? kept[threadIdx.x].owned : owned;
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            T *out = a.out + (ptrdiff_t)at.j * a.sy + at.i;
#pragma unroll
            for (int c = 0; c < C; c++)
                if (owned >> (r * C + c) & 1)
                    out[c] = p.u[r][c];
        }
    }
    if (NORM)
        add_to_norm(a, drop, kept[threadIdx.x].squares);
}

/* --- which kernel ------------------------------------------------------------------------------
 */

struct choice;
typedef void launcher(const ss_run *run, const choice *how, const ss_tiling &t, int parity,
                      bool norm, cudaStream_t stream);

/* A kernel and the widest block it takes. */
struct choice {
    int width, height;
    int rows; /* subdomains of a thread block, on a line */
    int threads;
    launcher *launch[2]; /* in general; where the update is even */
};

template <class E, class P, int WX, int WY>
static void launch_registers(const ss_run *run, const choice *how, const ss_tiling &t, int parity,
                             bool norm, cudaStream_t stream)
{
    ss_cuda_sweep<typename E::real> a = sweep_of<typename E::real>(run, parity);
    subdomains s = {t, run->iterations_per_cycle};
    int blocks = ceil_div((int64_t)t.x.count * t.y.count, how->rows);
    launch_kernel(norm ? in_registers<E, P, WX, WY, true> : in_registers<E, P, WX, WY, false>,
                  blocks, dim3(32 * WX * WY), 0, stream, a, equation<E>(run), s);
}

#define TILE(T, LX, R, WX, WY)                                                                     \
    {                                                                                              \
        4 * LX *WX, 32 / LX *R *WY, 1, 32 * WX *WY,                                                \
        {                                                                                          \
            launch_registers<plane<T>, patch<plane<T>, LX, 4, R>, WX, WY>,                         \
                launch_registers<even_plane<T>, patch<even_plane<T>, LX, 4, R>, WX, WY>            \
        }                                                                                          \
    }
#define LINE(T, LX, C, R)                                                                          \
    {                                                                                              \
        LX *C, 1, 4 * (32 / LX) * R, 128,                                                          \
        {                                                                                          \
            launch_registers<line<T>, patch<line<T>, LX, C, R>, 1, 4>,                             \
                launch_registers<even_line<T>, patch<even_line<T>, LX, C, R>, 1, 4>                \
        }                                                                                          \
    }

/* By precision; narrowest first, so that the first one that is wide enough is the one. */
static const choice tiles[SS_NPREC][11] = {
    {TILE(double, 8, 8, 1, 1), TILE(double, 8, 9, 1, 1), TILE(double, 16, 8, 1, 2), TILE(double, 8, 8, 1, 2),
     TILE(double, 16, 8, 1, 4), TILE(double, 16, 9, 1, 4), TILE(double, 32, 8, 1, 4), TILE(double, 8, 8, 1, 4),
     TILE(double, 32, 8, 1, 8), TILE(double, 16, 8, 1, 8)},
    {TILE(float, 8, 8, 1, 1), TILE(float, 8, 9, 1, 1), TILE(float, 16, 8, 1, 2), TILE(float, 8, 8, 1, 2),
     TILE(float, 16, 8, 1, 4), TILE(float, 16, 9, 1, 4), TILE(float, 32, 8, 1, 4), TILE(float, 8, 8, 1, 4),
     TILE(float, 32, 8, 1, 8), TILE(float, 16, 8, 1, 8)},
};
static const choice lines[SS_NPREC][10] = {
    {LINE(double, 8, 4, 8), LINE(double, 8, 8, 4), LINE(double, 16, 8, 4), LINE(double, 32, 8, 4),
     LINE(double, 32, 16, 2)},
    {LINE(float, 8, 4, 8), LINE(float, 8, 8, 4), LINE(float, 16, 8, 4), LINE(float, 32, 8, 4),
     LINE(float, 32, 16, 2)},
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static const choice *choose(const ss_run *run, const ss_tiling &t)
{
    const choice *rows = run->problem.dim == 1 ? lines[run->prec] : tiles[run->prec];
    int x = smaller(t.x.block, t.x.n), y = smaller(t.y.block, t.y.n);
    for (; rows->launch[0]; rows++)
        if (rows->width >= x && rows->height >= y)
            return rows;
    return NULL;
}

struct plan {
    const choice *how;  /* NULL: in memory */
    bool thread_a_cell; /* if in memory */
    ss_tiling tiling;
    size_t bytes;
    dim3 threads;
};

template <class E> struct memory_kernel_of {
    typedef void type(ss_cuda_sweep<typename E::real>, E, subdomains);
};

template <class E>
static typename memory_kernel_of<E>::type *memory_kernel(bool cells, bool norm)
{
    if (cells)
        return norm ? thread_a_cell<E, true> : thread_a_cell<E, false>;
    return norm ? in_memory<E, true> : in_memory<E, false>;
}

template <class E>
static void launch_memory(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const plan *p = (const plan *)((const ss_cuda_cycles *)run->scratch)->own;
    ss_cuda_sweep<typename E::real> a = sweep_of<typename E::real>(run, parity);
    subdomains s = {p->tiling, run->iterations_per_cycle};
    int blocks = p->tiling.x.count * p->tiling.y.count;
    launch_kernel(memory_kernel<E>(p->thread_a_cell, norm), blocks, p->threads, p->bytes, stream, a,
                  equation<E>(run), s);
}

static void launch_any(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const plan *p = (const plan *)((const ss_cuda_cycles *)run->scratch)->own;
    if (p->how)
        p->how->launch[ss_cuda_even(run)](run, p->how, p->tiling, parity, norm, stream);
    else
        SS_CUDA_DISPATCH_EVEN(run, launch_memory, run, parity, norm, stream);
}

/* --- preparing ---------------------------------------------------------------------------------
 */

template <class E> static int allow_shared(const plan *p, ss_err *err)
{
    for (int norm = 0; norm < 2; norm++)
        SS_CUDA(cudaFuncSetAttribute(memory_kernel<E>(p->thread_a_cell, norm),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, (int)p->bytes));
    return SS_OK;
}

/* A thread a cell, as far as a block has so many. */
static dim3 threads_of(const ss_tiling &t)
{
    int x = smaller(t.x.block, t.x.n), y = smaller(t.y.block, t.y.n);
    int tx = smaller(ceil_div(x, 32) * 32, t.y.n > 1 && y > 1 ? 32 : 1024);
    return dim3((unsigned)tx, (unsigned)smaller(y, 1024 / tx));
}

static int prepare_memory(ss_run *run, plan *p, ss_err *err)
{
    ss_cuda_limits limits;
    const ss_box &b = ss_cuda_of(run)->box;
    char need[32], most[32];
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    p->bytes = SS_CUDA_DISPATCH(run, memory_bytes, p->tiling, b);
    p->threads = threads_of(p->tiling);
    p->thread_a_cell = smaller(p->tiling.x.block, b.nx) <= (int)p->threads.x &&
                       smaller(p->tiling.y.block, b.ny) <= (int)p->threads.y;
    if (p->bytes + 512 > limits.block_bytes) /* the norm takes a little too */
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points needs %s of shared memory, %s has "
                       "%s for a thread block: choose a smaller block or block-y",
                       smaller(p->tiling.x.block, b.nx), smaller(p->tiling.y.block, b.ny),
                       ss_format_bytes((double)p->bytes, need, sizeof need), limits.name,
                       ss_format_bytes((double)limits.block_bytes, most, sizeof most));
    return SS_CUDA_DISPATCH_EVEN(run, allow_shared, p, err);
}

static int prepare_registers(ss_run *run, plan *p, ss_err *err)
{
    p->how = choose(run, p->tiling);
    if (p->how)
        return SS_OK;
    return ss_fail(err,
                   run->problem.dim > 1
                       ? "block: a tile of %d \xc3\x97 %d points does not fit the registers of "
                         "a thread block, which take 64 \xc3\x97 128, 128 \xc3\x97 64 or less: "
                         "choose a smaller block or tile memory"
                       : "block: %d \xc3\x97 %d points do not fit the registers of a warp, "
                         "which take 512 or less: choose a smaller block or tile memory",
                   smaller(p->tiling.x.block, p->tiling.x.n),
                   smaller(p->tiling.y.block, p->tiling.y.n));
}

int ss_cuda_shared_prepare(ss_run *run, ss_err *err)
{
    plan *p = (plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->tiling = run->solver->tiling(&run->cfg, &run->problem);
    size_t blocks = (size_t)p->tiling.x.count * (size_t)p->tiling.y.count;
    int status = ss_config_int(&run->cfg, "tile") == SS_TILE_MEMORY
                     ? prepare_memory(run, p, err)
                     : prepare_registers(run, p, err);
    if (status == SS_OK && ss_cuda_cycles_make(run, launch_any, blocks, p, free, err) == SS_OK)
        return SS_OK;
    if (!run->scratch)
        free(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
