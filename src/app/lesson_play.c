/* The commands that a lesson runs on the live run: setting up a step at once, and `do` at a pace
 * that the eye follows. See tutor.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tutor.h"
#include "src/core/settings.h"
#include "src/core/registry.h"
#include "ui/view/view.h"

#define CYCLES_PER_SECOND 8.0
#define CYCLES_SECONDS 2.0 /* at most, for one command */
#define TICKS_PER_SECOND 2.5

bool ss_app_lesson_is_open(const app *a)
{
    return a->tutor && a->tutor->lesson;
}

void ss_tutor_say(app *a, bool error, const char *text)
{
    if (a->tutor->lines.on)
        a->fe->say(a->self, error, text);
    else
        ss_ui_say(a->ui, error, text);
}

/* --- the queue -------------------------------------------------------------------------------- */

int ss_tutor_queue_line(ss_tutor *t, const char *line, ss_err *err)
{
    return ss_script_add(&t->queue, line, "lesson", err);
}

int ss_tutor_queue(ss_tutor *t, const ss_script *s, bool paced, ss_err *err)
{
    char line[SS_CMD_TEXT + 64];
    int status = SS_OK;
    if (paced)
        t->paced = t->queue.count;
    for (int i = 0; i < s->count && status == SS_OK; i++)
        status = ss_tutor_queue_line(t, ss_cmd_format(s->cmd[i], line, sizeof line), err);
    return status;
}

/* The commands that lead to a step are carried out at full speed. A run opened on the backend
 * `auto` goes to the CPU, on which the lessons' figures hold. */
static int queue_at_once(app *a, const ss_script *s, bool cpu, ss_err *err)
{
    char line[SS_CMD_TEXT + 96];
    ss_tutor *t = a->tutor;
    int status = SS_OK;
    for (int i = 0; i < s->count && status == SS_OK; i++) {
        bool opens = s->cmd[i]->verb->flags & SS_V_OPENS;
        ss_cmd_format(s->cmd[i], line, sizeof line - 16);
        if (opens && cpu)
            snprintf(line + strlen(line), 16, " backend=cpu");
        t->moved = t->moved || (opens && cpu);
        if (s->cmd[i]->verb->id == SS_VERB_RUN)
            status = ss_tutor_queue_line(t, "speed 0", err);
        if (status == SS_OK)
            status = ss_tutor_queue_line(t, line, err);
    }
    return status;
}

static bool is_auto(const ss_config *cfg)
{
    return ss_config_value(cfg, ss_param_find(cfg, "backend", NULL)).i == 0;
}

int ss_tutor_queue_start(app *a, ss_err *err)
{
    static const char *const before[] = {"pause", "view layer value", "view axis cycles"};
    ss_tutor *t = a->tutor;
    const ss_script *path[2 * SS_STEPS_MAX + 1];
    int n = ss_lesson_path(t->lesson, t->session.index, path), status = SS_OK;
    bool cpu = is_auto(&a->snap->cfg);
    ss_script_free(&t->queue);
    ss_ui_sets_up(a->ui, true);
    t->play = (ss_play){.verb = ""};
    for (size_t i = 0; i < sizeof before / sizeof *before && status == SS_OK; i++)
        status = ss_tutor_queue_line(t, before[i], err);
    for (int i = a->snap->nrun; i > 1 && status == SS_OK; i--)
        status = ss_tutor_queue_line(t, "drop", err);
    if (status == SS_OK && path[0]->count == 0)
        status = ss_tutor_queue_line(t, "reset", err);
    for (int i = 0; i < n && status == SS_OK; i++)
        status = queue_at_once(a, path[i], cpu, err);
    t->paced = t->queue.count;
    return status;
}

bool ss_tutor_is_at_rest(const app *a)
{
    return ss_app_is_carried_out(a) && (a->snap->paused || a->snap->status != SS_RUNNING);
}

bool ss_tutor_is_waiting(const ss_tutor *t)
{
    return t->lesson && (t->queue.next < t->queue.count || t->play.verb[0]);
}

/* --- playing ---------------------------------------------------------------------------------- */

/* How a verb is played; NULL: at once. */
typedef struct pace {
    ss_verb_id verb;
    const char *name, *part, *part_in_time;
    double each, most; /* seconds per part, and of all parts together (0: no limit) */
} pace;

static const pace paces[] = {
    {SS_VERB_STEP, "step", "cycle", "cycle", 1 / CYCLES_PER_SECOND, CYCLES_SECONDS},
    {SS_VERB_TICK, "tick", "subiteration", "sub-step", 1 / TICKS_PER_SECOND, 0}};

static const pace *pace_of(const ss_cmd *cmd)
{
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++)
        if (paces[i].verb == cmd->verb->id)
            return &paces[i];
    return NULL;
}

static const pace *pace_now(const ss_play *play)
{
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++)
        if (strcmp(paces[i].name, play->verb) == 0)
            return &paces[i];
    return NULL;
}

/* True: the command is played. */
static bool begin_playing(ss_tutor *t, const ss_cmd *cmd, bool at_once)
{
    ss_err err;
    int64_t n = 1;
    const pace *p = pace_of(cmd);
    if (!p || at_once || ss_cmd_count(cmd, &n, &err) != SS_OK || n < 2)
        return false;
    double parts = p->most > 0 ? fmin((double)n, p->most / p->each) : (double)n;
    t->play = (ss_play){.all = n, .parts = (int)parts, .each = p->each, .next = t->play.next};
    snprintf(t->play.verb, sizeof t->play.verb, "%s", p->name);
    return true;
}

/* Sends the next part of the command that is played. */
static const char *next_part(const app *a, ss_play *play, char *line, size_t size)
{
    const pace *p = pace_now(play);
    int64_t upto = play->skip ? play->all : play->all * ++play->part / play->parts;
    bool in_time = a->snap->kind == SS_TRANSIENT;
    snprintf(line, size, "%s %lld", play->verb, (long long)(upto - play->done));
    snprintf(play->what, sizeof play->what, "%s %lld of %lld", in_time ? p->part_in_time : p->part,
             (long long)upto, (long long)play->all);
    play->done = upto;
    play->next = ss_clock() + play->each;
    if (play->done == play->all)
        play->verb[0] = '\0';
    return line;
}

static void send_line(app *a, const char *line)
{
    ss_err err = {0};
    a->tutor->sending = true;
    uint64_t ticket = ss_app_emit(a, line, &err);
    a->tutor->sending = false;
    if (!ticket && err.text[0])
        ss_tutor_say(a, true, err.text);
}

/* The run is as the step begins. */
static void note_start(app *a)
{
    ss_tutor *t = a->tutor;
    t->setting = false;
    ss_ui_sets_up(a->ui, false);
    t->start = (ss_start){.cfg = a->snap->cfg,
                          .cycle = (int64_t)a->snap->telemetry.value[SS_T_CYCLE],
                          .peek = a->snap->peek};
    if (t->starts && !t->trying) {
        t->touched = true;
        send_line(a, "toggle");
    }
    t->starts = false;
}

static bool is_set_up(const app *a)
{
    const ss_tutor *t = a->tutor;
    return t->setting && t->queue.next >= t->paced && ss_tutor_is_at_rest(a);
}

/* A run that has diverged advances no more: what is left of `do` is dropped. */
static bool has_ended(const app *a)
{
    return a->tutor->trying && a->snap->status == SS_DIVERGED;
}

static bool is_due(const app *a)
{
    const ss_play *play = &a->tutor->play;
    return play->skip || a->setup->deterministic || ss_clock() >= play->next;
}

/* The next command may go: a pause at any time, since the student may have started the run; the
 * others when the run is still. */
static bool is_ready(const app *a)
{
    const ss_tutor *t = a->tutor;
    bool pauses = !t->play.verb[0] && t->queue.next < t->queue.count &&
                  t->queue.cmd[t->queue.next]->verb->id == SS_VERB_PAUSE;
    return pauses ? ss_app_is_carried_out(a) : ss_tutor_is_at_rest(a);
}

void ss_tutor_send(app *a)
{
    ss_tutor *t = a->tutor;
    char line[SS_CMD_TEXT + 64];
    while (ss_tutor_is_waiting(t) && is_ready(a) && is_due(a)) {
        if (is_set_up(a))
            note_start(a);
        if (has_ended(a)) {
            t->queue.next = t->queue.count;
            t->play.verb[0] = '\0';
            return;
        }
        t->stale = true;
        if (t->play.verb[0]) {
            send_line(a, next_part(a, &t->play, line, sizeof line));
            continue;
        }
        bool at_once =
            t->queue.next < t->paced || t->play.skip || t->lines.on || a->setup->deterministic;
        const ss_cmd *cmd = t->queue.cmd[t->queue.next++];
        if (!begin_playing(t, cmd, at_once))
            send_line(a, ss_cmd_format(cmd, line, sizeof line));
    }
    if (is_set_up(a))
        note_start(a);
}

double ss_app_lesson_due(const app *a)
{
    const ss_tutor *t = a->tutor;
    return t && ss_tutor_is_waiting(t) && ss_tutor_is_at_rest(a) ? t->play.next : 0;
}

/* --- by hand ---------------------------------------------------------------------------------- */

static bool has_settings(const ss_config *now, const ss_config *wanted)
{
    for (int i = 0; i < ss_param_count(); i++) {
        bool applies;
        const ss_param *row = ss_param_find(wanted, ss_param_row(i)->name, &applies);
        ss_value x = ss_config_value(now, row), y = ss_config_value(wanted, row);
        if (applies && memcmp(&x.i, &y.i, sizeof x.i) != 0)
            return false;
    }
    return true;
}

/* A student may look at any layer, unless `do` ends with one to look at. */
bool ss_tutor_did_by_hand(const app *a)
{
    const ss_tutor *t = a->tutor;
    const ss_snapshot *snap = a->snap;
    const ss_script *own = &ss_session_step(&t->session)->commands[SS_L_DO];
    ss_goal g = {.cfg = t->start.cfg};
    ss_err ignored;
    if (!t->touched || own->count == 0)
        return false;
    for (int i = 0; i < own->count; i++)
        ss_goal_take(&g, own->cmd[i], &ignored);
    int64_t per_cycle = snap->per_cycle > 0 ? snap->per_cycle : 1;
    int64_t from = g.restarted ? 0 : t->start.cycle * per_cycle + t->start.peek;
    int64_t at = (int64_t)snap->telemetry.value[SS_T_CYCLE] * per_cycle + snap->peek;
    bool far = at - from >= g.cycles * per_cycle + g.ticks && at > from;
    bool ended = snap->status != SS_RUNNING;
    if (g.layer && strcmp(g.layer, ss_layer_labels[snap->view.layer].name) != 0)
        return false;
    return has_settings(&snap->cfg, &g.cfg) && (ended || (far && !g.ends));
}
