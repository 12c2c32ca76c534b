/* Functions of Linux, and of the build, that a page lacks. There are no other processes: the rank
 * program cannot be started, and nothing asks for the build's id. */
#include <errno.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "src/base/build.h"

ssize_t getrandom(void *buf, size_t size, unsigned flags)
{
    (void)flags;
    return getentropy(buf, size) == 0 ? (ssize_t)size : -1;
}

int prctl(int option, ...)
{
    (void)option;
    errno = ENOSYS;
    return -1;
}

const char *ss_build_id(void)
{
    return "page";
}
