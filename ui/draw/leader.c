/* A line from a box of words to the place that it explains, in pixels. See draw.h. */
#include <stdio.h>

#include "ui/draw/draw.h"

/* The pixel of a place: in a chart its data have pixels of their own. */
static ss_xy pixel_of(const ss_places *d, ss_xy at)
{
    for (int i = 0; i < d->nspot; i++) {
        const ss_spot *s = &d->spot[i];
        if (ss_rect_has(s->cells, at.x, at.y))
            return (ss_xy){s->x + (at.x - s->cells.x) / s->cells.w * s->w,
                           s->y + (at.y - s->cells.y) / s->cells.h * s->h};
    }
    return (ss_xy){at.x * d->cw, at.y * d->ch};
}

/* In a filled circle. */
static void draw_number(const ss_painter *p, const ss_item *item, ss_xy to)
{
    char text[16];
    snprintf(text, sizeof text, "%d", item->leader.number);
    ss_pen_arc(p->pen, to.x, to.y, 8 * p->d->scale, 0, 7);
    ss_draw_role(p, item->role, 1);
    ss_pen_fill_keep(p->pen);
    ss_draw_role(p, SS_C_PANEL, 1);
    ss_pen_width(p->pen, p->d->scale);
    ss_pen_stroke(p->pen);
    ss_draw_text(p, to.x, to.y, 1e3, SS_BOLD | SS_SMALL | SS_CENTRE, text);
}

void ss_draw_leader(const ss_painter *p, const ss_item *item)
{
    double s = p->d->scale;
    ss_xy from = {item->leader.from.x * p->d->cw, item->leader.from.y * p->d->ch};
    ss_xy to = pixel_of(p->d, item->leader.to);
    if (item->leader.number > 0) {
        draw_number(p, item, to);
        return;
    }
    ss_pen_move(p->pen, from.x, from.y);
    ss_pen_line(p->pen, to.x, to.y);
    ss_pen_width(p->pen, 1.5 * s);
    ss_draw_role(p, item->role, 1);
    ss_pen_stroke(p->pen);
    ss_pen_arc(p->pen, to.x, to.y, 4 * s, 0, 7);
    ss_pen_fill(p->pen);
}
