/*
 * Classic Jacobi on the GPU: chooses a rung of the ladder for a run, prepares what it needs (rows
 * without padding, textures, shared memory) and launches it once per cycle. The kernels are in
 * ladder.cuh, that of damped Jacobi in blend.cuh; device/plan.c enqueues the
 * launches. Called by the thread of the engine.
 */
#include <limits.h>
#include <stdlib.h>

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/device/slabs.h"
#include "kernels/solver/schedules.h"

#define GRID_MAX 65535   /* thread blocks of a grid in y and in z */
#define NORM_THREADS 256 /* of a block of the norm pass */
#define FEW_BLOCKS 4096  /* up to here a sum per block costs less than reading u and b again */
#define ROWS 4           /* LADDER_ROWS of ladder.cuh */

/* By SS_KERNEL_*. %1$s is the update, %2$s whether the kernel makes the norm, %3$s the precision.
 */
static const struct {
    const char *kernel;
    int bytes;   /* of each row that a thread has; 0: one point */
    int rows;    /* that a thread has */
    int threads; /* of a block at most, by the registers of the kernel */
    int fused;   /* the cycle computes the norm in grids of up to so many blocks, else a pass */
    bool whole;  /* it keeps the fields in a form of its own, for the whole array */
} rungs[SS_NKERNEL] = {
    {"jacobi1_naive<%1$s>", 0, 1, 1024, 0, true},
    {"jacobi1_naive<%1$s>", 0, 1, 1024, 0, false},
    {"jacobi3_texture<%1$s>", 0, 1, 1024, 0, true},
    {"jacobi4_smem<%1$s, %2$s>", 0, ROWS, 1024, FEW_BLOCKS, true},
    {"jacobi4_smem<%1$s, %2$s>", 0, ROWS, 1024, FEW_BLOCKS, false},
    {"jacobi5_unrolled<%1$s, %2$s>", 0, ROWS, 1024, FEW_BLOCKS, false},
    {"jacobi6_vector<%1$s, stored<%3$s>, %2$s>", 16, ROWS, 512, INT_MAX, false},
    {"jacobi6_vector<%1$s, spike<%3$s>, %2$s>", 16, ROWS, 512, INT_MAX, false},
};

/* spike<T> of ladder.cuh: a right-hand side that is `elsewhere` at all points but (i, j). */
typedef struct spike {
    int i, j;
    union {
        double f64[2];
        float f32[2];
    } at_elsewhere;
} spike;

typedef struct ladder {
    int kernel;
    ss_cuda_kernel cycle[2]; /* without and with the norm; [1] is not used if that is a pass: */
    ss_cuda_kernel norm;
    bool fused;                   /* is the norm computed by the cycle's kernel? */
    int tiles, norm_tiles;        /* of the points of one thread block, in the whole grid */
    ss_cu_texture texture[2];     /* of u[0], u[1] */
    void *packed[3];              /* u[0], u[1], right-hand side; rows without padding */
    ptrdiff_t packed_stride;      /* 0: not packed */
    size_t packed_first;          /* element of point (0, 0) */
    int rhs_i, rhs_j;             /* `inline`: the right-hand side, */
    double rhs_at, rhs_elsewhere; /* a spike */
    double damping;               /* 1: none */
} ladder;

static ladder *ladder_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

static bool is_damped(double damping)
{
    return damping < 1 || damping > 1;
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* The cycle's kernel, with the norm or without. */
static int find_cycle(const ss_run *run, ladder *l, bool norm, ss_err *err)
{
    const char *update = ss_cuda_update_name(run, false), *real = ss_cuda_real_name(run->prec);
    if (is_damped(l->damping))
        return ss_cuda_kernel_get(&l->cycle[norm], err, "jacobi/blend.cuh",
                                  "sweep_blended<%s, damped<%s>, %s>", update, real,
                                  norm ? "true" : "false");
    return ss_cuda_kernel_get(&l->cycle[norm], err, "jacobi/ladder.cuh", rungs[l->kernel].kernel,
                              update, norm ? "true" : "false", real);
}

static int find_norm(const ss_run *run, ladder *l, ss_err *err)
{
    return ss_cuda_kernel_get(&l->norm, err, "jacobi/ladder.cuh",
                              run->problem.dim > 1 ? "jacobi_norm<%s>" : "line_norm<%s>",
                              ss_cuda_update_name(run, false));
}

/* --- launches --------------------------------------------------------------------------------- */

/* Pointers to point (0, 0) of the arrays that a cycle from u[parity] works on. */
static ss_cuda_cycle_args arrays_of(const ss_run *run, int parity)
{
    const ladder *l = ladder_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    size_t first = l->packed_first * ss_prec_size(run->prec);
    if (!l->packed_stride)
        return a;
    a.in = (char *)l->packed[parity] + first;
    a.out = (char *)l->packed[1 - parity] + first;
    a.rhs = (char *)l->packed[2] + first;
    a.sy = l->packed_stride;
    return a;
}

/* The column of point (0, 0) in a texture of the whole array: what is left of its offset without
 * the rows of the halo below it. */
static int texel_x(const ss_box *b)
{
    return (int)(b->first - (size_t)(b->hy * b->sy));
}

/* The right-hand side of `inline`, its rows counted from the first one of this state. */
static spike rhs_of(const ss_run *run)
{
    const ladder *l = ladder_of(run);
    spike f = {l->rhs_i, l->rhs_j - ss_cuda_of(run)->row, {{l->rhs_at, l->rhs_elsewhere}}};
    if (run->prec == SS_F32) {
        f.at_elsewhere.f32[0] = (float)l->rhs_at;
        f.at_elsewhere.f32[1] = (float)l->rhs_elsewhere;
    }
    return f;
}

static void launch_texture(const ss_run *run, int parity, const ss_cuda_kernel *k,
                           ss_cuda_cycle_args *a, ss_cu_stream stream)
{
    const ss_box *box = &ss_cuda_of(run)->box;
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    const ss_cu_texture *u = &ladder_of(run)->texture[parity];
    const int *stop = a->control->stop;
    int x = texel_x(box);
    ss_cuda_launch_kernel(
        k, stream,
        SS_ARGUMENTS(u, &x, &box->hy, &a->rhs, &a->out, &a->nx, &a->ny, &a->sy, &update, &stop));
}

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const ladder *l = ladder_of(run);
    ss_cuda_cycle_args a = arrays_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    const ss_cuda_kernel *k = &l->cycle[norm && l->fused];
    const int *stop = a.control->stop;
    spike f = rhs_of(run);
    if (norm && !l->fused)
        ss_cuda_launch_kernel(&l->norm, stream,
                              SS_ARGUMENTS(&a.in, &a.rhs, &a.nx, &a.ny, &a.sy, &update, &stop,
                                           &l->norm_tiles, &a.partial, &a.control));
    if (l->kernel == SS_KERNEL_TEXTURE)
        launch_texture(run, parity, k, &a, stream);
    else if (rungs[l->kernel].bytes > 0)
        ss_cuda_launch_kernel(
            k, stream,
            SS_ARGUMENTS(&a.in, l->kernel == SS_KERNEL_INLINE ? (void *)&f : &a.rhs, &a.out, &a.nx,
                         &a.ny, &a.sy, &update, &stop, &l->tiles, &a.partial, &a.control));
    else /* kernels of a point do not have the last two */
        ss_cuda_launch_kernel(k, stream,
                              SS_ARGUMENTS(&a.in, &a.rhs, &a.out, &a.nx, &a.ny, &a.sy, &update,
                                           &stop, &a.partial, &a.control));
}

/* damped<T> of blend.cuh: 1 - omega and omega. */
typedef union damped {
    double f64[2];
    float f32[2];
} damped;

/* Rung 6, damped. */
static void launch_damped(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const ladder *l = ladder_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    damped blend = {{1 - l->damping, l->damping}};
    if (run->prec == SS_F32)
        blend = (damped){.f32 = {(float)(1 - l->damping), (float)l->damping}};
    ss_cuda_launch_kernel(&l->cycle[norm], stream, SS_ARGUMENTS(&a, &update, &blend, &l->tiles));
}

/* --- packed rows ------------------------------------------------------------------------------ */

/* Copies array i (u[0], u[1], right-hand side) from the state to the packed rows, or back. */
static int copy_packed(ss_run *run, int i, bool back, ss_err *err)
{
    const ladder *l = ladder_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t size = ss_prec_size(run->prec), pitch = (size_t)l->packed_stride * size;
    size_t state_pitch = (size_t)st->box.sy * size, width = (size_t)st->box.nx * size;
    char *packed = (char *)l->packed[i] + l->packed_first * size;
    char *state = (char *)(i < 2 ? st->u[i] : st->rhs) + st->box.first * size;
    return ss_cuda_copy_rows(run, back ? state : packed, back ? state_pitch : pitch,
                             back ? packed : state, back ? pitch : state_pitch, width,
                             (size_t)st->box.ny, SS_CUDA_WITHIN, err);
}

/* Before a step. The right-hand side as well: a reset may have changed it. */
static int enter_packed(ss_run *run, ss_err *err)
{
    return copy_packed(run, ss_cuda_of(run)->cur, false, err) == SS_OK
               ? copy_packed(run, 2, false, err)
               : SS_FAIL;
}

/* After a step. Both fields: the screen may show the start of the last cycle. */
static int leave_packed(ss_run *run, ss_err *err)
{
    return copy_packed(run, 0, true, err) == SS_OK ? copy_packed(run, 1, true, err) : SS_FAIL;
}

static int make_packed(ss_run *run, ladder *l, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    ss_cuda_plan *plan = ss_cuda_plan_of(run);
    l->packed_stride = b->nx + 2 * b->hx;
    l->packed_first = (size_t)(b->hx + b->hy * l->packed_stride);
    size_t bytes = (size_t)l->packed_stride * (size_t)(b->ny + 2 * b->hy) * ss_prec_size(run->prec);
    for (int i = 0; i < 3; i++) /* the halo is 0 */
        if (ss_cuda_keep_zeroed(&plan->kept, &l->packed[i], bytes, "a field with packed rows",
                                st->stream, err) != SS_OK)
            return SS_FAIL;
    plan->enter = enter_packed;
    plan->leave = leave_packed;
    /* Both fields: leave_packed copies u[1 - cur] back even if no cycle has stored it. */
    return copy_packed(run, 0, false, err) == SS_OK ? copy_packed(run, 1, false, err) : SS_FAIL;
}

/* --- textures --------------------------------------------------------------------------------- */

/* Textures hold float or int, not double: a double is read as two ints. */
static int make_texture(const ss_run *run, ladder *l, int i, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    size_t size = ss_prec_size(run->prec);
    bool halves = size == 8;
    ss_cu_fetch fetch = {.flags = halves ? SS_CU_AS_INTEGER : 0};
    ss_cu_array array = {.kind = SS_CU_ROWS,
                         .of.rows = {.first = st->u[i],
                                     .format = halves ? SS_CU_INT32 : SS_CU_FLOAT,
                                     .channels = halves ? 2 : 1,
                                     .width = (size_t)b->sy,
                                     .height = (size_t)(b->ny + 2 * b->hy),
                                     .pitch = (size_t)b->sy * size}};
    return ss_cuda_keep_texture(&ss_cuda_plan_of(run)->kept, &l->texture[i], &array, &fetch, err);
}

static int make_textures(ss_run *run, ladder *l, ss_err *err)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    int width = ss_cuda_attribute(SS_CU_TEXTURE_WIDTH),
        height = ss_cuda_attribute(SS_CU_TEXTURE_HEIGHT);
    if (b->sy > width || b->ny + 2 * b->hy > height)
        return ss_fail(err,
                       "kernel texture: %d \xc3\x97 %d points are more than a texture holds, "
                       "%d \xc3\x97 %d: choose another kernel",
                       b->nx, b->ny, width - 64, height - 2); /* without padding and halo */
    return make_texture(run, l, 0, err) == SS_OK ? make_texture(run, l, 1, err) : SS_FAIL;
}

/* --- shared memory ---------------------------------------------------------------------------- */

static int make_smem(ss_run *run, ladder *l, ss_err *err)
{
    for (int norm = 0; norm < (l->fused ? 2 : 1); norm++) {
        ss_cuda_kernel *k = &l->cycle[norm];
        k->shared = (size_t)(k->threads.x + 2) * (size_t)(ROWS * k->threads.y + 2) *
                    ss_prec_size(run->prec);
        if (ss_cuda_kernel_raise(k, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int make_packed_smem(ss_run *run, ladder *l, ss_err *err)
{
    return make_packed(run, l, err) == SS_OK ? make_smem(run, l, err) : SS_FAIL;
}

/* --- the right-hand side as a function -------------------------------------------------------- */

static int check_inline(const ss_run *run, ss_err *err)
{
    const char *instead = run->rhs                ? "a file has the right-hand side"
                          : run->problem.dim != 2 ? "lines have an array"
                          : ss_config_int(&run->cfg, "problem") > 1
                              ? "this problem's right-hand side is random"
                              : NULL;
    if (!instead)
        return SS_OK;
    return ss_fail(err,
                   "kernel inline: %s, no function of the point: choose kernel vector, or problem "
                   "paper or spike of poisson2d",
                   instead);
}

/* Takes the two values from the rows that the array has. The ledger counts no array. */
static int make_inline(ss_run *run, ladder *l, ss_err *err)
{
    const ss_problem *p = &run->problem;
    double *row = ss_alloc((size_t)p->nx * sizeof *row, "a row", err);
    if (!row)
        return SS_FAIL;
    l->rhs_i = p->nx / 2;
    l->rhs_j = p->ny / 2;
    run->eq->rhs(p, 0, l->rhs_j, 0, row);
    l->rhs_at = row[l->rhs_i];
    l->rhs_elsewhere = p->nx > 1 ? row[0] : row[l->rhs_i];
    if (p->ny > 1) {
        run->eq->rhs(p, 0, 0, 0, row);
        l->rhs_elsewhere = row[0];
    }
    free(row);
    run->per_cycle.global_bytes = 2.0 * p->nx * p->ny * (double)ss_prec_size(run->prec);
    return SS_OK;
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int make_nothing(ss_run *run, ladder *l, ss_err *err)
{
    (void)run, (void)l, (void)err;
    return SS_OK;
}

/* By SS_KERNEL_*: what a rung needs beside the state. */
static int (*const make[SS_NKERNEL])(ss_run *run, ladder *l, ss_err *err) = {
    make_packed, make_nothing, make_textures, make_packed_smem,
    make_smem,   make_nothing, make_nothing,  make_inline,
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The launch of a cycle without the norm. */
static void size_cycle(const ss_run *run, ladder *l)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    ss_cuda_kernel *k = &l->cycle[0];
    int bytes = rungs[l->kernel].bytes, size = (int)ss_prec_size(run->prec);
    int64_t wide = (int64_t)k->threads.x * (bytes ? bytes / size : 1);
    int64_t high = (int64_t)k->threads.y * rungs[l->kernel].rows;
    int across = ceil_div(b->nx, wide), up = ceil_div(b->ny, high);
    l->tiles = across * up;
    l->fused = l->tiles <= rungs[l->kernel].fused;
    if (bytes)
        k->blocks = (ss_cu_dim){(unsigned)l->tiles, 1, 1};
    else
        k->blocks = (ss_cu_dim){(unsigned)across, (unsigned)smaller(up, GRID_MAX),
                                (unsigned)ceil_div(up, GRID_MAX)};
}

/* The norm pass: tiles of 32 x 8 threads on a plane and of 256 on a line, and as many blocks as are
 * resident at once. */
static int size_norm_pass(const ss_run *run, ladder *l, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    bool plane = st->box.hy > 0;
    int resident;
    l->norm.threads =
        plane ? (ss_cu_dim){32, NORM_THREADS / 32, 1} : (ss_cu_dim){NORM_THREADS, 1, 1};
    l->norm_tiles = ceil_div(st->box.nx, l->norm.threads.x) *
                    ceil_div(st->box.ny, (int64_t)l->norm.threads.y * (plane ? ROWS : 1));
    if (find_norm(run, l, err) != SS_OK ||
        ss_cuda_kernel_resident(&l->norm, &resident, err) != SS_OK)
        return SS_FAIL;
    l->norm.blocks.x =
        (unsigned)smaller(l->norm_tiles, ss_cuda_attribute(SS_CU_PROCESSORS) * resident);
    return SS_OK;
}

/* The launch with the norm. Blocks of `vector` and `inline` loop over tiles: 1024 threads per SM
 * are launched; those of the other rungs have one tile each. */
static int size_norm(const ss_run *run, ladder *l, ss_err *err)
{
    ss_cu_dim threads = l->cycle[0].threads;
    if (!l->fused)
        return size_norm_pass(run, l, err);
    l->cycle[1].threads = threads;
    l->cycle[1].blocks = l->cycle[0].blocks;
    if (rungs[l->kernel].bytes > 0)
        l->cycle[1].blocks.x = (unsigned)smaller(
            l->tiles, ss_cuda_attribute(SS_CU_PROCESSORS) * (int)(1024 / (threads.x * threads.y)));
    return find_cycle(run, l, true, err);
}

static int check_damping(int kernel, double damping, ss_err *err)
{
    if (is_damped(damping) && kernel != SS_KERNEL_VECTOR)
        return ss_fail(err,
                       "damping: on the GPU only kernel vector damps: choose it, or damping 1");
    return SS_OK;
}

/* Thread blocks of the launch that makes the norm. */
static size_t blocks_of(const ladder *l)
{
    ss_cu_dim b = l->fused ? l->cycle[1].blocks : l->norm.blocks;
    return (size_t)b.x * (b.y ? b.y : 1) * (b.z ? b.z : 1);
}

static int prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_plan_make(run, sizeof(ladder), err) != SS_OK)
        return SS_FAIL;
    ladder *l = ladder_of(run);
    l->kernel = (int)ss_config_int(&run->cfg, "kernel");
    l->damping = ss_damping_of(&run->cfg);
    if (check_damping(l->kernel, l->damping, err) != SS_OK ||
        (l->kernel == SS_KERNEL_INLINE && check_inline(run, err) != SS_OK) ||
        ss_cuda_threads(run, rungs[l->kernel].threads, &l->cycle[0].threads, err) != SS_OK)
        return SS_FAIL;
    size_cycle(run, l);
    if (find_cycle(run, l, false, err) != SS_OK || size_norm(run, l, err) != SS_OK ||
        ss_cuda_plan_cycles(run, is_damped(l->damping) ? launch_damped : launch, blocks_of(l),
                            err) != SS_OK)
        return SS_FAIL;
    return make[l->kernel](run, l, err);
}

/* The launches of one device, or of a band of the rows of one. */
static int prepare_alone(ss_run *run, ss_err *err)
{
    if (prepare(run, err) == SS_OK)
        return SS_OK;
    ss_cuda_release(run);
    return SS_FAIL;
}

/* --- several devices -------------------------------------------------------------------------- */

/* Devices have equal numbers of rows, and exchange halos every `exchange` iterations. The edges are
 * the rows that a neighbour's halo has. */
static void divide(const ss_run *run, int exchange, ss_cuda_division *d)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    bool plane = run->problem.dim > 1;
    *d = (ss_cuda_division){
        .prepare = prepare_alone, .depth = plane ? exchange : 0, .period = plane ? exchange : 1};
    for (int i = 0; i <= s->count; i++)
        d->cut[i] = (int)((int64_t)run->problem.ny * i / s->count);
    for (int i = 0; i < s->count; i++) {
        d->south[i] = i > 0 ? d->depth : 0;
        d->north[i] = i + 1 < s->count ? d->depth : 0;
    }
}

/* Rungs that keep the fields in a form of their own, for a whole array. */
static int check_kernel(int kernel, ss_err *err)
{
    if (rungs[kernel].whole)
        return ss_cuda_slabs_refuse("this kernel",
                                    "kernel padded, smem, unrolled, vector or inline", err);
    return SS_OK;
}

/* A slab has its edges, which do not overlap, and at least one row between them. */
static int check_rows(const ss_run *run, const ss_cuda_division *d, ss_err *err)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    int sides = ss_cuda_sides(s), all = run->problem.ny, rows = all / s->count;
    if (rows > sides * d->depth)
        return SS_OK;
    if (rows > sides)
        return ss_fail(
            err,
            "exchange: %d is out of range 1\xe2\x80\xa6%d: each of the %d devices has %d "
            "rows, and a halo takes %d on each side",
            d->depth, (rows - 1) / sides, s->count, rows, d->depth);
    return ss_fail(err, "devices: %d rows are too few for %d devices: choose fewer devices", all,
                   s->count);
}

static int prepare_divided(ss_run *run, ss_err *err)
{
    ss_cuda_division d;
    divide(run, (int)ss_config_int(&run->cfg, "exchange"), &d);
    if (check_kernel((int)ss_config_int(&run->cfg, "kernel"), err) != SS_OK ||
        check_rows(run, &d, err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_divided_prepare(run, &d, err);
}

/* --- the CPU beside the GPU ------------------------------------------------------------------- */

static int check_hybrid(const ss_run *run, ss_err *err)
{
    int kernel = (int)ss_config_int(&run->cfg, "kernel");
    if (ss_cuda_slabs_of(run))
        return ss_fail(err, "split: the CPU shares a run with one GPU: choose devices 0, or split "
                            "off");
    if (run->problem.dim != 2)
        return ss_fail(err,
                       "split: the CPU shares the rows of a plane, and %s has lines: choose "
                       "split off, or poisson2d",
                       run->eq->name);
    if (rungs[kernel].whole)
        return ss_fail(err, "split: this kernel updates a whole array only: choose kernel padded, "
                            "smem, unrolled, vector or inline, or split off");
    return SS_OK;
}

static int prepare_hybrid(ss_run *run, const ss_split_choice *choice, int depth, ss_err *err)
{
    if (check_hybrid(run, err) != SS_OK || prepare_alone(run, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_split_prepare(run, choice, depth, prepare_alone, err) == SS_OK)
        return SS_OK;
    ss_cuda_release(run);
    return SS_FAIL;
}

int ss_cuda_jacobi_prepare(ss_run *run, ss_err *err)
{
    ss_split_choice split;
    int depth = (int)ss_config_int(&run->cfg, "exchange");
    if (ss_split_parse(ss_config_text(&run->cfg, "split"), run->problem.ny, depth, &split, err) !=
        SS_OK)
        return SS_FAIL;
    if (split.on)
        return prepare_hybrid(run, &split, depth, err);
    return (ss_cuda_slabs_of(run) ? prepare_divided : prepare_alone)(run, err);
}
