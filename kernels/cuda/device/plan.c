/*
 * Enqueues the cycles of a step, as single kernel launches or many at once as a CUDA graph, and
 * reports the norms to the run when the step has ended. The kernels are elsewhere. Engine thread.
 *
 * Convergence is exact although the host reads the norms only after the step. Norm number c is that
 * of field c, from which cycle c STARTS. If it meets the tolerance, the device sets `stop`
 * (norm.cuh). Field c then stays: cycle c either stores nothing, or has stored its result in the
 * other buffer, and all later launches store nothing.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/device/slabs.h"

#define GRAPH_CYCLES 32 /* at least: launching a graph costs microseconds, a node half of one */

/* --- kernels by equation and precision ---------------------------------------------------------
 */

const char *ss_cuda_real_name(ss_prec prec)
{
    return prec == SS_F64 ? "double" : "float";
}

ss_cuda_real ss_cuda_real_of(ss_prec prec, double value)
{
    ss_cuda_real r = {.f64 = value};
    if (prec == SS_F32)
        r.f32 = (float)value;
    return r;
}

ss_cuda_coefficients ss_cuda_coefficients_of(const ss_run *run)
{
    ss_cuda_coefficients c;
    for (int i = 0; i < 4; i++)
        if (run->prec == SS_F64)
            c.f64[i] = run->coef.c[i];
        else
            c.f32[i] = (float)run->coef.c[i];
    return c;
}

/* By SS_CUDA_POISSON1D and so on: [0] as the CPU computes it, [1] with the fewest operations; NULL:
 * there is no such form. */
static const char *const updates[SS_CUDA_NUPDATE][SS_NPREC][2] = {
    {{"poisson_line<double>", "fma_line<double>"}, {"poisson_line<float>", "fma_line<float>"}},
    {{"poisson_plane<double>", "fma_plane<double>"}, {"poisson_plane<float>", "fma_plane<float>"}},
    {{"tridiagonal<double>", NULL}, {"tridiagonal<float>", NULL}},
    {{"pentadiagonal<double>", NULL}, {"pentadiagonal<float>", NULL}},
};

const char *ss_cuda_update_name(const ss_run *run, bool fma)
{
    return updates[ss_cuda_of(run)->update][run->prec][fma];
}

/* Is there the form with fewer operations? Where the products of Poisson's update never round: c is
 * a power of two and a is 1. A product below the smallest normal number does round, but the sum
 * with the right-hand side does not depend on it unless the right-hand side is as small. */
static bool fuses(const ss_run *run)
{
    int exponent;
    return ss_cuda_update_name(run, true) && frexp(run->coef.c[0], &exponent) == 0.5 &&
           (run->problem.dim == 1 || run->coef.c[1] == 1) &&
           ss_cuda_of(run)->least_rhs >= (run->prec == SS_F64 ? 1e-250 : 1e-20);
}

ss_cuda_cycle_args ss_cuda_cycle_args_of(const ss_run *run, int parity)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t first = st->box.first * ss_prec_size(run->prec);
    return (ss_cuda_cycle_args){
        .in = (const char *)st->u[parity] + first,
        .rhs = (const char *)st->rhs + first,
        .out = (char *)st->u[1 - parity] + first,
        .nx = st->box.nx,
        .ny = st->box.ny,
        .sy = st->box.sy,
        .partial = run->scratch ? ss_cuda_plan_of(run)->partial : NULL,
        .control = st->control,
    };
}

/* --- cycles ------------------------------------------------------------------------------------
 */

/* The number of cycles after which parity and norms repeat; 0: too many for a graph that contains
 * norms. */
static int period(int64_t check_every)
{
    if (check_every <= 0 || check_every > 2 * GRAPH_CYCLES)
        return 0;
    return (int)(check_every % 2 ? 2 * check_every : check_every);
}

static bool is_checked(const ss_run *run, int64_t cycle)
{
    return run->check_every > 0 && cycle % run->check_every == 0;
}

/* --- graphs ----------------------------------------------------------------------------------- */

/* The array from which the first cycle of a graph starts. A graph with norms begins with a checked
 * cycle; if check_every is even, all checked cycles start from the same array. */
static int start_of_graph(const ss_run *run)
{
    int64_t every = run->check_every;
    int cur = ss_cuda_of(run)->cur;
    if (ss_cuda_plan_of(run)->in_place)
        return cur;
    return period(every) && every % 2 == 0 ? (int)((cur + run->cycle) & 1) : 0;
}

static void fork(const ss_run *run, ss_cu_stream stream)
{
    if (ss_cuda_plan_of(run)->fork)
        ss_cuda_plan_of(run)->fork(run, stream);
}

static void join(const ss_run *run, ss_cu_stream stream)
{
    if (ss_cuda_plan_of(run)->join)
        ss_cuda_plan_of(run)->join(run, stream);
}

/* The graph for the run's present interval between norms: a run that takes them seldom
 * (src/run/checks.h) goes from one to the other and back. */
static ss_cuda_cycle_graph *graph_of(const ss_run *run)
{
    return &ss_cuda_plan_of(run)->graph[run->check_every > 0];
}

/* The cycles of the graph, for ss_cuda_record. */
static int launch_graph(void *context, ss_err *err)
{
    ss_run *run = context;
    const ss_cuda_cycle_graph *g = graph_of(run);
    ss_cu_stream stream = ss_cuda_of(run)->stream;
    int every = period(run->check_every);
    (void)err;
    fork(run, stream);
    for (int i = 0; i < g->length; i++)
        ss_cuda_plan_of(run)->launch(run, (g->start + i) & 1, every && i % run->check_every == 0,
                                     stream);
    join(run, stream);
    return SS_OK;
}

static void free_graph(ss_cuda_cycle_graph *g)
{
    if (g->exec)
        ss_cu->graph_free(g->exec);
    g->exec = NULL;
}

static int capture(ss_run *run, ss_err *err)
{
    ss_cuda_cycle_graph *g = graph_of(run);
    int every = period(run->check_every);
    free_graph(g);
    g->length = every ? ceil_div(GRAPH_CYCLES, every) * every : GRAPH_CYCLES;
    g->start = start_of_graph(run);
    g->check_every = run->check_every;
    return ss_cuda_record(ss_cuda_of(run)->stream, launch_graph, run, &g->exec, err);
}

/* True if there is a graph for the current arrays. */
static bool has_graph(const ss_run *run)
{
    const ss_cuda_cycle_graph *g = graph_of(run);
    return g->exec && g->start == start_of_graph(run) && g->check_every == run->check_every;
}

/* True if the graph performs the cycles from `cycle` on, starting from u[parity]. */
static bool graph_fits(const ss_run *run, int64_t cycle, int parity, int64_t left)
{
    const ss_cuda_cycle_graph *g = graph_of(run);
    if (!has_graph(run) || parity != g->start || left < g->length)
        return false;
    if (run->check_every <= 0)
        return true;
    if (period(run->check_every))
        return cycle % run->check_every == 0;
    return cycle % run->check_every != 0 &&
           run->check_every - cycle % run->check_every >= g->length;
}

int ss_cuda_plan_find(ss_run *run, ss_err *err)
{
    ss_cuda_plan *c = ss_cuda_plan_of(run);
    if (!c->find || c->fma == fuses(run))
        return SS_OK;
    c->fma = !c->fma;
    for (int i = 0; i < 2; i++)
        free_graph(&c->graph[i]);
    return c->find(run, err);
}

/* --- a step ----------------------------------------------------------------------------------- */

/* The array from which the cycle after one from u[parity] starts. */
static int turn(const ss_cuda_plan *c, int parity)
{
    return c->in_place ? parity : 1 - parity;
}

/* The cycles from `cycle` on, at most `left`, that have no norm and can be one launch; 0: fewer
 * than two, or there is no such launch. */
static int64_t count_many(const ss_run *run, int64_t cycle, int64_t left)
{
    if (!ss_cuda_plan_of(run)->many || is_checked(run, cycle))
        return 0;
    int64_t unchecked =
        run->check_every > 0 ? run->check_every - cycle % run->check_every : INT64_MAX;
    int64_t n = unchecked < left ? unchecked : left;
    return n >= 2 ? n : 0;
}

/* Enqueues cycles [from, cycles) of a step, at most SS_CUDA_NORMS, and waits for them. With `from`
 * > 0 the run has stopped, and they store nothing. */
static int enqueue(ss_run *run, int64_t from, int64_t cycles, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_cuda_plan *c = ss_cuda_plan_of(run);
    int parity = from % 2 ? turn(c, st->cur) : st->cur, alone = c->keep ? 1 : c->alone;
    bool forked = false;
    SS_CUDA(
        ss_cu->copy(st->control, st->host, sizeof *st->host - sizeof st->host->norm, st->stream));
    SS_CUDA(ss_cu->event_record(st->begin, st->stream));
    if (c->begin && from == 0)
        c->begin(run, parity, st->stream);
    for (int64_t i = from; i < cycles;) {
        int64_t cycle = run->cycle + i;
        bool known = run->residual_cycle == cycle; /* the norm of this field */
        if (!known && graph_fits(run, cycle, parity, cycles - i - alone)) {
            if (forked)
                join(run, st->stream);
            forked = false;
            SS_CUDA(ss_cu->graph_launch(graph_of(run)->exec, st->stream));
            i += graph_of(run)->length;
            continue;
        }
        int64_t many = count_many(run, cycle, cycles - i - alone);
        if (many) {
            c->many(run, parity, (int)many, st->stream);
            parity = (parity + many) & 1;
            i += many;
            continue;
        }
        if (c->keep && from == 0 && i == cycles - 1)
            c->keep(run, st->stream);
        if (!forked)
            fork(run, st->stream);
        forked = true;
        c->launch(run, parity, is_checked(run, cycle) && !known, st->stream);
        parity = turn(c, parity);
        i++;
    }
    if (forked)
        join(run, st->stream);
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->event_record(st->end, st->stream));
    SS_CUDA(ss_cu->copy(st->host, st->control, sizeof *st->host, st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
    return SS_OK;
}

static void fill_control(const ss_run *run)
{
    ss_cuda_control *h = ss_cuda_of(run)->host;
    memset(h->stop, 0, sizeof h->stop);
    h->count = 0;
    h->arrived = 0;
    h->stops = run->stop_at_tol && ss_run_goal(run) > 0 && !run->reached;
    h->scale = run->coef.residual;
    h->tol = ss_run_goal(run);
    h->first = run->residual_cycle < 0 ? -1 : run->residual0;
    h->growth = run->growth;
}

/* The cycle of a step whose start has the norm that stopped the run. */
static int64_t stopped_at(const ss_run *run, int64_t cycles)
{
    int norms = 0;
    for (int64_t i = 0; i < cycles; i++) {
        int64_t cycle = run->cycle + i;
        if (is_checked(run, cycle) && run->residual_cycle != cycle &&
            ++norms == ss_cuda_of(run)->host->count)
            return i;
    }
    return cycles;
}

/* The cycles of a step that were done, and their seconds. The launches after the one that stopped
 * the run are no work of the method, but take time: they are launched once more, alone, and their
 * time is subtracted. */
static int measure(ss_run *run, int64_t cycles, int64_t *done, double *seconds, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    float ms, empty = 0;
    *done = st->host->stop[0] ? stopped_at(run, cycles) : cycles;
    SS_CUDA(ss_cu->event_ms(&ms, st->begin, st->end));
    if (*done + 1 < cycles) {
        if (enqueue(run, *done + 1, cycles, err) != SS_OK)
            return SS_FAIL;
        SS_CUDA(ss_cu->event_ms(&empty, st->begin, st->end));
    }
    *seconds = fmax(ms - empty, 0) * 1e-3;
    return SS_OK;
}

/* Reports each cycle and its norm to the run; `done` of them took that time. False: the run has
 * stopped. */
static bool replay(ss_run *run, int64_t cycles, int64_t done, double seconds, double earlier)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    int norms = 0;
    for (int64_t i = 0; i < cycles; i++) {
        double share = i < done ? (double)i / (double)done : 1;
        run->step_seconds = earlier + seconds * share;
        if (ss_run_wants_norm(run) && !ss_run_norm(run, st->host->norm[norms++]))
            return false;
        st->cur = turn(ss_cuda_plan_of(run), st->cur);
        ss_run_cycle_done(run);
    }
    run->step_seconds = earlier + seconds;
    return true;
}

static int advance(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cuda_plan *c = ss_cuda_plan_of(run);
    double earlier = run->step_seconds > 0 ? run->step_seconds : 0; /* of a hybrid run's CPU */
    if (ss_cuda_plan_find(run, err) != SS_OK)
        return SS_FAIL;
    if (c->graphs && cycles > GRAPH_CYCLES && !has_graph(run) && capture(run, err) != SS_OK)
        return SS_FAIL;
    while (cycles > 0 && !ss_run_abandoned(run)) {
        int64_t now = cycles < SS_CUDA_NORMS ? cycles : SS_CUDA_NORMS;
        int64_t done;
        double seconds = 0;
        fill_control(run);
        run->start_kept = false;
        if (enqueue(run, 0, now, err) != SS_OK || measure(run, now, &done, &seconds, err) != SS_OK)
            return SS_FAIL;
        if (!replay(run, now, done, seconds, earlier))
            return SS_OK;
        earlier += seconds;
        cycles -= now;
    }
    return SS_OK;
}

static int advance_alone(ss_run *run, int64_t cycles, ss_err *err)
{
    const ss_cuda_plan *c = ss_cuda_plan_of(run);
    if (c->enter && c->enter(run, err) != SS_OK)
        return SS_FAIL;
    if (advance(run, cycles, err) != SS_OK)
        return SS_FAIL;
    return c->leave ? c->leave(run, err) : SS_OK;
}

/* A hybrid run; *cycles are left to the GPU alone. */
static int advance_hybrid(ss_run *run, int64_t *cycles, ss_err *err)
{
    bool alone = false;
    int probe;
    while (*cycles > 0 && run->status == SS_RUNNING && !ss_run_abandoned(run) &&
           (probe = ss_cuda_split_probe(run)) > 0) {
        int64_t now = *cycles < probe ? *cycles : probe;
        double before = run->step_seconds > 0 ? run->step_seconds : 0;
        if (advance_alone(run, now, err) != SS_OK)
            return SS_FAIL;
        ss_cuda_split_probed(run, now, run->step_seconds - before);
        *cycles -= now;
    }
    if (*cycles > 0 && run->status == SS_RUNNING &&
        ss_cuda_split_step(run, cycles, &alone, err) != SS_OK)
        return SS_FAIL;
    *cycles = alone ? *cycles : 0;
    return SS_OK;
}

int ss_cuda_step(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cuda_use(ss_cuda_of(run)->device);
    if (ss_cuda_of(run)->split && advance_hybrid(run, &cycles, err) != SS_OK)
        return SS_FAIL;
    return cycles > 0 && run->status == SS_RUNNING ? advance_alone(run, cycles, err) : SS_OK;
}

/* --- sizes of launches --------------------------------------------------------------------------
 */

int ss_cuda_threads(const ss_run *run, int most, ss_cu_dim *out, ss_err *err)
{
    int tx = (int)ss_config_int(&run->cfg, "tpb-x"), ty = (int)ss_config_int(&run->cfg, "tpb-y");
    if (tx % 32)
        return ss_fail(err,
                       "tpb-x: %d is no multiple of 32, the threads of a warp: choose %d or %d", tx,
                       tx / 32 * 32, tx / 32 * 32 + 32);
    if (tx * ty > most)
        return ss_fail(err,
                       "tpb-x: %d \xc3\x97 %d are %d threads, a block of this kernel has at most "
                       "%d: choose a smaller tpb-x or tpb-y",
                       tx, ty, tx * ty, most);
    *out = (ss_cu_dim){(unsigned)tx, (unsigned)ty, 1};
    return SS_OK;
}

int ss_cuda_count_tiles(const ss_tiling *t, int *out, ss_err *err)
{
    int64_t tiles = (int64_t)t->x.count * t->y.count;
    if (tiles > INT_MAX)
        return ss_fail(err,
                       "block: %.0f subdomains are too many for a launch, which takes %d: choose "
                       "larger ones",
                       (double)tiles, INT_MAX);
    *out = (int)tiles;
    return SS_OK;
}

/* --- plans --------------------------------------------------------------------------------------
 */

int ss_cuda_plan_make(ss_run *run, size_t own, ss_err *err)
{
    ss_cuda_plan *p = run->scratch = calloc(1, sizeof *p);
    ss_cuda_use(ss_cuda_of(run)->device);
    if (!p)
        return ss_fail(err, "out of memory");
    p->fma = ss_cuda_of(run)->update >= 0 && fuses(run);
    p->own = calloc(1, own + 1);
    ss_cuda_list_begin(&p->kernels, p->own, p->own ? own : 0);
    return p->own ? SS_OK : ss_fail(err, "out of memory");
}

int ss_cuda_plan_cycles(ss_run *run, ss_cuda_launch *launch, size_t blocks, ss_err *err)
{
    ss_cuda_plan *p = ss_cuda_plan_of(run);
    p->launch = launch;
    p->graphs = ss_config_int(&run->cfg, "launch") == SS_LAUNCH_GRAPH;
    return ss_cuda_keep(&p->kept, (void **)&p->partial, blocks * sizeof *p->partial,
                        "sums of thread blocks", err);
}

void ss_cuda_release(ss_run *run)
{
    ss_cuda_plan *p = ss_cuda_plan_of(run);
    ss_cuda_state *st = ss_cuda_state_of(run);
    if (!p)
        return;
    ss_cuda_use(st->device);
    ss_cuda_split_free(st);
    if (p->close)
        p->close(run);
    for (int i = 0; i < 2; i++)
        free_graph(&p->graph[i]);
    ss_cuda_kept_free(&p->kept);
    ss_cuda_list_end(&p->kernels);
    free(p->own);
    free(p);
    run->scratch = NULL;
}

/* --- a solver --------------------------------------------------------------------------------- */

static int fill(ss_run *run, const ss_cuda_solver *s, ss_err *err)
{
    if (ss_cuda_plan_make(run, s->own, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_plan *plan = ss_cuda_plan_of(run);
    plan->find = s->find;
    plan->begin = s->begin;
    plan->enter = s->enter;
    plan->leave = s->leave;
    plan->close = s->close;
    return s->make(run, plan, err);
}

int ss_cuda_prepare(ss_run *run, const ss_cuda_solver *s, ss_err *err)
{
    if (s->alone && ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse(s->alone, "solver jacobi or shared", err);
    int status = fill(run, s, err);
    if (status != SS_OK)
        ss_cuda_release(run);
    return status;
}

typedef struct recording {
    const ss_run *run;
    ss_cuda_launch *cycle;
    int parity;
    bool norm;
} recording;

static int launch_cycle(void *context, ss_err *err)
{
    const recording *r = context;
    (void)err;
    r->cycle(r->run, r->parity, r->norm, ss_cuda_of(r->run)->stream);
    return SS_OK;
}

int ss_cuda_record_cycle(const ss_run *run, ss_cuda_launch *cycle, int parity, bool norm,
                         ss_cu_graph *graph, ss_err *err)
{
    ss_cu_stream stream = ss_cuda_of(run)->stream;
    recording r = {run, cycle, parity, norm};
    if (*graph)
        return SS_OK;
    if (ss_cuda_record(stream, launch_cycle, &r, graph, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->graph_upload(*graph, stream));
    return SS_OK;
}

/* --- sums of many blocks ---------------------------------------------------------------------- */

#define SUM_THREADS 1024 /* as in sums.cuh */

int ss_cuda_sums_find(ss_cuda_sums *s, ss_err *err)
{
    s->add.threads.x = s->decide.threads.x = SUM_THREADS;
    return ss_cuda_kernel_get(&s->add, err, "device/sums.cuh", "add_sums") == SS_OK
               ? ss_cuda_kernel_get(&s->decide, err, "device/sums.cuh", "decide_norm")
               : SS_FAIL;
}

void ss_cuda_sums_decide(const ss_cuda_sums *s, const double *partial, uint32_t count,
                         ss_cuda_control *control, ss_cu_stream stream)
{
    ss_cuda_launch_kernel(&s->decide, stream, SS_ARGUMENTS(&partial, &count, &control));
}

void ss_cuda_sums_add(const ss_cuda_sums *s, const double *partial, uint32_t count, double *out,
                      ss_cu_stream stream)
{
    ss_cuda_launch_kernel(&s->add, stream, SS_ARGUMENTS(&partial, &count, &out));
}
