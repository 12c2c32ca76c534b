/*
 * What the files of a run (lifecycle.c, files.c, conservation.c) share and nobody else sees. Engine
 * thread only.
 */
#ifndef SS_RUN_PARTS_H
#define SS_RUN_PARTS_H

#include "src/core/run.h"

/* The files that the run was opened with, into its fields. */
int ss_run_read_inputs(ss_run *run, ss_err *err);
/* Back to cycle 0, whatever the fields hold. */
void ss_run_forget_progress(ss_run *run);
/* Not finite, or larger than a solution would be: says so in the run's message and status. */
void ss_run_say_diverged(ss_run *run, const char *what, const char *cause);
/* Transient equations, now and then: the watch, if it is due. */
int ss_run_watch_sometimes(ss_run *run, ss_err *err);
/* Where the run stands after so many seconds of solving: a point of its history. */
ss_point ss_run_point(const ss_run *run, double seconds);
/* From where on steps are of the dt that they are of now: from here, if it has just been changed.
 */
ss_since ss_run_since(const ss_run *run);
/* Is dt now another one than some steps were of? */
bool ss_run_many_dt(const ss_run *run);
/* Steps to the simulated time that was asked for; INT64_MAX: to none. */
int64_t ss_run_steps_left(const ss_run *run);

#endif
