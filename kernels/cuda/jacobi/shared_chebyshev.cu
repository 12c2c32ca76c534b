/*
 * Chebyshev's iteration in tiles on the GPU: tiles.cuh with the inner iteration that combines each
 * Jacobi value with the value before, and what the next cycle needs besides the field. Host code;
 * engine thread.
 *
 * Beside each of the two fields lie the field before it and the factors of the cycle that starts
 * from it. So a cycle that is dropped changes nothing, although the launch whose norm ends the run
 * has stored its result.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/loops/combine.h"
#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/jacobi/tiles.cuh"
#include "kernels/sample/parts.h"

/* The recurrence at a field: `done` iterations since it began, the last one with `omega`. */
struct recurrence_at {
    double omega;
    int64_t done;
};

struct chebyshev_tile_plan : tile_plan {
    double rho;
    int k;                       /* subiterations per cycle */
    void *before[2];             /* the field before u[i], laid out as the fields are */
    chebyshev_factor *factor[2]; /* on the device: k, of the cycle from u[i] */
    recurrence_at present;       /* as the host knows it, at cycle `cycle` of the run */
    recurrence_at earlier;       /* at the start of the last cycle */
    double *omega;               /* [k]: of that cycle; for pictures */
    int64_t cycle;
};

static chebyshev_tile_plan *plan_of(const ss_run *run)
{
    return static_cast<chebyshev_tile_plan *>(const_cast<tile_plan *>(tile_plan_of(run)));
}

static void advance(const chebyshev_tile_plan *p, recurrence_at *at)
{
    for (int n = 0; n < p->k; n++, at->done++)
        at->omega = ss_chebyshev_omega(p->rho, at->omega, at->done);
}

/* The device has continued the recurrence by itself; the host follows. */
static void catch_up(chebyshev_tile_plan *p, int64_t cycle)
{
    for (; p->cycle < cycle; p->cycle++) {
        p->earlier = p->present;
        advance(p, &p->present);
    }
}

/* --- launches --------------------------------------------------------------------------------- */

template <class E, class F, int LX, int R, int WARPS> static register_shape plane_shape();
template <class E, class F, int LX, int R, int WARPS> static register_shape large_shape();
template <class E, class F, int LX, int C, int R> static register_shape line_shape();

struct chebyshev_method {
    template <class E> using inner = chebyshev_in_tile<typename E::real>;
    template <class E> static inner<E> of(const ss_run *run, int parity)
    {
        typedef typename E::real T;
        const chebyshev_tile_plan *p = plan_of(run);
        size_t first = ss_cuda_of(run)->box.first;
        inner<E> out;
        out.before = (const T *)p->before[parity] + first;
        out.next_before = (T *)p->before[1 - parity] + first;
        out.now = p->factor[parity];
        out.next = p->factor[1 - parity];
        out.rho = p->rho;
        out.w = NULL;
        return out;
    }
    template <class E, int LX, int C, int R> using tile = recurring_tile<E, LX, C, R>;

    /* R: rows per lane in single precision. With half as many in double precision the points take
     * the same registers, and tiles of the same size twice as many warps. */
    template <class E, class F> static const register_shape *planes()
    {
        static const register_shape shapes[] = {
            plane_shape<E, F, 8, 8, 1>(),  /* up to  32 x  32 points */
            plane_shape<E, F, 16, 8, 2>(), /*        64 x  32 */
            plane_shape<E, F, 8, 8, 2>(),  /*        32 x  64 */
            plane_shape<E, F, 16, 8, 4>(), /*        64 x  64 */
            plane_shape<E, F, 32, 8, 4>(), /*       128 x  32 */
            plane_shape<E, F, 8, 8, 4>(),  /*        32 x 128 */
            large_shape<E, F, 32, 8, 8>(), /*       128 x  64 */
            large_shape<E, F, 16, 8, 8>(), /*        64 x 128 */
            shapes_end(LARGEST_PLANE),
        };
        return shapes;
    }
    template <class E, class F> static const register_shape *lines()
    {
        static const register_shape shapes[] = {
            line_shape<E, F, 8, 4, 8>(),   /* up to  32 points */
            line_shape<E, F, 8, 8, 4>(),   /*        64 */
            line_shape<E, F, 16, 8, 4>(),  /*       128 */
            line_shape<E, F, 32, 8, 4>(),  /*       256 */
            line_shape<E, F, 32, 16, 2>(), /*       512 */
            shapes_end(LARGEST_LINE),
        };
        return shapes;
    }
};

/* 1 in single precision, 2 in double precision. */
template <class E> static constexpr int words()
{
    return (int)(sizeof(typename E::real) / 4);
}

template <class E, class F, int LX, int R, int WARPS> static register_shape plane_shape()
{
    return shape_of<chebyshev_method, E, F, LX, 4, R / words<E>(), WARPS * words<E>()>();
}

/* In double precision its threads would have too few registers: the list ends there. */
template <class E, class F, int LX, int R, int WARPS> static register_shape large_shape()
{
    if constexpr (words<E>() > 1)
        return shapes_end("64 \xc3\x97 64, 32 \xc3\x97 128, 128 \xc3\x97 32");
    else
        return plane_shape<E, F, LX, R, WARPS>();
}

template <class E, class F, int LX, int C, int R> static register_shape line_shape()
{
    return shape_of<chebyshev_method, E, F, LX, C, R / words<E>(), 4>();
}

static const tile_method method = {tiles_in_smem<chebyshev_method>::launch,
                                   tiles_in_smem<chebyshev_method>::allow,
                                   register_shapes<chebyshev_method>, true, false};

static __global__ void put_factors(chebyshev_factor *to, int k, double rho, recurrence_at at)
{
    for (int n = 0; n < k; n++, at.done++) {
        at.omega = ss_chebyshev_omega(rho, at.omega, at.done);
        to[n] = chebyshev_factor{at.omega, (long long)at.done};
    }
}

/* Before the first launch of a step: the factors of its first cycle. An ordinary launch, which
 * waits for all work before it. */
static void begin(const ss_run *run, int parity, cudaStream_t stream)
{
    chebyshev_tile_plan *p = plan_of(run);
    catch_up(p, run->cycle);
    put_factors<<<1, 1, 0, stream>>>(p->factor[parity], p->k, p->rho, p->present);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void free_plan(void *own)
{
    chebyshev_tile_plan *p = (chebyshev_tile_plan *)own;
    free(p->omega);
    for (int i = 0; i < 2; i++) {
        cudaFree(p->before[i]);
        cudaFree(p->factor[i]);
    }
    free(p);
}

static void begin_recurrence(chebyshev_tile_plan *p)
{
    p->present.omega = 1;
    p->present.done = 0;
}

static int allocate(const ss_run *run, chebyshev_tile_plan *p, ss_err *err)
{
    size_t bytes = ss_cuda_of(run)->box.count * ss_prec_size(run->prec);
    p->omega = (double *)malloc((size_t)p->k * sizeof *p->omega);
    if (!p->omega)
        return ss_fail(err, "out of memory");
    for (int i = 0; i < 2; i++) {
        if (ss_cuda_alloc(&p->before[i], bytes, "the field before", err) != SS_OK ||
            ss_cuda_alloc((void **)&p->factor[i], (size_t)p->k * sizeof *p->factor[i],
                          "the factors of the recurrence", err) != SS_OK)
            return SS_FAIL;
        /* The first cycle loads it, and uses no value. */
        SS_CUDA(cudaMemsetAsync(p->before[i], 0, bytes, ss_cuda_of(run)->stream));
    }
    return SS_OK;
}

/* For the layer of staleness, which the CPU computes: the last cycle. */
static bool show(const ss_run *run, ss_recurrence *out)
{
    const chebyshev_tile_plan *p = plan_of(run);
    recurrence_at at = p->earlier;
    *out = ss_recurrence{};
    out->begins = at.done == 0;
    for (int n = 0; n < p->k; n++, at.done++)
        p->omega[n] = at.omega = ss_chebyshev_omega(p->rho, at.omega, at.done);
    out->omega = p->omega;
    out->combine = ss_combine_of(run->prec)->recur;
    return true;
}

static void describe(ss_run *run, const chebyshev_tile_plan *p)
{
    ss_cuda_state *st = (ss_cuda_state *)run->state;
    st->recurrence = show;
    for (int i = 0; i < 2; i++)
        st->before[i] = p->before[i];
}

int ss_cuda_shared_chebyshev_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("solver shared-chebyshev", "solver jacobi or shared", err);
    chebyshev_tile_plan *p = (chebyshev_tile_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->rho = ss_config_real(&run->cfg, "rho");
    p->k = run->ticks_per_cycle;
    begin_recurrence(p);
    if (allocate(run, p, err) != SS_OK) {
        free_plan(p);
        return SS_FAIL;
    }
    if (ss_cuda_tiles_prepare(run, p, &method, free_plan, err) != SS_OK)
        return SS_FAIL;
    ((ss_cuda_cycles *)run->scratch)->begin = begin;
    describe(run, p);
    return SS_OK;
}

/* --- a step ----------------------------------------------------------------------------------- */

int ss_cuda_shared_chebyshev_step(ss_run *run, int64_t cycles, ss_err *err)
{
    chebyshev_tile_plan *p = plan_of(run);
    p->cycle = run->cycle;
    if (ss_cuda_step(run, cycles, err) != SS_OK)
        return SS_FAIL;
    catch_up(p, run->cycle);
    return SS_OK;
}

/* --- copies of the state ---------------------------------------------------------------------- */

/* What follows the field in a copy, as on the CPU: the recurrence, then the field before, dense. */
static size_t row_bytes(const ss_run *run)
{
    return (size_t)run->problem.nx * ss_prec_size(run->prec);
}

size_t ss_cuda_shared_chebyshev_memory(const ss_run *run)
{
    return sizeof(recurrence_at) + (size_t)run->problem.ny * row_bytes(run);
}

/* Row 0 of the field before the present one, and its bytes from row to row. */
static char *first_row(const ss_run *run, size_t *pitch)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t size = ss_prec_size(run->prec);
    *pitch = (size_t)st->box.sy * size;
    return (char *)plan_of(run)->before[st->cur] + st->box.first * size;
}

int ss_cuda_shared_chebyshev_get(ss_run *run, void *to, ss_err *err)
{
    size_t pitch;
    const char *rows = first_row(run, &pitch);
    memcpy(to, &plan_of(run)->present, sizeof(recurrence_at));
    if (ss_cuda_copy_rows(run, (char *)to + sizeof(recurrence_at), row_bytes(run), rows, pitch,
                          row_bytes(run), (size_t)run->problem.ny, cudaMemcpyDeviceToHost,
                          err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaStreamSynchronize(ss_cuda_of(run)->stream));
    return SS_OK;
}

int ss_cuda_shared_chebyshev_put(ss_run *run, const void *from, ss_err *err)
{
    chebyshev_tile_plan *p = plan_of(run);
    size_t pitch;
    char *rows = first_row(run, &pitch);
    begin_recurrence(p);
    if (!from)
        return SS_OK;
    memcpy(&p->present, from, sizeof(recurrence_at));
    if (ss_cuda_copy_rows(run, rows, pitch, (const char *)from + sizeof(recurrence_at),
                          row_bytes(run), row_bytes(run), (size_t)run->problem.ny,
                          cudaMemcpyHostToDevice, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaStreamSynchronize(ss_cuda_of(run)->stream)); /* `from` may go away */
    return SS_OK;
}
