/* See infile.h. */
#include "src/base/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

char *ss_infile_text(const char *path, size_t most, ss_err *err)
{
    FILE *f = ss_infile_open(path, err);
    char *text = f ? ss_alloc(most + 2, path, err) : NULL;
    size_t n = text ? fread(text, 1, most + 1, f) : 0;
    bool bad = f && (ferror(f) || n > most);
    if (f)
        fclose(f);
    if (text)
        text[n] = '\0';
    if (!bad)
        return text;
    free(text);
    ss_fail_outside(err, n > most ? "%s is too long" : "%s cannot be read", path);
    return NULL;
}
