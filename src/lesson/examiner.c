/* See session.h. */
#include "src/lesson/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define INTERVAL 0.1 /* seconds between observations of a run that advances */

struct ss_examiner {
    ss_config machine; /* constant, as the next two */
    void (*wake)(void *ctx);
    void *ctx;
    pthread_t thread;
    bool started;

    /* Under lock. */
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    const ss_lesson *lesson;
    int index;             /* the step, -1: none */
    unsigned step;         /* counts the selections: results of an earlier one are dropped */
    ss_observation latest; /* not evaluated yet if `waiting` */
    bool waiting, quit;
    bool busy;       /* an observation is being evaluated */
    uint64_t ticket; /* one more than that of the last command, while the run is still; 0: not */
    ss_check_result result[SS_CHECKS_MAX];

    atomic_bool stop; /* ends what the runner is solving */

    /* Used by the engine thread only: the last observation, without its field. */
    ss_observation seen;
    unsigned seen_step;
    double seen_at;

    /* Used by the examiner thread only. */
    ss_runner *runner; /* solves the baseline */
    unsigned runner_step;
};

/* --- the engine's side ------------------------------------------------------------------------ */

static bool is_news(const ss_examiner *x, const ss_run *run, bool still)
{
    const ss_observation *s = &x->seen;
    bool same = x->seen_step == x->step && s->cycle == run->cycle &&
                s->iteration == run->iteration && s->status == run->status && s->still == still &&
                s->reached == ss_run_met_goal(run) &&
                memcmp(&s->cfg, &run->cfg, sizeof s->cfg) == 0;
    return !same && (still || s->still || ss_clock() - x->seen_at > INTERVAL);
}

/* Notes that the run is still, and tells the main thread. Under lock. */
static void rest(ss_examiner *x, const ss_engine_moment *m)
{
    bool same = x->ticket == m->ticket + 1;
    x->ticket = m->still ? m->ticket + 1 : 0;
    if (m->still && !same)
        x->wake(x->ctx);
}

void ss_examiner_observe(const ss_engine_moment *m, void *examiner)
{
    ss_examiner *x = examiner;
    ss_observation now;
    ss_err err;
    pthread_mutex_lock(&x->lock);
    const ss_lesson_step *s = x->index >= 0 ? &x->lesson->step[x->index] : NULL;
    bool wanted = s && s->ncheck > 0 && is_news(x, m->run, m->still);
    unsigned step = x->step;
    if (!wanted)
        rest(x, m);
    pthread_mutex_unlock(&x->lock);
    if (!wanted)
        return;
    if (ss_observation_take(m->run, ss_wanted_by(s->check, s->ncheck, false), m->still, &now,
                            &err) != SS_OK)
        ss_observation_drop(&now); /* no memory: the fields are not compared */
    x->seen = now;
    x->seen_step = step;
    x->seen_at = ss_clock();
    pthread_mutex_lock(&x->lock);
    if (step == x->step) {
        ss_observation_drop(&x->latest);
        x->latest = now;
        x->waiting = true;
        rest(x, m);
        pthread_cond_signal(&x->arrived);
    } else {
        ss_observation_drop(&now);
    }
    pthread_mutex_unlock(&x->lock);
}

/* --- evaluation ------------------------------------------------------------------------------- */

/* The runner whose baseline belongs to the step. */
static ss_runner *runner_of(ss_examiner *x, const ss_lesson *l, int index, unsigned step,
                            ss_err *err)
{
    if (!x->runner || x->runner_step != step) {
        ss_runner_free(x->runner);
        x->runner = ss_runner_new(&x->machine, SS_LESSON_SECONDS, &x->stop, err);
        x->runner_step = step;
        if (x->runner && ss_runner_scenario(x->runner, l, index, err) != SS_OK) {
            ss_runner_free(x->runner);
            x->runner = NULL;
        }
    }
    if (x->runner)
        ss_runner_renew(x->runner);
    return x->runner;
}

static void evaluate(ss_examiner *x, const ss_lesson *l, int index, unsigned step,
                     const ss_observation *o, ss_check_result *result)
{
    const ss_lesson_step *s = &l->step[index];
    ss_err err = {0};
    ss_runner *r = runner_of(x, l, index, step, &err);
    bool fair = r && ss_evaluate_fair(r, &o->cfg, s, &err) == SS_OK;
    for (int i = 0; i < s->ncheck; i++)
        if (fair)
            ss_evaluate(r, o, &s->check[i], &result[i]);
        else
            snprintf(result[i].why, sizeof result[i].why, "%.200s", err.text);
}

static void *examine(void *arg)
{
    ss_examiner *x = arg;
    pthread_mutex_lock(&x->lock);
    while (!x->quit) {
        if (!x->waiting) {
            pthread_cond_wait(&x->arrived, &x->lock);
            continue;
        }
        ss_check_result result[SS_CHECKS_MAX] = {{.met = false}};
        ss_observation o = x->latest;
        const ss_lesson *l = x->lesson;
        int index = x->index;
        unsigned step = x->step;
        x->latest.field = NULL;
        x->waiting = false;
        x->busy = true;
        atomic_store(&x->stop, false);
        pthread_mutex_unlock(&x->lock);
        evaluate(x, l, index, step, &o, result);
        ss_observation_drop(&o);
        pthread_mutex_lock(&x->lock);
        x->busy = false;
        if (step != x->step || atomic_load(&x->stop))
            continue;
        memcpy(x->result, result, sizeof result);
        x->wake(x->ctx);
    }
    pthread_mutex_unlock(&x->lock);
    return NULL;
}

/* --- the main thread's side ------------------------------------------------------------------- */

static void select_step(ss_examiner *x, const ss_lesson *l, int index)
{
    x->lesson = l;
    x->index = index;
    x->step++;
    ss_observation_drop(&x->latest);
    x->waiting = false;
    x->ticket = 0;
    memset(x->result, 0, sizeof x->result);
    for (int i = 0; i < SS_CHECKS_MAX; i++)
        x->result[i].pending = true;
    atomic_store(&x->stop, true);
}

ss_examiner *ss_examiner_new(const ss_config *machine, void (*wake)(void *ctx), void *ctx,
                             ss_err *err)
{
    ss_examiner *x = calloc(1, sizeof *x);
    if (!x) {
        ss_fail_memory(err, "the examiner", sizeof *x);
        return NULL;
    }
    x->machine = *machine;
    x->wake = wake;
    x->ctx = ctx;
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->arrived, NULL);
    select_step(x, NULL, -1);
    int status = pthread_create(&x->thread, NULL, examine, x);
    x->started = status == 0;
    if (x->started)
        return x;
    ss_fail(err, "cannot start a thread: %s", strerror(status));
    ss_examiner_free(x);
    return NULL;
}

void ss_examiner_free(ss_examiner *x)
{
    if (!x)
        return;
    pthread_mutex_lock(&x->lock);
    x->quit = true;
    atomic_store(&x->stop, true);
    pthread_cond_signal(&x->arrived);
    pthread_mutex_unlock(&x->lock);
    if (x->started)
        pthread_join(x->thread, NULL);
    ss_runner_free(x->runner);
    ss_observation_drop(&x->latest);
    pthread_mutex_destroy(&x->lock);
    pthread_cond_destroy(&x->arrived);
    free(x);
}

void ss_examiner_begin(ss_examiner *x, const ss_lesson *l, int index)
{
    pthread_mutex_lock(&x->lock);
    select_step(x, l, index);
    pthread_mutex_unlock(&x->lock);
}

bool ss_examiner_is_current(ss_examiner *x, uint64_t ticket)
{
    pthread_mutex_lock(&x->lock);
    bool current = x->ticket > ticket && !x->waiting && !x->busy;
    pthread_mutex_unlock(&x->lock);
    return current;
}

bool ss_examiner_results(ss_examiner *x, ss_check_result out[SS_CHECKS_MAX])
{
    bool all = true;
    pthread_mutex_lock(&x->lock);
    memcpy(out, x->result, sizeof x->result);
    int n = x->index >= 0 ? x->lesson->step[x->index].ncheck : 0;
    pthread_mutex_unlock(&x->lock);
    for (int i = 0; i < n; i++)
        all = all && out[i].met;
    return all;
}
