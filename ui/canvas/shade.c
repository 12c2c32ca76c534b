/* Levels to colours, cells to pixels; and rows of a picture that move. See parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

enum { SERIALS = 512 };

/* The rows of cells of the picture that was last drawn here. */
typedef struct standing {
    ss_px rect;
    uint64_t look;
    int w, h; /* h 0: none */
    uint64_t serial[SERIALS];
} standing;

struct ss_shades {
    standing standing;
    bool drawn;               /* the last image */
    cairo_surface_t *surface; /* as large as the largest image so far */
    int *column;              /* pixels per cell, or the first pixel of each cell */
    ss_rgb *line;             /* of a row of cells */
    uint16_t *level;          /* the same */
    int room, line_room;
    float *position; /* positions on the map of cells and of an interpolated row; weights of its
                        pixels */
    size_t positions;
};

ss_shades *ss_shades_new(void)
{
    return calloc(1, sizeof(ss_shades));
}

void ss_shades_free(ss_shades *s)
{
    if (!s)
        return;
    if (s->surface)
        cairo_surface_destroy(s->surface);
    free(s->column);
    free(s->line);
    free(s->level);
    free(s->position);
    free(s);
}

static cairo_surface_t *surface_of(ss_shades *s, int w, int h)
{
    if (s->surface && cairo_image_surface_get_width(s->surface) >= w &&
        cairo_image_surface_get_height(s->surface) >= h)
        return s->surface;
    if (s->surface)
        cairo_surface_destroy(s->surface);
    s->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h);
    if (cairo_surface_status(s->surface) == CAIRO_STATUS_SUCCESS)
        return s->surface;
    cairo_surface_destroy(s->surface);
    s->surface = NULL;
    return NULL;
}

/* --- into pixels ------------------------------------------------------------------------------ */

/* For w pixels, one end marker, and as many cells per row. */
static bool make_room(ss_shades *s, int w, int cells)
{
    if (s->room < w + 1) {
        int *column = realloc(s->column, (size_t)(w + 1) * sizeof *column);
        if (!column)
            return false;
        s->column = column, s->room = w + 1;
    }
    if (s->line_room < cells) {
        ss_rgb *line = realloc(s->line, (size_t)cells * sizeof *line);
        if (!line)
            return false;
        s->line = line;
        uint16_t *level = realloc(s->level, (size_t)cells * sizeof *level);
        if (!level)
            return false;
        s->level = level, s->line_room = cells;
    }
    return true;
}

static bool is_unseen(const ss_pen_image *im, int y)
{
    return im->unseen && im->unseen[y];
}

/* The destination: rows [from, to) of all h. */
typedef struct sheet {
    unsigned char *row0;
    int stride, w, h, from, to;
} sheet;

static uint32_t *row_at(const sheet *t, int y)
{
    return (uint32_t *)(void *)(t->row0 + (ptrdiff_t)y * t->stride);
}

/* Diagonal lines that move with their row of cells. */
static void hatch(const ss_pen_image *im, const sheet *t, int y)
{
    enum { PITCH = SS_PEN_HATCH, THICK = 2 };
    uint64_t high = (uint64_t)(t->h / im->rows), from = PITCH * (uint64_t)t->h;
    uint64_t first = from + (uint64_t)y - (uint64_t)im->hatch_row * high;
    uint32_t *row = row_at(t, y);
    for (int x = 0; x < t->w; x++)
        row[x] = (first + (uint64_t)x) % PITCH < THICK ? im->hatch : im->palette[0];
}

static void color_row(const ss_pen_image *im, ss_shades *room, int y)
{
    im->levels(im->cells, y, room->level);
    for (int x = 0; x < im->cols; x++)
        room->line[x] = im->palette[room->level[x]];
}

/* Cells of one to four pixels; begin: the first pixel of each, and the end. Four pixels are
 * written at once; the next cell overwrites the excess. */
static void spread(const ss_rgb *cell, const int *begin, int cells, uint32_t *row)
{
    int i = 0;
    for (; i < cells - 4; i++) {
        uint32_t four[4] = {cell[i], cell[i], cell[i], cell[i]};
        memcpy(row + begin[i], four, sizeof four);
    }
    for (; i < cells; i++)
        for (int x = begin[i]; x < begin[i + 1]; x++)
            row[x] = cell[i];
}

/* Each cell in its full size; a row equal to the one above is copied. */
static void nearest(const ss_pen_image *im, ss_shades *room, const sheet *t)
{
    int *column = room->column;
    bool wide = im->cols <= t->w && t->w <= 4 * im->cols;
    for (int x = 0; x < t->w && !wide; x++)
        column[x] = (int)((int64_t)x * im->cols / t->w);
    for (int i = 0; i <= im->cols && wide; i++)
        column[i] = (int)(((int64_t)i * t->w + im->cols - 1) / im->cols);
    for (int y = t->from, last = -1; y < t->to; y++) {
        int from = (int)((int64_t)y * im->rows / t->h);
        uint32_t *row = row_at(t, y);
        if (is_unseen(im, from)) {
            hatch(im, t, y);
            last = -1;
            continue;
        }
        if (from == last) {
            memcpy(row, row_at(t, y - 1), (size_t)t->w * sizeof *row);
            continue;
        }
        last = from;
        color_row(im, room, from);
        if (wide)
            spread(room->line, column, im->cols, row);
        for (int x = 0; x < t->w && !wide; x++)
            row[x] = room->line[column[x]];
    }
}

/* Interpolates between two positions; -1, undefined, is no neighbour. */
static float between(float a, float b, float weight)
{
    float v = a + weight * (b - a);
    return ((a < 0) | (b < 0)) ? a : v;
}

static bool smooth_room(ss_shades *s, const ss_pen_image *im, int w)
{
    size_t n = (size_t)im->cols + 1 + 3 * (size_t)w;
    if (n <= s->positions)
        return true;
    float *more = realloc(s->position, n * sizeof *more);
    if (!more)
        return false;
    s->position = more, s->positions = n;
    return true;
}

/* A row of cells stretched to its width in pixels; weight: of the right one of the two cells of
 * a pixel. */
static void widen(const ss_pen_image *im, const ss_shades *room, const float *weight, int y,
                  float *out, int w)
{
    float *cell = room->position;
    im->levels(im->cells, y, room->level);
    for (int x = 0; x < im->cols; x++)
        cell[x] = (float)room->level[x] - 1;
    cell[im->cols] = cell[im->cols - 1]; /* right of the last centre it stays the same */
    for (int x = 0; x < w; x++)
        out[x] = between(cell[room->column[x]], cell[room->column[x] + 1], weight[x]);
}

/* The upper of the two rows of cells around row y of pixels, and the distance below it:
 * bit-for-bit equal for rows of pixels that are a whole number of cells apart. */
static int upper_of(const sheet *t, int cells, int y, float *down)
{
    int64_t at = (2 * (int64_t)y + 1) * cells - t->h, whole = 2 * (int64_t)t->h;
    at = at > 0 ? at : 0;
    *down = (float)((double)(at % whole) / (double)whole);
    return (int)(at / whole);
}

/* Rows of cells are stretched one after the other; rows of pixels interpolate between two of
 * them. Bilinear, on the map. */
static bool smooth(const ss_pen_image *im, ss_shades *room, const sheet *t)
{
    int w = t->w;
    if (!smooth_room(room, im, w))
        return false;
    float *weight = room->position + im->cols + 1, *upper = weight + w, *lower = upper + w;
    for (int x = 0; x < w; x++) {
        double fx = fmax((x + 0.5) * im->cols / w - 0.5, 0);
        room->column[x] = (int)fx;
        weight[x] = (float)(fx - room->column[x]);
    }
    for (int y = t->from, have = -1; y < t->to; y++) {
        float down;
        int y0 = upper_of(t, im->rows, y, &down), y1 = y0 + 1 < im->rows ? y0 + 1 : y0;
        uint32_t *px = row_at(t, y);
        if (y0 != have) {
            float *spare = upper;
            upper = lower, lower = spare;
            if (have < 0 || y0 != have + 1)
                widen(im, room, weight, y0, upper, w);
            widen(im, room, weight, y1, lower, w);
            have = y0;
        }
        int own = (int)((int64_t)y * im->rows / t->h);
        if (is_unseen(im, own)) {
            hatch(im, t, y);
            continue;
        }
        if (is_unseen(im, y0) || is_unseen(im, y1)) /* no neighbour there */
            down = own == y0 ? 0 : 1;
        for (int x = 0; x < w; x++)
            px[x] = (uint32_t)(int)(between(upper[x], lower[x], down) + 1.5F);
        for (int x = 0; x < w; x++)
            px[x] = im->palette[px[x]];
    }
    return true;
}

/* False: out of memory. */
static bool shade_rows(ss_shades *room, const ss_pen_image *im, const sheet *t)
{
    if (!make_room(room, t->w, im->cols))
        return false;
    bool between = im->smooth && (im->cols < t->w || im->rows < t->h);
    if (!between || !smooth(im, room, t))
        nearest(im, room, t);
    return true;
}

/* --- the image -------------------------------------------------------------------------------- */

static void show_surface(cairo_t *cr, cairo_surface_t *surface, ss_px r)
{
    cairo_set_source_surface(cr, surface, r.x, r.y);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
}

/* Directly into the target where it has pixels. */
void ss_cairo_image(ss_pen *pen, const ss_pen_image *im)
{
    const ss_cairo_pen *c = (const ss_cairo_pen *)(const void *)pen;
    ss_shades *s = c->d->shades;
    ss_px r = {im->x, im->y, im->w, im->h};
    int stride = 0;
    unsigned char *to = ss_cairo_pixels(c->cr, r, &stride);
    cairo_surface_t *apart = to ? NULL : surface_of(s, r.w, r.h);
    s->drawn = false;
    if (to) {
        const sheet t = {to, stride, r.w, r.h, 0, r.h};
        s->drawn = shade_rows(s, im, &t);
        ss_cairo_drawn(c->cr);
    } else if (apart) {
        cairo_surface_flush(apart);
        const sheet t = {cairo_image_surface_get_data(apart),
                         cairo_image_surface_get_stride(apart),
                         r.w,
                         r.h,
                         0,
                         r.h};
        s->drawn = shade_rows(s, im, &t);
        cairo_surface_mark_dirty(apart);
        show_surface(c->cr, apart, r);
    }
}

/* --- rows that move --------------------------------------------------------------------------- */

/* Nothing is drawn over its cells. */
static bool is_bare(const ss_image *im)
{
    return !im->ngrid_x && !im->ngrid_y && !im->npatch_x && !im->npatch_y && !im->blocks &&
           !im->has_block && !im->has_probe && !im->has_wipe;
}

/* Marks the image as drawn, or not. */
static void remember(ss_shades *s, const ss_image *im, ss_px r, bool drawn)
{
    standing *at = &s->standing;
    *at = (standing){.rect = r, .look = ss_draw_hash_look(im), .w = im->w};
    if (!drawn || !im->serial || im->h > SERIALS || im->owner || im->palette || !is_bare(im))
        return;
    at->h = im->h;
    memcpy(at->serial, im->serial, (size_t)im->h * sizeof *im->serial);
}

/* The number of rows that have come in at the top, -1: the pictures are unrelated. */
static int rows_moved(const standing *at, const ss_image *im, ss_px r)
{
    int moved = 0;
    if (!im->serial || !is_bare(im) || !at->h || at->h != im->h || at->w != im->w || r.h % im->h ||
        memcmp(&at->rect, &r, sizeof r) != 0 || at->look != ss_draw_hash_look(im))
        return -1;
    while (moved < im->h && im->serial[moved] != at->serial[0])
        moved++;
    for (int y = moved; y < im->h; y++)
        if (!im->serial[y] || im->serial[y] != at->serial[y - moved])
            return -1;
    return moved;
}

void ss_shades_draw(const ss_painter *p, const ss_item *item)
{
    ss_shades *s = ((ss_cairo_pen *)(void *)p->pen)->d->shades;
    ss_draw_image(p, item);
    if (ss_draw_shows(item->image))
        remember(s, item->image, ss_draw_px(p->d, item->rect), s->drawn);
}

/* The rows that have come in, and those at both ends, which have other neighbours now. */
static bool shade_moved(ss_shades *s, const ss_pen_image *im, sheet *t, int moved)
{
    int cell = t->h / im->rows, down = moved * cell;
    for (int y = t->h - 1; y >= down && down > 0; y--)
        memcpy(row_at(t, y), row_at(t, y - down), (size_t)t->w * sizeof(uint32_t));
    t->from = 0, t->to = down + cell;
    if (!shade_rows(s, im, t))
        return false;
    t->from = t->h - cell, t->to = t->h;
    return shade_rows(s, im, t);
}

bool ss_shades_draw_again(const ss_painter *p, const ss_item *item)
{
    const ss_cairo_pen *c = (const ss_cairo_pen *)(const void *)p->pen;
    const ss_image *im = item->image;
    ss_shades *s = c->d->shades;
    ss_px r = ss_draw_px(p->d, item->rect);
    ss_levels_of of;
    ss_pen_image picture;
    int stride, moved = ss_draw_shows(im) ? rows_moved(&s->standing, im, r) : -1;
    if (moved < 0 || (moved + 2) * (r.h / im->h) > r.h)
        return false;
    unsigned char *to = ss_cairo_pixels(c->cr, r, &stride);
    if (!to)
        return false;
    ss_draw_picture(p, item, &of, &picture);
    sheet t = {to, stride, r.w, r.h, 0, r.h};
    bool drawn = shade_moved(s, &picture, &t, moved);
    remember(s, im, r, drawn);
    ss_cairo_drawn(c->cr);
    return drawn;
}
