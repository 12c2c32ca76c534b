/* Commands carried out on a run at once: see document.h. */
#include <stdlib.h>
#include <string.h>

#include "src/lesson/parts.h"
#include "src/core/open.h"
#include "src/run/paint.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/run/parts.h"

#define BYTES_MAX 1073741824.0 /* of the fields of one run */

/* --- runs ------------------------------------------------------------------------------------- */

ss_run *ss_pupil_open(const ss_config *cfg, ss_err *err)
{
    char need[32];
    double bytes = ss_config_bytes(cfg);
    if (bytes > BYTES_MAX) {
        ss_fail(err, "the fields need %s; in a lesson they have 1 GB at most",
                ss_format_bytes(bytes, need, sizeof need));
        return NULL;
    }
    return ss_run_open(cfg, NULL, NULL, err);
}

bool ss_pupil_has_end(const ss_run *run)
{
    bool settles = run->eq->kind == SS_STEADY && (run->tol > 0 || run->until_accuracy > 0);
    return settles || run->max_cycles >= 0 || run->max_time > 0;
}

int ss_pupil_advance(const ss_pupil *p, ss_run *run, int64_t cycles, ss_err *err)
{
    int64_t chunk = 1, goal = cycles == SS_TO_END ? SS_TO_END : run->cycle + cycles;
    run->stop_at_tol = cycles == SS_TO_END;
    if (run->status == SS_CONVERGED && cycles != SS_TO_END)
        run->status = SS_RUNNING;
    if (run->reached && cycles == SS_TO_END)
        return SS_OK;
    while (run->status == SS_RUNNING && run->cycle < goal) {
        double began = ss_clock();
        int64_t left = goal - run->cycle;
        if (began > p->until)
            return ss_fail(err, "this takes longer than %g s, the most a lesson may take",
                           p->seconds);
        if (ss_run_step(run, chunk < left ? chunk : left, err) != SS_OK)
            return SS_FAIL;
        if (ss_run_abandoned(run))
            return ss_fail(err, "it was given up");
        if (ss_clock() - began < 0.02)
            chunk *= 2;
        else if (ss_clock() - began > 0.2 && chunk > 1)
            chunk /= 2;
    }
    return run->status == SS_DIVERGED ? SS_OK : ss_run_settle(run, err);
}

ss_pupil *ss_pupil_new(const ss_config *machine, double seconds, ss_err *err)
{
    ss_pupil *p = calloc(1, sizeof *p);
    if (!p) {
        ss_fail(err, "out of memory");
        return NULL;
    }
    p->machine = *machine;
    p->seconds = seconds;
    p->until = ss_clock() + seconds;
    p->changed = true;
    return p;
}

void ss_pupil_free(ss_pupil *p)
{
    if (!p)
        return;
    ss_run_close(p->run);
    ss_run_close(p->solved);
    ss_script_free(&p->history);
    free(p);
}

ss_run *ss_pupil_run(ss_pupil *p)
{
    return p->run;
}

const ss_script *ss_pupil_history(const ss_pupil *p)
{
    return &p->history;
}

int ss_pupil_line(const ss_pupil *p)
{
    return p->line;
}

/* --- commands --------------------------------------------------------------------------------- */

static int take_run(ss_pupil *p, const ss_config *cfg, ss_err *err)
{
    ss_run *run = ss_pupil_open(cfg, err);
    if (!run)
        return SS_FAIL;
    ss_run_close(p->run);
    p->run = run;
    p->changed = true;
    p->painted = false;
    p->nundo = 0;
    return SS_OK;
}

static int do_open(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg;
    ss_open_default(&p->machine, &cfg);
    return ss_open_words(cmd, &cfg, err) == SS_OK ? take_run(p, &cfg, err) : SS_FAIL;
}

/* Without `open` it is what a bare command runs. */
static int need_run(ss_pupil *p, ss_err *err)
{
    ss_config cfg;
    if (p->run)
        return SS_OK;
    ss_open_default(&p->machine, &cfg);
    return ss_config_check(&cfg, NULL, err) == SS_OK ? take_run(p, &cfg, err) : SS_FAIL;
}

static int configure(ss_pupil *p, ss_config *cfg, ss_err *err)
{
    if (ss_config_check(cfg, NULL, err) != SS_OK)
        return SS_FAIL;
    if (ss_config_bytes(cfg) > BYTES_MAX)
        return ss_fail(err, "the fields need more than 1 GB, the most that a lesson may use");
    if (ss_run_configure(p->run, cfg, err) != SS_OK)
        return SS_FAIL;
    if (p->run->status == SS_LIMIT || p->run->status == SS_CONVERGED)
        p->run->status = SS_RUNNING;
    p->changed = true;
    return SS_OK;
}

static int change(ss_pupil *p, ss_config *cfg, ss_err *err)
{
    ss_config before = p->run->cfg;
    if (configure(p, cfg, err) != SS_OK)
        return SS_FAIL;
    if (p->nundo == SS_PUPIL_UNDO)
        memmove(p->undo, p->undo + 1, (size_t)--p->nundo * sizeof *p->undo);
    p->undo[p->nundo++] = before;
    return SS_OK;
}

static int do_set(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg = p->run->cfg;
    if (ss_config_set_of_run(&cfg, cmd->arg[0], cmd->arg[1], err) != SS_OK)
        return SS_FAIL;
    return change(p, &cfg, err);
}

static int do_unset(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg = p->run->cfg;
    if (ss_config_unset(&cfg, cmd->arg[0], err) != SS_OK)
        return SS_FAIL;
    return change(p, &cfg, err);
}

static int do_undo(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    if (p->nundo == 0)
        return ss_fail(err, "there is nothing to undo");
    bool diverged = p->run->status == SS_DIVERGED;
    if (configure(p, &p->undo[--p->nundo], err) != SS_OK)
        return SS_FAIL;
    return diverged ? ss_run_reset(p->run, err) : SS_OK;
}

static int do_reset(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    p->changed = true;
    p->painted = false;
    return ss_run_reset(p->run, err);
}

static int count_of(const ss_cmd *cmd, int64_t *out, ss_err *err)
{
    char *end = NULL;
    long long n = cmd->argc ? strtoll(cmd->arg[0], &end, 10) : 1;
    if (cmd->argc && (*end || end == cmd->arg[0] || n < 0 || n > 1000000000))
        return ss_fail(err, "'%.40s' is not a number of cycles", cmd->arg[0]);
    *out = n;
    return SS_OK;
}

static int do_step(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = 0;
    if (count_of(cmd, &n, err) != SS_OK)
        return SS_FAIL;
    p->changed = p->changed && n == 0;
    return ss_pupil_advance(p, p->run, n, err);
}

static int do_tick(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = 0;
    if (count_of(cmd, &n, err) != SS_OK)
        return SS_FAIL;
    p->changed = p->changed && n == 0;
    for (; n > 0 && p->run->status == SS_RUNNING && ss_clock() < p->until; n--)
        if (ss_run_tick(p->run, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int do_run(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    if (!ss_pupil_has_end(p->run))
        return ss_fail(err, "%s would go on for ever: step N, or set %s", p->run->eq->name,
                       p->run->eq->kind == SS_STEADY ? "until" : "until-time");
    p->changed = false;
    return ss_pupil_advance(p, p->run, SS_TO_END, err);
}

static int do_paint(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    ss_dab dab;
    if (ss_dab_parse(p->run, cmd, &dab, err) != SS_OK || ss_dab_apply(p->run, &dab, err) != SS_OK)
        return SS_FAIL;
    ss_run_disturbed(p->run);
    p->painted = p->changed = true;
    return SS_OK;
}

static int do_nothing(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    (void)p, (void)cmd, (void)err;
    return SS_OK;
}

/* What the engine's verbs do without a screen. Verbs of the app only show, and do nothing here. */
static const struct deed {
    const char *verb;
    int (*act)(ss_pupil *p, const ss_cmd *cmd, ss_err *err);
} deeds[] = {
    {"open", do_open},     {"set", do_set},          {"unset", do_unset},    {"undo", do_undo},
    {"reset", do_reset},   {"step", do_step},        {"tick", do_tick},      {"run", do_run},
    {"paint", do_paint},   {"pause", do_nothing},    {"toggle", do_nothing}, {"speed", do_nothing},
    {"error", do_nothing}, {"accuracy", do_nothing}, {"mark", do_nothing},
};

static int carry_out(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    if (cmd->verb->flags & SS_V_WRITES)
        return ss_fail(err, "%s writes a file, which no lesson does", cmd->verb->name);
    p->line = (int)cmd->ticket;
    if (cmd->row->side != SS_SIDE_ENGINE)
        return SS_OK;
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(deeds[i].verb, cmd->verb->name) == 0) {
            bool opens = deeds[i].act == do_open;
            return opens || need_run(p, err) == SS_OK ? deeds[i].act(p, cmd, err) : SS_FAIL;
        }
    return ss_fail(err, "%s is no part of lessons", cmd->verb->name);
}

int ss_pupil_do(ss_pupil *p, const ss_cmd *cmd, ss_err *err)
{
    char line[SS_CMD_TEXT + 64];
    if (carry_out(p, cmd, err) != SS_OK)
        return SS_FAIL;
    return ss_script_add(&p->history, ss_cmd_format(cmd, line, sizeof line), "lesson", err);
}

int ss_pupil_script(ss_pupil *p, const ss_script *s, ss_err *err)
{
    for (int i = 0; i < s->count; i++)
        if (ss_pupil_do(p, s->cmd[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

int ss_pupil_advances(ss_pupil *p, const ss_script *s, ss_err *err)
{
    for (int i = 0; i < s->count; i++)
        if ((s->cmd[i]->verb->flags & SS_V_ADVANCES) && ss_pupil_do(p, s->cmd[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

bool ss_script_changes(const ss_script *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->cmd[i]->verb->side == SS_SIDE_ENGINE && !(s->cmd[i]->verb->flags & SS_V_ADVANCES))
            return true;
    return false;
}

int ss_pupil_measure(ss_pupil *p, ss_err *err)
{
    if (need_run(p, err) != SS_OK)
        return SS_FAIL;
    if (!p->changed || !ss_pupil_has_end(p->run))
        return SS_OK;
    if (!p->painted && ss_run_reset(p->run, err) != SS_OK)
        return SS_FAIL;
    p->changed = false;
    return ss_pupil_advance(p, p->run, SS_TO_END, err);
}

int ss_lesson_first(const ss_lesson *l, int index)
{
    int first = index;
    while (first > 0 && !l->step[first].block[SS_L_SCENARIO].text)
        first--;
    return first;
}

int ss_pupil_scenario(ss_pupil *p, const ss_lesson *l, int index, ss_err *err)
{
    const ss_lesson_step *s = &l->step[ss_lesson_first(l, index)];
    if (ss_pupil_script(p, &s->commands[SS_L_SCENARIO], err) != SS_OK || need_run(p, err) != SS_OK)
        return SS_FAIL;
    ss_run_close(p->solved);
    p->solved = NULL;
    p->baseline = p->run->cfg;
    return SS_OK;
}

int ss_pupil_begin(ss_pupil *p, const ss_lesson *l, int index, ss_err *err)
{
    if (ss_pupil_scenario(p, l, index, err) != SS_OK)
        return SS_FAIL;
    for (int i = ss_lesson_first(l, index); i < index; i++)
        if (ss_pupil_script(p, &l->step[i].commands[SS_L_DO], err) != SS_OK ||
            ss_pupil_script(p, &l->step[i].commands[SS_L_SOLUTION], err) != SS_OK)
            return SS_FAIL;
    p->nundo = 0;
    return SS_OK;
}

int ss_lesson_opening(const ss_lesson *l, int index, const ss_config *machine, ss_config *out,
                      ss_err *err)
{
    ss_pupil *p = ss_pupil_new(machine, SS_LESSON_SECONDS, err);
    int status = p ? ss_pupil_scenario(p, l, index, err) : SS_FAIL;
    if (status == SS_OK)
        *out = p->baseline;
    ss_pupil_free(p);
    return status;
}
