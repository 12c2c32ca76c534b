/*
 * Red-black SOR on the GPU: prepares and launches the kernels of colours.cuh, by the row `kernel`.
 * device/cycles.cu enqueues the launches. Host code; engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/jacobi/colours.cuh"
#include "kernels/cuda/jacobi/ladder_line.cuh"

#define GRID_MAX 65535 /* thread blocks of a grid in y and in z */
#define LINE_BYTES 128 /* rows of a colour start at multiples of this */

struct sor_plan {
    double omega;
    dim3 threads, grid;
    int tiles;         /* `fused`: of the grid */
    dim3 norm_threads; /* of the launch with the norm, whose blocks loop over: */
    int norm_tiles, norm_blocks;
    /* `split`: red and black points of u[0], of u[1] and of the right-hand side. */
    void *half[3][2];
    ptrdiff_t half_stride;
    size_t half_first; /* element of the first point */
};

static sor_plan *plan_of(const ss_run *run)
{
    return (sor_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

template <typename T> static damped<T> relaxation_of(const sor_plan *p)
{
    return damped<T>{(T)(1 - p->omega), (T)p->omega};
}

/* The thread blocks of a grid, whose y ends at GRID_MAX (block_row). */
static dim3 grid_of(int across, int up)
{
    return dim3((unsigned)across, (unsigned)(up < GRID_MAX ? up : GRID_MAX),
                (unsigned)ceil_div(up, GRID_MAX));
}

/* --- fused ------------------------------------------------------------------------------------ */

template <class E>
static void launch_fused(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const sor_plan *p = plan_of(run);
    launch_kernel(norm ? sor_fused<E, true> : sor_fused<E, false>, norm ? p->norm_blocks : p->tiles,
                  p->threads, 0, stream, sweep_of<T>(run, parity), equation<E>(run),
                  relaxation_of<T>(p), p->tiles);
}

template <class E> static const void *fused_norm(const ss_run *run, sor_plan *p)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    p->threads = p->norm_threads = dim3(32, SOR_WARPS);
    p->tiles = p->norm_tiles = ceil_div(b->nx, SOR_LANES * pack<typename E::real>::n) *
                               ceil_div(b->ny, SOR_WARPS * SOR_ROWS);
    return (const void *)sor_fused<E, true>;
}

/* --- interleaved ------------------------------------------------------------------------------ */

/* The norm passes of the ladder. */
template <class E> constexpr auto norm_kernel()
{
    if constexpr (E::dim == 1)
        return line_norm<E>;
    else
        return jacobi_norm<E>;
}

template <class E>
static void launch_interleaved(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const sor_plan *p = plan_of(run);
    ss_cuda_sweep<T> a = sweep_of<T>(run, parity);
    if (norm)
        launch_kernel(norm_kernel<E>(), p->norm_blocks, p->norm_threads, 0, stream, a.in, a.rhs,
                      a.nx, a.ny, a.sy, equation<E>(run), &a.control->stop, p->norm_tiles,
                      a.partial, a.control);
    for (int colour = RED; colour <= BLACK; colour++) {
        launch_kernel(sor_interleaved<E>, p->grid, p->threads, 0, stream, a, equation<E>(run),
                      relaxation_of<T>(p), colour);
        a.in = a.out; /* the black points are updated in place */
    }
}

/* Their tiles. */
template <class E> static const void *norm_pass(const ss_box *b, sor_plan *p)
{
    bool line = E::dim == 1;
    p->norm_threads = line ? dim3(256) : dim3(32, 8);
    p->norm_tiles = line ? ceil_div(b->nx, 256) * b->ny
                         : ceil_div(b->nx, 32) * ceil_div(b->ny, 8 * LADDER_ROWS);
    return (const void *)norm_kernel<E>();
}

template <class E> static const void *interleaved_norm(const ss_run *run, sor_plan *p)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    p->threads = dim3(32, 8);
    p->grid = grid_of(ceil_div(b->nx, 2 * 32), ceil_div(b->ny, 8));
    return norm_pass<E>(b, p);
}

/* --- split ------------------------------------------------------------------------------------ */

/* Colour `colour` of the cycle from u[parity]; its values u' are made of the other colour of
 * u[from].
 */
template <typename T>
static one_colour<T> colour_of(const ss_run *run, int parity, int colour, int from)
{
    const sor_plan *p = plan_of(run);
    const ss_box *b = &ss_cuda_of(run)->box;
    auto first = [=](int array, int of) { return (T *)p->half[array][of] + p->half_first; };
    return one_colour<T>{first(parity, colour),
                         first(from, 1 - colour),
                         first(2, colour),
                         first(1 - parity, colour),
                         b->nx,
                         b->ny,
                         p->half_stride,
                         colour};
}

template <class E>
static void launch_split(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const sor_plan *p = plan_of(run);
    ss_cuda_sweep<T> s = sweep_of<T>(run, parity);
    one_colour<T> red = colour_of<T>(run, parity, RED, parity);
    if (norm)
        launch_kernel(sor_split_norm<E>, p->norm_blocks, p->norm_threads, 0, stream, red,
                      colour_of<T>(run, parity, BLACK, parity), equation<E>(run), p->norm_tiles,
                      s.partial, s.control);
    launch_kernel(sor_split<E>, p->grid, p->threads, 0, stream, red, equation<E>(run),
                  relaxation_of<T>(p), &s.control->stop);
    launch_kernel(sor_split<E>, p->grid, p->threads, 0, stream,
                  colour_of<T>(run, parity, BLACK, 1 - parity), equation<E>(run),
                  relaxation_of<T>(p), &s.control->stop);
}

template <class E> static const void *split_norm(const ss_run *run, sor_plan *p)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    int pairs = (b->nx + 1) / 2;
    p->threads = dim3(32, 8);
    p->grid = grid_of(ceil_div(pairs, 32), ceil_div(b->ny, 8 * LADDER_ROWS));
    p->norm_threads = E::dim > 1 ? dim3(32, 8) : dim3(256);
    p->norm_tiles = ceil_div(pairs, p->norm_threads.x) * ceil_div(b->ny, p->norm_threads.y);
    return (const void *)sor_split_norm<E>;
}

/* Array i (u[0], u[1], right-hand side) to the arrays of its colours, or back. */
template <class E> static void exchange(const ss_run *run, int i, bool back)
{
    typedef typename E::real T;
    const sor_plan *p = plan_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    T *array = (T *)(i < 2 ? st->u[i] : st->rhs) + b->first;
    sor_exchange<E>
        <<<grid_of(ceil_div(b->nx, 32), ceil_div(b->ny, 8)), dim3(32, 8), 0, st->stream>>>(
            array, b->sy, (T *)p->half[i][RED] + p->half_first,
            (T *)p->half[i][BLACK] + p->half_first, p->half_stride, b->nx, b->ny, back);
}

static int exchange_arrays(const ss_run *run, int i, int k, bool back, ss_err *err)
{
    SS_CUDA_DISPATCH(run, exchange, run, i, back);
    SS_CUDA_DISPATCH(run, exchange, run, k, back);
    SS_CUDA(cudaGetLastError());
    return SS_OK;
}

/* Before a step. The right-hand side as well: a reset may have changed it. */
static int enter_split(ss_run *run, ss_err *err)
{
    return exchange_arrays(run, ss_cuda_of(run)->cur, 2, false, err);
}

/* After a step. Both fields: the screen may show the start of the last cycle. */
static int leave_split(ss_run *run, ss_err *err)
{
    return exchange_arrays(run, 0, 1, true, err);
}

static int make_split(ss_run *run, sor_plan *p, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
    ptrdiff_t line = LINE_BYTES / (ptrdiff_t)ss_prec_size(run->prec);
    p->half_stride = (line + (b->nx + 1) / 2 + 1 + line - 1) / line * line;
    p->half_first = (size_t)(line + b->hy * p->half_stride);
    size_t count = (size_t)(p->half_stride * (b->ny + 2 * b->hy) + line);
    size_t bytes = count * ss_prec_size(run->prec);
    for (auto &colours : p->half)
        for (void *&colour : colours) {
            if (ss_cuda_alloc(&colour, bytes, "a colour of a field", err) != SS_OK)
                return SS_FAIL;
            SS_CUDA(cudaMemsetAsync(colour, 0, bytes, st->stream)); /* the halo is 0 */
        }
    c->enter = enter_split;
    c->leave = leave_split;
    /* Both fields: leave_split copies u[1 - cur] back even if no cycle has stored it. */
    return exchange_arrays(run, 0, 1, false, err);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int make_nothing(ss_run *run, sor_plan *p, ss_err *err)
{
    (void)run, (void)p, (void)err;
    return SS_OK;
}

/* By update and precision. */
#define BY_PRECISION(FN, UPDATE)                                                                   \
    {                                                                                              \
        FN<UPDATE<double>>, FN<UPDATE<float>>                                                      \
    }
#define BY_TYPE(FN)                                                                                \
    {                                                                                              \
        BY_PRECISION(FN, poisson_line), BY_PRECISION(FN, poisson_plane),                           \
            BY_PRECISION(FN, tridiagonal), BY_PRECISION(FN, pentadiagonal)                         \
    }

/* By SS_SOR_*. */
static const struct {
    ss_cuda_launch *launch[SS_CUDA_NUPDATE][SS_NPREC];
    /* Sets the sizes of the launches; returns the kernel that makes the norm. */
    const void *(*size[SS_CUDA_NUPDATE][SS_NPREC])(const ss_run *run, sor_plan *p);
    int (*make)(ss_run *run, sor_plan *p, ss_err *err); /* what it needs beside the state */
    double launches, moved; /* per cycle; bytes, as a multiple of one sweep's */
} kernels[SS_NSOR] = {
    {BY_TYPE(launch_fused), BY_TYPE(fused_norm), make_nothing, 1, 1},
    {BY_TYPE(launch_interleaved), BY_TYPE(interleaved_norm), make_nothing, 2, 2},
    {BY_TYPE(launch_split), BY_TYPE(split_norm), make_split, 2, 4.0 / 3},
};

static void free_plan(void *own)
{
    sor_plan *p = (sor_plan *)own;
    for (auto &colours : p->half)
        for (void *colour : colours)
            cudaFree(colour);
    free(p);
}

/* As many blocks make the norm as are resident at once. */
static int size(const ss_run *run, int kernel, sor_plan *p, ss_err *err)
{
    ss_cuda_limits limits;
    int resident;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    const void *norm = kernels[kernel].size[ss_cuda_of(run)->update][run->prec](run, p);
    SS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, norm, (int)(p->norm_threads.x * p->norm_threads.y), 0));
    int most = limits.processors * resident;
    p->norm_blocks = p->norm_tiles < most ? p->norm_tiles : most;
    return SS_OK;
}

static int make(ss_run *run, int kernel, sor_plan *p, ss_err *err)
{
    ss_cuda_launch *launch = kernels[kernel].launch[ss_cuda_of(run)->update][run->prec];
    if (size(run, kernel, p, err) != SS_OK ||
        ss_cuda_cycles_make(run, launch, (size_t)p->norm_blocks, p, free_plan, err) != SS_OK)
        return SS_FAIL;
    run->per_cycle.launches = kernels[kernel].launches;
    run->per_cycle.global_bytes *= kernels[kernel].moved;
    return kernels[kernel].make(run, p, err);
}

int ss_cuda_sor_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("solver sor", "solver jacobi or shared", err);
    sor_plan *p = (sor_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->omega = ss_config_real(&run->cfg, "omega");
    if (make(run, (int)ss_config_int(&run->cfg, "kernel"), p, err) == SS_OK)
        return SS_OK;
    if (!run->scratch) /* else the scratch owns p, and ss_cuda_release frees it */
        free_plan(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
