/*
 * stencilscope bench: the limits of the hardware, then every solver, as fractions of them; or, with
 * --paper, a paper's tables measured again. Kernels are interleaved round by round and compared
 * within a round, since the memory of a shared machine changes its speed by two within minutes;
 * figures are medians over the rounds. Main thread, nothing else running.
 */
#ifndef SS_BENCH_H
#define SS_BENCH_H

#include "src/core/param.h"

/* Rows of its own: for ss_registry_add. */
extern ss_param ss_bench_rows[];
extern const int ss_nbench;

/* The subcommand: table on stdout, JSON where --json says, progress on stderr if a terminal.
 * --backend, --n, --threads, --pin, --rounds and --paper are obeyed. Returns the exit status. */
int ss_bench_run(const ss_config *cfg, ss_err *err);

#endif
