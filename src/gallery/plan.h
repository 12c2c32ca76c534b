/*
 * The small run behind a card's picture: from the commands of a preset or of a lesson's scenario.
 * Pure functions; any thread.
 */
#ifndef SS_GALLERY_PLAN_H
#define SS_GALLERY_PLAN_H

#include "src/core/param.h"

typedef struct ss_card_plan {
    ss_config cfg; /* checked; one thread of the host */
    double until;  /* transient: the simulated time of the last state */
    int cycles;    /* steady: cycles between two states */
    int states;    /* of the film: the last one is the still picture */
    double points; /* of the grid */
} ss_card_plan;

/* Commands are separated by ';'. The grid is at most so large: 64 points across, or 128 if its
 * blocks need them; a line has 1,024, a volume has 64 cells an edge. `machine`: a checked config of
 * the program. rows: the states of a space-time diagram. SS_FAIL: err says in words what the run is
 * and why it has no small picture. */
int ss_card_plan_make(const char *commands, const ss_config *machine, int rows, ss_card_plan *out,
                      ss_err *err);

#endif
