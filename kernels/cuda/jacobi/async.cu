/*
 * Asynchronous Jacobi on the GPU: a thread block takes a tile into shared memory and sweeps it
 * several times a launch. After a sweep it writes its outermost points, the fringe, to memory and
 * reads its neighbours' fringes into its halo, whatever they hold by then: nobody waits for
 * anybody, and who is ahead of whom is decided by the hardware. Source: Venkatasubramanian & Vuduc,
 * tuned and wildly asynchronous stencil kernels, figures 7 to 10 (kernels/solver/async.c has the
 * four variants in a table, kernels/cpu/async.c the same race in slow motion, async.cuh the parts
 * of the kernel).
 *
 * Fringes of a launch lie side by side, a tile's four together, apart from the field: a column read
 * from the field would cost a transaction a point, and the field a launch starts from stays as it
 * is. They start as that field's, so that this is the exchange through the array being read. Each
 * launch leaves the fringes of the next one.
 *
 * A launch may have more thread blocks than fit on the device at once. Then they run in waves: the
 * hardware begins a block when one that ran has ended, and in which order is not ours to say. What
 * a tile then finds at a neighbour is mostly one of two things: the neighbour has ended, and its
 * fringe is that of its last exchange, or has not begun, and its fringe is still that of the field
 * the launch started from. That is nearer to going over the tiles one after the other than to a
 * race of equals, and it is what layer AGE shows: when half of all sweeps were done, some tiles had
 * done all of theirs and others none. To see neighbours that race each other, choose a grid whose
 * tiles all fit. Engine thread.
 */
#include <limits.h>
#include <stdlib.h>

#include "kernels/cuda/jacobi/async.cuh"
#include "kernels/solver/async.h"

static __device__ __forceinline__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* Where in a field a tile begins. */
static __device__ __forceinline__ ptrdiff_t corner_of(const ss_tiling &t, int tile, ptrdiff_t sy)
{
    return ss_cut_span(t.y, tile / t.x.count).lo * sy + ss_cut_span(t.x, tile % t.x.count).lo;
}

/* --- a launch --------------------------------------------------------------------------------- */

/* BARRIERS a sweep: three as in variant 0, one as in 1 and 2, none as in 3. */
template <class E, bool EXCHANGE, bool IN_PLACE, int BARRIERS>
__global__ void __launch_bounds__(THREADS(E::dim), 1)
    launch_tiles(ss_cuda_sweep<typename E::real> a, E update, race<typename E::real> r)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    ss_span x = ss_cut_span(r.tiling.x, blockIdx.x % r.tiling.x.count);
    ss_span y = ss_cut_span(r.tiling.y, blockIdx.x / r.tiling.x.count);
    fringe<T> own(r.fringes, r, blockIdx.x);
    ptrdiff_t corner = corner_of(r.tiling, blockIdx.x, a.sy);
    bool first = threadIdx.x == 0 && threadIdx.y == 0;
    cells<E> c;
    c.start(x, y);
    share mine(2 * ((E::dim > 1 ? (c.row - 2) : 0) + c.ny));
    volatile T *from = (T *)raw;
    int size = c.row * (c.ny + (E::dim > 1 ? 2 : 0)), other = IN_PLACE ? 0 : size;
    halo_point *list = (halo_point *)((T *)raw + size + other); /* behind the copies */
    list_neighbours<E>(r, (c.row - 2), c.ny, list, mine, from, other);
#pragma unroll
    for (int m = 0; m < CELLS; m++)
        c.g[m] = m < c.count ? a.rhs[corner + c.place(a.sy, m)] : 0;
    await_previous();
    if (stopped(a))
        return;
#pragma unroll
    for (int m = 0; m < CELLS; m++)
        c.u[m] = m < c.count ? a.in[corner + c.place(a.sy, m)] : 0;
    c.keep(from);
    look_around(r.fringes, list, mine, from);
    if (!IN_PLACE)
        look_around(r.fringes, list, mine, from + other);
    __syncthreads();
    for (int n = 1; n < r.sweeps; n++) {
        c.template sweep<IN_PLACE, true>(update, from, from + other);
        if (BARRIERS == 3)
            __syncthreads();
        if (EXCHANGE)
            c.edge(own, tell<T>);
        if (BARRIERS == 3)
            __syncthreads();
        if (EXCHANGE)
            look_around(r.fringes, list, mine, from + other);
        if (BARRIERS > 0)
            __syncthreads();
        if (first)
            r.done[(int)blockIdx.x * r.sweeps + n - 1] = nanoseconds();
        from += other;
        other = -other;
    }
    let_next_begin();
    if (EXCHANGE) { /* registers are scarce: found anew, and not kept all the while */
        int tile = blockIdx.x;
        asm volatile("" : "+r"(tile));
        corner = corner_of(r.tiling, tile, a.sy);
    }
    c.template sweep<false, false>(update, from, from);
    if (first)
        r.done[(int)(blockIdx.x + 1) * r.sweeps - 1] = nanoseconds();
#pragma unroll
    for (int m = 0; m < CELLS; m++)
        if (m < c.count)
            a.out[corner + c.place(a.sy, m)] = c.u[m];
    c.edge(fringe<T>(r.next, r, blockIdx.x), [](T *p, T value) { *p = value; });
}

/* Before the first launch of a step: the fringes of the field on hand. */
template <class E>
__global__ void gather_fringes(ss_cuda_sweep<typename E::real> a, race<typename E::real> r)
{
    typedef typename E::real T;
    ss_span x = ss_cut_span(r.tiling.x, blockIdx.x % r.tiling.x.count);
    ss_span y = ss_cut_span(r.tiling.y, blockIdx.x / r.tiling.x.count);
    fringe<T> f(r.fringes, r, blockIdx.x);
    for (int i = x.lo + threadIdx.x; E::dim > 1 && i < x.hi; i += blockDim.x) {
        f.south[i - x.lo] = a.in[y.lo * a.sy + i];
        f.north()[i - x.lo] = a.in[(y.hi - 1) * a.sy + i];
    }
    for (int j = y.lo + threadIdx.x; j < y.hi; j += blockDim.x) {
        f.west()[j - y.lo] = a.in[j * a.sy + x.lo];
        f.east()[j - y.lo] = a.in[j * a.sy + x.hi - 1];
    }
}

/* |r| of the field a launch starts from: a pass of its own, for no tile's first sweep is one of the
 * whole field. */
#define NORM_BLOCKS 1024
#define NORM_THREADS 256
template <class E>
__global__ void __launch_bounds__(NORM_THREADS)
    norm_of_start(ss_cuda_sweep<typename E::real> a, E update)
{
    typedef typename E::real T;
    int pieces = (a.nx + NORM_THREADS - 1) / NORM_THREADS;
    double squares = 0;
    await_previous();
    bool drop = stopped(a);
    for (int64_t p = blockIdx.x; p < (int64_t)pieces * a.ny; p += gridDim.x) {
        int j = (int)(p / pieces), i = (int)(p % pieces) * NORM_THREADS + threadIdx.x;
        if (i >= a.nx)
            continue;
        const T *in = a.in + j * a.sy + i;
        T south = E::dim > 1 ? in[-a.sy] : 0, north = E::dim > 1 ? in[a.sy] : 0;
        double d = (double)(update(a.rhs[j * a.sy + i], in[-1], in[1], south, north) - in[0]);
        squares += d * d;
    }
    add_to_norm(a, drop, squares);
}

/* --- host ------------------------------------------------------------------------------------- */

struct plan {
    ss_tiling tiling;
    dim3 threads;
    size_t bytes; /* of shared memory */
    void *fringes[2];
    int width, height;
    unsigned long long *done;
};

static const plan *plan_of(const ss_run *run)
{
    return (const plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

static int tiles_of(const plan *p)
{
    return p->tiling.x.count * p->tiling.y.count;
}

template <typename T> static race<T> race_of(const ss_run *run, int parity)
{
    const plan *p = plan_of(run);
    race<T> r;
    r.tiling = p->tiling;
    r.sweeps = run->iterations_per_cycle;
    r.width = p->width;
    r.height = p->height;
    r.fringes = (T *)p->fringes[parity];
    r.next = (T *)p->fringes[1 - parity];
    r.done = p->done;
    return r;
}

/* The kernel of a variant. */
template <class E> struct kernels {
    typedef typename E::real T;
    typedef void kernel(ss_cuda_sweep<T> a, E update, race<T> r);
    static kernel *of(const ss_run *run)
    {
        static kernel *const table[SS_NASYNC] = {
            launch_tiles<E, true, false, 3>,
            launch_tiles<E, true, false, 1>,
            launch_tiles<E, false, false, 1>,
            launch_tiles<E, true, true, 0>,
        };
        return table[ss_async_variant_of(&run->cfg) - ss_async_variants];
    }
};

template <class E>
static void launch_one(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const plan *p = plan_of(run);
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    if (norm)
        launch_kernel(norm_of_start<E>, NORM_BLOCKS, dim3(NORM_THREADS), 0, stream, a,
                      equation<E>(run));
    launch_kernel(kernels<E>::of(run), tiles_of(p), p->threads, p->bytes, stream, a,
                  equation<E>(run), race_of<T>(run, parity));
}

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    SS_CUDA_DISPATCH_EVEN(run, launch_one, run, parity, norm, stream);
}

template <class E> static void gather(const ss_run *run, int parity, cudaStream_t stream)
{
    typedef typename E::real T;
    gather_fringes<E><<<tiles_of(plan_of(run)), 64, 0, stream>>>(sweep_of<T>(run, parity),
                                                                 race_of<T>(run, parity));
}

static void begin(const ss_run *run, int parity, cudaStream_t stream)
{
    SS_CUDA_DISPATCH(run, gather, run, parity, stream);
}

static void free_plan(void *own)
{
    plan *p = (plan *)own;
    cudaFree(p->fringes[0]);
    cudaFree(p->fringes[1]);
    cudaFree(p->done);
    free(p);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

template <class E> static int allow_shared(const ss_run *run, size_t bytes, ss_err *err)
{
    SS_CUDA(cudaFuncSetAttribute(kernels<E>::of(run), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)bytes));
    return SS_OK;
}

/* Threads and shared memory of a tile, and whether they are to be had. */
static int fit(ss_run *run, plan *p, ss_err *err)
{
    ss_cuda_limits limits;
    bool flat = run->problem.dim > 1;
    int x = smaller(p->tiling.x.block, p->tiling.x.n),
        y = smaller(p->tiling.y.block, p->tiling.y.n);
    int columns = ceil_div(flat ? x : ceil_div(x, CELLS), 32) * 32, pieces = ceil_div(y, CELLS);
    size_t copy = (size_t)(x + 2) * (size_t)(flat ? y + 2 : 1) * ss_prec_size(run->prec);
    char need[32], most[32];
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    if ((int64_t)columns * pieces > THREADS(run->problem.dim))
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points is too large for a thread block of "
                       "%d threads with %d points each: choose a smaller block or block-y",
                       x, y, THREADS(run->problem.dim), CELLS);
    p->threads = dim3((unsigned)columns, (unsigned)pieces);
    p->bytes = copy * (ss_async_variant_of(&run->cfg)->in_place ? 1 : 2) +
               2 * (size_t)((flat ? x : 0) + y) * sizeof(halo_point);
    if (p->bytes > limits.block_bytes)
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points needs %s of shared memory, %s has "
                       "%s for a thread block: choose a smaller block or block-y",
                       x, y, ss_format_bytes((double)p->bytes, need, sizeof need), limits.name,
                       ss_format_bytes((double)limits.block_bytes, most, sizeof most));
    p->width = flat ? x : 0;
    p->height = y;
    if (2.0 * (p->width + p->height) * tiles_of(p) > INT_MAX ||
        (double)run->iterations_per_cycle * tiles_of(p) > INT_MAX)
        return ss_fail(err, "block: %d tiles are too many: choose larger ones", tiles_of(p));
    if ((double)y * (double)ss_cuda_of(run)->box.sy > INT_MAX)
        return ss_fail(
            err,
            "block-y: a tile of %d rows of so wide a field has places beyond the 32 bits "
            "that its threads count in: choose a smaller block-y",
            y);
    /* Both: another right-hand side may come. */
    return SS_CUDA_DISPATCH(run, allow_shared, run, p->bytes, err) == SS_OK
               ? SS_CUDA_DISPATCH_EVEN(run, allow_shared, run, p->bytes, err)
               : SS_FAIL;
}

static int allocate(const ss_run *run, plan *p, ss_err *err)
{
    size_t tiles = (size_t)tiles_of(p), stamps = tiles * (size_t)run->iterations_per_cycle;
    size_t bytes = tiles * 2 * (size_t)(p->width + p->height) * ss_prec_size(run->prec);
    for (int i = 0; i < 2; i++)
        if (ss_cuda_alloc(&p->fringes[i], bytes, "the fringes", err) != SS_OK)
            return SS_FAIL;
    if (ss_cuda_alloc((void **)&p->done, stamps * sizeof *p->done, "the order of the tiles", err) !=
        SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(p->done, 0, stamps * sizeof *p->done, ss_cuda_of(run)->stream));
    return SS_OK;
}

int ss_cuda_async_prepare(ss_run *run, ss_err *err)
{
    plan *p = (plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->tiling = run->solver->tiling(&run->cfg, &run->problem);
    int tiles;
    if (ss_cuda_count_tiles(&p->tiling, &tiles, err) == SS_OK && fit(run, p, err) == SS_OK &&
        allocate(run, p, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch, NORM_BLOCKS, p, free_plan, err) == SS_OK) {
        ((ss_cuda_cycles *)run->scratch)->begin = begin;
        return SS_OK;
    }
    if (!run->scratch)
        free_plan(p);
    ss_cuda_release(run);
    return SS_FAIL;
}

/* --- who was ahead ---------------------------------------------------------------------------- */

struct moment {
    unsigned long long when; /* 0: never */
    uint32_t tile;
};

static int compare_moments(const void *a, const void *b)
{
    const moment *x = (const moment *)a, *y = (const moment *)b;
    if (x->when != y->when)
        return x->when > y->when ? 1 : -1;
    return (x->tile > y->tile) - (x->tile < y->tile);
}

/* Tile by tile the sweeps of the last launch and when they were done, into the order of time. */
int ss_cuda_async_order(ss_run *run, uint32_t *tile, bool *known, ss_err *err)
{
    const plan *p = plan_of(run);
    cudaStream_t stream = ss_cuda_of(run)->stream;
    size_t sweeps = (size_t)run->iterations_per_cycle, n = (size_t)tiles_of(p) * sweeps;
    unsigned long long *done = (unsigned long long *)ss_alloc(n * sizeof *done, "times", err);
    moment *all = done ? (moment *)ss_alloc(n * sizeof *all, "times", err) : NULL;
    cudaError_t code = cudaSuccess;
    if (all)
        code = cudaMemcpyAsync(done, p->done, n * sizeof *done, cudaMemcpyDeviceToHost, stream);
    if (all && code == cudaSuccess)
        code = cudaStreamSynchronize(stream);
    for (size_t i = 0; all && i < n; i++)
        all[i] = {done[i], (uint32_t)(i / sweeps)};
    if (all)
        qsort(all, n, sizeof *all, compare_moments);
    *known = all && all[0].when > 0;
    for (size_t i = 0; all && i < n; i++)
        tile[i] = all[i].tile;
    bool allocated = all != NULL;
    free(done);
    free(all);
    SS_CUDA(code);
    return allocated ? SS_OK : SS_FAIL;
}
