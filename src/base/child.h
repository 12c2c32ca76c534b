/* A program started as a child that nothing here waits for: in a session of its own, so that no
 * signal of the terminal reaches it. Any thread. */
#ifndef SS_CHILD_H
#define SS_CHILD_H

/* Starts argv[0], searched in the PATH, with the variables `env`; it reads nothing, and writes both
 * its outputs to `log`. On Linux it gets `signal`
 * when the calling thread ends. Returns its process and
 * session, or -1 with errno. */
int ss_child_start(char *const *argv, char *const *env, int log, int signal);

#endif
