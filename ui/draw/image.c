/* Pictures and colour bars: the levels of a picture's cells, places on its palette, by a table of
 * the leading bits of a float (log scales) or by a multiplication; over the cells the block edges,
 * the selected block and the probe. See draw.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw/draw.h"

/* --- levels of cells -------------------------------------------------------------------------- */

enum { TABLE = 1 << 16, SHIFT = 16, TABLES = 2 }; /* sign, 8 bits of exponent, 7 of mantissa */

/* Levels of floats by their first 16 bits. */
typedef struct table {
    double lo, hi;
    uint16_t at[TABLE];
} table;

struct ss_log_tables {
    table table[TABLES];
    int next;
};

ss_log_tables *ss_log_tables_new(void)
{
    return calloc(1, sizeof(ss_log_tables));
}

void ss_log_tables_free(ss_log_tables *t)
{
    free(t);
}

/* The logarithms of the middles of the intervals above 0, computed once: a range that moves needs a
 * new table in every frame. */
static const double *middle_logs(void)
{
    static double at[TABLE / 2];
    static bool ready;
    for (uint32_t i = 0; i < TABLE / 2 && !ready; i++) {
        uint32_t half = i << SHIFT | 1U << (SHIFT - 1);
        float v;
        memcpy(&v, &half, sizeof v);
        at[i] = isnan(v) ? (double)INFINITY : log((double)v);
    }
    ready = true;
    return at;
}

static const uint16_t *log_table(ss_log_tables *s, double lo, double hi)
{
    for (int i = 0; i < TABLES; i++)
        if (s->table[i].hi > 0 && s->table[i].lo == lo && s->table[i].hi == hi)
            return s->table[i].at;
    table *t = &s->table[s->next++ % TABLES];
    const double *middle = middle_logs();
    double scale = hi > lo ? 255 / log(hi / lo) : 0, first = log(lo);
    t->lo = lo, t->hi = hi;
    for (uint32_t i = 0; i < TABLE; i++) {
        uint32_t bits = i << SHIFT;
        float from;
        memcpy(&from, &bits, sizeof from);
        double at = i < TABLE / 2 ? (middle[i] - first) * scale : 0;
        at = !(at > 0) ? 0 : at > 255 ? 255 : at;
        t->at[i] = (uint16_t)(from >= 0 ? 1 + (int)(at + 0.5) : 0);
    }
    return t->at;
}

/* --- rows of cells ---------------------------------------------------------------------------- */

static void levels_by_table(const void *cells, int row, uint16_t *level)
{
    const ss_levels_of *of = cells;
    const float *cell = of->image->cell + (size_t)row * (size_t)of->image->w;
    for (int x = 0; x < of->image->w; x++) {
        uint32_t bits;
        memcpy(&bits, &cell[x], sizeof bits);
        level[x] = of->log[bits >> SHIFT];
    }
}

static void levels_linear(const void *cells, int row, uint16_t *level)
{
    const ss_levels_of *of = cells;
    const float *cell = of->image->cell + (size_t)row * (size_t)of->image->w;
    for (int x = 0; x < of->image->w; x++) {
        float t = of->scale > 0 ? cell[x] * of->scale + of->shift : cell[x] - cell[x] + of->shift;
        level[x] = (uint16_t)(t != t ? 0 : t <= 0 ? 1 : t >= 255 ? 256 : (int)(t + 1.5F));
    }
}

static void levels_of_owners(const void *cells, int row, uint16_t *level)
{
    const ss_levels_of *of = cells;
    const uint8_t *owner = of->image->owner + (size_t)row * (size_t)of->image->w;
    for (int x = 0; x < of->image->w; x++)
        level[x] = (uint16_t)(owner[x] + 1);
}

/* --- the picture ------------------------------------------------------------------------------ */

static ss_rgb color_at(const ss_image *im, int i, ss_rgb nothing)
{
    bool nobody = im->owner && !im->palette && i == UINT8_MAX;
    return nobody        ? nothing
           : im->palette ? im->palette[i]
           : im->owner   ? ss_owner_color(i)
           : im->map     ? im->map->color[i]
                         : nothing;
}

void ss_draw_picture(const ss_painter *p, const ss_item *item, ss_levels_of *of, ss_pen_image *out)
{
    const ss_image *im = item->image;
    const ss_range *r = &im->range;
    const ss_rgb *theme = p->scene->theme->color;
    ss_px px = ss_draw_px(p->d, item->rect);
    double width = r->hi - r->lo;
    *of = (ss_levels_of){.image = im,
                         .scale = (float)(width > 0 ? 255 / width : 0),
                         .shift = (float)(width > 0 ? -r->lo * 255 / width : 127.5)};
    if (im->log && !im->owner && r->lo > 0)
        of->log = log_table(p->logs, r->lo, r->hi);
    *out = (ss_pen_image){.x = px.x,
                          .y = px.y,
                          .w = px.w,
                          .h = px.h,
                          .cols = im->w,
                          .rows = im->h,
                          .smooth = im->smooth && !im->owner,
                          .levels = im->owner ? levels_of_owners
                                    : of->log ? levels_by_table
                                              : levels_linear,
                          .cells = of,
                          .unseen = im->unseen,
                          .hatch = theme[SS_C_LINE],
                          .hatch_row = (int)(im->row0 % SS_PEN_HATCH)};
    out->palette[0] = theme[SS_C_PANEL];
    for (int i = 0; i < SS_MAP_SIZE; i++)
        out->palette[i + 1] = color_at(im, i, theme[SS_C_PANEL]);
}

/* --- what lies over it ------------------------------------------------------------------------ */

static void verticals(const ss_painter *p, ss_px r, const double *at, int n)
{
    double line = ss_draw_thin(p->d, 1);
    for (int i = 0; i < n; i++)
        ss_pen_rect(p->pen, r.x + floor(at[i] * r.w + 0.5), r.y, line, r.h);
    ss_pen_fill(p->pen);
}

static void horizontals(const ss_painter *p, ss_px r, const double *at, int n)
{
    double line = ss_draw_thin(p->d, 1);
    for (int i = 0; i < n; i++)
        ss_pen_rect(p->pen, r.x, r.y + floor(at[i] * r.h + 0.5), r.w, line);
    ss_pen_fill(p->pen);
}

static void frame_box(const ss_painter *p, ss_px r, const ss_box2 *b, double wide)
{
    double x0 = r.x + floor(b->x0 * r.w + 0.5), x1 = r.x + floor(b->x1 * r.w + 0.5);
    double y0 = r.y + floor(b->y0 * r.h + 0.5), y1 = r.y + floor(b->y1 * r.h + 0.5);
    ss_pen_rect(p->pen, x0 + wide / 2, y0 + wide / 2, x1 - x0 - wide, y1 - y0 - wide);
    ss_pen_width(p->pen, wide);
    ss_pen_stroke(p->pen);
}

/* A ring, dark within light, visible on every colour; around the brush, if there is one. */
static void draw_probe(const ss_painter *p, ss_px r, const ss_image *im)
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
        ss_pen_width(p->pen, wide[i] * s);
        ss_pen_ellipse(p->pen, x, y, rx, ry);
        ss_pen_stroke(p->pen);
    }
}

/* The line of a wipe, light within dark, with a grip in the middle. */
static void draw_wipe(const ss_painter *p, ss_px r, const ss_image *im)
{
    double x = r.x + floor(im->wipe * r.w + 0.5), s = p->d->scale, y = r.y + r.h / 2.0;
    static const double wide[] = {4, 2}, grip[] = {7, 5};
    static const ss_rgb color[] = {0x000000, 0xffffff};
    for (int i = 0; i < 2; i++) {
        double w = floor(wide[i] * s), g = grip[i] * s;
        ss_draw_color(p, color[i], i ? 1 : 0.6);
        ss_pen_rect(p->pen, x - floor(w / 2), r.y, w, r.h);
        ss_pen_fill(p->pen);
        ss_pen_ellipse(p->pen, x, y, g, g);
        ss_pen_fill(p->pen);
    }
}

static void draw_over(const ss_painter *p, ss_px r, const ss_image *im)
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
    if (im->has_wipe)
        draw_wipe(p, r, im);
    if (im->has_probe)
        draw_probe(p, r, im);
}

/* Draws each dot apart from the others: the space-time diagram. */
static void draw_gaps(const ss_painter *p, ss_px r, const ss_image *im)
{
    double line = ss_draw_thin(p->d, 1);
    ss_draw_role(p, SS_C_PANEL, 1);
    bool room = r.w >= 4 * im->w && r.h >= 4 * im->h;
    for (int i = 1; i <= im->w && room; i++) {
        int edge = r.x + i * r.w / im->w;
        ss_pen_rect(p->pen, edge - line, r.y, line, r.h);
    }
    for (int i = 1; i <= im->h && room; i++) {
        int edge = r.y + i * r.h / im->h;
        ss_pen_rect(p->pen, r.x, edge - line, r.w, line);
    }
    ss_pen_fill(p->pen);
}

bool ss_draw_shows(const ss_image *im)
{
    return im->w > 0 && im->h > 0 && (im->cell || im->owner);
}

void ss_draw_image(const ss_painter *p, const ss_item *item)
{
    const ss_image *im = item->image;
    ss_px r = ss_draw_px(p->d, item->rect);
    ss_levels_of of;
    ss_pen_image picture;
    if (!ss_draw_shows(im))
        return;
    ss_draw_picture(p, item, &of, &picture);
    ss_pen_save(p->pen);
    ss_pen_rect(p->pen, r.x, r.y, r.w, r.h);
    ss_pen_clip(p->pen);
    ss_pen_image_draw(p->pen, &picture);
    if (im->blocks)
        draw_gaps(p, r, im);
    draw_over(p, r, im);
    ss_pen_restore(p->pen);
}

/* --- the colour bar --------------------------------------------------------------------------- */

static void bar_colors(const ss_painter *p, const ss_colormap *map, double x, double y, double w,
                       double h, bool vertical)
{
    enum { STOPS = 33 };
    uint32_t color[STOPS];
    ss_xy from = {vertical ? 0 : x, vertical ? y + h : 0},
          to = {vertical ? 0 : x + w, vertical ? y : 0};
    for (int i = 0; i < STOPS; i++)
        color[i] = map->color[i * (SS_MAP_SIZE - 1) / (STOPS - 1)];
    ss_pen_ramp(p->pen, from, to, color, STOPS);
    ss_draw_box(p, x, y, w, h);
}

/* Whole numbers: a part of equal size and one colour for each. */
static void bar_swatches(const ss_painter *p, const ss_image *im, double x, double y, double w,
                         double h, bool vertical)
{
    int n = im->steps;
    for (int i = 0; i < n; i++) {
        double from = i / (double)n, to = (i + 1) / (double)n, length = vertical ? h : w;
        double a = floor(from * length + 0.5), b = floor(to * length + 0.5);
        ss_draw_color(p, im->map->color[n > 1 ? i * (SS_MAP_SIZE - 1) / (n - 1) : 0], 1);
        if (vertical)
            ss_pen_rect(p->pen, x, y + h - b, w, b - a);
        else
            ss_pen_rect(p->pen, x + a, y, b - a, h);
        ss_pen_fill(p->pen);
    }
}

static void bar_ramp(const ss_painter *p, const ss_image *im, double x, double y, double w,
                     double h, bool vertical)
{
    if (im->steps)
        bar_swatches(p, im, x, y, w, h, vertical);
    else
        bar_colors(p, im->map, x, y, w, h, vertical);
}

static void bar_upright(const ss_painter *p, const ss_item *item, ss_px r)
{
    double s = p->d->scale, wide = floor(12 * s), last = -1e9;
    const ss_plot_axis *a = item->bar.axis;
    double x = r.x + wide + 7 * s, room = r.w - wide - 7 * s;
    double low = r.y + r.h - 6 * s, high = r.y + 6 * s;
    bar_ramp(p, item->bar.image, r.x + 2 * s, r.y, wide, r.h, true);
    ss_draw_role(p, SS_C_DIM, 1);
    if (!a->log && !item->bar.image->steps) { /* the ends are not ticks: they show the range */
        ss_draw_text(p, x, low, room, SS_FIGURE | SS_SMALL, ss_axis_text(a, a->lo));
        ss_draw_text(p, x, high, room, SS_FIGURE | SS_SMALL, ss_axis_text(a, a->hi));
        low -= 16 * s, high += 16 * s;
    }
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = &a->tick[i];
        double f = ss_axis_at(a, t->at), y = r.y + (1 - f) * r.h;
        if (!(f > -0.01 && f < 1.01) || fabs(y - last) < 16 * s)
            continue;
        if (!a->log && !item->bar.image->steps && (y < high || y > low))
            continue;
        last = y;
        double mid = y < high ? high : y > low ? low : y;
        ss_draw_text(p, x, mid, room, SS_FIGURE | SS_SMALL, t->label);
    }
}

static void bar_flat(const ss_painter *p, const ss_item *item, ss_px r)
{
    const ss_plot_axis *a = item->bar.axis;
    double s = p->d->scale, high = floor(10 * s), until = r.x - 1e3, y = r.y + p->d->ch / 2.0;
    bool words = r.h >= 2 * p->d->ch;
    double end = r.x + r.w;
    bar_ramp(p, item->bar.image, r.x, floor(y - high / 2), r.w, high, false);
    y += 0.8 * p->d->ch;
    ss_draw_role(p, SS_C_DIM, 1);
    if (!a->log && !item->bar.image->steps && words) {
        const char *lo = ss_axis_text(a, a->lo), *hi = ss_axis_text(a, a->hi);
        until = r.x + ss_draw_text(p, r.x, y, r.w, SS_FIGURE | SS_SMALL, lo) + 8 * s;
        end -= ss_draw_text(p, end, y, r.w, SS_FIGURE | SS_SMALL | SS_RIGHT, hi) + 8 * s;
    }
    for (int i = 0; i < a->ntick && words; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double f = ss_axis_at(a, t->at), w = ss_draw_width(p, SS_FIGURE | SS_SMALL, t->label);
        double x = r.x + f * r.w - w / 2;
        if (!(f > -0.01 && f < 1.01))
            continue;
        x = a->log && x + w > end ? end - w : a->log && x < r.x ? r.x : x;
        if (x > until && x + w <= end)
            until = x + ss_draw_text(p, x, y, w + 1, SS_FIGURE | SS_SMALL, t->label) + 6 * s;
    }
}

void ss_draw_bar(const ss_painter *p, const ss_item *item)
{
    ss_px r = ss_draw_px(p->d, item->rect);
    if (item->bar.image->map)
        (item->bar.vertical ? bar_upright : bar_flat)(p, item, r);
}
