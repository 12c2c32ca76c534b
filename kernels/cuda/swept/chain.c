/*
 * Steps of time-dependent equations as chains of launches: see chain.h. With launch=graph most of
 * them are replayed from a CUDA graph: 0.7 us per launch instead of 3.4 us (H200). At the end:
 * classic time stepping, the simplest chain. Engine thread.
 */
#include "kernels/cuda/swept/arguments.h"

#include <stdio.h>
#include "kernels/cuda/swept/chain.h"

#define GRAPH_LAUNCHES 64 /* even */
/* Cycles between two checks whether the program wants the engine thread back. */
#define CYCLES_PER_CHECK 65536
/* Updates of points per launch, where one launch runs many cycles: a tenth of a second or less. */
#define UPDATES_PER_LAUNCH ((int64_t)1 << 33)

/* --- launches --------------------------------------------------------------------------------- */

ss_cuda_rows ss_cuda_rows_of(const ss_run *run, int cur)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const size_t first = st->box.first * ss_prec_size(run->prec);
    return (ss_cuda_rows){{(char *)st->u[cur] + first, (char *)st->u[1 - cur] + first},
                          (ptrdiff_t)st->box.count,
                          st->box.nx};
}

static void launch_level(const ss_run *run, int cur, int i, ss_cu_stream stream)
{
    const ss_cuda_chain *c = ss_cuda_chain_of(run);
    ss_cuda_rows rows = ss_cuda_rows_of(run, (cur + i - 1) & 1);
    int stage = (i - 1) % run->eq->nstage;
    ss_cuda_launch_kernel(&c->level, stream, SS_ARGUMENTS(&c->equation.coef, &rows, &stage));
}

/* --- graphs ----------------------------------------------------------------------------------- */

typedef struct recorded {
    const ss_run *run;
    int cur;
} recorded;

static int launch_graph(void *context, ss_err *err)
{
    const recorded *r = context;
    (void)err;
    for (int i = 1; i <= GRAPH_LAUNCHES; i++)
        ss_cuda_chain_of(r->run)->launch(r->run, r->cur, i, ss_cuda_of(r->run)->stream);
    return SS_OK;
}

/* Records the graph of a number of cycles, if it is worth one and there is none. */
static int prepare_graph(const ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cuda_chain *c = ss_cuda_chain_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    recorded r = {run, st->cur};
    bool missing = c->graphs && !c->whole && !c->with_host && !c->graph[st->cur];
    return missing && c->between(run, cycles) >= GRAPH_LAUNCHES
               ? ss_cuda_record(st->stream, launch_graph, &r, &c->graph[st->cur], err)
               : SS_OK;
}

void ss_cuda_chain_close(ss_run *run)
{
    const ss_cuda_chain *c = ss_cuda_chain_of(run);
    for (int i = 0; i < 2; i++)
        if (c->graph[i])
            ss_cu->graph_free(c->graph[i]);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Launches 1 .. n. */
static int launch_all(ss_run *run, int cur, int64_t n, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_cuda_chain *c = ss_cuda_chain_of(run);
    for (int64_t i = 1; i <= n;) {
        if (c->graph[cur] && i % 2 && n - i + 1 >= GRAPH_LAUNCHES) {
            SS_CUDA(ss_cu->graph_launch(c->graph[cur], st->stream));
            i += GRAPH_LAUNCHES;
            continue;
        }
        if (c->with_host && i % 2) {
            if (c->with_host(run, cur, err) != SS_OK)
                return SS_FAIL;
        } else {
            c->launch(run, cur, i % 2 ? 1 : 2, st->stream);
        }
        i++;
    }
    return SS_OK;
}

/* A step is timed by events on the device. */
static int begin(const ss_run *run, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    SS_CUDA(ss_cu->event_record(st->begin, st->stream));
    return SS_OK;
}

int ss_cuda_chain_end(ss_run *run, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    double seconds;
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->event_record(st->end, st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
    if (ss_cuda_seconds(st->begin, st->end, &seconds, err) != SS_OK)
        return SS_FAIL;
    run->step_seconds = (run->step_seconds > 0 ? run->step_seconds : 0) + seconds;
    return SS_OK;
}

static void enqueue_whole(const ss_run *run, int64_t cycles)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    int64_t updates = (int64_t)run->problem.nx * run->iterations_per_cycle;
    int64_t most = UPDATES_PER_LAUNCH / updates + 1;
    for (int64_t now; cycles > 0; cycles -= now) {
        now = cycles < most ? cycles : most;
        ss_cuda_chain_of(run)->whole(run, st->cur, now, st->stream);
    }
}

static int enqueue_launches(ss_run *run, int64_t cycles, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_cuda_chain *c = ss_cuda_chain_of(run);
    if (c->first)
        c->first(run, st->cur, st->stream);
    if (launch_all(run, st->cur, c->between(run, cycles), err) != SS_OK)
        return SS_FAIL;
    if (c->last)
        c->last(run, st->cur, st->stream);
    return SS_OK;
}

static int enqueue(ss_run *run, int64_t cycles, ss_err *err)
{
    if (!ss_cuda_chain_of(run)->whole)
        return enqueue_launches(run, cycles, err);
    enqueue_whole(run, cycles);
    return SS_OK;
}

int ss_cuda_chain_enqueue(ss_run *run, int64_t cycles, ss_err *err)
{
    return prepare_graph(run, cycles, err) == SS_OK ? enqueue(run, cycles, err) : SS_FAIL;
}

void ss_cuda_chain_enqueue_steps(const ss_run *run, int64_t steps)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    for (int64_t i = 1; i <= steps * run->eq->nstage; i++)
        launch_level(run, st->cur, i % 2 ? 1 : 2, st->stream);
}

int ss_cuda_chain_step(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    ss_cuda_use(st->device);
    if (st->slabs)
        return ss_cuda_chains_step(run, cycles, err);
    while (cycles > 0 && !ss_run_abandoned(run)) {
        int64_t now = cycles < CYCLES_PER_CHECK ? cycles : CYCLES_PER_CHECK;
        if (prepare_graph(run, now, err) != SS_OK || begin(run, err) != SS_OK ||
            enqueue(run, now, err) != SS_OK || ss_cuda_chain_end(run, err) != SS_OK)
            return SS_FAIL;
        st->cur = (int)((st->cur + now * run->iterations_per_cycle) & 1);
        for (int64_t i = 0; i < now; i++)
            ss_run_cycle_done(run);
        cycles -= now;
    }
    return SS_OK;
}

int ss_cuda_chain_finish(ss_run *run, int64_t steps, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    ss_cuda_use(st->device);
    if (st->slabs)
        return ss_cuda_chains_finish(run, steps, err);
    if (begin(run, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_chain_enqueue_steps(run, steps);
    st->cur = (int)((st->cur + steps * run->eq->nstage) & 1);
    return ss_cuda_chain_end(run, err);
}

/* --- prepare ---------------------------------------------------------------------------------- */

int ss_cuda_chain_make(const ss_run *run, ss_err *err)
{
    ss_cuda_chain *c = ss_cuda_chain_of(run);
    c->graphs = ss_config_int(&run->cfg, "launch") == SS_LAUNCH_GRAPH;
    return ss_cuda_equation_of(run, &c->equation, err);
}

/* --- classic time stepping -------------------------------------------------------------------- */

/* Of one_level: the points of a thread are `times` groups of `adjacent` ones. */
typedef struct shape {
    int adjacent, times;
    int from; /* points of the shortest line that it is for */
} shape;

/* More points per thread mean fewer blocks to launch and more bytes in flight per SM, as long as
 * all SMs have threads. Adjacent points share faces, so that a thread has four of them if there are
 * many fields. Measured on an H200. [0]: of one field; [1]: of more. */
static const shape shapes[2][4] = {
    {{1, 1, 0}, {2, 1, 1 << 17}, {2, 2, 1 << 19}, {2, 4, 1 << 20}},
    {{1, 1, 0}, {2, 1, 1 << 18}, {4, 1, 1 << 20}, {4, 1, 1 << 20}},
};

static shape shape_for(const ss_problem *p)
{
    const shape *rising = shapes[p->nfield > 1];
    int i = 3;
    while (p->nx < rising[i].from)
        i--;
    return rising[i];
}

int ss_cuda_chain_find_level(const ss_run *run, ss_err *err)
{
    ss_cuda_chain *c = ss_cuda_chain_of(run);
    const shape s = shape_for(&run->problem);
    c->level.blocks.x = (unsigned)ceil_div(run->problem.nx, s.adjacent * s.times * STEPPER_THREADS);
    c->level.threads.x = STEPPER_THREADS;
    return ss_cuda_kernel_get(&c->level, err, "swept/stepper.cuh", "one_level<%s, %d, %d>",
                              c->equation.type, s.adjacent, s.times);
}

static int64_t levels_of(const ss_run *run, int64_t cycles)
{
    return cycles * run->iterations_per_cycle;
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    ss_cuda_chain *c = plan->own;
    c->launch = launch_level;
    c->between = levels_of;
    return ss_cuda_chain_make(run, err) == SS_OK ? ss_cuda_chain_find_level(run, err) : SS_FAIL;
}

static const ss_cuda_solver solver = {sizeof(ss_cuda_chain), make, .close = ss_cuda_chain_close};

int ss_cuda_stepper_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_chains_prepare(run, ss_cuda_stepper_prepare, 1, err);
    return ss_cuda_prepare(run, &solver, err);
}

/* --- equations -------------------------------------------------------------------------------- */

extern const ss_equation ss_eq_heat1d, ss_eq_ks1d, ss_eq_euler1d;

/* One row each. */
static const struct equation {
    const ss_equation *eq;
    const char *type;
    int version; /* the coefficient that is the type's second argument; 0: it has none */
    int shared_values;
} equations[] = {
    {&ss_eq_heat1d, "heat", 0, 0},
    {&ss_eq_ks1d, "ks", 0, 0},
    {&ss_eq_euler1d, "euler", 2, 4}, /* by its slope limiter */
};

static void describe(const ss_run *run, const struct equation *e, ss_cuda_equation *out)
{
    const char *real = ss_cuda_real_name(run->prec);
    const double *c = run->coef.c;
    if (e->version > 0)
        snprintf(out->type, sizeof out->type, "%s<%s, %d>", e->type, real, (int)c[e->version]);
    else
        snprintf(out->type, sizeof out->type, "%s<%s>", e->type, real);
    out->shared_values = e->shared_values;
    for (int i = 0; i < 8; i++)
        if (run->prec == SS_F64)
            out->coef.f64[i] = c[i];
        else
            out->coef.f32[i] = (float)c[i];
}

int ss_cuda_equation_of(const ss_run *run, ss_cuda_equation *out, ss_err *err)
{
    for (size_t i = 0; i < sizeof equations / sizeof *equations; i++)
        if (equations[i].eq == run->eq) {
            describe(run, &equations[i], out);
            return SS_OK;
        }
    return ss_fail(err, "equation %s: the GPU has no kernels for it: choose backend cpu",
                   run->eq->name);
}
