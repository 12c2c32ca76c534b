/*
 * Levels of a time-dependent equation on the CPU: what both schedules, stepper and swept, do to a
 * stretch of points. Level l of a step that began with u[cur] lies in u[(cur + l) mod 2]. Engine
 * thread and its OpenMP threads.
 */
#ifndef SS_CPU_LEVELS_H
#define SS_CPU_LEVELS_H

#include "kernels/cpu/cpu.h"

/* Before the first level of a step: both arrays agree where points never change. */
void ss_levels_begin(const ss_run *run);
/* Points [lo, hi) of a level >= 1 from the one before; 0 <= lo < 2n, beyond n the line begins
 * again. stream: write past the caches. Two threads may do it at once unless both touch the same
 * end of the line. */
void ss_levels_advance(const ss_run *run, int64_t level, int lo, int hi, bool stream);
/* A whole level, by all threads, and the wait behind it. */
void ss_levels_all(const ss_run *run, int64_t level);
/* So many classic steps: the run's cycle is not touched, its steps and its time are. */
void ss_levels_steps(ss_run *run, int64_t steps);
/* The delay that the person asked for, after everybody has waited for everybody. */
void ss_levels_latency(const ss_run *run);

/* The row `latency`, which both schedules have. */
#define SS_LEVELS_LATENCY                                                                          \
    {                                                                                              \
        .name = "latency", .symbol = "latency", .unit = "s", .group = "Method",                    \
        .type = SS_DURATION, .key = "w", .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_LOG,             \
        .zero = "none", .min = 0, .max = 0.01,                                                     \
        .help = "added to every wait of all for all: as if the machine were that far-flung"        \
    }

#endif
