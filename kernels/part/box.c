/* Boxes of points: see inner.h. Pure. */
#include "kernels/part/inner.h"

ss_part_box ss_box_meet(ss_part_box a, ss_part_box b)
{
    return (ss_part_box){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                         a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

bool ss_box_empty(ss_part_box a)
{
    return a.x0 >= a.x1 || a.y0 >= a.y1;
}

ss_part_box ss_box_grow(ss_part_box a, int x, int y)
{
    return (ss_part_box){a.x0 - x, a.y0 - y, a.x1 + x, a.y1 + y};
}

ss_part_box ss_box_hull(ss_part_box a, ss_part_box b)
{
    if (ss_box_empty(a))
        return b;
    if (ss_box_empty(b))
        return a;
    return (ss_part_box){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                         a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

int ss_box_frame(ss_part_box outer, ss_part_box inner, ss_part_box out[4])
{
    int n = 0;
    if (ss_box_empty(inner)) {
        out[n] = outer;
        return !ss_box_empty(outer);
    }
    const ss_part_box sides[4] = {{outer.x0, outer.y0, outer.x1, inner.y0},
                                  {outer.x0, inner.y0, inner.x0, inner.y1},
                                  {inner.x1, inner.y0, outer.x1, inner.y1},
                                  {outer.x0, inner.y1, outer.x1, outer.y1}};
    for (int i = 0; i < 4; i++)
        if (!ss_box_empty(sides[i]))
            out[n++] = sides[i];
    return n;
}

ss_part_box ss_box_domain(const ss_problem *p)
{
    return (ss_part_box){0, 0, p->nx, p->ny};
}
