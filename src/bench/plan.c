/* The plan of `bench`: see kit.h and assets/data/bench.txt. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/kit.h"
#include "src/base/embed.h"
#include "src/core/registry.h"

#define PLAN "assets/data/bench.txt"
#define ROOM 0.8 /* of the memory that is left; the rest is the meter's, and other people's */

/* --- the plan --------------------------------------------------------------------------------- */

int ss_bench_config(const ss_group *g, const ss_settings *set, ss_config *out, ss_err *err)
{
    *out = g->cfg;
    if (ss_settings_apply(set, out, err) != SS_OK)
        return SS_FAIL;
    return ss_config_check(out, NULL, err);
}

const char *ss_bench_size_name(const ss_config *cfg)
{
    bool applies = false;
    ss_param_find(cfg, "n", &applies);
    return applies ? "n" : "patch";
}

int ss_bench_size(ss_group *g, int64_t n, ss_err *err)
{
    char text[24];
    const char *name = ss_bench_size_name(&g->cfg);
    if (ss_config_given(&g->cfg, "sizes")) { /* which are sizes enough */
        g->cfg.v[ss_param_find(&g->cfg, name, NULL)->slot].set = false;
        ss_settings_label(&g->set, g->label, sizeof g->label);
        return SS_OK;
    }
    snprintf(text, sizeof text, "%lld", (long long)n);
    for (int i = 0; i < g->set.n; i++)
        if (strcmp(g->set.at[i].name, name) == 0)
            snprintf(g->set.at[i].value, sizeof g->set.at[i].value, "%s", text);
    char label[sizeof g->label];
    ss_settings_label(&g->set, label, sizeof label);
    memcpy(g->label, label, sizeof label);
    return ss_config_set(&g->cfg, name, text, err);
}

/* Is it for this backend, and for the equation that was asked for, if one was? */
static bool is_wanted(const ss_bench *b, const ss_config *cfg)
{
    ss_value asked = b->base.v[ss_param_find(&b->base, "equation", NULL)->slot];
    bool any = !asked.set;
    return ss_config_backend(cfg) == b->backend &&
           (any || ss_config_equation(cfg) == ss_config_equation(&b->base));
}

/* One combination of a group's line, if it is wanted. */
static int add_group(ss_bench *b, bool solve, const ss_settings *set, ss_err *err)
{
    ss_config cfg = b->base;
    if (ss_settings_apply(set, &cfg, err) != SS_OK)
        return SS_FAIL;
    const char *name = ss_bench_size_name(&cfg);
    ss_value asked = b->base.v[ss_param_find(&cfg, name, NULL)->slot];
    if (!is_wanted(b, &cfg))
        return SS_OK;
    if (b->ngroup == SS_GROUPS_MAX)
        return ss_fail(err, "more than %d groups", SS_GROUPS_MAX);
    ss_group *g = &b->groups[b->ngroup++];
    *g = (ss_group){.solve = solve, .set = *set, .cfg = cfg};
    g->set.n--; /* the backend is the same everywhere */
    memmove(g->set.at, g->set.at + 1, sizeof g->set.at - sizeof *g->set.at);
    return ss_bench_size(g, asked.set ? asked.i : ss_config_int(&cfg, name), err);
}

int ss_bench_fit(const ss_bench *b, ss_group *g, FILE *say, ss_err *err)
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
    if (say && n != asked)
        fprintf(say, "%s instead of %s=%lld, to fit the %s\n", g->label, name, (long long)asked,
                what);
    return SS_OK;
}

static int add_cases(ss_group *g, ss_bench_role role, const ss_settings *lists, ss_err *err)
{
    ss_settings set;
    for (int i = 0; ss_settings_pick(lists, i, &set); i++) {
        if (g->ncase == SS_CASES_MAX)
            return ss_fail(err, "more than %d cases", SS_CASES_MAX);
        ss_case *c = &g->cases[g->ncase++];
        *c = (ss_case){.role = role, .set = set};
        ss_settings_label(&set, c->label, sizeof c->label);
    }
    return SS_OK;
}

static const struct {
    const char *word;
    bool group, solve;
    ss_bench_role role;
} kinds[] = {
    {"iterate", true, false, SS_BENCH_CASE},   {"solve", true, true, SS_BENCH_CASE},
    {"case", false, false, SS_BENCH_CASE},     {"classic", false, false, SS_BENCH_CLASSIC},
    {"stream", false, false, SS_BENCH_STREAM},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* One line; *first is the first group that the cases below it belong to. */
static int read_line(ss_bench *b, const char *line, const char *end, int *first, ss_err *err)
{
    ss_settings lists, set;
    size_t k = 0, length = strcspn(line, " \n");
    while (k < KINDS &&
           (strlen(kinds[k].word) != length || strncmp(kinds[k].word, line, length) != 0))
        k++;
    if (k == KINDS)
        return ss_fail(err, "'%.*s' begins no line of a plan", (int)length, line);
    if (ss_settings_parse(line + length, end, &lists, err) != SS_OK)
        return SS_FAIL;
    if (kinds[k].group) {
        *first = b->ngroup;
        for (int i = 0; ss_settings_pick(&lists, i, &set); i++)
            if (add_group(b, kinds[k].solve, &set, err) != SS_OK)
                return SS_FAIL;
        return SS_OK;
    }
    for (int g = *first; g < b->ngroup; g++)
        if (add_cases(&b->groups[g], kinds[k].role, &lists, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

int ss_bench_plan(ss_bench *b, ss_err *err)
{
    ss_err why;
    const char *text = ss_embed_text(PLAN);
    int first = 0;
    for (int number = 1; text && *text; number++) {
        const char *end = strchr(text, '\n'), *at = text;
        end = end ? end : text + strlen(text);
        while (at < end && *at == ' ')
            at++;
        if (at < end && *at != '#' && read_line(b, at, end, &first, &why) != SS_OK)
            return ss_fail(err, PLAN ":%d: %.200s", number, why.text);
        text = *end ? end + 1 : end;
    }
    return b->ngroup ? SS_OK
                     : ss_fail(err, "there is no plan for %s on the backend %s",
                               ss_config_equation(&b->base)->name, b->backend->name);
}
