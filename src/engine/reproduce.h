/*
 * The command line that leads to where a run stands now: every parameter that is not at its
 * default, and how far to go. Engine thread.
 */
#ifndef SS_REPRODUCE_H
#define SS_REPRODUCE_H

#include "src/engine/lane.h"

/* Fills buf with words for a shell, "stencilscope poisson2d shared --k 8 --cycles 30". Returns why
 * that does not lead to the same field, in a sentence, or NULL: it does, bit for bit. */
const char *ss_reproduce(const ss_lane *lane, char *buf, size_t size);

#endif
