/* Changes of parameters: set, unset, undo, redo, and their marks on the curve. Engine thread only;
 * see lane.h. */
#include <stdio.h>
#include <string.h>

#include "src/engine/lane.h"
#include "src/run/ahead.h"
#include "src/core/registry.h"

static ss_lane *shown(ss_engine *e)
{
    return &e->lane[e->shown];
}

typedef struct change_text {
    char text[128];
    unsigned flags; /* flags of all changed rows */
    bool matters;   /* one of them affects the result */
} change_text;

/* "overlap 0→4": the rows whose values differ and that are set in either config. */
static change_text text_of(const ss_config *from, const ss_config *to)
{
    change_text c = {.flags = 0};
    const ss_param *row;
    for (ss_param_walk w = {.cfg = to}; (row = ss_param_next(&w)) != NULL;) {
        char a[40], b[40];
        ss_value x = ss_config_value(from, row), y = ss_config_value(to, row);
        bool given = to->v[row->slot].set || from->v[row->slot].set;
        size_t n = strlen(c.text);
        if ((!given && (row->follows || row->usual)) || memcmp(&x.i, &y.i, sizeof x.i) == 0)
            continue;
        c.flags |= row->flags;
        c.matters = c.matters || ss_param_matters(row);
        snprintf(c.text + n, sizeof c.text - n, "%s%s %s\xe2\x86\x92%s", n ? ", " : "",
                 row->symbol ? row->symbol : row->name, ss_param_format(row, x, a, sizeof a),
                 ss_param_format(row, y, b, sizeof b));
        ss_utf8_trim(c.text);
    }
    return c;
}

/* Records whether parameters alone still reproduce the run's state. */
static void update_mixed(ss_lane *lane, const change_text *c)
{
    if (c->flags & (SS_P_REOPEN | SS_P_RESET))
        ss_undo_begun_again(lane);
    else if (c->matters && lane->run->cycle > 0)
        lane->mixed = "parameters were changed while it ran";
}

/* How a change is recorded. */
typedef enum change_kind {
    CHANGE_NEW,   /* can be undone, and leaves a mark on the curve */
    CHANGE_JOINS, /* joined to the last change, as in the drag of a slider */
    CHANGE_BACK,  /* an undo itself */
    CHANGE_AGAIN  /* a redo: as a new one, but more may be redone */
} change_kind;

/* Moves the change into the list of those that can be undone, or out of it. */
static void record(ss_lane *lane, change_kind kind, const ss_config *before)
{
    if (kind == CHANGE_NEW)
        ss_undo_push(lane, before);
    else if (kind == CHANGE_JOINS)
        ss_redo_clear(lane);
    else
        (kind == CHANGE_BACK ? ss_undo_back : ss_undo_again)(lane, before);
}

/* Marks the change on the curve. A joined change replaces the mark of the change that it joins. */
static void mark_change(ss_lane *lane, change_kind kind, const char *text)
{
    ss_undo *top = lane->nundo > 0 ? &lane->change[lane->nundo - 1] : NULL;
    if (kind == CHANGE_JOINS && top->mark[0])
        ss_history_remark(&lane->run->history, top->mark, text);
    else if (*text && lane->run->cycle > 0)
        ss_run_mark(lane->run, text);
    else
        return;
    if (kind != CHANGE_BACK)
        snprintf(top->mark, sizeof top->mark, "%s", text);
}

/* A limit may have moved: it is checked again. Without a screen a run ends at its tolerance, and
 * one that has met it has ended. */
static void reopen(const ss_engine *e, ss_run *run)
{
    bool has_ended =
        run->status == SS_CONVERGED && run->reached && !e->setup.interactive && !e->setup.observe;
    if ((run->status == SS_LIMIT || run->status == SS_CONVERGED || run->status == SS_STAGNATED) &&
        !has_ended)
        run->status = SS_RUNNING;
}

/* Applies cfg to the shown run, or reports why it cannot. */
static int change(ss_engine *e, ss_config *cfg, change_kind kind, ss_err *err)
{
    ss_lane *lane = shown(e);
    bool joins = kind == CHANGE_JOINS;
    ss_config before = joins ? lane->change[lane->nundo - 1].cfg : lane->run->cfg;
    change_text c = text_of(&before, cfg);
    if (ss_config_check(cfg, NULL, err) != SS_OK || ss_engine_admits_bytes(e, cfg, err) != SS_OK ||
        ss_engine_race_admits(e, e->shown, cfg, err) != SS_OK)
        return SS_FAIL;
    bool long_setup = ss_engine_announce(e, cfg), reached = lane->run->reached;
    if (ss_run_configure(lane->run, cfg, err) != SS_OK) {
        ss_ahead_name_kept(cfg, err);
        return SS_FAIL;
    }
    if (long_setup)
        ss_engine_announce_end(e, lane->run);
    lane->journal.passed = lane->journal.passed || (reached && !lane->run->reached);
    update_mixed(lane, &c);
    lane->cycle_seconds = 0;
    record(lane, kind, &before);
    mark_change(lane, kind, c.text);
    ss_engine_caution(e, &before, cfg);
    if (c.matters && ss_engine_race_changed(e, e->shown, err) != SS_OK)
        return SS_FAIL;
    reopen(e, lane->run);
    return SS_OK;
}

/* Was the last change one of this row only? Then the next value may join it. */
static bool continues_change(const ss_lane *lane, const ss_param *row)
{
    return lane->nundo > 0 && lane->change[lane->nundo - 1].row == row;
}

static void end_change(ss_lane *lane)
{
    if (lane->nundo > 0)
        lane->change[lane->nundo - 1].row = NULL;
}

int ss_verb_set(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    ss_lane *lane = shown(e);
    ss_config cfg = lane->run->cfg;
    if (cmd->argc > 2 && strcmp(cmd->arg[2], "join") != 0)
        return ss_fail(err, "set: '%.40s' is not 'join'", cmd->arg[2]);
    if (ss_config_set_of_run(&cfg, cmd->arg[0], cmd->arg[1], err) != SS_OK)
        return SS_FAIL;
    const ss_param *row = ss_param_find(&cfg, cmd->arg[0], NULL);
    bool joins = cmd->argc > 2 && continues_change(lane, row);
    if (!joins)
        end_change(lane);
    ss_err dropped;
    bool drops = ss_config_dropped(&shown(e)->run->cfg, &cfg, &dropped);
    bool unheld = !drops && ss_config_unheld(&shown(e)->run->cfg, &cfg, &dropped);
    if (change(e, &cfg, joins ? CHANGE_JOINS : CHANGE_NEW, err) != SS_OK)
        return SS_FAIL;
    if (lane->nundo > 0)
        lane->change[lane->nundo - 1].row = row;
    if (drops)
        ss_engine_warn(e, "%s: continuing with %s", dropped.text, shown(e)->run->solver->name);
    else if (unheld)
        ss_engine_warn(e, "%s", dropped.text);
    return SS_OK;
}

int ss_verb_unset(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg = shown(e)->run->cfg;
    if (ss_config_unset(&cfg, cmd->arg[0], err) != SS_OK)
        return SS_FAIL;
    return change(e, &cfg, CHANGE_NEW, err);
}

int ss_verb_undo(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    ss_lane *lane = shown(e);
    if (lane->nundo == 0)
        return ss_fail(err, "there is nothing to undo");
    e->finished = false;
    if (lane->change[lane->nundo - 1].stroke)
        return ss_undo_stroke(lane, err);
    ss_config cfg = lane->change[lane->nundo - 1].cfg;
    bool diverged = lane->run->status == SS_DIVERGED;
    if (change(e, &cfg, CHANGE_BACK, err) != SS_OK)
        return SS_FAIL;
    end_change(lane);
    if (!diverged)
        return SS_OK;
    ss_undo_begun_again(lane);
    return ss_run_reset(lane->run, err);
}

int ss_verb_redo(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    ss_lane *lane = shown(e);
    if (lane->nundo == lane->nchange)
        return ss_fail(err, "there is nothing to redo");
    e->finished = false;
    if (lane->change[lane->nundo].stroke)
        return ss_redo_stroke(lane, err);
    ss_config cfg = lane->change[lane->nundo].cfg;
    if (change(e, &cfg, CHANGE_AGAIN, err) != SS_OK)
        return SS_FAIL;
    end_change(lane);
    return SS_OK;
}
