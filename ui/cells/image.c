/* Pictures as cells: half blocks (two dots per cell) or a ramp of characters, blended with the
 * block grid, and the colour bar. See cells.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/cells/cells.h"
#include "ui/scene/text.h"

#define DOTS_MAX 1024
enum { UPPER_HALF = 0x2580 };

static const char ramp[] = " .:-=+*#%@";

/* The colouring of one image, computed once per image. */
typedef struct shader {
    const ss_image *image;
    int w, h; /* dots */
    int levels;
    double scale, shift; /* t = scale * (log) value + shift */
    ss_rgb level[SS_MAP_SIZE], nothing, line, hatch, ground, accent;
    unsigned char grid_x[DOTS_MAX], grid_y[DOTS_MAX];
    int block[4], kept[4]; /* x0 y0 x1 y1, in dots, inclusive */
    int probe_x, probe_y;
    int wipe;                                /* column of the line; -1: none */
    double ring_x, ring_y, ring_rx, ring_ry; /* the brush, in dots; radius 0: none */
} shader;

static int to_dot(double f, int n)
{
    double d = f * n;
    return d < -1e6 ? -1000000 : d > 1e6 ? 1000000 : (int)floor(d + 1e-9);
}

static void box_dots(const ss_box2 *b, int w, int h, int out[4])
{
    out[0] = to_dot(b->x0, w), out[1] = to_dot(b->y0, h);
    out[2] = to_dot(b->x1, w) - 1, out[3] = to_dot(b->y1, h) - 1;
    out[2] = out[2] < out[0] ? out[0] : out[2];
    out[3] = out[3] < out[1] ? out[1] : out[3];
}

enum { NO_LINE, BLOCK_LINE, PATCH_LINE };

static void mark_lines(const double *at, int n, unsigned char *dots, int size, unsigned char line)
{
    for (int i = 0; i < n; i++) {
        int d = to_dot(at[i], size);
        if (d > 0 && d < size && d < DOTS_MAX)
            dots[d] = line;
    }
}

/* Step i of n of a colour map, as well as the device can show it. */
static ss_rgb level_color(const ss_canvas *c, const ss_colormap *map, int i, int n)
{
    return c->how->indexed && map->nindexed ? map->indexed[i * map->nindexed / n]
                                            : map->color[i * (SS_MAP_SIZE - 1) / (n - 1)];
}

static void shader_make(shader *s, const ss_canvas *c, const ss_image *im, int w, int h)
{
    const ss_theme *t = c->scene->theme;
    const ss_range *r = &im->range;
    double lo = im->log ? log(r->lo) : r->lo, hi = im->log ? log(r->hi) : r->hi;
    s->image = im, s->w = w, s->h = h;
    s->levels = c->how->levels < 2             ? 2
                : c->how->levels > SS_MAP_SIZE ? SS_MAP_SIZE
                                               : c->how->levels;
    s->scale = hi > lo ? 1 / (hi - lo) : 0;
    s->shift = hi > lo ? -lo * s->scale : 0.5;
    for (int i = 0; im->map && i < s->levels; i++)
        s->level[i] = level_color(c, im->map, i, s->levels);
    s->nothing = t->color[SS_C_PANEL];
    s->line = t->color[SS_C_TEXT];
    s->hatch = t->color[SS_C_LINE];
    s->ground = t->color[SS_C_GROUND];
    s->accent = t->color[im->frame];
    memset(s->grid_x, NO_LINE, DOTS_MAX);
    memset(s->grid_y, NO_LINE, DOTS_MAX);
    mark_lines(im->grid_x, im->ngrid_x, s->grid_x, w, BLOCK_LINE);
    mark_lines(im->grid_y, im->ngrid_y, s->grid_y, h, BLOCK_LINE);
    mark_lines(im->patch_x, im->npatch_x, s->grid_x, w, PATCH_LINE);
    mark_lines(im->patch_y, im->npatch_y, s->grid_y, h, PATCH_LINE);
    box_dots(&im->block, w, h, s->block);
    box_dots(&im->kept, w, h, s->kept);
    s->probe_x = im->has_probe ? to_dot(im->probe_x, w) : -1;
    s->probe_y = im->has_probe ? to_dot(im->probe_y, h) : -1;
    s->wipe = im->has_wipe ? to_dot(im->wipe, w) : -1;
    s->wipe = s->wipe < w ? s->wipe : w - 1;
    s->ring_x = im->probe_x * w, s->ring_rx = im->has_brush ? im->brush_rx * w : 0;
    s->ring_y = im->probe_y * h, s->ring_ry = im->has_brush ? im->brush_ry * h : 0;
}

static bool on_box(const int b[4], int x, int y)
{
    if (x < b[0] || x > b[2] || y < b[1] || y > b[3])
        return false;
    return x == b[0] || x == b[2] || y == b[1] || y == b[3];
}

/* Within half a dot of the ellipse; an ellipse below one dot is not drawn. */
static bool on_ring(const shader *s, int x, int y)
{
    double thin = fmin(s->ring_rx, s->ring_ry);
    double dx = fabs(x + 0.5 - s->ring_x), dy = fabs(y + 0.5 - s->ring_y);
    if (thin < 1 || dx > s->ring_rx + 1 || dy > s->ring_ry + 1)
        return false;
    double away = sqrt(dx * dx / (s->ring_rx * s->ring_rx) + dy * dy / (s->ring_ry * s->ring_ry));
    return fabs(away - 1) * thin <= 0.5;
}

/* Position on the map in [0, 1]; NaN: nothing to show. */
static double dot_value(const shader *s, int x, int y)
{
    const ss_image *im = s->image;
    int px = x * im->w / s->w, py = y * im->h / s->h;
    double v = (double)im->cell[(size_t)py * (size_t)im->w + (size_t)px];
    if (im->log)
        v = v > 0 ? log(v) : v == 0 ? (double)-INFINITY : (double)NAN;
    double t = s->scale == 0 && v == v ? 0.5 : v * s->scale + s->shift;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* A dot of the hatch where nothing is known; it moves with its row. */
static bool is_hatch(const shader *s, int x, int y)
{
    const ss_image *im = s->image;
    return im->unseen && im->unseen[y * im->h / s->h] &&
           ((uint64_t)(x + y) + 4 * (uint64_t)s->h - im->row0 % 4 * (uint64_t)(s->h / im->h)) % 4 ==
               0;
}

static ss_rgb dot_color(const shader *s, int x, int y)
{
    const ss_image *im = s->image;
    ss_rgb color = is_hatch(s, x, y) ? s->hatch : s->nothing;
    if (im->owner) {
        int px = x * im->w / s->w, py = y * im->h / s->h;
        uint8_t owner = im->owner[(size_t)py * (size_t)im->w + (size_t)px];
        bool nobody = !im->palette && owner == UINT8_MAX;
        color = im->palette ? im->palette[owner] : nobody ? color : ss_owner_color(owner);
    } else {
        double t = dot_value(s, x, y);
        if (t == t)
            color = s->level[(int)(t * (s->levels - 1) + 0.5)];
    }
    if (s->grid_x[x] == PATCH_LINE || s->grid_y[y] == PATCH_LINE)
        color = ss_rgb_mix(color, s->ground, 0.65);
    else if (s->grid_x[x] || s->grid_y[y])
        color = ss_rgb_mix(color, s->ground, 0.25);
    if (im->has_block && on_box(s->kept, x, y))
        color = ss_rgb_mix(color, s->accent, 0.45);
    if (im->has_block && on_box(s->block, x, y))
        color = s->accent;
    if (x == s->wipe || (x == s->probe_x && y == s->probe_y) || on_ring(s, x, y))
        color = s->line;
    return color;
}

static void paint_halves(const ss_canvas *c, const shader *s, ss_rect r)
{
    for (int y = 0; y < r.h; y++)
        for (int x = 0; x < r.w && x < DOTS_MAX; x++) {
            ss_term_cell *cell = ss_canvas_cell(c, r.x + x, r.y + y);
            *cell = (ss_term_cell){UPPER_HALF, dot_color(s, x, 2 * y), dot_color(s, x, 2 * y + 1),
                                   0, 0};
        }
}

static char owner_char(const ss_image *im, int x, int y)
{
    uint8_t owner = im->owner[(size_t)y * (size_t)im->w + (size_t)x];
    if (!im->letters && owner == UINT8_MAX)
        return ' ';
    return im->letters ? im->letters[owner] : "#.+:*-o="[owner & 7];
}

static void paint_ramp(const ss_canvas *c, const shader *s, ss_rect r)
{
    bool light = ss_rgb_lightness(c->scene->theme->color[SS_C_GROUND]) > 50 && !c->how->mono;
    for (int y = 0; y < r.h; y++)
        for (int x = 0; x < r.w && x < DOTS_MAX; x++) {
            char ch = '0';
            if (s->image->owner) {
                ch = owner_char(s->image, x * s->image->w / r.w, y * s->image->h / r.h);
            } else {
                double t = dot_value(s, x, y);
                t = s->image->map && s->image->map->falls ? 1 - t : t;
                int i = t == t ? (int)(t * 9 + 0.5) : 0;
                ch = is_hatch(s, x, y) ? '/' : t == t ? ramp[light ? 9 - i : i] : ' ';
            }
            bool frame = s->image->has_block && on_box(s->block, x, y);
            bool here = x == s->probe_x && y == s->probe_y;
            bool ring = on_ring(s, x, y), line = x == s->wipe;
            ss_canvas_put(c, r.x + x, r.y + y,
                          here   ? 'X'
                          : line ? '|'
                          : ring ? 'o'
                                 : (unsigned char)ch,
                          frame || here || line || ring ? SS_C_ACCENT : SS_C_TEXT);
            if (frame && c->how->mono)
                ss_canvas_cell(c, r.x + x, r.y + y)->attr |= SS_REVERSE;
        }
}

void ss_paint_image(const ss_canvas *c, const ss_item *item)
{
    static shader s; /* static because it is large; main thread only */
    const ss_image *im = item->image;
    bool halves = c->how->glyphs->field_y == 2 && !c->how->ramp;
    if (im->w <= 0 || im->h <= 0 || (!im->cell && !im->owner) || item->rect.w <= 0)
        return;
    shader_make(&s, c, im, item->rect.w, item->rect.h * (halves ? 2 : 1));
    if (s.h > DOTS_MAX)
        return;
    (halves ? paint_halves : paint_ramp)(c, &s, item->rect);
}

/* --- the colour bar --------------------------------------------------------------------------- */

/* The position on the map at part f of the bar: of whole numbers, each has an equal part. */
static double bar_at(const ss_image *im, double f)
{
    if (im->steps < 2)
        return f;
    int i = (int)(f * im->steps);
    return (i < im->steps ? i : im->steps - 1) / (double)(im->steps - 1);
}

static void bar_cell(const ss_canvas *c, const ss_image *im, int x, int y, double upper,
                     double lower)
{
    int n = c->how->levels - 1;
    upper = bar_at(im, upper), lower = bar_at(im, lower);
    ss_term_cell *cell = ss_canvas_cell(c, x, y);
    if (c->how->ramp) {
        double t = im->map->falls ? 1 - 0.5 * (upper + lower) : 0.5 * (upper + lower);
        ss_canvas_put(c, x, y, (uint32_t)ramp[(int)(t * 9 + 0.5)], SS_C_TEXT);
        return;
    }
    int top = (int)(upper * n + 0.5), low = (int)(lower * n + 0.5);
    bool split = c->how->glyphs->field_y == 2;
    *cell = (ss_term_cell){split ? UPPER_HALF : ' ', level_color(c, im->map, top, n + 1),
                           level_color(c, im->map, low, n + 1), 0, 0};
}

/* The end of a narrow bar: as many digits as fit. */
static void bar_end(const ss_canvas *c, int x, int y, int w, const ss_plot_axis *a, double v)
{
    const char *text = ss_axis_text(a, v);
    for (int digits = 2; digits > 0 && ss_text_width(text) > w; digits--)
        text = ss_text("%.*g", digits, v);
    if (ss_text_width(text) > w) /* 0.0007 is longer than 7e-4 */
        text = ss_tick_text(atof(ss_text("%.0e", v)), true);
    ss_canvas_text(c, x, y, w, SS_C_DIM, 0, text);
}

static void bar_upright(const ss_canvas *c, const ss_item *item)
{
    ss_rect r = item->rect;
    const ss_plot_axis *a = item->bar.axis;
    int last = -9, top = r.y, end = r.y + r.h;
    double n = 2.0 * r.h;
    for (int y = 0; y < r.h; y++)
        for (int x = 0; x < 2; x++)
            bar_cell(c, item->bar.image, r.x + x, r.y + y, 1 - (2 * y + 0.5) / n,
                     1 - (2 * y + 1.5) / n);
    if (!a->log && !item->bar.image->steps) { /* the ends are not ticks: they show the range */
        bar_end(c, r.x + 3, top, r.w - 3, a, a->hi);
        bar_end(c, r.x + 3, end - 1, r.w - 3, a, a->lo);
        top += 2, end -= 2;
    }
    for (int i = a->ntick - 1; i >= 0; i--) {
        const ss_tick *t = ss_axis_tick(a, i);
        double f = ss_axis_at(a, t->at);
        int y = (int)floor((1 - f) * (r.h - 1) + 0.5);
        if (f < -0.01 || f > 1.01 || y - last < 2 || r.y + y < top || r.y + y >= end)
            continue;
        last = y;
        ss_canvas_text(c, r.x + 3, r.y + y, r.w - 3, SS_C_DIM, 0, t->label);
    }
}

static void bar_flat(const ss_canvas *c, const ss_item *item)
{
    ss_rect r = item->rect;
    int until = r.x - 1, end = r.x + r.w;
    for (int x = 0; x < r.w; x++)
        bar_cell(c, item->bar.image, r.x + x, r.y, (x + 0.5) / r.w, (x + 0.5) / r.w);
    if (!item->bar.axis->log && !item->bar.image->steps &&
        r.h > 1) { /* the ends are not ticks: they show the range */
        const char *lo = ss_axis_text(item->bar.axis, item->bar.axis->lo);
        const char *hi = ss_axis_text(item->bar.axis, item->bar.axis->hi);
        until = r.x + ss_canvas_text(c, r.x, r.y + 1, r.w, SS_C_DIM, 0, lo) + 1;
        end -= (int)strlen(hi) + 2;
        ss_canvas_text(c, end + 2, r.y + 1, r.w, SS_C_DIM, 0, hi);
    }
    for (int i = 0; i < item->bar.axis->ntick && r.h > 1; i++) {
        const ss_tick *t = ss_axis_tick(item->bar.axis, i);
        double f = ss_axis_at(item->bar.axis, t->at);
        if (!(f >= -0.01 && f <= 1.01)) /* also NaN: an axis of one value */
            continue;
        int n = (int)strlen(t->label), x = r.x + (int)floor(f * (r.w - 1) + 0.5) - n / 2;
        if (item->bar.axis->log)
            x = x + n > end ? end - n : x < r.x ? r.x : x;
        if (x > until && x + n <= end)
            until = x + ss_canvas_text(c, x, r.y + 1, n, SS_C_DIM, 0, t->label);
    }
}

void ss_paint_bar(const ss_canvas *c, const ss_item *item)
{
    if (item->rect.w > 0 && item->rect.h > 0)
        (item->bar.vertical ? bar_upright : bar_flat)(c, item);
}
