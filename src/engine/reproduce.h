/* The command line that leads to a run's present state: every parameter that is not at its
 * default, and how far to go. Engine thread. */
#ifndef SS_REPRODUCE_H
#define SS_REPRODUCE_H

#include "src/engine/lane.h"

/* Fills buf with words for a shell, "stencilscope poisson2d shared --k 8 --cycles 30". Returns
 * why it does not lead to the same bits, in a sentence, or NULL: it does. */
const char *ss_reproduce(const ss_lane *lane, char *buf, size_t size);

#endif
