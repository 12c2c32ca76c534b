/* Places for call-outs: see callouts.h. */
#include "ui/scene/callouts.h"

#include <math.h>

enum { CLEAR = 1, LEAST = 2 }; /* cells around points and boxes; to the box's own point */

static bool overlap(ss_rect a, ss_rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static ss_rect grown(ss_rect r, int by)
{
    return (ss_rect){r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by};
}

/* Rows count twice: a cell is twice as high as wide. */
static double distance(ss_rect r, ss_xy at)
{
    double dx = fmax(fmax(r.x - at.x, at.x - (r.x + r.w)), 0);
    double dy = fmax(fmax(r.y - at.y, at.y - (r.y + r.h)), 0);
    return hypot(dx, 2 * dy);
}

static bool is_free(const ss_callout *c, int n, int i, ss_rect box)
{
    for (int k = 0; k < n; k++) {
        if (ss_rect_has(grown(box, CLEAR), c[k].at.x, c[k].at.y))
            return false;
        if (k < i && c[k].box.w && overlap(grown(box, CLEAR), c[k].box))
            return false;
    }
    return distance(box, c[i].at) >= LEAST;
}

/* The nearest free place in a room. */
static bool place_in(ss_callout *c, int n, int i, ss_rect room)
{
    double best = INFINITY;
    for (int y = room.y; y + c[i].h <= room.y + room.h; y++)
        for (int x = room.x; x + c[i].w <= room.x + room.w; x++) {
            ss_rect box = {x, y, c[i].w, c[i].h};
            double far = distance(box, c[i].at);
            if (far >= best || !is_free(c, n, i, box))
                continue;
            best = far;
            c[i].box = box;
        }
    return isfinite(best);
}

void ss_callouts_place(ss_callout *c, int n, ss_rect screen)
{
    for (int i = 0; i < n; i++)
        c[i].box = (ss_rect){0, 0, 0, 0};
    for (int i = 0; i < n; i++)
        if (!place_in(c, n, i, ss_rect_inset(c[i].panel, 1, 1)))
            place_in(c, n, i, screen);
}

static double nearest(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

ss_xy ss_callout_start(const ss_callout *c)
{
    return (ss_xy){nearest(c->at.x, c->box.x + 1, c->box.x + c->box.w - 1),
                   nearest(c->at.y, c->box.y + 0.5, c->box.y + c->box.h - 0.5)};
}
