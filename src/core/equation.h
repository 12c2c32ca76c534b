/*
 * The discrete equation: one constant ss_equation per equation, in kernels/eq/. The point update
 * is written once, in the equation's header, valid as C11 and CUDA C++17; `apply` is that update
 * over a whole box on the CPU. Called from the engine thread and from its OpenMP threads.
 */
#ifndef SS_EQUATION_H
#define SS_EQUATION_H

#include "kernels/geom/tiles.h"
#include "kernels/geom/patches.h"
#include "src/base/common.h"
#include "src/core/param.h"

typedef enum ss_kind { SS_STEADY, SS_TRANSIENT, SS_NKIND } ss_kind;

struct ss_problem;

/* Coefficients of the point update, computed on the host in double; kernels round them once to
 * their precision. The equation's update documents each one. */
typedef struct ss_coef {
    double c[8];
    double residual; /* steady equations: the operator's diagonal, r = residual * (u' - u). Patches:
                        r = residual * (h^2 f - A u), where A has 6 on its diagonal */
} ss_coef;

/*
 * The box one apply call covers. Pointers passed to apply address its first point; neighbours lie
 * at +-1, +-in_sy, +-in_sz. Strides in elements.
 */
typedef struct ss_sweep {
    int nx, ny, nz;
    ptrdiff_t in_sy, rhs_sy, out_sy;
    ptrdiff_t in_sz, rhs_sz, out_sz;
    double *sum; /* NULL, or one double per row (ny*nz): += sum over the row of (u' - u)^2, in a
                    fixed order, so that the norm does not depend on the number of threads */
    bool stream; /* use non-temporal stores: the field is larger than the caches */
} ss_sweep;

typedef void ss_apply_fn(const ss_coef *coef, int stage, const void *in, const void *rhs, void *out,
                         const ss_sweep *sweep);

/*
 * Points [lo, hi) of a transient equation's next level. A step has `nstage` levels; stage 0 starts
 * from the result of a whole step. in and out point to point 0 of field 0; `radius` points beyond
 * lo and hi are read from in. On entry out holds the level before in, which a stage may use.
 */
typedef struct ss_strip {
    const void *in;
    void *out;
    ptrdiff_t in_field, out_field; /* elements between fields */
    int lo, hi;
} ss_strip;

typedef void ss_advance_fn(const ss_coef *coef, int stage, const ss_strip *strip);

/* A quantity that can be displayed, computed from the fields of a point: velocity, pressure. */
typedef struct ss_quantity {
    const char *name, *symbol, *help;
    double (*of)(const double *fields); /* NULL: the field with the same index */
} ss_quantity;

/* What enters through the ends per unit of time, up to the time `until`; later it is unknown. */
typedef struct ss_inflow {
    double rate, until;
} ss_inflow;

/* A number computed from all fields: a conserved quantity, or another measure of the solution. */
typedef struct ss_monitor {
    const char *name, *symbol, *help;
    /* The share of the part's points, of which u has nfield rows. Summed in a fixed order; shares
     * of parts are added. */
    double (*of)(const struct ss_problem *p, const double *u);
    double (*finish)(double sum); /* the number, from the sum of all shares; NULL: it is the sum */
    bool conserved; /* its sum changes by what enters through the ends only, and the rest of its
                       change, the conservation error, is displayed */
    ss_inflow (*inflow)(const struct ss_problem *p); /* of the built-in start; NULL: none */
} ss_monitor;

/* Its value where the part is the whole. */
static inline double ss_monitor_value(const ss_monitor *m, const struct ss_problem *p,
                                      const double *u)
{
    double sum = m->of(p, u);
    return m->finish ? m->finish(sum) : sum;
}

/* How the fields of a point change when the user paints a displayed quantity. */
typedef struct ss_painting {
    /* Raises a quantity (of ss_equation.quantities) by amount. False: it cannot be painted. */
    bool (*add)(int quantity, double amount, double *fields);
    /* The reason why a point may not have these fields, in a few words; NULL: it may. */
    const char *(*refuse)(const double *fields);
} ss_painting;

#define SS_MONITOR_MAX 4
#define SS_FIELD_MAX 4

/* A run's problem as plain numbers: the input of init, rhs and exact. */
struct ss_problem {
    const ss_config *cfg;
    int dim; /* directions the stencil couples: rows of a 1D problem are copies */
    int nfield, nstage, radius; /* the equation's */
    int nx, ny, nz;             /* interior points; for 1D equations ny = copies */
    int i0, i1, j0, j1;         /* the part that this process holds: points [i0, i1) of rows
                                   [j0, j1). All of them, unless ranks divide the field */
    double dx, dy, dz;          /* spacing */
    double dt;                  /* of a step of a transient equation */
    uint64_t seed;
};
typedef struct ss_problem ss_problem;

/* Points, spacing and dt of a config. Ranges and notes use it instead of the equation's rows. */
ss_problem ss_config_problem(const ss_config *cfg);
/* A field in memory, where it is one box: on the CPU, and but for padding on a GPU. The cache line
 * before a row holds its west halo, the padding of its last line the east halo. */
ss_box ss_problem_box(const ss_problem *p, ss_prec prec);
/* Spectral radius of the Jacobi iteration; NaN: unknown for this equation. */
double ss_config_spectral_radius(const ss_config *cfg);
/* Why errors have no energy norm with these values, a sentence's end; NULL: they have one. It needs
 * a symmetric positive definite matrix, and the point update of a box. */
const char *ss_config_no_energy(const ss_config *cfg);

typedef struct ss_equation {
    const char *name, *title, *help;
    int dim, nfield, nstage, radius;
    ss_kind kind;
    ss_bc bc;
    double origin; /* the coordinate of point 0, in spacings */
    ss_param *params;
    int nparam;
    /* Points and spacing from the parameter values. */
    void (*shape)(const ss_config *cfg, ss_problem *out);
    void (*coef)(const ss_problem *p, ss_coef *out);
    /* Row j (plane k) of the initial field, or of the scaled right-hand side g = b / diagonal (what
     * the point update adds): the doubles of points [i0, i1). 3D is never divided. */
    void (*init)(const ss_problem *p, int field, int j, int k, double *row);
    void (*rhs)(const ss_problem *p, int field, int j, int k, double *row);
    /* Spectral radius of the Jacobi iteration with these coefficients; solvers call
     * ss_config_spectral_radius instead. NULL: unknown. */
    double (*spectral_radius)(const ss_problem *p);
    /* The reason why the matrix is not symmetric with these values, in a few words; NULL: it is. A
     * method for symmetric matrices asks before it starts. NULL: always symmetric. */
    const char *(*asymmetric)(const ss_problem *p);
    /* Exact solution of the DISCRETE system for the scaled right-hand side g (dense, nx*ny*nz).
     * Slow (seconds): runs in the background. NULL: unknown. */
    int (*exact)(const ss_problem *p, const double *g, double *u, ss_err *err);
    /* The cost of exact, without g and u: bytes and operations. NULL: unknown. */
    void (*exact_cost)(const ss_problem *p, double *bytes, double *operations);
    /* Are the values valid together (transient equations: is the step stable)? If not, err has one
     * sentence. NULL: always valid. */
    int (*check)(const ss_config *cfg, const ss_problem *p, ss_err *err);
    /* The likely cause of divergence with valid values, in a few words, or NULL. For steady
     * equations the solver's own suspect comes first. NULL: none. */
    const char *(*suspect)(const ss_problem *p);
    /* What valid values are likely to lead to, said before the run: one sentence that starts in
     * lower case, with the values that would avoid it. An empty string: nothing to say. NULL:
     * never. */
    void (*caution)(const ss_problem *p, char *buf, size_t size);
    const ss_painting *painting; /* NULL: painting adds to field 0, any finite value is allowed */
    ss_apply_fn *apply[SS_NPREC];
    const struct ss_steady *steady; /* private to the steady equations on lines and planes */

    /* --- 3D: a domain of patches; apply is NULL there, kernels/block has the smoothers -------- */
    /* Returns the number of patches and fills out (NULL: not) with their cells, positions and
     * neighbours; the backend chooses the memory layout. The scaled right-hand side is g = h^2 f; a
     * ghost cell at a wall is coef.c[0] times the cell inside. NULL: one box. */
    int (*patches)(const ss_problem *p, ss_patch *out);

    /* --- transient equations; rhs, exact and apply are NULL there --------------------------- */
    ss_advance_fn *advance[SS_NPREC];
    const struct ss_step *step;    /* its limit of stability: private to kernels/eq */
    int fixed;                     /* points at each end that keep their values */
    const ss_quantity *quantities; /* the fields first; NULL: one field, "u" */
    int nquantity;
    const ss_monitor *monitors;
    int nmonitor;
    /* The exact value of a quantity after `step` steps, at `time`; false: unknown for this problem.
     * row may be NULL, to test only whether it is known. */
    bool (*solution)(const ss_problem *p, int64_t step, double time, int quantity, double *row);
    bool solution_one_dt; /* the solution is that of the scheme with a constant dt */
    /* The solution of the differential equation at `time`, in the same way; NULL: `solution` is it,
     * not that of the scheme. */
    bool (*differential)(const ss_problem *p, double time, int quantity, double *row);
    double pace;        /* simulated time per second of display; 0: full speed */
    const char *solver; /* default solver of this equation; NULL: the table's default */

    int flops, reads, writes; /* per point update: operations, values read, values written */
} ss_equation;

/* Number of displayable quantities: those of the table, or else the fields. */
static inline int ss_quantities(const ss_equation *eq)
{
    return eq->nquantity > 0 ? eq->nquantity : eq->nfield;
}

/* For exact: has the computation been cancelled? Then fail. Call it a few times per second. It is
 * true only on a thread whose ss_reference is being freed. */
bool ss_exact_cancelled(void);

#endif
