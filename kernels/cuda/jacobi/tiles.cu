/*
 * Tiles in registers and in shared memory: which kernel of tile_register.cuh or tile_memory.cuh
 * takes the tiles of a run, and how it is launched. A cycle reads u[parity] and writes
 * u[1 - parity]. Host code; called by the thread of the engine.
 */
#include <stdlib.h>

#include "kernels/cuda/jacobi/tile_memory.cuh"
#include "kernels/cuda/jacobi/tile_register.cuh"
#include "kernels/cuda/jacobi/tiles.cuh"

typedef void tile_launch(const ss_run *run, const tile_plan *p, int parity, bool norm,
                         cudaStream_t stream);

/* A register kernel and the largest tile it takes. */
struct register_shape {
    int width, height;      /* of a tile, in points */
    int tiles;              /* per thread block */
    int threads;            /* 0: the end of a list */
    tile_launch *launch[2]; /* [ss_cuda_fma] */
    const void *kernel[2];  /* the same, without norm */
};

static const tile_plan *plan_of(const ss_run *run)
{
    return (const tile_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The arguments of a cycle. Tiles are numbered from point (0, 0) of the field, whose address lies
 * below the rows of this device if others have those. */
template <typename T> static ss_cuda_sweep<T> fields_of_tiles(const ss_run *run, int parity)
{
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    ptrdiff_t below = ss_cuda_of(run)->row * a.sy;
    a.in -= below;
    a.rhs -= below;
    a.out -= below;
    return a;
}

/* K: a kernel of tiles whose update is E. */
template <class E, class K>
static void launch_tiles(const ss_run *run, const tile_plan *p, K kernel, int parity,
                         cudaStream_t stream)
{
    launch_kernel(kernel, p->blocks, p->threads, p->bytes, stream,
                  fields_of_tiles<typename E::real>(run, parity), equation<E>(run),
                  tile_args{run->ticks_per_cycle, p->tiling});
}

/* --- tiles in registers: shapes --------------------------------------------------------------- */

/* P: the points of a warp. */
template <class E, class P, int WARPS>
static void launch_registers(const ss_run *run, const tile_plan *p, int parity, bool norm,
                             cudaStream_t stream)
{
    launch_tiles<E>(
        run, p, norm ? tile_in_registers<E, P, WARPS, true> : tile_in_registers<E, P, WARPS, false>,
        parity, stream);
}

/* LX lanes in x, R rows of C points per lane, WARPS warps one above the other; E: the update, F:
 * the same with fused multiply-add. */
template <class E, class F, int LX, int C, int R, int WARPS> static register_shape shape_of()
{
    typedef warp_tile<E, LX, C, R> P;
    typedef warp_tile<F, LX, C, R> Q;
    bool plane = E::dim > 1;
    return {P::WIDTH,
            plane ? P::HEIGHT * WARPS : 1,
            plane ? 1 : P::HEIGHT * WARPS,
            32 * WARPS,
            {launch_registers<E, P, WARPS>, launch_registers<F, Q, WARPS>},
            {(const void *)tile_in_registers<E, P, WARPS, false>,
             (const void *)tile_in_registers<F, Q, WARPS, false>}};
}

/* Shapes of 9 rows per lane are for tiles that a little overlap makes higher than 32 or 64 points:
 * on an H200, 64 x 72 with k = 48 and an overlap of 4 reaches a residual of 0.0001 first of all
 * (assets/measured/h200.md). */
template <class E, class F> static const register_shape *planes()
{
    static const register_shape shapes[] = {
        shape_of<E, F, 8, 4, 8, 1>(),  /* up to  32 x  32 points */
        shape_of<E, F, 8, 4, 9, 1>(),  /*        32 x  36 */
        shape_of<E, F, 16, 4, 8, 2>(), /*        64 x  32 */
        shape_of<E, F, 8, 4, 8, 2>(),  /*        32 x  64 */
        shape_of<E, F, 16, 4, 8, 4>(), /*        64 x  64 */
        shape_of<E, F, 16, 4, 9, 4>(), /*        64 x  72 */
        shape_of<E, F, 32, 4, 8, 4>(), /*       128 x  32 */
        shape_of<E, F, 8, 4, 8, 4>(),  /*        32 x 128 */
        shape_of<E, F, 32, 4, 8, 8>(), /*       128 x  64 */
        shape_of<E, F, 16, 4, 8, 8>(), /*        64 x 128 */
        {},
    };
    return shapes;
}

template <class E, class F> static const register_shape *lines()
{
    static const register_shape shapes[] = {
        shape_of<E, F, 8, 4, 8, 4>(),   /* up to  32 points */
        shape_of<E, F, 8, 8, 4, 4>(),   /*        64 */
        shape_of<E, F, 16, 8, 4, 4>(),  /*       128 */
        shape_of<E, F, 32, 8, 4, 4>(),  /*       256 */
        shape_of<E, F, 32, 16, 2, 4>(), /*       512 */
        {},
    };
    return shapes;
}

template <typename T> static const register_shape *shapes_for(int update)
{
    static const register_shape *(*const table[SS_CUDA_NUPDATE])() = {
        lines<poisson_line<T>, fma_line<T>>,
        planes<poisson_plane<T>, fma_plane<T>>,
        lines<tridiagonal<T>, tridiagonal<T>>,
        planes<pentadiagonal<T>, pentadiagonal<T>>,
    };
    return table[update]();
}

/* The first shape that is large enough, or the end of the list. */
static const register_shape *choose_shape(const ss_run *run, int x, int y)
{
    int update = ss_cuda_of(run)->update;
    const register_shape *shape =
        run->prec == SS_F64 ? shapes_for<double>(update) : shapes_for<float>(update);
    while (shape->threads && (shape->width < x || shape->height < y))
        shape++;
    return shape;
}

/* --- tiles in registers ----------------------------------------------------------------------- */

/* For the panel of costs: the bytes of registers of a thread block, and the most it may have. */
static int count_registers(ss_run *run, const register_shape *shape, ss_err *err)
{
    cudaFuncAttributes kernel;
    int most = 0;
    SS_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxRegistersPerBlock, 0));
    SS_CUDA(cudaFuncGetAttributes(&kernel, shape->kernel[ss_cuda_fma(run)]));
    run->tile_bytes = 4.0 * kernel.numRegs * shape->threads;
    run->tile_room = 4.0 * most;
    return SS_OK;
}

static int prepare_registers(ss_run *run, tile_plan *p, int tiles, ss_err *err)
{
    int x = smaller(p->tiling.x.block, p->tiling.x.n),
        y = smaller(p->tiling.y.block, p->tiling.y.n);
    p->shape = choose_shape(run, x, y);
    if (!p->shape->threads)
        return ss_fail(err,
                       run->problem.dim > 1
                           ? "block: a tile of %d \xc3\x97 %d points does not fit the registers of "
                             "a thread block, which take 64 \xc3\x97 128, 128 \xc3\x97 64 or less: "
                             "choose a smaller block or tile memory"
                           : "block: %d \xc3\x97 %d points do not fit the registers of a warp, "
                             "which take 512 or less: choose a smaller block or tile memory",
                       x, y);
    p->blocks = ceil_div(tiles, p->shape->tiles);
    p->threads = dim3((unsigned)p->shape->threads);
    return count_registers(run, p->shape, err);
}

/* --- tiles in shared memory ------------------------------------------------------------------- */

template <class E> static auto smem_kernel(const tile_plan *p, bool norm)
{
    if (p->strided)
        return norm ? tile_in_smem_strided<E, true> : tile_in_smem_strided<E, false>;
    return norm ? tile_in_smem<E, true> : tile_in_smem<E, false>;
}

template <class E>
static void launch_smem(const ss_run *run, const tile_plan *p, int parity, bool norm,
                        cudaStream_t stream)
{
    launch_tiles<E>(run, p, smem_kernel<E>(p, norm), parity, stream);
}

template <class E> static int allow_smem(const tile_plan *p, ss_err *err)
{
    return allow_shared_memory(smem_kernel<E>(p, false), err) == SS_OK
               ? allow_shared_memory(smem_kernel<E>(p, true), err)
               : SS_FAIL;
}

/* Both buffers with their halo, and the right-hand side (which tile_in_smem keeps in registers
 * instead: its share is not used). */
static size_t smem_bytes(const ss_run *run, int x, int y)
{
    size_t halo = run->problem.dim > 1 ? 2 : 0, nx = (size_t)x, ny = (size_t)y;
    return (2 * (nx + 2) * (ny + halo) + nx * ny) * ss_prec_size(run->prec);
}

/* One thread per point, in rows of whole warps, on a plane of one warp; up to the 1024 threads of a
 * block. */
static dim3 smem_threads(const ss_tiling &t, int x, int y)
{
    int tx = smaller(ceil_div(x, 32) * 32, t.y.n > 1 && y > 1 ? 32 : 1024);
    return dim3((unsigned)tx, (unsigned)smaller(y, 1024 / tx));
}

#define NORM_BYTES 512 /* static shared memory of a norm, beside the tile: 272, rounded up */

int ss_cuda_tiles_in_memory(ss_run *run, tile_plan *p, int tiles, ss_err *err)
{
    ss_cuda_limits limits;
    int x = smaller(p->tiling.x.block, p->tiling.x.n),
        y = smaller(p->tiling.y.block, p->tiling.y.n);
    char need[32], most[32];
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    p->blocks = tiles;
    p->bytes = smem_bytes(run, x, y);
    p->threads = smem_threads(p->tiling, x, y);
    p->strided = x > (int)p->threads.x || y > (int)p->threads.y;
    if (p->bytes + NORM_BYTES > limits.block_bytes)
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points needs %s of shared memory, %s has "
                       "%s for a thread block: choose a smaller block or block-y",
                       x, y, ss_format_bytes((double)(p->bytes + NORM_BYTES), need, sizeof need),
                       limits.name, ss_format_bytes((double)limits.block_bytes, most, sizeof most));
    run->tile_bytes = (double)(p->bytes + NORM_BYTES);
    run->tile_room = (double)limits.block_bytes;
    return SS_OK;
}

/* The kernels of both updates, with and without fused multiply-add: which one is valid depends on
 * the right-hand side, which a reset may change (ss_cuda_fma). */
static int prepare_memory(ss_run *run, tile_plan *p, int tiles, ss_err *err)
{
    return ss_cuda_tiles_in_memory(run, p, tiles, err) == SS_OK &&
                   SS_CUDA_DISPATCH(run, allow_smem, p, err) == SS_OK
               ? SS_CUDA_DISPATCH_FMA(run, allow_smem, p, err)
               : SS_FAIL;
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const tile_plan *p = plan_of(run);
    if (p->shape)
        p->shape->launch[ss_cuda_fma(run)](run, p, parity, norm, stream);
    else
        SS_CUDA_DISPATCH_FMA(run, launch_smem, run, p, parity, norm, stream);
}

/* The tiles of a run on one device: all, or those that own the rows of a band. Tiles of lines end
 * with the band. Returns their number, or SS_FAIL. */
static int choose_tiles(const ss_run *run, launch_tiling *t, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    int all, from = ss_cut_owner(t->y, st->row), to;
    if (ss_cuda_count_tiles(t, &all, err) != SS_OK)
        return SS_FAIL;
    to = ss_cut_owner(t->y, st->row + st->box.ny - 1) + 1;
    t->first = from * t->x.count;
    if (run->problem.dim == 1)
        t->y.n = t->y.count = to;
    return (to - from) * t->x.count;
}

int ss_cuda_tiles_prepare(ss_run *run, ss_err *err)
{
    tile_plan *p = (tile_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    static_cast<ss_tiling &>(p->tiling) = run->solver->tiling(&run->cfg, &run->problem);
    bool memory = ss_config_int(&run->cfg, "tile") == SS_TILE_MEMORY;
    int tiles = choose_tiles(run, &p->tiling, err);
    if (tiles != SS_FAIL &&
        (memory ? prepare_memory : prepare_registers)(run, p, tiles, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch, (size_t)p->blocks, p, free, err) == SS_OK)
        return SS_OK;
    if (!run->scratch) /* else ss_cuda_cycles_make has taken p over, and the release frees it */
        free(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
