/* What follows the array of a saved state: see saved.h. */
#include "src/run/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/run/parts.h"

enum { LINE_MOST = 16384 };

struct ss_saved {
    ss_npy *file;
    const char *path; /* the caller's */
    json_t *line;
    int64_t memory_at, memory; /* bytes in the tail */
    int64_t rhs_at, rhs;
};

/* --- the method ------------------------------------------------------------------------------- */

static size_t memory_bytes(const ss_run *run)
{
    return run->ops->memory ? run->ops->memory(run) : 0;
}

/* Whose memory it is: "cpu cg 0123456789abcdef". */
static const char *method_text(const ss_run *run, char *buf, size_t size)
{
    snprintf(buf, size, "%s %s %016llx", run->backend->name, run->ops->name,
             (unsigned long long)ss_run_method(&run->cfg));
    return buf;
}

/* --- writing ---------------------------------------------------------------------------------- */

static size_t row_bytes(const ss_run *run)
{
    return (size_t)run->problem.nx * ss_prec_size(run->prec);
}

static int rhs_rows(const ss_run *run)
{
    return run->problem.nz * run->problem.ny;
}

static int write_line(const ss_run *run, ss_npy *f, ss_err *err)
{
    char method[96];
    json_t *o = ss_progress_line(run);
    size_t rhs = run->rhs ? row_bytes(run) * (size_t)rhs_rows(run) : 0;
    json_object_set_new(o, "method", json_string(method_text(run, method, sizeof method)));
    json_object_set_new(o, "memory_bytes", json_integer((json_int_t)memory_bytes(run)));
    json_object_set_new(o, "rhs_bytes", json_integer((json_int_t)rhs));
    char *line = o ? json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(o);
    int status = !line ? ss_fail_memory(err, "the line of a saved state", LINE_MOST)
                 : strlen(line) >= LINE_MOST ? ss_fail(err, "the settings are too long to be saved")
                                             : ss_npy_write(f, line, strlen(line), err);
    free(line);
    return status == SS_OK ? ss_npy_write(f, "\n", 1, err) : status;
}

static int write_memory(ss_run *run, ss_npy *f, ss_err *err)
{
    size_t bytes = memory_bytes(run);
    void *copy = bytes > 0 ? ss_alloc(bytes, "a copy of the method's vectors", err) : NULL;
    if (bytes == 0)
        return SS_OK;
    int status = copy ? run->ops->memory_get(run, copy, err) : SS_FAIL;
    if (status == SS_OK)
        status = ss_npy_write(f, copy, bytes, err);
    free(copy);
    return status;
}

static int write_rhs(ss_run *run, ss_npy *f, ss_err *err)
{
    int ny = run->problem.ny, status = SS_OK;
    void *row = run->rhs ? ss_alloc(row_bytes(run), "a row", err) : NULL;
    if (!run->rhs)
        return SS_OK;
    for (int at = 0; row && at < rhs_rows(run) && status == SS_OK; at++) {
        int k = at / ny, j = at % ny;
        status = run->backend->download(run, 1, 0, k, j, j + 1, row, err);
        if (status == SS_OK)
            status = ss_npy_write(f, row, row_bytes(run), err);
    }
    free(row);
    return row ? status : SS_FAIL;
}

int ss_saved_write(ss_run *run, ss_npy *f, ss_err *err)
{
    if (ss_json_check(err) != SS_OK || write_line(run, f, err) != SS_OK ||
        write_memory(run, f, err) != SS_OK || write_rhs(run, f, err) != SS_OK)
        return SS_FAIL;
    return ss_npy_seal(f, err);
}

/* --- opening ---------------------------------------------------------------------------------- */

bool ss_saved_is_name(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && strcmp(path + n - 5, ".ckpt") == 0;
}

/* Where the two parts behind the line lie. False: they do not fill the tail. */
static bool place_parts(ss_saved *s, int64_t line, int64_t tail)
{
    const json_t *memory = json_object_get(s->line, "memory_bytes");
    const json_t *rhs = json_object_get(s->line, "rhs_bytes");
    int64_t left = tail - line;
    if (!json_is_integer(memory) || !json_is_integer(rhs))
        return false;
    s->memory = json_integer_value(memory);
    s->rhs = json_integer_value(rhs);
    s->memory_at = line;
    s->rhs_at = line + s->memory;
    return s->memory >= 0 && s->rhs >= 0 && s->memory <= left && s->rhs == left - s->memory;
}

static int read_line(ss_saved *s, int64_t tail, ss_err *err)
{
    char text[LINE_MOST + 1];
    size_t n = tail < LINE_MOST ? (size_t)tail : LINE_MOST;
    if (ss_npy_read_tail(s->file, 0, text, n, err) != SS_OK)
        return SS_FAIL;
    char *end = memchr(text, '\n', n);
    if (!end)
        return ss_npy_damaged(s->file, err);
    *end = '\0';
    s->line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    if (!s->line || !place_parts(s, end + 1 - text, tail))
        return ss_npy_damaged(s->file, err);
    return ss_progress_check(s->line, s->path, err);
}

int ss_saved_open(const char *path, ss_saved **out, ss_err *err)
{
    ss_npy_shape shape;
    int64_t tail = 0;
    *out = NULL;
    ss_saved *s = ss_alloc(sizeof *s, "a saved state", err);
    if (!s)
        return SS_FAIL;
    *s = (ss_saved){.file = ss_npy_open(path, &shape, err), .path = path};
    int status = s->file ? ss_npy_check_seal(s->file, &tail, err) : SS_FAIL;
    if (status == SS_OK && tail == 0 && ss_saved_is_name(path))
        status = ss_npy_damaged(s->file, err);
    if (status == SS_OK && tail > 0)
        status = ss_json_check(err) == SS_OK ? read_line(s, tail, err) : SS_FAIL;
    if (status == SS_OK && tail > 0)
        *out = s;
    else
        ss_saved_close(s);
    return status;
}

void ss_saved_close(ss_saved *s)
{
    if (!s)
        return;
    json_decref(s->line);
    ss_npy_close(s->file, false, NULL);
    free(s);
}

int ss_run_settings_of(const char *path, ss_config *cfg, bool *state, ss_err *err)
{
    ss_saved *s;
    int status = ss_saved_open(path, &s, err);
    *state = s;
    if (s)
        status = ss_progress_settings(s->line, cfg, err);
    if (status != SS_OK && err)
        err->outside = true; /* the file's words, not the user's */
    ss_saved_close(s);
    return status;
}

/* --- continuing ------------------------------------------------------------------------------- */

int ss_saved_suits(const ss_saved *s, const ss_run *run, ss_err *err)
{
    return ss_progress_suits(s->line, s->path, run, err);
}

bool ss_saved_has_rhs(const ss_saved *s)
{
    return s->rhs > 0;
}

int ss_saved_put_rhs(ss_saved *s, ss_run *run, ss_err *err)
{
    size_t bytes = row_bytes(run);
    int ny = run->problem.ny, status = SS_OK;
    if (s->rhs != (int64_t)bytes * rhs_rows(run))
        return ss_fail_outside(err, "%s holds no right-hand side for this run", s->path);
    void *row = ss_alloc(bytes, "a row", err);
    for (int at = 0; row && at < rhs_rows(run) && status == SS_OK; at++) {
        int k = at / ny, j = at % ny;
        status = ss_npy_read_tail(s->file, s->rhs_at + (int64_t)bytes * at, row, bytes, err);
        if (status == SS_OK)
            status = run->backend->upload(run, 1, 0, k, j, j + 1, row, err);
    }
    free(row);
    return row ? status : SS_FAIL;
}

static int read_memory(ss_saved *s, ss_run *run, size_t bytes, ss_err *err)
{
    if (s->memory != (int64_t)bytes)
        return ss_fail_outside(err,
                               "%s was saved by another version: it has %lld bytes of vectors, but "
                               "%s needs %lld",
                               s->path, (long long)s->memory, run->solver->name, (long long)bytes);
    void *copy = ss_alloc(bytes, "a copy of the method's vectors", err);
    int status = copy ? ss_npy_read_tail(s->file, s->memory_at, copy, bytes, err) : SS_FAIL;
    if (status == SS_OK)
        status = run->ops->memory_put(run, copy, err);
    free(copy);
    return status;
}

int ss_saved_put_memory(ss_saved *s, ss_run *run, ss_err *err)
{
    char now[96];
    if (!run->ops->memory)
        return SS_OK;
    const char *then = s ? json_string_value(json_object_get(s->line, "method")) : NULL;
    bool same = then && strcmp(then, method_text(run, now, sizeof now)) == 0;
    return same ? read_memory(s, run, memory_bytes(run), err)
                : run->ops->memory_put(run, NULL, err);
}

void ss_saved_put_progress(const ss_saved *s, ss_run *run)
{
    if (s)
        ss_progress_take(s->line, run);
}
