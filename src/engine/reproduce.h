/* The command line that reproduces the present state of the shown run, or of the race: the
 * parameters that differ from their defaults and the number of cycles; after changes while it ran,
 * the parameters at its start and every command since, as `-e` options. It stops there, and can go
 * on. Engine thread. */
#ifndef SS_REPRODUCE_H
#define SS_REPRODUCE_H

#include "src/engine/lane.h"

/* Fills buf with shell words, "stencilscope poisson2d shared --k 8 -e 'step 30'". Returns the
 * reason why there is no such line, in words; NULL: it leads to the same bits. */
const char *ss_reproduce(const ss_engine *e, char *buf, size_t size);

/* The run of a config, without limits and what belongs to the machine: "poisson2d shared --k 8".
 * False: it does not fit. */
bool ss_reproduce_words(const ss_config *cfg, char *buf, size_t size);

#endif
