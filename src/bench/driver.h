/*
 * stencilscope bench: measures the limits of the hardware and every solver against them; with
 * --paper it repeats the tables of a paper. The solvers run in turn within each round and are
 * compared within a round, since the memory bandwidth of a shared machine may halve within minutes;
 * figures are medians over the rounds. Main thread, nothing else running.
 */
#ifndef SS_BENCH_H
#define SS_BENCH_H

#include <stdio.h>

#include "src/core/param.h"

/* Its parameters, for ss_registry_add. */
extern ss_param ss_bench_rows[];
extern const int ss_nbench;

/* What `bench --help` prints. */
void ss_bench_usage(FILE *out);

/* The subcommand: tables on stdout, line by line, JSON to the file of --json, a progress bar on
 * stderr if that is a terminal. The file is written while the bench runs, and the same command goes
 * on from an incomplete one. Obeys --backend, --n, --patch, --threads, --pin, --rounds and --paper.
 * Returns the exit status. */
int ss_bench_run(const ss_config *cfg, ss_err *err);

#endif
