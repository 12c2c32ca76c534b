/* The pixel medium of recordings (all formats except the terminal's), and the recorder that
 * needs nothing else: one PNG file per frame. See pixels.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cairo.h>

#include "src/base/file.h"
#include "ui/canvas/pixels.h"

/* --- the medium ------------------------------------------------------------------------------- */

typedef struct board {
    ss_drawing *drawing;
    ss_pixels pixels;
    ss_extent cells; /* that fit it at the scale of its size */
    double scale;    /* as drawn */
} board;

static void board_close(void *self)
{
    board *b = self;
    ss_drawing_free(b->drawing);
    free(b->pixels.data);
    free(b);
}

static int board_open(void **self, int w, int h, ss_err *err)
{
    board *b = calloc(1, sizeof *b);
    if (!b)
        return ss_fail_outside(err, "out of memory: pictures to record");
    b->pixels = (ss_pixels){.w = w, .h = h, .stride = 4 * w};
    b->pixels.data = calloc((size_t)h, (size_t)b->pixels.stride);
    b->scale = ss_places_scale(w, h);
    b->drawing = ss_drawing_new(b->scale, err);
    if (b->pixels.data && b->drawing) {
        ss_places_extent(b->scale, w, h, &b->cells);
        *self = b;
        return SS_OK;
    }
    if (!b->pixels.data)
        ss_fail_outside(err, "out of memory: pictures of %dx%d pixels", w, h);
    board_close(b);
    return SS_FAIL;
}

static void board_extent(void *self, ss_extent *out)
{
    *out = ((const board *)self)->cells;
}

static void board_around(void *self, int cols, int rows, int *w, int *h)
{
    const board *b = self;
    *w = cols * b->cells.dots_x;
    *h = rows * b->cells.dots_y;
}

/* The whole scene fits: a live recording may differ in size from the screen, which may also
 * change. */
static bool board_paint(void *self, const ss_scene *scene, ss_frame *out)
{
    board *b = self;
    double scale = ss_places_fitted(scene, b->pixels.w, b->pixels.h);
    if (fabs(scale - b->scale) > 1e-9) {
        ss_err ignored;
        ss_drawing *other = ss_drawing_new(scale, &ignored);
        if (!other)
            return false;
        ss_drawing_free(b->drawing);
        b->drawing = other;
        b->scale = scale;
    }
    ss_drawing_paint(b->drawing, scene, &b->pixels, NULL);
    out->pixels = &b->pixels;
    return true;
}

const ss_medium ss_medium_pixels = {
    .unit = "pixels",
    .w = 1280,
    .h = 720,
    .least_w = 200,
    .least_h = 160,
    .most_w = 4096,
    .most_h = 4096,
    .open = board_open,
    .extent = board_extent,
    .threads = true,
    .scales = true,
    .around = board_around,
    .paint = board_paint,
    .close = board_close,
};

/* --- PNG, a file for each frame --------------------------------------------------------------- */

typedef struct series {
    char before[1024], after[16]; /* digits of the number */
    int digits;
    int64_t written;
} series;

/* "frame%05d.png", or "frame.png" for frame-%05d.png. The name is never used as a printf format. */
static int parse_name(series *s, const char *path, ss_err *err)
{
    const char *percent = strchr(path, '%'), *dot = strrchr(path, '.');
    int used = 0;
    s->digits = 5;
    if (!percent) {
        snprintf(s->before, sizeof s->before, "%.*s-", (int)(dot - path), path);
    } else {
        int got = sscanf(percent, "%%0%1dd%n", &s->digits, &used);
        if (got != 1 || !used || percent + used != dot || strchr(percent + 1, '%'))
            return ss_fail(err, "%.80s: the number of a frame is written %%05d, before .png", path);
        snprintf(s->before, sizeof s->before, "%.*s", (int)(percent - path), path);
    }
    snprintf(s->after, sizeof s->after, "%s", dot);
    return SS_OK;
}

static int series_open(void **self, ss_record_spec *spec, ss_err *notice, ss_err *err)
{
    series *s = calloc(1, sizeof *s);
    (void)notice;
    if (!s)
        return ss_fail_outside(err, "out of memory: recording %.80s", spec->path);
    if (parse_name(s, spec->path, err) == SS_OK) {
        *self = s;
        return SS_OK;
    }
    free(s);
    return SS_FAIL;
}

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned n)
{
    return fwrite(data, 1, n, stream) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static int series_frame(void *self, const ss_frame *frame, ss_err *err)
{
    series *s = self;
    const ss_pixels *p = frame->pixels;
    ss_outfile file;
    char path[1056];
    snprintf(path, sizeof path, "%s%0*lld%s", s->before, s->digits, (long long)s->written,
             s->after);
    if (ss_outfile_open(&file, path, err) != SS_OK)
        return SS_FAIL;
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data(p->data, CAIRO_FORMAT_RGB24, p->w, p->h, p->stride);
    bool ok = cairo_surface_write_to_png_stream(surface, write_bytes, file.stream) ==
              CAIRO_STATUS_SUCCESS;
    cairo_surface_destroy(surface);
    int why = errno;
    if (ss_outfile_close(&file, ok, err) != SS_OK)
        return SS_FAIL;
    s->written++;
    return ok ? SS_OK : ss_fail_outside(err, "cannot write %.200s: %s", path, strerror(why));
}

/* Each file is complete: files already written stay. */
static int series_close(void *self, bool ok, int64_t frames, ss_err *notice, ss_err *err)
{
    series *s = self;
    (void)frames, (void)err;
    if (ok)
        ss_fail(notice, "they are %.100s%0*d%s and so on", s->before, s->digits, 0, s->after);
    free(s);
    return SS_OK;
}

static const char *series_first(const char *path, char *buf, size_t size)
{
    series s;
    ss_err ignored;
    if (parse_name(&s, path, &ignored) != SS_OK)
        return path;
    snprintf(buf, size, "%s%0*d%s", s.before, s.digits, 0, s.after);
    return buf;
}

extern const ss_recorder ss_recorder_png;
const ss_recorder ss_recorder_png = {
    .medium = &ss_medium_pixels,
    .open = series_open,
    .frame = series_frame,
    .close = series_close,
    .first = series_first,
};
