/*
 * Classic Jacobi on the GPU: chooses a rung of the ladder for a run, prepares what it needs (rows
 * without padding, textures, shared memory) and launches it once per cycle. The kernels are in
 * ladder.cuh and ladder_line.cuh, that of damped Jacobi in blend.cuh; cycles.cu enqueues the
 * launches. Host code; called by the thread of the engine.
 */
#include <limits.h>
#include <stdlib.h>

#include "kernels/cuda/device/slab_cycles.cuh"
#include "kernels/cuda/device/split.cuh"
#include "kernels/cuda/jacobi/blend.cuh"
#include "kernels/cuda/jacobi/ladder_line.cuh"
#include "kernels/solver/sweep.h"

#define GRID_MAX 65535   /* thread blocks of a grid in y and in z */
#define NORM_THREADS 256 /* of a block of the norm pass */
#define FEW_BLOCKS 4096  /* up to here a sum per block costs less than reading u and b again */

/* By SS_KERNEL_*: naive to vector. */
static const struct {
    int bytes;   /* of each row that a thread has; 0: one point */
    int rows;    /* that a thread has */
    int threads; /* of a block at most, by the registers of the kernel */
    int fused;   /* the cycle computes the norm in grids of up to so many blocks, else a pass */
    bool whole;  /* it keeps the fields in a form of its own, for the whole array */
} rungs[SS_NKERNEL] = {
    {0, 1, 1024, 0, true},
    {0, 1, 1024, 0, false},
    {0, 1, 1024, 0, true},
    {0, LADDER_ROWS, 1024, FEW_BLOCKS, true},
    {0, LADDER_ROWS, 1024, FEW_BLOCKS, false},
    {0, LADDER_ROWS, 1024, FEW_BLOCKS, false},
    {16, LADDER_ROWS, 512, INT_MAX, false},
    {16, LADDER_ROWS, 512, INT_MAX, false},
};

struct ladder {
    int kernel;
    dim3 threads, grid;
    int tiles;  /* of the points of one thread block, in the whole grid */
    bool fused; /* is the norm computed by the cycle's kernel? Else by a pass before it: */
    dim3 norm_threads;
    int norm_tiles;                 /* of the pass */
    int norm_blocks;                /* of the launch with the norm; they loop over the tiles */
    size_t shared;                  /* bytes per block */
    cudaTextureObject_t texture[2]; /* of u[0], u[1] */
    void *packed[3];                /* u[0], u[1], right-hand side; rows without padding */
    ptrdiff_t packed_stride;        /* 0: not packed */
    size_t packed_first;            /* element of point (0, 0) */
    spike<double> rhs;              /* `inline`: the right-hand side */
    double damping;                 /* 1: none */
};

static ladder *ladder_of(const ss_run *run)
{
    return (ladder *)((const ss_cuda_cycles *)run->scratch)->own;
}

/* --- launches --------------------------------------------------------------------------------- */

/* Pointers to point (0, 0) of the arrays that a cycle from u[parity] works on. */
template <typename T> static ss_cuda_sweep<T> arrays_of(const ss_run *run, int parity)
{
    const ladder *l = ladder_of(run);
    ss_cuda_sweep<T> s = sweep_of<T>(run, parity);
    if (!l->packed_stride)
        return s;
    s.in = (const T *)l->packed[parity] + l->packed_first;
    s.out = (T *)l->packed[1 - parity] + l->packed_first;
    s.rhs = (const T *)l->packed[2] + l->packed_first;
    s.sy = l->packed_stride;
    return s;
}

/* The column of point (0, 0) in a texture of the whole array: what is left of its offset without
 * the rows of the halo below it. */
static int texel_x(const ss_box *b)
{
    return (int)(b->first - (size_t)(b->hy * b->sy));
}

/* Rungs 4 and 5 have the same arguments: by SS_KERNEL_* and [norm]. */
template <class E> struct plane_kernel {
    typedef typename E::real T;
    typedef void fused(const T *, const T *, T *, int, int, ptrdiff_t, E, const int *, double *,
                       ss_cuda_control *);
    static fused *of_rows(int rung, bool norm)
    {
        if (rung == SS_KERNEL_UNROLLED)
            return norm ? jacobi5_unrolled<E, true> : jacobi5_unrolled<E, false>;
        return norm ? jacobi4_smem<E, true> : jacobi4_smem<E, false>;
    }
};

/* The right-hand side of `inline`, its rows counted from the first one of this state. */
template <typename T> static spike<T> rhs_of(const ss_run *run)
{
    const spike<double> *f = &ladder_of(run)->rhs;
    return spike<T>{f->i, f->j - ss_cuda_of(run)->row, (T)f->at, (T)f->elsewhere};
}

/* Rungs 6 and 7. */
template <class E, class F>
static void launch_vector(const ladder *l, const ss_cuda_sweep<typename E::real> &s, E update, F f,
                          bool norm, cudaStream_t stream)
{
    launch_kernel(norm ? jacobi6_vector<E, F, true> : jacobi6_vector<E, F, false>,
                  norm ? l->norm_blocks : l->tiles, l->threads, 0, stream, s.in, f, s.out, s.nx,
                  s.ny, s.sy, update, &s.control->stop, l->tiles, s.partial, s.control);
}

template <class E>
static void launch_plane(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const ladder *l = ladder_of(run);
    const ss_box *box = &ss_cuda_of(run)->box;
    ss_cuda_sweep<T> s = arrays_of<T>(run, parity);
    E update = equation<E>(run);
    const int *stop = &s.control->stop;
    bool fused = norm && l->fused;
    if (norm && !fused)
        launch_kernel(jacobi_norm<E>, l->norm_blocks, l->norm_threads, 0, stream, s.in, s.rhs, s.nx,
                      s.ny, s.sy, update, stop, l->norm_tiles, s.partial, s.control);
    if (l->kernel == SS_KERNEL_TEXTURE)
        launch_kernel(jacobi3_texture<E>, l->grid, l->threads, 0, stream, l->texture[parity],
                      texel_x(box), box->hy, s.rhs, s.out, s.nx, s.ny, s.sy, update, stop);
    else if (l->kernel == SS_KERNEL_VECTOR)
        launch_vector(l, s, update, stored<T>{s.rhs}, fused, stream);
    else if (l->kernel == SS_KERNEL_INLINE)
        launch_vector(l, s, update, rhs_of<T>(run), fused, stream);
    else if (rungs[l->kernel].rows > 1)
        launch_kernel(plane_kernel<E>::of_rows(l->kernel, fused), l->grid, l->threads, l->shared,
                      stream, s.in, s.rhs, s.out, s.nx, s.ny, s.sy, update, stop, s.partial,
                      s.control);
    else
        launch_kernel(jacobi1_naive<E>, l->grid, l->threads, 0, stream, s.in, s.rhs, s.out, s.nx,
                      s.ny, s.sy, update, stop);
}

template <class E> struct line_kernel {
    typedef typename E::real T;
    typedef void fused(const T *, const T *, T *, int, int, ptrdiff_t, E, const int *, double *,
                       ss_cuda_control *);
    static fused *of_rows(int rung, bool norm)
    {
        if (rung == SS_KERNEL_UNROLLED)
            return norm ? line_unrolled<E, true> : line_unrolled<E, false>;
        return norm ? line_smem<E, true> : line_smem<E, false>;
    }
};

template <class E>
static void launch_line(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const ladder *l = ladder_of(run);
    ss_cuda_sweep<T> s = arrays_of<T>(run, parity);
    E update = equation<E>(run);
    const int *stop = &s.control->stop;
    bool fused = norm && l->fused;
    if (norm && !fused)
        launch_kernel(line_norm<E>, l->norm_blocks, l->norm_threads, 0, stream, s.in, s.rhs, s.nx,
                      s.ny, s.sy, update, stop, l->norm_tiles, s.partial, s.control);
    if (l->kernel == SS_KERNEL_TEXTURE)
        launch_kernel(line_texture<E>, l->grid, l->threads, 0, stream, l->texture[parity],
                      texel_x(&ss_cuda_of(run)->box), s.rhs, s.out, s.nx, s.ny, s.sy, update, stop);
    else if (l->kernel == SS_KERNEL_VECTOR)
        launch_kernel(fused ? line_vector<E, true> : line_vector<E, false>,
                      fused ? l->norm_blocks : l->tiles, l->threads, 0, stream, s.in, s.rhs, s.out,
                      s.nx, s.ny, s.sy, update, stop, l->tiles, s.partial, s.control);
    else if (rungs[l->kernel].rows > 1)
        launch_kernel(line_kernel<E>::of_rows(l->kernel, fused), l->grid, l->threads, l->shared,
                      stream, s.in, s.rhs, s.out, s.nx, s.ny, s.sy, update, stop, s.partial,
                      s.control);
    else
        launch_kernel(line_point<E>, l->grid, l->threads, 0, stream, s.in, s.rhs, s.out, s.nx, s.ny,
                      s.sy, update, stop);
}

/* Rung 6, damped. */
template <class E>
static void launch_damped(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const ladder *l = ladder_of(run);
    damped<T> blend = {(T)(1 - l->damping), (T)l->damping};
    launch_kernel(norm ? sweep_blended<E, damped<T>, true> : sweep_blended<E, damped<T>, false>,
                  norm ? l->norm_blocks : l->tiles, l->threads, 0, stream, sweep_of<T>(run, parity),
                  equation<E>(run), blend, l->tiles);
}

/* The launches, and the kernels whose limits `prepare` needs. */
struct rung_kernels {
    ss_cuda_launch *launch, *damped;
    const void *smem[2], *norm; /* smem: without and with the norm */
};

template <class E> static rung_kernels plane_kernels()
{
    return {launch_plane<E>,
            launch_damped<E>,
            {(const void *)jacobi4_smem<E, false>, (const void *)jacobi4_smem<E, true>},
            (const void *)jacobi_norm<E>};
}

template <class E> static rung_kernels line_kernels()
{
    return {launch_line<E>,
            launch_damped<E>,
            {(const void *)line_smem<E, false>, (const void *)line_smem<E, true>},
            (const void *)line_norm<E>};
}

/* By update and precision. */
static const rung_kernels kernels[SS_CUDA_NUPDATE][SS_NPREC] = {
    {line_kernels<poisson_line<double>>(), line_kernels<poisson_line<float>>()},
    {plane_kernels<poisson_plane<double>>(), plane_kernels<poisson_plane<float>>()},
    {line_kernels<tridiagonal<double>>(), line_kernels<tridiagonal<float>>()},
    {plane_kernels<pentadiagonal<double>>(), plane_kernels<pentadiagonal<float>>()},
};

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
                             (size_t)st->box.ny, cudaMemcpyDeviceToDevice, err);
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
    ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
    l->packed_stride = b->nx + 2 * b->hx;
    l->packed_first = (size_t)(b->hx + b->hy * l->packed_stride);
    size_t bytes = (size_t)l->packed_stride * (size_t)(b->ny + 2 * b->hy) * ss_prec_size(run->prec);
    for (int i = 0; i < 3; i++) {
        if (ss_cuda_alloc(&l->packed[i], bytes, "a field with packed rows", err) != SS_OK)
            return SS_FAIL;
        SS_CUDA(cudaMemsetAsync(l->packed[i], 0, bytes, st->stream)); /* the halo is 0 */
    }
    c->enter = enter_packed;
    c->leave = leave_packed;
    /* Both fields: leave_packed copies u[1 - cur] back even if no cycle has stored it. */
    return copy_packed(run, 0, false, err) == SS_OK ? copy_packed(run, 1, false, err) : SS_FAIL;
}

/* --- textures --------------------------------------------------------------------------------- */

static int make_texture(const ss_run *run, ladder *l, int i, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    size_t size = ss_prec_size(run->prec);
    cudaResourceDesc array = {};
    cudaTextureDesc access = {};
    array.resType = cudaResourceTypePitch2D;
    array.res.pitch2D.devPtr = st->u[i];
    array.res.pitch2D.desc =
        size == 8 ? cudaCreateChannelDesc<int2>() : cudaCreateChannelDesc<float>();
    array.res.pitch2D.width = (size_t)b->sy;
    array.res.pitch2D.height = (size_t)(b->ny + 2 * b->hy);
    array.res.pitch2D.pitchInBytes = (size_t)b->sy * size;
    access.filterMode = cudaFilterModePoint;
    access.readMode = cudaReadModeElementType;
    SS_CUDA(cudaCreateTextureObject(&l->texture[i], &array, &access, NULL));
    return SS_OK;
}

static int make_textures(ss_run *run, ladder *l, ss_err *err)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    int width = 0, height = 0;
    SS_CUDA(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DLinearWidth, 0));
    SS_CUDA(cudaDeviceGetAttribute(&height, cudaDevAttrMaxTexture2DLinearHeight, 0));
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
    l->shared = (size_t)(l->threads.x + 2) * (size_t)(LADDER_ROWS * l->threads.y + 2) *
                ss_prec_size(run->prec);
    for (const void *kernel : kernels[ss_cuda_of(run)->update][run->prec].smem)
        SS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)l->shared));
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
    if (check_inline(run, err) != SS_OK)
        return SS_FAIL;
    double *row = (double *)ss_alloc((size_t)p->nx * sizeof *row, "a row", err);
    if (!row)
        return SS_FAIL;
    l->rhs.i = p->nx / 2;
    l->rhs.j = p->ny / 2;
    run->eq->rhs(p, 0, l->rhs.j, 0, row);
    l->rhs.at = row[l->rhs.i];
    l->rhs.elsewhere = p->nx > 1 ? row[0] : row[l->rhs.i];
    if (p->ny > 1) {
        run->eq->rhs(p, 0, 0, 0, row);
        l->rhs.elsewhere = row[0];
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

static void free_ladder(void *own)
{
    ladder *l = (ladder *)own;
    for (int i = 0; i < 2; i++)
        if (l->texture[i])
            cudaDestroyTextureObject(l->texture[i]);
    for (int i = 0; i < 3; i++)
        cudaFree(l->packed[i]);
    free(l);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The launch of a cycle. */
static void size_cycle(const ss_run *run, ladder *l)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    int bytes = rungs[l->kernel].bytes, size = (int)ss_prec_size(run->prec);
    int64_t wide = (int64_t)l->threads.x * (bytes ? bytes / size : 1);
    int64_t high = (int64_t)l->threads.y * rungs[l->kernel].rows;
    int across = ceil_div(b->nx, wide), up = ceil_div(b->ny, high);
    l->tiles = across * up;
    l->grid =
        dim3((unsigned)across, (unsigned)smaller(up, GRID_MAX), (unsigned)ceil_div(up, GRID_MAX));
}

/* The norm pass: tiles of 32 x 8 threads on a plane and of 256 on a line, and as many blocks as are
 * resident at once. */
static int size_norm_pass(const ss_run *run, ladder *l, int processors, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    bool plane = st->box.hy > 0;
    int resident;
    l->norm_threads = plane ? dim3(32, NORM_THREADS / 32) : dim3(NORM_THREADS);
    l->norm_tiles = ceil_div(st->box.nx, l->norm_threads.x) *
                    ceil_div(st->box.ny, (int64_t)l->norm_threads.y * (plane ? LADDER_ROWS : 1));
    SS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, kernels[st->update][run->prec].norm, NORM_THREADS, 0));
    l->norm_blocks = smaller(l->norm_tiles, processors * resident);
    return SS_OK;
}

/* The launch with the norm. Blocks of `vector` and `inline` loop over tiles: 1024 threads per SM
 * are launched; those of the other rungs have one tile each. */
static int size_norm(const ss_run *run, ladder *l, ss_err *err)
{
    ss_cuda_limits limits;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    l->fused = l->tiles <= rungs[l->kernel].fused;
    if (!l->fused)
        return size_norm_pass(run, l, limits.processors, err);
    int threads = (int)(l->threads.x * l->threads.y);
    l->norm_blocks = rungs[l->kernel].bytes > 0
                         ? smaller(l->tiles, limits.processors * (1024 / threads))
                         : l->tiles;
    return SS_OK;
}

static bool is_damped(double damping)
{
    return damping < 1 || damping > 1;
}

static int check_damping(int kernel, double damping, ss_err *err)
{
    if (is_damped(damping) && kernel != SS_KERNEL_VECTOR)
        return ss_fail(err,
                       "damping: on the GPU only kernel vector damps: choose it, or damping 1");
    return SS_OK;
}

static ss_cuda_launch *launch_of(const ss_run *run, const ladder *l)
{
    const auto &k = kernels[ss_cuda_of(run)->update][run->prec];
    return is_damped(l->damping) ? k.damped : k.launch;
}

/* The launches of one device, or of a band of the rows of one. */
static int prepare_alone(ss_run *run, ss_err *err)
{
    int kernel = (int)ss_config_int(&run->cfg, "kernel");
    double damping = ss_damping_of(&run->cfg);
    dim3 threads;
    if (check_damping(kernel, damping, err) != SS_OK ||
        ss_cuda_threads(run, rungs[kernel].threads, &threads, err) != SS_OK)
        return SS_FAIL;
    ladder *l = (ladder *)calloc(1, sizeof *l);
    if (!l)
        return ss_fail(err, "out of memory");
    l->kernel = kernel;
    l->damping = damping;
    l->threads = threads;
    size_cycle(run, l);
    if (size_norm(run, l, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch_of(run, l), (size_t)l->norm_blocks, l, free_ladder, err) ==
            SS_OK &&
        make[kernel](run, l, err) == SS_OK)
        return SS_OK;
    if (!run->scratch) /* else ss_cuda_cycles_make has taken l over, and the release frees it */
        free_ladder(l);
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
    *d = ss_cuda_division{prepare_alone, plane ? exchange : 0, plane ? exchange : 1, {}, {}, {}};
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
