/*
 * Threads of the CPU backend: the number that a sweep uses, the rows of each, and its binding to a
 * processor. Engine thread; ss_team_row also inside parallel regions.
 */
#ifndef SS_CPU_TEAM_H
#define SS_CPU_TEAM_H

#include "src/core/run.h"

/* The number of threads for this many point updates. Waking a thread costs microseconds, so each
 * must have enough work. */
int ss_team_size(const ss_run *run, double updates);

/* The first row of thread t of a team; ss_team_row(rows, t + 1, team) ends its rows. First touch
 * and sweeps use the same division, so that a thread's rows are in its NUMA node's memory. */
static inline int ss_team_row(int rows, int t, int team)
{
    return (int)((int64_t)rows * t / team);
}

/* Binds thread t to the t-th processor of the process's affinity mask (pin), or unbinds all. */
int ss_team_bind(const ss_run *run, ss_err *err);
/* Bind and unbind the calling thread. It is bound only during a step, because threads that it
 * creates later and its processor count would inherit the binding. */
void ss_team_enter(const ss_run *run);
void ss_team_leave(const ss_run *run);

#endif
