/*
 * The working sets of a schedule: the bytes that it uses again and again, which may stay in a
 * cache. Pure function, any thread.
 */
#ifndef SS_WORKING_SET_H
#define SS_WORKING_SET_H

#include "src/core/param.h"

/* Bytes; 0: the schedule has none. */
typedef struct ss_working_set {
    double fields; /* all buffers and right-hand sides of the problem */
    double tile;   /* two buffers and the right-hand side of one subdomain */
} ss_working_set;

ss_working_set ss_config_working_set(const ss_config *cfg);

#endif
