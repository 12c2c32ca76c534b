/* Kernels compiled while the runs go on: see lane.h. */
#include "src/engine/lane.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/system.h"
#include "src/core/registry.h"
#include "src/run/ahead.h"

#define LEAVE 1.5   /* seconds that a kernel may take while the program leaves */
#define NOTICED 0.1 /* seconds that a change may take without a word about it */
#define REST 0.5    /* seconds without a command before neighbours are compiled */
#define SLOW 2.0    /* seconds: neighbours of a run whose kernels take longer are not compiled */
#define SIDES 64    /* neighbours of a run: two per control, at most */

struct ss_await {
    ss_engine *engine;
    atomic_bool unwanted; /* the configuration in progress */

    pthread_mutex_t lock;
    pthread_cond_t signal;
    pthread_t thread;
    /* Under lock. */
    ss_config job;
    bool busy, done, leaving; /* done: the job has ended; status and err say how */
    int status;
    ss_err err;
    double seconds; /* that it took */

    /* The engine thread's own. */
    bool started;
    ss_cmd *kept;     /* NULL: none */
    ss_config cfg;    /* of the run after it */
    bool asked;       /* the job in progress is `cfg` */
    double took;      /* seconds of the last job */
    bool said;        /* that it waits */
    double since;     /* clock of the last command */
    ss_config around; /* the run's settings when its neighbours were compiled */
    int side;         /* the next one */
};

/* --- the thread ------------------------------------------------------------------------------- */

static void wake(const struct ss_await *a)
{
    pthread_mutex_lock(&a->engine->lock);
    pthread_cond_signal(&a->engine->signal);
    pthread_mutex_unlock(&a->engine->lock);
}

static void do_job(struct ss_await *a)
{
    ss_config cfg = a->job;
    ss_err err = {0};
    double began = ss_clock();
    pthread_mutex_unlock(&a->lock);
    int status = ss_ahead_load(&cfg, &err);
    pthread_mutex_lock(&a->lock);
    a->status = status;
    a->err = err;
    a->seconds = ss_clock() - began;
    a->done = true;
    if (a->leaving)
        return;
    pthread_mutex_unlock(&a->lock);
    wake(a);
    pthread_mutex_lock(&a->lock);
}

static void *await_main(void *arg)
{
    struct ss_await *a = arg;
    ss_run_abandon_by(&a->unwanted);
    pthread_mutex_lock(&a->lock);
    while (!a->leaving) {
        if (a->busy && !a->done)
            do_job(a);
        else
            pthread_cond_wait(&a->signal, &a->lock);
    }
    a->busy = false;
    pthread_cond_broadcast(&a->signal);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

struct ss_await *ss_await_new(ss_engine *e)
{
    struct ss_await *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->engine = e;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->signal, NULL);
    return a;
}

/* A kernel that takes longer than LEAVE is left to its thread, with all that the thread uses. */
static void end(ss_engine *e)
{
    struct ss_await *a = e->await;
    if (!a)
        return;
    struct timespec late = ss_deadline_in(CLOCK_REALTIME, LEAVE);
    free(a->kept);
    atomic_store(&a->unwanted, true);
    pthread_mutex_lock(&a->lock);
    a->leaving = true;
    pthread_cond_broadcast(&a->signal);
    while (a->started && a->busy && pthread_cond_timedwait(&a->signal, &a->lock, &late) == 0)
        ;
    bool left = !a->started || !a->busy;
    pthread_mutex_unlock(&a->lock);
    if (!left) {
        pthread_detach(a->thread);
        return;
    }
    if (a->started)
        pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->signal);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* Is the thread free? Then it begins with cfg. */
static bool begin_job(struct ss_await *a, const ss_config *cfg)
{
    pthread_mutex_lock(&a->lock);
    bool begins = !a->busy;
    if (begins) {
        a->job = *cfg;
        a->busy = true;
        a->done = false;
        atomic_store(&a->unwanted, false);
        pthread_cond_broadcast(&a->signal);
    }
    pthread_mutex_unlock(&a->lock);
    return begins;
}

/* Has the job ended? Then the thread is free again. */
static bool end_job(struct ss_await *a, int *status, ss_err *err)
{
    pthread_mutex_lock(&a->lock);
    bool ended = a->busy && a->done;
    if (ended) {
        a->busy = false;
        *status = a->status;
        *err = a->err;
        a->took = a->seconds;
    }
    pthread_mutex_unlock(&a->lock);
    return ended;
}

/* --- commands that wait ----------------------------------------------------------------------- */

static const char saying[] = "the kernels of the new setting are being compiled";

static bool sets(const ss_cmd *cmd, const ss_cmd *other)
{
    return cmd->verb->id == SS_VERB_SET && other->verb->id == SS_VERB_SET &&
           strcmp(cmd->arg[0], other->arg[0]) == 0;
}

/* Does it act whatever waits? `open` replaces that. */
static bool goes_first(const ss_cmd *cmd)
{
    return !cmd->patient && ((cmd->verb->flags & SS_V_INTERRUPTS) || cmd->verb->id == SS_VERB_OPEN);
}

int ss_await_next(const ss_engine *e)
{
    const struct ss_await *a = e->await;
    if (!a || !a->kept || (!e->queue[0]->patient && sets(a->kept, e->queue[0])))
        return 0;
    for (int i = 0; i < e->nqueue; i++)
        if (goes_first(e->queue[i]))
            return i;
    return -1;
}

bool ss_await_is_ready(const ss_engine *e)
{
    struct ss_await *a = e->await;
    if (!a || !a->kept)
        return false;
    pthread_mutex_lock(&a->lock);
    bool done = a->busy && a->done;
    pthread_mutex_unlock(&a->lock);
    return done;
}

static void forget(ss_engine *e, struct ss_await *a)
{
    ss_engine_unsay(e, saying);
    free(a->kept);
    a->kept = NULL;
    a->asked = false;
    atomic_store(&a->unwanted, true);
}

static bool start(struct ss_await *a)
{
    if (!a->started)
        a->started = pthread_create(&a->thread, NULL, await_main, a) == 0;
    return a->started;
}

/* A change joined to one that it replaces is a new one, if that was. */
static void replace(ss_engine *e, struct ss_await *a, ss_cmd *cmd)
{
    if (a->kept && sets(a->kept, cmd) && a->kept->argc < 3)
        cmd->argc = 2;
    forget(e, a);
}

bool ss_await_keeps(ss_engine *e, ss_cmd *cmd)
{
    struct ss_await *a = e->await;
    ss_config cfg;
    if (!a)
        return false;
    a->since = ss_clock();
    if (a->kept && (cmd->verb->id == SS_VERB_OPEN || (cmd->verb->flags & SS_V_REWINDS)))
        forget(e, a);
    if (!e->setup.interactive || e->setup.deterministic || cmd->patient ||
        ss_engine_target(e, cmd, &cfg, NULL) != SS_OK)
        return false;
    if (!a->kept || sets(a->kept, cmd))
        replace(e, a, cmd);
    if (!ss_config_backend(&cfg) || !ss_config_backend(&cfg)->kernels || !start(a))
        return false;
    a->kept = cmd;
    a->cfg = cfg;
    a->said = false;
    e->dirty = true;
    return true;
}

ss_cmd *ss_await_take(ss_engine *e)
{
    struct ss_await *a = e->await;
    ss_err err = {0};
    int status;
    if (!a || !a->started)
        return NULL;
    if (end_job(a, &status, &err) && a->kept && a->asked) {
        ss_cmd *cmd = a->kept;
        a->kept = NULL;
        a->asked = false;
        ss_engine_unsay(e, saying);
        if (status == SS_OK || (cmd->verb->flags & SS_V_OPENS)) /* it may fall back */
            return cmd;
        ss_ahead_name_kept(&a->cfg, &err);
        ss_engine_say(e, true, "%s", err.text);
        e->message_refuses = !err.outside;
        e->ticket = cmd->ticket > e->ticket ? cmd->ticket : e->ticket;
        free(cmd);
    }
    if (a->kept && !a->asked)
        a->asked = begin_job(a, &a->cfg);
    return NULL;
}

uint64_t ss_await_ticket(ss_engine *e)
{
    const ss_cmd *kept = e->await ? e->await->kept : NULL;
    uint64_t ticket = kept && kept->ticket <= e->ticket ? kept->ticket - 1 : e->ticket;
    pthread_mutex_lock(&e->lock);
    if (e->nqueue > 0 && e->queue[0]->ticket <= ticket) /* a later one went first */
        ticket = e->queue[0]->ticket - 1;
    pthread_mutex_unlock(&e->lock);
    return ticket;
}

/* Has a command waited so long that it is to be said why? */
static bool is_slow(const ss_engine *e)
{
    return e->await && e->await->kept && ss_clock() - e->await->since > NOTICED;
}

/* --- neighbours ------------------------------------------------------------------------------- */

/* Has the control a next value, of which kernels may know nothing? */
static bool has_sides(const ss_config *cfg, const ss_param *row)
{
    return (row->type == SS_INT || row->type == SS_CHOICE) && ss_param_matters(row) &&
           (row->flags & SS_P_CONTROL) && (row->flags & SS_P_LIVE) &&
           (!row->shown || row->shown(cfg));
}

/* Neighbour number `side` of a config: the next value of a control, up or down. False: there is no
 * such neighbour; *row NULL: nor a later one. */
static bool make_neighbour(const ss_config *of, int side, const ss_param **row, ss_config *out)
{
    double lo, hi;
    ss_param_walk w = {.cfg = of};
    int n = 0; /* sides of the rows before */
    while ((*row = ss_param_next(&w)) && (!has_sides(of, *row) || (n += 2) <= side))
        ;
    if (!*row)
        return false;
    *out = *of;
    ss_value now = ss_config_value(of, *row), *v = &out->v[(*row)->slot];
    ss_config_range(of, *row, &lo, &hi, NULL);
    *v = ss_param_stepped(*row, now, side % 2 ? -1 : 1, lo, hi);
    v->set = true;
    return v->i != now.i && ss_config_check(out, NULL, NULL) == SS_OK;
}

static bool next_neighbour(const ss_config *cfg, int *side, ss_config *out)
{
    const ss_param *row;
    while (*side < SIDES) {
        if (make_neighbour(cfg, (*side)++, &row, out))
            return true;
        if (!row)
            *side = SIDES;
    }
    return false;
}

static double turn(ss_engine *e, double idle)
{
    struct ss_await *a = e->await;
    const ss_run *run = e->lane[e->shown].run;
    ss_config next;
    if (!a || !a->started)
        return idle;
    if (a->kept && !is_slow(e))
        return ss_earlier(idle, NOTICED);
    if (a->kept && !a->said) {
        a->said = e->dirty = true;
        ss_engine_say(e, false, "%s", saying);
    }
    if (a->kept || a->took > SLOW)
        return idle;
    if (memcmp(&a->around, &run->cfg, sizeof a->around) != 0) {
        a->around = run->cfg;
        a->side = 0;
    }
    if (a->side >= SIDES || !run->backend->kernels)
        return idle;
    double rest = a->since + REST - ss_clock();
    if (rest > 0)
        return ss_earlier(idle, rest);
    pthread_mutex_lock(&a->lock);
    bool busy = a->busy;
    pthread_mutex_unlock(&a->lock);
    if (!busy && next_neighbour(&run->cfg, &a->side, &next))
        begin_job(a, &next);
    return idle;
}

static void publish(ss_engine *e, ss_snapshot *s)
{
    bool stepping = ss_engine_is_stepping(e) && e->ticket > 0;
    s->ticket = stepping ? e->ticket - 1 : ss_await_ticket(e);
    s->compiling = is_slow(e);
}

const ss_feature ss_await_feature = {.turn = turn, .publish = publish, .end = end};
