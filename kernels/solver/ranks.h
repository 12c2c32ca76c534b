/*
 * Modelled ranks of each schedule: how P ranks divide the points, and which messages they exchange
 * (src/ranks/plan.h). Functions of ss_solver.ranks, and the parameter rows of the engine ops that
 * can run so. Pure functions; any thread.
 */
#ifndef SS_SOLVER_RANKS_H
#define SS_SOLVER_RANKS_H

#include "src/core/solver.h"

/* One sweep per cycle: a halo exchange, then an iteration (jacobi). */
int ss_ranks_sweep(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                   ss_ranks_plan *out, ss_err *err);
/* Two colours: after each a halo exchange, of the values of that colour (sor). */
int ss_ranks_colours(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     ss_ranks_plan *out, ss_err *err);
/* Halo exchanges before each application of the operator, and reductions (cg). */
int ss_ranks_krylov(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    ss_ranks_plan *out, ss_err *err);
/* Subdomains and k subiterations per exchange (shared): a rank has whole subdomains. */
int ss_ranks_tiled(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                   ss_ranks_plan *out, ss_err *err);
/* One halo exchange per level (stepper). */
int ss_ranks_levels(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
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
