/* See runner.h. */
#include "src/lesson/runner.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/settings.h"
#include "src/core/registry.h"

ss_runner *ss_runner_new(const ss_config *machine, double seconds, const atomic_bool *stop,
                         ss_err *err)
{
    ss_runner *r = calloc(1, sizeof *r);
    if (!r) {
        ss_fail_memory(err, "a lesson", sizeof *r);
        return NULL;
    }
    r->machine = *machine;
    r->budget = (ss_budget){.seconds = seconds, .stop = stop};
    r->changed = true;
    ss_runner_renew(r);
    return r;
}

void ss_runner_free(ss_runner *r)
{
    if (!r)
        return;
    ss_headless_close(r->run);
    ss_headless_close(r->baseline);
    free(r);
}

void ss_runner_renew(ss_runner *r)
{
    r->budget.until = ss_clock() + r->budget.seconds;
}

const ss_observation *ss_runner_now(const ss_runner *r)
{
    return r->run ? ss_headless_now(r->run) : NULL;
}

/* --- commands --------------------------------------------------------------------------------- */

static int start(ss_runner *r, const ss_config *cfg, ss_err *err)
{
    r->run = ss_headless_open(cfg, &r->budget, err);
    return r->run ? SS_OK : SS_FAIL;
}

/* A lesson that does not open a run gets the program's default. */
static int need_run(ss_runner *r, ss_err *err)
{
    ss_config cfg;
    if (r->run)
        return SS_OK;
    ss_open_default(&r->machine, &cfg);
    return ss_config_check(&cfg, NULL, err) == SS_OK ? start(r, &cfg, err) : SS_FAIL;
}

static int act_change(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    if (need_run(r, err) != SS_OK || ss_headless_do(r->run, cmd, &r->budget, err) != SS_OK)
        return SS_FAIL;
    r->changed = true;
    return SS_OK;
}

static int act_open(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg;
    r->fixed = 0;
    if (r->run)
        return act_change(r, cmd, err);
    ss_open_default(&r->machine, &cfg);
    return ss_open_words(cmd, &cfg, err) == SS_OK ? start(r, &cfg, err) : SS_FAIL;
}

static int act_undo(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    if (!r->run || ss_runner_now(r)->undoable <= r->fixed)
        return ss_fail(err, "there is nothing to undo in this step");
    return act_change(r, cmd, err);
}

static int act_advance(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = 1;
    if (ss_cmd_count(cmd, &n, err) != SS_OK || need_run(r, err) != SS_OK)
        return SS_FAIL;
    r->changed = r->changed && n == 0;
    return ss_headless_do(r->run, cmd, &r->budget, err);
}

static int act_run(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    if (need_run(r, err) != SS_OK)
        return SS_FAIL;
    const ss_observation *now = ss_runner_now(r);
    if (!now->has_end)
        return ss_fail(err, "%s would run forever: use step N, or set %s",
                       ss_config_equation(&now->cfg)->name,
                       now->kind == SS_STEADY ? "until" : "until-time");
    return act_advance(r, cmd, err);
}

/* The verbs that a lesson's script may contain. Without a function a verb has no effect without a
 * screen. */
static const struct row {
    bool allowed;
    int (*act)(ss_runner *r, const ss_cmd *cmd, ss_err *err);
} rows[SS_NVERB] = {
    [SS_VERB_OPEN] = {true, act_open},    [SS_VERB_SET] = {true, act_change},
    [SS_VERB_UNSET] = {true, act_change}, [SS_VERB_UNDO] = {true, act_undo},
    [SS_VERB_REDO] = {true, act_change},  [SS_VERB_RESET] = {true, act_change},
    [SS_VERB_PAINT] = {true, act_change}, [SS_VERB_RUN] = {true, act_run},
    [SS_VERB_STEP] = {true, act_advance}, [SS_VERB_TICK] = {true, act_advance},
    [SS_VERB_PAUSE] = {true, NULL},       [SS_VERB_TOGGLE] = {true, NULL},
    [SS_VERB_SPEED] = {true, NULL},       [SS_VERB_ERROR] = {true, NULL},
    [SS_VERB_ACCURACY] = {true, NULL},    [SS_VERB_MARK] = {true, NULL},
    [SS_VERB_VIEW] = {true, NULL},        [SS_VERB_SAY] = {true, NULL},
    [SS_VERB_FOCUS] = {true, NULL},       [SS_VERB_THEME] = {true, NULL},
    [SS_VERB_BRUSH] = {true, NULL},
};

static const struct row *find_row(const ss_cmd *cmd)
{
    const struct row *row = &rows[cmd->verb->id];
    return row->allowed ? row : NULL;
}

static int refuse_writes(const ss_cmd *cmd, ss_err *err)
{
    return (cmd->verb->flags | cmd->row->flags) & SS_V_WRITES
               ? ss_fail(err, "%s writes files, which lessons do not allow", cmd->verb->name)
               : SS_OK;
}

int ss_lesson_admits_command(const ss_cmd *cmd, ss_err *err)
{
    if (refuse_writes(cmd, err) != SS_OK)
        return SS_FAIL;
    return find_row(cmd) ? SS_OK
                         : ss_fail(err,
                                   "%s is not a command for lessons: they open, change, advance "
                                   "and show a run",
                                   cmd->verb->name);
}

int ss_runner_do(ss_runner *r, const ss_cmd *cmd, ss_err *err)
{
    const struct row *row = find_row(cmd);
    if (refuse_writes(cmd, err) != SS_OK)
        return SS_FAIL;
    r->line = (int)cmd->ticket;
    if (row)
        return row->act ? row->act(r, cmd, err) : SS_OK;
    return cmd->verb->side != SS_SIDE_ENGINE
               ? SS_OK
               : ss_fail(err, "%s is not available in lessons", cmd->verb->name);
}

int ss_runner_script(ss_runner *r, const ss_script *s, ss_err *err)
{
    for (int i = 0; i < s->count; i++)
        if (ss_runner_do(r, s->cmd[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

int ss_runner_advance(ss_runner *r, const ss_script *s, ss_err *err)
{
    for (int i = 0; i < s->count; i++)
        if ((s->cmd[i]->verb->flags & SS_V_ADVANCES) && ss_runner_do(r, s->cmd[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* A painted run goes on from where it is: a reset would remove the paint. */
int ss_runner_measure(ss_runner *r, ss_err *err)
{
    if (need_run(r, err) != SS_OK)
        return SS_FAIL;
    const ss_observation *now = ss_runner_now(r);
    if (!r->changed || !now->has_end)
        return SS_OK;
    if (!now->painted && ss_headless_line(r->run, "reset", &r->budget, err) != SS_OK)
        return SS_FAIL;
    r->changed = false;
    return ss_headless_line(r->run, "run", &r->budget, err);
}

/* --- steps ------------------------------------------------------------------------------------ */

int ss_lesson_path(const ss_lesson *l, int index, const ss_script *out[2 * SS_STEPS_MAX + 1])
{
    int first = index, n = 0;
    while (first > 0 && !l->step[first].block[SS_L_SCENARIO].text)
        first--;
    out[n++] = &l->step[first].commands[SS_L_SCENARIO];
    for (int i = first; i < index; i++) {
        out[n++] = &l->step[i].commands[SS_L_DO];
        out[n++] = &l->step[i].commands[SS_L_SOLUTION];
    }
    return n;
}

static int take_scenario(ss_runner *r, const ss_script *scenario, ss_err *err)
{
    if (ss_runner_script(r, scenario, err) != SS_OK || need_run(r, err) != SS_OK)
        return SS_FAIL;
    ss_headless_close(r->baseline);
    r->baseline = NULL;
    r->scenario = ss_runner_now(r)->cfg;
    return SS_OK;
}

int ss_runner_scenario(ss_runner *r, const ss_lesson *l, int index, ss_err *err)
{
    const ss_script *path[2 * SS_STEPS_MAX + 1];
    ss_lesson_path(l, index, path);
    return take_scenario(r, path[0], err);
}

int ss_runner_begin(ss_runner *r, const ss_lesson *l, int index, ss_err *err)
{
    const ss_script *path[2 * SS_STEPS_MAX + 1];
    int n = ss_lesson_path(l, index, path), status = take_scenario(r, path[0], err);
    for (int i = 1; i < n && status == SS_OK; i++)
        status = ss_runner_script(r, path[i], err);
    r->fixed = status == SS_OK ? ss_runner_now(r)->undoable : 0;
    return status;
}

int ss_lesson_opening(const ss_lesson *l, int index, const ss_config *machine, ss_config *out,
                      ss_err *err)
{
    ss_runner *r = ss_runner_new(machine, SS_LESSON_SECONDS, NULL, err);
    int status = r ? ss_runner_scenario(r, l, index, err) : SS_FAIL;
    if (status == SS_OK)
        *out = r->scenario;
    ss_runner_free(r);
    return status;
}
