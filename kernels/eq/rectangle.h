/*
 * The domain of steady equations in 2D: a rectangle of width 1 with u = 0 along its edge. Its rows
 * and its shape. Constant and pure; any thread.
 */
#ifndef SS_EQ_RECTANGLE_H
#define SS_EQ_RECTANGLE_H

#include "kernels/eq/rows.h"

/* n, ny: the parameters of ss_square_shape. N is the default. */
#define SS_ROWS_SQUARE(N)                                                                          \
    {SS_ROW_AXIS("n", N, 1, 1 << 30), .unit = "points",                                            \
     .help = "interior points in x; the spacing is 1/(n+1)"},                                      \
    {                                                                                              \
        SS_ROW_POINTS("ny", N, 1, 1 << 30),                                                        \
            .unit = "points", .follows = "n",                                                      \
            .help = "interior points in y; as many as in x unless given"                           \
    }
/* n, ny, aspect: the parameters of ss_rectangle_shape. */
#define SS_ROWS_RECTANGLE                                                                          \
    SS_ROWS_SQUARE(1024),                                                                          \
    {                                                                                              \
        SS_ROW_REAL("aspect", "Problem", 1, 1e-3, 1e3),                                            \
            .flags = SS_P_REOPEN | SS_P_LOG,                                                       \
            .help = "height of the domain: the spacing in y is aspect/(ny+1)"                      \
    }

void ss_square_shape(const ss_config *cfg, ss_problem *out);
void ss_rectangle_shape(const ss_config *cfg, ss_problem *out);

/* Members of ss_equation: one field, nearest neighbours, a steady solution. */
#define SS_PLANE_MEMBERS                                                                           \
    .dim = 2, .nfield = 1, .nstage = 1, .radius = 1, .kind = SS_STEADY, .bc = SS_BC_DIRICHLET,     \
    .origin = 1
#define SS_SQUARE SS_PLANE_MEMBERS, .shape = ss_square_shape
#define SS_RECTANGLE SS_PLANE_MEMBERS, .shape = ss_rectangle_shape

#endif
