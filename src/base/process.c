/* See process.h. */
#include "src/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- children --------------------------------------------------------------------------------- */

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* In the child: only calls that are safe after a fork of a program with threads. */
static _Noreturn void become(char *const *argv, char *const *env, int log, int signal)
{
    sigset_t none;
    int null = open("/dev/null", O_RDONLY);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, signal);
#else
    (void)signal;
#endif
    dup2(null, 0);
    dup2(log, 1);
    dup2(log, 2);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    execvpe(argv[0], argv, env);
    dprintf(2, "cannot start %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

int ss_child_start(char *const *argv, char *const *env, int log, int signal)
{
    int pid = fork();
    if (pid == 0)
        become(argv, env, log, signal);
    return pid;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int ss_threads_check(int count, ss_err *err)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int made = 0, status = 0;
    if (count < 1)
        return SS_OK;
    pthread_t *thread = ss_alloc((size_t)count * sizeof *thread, "threads", err);
    if (!thread)
        return SS_FAIL;
    pthread_mutex_lock(&gate); /* all are there at the same time */
    while (made < count && status == 0) {
        status = pthread_create(&thread[made], NULL, wait_at, &gate);
        made += status == 0;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return status ? ss_fail_outside(err, "cannot start %d threads: %s", count + 1, strerror(status))
                  : SS_OK;
}

/* --- signals that end the program ------------------------------------------------------------- */

static const int numbers[SS_QUIT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void ss_quit_signals_catch(ss_quit_signals *s, void (*handler)(int))
{
    struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&act.sa_mask);
    for (int i = 0; i < SS_QUIT_SIGNALS; i++) {
        sigaction(numbers[i], NULL, &s->before[i]);
        if (numbers[i] != SIGHUP || s->before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &act, NULL);
    }
    s->caught = true;
}

void ss_quit_signals_release(ss_quit_signals *s)
{
    for (int i = 0; s->caught && i < SS_QUIT_SIGNALS; i++)
        sigaction(numbers[i], &s->before[i], NULL);
    s->caught = false;
}
