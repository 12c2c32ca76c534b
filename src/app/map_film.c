/* Draws a tuning map without a screen: a figure of the full map (--export), recordings with a frame
 * per cell (--record). See loop.h. Main thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/loop.h"
#include "src/app/film.h"
#include "src/tune/tuner.h"
#include "src/core/registry.h"

enum { FIGURE_W = 1280, FIGURE_H = 720 };

typedef struct map_film {
    ss_film film;
    ss_ui *ui;
    ss_snapshot *snap; /* without a run: only the names for the head of the screen */
    const ss_map_view *view;
} map_film;

static uint64_t refuse_command(void *ctx, const ss_cmd *cmd, ss_err *err)
{
    (void)ctx, (void)cmd;
    ss_fail(err, "there is no run");
    return 0;
}

static void set_names(map_film *f, const ss_config *cfg)
{
    ss_problem p;
    ss_snapshot *s = f->snap;
    ss_config_problem(cfg, &p);
    s->equation_name = ss_config_equation(cfg)->name;
    s->solver_name = ss_config_solver(cfg)->name;
    snprintf(s->equation, sizeof s->equation, "%s", ss_config_equation(cfg)->title);
    s->dim = ss_config_equation(cfg)->dim;
    s->nx = p.nx, s->ny = p.ny, s->nz = p.nz;
    s->paused = s->deterministic = true;
    s->cfg = *cfg;
}

static const ss_scene *scene_of(map_film *f, const ss_extent *extent)
{
    ss_ui_map(f->ui, f->view);
    ss_ui_map_open(f->ui, true);
    const ss_sheet at = {.extent = *extent, .seconds = -1, .progress = 0.5};
    return ss_film_scene(f->ui, f->snap, &at);
}

/* --- recordings ------------------------------------------------------------------------------- */

static int start_recordings(map_film *f, ss_err *err)
{
    char path[1024];
    const char *list = ss_config_text(ss_options(), "record");
    for (const char *at = list; at && *at;) {
        ss_err notice = {0};
        size_t n = strcspn(at, ",");
        snprintf(path, sizeof path, "%.*s", (int)(n < sizeof path ? n : sizeof path - 1), at);
        at += n + (at[n] == ',');
        if (ss_film_start(&f->film, path, NULL, &notice, err) != SS_OK)
            return SS_FAIL;
        if (notice.text[0])
            fprintf(stderr, "stencilscope: %s\n", notice.text);
    }
    return SS_OK;
}

static int record(const ss_map_view *view, void *ctx, ss_err *err)
{
    map_film *f = ctx;
    f->view = view;
    for (int i = 0; i < f->film.noutput; i++) {
        ss_extent extent;
        ss_recording *r = f->film.output[i].recording;
        ss_recording_extent(r, &extent);
        if (ss_recording_frame(r, scene_of(f, &extent), f->film.frames, err) != SS_OK)
            return SS_FAIL;
    }
    f->film.frames++;
    return SS_OK;
}

static int end_recordings(map_film *f, bool ok, ss_err *err)
{
    int status = SS_OK;
    while (f->film.noutput > 0) {
        ss_err notice = {0};
        if (ss_film_end(&f->film, 0, f->film.frames, ok, &notice, err) != SS_OK)
            status = SS_FAIL;
        if (notice.text[0])
            fprintf(stderr, "stencilscope: %s\n", notice.text);
    }
    return status;
}

/* --- figures ---------------------------------------------------------------------------------- */

static int draw_figure(map_film *f, ss_err *err)
{
    int w, h;
    ss_extent extent;
    const char *path = ss_config_text(ss_options(), "export");
    const ss_figures *figures = path ? ss_figures_find(err) : NULL;
    if (!path)
        return SS_OK;
    if (!figures || ss_film_size(0, &w, &h, err) != SS_OK)
        return SS_FAIL;
    w = w > 0 ? w : FIGURE_W;
    h = h > 0 ? h : FIGURE_H;
    if (figures->extent(w, h, &extent, err) != SS_OK)
        return SS_FAIL;
    return figures->save(scene_of(f, &extent), path, w, h, f->film.command, err);
}

/* The figure is drawn as soon as the map is full, while its view is valid. */
static int record_and_draw(const ss_map_view *view, void *ctx, ss_err *err)
{
    if (record(view, ctx, err) != SS_OK)
        return SS_FAIL;
    if (view->done < view->n)
        return SS_OK;
    map_film *f = ctx;
    int64_t hold = f->film.noutput > 0 ? ss_film_hold(&f->film) : 0;
    int status = SS_OK;
    while (hold-- > 0 && status == SS_OK)
        status = record(view, ctx, err);
    return status == SS_OK ? draw_figure(f, err) : SS_FAIL;
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
