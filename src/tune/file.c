/* Results of a tuning map in a CSV file that is only appended to: see kit.h. A comment with the
 * settings, a header, and a row per cell as soon as it is measured, so that a map that was killed
 * can be resumed. The reason in the status column is quoted. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/file.h"
#include "src/tune/kit.h"

#define FIELD_MAX 12
#define FILE_MAX (64L << 20)

typedef struct row {
    char *field[FIELD_MAX];
    int n;
} row;

/* --- writing it ------------------------------------------------------------------------------- */

static int naxes(const ss_tune_map *m)
{
    return m->axes->n;
}

static void put_head(const ss_tune_map *m, char *buf, size_t size)
{
    size_t n = (size_t)snprintf(buf, size, "# stencilscope %s\n", m->settings);
    for (int i = 0; i < naxes(m) && n < size; i++)
        n += (size_t)snprintf(buf + n, size - n, "%s,", m->axes->at[i].row->name);
    if (n < size)
        snprintf(buf + n, size - n, "cycles,blocks,work,seconds,status%s%s\n",
                 m->quantity->column ? "," : "", m->quantity->column ? m->quantity->column : "");
}

/* An empty field if the value is not known. */
static void put_number(FILE *out, const char *format, double v)
{
    fputc(',', out);
    if (isfinite(v))
        fprintf(out, format, v);
}

static void put_status(FILE *out, const ss_map_cell *c)
{
    fprintf(out, *c->why ? ",\"%s: " : ",%s", ss_cell_status_name(c->status));
    for (const char *at = c->why; *at; at++)
        if (*at != '\n' && *at != '\r')
            fprintf(out, *at == '"' ? "\"\"" : "%c", *at);
    fprintf(out, *c->why ? "\"" : "");
}

static void put_row(FILE *out, const ss_tune_map *m, int cell)
{
    const ss_map_cell *c = &m->cell[cell];
    bool ran = c->status != SS_CELL_REFUSED;
    for (int i = 0; i < naxes(m); i++) {
        int direction = naxes(m) > 1 ? i : 1;
        fprintf(out, "%s%s", i ? "," : "", m->axes->at[i].text[ss_tune_at(m, cell, direction)]);
    }
    put_number(out, "%.0f", ran ? (double)c->cycles : (double)NAN);
    put_number(out, "%.0f", c->blocks);
    put_number(out, "%.0f", ran ? (double)c->cycles * c->blocks : (double)NAN);
    put_number(out, SS_TUNE_SECONDS, c->seconds);
    put_status(out, c);
    if (m->quantity->column)
        put_number(out, "%.17g", ss_tune_quantity_of(m, m->quantity, c));
    fputc('\n', out);
}

/* --- reading it ------------------------------------------------------------------------------- */

/* Splits a line in place; false: it is not a row. */
static bool split(char *line, row *r)
{
    r->n = 0;
    for (char *from = line, *to = line;; from++) {
        bool quoted = *from == '"';
        if (r->n == FIELD_MAX)
            return false;
        r->field[r->n++] = to;
        for (from += quoted; *from && (quoted || *from != ','); from++) {
            if (quoted && *from == '"' && from[1] != '"') {
                quoted = false;
                continue;
            }
            from += *from == '"' && quoted;
            *to++ = *from;
        }
        bool last = !*from;
        *to++ = '\0';
        if (last)
            return !quoted;
    }
}

static bool read_number(const char *text, double *out)
{
    char *end;
    *out = *text ? strtod(text, &end) : (double)NAN;
    return !*text || !*end;
}

static bool read_status(const char *text, ss_map_cell *c)
{
    size_t n = strcspn(text, ":");
    for (int s = SS_CELL_OK; s < SS_NCELL_STATUS; s++) {
        const char *name = ss_cell_status_name((ss_cell_status)s);
        if (strlen(name) == n && strncmp(name, text, n) == 0)
            c->status = (ss_cell_status)s;
    }
    if (text[n])
        snprintf(c->why, sizeof c->why, "%s", text + n + 1 + (text[n + 1] == ' '));
    return c->status != SS_CELL_NONE;
}

/* Position of a value on its axis; -1: it is not there. */
static int find_value(const ss_tune_axis *a, const char *text)
{
    for (int i = 0; i < a->n; i++)
        if (strcmp(a->text[i], text) == 0)
            return i;
    return -1;
}

static int find_cell(const ss_tune_map *m, const row *r)
{
    int cell = 0;
    for (int i = 0; i < naxes(m); i++) {
        int at = find_value(&m->axes->at[i], r->field[i]);
        if (at < 0)
            return -1;
        cell = cell * m->axes->at[i].n + at;
    }
    return cell;
}

/* Stores a result that was read. */
static void put_cell(ss_tune_map *m, int cell, const ss_map_cell *c)
{
    m->cell[cell] = *c;
    ss_tune_complete(m, cell);
}

/* False: it is not a row. Rows of cells outside this map are skipped. */
static bool take_row(ss_tune_map *m, char *line, time_t when)
{
    row r;
    ss_map_cell c = {
        .status = SS_CELL_NONE, .bytes = NAN, .measured = NAN, .guess = NAN, .when = when};
    double cycles, work, more = NAN;
    int n = naxes(m);
    if (!split(line, &r) || r.n != n + 5 + (m->quantity->column != NULL) ||
        !read_number(r.field[n], &cycles) || !read_number(r.field[n + 1], &c.blocks) ||
        !read_number(r.field[n + 2], &work) || !read_number(r.field[n + 3], &c.seconds) ||
        !read_status(r.field[n + 4], &c) ||
        (m->quantity->column && !read_number(r.field[n + 5], &more)))
        return false;
    if (c.status != SS_CELL_REFUSED && !(cycles >= 0 && cycles < 1e18))
        return false;
    c.cycles = cycles >= 0 && cycles < 1e18 ? (int64_t)cycles : 0;
    if (m->quantity->measure)
        c.measured = more;
    int cell = find_cell(m, &r);
    if (cell < 0 || m->cell[cell].status != SS_CELL_NONE)
        return true;
    put_cell(m, cell, &c);
    return true;
}

static int take_rows(ss_tune_map *m, char *text, const char *path, time_t when, ss_err *err)
{
    int number = 3; /* after the head */
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, number++) {
        *end = '\0';
        if (!take_row(m, line, when))
            return ss_fail(err, "%.200s:%d: '%.40s' is no row of this map", path, number, line);
    }
    return SS_OK;
}

/* A part of a line that a message quotes: from a little before the place where it differs. */
typedef struct quote {
    const char *dots, *text;
    int length;
} quote;

static quote quote_line(const char *line, size_t differs)
{
    size_t from = differs > 60 ? differs - 20 : 0, length;
    while (from > 0 && ((unsigned char)line[from] & 0xc0) == 0x80)
        from--;
    length = strcspn(line + from, "\n");
    return (quote){from ? "..." : "", line + from, length < 100 ? (int)length : 100};
}

/* Reports which of the first two lines differs, and where. */
static int fail_head(const char *path, const char *text, const char *head, ss_err *err)
{
    size_t first = strcspn(head, "\n") + 1, at = 0;
    bool columns = strncmp(text, head, first) == 0;
    text += columns ? first : 0, head += columns ? first : 0;
    while (text[at] && text[at] == head[at])
        at++;
    quote theirs = quote_line(text, at), ours = quote_line(head, at);
    return ss_fail(err,
                   columns ? "%.120s is a file of something else: its columns are %s%.*s, those of "
                             "this map %s%.*s: give the axes and the --quantity that it was begun "
                             "with"
                           : "%.120s is a file of something else: its first line is '%s%.*s', that "
                             "of this map '%s%.*s'",
                   path, theirs.dots, theirs.length, theirs.text, ours.dots, ours.length,
                   ours.text);
}

/* Only the last line may be incomplete: what follows the last line feed is dropped. *whole: where
 * it begins in the file. */
static int take_text(ss_tune_map *m, char *text, size_t size, const char *path, time_t when,
                     size_t *whole, ss_err *err)
{
    char head[1400];
    put_head(m, head, sizeof head);
    size_t n = strlen(head), lines = size;
    while (lines > 0 && text[lines - 1] != '\n')
        lines--;
    size = ss_lines_plain(text, size);
    text[size] = '\0';
    *whole = 0;
    if (size < n && memcmp(text, head, size) == 0)
        return SS_OK; /* empty, or cut within the head */
    if (strlen(text) != size)
        return ss_fail(err, "%.200s is a file of something else: it contains a NUL character",
                       path);
    if (strncmp(text, head, n) != 0)
        return fail_head(path, text, head, err);
    strrchr(text, '\n')[1] = '\0';
    *whole = lines;
    return take_rows(m, text + n, path, when, err);
}

/* --- opening, adding -------------------------------------------------------------------------- */

/* The whole file, ended by a NUL, or NULL; free it. */
static char *read_all(FILE *in, const char *path, size_t *size, time_t *when, ss_err *err)
{
    struct stat st;
    if (fstat(fileno(in), &st) != 0 || !S_ISREG(st.st_mode)) {
        ss_fail(err, "%.200s is no file that can be appended to", path);
        return NULL;
    }
    if (st.st_size > FILE_MAX) {
        ss_fail(err, "%.200s is too large to be a map's", path);
        return NULL;
    }
    *when = st.st_mtime;
    char *text = ss_alloc((size_t)st.st_size + 1, path, err);
    if (!text)
        return NULL;
    *size = fread(text, 1, (size_t)st.st_size, in);
    if (!ferror(in))
        return text;
    ss_fail(err, "cannot read %.200s: %s", path, strerror(errno));
    free(text);
    return NULL;
}

static int fail_write(const char *path, ss_err *err)
{
    return ss_fail(err, "cannot write %.200s: %s", path, strerror(errno));
}

/* Reads what is there, cuts off an incomplete line, and writes the head if there is none. */
static int take_over(ss_tune_file *f, ss_tune_map *m, ss_err *err)
{
    char head[1400];
    size_t size = 0, whole = 0;
    time_t when = 0;
    char *text = read_all(f->stream, f->path, &size, &when, err);
    if (!text)
        return SS_FAIL;
    int status = take_text(m, text, size, f->path, m->deterministic ? 0 : when, &whole, err);
    free(text);
    if (status != SS_OK)
        return SS_FAIL;
    if (ftruncate(fileno(f->stream), (off_t)whole) != 0)
        return fail_write(f->path, err);
    fseek(f->stream, 0, SEEK_END);
    put_head(m, head, sizeof head);
    if (whole == 0 && (fputs(head, f->stream) < 0 || fflush(f->stream) != 0))
        return fail_write(f->path, err);
    return SS_OK;
}

int ss_tune_file_open(ss_tune_file *f, const char *path, ss_tune_map *m, ss_err *err)
{
    *f = (ss_tune_file){.path = path};
    if (!path)
        return SS_OK;
    f->stream = fopen(path, "a+b");
    if (!f->stream)
        return fail_write(path, err);
    if (flock(fileno(f->stream), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        ss_fail(err, "another map is writing %.200s", path);
    else if (take_over(f, m, err) == SS_OK)
        return SS_OK;
    fclose(f->stream);
    f->stream = NULL;
    return SS_FAIL;
}

int ss_tune_file_add(ss_tune_file *f, const ss_tune_map *m, int cell, ss_err *err)
{
    if (!f->stream)
        return SS_OK;
    put_row(f->stream, m, cell);
    return fflush(f->stream) == 0 && !ferror(f->stream) ? SS_OK : fail_write(f->path, err);
}

int ss_tune_file_close(ss_tune_file *f, ss_err *err)
{
    if (!f->stream)
        return SS_OK;
    bool bad = ferror(f->stream);
    bad = fclose(f->stream) != 0 || bad;
    f->stream = NULL;
    return bad ? fail_write(f->path, err) : SS_OK;
}
