/* The progress of a run as one line of JSON behind the array of a saved state: see parts.h. NumPy
 * reads the array and ignores the line. Engine thread only. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json_out.h"
#include "src/base/npy.h"
#include "src/core/registry.h"
#include "src/run/parts.h"

enum { LINE_MAX_BYTES = 16384 };

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
                                NUMBER("step", step), NUMBER("since_step", since.step)};
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

/* --- the problem as text ---------------------------------------------------------------------- */

typedef struct problem_text {
    const ss_config *cfg;
    char text[1024];
} problem_text;

/* Rows whose change begins the run again decide what r0 and the cycle belong to. A row that is
 * hidden with these values (no modelled ranks) says nothing about the problem. */
static void add_row(const ss_param *row, void *ctx)
{
    problem_text *t = ctx;
    char value[256];
    size_t n = strlen(t->text);
    if (!(row->flags & (SS_P_RESET | SS_P_REOPEN)) || !ss_param_matters(row) ||
        (row->shown && !row->shown(t->cfg)))
        return;
    snprintf(t->text + n, sizeof t->text - n, "%s%s=%s", n ? " " : "", row->name,
             ss_param_format(row, ss_config_value(t->cfg, row), value, sizeof value));
}

static void put_problem(const ss_run *run, problem_text *t)
{
    *t = (problem_text){.cfg = &run->cfg};
    ss_param_each(&run->cfg, add_row, t);
}

/* --- writing ---------------------------------------------------------------------------------- */

char *ss_run_progress(const ss_run *run)
{
    problem_text problem;
    json_t *o = json_object(), *first = json_array();
    put_problem(run, &problem);
    json_object_set_new(o, "stencilscope", json_string("state"));
    json_object_set_new(o, "problem", json_string(problem.text));
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
    json_object_set_new(o, "exact_since", json_integer(run->exact_since));
    json_object_set_new(o, "many_dt", json_boolean(run->many_dt));
    json_object_set_new(o, "painted", json_boolean(run->painted));
    char *line = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(o);
    return line;
}

/* --- reading ---------------------------------------------------------------------------------- */

static int check_problem(const ss_run *run, const char *path, const json_t *o, ss_err *err)
{
    problem_text now;
    const char *then = json_string_value(json_object_get(o, "problem"));
    put_problem(run, &now);
    if (then && strcmp(then, now.text) == 0)
        return SS_OK;
    return ss_fail(err, "%s: it is the state of another problem: %.200s", path,
                   then ? then : "its line is damaged");
}

/* Copies the numbers into the run; SS_FAIL, with the run unchanged, if one is missing or invalid.
 */
static int take_numbers(ss_run *run, const char *path, const json_t *o, ss_err *err)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const json_t *v = json_object_get(o, counts[i].name);
        if (!json_is_integer(v) || json_integer_value(v) < 0)
            return ss_fail(err, "%s: the number %s is damaged", path, counts[i].name);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        const json_t *v = json_object_get(o, reals[i].name);
        if (!json_is_number(v) || !(json_number_value(v) >= 0))
            return ss_fail(err, "%s: the number %s is damaged", path, reals[i].name);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t v = json_integer_value(json_object_get(o, counts[i].name));
        memcpy((char *)run + counts[i].at, &v, sizeof v);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        double v = json_number_value(json_object_get(o, reals[i].name));
        memcpy((char *)run + reals[i].at, &v, sizeof v);
    }
    return SS_OK;
}

static int take_line(ss_run *run, const char *path, const char *line, ss_err *err)
{
    if (ss_json_check(err) != SS_OK)
        return SS_FAIL;
    json_t *o = json_loads(line, 0, NULL);
    if (!o)
        return ss_fail(err, "%s: the line after the array is damaged", path);
    int status = check_problem(run, path, o, err);
    if (status == SS_OK)
        status = take_numbers(run, path, o, err);
    if (status == SS_OK && run->cycle > 0) {
        const json_t *first = json_object_get(o, "monitors0");
        for (int i = 0; i < SS_MONITOR_MAX; i++)
            run->watch.first[i] = json_number_value(json_array_get(first, (size_t)i));
        const json_t *exact = json_object_get(o, "exact_since"); /* older states do not tell */
        run->exact_since = json_is_integer(exact) ? json_integer_value(exact) : run->cycle;
        run->many_dt = json_is_true(json_object_get(o, "many_dt"));
        run->painted = json_is_true(json_object_get(o, "painted"));
        /* The norm of this field is computed again, against the first norm of the saved run. */
        run->residual_cycle =
            run->eq->kind == SS_STEADY && run->residual0 > 0 ? run->cycle - 1 : -1;
    }
    json_decref(o);
    return status;
}

int ss_run_continue(ss_run *run, ss_err *err)
{
    if (!run->load)
        return SS_OK;
    char *line = malloc(LINE_MAX_BYTES);
    int status = line ? ss_npy_tail(run->load, line, LINE_MAX_BYTES, err)
                      : ss_fail_memory(err, "the progress of a state", LINE_MAX_BYTES);
    if (status == SS_OK && *line)
        status = take_line(run, run->load, line, err);
    free(line);
    return status;
}
