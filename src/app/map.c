/* Opens, shows and ends the tuning map: around a run, or of the subcommand map. See parts.h and
 * tuner.h. */
#include <string.h>

#include "src/app/parts.h"

static void wake(void *ctx)
{
    app *a = ctx;
    a->fe->wake(a->self);
}

static ss_tuner_setup setup_of(app *a)
{
    const ss_snapshot *s = a->snap;
    ss_tuner_setup setup = {.cfg = a->setup->map ? a->setup->map : &s->cfg, .wake = wake, .ctx = a};
    if (s) {
        setup.load = s->load;
        setup.rhs = s->rhs;
        setup.time = s->telemetry.value[SS_T_TIME];
    }
    return setup;
}

int ss_app_map_begin(app *a, ss_err *err)
{
    int status = 0;
    if (!a->setup->map)
        return SS_OK;
    ss_tuner_setup setup = setup_of(a);
    a->map = ss_tuner_asked(&setup, &status, err);
    if (!a->map)
        return SS_FAIL;
    ss_app_map_take(a);
    ss_ui_map_open(a->ui, true);
    return SS_OK;
}

void ss_app_map_take(app *a)
{
    bool fresh;
    if (!a->map)
        return;
    ss_map_view *view = ss_tuner_view(a->map, &fresh);
    if (a->snap && !view->alone && a->map_seen != a->snap->seq) {
        a->map_seen = a->snap->seq;
        view->stale = !ss_tuner_concerns(a->map, &a->snap->cfg);
    }
    if (fresh)
        ss_ui_map(a->ui, view);
    a->must_draw = a->must_draw || (fresh && ss_ui_map_is_open(a->ui));
}

int ss_app_map_end(app *a, bool interrupted, FILE *table, ss_err *err)
{
    ss_ui_map(a->ui, NULL);
    int status = ss_tuner_stop(a->map, interrupted, table, err);
    a->map = NULL;
    return status;
}

/* --- the verb --------------------------------------------------------------------------------- */

static bool is_alone(const app *a)
{
    return a->setup->map != NULL;
}

/* Shows the existing map if the run is one of its cells, else a new one. */
static int map_open(app *a, ss_err *err)
{
    ss_err ignored;
    if (!a->snap)
        return ss_fail(err, "map: there is no run yet");
    if (a->map && !is_alone(a) && !ss_tuner_covers(a->map, &a->snap->cfg))
        ss_app_map_end(a, false, NULL, &ignored);
    ss_tuner_setup setup = setup_of(a);
    if (!a->map && !(a->map = ss_tuner_around(&setup, err)))
        return SS_FAIL;
    if (!is_alone(a))
        ss_tuner_pause(a->map, false);
    a->map_seen = 0;
    ss_app_map_take(a);
    ss_ui_map_open(a->ui, true);
    return SS_OK;
}

/* A map around a run pauses while it is closed. */
static int map_close(app *a, ss_err *err)
{
    (void)err;
    ss_ui_map_open(a->ui, false);
    if (a->map && !is_alone(a))
        ss_tuner_pause(a->map, true);
    ss_ui_say(a->ui, false, "H shows the map again");
    return SS_OK;
}

static int map_toggle(app *a, ss_err *err)
{
    return ss_ui_map_is_open(a->ui) ? map_close(a, err) : map_open(a, err);
}

static int map_pause(app *a, ss_err *err)
{
    bool fresh;
    if (!a->map)
        return ss_fail(err, "there is no map yet; H opens one around the run");
    ss_tuner_pause(a->map, !ss_tuner_view(a->map, &fresh)->paused);
    ss_app_map_take(a);
    return SS_OK;
}

static int (*const handlers[SS_NVERB])(app *a, ss_err *err) = {[SS_VERB_MAP] = map_toggle,
                                                               [SS_VERB_MAP_OPEN] = map_open,
                                                               [SS_VERB_MAP_CLOSE] = map_close,
                                                               [SS_VERB_MAP_PAUSE] = map_pause};

int ss_app_verb_map(app *a, const ss_cmd *cmd, ss_err *err)
{
    if (!ss_app_is_interactive(a))
        return ss_fail(err, "map: this run has no screen; `stencilscope map` makes "
                            "one without a screen");
    return handlers[cmd->row->id](a, err);
}
