/* See child.h. */
#include "src/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
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
