/* The film of a span of cycles that the run has done already: it returns to each of them, lets the
 * screen draw it, and records the scene. See parts.h and src/engine/rewind.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/parts.h"
#include "src/core/registry.h"
#include "ui/scene/items.h"

enum { FRAMES_MOST = 600 };

/* --- the command ------------------------------------------------------------------------------ */

static int cycle_of(const char *text, int64_t *out, ss_err *err)
{
    char *end;
    *out = strtoll(text, &end, 10);
    if (end == text || *end || *out < 0)
        return ss_fail(err, "film: '%.40s' is not a cycle, a whole number from 0 on", text);
    return SS_OK;
}

static int64_t reached(const ss_snapshot *snap)
{
    return snap->past.back ? snap->past.end : (int64_t)snap->telemetry.value[SS_T_CYCLE];
}

static int check_span(const app *a, int64_t from, int64_t to, ss_err *err)
{
    if (!a->film.live || !a->snap || !a->scene)
        return ss_fail(err, "film: it needs a screen; --record records a run from its start");
    if (a->snap->race.n > 0)
        return ss_fail(err, "film: not possible in a race; :race off ends it");
    if (from >= to || to > reached(a->snap))
        return ss_fail(err, "film: FROM and TO are cycles between 0 and %" PRId64 ", FROM first",
                       reached(a->snap));
    return SS_OK;
}

/* Asks the engine for a cycle. */
static int go_to(app *a, int64_t cycle, ss_err *err)
{
    char line[48];
    snprintf(line, sizeof line, "rewind %" PRId64, cycle);
    a->again.at = cycle;
    a->again.sends = true;
    a->again.ticket = ss_app_emit(a, line, err);
    a->again.sends = false;
    return a->again.ticket ? SS_OK : SS_FAIL;
}

static int begin(app *a, const char *path, ss_err *err)
{
    ss_err notice = {0};
    ss_film_init(&a->again.film, true, a->film.command);
    a->again.film.per_frame = a->again.step;
    snprintf(a->again.path, sizeof a->again.path, "%s", path);
    return ss_film_start(&a->again.film, path, a->scene, &notice, err);
}

/* Closes the file and says what is in it. */
static void report(app *a, bool ok)
{
    ss_err err = {0}, notice = {0};
    char text[1200];
    int64_t frames = a->again.film.frames;
    a->again.on = a->again.returns = false;
    if (a->again.film.noutput > 0 &&
        ss_film_end(&a->again.film, 0, frames, ok, &notice, &err) != SS_OK)
        ok = false;
    snprintf(text, sizeof text,
             "film of the cycles %" PRId64 " to %" PRId64 ": %" PRId64 " frames in %.200s",
             a->again.from, a->again.to, frames, a->again.path);
    if (err.text[0] == '\0')
        err = a->again.failure;
    a->must_draw = true;
    ss_app_say(a, err.text[0] != 0,
               ok            ? text
               : err.text[0] ? err.text
                             : "film: ended, nothing was written");
}

int ss_app_film_verb(app *a, const ss_cmd *cmd, ss_err *err)
{
    char name[64];
    int64_t from, to;
    if (cmd->argc == 1 && strcmp(cmd->arg[0], "off") == 0) {
        ss_app_film_stop(a, false);
        return SS_OK;
    }
    if (cmd->argc < 2)
        return ss_fail(err, "film takes FROM TO [FILE], or off");
    if (a->again.on)
        return ss_fail(err, "film: another one is being made; film off ends it");
    if (cycle_of(cmd->arg[0], &from, err) != SS_OK || cycle_of(cmd->arg[1], &to, err) != SS_OK ||
        check_span(a, from, to, err) != SS_OK)
        return SS_FAIL;
    a->again.from = from, a->again.to = to;
    a->again.step = (to - from + FRAMES_MOST - 1) / FRAMES_MOST;
    a->again.back = (int64_t)a->snap->telemetry.value[SS_T_CYCLE];
    if (begin(a, cmd->argc > 2 ? cmd->arg[2] : ss_film_name(name, sizeof name), err) != SS_OK)
        return SS_FAIL;
    a->again.on = true;
    a->again.failure.text[0] = '\0';
    if (go_to(a, from, err) == SS_OK)
        return SS_OK;
    report(a, false);
    return SS_FAIL;
}

/* --- frames ----------------------------------------------------------------------------------- */

/* The engine stands at the cycle that was asked for, or at the nearest one that it can restore. */
static bool has_arrived(const app *a)
{
    const ss_snapshot *s = a->snap;
    return s->ticket >= a->again.ticket && s->paused && s->view_seq == a->sent_view;
}

void ss_app_film_stop(app *a, bool whole)
{
    ss_err err;
    if (!a->again.on)
        return;
    bool returned = a->again.returns || a->quit || go_to(a, a->again.back, &err) != SS_OK;
    a->again.returns = true;
    a->again.whole = whole;
    if (returned)
        report(a, whole);
}

void ss_app_film_drawn(app *a)
{
    ss_err err = {0};
    if (!a->again.on || !has_arrived(a))
        return;
    if (a->again.returns) {
        report(a, a->again.whole);
        return;
    }
    ss_scene_recorded(a->scene);
    if (ss_film_live(&a->again.film, a->scene, a->snap, &err) != SS_OK) {
        a->again.failure = err;
        ss_app_film_stop(a, false);
        return;
    }
    int64_t next = a->again.at + a->again.step;
    if (next > a->again.to || go_to(a, next, &err) != SS_OK)
        ss_app_film_stop(a, true);
}

int ss_app_film_admits(const app *a, const ss_cmd *cmd, ss_err *err)
{
    if (!a->again.on || a->again.sends || cmd->row->side != SS_SIDE_ENGINE)
        return SS_OK;
    return ss_fail(err, "%s: a film of earlier cycles is being made; film off ends it",
                   cmd->verb->name);
}
