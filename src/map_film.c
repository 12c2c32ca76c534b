/* A map as a film and as a figure: see map_film.h. */
#include "src/map_film.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/film.h"
#include "src/options.h"
#include "src/registry.h"
#include "ui/scene.h"

enum { FIGURE_W = 1280, FIGURE_H = 720 };

struct ss_map_film {
    ss_film film;
    ss_scene scene;
    char command[1100];
};

static ss_map_film *new_film(const char *command, ss_err *err)
{
    ss_map_film *f = calloc(1, sizeof *f);
    if (!f) {
        ss_fail(err, "out of memory: a picture of the map");
        return NULL;
    }
    snprintf(f->command, sizeof f->command, "stencilscope %s", command);
    ss_film_init(&f->film, false, f->command);
    return f;
}

/* Blanks that a line begins with stay blanks in real fonts, too. */
static void keep_indent(const char *text, size_t n, char *line, size_t size)
{
    size_t used = 0;
    for (; n > 0 && *text == ' ' && used + 3 < size; text++, n--, used += 2)
        memcpy(line + used, "\xc2\xa0", 2); /* no-break space */
    snprintf(line + used, size - used, "%.*s", (int)n, text);
}

/* Line by line, the first one in the frame; what is too much for the room is cut. */
static const ss_scene *draw(ss_scene *s, const char *text, const ss_extent *room)
{
    const ss_param *row = ss_param_find(ss_options(), "theme", NULL);
    ss_rect all = {0, 0, room->cols, room->rows};
    ss_scene_clear(s, room->cols, room->rows,
                   ss_theme_find(row->choices[ss_config_int(ss_options(), row->name)]));
    s->head = room->head > 1 ? room->head : 1;
    s->side = room->side > 1 ? room->side : 1;
    ss_item *frame = ss_scene_add(s, SS_I_FRAME, all, SS_C_LINE);
    for (int y = 0; *text && y < all.h - 1; text += *text == '\n') {
        char line[512];
        size_t n = strcspn(text, "\n");
        keep_indent(text, n, line, sizeof line);
        text += n;
        if (y == 0)
            frame->text = ss_scene_keep(s, line);
        else
            ss_scene_text(s, s->side + 1, y, all.w - 2 * s->side - 2, SS_C_TEXT, SS_FIGURE, line);
        y += y ? 1 : s->head;
    }
    return s;
}

int ss_map_film_open(ss_map_film **out, const char *command, ss_err *err)
{
    const char *list = ss_config_text(ss_options(), "record");
    char path[1024];
    ss_map_film *f = *out = NULL;
    if (!list)
        return SS_OK;
    if (!(f = new_film(command, err)))
        return SS_FAIL;
    while (ss_film_next_path(&list, path, sizeof path)) {
        ss_err say = {""};
        if (ss_film_start(&f->film, path, NULL, &say, err) != SS_OK) {
            ss_map_film_close(f, NULL);
            return SS_FAIL;
        }
        if (say.text[0])
            fprintf(stderr, "stencilscope: %s\n", say.text);
    }
    *out = f;
    return SS_OK;
}

int ss_map_film_frame(ss_map_film *f, const char *text, ss_err *err)
{
    ss_extent room;
    for (int i = 0; i < f->film.ntake; i++) {
        ss_recording *r = f->film.take[i].recording;
        ss_recording_extent(r, &room);
        if (ss_recording_frame(r, draw(&f->scene, text, &room), f->film.frames, err) != SS_OK)
            return SS_FAIL;
    }
    f->film.frames++;
    return SS_OK;
}

void ss_map_film_close(ss_map_film *f, const char *text)
{
    ss_err say = {""}, err = {""};
    bool ok = text;
    for (int64_t n = f && ok ? ss_film_hold(&f->film) : 0; n > 0 && ok; n--)
        ok = ss_map_film_frame(f, text, &err) == SS_OK;
    if (err.text[0])
        fprintf(stderr, "stencilscope: %s\n", err.text);
    while (f && f->film.ntake > 0) {
        say.text[0] = err.text[0] = '\0';
        if (ss_film_end(&f->film, 0, ss_film_length(&f->film, 0), ok, &say, &err) != SS_OK)
            say = err;
        if (say.text[0])
            fprintf(stderr, "stencilscope: %s\n", say.text);
    }
    free(f);
}

int ss_map_figure(const char *text, const char *command, ss_err *err)
{
    const char *path = ss_config_text(ss_options(), "export");
    int w, h, status = SS_FAIL;
    ss_extent room;
    if (!path)
        return SS_OK;
    const ss_figures *figures = ss_figures_find(err);
    ss_map_film *f = figures ? new_film(command, err) : NULL;
    if (!f || figures->check(path, err) != SS_OK || ss_film_size(0, &w, &h, err) != SS_OK)
        goto done;
    w = w > 0 ? w : FIGURE_W, h = h > 0 ? h : FIGURE_H;
    if (figures->extent(w, h, &room, err) == SS_OK)
        status = figures->save(draw(&f->scene, text, &room), path, w, h, f->command, err);
done:
    free(f);
    return status;
}
