/* See infile.h. */
#include "src/base/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_NONBLOCK: opening a pipe does not wait for its writer. It has no effect on regular files. */
FILE *ss_infile_open(const char *path, ss_err *err)
{
    struct stat st;
    FILE *stream = NULL;
    if (strcmp(path, "-") == 0) {
        ss_fail(err, "'-' is no file to read: only --run - reads standard input");
        errno = EINVAL;
        return NULL;
    }
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool known = fd >= 0 && fstat(fd, &st) == 0, regular = known && S_ISREG(st.st_mode);
    if (regular && (stream = fdopen(fd, "rb")))
        return stream;
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (known && !regular)
        ss_fail_outside(err, "cannot read %.200s: it is not a regular file", path);
    else
        ss_fail_outside(err, "cannot read %.200s: %s", path, strerror(why));
    errno = known && !regular ? EINVAL : why;
    return NULL;
}
