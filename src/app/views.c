/* Views of watchers beside the screen: see ss_frontend_views. Their pictures come from the engine
 * one by one (src/snapshot/further.h), each shown with the newest snapshot. Main thread. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/parts.h"

static const double APART = 0.1; /* seconds between pictures of a view */

typedef struct turn {
    bool asked;    /* the engine makes its picture */
    double due;    /* clock: the next one is not asked for before */
    double screen; /* the clock of the pilot's screen when it was asked for */
    uint64_t view; /* and the view; 0: none yet */
} turn;

struct ss_app_views {
    turn turn[SS_FURTHER_MAX];
    ss_further got;
    ss_snapshot snap; /* the newest, with that picture */
    double due;       /* clock; 0: nothing is due */
};

/* The engine computes u* for a watcher only where that is short, as it does for the spectrum. */
static void tell_exact(ss_snapshot *s)
{
    static const ss_layer layers[] = {SS_EXACT, SS_ERROR};
    if (s->knows_exact || s->busy_reference || !s->bands_why)
        return;
    for (int i = 0; i < 2; i++)
        if (!s->layer_why[layers[i]])
            s->layer_why[layers[i]] =
                "u* takes long here: it is computed when the pilot looks at it";
}

/* What belongs to the pilot's view is left out. A view shows one run of a race. */
static void show(app *a, int i, const ss_further *got)
{
    ss_snapshot *s = &a->views->snap;
    *s = *a->snap;
    s->race.n = 0;
    s->between.n = 0;
    s->nexact = 0;
    s->scale.valid = false;
    tell_exact(s);
    if (!s->view.spectrum && !s->bands_why)
        s->bands_why = "it is computed while the pilot's screen shows it";
    s->seq = 0; /* it is looked at again although only its picture is new */
    s->picture = (ss_picture){.w = 0};
    s->log_layer = false;
    if (got) {
        s->view = got->view;
        s->picture = got->picture;
    }
    a->fe->views->draw(a->self, i, a->ui, s);
}

static bool same(const ss_view *a, const ss_view *b)
{
    return a->layer == b->layer && a->field == b->field && a->axis == b->axis &&
           a->slice == b->slice && a->x0 == b->x0 && a->x1 == b->x1 && a->y0 == b->y0 &&
           a->y1 == b->y1;
}

/* Takes the picture that was asked for. It is dropped if the view, or the run, is another now. */
static bool take(app *a, int i, const ss_view *want)
{
    turn *t = &a->views->turn[i];
    ss_further *got = &a->views->got;
    if (!t->asked || !ss_engine_further(a->engine, i, got))
        return false;
    t->asked = false;
    const ss_snapshot *s = a->snap;
    if (same(&got->view, want) && got->run == s->run && got->nx == s->nx && got->ny == s->ny)
        show(a, i, got);
    else
        t->view = 0;
    return true;
}

static void ask(app *a, int i, const ss_view *want, double now)
{
    turn *t = &a->views->turn[i];
    /* One that is asked for late does not delay the next, unless it is very late. */
    double due = fmax(t->due + APART, now + 0.5 * APART);
    ss_engine_ask(a->engine, i, want);
    *t = (turn){.asked = true, .due = due, .screen = a->last_draw, .view = want->seq};
}

/* One view; true: it has drawn. */
static bool follow(app *a, int i, double now)
{
    turn *t = &a->views->turn[i];
    const ss_view *want = a->fe->views->wants(a->self, i);
    if (!want) {
        *t = (turn){.view = 0};
        return false;
    }
    if (want->w == 0) { /* another one than before, perhaps */
        *t = (turn){.view = 0};
        show(a, i, NULL);
        want = a->fe->views->wants(a->self, i);
    }
    bool drawn = take(a, i, want);
    bool news = a->last_draw != t->screen || want->seq != t->view;
    if (!t->asked && news && now >= t->due)
        ask(a, i, want, now);
    else if (!t->asked && news && (a->views->due == 0 || t->due < a->views->due))
        a->views->due = t->due;
    return drawn;
}

void ss_app_views_turn(app *a)
{
    const ss_frontend_views *v = a->fe->views;
    if (!v || !a->snap || a->quit)
        return;
    if (!a->views)
        a->views = calloc(1, sizeof *a->views);
    if (!a->views)
        return;
    double now = ss_clock();
    v->turn(a->self, a->ui, a->scene, a->snap);
    a->views->due = 0;
    bool drawn = false; /* one per turn: the pilot's keys come first */
    for (int i = 0; i < SS_FURTHER_MAX && !drawn; i++)
        drawn = follow(a, i, now);
    if (drawn)
        a->views->due = now;
}

double ss_app_views_due(const app *a)
{
    return a->views ? a->views->due : 0;
}

void ss_app_views_end(app *a)
{
    if (!a->views)
        return;
    free(a->views->got.picture.cell);
    free(a->views->got.picture.owner);
    free(a->views);
}
