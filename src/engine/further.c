/* Pictures of further views: see further.h. */
#include "src/engine/further.h"

#include <math.h>
#include <stdlib.h>

#include "src/engine/publish_bands.h"
#include "src/run/reference.h"

static const double REST = 3; /* times the seconds of a picture: a quarter of the time in all */
static const double AT_ONCE = 4e-3; /* seconds of pictures between two turns of a busy engine */

typedef struct place {
    bool asked, ready;
    ss_view view;    /* that is asked for */
    ss_further made; /* ready: to be taken */
} place;

struct ss_furthers {
    /* Under the engine's lock. */
    place place[SS_FURTHER_MAX];
    int asked; /* places */

    /* The engine thread's own. */
    ss_further work;
    int next;   /* the place whose turn it is */
    double due; /* clock: a busy engine makes none before. Time that was not used is kept, as much
                 * as AT_ONCE needs: turns of the engine are long beside a picture. */
};

bool ss_further_asked(const ss_engine *e)
{
    return e->further && e->further->asked > 0;
}

static void drop(ss_further *p)
{
    free(p->picture.cell);
    free(p->picture.owner);
}

void ss_further_free(ss_engine *e)
{
    struct ss_furthers *f = e->further;
    for (int i = 0; f && i < SS_FURTHER_MAX; i++)
        drop(&f->place[i].made);
    if (f)
        drop(&f->work);
    free(f);
}

/* --- main thread ------------------------------------------------------------------------------ */

void ss_engine_ask(ss_engine *e, int i, const ss_view *view)
{
    pthread_mutex_lock(&e->lock);
    if (!e->further)
        e->further = calloc(1, sizeof *e->further);
    if (e->further) {
        place *p = &e->further->place[i];
        e->further->asked += !p->asked;
        p->asked = true;
        p->ready = false;
        p->view = *view;
    }
    pthread_cond_signal(&e->signal);
    pthread_mutex_unlock(&e->lock);
}

bool ss_engine_further(ss_engine *e, int i, ss_further *out)
{
    pthread_mutex_lock(&e->lock);
    place *p = e->further ? &e->further->place[i] : NULL;
    bool ready = p && p->ready;
    if (ready) {
        ss_further other = *out;
        *out = p->made;
        p->made = other;
        p->ready = false;
    }
    pthread_mutex_unlock(&e->lock);
    return ready;
}

/* --- engine thread ---------------------------------------------------------------------------- */

/* The next place that is asked for; -1: none. */
static int next_place(ss_engine *e, ss_view *view)
{
    struct ss_furthers *f = e->further;
    int found = -1;
    pthread_mutex_lock(&e->lock);
    for (int k = 0; k < SS_FURTHER_MAX && found < 0; k++) {
        int i = (f->next + k) % SS_FURTHER_MAX;
        if (f->place[i].asked)
            found = i, *view = f->place[i].view;
    }
    if (found >= 0) {
        f->place[found].asked = false;
        f->asked--;
        f->next = found + 1;
    }
    pthread_mutex_unlock(&e->lock);
    return found;
}

/* A layer may need u*: it is computed without a message where that is short. */
static void start_exact(ss_engine *e, ss_run *run, ss_layer layer)
{
    char notice[200];
    ss_err err;
    bool needed = layer == SS_EXACT || layer == SS_ERROR;
    if (!needed || run->reference || !ss_publish_exact_is_short(run))
        return;
    run->reference = ss_reference_start(run, true, notice, sizeof notice, &err);
    run->reference_reported = run->reference != NULL;
    e->dirty = true;
}

static void sample(ss_engine *e, const ss_view *view, ss_further *out)
{
    ss_lane *lane = &e->lane[e->shown];
    ss_run *run = lane->run;
    ss_picture *p = &out->picture;
    ss_err err = {0};
    out->view = *view;
    out->run = e->shown, out->nx = run->problem.nx, out->ny = run->problem.ny;
    p->probe.valid = false;
    p->nprofile[0] = p->nprofile[1] = 0;
    p->w = p->h = 0;
    if (run->status == SS_DIVERGED || ss_publish_room(p, &out->room, view->w, view->h) != SS_OK)
        return;
    start_exact(e, run, view->layer);
    p->w = view->w, p->h = view->h;
    if (run->backend->sample(run, view, p, &err) == SS_OK)
        return;
    p->w = p->h = 0;
    lane->failure = err; /* the rescue of a lost device reports it */
}

static void hand_over(ss_engine *e, int i)
{
    struct ss_furthers *f = e->further;
    pthread_mutex_lock(&e->lock);
    place *p = &f->place[i];
    if (!p->asked) { /* not for another view meanwhile */
        ss_further other = p->made;
        p->made = f->work;
        f->work = other;
        p->ready = true;
    }
    pthread_mutex_unlock(&e->lock);
    if (e->setup.wake)
        e->setup.wake(e->setup.wake_ctx);
}

static bool asked(ss_engine *e)
{
    pthread_mutex_lock(&e->lock);
    bool any = ss_further_asked(e);
    pthread_mutex_unlock(&e->lock);
    return any;
}

/* The next picture. Returns the clock after it. */
static double make(ss_engine *e, double begin)
{
    ss_view view;
    int i = next_place(e, &view);
    if (i < 0)
        return begin;
    sample(e, &view, &e->further->work);
    hand_over(e, i);
    double end = ss_clock();
    e->further->due += (1 + REST) * (end - begin);
    return end;
}

double ss_further_turn(ss_engine *e, double idle)
{
    double begin = ss_clock(), now = begin;
    if (!asked(e))
        return idle;
    double *due = &e->further->due;
    *due = fmax(*due, begin - (1 + REST) * AT_ONCE);
    if (idle == 0 && begin < *due)
        return idle;
    do
        now = make(e, now);
    while (now >= *due && now < begin + AT_ONCE && asked(e));
    return 0; /* there may be more */
}
