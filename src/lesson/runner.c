/* Runs of a lesson without a screen: see runner.h. */
#include "src/lesson/runner.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/system.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/core/settings.h"
#include "src/engine/engine.h"
#include "src/run/checkpoint.h"

#define BYTES_MAX 1073741824.0 /* of the fields of one run */
#define CHECK_INTERVAL 0.05    /* seconds between checks of the budget */

/* --- observations ----------------------------------------------------------------------------- */

static uint32_t bit_of(const ss_quantity_ref *q, bool baseline)
{
    return q->row && q->baseline == baseline ? UINT32_C(1) << (q->row - ss_lesson_quantities) : 0;
}

ss_wanted ss_wanted_by(const ss_check *check, int n, bool baseline)
{
    ss_wanted w = {0, false};
    for (int i = 0; i < n; i++) {
        w.quantities |= bit_of(&check[i].left, baseline);
        if (check[i].against == SS_RIGHT_QUANTITY)
            w.quantities |= bit_of(&check[i].right, baseline);
        w.field = w.field || (check[i].form == SS_CHECK_SAME_AS && !baseline);
    }
    return w;
}

static bool has_end(const ss_run *run)
{
    bool settles = run->eq->kind == SS_STEADY && (run->tol > 0 || ss_run_seeks(run));
    return settles || run->max_cycles >= 0 || run->max_time > 0;
}

static double measure(ss_run *run, int row, bool still)
{
    const ss_lesson_quantity *q = &ss_lesson_quantities[row];
    return run->status == SS_DIVERGED || (q->slow && !still) ? (double)NAN : q->of(run);
}

int ss_observation_take(ss_run *run, ss_wanted wanted, bool still, ss_observation *out, ss_err *err)
{
    *out = (ss_observation){.cfg = run->cfg,
                            .status = run->status,
                            .kind = run->eq->kind,
                            .begun = run->cycle > 0 || run->step > 0 || run->status == SS_DIVERGED,
                            .reached = ss_run_met_goal(run),
                            .painted = run->painted,
                            .has_end = has_end(run),
                            .still = still,
                            .cycle = run->cycle,
                            .iteration = run->iteration,
                            .step = run->step,
                            .iterations_per_cycle = run->iterations_per_cycle};
    for (int i = 0; i < SS_QUANTITIES_MAX; i++)
        out->value[i] =
            out->begun && (wanted.quantities >> i & 1) ? measure(run, i, still) : (double)NAN;
    if (!wanted.field || !still || !out->begun)
        return SS_OK;
    out->bytes = ss_field_bytes(run);
    out->field = ss_field_download(run);
    return out->field ? SS_OK : ss_fail_memory(err, "a copy of the field", out->bytes);
}

void ss_observation_drop(ss_observation *x)
{
    free(x->field);
    x->field = NULL;
}

/* --- the engine thread ------------------------------------------------------------------------ */

struct ss_headless {
    ss_engine *engine;
    const ss_budget *budget;
    ss_observation now; /* after the last command; the thread that uses it owns it */

    /* Under lock: the engine thread writes the answers, the user waits for them. */
    pthread_mutex_t lock;
    pthread_cond_t answered;
    ss_wanted wanted;
    bool requested; /* for an observation of a still run */
    uint64_t ticket;
    ss_observation seen;
    int status; /* of the last observation */
    ss_err why;
    char message[320];
    uint64_t message_seq;
    bool message_is_error;
};

static void observe(const ss_engine_moment *m, void *ctx)
{
    ss_headless *h = ctx;
    ss_observation x;
    ss_err why = {0};
    pthread_mutex_lock(&h->lock);
    bool requested = h->requested && m->still;
    ss_wanted wanted = requested ? h->wanted : (ss_wanted){0, false};
    pthread_mutex_unlock(&h->lock);
    int status = ss_observation_take(m->run, wanted, m->still, &x, &why);
    x.undoable = m->undoable;
    pthread_mutex_lock(&h->lock);
    ss_observation_drop(&h->seen);
    h->seen = x;
    h->ticket = m->ticket;
    memcpy(h->message, m->message, sizeof h->message);
    h->message_seq = m->message_seq;
    h->message_is_error = m->message_is_error;
    if (requested) {
        h->requested = false;
        h->status = status;
        h->why = why;
    }
    pthread_cond_signal(&h->answered);
    pthread_mutex_unlock(&h->lock);
}

/* --- waiting ---------------------------------------------------------------------------------- */

static bool is_stopped(const ss_budget *b)
{
    return b->stop && atomic_load(b->stop);
}

static int check_budget(const ss_budget *b, ss_err *err)
{
    if (is_stopped(b))
        return ss_fail(err, "interrupted");
    return ss_clock() <= b->until
               ? SS_OK
               : ss_fail(err, "this takes longer than %g s, the limit of a lesson", b->seconds);
}

/* Waits until the command is carried out, the run is still and a requested observation has arrived.
 * Under lock. */
static int wait_for(ss_headless *h, uint64_t ticket, ss_err *err)
{
    int status = SS_OK;
    while (h->requested || h->ticket < ticket || !h->seen.still) {
        struct timespec t = ss_deadline_in(CLOCK_MONOTONIC, CHECK_INTERVAL);
        if (status == SS_OK && (status = check_budget(h->budget, err)) != SS_OK)
            ticket = ss_engine_interrupt(h->engine);
        pthread_cond_timedwait(&h->answered, &h->lock, &t);
    }
    h->now = h->seen;
    h->now.field = NULL;
    return status;
}

/* --- the user -------------------------------------------------------------------------------- */

int ss_headless_observe(ss_headless *h, ss_wanted wanted, ss_observation *out, ss_err *err)
{
    pthread_mutex_lock(&h->lock);
    h->wanted = wanted;
    h->requested = true;
    ss_engine_observe(h->engine);
    int status = wait_for(h, 0, err);
    *out = h->seen;
    h->seen.field = NULL;
    if (status == SS_OK && (status = h->status) != SS_OK)
        *err = h->why;
    pthread_mutex_unlock(&h->lock);
    if (status != SS_OK)
        ss_observation_drop(out);
    return status;
}

static bool is_unwanted(void *headless)
{
    const ss_headless *h = headless;
    return is_stopped(h->budget);
}

ss_headless *ss_headless_open(const ss_config *cfg, const ss_budget *budget, ss_err *err)
{
    ss_observation first;
    ss_headless *h = calloc(1, sizeof *h);
    if (!h) {
        ss_fail_memory(err, "a run", sizeof *h);
        return NULL;
    }
    h->budget = budget;
    pthread_condattr_t attr;
    pthread_mutex_init(&h->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&h->answered, &attr);
    pthread_condattr_destroy(&attr);
    const ss_engine_setup setup = {.cfg = cfg,
                                   .paused = true,
                                   .model_work = ss_run_models_work(),
                                   .observe = observe,
                                   .observe_ctx = h,
                                   .unwanted = is_unwanted,
                                   .wake_ctx = h,
                                   .bytes_max = BYTES_MAX};
    h->engine = ss_engine_start(&setup, err);
    if (h->engine && ss_headless_observe(h, (ss_wanted){0, false}, &first, err) == SS_OK)
        return h;
    ss_headless_close(h);
    return NULL;
}

void ss_headless_close(ss_headless *h)
{
    if (!h)
        return;
    ss_engine_free(h->engine);
    ss_observation_drop(&h->seen);
    pthread_cond_destroy(&h->answered);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

const ss_observation *ss_headless_now(const ss_headless *h)
{
    return &h->now;
}

static int post(ss_headless *h, const ss_cmd *cmd, ss_err *err)
{
    uint64_t ticket = ss_engine_post(h->engine, cmd, err);
    return ticket ? wait_for(h, ticket, err) : SS_FAIL;
}

/* A run that reached a limit is not paused: a later `set` would let it go on. */
static int pause_run(ss_headless *h, ss_err *err)
{
    ss_cmd pause;
    return ss_cmd_parse("pause", &pause, err) == SS_OK ? post(h, &pause, err) : SS_FAIL;
}

/* SS_FAIL: the command failed, or the budget is spent; the run is then paused where it is. */
static int headless_do(ss_headless *h, const ss_cmd *cmd, ss_err *err)
{
    pthread_mutex_lock(&h->lock);
    uint64_t before = h->message_seq;
    bool diverged = h->now.status == SS_DIVERGED;
    int status = post(h, cmd, err);
    if (status == SS_OK && (cmd->verb->flags & SS_V_ADVANCES))
        status = pause_run(h, err);
    /* Divergence is a state of the run, not a failure of the command. */
    bool diverges = !diverged && h->now.status == SS_DIVERGED;
    if (status == SS_OK && h->message_seq != before && h->message_is_error && !diverges)
        status = ss_fail(err, "%s", h->message);
    pthread_mutex_unlock(&h->lock);
    return status;
}

int ss_headless_line(ss_headless *h, const char *line, ss_err *err)
{
    ss_cmd cmd;
    return ss_cmd_parse(line, &cmd, err) == SS_OK ? headless_do(h, &cmd, err) : SS_FAIL;
}

/* --- the runner ------------------------------------------------------------------------------- */

ss_runner *ss_runner_new(const ss_config *machine, double seconds, const atomic_bool *stop,
                         ss_err *err)
{
    ss_runner *r = calloc(1, sizeof *r);
    if (!r) {
        ss_fail_memory(err, "a lesson", sizeof *r);
        return NULL;
    }
    r->machine = *machine;
    r->budget = (ss_budget){.seconds = seconds, .stop = stop};
    r->changed = true;
    ss_runner_renew(r);
    return r;
}

void ss_runner_free(ss_runner *r)
{
    if (!r)
        return;
    ss_headless_close(r->run);
    ss_headless_close(r->baseline);
    free(r);
}

void ss_runner_renew(ss_runner *r)
{
    r->budget.until = ss_clock() + r->budget.seconds;
}

const ss_observation *ss_runner_now(const ss_runner *r)
{
    return r->run ? ss_headless_now(r->run) : NULL;
}

/* --- commands --------------------------------------------------------------------------------- */

static int start(ss_runner *r, const ss_config *cfg, ss_err *err)
{
    r->run = ss_headless_open(cfg, &r->budget, err);
    return r->run ? SS_OK : SS_FAIL;
}

/* A lesson that does not open a run gets the program's default. */
static int need_run(ss_runner *r, ss_err *err)
{
    ss_config cfg;
    if (r->run)
        return SS_OK;
    ss_open_default(&r->machine, &cfg);
    return ss_config_check(&cfg, NULL, err) == SS_OK ? start(r, &cfg, err) : SS_FAIL;
}

static int act_change(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    if (need_run(r, err) != SS_OK || headless_do(r->run, cmd, err) != SS_OK)
        return SS_FAIL;
    r->changed = true;
    return SS_OK;
}

static int act_open(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg;
    r->fixed = 0;
    if (r->run)
        return act_change(r, cmd, err);
    ss_open_default(&r->machine, &cfg);
    return ss_open_words(cmd, &cfg, err) == SS_OK ? start(r, &cfg, err) : SS_FAIL;
}

static int act_undo(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    if (!r->run || ss_runner_now(r)->undoable <= r->fixed)
        return ss_fail(err, "there is nothing to undo in this step");
    return act_change(r, cmd, err);
}

static int act_advance(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = 1;
    if (ss_cmd_count(cmd, &n, err) != SS_OK || need_run(r, err) != SS_OK)
        return SS_FAIL;
    r->changed = r->changed && n == 0;
    return headless_do(r->run, cmd, err);
}

static int act_run(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    if (need_run(r, err) != SS_OK)
        return SS_FAIL;
    const ss_observation *now = ss_runner_now(r);
    if (!now->has_end)
        return ss_fail(err, "%s would run forever: use step N, or set %s",
                       ss_config_equation(&now->cfg)->name,
                       now->kind == SS_STEADY ? "until" : "until-time");
    return act_advance(r, cmd, err);
}

/* The verbs that a lesson's script may contain. Without a function a verb has no effect without a
 * screen. */
static const struct row {
    bool allowed;
    int (*act)(ss_runner *r, const ss_cmd *cmd, ss_err *err);
} rows[SS_NVERB] = {
    [SS_VERB_OPEN] = {true, act_open},    [SS_VERB_SET] = {true, act_change},
    [SS_VERB_UNSET] = {true, act_change}, [SS_VERB_UNDO] = {true, act_undo},
    [SS_VERB_REDO] = {true, act_change},  [SS_VERB_RESET] = {true, act_change},
    [SS_VERB_PAINT] = {true, act_change}, [SS_VERB_RUN] = {true, act_run},
    [SS_VERB_STEP] = {true, act_advance}, [SS_VERB_TICK] = {true, act_advance},
    [SS_VERB_PAUSE] = {true, NULL},       [SS_VERB_TOGGLE] = {true, NULL},
    [SS_VERB_SPEED] = {true, NULL},       [SS_VERB_ERROR] = {true, NULL},
    [SS_VERB_ACCURACY] = {true, NULL},    [SS_VERB_MARK] = {true, NULL},
    [SS_VERB_VIEW] = {true, NULL},        [SS_VERB_SAY] = {true, NULL},
    [SS_VERB_FOCUS] = {true, NULL},       [SS_VERB_THEME] = {true, NULL},
    [SS_VERB_BRUSH] = {true, NULL},
};

static const struct row *find_row(const ss_cmd *cmd)
{
    const struct row *row = &rows[cmd->verb->id];
    return row->allowed ? row : NULL;
}

static int refuse_writes(const ss_cmd *cmd, ss_err *err)
{
    return (cmd->verb->flags | cmd->row->flags) & SS_V_WRITES
               ? ss_fail(err, "%s writes files, which lessons do not allow", cmd->verb->name)
               : SS_OK;
}

int ss_lesson_admits_command(const ss_cmd *cmd, ss_err *err)
{
    if (refuse_writes(cmd, err) != SS_OK)
        return SS_FAIL;
    return find_row(cmd) ? SS_OK
                         : ss_fail(err,
                                   "%s is not a command for lessons: they open, change, advance "
                                   "and show a run",
                                   cmd->verb->name);
}

int ss_runner_do(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    const struct row *row = find_row(cmd);
    if (refuse_writes(cmd, err) != SS_OK)
        return SS_FAIL;
    r->line = (int)cmd->ticket;
    if (row)
        return row->act ? row->act(r, cmd, err) : SS_OK;
    return cmd->verb->side != SS_SIDE_ENGINE
               ? SS_OK
               : ss_fail(err, "%s is not available in lessons", cmd->verb->name);
}

int ss_runner_script(ss_runner *r, const ss_script *s, ss_err *err)
{
    for (int i = 0; i < s->count; i++)
        if (ss_runner_do(r, s->cmd[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

int ss_runner_advance(ss_runner *r, const ss_script *s, ss_err *err)
{
    for (int i = 0; i < s->count; i++)
        if ((s->cmd[i]->verb->flags & SS_V_ADVANCES) && ss_runner_do(r, s->cmd[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* A painted run goes on from where it is: a reset would remove the paint. */
int ss_runner_measure(ss_runner *r, ss_err *err)
{
    if (need_run(r, err) != SS_OK)
        return SS_FAIL;
    const ss_observation *now = ss_runner_now(r);
    if (!r->changed || !now->has_end)
        return SS_OK;
    if (!now->painted && ss_headless_line(r->run, "reset", err) != SS_OK)
        return SS_FAIL;
    r->changed = false;
    return ss_headless_line(r->run, "run", err);
}

/* --- steps ------------------------------------------------------------------------------------ */

int ss_lesson_path(const ss_lesson *l, int index, const ss_script *out[2 * SS_STEPS_MAX + 1])
{
    int first = index, n = 0;
    while (first > 0 && !l->step[first].block[SS_L_SCENARIO].text)
        first--;
    out[n++] = &l->step[first].commands[SS_L_SCENARIO];
    for (int i = first; i < index; i++) {
        out[n++] = &l->step[i].commands[SS_L_DO];
        out[n++] = &l->step[i].commands[SS_L_SOLUTION];
    }
    return n;
}

static int take_scenario(ss_runner *r, const ss_script *scenario, ss_err *err)
{
    if (ss_runner_script(r, scenario, err) != SS_OK || need_run(r, err) != SS_OK)
        return SS_FAIL;
    ss_headless_close(r->baseline);
    r->baseline = NULL;
    r->scenario = ss_runner_now(r)->cfg;
    return SS_OK;
}

int ss_runner_scenario(ss_runner *r, const ss_lesson *l, int index, ss_err *err)
{
    const ss_script *path[2 * SS_STEPS_MAX + 1];
    ss_lesson_path(l, index, path);
    return take_scenario(r, path[0], err);
}

int ss_runner_begin(ss_runner *r, const ss_lesson *l, int index, ss_err *err)
{
    const ss_script *path[2 * SS_STEPS_MAX + 1];
    int n = ss_lesson_path(l, index, path), status = take_scenario(r, path[0], err);
    for (int i = 1; i < n && status == SS_OK; i++)
        status = ss_runner_script(r, path[i], err);
    r->fixed = status == SS_OK ? ss_runner_now(r)->undoable : 0;
    return status;
}

int ss_lesson_opening(const ss_lesson *l, int index, const ss_config *machine, ss_config *out,
                      ss_err *err)
{
    ss_runner *r = ss_runner_new(machine, SS_LESSON_SECONDS, NULL, err);
    int status = r ? ss_runner_scenario(r, l, index, err) : SS_FAIL;
    if (status == SS_OK)
        *out = r->scenario;
    ss_runner_free(r);
    return status;
}
