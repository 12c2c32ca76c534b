/* A bench that was interrupted: its measurements in the JSON file, written while it runs, and taken
 * over by the next bench of the same command. See kit.h. Main thread. */
#include <stdio.h>
#include <string.h>

#include "src/base/json_out.h"
#include "src/bench/kit.h"

/* --- writing ---------------------------------------------------------------------------------- */

json_t *ss_bench_list(const double *v, int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_real(v[i]));
    return list;
}

static json_t *case_json(const ss_bench_case *c)
{
    if (*c->skipped)
        return json_pack("{s:s}", "skipped", c->skipped);
    return json_pack(
        "{s:i,s:i,s:I,s:f,s:f,s:f,s:o,s:o,s:o,s:o,s:o}", "measured", c->measured, "per_cycle",
        c->per_cycle, "cycles", (json_int_t)c->cycles, "bytes", c->bytes, "updates", c->updates,
        "load", c->load, "iteration", ss_bench_list(c->iteration, c->measured), "checked",
        ss_bench_list(c->checked, c->measured), "triad", ss_bench_list(c->triad, c->measured),
        "solve", ss_bench_list(c->solve, c->measured), "found",
        ss_bench_list(c->found, SS_FOUND_MAX));
}

json_t *ss_bench_progress(ss_bench *b)
{
    json_t *groups = json_array(), *limits = json_array();
    for (int g = 0; g < b->nproblem * b->nway; g++) {
        json_t *cases = json_array();
        for (int i = 0; i < b->groups[g].ncase; i++)
            json_array_append_new(cases, case_json(&b->groups[g].cases[i]));
        json_array_append_new(groups, cases);
    }
    for (int i = 0; i < b->nlimit; i++)
        json_array_append_new(limits, ss_bench_list(b->limit[i], b->nsample));
    return json_pack("{s:o,s:o,s:f,s:f,s:i}", "groups", groups, "limits", limits, "upload",
                     b->upload, "download", b->download, "transfers", b->transfers);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
    const char *x = json_string_value(json_object_get(a, key));
    const char *y = json_string_value(json_object_get(b, key));
    return x && y && strcmp(x, y) == 0;
}

/* Of the same command, program and device, and not complete? */
static bool is_ours(ss_bench *b, const json_t *o)
{
    json_t *mine = json_object();
    ss_json_about(mine);
    json_object_set_new(mine, "device", json_string(b->device));
    bool same = same_text(o, mine, "command") && same_text(o, mine, "version") &&
                same_text(o, mine, "device");
    json_decref(mine);
    return same && json_is_false(json_object_get(o, "complete"));
}

/* False: the list has fewer than n numbers. */
static bool read_array(const json_t *o, const char *key, double *v, int n)
{
    const json_t *list = json_object_get(o, key);
    for (int i = 0; i < n; i++) {
        const json_t *number = json_array_get(list, (size_t)i);
        if (!json_is_number(number))
            return false;
        v[i] = json_number_value(number);
    }
    return true;
}

static double number_of(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* What is damaged is measured again. */
static void read_case(const ss_bench *b, const json_t *o, ss_bench_case *c)
{
    ss_bench_case was = *c;
    int n = (int)number_of(o, "measured");
    if (n < 1 || n > b->rounds || !read_array(o, "iteration", c->iteration, n) ||
        !read_array(o, "checked", c->checked, n) || !read_array(o, "triad", c->triad, n) ||
        !read_array(o, "solve", c->solve, n) || !read_array(o, "found", c->found, SS_FOUND_MAX)) {
        *c = was;
        return;
    }
    c->measured = n;
    c->per_cycle = (int)number_of(o, "per_cycle");
    c->cycles = (int64_t)number_of(o, "cycles");
    c->bytes = number_of(o, "bytes");
    c->updates = number_of(o, "updates");
    c->load = number_of(o, "load");
}

/* After the measurement with which this bench began. */
static void read_limits(ss_bench *b, const json_t *limits)
{
    int n = (int)json_array_size(json_array_get(limits, 0)), room = SS_SAMPLES_MAX - b->nsample;
    n = n < room ? n : room;
    for (int i = 0; i < b->nlimit; i++) {
        const json_t *list = json_array_get(limits, (size_t)i);
        for (int k = 0; k < n; k++)
            b->limit[i][b->nsample + k] = json_number_value(json_array_get(list, (size_t)k));
    }
    b->nsample += n;
}

void ss_bench_resume(ss_bench *b)
{
    json_t *o = b->file ? json_load_file(b->file, 0, NULL) : NULL;
    const json_t *progress = json_object_get(o, "progress");
    const json_t *groups = json_object_get(progress, "groups");
    int taken = 0;
    bool ours = o && is_ours(b, o) && (int)json_array_size(groups) == b->nproblem * b->nway;
    for (int g = 0; ours && g < b->nproblem * b->nway; g++)
        for (int i = 0; i < b->groups[g].ncase; i++) {
            ss_bench_case *c = &b->groups[g].cases[i];
            read_case(b, json_array_get(json_array_get(groups, (size_t)g), (size_t)i), c);
            taken += c->measured > 0;
        }
    if (taken > 0) {
        read_limits(b, json_object_get(progress, "limits"));
        b->upload = number_of(progress, "upload");
        b->download = number_of(progress, "download");
        b->transfers = (int)number_of(progress, "transfers");
        if (b->out)
            fprintf(b->out, "%d cases are taken over from %s\n", taken, b->file);
    }
    json_decref(o);
}
