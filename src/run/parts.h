/*
 * What the files of a run (lifecycle.c, files.c, conservation.c) share and nobody else sees. Engine
 * thread only.
 */
#ifndef SS_RUN_PARTS_H
#define SS_RUN_PARTS_H

#include "src/core/run_step.h"

/* The files that the run was opened with, into its fields. */
int ss_run_read_inputs(ss_run *run, ss_err *err);
/* Back to cycle 0, whatever the fields hold. */
void ss_run_forget_progress(ss_run *run);
/* A live change of a steady equation's coefficients must leave the diagonal as it was `before`: the
 * right-hand side was divided by it when the run began. */
int ss_run_same_diagonal(const ss_run *run, const ss_coef *before, ss_err *err);
/* Transient equations, now and then: the watch, if it is due. */
int ss_run_watch_sometimes(ss_run *run, ss_err *err);
/* Steps to the simulated time that was asked for; INT64_MAX: to none. */
int64_t ss_run_steps_left(const ss_run *run);

#endif
