/*
 * Block smoothers of runs on the GPU: the kernels behind methods.h as engine ops. Block Jacobi goes
 * from one array into the other and fuses the norm of the field it starts from. Block Gauss-Seidel
 * is in place; its norm is a separate pass before the step, because within the step some blocks
 * change before others are read. At the end of a step patches exchange ghosts. Batches of cycles,
 * graphs and norms: device/plan.c. Engine thread.
 *
 * A norm that meets the tolerance sets the flag that all later launches test: block Jacobi then
 * writes only the other array, which is dropped, Gauss-Seidel nothing. The exchange of ghosts goes
 * on, and writes the values that are there.
 */
#include "kernels/cuda/device/patches.h"
#include "kernels/cuda/smooth/plan.h"
#include "kernels/solver/schedules.h"

typedef struct smoother {
    ss_cuda_smooth *smooth; /* of all patches; NULL: they are in the host's memory, see `host` */
    ss_cuda_host_patches host;
    double omega;
    int64_t begun; /* the cycle at which the step began */
} smoother;

static smoother *smoother_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* --- cycles ----------------------------------------------------------------------------------- */

static void relax(const ss_run *run, int from, int to, bool norm, ss_cu_stream stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const smoother *s = smoother_of(run);
    ss_smooth_step_args a = {
        .omega = s->omega,
        .in = st->u[from],
        .rhs = st->rhs,
        .out = st->u[to],
        .norm = norm,
        .stream = stream,
        .stop = run->check_every > 0 ? st->control->stop : NULL,
    };
    ss_smooth_relax(s->smooth, &a);
}

/* Blocks that read the neighbour patches' cells need no ghost cells between patches: these are not
 * exchanged after a step, only before something else reads them (ss_cuda_ghosts_renew). Ghost cells
 * at a wall are zero and stay so, or are minus the cells inside and follow them. */
static void exchange(const ss_run *run, void *u, ss_cu_stream stream)
{
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    if (!smoother_of(run)->smooth->direct)
        ss_cuda_exchange(run, u, stream);
    else if (p->mirror)
        ss_ghosts_launch_walls(p->ghosts, u, stream);
}

static void launch_jacobi(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_cuda_smooth *s = smoother_of(run)->smooth;
    relax(run, parity, 1 - parity, norm, stream);
    if (norm)
        ss_cuda_sums_decide(&s->sums, s->partial, s->partials, st->control, stream);
    exchange(run, st->u[1 - parity], stream);
}

bool ss_cuda_leaves_ghosts(const ss_run *run)
{
    bool blocks = ss_cuda_plan_of(run)->launch == launch_jacobi;
    return blocks && smoother_of(run)->smooth && smoother_of(run)->smooth->direct;
}

static void launch_gauss_seidel(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    (void)parity;
    if (norm)
        ss_ghosts_check(st->patches->ghosts, st->u[st->cur], st->rhs, st->control, stream);
    relax(run, st->cur, st->cur, false, stream);
    ss_cuda_exchange(run, st->u[st->cur], stream);
}

/* Keeps the start of the last cycle, which the layer of updates shows. */
static void keep_start(const ss_run *run, ss_cu_stream stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cuda_note(ss_cu->copy(st->u[1 - st->cur], st->u[st->cur],
                             st->box.count * ss_prec_size(run->prec), stream));
}

static int enter(ss_run *run, ss_err *err)
{
    smoother *s = smoother_of(run);
    s->begun = run->cycle;
    bool reads = !s->smooth->direct || ss_cuda_of(run)->patches->mirror;
    return reads ? ss_cuda_ghosts_renew(run, err) : SS_OK;
}

static int leave(ss_run *run, ss_err *err)
{
    const ss_cuda_plan *plan = ss_cuda_plan_of(run);
    const smoother *s = smoother_of(run);
    ss_cuda_patches *p = ss_cuda_of(run)->patches;
    (void)err;
    if (s->smooth->direct)
        p->ghosts_old = true;
    else
        run->seconds_ghosts += (double)(run->cycle - s->begun) * p->exchange;
    if (plan->in_place && !plan->keep)
        run->start_kept = false;
    return SS_OK;
}

/* --- making ----------------------------------------------------------------------------------- */

/* The differences between the two. */
typedef struct method {
    ss_cuda_launch *launch;
    bool in_place;
    ss_cuda_order (*order)(const ss_config *cfg);
} method;

static ss_cuda_order at_once(const ss_config *cfg)
{
    (void)cfg;
    return SS_CUDA_AT_ONCE;
}

/* In the order of the choices of `order`. */
static ss_cuda_order one_after_the_other(const ss_config *cfg)
{
    static const ss_cuda_order orders[] = {SS_CUDA_CHAOTIC, SS_CUDA_LEXICOGRAPHIC};
    return orders[ss_config_int(cfg, "order")];
}

static const method jacobi = {launch_jacobi, false, at_once};
static const method gauss_seidel = {launch_gauss_seidel, true, one_after_the_other};

static ss_cuda_smooth_how how_of(const ss_run *run, const method *m)
{
    ss_cuda_smooth_how how = {
        .form = ss_block_form(&run->cfg), .prec = run->prec, .order = m->order(&run->cfg)};
    ss_block_size(&run->cfg, how.block);
    how.direct = how.order == SS_CUDA_AT_ONCE; /* in place, ghosts are those of the step's start */
    return how;
}

/* The choices of stream-order. */
enum { RESIDENT, DEPTH, BREADTH };

static int make_smooth(ss_run *run, const method *m, smoother *s, ss_err *err)
{
    static const ss_stream_order orders[] = {
        [DEPTH] = SS_DEPTH_FIRST, [BREADTH] = SS_BREADTH_FIRST};
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    const int64_t order = ss_config_int(&run->cfg, "stream-order");
    ss_cuda_smooth_how how = how_of(run, m);
    return order == RESIDENT ? ss_cuda_smooth_make(&s->smooth, p->list, p->count, &how, err)
                             : ss_cuda_host_patches_make(&s->host, run, &how, orders[order], err);
}

static void close_smoother(ss_run *run)
{
    ss_cuda_smooth_free(smoother_of(run)->smooth);
    ss_cuda_host_patches_free(&smoother_of(run)->host);
}

static int make_plan(ss_run *run, const method *m, ss_err *err)
{
    if (ss_cuda_plan_make(run, sizeof(smoother), err) != SS_OK)
        return SS_FAIL;
    ss_cuda_plan *plan = ss_cuda_plan_of(run);
    smoother *s = plan->own;
    plan->close = close_smoother;
    plan->enter = enter;
    plan->leave = leave;
    plan->in_place = m->in_place;
    plan->keep = m->in_place && !run->unseen ? keep_start : NULL;
    s->omega = ss_config_real(&run->cfg, "omega");
    if (make_smooth(run, m, s, err) != SS_OK)
        return SS_FAIL;
    const ss_cuda_smooth *made = s->smooth ? s->smooth : s->host.smooth;
    plan->more = &made->kernels;
    run->seconds_inverses = made->seconds;
    run->bytes_inverses = made->bytes;
    return ss_cuda_plan_cycles(run, m->launch, 1, err);
}

static int prepare(ss_run *run, const method *m, ss_err *err)
{
    if (make_plan(run, m, err) == SS_OK)
        return SS_OK;
    ss_cuda_release(run);
    return SS_FAIL;
}

int ss_cuda_block_jacobi_prepare(ss_run *run, ss_err *err)
{
    return prepare(run, &jacobi, err);
}

int ss_cuda_block_gs_prepare(ss_run *run, ss_err *err)
{
    return prepare(run, &gauss_seidel, err);
}

int ss_cuda_block_step(ss_run *run, int64_t cycles, ss_err *err)
{
    smoother *s = smoother_of(run);
    return s->smooth ? ss_cuda_step(run, cycles, err)
                     : ss_cuda_host_patches_step(run, &s->host, s->omega, cycles, err);
}
