/*
 * Threads of the CPU backend: how many a sweep uses, which rows are whose, and on which processor
 * each one sits. Engine thread; the rows of a thread are also asked for inside parallel regions.
 */
#ifndef SS_CPU_TEAM_H
#define SS_CPU_TEAM_H

#include "src/core/run.h"

/* Threads for so many point updates: a thread more costs microseconds, so each must have work. */
int ss_team_size(const ss_run *run, double updates);

/* Rows of thread t of a team: the first touch places them, the sweeps find them there again. */
static inline int ss_team_row(int rows, int t, int team)
{
    return (int)((int64_t)rows * t / team);
}

/* Binds thread t to the t-th processor this process may use (pin), or frees all again. */
int ss_team_bind(const ss_run *run, ss_err *err);
/* The calling thread is a member of the team only while it steps: what it starts later, and how
 * many processors it believes to have, must not depend on it. */
void ss_team_enter(const ss_run *run);
void ss_team_leave(const ss_run *run);

#endif
