/* Counts in a staleness cone: see cone.h. */
#include "src/snapshot/cone.h"

float ss_cone_at(const ss_cone *c, int s, int x)
{
    return c->cell[(size_t)s * (size_t)c->n + (size_t)(x - c->first)];
}

int ss_cone_depth(const ss_cone *c, int s, int side)
{
    int depth = 0, points = c->span.hi - c->span.lo;
    while (depth < points &&
           ss_cone_at(c, s, side == 0 ? c->span.lo + depth : c->span.hi - 1 - depth) > 0)
        depth++;
    return depth;
}

int ss_cone_kept(const ss_cone *c, int s)
{
    int n = 0;
    for (int x = c->span.wlo; x < c->span.whi; x++)
        n += ss_cone_at(c, s, x) > 0;
    return n;
}
