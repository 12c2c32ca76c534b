/* The machine and its system: time, limits, processes, threads and signals. */
#ifndef SS_SYSTEM_H
#define SS_SYSTEM_H

#include <signal.h>
#include <stdbool.h>
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

/* --- modelled time ---------------------------------------------------------------------------- */

/* Modelled time, for output that must not depend on the clock. The figures are those of a current
 * GPU: 3 us per launch, 4 TB/s of memory bandwidth. Any thread. */

static inline double ss_modelled_seconds(double launches, double bytes)
{
    return 3e-6 * launches + bytes / 4e12;
}

/* --- limits ----------------------------------------------------------------------------------- */

/*
 * Limits of this process's control group (Linux): those of a container, of a batch job, of a
 * systemd unit. The smallest one counts from the own group up to the root. Any thread.
 */

/* Where Linux has them; tests have their own. */
#define SS_CGROUP_OWN "/proc/self/cgroup"
#define SS_CGROUP_ROOT "/sys/fs/cgroup"

/* Bytes that may still be allocated; -1: no limit. */
double ss_cgroup_memory(const char *own, const char *root);
/* Processors' worth of time per second, 2.5; -1: no limit. */
double ss_cgroup_cores(const char *own, const char *root);

/* --- children --------------------------------------------------------------------------------- */

/* A program started as a child that nothing here waits for: in a session of its own, so that no
 * signal of the terminal reaches it. Any thread. */

/* Starts argv[0], searched in the PATH, with the variables `env`; it reads nothing, and writes both
 * its outputs to `log`. On Linux it gets `signal` when the calling thread ends. Returns its process
 * and session, or -1 with errno. */
int ss_child_start(char *const *argv, char *const *env, int log, int signal);

/* --- threads ---------------------------------------------------------------------------------- */

/* Threads that a library will start: OpenMP's and BLAS's end the program when they cannot. */

/* Starts so many threads and ends them. Fails, with the reason, if one cannot be started. Any
 * thread. */
int ss_threads_check(int count, ss_err *err);

/* --- signals that end the program ------------------------------------------------------------- */

/* The signals that ask a program to end: SIGINT, SIGTERM, SIGHUP, SIGQUIT. Main thread. */

#define SS_QUIT_SIGNALS 4

typedef struct ss_quit_signals {
    bool caught;
    struct sigaction before[SS_QUIT_SIGNALS];
} ss_quit_signals;

/* Installs the handler. An ignored SIGHUP stays ignored (nohup). The other signals are caught even
 * if they were ignored, because shells ignore SIGINT and SIGQUIT for background processes. */
void ss_quit_signals_catch(ss_quit_signals *s, void (*handler)(int));
/* Restores the previous actions, if the handler was installed. */
void ss_quit_signals_release(ss_quit_signals *s);

#endif
