/*
 * The virtual time of a run on modelled ranks: its work is measured in CPU time of the thread that
 * computes it, shared out among the ranks by point updates, and put on their clocks together with
 * modelled messages (src/ranks/clock.h). The run's solving time is then that of the clocks. Fields
 * do not change. Called by run_step.c and src/run; engine thread.
 */
#ifndef SS_CORE_RANKS_H
#define SS_CORE_RANKS_H

#include "src/core/run.h"
#include "src/ranks/figures.h"

/* The number of modelled ranks of a config; 0: it has none. */
int ss_config_ranks(const ss_config *cfg);
/* Is there a plan for the config's ranks? */
int ss_config_check_ranks(const ss_config *cfg, const ss_problem *p, ss_err *err);

/* Makes run->ranks agree with the config; NULL if it has no modelled ranks. The clocks go on. */
int ss_run_ranks_open(ss_run *run, ss_err *err);
void ss_run_ranks_close(ss_run *run);
/* All clocks at 0. */
void ss_run_ranks_restart(ss_run *run);

/* Around a step of whole cycles, or (finish) of single time steps. */
void ss_run_ranks_begin(ss_run *run);
void ss_run_ranks_end(ss_run *run);
void ss_run_ranks_finish(ss_run *run, int64_t steps);
/* A part of a cycle is done; a cycle is done; a norm was computed, in a cycle that is not done yet.
 */
void ss_run_ranks_part(ss_run *run, double updates);
void ss_run_ranks_cycle(ss_run *run);
void ss_run_ranks_norm(ss_run *run);
/* A norm was computed between two steps. */
void ss_run_ranks_check(ss_run *run);

/* out->count 0: no modelled ranks. */
void ss_run_ranks_figures(const ss_run *run, ss_ranks_figures *out);
/* Traces of the last two cycles, the later one first; NULL: none. */
const ss_ranks_trace *ss_run_ranks_trace(const ss_run *run, int which);

#endif
