/* The loop between a front end and the engine: see app.h and design "One frame, and threads". */
#include "src/app.h"

#include <stdio.h>
#include <string.h>

#include "src/engine.h"
#include "ui/frontend.h"
#include "ui/ui.h"

typedef struct app {
    const ss_app_setup *setup;
    const ss_frontend *fe;
    void *self; /* the front end's */
    ss_engine *engine;
    ss_ui *ui;
    struct ss_scene *scene;  /* what is on the screen, NULL: nothing */
    const ss_snapshot *snap; /* the freshest, valid until the next take */
    uint64_t last_ticket;    /* of the script and the keys */
    uint64_t seen_message, sent_view;
    double next_want; /* clock at which to ask for a snapshot; 0: it has been asked for */
    double last_want;
    double next_draw, last_draw, fps;
    double drawing; /* seconds a frame takes to draw, of late: asked for so much ahead */
    bool must_draw, quit, by_signal, resumed;
    ss_err failure; /* of a script's command, or of the run */
    bool failed, refused;
    bool warned; /* that a device was lost */
} app;

static bool is_interactive(const app *a)
{
    return a->fe->caps & SS_FE_INTERACTIVE;
}

/* --- commands ------------------------------------------------------------------------------------
 */

static uint64_t post(app *a, const ss_cmd *cmd, ss_err *err)
{
    uint64_t ticket = ss_engine_post(a->engine, cmd);
    if (!ticket)
        ss_fail(err, "too many commands are waiting");
    else
        a->last_ticket = ticket;
    return ticket;
}

static uint64_t carry_out(app *a, const ss_cmd *cmd, ss_err *err)
{
    if (cmd->verb->side == SS_SIDE_ENGINE)
        return post(a, cmd, err);
    a->must_draw = true;
    int status = ss_ui_command(a->ui, cmd, a->snap, err);
    return status != SS_OK ? 0 : a->last_ticket ? a->last_ticket : 1; /* 0 is a refusal */
}

static uint64_t emit(void *ctx, const char *line, ss_err *err)
{
    app *a = ctx;
    ss_cmd cmd;
    if (ss_cmd_parse(line, &cmd, err) != SS_OK || !cmd.verb)
        return 0;
    return carry_out(a, &cmd, err);
}

static void fail(app *a, const ss_err *err, bool refused)
{
    if (!a->failed)
        a->failure = *err;
    a->failed = true;
    a->refused = refused;
}

static bool is_carried_out(const app *a)
{
    return a->snap && a->snap->ticket >= a->last_ticket;
}

/* The next commands of the script. App-side verbs wait for the engine-side ones before them. */
static void play_script(app *a)
{
    ss_script *s = a->setup->script;
    ss_err err;
    while (s->next < s->count && !a->failed) {
        const ss_cmd *cmd = s->cmd[s->next];
        if (cmd->verb->side == SS_SIDE_APP && !is_carried_out(a))
            return;
        if (!carry_out(a, cmd, &err)) {
            if (is_interactive(a))
                ss_ui_say(a->ui, true, err.text);
            else
                fail(a, &err, true);
        }
        s->next++;
        if (ss_ui_wants_quit(a->ui)) {
            a->quit = true;
            return;
        }
    }
}

/* After the script a run goes on by itself, unless the script said how far to go. */
static void resume_after_script(app *a)
{
    ss_err err;
    if (a->resumed || a->setup->script->next < a->setup->script->count)
        return;
    a->resumed = true;
    bool goes_on = !a->setup->script->steps || (a->setup->limits && !is_interactive(a));
    if (goes_on && !a->setup->pick)
        emit(a, "run", &err);
}

/* --- snapshots -----------------------------------------------------------------------------------
 */

static void hear_messages(app *a)
{
    const ss_snapshot *s = a->snap;
    if (s->rescued[0] && !a->warned && !is_interactive(a)) {
        a->warned = true;
        a->setup->warn(s->rescued);
    }
    if (s->message_seq == a->seen_message)
        return;
    a->seen_message = s->message_seq;
    if (is_interactive(a)) {
        ss_ui_say(a->ui, s->message_is_error, s->message);
    } else if (s->message_is_error && s->status != SS_DIVERGED) {
        ss_err err;
        snprintf(err.text, sizeof err.text, "%s", s->message);
        fail(a, &err, s->status == SS_RUNNING);
    }
}

static void take(app *a)
{
    bool fresh;
    a->snap = ss_engine_take(a->engine, &fresh);
    if (!fresh)
        return;
    a->must_draw = true;
    double now = ss_clock(), next = a->last_want + 1 / a->setup->fps;
    a->next_want = is_carried_out(a) && next > now ? next : now;
    hear_messages(a);
}

static void want(app *a, double now)
{
    if (a->next_want > 0 && now >= a->next_want - a->drawing) {
        ss_engine_want(a->engine);
        /* Late by less than a frame: the next one is in time again. */
        bool late = now - a->next_want > 0.5 / a->setup->fps;
        a->last_want = late ? now : a->next_want;
        a->next_want = 0;
    }
}

static bool is_over(const app *a)
{
    if (a->quit || a->failed)
        return true;
    if (is_interactive(a) || !a->resumed || !is_carried_out(a))
        return false;
    return a->snap->status != SS_RUNNING || a->snap->paused;
}

/* --- drawing -------------------------------------------------------------------------------------
 */

static void draw(app *a, double now)
{
    ss_extent extent;
    if (!a->snap || !a->must_draw || now < a->next_draw)
        return;
    if (a->fe->caps & SS_FE_DRAWS) {
        a->fe->extent(a->self, &extent);
        a->scene = ss_ui_scene(a->ui, a->snap, &extent, a->setup->deterministic ? 0 : a->fps);
        const ss_view *view = ss_ui_view(a->ui);
        if (view->seq != a->sent_view) {
            a->sent_view = view->seq;
            ss_engine_view(a->engine, view);
            a->next_want = a->next_want > 0 ? now : 0;
        }
    }
    a->fe->draw(a->self, a->scene, a->snap);
    double took = ss_clock() - now, most = 0.9 / a->setup->fps;
    a->drawing = 0.8 * a->drawing + 0.2 * (took < most ? took : most);
    double interval = now - a->last_draw;
    a->fps = a->last_draw > 0 ? 0.9 * a->fps + 0.1 / (interval > 1e-3 ? interval : 1e-3) : 0;
    a->last_draw = now;
    a->next_draw = now + 0.5 / a->setup->fps; /* keys may come twice as fast as pictures */
    a->must_draw = false;
}

static double time_left(const app *a, double now)
{
    double until = -1;
    if (a->next_want > 0)
        until = a->next_want - a->drawing - now;
    if (a->must_draw && (until < 0 || a->next_draw - now < until))
        until = a->next_draw - now;
    return until < 0 && (a->next_want > 0 || a->must_draw) ? 0 : until;
}

static void handle(app *a, const ss_event *ev)
{
    if (ev->kind == SS_EV_QUIT) {
        a->quit = true;
        a->by_signal = ev->button != 0;
    } else if (ev->kind == SS_EV_RESIZE) {
        a->must_draw = true;
        a->next_draw = 0;
    } else if (a->snap && ss_ui_event(a->ui, ev, a->scene, a->snap)) {
        a->must_draw = true;
    }
    a->quit = a->quit || ss_ui_wants_quit(a->ui);
}

static void loop(app *a)
{
    ss_event ev;
    while (!is_over(a)) {
        take(a);
        play_script(a);
        resume_after_script(a);
        double now = ss_clock();
        want(a, now);
        draw(a, now);
        if (is_over(a))
            break;
        while (a->fe->poll(a->self, time_left(a, ss_clock()), &ev)) {
            handle(a, &ev);
            /* The wake of a snapshot may have come with the event: sleep on only until the next
             * frame, and not at all if there is none. */
            if (a->quit || !a->must_draw || ss_clock() >= a->next_draw)
                break;
        }
    }
    take(a);
    a->next_draw = 0;
    draw(a, ss_clock()); /* the last word */
}

/* --- life ----------------------------------------------------------------------------------------
 */

static void wake(void *ctx)
{
    app *a = ctx;
    a->fe->wake(a->self);
}

int ss_app_main(const ss_app_setup *setup, ss_app_finish *finish, void *ctx, bool *interrupted,
                bool *usage, ss_err *err)
{
    app a = {.setup = setup, .fe = setup->frontend, .next_want = 1e-9, .must_draw = true};
    int status = SS_FAIL;
    bool scripted = setup->script->count > 0;
    if (setup->frontend->open(&a.self, err) != SS_OK)
        return SS_FAIL;
    ss_engine_setup es = {setup->cfg,           setup->load, setup->rhs, is_interactive(&a),
                          setup->deterministic, false,       wake,       &a};
    es.paused = scripted || setup->pick || !is_interactive(&a);
    a.ui = ss_ui_new(emit, &a, err);
    a.engine = a.ui ? ss_engine_start(&es, err) : NULL;
    if (a.engine) {
        if (setup->pick)
            ss_ui_open_picker(a.ui);
        loop(&a);
        ss_engine_stop(a.engine);
        status = SS_OK;
    }
    ss_ui_free(a.ui);
    a.fe->close(a.self);
    if (a.engine) {
        *interrupted = a.by_signal;
        *usage = a.refused;
        if (a.failed)
            *err = a.failure;
        status = a.failed ? SS_FAIL : finish(ss_engine_run(a.engine), a.quit, ctx, err);
    }
    ss_engine_free(a.engine);
    return status;
}
