/*
 * The grids and the order of visits of a multigrid cycle: kernels/solver/multigrid.c describes it,
 * the backends execute it. Pure functions; any thread.
 */
#ifndef SS_SOLVER_MULTIGRID_H
#define SS_SOLVER_MULTIGRID_H

#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SS_MG_LEVELS_MAX = 31, SS_MG_NSHAPE = 3 };

typedef enum ss_mg_smoother { SS_MG_JACOBI, SS_MG_RED_BLACK, SS_MG_NSMOOTHER } ss_mg_smoother;

typedef struct ss_mg_plan {
    int levels;    /* 0 is the finest grid */
    bool solves;   /* the coarsest grid is one point or one line, and is solved exactly */
    int shape;     /* index of ss_mg_shapes */
    int pre, post; /* smoothing sweeps on each grid, before and after its correction */
    ss_mg_smoother smoother;
    double omega; /* of the smoother */
} ss_mg_plan;

/* A visit of a grid is followed by these visits of the next coarser one, and their own shapes: V is
 * {V}, W is {W, W}, F is {F, V}. -1: no more. */
typedef struct ss_mg_shape {
    int next[2];
} ss_mg_shape;

extern const ss_mg_shape ss_mg_shapes[SS_MG_NSHAPE];

ss_mg_plan ss_mg_plan_of(const ss_config *cfg, const ss_problem *p);
/* The problem on grid `level`: sizes and spacing; the rest is that of p. */
ss_problem ss_mg_level(const ss_problem *p, int level);
/* How often a cycle visits a grid. */
double ss_mg_visits(const ss_mg_plan *plan, int level);
/* Sweeps and solutions of coarsest grids in a cycle, which the microscope shows one by one. */
int64_t ss_mg_ticks(const ss_mg_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
