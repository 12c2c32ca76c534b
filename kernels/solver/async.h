/*
 * The four variants of "wild" asynchrony as data, for the descriptor (async.c), the CPU's scheduler
 * and the CUDA kernels. Pure functions; any thread.
 */
#ifndef SS_SOLVER_ASYNC_H
#define SS_SOLVER_ASYNC_H

#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

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
