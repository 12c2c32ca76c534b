/*
 * WHAT is solved: one constant ss_equation per equation, in kernels/eq/. The point update itself
 * is written once, in the equation's header, valid as C11 and CUDA C++17; `apply` is that update
 * over a whole box for the CPU. Called from the engine thread and from its OpenMP threads.
 */
#ifndef SS_EQUATION_H
#define SS_EQUATION_H

#include "src/base.h"
#include "src/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ss_kind { SS_STEADY, SS_TRANSIENT } ss_kind;
typedef enum ss_bc {
    SS_BC_DIRICHLET,
    SS_BC_MIRROR,
    SS_BC_PERIODIC,
    SS_BC_FIXED,
    SS_BC_GHOST
} ss_bc;

/* Coefficients of the point update, computed on the host in double; kernels round them once to
 * their precision. What each means stands beside the equation's update. */
typedef struct ss_coef {
    double c[8];
    double residual; /* r = residual * (u' - u) for steady equations: the operator's diagonal */
} ss_coef;

/*
 * The box one apply call covers. Pointers passed to apply address its first point; neighbours lie
 * at +-1, +-in_sy, +-in_sz. Strides in elements.
 */
typedef struct ss_sweep {
    int nx, ny, nz;
    ptrdiff_t in_sy, rhs_sy, out_sy;
    ptrdiff_t in_sz, rhs_sz, out_sz;
    double *sum; /* NULL, or one double per row (ny*nz): += sum over the row of (u' - u)^2, fixed
                    order, so that a norm does not depend on threads */
    bool stream; /* write past the caches (the field is larger than they are) */
} ss_sweep;

typedef void ss_apply_fn(const ss_coef *coef, int stage, const void *in, const void *rhs, void *out,
                         const ss_sweep *sweep);

/* A run's problem, as plain numbers: what init, rhs and exact may depend on. */
typedef struct ss_problem {
    const ss_config *cfg;
    int dim;           /* directions the stencil couples: rows of a 1D problem are copies */
    int nx, ny, nz;    /* interior points; for 1D equations ny = copies */
    double dx, dy, dz; /* spacing */
    uint64_t seed;
} ss_problem;

struct ss_equation;

typedef struct ss_equation {
    const char *name, *title, *help;
    int dim, nfield, nstage, radius;
    ss_kind kind;
    ss_bc bc;
    ss_param *params;
    int nparam;
    /* Points and spacing from the parameter values. */
    void (*shape)(const ss_config *cfg, ss_problem *out);
    void (*coef)(const ss_problem *p, ss_coef *out);
    /* Row j (plane k) of the initial field, or of the scaled right-hand side g = b / diagonal (what
     * the point update adds), nx doubles. */
    void (*init)(const ss_problem *p, int field, int j, int k, double *row);
    void (*rhs)(const ss_problem *p, int field, int j, int k, double *row);
    /* Exact solution of the DISCRETE system for the scaled right-hand side g (dense, nx*ny*nz).
     * Slow (seconds): runs in the background. NULL: unknown. */
    int (*exact)(const ss_problem *p, const double *g, double *u, ss_err *err);
    /* What exact asks for besides g and u: bytes, and operations. NULL: not said. */
    void (*exact_cost)(const ss_problem *p, double *bytes, double *operations);
    ss_apply_fn *apply[SS_NPREC];
    int flops, reads, writes; /* per point update: operations, values read, values written */
} ss_equation;

/* For exact: does nobody wait for the answer any more? Then fail. Look at it a few times a second.
 * True only on a thread whose ss_reference is being freed. */
bool ss_exact_cancelled(void);

#ifdef __cplusplus
}
#endif
#endif
