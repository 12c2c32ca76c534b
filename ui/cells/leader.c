/* A line from a box of words to the place that it explains, as cells: across, then up or down. See
 * grid.h. */
#include <math.h>

#include "ui/cells/grid.h"

enum { DOT = 0x25cf };

static int column(double x)
{
    return (int)floor(x);
}

void ss_paint_leader(const ss_canvas *c, const ss_item *item)
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
