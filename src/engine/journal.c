/*
 * The journal of a session: the commands that changed it, with `step N` between them. Replaying
 * them from a file reproduces the same states. Engine thread only; see lane.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void ss_journal_each(const ss_lane *lane, bool (*line)(const char *text, void *ctx), void *ctx)
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

typedef struct open_line {
    const ss_config *cfg;
    char text[SS_CMD_TEXT];
} open_line;

static void add_word(const ss_param *row, void *ctx)
{
    open_line *o = ctx;
    char value[256];
    ss_value v = ss_config_value(o->cfg, row);
    size_t n = strlen(o->text);
    bool machine = strcmp(row->group ? row->group : "", "Machine") == 0;
    if (!ss_config_has(o->cfg, row) || (row->flags & SS_P_APP) ||
        row == ss_param_find(o->cfg, "equation", NULL) ||
        row == ss_param_find(o->cfg, "solver", NULL) || machine)
        return;
    ss_param_format(row, v, value, sizeof value);
    snprintf(o->text + n, sizeof o->text - n, " %s=%s", row->name, value);
}

void ss_journal_open(ss_lane *lane, const ss_config *cfg, const char *load)
{
    char line[SS_CMD_TEXT];
    const ss_cmd read = {.verb = &ss_verbs[SS_VERB_LOAD], .argc = 1, .arg = {load}};
    lane->opened = *cfg;
    open_line o = {.cfg = cfg};
    snprintf(o.text, sizeof o.text, "open %s %s", ss_config_equation(cfg)->name,
             ss_config_solver(cfg)->name);
    ss_param_each(cfg, add_word, &o);
    append(&lane->journal, o.text);
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
