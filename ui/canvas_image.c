/* Pictures and colour bars in pixels. Values become colours by a table of the first bits of a float
 * (logarithms) or by a multiplication; block edges, the selected block and the probe are drawn over
 * them. See canvas_draw.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas_draw.h"

enum { TABLE = 1 << 15, SHIFT = 16, TABLES = 2 }; /* sign 0, 8 bits of exponent, 7 of mantissa */

/* Position on the map, 0 to 255, of a positive float by its first 16 bits. */
typedef struct table {
    double lo, hi;
    unsigned char at[TABLE];
} table;

struct ss_shades {
    table table[TABLES];
    int next;
    cairo_surface_t *surface; /* as large as the largest image so far */
    int *column;              /* of pixels */
    ss_rgb *line;             /* of a row of cells */
    int room, line_room;
    float *position; /* on the map, of cells, of a row between two; weights of its pixels */
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
    free(s->position);
    free(s);
}

static const table *log_table(ss_shades *s, double lo, double hi)
{
    for (int i = 0; i < TABLES; i++)
        if (s->table[i].hi > 0 && s->table[i].lo == lo && s->table[i].hi == hi)
            return &s->table[i];
    table *t = &s->table[s->next++ % TABLES];
    double scale = hi > lo ? 255 / log(hi / lo) : 0;
    t->lo = lo, t->hi = hi;
    for (uint32_t i = 0; i < TABLE; i++) {
        uint32_t bits = i << SHIFT | 1U << (SHIFT - 1);
        float v;
        memcpy(&v, &bits, sizeof v);
        double at = v > 0 && isfinite(v) ? log((double)v / lo) * scale : v > 0 ? 255 : 0;
        t->at[i] = (unsigned char)(at < 0 ? 0 : at > 255 ? 255 : at + 0.5);
    }
    return t;
}

/* --- values to colours ------------------------------------------------------------------------ */

typedef struct shader {
    const ss_image *image;
    const table *log;
    float scale, shift;
    ss_rgb color[SS_MAP_SIZE], nothing;
    ss_rgb at[SS_MAP_SIZE + 1]; /* nothing, then color: of a position and one */
} shader;

static void shader_make(shader *s, const ss_pen *p, const ss_image *im)
{
    const ss_range *r = &im->range;
    double width = r->hi - r->lo;
    s->image = im;
    s->log = im->log && !im->owner && r->lo > 0 ? log_table(p->d->shades, r->lo, r->hi) : NULL;
    s->scale = (float)(width > 0 ? 255 / width : 0);
    s->shift = (float)(width > 0 ? -r->lo * 255 / width : 127.5);
    s->nothing = p->scene->theme->color[SS_C_PANEL];
    for (int i = 0; i < SS_MAP_SIZE; i++)
        s->color[i] = im->palette ? im->palette[i]
                      : im->owner ? ss_owner_color(i)
                      : im->map   ? im->map->color[i]
                                  : s->nothing;
    if (im->owner && !im->palette)
        s->color[UINT8_MAX] = s->nothing;
    s->at[0] = s->nothing;
    memcpy(s->at + 1, s->color, sizeof s->color);
}

/* 0 to 255, or -1: nothing to show. */
static int level_of(const shader *s, float v)
{
    if (s->log) {
        uint32_t bits;
        memcpy(&bits, &v, sizeof bits);
        return v >= 0 ? s->log->at[bits >> SHIFT & (TABLE - 1)] : -1;
    }
    float t = s->scale > 0 ? v * s->scale + s->shift : v - v + s->shift;
    return t != t ? -1 : t <= 0 ? 0 : t >= 255 ? 255 : (int)(t + 0.5F);
}

static ss_rgb color_of(const shader *s, int x, int y)
{
    size_t i = (size_t)y * (size_t)s->image->w + (size_t)x;
    if (s->image->owner)
        return s->color[s->image->owner[i]];
    int level = level_of(s, s->image->cell[i]);
    return level < 0 ? s->nothing : s->color[level];
}

/* --- into pixels ------------------------------------------------------------------------------ */

static bool make_surface(ss_shades *s, int w, int h)
{
    if (s->surface && cairo_image_surface_get_width(s->surface) >= w &&
        cairo_image_surface_get_height(s->surface) >= h)
        return true;
    if (s->surface)
        cairo_surface_destroy(s->surface);
    s->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h);
    if (cairo_surface_status(s->surface) == CAIRO_STATUS_SUCCESS)
        return true;
    cairo_surface_destroy(s->surface);
    s->surface = NULL;
    return false;
}

/* For w pixels and as many cells in a row. */
static bool make_room(ss_shades *s, int w, int cells)
{
    if (s->room < w) {
        int *column = realloc(s->column, (size_t)w * sizeof *column);
        if (!column)
            return false;
        s->column = column, s->room = w;
    }
    if (s->line_room < cells) {
        ss_rgb *line = realloc(s->line, (size_t)cells * sizeof *line);
        if (!line)
            return false;
        s->line = line, s->line_room = cells;
    }
    return true;
}

/* Each cell as large as it is; a row like the one above is copied. */
static void nearest(const shader *s, ss_shades *room, unsigned char *to, int stride, int w, int h)
{
    const ss_image *im = s->image;
    const int *column = room->column;
    for (int y = 0, last = -1; y < h; y++, to += stride) {
        int from = (int)((int64_t)y * im->h / h);
        uint32_t *row = (uint32_t *)(void *)to;
        if (from == last) {
            memcpy(row, to - stride, (size_t)w * sizeof *row);
            continue;
        }
        last = from;
        for (int x = 0; x < im->w; x++)
            room->line[x] = color_of(s, x, from);
        for (int x = 0; x < w; x++)
            row[x] = room->line[column[x]];
    }
}

/* Between two positions on the map; -1, nothing to show, is no neighbour. */
static float between(float a, float b, float weight)
{
    float v = a + weight * (b - a);
    return ((a < 0) | (b < 0)) ? a : v;
}

static bool smooth_room(ss_shades *s, const ss_image *im, int w)
{
    size_t n = (size_t)im->w + 3 * (size_t)w;
    if (n <= s->positions)
        return true;
    float *more = realloc(s->position, n * sizeof *more);
    if (!more)
        return false;
    s->position = more, s->positions = n;
    return true;
}

/* A row of cells as wide as it is seen; weight: of the right one of the two cells of a pixel. */
static void widen(const shader *s, const ss_shades *room, const float *weight, int y, float *out,
                  int w)
{
    const ss_image *im = s->image;
    float *cell = room->position;
    int right = im->w > 1;
    for (int x = 0; x < im->w; x++)
        cell[x] = (float)level_of(s, im->cell[(size_t)y * (size_t)im->w + (size_t)x]);
    for (int x = 0; x < w; x++)
        out[x] = between(cell[room->column[x]], cell[room->column[x] + right], weight[x]);
}

/* Rows of cells become wide one after the other, rows of pixels lie between two of them. Bilinear,
 * on the map. */
static bool smooth(const shader *s, ss_shades *room, unsigned char *to, int stride, int w, int h)
{
    const ss_image *im = s->image;
    if (!smooth_room(room, im, w))
        return false;
    float *weight = room->position + im->w, *upper = weight + w, *lower = upper + w;
    for (int x = 0; x < w; x++) {
        double fx = fmax((x + 0.5) * im->w / w - 0.5, 0);
        room->column[x] = (int)fx < im->w - 2 ? (int)fx : im->w > 1 ? im->w - 2 : 0;
        weight[x] = (float)fmin(fx - room->column[x], 1);
    }
    for (int y = 0, have = -1; y < h; y++, to += stride) {
        double fy = fmax((y + 0.5) * im->h / h - 0.5, 0);
        int y0 = (int)fy, y1 = y0 + 1 < im->h ? y0 + 1 : y0;
        float down = (float)(fy - y0);
        uint32_t *px = (uint32_t *)(void *)to;
        if (y0 != have) {
            float *spare = upper;
            upper = lower, lower = spare;
            if (have < 0 || y0 != have + 1)
                widen(s, room, weight, y0, upper, w);
            widen(s, room, weight, y1, lower, w);
            have = y0;
        }
        for (int x = 0; x < w; x++)
            px[x] = (uint32_t)(int)(between(upper[x], lower[x], down) + 1.5F);
        for (int x = 0; x < w; x++)
            px[x] = s->at[px[x]];
    }
    return true;
}

/* --- what lies over it ------------------------------------------------------------------------ */

static void verticals(const ss_pen *p, ss_px r, const double *at, int n)
{
    double line = ss_draw_thin(p->d, 1);
    for (int i = 0; i < n; i++)
        cairo_rectangle(p->cr, r.x + floor(at[i] * r.w + 0.5), r.y, line, r.h);
    cairo_fill(p->cr);
}

static void horizontals(const ss_pen *p, ss_px r, const double *at, int n)
{
    double line = ss_draw_thin(p->d, 1);
    for (int i = 0; i < n; i++)
        cairo_rectangle(p->cr, r.x, r.y + floor(at[i] * r.h + 0.5), r.w, line);
    cairo_fill(p->cr);
}

static void frame_box(const ss_pen *p, ss_px r, const ss_box2 *b, double wide)
{
    double x0 = r.x + floor(b->x0 * r.w + 0.5), x1 = r.x + floor(b->x1 * r.w + 0.5);
    double y0 = r.y + floor(b->y0 * r.h + 0.5), y1 = r.y + floor(b->y1 * r.h + 0.5);
    cairo_rectangle(p->cr, x0 + wide / 2, y0 + wide / 2, x1 - x0 - wide, y1 - y0 - wide);
    cairo_set_line_width(p->cr, wide);
    cairo_stroke(p->cr);
}

static void ellipse(const ss_pen *p, double x, double y, double rx, double ry)
{
    cairo_save(p->cr);
    cairo_translate(p->cr, x, y);
    cairo_scale(p->cr, rx, ry);
    cairo_new_sub_path(p->cr);
    cairo_arc(p->cr, 0, 0, 1, 0, 7);
    cairo_restore(p->cr);
}

/* A ring, dark within light: seen on every colour. Round the brush, if there is one. */
static void draw_probe(const ss_pen *p, ss_px r, const ss_image *im)
{
    double x = r.x + im->probe_x * r.w, y = r.y + im->probe_y * r.h, s = p->d->scale;
    double rx = im->has_brush ? im->brush_rx * r.w : 5 * s;
    double ry = im->has_brush ? im->brush_ry * r.h : 5 * s;
    if (!(rx > 0 && ry > 0))
        return;
    static const double wide[] = {4, 1.8};
    static const ss_rgb color[] = {0x000000, 0xffffff};
    for (int i = 0; i < 2; i++) {
        ss_draw_color(p, color[i], i ? 1 : 0.55);
        cairo_set_line_width(p->cr, wide[i] * s);
        ellipse(p, x, y, rx, ry);
        cairo_stroke(p->cr);
    }
}

static void draw_over(const ss_pen *p, ss_px r, const ss_image *im)
{
    double s = p->d->scale;
    ss_draw_role(p, SS_C_GROUND, 0.30);
    verticals(p, r, im->grid_x, im->ngrid_x);
    horizontals(p, r, im->grid_y, im->ngrid_y);
    ss_draw_role(p, SS_C_GROUND, 0.8);
    verticals(p, r, im->patch_x, im->npatch_x);
    horizontals(p, r, im->patch_y, im->npatch_y);
    if (im->has_block) {
        ss_draw_role(p, im->frame, 0.65);
        frame_box(p, r, &im->kept, ss_draw_thin(p->d, 1));
        ss_draw_role(p, SS_C_GROUND, 0.7);
        frame_box(p, r, &im->block, floor(4 * s));
        ss_draw_role(p, im->frame, 1);
        frame_box(p, r, &im->block, ss_draw_thin(p->d, 2));
    }
    if (im->has_probe)
        draw_probe(p, r, im);
}

/* Every dot stands alone: who computes what, and when. */
static void draw_gaps(const ss_pen *p, ss_px r, const ss_image *im)
{
    double line = ss_draw_thin(p->d, 1);
    ss_draw_role(p, SS_C_PANEL, 1);
    bool room = r.w >= 4 * im->w && r.h >= 4 * im->h;
    for (int i = 1; i <= im->w && room; i++) {
        int edge = r.x + i * r.w / im->w;
        cairo_rectangle(p->cr, edge - line, r.y, line, r.h);
    }
    for (int i = 1; i <= im->h && room; i++) {
        int edge = r.y + i * r.h / im->h;
        cairo_rectangle(p->cr, r.x, edge - line, r.w, line);
    }
    cairo_fill(p->cr);
}

unsigned char *ss_draw_pixels(const ss_pen *p, ss_px r, int *stride)
{
    cairo_surface_t *to = cairo_get_target(p->cr);
    cairo_matrix_t m;
    cairo_get_matrix(p->cr, &m);
    int x = r.x + (int)m.x0, y = r.y + (int)m.y0;
    if (cairo_surface_get_type(to) != CAIRO_SURFACE_TYPE_IMAGE ||
        cairo_image_surface_get_format(to) != CAIRO_FORMAT_RGB24 || m.xx < 1 || m.xx > 1 ||
        m.x0 > (int)m.x0 || m.y0 > (int)m.y0 || x < 0 || y < 0 ||
        x + r.w > cairo_image_surface_get_width(to) || y + r.h > cairo_image_surface_get_height(to))
        return NULL;
    cairo_surface_flush(to);
    *stride = cairo_image_surface_get_stride(to);
    return cairo_image_surface_get_data(to) + (ptrdiff_t)y * *stride + (ptrdiff_t)x * 4;
}

void ss_draw_drawn(const ss_pen *p)
{
    cairo_surface_mark_dirty(cairo_get_target(p->cr));
}

static void shade(const ss_pen *p, const ss_image *im, ss_px r, unsigned char *to, int stride)
{
    ss_shades *room = p->d->shades;
    shader s;
    shader_make(&s, p, im);
    for (int x = 0; x < r.w; x++)
        room->column[x] = (int)((int64_t)x * im->w / r.w);
    bool between = im->smooth && !im->owner && (im->w < r.w || im->h < r.h);
    if (between && smooth(&s, room, to, stride, r.w, r.h))
        return;
    nearest(&s, room, to, stride, r.w, r.h);
}

static void show_surface(const ss_pen *p, ss_px r)
{
    cairo_set_source_surface(p->cr, p->d->shades->surface, r.x, r.y);
    cairo_pattern_set_filter(cairo_get_source(p->cr), CAIRO_FILTER_NEAREST);
    cairo_paint(p->cr);
}

bool ss_draw_shows(const ss_image *im)
{
    return im->w > 0 && im->h > 0 && (im->cell || im->owner);
}

void ss_draw_image(const ss_pen *p, const ss_item *item)
{
    const ss_image *im = item->image;
    ss_shades *room = p->d->shades;
    ss_px r = ss_draw_px(p->d, item->rect);
    int stride = 0;
    if (!ss_draw_shows(im))
        return;
    unsigned char *to = ss_draw_pixels(p, r, &stride);
    if (!make_room(room, r.w, im->w) || (!to && !make_surface(room, r.w, r.h)))
        return;
    cairo_save(p->cr);
    cairo_rectangle(p->cr, r.x, r.y, r.w, r.h);
    cairo_clip(p->cr);
    if (to) {
        shade(p, im, r, to, stride);
        ss_draw_drawn(p);
    } else {
        cairo_surface_flush(room->surface);
        shade(p, im, r, cairo_image_surface_get_data(room->surface),
              cairo_image_surface_get_stride(room->surface));
        cairo_surface_mark_dirty(room->surface);
        show_surface(p, r);
    }
    if (im->blocks)
        draw_gaps(p, r, im);
    draw_over(p, r, im);
    cairo_restore(p->cr);
}

/* --- the colour bar --------------------------------------------------------------------------- */

static void bar_colors(const ss_pen *p, const ss_colormap *map, double x, double y, double w,
                       double h, bool vertical)
{
    cairo_pattern_t *ramp = vertical ? cairo_pattern_create_linear(0, y + h, 0, y)
                                     : cairo_pattern_create_linear(x, 0, x + w, 0);
    for (int i = 0; i <= 32; i++) {
        ss_rgb c = map->color[i * (SS_MAP_SIZE - 1) / 32];
        cairo_pattern_add_color_stop_rgb(ramp, i / 32.0, (c >> 16 & 255) / 255.0,
                                         (c >> 8 & 255) / 255.0, (c & 255) / 255.0);
    }
    cairo_set_source(p->cr, ramp);
    cairo_pattern_destroy(ramp);
    ss_draw_box(p, x, y, w, h);
}

static void bar_upright(const ss_pen *p, const ss_item *item, ss_px r)
{
    double s = p->d->scale, wide = floor(12 * s), last = -1e9;
    const ss_axis *a = item->bar.axis;
    double x = r.x + wide + 7 * s, room = r.w - wide - 7 * s;
    double low = r.y + r.h - 6 * s, high = r.y + 6 * s;
    bar_colors(p, item->bar.image->map, r.x + 2 * s, r.y, wide, r.h, true);
    ss_draw_role(p, SS_C_DIM, 1);
    if (!a->log) { /* the ends are no ticks: they say how far it goes */
        char text[24];
        ss_draw_text(p, x, low, room, SS_FIGURE | SS_SMALL,
                     ss_axis_text(a, a->lo, text, sizeof text));
        ss_draw_text(p, x, high, room, SS_FIGURE | SS_SMALL,
                     ss_axis_text(a, a->hi, text, sizeof text));
        low -= 16 * s, high += 16 * s;
    }
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = &a->tick[i];
        double f = ss_axis_at(a, t->at), y = r.y + (1 - f) * r.h;
        if (!(f > -0.01 && f < 1.01) || fabs(y - last) < 16 * s)
            continue;
        if (!a->log && (y < high || y > low))
            continue;
        last = y;
        double mid = y < high ? high : y > low ? low : y;
        ss_draw_text(p, x, mid, room, SS_FIGURE | SS_SMALL, t->label);
    }
}

static void bar_flat(const ss_pen *p, const ss_item *item, ss_px r)
{
    const ss_axis *a = item->bar.axis;
    double s = p->d->scale, high = floor(10 * s), until = r.x - 1e3, y = r.y + p->d->ch / 2.0;
    bool words = r.h >= 2 * p->d->ch;
    double end = r.x + r.w;
    bar_colors(p, item->bar.image->map, r.x, floor(y - high / 2), r.w, high, false);
    y += 0.8 * p->d->ch;
    ss_draw_role(p, SS_C_DIM, 1);
    if (!a->log && words) {
        char lo[24], hi[24];
        ss_axis_text(a, a->lo, lo, sizeof lo);
        ss_axis_text(a, a->hi, hi, sizeof hi);
        until = r.x + ss_draw_text(p, r.x, y, r.w, SS_FIGURE | SS_SMALL, lo) + 8 * s;
        end -= ss_draw_text(p, end, y, r.w, SS_FIGURE | SS_SMALL | SS_RIGHT, hi) + 8 * s;
    }
    for (int i = 0; i < a->ntick && words; i++) {
        const ss_tick *t = &a->tick[a->log ? a->ntick - 1 - i : i];
        double f = ss_axis_at(a, t->at), w = ss_draw_width(p, SS_FIGURE | SS_SMALL, t->label);
        double x = r.x + f * r.w - w / 2;
        if (!(f > -0.01 && f < 1.01))
            continue;
        x = a->log && x + w > end ? end - w : a->log && x < r.x ? r.x : x;
        if (x > until && x + w <= end)
            until = x + ss_draw_text(p, x, y, w + 1, SS_FIGURE | SS_SMALL, t->label) + 6 * s;
    }
}

void ss_draw_bar(const ss_pen *p, const ss_item *item)
{
    ss_px r = ss_draw_px(p->d, item->rect);
    if (item->bar.image->map)
        (item->bar.vertical ? bar_upright : bar_flat)(p, item, r);
}
