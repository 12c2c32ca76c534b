/* What the mouse points at: lines, dots and a value over a chart, a picture or a colour bar. They
 * are drawn last, over pixels that are saved and put back before the next paint: when only the
 * mouse moves, no chart and no picture is painted again. See parts.h. */
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

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
