/*
 * CPU time, the clock of figures that must not depend on what else the machine does. A thread that
 * computes a run is helped by threads of its team; main and the thread that measures a map are no
 * part of it, and say so. Any thread.
 */
#ifndef SS_CPU_CLOCK_H
#define SS_CPU_CLOCK_H

#include "src/base/common.h"

/* CPU seconds of the calling thread. */
double ss_cpu_thread(void);
/* CPU seconds of all threads of the process, those left out excepted. */
double ss_cpu_team(void);

/* The calling thread is left out from now on; call ss_cpu_leave_in before it ends. */
void ss_cpu_leave_out(void);
void ss_cpu_leave_in(void);

/* Of `processors` that this process may run on, those that others leave at this moment: at least 1;
 * all where the system does not tell. Called before this process has threads that compute. */
int ss_cpu_idle(int processors);

#endif
