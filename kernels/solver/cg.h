/*
 * The variants of conjugate gradients, as rows of a table: kernels/solver/cg.c describes them, the
 * backends execute them. Constant; any thread.
 */
#ifndef SS_SOLVER_CG_H
#define SS_SOLVER_CG_H

#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SS_CG_STEPS_MAX 8 /* of the s-step variant */

typedef enum ss_cg_id { SS_CG_CLASSIC, SS_CG_PIPELINED, SS_CG_S_STEP, SS_NCG } ss_cg_id;

/* Per point and cycle of s iterations (1, but for the s-step variant): numbers a + b s. */
typedef struct ss_cg_cost {
    double a, b;
} ss_cg_cost;

typedef struct ss_cg_variant {
    ss_cg_cost values;     /* read and written */
    ss_cg_cost passes;     /* over the field */
    ss_cg_cost sweeps;     /* applications of the operator */
    ss_cg_cost more_flops; /* besides the operator's */
    ss_cg_cost vectors;    /* kept besides u and b */
    double reductions;     /* per cycle */
} ss_cg_variant;

extern const ss_cg_variant ss_cg_variants[SS_NCG];

ss_cg_id ss_cg_of(const ss_config *cfg);
/* Iterations per cycle. */
int ss_cg_steps(const ss_config *cfg);

/* The basis of the s-step variant is p, P_1 ... P_s, r, R_1 ... R_(s-1), where index k is the
 * Chebyshev polynomial T_k(J/rho) applied to the first one. */
typedef struct ss_cg_basis {
    int s;
    double rho; /* the spectral radius of J; 1 where it is unknown */
} ss_cg_basis;

ss_cg_basis ss_cg_basis_of(const ss_config *cfg);

#ifdef __cplusplus
}
#endif
#endif
