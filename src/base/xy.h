/* A point: of a curve in the units of its axes, or in pixels. Any thread. */
#ifndef SS_XY_H
#define SS_XY_H

typedef struct ss_xy {
    double x, y;
} ss_xy;

#endif
