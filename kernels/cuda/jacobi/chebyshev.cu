/*
 * Chebyshev's semi-iteration on the GPU: one blended sweep per cycle (blend.cuh), and what the next
 * cycle needs besides the field. Host code; engine thread.
 *
 * Which buffer holds what. A cycle replaces the field before the present one by the next one, in
 * the buffer u[1 - cur]. The norm of the present field is a by-product of the same launch, so that
 * the launch whose norm ends the run has stored its result, and only the launches after it store
 * nothing (device/cycles.cu). The run then stays at its field, and the other buffer is one cycle
 * "ahead". If the run goes on later, its first cycle is there already and is only counted. So
 * counts and fields are exact with two buffers, and the norm needs no pass of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/jacobi/blend.cuh"

struct chebyshev_plan {
    double rho;
    dim3 threads;
    int tiles, norm_blocks;
    chebyshev_factor *factor; /* on the device: [parity], of the cycle from u[parity] */
    /* The recurrence as the host knows it: `done` cycles since it began, the last with `omega`; it
     * has come to cycle `cycle` of the run, during a step. */
    double omega;
    int64_t done, cycle;
    bool ahead; /* the cycle from the present field is done, and counted in `done` */
};

static chebyshev_plan *plan_of(const ss_run *run)
{
    return (chebyshev_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

static void begin_recurrence(chebyshev_plan *p)
{
    p->omega = 1;
    p->done = 0;
    p->ahead = false;
}

static void advance(chebyshev_plan *p)
{
    p->omega = ss_chebyshev_omega(p->rho, p->omega, p->done);
    p->done++;
}

/* The device has continued the recurrence by itself; the host follows. */
static void catch_up(chebyshev_plan *p, int64_t cycle)
{
    for (; p->cycle < cycle; p->cycle++)
        advance(p);
}

/* --- launches --------------------------------------------------------------------------------- */

static __global__ void put_factor(chebyshev_factor *to, chebyshev_factor value)
{
    *to = value;
}

/* Before the first launch of a step: the factor of its first cycle. An ordinary launch, which waits
 * for all work before it. */
static void begin(const ss_run *run, int parity, cudaStream_t stream)
{
    chebyshev_plan *p = plan_of(run);
    catch_up(p, run->cycle);
    chebyshev_factor value = {ss_chebyshev_omega(p->rho, p->omega, p->done), (long long)p->done};
    put_factor<<<1, 1, 0, stream>>>(p->factor + parity, value);
}

template <class E> static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef typename E::real T;
    const chebyshev_plan *p = plan_of(run);
    recurrence<T> blend = {p->factor + parity, p->factor + (1 - parity), p->rho, 0, false};
    launch_kernel(norm ? sweep_blended<E, recurrence<T>, true>
                       : sweep_blended<E, recurrence<T>, false>,
                  norm ? p->norm_blocks : p->tiles, p->threads, 0, stream, sweep_of<T>(run, parity),
                  equation<E>(run), blend, p->tiles);
}

struct sweep_kernels {
    ss_cuda_launch *launch;
    const void *norm; /* the kernel with the norm */
    int width;        /* points per thread and row */
};

template <class E> static sweep_kernels kernels_of()
{
    typedef typename E::real T;
    return {launch<E>, (const void *)sweep_blended<E, recurrence<T>, true>, pack<T>::n};
}

/* By update and precision. */
static const sweep_kernels kernels[SS_CUDA_NUPDATE][SS_NPREC] = {
    {kernels_of<poisson_line<double>>(), kernels_of<poisson_line<float>>()},
    {kernels_of<poisson_plane<double>>(), kernels_of<poisson_plane<float>>()},
    {kernels_of<tridiagonal<double>>(), kernels_of<tridiagonal<float>>()},
    {kernels_of<pentadiagonal<double>>(), kernels_of<pentadiagonal<float>>()},
};

/* --- prepare ---------------------------------------------------------------------------------- */

static void free_plan(void *own)
{
    chebyshev_plan *p = (chebyshev_plan *)own;
    cudaFree(p->factor);
    free(p);
}

/* As many blocks make the norm as are resident at once. */
static int size(const ss_run *run, chebyshev_plan *p, ss_err *err)
{
    const ss_box *b = &ss_cuda_of(run)->box;
    const auto &k = kernels[ss_cuda_of(run)->update][run->prec];
    ss_cuda_limits limits;
    int resident;
    if (ss_cuda_threads(run, 512, &p->threads, err) != SS_OK ||
        ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    p->tiles = ceil_div(b->nx, (int64_t)p->threads.x * k.width) *
               ceil_div(b->ny, (int64_t)p->threads.y * LADDER_ROWS);
    SS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, k.norm,
                                                          (int)(p->threads.x * p->threads.y), 0));
    int most = limits.processors * resident;
    p->norm_blocks = p->tiles < most ? p->tiles : most;
    return SS_OK;
}

int ss_cuda_chebyshev_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse("solver chebyshev", "solver jacobi or shared", err);
    chebyshev_plan *p = (chebyshev_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    begin_recurrence(p);
    p->rho = ss_config_real(&run->cfg, "rho");
    if (size(run, p, err) == SS_OK &&
        ss_cuda_alloc((void **)&p->factor, 2 * sizeof *p->factor, "the factors of the recurrence",
                      err) == SS_OK &&
        ss_cuda_cycles_make(run, kernels[ss_cuda_of(run)->update][run->prec].launch,
                            (size_t)p->norm_blocks, p, free_plan, err) == SS_OK) {
        ((ss_cuda_cycles *)run->scratch)->begin = begin;
        return SS_OK;
    }
    if (!run->scratch) /* else the scratch owns p, and ss_cuda_release frees it */
        free_plan(p);
    ss_cuda_release(run);
    return SS_FAIL;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* The cycle from the present field is done already: the other buffer becomes the field. */
static void take_next(ss_run *run, chebyshev_plan *p)
{
    ss_cuda_state *st = (ss_cuda_state *)run->state;
    st->cur = 1 - st->cur;
    p->ahead = false;
    ss_run_cycle_done(run);
}

int ss_cuda_chebyshev_step(ss_run *run, int64_t cycles, ss_err *err)
{
    chebyshev_plan *p = plan_of(run);
    if (cycles > 0 && p->ahead) {
        take_next(run, p);
        cycles--;
    }
    p->cycle = run->cycle;
    if (cycles == 0 || run->status != SS_RUNNING)
        return SS_OK;
    if (ss_cuda_step(run, cycles, err) != SS_OK)
        return SS_FAIL;
    catch_up(p, run->cycle);
    if (run->status != SS_RUNNING) { /* the launch whose norm ended the run has stored its result */
        advance(p);
        p->ahead = true;
    }
    return SS_OK;
}

/* --- copies of the state ---------------------------------------------------------------------- */

/* What follows the field in a copy: the recurrence, then the other buffer, dense. */
struct kept {
    double omega;
    int64_t done;
    bool ahead;
};

size_t ss_cuda_chebyshev_memory(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    return sizeof(kept) + (size_t)p->nx * (size_t)p->ny * ss_prec_size(run->prec);
}

int ss_cuda_chebyshev_get(ss_run *run, void *to, ss_err *err)
{
    const chebyshev_plan *p = plan_of(run);
    kept k;
    memset(&k, 0, sizeof k); /* the padding as well */
    k.omega = p->omega;
    k.done = p->done;
    k.ahead = p->ahead;
    memcpy(to, &k, sizeof k);
    return ss_cuda_download(run, 2, 0, 0, 0, run->problem.ny, (char *)to + sizeof k, err);
}

int ss_cuda_chebyshev_put(ss_run *run, const void *from, ss_err *err)
{
    chebyshev_plan *p = plan_of(run);
    kept k;
    begin_recurrence(p);
    if (!from)
        return SS_OK;
    memcpy(&k, from, sizeof k);
    p->omega = k.omega;
    p->done = k.done;
    p->ahead = k.ahead;
    return ss_cuda_upload(run, 2, 0, 0, 0, run->problem.ny, (const char *)from + sizeof k, err);
}
