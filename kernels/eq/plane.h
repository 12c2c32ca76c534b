/*
 * The domain of steady equations in 2D: a rectangle of width 1 with u = 0 along its edge. Its rows
 * and its shape. Constant and pure; any thread.
 */
#ifndef SS_EQ_PLANE_H
#define SS_EQ_PLANE_H

#include "kernels/eq/rows.h"

/* n, ny, aspect: the parameters of ss_plane_shape. */
#define SS_ROWS_PLANE                                                                              \
    {SS_ROW_POINTS("n", 1024, 1, 1 << 30), .unit = "points",                                       \
     .help = "interior points in x; the spacing is 1/(n+1)"},                                      \
        {SS_ROW_POINTS("ny", 1024, 1, 1 << 30), .unit = "points", .follows = "n",                  \
         .help = "interior points in y; as many as in x unless given"},                            \
    {                                                                                              \
        SS_ROW_REAL("aspect", "Problem", 1, 1e-3, 1e3),                                            \
            .flags = SS_P_REOPEN | SS_P_LOG,                                                       \
            .help = "height of the domain: the spacing in y is aspect/(ny+1)"                      \
    }

/* Members of ss_equation: one field, nearest neighbours, a steady solution. */
void ss_plane_shape(const ss_config *cfg, ss_problem *out);
#define SS_PLANE                                                                                   \
    .dim = 2, .nfield = 1, .nstage = 1, .radius = 1, .kind = SS_STEADY, .bc = SS_BC_DIRICHLET,     \
    .origin = 1, .shape = ss_plane_shape

#endif
