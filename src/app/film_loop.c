/* Films. Without a front end the solver's steps are the clock: the script and the run advance
 * cycles-per-frame at a time, and after each chunk every recording gets a frame at its own size;
 * nothing depends on wall-clock time. And the commands record and film. See parts.h. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/parts.h"
#include "src/base/text.h"
#include "src/core/registry.h"
#include "ui/scene/items.h"

/* For the frames of a film whose first pass was interrupted. */
#define INTERRUPTED_SECONDS 1.0

/* --- frames -------------------------------------------------------------------------------------
 */

/* At frame `number` of `frames`, of those until the end of the run. */
static double progress_of(const app *a, int64_t number, int64_t frames)
{
    if (a->whole.frames == 0 || frames < 2)
        return 0.5;
    return number < frames - 1 ? (double)number / (double)(frames - 1) : 1;
}

/* The scene of a recording's own screen, at its size. */
static const ss_scene *offline(ss_film *f, ss_film_output *t, int64_t number, ss_err *err)
{
    app *a = f->ctx;
    ss_sheet at = {.seconds = (double)(number - t->first) / f->fps,
                   .progress = progress_of(a, number - t->first, a->whole.frames - t->first)};
    ss_recording_extent(t->recording, &at.extent);
    ss_film_ranges *ranges = t->nth < SS_FILM_MAX ? a->whole.ranges[t->nth] : NULL;
    if (!t->ui && !(t->ui = ss_app_new_screen(a, err)))
        return NULL;
    if (!f->rehearsal)
        ss_ui_film_ranges(t->ui, ranges);
    const ss_scene *scene = ss_app_settled(a, t->ui, &at, &t->sent, &t->ui_view);
    f->snap = a->snap;
    if (!scene || (!t->begun && ss_frame_check(ss_film_frame(), a->snap, err) != SS_OK))
        return NULL;
    if (f->rehearsal && ranges)
        ss_film_ranges_add(ranges, t->ui);
    return scene;
}

/* If a recording fails, its file is removed and the program ends; the other files stay. */
static void take(app *a, bool only_new)
{
    ss_err err;
    if (ss_film_take(&a->film, only_new, &err) != SS_OK)
        ss_app_fail(a, &err, false);
}

/* Records the first frame of new recordings. */
static void begin_recordings(app *a)
{
    ss_film *f = &a->film;
    bool any = false;
    for (int i = 0; i < f->noutput; i++)
        any = any || !f->output[i].begun;
    if (!any)
        return;
    f->frames -= f->frames > 0; /* they begin with the last frame of the others */
    take(a, true);
    f->frames++;
}

/* --- record -------------------------------------------------------------------------------------
 */

/* hint: said after the file's name while the screen is recorded. */
static int start(app *a, const char *path, const char *hint, ss_err *err)
{
    ss_err notice = {0};
    const ss_scene *shown = a->film.live ? a->scene : NULL;
    if (a->film.live && !shown)
        return ss_fail(err, "record: nothing is shown yet");
    if (ss_film_start(&a->film, path, shown, &notice, err) != SS_OK)
        return SS_FAIL;
    if (!notice.text[0] && a->film.live)
        ss_fail(&notice, "recording %.200s%s", path, hint);
    if (notice.text[0])
        ss_app_say(a, false, notice.text);
    return SS_OK;
}

static int start_list(app *a, const char *list, ss_err *err)
{
    char path[1024];
    while (ss_film_next_path(&list, path, sizeof path))
        if (start(a, path, " · R ends it", err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

int ss_app_record_asked(app *a, ss_err *err)
{
    return start_list(a, ss_config_text(ss_options(), "record"), err);
}

static int end_one(app *a, bool ok, ss_err *err)
{
    ss_err notice = {0};
    int status = ss_film_end(&a->film, 0, ok, &notice, err);
    if (notice.text[0])
        ss_app_say(a, false, notice.text);
    return status;
}

void ss_app_record_end(app *a, bool ok)
{
    ss_err err;
    if (ok && !a->film.live)
        begin_recordings(a);
    while (a->film.noutput > 0)
        if (end_one(a, ok, &err) != SS_OK)
            ss_app_fail(a, &err, false);
}

static int verb_record(app *a, const ss_cmd *cmd, ss_err *err)
{
    char name[64];
    if (cmd->argc)
        return start_list(a, cmd->arg[0], err);
    if (a->film.noutput == 0 && !a->film.live)
        return ss_fail(err, "record: nothing is being recorded; record FILE begins");
    if (a->film.noutput == 0)
        return start(a, ss_film_name(name, sizeof name),
                     " · R ends it · another format: :record x.gif", err);
    if (a->film.live) { /* ends after the frame of what is shown now */
        a->film.ending = a->must_draw = true;
        return SS_OK;
    }
    int status = SS_OK;
    begin_recordings(a);
    while (a->film.noutput > 0)
        status = end_one(a, true, err) == SS_OK ? status : SS_FAIL;
    return status;
}

/* --- the progress bar ------------------------------------------------------------------------- */

static int64_t frames_expected(const app *a)
{
    const ss_param *row = ss_param_find(a->setup->cfg, "cycles", NULL);
    ss_value v = ss_config_value(a->setup->cfg, row);
    return v.set ? v.i / a->film.per_frame + 1 + a->film.hold : 0;
}

static void show_progress(app *a, bool last)
{
    char of[40] = "";
    int64_t all = frames_expected(a), done = a->film.frames;
    double now = ss_clock();
    if (a->film.noutput == 0 || (!last && now - a->film.shown < 0.1))
        return;
    a->film.shown = now;
    if (last) {
        ss_bar_clear();
        return;
    }
    if (all > 0)
        snprintf(of, sizeof of, " of %lld", (long long)all);
    ss_bar_show(all > 0 ? (double)done / (double)all : 0, "%lld%s frames, pass %d of 2",
                (long long)done, of, a->film.rehearsal ? 1 : 2);
}

/* --- playing ------------------------------------------------------------------------------------
 */

static int64_t cycle_now(const app *a)
{
    return (int64_t)a->snap->telemetry.value[SS_T_CYCLE];
}

static void take_frame(app *a)
{
    take(a, false);
    a->film.frames += !a->quit;
    show_progress(a, false);
    ss_app_end_if_interrupted(a);
}

/* Frames of a subiteration. */
static int64_t hold_tick(const ss_film *f)
{
    int64_t n = llround(ss_config_real(ss_options(), "hold-tick") * f->fps);
    return n > 1 ? n : 1;
}

/* Advances by one chunk and records its frame; false: the run or the program ends. */
static bool play_chunk(app *a, const char *verb, int64_t n, bool is_frame)
{
    char line[64];
    ss_err err;
    snprintf(line, sizeof line, "%s %lld", verb, (long long)n);
    if (!ss_app_emit(a, line, &err)) {
        ss_app_fail(a, &err, true);
        return false;
    }
    int64_t before = cycle_now(a);
    if (!ss_app_settle(a))
        return false;
    bool whole = !is_frame || cycle_now(a) - before == n || strcmp(verb, "tick") == 0;
    if (is_frame || a->film.noutput == 0)
        ss_app_figure_follow(a);
    int64_t times = strcmp(verb, "tick") == 0 ? hold_tick(&a->film) : 1;
    for (int64_t i = 0; is_frame && whole && i < times && !a->quit && !a->failed; i++)
        take_frame(a);
    return !a->quit && !a->failed && a->snap->status == SS_RUNNING;
}

/* Cycles to the next frame, or to the next row of the export UI's raster; at most n. */
static int64_t chunk_of(const app *a, int64_t n)
{
    const ss_film *f = &a->film;
    int64_t most = f->noutput        ? f->per_frame - f->cycle
                   : a->export_ui.ui ? ss_ui_apart(a->export_ui.ui)
                                     : n;
    return most < n ? most : n;
}

/* `step N`: a chunk ends at each frame; a remainder counts towards the next one. */
static void play_steps(app *a, int64_t n)
{
    ss_film *f = &a->film;
    begin_recordings(a);
    while (n > 0 && !a->failed && !a->quit) {
        int64_t chunk = chunk_of(a, n);
        bool is_frame = f->noutput > 0 && chunk == f->per_frame - f->cycle;
        f->cycle = is_frame || f->noutput == 0 ? 0 : f->cycle + chunk;
        n -= chunk;
        if (!play_chunk(a, "step", chunk, is_frame))
            return;
    }
}

static void play_ticks(app *a, int64_t n)
{
    begin_recordings(a);
    if (a->film.noutput == 0)
        ss_app_figure_prepare(a);
    while (n-- > 0 && play_chunk(a, "tick", 1, true))
        ;
}

static void play_run(app *a, int64_t n)
{
    (void)n;
    begin_recordings(a);
    while (!a->failed && !a->quit && a->snap->status == SS_RUNNING)
        play_steps(a, a->film.noutput ? a->film.per_frame - a->film.cycle : 1000);
}

typedef void player(app *a, int64_t n);

/* Commands that record frames while they solve. */
static player *const players[SS_NVERB] = {
    [SS_VERB_STEP] = play_steps, [SS_VERB_TICK] = play_ticks, [SS_VERB_RUN] = play_run};

/* Sends a command of the screen to the UI of every recording. */
static int to_screens(app *a, const ss_cmd *cmd, ss_err *err)
{
    if (a->export_ui.ui && ss_ui_command(a->export_ui.ui, cmd, a->snap, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < a->film.noutput; i++)
        if (a->film.output[i].ui && ss_ui_command(a->film.output[i].ui, cmd, a->snap, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static void play_count(app *a, player *p, const ss_cmd *cmd)
{
    ss_err err;
    int64_t n = 1;
    if (ss_cmd_count(cmd, &n, &err) == SS_OK)
        p(a, n);
    else
        ss_app_fail(a, &err, true);
}

static void play(app *a, const ss_cmd *cmd)
{
    ss_err err = {0};
    if (players[cmd->verb->id]) {
        play_count(a, players[cmd->verb->id], cmd);
        return;
    }
    bool writes = (cmd->verb->flags & SS_V_WRITES) && cmd->verb->id != SS_VERB_RECORD;
    bool ok = (a->film.rehearsal && writes) || ss_app_do(a, cmd, &err) != 0;
    if (ok && cmd->row->side == SS_SIDE_SCREEN)
        ok = to_screens(a, cmd, &err) == SS_OK;
    if (!ok)
        ss_app_fail(a, &err, true);
    else
        ss_app_settle(a);
}

/* Warns if the run is not reproducible, and writes that into the files' comment. */
static void check_reproducible(app *a)
{
    const ss_config *cfg = a->setup->cfg;
    const ss_backend *backend = ss_config_backend(cfg);
    const ss_engine_ops *ops =
        backend ? ss_matrix(ss_config_equation(cfg), ss_config_solver(cfg), backend, NULL) : NULL;
    if (!ops || (ops->caps & (SS_CAP_AGE | SS_CAP_EXACT)) != SS_CAP_AGE)
        return;
    snprintf(a->film.comment, sizeof a->film.comment,
             "not reproducible: a GPU updates its blocks in a different order in every run");
    ss_app_say(a, false, a->film.comment);
}

/* --- the first pass --------------------------------------------------------------------------- */

/* Does the run end without an interrupt? */
static bool ends(const app *a)
{
    static const char *const limits[] = {"until", "until-accuracy", "until-error", "until-time",
                                         "seconds"};
    const ss_config *cfg = a->setup->cfg;
    const ss_script *s = a->setup->script;
    bool limited = cfg->v[ss_param_find(cfg, "cycles", NULL)->slot].set;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        limited = limited || ss_config_real(cfg, limits[i]) > 0;
    return limited || s->limits || (s->steps && !s->runs);
}

bool ss_app_needs_rehearsal(const app *a)
{
    const ss_script *s = a->setup->script;
    bool any = ss_config_text(ss_options(), "record") != NULL;
    for (int i = 0; i < s->count; i++)
        any = any || s->cmd[i]->verb->id == SS_VERB_RECORD;
    return any && ends(a);
}

static bool make_ranges(app *a)
{
    bool ok = true;
    for (int i = 0; i < SS_FILM_MAX; i++) {
        a->whole.ranges[i] = ss_film_ranges_new();
        ok = ok && a->whole.ranges[i];
    }
    return ok;
}

void ss_app_forget_rehearsal(app *a)
{
    for (int i = 0; i < SS_FILM_MAX; i++)
        ss_film_ranges_free(a->whole.ranges[i]);
}

/* An interrupt ends the film after as many frames as have been seen, or can be drawn at once: the
 * first pass may have seen many thousand. An error is reported by the second pass, which meets it
 * too. */
void ss_app_rehearse(app *a, const ss_engine_setup *setup)
{
    ss_err err;
    app first = {
        .setup = a->setup, .parts = a->parts, .fe = a->fe, .self = a->self, .must_draw = true};
    ss_engine_setup es = *setup;
    if (!make_ranges(a))
        return; /* the range grows with the frames */
    es.wake_ctx = &first;
    ss_film_init(&first.film, false, a->setup->command);
    first.film.rehearsal = true;
    first.whole = a->whole;
    first.ui = ss_ui_new(ss_app_do, &first, &err);
    first.engine = first.ui ? ss_engine_start(&es, &err) : NULL;
    if (first.engine) {
        ss_app_film(&first);
        ss_engine_stop(first.engine);
    }
    ss_engine_free(first.engine);
    ss_ui_free(first.ui);
    a->setup->script->next = 0;
    a->whole.frames = first.film.frames;
    a->whole.most = first.by_signal ? first.film.frames + !first.film.frames : 0;
    a->whole.until = ss_clock() + INTERRUPTED_SECONDS;
}

/* Draws the figures, after an interrupt too; a second signal prevents that. */
static void draw_last(app *a)
{
    ss_err err;
    bool interrupted = a->quit && a->by_signal && ss_film_exports(a->setup->script);
    if (interrupted)
        a->quit = ss_app_emit(a, "pause", &err) == 0;
    ss_app_export_asked(a);
    a->quit = a->quit || interrupted;
}

void ss_app_film(app *a)
{
    ss_script *s = a->setup->script;
    ss_err err = {0};
    signal(SIGPIPE, SIG_IGN); /* stdout may be a closed pipe; keep recording */
    a->film.source = offline;
    a->film.ctx = a;
    check_reproducible(a);
    if (ss_app_record_asked(a, &err) != SS_OK) {
        ss_app_fail(a, &err, false);
        ss_app_record_end(a, false);
        return;
    }
    if (ss_app_settle(a) && s->count == 0 &&
        ss_frame_check(ss_film_frame(), a->snap, &err) != SS_OK) {
        ss_app_fail(a, &err, true);
        ss_app_record_end(a, false);
        return;
    }
    ss_app_figure_begin(a);
    ss_app_figure_follow(a);
    while (s->next < s->count && !a->failed && !a->quit) {
        const ss_cmd *cmd = s->cmd[s->next++];
        play(a, cmd);
        a->quit = a->quit || ss_ui_wants_quit(a->ui);
    }
    if (!a->failed && !a->quit && ss_app_goes_on(a))
        play_run(a, 0);
    show_progress(a, true);
    draw_last(a);
    ss_app_record_end(a, true);
    ss_ui_free(a->export_ui.ui);
    a->export_ui.ui = NULL;
}

/* --- the film of a span
 * ------------------------------------------------------------------------------ */

/* film FROM TO: cycles that the run has done already. The run returns to each of them, the screen
 * draws it, and the scene is recorded. See src/engine/rewind.c. */

enum { FRAMES_MOST = 600 };

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

static int begin_span(app *a, const char *path, ss_err *err)
{
    ss_err notice = {0};
    ss_film_init(&a->again.film, true, a->film.command);
    a->again.film.per_frame = a->again.step;
    snprintf(a->again.path, sizeof a->again.path, "%s", path);
    return ss_film_start(&a->again.film, path, a->scene, &notice, err);
}

/* Closes the file and says what is in it. */
static void end_span(app *a, bool ok)
{
    ss_err err = {0}, notice = {0};
    char text[1200];
    int64_t frames = a->again.film.frames;
    a->again.on = a->again.returns = false;
    if (a->again.film.noutput > 0 && ss_film_end(&a->again.film, 0, ok, &notice, &err) != SS_OK)
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

static int verb_film(app *a, const ss_cmd *cmd, ss_err *err)
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
    if (begin_span(a, cmd->argc > 2 ? cmd->arg[2] : ss_film_name(name, sizeof name), err) != SS_OK)
        return SS_FAIL;
    a->again.on = true;
    a->again.failure.text[0] = '\0';
    if (go_to(a, from, err) == SS_OK)
        return SS_OK;
    end_span(a, false);
    return SS_FAIL;
}

/* --- its frames
 * ----------------------------------------------------------------------------------- */

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
        end_span(a, whole);
}

void ss_app_film_drawn(app *a)
{
    ss_err err = {0};
    if (!a->again.on || !has_arrived(a))
        return;
    if (a->again.returns) {
        end_span(a, a->again.whole);
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

static int admits(const app *a, const ss_cmd *cmd, ss_err *err)
{
    if (!a->again.on || a->again.sends || cmd->row->side != SS_SIDE_ENGINE)
        return SS_OK;
    return ss_fail(err, "%s: a film of earlier cycles is being made; film off ends it",
                   cmd->verb->name);
}

const ss_app_part ss_app_films = {.admits = admits,
                                  .verb = {{SS_VERB_RECORD, verb_record},
                                           {SS_VERB_EXPORT, ss_app_export_verb},
                                           {SS_VERB_FILM, verb_film}}};
