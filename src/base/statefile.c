/* Files of the user's state: see statefile.h. */
#include "src/base/statefile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

int ss_state_path(const char *name, char *path, size_t size, ss_err *err)
{
    const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (base && *base == '/') /* the standard: ignore a relative path */
        n = snprintf(path, size, "%s/stencilscope/%s", base, name);
    else if (home && *home)
        n = snprintf(path, size, "%s/.local/state/stencilscope/%s", home, name);
    if (n < 0 || (size_t)n >= size)
        return ss_fail(err, "there is no home directory");
    return SS_OK;
}

static void make_folders(const char *path)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *p = folder + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            mkdir(folder, 0777);
            *p = '/';
        }
}

int ss_state_lock(const char *path)
{
    make_folders(path);
    int n = (int)(strrchr(path, '/') - path);
    char folder[1024];
    snprintf(folder, sizeof folder, "%.*s", n, path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int tries = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && tries < 200; tries++)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    return fd;
}
