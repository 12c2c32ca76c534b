/*
 * What backends, and other descriptors, need of the descriptors of schedules: parameter rows of
 * engine ops, variants as data, figures. Pure functions; any thread.
 */
#ifndef SS_SOLVER_SCHEDULES_H
#define SS_SOLVER_SCHEDULES_H

#include "src/core/solver.h"

/* --- solvers that sweep the whole field once per cycle, point by point ------------------------ */

/* Bytes of a value of a field. */
static inline double ss_value_bytes(const ss_config *cfg)
{
    return (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
}

/* ss_solver.ledger: one sweep is one launch. */
void ss_sweep_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     ss_ledger *out);

/*
 * Predicted asymptotic factors of the residual per iteration follow from the spectral radius rho of
 * the Jacobi iteration (ss_config_spectral_radius), for iteration matrices whose eigenvalues follow
 * from Jacobi's real ones. Source: Young's theory of SOR; Golub & Varga for Chebyshev. NaN where
 * rho is unknown or the formula does not hold.
 */

/* rho of a config, if the matrix is symmetric, so that Jacobi's eigenvalues are real; NaN else. */
double ss_real_radius(const ss_config *cfg);

/* A relaxation factor; the row of a solver adds its default, its note and its track. */
#define SS_ROW_RELAXATION(NAME, MAX)                                                               \
    SS_ROW_REAL(NAME, "Method", 1, 0.05, MAX), .symbol = "\xcf\x89", .key = "w", .step = 0.01,     \
                                               .flags = SS_P_LIVE | SS_P_CONTROL

/* The row of engine ops that can damp Jacobi, and its value: 1 where there is no such row. */
#define SS_DAMPING_ROW                                                                             \
    {                                                                                              \
        SS_ROW_RELAXATION("damping", 2), .note = ss_damping_note, .track = ss_damping_track,       \
                                         .help = "the share of Jacobi's change that is applied; "  \
                                                 "1 is Jacobi"                                     \
    }
double ss_damping_of(const ss_config *cfg);
void ss_damping_note(const ss_config *cfg, char *buf, size_t size);
void ss_damping_track(const ss_config *cfg, ss_track *track);

/* --- tiled schedules: shared, async ----------------------------------------------------------- */

/* `shared`: has a cycle the bits of k iterations of the whole field? */
bool ss_shared_exact(const ss_config *cfg, const ss_problem *p);
/* The halo points that a neighbouring tile owns: those that an exchange between tiles moves. */
double ss_tiled_exchange(const ss_equation *eq, const ss_problem *p, const ss_tiling *t);

/* The four variants of "wild" asynchrony as data, for the descriptor (tiled.c), the CPU's scheduler
 * and the CUDA kernels. */
typedef struct ss_async_variant {
    bool exchange; /* exchange halo strips after every sweep except the last */
    bool in_place; /* one copy of the tile instead of two */
    int barriers;  /* per thread block and sweep, except the last sweep */
} ss_async_variant;

/* In the order of the choices of the row `variant`. */
enum { SS_ASYNC_FULL, SS_ASYNC_LOOSE, SS_ASYNC_MUTE, SS_ASYNC_WILD, SS_NASYNC };
extern const ss_async_variant ss_async_variants[SS_NASYNC];

/* The variant of a config whose solver has the row. */
const ss_async_variant *ss_async_variant_of(const ss_config *cfg);

/* --- block smoothers -------------------------------------------------------------------------- */

/* As their executors and multigrid see them. Source: the paper on block-relaxation smoothers for
 * structured patches. */

/* Rows of solvers with the same name share their value: see registry.h. */
#define SS_BLOCK_LIVE (SS_P_LIVE | SS_P_CONTROL)

/* The choices of the row `order`, in the order of the table. */
enum { SS_BLOCK_CHAOTIC, SS_BLOCK_LEXICOGRAPHIC };

#define SS_BLOCK_ORDER                                                                             \
    SS_ROW_CHOICE("order", "Method", ss_block_orders, ss_block_order_help),                        \
        .flags = SS_BLOCK_LIVE, .help = "order in which the blocks of a patch are relaxed"

extern const char *const ss_block_inverses[], *const ss_block_inverse_help[];
extern const char *const ss_block_orders[], *const ss_block_order_help[];

/* Members of ss_solver, for multigrid too. */
int ss_block_check(const ss_config *cfg, const ss_problem *p, ss_err *err);
bool ss_block_setup_cost(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                         char *what, size_t size);

/* The cells of a block in each direction. */
void ss_block_size(const ss_config *cfg, int size[3]);

/* The selected form of the inverse. */
const struct ss_inverse_form *ss_block_form(const ss_config *cfg);

/* Of all patches. */
typedef struct ss_patch_sums {
    double cells, ghosts;
} ss_patch_sums;

ss_patch_sums ss_patch_sums_of(const ss_equation *eq, const ss_problem *p);

/* --- modelled ranks --------------------------------------------------------------------------- */

/*
 * How P ranks divide the points of each schedule, and which messages they exchange
 * (src/ranks/plan.h). Functions of ss_solver.ranks, and the parameter rows of the engine ops that
 * can run so.
 */

/* Points: a halo exchange before each sweep, colour, level or application of the operator, then the
 * reductions (jacobi, chebyshev, sor, cg, stepper). */
int ss_ranks_points(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    ss_ranks_plan *out, ss_err *err);
/* Subdomains and k subiterations per exchange (shared): a rank has whole subdomains. */
int ss_ranks_tiled(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                   ss_ranks_plan *out, ss_err *err);
/* The swept rule: a rank has whole nodes, and sends one edge per diamond. */
int ss_ranks_swept(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                   ss_ranks_plan *out, ss_err *err);

void ss_ranks_range(const ss_config *cfg, double *lo, double *hi, const char **why);
double ss_ranks_usual(const ss_config *cfg);
double ss_ranks_usual_latency(const ss_config *cfg);
bool ss_ranks_shown(const ss_config *cfg);
bool ss_ranks_shown_latency(const ss_config *cfg);

#define SS_RANKS_GROUP "Modelled ranks"

// clang-format off
/* The rows of engine ops whose solver has ss_solver.ranks. */
#define SS_RANKS_ROWS                                                                              \
    {SS_ROW_INT("ranks-model", SS_RANKS_GROUP, 0, 0, SS_RANKS_MAX), .zero = "none",                \
     .def_text = "4 with --latency, else none", .usual = ss_ranks_usual, .range = ss_ranks_range,  \
     .flags = SS_P_RESET | SS_P_CONTROL, .shown = ss_ranks_shown,                                  \
     .help = "ranks with clocks of their own: times are measured work and modelled waits"},        \
    {SS_ROW("latency", SS_RANKS_GROUP, SS_DURATION), .unit = "s", .key = "w", .zero = "none",      \
     .def_text = "20us with --ranks-model, else none", .usual = ss_ranks_usual_latency,            \
     .max = 0.01, .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_LOG, .shown = ss_ranks_shown_latency,   \
     .help = "of a message between two modelled ranks"},                                           \
    {SS_ROW("message-cost", SS_RANKS_GROUP, SS_DURATION), .unit = "s", .zero = "none",             \
     .def = 5e-7, .def_text = "500ns", .max = 1e-3, .flags = SS_P_LIVE | SS_P_LOG,                 \
     .help = "processor time of a modelled rank per message that it sends or receives"},           \
    {SS_ROW("link-rate", SS_RANKS_GROUP, SS_REAL_T), .unit = "B/s", .zero = "no limit",            \
     .def = 1.25e9, .def_text = "1.25e9, 10 Gbit/s", .max = 1e12, .flags = SS_P_LIVE | SS_P_LOG,   \
     .help = "bytes per second of a modelled rank's link"},                                        \
    {SS_ROW("hide-messages", SS_RANKS_GROUP, SS_BOOL), .def = 1, .flags = SS_P_LIVE,               \
     .help = "modelled ranks compute what needs no halo while messages travel"}
// clang-format on

#endif
