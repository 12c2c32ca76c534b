/* Settings of libraries: see libraries.h. */
#include "src/base/libraries.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/blas.h"

#define POLICY "OMP_WAIT_POLICY"
#define SPINS "GOMP_SPINCOUNT"

/* 70 µs at 17 ns per turn: a few times as long as it takes to wake a thread that sleeps. */
static const char *spins(void)
{
#ifdef _OPENMP
    return getenv(POLICY) ? NULL : "4000";
#else
    return NULL;
#endif
}

/* What the program asks for; NULL: nothing. */
static const struct setting {
    const char *name;
    const char *(*wanted)(void);
} settings[] = {{"OPENBLAS_CORETYPE", ss_blas_wanted}, {SPINS, spins}};

/* By the program's path, not by the link: `top` and `pgrep` take a process's name from it. On
 * failure the libraries keep their own settings. */
static void restart(char **argv)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    if (n <= 0 || n == sizeof path)
        return;
    path[n] = '\0';
    execv(path, argv);
}

void ss_libraries_settle(char **argv)
{
    int changed = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *value = getenv(settings[i].name) ? NULL : settings[i].wanted();
        changed += value && setenv(settings[i].name, value, 1) == 0;
    }
    if (changed)
        restart(argv);
}

const char *ss_libraries_waiting(char *buf, size_t size)
{
    const char *policy = getenv(POLICY), *turns = getenv(SPINS);
    int n = snprintf(buf, size, "OpenMP wait policy %s", policy ? policy : "not set");
    if (turns && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, ", %s turns at a barrier before a thread sleeps",
                 turns);
    return buf;
}
