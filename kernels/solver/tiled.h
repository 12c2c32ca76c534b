/*
 * Of tiled schedules (shared, async): whether a cycle is exact, the traffic of an exchange, and the
 * four variants of "wild" asynchrony as data, for the descriptor (tiled.c), the CPU's scheduler and
 * the CUDA kernels. Pure functions; any thread.
 */
#ifndef SS_SOLVER_TILED_H
#define SS_SOLVER_TILED_H

#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `shared`: has a cycle the bits of k iterations of the whole field? */
bool ss_shared_exact(const ss_config *cfg, const ss_problem *p);
/* The halo points that a neighbouring tile owns: those that an exchange between tiles moves. */
double ss_tiled_exchange(const ss_equation *eq, const ss_problem *p, const ss_tiling *t);

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

#ifdef __cplusplus
}
#endif
#endif
