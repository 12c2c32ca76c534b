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
    const ss_config *from, *to;
    char text[128];
    unsigned flags; /* flags of all changed rows */
    bool matters;   /* one of them affects the result */
} change_text;

/* "overlap 0→4": the rows whose values differ and that are set in either config. */
static void add_change(const ss_param *row, void *ctx)
{
    change_text *c = ctx;
    char a[40], b[40];
    ss_value x = ss_config_value(c->from, row), y = ss_config_value(c->to, row);
    bool derived =
        (row->follows || row->usual) && !c->to->v[row->slot].set && !c->from->v[row->slot].set;
    size_t n = strlen(c->text);
    if (derived || memcmp(&x.i, &y.i, sizeof x.i) == 0)
        return;
    c->flags |= row->flags;
    c->matters = c->matters || ss_param_matters(row);
    snprintf(c->text + n, sizeof c->text - n, "%s%s %s\xe2\x86\x92%s", n ? ", " : "",
             row->symbol ? row->symbol : row->name, ss_param_format(row, x, a, sizeof a),
             ss_param_format(row, y, b, sizeof b));
    ss_utf8_trim(c->text);
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

/* Marks the change on the curve. A joined change replaces the mark of the change that it joins. */
static void mark_change(ss_lane *lane, change_kind kind, const char *text)
{
    ss_undo *top = lane->nundo > 0 ? &lane->undo[lane->nundo - 1] : NULL;
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
    bool joins = kind == CHANGE_JOINS, undoable = kind == CHANGE_NEW || kind == CHANGE_AGAIN;
    ss_config before = joins ? lane->undo[lane->nundo - 1].cfg : lane->run->cfg;
    change_text c = {.from = &before, .to = cfg};
    ss_param_each(cfg, add_change, &c);
    if (ss_config_check(cfg, NULL, err) != SS_OK || ss_engine_admits_bytes(e, cfg, err) != SS_OK ||
        ss_engine_race_admits(e, e->shown, cfg, err) != SS_OK)
        return SS_FAIL;
    if (undoable)
        ss_undo_push(lane);
    bool long_setup = ss_engine_announce(e, cfg), reached = lane->run->reached;
    if (ss_run_configure(lane->run, cfg, err) != SS_OK) {
        ss_ahead_name_kept(cfg, err);
        if (undoable)
            ss_undo_pop(lane);
        return SS_FAIL;
    }
    if (long_setup)
        ss_engine_announce_end(e, lane->run);
    lane->journal.passed = lane->journal.passed || (reached && !lane->run->reached);
    update_mixed(lane, &c);
    lane->cycle_seconds = 0;
    if (kind == CHANGE_NEW || joins)
        ss_redo_clear(lane);
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
    return lane->nundo > 0 && lane->undo[lane->nundo - 1].row == row;
}

static void end_change(ss_lane *lane)
{
    if (lane->nundo > 0)
        lane->undo[lane->nundo - 1].row = NULL;
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
        lane->undo[lane->nundo - 1].row = row;
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
    if (lane->undo[lane->nundo - 1].stroke)
        return ss_undo_stroke(lane, err);
    ss_config cfg = lane->undo[lane->nundo - 1].cfg, now = lane->run->cfg;
    bool diverged = lane->run->status == SS_DIVERGED;
    if (change(e, &cfg, CHANGE_BACK, err) != SS_OK)
        return SS_FAIL;
    ss_undo_pop(lane); /* only now: a restart may have removed strokes below it */
    ss_redo_push(lane, &now);
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
    if (lane->nredo == 0)
        return ss_fail(err, "there is nothing to redo");
    e->finished = false;
    if (lane->redo[lane->nredo - 1].stroke)
        return ss_redo_stroke(lane, err);
    ss_config cfg = lane->redo[lane->nredo - 1].cfg;
    if (change(e, &cfg, CHANGE_AGAIN, err) != SS_OK)
        return SS_FAIL;
    ss_redo_pop(lane); /* a restart may have removed strokes below it */
    end_change(lane);
    return SS_OK;
}
