/*
 * stencilscope bench: measures the limits of the hardware and every solver against them; with
 * --paper it repeats the tables of a paper. The solvers run in turn within each round and are
 * compared within a round, since the memory bandwidth of a shared machine may halve within minutes;
 * figures are medians over the rounds. With --limits it measures the limits alone, and keeps them
 * for the roofline. Main thread; while it measures nothing else runs.
 */
#ifndef SS_BENCH_H
#define SS_BENCH_H

#include <stdio.h>

#include "src/core/backend.h"
#include "src/snapshot/roofs.h"

/* Its parameters, for ss_registry_add. */
extern ss_param ss_bench_rows[];
extern const int ss_nbench;

/* The subcommand: tables on stdout, line by line, JSON to the file of --json, a progress bar on
 * stderr if that is a terminal. The file is written while the bench runs, and the same command goes
 * on from an incomplete one. Obeys --backend, --n, --patch, --threads, --pin, --rounds, --paper and
 * --limits. Returns the exit status. */
int ss_bench_run(const ss_config *cfg, ss_err *err);

/* --- the limits of machines ------------------------------------------------------------------- */

/* Replaces the kept limits of this machine's backend and threads, those of cfg. */
int ss_limits_save(const ss_config *cfg, const ss_limit *limit, int n, ss_err *err);
/* The roofs of a run of cfg by the kept limits. Fails if there are none: err has a sentence with
 * the command that measures them. */
int ss_limits_load(const ss_config *cfg, ss_roofs *out, ss_err *err);

#endif
