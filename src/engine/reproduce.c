/* The command line of a state: see reproduce.h. Engine thread. */
#include "src/engine/reproduce.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"

typedef struct line {
    const ss_config *cfg;
    char *text;
    size_t size, used;
    bool full;
} line;

static SS_PRINTF(2, 3) void add(line *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(l->text + l->used, l->size - l->used, fmt, ap);
    va_end(ap);
    l->full = l->full || n < 0 || (size_t)n >= l->size - l->used;
    l->used = l->full ? l->size - 1 : l->used + (size_t)n;
}

/* A word quoted for a shell. */
static void add_word(line *l, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=+,-";
    if (*word && strspn(word, plain) == strlen(word)) {
        add(l, "%s", word);
        return;
    }
    add(l, "'");
    for (; *word; word++)
        add(l, *word == '\'' ? "'\\''" : "%c", *word);
    add(l, "'");
}

/* Is the row written separately (problem and limits), or an option of the program or the machine?
 * The bits of a field do not depend on the machine. */
static bool is_separate(const ss_param *row)
{
    static const char *const names[] = {"equation", "solver",         "cycles",     "seconds",
                                        "until",    "until-accuracy", "until-error"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], row->name) == 0)
            return true;
    return (row->flags & SS_P_APP) || strcmp(row->group ? row->group : "", "Machine") == 0;
}

static void add_row(const ss_param *row, void *ctx)
{
    line *l = ctx;
    char now[256], by_default[256];
    ss_config without = *l->cfg;
    if (!l->cfg->v[row->slot].set || is_separate(row))
        return;
    without.v[row->slot].set = false;
    ss_param_format(row, ss_config_value(l->cfg, row), now, sizeof now);
    ss_param_format(row, ss_config_value(&without, row), by_default, sizeof by_default);
    if (strcmp(now, by_default) == 0)
        return;
    add(l, " --%s ", row->name);
    add_word(l, now);
}

static void add_file(line *l, const char *option, const char *path)
{
    if (!path)
        return;
    add(l, " --%s ", option);
    add_word(l, path);
}

/* A headless run stops at its tolerance; this one may have continued beyond it, now or before its
 * last changes. */
static void add_tolerance(line *l, const ss_run *run, bool before)
{
    char text[64];
    const ss_param *row = ss_param_find(l->cfg, "until", NULL);
    bool passed = before || (run->reached && run->reached_cycle < run->cycle);
    bool set = l->cfg->v[row->slot].set;
    if (run->eq->kind != SS_STEADY || (!set && !passed && run->tol > 0))
        return;
    ss_value v = {.d = passed || !set ? 0 : ss_config_value(l->cfg, row).d, .set = true};
    add(l, " --until %s", ss_param_format(row, v, text, sizeof text));
}

/* If the last step did not end a cycle, it reached `until-time`, which add_row has written. */
static void add_distance(line *l, const ss_run *run)
{
    int64_t each = run->iterations_per_cycle / run->eq->nstage;
    bool between = run->eq->kind == SS_TRANSIENT && run->step != run->cycle * each;
    if (run->peek > 0)
        add(l, " -e 'step %lld' -e 'tick %d'", (long long)run->cycle, run->peek);
    else if (!between)
        add(l, " --cycles %lld", (long long)run->cycle);
}

/* The commands that led to the state, one option each. Returns false when the line is full. */
static bool add_command(const char *text, void *ctx)
{
    line *l = ctx;
    add(l, " -e ");
    add_word(l, text);
    return !l->full;
}

/* Bounded, so that a person can read the line and send it. */
static const char too_long[] = "it takes more commands than fit into a line";

const char *ss_reproduce(const ss_lane *lane, char *buf, size_t size)
{
    const ss_run *run = lane->run;
    const ss_config *cfg = lane->mixed ? &lane->opened : &run->cfg;
    line l = {.cfg = cfg, .text = buf, .size = size};
    add(&l, "stencilscope %s %s", ss_config_equation(cfg)->name, ss_config_solver(cfg)->name);
    ss_param_each(cfg, add_row, &l);
    add_file(&l, "rhs", run->rhs);
    add_tolerance(&l, run, lane->journal.passed);
    if (lane->mixed) {
        ss_journal_each(lane, add_command, &l);
    } else {
        add_file(&l, "load", run->load);
        add_distance(&l, run);
    }
    return l.full ? too_long : NULL;
}
