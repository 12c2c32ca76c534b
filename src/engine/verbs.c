/* The engine's side of the command language: one function a verb. Engine thread only; lane.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/engine/lane.h"
#include "src/base/intern.h"
#include "src/core/open.h"
#include "src/run/reference.h"
#include "src/core/registry.h"
#include "src/engine/rewind.h"

static ss_lane *shown(ss_engine *e)
{
    return &e->lane[e->shown];
}

/* --- beginning again, and strokes ---------------------------------------------------------------
 */

static int verb_paint(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    e->finished = false;
    return ss_lane_paint(shown(e), cmd, err);
}

static int verb_reset(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    ss_lane *lane[SS_RUN_MAX];
    int n = ss_pack_lanes(e, lane), status = SS_OK;
    e->finished = false;
    e->pack.stepping = false;
    for (int i = 0; i < n && status == SS_OK; i++) {
        lane[i]->steps = lane[i]->ticks = 0;
        ss_undo_begun_again(lane[i]);
        status = ss_run_reset(lane[i]->run, err);
    }
    return status;
}

/* --- opening -------------------------------------------------------------------------------------
 */

/* Machine settings stay. */
static int opened_config(const ss_engine *e, const ss_cmd *cmd, ss_config *cfg, ss_err *err)
{
    ss_open_default(&e->lane[e->shown].run->cfg, cfg);
    return ss_open_words(cmd, cfg, err);
}

static int open_at(ss_engine *e, int index, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg;
    if (opened_config(e, cmd, &cfg, err) != SS_OK || ss_pack_admits(e, index, &cfg, err) != SS_OK)
        return SS_FAIL;
    bool paused = shown(e)->paused;
    if (ss_engine_open(e, index, &cfg, NULL, NULL, err) != SS_OK)
        return SS_FAIL;
    shown(e)->paused = paused;
    return e->pack.on ? ss_pack_begin(e, e->pack.by, err) : SS_OK;
}

static int verb_open(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    return open_at(e, e->shown, cmd, err);
}

static int verb_add(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    if (e->nlane == SS_RUN_MAX)
        return ss_fail(err, "there are %d runs already, and no room for more", SS_RUN_MAX);
    return open_at(e, e->nlane, cmd, err);
}

static int verb_drop(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    if (e->nlane == 1)
        return ss_fail(err, "the last run cannot be dropped; quit leaves the program");
    ss_lane_clear(shown(e));
    memmove(&e->lane[e->shown], &e->lane[e->shown + 1],
            (size_t)(e->nlane - e->shown - 1) * sizeof *e->lane);
    e->nlane--;
    memset(&e->lane[e->nlane], 0, sizeof *e->lane);
    e->shown = e->shown < e->nlane ? e->shown : e->nlane - 1;
    if (e->nlane == 1)
        ss_pack_end(e);
    return SS_OK;
}

/* --- advancing -----------------------------------------------------------------------------------
 */

static int verb_select(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = (e->shown + 1) % e->nlane + 1;
    bool next = strcmp(cmd->arg[0], "next") == 0;
    if (!next && ss_parse_count(cmd->arg[0], 1, e->nlane, &n, err) != SS_OK)
        return SS_FAIL;
    if (next && e->nlane == 1)
        return ss_fail(err, "there is one run; | splits the view for another one");
    e->shown = (int)n - 1;
    return SS_OK;
}

static void go_on(ss_engine *e, bool paused)
{
    ss_lane *lane[SS_RUN_MAX];
    int n = ss_pack_lanes(e, lane);
    e->pack.stepping = false;
    for (int i = 0; i < n; i++) {
        lane[i]->steps = lane[i]->ticks = 0;
        lane[i]->paused = paused;
    }
}

static int verb_run(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd, (void)err;
    go_on(e, false);
    return SS_OK;
}

static int verb_pause(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd, (void)err;
    go_on(e, true);
    return SS_OK;
}

static int verb_toggle(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    ss_lane *lane = shown(e);
    bool going = !lane->paused || lane->steps > 0 || lane->ticks > 0 || e->pack.stepping;
    return going ? verb_pause(e, cmd, err) : verb_run(e, cmd, err);
}

/* A run that a lesson has ended at the tolerance goes on by steps. */
static void go_beyond(const ss_engine *e)
{
    ss_run *run = e->lane[e->shown].run;
    if (e->setup.observe && run->status == SS_CONVERGED && !e->pack.on)
        run->status = SS_RUNNING;
}

static int verb_step(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    int64_t n = 0;
    if (ss_cmd_count(cmd, &n, err) != SS_OK)
        return SS_FAIL;
    go_beyond(e);
    shown(e)->paused = true;
    if (e->pack.on)
        ss_pack_step(e, n);
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

typedef struct speed_word {
    const char *word;
    double factor, floor;
} speed_word;

/* Slower doubles the time between cycles, starting at 20 ms; faster halves it until full speed. */
/* Of what changes in time: twice or half the simulated time a second, or all there is. */
static void change_pace(ss_engine *e, ss_lane *lane, double factor)
{
    double most = 32 * lane->run->eq->pace, pace = lane->pace > 0 ? lane->pace : 2 * most;
    pace = factor > 0 ? pace / factor : (double)INFINITY;
    lane->stride = 0;
    lane->pace = pace <= most ? fmax(pace, lane->run->eq->pace / 1024) : 0;
    if (lane->pace > 0)
        ss_engine_say(e, false, "speed: %.3g units of simulated time a second", lane->pace);
    else
        ss_engine_say(e, false, "speed: as fast as it can");
}

static int lane_speed(ss_engine *e, ss_lane *lane, const ss_cmd *cmd, ss_err *err)
{
    static const speed_word words[] = {{"slower", 2, 0.02}, {"faster", 0.5, 0}, {"full", 0, 0}};
    lane->next_cycle = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, cmd->arg[0]) == 0 && lane->run->eq->pace > 0) {
            change_pace(e, lane, words[i].factor);
            return SS_OK;
        } else if (strcmp(words[i].word, cmd->arg[0]) == 0) {
            lane->stride = fmax(lane->stride * words[i].factor, words[i].floor);
            lane->stride = lane->stride < 0.02 ? 0 : fmin(lane->stride, 10);
            return SS_OK;
        }
    char *end = NULL;
    double s = strtod(cmd->arg[0], &end);
    if (*end || end == cmd->arg[0] || !(s >= 0 && s <= 10))
        return ss_fail(err,
                       "speed: '%.40s' is neither slower, faster, full nor 0\xe2\x80\xa6"
                       "10 s",
                       cmd->arg[0]);
    lane->stride = s;
    lane->pace = 0;
    return SS_OK;
}

static int verb_speed(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    ss_lane *lane[SS_RUN_MAX];
    int n = ss_pack_lanes(e, lane), status = SS_OK;
    for (int i = 0; i < n && status == SS_OK; i++)
        status = lane_speed(e, lane[i], cmd, err);
    return status;
}

/* --- the rest ------------------------------------------------------------------------------------
 */

static int verb_error(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    char say[200];
    ss_run *run = shown(e)->run;
    if (run->reference)
        return SS_OK;
    run->reference = ss_reference_start(run, true, say, sizeof say, err);
    if (!run->reference)
        return SS_FAIL;
    ss_engine_say(e, false, "%s", say);
    return SS_OK;
}

static int verb_accuracy(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    char say[200];
    ss_run *run = shown(e)->run;
    if (run->baseline)
        return SS_OK;
    run->baseline = ss_reference_iterate(run, 1, say, sizeof say, err);
    if (!run->baseline)
        return SS_FAIL;
    ss_engine_say(e, false, "%s", say);
    return SS_OK;
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcmp(text + n - m, suffix) == 0;
}

static int save_field(ss_lane *lane, const char *path, ss_err *err)
{
    return ss_run_save(lane->run, path, err);
}

typedef struct save_kind {
    const char *suffix;
    int (*save)(ss_lane *lane, const char *path, ss_err *err);
} save_kind;

static int verb_save(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    static const save_kind kinds[] = {{".npy", save_field}, {".run", ss_journal_save}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_suffix(cmd->arg[0], kinds[i].suffix)) {
            if (kinds[i].save(shown(e), cmd->arg[0], err) != SS_OK)
                return SS_FAIL;
            ss_engine_say(e, false, "wrote %s", cmd->arg[0]);
            return SS_OK;
        }
    return ss_fail(err, "save: %.60s ends neither in .npy (the field) nor in .run (the session)",
                   cmd->arg[0]);
}

static int verb_load(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    const char *path = ss_intern(cmd->arg[0]);
    if (!path)
        return ss_fail(err, "out of memory");
    if (ss_run_load(shown(e)->run, path, err) != SS_OK)
        return SS_FAIL;
    ss_undo_begun_again(shown(e));
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

typedef struct deed {
    const char *verb;
    int (*act)(ss_engine *e, const ss_cmd *cmd, ss_err *err);
    bool journaled; /* part of the session's story */
} deed;

static const deed deeds[] = {
    {"run", verb_run, false},          {"pause", verb_pause, false},
    {"toggle", verb_toggle, false},    {"step", verb_step, false},
    {"tick", verb_tick, false},        {"set", ss_verb_set, true},
    {"unset", ss_verb_unset, true},    {"reset", verb_reset, true},
    {"open", verb_open, false},        {"undo", ss_verb_undo, true},
    {"speed", verb_speed, false},      {"add", verb_add, false},
    {"drop", verb_drop, false},        {"select", verb_select, false},
    {"split", ss_verb_split, false},   {"race", ss_verb_race, false},
    {"error", verb_error, false},      {"accuracy", verb_accuracy, false},
    {"save", verb_save, false},        {"load", verb_load, true},
    {"mark", verb_mark, true},         {"paint", verb_paint, true},
    {"rewind", ss_verb_rewind, false},
};

static const deed *find_deed(const char *verb)
{
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(deeds[i].verb, verb) == 0)
            return &deeds[i];
    return NULL;
}

void ss_engine_obey(ss_engine *e, const ss_cmd *cmd)
{
    ss_err err = {""};
    char line[SS_CMD_TEXT + 64];
    const deed *d = find_deed(cmd->verb->name);
    ss_journal before = shown(e)->journal;
    if (d->journaled)
        ss_rewind_changing(e, shown(e));
    if (d->journaled)
        ss_journal_add(shown(e), ss_cmd_format(cmd, line, sizeof line));
    int status = d->act(e, cmd, &err);
    ss_journal *now = &shown(e)->journal;
    if (status != SS_OK) {
        ss_engine_say(e, true, "%s", err.text);
        now->size = d->journaled ? before.size : now->size; /* it did not happen */
    }
    if (status != SS_OK && d->journaled) {
        now->cycle = before.cycle;
        now->tick = before.tick;
    } else if (d->journaled) {
        now->cycle = shown(e)->run->cycle; /* a change may have started again */
        now->tick = shown(e)->run->peek;
        ss_rewind_changed(shown(e));
    }
}
