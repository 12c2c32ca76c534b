/* Every equation, solver, backend and step function, from the matrix on one screen. See tables.h.
 */
#include "src/app/tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/bench/driver.h"
#include "src/core/registry.h"
#include "src/tune/tuner.h"

/* The matrix is included once for each table, with the macros of all other rows empty. */
#define SS_EQUATION(e) extern const ss_equation ss_eq_##e;
#define SS_SOLVER(s) extern const ss_solver ss_solver_##s;
#define SS_BACKEND(b) extern const ss_backend ss_backend_##b;
#define SS_RUNS(e, s, b, ops) extern const ss_engine_ops ops;
#define SS_HOLE(e, s, b, reason)
#define SS_NEVER(s, b, reason)
#include "kernels/matrix.def"
#undef SS_EQUATION
#undef SS_SOLVER
#undef SS_BACKEND
#undef SS_RUNS
#undef SS_HOLE
#undef SS_NEVER

#define SS_SOLVER(s)
#define SS_BACKEND(b)
#define SS_RUNS(e, s, b, ops)
#define SS_HOLE(e, s, b, reason)
#define SS_NEVER(s, b, reason)
#define SS_EQUATION(e) &ss_eq_##e,
static const ss_equation *const equations[] = {
#include "kernels/matrix.def"
    NULL};
#undef SS_EQUATION
#undef SS_SOLVER
#define SS_EQUATION(e)
#define SS_SOLVER(s) &ss_solver_##s,
static const ss_solver *const solvers[] = {
#include "kernels/matrix.def"
    NULL};
#undef SS_SOLVER
#undef SS_BACKEND
#define SS_SOLVER(s)
#define SS_BACKEND(b) &ss_backend_##b,
static const ss_backend *const backends[] = {
#include "kernels/matrix.def"
    NULL};
#undef SS_BACKEND
#undef SS_RUNS
#undef SS_HOLE
#undef SS_NEVER
#define SS_BACKEND(b)

#define SS_RUNS(e, s, b, ops) {&ss_eq_##e, &ss_solver_##s, &ss_backend_##b, &ops, NULL},
#define SS_HOLE(e, s, b, reason) {&ss_eq_##e, &ss_solver_##s, &ss_backend_##b, NULL, reason},
#define SS_NEVER(s, b, reason) {NULL, &ss_solver_##s, &ss_backend_##b, NULL, reason},
static const ss_matrix_cell matrix[] = {
#include "kernels/matrix.def"
};

void ss_tables_init(void)
{
    const ss_row_group groups[] = {{ss_bench_rows, ss_nbench, NULL},
                                   {ss_tune_rows, ss_ntune, NULL}};
    const ss_tables tables = {.equations = equations,
                              .solvers = solvers,
                              .backends = backends,
                              .matrix = matrix,
                              .ncell = sizeof matrix / sizeof *matrix,
                              .groups = groups,
                              .ngroup = sizeof groups / sizeof *groups};
    ss_err err;
    if (ss_registry_init(&tables, &err) == SS_OK)
        return;
    fprintf(stderr, "stencilscope: %s\n", err.text);
    abort();
}
