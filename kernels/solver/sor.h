/*
 * Red-black SOR's relaxation factor: the row and what follows from it, for SOR of the whole field
 * and in tiles. Pure functions; any thread.
 */
#ifndef SS_SOLVER_SOR_H
#define SS_SOLVER_SOR_H

#include "kernels/solver/sweep.h"

enum { SS_SOR_FLOPS = 3 }; /* operations that relaxation adds to a point update */

double ss_sor_best(const ss_config *cfg);
void ss_sor_note(const ss_config *cfg, char *buf, size_t size);
void ss_sor_track(const ss_config *cfg, ss_track *track);
/* ss_solver.factor of an iteration, caution, suspect. */
double ss_sor_factor(const ss_config *cfg, const ss_problem *p);
void ss_sor_caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size);
const char *ss_sor_suspect(const ss_config *cfg);

// clang-format off
#define SS_SOR_ROWS                                                                                \
    {SS_ROW_RELAXATION("omega", 2.2), .usual = ss_sor_best,                                        \
     .def_text = "the best, 2/(1 + sqrt(1 - rho^2))", .note = ss_sor_note, .track = ss_sor_track,  \
     .help = "relaxation factor: 1 is Gauss-Seidel; rho is Jacobi's spectral radius"}
// clang-format on

#endif
