/*
 * Which kernel takes the tiles of a run, and how it is launched: see tiles.cuh. A cycle reads
 * u[parity] and writes u[1 - parity]. Host code; called by the thread of the engine.
 */
#include "kernels/cuda/jacobi/tiles.cuh"

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A launch makes the factors of the next cycle in one more thread block. */
static int more_blocks(const tile_plan *p)
{
    return p->method->recurs ? 1 : 0;
}

/* The factors of a cycle in shared memory, and one more value. */
static size_t factor_bytes(const ss_run *run, const tile_plan *p)
{
    return p->method->recurs ? ((size_t)run->ticks_per_cycle + 1) * ss_prec_size(run->prec) : 0;
}

/* --- tiles in registers ----------------------------------------------------------------------- */

/* The first shape that is large enough, or the end of the list. */
static const register_shape *choose_shape(const register_shape *shape, int x, int y)
{
    while (shape->threads && (shape->width < x || shape->height < y))
        shape++;
    return shape;
}

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
    p->shape = choose_shape(p->method->shapes(run), x, y);
    if (!p->shape->threads)
        return ss_fail(err,
                       run->problem.dim > 1
                           ? "block: a tile of %d \xc3\x97 %d points does not fit the registers of "
                             "a thread block, which take %s or less: choose a smaller block or "
                             "tile memory"
                           : "block: %d \xc3\x97 %d points do not fit the registers of a warp, "
                             "which take %s or less: choose a smaller block or tile memory",
                       x, y, p->shape->largest);
    if (p->method->coloured && run->problem.dim == 1 && p->tiling.x.count > 1 && x % 2)
        return ss_fail(
            err,
            "block: in registers all tiles of a line begin with the same colour, those of "
            "%d points do not: choose an even block or tile memory",
            x);
    p->blocks = ceil_div(tiles, p->shape->tiles) + more_blocks(p);
    p->bytes = factor_bytes(run, p);
    return count_registers(run, p->shape, err);
}

/* --- tiles in shared memory ------------------------------------------------------------------- */

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
    p->blocks = tiles + more_blocks(p);
    p->bytes = smem_bytes(run, x, y) + factor_bytes(run, p);
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
    return p->method->allow_smem(run, p, err);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const tile_plan *p = tile_plan_of(run);
    tile_launch *tiles = p->shape ? p->shape->launch[ss_cuda_fma(run)] : p->method->launch_smem;
    tiles(run, p, parity, norm, stream);
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

int ss_cuda_tiles_prepare(ss_run *run, tile_plan *p, const tile_method *method,
                          void (*free_own)(void *own), ss_err *err)
{
    p->method = method;
    static_cast<ss_tiling &>(p->tiling) = run->solver->tiling(&run->cfg, &run->problem);
    bool memory = ss_config_int(&run->cfg, "tile") == SS_TILE_MEMORY;
    int tiles = choose_tiles(run, &p->tiling, err);
    if (tiles != SS_FAIL &&
        (memory ? ss_cuda_tiles_in_memory : prepare_registers)(run, p, tiles, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch, (size_t)p->blocks, p, free_own, err) == SS_OK)
        return SS_OK;
    if (!run->scratch) /* else ss_cuda_cycles_make has taken p over, and the release frees it */
        free_own(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
