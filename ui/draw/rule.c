/* What the mouse points at: lines, dots and a value over a chart, a picture or a colour bar. See
 * draw.h. */
#include "ui/draw/draw.h"

#include <math.h>

enum { POINTER = 26 }; /* pixels from the tip of the pointer */

/* --- what there is to draw -------------------------------------------------------------------- */

/* A part of a rule: what to draw in a rectangle of pixels. */
typedef enum part_kind { P_ZONE, P_LINE, P_CROSS, P_DOT, P_TICK, P_TEXT } part_kind;

typedef struct part {
    part_kind kind;
    ss_px px;
    double x, y;
    ss_theme_role role;
    const char *text;
} part;

typedef void take_part(const ss_painter *p, const part *what, void *ctx);

static ss_px around(double x0, double y0, double x1, double y1)
{
    int x = (int)floor(x0), y = (int)floor(y0);
    return (ss_px){x, y, (int)ceil(x1) - x, (int)ceil(y1) - y};
}

static bool frame_of(const ss_painter *p, const ss_rule *rule, ss_pen_box *out)
{
    const ss_item *on = &p->scene->item[rule->on];
    if (on->kind == SS_I_CHART)
        return ss_draw_chart_data(p, on, out);
    ss_px r = ss_draw_px(p->d, on->rect);
    *out = (ss_pen_box){r.x, r.y, r.w, r.h};
    return true;
}

/* A mark across the colours of a bar. */
static void tick(const ss_painter *p, const ss_rule *rule, take_part *take, void *ctx)
{
    const ss_item *on = &p->scene->item[rule->on];
    ss_px r = ss_draw_px(p->d, on->rect);
    double s = p->d->scale, thick = ss_draw_thin(p->d, 2), at = rule->x;
    part t = {.kind = P_TICK, .role = SS_C_TEXT};
    if (!(at >= 0 && at <= 1))
        return;
    if (on->bar.vertical)
        t.px = around(r.x, floor(r.y + (1 - at) * (r.h - thick)), r.x + floor(16 * s),
                      floor(r.y + (1 - at) * (r.h - thick)) + thick);
    else
        t.px = around(floor(r.x + at * (r.w - thick)), r.y + p->d->ch / 2.0 - floor(8 * s),
                      floor(r.x + at * (r.w - thick)) + thick, r.y + p->d->ch / 2.0 + floor(8 * s));
    take(p, &t, ctx);
}

/* Beside the vertical line, at its right where there is room. */
static void words(const ss_painter *p, const ss_rule *rule, const ss_pen_box *f, take_part *take,
                  void *ctx)
{
    double s = p->d->scale, gap = 8 * s, w = ss_draw_width(p, SS_SMALL, rule->text);
    double x = f->x + (isnan(rule->x) ? 0.5 : fmin(fmax(rule->x, 0), 1)) * f->w;
    double y = f->y + fmin(fmax(rule->text_y, 0), 1) * f->h;
    if (rule->clear)
        y += y - POINTER * s > f->y + 10 * s ? -POINTER * s : POINTER * s;
    y = fmin(fmax(y, f->y + 10 * s), f->y + f->h - 10 * s);
    double left = x + 2 * gap + w <= f->x + f->w ? x + gap : x - gap - w, least = f->x + 6 * s;
    if (left < least) { /* across the line: away from the mouse */
        left = fmax(fmin(least, f->x + f->w - w - 6 * s), f->x - 30 * s);
        y += rule->clear ? 0 : y - POINTER * s > f->y ? -POINTER * s : POINTER * s;
    }
    part t = {.kind = P_TEXT, .x = floor(left), .y = floor(y), .text = rule->text};
    t.px = around(t.x - 6 * s, t.y - 10 * s, t.x + w + 7 * s, t.y + 11 * s);
    take(p, &t, ctx);
}

static void lines(const ss_painter *p, const ss_rule *rule, const ss_pen_box *f, take_part *take,
                  void *ctx)
{
    bool picture = p->scene->item[rule->on].kind == SS_I_IMAGE;
    double line = ss_draw_thin(p->d, 1) * (picture ? 2 : 1), x = f->x + rule->x * f->w,
           y = f->y + rule->y * f->h;
    part t = {.kind = picture ? P_CROSS : P_LINE, .role = SS_C_TEXT};
    x = floor(x - line / 2 + 0.5), y = floor(y - line / 2 + 0.5);
    if (rule->x >= 0 && rule->x <= 1) {
        t.px = around(x, f->y, x + line, f->y + f->h);
        take(p, &t, ctx);
    }
    if (rule->y >= 0 && rule->y <= 1) {
        t.px = around(f->x, y, f->x + f->w, y + line);
        take(p, &t, ctx);
    }
}

/* Is a place inside the frame, or on its edge? A value may lie anywhere, also at infinity: 0 on a
 * logarithmic axis. */
static bool is_in(double at)
{
    return at >= -0.01 && at <= 1.01;
}

static void parts_of(const ss_painter *p, const ss_rule *rule, take_part *take, void *ctx)
{
    ss_pen_box f;
    double s = p->d->scale;
    if (p->scene->item[rule->on].kind == SS_I_BAR) {
        tick(p, rule, take, ctx);
        return;
    }
    if (!frame_of(p, rule, &f))
        return;
    if (rule->has_zone) {
        part t = {.kind = P_ZONE, .role = SS_C_ACCENT};
        t.px = around(f.x + rule->zone.x0 * f.w, f.y + rule->zone.y0 * f.h,
                      f.x + rule->zone.x1 * f.w, f.y + rule->zone.y1 * f.h);
        take(p, &t, ctx);
    }
    lines(p, rule, &f, take, ctx);
    for (int i = 0; i < rule->ndot; i++) {
        part t = {.kind = P_DOT, .role = rule->dot[i].role};
        if (!is_in(rule->dot[i].x) || !is_in(rule->dot[i].y))
            continue;
        t.x = f.x + rule->dot[i].x * f.w, t.y = f.y + rule->dot[i].y * f.h;
        t.px = around(t.x - 6 * s, t.y - 6 * s, t.x + 7 * s, t.y + 7 * s);
        take(p, &t, ctx);
    }
    if (rule->text && *rule->text)
        words(p, rule, &f, take, ctx);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void draw_zone(const ss_painter *p, const part *t)
{
    double line = ss_draw_thin(p->d, 1);
    ss_draw_role(p, t->role, 0.18);
    ss_draw_box(p, t->px.x, t->px.y, t->px.w, t->px.h);
    ss_draw_role(p, t->role, 1);
    ss_draw_box(p, t->px.x, t->px.y, line, t->px.h);
    ss_draw_box(p, t->px.x + t->px.w - line, t->px.y, line, t->px.h);
}

static void draw_line(const ss_painter *p, const part *t)
{
    ss_draw_role(p, t->role, 0.45);
    ss_draw_box(p, t->px.x, t->px.y, t->px.w, t->px.h);
}

/* A disc with a ring of the ground's colour, so that it shows on its own curve. */
static void draw_dot(const ss_painter *p, const part *t)
{
    static const double radius[] = {5.5, 4};
    for (int i = 0; i < 2; i++) {
        ss_draw_role(p, i ? t->role : SS_C_PANEL, 1);
        ss_pen_arc(p->pen, floor(t->x) + 0.5, floor(t->y) + 0.5, radius[i] * p->d->scale, 0, 7);
        ss_pen_fill(p->pen);
    }
}

/* Light beside dark: visible on every colour. */
static void draw_pair(const ss_painter *p, const part *t, double alpha)
{
    bool flat = t->px.h < t->px.w;
    double w = flat ? t->px.w : t->px.w / 2, h = flat ? t->px.h / 2 : t->px.h;
    for (int i = 0; i < 2; i++) {
        ss_draw_color(p, i ? 0xffffff : 0x000000, alpha);
        ss_draw_box(p, t->px.x + (flat ? 0 : i * w), t->px.y + (flat ? i * h : 0), w, h);
    }
}

static void draw_tick(const ss_painter *p, const part *t)
{
    draw_pair(p, t, 1);
}

static void draw_cross(const ss_painter *p, const part *t)
{
    draw_pair(p, t, 0.5);
}

static void draw_words(const ss_painter *p, const part *t)
{
    double s = p->d->scale, line = ss_draw_thin(p->d, 1);
    ss_draw_rounded(p, t->px.x + line / 2, t->px.y + line / 2, t->px.w - line, t->px.h - line,
                    4 * s);
    ss_draw_role(p, SS_C_PANEL, 0.94);
    ss_pen_fill_keep(p->pen);
    ss_draw_role(p, SS_C_LINE, 1);
    ss_pen_width(p->pen, line);
    ss_pen_stroke(p->pen);
    ss_draw_role(p, SS_C_TEXT, 1);
    ss_draw_text(p, t->x, t->y, 1e4, SS_SMALL, t->text);
}

static void draw_part(const ss_painter *p, const part *t, void *ctx)
{
    static void (*const draw[])(const ss_painter *, const part *) = {
        [P_ZONE] = draw_zone, [P_CROSS] = draw_cross, [P_LINE] = draw_line,
        [P_DOT] = draw_dot,   [P_TICK] = draw_tick,   [P_TEXT] = draw_words};
    (void)ctx;
    draw[t->kind](p, t);
}

void ss_draw_rule(const ss_painter *p, const ss_item *item)
{
    parts_of(p, item->rule, draw_part, NULL);
}

/* --- where it is drawn ------------------------------------------------------------------------ */

typedef struct taker {
    void (*take)(const ss_painter *p, ss_px part, void *ctx);
    void *ctx;
} taker;

static void give_part(const ss_painter *p, const part *t, void *ctx)
{
    const taker *to = ctx;
    to->take(p, t->px, to->ctx);
}

void ss_draw_rule_parts(const ss_painter *p, const ss_item *item,
                        void (*take)(const ss_painter *p, ss_px part, void *ctx), void *ctx)
{
    taker to = {take, ctx};
    parts_of(p, item->rule, give_part, &to);
}
