/*
 * Conjugate gradients and Chebyshev's method as the backends execute them: the variants of the
 * former (kernels/solver/cg.c describes them), and the arithmetic of both between two passes over
 * the field: factors, the residual check, and the s-step variant's iterations in coordinates. C and
 * CUDA compile the same functions, so that CPU and GPU find the same bits. Constant, pure
 * functions; any thread.
 */
#ifndef SS_SOLVER_RECURRENCE_H
#define SS_SOLVER_RECURRENCE_H

#include <math.h>

#include "src/core/solver.h"

/* --- Chebyshev -------------------------------------------------------------------------------- */

/* The factor of a cycle after `done` cycles, the last of which had the factor `before`: omega_1 =
 * 1, omega_2 = 1/(1 - rho^2/2), omega_(m+1) = 1/(1 - rho^2 omega_m/4). Source: Golub & Varga 1961.
 */
SS_INLINE double ss_chebyshev_omega(double rho, double before, int64_t done)
{
    double r2 = rho * rho;
    return done == 0 ? 1 : done == 1 ? 1 / (1 - r2 / 2) : 1 / (1 - r2 * before / 4);
}

/* --- the variants of conjugate gradients ------------------------------------------------------ */

#define SS_CG_STEPS_MAX 8 /* of the s-step variant */

typedef enum ss_cg_id { SS_CG_CLASSIC, SS_CG_PIPELINED, SS_CG_S_STEP, SS_NCG } ss_cg_id;

ss_cg_id ss_cg_of(const ss_config *cfg);

/* The basis of the s-step variant is p, P_1 ... P_s, r, R_1 ... R_(s-1), where index k is the
 * Chebyshev polynomial T_k(J/rho) applied to the first one. */
typedef struct ss_cg_basis {
    int s;
    double rho; /* the spectral radius of J; 1 where it is unknown */
} ss_cg_basis;

ss_cg_basis ss_cg_basis_of(const ss_config *cfg);

/* --- their recurrence ------------------------------------------------------------------------- */

/* Points of a row whose products are one partial sum of a dot product: few, so that a GPU has many
 * of them to add at a time. */
#define SS_CG_SEGMENT 512

/* What a cycle hands on to the next one, besides vectors. */
typedef struct ss_cg_recurrence {
    int64_t started;    /* 0: the vectors are not those of the present field */
    double rr;          /* r r */
    double alpha, beta; /* of the last step; the GPU's pipelined variant: alpha of the next one */
    double wr;          /* pipelined: w r */
} ss_cg_recurrence;

/* A residual of exactly zero takes no step. */
SS_INLINE double ss_cg_quotient(double a, double b)
{
    return a > 0 || a < 0 ? a / b : 0;
}

/* Of the true residual: where the recurrence's one is smaller, the method starts again. */
#define SS_CG_DRIFT 0.1
/* Of the rounding errors: below it the recurrence's residual is checked each time. */
#define SS_CG_FLOOR 1e3

/* Must the true residual be computed? The recurrence's one meets the tolerance, or is near the
 * rounding errors. tol 0: none, or it was met before; first: the first norm, negative if unknown.
 */
SS_INLINE bool ss_cg_is_doubtful(ss_prec prec, double norm, double tol, double first)
{
    double eps = prec == SS_F64 ? 2.2e-16 : 1.2e-7;
    bool meets = tol > 0 && norm <= tol * first;
    return !(first < 0) && (meets || !(norm > SS_CG_FLOOR * eps * first));
}

/* --- s steps ---------------------------------------------------------------------------------- */

enum {
    SS_CG_BASIS = 2 * SS_CG_STEPS_MAX + 1,
    SS_CG_PAIRS = SS_CG_BASIS * (SS_CG_BASIS + 1) / 2,
};

/* Coordinates of the update and of the new vectors; ap: of A p. */
typedef struct ss_cg_coordinates {
    double x[SS_CG_BASIS], r[SS_CG_BASIS], p[SS_CG_BASIS], ap[SS_CG_BASIS];
} ss_cg_coordinates;

SS_INLINE int ss_cg_basis_size(int s)
{
    return 2 * s + 1;
}

/* Where vector k of the basis lies: r and p come first. */
SS_INLINE int ss_cg_vector(int s, int k)
{
    return k == 0 ? 1 : k <= s ? k + 1 : k == s + 1 ? 0 : k;
}

/* The index in the triangle of dot products, row by row. */
SS_INLINE int ss_cg_pair(int i, int j)
{
    return i * (i + 1) / 2 + j;
}

/* The factor of J in T_(k+1) = (2/rho) J T_k - T_(k-1), and in T_1 = J/rho. */
SS_INLINE double ss_cg_power_factor(ss_cg_basis b, int k)
{
    return (k > 0 ? 2 : 1) / b.rho;
}

/* out = the coordinates of A v: A T_0 = T_0 - rho T_1, A T_j = T_j - rho/2 (T_(j+1) + T_(j-1)). */
SS_INLINE void ss_cg_operate(ss_cg_basis b, const double *v, double *out)
{
    int n = ss_cg_basis_size(b.s);
    for (int k = 0; k < n; k++)
        out[k] = v[k];
    for (int k = 0; k < n; k++) {
        int j = k <= b.s ? k : k - b.s - 1, last = k <= b.s ? b.s : b.s - 1;
        double share = j == 0 ? b.rho : b.rho / 2;
        if (j < last)
            out[k + 1] -= share * v[k];
        if (j > 0)
            out[k - 1] -= share * v[k];
    }
}

/* a G b with the triangle of dot products. */
SS_INLINE double ss_cg_product(ss_cg_basis b, const double *g, const double *u, const double *v)
{
    double sum = 0;
    for (int i = 0, pair = 0; i < ss_cg_basis_size(b.s); i++)
        for (int j = 0; j <= i; j++, pair++)
            sum += g[pair] * (i == j ? u[i] * v[i] : u[i] * v[j] + u[j] * v[i]);
    return sum;
}

/* s iterations in coordinates; returns r r. */
SS_INLINE double ss_cg_iterate(ss_cg_basis b, const double *g, ss_cg_coordinates *c)
{
    int n = ss_cg_basis_size(b.s);
    for (int k = 0; k < n; k++)
        c->x[k] = c->r[k] = c->p[k] = 0;
    c->p[0] = c->r[b.s + 1] = 1;
    double rr = ss_cg_product(b, g, c->r, c->r);
    for (int j = 0; j < b.s; j++) {
        ss_cg_operate(b, c->p, c->ap);
        double alpha = ss_cg_quotient(rr, ss_cg_product(b, g, c->p, c->ap)), before = rr;
        for (int k = 0; k < n; k++) {
            c->x[k] += alpha * c->p[k];
            c->r[k] -= alpha * c->ap[k];
        }
        rr = ss_cg_product(b, g, c->r, c->r);
        double beta = ss_cg_quotient(rr, before);
        for (int k = 0; k < n; k++)
            c->p[k] = c->r[k] + beta * c->p[k];
    }
    return fmax(rr, 0.0);
}

#endif
