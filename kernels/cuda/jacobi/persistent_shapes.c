/* The shapes of regions, and the names of their kernels in persistent.cuh: see persistent.h. */
#include "kernels/cuda/jacobi/persistent.h"

/* In the last two a warp has 32 lanes with 11 points in x and 4 rows, which are 4 lines: 4 warps in
 * x cover 4 * 32 * 11 = 1408 points, 2 in y 8 lines. Both hold 11264 points. In the others a warp
 * has whole lines: no warp waits for another, and nothing is exchanged. */
static const region_shape lines[] = {
    {{32, 8, 4, 0, 1, 8}, true},   /* up to  256 points of 32 lines */
    {{32, 16, 2, 0, 1, 8}, true},  /*        512           16 */
    {{32, 32, 1, 0, 1, 8}, true},  /*       1024            8 */
    {{32, 11, 4, 0, 4, 2}, false}, /* 1408 points of 8 lines */
    {{32, 11, 4, 0, 8, 1}, false}, /* 2816 points of 4 lines */
    {{0}, false},
};

#define PLANE_COLUMNS 4 /* of a lane */

static const region_shape planes[] = {
    {{16, PLANE_COLUMNS, 8, 0, 1, 4}, false},   /*  64 x  64 points */
    {{32, PLANE_COLUMNS, 11, 0, 1, 8}, false},  /* 128 x  88 */
    {{32, PLANE_COLUMNS, 13, 0, 1, 12}, false}, /* 128 x 156; in double precision right-hand sides
                                                   are in shared memory */
    {{0}, false},
};

const region_shape *ss_cuda_persistent_shapes(const ss_run *run)
{
    return run->problem.dim > 1 ? planes : lines;
}

/* Chooses the rows of a lane whose right-hand sides are in shared memory, to avoid register spills:
 * all of them if the registers cannot hold them beside the points. With a norm or frozen points, a
 * thread is estimated to need 2 * R rows for u and rhs, and 80 registers for everything else;
 * without either 80 are not needed, and no row moves. If the need exceeds `most`, the registers of
 * a thread, as many whole rows move as free at least 28, or 32 for several devices: stores for
 * another device need a few registers more. Planes in double precision: a row has 4 * 2 = 8
 * registers, 2 * 11 * 8 + 80 = 256 > 255, ceil(28 / 8) = 4 rows move. Lines: a row has 11 * 2 = 22,
 * 2 rows move. tests/lint/kernels.sh lists the kernels that spill nevertheless. */
static block_shape with_smem_rows(block_shape s, ss_prec prec, bool norm_or_frozen, bool devices)
{
    const int fair = 65536 / (32 * shape_warps(s)), most = fair < 255 ? fair : 255;
    const int row = s.columns * (int)ss_prec_size(prec) / 4; /* registers of 32 bits */
    const int freed = devices ? 32 : 28;
    if (2 * s.rows * row > most)
        s.smem_rows = s.rows;
    else if (norm_or_frozen && 2 * s.rows * row + 80 > most)
        s.smem_rows = (freed + row - 1) / row;
    return s;
}

static size_t bytes_of(const ss_run *run, block_shape s)
{
    return (size_t)persistent_bytes(s, run->problem.dim, (int)ss_prec_size(run->prec));
}

size_t ss_cuda_persistent_bytes(const ss_run *run, const region_shape *s, bool devices)
{
    return bytes_of(run, with_smem_rows(s->block, run->prec, true, devices));
}

/* Is the grid smaller than a region? Then points outside it are frozen. */
static bool is_small(regions x, regions y)
{
    return x.n < x.width || y.n < y.width;
}

/* A grid_kind of persistent.cuh. Rows are whole on planes if n in x and `every` are multiples of a
 * lane's columns: so is then each end of a region and of what it owns, sends and receives
 * (regions.h), and rows are aligned to 16 bytes. (With one region in x n alone would do.) Lanes of
 * lines have 11 columns. */
static const char *kind_of(int dim, regions x, regions y)
{
    if (is_small(x, y))
        return "SMALL_GRID";
    bool whole = dim > 1 && x.n % PLANE_COLUMNS == 0 && x.every % PLANE_COLUMNS == 0;
    return whole ? "WHOLE_ROWS" : "ANY_POINTS";
}

int ss_cuda_persistent_find(const ss_run *run, const region_shape *s, regions x, regions y,
                            bool devices, ss_cuda_kernel k[2], ss_err *err)
{
    const char *update = ss_cuda_update_name(run, ss_cuda_plan_of(run)->fma);
    const char *arguments = devices ? "device_args" : "slot_args";
    for (int norm = 0; norm < 2; norm++) {
        block_shape b = with_smem_rows(s->block, run->prec, norm || is_small(x, y), devices);
        k[norm].threads = (ss_cu_dim){(unsigned)(32 * shape_warps(b)), 1, 1};
        k[norm].shared = bytes_of(run, b);
        if (ss_cuda_kernel_get(&k[norm], err, "jacobi/fast/persistent.cuh",
                               "persistent_jacobi<%s, warp_tile<%s, %d, %d, %d, %d>, %d, %d, %s, "
                               "%s, %s<%s>>",
                               update, update, b.lanes, b.columns, b.rows, b.smem_rows, b.wx, b.wy,
                               norm ? "true" : "false", kind_of(run->problem.dim, x, y), arguments,
                               ss_cuda_real_name(run->prec)) != SS_OK ||
            ss_cuda_kernel_raise(&k[norm], err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}
