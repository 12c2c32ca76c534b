/*
 * Chebyshev's semi-iteration on the GPU: one blended sweep per cycle (blend.cuh), and what the next
 * cycle needs besides the field. Host code; engine thread.
 *
 * Which buffer holds what. A cycle replaces the field before the present one by the next one, in
 * the buffer u[1 - cur]. The norm of the present field is a by-product of the same launch, so that
 * the launch whose norm ends the run has stored its result, and only the launches after it store
 * nothing (device/plan.c). The run then stays at its field, and the other buffer is one cycle
 * "ahead". If the run goes on later, its first cycle is there already and is only counted. So
 * counts and fields are exact with two buffers, and the norm needs no pass of its own.
 */
#include <string.h>

#include "kernels/cuda/device/plan.h"
#include "kernels/solver/recurrence.h"

#define ROWS 4 /* per thread: LADDER_ROWS of ladder.cuh */

/* chebyshev_factor of blend.cuh. */
typedef struct factor {
    double omega;
    int64_t done;
} factor;

/* recurrence<T> of blend.cuh; kernels set what follows rho. */
typedef struct recurrence {
    const factor *now;
    factor *next;
    double rho;
    char own[16];
} recurrence;

typedef struct chebyshev {
    double rho;
    int tiles;
    ss_cuda_kernel sweep[2], put; /* without and with the norm; put_factor */
    factor *factor;               /* on the device: [parity], of the cycle from u[parity] */
    /* The recurrence as the host knows it: `done` cycles since it began, the last with `omega`; it
     * has come to cycle `cycle` of the run, during a step. */
    double omega;
    int64_t done, cycle;
    bool ahead; /* the cycle from the present field is done, and counted in `done` */
} chebyshev;

static chebyshev *chebyshev_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

static void begin_recurrence(chebyshev *p)
{
    p->omega = 1;
    p->done = 0;
    p->ahead = false;
}

static void advance(chebyshev *p)
{
    p->omega = ss_chebyshev_omega(p->rho, p->omega, p->done);
    p->done++;
}

/* The device has continued the recurrence by itself; the host follows. */
static void catch_up(chebyshev *p, int64_t cycle)
{
    for (; p->cycle < cycle; p->cycle++)
        advance(p);
}

/* --- launches --------------------------------------------------------------------------------- */

/* Before the first launch of a step: the factor of its first cycle. An ordinary launch, which waits
 * for all work before it. */
static void begin(const ss_run *run, int parity, ss_cu_stream stream)
{
    chebyshev *p = chebyshev_of(run);
    catch_up(p, run->cycle);
    factor value = {ss_chebyshev_omega(p->rho, p->omega, p->done), p->done},
           *to = p->factor + parity;
    ss_cuda_launch_kernel(&p->put, stream, SS_ARGUMENTS(&to, &value));
}

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const chebyshev *p = chebyshev_of(run);
    recurrence blend = {p->factor + parity, p->factor + (1 - parity), p->rho, {0}};
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    ss_cuda_launch_kernel(&p->sweep[norm], stream, SS_ARGUMENTS(&a, &update, &blend, &p->tiles));
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int find(ss_run *run, ss_err *err)
{
    chebyshev *p = chebyshev_of(run);
    const char *update = ss_cuda_update_name(run, false), *real = ss_cuda_real_name(run->prec);
    for (int norm = 0; norm < 2; norm++)
        if (ss_cuda_kernel_get(&p->sweep[norm], err, "jacobi/blend.cuh",
                               "sweep_blended<%s, recurrence<%s>, %s>", update, real,
                               norm ? "true" : "false") != SS_OK)
            return SS_FAIL;
    p->put.ordinary = true;
    return ss_cuda_kernel_get(&p->put, err, "jacobi/blend.cuh", "put_factor");
}

/* As many blocks make the norm as are resident at once. */
static int size(ss_run *run, ss_err *err)
{
    chebyshev *p = chebyshev_of(run);
    const ss_box *b = &ss_cuda_of(run)->box;
    int resident, wide = 16 / (int)ss_prec_size(run->prec); /* points per thread and row */
    ss_cu_dim threads;
    if (ss_cuda_threads(run, 512, &threads, err) != SS_OK)
        return SS_FAIL;
    p->sweep[0].threads = p->sweep[1].threads = threads;
    p->tiles =
        ceil_div(b->nx, (int64_t)threads.x * wide) * ceil_div(b->ny, (int64_t)threads.y * ROWS);
    if (ss_cuda_kernel_resident(&p->sweep[1], &resident, err) != SS_OK)
        return SS_FAIL;
    int most = ss_cuda_attribute(SS_CU_PROCESSORS) * resident;
    p->sweep[0].blocks.x = (unsigned)p->tiles;
    p->sweep[1].blocks.x = (unsigned)(p->tiles < most ? p->tiles : most);
    return SS_OK;
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    chebyshev *p = plan->own;
    p->rho = ss_config_real(&run->cfg, "rho");
    begin_recurrence(p);
    if (find(run, err) != SS_OK || size(run, err) != SS_OK ||
        ss_cuda_keep(&plan->kept, (void **)&p->factor, 2 * sizeof *p->factor,
                     "the factors of the recurrence", err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_plan_cycles(run, launch, p->sweep[1].blocks.x, err);
}

static const ss_cuda_solver solver = {sizeof(chebyshev), make, .alone = "solver chebyshev",
                                      .begin = begin};

int ss_cuda_chebyshev_prepare(ss_run *run, ss_err *err)
{
    return ss_cuda_prepare(run, &solver, err);
}

/* --- a step ----------------------------------------------------------------------------------- */

/* The cycle from the present field is done already: the other buffer becomes the field. */
static void take_next(ss_run *run, chebyshev *p)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    st->cur = 1 - st->cur;
    p->ahead = false;
    ss_run_cycle_done(run);
}

int ss_cuda_chebyshev_step(ss_run *run, int64_t cycles, ss_err *err)
{
    chebyshev *p = chebyshev_of(run);
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
typedef struct copied {
    double omega;
    int64_t done;
    bool ahead;
} copied;

size_t ss_cuda_chebyshev_memory(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    return sizeof(copied) + (size_t)p->nx * (size_t)p->ny * ss_prec_size(run->prec);
}

int ss_cuda_chebyshev_get(ss_run *run, void *to, ss_err *err)
{
    const chebyshev *p = chebyshev_of(run);
    copied k;
    memset(&k, 0, sizeof k); /* the padding as well */
    k.omega = p->omega;
    k.done = p->done;
    k.ahead = p->ahead;
    memcpy(to, &k, sizeof k);
    return ss_cuda_download(run, 2, 0, 0, 0, run->problem.ny, (char *)to + sizeof k, err);
}

int ss_cuda_chebyshev_put(ss_run *run, const void *from, ss_err *err)
{
    chebyshev *p = chebyshev_of(run);
    copied k;
    begin_recurrence(p);
    if (!from)
        return SS_OK;
    memcpy(&k, from, sizeof k);
    p->omega = k.omega;
    p->done = k.done;
    p->ahead = k.ahead;
    return ss_cuda_upload(run, 2, 0, 0, 0, run->problem.ny, (const char *)from + sizeof k, err);
}
