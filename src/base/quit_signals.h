/*
 * The signals that ask a program to end: SIGINT, SIGTERM, SIGHUP, SIGQUIT. Main thread.
 */
#ifndef SS_QUIT_SIGNALS_H
#define SS_QUIT_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

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
