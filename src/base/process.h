/* Processes, threads and signals. */
#ifndef SS_PROCESS_H
#define SS_PROCESS_H

#include <signal.h>
#include <stdbool.h>

#include "src/base/common.h"

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
