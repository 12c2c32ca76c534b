/* Write, flush, rename: see outfile.h. */
#include "src/base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

static void (*watcher)(const char *path, void *ctx);
static void *watcher_ctx;

void ss_outfile_watch(void (*written)(const char *path, void *ctx), void *ctx)
{
    watcher = written;
    watcher_ctx = ctx;
}

/* Devices and pipes are written directly: renaming would replace them. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Opening a pipe does not wait for its reader; writing then waits as usual. */
static int open_special(const char *path)
{
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int flags = fd >= 0 ? fcntl(fd, F_GETFL) : -1;
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return fd;
}

/* Nobody can guess the name, so nobody can put a link there first. */
static void temporary_name(ss_outfile *f)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    unsigned char random[8];
    char word[sizeof random + 1] = "";
    if (getrandom(random, sizeof random, 0) != sizeof random)
        memset(random, 0, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        word[i] = digits[random[i] % 32];
    snprintf(f->temporary, sizeof f->temporary, "%s.%s.tmp", f->path, word);
}

/* A new file with the mode of the one that it will replace. O_EXCL follows no link. */
static int open_temporary(ss_outfile *f)
{
    struct stat st;
    int fd = -1;
    for (int i = 0; i < TRIES && fd < 0; i++) {
        temporary_name(f);
        fd = open(f->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    if (fd >= 0 && lstat(f->path, &st) == 0 && S_ISREG(st.st_mode) &&
        fchmod(fd, st.st_mode & 07777) != 0)
        errno = 0; /* a file system without modes */
    return fd;
}

int ss_outfile_open(ss_outfile *f, const char *path, ss_err *err)
{
    memset(f, 0, sizeof *f);
    if (strcmp(path, "-") == 0)
        return ss_fail(err, "'-' is no file to write: only --json - writes to standard output");
    if ((size_t)snprintf(f->path, sizeof f->path, "%s", path) >= sizeof f->path)
        return ss_fail_outside(err, "cannot write %.60s: the name is too long", path);
    bool special = is_special(path);
    snprintf(f->temporary, sizeof f->temporary, "%s", path);
    int fd = special ? open_special(path) : open_temporary(f);
    f->stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (f->stream)
        return SS_OK;
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && !special)
        remove(f->temporary);
    if (special && why == ENXIO)
        return ss_fail_outside(err, "cannot write %s: nobody reads this pipe", path);
    return ss_fail_outside(err, "cannot write %s: %s", path, strerror(why));
}

int ss_outfile_close(ss_outfile *f, bool ok, ss_err *err)
{
    if (!f->stream)
        return SS_OK;
    bool special = strcmp(f->path, f->temporary) == 0;
    bool bad = fflush(f->stream) != 0 || ferror(f->stream);
    int why = errno;
    bad = bad || (!special && fsync(fileno(f->stream)) != 0 && (why = errno));
    bad = (fclose(f->stream) != 0 && (why = errno)) || bad;
    f->stream = NULL;
    if (ok && !bad && (special || rename(f->temporary, f->path) == 0)) {
        if (watcher && !special)
            watcher(f->path, watcher_ctx);
        return SS_OK;
    }
    if (ok && !bad)
        why = errno;
    if (!special)
        remove(f->temporary);
    return ok ? ss_fail_outside(err, "cannot write %s: %s", f->path, strerror(why)) : SS_OK;
}
