/* The last state as a file, in pixels or at the size of print. See parts.h. */
#include <stdio.h>

#include "src/app/parts.h"
#include "src/core/registry.h"

enum { FIGURE_W = 1280, FIGURE_H = 720 };

static int figure_size(const ss_figures *figures, ss_sheet *out, ss_err *err)
{
    *out = (ss_sheet){.mm = ss_film_paper(), .seconds = -1, .progress = 0.5};
    if (out->mm > 0)
        return figures->paper(out->mm, &out->extent, err);
    if (ss_film_size(0, &out->w, &out->h, err) != SS_OK)
        return SS_FAIL;
    out->w = out->w > 0 ? out->w : FIGURE_W;
    out->h = out->h > 0 ? out->h : FIGURE_H;
    return figures->extent(out->w, out->h, &out->extent, err);
}

int ss_app_figure_save(const char *path, ss_figure_source *scene_of, void *ctx, const char *command,
                       ss_err *err)
{
    ss_sheet at;
    ss_err why = {0};
    const ss_figures *figures = ss_figures_find(err);
    if (!figures || figure_size(figures, &at, err) != SS_OK)
        return SS_FAIL;
    const ss_scene *scene = scene_of(ctx, &at, &why);
    if (!scene)
        return why.text[0] ? (*err = why, SS_FAIL)
                           : ss_fail(err, "%.80s: interrupted before it was drawn", path);
    return at.mm > 0 ? figures->print(scene, path, at.mm, command, err)
                     : figures->save(scene, path, at.w, at.h, command, err);
}

void ss_app_figure_begin(app *a)
{
    ss_err err;
    if (!ss_film_exports(a->setup->script) || !a->snap || a->snap->dim != 1 || a->snap->race.n > 0)
        return;
    a->export_ui.ui = ss_app_new_screen(a, &err);
    if (a->export_ui.ui)
        ss_ui_whole_run(a->export_ui.ui);
}

static const ss_scene *followed(app *a, const ss_sheet *at)
{
    return ss_app_settled(a, a->export_ui.ui, at, &a->export_ui.sent, &a->export_ui.ui_view);
}

void ss_app_figure_follow(app *a)
{
    ss_err err;
    ss_sheet at;
    const ss_figures *figures = ss_figures_find(&err);
    if (a->export_ui.ui && figures && figure_size(figures, &at, &err) == SS_OK)
        followed(a, &at);
}

/* The screen of a figure, kept in a->figure_ui until the figure is drawn. */
static const ss_scene *own_scene(void *ctx, const ss_sheet *at, ss_err *err)
{
    app *a = ctx;
    uint64_t sent = 0, ui_view = 0;
    if (!a->export_ui.ui && !(a->figure_ui = ss_app_new_screen(a, err)))
        return NULL;
    const ss_scene *scene =
        a->export_ui.ui ? followed(a, at) : ss_app_settled(a, a->figure_ui, at, &sent, &ui_view);
    return scene && ss_frame_check(ss_film_frame(), a->snap, err) == SS_OK ? scene : NULL;
}

static void free_screen(app *a)
{
    ss_ui_free(a->figure_ui);
    a->figure_ui = NULL;
}

static int draw_now(app *a, const char *path, ss_err *err)
{
    const ss_figures *figures = ss_figures_find(err);
    ss_extent cell;
    if (!figures)
        return SS_FAIL;
    if (!a->film.live) {
        int status = ss_app_figure_save(path, own_scene, a, a->film.command, err);
        free_screen(a);
        return status;
    }
    if (!a->snap || !(a->fe->caps & SS_FE_DRAWS))
        return ss_fail(err, "export: nothing is shown yet");
    ss_app_scene(a); /* the scene on the screen may belong to an older snapshot */
    if (figures->extent(FIGURE_W, FIGURE_H, &cell, err) != SS_OK)
        return SS_FAIL;
    return figures->save(a->scene, path, a->scene->cols * cell.dots_x, a->scene->rows * cell.dots_y,
                         a->film.command, err);
}

void ss_app_figure_prepare(app *a)
{
    ss_sheet at;
    ss_err err;
    const ss_figures *figures = ss_film_exports(a->setup->script) ? ss_figures_find(&err) : NULL;
    if (figures && !a->export_ui.ui && figure_size(figures, &at, &err) == SS_OK)
        own_scene(a, &at, &err);
    free_screen(a);
}

int ss_app_export_verb(app *a, const ss_cmd *cmd, ss_err *err)
{
    char notice[160];
    if (draw_now(a, cmd->arg[0], err) != SS_OK)
        return SS_FAIL;
    snprintf(notice, sizeof notice, "drew %.120s", cmd->arg[0]);
    ss_app_say(a, false, notice);
    return SS_OK;
}

void ss_app_export_asked(app *a)
{
    ss_err err;
    const char *path = ss_config_text(ss_options(), "export");
    if (path && !a->film.rehearsal && !a->failed && draw_now(a, path, &err) != SS_OK)
        ss_app_fail(a, &err, false);
}
