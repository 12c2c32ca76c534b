/* Checkpoints of a run on the host, recovery on another backend, and the last cycle once more: see
 * checkpoint.h. */
#include "src/run/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/run/parts.h"

#define INTERVAL 0.5    /* least seconds between two checkpoints */
#define SHARE 0.01      /* largest fraction of the time spent on them */
#define BANDWIDTH 2.0e9 /* bytes per second: estimate for the first one */

struct ss_checkpoint {
    double last, cost; /* clock when it was opened or last taken; seconds that one takes */
    bool hopeless;     /* no other backend runs this, or no memory for a copy */
    char *field;       /* NULL: none yet; dense, in the run's precision */
    ss_run then;       /* the run at that moment: only its counters are used */
};

/* --- copies ----------------------------------------------------------------------------------- */

/* The CPU backend is the last of the table and always present. */
double ss_host_memory(char *what, size_t size)
{
    int last = 0;
    while (ss_backends[last + 1])
        last++;
    return ss_backends[last]->memory(what, size);
}

size_t ss_field_bytes(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    size_t points = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    return points * (size_t)p->nfield * ss_prec_size(run->prec);
}

/* Planes of all fields together. */
static int plane_count(const ss_run *run)
{
    return run->problem.nz * run->problem.nfield;
}

static size_t plane_bytes(const ss_run *run)
{
    return ss_field_bytes(run) / (size_t)plane_count(run);
}

/* Follows the field of a copy: the method whose memory comes next. ops NULL: nothing comes. The
 * field's size need not be a multiple of its alignment, hence memcpy. */
typedef struct owner {
    const ss_engine_ops *ops;
    uint64_t method; /* ss_run_method */
    size_t bytes;    /* of the memory */
} owner;

static size_t memory_bytes(const ss_run *run)
{
    return run->ops->memory ? run->ops->memory(run) : 0;
}

static owner owner_now(const ss_run *run)
{
    bool has = run->ops->memory != NULL;
    return (owner){.ops = has ? run->ops : NULL,
                   .method = has ? ss_run_method(&run->cfg) : 0,
                   .bytes = memory_bytes(run)};
}

static void set_owner(const ss_run *run, char *field, owner who)
{
    memcpy(field + ss_field_bytes(run), &who, sizeof who);
}

static bool owns(const ss_run *run, const char *field)
{
    owner then, now = owner_now(run);
    memcpy(&then, field + ss_field_bytes(run), sizeof then);
    return now.ops && then.ops == now.ops && then.method == now.method && then.bytes == now.bytes;
}

static size_t memory_at(const ss_run *run)
{
    return ss_field_bytes(run) + sizeof(owner);
}

size_t ss_copy_bytes(const ss_run *run)
{
    return memory_at(run) + memory_bytes(run);
}

/* which: as in ss_backend. */
static char *download(ss_run *run, int which)
{
    const ss_problem *p = &run->problem;
    char *field = malloc(ss_copy_bytes(run));
    if (field)
        set_owner(run, field, (owner){.ops = NULL});
    for (int i = 0; field && i < plane_count(run); i++)
        if (run->backend->download(run, which, i / p->nz, i % p->nz, 0, p->ny,
                                   field + (size_t)i * plane_bytes(run), NULL) != SS_OK) {
            free(field);
            return NULL;
        }
    return field;
}

char *ss_field_download_start(ss_run *run)
{
    return download(run, 2);
}

char *ss_field_download(ss_run *run)
{
    double before = run->seconds_download;
    char *field = download(run, 0);
    if (field && run->ops->memory) {
        set_owner(run, field, owner_now(run));
        if (run->ops->memory_get(run, field + memory_at(run), NULL) != SS_OK) {
            free(field);
            return NULL;
        }
    }
    if (field)
        run->seconds_field_down = run->seconds_download - before;
    return field;
}

static struct ss_checkpoint *checkpoint_of(ss_run *run)
{
    if (!run->checkpoint && (run->checkpoint = calloc(1, sizeof *run->checkpoint))) {
        run->checkpoint->last = ss_clock();
        run->checkpoint->cost = (double)ss_field_bytes(run) / BANDWIDTH;
    }
    return run->checkpoint;
}

bool ss_checkpoint_take(ss_run *run)
{
    struct ss_checkpoint *c = checkpoint_of(run);
    double started = ss_clock();
    char *field = c ? ss_field_download(run) : NULL;
    if (!field)
        return false;
    free(c->field); /* only now: the device may be lost during the download */
    c->field = field;
    c->then = *run;
    c->last = ss_clock();
    c->cost = c->last - started;
    return true;
}

/* Is there memory for two copies (old and new) and the fields of the recovered run? */
static bool has_room(const ss_run *run)
{
    ss_config cfg;
    char what[96];
    if (ss_fallback(&run->cfg, run->backend, run->ops, &cfg, NULL) != SS_OK)
        return false;
    double need = ss_config_bytes(&cfg) + 2 * (double)ss_field_bytes(run);
    return need <= ss_config_backend(&cfg)->memory(what, sizeof what);
}

void ss_checkpoint_consider(ss_run *run)
{
    if (!run->backend->lost || run->peek || run->cycle == 0)
        return;
    struct ss_checkpoint *c = checkpoint_of(run);
    if (!c || c->hopeless || (c->field && c->then.cycle == run->cycle))
        return;
    double since = ss_clock() - c->last;
    if (since < INTERVAL || since * SHARE < c->cost)
        return;
    c->hopeless = !has_room(run) || !ss_checkpoint_take(run);
}

void ss_checkpoint_forget(ss_run *run)
{
    if (run->checkpoint)
        free(run->checkpoint->field);
    free(run->checkpoint);
    run->checkpoint = NULL;
}

/* --- recovery --------------------------------------------------------------------------------- */

static int index_of(const ss_solver *solver)
{
    int i = 0;
    while (ss_solvers[i] && ss_solvers[i] != solver)
        i++;
    return i;
}

/* The solver that computes the same on `backend` as these engine ops: the run's own, or the one
 * that replaces it under the microscope. */
static const ss_solver *same_solver(const ss_config *cfg, const ss_backend *backend,
                                    const ss_engine_ops *ops)
{
    const ss_equation *eq = ss_config_equation(cfg);
    if (ss_matrix(eq, ss_config_solver(cfg), backend, NULL))
        return ss_config_solver(cfg);
    for (int i = 0; ss_solvers[i]; i++) {
        const ss_engine_ops *other = ss_matrix(eq, ss_solvers[i], backend, NULL);
        if (other && other == ops->microscope)
            return ss_solvers[i];
    }
    return NULL;
}

int ss_fallback(const ss_config *cfg, const ss_backend *lost, const ss_engine_ops *ops,
                ss_config *out, ss_err *err)
{
    int backend = ss_param_find(cfg, "backend", NULL)->slot;
    int solver = ss_param_find(cfg, "solver", NULL)->slot;
    ss_fail(err, "no other backend runs this");
    for (int i = 0; ss_backends[i]; i++) {
        const ss_backend *b = ss_backends[i];
        const ss_solver *same = b == lost || b->asked_by || !ops ? NULL : same_solver(cfg, b, ops);
        if (!same)
            continue;
        *out = *cfg;
        out->v[backend] = (ss_value){.i = i + 1, .set = true}; /* choice 0 is auto */
        out->v[solver] = (ss_value){.i = index_of(same), .set = true};
        if (ss_config_check(out, NULL, err) == SS_OK)
            return SS_OK;
    }
    return SS_FAIL;
}

int ss_field_upload(ss_run *run, const char *field, ss_err *err)
{
    const ss_problem *p = &run->problem;
    for (int i = 0; i < plane_count(run); i++)
        if (run->backend->upload(run, 0, i / p->nz, i % p->nz, 0, p->ny,
                                 field + (size_t)i * plane_bytes(run), err) != SS_OK)
            return SS_FAIL;
    if (!run->ops->memory)
        return SS_OK;
    return run->ops->memory_put(run, owns(run, field) ? field + memory_at(run) : NULL, err);
}

void ss_run_return(ss_run *run, const ss_run *then)
{
    run->cycle = then->cycle;
    run->iteration = then->iteration;
    run->step = then->step;
    run->time = then->time;
    run->since = then->since;
    run->many_dt = then->many_dt;
    run->painted = then->painted;
    run->edited = then->edited;
    run->exact_since = then->exact_since;
    run->reached = then->reached;
    run->met = then->met;
    run->reached_cycle = then->reached_cycle;
    run->reached_tol = then->reached_tol;
    run->residual0 = then->residual0;
    run->residual = then->residual;
    run->residual_cycle = then->residual_cycle;
    run->watch = then->watch;
    run->teff = then->teff;
    run->total = then->total;
    ss_good_forget(run);
    run->status = SS_RUNNING;
    run->message[0] = '\0';
}

/* Moves everything but the field from a run to its replacement. */
static void hand_over(ss_run *from, ss_run *to)
{
    to->stop_at_tol = from->stop_at_tol;
    to->seldom = from->seldom;
    to->abandon = from->abandon;
    to->seconds_solve = from->seconds_solve;
    to->seconds_upload = from->seconds_upload;
    to->seconds_download = from->seconds_download;
    to->seconds_field_up = from->seconds_field_up;
    to->seconds_field_down = from->seconds_field_down;
    to->reference = from->reference;
    to->reference_reported = from->reference_reported;
    from->reference = NULL;
    ss_history none = to->history;
    to->history = from->history;
    from->history = none;
    ss_history_cut(&to->history, to->cycle, to->residual_cycle);
}

static void report_rescue(ss_run *run, const ss_solver *before, const ss_err *why)
{
    char device[64], with[40] = "";
    run->backend->describe(&run->cfg, device, sizeof device);
    if (run->solver != before)
        snprintf(with, sizeof with, " with %.30s", run->solver->name);
    snprintf(run->rescued, sizeof run->rescued, "%.160s: continuing on %s%s from cycle %lld",
             why->text, device, with, (long long)run->cycle);
}

ss_run *ss_fallback_open(const ss_config *cfg, const char *load, const char *rhs, ss_err *err)
{
    ss_config other;
    ss_err why = {0}, failed = err ? *err : why;
    const ss_backend *backend = ss_config_backend(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    const ss_engine_ops *ops = ss_matrix(ss_config_equation(cfg), solver, backend, NULL);
    ss_run *run = NULL;
    if (backend->lost && backend->lost(NULL, &why) &&
        ss_fallback(cfg, backend, ops, &other, NULL) == SS_OK)
        run = ss_run_open(&other, load, rhs, err);
    if (run)
        report_rescue(run, solver, &why);
    else if (err)
        *err = failed;
    return run;
}

int ss_run_rescue(ss_run *run, const ss_err *why, ss_err *err)
{
    ss_config cfg;
    const struct ss_checkpoint *c = run->checkpoint;
    if (ss_fallback(&run->cfg, run->backend, run->ops, &cfg, err) != SS_OK)
        return SS_FAIL;
    ss_run *next = ss_run_open(&cfg, run->load, run->rhs, err);
    if (!next)
        return SS_FAIL;
    if (c && c->field) {
        if (ss_field_upload(next, c->field, err) != SS_OK) {
            ss_run_close(next);
            return SS_FAIL;
        }
        ss_run_return(next, &c->then);
    }
    hand_over(run, next);
    report_rescue(next, run->solver, why);
    ss_run old = *run;
    *run = *next;
    *next = old;
    run->problem.cfg = &run->cfg;
    next->problem.cfg = &next->cfg;
    ss_run_close(next);
    ss_run_mark(run, "device lost");
    return SS_OK;
}

/* --- the last cycle once more ----------------------------------------------------------------- */

#define MEMORY_SHARE 0.25 /* largest share of the host's memory for the two copies */

struct ss_repeat {
    char *field, *start; /* dense, in the run's precision */
};

static bool fits(const ss_run *run)
{
    char what[96];
    return 2 * (double)ss_copy_bytes(run) <= MEMORY_SHARE * ss_host_memory(what, sizeof what);
}

ss_repeat *ss_repeat_keep(ss_run *run)
{
    if (run->eq->kind != SS_STEADY || run->cycle == 0 || run->peek > 0 || !run->start_kept ||
        run->repeated || !fits(run))
        return NULL;
    ss_repeat *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->field = ss_field_download(run);
    r->start = r->field ? ss_field_download_start(run) : NULL;
    if (r->start)
        return r;
    ss_repeat_free(r);
    return NULL;
}

void ss_repeat_free(ss_repeat *r)
{
    if (r) {
        free(r->field);
        free(r->start);
    }
    free(r);
}

/* Restores everything that a step changes except the fields. */
static void uncount(ss_run *run, const ss_run *before)
{
    ss_run_return(run, before);
    run->status = before->status;
    memcpy(run->message, before->message, sizeof run->message);
    run->check_every = before->check_every;
    run->stop_at_tol = before->stop_at_tol;
    run->seconds_ghosts = before->seconds_ghosts;
    run->seconds_upload = before->seconds_upload;
    run->seconds_download = before->seconds_download;
}

/* Solvers that draw their order from the number of the cycle draw that of the last one. */
static int one_cycle(ss_run *run, ss_err *err)
{
    run->cycle--;
    run->check_every = 0; /* no norm: that of the counted field remains */
    run->stop_at_tol = false;
    ss_run_clock_start(run);
    return run->ops->step(run, 1, err);
}

int ss_repeat_cycle(ss_run *run, const ss_repeat *r, ss_err *err)
{
    const ss_run before = *run;
    if (ss_field_upload(run, r->start, err) != SS_OK)
        return SS_FAIL;
    int status = one_cycle(run, err);
    bool whole = status == SS_OK && run->cycle == before.cycle;
    uncount(run, &before);
    run->repeated = whole;
    if (whole)
        return SS_OK;
    if (status == SS_OK)
        ss_fail(err, "the repetition of the last cycle was interrupted");
    ss_err ignored;
    ss_repeat_return(run, r, &ignored);
    return SS_FAIL;
}

int ss_repeat_return(ss_run *run, const ss_repeat *r, ss_err *err)
{
    run->repeated = false;
    run->start_kept = false; /* the present settings did not make this field */
    return ss_field_upload(run, r->field, err);
}
