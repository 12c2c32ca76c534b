/*
 * Block smoothers of runs on the GPU: the kernels behind methods.h as engine ops. Block Jacobi goes
 * from one array into the other and fuses the norm of the field it starts from. Block Gauss-Seidel
 * is in place; its norm is a separate pass before the step, because within the step some blocks
 * change before others are read. At the end of a step patches exchange ghosts. Batches of cycles,
 * graphs and norms: cycles.cu. Engine thread.
 *
 * A norm that meets the tolerance sets the flag that all later launches test: block Jacobi then
 * writes only the other array, which is dropped, Gauss-Seidel nothing. The exchange of ghosts goes
 * on, and writes the values that are there.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/smooth/host_patches.cuh"
#include "kernels/solver/block.h"

struct smoother {
    ss_cuda_smooth *smooth;
    ss_cuda_host_patches *host; /* NULL: patches are resident, and `smooth` is used */
    double omega;
    int64_t begun; /* the cycle at which the step began */
};

static smoother *smoother_of(const ss_run *run)
{
    return (smoother *)((const ss_cuda_cycles *)run->scratch)->own;
}

/* --- cycles ----------------------------------------------------------------------------------- */

static void relax(const ss_run *run, int from, int to, bool norm, cudaStream_t stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const smoother *s = smoother_of(run);
    ss_smooth_step_args a;
    a.omega = s->omega;
    a.in = st->u[from];
    a.rhs = st->rhs;
    a.out = st->u[to];
    a.norm = norm;
    a.stream = stream;
    a.stop = run->check_every > 0 ? &st->control->stop : NULL;
    ss_smooth_relax(s->smooth, &a);
}

/* Blocks that read the neighbour patches' cells need no ghost cells between patches: these are not
 * exchanged after a step, only before something else reads them (ss_cuda_ghosts_renew). Ghost cells
 * at a wall are zero and stay so, or are minus the cells inside and follow them. */
static void exchange(const ss_run *run, void *u, cudaStream_t stream)
{
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    if (!smoother_of(run)->smooth->direct)
        ss_cuda_exchange(run, u, stream);
    else if (p->mirror)
        ss_ghosts_launch_walls(p->ghosts, u, stream);
}

static void launch_jacobi(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_cuda_smooth *s = smoother_of(run)->smooth;
    relax(run, parity, 1 - parity, norm, stream);
    if (norm)
        ss_cuda_sums_decide(s->partial, s->sums, st->control, stream);
    exchange(run, st->u[1 - parity], stream);
}

bool ss_cuda_leaves_ghosts(const ss_run *run)
{
    bool blocks = ((const ss_cuda_cycles *)run->scratch)->launch == launch_jacobi;
    return blocks && smoother_of(run)->smooth && smoother_of(run)->smooth->direct;
}

static void launch_gauss_seidel(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    (void)parity;
    if (norm)
        ss_ghosts_check(st->patches->ghosts, st->u[st->cur], st->rhs, st->control, stream);
    relax(run, st->cur, st->cur, false, stream);
    ss_cuda_exchange(run, st->u[st->cur], stream);
}

/* Keeps the start of the last cycle, which the layer of updates shows. */
static void keep_start(const ss_run *run, cudaStream_t stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    cudaMemcpyAsync(st->u[1 - st->cur], st->u[st->cur], st->box.count * ss_prec_size(run->prec),
                    cudaMemcpyDeviceToDevice, stream);
}

static int enter(ss_run *run, ss_err *err)
{
    const smoother *s = smoother_of(run);
    smoother_of(run)->begun = run->cycle;
    bool reads = !s->smooth || !s->smooth->direct || ss_cuda_of(run)->patches->mirror;
    return reads ? ss_cuda_ghosts_renew(run, err) : SS_OK;
}

static int leave(ss_run *run, ss_err *err)
{
    const ss_cuda_cycles *c = (const ss_cuda_cycles *)run->scratch;
    const smoother *s = smoother_of(run);
    ss_cuda_patches *p = ss_cuda_of(run)->patches;
    (void)err;
    if (s->smooth && s->smooth->direct)
        p->ghosts_old = true;
    else
        run->seconds_ghosts += (double)(run->cycle - s->begun) * p->exchange;
    if (c->in_place && !c->keep)
        run->start_kept = false;
    return SS_OK;
}

/* --- making ----------------------------------------------------------------------------------- */

/* The differences between the two. */
struct method {
    ss_cuda_launch *launch;
    bool in_place;
    ss_cuda_order (*order)(const ss_config *cfg);
};

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

static void free_smoother(void *own)
{
    ss_cuda_smooth_free(((smoother *)own)->smooth);
    ss_cuda_host_patches_free(((smoother *)own)->host);
    free(own);
}

static ss_cuda_smooth_how how_of(const ss_run *run, const method *m)
{
    ss_cuda_smooth_how how;
    memset(&how, 0, sizeof how);
    ss_block_size(&run->cfg, how.block);
    how.form = ss_block_form(&run->cfg);
    how.prec = run->prec;
    how.order = m->order(&run->cfg);
    how.direct = how.order == SS_CUDA_AT_ONCE; /* in place, ghosts are those of the step's start */
    return how;
}

static int make_resident(ss_run *run, smoother *s, const ss_cuda_smooth_how *how, ss_err *err)
{
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    if (ss_cuda_smooth_make(&s->smooth, p->list, p->count, how, err) != SS_OK)
        return SS_FAIL;
    ss_smooth_warm(s->smooth, ss_cuda_of(run)->control, ss_cuda_of(run)->stream);
    SS_CUDA(cudaGetLastError());
    return SS_OK;
}

static int make_depth(ss_run *run, smoother *s, const ss_cuda_smooth_how *how, ss_err *err)
{
    return ss_cuda_host_patches_make(&s->host, run, how, SS_DEPTH_FIRST, err);
}

static int make_breadth(ss_run *run, smoother *s, const ss_cuda_smooth_how *how, ss_err *err)
{
    return ss_cuda_host_patches_make(&s->host, run, how, SS_BREADTH_FIRST, err);
}

/* In the order of the choices of stream-order. */
static int (*const make_patches[])(ss_run *, smoother *, const ss_cuda_smooth_how *,
                                   ss_err *) = {make_resident, make_depth, make_breadth};

static int make_smooth(ss_run *run, const method *m, smoother *s, ss_err *err)
{
    ss_cuda_smooth_how how = how_of(run, m);
    s->omega = ss_config_real(&run->cfg, "omega");
    if (make_patches[ss_config_int(&run->cfg, "stream-order")](run, s, &how, err) != SS_OK)
        return SS_FAIL;
    const ss_cuda_smooth *made = s->host ? ss_cuda_host_patches_smooth(s->host) : s->smooth;
    run->seconds_inverses = ss_cuda_smooth_seconds(made);
    run->bytes_inverses = ss_cuda_smooth_bytes(made);
    return SS_OK;
}

int ss_cuda_block_step(ss_run *run, int64_t cycles, ss_err *err)
{
    const smoother *s = smoother_of(run);
    return s->host ? ss_cuda_host_patches_step(run, s->host, s->omega, cycles, err)
                   : ss_cuda_step(run, cycles, err);
}

static int prepare(ss_run *run, const method *m, ss_err *err)
{
    smoother *s = (smoother *)ss_alloc(sizeof *s, "scratch", err);
    if (!s)
        return SS_FAIL;
    if (make_smooth(run, m, s, err) == SS_OK &&
        ss_cuda_cycles_make(run, m->launch, 1, s, free_smoother, err) == SS_OK) {
        ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
        c->enter = enter;
        c->leave = leave;
        c->in_place = m->in_place;
        c->keep = m->in_place && !run->unseen ? keep_start : NULL;
        return SS_OK;
    }
    if (!run->scratch)
        free_smoother(s);
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
