/* The loop of the engine thread: execute commands, advance, publish, sleep. See engine.h and
 * lane.h. */
#include "src/engine/engine.h"
#include "src/core/run.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/system.h"
#include "src/run/checks.h"
#include "src/engine/lane.h"
#include "src/run/reference.h"
#include "src/core/registry.h"

#define SLICE 4e-3        /* seconds of work per turn with a front end: a quarter of a frame */
#define SLICE_ALONE 50e-3 /* the same without a front end */
#define TOGETHER 4e-3     /* seconds between turns of a lane with a limited pace */
#define DUE_MOST 1000000  /* cycles per such turn */
#define LONG_CYCLE 0.25   /* seconds */
#define POLL 0.1          /* seconds between checks of background work (u*) while idle */
#define PATIENCE 0.05     /* seconds after which a backend may end a step early */
#define ALIVE 0.5         /* seconds between checks that an idle run's device is there */
#define LEAVE 1.5         /* seconds that a device may take to stop */

/* In this order before and after a lane advances, in a turn and in a snapshot: a lane that holds
 * does not advance; a lane's state is stored when it is known whether it holds. */
static const ss_feature *const features[] = {&ss_hold_feature,
                                             &ss_race_feature,
                                             &ss_recovery_feature,
                                             &ss_rewind_feature,
                                             &ss_classic_feature,
                                             &ss_cone_feature,
                                             &ss_edit_feature,
                                             &ss_journal_feature,
                                             &ss_await_feature,
                                             &ss_undo_feature,
                                             NULL};

/* --- called from other threads -------------------------------------------------------------------
 */

static void wake_engine(ss_engine *e)
{
    pthread_cond_signal(&e->signal);
}

uint64_t ss_engine_post(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    uint64_t ticket = 0;
    ss_cmd *copy = ss_cmd_copy(cmd, err);
    if (!copy)
        return 0;
    pthread_mutex_lock(&e->lock);
    if (e->nqueue < SS_QUEUE_MAX) {
        ticket = copy->ticket = ++e->tickets;
        e->queue[e->nqueue++] = copy;
        copy = NULL;
    }
    wake_engine(e);
    pthread_mutex_unlock(&e->lock);
    free(copy);
    if (!ticket)
        ss_fail(err, "too many commands are waiting");
    return ticket;
}

/* The interrupted cycle was dropped: clears `abandon`. ss_engine_stop sets `quit` before `abandon`,
 * so this cannot undo a concurrent stop, in either order of the two stores. */
static void end_interrupt(ss_engine *e)
{
    atomic_store(&e->abandon, false);
    if (atomic_load(&e->quit))
        atomic_store(&e->abandon, true);
}

uint64_t ss_engine_interrupt(ss_engine *e)
{
    ss_cmd pause;
    ss_err err;
    if (ss_cmd_parse("pause", &pause, &err) != SS_OK)
        return 0;
    atomic_store(&e->abandon, true);
    uint64_t ticket = ss_engine_post(e, &pause, &err);
    if (!ticket)
        end_interrupt(e);
    return ticket;
}

void ss_engine_observe(ss_engine *e)
{
    atomic_store(&e->observed, true);
    pthread_mutex_lock(&e->lock);
    wake_engine(e);
    pthread_mutex_unlock(&e->lock);
}

void ss_engine_lesson(ss_engine *e, bool on)
{
    atomic_store(&e->lesson, on);
    ss_engine_observe(e);
}

void ss_engine_view(ss_engine *e, const ss_view *view)
{
    pthread_mutex_lock(&e->lock);
    e->requested = *view;
    wake_engine(e);
    pthread_mutex_unlock(&e->lock);
}

void ss_engine_want(ss_engine *e)
{
    if (atomic_exchange(&e->want, true))
        return;
    pthread_mutex_lock(&e->lock);
    wake_engine(e);
    pthread_mutex_unlock(&e->lock);
}

const ss_snapshot *ss_engine_take(ss_engine *e, bool *fresh)
{
    return ss_mailbox_take(e->mailbox, fresh);
}

/* --- one turn ------------------------------------------------------------------------------------
 */

/* Requested steps finish before later commands run, unless one of those interrupts. */
static bool must_wait(const ss_engine *e)
{
    if (!ss_engine_is_stepping(e))
        return false;
    for (int i = 0; i < e->nqueue; i++)
        if ((e->queue[i]->verb->flags & SS_V_INTERRUPTS) && !e->queue[i]->patient)
            return false;
    return true;
}

static ss_cmd *next_command(ss_engine *e)
{
    ss_cmd *cmd = NULL;
    pthread_mutex_lock(&e->lock);
    if (e->view.seq != e->requested.seq) {
        e->view = e->requested;
        e->dirty = true;
    }
    int next = e->nqueue > 0 && !must_wait(e) ? ss_await_next(e) : -1;
    if (next >= 0) {
        cmd = e->queue[next];
        memmove(e->queue + next, e->queue + next + 1,
                (size_t)(--e->nqueue - next) * sizeof *e->queue);
    }
    pthread_mutex_unlock(&e->lock);
    return cmd;
}

/* The failure of a lost lane is only stored: its rescue reports it. */
static void report_failure(ss_engine *e, ss_lane *lane, const ss_err *err, int status)
{
    const ss_run *run = lane->run;
    if (status != SS_OK)
        lane->failure = *err;
    if (status != SS_OK && !ss_lane_is_lost(lane))
        ss_engine_say(e, true, "%s", err->text);
    else if (run->status == SS_DIVERGED || run->status == SS_STAGNATED)
        ss_engine_say(e, run->status == SS_DIVERGED, "%s", run->message);
}

static bool is_settled(const ss_run *run)
{
    return run->eq->kind == SS_TRANSIENT ? run->watch.step == run->step
                                         : run->residual_cycle == run->cycle;
}

static void settle_if_idle(ss_engine *e)
{
    ss_lane *lane = &e->lane[e->shown];
    ss_err err = {0};
    if (!ss_lane_is_busy(e, lane) && lane->run->status == SS_RUNNING && lane->run->peek == 0 &&
        !is_settled(lane->run)) {
        report_failure(e, lane, &err, ss_run_settle(lane->run, &err));
        ss_hold_consider(e, lane);
        e->dirty = e->changed = true;
    }
}

/* In a deterministic run the curve must not depend on how soon the next command comes: each one
 * finds the norm of the field it changes, as if the engine had been idle before it. */
static void settle_first(ss_engine *e)
{
    if (e->setup.deterministic)
        settle_if_idle(e);
}

/* A command of a script that fails ends the program with its sentence: those that wait behind it
 * are not executed, since their own would replace it. */
static void obey(ss_engine *e, const ss_cmd *cmd)
{
    uint64_t said = e->message_seq;
    if (e->script_failed)
        return;
    ss_engine_obey(e, cmd);
    bool fails = e->message_seq != said && e->message_is_error;
    e->script_failed = fails && !cmd->heard && !e->setup.interactive && !e->observer;
}

static void execute(ss_engine *e, ss_cmd *cmd)
{
    end_interrupt(e);
    settle_first(e);
    obey(e, cmd);
    e->ticket = cmd->ticket > e->ticket ? cmd->ticket : e->ticket;
    e->dirty = e->changed = true;
    free(cmd);
}

static void execute_commands(ss_engine *e)
{
    while (!atomic_load(&e->quit)) {
        ss_cmd *ready = ss_await_take(e), *next = ready ? NULL : next_command(e);
        if (!ready && !next)
            return;
        if (ready)
            execute(e, ready);
        else if (!ss_await_keeps(e, next))
            execute(e, next);
    }
}

static double recent(double before, double each, double seconds)
{
    double weight = seconds > 0.1 ? 0.3 : 0.95; /* of the past; 0.95: about 20 slices */
    return before > 0 ? weight * before + (1 - weight) * each : each;
}

/* After some cycles: their seconds of solving, and those by ss_run_spent. */
static void measure(ss_lane *lane, int64_t cycles, double seconds, double spent)
{
    const ss_problem *p = &lane->run->problem;
    if (cycles <= 0 || seconds <= 0)
        return;
    lane->cycle_spent =
        recent(lane->cycle_seconds > 0 ? lane->cycle_spent : 0, spent / (double)cycles, spent);
    lane->cycle_seconds = recent(lane->cycle_seconds, seconds / (double)cycles, spent);
    double points =
        lane->run->eq->patches ? lane->run->per_cycle.updates : (double)p->nx * p->ny * p->nz;
    lane->rate = points * lane->run->iterations_per_cycle / lane->cycle_seconds;
}

/* Cycles that are done together when several are due in one slice. */
static int64_t cycles_due(const ss_lane *lane)
{
    double due = TOGETHER / ss_lane_stride(lane);
    return due < 1 ? 1 : due < DUE_MOST ? (int64_t)due : DUE_MOST;
}

static int64_t cycles_for(const ss_engine *e, const ss_lane *lane)
{
    double slice = e->setup.interactive ? SLICE : SLICE_ALONE;
    if (lane->steps > 0 && e->setup.deterministic)
        return lane->steps;
    int64_t n = lane->cycle_seconds > 0 ? (int64_t)(slice / lane->cycle_spent) : 1;
    n = n < 1 ? 1 : n;
    if (e->race.on)
        n = ss_engine_race_cycles(e, (int)(lane - e->lane), slice, n);
    if (ss_lane_stride(lane) > 0 && lane->steps == 0)
        return cycles_due(lane) < n ? cycles_due(lane) : n;
    return lane->steps > 0 && n > lane->steps ? lane->steps : n;
}

/* The cycles of a slice. */
static int do_slice(ss_engine *e, ss_lane *lane, ss_err *err)
{
    const ss_run *run = lane->run;
    int64_t before = run->cycle;
    double seconds = run->seconds_solve, spent = ss_run_spent(run);
    int status = ss_hold_step(e, lane, cycles_for(e, lane), err);
    bool disturbed = e->classic.disturbed; /* the caches held another run */
    if (!disturbed || lane->cycle_seconds <= 0)
        measure(lane, run->cycle - before, run->seconds_solve - seconds, ss_run_spent(run) - spent);
    e->classic.disturbed = false;
    return status;
}

static void advance(ss_engine *e, ss_lane *lane)
{
    ss_err err = {0};
    ss_run *run = lane->run;
    for (int i = 0; features[i]; i++)
        if (features[i]->before && !features[i]->before(e, lane))
            return;
    int64_t before = run->cycle;
    if (ss_lane_stride(lane) > 0 && lane->steps == 0 && lane->ticks == 0) {
        if (ss_clock() < lane->next_cycle)
            return;
        lane->next_cycle = ss_clock() + ss_lane_stride(lane) * (double)cycles_due(lane);
    }
    bool tick = lane->ticks > 0 && lane->steps == 0;
    run->seldom = e->setup.seldom && !e->setup.observe;
    run->patience = e->setup.interactive && !e->setup.deterministic ? PATIENCE : 0;
    run->chained = lane->chained && !tick;
    lane->chained = !tick;
    int status = tick ? ss_scale_tick(e, lane, &err) : do_slice(e, lane, &err);
    lane->ticks -= tick;
    if (run->cycle < before) /* it had diverged before this slice */
        lane->steps = 0;
    else if (lane->steps > 0)
        lane->steps -= run->cycle - before < lane->steps ? run->cycle - before : lane->steps;
    e->dirty = e->changed = true;
    report_failure(e, lane, &err, status);
    for (int i = 0; features[i] && status == SS_OK; i++)
        if (features[i]->after)
            features[i]->after(e, lane, before);
}

/* Does neither the shown run nor the race advance? */
static bool is_still(const ss_engine *e)
{
    return e->race.on ? ss_engine_race_turn(e) < 0 : !ss_lane_is_busy(e, &e->lane[e->shown]);
}

/* Has the shown run or the race just ended? This is published even without a request. */
static bool has_just_ended(ss_engine *e)
{
    bool over = is_still(e);
    bool just = over && !e->finished;
    e->finished = over;
    return just;
}

/* Do the figures belong to the current field? If it is paused, one more pass makes them so. */
/* Runs that take few norms take that of the field which a picture shows, too. */
static void settle_for_picture(ss_engine *e)
{
    for (int i = 0; i < e->nlane; i++) {
        ss_lane *lane = &e->lane[i];
        ss_err err = {0};
        bool due = ss_run_checks_seldom(lane->run) && lane->run->status == SS_RUNNING &&
                   lane->run->peek == 0 && !is_settled(lane->run);
        if (!due)
            continue;
        report_failure(e, lane, &err, ss_run_settle(lane->run, &err));
        ss_hold_consider(e, lane);
    }
}

static void call_observer(ss_engine *e)
{
    bool requested = atomic_exchange(&e->observed, false);
    if (!e->setup.observe || !(requested || e->changed))
        return;
    const ss_engine_moment now = {.run = e->lane[e->shown].run,
                                  .still = is_still(e),
                                  .undoable = e->lane[e->shown].nundo,
                                  .ticket = ss_await_ticket(e),
                                  .message = e->message,
                                  .message_seq = e->message_seq,
                                  .message_is_error = e->message_is_error};
    ss_lane *lane = &e->lane[e->shown];
    bool repeated = lane->run->repeated;
    e->changed = false;
    ss_hold_suspend(lane);
    e->setup.observe(&now, e->setup.observe_ctx);
    if (repeated)
        ss_hold_resume(e, lane);
}

static void sleep_until_signal(ss_engine *e, double seconds)
{
    struct timespec t = ss_deadline_in(CLOCK_MONOTONIC, seconds);
    pthread_mutex_lock(&e->lock);
    bool waits = e->nqueue == 0 || ss_await_next(e) < 0;
    bool idle = waits && !ss_await_is_ready(e) && e->view.seq == e->requested.seq &&
                !atomic_load(&e->quit) && !atomic_load(&e->observed) &&
                !(atomic_load(&e->want) && e->dirty);
    if (idle && seconds > 0)
        pthread_cond_timedwait(&e->signal, &e->lock, &t);
    else if (idle)
        pthread_cond_wait(&e->signal, &e->lock);
    pthread_mutex_unlock(&e->lock);
}

/* Seconds until the next work: 0 now, < 0 until a signal on the condition variable. */
static double idle_time(const ss_engine *e)
{
    double idle = -1;
    int turn = ss_engine_race_turn(e);
    for (int i = 0; i < e->nlane; i++) {
        const ss_lane *lane = &e->lane[i];
        if (turn >= 0 && i != turn) /* it waits for the lane whose turn it is */
            continue;
        if (!ss_lane_is_busy(e, lane)) {
            if (lane->run->reference || lane->run->baseline)
                idle = POLL;
            else if (idle < 0 && lane->run->backend->lost && !lane->given_up)
                idle = ALIVE;
            continue;
        }
        double wait =
            ss_lane_stride(lane) > 0 && lane->steps == 0 ? lane->next_cycle - ss_clock() : 0;
        if (wait <= 0)
            return 0;
        idle = idle < 0 || wait < idle ? wait : idle;
    }
    return idle;
}

/* Advances the lane of a race whose turn it is, or every lane outside a race. */
static void advance_all(ss_engine *e)
{
    int turn = ss_engine_race_turn(e);
    for (int i = 0; i < e->nlane && !atomic_load(&e->quit); i++)
        if (turn >= 0 ? i == turn : ss_lane_is_busy(e, &e->lane[i]))
            advance(e, &e->lane[i]);
}

/* The cycle that follows a command may take seconds: publishes what the command did before it. */
static void publish_before_long_cycle(ss_engine *e)
{
    double seconds = e->lane[e->shown].cycle_spent; /* 0: unknown */
    bool may_be_long = e->setup.interactive && !e->setup.deterministic && !is_still(e) &&
                       (seconds <= 0 || seconds > LONG_CYCLE);
    if (may_be_long && e->dirty && atomic_exchange(&e->want, false))
        ss_engine_publish(e);
}

static void turn(ss_engine *e)
{
    e->setup.observe = atomic_load(&e->lesson) ? e->observer : NULL;
    execute_commands(e);
    publish_before_long_cycle(e);
    advance_all(e);
    settle_if_idle(e);
    if (e->dirty && atomic_load(&e->want))
        settle_for_picture(e);
    ss_engine_rescue(e);
    call_observer(e);
    bool ended = has_just_ended(e);
    if (ended || (e->dirty && atomic_exchange(&e->want, false)))
        ss_engine_publish(e);
    double idle =
        ss_engine_rescue(e) ? 0 : idle_time(e); /* sampling may have detected a lost device */
    for (int i = 0; features[i]; i++)
        if (features[i]->turn)
            idle = features[i]->turn(e, idle);
    if (idle != 0)
        sleep_until_signal(e, idle);
}

/* The first cycle may take seconds: publishes the initial field before it, once the front end
 * has set a view. Without a callback there is no front end to wait for. */
static void show_start(ss_engine *e)
{
    double until = ss_clock() + 1;
    if (!e->setup.interactive)
        return;
    e->dirty = true;
    ss_engine_publish(e); /* a snapshot without a picture, for the front end's layout */
    while (e->view.w == 0 && e->setup.wake && ss_clock() < until && !atomic_load(&e->quit)) {
        pthread_mutex_lock(&e->lock);
        e->view = e->requested;
        pthread_mutex_unlock(&e->lock);
        sleep_until_signal(e, 0.01);
    }
    ss_engine_publish(e);
}

static void *engine_main(void *arg)
{
    ss_engine *e = arg;
    ss_err err = {0};
    ss_run_abandon_by(&e->abandon);
    ss_run_model_work(e->setup.deterministic || e->setup.model_work);
    int status = ss_engine_open(e, 0, e->setup.cfg, e->setup.load, e->setup.rhs, &err);
    if (status == SS_OK)
        e->lane[0].paused = e->setup.paused;
    pthread_mutex_lock(&e->lock);
    e->opened = true;
    e->open_error = err;
    pthread_cond_broadcast(&e->signal);
    pthread_mutex_unlock(&e->lock);
    if (status == SS_OK)
        show_start(e);
    while (status == SS_OK && !atomic_load(&e->quit))
        turn(e);
    for (int i = 0; i < e->nlane; i++)
        ss_hold_suspend(&e->lane[i]);
    pthread_mutex_lock(&e->lock);
    e->left = true;
    pthread_cond_broadcast(&e->signal);
    pthread_mutex_unlock(&e->lock);
    return NULL;
}

/* --- start and stop ------------------------------------------------------------------------------
 */

static void let_go(void)
{
    for (int i = 0; ss_backends[i]; i++)
        if (ss_backends[i]->let_go)
            ss_backends[i]->let_go();
}

/* Opening the first run may take minutes, and the user may cancel it. */
static bool wait_for_open(ss_engine *e, ss_err *err)
{
    double until = INFINITY;
    pthread_mutex_lock(&e->lock);
    while (!e->opened) {
        struct timespec poll = ss_deadline_in(CLOCK_MONOTONIC, POLL);
        pthread_cond_timedwait(&e->signal, &e->lock, &poll);
        if (!atomic_load(&e->abandon) && e->setup.unwanted &&
            e->setup.unwanted(e->setup.wake_ctx)) {
            atomic_store(&e->abandon, true);
            until = ss_clock() + LEAVE;
        }
        if (ss_clock() >= until)
            let_go();
    }
    pthread_mutex_unlock(&e->lock);
    if (e->nlane > 0)
        return true;
    *err = e->open_error;
    return false;
}

ss_engine *ss_engine_start(const ss_engine_setup *setup, ss_err *err)
{
    ss_engine *e = calloc(1, sizeof *e);
    if (!e || !(e->mailbox = ss_mailbox_new())) {
        free(e);
        ss_fail_memory(err, "an engine", sizeof *e);
        return NULL;
    }
    e->setup = *setup;
    e->features = features;
    e->observer = setup->observe;
    atomic_store(&e->lesson, !setup->later);
    e->setup.observe = setup->later ? NULL : setup->observe;
    pthread_mutex_init(&e->lock, NULL);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&e->signal, &attr);
    pthread_condattr_destroy(&attr);
    e->await = setup->interactive ? ss_await_new(e) : NULL;
    int status = pthread_create(&e->thread, NULL, engine_main, e);
    if (status != 0) {
        ss_fail(err, "cannot start a thread: %s", strerror(status));
        e->joined = true;
    } else if (wait_for_open(e, err)) {
        return e;
    }
    ss_engine_free(e);
    return NULL;
}

void ss_engine_stop(ss_engine *e)
{
    if (e->joined)
        return;
    pthread_mutex_lock(&e->lock);
    atomic_store(&e->quit, true);
    atomic_store(&e->abandon, true);
    struct timespec late = ss_deadline_in(CLOCK_MONOTONIC, LEAVE);
    wake_engine(e);
    while (!e->left && pthread_cond_timedwait(&e->signal, &e->lock, &late) == 0)
        ;
    bool waits = !e->left;
    pthread_mutex_unlock(&e->lock);
    if (waits)
        let_go();
    pthread_join(e->thread, NULL);
    e->joined = true;
}

void ss_engine_free(ss_engine *e)
{
    if (!e)
        return;
    ss_engine_stop(e);
    for (int i = 0; i < e->nlane; i++)
        ss_lane_clear(e, &e->lane[i]);
    for (int i = 0; features[i]; i++)
        if (features[i]->end)
            features[i]->end(e);
    for (int i = 0; i < e->nqueue; i++)
        free(e->queue[i]);
    ss_mailbox_free(e->mailbox);
    pthread_mutex_destroy(&e->lock);
    pthread_cond_destroy(&e->signal);
    free(e);
}

struct ss_run *ss_engine_run(ss_engine *e)
{
    return e->lane[e->shown].run;
}

int ss_engine_runs(ss_engine *e, struct ss_run *out[SS_RUN_MAX])
{
    ss_lane *lane[SS_RUN_MAX];
    int n = ss_engine_race_lanes(e, lane);
    for (int i = 0; i < n; i++)
        out[i] = lane[i]->run;
    return n;
}
