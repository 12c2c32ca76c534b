/* The tuning map: around a run, or of the subcommand map, with and without a screen. See parts.h
 * and tuner.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/parts.h"
#include "src/core/registry.h"
#include "src/tune/tuner.h"

/* --- with a screen ---------------------------------------------------------------------------- */

static void wake(void *ctx)
{
    app *a = ctx;
    a->fe->wake(a->self);
}

static ss_tuner_setup setup_of(app *a)
{
    const ss_snapshot *s = a->snap;
    ss_tuner_setup setup = {.cfg = a->setup->map ? a->setup->map : &s->cfg, .wake = wake, .ctx = a};
    if (s) {
        setup.load = s->load;
        setup.rhs = s->rhs;
        setup.time = s->telemetry.value[SS_T_TIME];
    }
    return setup;
}

int ss_app_map_begin(app *a, ss_err *err)
{
    int status = 0;
    if (!a->setup->map)
        return SS_OK;
    ss_tuner_setup setup = setup_of(a);
    a->map = ss_tuner_asked(&setup, &status, err);
    if (!a->map)
        return SS_FAIL;
    ss_app_map_take(a);
    ss_ui_map_open(a->ui, true);
    return SS_OK;
}

void ss_app_map_take(app *a)
{
    bool fresh;
    if (!a->map)
        return;
    ss_map_view *view = ss_tuner_view(a->map, &fresh);
    if (a->snap && !view->alone && a->map_seen != a->snap->seq) {
        a->map_seen = a->snap->seq;
        view->stale = !ss_tuner_concerns(a->map, &a->snap->cfg);
    }
    if (fresh)
        ss_ui_map(a->ui, view);
    a->must_draw = a->must_draw || (fresh && ss_ui_map_is_open(a->ui));
}

int ss_app_map_end(app *a, bool interrupted, FILE *table, ss_err *err)
{
    ss_ui_map(a->ui, NULL);
    int status = ss_tuner_stop(a->map, interrupted, table, err);
    a->map = NULL;
    return status;
}

/* --- the verb --------------------------------------------------------------------------------- */

static bool is_alone(const app *a)
{
    return a->setup->map != NULL;
}

/* Shows the existing map if the run is one of its cells, else a new one. */
static int map_open(app *a, ss_err *err)
{
    ss_err ignored;
    if (!a->snap)
        return ss_fail(err, "map: there is no run yet");
    if (a->map && !is_alone(a) && !ss_tuner_covers(a->map, &a->snap->cfg))
        ss_app_map_end(a, false, NULL, &ignored);
    ss_tuner_setup setup = setup_of(a);
    if (!a->map && !(a->map = ss_tuner_around(&setup, err)))
        return SS_FAIL;
    if (!is_alone(a))
        ss_tuner_pause(a->map, false);
    a->map_seen = 0;
    ss_app_map_take(a);
    ss_ui_map_open(a->ui, true);
    return SS_OK;
}

/* A map around a run pauses while it is closed. */
static int map_close(app *a, ss_err *err)
{
    (void)err;
    ss_ui_map_open(a->ui, false);
    if (a->map && !is_alone(a))
        ss_tuner_pause(a->map, true);
    ss_ui_say(a->ui, false, "H shows the map again");
    return SS_OK;
}

static int map_toggle(app *a, ss_err *err)
{
    return ss_ui_map_is_open(a->ui) ? map_close(a, err) : map_open(a, err);
}

static int map_pause(app *a, ss_err *err)
{
    bool fresh;
    if (!a->map)
        return ss_fail(err, "there is no map yet; H opens one around the run");
    ss_tuner_pause(a->map, !ss_tuner_view(a->map, &fresh)->paused);
    ss_app_map_take(a);
    return SS_OK;
}

static int (*const handlers[SS_NVERB])(app *a, ss_err *err) = {[SS_VERB_MAP] = map_toggle,
                                                               [SS_VERB_MAP_OPEN] = map_open,
                                                               [SS_VERB_MAP_CLOSE] = map_close,
                                                               [SS_VERB_MAP_PAUSE] = map_pause};

static int verb_map(app *a, const ss_cmd *cmd, ss_err *err)
{
    if (!ss_app_is_interactive(a))
        return ss_fail(err, "map: this run has no screen; `stencilscope map` makes "
                            "one without a screen");
    return handlers[cmd->row->id](a, err);
}

const ss_app_part ss_app_maps = {.verb = {{SS_VERB_MAP, verb_map}}};

/* --- without a screen ------------------------------------------------------------------------- */

/* Draws a tuning map without a screen: a figure of the full map (--export), recordings with a frame
 * per cell (--record). */

typedef struct map_film {
    ss_film film;
    ss_ui *ui;
    ss_snapshot *snap; /* without a run: only the names for the head of the screen */
    const ss_map_view *view;
    int64_t hold; /* frames of the full map, besides the first */
} map_film;

static uint64_t refuse_command(void *ctx, const ss_cmd *cmd, ss_err *err)
{
    (void)ctx, (void)cmd;
    ss_fail(err, "there is no run");
    return 0;
}

static void set_names(map_film *f, const ss_config *cfg)
{
    ss_snapshot *s = f->snap;
    ss_problem p = ss_config_problem(cfg);
    s->equation_name = ss_config_equation(cfg)->name;
    s->solver_name = ss_config_solver(cfg)->name;
    snprintf(s->equation, sizeof s->equation, "%s", ss_config_equation(cfg)->title);
    s->dim = ss_config_equation(cfg)->dim;
    s->nx = p.nx, s->ny = p.ny, s->nz = p.nz;
    s->paused = s->deterministic = true;
    s->cfg = *cfg;
}

static const ss_scene *scene_at(map_film *f, const ss_extent *extent)
{
    ss_ui_map(f->ui, f->view);
    ss_ui_map_open(f->ui, true);
    const ss_sheet at = {.extent = *extent, .seconds = -1, .progress = 0.5};
    return ss_film_scene(f->ui, f->snap, &at);
}

static const ss_scene *scene_of_recording(ss_film *film, ss_film_output *t, int64_t number,
                                          ss_err *err)
{
    ss_extent extent;
    (void)number, (void)err;
    ss_recording_extent(t->recording, &extent);
    return scene_at(film->ctx, &extent);
}

static const ss_scene *scene_of_figure(void *ctx, const ss_sheet *at, ss_err *err)
{
    (void)err;
    return scene_at(ctx, &at->extent);
}

/* --- recordings ------------------------------------------------------------------------------- */

static int start_recordings(map_film *f, ss_err *err)
{
    char path[1024];
    const char *list = ss_config_text(ss_options(), "record");
    while (ss_film_next_path(&list, path, sizeof path)) {
        ss_err notice = {0};
        if (ss_film_start(&f->film, path, NULL, &notice, err) != SS_OK)
            return SS_FAIL;
        if (notice.text[0])
            fprintf(stderr, "stencilscope: %s\n", notice.text);
    }
    return SS_OK;
}

static int end_recordings(map_film *f, bool ok, ss_err *err)
{
    int status = SS_OK;
    while (f->film.noutput > 0) {
        ss_err notice = {0};
        if (ss_film_end(&f->film, 0, ok, &notice, err) != SS_OK)
            status = SS_FAIL;
        if (notice.text[0])
            fprintf(stderr, "stencilscope: %s\n", notice.text);
    }
    return status;
}

/* A frame for each cell. The figure, and the frames that are held, are drawn as soon as the map is
 * full, while its view is valid. */
static int record_and_draw(const ss_map_view *view, void *ctx, ss_err *err)
{
    map_film *f = ctx;
    const char *path = ss_config_text(ss_options(), "export");
    bool full = view->done >= view->n;
    f->view = view;
    for (int64_t n = 0; n <= (full ? f->hold : 0); n++, f->film.frames++)
        if (ss_film_take(&f->film, false, err) != SS_OK)
            return SS_FAIL;
    return path && full ? ss_app_figure_save(path, scene_of_figure, f, f->film.command, err)
                        : SS_OK;
}

bool ss_app_map_is_drawn(void)
{
    return ss_config_text(ss_options(), "record") || ss_config_text(ss_options(), "export");
}

int ss_app_map_film(const ss_config *cfg, const char *command, ss_err *err)
{
    static map_film f;
    ss_err ignored = {0};
    int status = 1;
    memset(&f, 0, sizeof f);
    ss_film_init(&f.film, false, command);
    f.ui = ss_ui_new(refuse_command, NULL, err);
    f.snap = f.ui ? ss_alloc(sizeof *f.snap, "the map's screen", err) : NULL;
    if (f.snap) {
        ss_ui_in_order(f.ui);
        f.film.source = scene_of_recording;
        f.film.ctx = &f;
        f.film.snap = f.snap;
        f.hold = f.film.hold;
        f.film.hold = 0;
        set_names(&f, cfg);
        if (start_recordings(&f, err) == SS_OK)
            status = ss_tune_run_shown(cfg, record_and_draw, &f, err);
        ss_err *notice = status == 0 ? err : &ignored;
        if (end_recordings(&f, status == 0, notice) != SS_OK)
            status = 1;
    }
    ss_ui_free(f.ui);
    free(f.snap);
    return status;
}
