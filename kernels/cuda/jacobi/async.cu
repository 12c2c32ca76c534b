/*
 * Asynchronous Jacobi on the GPU, host side: chooses the kernel (async.cuh, or async_register.cuh
 * for variant 3 with tiles of its shapes) and the sizes of a launch, allocates the strips, and
 * finds out in which order the tiles were swept.
 *
 * A cycle of the run is one launch of async_tiles, after a launch of norm_of_start if its norm is
 * wanted: run->iterations_per_cycle sweeps of each tile. A step is a number of cycles, which
 * device/cycles.cu enqueues; fill_strips precedes the first. `parity` is the field u[parity] that a
 * cycle starts from, and the strips that it starts with. Engine thread.
 */
#include <limits.h>
#include <stdlib.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/jacobi/async_register.cuh"
#include "kernels/solver/async.h"

struct async_plan {
    ss_tiling tiling;
    const ss_async_variant *variant;
    int shape; /* of tiles in registers: index of async_shapes; NOT_IN_REGISTERS */
    dim3 threads;
    size_t bytes;      /* of shared memory, for tiles there */
    void *strips[2];   /* of all tiles; a launch starts with [parity], the next with the other */
    int width, height; /* of a tile's strips, in points: see async_args */
    unsigned long long *stamps; /* [tile][sweep]: see async_args */
};

static const async_plan *plan_of(const ss_run *run)
{
    return (const async_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

static int tiles_of(const async_plan *p)
{
    return p->tiling.x.count * p->tiling.y.count;
}

template <typename T> static async_args<T> args_of(const ss_run *run, int parity)
{
    const async_plan *p = plan_of(run);
    async_args<T> args;
    args.tiling = p->tiling;
    args.sweeps = run->iterations_per_cycle;
    args.width = p->width;
    args.height = p->height;
    args.strips = (T *)p->strips[parity];
    args.next_strips = (T *)p->strips[1 - parity];
    args.stamps = p->stamps;
    return args;
}

/* Tiles in registers: an SM holds 8 warps, 12 in single precision, in as many thread blocks as fit.
 * With 12 warps a thread has 168 registers, which is enough in single precision; with 16 it has
 * 128, and tiles spill. */
struct async_shape {
    int width, height, warps;
};
static constexpr async_shape async_shapes[] = {
    {32, 32, 1}, {64, 32, 2}, {64, 64, 4}, {64, 128, 8}, {128, 32, 4}};
enum { NOT_IN_REGISTERS = -1, SHAPES = sizeof async_shapes / sizeof *async_shapes };

/* The kernel of a shape, or of a variant in the order of ss_async_variants. */
template <class E> struct kernels {
    typedef typename E::real T;
    typedef void kernel(ss_cuda_sweep<T> a, E update, async_args<T> r);
    template <int SHAPE> static constexpr kernel *in_registers()
    {
        constexpr async_shape s = async_shapes[SHAPE];
        constexpr int warps = sizeof(T) == 4 ? 12 : 8;
        return async_in_registers<E, warp_tile<E, s.width / 4, 4, 8>, s.warps, warps / s.warps>;
    }
    static kernel *of(const async_plan *p)
    {
        static kernel *const table[SS_NASYNC] = {
            async_tiles<E, variant_0>,
            async_tiles<E, variant_1>,
            async_tiles<E, variant_2>,
            async_tiles<E, variant_3>,
        };
        if constexpr (E::dim > 1) {
            static kernel *const shapes[SHAPES] = {in_registers<0>(), in_registers<1>(),
                                                   in_registers<2>(), in_registers<3>(),
                                                   in_registers<4>()};
            if (p->shape != NOT_IN_REGISTERS)
                return shapes[p->shape];
        }
        return table[p->variant - ss_async_variants];
    }
};

/* --- launches --------------------------------------------------------------------------------- */

template <class E>
static void launch_one(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const async_plan *p = plan_of(run);
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    if (norm) /* of u[parity], the field that the cycle starts from */
        launch_kernel(norm_of_start<E>, NORM_BLOCKS, dim3(NORM_THREADS), 0, stream, a,
                      equation<E>(run));
    launch_kernel(kernels<E>::of(p), tiles_of(p), p->threads, p->bytes, stream, a, equation<E>(run),
                  args_of<T>(run, parity));
}

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    SS_CUDA_DISPATCH_FMA(run, launch_one, run, parity, norm, stream);
}

template <class E> static void launch_fill(const ss_run *run, int parity, cudaStream_t stream)
{
    typedef typename E::real T;
    fill_strips<E><<<tiles_of(plan_of(run)), 64, 0, stream>>>(sweep_of<T>(run, parity),
                                                              args_of<T>(run, parity));
}

/* ss_cuda_cycles::begin: before the first cycle of a step. */
static void begin(const ss_run *run, int parity, cudaStream_t stream)
{
    SS_CUDA_DISPATCH(run, launch_fill, run, parity, stream);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void free_plan(void *own)
{
    async_plan *p = (async_plan *)own;
    cudaFree(p->strips[0]);
    cudaFree(p->strips[1]);
    cudaFree(p->stamps);
    free(p);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Raises the kernel's limit of dynamic shared memory to the bytes of a block. */
template <class E> static int allow_smem(const async_plan *p, ss_err *err)
{
    SS_CUDA(cudaFuncSetAttribute(kernels<E>::of(p), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)p->bytes));
    return SS_OK;
}

/* The shape of registers that is x by y points. */
static int find_shape(const ss_run *run, const async_plan *p, int x, int y)
{
    if (run->problem.dim == 1 || !p->variant->in_place)
        return NOT_IN_REGISTERS;
    for (int i = 0; i < SHAPES; i++)
        if (async_shapes[i].width == x && async_shapes[i].height == y)
            return i;
    return NOT_IN_REGISTERS;
}

/* Sets the threads and the shared memory of a block; fails if the device does not offer them.
 * Example: a tile of 64 x 32 points has 64 x 4 threads with 8 points each. Variants with two
 * buffers need 2 * 66 * 34 * 8 bytes in double precision and 192 halo points of 8 bytes, 37440
 * bytes. A line's tile of 4096 points has 512 x 1 threads. */
static int set_sizes(ss_run *run, async_plan *p, ss_err *err)
{
    ss_cuda_limits limits;
    bool is_plane = run->problem.dim > 1;
    int x = smaller(p->tiling.x.block, p->tiling.x.n),
        y = smaller(p->tiling.y.block, p->tiling.y.n);
    int thread_columns = ceil_div(is_plane ? x : ceil_div(x, THREAD_POINTS), 32) * 32,
        thread_rows = ceil_div(y, THREAD_POINTS);
    size_t buffer = (size_t)(x + 2) * (size_t)(is_plane ? y + 2 : 1) * ss_prec_size(run->prec);
    char need[32], most[32];
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    if ((int64_t)thread_columns * thread_rows > ASYNC_THREADS(run->problem.dim))
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points is too large for a thread block of "
                       "%d threads with %d points each: choose a smaller block or block-y",
                       x, y, ASYNC_THREADS(run->problem.dim), THREAD_POINTS);
    p->threads = dim3((unsigned)thread_columns, (unsigned)thread_rows);
    p->bytes = buffer * (p->variant->in_place ? 1 : 2) +
               2 * (size_t)((is_plane ? x : 0) + y) * sizeof(halo_point);
    if (p->bytes > limits.block_bytes)
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points needs %s of shared memory, %s has "
                       "%s for a thread block: choose a smaller block or block-y",
                       x, y, ss_format_bytes((double)p->bytes, need, sizeof need), limits.name,
                       ss_format_bytes((double)limits.block_bytes, most, sizeof most));
    p->shape = find_shape(run, p, x, y);
    if (p->shape != NOT_IN_REGISTERS) {
        p->threads = dim3((unsigned)(32 * async_shapes[p->shape].warps));
        p->bytes = 0;
    }
    p->width = is_plane ? x : 0;
    p->height = y;
    if (2.0 * (p->width + p->height) * tiles_of(p) > INT_MAX ||
        (double)run->iterations_per_cycle * tiles_of(p) > INT_MAX)
        return ss_fail(err, "block: %d tiles are too many: choose larger ones", tiles_of(p));
    if ((double)y * (double)ss_cuda_of(run)->box.sy > INT_MAX)
        return ss_fail(
            err,
            "block-y: a tile of %d rows of a field this wide exceeds the 32-bit offsets of its "
            "threads: choose a smaller block-y",
            y);
    /* For both kernels, with and without fused multiply-add: a reset may bring a right-hand side
     * with which the fused update rounds differently, or no longer does (device/dispatch.cuh). */
    return SS_CUDA_DISPATCH(run, allow_smem, p, err) == SS_OK
               ? SS_CUDA_DISPATCH_FMA(run, allow_smem, p, err)
               : SS_FAIL;
}

static int allocate(const ss_run *run, async_plan *p, ss_err *err)
{
    size_t tiles = (size_t)tiles_of(p), count = tiles * (size_t)run->iterations_per_cycle;
    size_t bytes = tiles * 2 * (size_t)(p->width + p->height) * ss_prec_size(run->prec);
    for (int i = 0; i < 2; i++)
        if (ss_cuda_alloc(&p->strips[i], bytes, "the halo strips", err) != SS_OK)
            return SS_FAIL;
    if (ss_cuda_alloc((void **)&p->stamps, count * sizeof *p->stamps, "the order of the tiles",
                      err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(p->stamps, 0, count * sizeof *p->stamps, ss_cuda_of(run)->stream));
    return SS_OK;
}

int ss_cuda_async_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("the asynchronous solver", "solver jacobi or shared", err);
    async_plan *p = (async_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->tiling = run->solver->tiling(&run->cfg, &run->problem);
    p->variant = ss_async_variant_of(&run->cfg);
    int tiles;
    if (ss_cuda_count_tiles(&p->tiling, &tiles, err) == SS_OK && set_sizes(run, p, err) == SS_OK &&
        allocate(run, p, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch, NORM_BLOCKS, p, free_plan, err) == SS_OK) {
        ((ss_cuda_cycles *)run->scratch)->begin = begin;
        return SS_OK;
    }
    if (!run->scratch) /* else the scratch owns p, and ss_cuda_release frees it */
        free_plan(p);
    ss_cuda_release(run);
    return SS_FAIL;
}

/* --- the order of sweeps ---------------------------------------------------------------------- */

struct stamp {
    unsigned long long ns; /* 0: never */
    uint32_t tile;
};

/* By time, equal times by tile number. */
static int compare_stamps(const void *a, const void *b)
{
    const stamp *x = (const stamp *)a, *y = (const stamp *)b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? 1 : -1;
    return (x->tile > y->tile) - (x->tile < y->tile);
}

/* The tiles of all sweeps of the last launch that was not stopped, in the order in which the sweeps
 * were done. *known: all sweeps have stamps. Missing stamps are 0 and come first in the order, so
 * that testing the first one is enough. */
int ss_cuda_async_order(ss_run *run, uint32_t *tile, bool *known, ss_err *err)
{
    const async_plan *p = plan_of(run);
    cudaStream_t stream = ss_cuda_of(run)->stream;
    size_t sweeps = (size_t)run->iterations_per_cycle, n = (size_t)tiles_of(p) * sweeps;
    unsigned long long *ns = (unsigned long long *)ss_alloc(n * sizeof *ns, "times", err);
    stamp *order = ns ? (stamp *)ss_alloc(n * sizeof *order, "times", err) : NULL;
    cudaError_t code = cudaSuccess;
    if (order)
        code = cudaMemcpyAsync(ns, p->stamps, n * sizeof *ns, cudaMemcpyDeviceToHost, stream);
    if (order && code == cudaSuccess)
        code = cudaStreamSynchronize(stream);
    for (size_t i = 0; order && i < n; i++)
        order[i] = {ns[i], (uint32_t)(i / sweeps)};
    if (order)
        qsort(order, n, sizeof *order, compare_stamps);
    *known = order && order[0].ns > 0;
    for (size_t i = 0; order && i < n; i++)
        tile[i] = order[i].tile;
    bool allocated = order != NULL;
    free(ns);
    free(order);
    SS_CUDA(code);
    return allocated ? SS_OK : SS_FAIL;
}
