/*
 * Common to line and plane, whose parameters are the entries of the matrix: their rows, and what
 * the user hears of matrices that Jacobi's iteration has trouble with. Pure; any thread.
 */
#ifndef SS_EQ_ENTRIES_H
#define SS_EQ_ENTRIES_H

#include "kernels/eq/rows.h"
#include "kernels/eq/stencil.h"

/* An entry beside the diagonal; the other members follow by name. */
#define SS_ROW_ENTRY(NAME, SYMBOL)                                                                 \
    SS_ROW_REAL(NAME, "Problem", -1, -1e6, 1e6), .symbol = SYMBOL, .step = 0.1, .flags = SS_P_RESET
#define SS_ROW_DIAGONAL(DEF)                                                                       \
    {                                                                                              \
        SS_ROW_REAL("diagonal", "Problem", DEF, 1e-3, 1e6),                                        \
            .symbol = "d", .flags = SS_P_RESET | SS_P_LOG | SS_P_CONTROL, .note = ss_entries_note, \
            .help = "entry of the matrix on its diagonal, which g = b/d is divided by"             \
    }

/* The choices of the parameter `problem`, and their help: paper, spike, random. */
extern const char *const ss_entries_problems[], *const ss_entries_problem_help[];

/* The entries in force; south and north are 0 in 1D. */
ss_stencil ss_entries(const ss_problem *p);

/* Members of ss_equation. */
void ss_entries_coef(const ss_problem *p, ss_coef *out);
void ss_entries_init(const ss_problem *p, int field, int j, int k, double *row);
void ss_entries_rhs(const ss_problem *p, int field, int j, int k, double *row);
double ss_entries_radius(const ss_problem *p);
const char *ss_entries_asymmetric(const ss_problem *p);
int ss_entries_exact(const ss_problem *p, const double *g, double *u, ss_err *err);
const char *ss_entries_suspect(const ss_problem *p);
void ss_entries_caution(const ss_problem *p, char *buf, size_t size);
/* A note of the row `diagonal`: Jacobi's spectral radius. */
void ss_entries_note(const ss_config *cfg, char *buf, size_t size);

#define SS_ENTRIES                                                                                 \
    .coef = ss_entries_coef, .init = ss_entries_init, .rhs = ss_entries_rhs,                       \
    .spectral_radius = ss_entries_radius, .asymmetric = ss_entries_asymmetric,                     \
    .exact = ss_entries_exact, .exact_cost = ss_stencil_cost, .suspect = ss_entries_suspect,       \
    .caution = ss_entries_caution

#endif
