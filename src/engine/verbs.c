/* The commands that the engine handles, one function per verb. Engine thread only; see lane.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/engine/lane.h"
#include "src/base/text.h"
#include "src/core/settings.h"
#include "src/run/reference.h"
#include "src/core/registry.h"

static ss_lane *shown(ss_engine *e)
{
    return &e->lane[e->shown];
}

/* --- reset and brush strokes ---------------------------------------------------------------
 */

static int verb_paint(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    e->finished = false;
    return ss_lane_paint(shown(e), cmd, err);
}

/* A run that a limit has stopped would run to it again at once: on a screen it waits at cycle 0,
 * so that its cycles can be seen one by one. A race has its own end. */
static bool waits_at_start(const ss_engine *e)
{
    return e->setup.interactive && !e->race.on && e->lane[e->shown].run->status == SS_LIMIT;
}

static int verb_reset(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    ss_lane *lane[SS_RUN_MAX];
    int n = ss_engine_race_lanes(e, lane), status = SS_OK;
    shown(e)->paused = shown(e)->paused || waits_at_start(e);
    e->finished = false;
    e->race.stepping = false;
    for (int i = 0; i < n && status == SS_OK; i++) {
        lane[i]->steps = lane[i]->ticks = 0;
        lane[i]->restarted = false;
        ss_undo_begun_again(lane[i]);
        status = ss_run_reset(lane[i]->run, err);
    }
    return status;
}

/* --- opening runs
 * -------------------------------------------------------------------------------------
 */

static bool names(const ss_cmd *cmd, const char *row)
{
    size_t n = strlen(row);
    for (int i = 0; i < cmd->argc; i++)
        if (strncmp(cmd->arg[i], row, n) == 0 && cmd->arg[i][n] == '=')
            return true;
    return false;
}

/* Copies a row that was given. */
static void take_row(const ss_config *now, const char *name, ss_config *cfg)
{
    bool applies;
    const ss_param *row = ss_param_find(cfg, name, &applies);
    if (applies && now->v[row->slot].set)
        cfg->v[row->slot] = now->v[row->slot];
}

/* One more run ends as the shown one does, and is as large if it solves the same equation, where
 * the command does not say it: it would be no rival, or never end. */
static int be_beside(const ss_config *now, const ss_cmd *cmd, ss_config *cfg, ss_err *err)
{
    static const char *const limits[] = {"until", "until-accuracy", "cycles", "until-time",
                                         "seconds"};
    static const char *const points[] = {"n", "ny"};
    bool same = ss_config_equation(now) == ss_config_equation(cfg);
    bool sized = names(cmd, points[0]) || names(cmd, points[1]);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!names(cmd, limits[i]))
            take_row(now, limits[i], cfg);
    for (size_t i = 0; i < sizeof points / sizeof *points && same && !sized; i++)
        take_row(now, points[i], cfg);
    return ss_config_check(cfg, NULL, err);
}

/* The command applied to the defaults; rows that belong to the machine keep their values. */
static int opened_config(const ss_engine *e, const ss_cmd *cmd, bool beside, ss_config *cfg,
                         ss_err *err)
{
    const ss_config *now = &e->lane[e->shown].run->cfg;
    ss_open_default(now, cfg);
    if (ss_open_words(cmd, cfg, err) != SS_OK)
        return SS_FAIL;
    return beside ? be_beside(now, cmd, cfg, err) : SS_OK;
}

static int open_at(ss_engine *e, int index, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg;
    if (opened_config(e, cmd, index == e->nlane, &cfg, err) != SS_OK ||
        ss_engine_race_admits(e, index, &cfg, err) != SS_OK)
        return SS_FAIL;
    bool paused = ss_hold_is_paused(e, shown(e));
    ss_engine_say(e, false, "%s", ""); /* what was said belongs to the run before */
    if (ss_engine_open(e, index, &cfg, NULL, NULL, err) != SS_OK)
        return SS_FAIL;
    shown(e)->paused = paused;
    return e->race.on ? ss_engine_race_begin(e, e->race.by, err) : SS_OK;
}

static int verb_open(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    return open_at(e, e->shown, cmd, err);
}

static int verb_add(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    if (e->nlane == SS_RUN_MAX)
        return ss_fail(err, "there are %d runs already, the maximum", SS_RUN_MAX);
    return open_at(e, e->nlane, cmd, err);
}

static void drop_lane(ss_engine *e, int index)
{
    ss_lane_clear(e, &e->lane[index]);
    memmove(&e->lane[index], &e->lane[index + 1], (size_t)(e->nlane - index - 1) * sizeof *e->lane);
    e->nlane--;
    memset(&e->lane[e->nlane], 0, sizeof *e->lane);
    if (e->nlane == 1)
        ss_engine_race_end(e);
}

/* Also forgets what the race went by. One run alone stays as it is. */
static int drop_others(ss_engine *e)
{
    while (e->nlane > 1) {
        bool later = e->shown < e->nlane - 1;
        drop_lane(e, later ? e->nlane - 1 : 0);
        e->shown -= !later;
    }
    e->race.chosen = false;
    return SS_OK;
}

static int verb_drop(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    if (cmd->row->id == SS_VERB_DROP_OTHERS)
        return drop_others(e);
    if (e->nlane == 1)
        return ss_fail(err, "the last run cannot be dropped; quit leaves the program");
    drop_lane(e, e->shown);
    e->shown = e->shown < e->nlane ? e->shown : e->nlane - 1;
    return SS_OK;
}

/* --- advancing -----------------------------------------------------------------------------------
 */

static int verb_select(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = (e->shown + 1) % e->nlane + 1;
    bool next = cmd->row->id == SS_VERB_SELECT_NEXT;
    if (!next && ss_parse_count(cmd->arg[0], 1, e->nlane, &n, err) != SS_OK)
        return SS_FAIL;
    if (next && e->nlane == 1)
        return ss_fail(err, "there is one run; | splits the view for another one");
    e->shown = (int)n - 1;
    return SS_OK;
}

static void set_paused(ss_engine *e, bool paused)
{
    ss_lane *lane[SS_RUN_MAX];
    int n = ss_engine_race_lanes(e, lane);
    e->race.stepping = false;
    for (int i = 0; i < n; i++) {
        lane[i]->steps = lane[i]->ticks = 0;
        lane[i]->paused = paused;
    }
}

static int verb_run(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd, (void)err;
    if (ss_hold_leave(e, shown(e)))
        set_paused(e, false);
    return SS_OK;
}

static int verb_pause(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd, (void)err;
    set_paused(e, true);
    return SS_OK;
}

static int verb_toggle(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    const ss_lane *lane = shown(e);
    bool steps = lane->steps > 0 || lane->ticks > 0 || ss_engine_is_stepping(e);
    bool running = !lane->paused || steps;
    return running ? verb_pause(e, cmd, err) : verb_run(e, cmd, err);
}

/* Steps continue a run that holds. */
static void go_beyond(ss_engine *e)
{
    ss_lane *lane = shown(e);
    ss_status status = lane->run->status;
    if ((status != SS_CONVERGED && status != SS_STAGNATED) || ss_hold_of(lane) == SS_HOLD_NONE)
        return;
    lane->journal.passed = lane->journal.passed || status == SS_STAGNATED;
    lane->run->status = SS_RUNNING;
}

static int verb_step(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = 0;
    if (ss_cmd_count(cmd, &n, err) != SS_OK)
        return SS_FAIL;
    go_beyond(e);
    shown(e)->paused = true;
    if (e->race.on)
        ss_engine_race_step(e, n);
    else
        shown(e)->steps += n;
    return SS_OK;
}

static int verb_tick(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = 0;
    if (ss_cmd_count(cmd, &n, err) != SS_OK)
        return SS_FAIL;
    go_beyond(e);
    shown(e)->paused = true;
    shown(e)->ticks += n;
    return SS_OK;
}

/* A word of `speed`: multiplies the seconds between cycles by factor; at least floor. */
typedef struct speed_change {
    double factor, floor;
} speed_change;

static const speed_change speed_changes[SS_NVERB] = {[SS_VERB_SPEED_SLOWER] = {2, 0.02},
                                                     [SS_VERB_SPEED_FASTER] = {0.5, 0},
                                                     [SS_VERB_SPEED_FULL] = {0, 0}};

/* Transient runs: doubles or halves the simulated time per second, or removes the limit. */
static void change_pace(ss_engine *e, ss_lane *lane, double factor)
{
    double most = 32 * lane->run->eq->pace, pace = lane->pace > 0 ? lane->pace : 2 * most;
    pace = factor > 0 ? pace / factor : (double)INFINITY;
    lane->stride = 0;
    lane->pace = pace <= most ? fmax(pace, lane->run->eq->pace / 1024) : 0;
    if (lane->pace > 0)
        ss_engine_say(e, false, "speed: %.3g units of simulated time per second", lane->pace);
    else
        ss_engine_say(e, false, "speed: as fast as possible");
}

/* Steady runs: the first `slower` sets 20 ms between cycles; below that `faster` sets none. */
static void change_stride(ss_engine *e, ss_lane *lane, const speed_change *c)
{
    char text[32];
    lane->stride = fmax(lane->stride * c->factor, c->floor);
    lane->stride = lane->stride < 0.02 ? 0 : fmin(lane->stride, 10);
    if (lane->stride > 0)
        ss_engine_say(e, false, "speed: a cycle every %s",
                      ss_format_si(lane->stride, "s", text, sizeof text));
    else
        ss_engine_say(e, false, "speed: as fast as possible");
}

static int set_stride(ss_lane *lane, const char *text, ss_err *err)
{
    char *end = NULL;
    double s = strtod(text, &end);
    if (*end || end == text || !(s >= 0 && s <= 10))
        return ss_fail(err,
                       "speed: '%.40s' is neither slower, faster, full nor 0\xe2\x80\xa6"
                       "10 s",
                       text);
    lane->stride = s;
    lane->pace = 0;
    return SS_OK;
}

static int lane_speed(ss_engine *e, ss_lane *lane, const ss_cmd *cmd, ss_err *err)
{
    const speed_change *c = &speed_changes[cmd->row->id];
    lane->next_cycle = 0;
    if (cmd->row == cmd->verb)
        return set_stride(lane, cmd->arg[0], err);
    if (lane->run->eq->pace > 0)
        change_pace(e, lane, c->factor);
    else
        change_stride(e, lane, c);
    return SS_OK;
}

static int verb_speed(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    ss_lane *lane[SS_RUN_MAX];
    int n = ss_engine_race_lanes(e, lane), status = SS_OK;
    for (int i = 0; i < n && status == SS_OK; i++)
        status = lane_speed(e, lane[i], cmd, err);
    return status;
}

/* --- the rest ------------------------------------------------------------------------------------
 */

static int verb_error(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    char notice[200];
    ss_run *run = shown(e)->run;
    if (run->reference)
        return SS_OK;
    run->reference = ss_reference_start(run, true, notice, sizeof notice, err);
    if (!run->reference)
        return SS_FAIL;
    ss_engine_say(e, false, "%s", notice);
    return SS_OK;
}

static int verb_accuracy(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    char notice[200];
    ss_run *run = shown(e)->run;
    if (run->baseline)
        return SS_OK;
    run->baseline = ss_reference_iterate(run, 1, notice, sizeof notice, err);
    if (!run->baseline)
        return SS_FAIL;
    ss_engine_say(e, false, "%s", notice);
    return SS_OK;
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcmp(text + n - m, suffix) == 0;
}

static int save_field(ss_lane *lane, const ss_cmd *cmd, ss_err *err)
{
    return ss_run_save(lane->run, cmd->arg[0], err);
}

static int save_session(ss_lane *lane, const ss_cmd *cmd, ss_err *err)
{
    return ss_journal_save(lane, cmd->arg[0], cmd->arg + 1, cmd->argc - 1, err);
}

typedef struct save_kind {
    const char *suffix;
    int (*save)(ss_lane *lane, const ss_cmd *cmd, ss_err *err);
} save_kind;

static int verb_save(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    static const save_kind kinds[] = {
        {".npy", save_field}, {".ckpt", save_field}, {".run", save_session}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_suffix(cmd->arg[0], kinds[i].suffix)) {
            if (kinds[i].save(shown(e), cmd, err) != SS_OK)
                return SS_FAIL;
            ss_engine_say(e, false, "wrote %s", cmd->arg[0]);
            return SS_OK;
        }
    return ss_fail(
        err,
        "save: %.60s ends neither in .npy (the field), .ckpt (the state) nor .run (the session)",
        cmd->arg[0]);
}

static int verb_load(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    const char *path = ss_intern(cmd->arg[0]);
    if (!path)
        return ss_fail_memory(err, "the name of a file", strlen(cmd->arg[0]));
    if (ss_run_load(shown(e)->run, path, err) != SS_OK) {
        err->outside = true; /* as with --load: the file is not one that this run can load */
        return SS_FAIL;
    }
    ss_undo_begun_again(shown(e));
    ss_engine_loaded(e, shown(e)->run);
    return SS_OK;
}

static int verb_mark(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)err;
    ss_run_mark(shown(e)->run, cmd->arg[0]);
    return SS_OK;
}

/* --- the table -----------------------------------------------------------------------------------
 */

static ss_verb_fn *const handlers[SS_NVERB] = {
    [SS_VERB_RUN] = verb_run,
    [SS_VERB_PAUSE] = verb_pause,
    [SS_VERB_TOGGLE] = verb_toggle,
    [SS_VERB_STEP] = verb_step,
    [SS_VERB_TICK] = verb_tick,
    [SS_VERB_SET] = ss_verb_set,
    [SS_VERB_UNSET] = ss_verb_unset,
    [SS_VERB_RESET] = verb_reset,
    [SS_VERB_OPEN] = verb_open,
    [SS_VERB_UNDO] = ss_verb_undo,
    [SS_VERB_REDO] = ss_verb_redo,
    [SS_VERB_REWIND] = ss_verb_rewind,
    [SS_VERB_SPEED] = verb_speed,
    [SS_VERB_ADD] = verb_add,
    [SS_VERB_DROP] = verb_drop,
    [SS_VERB_SELECT] = verb_select,
    [SS_VERB_SPLIT] = ss_verb_split,
    [SS_VERB_RACE] = ss_verb_race,
    [SS_VERB_ERROR] = verb_error,
    [SS_VERB_ACCURACY] = verb_accuracy,
    [SS_VERB_SAVE] = verb_save,
    [SS_VERB_LOAD] = verb_load,
    [SS_VERB_PAINT] = verb_paint,
    [SS_VERB_MARK] = verb_mark,
    [SS_VERB_CLASSIC] = ss_verb_classic,
    [SS_VERB_KERNEL] = ss_verb_kernel,
};

int ss_engine_target(const ss_engine *e, const ss_cmd *cmd, ss_config *out, ss_err *err)
{
    int status = SS_FAIL;
    *out = e->lane[e->shown].run->cfg;
    if (cmd->verb->id == SS_VERB_SET)
        status = ss_config_set_of_run(out, cmd->arg[0], cmd->arg[1], err);
    else if (cmd->verb->id == SS_VERB_UNSET)
        status = ss_config_unset(out, cmd->arg[0], err);
    else if (cmd->verb->id == SS_VERB_OPEN || cmd->verb->id == SS_VERB_ADD)
        status = opened_config(e, cmd, cmd->verb->id == SS_VERB_ADD, out, err);
    return status == SS_OK ? ss_config_check(out, NULL, err) : SS_FAIL;
}

void ss_engine_obey(ss_engine *e, const ss_cmd *cmd)
{
    ss_err err = {0};
    char line[SS_CMD_TEXT + 64];
    bool journaled = cmd->verb->flags & SS_V_JOURNALED;
    ss_hold held = ss_hold_before(e, shown(e), journaled);
    ss_journal before = shown(e)->journal;
    if (journaled) {
        ss_rewind_changing(e, shown(e));
        ss_journal_add(shown(e), ss_cmd_format(cmd, line, sizeof line));
    }
    for (int i = 0; i < e->nlane; i++)
        e->lane[i].chained = false;
    int status = handlers[cmd->verb->id](e, cmd, &err);
    ss_journal *now = &shown(e)->journal;
    if (status != SS_OK) {
        ss_engine_say(e, true, "%s", err.text);
        e->message_refuses = !err.outside;
    }
    if (journaled && status != SS_OK) {
        now->size = before.size;
        now->cycle = before.cycle;
        now->tick = before.tick;
    } else if (journaled) {
        now->cycle = shown(e)->run->cycle; /* the command may have restarted the run */
        now->tick = shown(e)->run->peek;
        ss_rewind_changed(shown(e));
    }
    ss_hold_after(e, held, journaled);
}
