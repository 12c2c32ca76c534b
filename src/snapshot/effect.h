/* What the last change of a steady run has done to the rate at which its residual falls. A pure
 * function of a snapshot; any thread. */
#ifndef SS_EFFECT_H
#define SS_EFFECT_H

#include "src/snapshot/types.h"

/* Factors of the residual per cycle, and those of the classic solver over the same iterations. */
typedef struct ss_pace {
    double own, classic;
} ss_pace;

typedef struct ss_effect {
    const char *text;   /* "overlap 0 -> 4" */
    const ss_point *at; /* of the curve */
    ss_pace before, after;
} ss_effect;

/* False: there was no change, a factor has not settled, the classic curve does not reach so far, or
 * the factor has changed no more than that of the classic solver, so that the cause is another. */
bool ss_effect_of_change(const ss_snapshot *p, ss_effect *out);

#endif
