/* What the mouse points at, as cells: lines, dots and a value over a chart, a picture or a colour
 * bar. Painted last. See grid.h. */
#include <math.h>

#include "ui/cells/grid.h"
#include "ui/scene/place.h"

/* The cells of the item, and its lines; outside of it: -1. */
typedef struct lines {
    const ss_canvas *c;
    const ss_item *on;
    ss_rect r;
    int x, y;
} lines;

static bool is_inside(double part)
{
    return part >= 0 && part <= 1;
}

static int cell_of(double part, int size)
{
    int i = (int)floor(part * size);
    return i < size ? i : size - 1;
}

static int column(const lines *l, double part)
{
    return l->on->kind == SS_I_CHART ? ss_chart_column(l->on->chart, l->r, part)
                                     : l->r.x + cell_of(part, l->r.w);
}

static int row(const lines *l, double part)
{
    return l->on->kind == SS_I_CHART ? ss_chart_row(l->r, part) : l->r.y + cell_of(part, l->r.h);
}

/* Darker on a light colour, lighter on a dark one. */
static ss_rgb against(ss_rgb color)
{
    return ss_rgb_mix(color, ss_rgb_lightness(color) > 60 ? 0x000000 : 0xffffff, 0.4);
}

/* A line over a cell: curves and words stay. */
static void touch(const lines *l, int x, int y, uint32_t ch)
{
    ss_term_cell *cell = ss_canvas_cell(l->c, x, y);
    bool picture = l->on->kind == SS_I_IMAGE && !l->c->how->ramp;
    if (picture) {
        cell->fg = against(cell->fg);
        cell->bg = against(cell->bg);
    } else if (l->on->kind == SS_I_IMAGE || cell->ch == ' ' ||
               cell->ch == l->c->how->glyphs->grid) {
        ss_canvas_put(l->c, x, y, ch, SS_C_TEXT);
    }
}

static void paint_zone(const lines *l, const ss_box2 *z)
{
    const ss_theme *t = l->c->scene->theme;
    int x1 = column(l, z->x1), y1 = row(l, z->y1);
    for (int y = row(l, z->y0); y <= y1; y++)
        for (int x = column(l, z->x0); x <= x1; x++) {
            ss_term_cell *cell = ss_canvas_cell(l->c, x, y);
            cell->bg = ss_rgb_mix(cell->bg, t->color[SS_C_ACCENT], 0.3);
            cell->attr |= l->c->how->mono ? SS_REVERSE : 0;
        }
}

static void paint_lines(const lines *l)
{
    bool ascii = l->c->how->glyphs->ascii;
    for (int y = l->r.y; l->x >= 0 && y < l->r.y + l->r.h; y++)
        touch(l, l->x, y, ascii ? '|' : 0x2502);
    for (int x = l->r.x; l->y >= 0 && x < l->r.x + l->r.w; x++)
        if (x != l->x)
            touch(l, x, l->y, ascii ? '-' : 0x2500);
}

/* At the right of the line where there is room. */
static void paint_words(const lines *l, const ss_rule *rule)
{
    int w = ss_text_width(rule->text), end = l->r.x + l->r.w;
    int at = l->x >= 0 ? l->x : l->r.x, y = row(l, fmin(fmax(rule->text_y, 0), 1));
    int x = at + 2 + w < end ? at + 2 : at - w - 1;
    x = x < l->r.x ? l->r.x : x;
    w = x + w > end ? end - x : w;
    for (int i = -1; i <= w; i++)
        if (x + i >= l->r.x && x + i < end && x + i != l->x) {
            ss_canvas_put(l->c, x + i, y, ' ', SS_C_TEXT);
            ss_canvas_cell(l->c, x + i, y)->bg = l->c->scene->theme->color[SS_C_PANEL];
        }
    ss_canvas_text(l->c, x, y, w, SS_C_TEXT, 0, rule->text);
}

/* A mark on the colours of a bar. */
static void paint_tick(const ss_canvas *c, const ss_item *on, double at)
{
    bool upright = on->bar.vertical;
    ss_rect r = on->rect;
    int x = upright ? r.x : r.x + cell_of(at, r.w), y = upright ? r.y + cell_of(1 - at, r.h) : r.y;
    if (!is_inside(at))
        return;
    for (int i = 0; i < (upright ? 2 : 1); i++) {
        ss_term_cell *cell = ss_canvas_cell(c, x + i, y);
        bool light = ss_rgb_lightness(cell->bg) > 50;
        cell->ch = upright ? (c->how->glyphs->ascii ? '-' : 0x2501)
                           : (c->how->glyphs->ascii ? '|' : 0x2503);
        cell->fg = light ? 0x000000 : 0xffffff;
        cell->attr = SS_BOLD;
    }
}

void ss_paint_rule(const ss_canvas *c, const ss_item *item)
{
    const ss_rule *rule = item->rule;
    const ss_item *on = &c->scene->item[rule->on];
    lines l = {c, on, on->rect, -1, -1};
    if (on->kind == SS_I_BAR) {
        paint_tick(c, on, rule->x);
        return;
    }
    if (on->kind == SS_I_CHART)
        l.r = ss_chart_data(on->chart, on->rect);
    l.x = is_inside(rule->x) ? column(&l, rule->x) : -1;
    l.y = is_inside(rule->y) ? row(&l, rule->y) : -1;
    if (rule->has_zone)
        paint_zone(&l, &rule->zone);
    paint_lines(&l);
    for (int i = 0; i < rule->ndot; i++)
        if (is_inside(rule->dot[i].x) && is_inside(rule->dot[i].y))
            ss_canvas_put(c, column(&l, rule->dot[i].x), row(&l, rule->dot[i].y),
                          c->how->glyphs->ascii ? 'O' : 0x25cf, rule->dot[i].role);
    if (rule->text && *rule->text)
        paint_words(&l, rule);
}
