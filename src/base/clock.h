/* Processor time, and points in time at which waits end. Any thread. */
#ifndef SS_CLOCK_H
#define SS_CLOCK_H

#include <time.h>

#include "src/base/common.h"

/* --- processor time --------------------------------------------------------------------------- */

/* CPU time, the clock of figures that must not depend on what else the machine does, and the
 * processors that others leave. Any thread. */

/* CPU seconds of the calling thread. */
double ss_cpu_thread(void);

/* Of `processors` that this process may run on, those that others leave at this moment: at least 1;
 * all where the system does not tell. Called before this process has threads that compute. */
int ss_cpu_idle(int processors);

/* --- deadlines -------------------------------------------------------------------------------- */

/* The point in time at which a wait on a condition variable gives up. Any thread. */

/* The time `seconds` from now (0 to 1e9, else clamped), for pthread_cond_timedwait. `clock`
 * is that of the condition variable: CLOCK_REALTIME, unless pthread_condattr_setclock has set
 * another. */
struct timespec ss_deadline_in(clockid_t clock, double seconds);

#endif
