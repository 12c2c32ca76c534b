/*
 * CPU time, the clock of figures that must not depend on what else the machine does, and the
 * processors that others leave. Any thread.
 */
#ifndef SS_CPU_CLOCK_H
#define SS_CPU_CLOCK_H

#include "src/base/common.h"

/* CPU seconds of the calling thread. */
double ss_cpu_thread(void);

/* Of `processors` that this process may run on, those that others leave at this moment: at least 1;
 * all where the system does not tell. Called before this process has threads that compute. */
int ss_cpu_idle(int processors);

#endif
