/* What the mouse points at: lines, dots and a value over a chart, a picture or a colour bar. They
 * are drawn last, over pixels that are saved and put back before the next paint: when only the
 * mouse moves, no chart and no picture is painted again. See parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

enum { PIECES = 160, POINTER = 26 }; /* pieces; pixels from the tip of the pointer */

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

ss_rules *ss_rules_new(void)
{
    return calloc(1, sizeof(ss_rules));
}

void ss_rules_free(ss_rules *r)
{
    if (r)
        free(r->pixel);
    free(r);
}

void ss_rules_forget(ss_rules *r)
{
    r->n = 0;
    r->used = 0;
}

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

typedef void take_part(const ss_pen *p, const part *what, void *ctx);

static ss_px around(double x0, double y0, double x1, double y1)
{
    int x = (int)floor(x0), y = (int)floor(y0);
    return (ss_px){x, y, (int)ceil(x1) - x, (int)ceil(y1) - y};
}

static bool frame_of(const ss_pen *p, const ss_rule *rule, ss_area *out)
{
    const ss_item *on = &p->scene->item[rule->on];
    if (on->kind == SS_I_CHART)
        return ss_draw_chart_data(p, on, out);
    ss_px r = ss_draw_px(p->d, on->rect);
    *out = (ss_area){r.x, r.y, r.w, r.h};
    return true;
}

/* A mark across the colours of a bar. */
static void tick(const ss_pen *p, const ss_rule *rule, take_part *take, void *ctx)
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
static void words(const ss_pen *p, const ss_rule *rule, const ss_area *f, take_part *take,
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

static void lines(const ss_pen *p, const ss_rule *rule, const ss_area *f, take_part *take,
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

static void parts_of(const ss_pen *p, const ss_rule *rule, take_part *take, void *ctx)
{
    ss_area f;
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

static void draw_zone(const ss_pen *p, const part *t)
{
    double line = ss_draw_thin(p->d, 1);
    ss_draw_role(p, t->role, 0.18);
    ss_draw_box(p, t->px.x, t->px.y, t->px.w, t->px.h);
    ss_draw_role(p, t->role, 1);
    ss_draw_box(p, t->px.x, t->px.y, line, t->px.h);
    ss_draw_box(p, t->px.x + t->px.w - line, t->px.y, line, t->px.h);
}

static void draw_line(const ss_pen *p, const part *t)
{
    ss_draw_role(p, t->role, 0.45);
    ss_draw_box(p, t->px.x, t->px.y, t->px.w, t->px.h);
}

/* A disc with a ring of the ground's colour, so that it shows on its own curve. */
static void draw_dot(const ss_pen *p, const part *t)
{
    static const double radius[] = {5.5, 4};
    for (int i = 0; i < 2; i++) {
        ss_draw_role(p, i ? t->role : SS_C_PANEL, 1);
        cairo_new_sub_path(p->cr);
        cairo_arc(p->cr, floor(t->x) + 0.5, floor(t->y) + 0.5, radius[i] * p->d->scale, 0, 7);
        cairo_fill(p->cr);
    }
}

/* Light beside dark: visible on every colour. */
static void draw_pair(const ss_pen *p, const part *t, double alpha)
{
    bool flat = t->px.h < t->px.w;
    double w = flat ? t->px.w : t->px.w / 2, h = flat ? t->px.h / 2 : t->px.h;
    for (int i = 0; i < 2; i++) {
        ss_draw_color(p, i ? 0xffffff : 0x000000, alpha);
        ss_draw_box(p, t->px.x + (flat ? 0 : i * w), t->px.y + (flat ? i * h : 0), w, h);
    }
}

static void draw_tick(const ss_pen *p, const part *t)
{
    draw_pair(p, t, 1);
}

static void draw_cross(const ss_pen *p, const part *t)
{
    draw_pair(p, t, 0.5);
}

static void draw_words(const ss_pen *p, const part *t)
{
    double s = p->d->scale, line = ss_draw_thin(p->d, 1);
    ss_draw_rounded(p, t->px.x + line / 2, t->px.y + line / 2, t->px.w - line, t->px.h - line,
                    4 * s);
    ss_draw_role(p, SS_C_PANEL, 0.94);
    cairo_fill_preserve(p->cr);
    ss_draw_role(p, SS_C_LINE, 1);
    cairo_set_line_width(p->cr, line);
    cairo_stroke(p->cr);
    ss_draw_role(p, SS_C_TEXT, 1);
    ss_draw_text(p, t->x, t->y, 1e4, SS_SMALL, t->text);
}

static void draw_part(const ss_pen *p, const part *t, void *ctx)
{
    static void (*const draw[])(const ss_pen *, const part *) = {
        [P_ZONE] = draw_zone, [P_CROSS] = draw_cross, [P_LINE] = draw_line,
        [P_DOT] = draw_dot,   [P_TICK] = draw_tick,   [P_TEXT] = draw_words};
    (void)ctx;
    draw[t->kind](p, t);
}

void ss_draw_rule(const ss_pen *p, const ss_item *item)
{
    parts_of(p, item->rule, draw_part, NULL);
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

static void save_part(const ss_pen *p, const part *t, void *ctx)
{
    const target *at = ctx;
    ss_rules *all = p->d->rules;
    ss_px r = t->px;
    r.x += p->d->ox, r.y += p->d->oy;
    r = inside(r, at->to);
    size_t need = (size_t)r.w * (size_t)r.h;
    if (need == 0 || all->n == PIECES || !has_room(all, need))
        return;
    all->piece[all->n++] = (piece){r, all->used};
    for (int y = 0; y < r.h; y++, all->used += (size_t)r.w)
        memcpy(all->pixel + all->used, pixel_at(at->to, r.x, r.y + y), (size_t)r.w * 4);
}

void ss_rules_lift(ss_drawing *d, const ss_pixels *to)
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

void ss_rules_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_px *changed)
{
    ss_rules *all = d->rules;
    target at = {d, to};
    report(d, changed);
    ss_rules_forget(all);
    all->w = to->w, all->h = to->h;
    if (!has_rule(scene))
        return;
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data(to->data, CAIRO_FORMAT_RGB24, to->w, to->h, to->stride);
    ss_pen p = {cairo_create(surface), d, scene};
    for (int i = 0; i < scene->nitem; i++)
        if (scene->item[i].kind == SS_I_RULE)
            parts_of(&p, scene->item[i].rule, save_part, &at);
    cairo_translate(p.cr, d->ox, d->oy);
    for (int i = 0; i < scene->nitem; i++)
        if (scene->item[i].kind == SS_I_RULE)
            parts_of(&p, scene->item[i].rule, draw_part, NULL);
    cairo_destroy(p.cr);
    cairo_surface_destroy(surface);
    report(d, changed);
}
