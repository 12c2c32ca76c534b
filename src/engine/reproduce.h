/* The command line that reproduces a run's present state: all parameters that differ from their
 * defaults, and the number of cycles. Engine thread. */
#ifndef SS_REPRODUCE_H
#define SS_REPRODUCE_H

#include "src/engine/lane.h"

/* Fills buf with shell words, "stencilscope poisson2d shared --k 8 --cycles 30". Returns the reason
 * why the result is not bit-for-bit equal, in words; NULL: it is. */
const char *ss_reproduce(const ss_lane *lane, char *buf, size_t size);

#endif
