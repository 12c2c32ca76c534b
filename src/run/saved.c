/* What follows the array of a saved state, and the line of JSON in it: see parts.h. Engine thread
 * only. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json_out.h"
#include "src/core/registry.h"
#include "src/run/parts.h"

/* No run counts so far; sums and products of such counts fit into 64 bits. */
#define COUNT_MOST 1000000000000000

/* A number of the line. */
typedef struct number {
    const char *name;
    size_t at; /* offset in ss_run */
} number;

#define NUMBER(NAME, MEMBER)                                                                       \
    {                                                                                              \
        NAME, offsetof(ss_run, MEMBER)                                                             \
    }

static const number counts[] = {NUMBER("cycle", cycle), NUMBER("iteration", iteration),
                                NUMBER("step", step), NUMBER("since_step", since.step),
                                NUMBER("exact_since", exact_since)};
static const number reals[] = {NUMBER("time", time),
                               NUMBER("since_time", since.time),
                               NUMBER("since_dt", since.dt),
                               NUMBER("residual0", residual0),
                               NUMBER("largest0", watch.largest),
                               NUMBER("seconds", seconds_solve),
                               NUMBER("launches", total.launches),
                               NUMBER("global_bytes", total.global_bytes),
                               NUMBER("shared_bytes", total.shared_bytes),
                               NUMBER("edge_bytes", total.edge_bytes),
                               NUMBER("reductions", total.reductions),
                               NUMBER("barriers", total.barriers),
                               NUMBER("updates", total.updates),
                               NUMBER("operations", total.operations),
                               NUMBER("redundant_updates", total.redundant_updates)};

/* --- the line: settings as text --------------------------------------------------------------- */

/* Rows whose change begins the run again decide what r0 and the cycle belong to. A row that is
 * hidden with these values (no modelled ranks) says nothing about the problem. */
static const char *problem_text(const ss_config *cfg, char *buf, size_t size)
{
    char value[256];
    const ss_param *row;
    size_t n = 0;
    *buf = '\0';
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) && n < size;)
        if ((row->flags & (SS_P_RESET | SS_P_REOPEN)) && ss_param_matters(row) &&
            (!row->shown || row->shown(cfg)))
            n += (size_t)snprintf(
                buf + n, size - n, "%s%s=%s", n ? " " : "", row->name,
                ss_param_format(row, ss_config_value(cfg, row), value, sizeof value));
    return buf;
}

/* Is the row saved though it was not given, since the others depend on it? */
static bool is_structure(const ss_param *row)
{
    return strcmp(row->name, "equation") == 0 || strcmp(row->name, "solver") == 0;
}

/* The goal is saved; the cycles and seconds after which this part of the run ended are not. */
static bool is_goal(const ss_param *row)
{
    return strcmp(row->name, "until") == 0 || strcmp(row->name, "until-accuracy") == 0;
}

static json_t *given_settings(const ss_config *cfg)
{
    char value[256], text[320];
    json_t *given = json_array();
    const ss_param *row;
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) != NULL;) {
        bool wanted = is_goal(row) || ss_param_matters(row);
        if (!wanted || !(is_structure(row) || ss_config_has(cfg, row)))
            continue;
        snprintf(text, sizeof text, "%s=%s", row->name,
                 ss_param_format(row, ss_config_value(cfg, row), value, sizeof value));
        json_array_append_new(given, json_string(text));
    }
    return given;
}

/* --- the line: writing ------------------------------------------------------------------------ */

/* All digits, which a number of JSON has no room for. */
static void put_edited(json_t *o, const ss_edited *e)
{
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)e->hash);
    json_object_set_new(o, "edited", json_string(hash));
    json_object_set_new(o, "edited_differs", json_boolean(e->bits == SS_BITS_DIFFER));
}

/* The problem, the settings that were given, counters, first residual, ledger. NULL: out of memory.
 */
static json_t *progress_line(const ss_run *run)
{
    char problem[1024];
    json_t *o = json_object(), *first = json_array();
    problem_text(&run->cfg, problem, sizeof problem);
    json_object_set_new(o, "stencilscope", json_string("state"));
    json_object_set_new(o, "version", json_string(SS_VERSION));
    json_object_set_new(o, "problem", json_string(problem));
    json_object_set_new(o, "given", given_settings(&run->cfg));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t v;
        memcpy(&v, (const char *)run + counts[i].at, sizeof v);
        json_object_set_new(o, counts[i].name, json_integer(v));
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        double v;
        memcpy(&v, (const char *)run + reals[i].at, sizeof v);
        json_object_set_new(o, reals[i].name, json_real(isfinite(v) ? v : 0));
    }
    for (int i = 0; i < SS_MONITOR_MAX; i++)
        json_array_append_new(first,
                              json_real(isfinite(run->watch.first[i]) ? run->watch.first[i] : 0));
    json_object_set_new(o, "monitors0", first);
    json_object_set_new(o, "many_dt", json_boolean(run->many_dt));
    json_object_set_new(o, "painted", json_boolean(run->painted));
    if (run->edited.hash != 0)
        put_edited(o, &run->edited);
    return o;
}

/* --- the line: reading ------------------------------------------------------------------------ */

/* `a` and `b` are lists of words. Appends to `out` the words of `a` that are not in `b`. */
static void words_without(const char *a, const char *b, char *out, size_t size)
{
    char words[1024], other[1026], one[1026], *rest = words;
    size_t n = 0;
    snprintf(words, sizeof words, "%s", a);
    snprintf(other, sizeof other, " %s ", b);
    *out = '\0';
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        snprintf(one, sizeof one, " %s ", word);
        if (!strstr(other, one) && n < size)
            n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " " : "", word);
    }
}

static int progress_suits(const json_t *line, const char *path, const ss_run *run, ss_err *err)
{
    char now[1024], its[1024], ours[1024];
    const char *then = json_string_value(json_object_get(line, "problem"));
    problem_text(&run->cfg, now, sizeof now);
    if (strcmp(then, now) == 0)
        return SS_OK;
    words_without(then, now, its, sizeof its);
    words_without(now, then, ours, sizeof ours);
    return ss_fail_outside(err, "%.100s is the state of another problem: %.90s, not %.90s", path,
                           *its ? its : "fewer settings", *ours ? ours : "more settings");
}

/* Sets the equation, the solver and what was given. */
static int progress_settings(const json_t *line, ss_config *cfg, ss_err *err)
{
    const json_t *given = json_object_get(line, "given");
    for (int i = 0; i < (int)json_array_size(given); i++) {
        char name[64];
        const char *text = json_string_value(json_array_get(given, (size_t)i));
        const char *equals = text ? strchr(text, '=') : NULL;
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - text) : 0, text ? text : "");
        if (ss_config_set_of_run(cfg, name, equals ? equals + 1 : "", err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int64_t count_of(const json_t *line, const char *name)
{
    return json_integer_value(json_object_get(line, name));
}

static bool is_count(const json_t *v)
{
    int64_t n = json_integer_value(v);
    return json_is_integer(v) && n >= 0 && n <= COUNT_MOST;
}

static bool is_real(const json_t *v)
{
    double x = json_number_value(v);
    return json_is_number(v) && isfinite(x);
}

static bool is_truth(const json_t *v)
{
    return json_is_true(v) || json_is_false(v);
}

/* Are all members there, and of their type? Only the monitors may be negative: they are no sums. */
static bool is_complete(const json_t *line)
{
    const json_t *first = json_object_get(line, "monitors0");
    bool whole = json_string_value(json_object_get(line, "problem")) &&
                 is_truth(json_object_get(line, "many_dt")) &&
                 is_truth(json_object_get(line, "painted")) &&
                 json_array_size(first) == SS_MONITOR_MAX;
    for (size_t i = 0; whole && i < SS_MONITOR_MAX; i++)
        whole = is_real(json_array_get(first, i));
    for (size_t i = 0; whole && i < sizeof reals / sizeof *reals; i++) {
        const json_t *v = json_object_get(line, reals[i].name);
        whole = is_real(v) && !(json_number_value(v) < 0);
    }
    return whole;
}

/* Fails if a member is missing or has no valid value. */
static int progress_check(const json_t *line, const char *path, ss_err *err)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!is_count(json_object_get(line, counts[i].name)))
            return ss_fail_outside(err, "%s: the state's number %s is not between 0 and %lld", path,
                                   counts[i].name, (long long)COUNT_MOST);
    if (is_complete(line) && count_of(line, "since_step") <= count_of(line, "step") &&
        count_of(line, "exact_since") <= count_of(line, "cycle"))
        return SS_OK;
    return ss_fail_outside(err, "%s: the state's line is incomplete", path);
}

/* Of a state without cycles of an edited kernel: nothing. */
static void take_edited(const json_t *line, ss_edited *e)
{
    const char *hash = json_string_value(json_object_get(line, "edited"));
    bool differs = json_is_true(json_object_get(line, "edited_differs"));
    if (hash)
        *e = (ss_edited){strtoull(hash, NULL, 16), differs ? SS_BITS_DIFFER : SS_BITS_UNKNOWN};
}

static void progress_take(const json_t *line, ss_run *run)
{
    const json_t *first = json_object_get(line, "monitors0");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t v = count_of(line, counts[i].name);
        memcpy((char *)run + counts[i].at, &v, sizeof v);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        double v = json_number_value(json_object_get(line, reals[i].name));
        memcpy((char *)run + reals[i].at, &v, sizeof v);
    }
    if (run->cycle == 0)
        return;
    for (size_t i = 0; i < SS_MONITOR_MAX; i++)
        run->watch.first[i] = json_number_value(json_array_get(first, i));
    run->many_dt = json_is_true(json_object_get(line, "many_dt"));
    run->painted = json_is_true(json_object_get(line, "painted"));
    take_edited(line, &run->edited);
    /* The norm of this field is computed again, against the first norm of the saved run. */
    run->residual_cycle = run->eq->kind == SS_STEADY && run->residual0 > 0 ? run->cycle - 1 : -1;
}

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
    json_t *o = progress_line(run);
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
    return progress_check(s->line, s->path, err);
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
        status = progress_settings(s->line, cfg, err);
    if (status != SS_OK && err)
        err->outside = true; /* the file's words, not the user's */
    ss_saved_close(s);
    return status;
}

/* --- continuing ------------------------------------------------------------------------------- */

int ss_saved_suits(const ss_saved *s, const ss_run *run, ss_err *err)
{
    return progress_suits(s->line, s->path, run, err);
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
        progress_take(s->line, run);
}
