/*
 * The coarsest grid of multigrid on lines and planes: one line of points, or several that nothing
 * couples, solved by elimination. Engine thread; called by multigrid.c.
 */
#ifndef SS_CPU_MULTIGRID_LINE_H
#define SS_CPU_MULTIGRID_LINE_H

#include "src/core/run.h"

typedef struct ss_mg_line {
    int n, lines;         /* points of a line, number of lines */
    ptrdiff_t step, next; /* elements between points, between lines */
    double west, east;    /* what a point's Jacobi value takes of the points before and after it */
    double *pivot;        /* n values */
} ss_mg_line;

/* The lines of a grid of nx * ny points with rows sy elements apart and these coefficients. Free
 * with ss_mg_line_free, which also accepts zeros. */
int ss_mg_line_make(ss_mg_line *out, const ss_run *run, const ss_coef *coef, int nx, int ny,
                    ptrdiff_t sy, ss_err *err);
void ss_mg_line_free(ss_mg_line *line);
/* Solves u_k - west u_(k-1) - east u_(k+1) = g_k. g and u: the addresses of the first point. */
void ss_mg_line_solve(const ss_mg_line *line, ss_prec prec, const void *g, void *u);

#endif
