/* See file.h. */
#include "src/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- files to read ---------------------------------------------------------------------------- */

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

/* --- files to write --------------------------------------------------------------------------- */

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

/* --- the user's state ------------------------------------------------------------------------- */

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

/* --- lines by key ----------------------------------------------------------------------------- */

enum { STATE_LINE = 1024, STATE_LINES = 1024 }; /* STATE_LINES: that are kept */

static char word_char(char c)
{
    return (unsigned char)c <= ' ' || c == 127 ? '_' : c;
}

static bool is_of(const char *line, const char *key)
{
    while (*key && *line == word_char(*key))
        line++, key++;
    return !*key && *line == ' ';
}

/* Calls take for the lines of a key, or for all others; a long line comes in pieces. */
static void each_piece(FILE *f, const char *key, bool others,
                       void (*take)(char *piece, bool begins, void *ctx), void *ctx)
{
    char line[STATE_LINE];
    bool begins = true, first = true, ours = false;
    for (; fgets(line, sizeof line, f); first = false) {
        char *text = line + (first ? ss_lines_mark(line, strlen(line)) : 0);
        ours = begins ? is_of(text, key) : ours;
        bool ends = strchr(text, '\n') != NULL;
        if (ours != others)
            take(text, begins, ctx);
        begins = ends;
    }
}

typedef struct taker {
    size_t skip; /* the key and the space */
    void (*take)(char *text, void *ctx);
    void *ctx;
} taker;

static void take_line(char *piece, bool begins, void *ctx)
{
    const taker *t = ctx;
    if (begins)
        t->take(ss_line_plain(piece, false) + t->skip, t->ctx);
}

void ss_state_read(const char *name, const char *key, void (*take)(char *text, void *ctx),
                   void *ctx)
{
    char path[1024];
    taker t = {strlen(key) + 1, take, ctx};
    FILE *f =
        ss_state_path(name, path, sizeof path, NULL) == SS_OK ? ss_infile_open(path, NULL) : NULL;
    if (!f)
        return;
    each_piece(f, key, false, take_line, &t);
    fclose(f);
}

typedef struct copier {
    FILE *to;
    int lines;
} copier;

static void copy_piece(char *piece, bool begins, void *ctx)
{
    copier *c = ctx;
    c->lines += begins;
    if (c->lines <= STATE_LINES)
        fputs(piece, c->to);
}

static int copy_others(const char *path, const char *key, FILE *to, ss_err *err)
{
    copier c = {to, 0};
    FILE *f = ss_infile_open(path, err);
    if (!f)
        return errno == ENOENT ? SS_OK : SS_FAIL;
    each_piece(f, key, true, copy_piece, &c);
    int status = ferror(f) ? ss_fail_outside(err, "cannot read %.200s", path) : SS_OK;
    fclose(f);
    return status;
}

static void put_lines(const char *key, const char *lines, FILE *to)
{
    while (*lines) {
        int n = (int)strcspn(lines, "\n") + 1;
        for (const char *c = key; *c; c++)
            fputc(word_char(*c), to);
        fprintf(to, " %.*s", n, lines);
        lines += n;
    }
}

int ss_state_write(const char *name, const char *key, const char *lines, ss_err *err)
{
    char path[1024];
    ss_outfile out;
    if (ss_state_path(name, path, sizeof path, err) != SS_OK)
        return SS_FAIL;
    int lock = ss_state_lock(path), status = ss_outfile_open(&out, path, err);
    if (status == SS_OK) {
        put_lines(key, lines, out.stream);
        status = copy_others(path, key, out.stream, err);
        if (ss_outfile_close(&out, status == SS_OK, status == SS_OK ? err : NULL) != SS_OK)
            status = SS_FAIL;
    }
    if (lock >= 0)
        close(lock);
    return status;
}

/* --- lines of text files ---------------------------------------------------------------------- */

static const char mark[] = "\xef\xbb\xbf"; /* U+FEFF */

size_t ss_lines_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
}

size_t ss_lines_plain(char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = ss_lines_mark(text, size); i < size; i++)
        if (text[i] != '\r' || i + 1 == size || text[i + 1] != '\n')
            text[n++] = text[i];
    return n;
}

char *ss_line_plain(char *line, bool first)
{
    size_t n = strlen(line);
    n -= n > 0 && line[n - 1] == '\n';
    n -= n > 0 && line[n - 1] == '\r';
    line[n] = '\0';
    return line + (first ? ss_lines_mark(line, n) : 0);
}
