/* The line of JSON of a saved state: see saved.h. Engine thread only. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/run/saved.h"

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

/* --- settings as text ------------------------------------------------------------------------- */

typedef struct settings {
    const ss_config *cfg;
    char problem[1024];
    json_t *given;
} settings;

static const char *value_text(const settings *s, const ss_param *row, char *buf, size_t size)
{
    return ss_param_format(row, ss_config_value(s->cfg, row), buf, size);
}

/* Rows whose change begins the run again decide what r0 and the cycle belong to. A row that is
 * hidden with these values (no modelled ranks) says nothing about the problem. */
static void add_problem(const ss_param *row, void *ctx)
{
    settings *s = ctx;
    char value[256];
    size_t n = strlen(s->problem);
    if (!(row->flags & (SS_P_RESET | SS_P_REOPEN)) || !ss_param_matters(row) ||
        (row->shown && !row->shown(s->cfg)))
        return;
    snprintf(s->problem + n, sizeof s->problem - n, "%s%s=%s", n ? " " : "", row->name,
             value_text(s, row, value, sizeof value));
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

static void add_given(const ss_param *row, void *ctx)
{
    settings *s = ctx;
    char value[256], text[320];
    bool wanted = is_goal(row) || ss_param_matters(row);
    if (!wanted || !(is_structure(row) || ss_config_has(s->cfg, row)))
        return;
    snprintf(text, sizeof text, "%s=%s", row->name, value_text(s, row, value, sizeof value));
    json_array_append_new(s->given, json_string(text));
}

static void put_problem(const ss_run *run, settings *s)
{
    *s = (settings){.cfg = &run->cfg};
    ss_param_each(&run->cfg, add_problem, s);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* All digits, which a number of JSON has no room for. */
static void put_edited(json_t *o, const ss_edited *e)
{
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)e->hash);
    json_object_set_new(o, "edited", json_string(hash));
    json_object_set_new(o, "edited_differs", json_boolean(e->bits == SS_BITS_DIFFER));
}

json_t *ss_progress_line(const ss_run *run)
{
    settings s;
    json_t *o = json_object(), *first = json_array();
    put_problem(run, &s);
    s.given = json_array();
    ss_param_each(&run->cfg, add_given, &s);
    json_object_set_new(o, "stencilscope", json_string("state"));
    json_object_set_new(o, "version", json_string(SS_VERSION));
    json_object_set_new(o, "problem", json_string(s.problem));
    json_object_set_new(o, "given", s.given);
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

/* --- reading ---------------------------------------------------------------------------------- */

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

int ss_progress_suits(const json_t *line, const char *path, const ss_run *run, ss_err *err)
{
    settings now;
    char its[1024], ours[1024];
    const char *then = json_string_value(json_object_get(line, "problem"));
    put_problem(run, &now);
    if (strcmp(then, now.problem) == 0)
        return SS_OK;
    words_without(then, now.problem, its, sizeof its);
    words_without(now.problem, then, ours, sizeof ours);
    return ss_fail_outside(err, "%.100s is the state of another problem: %.90s, not %.90s", path,
                           *its ? its : "fewer settings", *ours ? ours : "more settings");
}

int ss_progress_settings(const json_t *line, ss_config *cfg, ss_err *err)
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

int ss_progress_check(const json_t *line, const char *path, ss_err *err)
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

void ss_progress_take(const json_t *line, ss_run *run)
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
