/*
 * The methods for separable and for dense inverses. Separable ones: cubes of whole blocks
 * (cubes.cuh, bars.cuh) where blocks are cubes of 1, 2, 4, 8 or 16 cells; a plain kernel
 * (any_shape.cuh) for all other blocks, also those that the end of a patch cuts off. Engine thread.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/smooth/arguments.h"
#include "kernels/cuda/smooth/plan.h"

/* --- any shape -------------------------------------------------------------------------------- */

#define CELLS_PER_THREAD_BLOCK 2048 /* about */

static int cells_of(const ss_smooth_shape *shape)
{
    return shape->n[0] * shape->n[1] * shape->n[2];
}

static int blocks_together(int cells)
{
    return cells < CELLS_PER_THREAD_BLOCK ? CELLS_PER_THREAD_BLOCK / cells : 1;
}

static int load_any(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    const int *n = inv->n, cells = inv->cells;
    any_block *b = shape->argument = ss_alloc(sizeof *b, "a block", err);
    size_t values = (size_t)cells;
    if (!b)
        return SS_FAIL;
    *b = (any_block){n[0], n[1], n[2], cells, blocks_together(cells)};
    for (int d = 0; d < 3; d++)
        values += (size_t)sines_of(n[d]);
    return ss_cuda_keep_copy(&s->kept, &shape->table, inv->own, values * ss_prec_size(inv->prec),
                             "sines", err);
}

static int find_any(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    const int cells = cells_of(&s->shape[l->shape]);
    ss_cuda_kernel *k = &l->kernel[0];
    l->width = blocks_together(cells);
    k->threads.x = ANY_THREADS;
    k->shared = 2 * (size_t)l->width * (size_t)cells * ss_prec_size(s->how.prec);
    int status = ss_cuda_kernel_get(k, err, "smooth/any_shape.cuh", "relax_blocks<%s, %s>",
                                    ss_smooth_access(s), ss_cuda_real_name(s->how.prec));
    l->kernel[1] = *k;
    return status;
}

/* --- cubes ------------------------------------------------------------------------------------ */

/*
 * A cube is one block. Cubes per thread block, and the minimum of resident thread blocks per SM, in
 * double and single precision, measured on an H200. 1024 resident threads per SM leave 64 registers
 * per thread. In double precision a line of 8 needs twice as many: 120 billion cells per second
 * with them, 91 without (single precision: 215). A line of 16 needs all registers there are, 62
 * instead of 40; in single precision half of them with a few register spills are faster, 126, than
 * all of them without, 100.
 */
typedef struct cube_row {
    int cube; /* cells in each direction */
    struct {
        int width, blocks;
    } of[SS_NPREC];
} cube_row;

static const cube_row cube_rows[] = {
    {8, {{2, 4}, {4, 4}}},
    {4, {{16, 4}, {16, 4}}},
    {2, {{64, 4}, {64, 4}}},
    {16, {{1, 1}, {1, 2}}},
};

static const cube_row *find_row(int cube)
{
    for (size_t i = 0; i < sizeof cube_rows / sizeof *cube_rows; i++)
        if (cube_rows[i].cube == cube)
            return &cube_rows[i];
    return NULL;
}

/* Thread blocks that are resident at once on the device, with so many per SM. */
static int blocks_at_once(int per_processor)
{
    return per_processor * ss_cuda_attribute(SS_CU_PROCESSORS);
}

/* The shape of a launch: `cubes` of n^3 cells per thread block. */
static void set_shape(ss_cuda_kernel *k, int cubes, int n, ss_prec prec)
{
    k->threads = (ss_cu_dim){(unsigned)(n * cubes), (unsigned)n, 1};
    k->shared = (size_t)cubes * (size_t)cube_size(n) * ss_prec_size(prec);
}

static int find_cubes(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    const cube_row *row = find_row(s->shape[l->shape].cube);
    const ss_prec prec = s->how.prec;
    const int most = row->of[prec].width, blocks = row->of[prec].blocks;
    l->width = s->how.width > 0 && s->how.width < most ? s->how.width : most;
    if (row->cube == 16 && s->how.order == SS_CUDA_AT_ONCE)
        l->ahead = blocks_at_once(blocks);
    for (int norm = 0; norm <= ss_smooth_has_norm(s); norm++) {
        set_shape(&l->kernel[norm], l->width, row->cube, prec);
        if (ss_cuda_kernel_get(&l->kernel[norm], err, "smooth/cubes.cuh",
                               "relax_cubes<%s, %s, %d, %s, %d, %d>", ss_smooth_access(s),
                               ss_cuda_real_name(prec), row->cube, norm ? "true" : "false", most,
                               blocks) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* --- bars ------------------------------------------------------------------------------------- */

#define BAR_BLOCKS 4 /* resident thread blocks per SM, at least */

/* Cubes of a bar: 128 bytes in x. */
static int cubes_of_bar(ss_prec prec)
{
    return 16 / (int)ss_prec_size(prec);
}

/* Blocks of up to 8^3 that are relaxed at once share a cube, others have one each. */
static int cube_of(int n, ss_cuda_order order)
{
    if (order == SS_CUDA_AT_ONCE && BAR_CELLS % n == 0)
        return BAR_CELLS;
    return find_row(n) ? n : 0;
}

/* In place, adjacent cubes may not be relaxed at once. */
static int bar_of(int cube, ss_prec prec, ss_cuda_order order)
{
    return order == SS_CUDA_AT_ONCE && cube == BAR_CELLS ? cubes_of_bar(prec) : 0;
}

static int find_bars(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    const int cubes = cubes_of_bar(s->how.prec);
    l->width = 1;
    l->ahead = blocks_at_once(BAR_BLOCKS);
    for (int norm = 0; norm < 2; norm++) {
        set_shape(&l->kernel[norm], cubes, BAR_CELLS, s->how.prec);
        if (ss_cuda_kernel_get(&l->kernel[norm], err, "smooth/fast/bars.cuh",
                               "relax_bars<%s, %d, %d, %s, %d>", ss_cuda_real_name(s->how.prec),
                               s->shape[l->shape].n[0], cubes, norm ? "true" : "false",
                               BAR_BLOCKS) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* --- tables of cubes and bars ----------------------------------------------------------------- */

/* The reciprocals with i as the slowest index, then k, then j: see lines::along_x. */
static void turn_reciprocals(const char *from, int n, size_t size, char *to)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                memcpy(to + (size_t)((i * n + k) * n + j) * size,
                       from + (size_t)(i + n * (j + n * k)) * size, size);
}

/* ss_inverse_separable stores the sines in x, y and z, equal for a cube, then the reciprocals. */
static int load_cubes(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    const size_t size = ss_prec_size(inv->prec), sines = (size_t)sines_of(inv->n[0]) * size,
                 bytes = (size_t)inv->cells * size;
    char *turned = ss_alloc(bytes, "reciprocals", err);
    shape->argument = turned ? ss_alloc(sines, "sines", err) : NULL;
    int status = SS_FAIL;
    if (shape->argument) {
        memcpy(shape->argument, inv->own, sines);
        turn_reciprocals((const char *)inv->own + 3 * sines, inv->n[0], size, turned);
        status = ss_cuda_keep_copy(&s->kept, &shape->table, turned, bytes, "reciprocals", err);
    }
    free(turned);
    return status;
}

/* --- the method ------------------------------------------------------------------------------- */

static int load(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    return (shape->cube ? load_cubes : load_any)(s, shape, inv, err);
}

static int find(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    int cube = s->shape[l->shape].cube;
    return (cube == 0                                     ? find_any
            : bar_of(cube, s->how.prec, s->how.order) > 0 ? find_bars
                                                          : find_cubes)(s, l, err);
}

const ss_smooth_method ss_smooth_separable = {&ss_inverse_separable, cube_of, bar_of, load, find};

/* --- the dense inverse: a thread block per block of cells (paper.cuh) ------------------------- */

static int load_dense(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    spatial_block *b = shape->argument = ss_alloc(sizeof *b, "a block", err);
    size_t values = (size_t)inv->cells * (size_t)inv->cells;
    if (!b)
        return SS_FAIL;
    *b = (spatial_block){inv->n[0], inv->n[1], inv->cells};
    return ss_cuda_keep_copy(&s->kept, &shape->table, inv->own, values * ss_prec_size(inv->prec),
                             "the inverse of a block", err);
}

static int find_dense(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    const int cells = cells_of(&s->shape[l->shape]);
    ss_cuda_kernel *k = &l->kernel[0];
    l->width = 1;
    k->threads.x = (unsigned)(cells < PAPER_THREADS ? ceil_div(cells, 32) * 32 : PAPER_THREADS);
    k->shared = ((size_t)cells + PAPER_TERMS) * ss_prec_size(s->how.prec);
    int status = ss_cuda_kernel_get(k, err, "smooth/paper.cuh", "relax_block<%s, %s>",
                                    ss_smooth_access(s), ss_cuda_real_name(s->how.prec));
    l->kernel[1] = *k;
    return status;
}

const ss_smooth_method ss_smooth_paper = {&ss_inverse_dense, NULL, NULL, load_dense, find_dense};
