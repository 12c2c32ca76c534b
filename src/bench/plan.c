/* Our own plan (assets/data/bench.txt): its groups and cases, how they are measured, the columns
 * that are shown. See kit.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/bench/kit.h"
#include "src/core/registry.h"

#define PLAN "assets/data/bench.txt"
#define ROOM 0.8 /* share of the free memory for a field; the meter needs the rest */

/* --- the plan --------------------------------------------------------------------------------- */

static void replace_setting(ss_settings *set, const char *name, const char *value)
{
    for (int i = 0; i < set->n; i++)
        if (strcmp(set->at[i].name, name) == 0)
            snprintf(set->at[i].value, sizeof set->at[i].value, "%s", value);
}

/* "16x64+16x72" for n = 16: "16x16+16x18". */
static void scale_sizes(const char *sizes, int64_t n, char *out, size_t size)
{
    int count, cells, first = 0;
    size_t at = 0;
    *out = '\0';
    for (; at < size && (sizes = ss_parse_pair(sizes, &count, &cells)) != NULL; sizes++) {
        first = first ? first : cells;
        at += (size_t)snprintf(out + at, size - at, "%s%dx%lld", at ? "+" : "", count,
                               (long long)((cells * n + first / 2) / first));
        if (*sizes != '+')
            return;
    }
}

static int set_sizes(ss_bench_group *g, int64_t n, ss_err *err)
{
    char text[80];
    g->cfg.v[ss_param_find(&g->cfg, "patch", NULL)->slot].set = false;
    if (n > 0) {
        scale_sizes(ss_settings_value(&g->set, "sizes"), n, text, sizeof text);
        replace_setting(&g->set, "sizes", text);
        if (ss_config_set(&g->cfg, "sizes", text, err) != SS_OK)
            return SS_FAIL;
    }
    ss_settings_label(&g->set, g->label, sizeof g->label);
    return SS_OK;
}

int ss_bench_size(ss_bench_group *g, int64_t n, ss_err *err)
{
    char text[24];
    const char *name = ss_bench_size_name(&g->cfg);
    if (ss_config_given(&g->cfg, "sizes"))
        return set_sizes(g, n, err);
    snprintf(text, sizeof text, "%lld", (long long)n);
    replace_setting(&g->set, name, text);
    char label[sizeof g->label];
    ss_settings_label(&g->set, label, sizeof label);
    memcpy(g->label, label, sizeof label);
    return ss_config_set(&g->cfg, name, text, err);
}

/* True if it is for this backend, and for the equation of the command line if one is given. */
static bool is_wanted(const ss_bench *b, const ss_config *cfg)
{
    ss_value asked = b->base.v[ss_param_find(&b->base, "equation", NULL)->slot];
    return ss_config_backend(cfg) == b->backend &&
           (!asked.set || ss_config_equation(cfg) == ss_config_equation(&b->base));
}

/* One combination of a group's line, if it is wanted. */
static int add_group(ss_bench *b, const ss_bench_group *kind, const ss_settings *set, ss_err *err)
{
    ss_config cfg = b->base;
    if (ss_settings_apply(set, &cfg, err) != SS_OK)
        return SS_FAIL;
    const char *name = ss_bench_size_name(&cfg);
    ss_value asked = b->base.v[ss_param_find(&cfg, name, NULL)->slot];
    if (!is_wanted(b, &cfg))
        return SS_OK;
    if (b->nproblem == SS_GROUPS_MAX)
        return ss_fail(err, "more than %d groups", SS_GROUPS_MAX);
    ss_bench_group *g = &b->groups[b->nproblem++];
    *g = (ss_bench_group){.solve = kind->solve, .equal = kind->equal, .set = *set, .cfg = cfg};
    g->set.n--; /* the backend is the same everywhere */
    memmove(g->set.at, g->set.at + 1, sizeof g->set.at - sizeof *g->set.at);
    return ss_bench_size(g, asked.set ? asked.i : ss_config_int(&cfg, name), err);
}

int ss_bench_fit(const ss_bench *b, ss_bench_group *g, FILE *out, ss_err *err)
{
    char what[64];
    const char *name = ss_bench_size_name(&g->cfg);
    int64_t asked = ss_config_int(&g->cfg, name), n = asked;
    double room = ROOM * b->backend->memory(what, sizeof what);
    while (ss_config_bytes(&g->cfg) > room) {
        if (n <= 64)
            return ss_fail(err, "bench: %s are not enough", what);
        n /= 2;
        if (ss_bench_size(g, n, err) != SS_OK)
            return SS_FAIL;
    }
    if (out && n != asked)
        fprintf(out, "%s instead of %s=%lld, to fit the %s\n", g->label, name, (long long)asked,
                what);
    return SS_OK;
}

static const ss_bench_kind iterates, steps, solves, equals;

static int add_cases(ss_bench_group *g, ss_bench_role role, const ss_settings *lists, ss_err *err)
{
    ss_settings set;
    bool transient = ss_config_equation(&g->cfg)->kind == SS_TRANSIENT;
    for (int i = 0; ss_settings_pick(lists, i, &set); i++) {
        if (g->ncase == SS_CASES_MAX)
            return ss_fail(err, "more than %d cases", SS_CASES_MAX);
        ss_bench_case *c = &g->cases[g->ncase++];
        *c = (ss_bench_case){.role = role, .set = set};
        c->kind = g->equal ? &equals : g->solve ? &solves : transient ? &steps : &iterates;
        ss_settings_label(&set, c->label, sizeof c->label);
    }
    return SS_OK;
}

static const struct {
    const char *word;
    const ss_bench_group *group; /* NULL: a line of cases */
    ss_bench_role role;
} words[] = {
    {"iterate", &(ss_bench_group){.solve = false}, SS_BENCH_CASE},
    {"solve", &(ss_bench_group){.solve = true}, SS_BENCH_CASE},
    {"equal", &(ss_bench_group){.solve = true, .equal = true}, SS_BENCH_CASE},
    {"case", NULL, SS_BENCH_CASE},
    {"classic", NULL, SS_BENCH_CLASSIC},
    {"stream", NULL, SS_BENCH_STREAM},
};
#define WORDS (sizeof words / sizeof *words)

/* A line of cases adds them to all groups of the line of groups above. */
static int read_line(ss_bench *b, const char *line, const char *end, ss_err *err)
{
    ss_settings lists, set;
    size_t k = 0, length = strcspn(line, " \n");
    while (k < WORDS &&
           (strlen(words[k].word) != length || strncmp(words[k].word, line, length) != 0))
        k++;
    if (k == WORDS)
        return ss_fail(err, "'%.*s' is not a kind of line in a plan", (int)length, line);
    if (ss_settings_parse(line + length, end, &lists, err) != SS_OK)
        return SS_FAIL;
    if (words[k].group) {
        b->first = b->nproblem;
        for (int i = 0; ss_settings_pick(&lists, i, &set); i++)
            if (add_group(b, words[k].group, &set, err) != SS_OK)
                return SS_FAIL;
        return SS_OK;
    }
    for (int g = b->first; g < b->nproblem; g++)
        if (add_cases(&b->groups[g], words[k].role, &lists, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

int ss_bench_read_lines(ss_bench *b, const char *path,
                        int (*read)(ss_bench *b, const char *line, const char *end, ss_err *err),
                        ss_err *err)
{
    ss_err why;
    const char *text = ss_embed_text(path);
    for (int number = 1; text && *text; number++) {
        const char *end = strchr(text, '\n'), *at = text + strspn(text, " ");
        end = end ? end : text + strlen(text);
        if (at < end && *at != '#' && read(b, at, end, &why) != SS_OK)
            return ss_fail(err, "%s:%d: %.200s", path, number, why.text);
        text = *end ? end + 1 : end;
    }
    return SS_OK;
}

int ss_bench_plan(ss_bench *b, ss_err *err)
{
    b->nway = 1;
    b->first = 0;
    if (ss_bench_read_lines(b, PLAN, read_line, err) != SS_OK)
        return SS_FAIL;
    return b->nproblem ? SS_OK
                       : ss_fail(err, "there is no plan for %s on the backend %s",
                                 ss_config_equation(&b->base)->name, b->backend->name);
}

/* --- measuring -------------------------------------------------------------------------------- */

/* Seconds per cycle, in the first round and in later ones; before: those of the round before. */
static int time_cycle(const ss_bench_at *at, double before, double *out, ss_err *err)
{
    return at->round > 0
               ? ss_bench_time_again(at->run, at->c->load, ss_bench_sample(at->b), before, out, err)
               : ss_bench_time_loaded(at->b, at->run, &at->c->load, out, err);
}

/* Seconds per cycle of the round before; v: those per iteration. */
static double last_cycle(const ss_bench_at *at, const double *v)
{
    return at->round > 0 ? v[at->round - 1] * at->c->per_cycle : 0;
}

static int time_steps(const ss_bench_at *at, ss_err *err)
{
    double cycle, *out = &at->c->iteration[at->round];
    if (time_cycle(at, last_cycle(at, at->c->iteration), &cycle, err) != SS_OK)
        return SS_FAIL;
    *out = at->c->checked[at->round] = cycle / at->c->per_cycle;
    ss_bench_bill(at);
    return SS_OK;
}

/* With checks directly after a sample without: the load goes on. */
static int time_iterations(const ss_bench_at *at, ss_err *err)
{
    double cycle, least = ss_bench_sample(at->b), before = last_cycle(at, at->c->checked);
    if (time_steps(at, err) != SS_OK)
        return SS_FAIL;
    at->run->check_every = 1;
    int status = at->round > 0 ? ss_bench_time_again(at->run, 0, least, before, &cycle, err)
                               : ss_bench_time(at->run, least, &cycle, err);
    at->c->checked[at->round] = cycle / at->c->per_cycle;
    return status;
}

/* Leaves the run without checks. */
static int time_to_tolerance(const ss_bench_at *at, ss_err *err)
{
    ss_run *run = at->run;
    run->check_every = 1;
    run->tol = ss_config_real(&run->cfg, "until");
    int status = ss_bench_to_tolerance(run, &at->c->cycles, &at->c->checked[at->round], err);
    run->check_every = 0;
    run->tol = 0;
    return status;
}

/* Seconds from which on a run with checks is measured in the first round only: it is a mean over
 * so many cycles that more rounds would not change it. */
#define LONG_RUN 0.02

/* The first round finds the cycles to the tolerance. Without checks every cycle takes as long: a
 * sample is enough, and it follows the device from round to round. A long run's later rounds take
 * the cost of the checks from the first; speed-ups are over a yardstick without them. */
static int time_solve(const ss_bench_at *at, ss_err *err)
{
    double cycle;
    ss_bench_case *c = at->c;
    int round = at->round;
    bool again = round == 0 || (c->role != SS_BENCH_STREAM && c->checked[0] < LONG_RUN);
    if (again && time_to_tolerance(at, err) != SS_OK)
        return SS_FAIL;
    double before = round > 0 ? c->solve[round - 1] / (double)c->cycles : 0;
    if (ss_run_reset(at->run, err) != SS_OK || time_cycle(at, before, &cycle, err) != SS_OK)
        return SS_FAIL;
    c->solve[round] = cycle * (double)c->cycles;
    if (!again)
        c->checked[round] = c->checked[0] * c->solve[round] / c->solve[0];
    return SS_OK;
}

/* Classic solvers define the accuracy. */
static int find_launches(const ss_bench_at *at, ss_err *err)
{
    if (at->c->role == SS_BENCH_CASE)
        return ss_bench_find_launches(at, err);
    at->c->found[SS_BENCH_LAUNCHES] = SS_BENCH_T;
    at->c->found[SS_BENCH_TEFF] = at->c->per_cycle;
    return SS_OK;
}

/* A launch of an asynchronous solver takes as long at any accuracy: a sample is enough. */
static int time_launches(const ss_bench_at *at, ss_err *err)
{
    double launch, before = last_cycle(at, at->c->iteration);
    ss_bench_case *c = at->c;
    if (time_cycle(at, before, &launch, err) != SS_OK)
        return SS_FAIL;
    c->iteration[at->round] = launch / c->per_cycle;
    c->solve[at->round] = c->checked[at->round] = launch * c->found[SS_BENCH_LAUNCHES];
    return SS_OK;
}

/* --- columns ---------------------------------------------------------------------------------- */

static double of_stream(const ss_bench_at *at)
{
    return ss_bench_over(at, SS_BENCH_STREAM, at->g->solve, ss_bench_samples(at));
}

/* The extra time of checks. */
static double of_check(const ss_bench_at *at)
{
    return ss_bench_median_ratio(at->c->checked, ss_bench_samples(at), at->b->rounds) - 1;
}

/* Of a run to the tolerance. */
static double of_checked(const ss_bench_at *at)
{
    return ss_bench_known(ss_bench_median(at->c->checked, at->b->rounds));
}

/* Over the best classic solver, which checks nothing. */
static double of_checked_speedup(const ss_bench_at *at)
{
    return ss_bench_over(at, SS_BENCH_CLASSIC, true, at->c->checked);
}

// clang-format off
#define SPEEDUPS \
    {"speedup", "speed-up", 8, "%.2f", .value = ss_bench_of_speedup}, \
    {"speedup_stream", "stream", 7, "%.2f", .value = of_stream}
#define CHECK {"norm_cost", "check", 8, "%.1f %%", .value = of_check, .scale = 100}

/* Per iteration, or per time step. */
#define FIGURES_PER(each) \
    {each "s_per_cycle", .format = "%.0f", .of = SS_PER_CYCLE}, \
    {"seconds_per_" each, each, 10, "s", .of = SS_SECONDS_ITERATION}, \
    SS_BENCH_SPREAD, \
    {"seconds_per_cycle", "cycle", 10, "s", .of = SS_SECONDS_CYCLE}, \
    {"points_per_second", "useful", 12, "pt/s", .of = SS_UPDATES, .per = SS_SECONDS_ITERATION}, \
    {"bytes_per_second", "GB/s", 7, "%.1f", .of = SS_BYTES, .per = SS_SECONDS_ITERATION, .scale = 1e-9}, \
    {"triad_fraction", "triads", 6, "%.2f", .value = ss_bench_of_triad}, \
    SPEEDUPS

static const ss_bench_kind iterates = {
    "iterate", .limits_again = true, .measure = time_iterations,
    .ours = (const ss_bench_figure[]){FIGURES_PER("iteration"), CHECK, {0}}};
static const ss_bench_kind steps = {
    "iterate", .limits_again = true, .measure = time_steps,
    .ours = (const ss_bench_figure[]){FIGURES_PER("step"), {0}}};
static const ss_bench_kind solves = {
    "solve", .limits_again = true, .measure = time_solve,
    .ours = (const ss_bench_figure[]){
        {"cycles", "cycles", 10, "%.0f", .of = SS_CYCLES},
        {"iterations", "iterations", 10, "%.0f", .of = SS_ITERATIONS},
        {"seconds", "time", 10, "s", .of = SS_SECONDS},
        SS_BENCH_SPREAD,
        SPEEDUPS,
        {"seconds_checked", "checked", 10, "s", .value = of_checked},
        CHECK,
        {"speedup_checked", "speed-up", 8, "%.2f", .value = of_checked_speedup},
        {0}}};
static const ss_bench_kind equals = {
    "equal", .limits_again = true, .begin = ss_bench_reference, .prepare = find_launches,
    .measure = time_launches,
    .ours = (const ss_bench_figure[]){
        {"launches", "launches", 10, "%.1f", .of = SS_FOUND(SS_BENCH_LAUNCHES)},
        {"seconds_per_iteration", "iteration", 10, "s", .of = SS_SECONDS_ITERATION},
        {"seconds_per_cycle", "launch", 10, "s", .of = SS_SECONDS_CYCLE},
        {"teff", "T_eff/T", 7, "%.3f", .of = SS_FOUND(SS_BENCH_TEFF)},
        {"seconds", "time", 10, "s", .of = SS_SECONDS},
        SPEEDUPS,
        {0}}};
// clang-format on
