/* The loop between a front end and the engine: see parts.h and design "One frame, and threads". */
#include "src/run/ahead.h"
#include "src/app/parts.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/driver.h"
#include "src/core/registry.h"
#include "ui/panels/screen.h"
#include "ui/scene/items.h"

#define MESSAGE_SECONDS 6
#define ERROR_SECONDS 12

/* Executes the next commands of the script. Commands of the app wait for earlier ones of the
 * engine. */
static void play_script(app *a)
{
    ss_script *s = a->setup->script;
    ss_err err;
    while (s->next < s->count && !a->failed) {
        const ss_cmd *cmd = s->cmd[s->next];
        bool heard = a->heard && s->next >= a->scripted; /* each gets its own answer */
        if ((cmd->row->side != SS_SIDE_ENGINE || (heard && cmd->patient)) &&
            !ss_app_is_carried_out(a))
            return;
        if (heard) {
            ss_app_answer(a, cmd);
        } else if (!ss_app_do(a, cmd, &err)) {
            if (ss_app_is_interactive(a))
                ss_ui_say(a->ui, true, err.text);
            else
                ss_app_fail(a, &err, true);
        }
        s->next++;
        if (ss_ui_wants_quit(a->ui)) {
            a->quit = true;
            return;
        }
    }
}

/* After the script the run continues, unless the script has steps or pauses. */
static void resume_after_script(app *a)
{
    ss_err err;
    if (a->resumed || a->setup->script->next < a->setup->script->count)
        return;
    a->resumed = true;
    if (ss_app_goes_on(a) && !a->setup->pick && !a->setup->map && !ss_app_lesson_is_open(a) &&
        !ss_app_emit(a, "run", &err))
        ss_app_fail(a, &err, false);
}

/* Is a new picture due, now or at next_want? */
static bool wants_picture(const app *a)
{
    return a->next_want > 0 && (!a->fe->watched || a->fe->watched(a->self));
}

static void want(app *a, double now)
{
    if (wants_picture(a) && now >= a->next_want - a->drawing) {
        ss_engine_want(a->engine);
        /* A frame that is less than half an interval late does not delay the next one. */
        bool late = now - a->next_want > 0.5 / a->setup->fps;
        a->last_want = late ? now : a->next_want;
        a->next_want = 0;
    }
}

static bool is_over(const app *a)
{
    if (a->quit || a->failed)
        return true;
    if (ss_app_is_interactive(a) || !a->resumed || !ss_app_is_carried_out(a) || ss_app_listens(a) ||
        a->setup->script->next < a->setup->script->count || ss_app_lesson_is_busy(a))
        return false;
    return a->snap->status != SS_RUNNING || a->snap->paused;
}

/* A message leaves after some seconds, so that the help of the focused control comes back; not
 * while the engine works on a command, and never if nothing may depend on the clock. */
static void expire_message(app *a, double now)
{
    bool error;
    uint64_t said = ss_ui_said(a->ui, &error);
    if (said != a->said)
        a->message_until = now + (error ? ERROR_SECONDS : MESSAGE_SECONDS);
    a->said = said;
    if (!said || a->setup->deterministic || now < a->message_until || !ss_app_is_carried_out(a))
        return;
    ss_ui_say(a->ui, false, "");
    a->said = 0;
    a->must_draw = true;
}

/* Must the engine soon have something new? A run with a pause between cycles takes longer. */
static bool is_engine_busy(const app *a)
{
    const ss_snapshot *s = a->snap;
    bool runs = s && s->status == SS_RUNNING && !s->paused && s->stride_seconds < 1;
    return ss_app_is_interactive(a) && !a->setup->deterministic && s &&
           (runs || !ss_app_is_carried_out(a));
}

/* Counts the seconds of a long cycle, or of a run that is being opened. */
static void count_seconds(app *a, double now)
{
    int seconds = is_engine_busy(a) ? (int)(now - a->last_fresh) : 0;
    if (ss_ui_waits(a->ui, seconds, NULL))
        a->must_draw = true;
}

/* --- drawing -------------------------------------------------------------------------------------
 */

/* Interactive recordings take the shown scene. */
static void record(app *a, double now)
{
    ss_err err;
    if (!a->recording_asked && ss_app_record_asked(a, &err) != SS_OK) {
        ss_app_record_end(a, false);
        ss_app_fail(a, &err, false);
    }
    a->recording_asked = true;
    ss_scene_recorded(a->scene);
    if (ss_film_live(&a->film, a->scene, a->snap, &err) != SS_OK)
        ss_ui_say(a->ui, true, err.text);
    if (a->film.ending)
        ss_app_record_end(a, true);
    if (a->film.ending || a->film.due > 0) { /* its frame rate may differ from the screen's */
        a->must_draw = true;
        a->next_draw = fmax(a->next_draw, a->film.ending ? now : a->film.due);
    }
    a->film.ending = false;
}

/* With --deterministic the first frame waits for the end of the script. Otherwise the machine's
 * load would decide which intermediate states are drawn, and these become rows of the raster. */
static bool must_wait(const app *a)
{
    const ss_script *s = a->setup->script;
    return a->setup->deterministic && ss_app_is_interactive(a) && a->last_draw == 0 && !a->quit &&
           (s->next < s->count || !ss_app_is_carried_out(a));
}

/* It also waits for the picture that its own layout requests. Otherwise a key that follows it at
 * once would advance the run before its first row of the raster exists. */
static bool awaits_picture(const app *a)
{
    return a->setup->deterministic && ss_app_is_interactive(a) && a->last_draw == 0 && !a->quit &&
           !a->failed && a->fe->caps & SS_FE_DRAWS && a->snap->view_seq != a->sent_view;
}

/* Each count takes a second, the first one less, so that there soon is a number. */
static void count_frame(ss_frame_rate *r, const ss_snapshot *s, double now)
{
    double elapsed = now - r->since;
    r->frames = r->counts ? r->frames + 1 : 0;
    if (r->frames > 0 && elapsed >= (r->shown > 0 ? 1 : 0.25)) {
        r->shown = r->frames / elapsed;
        r->frames = 0;
    }
    if (r->frames == 0)
        r->since = now;
    r->counts = s->status == SS_RUNNING && !s->paused;
}

/* Colours that move need frames of their own only if no new picture comes in time. */
static double next_move(const app *a, double now)
{
    double frames = is_engine_busy(a) ? 1.5 : 1;
    return ss_ui_moves(a->ui) ? now + frames / a->setup->fps : 0;
}

static void draw(app *a, double now)
{
    a->must_draw = a->must_draw || (a->next_move > 0 && now >= a->next_move);
    if (!a->snap || !a->must_draw || now < a->next_draw || must_wait(a))
        return;
    if (a->fe->caps & SS_FE_DRAWS) {
        ss_app_scene(a);
        if (a->fe->draw_others)
            a->fe->draw_others(a->self, a->ui, a->snap);
        const ss_view *view = ss_ui_view(a->ui);
        if (view->seq != a->sent_view) {
            a->sent_view = view->seq;
            ss_engine_view(a->engine, view);
            a->next_want = a->next_want > 0 ? now : 0;
        }
    }
    if (awaits_picture(a)) {
        a->must_draw = false; /* until it comes */
        return;
    }
    if (!ss_app_lesson_speaks(a))
        a->fe->draw(a->self, a->scene, a->snap);
    double took = ss_clock() - now, most = 0.9 / a->setup->fps;
    a->drawing = 0.8 * a->drawing + 0.2 * (took < most ? took : most);
    count_frame(&a->rate, a->snap, now);
    a->last_draw = now;
    a->next_draw = now + 0.5 / a->setup->fps; /* events may come at twice the frame rate */
    a->next_move = next_move(a, now);
    a->must_draw = false;
    if (!a->scene)
        return;
    record(a, now);
    ss_app_film_drawn(a);
}

/* Nothing has an address while it is chosen or being prepared. */
static void tell_address(app *a, double now)
{
    char line[sizeof a->address.line];
    if (!a->fe->address || a->last_draw <= a->address.drawn || now < a->address.due)
        return;
    a->address.drawn = a->last_draw;
    a->address.due = now + 1;
    if (!ss_app_is_carried_out(a) || ss_gallery_is_open(a->ui) ||
        ss_ui_line_of(a->ui, a->snap, line, sizeof line) || strcmp(line, a->address.line) == 0)
        return;
    snprintf(a->address.line, sizeof a->address.line, "%s", line);
    a->fe->address(a->self, line);
}

/* The shorter of two waits; < 0: without end. What is late is not waited for. */
static double sooner(double until, double wait)
{
    wait = fmax(wait, 0);
    return until < 0 || wait < until ? wait : until;
}

static double time_left(const app *a, double now)
{
    double until = -1, due = ss_app_lesson_due(a);
    if (wants_picture(a))
        until = sooner(until, a->next_want - a->drawing - now);
    if (a->must_draw && !must_wait(a))
        until = sooner(until, a->next_draw - now);
    if (a->next_move > 0)
        until = sooner(until, a->next_move - now);
    if (a->fe->address && a->last_draw > a->address.drawn)
        until = sooner(until, a->address.due - now);
    if (is_engine_busy(a)) /* to the next whole second */
        until = sooner(until, 1 - fmod(now - a->last_fresh, 1));
    if (due > 0)
        until = sooner(until, due - now);
    if (a->said && !a->setup->deterministic && ss_app_is_carried_out(a))
        until = sooner(until, a->message_until - now);
    return until;
}

/* A command may have come in the meantime. */
static bool ends(app *a)
{
    ss_event ev;
    if (!is_over(a) || a->quit || a->failed || !a->fe->listens)
        return is_over(a);
    if (a->fe->poll(a->self, 0, &ev))
        ss_app_handle(a, &ev);
    return is_over(a);
}

/* Reads the kept limits when the screen opens the roofline or the run changes. */
static void take_limits(app *a)
{
    bool shown = a->snap && ss_ui_wants_roofs(a->ui);
    if (shown && (!a->limits.shown || memcmp(&a->limits.of, &a->snap->cfg, sizeof a->limits.of))) {
        a->limits.of = a->snap->cfg;
        bool known = ss_limits_load(&a->limits.of, &a->limits.roofs, &a->limits.why) == SS_OK;
        ss_ui_roofs(a->ui, known ? &a->limits.roofs : NULL, a->limits.why.text);
    }
    a->limits.shown = shown;
}

static void loop(app *a)
{
    ss_event ev;
    while (!ends(a)) {
        ss_app_take(a);
        ss_app_map_take(a);
        take_limits(a);
        play_script(a);
        resume_after_script(a);
        ss_app_lesson_turn(a);
        double now = ss_clock();
        want(a, now);
        draw(a, now);
        tell_address(a, now);
        expire_message(a, now);
        count_seconds(a, now);
        if (is_over(a)) /* a last command may come: see `ends` */
            continue;
        while (a->fe->poll(a->self, time_left(a, ss_clock()), &ev)) {
            ss_app_handle(a, &ev);
            /* The wake-up for a snapshot may have arrived with the event: sleep at most until the
             * next frame. */
            if (a->quit || !a->must_draw || ss_clock() >= a->next_draw)
                break;
        }
    }
    ss_app_film_stop(a, false);
    ss_app_take(a);
    a->next_draw = 0;
    a->film.ending = a->film.noutput > 0;
    a->must_draw = a->must_draw || a->film.ending;
    draw(a, ss_clock()); /* shows the last message */
    if (ss_app_is_interactive(a))
        ss_app_export_asked(a);
}

/* --- life ----------------------------------------------------------------------------------------
 */

static void wake(void *ctx)
{
    app *a = ctx;
    a->fe->wake(a->self);
}

/* "preparing 4096×4096" */
static void name_problem(const ss_config *cfg, char *buf, size_t size)
{
    ss_problem p = ss_config_problem(cfg);
    int n = snprintf(buf, size, "%s %d",
                     ss_ahead_is_compiling() ? "compiling the kernels of" : "preparing", p.nx);
    if (p.dim > 1)
        n += snprintf(buf + n, size - (size_t)n, "\xc3\x97%d", p.ny);
    if (p.dim > 2)
        snprintf(buf + n, size - (size_t)n, "\xc3\x97%d", p.nz);
}

/* The screen while the first run is being opened, and during its first picture. */
static void draw_opening(app *a, double now)
{
    char what[64];
    if (!(a->fe->caps & SS_FE_DRAWS) || !ss_app_is_interactive(a) || a->setup->deterministic)
        return;
    name_problem(a->setup->cfg, what, sizeof what);
    bool another = ss_ui_waits(a->ui, (int)(now - a->last_fresh), what);
    if (!another && a->scene)
        return;
    ss_app_scene(a);
    a->fe->draw(a->self, a->scene, NULL);
}

/* A small problem is open before anybody could read what is being prepared. */
static bool opens_slowly(const ss_config *cfg)
{
    ss_problem p = ss_config_problem(cfg);
    return (double)p.nx * (p.dim > 1 ? p.ny : 1) * (p.dim > 2 ? p.nz : 1) >= 1 << 20;
}

/* Before the first scene only signals are handled; keys are ignored. */
static bool unwanted(void *ctx)
{
    app *a = ctx;
    ss_event ev;
    if (!a->quit)
        draw_opening(a, ss_clock());
    while (!a->quit && a->fe->poll(a->self, 0, &ev))
        ss_app_handle(a, &ev);
    return a->quit;
}

/* Warns about a long set-up before the first cycle. */
static void warn_setup_cost(const ss_app_setup *setup)
{
    char what[100];
    const ss_solver *solver = ss_config_solver(setup->cfg);
    ss_problem p = ss_config_problem(setup->cfg);
    if (solver->setup_cost && !setup->deterministic &&
        solver->setup_cost(setup->cfg, ss_config_equation(setup->cfg), &p, what, sizeof what))
        setup->warn(what);
}

static void end_map(app *a)
{
    ss_err notice = {0};
    size_t size;
    FILE *table = a->setup->map ? open_memstream(&a->table, &size) : NULL;
    int status = ss_app_map_end(a, a->by_signal, table, &notice);
    if (table)
        fclose(table);
    if (a->setup->map_status)
        *a->setup->map_status = status;
    if (notice.text[0] && !a->failed)
        snprintf(a->final_notices, sizeof a->final_notices, "%s", notice.text);
}

/* Not where the user has left a run at the end of its script's steps. */
static bool is_interrupted(const app *a)
{
    bool waits = !ss_app_goes_on(a) && a->snap && a->snap->paused;
    return a->by_signal || (a->quit && ss_app_is_interactive(a) && !waits);
}

/* In the order in which they are asked. */
static const ss_app_part *const parts[] = {&ss_app_films, &ss_app_lessons, &ss_app_lines,
                                           &ss_app_maps, NULL};

int ss_app_main(const ss_app_setup *setup, ss_app_finish *finish, void *ctx, bool *interrupted,
                bool *usage, ss_err *err)
{
    app a = {.setup = setup,
             .parts = parts,
             .fe = setup->frontend,
             .next_want = 1e-9,
             .must_draw = true};
    a.last_fresh = ss_clock();
    int status = SS_FAIL;
    bool scripted = setup->script->count > 0;
    bool interactive = setup->frontend->caps & SS_FE_INTERACTIVE;
    bool teaches =
        setup->lesson || (interactive && (setup->frontend->caps & SS_FE_DRAWS) && !setup->map);
    warn_setup_cost(setup);
    if (interactive)
        signal(SIGPIPE, SIG_IGN); /* a pipe that nobody reads is an error of its write */
    if (setup->frontend->open(&a.self, err) != SS_OK)
        return SS_FAIL;
    ss_engine_setup es = {.cfg = setup->cfg,
                          .load = setup->load,
                          .rhs = setup->rhs,
                          .interactive = interactive || setup->lesson,
                          .deterministic = setup->deterministic,
                          .wake = wake,
                          .wake_ctx = &a,
                          .unwanted = unwanted,
                          .seldom = !setup->deterministic && !setup->film,
                          .rewinds = setup->script->rewinds || ss_film_frame()->rewinds,
                          .past_bytes = setup->frontend->past_bytes,
                          .cones = ss_film_frame()->cones,
                          .observe = teaches ? ss_app_lesson_observe : NULL,
                          .observe_ctx = &a,
                          .later = !setup->lesson};
    es.paused = scripted || setup->pick || setup->map || setup->lesson || !interactive;
    ss_film_init(&a.film, interactive, setup->command);
    bool ready = !teaches || ss_app_lesson_begin(&a, err) == SS_OK;
    if (setup->film && ss_app_needs_rehearsal(&a))
        ss_app_rehearse(&a, &es);
    a.ui = ready ? ss_ui_new(ss_app_do, &a, err) : NULL;
    if (a.ui && opens_slowly(setup->cfg))
        draw_opening(&a, ss_clock());
    a.engine = a.ui ? ss_engine_start(&es, err) : NULL;
    if (a.engine) {
        if (setup->pick)
            ss_ui_open_picker(a.ui);
        ss_err why = {0};
        if (ss_app_map_begin(&a, &why) != SS_OK)
            ss_app_fail(&a, &why, false);
        (setup->film ? ss_app_film : loop)(&a);
        ss_app_record_end(&a, true);
        end_map(&a);
        ss_engine_stop(a.engine);
        status = SS_OK;
    }
    ss_ui_free(a.ui);
    ss_app_forget_rehearsal(&a);
    a.fe->close(a.self);
    *interrupted = a.by_signal;
    ss_app_lesson_print(&a);
    if (a.table)
        fputs(a.table, stdout);
    free(a.table);
    if (a.final_notices[0])
        setup->warn(a.final_notices);
    if (a.engine) {
        *usage = a.refused;
        if (a.failed)
            *err = a.failure;
        ss_run *run[SS_RUN_MAX];
        int n = ss_engine_runs(a.engine, run);
        status = a.failed ? SS_FAIL : finish(run, n, is_interrupted(&a), ctx, err);
    }
    ss_engine_free(a.engine);
    ss_app_lesson_end(&a);
    return status;
}
