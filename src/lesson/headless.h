/*
 * An engine without a front end, for the scripts of a lesson: commands go to the engine one at a
 * time, and each returns when the engine has carried it out and the run is still. One thread at a
 * time may use it.
 */
#ifndef SS_LESSON_HEADLESS_H
#define SS_LESSON_HEADLESS_H

#include <stdatomic.h>

#include "src/lesson/observation.h"

typedef struct ss_headless ss_headless;

/* A time limit for all commands of a lesson together, and a flag that ends them at once. */
typedef struct ss_budget {
    double seconds, until;   /* until: a time of ss_clock */
    const atomic_bool *stop; /* may be NULL */
} ss_budget;

/* A paused run of a checked config. NULL: err says why. */
ss_headless *ss_headless_open(const ss_config *cfg, const ss_budget *budget, ss_err *err);
void ss_headless_close(ss_headless *h);
/* SS_FAIL: the command failed, or the budget is spent; the run is then paused where it is. */
int ss_headless_do(ss_headless *h, const ss_cmd *cmd, const ss_budget *budget, ss_err *err);
int ss_headless_line(ss_headless *h, const char *line, const ss_budget *budget, ss_err *err);
/* Observes the run as it is now, with the wanted parts; the caller drops *out. */
int ss_headless_observe(ss_headless *h, ss_wanted wanted, const ss_budget *budget,
                        ss_observation *out, ss_err *err);
/* The run after the last command, without quantities and field. */
const ss_observation *ss_headless_now(const ss_headless *h);

#endif
