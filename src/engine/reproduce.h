/* The command line that reproduces a run's present state: the parameters that differ from their
 * defaults and the number of cycles; after changes while it ran, the parameters at its start and
 * every command since, as `-e` options. Engine thread. */
#ifndef SS_REPRODUCE_H
#define SS_REPRODUCE_H

#include "src/engine/lane.h"

/* Fills buf with shell words, "stencilscope poisson2d shared --k 8 --cycles 30". Returns the reason
 * why there is no such line, in words; NULL: it leads to the same bits. */
const char *ss_reproduce(const ss_lane *lane, char *buf, size_t size);

#endif
