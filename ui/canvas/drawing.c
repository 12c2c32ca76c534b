/* A scene in pixels: see canvas.h. The drawing itself. What the mouse points at: lines, dots and a
 * value over a chart, a picture or a colour bar. They are drawn last, over pixels that are saved
 * and put back before the next paint: when only the mouse moves, no chart and no picture is painted
 * again. Pixels as PNG, and the pixel medium of recordings (all formats except the terminal's),
 * with the recorder that needs nothing else: one PNG file per frame. See parts.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cairo.h>

#include "src/base/file.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/parts.h"

/* --- what the mouse points at ----------------------------------------------------------------- */

enum { PIECES = 160 };

/* Saved pixels of the target. */
typedef struct piece {
    ss_px rect;
    size_t at; /* in `pixel` */
} piece;

struct ss_rules {
    piece piece[PIECES];
    int n;
    uint32_t *pixel;
    size_t used, room;
    int w, h; /* of the target that the pixels come from */
};

static ss_rules *rules_new(void)
{
    return calloc(1, sizeof(ss_rules));
}

static void rules_free(ss_rules *r)
{
    if (r)
        free(r->pixel);
    free(r);
}

/* The pixels were replaced. */
static void rules_forget(ss_rules *r)
{
    r->n = 0;
    r->used = 0;
}

/* --- saved pixels ----------------------------------------------------------------------------- */

static uint32_t *pixel_at(const ss_pixels *to, int x, int y)
{
    return (uint32_t *)(void *)((char *)to->data + (size_t)y * (size_t)to->stride) + x;
}

static ss_px inside(ss_px r, const ss_pixels *to)
{
    int x0 = r.x > 0 ? r.x : 0, y0 = r.y > 0 ? r.y : 0;
    int x1 = r.x + r.w < to->w ? r.x + r.w : to->w, y1 = r.y + r.h < to->h ? r.y + r.h : to->h;
    return (ss_px){x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

static bool has_room(ss_rules *all, size_t need)
{
    if (all->used + need <= all->room)
        return true;
    size_t room = 2 * (all->used + need);
    uint32_t *more = realloc(all->pixel, room * sizeof *more);
    if (!more)
        return false;
    all->pixel = more;
    all->room = room;
    return true;
}

typedef struct target {
    ss_drawing *d;
    const ss_pixels *to;
} target;

static void save_part(const ss_painter *p, ss_px r, void *ctx)
{
    const target *at = ctx;
    ss_rules *all = at->d->rules;
    r.x += p->d->ox, r.y += p->d->oy;
    r = inside(r, at->to);
    size_t need = (size_t)r.w * (size_t)r.h;
    if (need == 0 || all->n == PIECES || !has_room(all, need))
        return;
    all->piece[all->n++] = (piece){r, all->used};
    for (int y = 0; y < r.h; y++, all->used += (size_t)r.w)
        memcpy(all->pixel + all->used, pixel_at(at->to, r.x, r.y + y), (size_t)r.w * 4);
}

/* Before the groups are painted: takes the last lines off. After it: draws the new ones. */
static void rules_lift(ss_drawing *d, const ss_pixels *to)
{
    const ss_rules *all = d->rules;
    for (int i = all->n - 1; i >= 0 && all->w == to->w && all->h == to->h; i--) {
        const piece *p = &all->piece[i];
        for (int y = 0; y < p->rect.h; y++)
            memcpy(pixel_at(to, p->rect.x, p->rect.y + y),
                   all->pixel + p->at + (size_t)y * (size_t)p->rect.w, (size_t)p->rect.w * 4);
    }
}

static void report(ss_drawing *d, ss_px *changed)
{
    for (int i = 0; i < d->rules->n; i++) {
        ss_px r = d->rules->piece[i].rect;
        ss_groups_damage(d->groups, r);
        int x0 = r.x < changed->x ? r.x : changed->x, y0 = r.y < changed->y ? r.y : changed->y;
        int x1 = r.x + r.w > changed->x + changed->w ? r.x + r.w : changed->x + changed->w;
        int y1 = r.y + r.h > changed->y + changed->h ? r.y + r.h : changed->y + changed->h;
        *changed = changed->w <= 0 ? r : (ss_px){x0, y0, x1 - x0, y1 - y0};
    }
}

static bool has_rule(const ss_scene *s)
{
    for (int i = 0; i < s->nitem; i++)
        if (s->item[i].kind == SS_I_RULE)
            return true;
    return false;
}

static void rules_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_px *changed)
{
    ss_rules *all = d->rules;
    target at = {d, to};
    report(d, changed);
    rules_forget(all);
    all->w = to->w, all->h = to->h;
    if (!has_rule(scene))
        return;
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data(to->data, CAIRO_FORMAT_RGB24, to->w, to->h, to->stride);
    cairo_t *cr = cairo_create(surface);
    ss_cairo_pen pen = ss_cairo_pen_on(cr, d);
    const ss_painter p = ss_cairo_painter(&pen, scene);
    for (int i = 0; i < scene->nitem; i++)
        if (scene->item[i].kind == SS_I_RULE)
            ss_draw_rule_parts(&p, &scene->item[i], save_part, &at);
    cairo_translate(cr, d->places.ox, d->places.oy);
    for (int i = 0; i < scene->nitem; i++)
        if (scene->item[i].kind == SS_I_RULE)
            ss_draw_rule(&p, &scene->item[i]);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    report(d, changed);
}

/* --- life ------------------------------------------------------------------------------------- */

ss_drawing *ss_drawing_new(double scale, ss_err *err)
{
    ss_drawing *d = calloc(1, sizeof *d);
    if (!d)
        goto memory;
    ss_places_make(&d->places, scale);
    d->fonts = ss_fonts_new(err);
    if (!d->fonts)
        goto fail;
    d->logs = ss_log_tables_new();
    d->shades = ss_shades_new();
    d->groups = ss_groups_new();
    d->backdrops = ss_backdrops_new();
    d->rules = rules_new();
    if (d->logs && d->shades && d->groups && d->backdrops && d->rules)
        return d;
memory:
    ss_fail(err, "out of memory: a drawing");
fail:
    ss_drawing_free(d);
    return NULL;
}

void ss_drawing_free(ss_drawing *d)
{
    if (!d)
        return;
    ss_backdrops_free(d->backdrops);
    rules_free(d->rules);
    ss_groups_free(d->groups);
    ss_shades_free(d->shades);
    ss_log_tables_free(d->logs);
    ss_fonts_free(d->fonts);
    free(d);
}

void ss_drawing_forget(ss_drawing *d)
{
    ss_groups_forget(d->groups);
    rules_forget(d->rules);
}

void ss_drawing_place(const ss_drawing *d, double px, double py, double *x, double *y)
{
    ss_places_cell(&d->places, px, py, x, y);
}

/* --- painting --------------------------------------------------------------------------------- */

void ss_drawing_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_rect *changed)
{
    ss_px all = {0, 0, 0, 0};
    ss_cairo_pen pen = ss_cairo_pen_on(NULL, d);
    const ss_painter p = ss_cairo_painter(&pen, scene);
    ss_places_centre(&d->places, scene, to->w, to->h);
    rules_lift(d, to);
    ss_groups_paint(d, scene, to, &all);
    ss_draw_spots(&p);
    rules_paint(d, scene, to, &all);
    if (changed)
        *changed = (ss_rect){all.x, all.y, all.w, all.h};
}

/* --- pixels as PNG ---------------------------------------------------------------------------- */

static cairo_status_t to_file(void *file, const unsigned char *data, unsigned n)
{
    return fwrite(data, 1, n, file) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

int ss_pixels_png(const ss_pixels *px, const char *path, ss_err *err)
{
    ss_outfile file;
    if (ss_outfile_open(&file, path, err) != SS_OK)
        return SS_FAIL;
    cairo_surface_t *s =
        cairo_image_surface_create_for_data(px->data, CAIRO_FORMAT_RGB24, px->w, px->h, px->stride);
    cairo_status_t status = cairo_surface_write_to_png_stream(s, to_file, file.stream);
    cairo_surface_destroy(s);
    bool drawn = status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR;
    if (drawn) /* cairo reports a full disk only here */
        return ss_outfile_close(&file, true, err);
    ss_outfile_close(&file, false, NULL);
    return ss_fail(err, "%.200s: %s", path, cairo_status_to_string(status));
}

/* --- the medium of recordings ----------------------------------------------------------------- */

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
