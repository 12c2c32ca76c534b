/* The point in time at which a wait on a condition variable gives up. Any thread. */
#ifndef SS_DEADLINE_H
#define SS_DEADLINE_H

#include <time.h>

/* So many seconds (at most 1e9; below 0 counts as 0) from now, for pthread_cond_timedwait. `clock`
 * is that of the condition variable: CLOCK_REALTIME, unless pthread_condattr_setclock has set
 * another. */
struct timespec ss_deadline_in(clockid_t clock, double seconds);

#endif
