/* Recordings of the terminal, asciicast version 2: a line of JSON for the header, one per frame,
 * one per parameter change (a marker to which players jump). Writes changed cells only. Needs no
 * library. See record.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "ui/cells/cells.h"
#include "ui/record/record.h"

enum { LEVELS = 32 }; /* levels of a colour map: more are invisible and cost bytes */

/* --- cells to draw on ------------------------------------------------------------------------- */

static int grid_open(void **self, int w, int h, ss_err *err)
{
    ss_term_cells *c = calloc(1, sizeof *c);
    if (!c || !ss_cells_resize(c, w, h)) {
        free(c);
        return ss_fail_outside(err, "out of memory: a grid of %dx%d cells", w, h);
    }
    *self = c;
    return SS_OK;
}

static void grid_extent(void *self, ss_extent *out)
{
    const ss_term_cells *c = self;
    *out = (ss_extent){.cols = c->cols, .rows = c->rows, .dots_x = 1, .dots_y = 2};
}

static void grid_around(void *self, int cols, int rows, int *w, int *h)
{
    (void)self;
    *w = cols;
    *h = rows;
}

static bool grid_paint(void *self, const ss_scene *scene, ss_frame *out)
{
    const ss_paint how = {.glyphs = ss_glyphs_find("half"), .levels = LEVELS};
    ss_cells_paint(self, scene, &how);
    out->cells = self;
    return true;
}

static void grid_close(void *self)
{
    ss_cells_free(self);
    free(self);
}

static const ss_medium grid = {
    .unit = "cells",
    .w = 120,
    .h = 40,
    .least_w = 20,
    .least_h = 8,
    .most_w = 500,
    .most_h = 200,
    .open = grid_open,
    .extent = grid_extent,
    .around = grid_around,
    .paint = grid_paint,
    .close = grid_close,
};

/* --- the file --------------------------------------------------------------------------------- */

typedef struct cast {
    ss_outfile file;
    ss_term_cells have; /* the terminal's present content */
    ss_ansi ansi;
    double fps;
    char mark[256]; /* waits for the next frame */
    bool begun;
} cast;

/* A JSON string. A byte that is not UTF-8 (in a file name, say) becomes U+FFFD. */
static void put_json(FILE *f, const char *text, size_t n)
{
    putc('"', f);
    for (size_t i = 0; i < n;) {
        unsigned char ch = (unsigned char)text[i];
        int length = ss_utf8_length(text + i, n - i);
        if (ch == '"' || ch == '\\')
            fprintf(f, "\\%c", ch);
        else if (ch < 0x20 || ch == 0x7f)
            fprintf(f, "\\u%04x", ch);
        else if (length > 0)
            fwrite(text + i, 1, (size_t)length, f);
        else
            fputs("\\ufffd", f);
        i += length > 0 ? (size_t)length : 1;
    }
    putc('"', f);
}

static void put_field(FILE *f, const char *name, const char *text)
{
    if (!text)
        return;
    fprintf(f, ", \"%s\": ", name);
    put_json(f, text, strlen(text));
}

static void put_event(cast *c, int64_t at, char kind, const char *text, size_t n)
{
    fprintf(c->file.stream, "[%.6f, \"%c\", ", (double)at / c->fps, kind);
    put_json(c->file.stream, text, n);
    fputs("]\n", c->file.stream);
}

static int check(const cast *c, ss_err *err)
{
    if (fflush(c->file.stream) == 0 && !ferror(c->file.stream))
        return SS_OK;
    return ss_fail_outside(err, "cannot write %.200s: %s", c->file.path, strerror(errno));
}

static int cast_open(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    cast *c = calloc(1, sizeof *c);
    (void)notice;
    if (!c || !ss_cells_resize(&c->have, spec->w, spec->h)) {
        free(c);
        return ss_fail_outside(err, "out of memory: recording %.80s", spec->path);
    }
    if (ss_outfile_open(&c->file, spec->path, err) != SS_OK) {
        ss_cells_free(&c->have);
        free(c);
        return SS_FAIL;
    }
    c->fps = spec->fps;
    FILE *f = c->file.stream;
    fprintf(f, "{\"version\": 2, \"width\": %d, \"height\": %d", spec->w, spec->h);
    put_field(f, "title", spec->caption);
    put_field(f, "command", spec->command);
    put_field(f, "comment", spec->comment);
    fputs(", \"env\": {\"TERM\": \"xterm-256color\"}}\n", f);
    *self = c;
    return SS_OK;
}

static int cast_frame(void *self, const ss_frame *frame, ss_err *err)
{
    static const char clear[] = "\033[?25l\033[2J"; /* hides the cursor */
    cast *c = self;
    if (!c->begun)
        put_event(c, frame->at, 'o', clear, sizeof clear - 1);
    if (c->mark[0])
        put_event(c, frame->at, 'm', c->mark, strlen(c->mark));
    c->mark[0] = '\0';
    if (!ss_ansi_update(&c->ansi, frame->cells, &c->have, !c->begun))
        return ss_fail_outside(err, "out of memory: recording %.80s", c->file.path);
    c->begun = true;
    if (c->ansi.used)
        put_event(c, frame->at, 'o', c->ansi.text, c->ansi.used);
    return check(c, err);
}

static void cast_mark(void *self, const char *text)
{
    cast *c = self;
    size_t n = strlen(c->mark);
    snprintf(c->mark + n, sizeof c->mark - n, "%s%s", n ? ", " : "", text);
    ss_utf8_trim(c->mark);
}

static int cast_close(void *self, bool ok, int64_t frames, ss_err *notice, ss_err *err)
{
    cast *c = self;
    char leave[40];
    (void)notice;
    /* The last frame has its duration too; later output stands on its last line. */
    int n = snprintf(leave, sizeof leave, "\033[0m\033[%d;1H\033[?25h", c->have.rows);
    if (ok)
        put_event(c, frames, 'o', leave, (size_t)n);
    int status = ss_outfile_close(&c->file, ok, err);
    ss_ansi_free(&c->ansi);
    ss_cells_free(&c->have);
    free(c);
    return status;
}

extern const ss_recorder ss_recorder_cast;
const ss_recorder ss_recorder_cast = {
    .medium = &grid,
    .open = cast_open,
    .frame = cast_frame,
    .mark = cast_mark,
    .close = cast_close,
};
