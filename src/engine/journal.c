/*
 * The journal of a session: the commands that changed it, with `step N` between them. Replaying
 * them from a file reproduces the same states. Engine thread only; see lane.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>

#include "src/engine/lane.h"
#include "src/base/file.h"
#include "src/core/registry.h"

static void append(ss_journal *j, const char *line)
{
    size_t n = strlen(line);
    if (j->size + n + 2 > j->capacity) {
        size_t want = 2 * (j->size + n + 2);
        char *text = realloc(j->text, want);
        if (!text)
            return;
        j->text = text;
        j->capacity = want;
    }
    memcpy(j->text + j->size, line, n);
    memcpy(j->text + j->size + n, "\n", 2);
    j->size += n + 1;
}

/* Lines for the cycles and ticks since the last entry. */
typedef struct advance {
    char step[40], tick[40]; /* "": none */
} advance;

static advance since_entry(const ss_lane *lane)
{
    advance a = {"", ""};
    const ss_journal *j = &lane->journal;
    bool stepped = lane->run->cycle > j->cycle;
    int ticked = stepped ? 0 : j->tick;
    if (stepped)
        snprintf(a.step, sizeof a.step, "step %lld", (long long)(lane->run->cycle - j->cycle));
    if (lane->run->peek > ticked)
        snprintf(a.tick, sizeof a.tick, "tick %d", lane->run->peek - ticked);
    return a;
}

static void catch_up(ss_lane *lane)
{
    advance a = since_entry(lane);
    if (*a.step)
        append(&lane->journal, a.step);
    if (*a.tick)
        append(&lane->journal, a.tick);
    lane->journal.cycle = lane->run->cycle;
    lane->journal.tick = lane->run->peek;
}

void ss_journal_add(ss_lane *lane, const char *line)
{
    catch_up(lane);
    append(&lane->journal, line);
}

/* Calls `line` for each command after the opening line, those since the last entry included, until
 * it returns false. */
static void each_command(const ss_lane *lane, bool (*line)(const char *text, void *ctx), void *ctx)
{
    char text[SS_CMD_TEXT];
    advance a = since_entry(lane);
    const char *at = strchr(lane->journal.text, '\n') + 1, *end;
    bool more = true;
    for (; more && (end = strchr(at, '\n')); at = end + 1) {
        snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
        more = line(text, ctx);
    }
    if (more && *a.step)
        more = line(a.step, ctx);
    if (more && *a.tick)
        line(a.tick, ctx);
}

static bool is_machine(const ss_param *row)
{
    return strcmp(row->group ? row->group : "", "Machine") == 0;
}

/* "open poisson2d shared k=8" */
static const char *open_line(const ss_config *cfg, char *buf, size_t size)
{
    char value[256];
    const ss_param *row;
    size_t n = (size_t)snprintf(buf, size, "open %s %s", ss_config_equation(cfg)->name,
                                ss_config_solver(cfg)->name);
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) && n < size;)
        if (ss_config_has(cfg, row) && !(row->flags & SS_P_APP) && !is_machine(row) &&
            row != ss_param_find(cfg, "equation", NULL) &&
            row != ss_param_find(cfg, "solver", NULL))
            n += (size_t)snprintf(
                buf + n, size - n, " %s=%s", row->name,
                ss_param_format(row, ss_config_value(cfg, row), value, sizeof value));
    return buf;
}

void ss_journal_open(ss_lane *lane, const ss_config *cfg, const char *load)
{
    char line[SS_CMD_TEXT];
    const ss_cmd read = {.verb = &ss_verbs[SS_VERB_LOAD], .argc = 1, .arg = {load}};
    lane->opened = *cfg;
    append(&lane->journal, open_line(cfg, line, sizeof line));
    if (load)
        append(&lane->journal, ss_cmd_format(&read, line, sizeof line));
    lane->journal.cycle = 0;
    lane->journal.tick = 0;
}

int ss_journal_save(ss_lane *lane, const char *path, const char *const *view, int n, ss_err *err)
{
    ss_outfile f;
    char edited[96];
    if (ss_outfile_open(&f, path, err) != SS_OK)
        return SS_FAIL;
    catch_up(lane);
    const char *text = lane->journal.text, *rest = strchr(text, '\n') + 1;
    fputs("# A session of stencilscope: stencilscope --run FILE plays it again.\n", f.stream);
    if (*ss_edited_words(&lane->run->edited, edited, sizeof edited))
        fprintf(f.stream, "# Without its %s.\n", edited);
    fwrite(text, 1, (size_t)(rest - text), f.stream);
    for (int i = 0; i < n; i++)
        fprintf(f.stream, "%s\n", view[i]);
    /* A headless replay must not stop at a tolerance beyond which this run continued. */
    if (lane->run->reached || lane->journal.passed)
        fputs("set until 0\n", f.stream);
    fwrite(rest, 1, lane->journal.size - (size_t)(rest - text), f.stream);
    return ss_outfile_close(&f, true, err);
}

/* --- the command line of a state -------------------------------------------------------------- */

typedef struct line {
    char *text;
    size_t size, used;
    bool full;
    bool race;    /* it opens several runs */
    bool limited; /* a run without a screen would go on to a limit */
    bool all; /* defaults too: a saved state that the run was loaded from has its own settings */
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

/* Is the row written separately, or an option of the program or the machine? The bits of a field do
 * not depend on the machine. Limits belong to a race, whose runs have them in common; a single run
 * ends where it is. */
static bool is_separate(const line *l, const ss_param *row)
{
    static const char *const names[] = {"equation", "solver",         "cycles",     "seconds",
                                        "until",    "until-accuracy", "until-error"};
    size_t n = l->race ? 2 : sizeof names / sizeof *names;
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], row->name) == 0)
            return true;
    return (row->flags & SS_P_APP) || is_machine(row);
}

static void put_option(line *l, const ss_param *row, const char *value)
{
    add(l, " --%s ", row->name);
    add_word(l, value);
}

static void put_argument(line *l, const ss_param *row, const char *value)
{
    add(l, strchr(value, ' ') ? " \"%s=%s\"" : " %s=%s", row->name, value);
}

/* Calls `put` with each parameter that differs from its default, and its text. */
static void add_rows(line *l, const ss_config *cfg,
                     void (*put)(line *l, const ss_param *row, const char *value))
{
    char value[256];
    const ss_param *row;
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) != NULL;) {
        bool unusual = ss_config_unusual(cfg, row, value, sizeof value);
        if (!is_separate(l, row) && cfg->v[row->slot].set && (unusual || l->all))
            put(l, row, value);
    }
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
static void add_tolerance(line *l, const ss_config *cfg, const ss_run *run, bool before)
{
    char text[64];
    const ss_param *row = ss_param_find(cfg, "until", NULL);
    bool passed = before || (run->reached && run->reached_cycle < run->cycle);
    bool set = cfg->v[row->slot].set;
    if (run->eq->kind != SS_STEADY || (!set && !passed && run->tol > 0))
        return;
    ss_value v = {.d = passed || !set ? 0 : ss_config_value(cfg, row).d, .set = true};
    add(l, " --until %s", ss_param_format(row, v, text, sizeof text));
    l->limited = true;
}

/* A command as an option. Returns false when the line is full. */
static bool add_command(const char *text, void *ctx)
{
    line *l = ctx;
    add(l, " -e ");
    add_word(l, text);
    return !l->full;
}

static SS_PRINTF(2, 3) void put_command(line *l, const char *fmt, ...)
{
    char text[80];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    add_command(text, l);
}

/* Steps, not a limit of cycles: whoever opens the line can go on. If the last step did not end a
 * cycle, it reached `until-time`, and one more does so again. */
static void add_distance(line *l, const ss_run *run)
{
    int64_t each = run->iterations_per_cycle / run->eq->nstage;
    bool between = run->eq->kind == SS_TRANSIENT && run->step != run->cycle * each;
    put_command(l, "step %lld", (long long)run->cycle + between);
    if (run->peek > 0)
        put_command(l, "tick %d", run->peek);
}

/* Without a screen the run would go on to its limit. */
static void add_end(line *l, const ss_engine *e, const ss_lane *lane)
{
    if (l->limited)
        put_command(l, "pause");
    double usual = ss_engine_usual_pace(e, lane->run);
    if (lane->stride > 0 || lane->pace < usual || lane->pace > usual)
        put_command(l, "speed %.3g", ss_lane_stride(lane));
}

/* --- one run ---------------------------------------------------------------------------------- */

static void begin(line *l, const ss_config *cfg, const ss_lane *lane)
{
    add(l, "stencilscope %s %s", ss_config_equation(cfg)->name, ss_config_solver(cfg)->name);
    l->all = lane->run->load != NULL;
    add_rows(l, cfg, put_option);
    add_file(l, "rhs", lane->run->rhs);
    if (!l->race)
        add_tolerance(l, cfg, lane->run, lane->journal.passed);
    l->limited = l->limited || l->race || ss_config_given(cfg, "until-time");
}

static void add_run(line *l, const ss_engine *e)
{
    const ss_lane *lane = &e->lane[e->shown];
    begin(l, lane->mixed ? &lane->opened : &lane->run->cfg, lane);
    if (lane->mixed) {
        each_command(lane, add_command, l);
    } else {
        add_file(l, "load", lane->run->load);
        add_distance(l, lane->run);
    }
    add_end(l, e, lane);
}

bool ss_reproduce_words(const ss_config *cfg, char *buf, size_t size)
{
    line l = {.text = buf, .size = size};
    add(&l, "%s %s", ss_config_equation(cfg)->name, ss_config_solver(cfg)->name);
    add_rows(&l, cfg, put_option);
    return !l.full;
}

/* --- a race ----------------------------------------------------------------------------------- */

static const char *no_line(const ss_engine *e)
{
    for (int i = 0; i < e->nlane; i++)
        if (e->lane[i].mixed)
            return e->lane[i].mixed;
        else if (i > 0 && (e->lane[i].run->load || e->lane[i].run->rhs))
            return "another run of the race has read a file";
    return NULL;
}

static void add_racer(line *l, const ss_config *cfg)
{
    char text[SS_CMD_TEXT];
    line own = {.text = text, .size = sizeof text, .race = true};
    add(&own, "add %s %s", ss_config_equation(cfg)->name, ss_config_solver(cfg)->name);
    add_rows(&own, cfg, put_argument);
    add_command(text, l);
    l->full = l->full || own.full;
}

/* Seconds are never the same again: such a race begins anew. */
static void add_race(line *l, const ss_engine *e)
{
    const ss_lane *first = &e->lane[0];
    begin(l, &first->run->cfg, first);
    add_file(l, "load", first->run->load);
    for (int i = 1; i < e->nlane; i++)
        add_racer(l, &e->lane[i].run->cfg);
    put_command(l, "select %d", e->shown + 1);
    put_command(l, "race %s", ss_measure_names[e->race.by]);
    bool again = e->race.by != SS_BY_SECONDS || e->setup.deterministic;
    put_command(l, "step %lld", again ? (long long)ss_engine_race_level(e) : 0);
    add_end(l, e, first);
}

/* Bounded, so that a person can read the line and send it. */
static const char too_long[] = "it takes more commands than fit into a line";

static const char *reproduce(const ss_engine *e, char *buf, size_t size)
{
    line l = {.text = buf, .size = size, .race = e->race.on};
    const char *why = e->race.on ? no_line(e) : NULL;
    if (e->lane[e->shown].run->edited.hash != 0)
        why = "its kernel was edited";
    (e->race.on ? add_race : add_run)(&l, e);
    return why ? why : l.full ? too_long : NULL;
}

static void publish(ss_engine *e, ss_snapshot *s)
{
    s->command_why = reproduce(e, s->command, sizeof s->command);
}

const ss_feature ss_journal_feature = {.publish = publish};
