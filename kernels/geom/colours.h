/*
 * The two colours of a checkerboard of points. Each point's neighbours have the other colour, so
 * that an iteration is two halves: half 0 updates the red points, half 1 the black ones. Points
 * (i, j), counted from 0, with i + j even are red; on a line, where rows are copies, odd i.
 */
#ifndef SS_GEOM_COLOURS_H
#define SS_GEOM_COLOURS_H

#include "src/base/common.h"

/* A row begins at point (i, j): does half `half` update that point, 0, or only the next, 1? */
SS_INLINE int ss_colour_first(bool plane, int i, int j, int half)
{
    return (i + (plane ? j : 1) + half) & 1;
}

#endif
