/* The table of painters, and the simple ones. A line from a box of words to the place that it
 * explains: across, then up or down. The timeline: its curve in eighths of a cell, above it the
 * kept states and changes. What the mouse points at: lines, dots and a value over a chart, a
 * picture or a colour bar, painted last. See cells.h. */
#include <math.h>

#include "ui/cells/cells.h"
#include "ui/scene/place.h"

/* --- a line to what is explained -------------------------------------------------------------- */

enum { DOT = 0x25cf };

static int column(double x)
{
    return (int)floor(x);
}

static void paint_leader(const ss_canvas *c, const ss_item *item)
{
    const uint32_t *box = c->how->glyphs->box;
    if (item->leader.number > 0) {
        ss_canvas_put(c, column(item->leader.to.x), column(item->leader.to.y),
                      (uint32_t)('0' + item->leader.number), item->role);
        ss_canvas_cell(c, column(item->leader.to.x), column(item->leader.to.y))->attr |=
            SS_REVERSE | SS_BOLD;
        return;
    }
    int x0 = column(item->leader.from.x), y0 = column(item->leader.from.y);
    int x1 = column(item->leader.to.x), y1 = column(item->leader.to.y);
    for (int y = y0; y != y1; y += y < y1 ? 1 : -1)
        ss_canvas_put(c, x0, y, box[1], item->role);
    bool right = x1 > x0, down = y1 > y0;
    for (int x = x0; x != x1; x += right ? 1 : -1)
        ss_canvas_put(c, x, y1, box[0], item->role);
    if (x0 != x1 && y0 != y1)
        ss_canvas_put(c, x0, y1, box[right ? (down ? 4 : 2) : down ? 5 : 3], item->role);
    ss_canvas_put(c, x1, y1, c->how->glyphs->ascii ? 'o' : DOT, item->role);
}

/* --- the timeline ----------------------------------------------------------------------------- */

enum { KEPT = 0x2575, FLAG = 0x25be, HERE = 0x25bc };

static int column_of(ss_rect r, double at)
{
    int x = (int)floor(at * r.w);
    return r.x + (x < r.w ? x : r.w - 1);
}

/* The curve as columns; a column without a point of its own continues the last height. */
static void paint_curve(const ss_canvas *c, ss_rect r, const ss_series *s)
{
    int eighths = 8 * (r.h - 1), at = 0;
    double high = 0;
    if (s->n < 1)
        return;
    for (int x = column_of(r, s->at[0].x); x <= column_of(r, s->at[s->n - 1].x); x++) {
        for (; at < s->n && column_of(r, s->at[at].x) <= x; at++)
            high = s->at[at].y;
        int left = 1 + (int)(high * (eighths - 1) + 0.5);
        for (int y = r.y + r.h - 1; y > r.y && left > 0; y--, left -= 8)
            ss_canvas_put(c, x, y, c->how->glyphs->bar[left < 8 ? left : 8], s->role);
    }
}

/* Does the marker of the present position stand in [x, x + w)? */
static bool is_crossed(ss_rect r, const ss_timeline *s, int x, int w)
{
    int here = s->here >= 0 ? column_of(r, s->here) : -1;
    return here >= x && here < x + w;
}

/* A triangle, and the text right of it, up to the next one, or left of it, from column `from` on,
 * if the marker of the present position would cross it on the right. Returns the column after the
 * text. */
static int paint_flag(const ss_canvas *c, ss_rect r, const ss_timeline *s, int i, int from)
{
    int x = column_of(r, s->flag[i].x), w = ss_text_width(s->flag[i].text);
    int end = i + 1 < s->nflag ? column_of(r, s->flag[i + 1].x) : r.x + r.w;
    bool right = w < end - x - 1 && !is_crossed(r, s, x + 1, w);
    bool left = x - w > from && !is_crossed(r, s, x - w, w);
    ss_canvas_put(c, x, r.y, c->how->glyphs->ascii ? 'v' : FLAG, SS_C_SERIES2);
    if (!right && !left)
        return x + 1;
    ss_canvas_text(c, right ? x + 1 : x - w, r.y, w, SS_C_DIM, 0, s->flag[i].text);
    return right ? x + 1 + w : x + 1;
}

static void paint_flags(const ss_canvas *c, ss_rect r, const ss_timeline *s)
{
    int from = r.x;
    for (int i = 0; i < s->nflag; i++)
        from = paint_flag(c, r, s, i, from);
}

static void paint_span(const ss_canvas *c, ss_rect r, const ss_timeline *s)
{
    if (!(s->span[0] >= 0 && s->span[1] >= 0))
        return;
    int x0 = column_of(r, fmin(s->span[0], s->span[1])),
        x1 = column_of(r, fmax(s->span[0], s->span[1]));
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = x0; x <= x1; x++)
            ss_canvas_cell(c, x, y)->attr |= SS_REVERSE;
}

static void paint_strip(const ss_canvas *c, const ss_item *item)
{
    const ss_timeline *s = item->strip;
    ss_rect r = item->rect;
    bool ascii = c->how->glyphs->ascii;
    for (int i = 0; i < s->ncurve; i++)
        paint_curve(c, r, &s->curve[i]);
    for (int i = 0; i < s->nkept; i++)
        if (s->kept[i] >= 0)
            ss_canvas_put(c, column_of(r, s->kept[i]), r.y, ascii ? '\'' : KEPT, SS_C_FAINT);
    paint_flags(c, r, s);
    if (s->here >= 0)
        ss_canvas_put(c, column_of(r, s->here), r.y, ascii ? 'V' : HERE, item->role);
    paint_span(c, r, s);
}

/* --- what the mouse points at ----------------------------------------------------------------- */

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

static int rule_column(const lines *l, double part)
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
    int x1 = rule_column(l, z->x1), y1 = row(l, z->y1);
    for (int y = row(l, z->y0); y <= y1; y++)
        for (int x = rule_column(l, z->x0); x <= x1; x++) {
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

/* What the mouse points at. */
static void paint_rule(const ss_canvas *c, const ss_item *item)
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
    l.x = is_inside(rule->x) ? rule_column(&l, rule->x) : -1;
    l.y = is_inside(rule->y) ? row(&l, rule->y) : -1;
    if (rule->has_zone)
        paint_zone(&l, &rule->zone);
    paint_lines(&l);
    for (int i = 0; i < rule->ndot; i++)
        if (is_inside(rule->dot[i].x) && is_inside(rule->dot[i].y))
            ss_canvas_put(c, rule_column(&l, rule->dot[i].x), row(&l, rule->dot[i].y),
                          c->how->glyphs->ascii ? 'O' : 0x25cf, rule->dot[i].role);
    if (rule->text && *rule->text)
        paint_words(&l, rule);
}

/* --- the painters: one function a kind -------------------------------------------------------- */

static void paint_fill(const ss_canvas *c, const ss_item *item)
{
    const ss_theme *t = c->scene->theme;
    for (int y = item->rect.y; y < item->rect.y + item->rect.h; y++)
        for (int x = item->rect.x; x < item->rect.x + item->rect.w; x++)
            *ss_canvas_cell(c, x, y) =
                (ss_term_cell){' ', t->color[SS_C_TEXT], t->color[item->role], 0, 0};
}

static void paint_frame(const ss_canvas *c, const ss_item *item)
{
    const uint32_t *box = c->how->glyphs->box;
    ss_rect r = item->rect;
    int right = r.x + r.w - 1, bottom = r.y + r.h - 1;
    if (item->role == SS_C_PANEL) /* an outline that nobody shall see */
        return;
    for (int x = r.x + 1; x < right; x++) {
        ss_canvas_put(c, x, r.y, box[0], item->role);
        ss_canvas_put(c, x, bottom, box[0], item->role);
    }
    for (int y = r.y + 1; y < bottom; y++) {
        ss_canvas_put(c, r.x, y, box[1], item->role);
        ss_canvas_put(c, right, y, box[1], item->role);
    }
    ss_canvas_put(c, r.x, r.y, box[2], item->role);
    ss_canvas_put(c, right, r.y, box[3], item->role);
    ss_canvas_put(c, r.x, bottom, box[4], item->role);
    ss_canvas_put(c, right, bottom, box[5], item->role);
    if (*item->text) {
        ss_canvas_put(c, r.x + 1, r.y, ' ', SS_C_TEXT);
        int n = ss_canvas_text(c, r.x + 2, r.y, r.w - 4, SS_C_TEXT, SS_BOLD, item->text);
        ss_canvas_put(c, r.x + 2 + n, r.y, ' ', SS_C_TEXT);
    }
}

static void paint_text(const ss_canvas *c, const ss_item *item)
{
    ss_canvas_text(c, item->rect.x, item->rect.y, item->rect.w, item->role, item->style,
                   item->text);
}

static void paint_slider(const ss_canvas *c, const ss_item *item)
{
    const uint32_t *glyph = c->how->glyphs->slider;
    int w = item->rect.w, knob = (int)(item->slider.at * (w - 1) + 0.5);
    double limit = item->slider.limit, mark = item->slider.mark;
    for (int x = 0; x < w; x++) {
        int kind = x < knob ? 0 : x == knob ? 1 : 2;
        ss_theme_role role = x == knob ? SS_C_TEXT : x < knob ? item->role : SS_C_LINE;
        if (x > limit * (w - 1) && x != knob)
            kind = 4, role = SS_C_ERROR;
        if (x == lround(mark * (w - 1)) && mark >= 0 && x != knob)
            kind = 3, role = SS_C_SERIES2;
        ss_canvas_put(c, item->rect.x + x, item->rect.y, glyph[kind], role);
    }
}

/* Boxes of characters stand out as they are. */
static void paint_nothing(const ss_canvas *c, const ss_item *item)
{
    (void)c, (void)item;
}

static void (*const painters[SS_NITEM])(const ss_canvas *, const ss_item *) = {
    [SS_I_FILL] = paint_fill,      [SS_I_FRAME] = paint_frame,  [SS_I_TEXT] = paint_text,
    [SS_I_IMAGE] = ss_paint_image, [SS_I_BAR] = ss_paint_bar,   [SS_I_CHART] = ss_paint_chart,
    [SS_I_SLIDER] = paint_slider,  [SS_I_EDGE] = ss_paint_edge, [SS_I_SAMPLE] = ss_paint_sample,
    [SS_I_LEADER] = paint_leader,  [SS_I_STRIP] = paint_strip,  [SS_I_VEIL] = paint_nothing,
    [SS_I_RULE] = paint_rule,
};

/* Something that was painted over half of a wide character leaves nothing of it. */
static void drop_halves(ss_term_cells *c)
{
    bool wide = false; /* the cell before */
    for (int i = 0; c->wide && i < c->cols * c->rows; i++) {
        ss_term_cell *cell = &c->cell[i];
        bool begins = i % c->cols == 0, ends = i % c->cols == c->cols - 1;
        if (cell->ch == SS_CELL_TAIL && (begins || !wide))
            cell->ch = ' ';
        wide = ss_char_width(cell->ch) == 2;
        if (wide && (ends || cell[1].ch != SS_CELL_TAIL))
            cell->ch = ' ', wide = false;
    }
}

void ss_cells_paint(ss_term_cells *c, const ss_scene *scene, const ss_paint *how)
{
    ss_canvas canvas = {c, scene, how};
    ss_item ground = {.kind = SS_I_FILL, .rect = {0, 0, c->cols, c->rows}, .role = SS_C_GROUND};
    paint_fill(&canvas, &ground);
    c->wide = false;
    for (int i = 0; i < scene->nitem; i++)
        painters[scene->item[i].kind](&canvas, &scene->item[i]);
    drop_halves(c);
}
