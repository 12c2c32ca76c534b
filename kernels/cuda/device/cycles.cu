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

#include "kernels/cuda/device/graph.cuh"
#include "kernels/cuda/device/split.cuh"

#define GRAPH_CYCLES 32 /* at least: launching a graph costs microseconds, a node half of one */

static ss_cuda_cycles *cycles_of(const ss_run *run)
{
    return (ss_cuda_cycles *)run->scratch;
}

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
    if (cycles_of(run)->in_place)
        return cur;
    return period(every) && every % 2 == 0 ? (int)((cur + run->cycle) & 1) : 0;
}

static void fork(const ss_run *run, cudaStream_t stream)
{
    if (cycles_of(run)->fork)
        cycles_of(run)->fork(run, stream);
}

static void join(const ss_run *run, cudaStream_t stream)
{
    if (cycles_of(run)->join)
        cycles_of(run)->join(run, stream);
}

/* The graph for the run's present interval between norms: a run that takes them seldom
 * (src/run/checks.h) goes from one to the other and back. */
static ss_cuda_cycle_graph *graph_of(const ss_run *run)
{
    return &cycles_of(run)->graph[run->check_every > 0];
}

static int capture(ss_run *run, ss_err *err)
{
    ss_cuda_cycles *c = cycles_of(run);
    ss_cuda_cycle_graph *g = graph_of(run);
    if (g->exec)
        cudaGraphExecDestroy(g->exec);
    int every = period(run->check_every);
    int length = every ? ceil_div(GRAPH_CYCLES, every) * every : GRAPH_CYCLES;
    *g = ss_cuda_cycle_graph{NULL, length, start_of_graph(run), ss_cuda_fma(run), run->check_every};
    cudaStream_t stream = ss_cuda_of(run)->stream;
    auto launches = [=] {
        fork(run, stream);
        for (int i = 0; i < length; i++)
            c->launch(run, (g->start + i) & 1, every && i % run->check_every == 0, stream);
        join(run, stream);
        return SS_OK;
    };
    return ss_cuda_record(stream, launches, &g->exec, err);
}

/* True if there is a graph for the current arrays and coefficients; a reset may have changed them.
 */
static bool has_graph(const ss_run *run)
{
    const ss_cuda_cycle_graph *g = graph_of(run);
    return g->exec && g->start == start_of_graph(run) && g->fma == ss_cuda_fma(run) &&
           g->check_every == run->check_every;
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

/* Loads all kernels of a step before its clock starts. */
static int load(ss_run *run, ss_err *err)
{
    ss_cuda_cycles *c = cycles_of(run);
    cudaStream_t stream = ss_cuda_of(run)->stream;
    auto launches = [=] {
        if (c->begin)
            c->begin(run, 0, stream);
        fork(run, stream);
        for (int norm = 0; norm < 2; norm++)
            c->launch(run, 0, norm, stream);
        join(run, stream);
        return SS_OK;
    };
    c->loaded = ss_cuda_load(stream, launches, err) == SS_OK;
    return c->loaded ? SS_OK : SS_FAIL;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* The array from which the cycle after one from u[parity] starts. */
static int turn(const ss_cuda_cycles *c, int parity)
{
    return c->in_place ? parity : 1 - parity;
}

/* The cycles from `cycle` on, at most `left`, that have no norm and can be one launch; 0: fewer
 * than two, or there is no such launch. */
static int64_t count_many(const ss_run *run, int64_t cycle, int64_t left)
{
    if (!cycles_of(run)->many || is_checked(run, cycle))
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
    const ss_cuda_cycles *c = cycles_of(run);
    int parity = from % 2 ? turn(c, st->cur) : st->cur, alone = c->keep ? 1 : c->alone;
    bool forked = false;
    SS_CUDA(cudaMemcpyAsync(st->control, st->host, sizeof *st->host - sizeof st->host->norm,
                            cudaMemcpyHostToDevice, st->stream));
    SS_CUDA(cudaEventRecord(st->begin, st->stream));
    if (c->begin && from == 0)
        c->begin(run, parity, st->stream);
    for (int64_t i = from; i < cycles;) {
        int64_t cycle = run->cycle + i;
        bool known = run->residual_cycle == cycle; /* the norm of this field */
        if (!known && graph_fits(run, cycle, parity, cycles - i - alone)) {
            if (forked)
                join(run, st->stream);
            forked = false;
            SS_CUDA(cudaGraphLaunch(graph_of(run)->exec, st->stream));
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
    SS_CUDA(cudaGetLastError());
    SS_CUDA(cudaEventRecord(st->end, st->stream));
    SS_CUDA(cudaMemcpyAsync(st->host, st->control, sizeof *st->host, cudaMemcpyDeviceToHost,
                            st->stream));
    SS_CUDA(cudaStreamSynchronize(st->stream));
    return SS_OK;
}

static void fill_control(const ss_run *run)
{
    ss_cuda_control *h = ss_cuda_of(run)->host;
    h->stop = h->count = 0;
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
    *done = st->host->stop ? stopped_at(run, cycles) : cycles;
    SS_CUDA(cudaEventElapsedTime(&ms, st->begin, st->end));
    if (*done + 1 < cycles) {
        if (enqueue(run, *done + 1, cycles, err) != SS_OK)
            return SS_FAIL;
        SS_CUDA(cudaEventElapsedTime(&empty, st->begin, st->end));
    }
    *seconds = fmax(ms - empty, 0) * 1e-3;
    return SS_OK;
}

/* Reports each cycle and its norm to the run; `done` of them took that time. False: the run has
 * stopped. */
static bool replay(ss_run *run, int64_t cycles, int64_t done, double seconds, double earlier)
{
    ss_cuda_state *st = (ss_cuda_state *)run->state;
    int norms = 0;
    for (int64_t i = 0; i < cycles; i++) {
        double share = i < done ? (double)i / (double)done : 1;
        run->step_seconds = earlier + seconds * share;
        if (ss_run_wants_norm(run) && !ss_run_norm(run, st->host->norm[norms++]))
            return false;
        st->cur = turn(cycles_of(run), st->cur);
        ss_run_cycle_done(run);
    }
    run->step_seconds = earlier + seconds;
    return true;
}

static int advance(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cuda_cycles *c = cycles_of(run);
    double earlier = run->step_seconds > 0 ? run->step_seconds : 0; /* of a hybrid run's CPU */
    if (!c->loaded && load(run, err) != SS_OK)
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
    const ss_cuda_cycles *c = cycles_of(run);
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
    ss_cuda_on here(ss_cuda_of(run)->device);
    if (ss_cuda_of(run)->split && advance_hybrid(run, &cycles, err) != SS_OK)
        return SS_FAIL;
    return cycles > 0 && run->status == SS_RUNNING ? advance_alone(run, cycles, err) : SS_OK;
}

/* --- sizes of launches --------------------------------------------------------------------------
 */

int ss_cuda_threads(const ss_run *run, int most, dim3 *out, ss_err *err)
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
    *out = dim3((unsigned)tx, (unsigned)ty);
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

/* --- scratch ---------------------------------------------------------------------------------- */

void ss_cuda_release(ss_run *run)
{
    ss_cuda_cycles *c = cycles_of(run);
    if (!c)
        return;
    ss_cuda_split_free((ss_cuda_state *)run->state);
    cudaFree(c->partial);
    for (const ss_cuda_cycle_graph &g : c->graph)
        if (g.exec)
            cudaGraphExecDestroy(g.exec);
    if (c->own && c->free_own)
        c->free_own(c->own);
    free(c);
    run->scratch = NULL;
}

int ss_cuda_cycles_make(ss_run *run, ss_cuda_launch *launch, size_t blocks, void *own,
                        void (*free_own)(void *own), ss_err *err)
{
    ss_cuda_cycles *c = (ss_cuda_cycles *)calloc(1, sizeof *c);
    if (!c)
        return ss_fail(err, "out of memory");
    run->scratch = c;
    c->launch = launch;
    c->own = own;
    c->free_own = free_own;
    c->graphs = ss_config_int(&run->cfg, "launch") == SS_LAUNCH_GRAPH;
    return ss_cuda_alloc((void **)&c->partial, blocks * sizeof *c->partial, "sums of thread blocks",
                         err);
}
