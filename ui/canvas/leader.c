/* A line from a box of words to the place that it explains, in pixels. See parts.h. */
#include <stdio.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

/* The pixel of a place: in a chart its data have pixels of their own. */
static ss_xy pixel_of(const ss_drawing *d, ss_xy at)
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
static void draw_number(const ss_pen *p, const ss_item *item, ss_xy to)
{
    char text[16];
    snprintf(text, sizeof text, "%d", item->leader.number);
    cairo_arc(p->cr, to.x, to.y, 8 * p->d->scale, 0, 7);
    ss_draw_role(p, item->role, 1);
    cairo_fill_preserve(p->cr);
    ss_draw_role(p, SS_C_PANEL, 1);
    cairo_set_line_width(p->cr, p->d->scale);
    cairo_stroke(p->cr);
    ss_draw_text(p, to.x, to.y, 1e3, SS_BOLD | SS_SMALL | SS_CENTRE, text);
}

void ss_draw_leader(const ss_pen *p, const ss_item *item)
{
    double s = p->d->scale;
    ss_xy from = {item->leader.from.x * p->d->cw, item->leader.from.y * p->d->ch};
    ss_xy to = pixel_of(p->d, item->leader.to);
    if (item->leader.number > 0) {
        draw_number(p, item, to);
        return;
    }
    cairo_move_to(p->cr, from.x, from.y);
    cairo_line_to(p->cr, to.x, to.y);
    cairo_set_line_width(p->cr, 1.5 * s);
    ss_draw_role(p, item->role, 1);
    cairo_stroke(p->cr);
    cairo_arc(p->cr, to.x, to.y, 4 * s, 0, 7);
    cairo_fill(p->cr);
}
