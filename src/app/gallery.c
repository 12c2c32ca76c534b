/* The pictures of the gallery: their thread runs while presets or lessons are shown. The shown run
 * is paused meanwhile, so that its rates are measured alone, and goes on afterwards. See parts.h,
 * src/gallery/runner.h. Main thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tutor.h"
#include "src/gallery/runner.h"
#include "ui/view/names.h"

struct ss_app_gallery {
    ss_gallery_runner *runner;
    ss_gallery pictures;
    int w, h;        /* dots of a picture */
    bool pauses;     /* the gallery has paused the run, */
    uint64_t ticket; /* with this command */
};

/* --- the runs of the cards -------------------------------------------------------------------- */

/* The layer that a list of commands shows. */
static ss_layer layer_of(const char *commands)
{
    static const char view[] = "view layer ";
    const char *at = strstr(commands, view);
    for (int i = 0; at && i < SS_NLAYER; i++) {
        size_t n = strlen(ss_layer_labels[i].name);
        const char *word = at + sizeof view - 1;
        if (strncmp(word, ss_layer_labels[i].name, n) == 0 && strchr(" ;", word[n]))
            return (ss_layer)i;
    }
    return SS_VALUE;
}

static void add_card(ss_gallery_runner_setup *s, ss_gallery_tab tab, const char *commands)
{
    if (s->n[tab] == SS_GALLERY_CARDS)
        return;
    ss_gallery_runner_card *c = &s->card[tab][s->n[tab]++];
    snprintf(c->commands, sizeof c->commands, "%s", commands);
    c->layer = layer_of(c->commands);
}

static void add_presets(const app *a, ss_gallery_runner_setup *s)
{
    const char *commands;
    for (int i = 0; (commands = ss_ui_preset(a->ui, i)) != NULL; i++)
        add_card(s, SS_TAB_PRESETS, commands);
}

static void add_lessons(const app *a, ss_gallery_runner_setup *s)
{
    char commands[sizeof s->card[0][0].commands];
    for (int i = 0; a->tutor && i < a->tutor->shelf.n; i++) {
        ss_tutor_scenario(i, commands, sizeof commands);
        add_card(s, SS_TAB_LESSONS, commands);
    }
}

/* --- the thread ------------------------------------------------------------------------------- */

static void wake(void *ctx)
{
    app *a = ctx;
    a->fe->wake(a->self);
}

static bool is_fixed(const app *a)
{
    return a->setup->deterministic || a->setup->film;
}

static void start(app *a, const ss_gallery_want *want)
{
    struct ss_app_gallery *g = a->gallery;
    ss_err err;
    ss_gallery_runner_setup *s = calloc(1, sizeof *s);
    if (!s)
        return;
    s->machine = a->setup->cfg;
    s->w = g->w = want->w, s->h = g->h = want->h;
    s->still = is_fixed(a);
    s->wake = wake, s->ctx = a;
    add_presets(a, s);
    add_lessons(a, s);
    memset(&g->pictures, 0, sizeof g->pictures);
    g->pictures.card = -1;
    g->runner = ss_gallery_runner_start(s, &err);
    if (!g->runner)
        ss_ui_say(a->ui, true, err.text);
    free(s);
}

static bool solves(const ss_snapshot *s)
{
    return s && s->status == SS_RUNNING && !s->paused && s->hold == SS_HOLD_NONE;
}

static void pause_run(app *a)
{
    ss_err err;
    if (!solves(a->snap) || is_fixed(a))
        return;
    a->gallery->ticket = ss_app_emit(a, "pause", &err);
    a->gallery->pauses = a->gallery->ticket > 0;
}

/* If nothing else was done meanwhile. */
static void resume_run(app *a)
{
    ss_err err;
    if (a->gallery->pauses && a->gallery->ticket == a->last_ticket && !ss_app_lesson_is_open(a))
        ss_app_emit(a, "run", &err);
}

static void open_gallery(app *a)
{
    a->gallery = calloc(1, sizeof *a->gallery);
    if (!a->gallery)
        return;
    ss_app_lessons_known(a);
    pause_run(a);
    ss_ui_gallery(a->ui, &a->gallery->pictures);
}

void ss_app_gallery_end(app *a)
{
    if (!a->gallery)
        return;
    ss_ui_gallery(a->ui, NULL);
    ss_gallery_runner_stop(a->gallery->runner);
    free(a->gallery);
    a->gallery = NULL;
}

/* Opens and closes it, and follows the size of its pictures on this screen. */
static bool follow(app *a, ss_ui *ui)
{
    const ss_gallery_want *want = ss_ui_gallery_want(ui);
    if (!want->open && a->gallery) {
        resume_run(a);
        ss_app_gallery_end(a);
    }
    if (!want->open)
        return false;
    if (!a->gallery)
        open_gallery(a);
    struct ss_app_gallery *g = a->gallery;
    if (!g || want->w < 1 || want->h < 1)
        return false;
    if (g->runner && (want->w != g->w || want->h != g->h)) {
        ss_gallery_runner_stop(g->runner);
        g->runner = NULL;
    }
    if (!g->runner)
        start(a, want);
    if (g->runner)
        ss_gallery_runner_choose(g->runner, want->tab, want->card);
    return g->runner != NULL;
}

void ss_app_gallery_turn(app *a)
{
    if (!(a->fe->caps & SS_FE_DRAWS) || is_fixed(a) || !a->snap || !follow(a, a->ui))
        return;
    ss_gallery_runner_hold(a->gallery->runner, solves(a->snap) || ss_ui_map_is_open(a->ui));
    if (ss_gallery_runner_take(a->gallery->runner, &a->gallery->pictures))
        a->must_draw = true;
}

bool ss_app_gallery_settle(app *a, ss_ui *ui)
{
    if (!is_fixed(a) || !a->snap || !follow(a, ui))
        return false;
    ss_gallery_runner_wait(a->gallery->runner, ss_ui_gallery_want(ui)->tab);
    ss_gallery_runner_take(a->gallery->runner, &a->gallery->pictures);
    ss_ui_gallery(ui, &a->gallery->pictures); /* a film has screens of its own */
    return true;
}
