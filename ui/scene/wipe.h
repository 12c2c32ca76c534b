/* Two pictures in one, left and right of a line, and the difference of both. Pure functions, any
 * thread; ui/panels/wipe.c draws the result. Cells are rows of w, NaN: nothing to show. */
#ifndef SS_SCENE_WIPE_H
#define SS_SCENE_WIPE_H

#include <stddef.h>

/* The columns of w that are left of the line; at: its place, a part of the width in [0, 1]. */
int ss_wipe_columns(int w, double at);
/* Cells left of the line are those of `left`, the others those of `right`, unchanged. */
void ss_wipe_cells(const float *left, const float *right, int w, int h, double at, float *out);
/* out = right - left. Returns the largest magnitude; 0: all that are not NaN are zero. */
double ss_wipe_difference(const float *left, const float *right, size_t n, float *out);
/* Fewer cells: each has the value of the largest magnitude of its box. w1 <= w, h1 <= h; `out` may
 * be `cell`. */
void ss_wipe_reduce(const float *cell, int w, int h, int w1, int h1, float *out);
/* The end of a scale for differences up to `most`: 1, 2 or 5 times a power of ten. It grows at
 * once, and falls when less than a tenth of it is in use. before: 0: none. */
double ss_wipe_scale(double before, double most);

#endif
