/* Write, flush, rename: see outfile.h. */
#include "src/base/outfile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Devices and pipes are written directly: renaming would replace them. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

int ss_outfile_open(ss_outfile *f, const char *path, ss_err *err)
{
    memset(f, 0, sizeof *f);
    if ((size_t)snprintf(f->path, sizeof f->path, "%s", path) >= sizeof f->path)
        return ss_fail(err, "cannot write %.60s...: the name is too long", path);
    if (is_special(path))
        snprintf(f->temporary, sizeof f->temporary, "%s", path);
    else
        snprintf(f->temporary, sizeof f->temporary, "%s.%ld.tmp", path, (long)getpid());
    f->stream = fopen(f->temporary, "wb");
    if (!f->stream)
        return ss_fail(err, "cannot write %s: %s", path, strerror(errno));
    return SS_OK;
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
    if (ok && !bad && (special || rename(f->temporary, f->path) == 0))
        return SS_OK;
    if (ok && !bad)
        why = errno;
    if (!special)
        remove(f->temporary);
    return ok ? ss_fail(err, "cannot write %s: %s", f->path, strerror(why)) : SS_OK;
}
