/*
 * The grids and the order of visits of a multigrid cycle: kernels/solver/multigrid.c describes it,
 * the backends execute it. Pure functions; any thread.
 */
#ifndef SS_SOLVER_MULTIGRID_H
#define SS_SOLVER_MULTIGRID_H

#include "src/core/solver.h"
#include "kernels/solver/schedules.h"

enum { SS_MG_LEVELS_MAX = 31, SS_MG_NSHAPE = 3 };

#define SS_MG_LIVE (SS_P_LIVE | SS_P_CONTROL)
#define SS_MG_SMOOTHER(CHOICES, HELP)                                                              \
    SS_ROW_CHOICE("smoother", "Method", CHOICES, HELP),                                            \
        .key = "a", .flags = SS_MG_LIVE,                                                           \
        .help = "the method that damps the rough part of the error"
#define SS_MG_OMEGA(USUAL, TEXT)                                                                   \
    SS_ROW_REAL("omega", "Method", 1, 0.05, 2),                                                    \
        .symbol = "\xcf\x89", .key = "w", .step = 0.05, .flags = SS_MG_LIVE, .usual = USUAL,       \
        .def_text = TEXT, .help = "relaxation factor of the smoother"

/* Lines and planes: rows of the engine ops of every backend, and the choices of `smoother`. */
#define SS_MG_PLANE_ROWS                                                                           \
    {SS_MG_SMOOTHER(ss_mg_smoothers, ss_mg_smoother_help)},                                        \
    {                                                                                              \
        SS_MG_OMEGA(ss_mg_omega, "0.8, 1 for red-black")                                           \
    }
enum { SS_MG_JACOBI, SS_MG_RED_BLACK, SS_MG_NSMOOTHER };
extern const char *const ss_mg_smoothers[], *const ss_mg_smoother_help[];
double ss_mg_omega(const ss_config *cfg);
int64_t ss_mg_nearest_points(int64_t n); /* of the form 2^m - 1 */

/* Patches: the same, with the rows of the block smoothers. */
#define SS_MG_BLOCK_CELLS(NAME)                                                                    \
    SS_ROW_INT(NAME, "Method", 8, 1, 128), .unit = "cells", .range = ss_mg_block_range,            \
                                           .flags = SS_MG_LIVE | SS_P_LOG | SS_P_POW2 | SS_P_FITS
#define SS_MG_PATCH_ROWS                                                                           \
    {SS_MG_SMOOTHER(ss_mg_block_smoothers, ss_mg_block_smoother_help)},                            \
        {SS_MG_OMEGA(ss_mg_block_omega, "0.8 for block-jacobi, 0.9 for block-gs")},                \
        {SS_ROW_INT("coarsest", "Method", 8, 1, 1000),                                             \
         .unit = "sweeps",                                                                         \
         .flags = SS_MG_LIVE | SS_P_LOG,                                                           \
         .usual = ss_mg_block_coarsest,                                                            \
         .def_text = "8 times the square of the blocks across",                                    \
         .help = "smoothing sweeps on the coarsest grid"},                                         \
        {SS_MG_BLOCK_CELLS("bx"), .help = "cells of a block in x; at most half a patch"},          \
        {SS_MG_BLOCK_CELLS("by"), .follows = "bx", .help = "the same in y; as in x unless given"}, \
        {SS_MG_BLOCK_CELLS("bz"), .follows = "bx", .help = "the same in z; as in x unless given"}, \
        {SS_ROW_CHOICE("inverse", "Method", ss_block_inverses, ss_block_inverse_help),             \
         .flags = SS_MG_LIVE, .help = "how the exact inverse of a block is applied"},              \
    {                                                                                              \
        SS_BLOCK_ORDER, .shown = ss_mg_block_ordered                                               \
    }
extern const char *const ss_mg_block_smoothers[], *const ss_mg_block_smoother_help[];
double ss_mg_block_omega(const ss_config *cfg);
double ss_mg_block_coarsest(const ss_config *cfg);
bool ss_mg_block_ordered(const ss_config *cfg);
void ss_mg_block_range(const ss_config *cfg, double *lo, double *hi, const char **why);

typedef struct ss_mg_plan {
    int levels;    /* 0 is the finest grid */
    bool solves;   /* the coarsest grid is one point or one line, and is solved exactly */
    int shape;     /* index of ss_mg_shapes */
    int pre, post; /* smoothing sweeps on each grid, before and after its correction */
    int coarsest;  /* on the coarsest grid, unless it is solved */
    int smoother;  /* index of the choices */
    double omega;  /* of the smoother */
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
/* Sweeps on a grid in one visit. */
int ss_mg_sweeps(const ss_mg_plan *plan, int level);
/* How often a cycle visits a grid. */
double ss_mg_visits(const ss_mg_plan *plan, int level);
/* Sweeps and solutions of coarsest grids in a cycle, which the microscope shows one by one. */
int64_t ss_mg_ticks(const ss_mg_plan *plan);

/* Patches: the config of one smoothing sweep on grid `level`: the smoother is its solver, and its
 * patches are 2^level times smaller. */
void ss_mg_patch_config(const ss_config *cfg, int level, ss_config *out);

#endif
