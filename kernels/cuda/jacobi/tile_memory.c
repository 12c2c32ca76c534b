/* Tiles in shared memory: see tile_memory.h. */
#include "kernels/cuda/jacobi/tile_memory.h"

#define BLOCK_THREADS 1024
#define NORM_BYTES 512 /* static shared memory of a norm, beside the tile: 272, rounded up */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Both buffers with their halo, and the right-hand side (which tile_in_smem keeps in registers
 * instead: its share is not used). */
static size_t bytes_of(const ss_run *run, int x, int y)
{
    size_t halo = run->problem.dim > 1 ? 2 : 0, nx = (size_t)x, ny = (size_t)y;
    return (2 * (nx + 2) * (ny + halo) + nx * ny) * ss_prec_size(run->prec);
}

/* One thread per point, in rows of whole warps, on a plane of one warp. */
static ss_cu_dim threads_of(const ss_tiling *t, int x, int y)
{
    int tx = smaller(ceil_div(x, 32) * 32, t->y.n > 1 && y > 1 ? 32 : BLOCK_THREADS);
    return (ss_cu_dim){(unsigned)tx, (unsigned)smaller(y, BLOCK_THREADS / tx), 1};
}

int ss_cuda_tiles_in_memory(ss_run *run, const ss_tiling *t, ss_cuda_kernel *k, ss_err *err)
{
    ss_cuda_limits limits;
    int x = smaller(t->x.block, t->x.n), y = smaller(t->y.block, t->y.n);
    char need[32], most[32];
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    k->shared = bytes_of(run, x, y);
    k->threads = threads_of(t, x, y);
    size_t bytes = k->shared + NORM_BYTES;
    if (bytes > limits.block_bytes)
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points needs %s of shared memory, %s has "
                       "%s for a thread block: choose a smaller block or block-y",
                       x, y, ss_format_bytes((double)bytes, need, sizeof need), limits.name,
                       ss_format_bytes((double)limits.block_bytes, most, sizeof most));
    run->tile_bytes = (double)bytes;
    run->tile_room = (double)limits.block_bytes;
    return SS_OK;
}
