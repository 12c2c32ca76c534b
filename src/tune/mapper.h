/*
 * A map that is being filled beside a front end: a thread of its own measures the cells, the main
 * thread looks at them. Everything here is called from the main thread.
 */
#ifndef SS_MAPPER_H
#define SS_MAPPER_H

#include <stdio.h>

#include "src/snapshot/mapview.h"

typedef struct ss_mapper ss_mapper;

typedef struct ss_mapper_setup {
    const ss_config *cfg;    /* of the run; of the subcommand, what is asked for besides the axes */
    const char *load, *rhs;  /* of a run: files or NULL */
    double time;             /* of a run that moves: how far its cells go, unless it has a limit */
    void (*wake)(void *ctx); /* called from the mapper's thread when there is something new */
    void *ctx;
} ss_mapper_setup;

/* The map of the command line, with its file; *status is an exit status if it cannot be. */
ss_mapper *ss_mapper_asked(const ss_mapper_setup *s, int *status, ss_err *err);
/* A map around a run, the cells nearest to it first: one thread of the host, at low priority. */
ss_mapper *ss_mapper_around(const ss_mapper_setup *s, ss_err *err);
/* Is it a map of what cfg is, and has it a cell for that? */
bool ss_mapper_covers(const ss_mapper *mp, const ss_config *cfg);
/* The same, but for the cell. */
bool ss_mapper_concerns(const ss_mapper *mp, const ss_config *cfg);

void ss_mapper_pause(ss_mapper *mp, bool pause);
/* Asks for the machine's limits, between two cells; once. */
void ss_mapper_limits(ss_mapper *mp);
/* What there is now; *fresh: it differs from the last time. Valid until the next look. */
ss_map_view *ss_mapper_look(ss_mapper *mp, bool *fresh);
/* Ends the thread, in the middle of a cell if need be, and writes what --json asks for if the map
 * is full. `table` gets it as text, if it is the command line's and has any cell. Returns an exit
 * status, and a sentence if it is not 0; frees it. interrupted: by a signal, not by a person. NULL
 * is fine. */
int ss_mapper_stop(ss_mapper *mp, bool interrupted, FILE *table, ss_err *err);

/* The subcommand without a screen, as ss_map_run, but `each` is shown the map before the first cell
 * and after every one; what it returns ends it. */
typedef int ss_map_each(const ss_map_view *v, void *ctx, ss_err *err);
int ss_map_run_shown(const ss_config *cfg, ss_map_each *each, void *ctx, ss_err *err);

#endif
