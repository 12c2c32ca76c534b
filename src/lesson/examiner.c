/* See examiner.h. */
#include "src/lesson/examiner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/lesson/parts.h"

#define PAUSE 0.1 /* seconds between looks at a run that is going on */

struct ss_examiner {
    const ss_lesson *lesson; /* constant, as the next three */
    ss_config machine;
    void (*wake)(void *ctx);
    void *ctx;
    pthread_t thread;
    bool started;

    /* Under lock. */
    pthread_mutex_t lock;
    pthread_cond_t knock;
    int index;         /* the step, -1: none */
    unsigned step;     /* grows with every beginning: what belongs to another one is dropped */
    ss_exhibit latest; /* not judged yet, if: */
    bool waiting, quit;
    ss_mark_given mark[SS_CHECKS_MAX];

    atomic_bool abandon; /* what is being solved is not wanted any more */

    /* Engine thread's own: what was handed over last. */
    ss_exhibit seen;
    unsigned seen_step;
    double seen_at;

    /* The examiner thread's own. */
    ss_pupil *pupil; /* has the baseline */
    unsigned pupil_step;
};

/* --- the engine's side ------------------------------------------------------------------------ */

static bool is_news(const ss_examiner *x, const ss_run *run, bool still)
{
    const ss_exhibit *s = &x->seen;
    bool same = x->seen_step == x->step && s->cycle == run->cycle &&
                s->iteration == run->iteration && s->status == run->status && s->still == still &&
                s->reached == run->reached && memcmp(&s->cfg, &run->cfg, sizeof s->cfg) == 0;
    return !same && (still || s->still || ss_clock() - x->seen_at > PAUSE);
}

void ss_examiner_look(struct ss_run *run, bool still, void *examiner)
{
    ss_examiner *x = examiner;
    ss_exhibit now;
    ss_err err;
    pthread_mutex_lock(&x->lock);
    const ss_lesson_step *s = x->index >= 0 ? &x->lesson->step[x->index] : NULL;
    bool wanted = s && s->ncheck > 0 && is_news(x, run, still);
    unsigned step = x->step;
    pthread_mutex_unlock(&x->lock);
    if (!wanted || ss_exhibit_take(run, s->check, s->ncheck, still, &now, &err) != SS_OK)
        return;
    x->seen = now; /* for its numbers */
    x->seen_step = step;
    x->seen_at = ss_clock();
    pthread_mutex_lock(&x->lock);
    if (step == x->step) {
        ss_exhibit_drop(&x->latest);
        x->latest = now;
        x->waiting = true;
        pthread_cond_signal(&x->knock);
    } else {
        ss_exhibit_drop(&now);
    }
    pthread_mutex_unlock(&x->lock);
}

/* --- judging ---------------------------------------------------------------------------------- */

/* The pupil whose baseline belongs to the step. */
static ss_pupil *pupil_of(ss_examiner *x, int index, unsigned step, ss_err *err)
{
    if (!x->pupil || x->pupil_step != step) {
        ss_pupil_free(x->pupil);
        x->pupil = ss_pupil_new(&x->machine, SS_LESSON_SECONDS, err);
        x->pupil_step = step;
        if (x->pupil && ss_pupil_scenario(x->pupil, x->lesson, index, err) != SS_OK) {
            ss_pupil_free(x->pupil);
            x->pupil = NULL;
        }
    }
    if (x->pupil)
        x->pupil->until = ss_clock() + SS_LESSON_SECONDS;
    return x->pupil;
}

static void judge(ss_examiner *x, int index, unsigned step, const ss_exhibit *e,
                  ss_mark_given *mark)
{
    const ss_lesson_step *s = &x->lesson->step[index];
    ss_err err = {""};
    ss_pupil *p = pupil_of(x, index, step, &err);
    bool fair = p && ss_judge_fair(p, &e->cfg, s, &err) == SS_OK;
    for (int i = 0; i < s->ncheck; i++) {
        ss_verdict verdict = SS_UNMET;
        char *why = mark[i].why;
        size_t size = sizeof mark[i].why;
        if (!fair || ss_judge(p, e, &s->check[i], &verdict, why, size, &err) != SS_OK)
            snprintf(why, size, "%.200s", err.text);
        mark[i].met = verdict == SS_MET;
        mark[i].pending = verdict == SS_PENDING;
    }
}

static void *examine(void *arg)
{
    ss_examiner *x = arg;
    ss_run_abandon_by(&x->abandon);
    pthread_mutex_lock(&x->lock);
    while (!x->quit) {
        if (!x->waiting) {
            pthread_cond_wait(&x->knock, &x->lock);
            continue;
        }
        ss_mark_given mark[SS_CHECKS_MAX] = {{.pending = true}};
        ss_exhibit e = x->latest;
        int index = x->index;
        unsigned step = x->step;
        x->latest.field = NULL;
        x->waiting = false;
        atomic_store(&x->abandon, false);
        pthread_mutex_unlock(&x->lock);
        judge(x, index, step, &e, mark);
        ss_exhibit_drop(&e);
        pthread_mutex_lock(&x->lock);
        if (step != x->step || atomic_load(&x->abandon))
            continue;
        memcpy(x->mark, mark, sizeof mark);
        x->wake(x->ctx);
    }
    pthread_mutex_unlock(&x->lock);
    return NULL;
}

/* --- the main thread's side ------------------------------------------------------------------- */

static void forget(ss_examiner *x, int index)
{
    x->index = index;
    x->step++;
    ss_exhibit_drop(&x->latest);
    x->waiting = false;
    memset(x->mark, 0, sizeof x->mark);
    for (int i = 0; i < SS_CHECKS_MAX; i++)
        x->mark[i].pending = true;
    atomic_store(&x->abandon, true);
}

ss_examiner *ss_examiner_new(const ss_lesson *l, const ss_config *machine, void (*wake)(void *ctx),
                             void *ctx, ss_err *err)
{
    ss_examiner *x = calloc(1, sizeof *x);
    if (!x) {
        ss_fail(err, "out of memory");
        return NULL;
    }
    x->lesson = l;
    x->machine = *machine;
    x->wake = wake;
    x->ctx = ctx;
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->knock, NULL);
    forget(x, -1);
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
    atomic_store(&x->abandon, true);
    pthread_cond_signal(&x->knock);
    pthread_mutex_unlock(&x->lock);
    if (x->started)
        pthread_join(x->thread, NULL);
    ss_pupil_free(x->pupil);
    ss_exhibit_drop(&x->latest);
    pthread_mutex_destroy(&x->lock);
    pthread_cond_destroy(&x->knock);
    free(x);
}

void ss_examiner_begin(ss_examiner *x, int index)
{
    pthread_mutex_lock(&x->lock);
    forget(x, index);
    pthread_mutex_unlock(&x->lock);
}

bool ss_examiner_marks(ss_examiner *x, ss_mark_given out[SS_CHECKS_MAX])
{
    bool all = true;
    pthread_mutex_lock(&x->lock);
    memcpy(out, x->mark, sizeof x->mark);
    int n = x->index >= 0 ? x->lesson->step[x->index].ncheck : 0;
    pthread_mutex_unlock(&x->lock);
    for (int i = 0; i < n; i++)
        all = all && out[i].met;
    return all;
}
