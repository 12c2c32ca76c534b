/*
 * stencilscope bench: this machine's bandwidth, then every solver, as fractions of it. Main
 * thread, nothing else running.
 */
#ifndef SS_BENCH_H
#define SS_BENCH_H

#include "src/param.h"

/* The subcommand: table on stdout, JSON where --json says, progress on stderr if a terminal.
 * Returns the exit status. */
int ss_bench_run(const ss_config *cfg, ss_err *err);

#endif
