/*
 * The method for separable inverses. Cubes of whole blocks (cubes.cuh) where blocks are cubes
 * of 1, 2, 4, 8 or 16 cells; a plain kernel (any_shape.cuh) for all other blocks, also those that
 * the end of a patch cuts off. Engine thread.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/smooth/any_shape.cuh"
#include "kernels/cuda/smooth/bars.cuh"
#include "kernels/cuda/smooth/plan.cuh"

/* --- any shape -------------------------------------------------------------------------------- */

#define CELLS_PER_THREAD_BLOCK 2048 /* about */

static int load_any(ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    const int *n = inv->n, cells = (int)inv->cells, width = CELLS_PER_THREAD_BLOCK / cells;
    const any_block b = {n[0], n[1], n[2], cells, width < 1 ? 1 : width};
    size_t values = (size_t)cells;
    for (int d = 0; d < 3; d++)
        values += (size_t)sines_of(n[d]);
    shape->argument = ss_alloc(sizeof b, "a block", err);
    if (!shape->argument)
        return SS_FAIL;
    memcpy(shape->argument, &b, sizeof b);
    return ss_cuda_alloc_copy(&shape->table, inv->own, values * ss_prec_size(inv->prec), "sines",
                              err);
}

static void plan_any(const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    static const void *const kernels[SS_NPREC][2] = {
        {(const void *)relax_blocks<alone, double>, (const void *)relax_blocks<racing, double>},
        {(const void *)relax_blocks<alone, float>, (const void *)relax_blocks<racing, float>}};
    const any_block *b = (const any_block *)s->shape[l->shape].argument;
    l->width = b->width;
    l->with_norm = l->kernel.function = kernels[s->how.prec][s->how.order == SS_CUDA_CHAOTIC];
    l->kernel.threads = ANY_THREADS;
    l->kernel.bytes = 2 * (size_t)b->width * (size_t)b->cells * ss_prec_size(s->how.prec);
}

/* --- cubes ------------------------------------------------------------------------------------ */

/* The kernels of one precision. */
struct cube_kernels {
    int width;   /* cubes per thread block */
    size_t cube; /* bytes of a cube in shared memory */
    const void *plain, *with_norm, *chaotic;
};

/* A cube is one block. */
struct cube_row {
    int cube;
    cube_kernels kernels[SS_NPREC];
};

template <typename T, int C, int WIDTH, int MIN_BLOCKS> static cube_kernels cubes_of()
{
    return {WIDTH, cube<C>::size * sizeof(T),
            (const void *)relax_cubes<alone, T, C, C, false, WIDTH * C * C, MIN_BLOCKS>,
            (const void *)relax_cubes<alone, T, C, C, true, WIDTH * C * C, MIN_BLOCKS>,
            (const void *)relax_cubes<racing, T, C, C, false, WIDTH * C * C, MIN_BLOCKS>};
}

#define ROW(C, W64, MIN64, W32, MIN32)                                                             \
    {                                                                                              \
        C,                                                                                         \
        {                                                                                          \
            cubes_of<double, C, W64, MIN64>(), cubes_of<float, C, W32, MIN32>()                    \
        }                                                                                          \
    }
/*
 * Width and minimum of resident thread blocks, measured on an H200. 1024 resident threads per SM
 * leave 64 registers per thread. In double precision a line of 8 needs twice as many: 120 billion
 * cells per second with them, 91 without (single precision: 215). A line of 16 needs all registers
 * there are, 62 instead of 40; in single precision half of them with a few register spills are
 * faster, 126, than all of them without, 100.
 */
static const cube_row cube_rows[] = {ROW(8, 2, 4, 4, 4), ROW(4, 16, 4, 16, 4), ROW(2, 64, 4, 64, 4),
                                     ROW(16, 1, 1, 1, 2)};

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
    ss_cuda_limits limits;
    return ss_cuda_get_limits(&limits, NULL) == SS_OK ? per_processor * limits.processors : 0;
}

static void plan_cubes(const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    const ss_smooth_shape *shape = &s->shape[l->shape];
    const cube_row *row = find_row(shape->cube);
    const cube_kernels *k = &row->kernels[s->how.prec];
    l->width = s->how.width > 0 && s->how.width < k->width ? s->how.width : k->width;
    l->kernel.function = s->how.order == SS_CUDA_CHAOTIC ? k->chaotic : k->plain;
    l->with_norm = k->with_norm;
    l->kernel.threads = dim3((unsigned)(row->cube * l->width), (unsigned)row->cube);
    l->kernel.bytes = (size_t)l->width * k->cube;
    if (row->cube == 16 && s->how.order == SS_CUDA_AT_ONCE)
        l->ahead = blocks_at_once(s->how.prec == SS_F64 ? 1 : 2);
}

/* --- bars ------------------------------------------------------------------------------------- */

/* The kernels of one precision. */
struct bar_kernels {
    int cubes;   /* of a bar */
    int blocks;  /* resident thread blocks per SM, at least */
    size_t cube; /* bytes of a cube in shared memory */
    const void *plain, *with_norm;
};

/* Blocks of so many cells in each direction. */
struct bar_row {
    int block;
    bar_kernels kernels[SS_NPREC];
};

template <typename T, int B> static bar_kernels bars_of()
{
    const int w = 16 / (int)sizeof(T), blocks = 4;
    return {w, blocks, cube<BAR_CELLS>::size * sizeof(T),
            (const void *)relax_bars<T, B, w, false, blocks>,
            (const void *)relax_bars<T, B, w, true, blocks>};
}

#define BARS(B)                                                                                    \
    {                                                                                              \
        B,                                                                                         \
        {                                                                                          \
            bars_of<double, B>(), bars_of<float, B>()                                              \
        }                                                                                          \
    }
static const bar_row bar_rows[] = {BARS(8), BARS(4), BARS(2), BARS(1)};

static const bar_row *find_bar(int block)
{
    for (size_t i = 0; i < sizeof bar_rows / sizeof *bar_rows; i++)
        if (bar_rows[i].block == block)
            return &bar_rows[i];
    return NULL;
}

/* Blocks of up to 8^3 that are relaxed at once share a cube, others have one each. */
static int cube_of(int n, ss_cuda_order order)
{
    if (order == SS_CUDA_AT_ONCE && find_bar(n))
        return BAR_CELLS;
    return find_row(n) ? n : 0;
}

/* In place, adjacent cubes may not be relaxed at once. */
static int bar_of(int cube, ss_prec prec, ss_cuda_order order)
{
    return order == SS_CUDA_AT_ONCE && cube == BAR_CELLS ? bar_rows[0].kernels[prec].cubes : 0;
}

static void plan_bars(const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    const bar_kernels *k = &find_bar(s->shape[l->shape].n[0])->kernels[s->how.prec];
    l->width = 1;
    l->kernel.function = k->plain;
    l->with_norm = k->with_norm;
    l->kernel.threads = dim3((unsigned)(BAR_CELLS * k->cubes), BAR_CELLS);
    l->kernel.bytes = (size_t)k->cubes * k->cube;
    l->ahead = blocks_at_once(k->blocks);
}

/* The reciprocals with i as the slowest index, then k, then j: see lines::along_x. */
template <typename T> static void turn_reciprocals(const T *from, int n, T *to)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                to[(i * n + k) * n + j] = from[i + n * (j + n * k)];
}

/* ss_inverse_separable stores the sines in x, y and z, equal for a cube, then the reciprocals. */
static int load_cubes(ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    int n = inv->n[0], sines = sines_of(n);
    size_t size = ss_prec_size(inv->prec), bytes = (size_t)inv->cells * size;
    char *turned = (char *)ss_alloc(bytes, "reciprocals", err);
    shape->argument = turned ? ss_alloc((size_t)sines * size, "sines", err) : NULL;
    int status = SS_FAIL;
    if (shape->argument) {
        memcpy(shape->argument, inv->own, (size_t)sines * size);
        if (inv->prec == SS_F64)
            turn_reciprocals((const double *)inv->own + 3 * sines, n, (double *)turned);
        else
            turn_reciprocals((const float *)inv->own + 3 * sines, n, (float *)turned);
        status = ss_cuda_alloc_copy(&shape->table, turned, bytes, "reciprocals", err);
    }
    free(turned);
    return status;
}

/* --- the method ------------------------------------------------------------------------------- */

static int load(ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    return (shape->cube ? load_cubes : load_any)(shape, inv, err);
}

static void plan(const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    int cube = s->shape[l->shape].cube;
    (cube == 0                                     ? plan_any
     : bar_of(cube, s->how.prec, s->how.order) > 0 ? plan_bars
                                                   : plan_cubes)(s, l);
}

const ss_smooth_method ss_smooth_separable = {&ss_inverse_separable, cube_of, bar_of, load, plan};
