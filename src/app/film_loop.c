/* Recordings and figures without a front end. The solver's steps are the clock: the script and the
 * run advance cycles-per-frame at a time, and after each chunk every recording gets a frame at its
 * own size. Nothing depends on wall-clock time. See parts.h. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app/parts.h"
#include "src/core/registry.h"

enum { LAYOUTS = 4 /* a scene settles its view in two passes */ };
/* For the frames of a film whose first pass was interrupted; and more for the first one. */
#define INTERRUPTED_SECONDS 1.0
#define FIRST_SECONDS 2.0

/* --- waiting for the engine ---------------------------------------------------------------------
 */

static bool is_still(const app *a)
{
    const ss_snapshot *s = a->snap;
    bool busy = s->busy_reference || s->busy_baseline;
    return !busy && (s->paused || s->status != SS_RUNNING);
}

/* Seconds left to a film whose first pass was interrupted; < 0: no limit. */
static double seconds_left(const app *a)
{
    double more = a->film.frames == 0 ? FIRST_SECONDS : 0;
    return a->whole.most == 0 ? -1 : fmax(0, a->whole.until + more - ss_clock());
}

/* The second pass ends as the first one did. */
static void end_if_interrupted(app *a)
{
    bool all = a->whole.most > 0 && a->film.frames >= a->whole.most;
    if (all || seconds_left(a) == 0)
        a->quit = a->by_signal = true;
}

/* Waits until the engine has executed every command and shows the requested view. False: the
 * program quits or has failed. */
static bool settle(app *a)
{
    ss_event ev;
    ss_app_take(a);
    while (!a->quit && !a->failed) {
        if (a->snap && ss_app_is_carried_out(a) && a->snap->view_seq == a->sent_view && is_still(a))
            return true;
        ss_engine_want(a->engine);
        if (a->fe->poll(a->self, seconds_left(a), &ev))
            ss_app_handle(a, &ev);
        ss_app_take(a);
        end_if_interrupted(a);
    }
    return false;
}

/* The run is paused while it waits for the recordings; the frames of a film do not show that. */
static const ss_snapshot *as_running(const ss_snapshot *snap, const ss_sheet *at)
{
    static ss_snapshot shown;
    bool film = at->seconds >= 0;
    if (!film || snap->status != SS_RUNNING || snap->peek > 0)
        return snap;
    shown = *snap;
    shown.paused = false;
    return &shown;
}

const ss_scene *ss_app_settled(app *a, ss_ui *ui, const ss_sheet *at, uint64_t *sent,
                               uint64_t *ui_view)
{
    const ss_scene *scene = NULL;
    for (int i = 0; i < LAYOUTS; i++) {
        const ss_view *view = ss_ui_view(ui);
        if (*sent != a->sent_view || *ui_view != view->seq) {
            ss_view asked = *view;
            asked.seq = *sent = ++a->sent_view;
            *ui_view = view->seq;
            ss_engine_view(a->engine, &asked);
        }
        if (!settle(a))
            return NULL;
        ss_app_lessons_known(a);
        scene = ss_film_scene(ui, as_running(a->snap, at), at);
        if (ss_ui_view(ui)->seq == *ui_view)
            break;
    }
    return scene;
}

/* A new UI that has executed the script's screen commands so far. */
static ss_ui *new_screen(app *a, ss_err *err)
{
    ss_ui *ui = ss_ui_new(ss_app_do, a, err);
    const ss_script *s = a->setup->script;
    if (ui)
        ss_ui_in_order(ui);
    for (int i = 0; ui && i < s->count; i++)
        if (s->cmd[i]->verb->id == SS_VERB_SAY)
            ss_ui_will_say(ui);
    for (int i = 0; ui && i < s->next; i++)
        if (s->cmd[i]->row->side == SS_SIDE_SCREEN)
            ss_ui_command(ui, s->cmd[i], a->snap, err);
    ss_cmd explain;
    if (ui && ss_config_int(ss_options(), "annotate") &&
        ss_cmd_parse("explain on", &explain, err) == SS_OK)
        ss_ui_command(ui, &explain, a->snap, err);
    return ui;
}

/* --- frames -------------------------------------------------------------------------------------
 */

/* At frame `number` of `frames`, of those until the end of the run. */
static double progress_of(const app *a, int64_t number, int64_t frames)
{
    if (a->whole.frames == 0 || frames < 2)
        return 0.5;
    return number < frames - 1 ? (double)number / (double)(frames - 1) : 1;
}

static int shoot(app *a, ss_film_output *t, int64_t number, ss_err *err)
{
    ss_sheet at = {.seconds = (double)(number - t->first) / a->film.fps,
                   .progress = progress_of(a, number - t->first, a->whole.frames - t->first)};
    ss_recording_extent(t->recording, &at.extent);
    ss_film_ranges *ranges = t->nth < SS_FILM_MAX ? a->whole.ranges[t->nth] : NULL;
    if (!t->ui && !(t->ui = new_screen(a, err)))
        return SS_FAIL;
    if (!a->film.rehearsal)
        ss_ui_film_ranges(t->ui, ranges);
    const ss_scene *scene = ss_app_settled(a, t->ui, &at, &t->sent, &t->ui_view);
    if (!scene)
        return SS_OK; /* interrupted: finished files stay */
    if (!t->begun && ss_frame_check(ss_film_frame(), a->snap, err) != SS_OK)
        return SS_FAIL;
    if (a->film.rehearsal && ranges)
        ss_film_ranges_add(ranges, t->ui);
    ss_film_marks(t, a->snap);
    t->begun = true;
    return ss_recording_frame(t->recording, scene, number - t->first, err);
}

/* If a recording fails, its file is removed and the program ends; the other files stay. */
static void shoot_all(app *a, bool only_new)
{
    ss_film *f = &a->film;
    ss_err err, ignored;
    for (int i = f->noutput - 1; i >= 0; i--) {
        ss_film_output *t = &f->output[i];
        if ((only_new && t->begun) || shoot(a, t, f->frames, &err) == SS_OK)
            continue;
        ss_app_fail(a, &err, false);
        ss_film_end(f, i, 0, false, NULL, &ignored);
    }
}

void ss_app_film_begin(app *a)
{
    ss_film *f = &a->film;
    bool any = false;
    for (int i = 0; i < f->noutput; i++)
        any = any || !f->output[i].begun;
    if (any && f->frames > 0)
        f->frames--; /* they begin with the last frame of the others */
    for (int i = 0; any && i < f->noutput; i++)
        if (!f->output[i].begun)
            f->output[i].first = f->frames;
    if (any) {
        shoot_all(a, true);
        f->frames++;
    }
}

int ss_app_film_end(app *a, int i, bool ok, ss_err *notice, ss_err *err)
{
    ss_film *f = &a->film;
    ss_film_output *t = &f->output[i];
    int64_t hold = ss_film_hold(f), first, n;
    int status = SS_OK;
    first = f->frames;
    for (n = 0; ok && status == SS_OK && n < hold && !a->quit; n++)
        status = shoot(a, t, first + n, err);
    int64_t at = first + (a->quit ? 0 : n) - t->first;
    return ss_film_end(f, i, at, ok && status == SS_OK, notice, err) == SS_OK ? status : SS_FAIL;
}

/* --- the progress bar ------------------------------------------------------------------------- */

static int64_t frames_expected(const app *a)
{
    const ss_param *row = ss_param_find(a->setup->cfg, "cycles", NULL);
    ss_value v = ss_config_value(a->setup->cfg, row);
    return v.set ? v.i / a->film.per_frame + 1 + ss_film_hold(&a->film) : 0;
}

static void show_progress(app *a, bool last)
{
    enum { BAR = 30 };
    int64_t all = frames_expected(a), done = a->film.frames;
    double now = ss_clock();
    if (!isatty(STDERR_FILENO) || a->film.noutput == 0 || (!last && now - a->film.shown < 0.1))
        return;
    a->film.shown = now;
    if (last) {
        fprintf(stderr, "\r\033[K");
        return;
    }
    int filled = all > 0 ? (int)(BAR * done / all) : 0;
    fprintf(stderr, "\r[%-*.*s] %lld", BAR, filled < BAR ? filled : BAR,
            "##############################", (long long)done);
    if (all > 0)
        fprintf(stderr, " of %lld", (long long)all);
    fprintf(stderr, " frames, pass %d of 2\033[K", a->film.rehearsal ? 1 : 2);
}

/* --- playing ------------------------------------------------------------------------------------
 */

static int64_t cycle_now(const app *a)
{
    return (int64_t)a->snap->telemetry.value[SS_T_CYCLE];
}

static void take_frame(app *a)
{
    shoot_all(a, false);
    a->film.frames += !a->quit;
    show_progress(a, false);
    end_if_interrupted(a);
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
    if (!settle(a))
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
    ss_app_film_begin(a);
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
    ss_app_film_begin(a);
    if (a->film.noutput == 0)
        ss_app_figure_prepare(a);
    while (n-- > 0 && play_chunk(a, "tick", 1, true))
        ;
}

static void play_run(app *a, int64_t n)
{
    (void)n;
    ss_app_film_begin(a);
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
        settle(a);
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
    app first = {.setup = a->setup, .fe = a->fe, .self = a->self, .must_draw = true};
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
    bool interrupted = a->quit && a->by_signal && ss_app_exports(a);
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
    check_reproducible(a);
    if (ss_app_record_asked(a, &err) != SS_OK) {
        ss_app_fail(a, &err, false);
        ss_app_record_end(a, false);
        return;
    }
    if (settle(a) && s->count == 0 && ss_frame_check(ss_film_frame(), a->snap, &err) != SS_OK) {
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

/* --- figures ---------------------------------------------------------------------------------- */

/* The last state as a file, in pixels or at the size of print. */

enum { FIGURE_W = 1280, FIGURE_H = 720 };

static int figure_size(const ss_figures *figures, ss_sheet *out, ss_err *err)
{
    *out = (ss_sheet){.mm = ss_film_paper(), .seconds = -1, .progress = 0.5};
    if (out->mm > 0)
        return figures->paper(out->mm, &out->extent, err);
    if (ss_film_size(0, &out->w, &out->h, err) != SS_OK)
        return SS_FAIL;
    out->w = out->w > 0 ? out->w : FIGURE_W;
    out->h = out->h > 0 ? out->h : FIGURE_H;
    return figures->extent(out->w, out->h, &out->extent, err);
}

static int save_figure(const ss_figures *figures, const ss_scene *scene, const char *path,
                       const ss_sheet *at, const char *command, ss_err *err)
{
    return at->mm > 0 ? figures->print(scene, path, at->mm, command, err)
                      : figures->save(scene, path, at->w, at->h, command, err);
}

void ss_app_figure_begin(app *a)
{
    ss_err err;
    if (!ss_app_exports(a) || !a->snap || a->snap->dim != 1 || a->snap->race.n > 0)
        return;
    a->export_ui.ui = new_screen(a, &err);
    if (a->export_ui.ui)
        ss_ui_whole_run(a->export_ui.ui);
}

static const ss_scene *export_scene(app *a, const ss_sheet *at)
{
    return ss_app_settled(a, a->export_ui.ui, at, &a->export_ui.sent, &a->export_ui.ui_view);
}

void ss_app_figure_follow(app *a)
{
    ss_err err;
    ss_sheet at;
    const ss_figures *figures = ss_figures_find(&err);
    if (a->export_ui.ui && figures && figure_size(figures, &at, &err) == SS_OK)
        export_scene(a, &at);
}

static int own_figure(app *a, const ss_figures *figures, const char *path, ss_err *err)
{
    ss_sheet at;
    uint64_t sent = 0, ui_view = 0;
    if (figure_size(figures, &at, err) != SS_OK)
        return SS_FAIL;
    ss_ui *ui = a->export_ui.ui ? NULL : new_screen(a, err);
    if (!ui && !a->export_ui.ui)
        return SS_FAIL;
    const ss_scene *scene = ui ? ss_app_settled(a, ui, &at, &sent, &ui_view) : export_scene(a, &at);
    int status = scene ? ss_frame_check(ss_film_frame(), a->snap, err)
                       : ss_fail(err, "%.80s: interrupted before it was drawn", path);
    if (status == SS_OK)
        status = save_figure(figures, scene, path, &at, a->film.command, err);
    ss_ui_free(ui);
    return status;
}

int ss_app_figure(app *a, const char *path, ss_err *err)
{
    const ss_figures *figures = ss_figures_find(err);
    ss_extent cell;
    if (!figures)
        return SS_FAIL;
    if (!a->film.live)
        return own_figure(a, figures, path, err);
    if (!a->snap || !(a->fe->caps & SS_FE_DRAWS))
        return ss_fail(err, "export: nothing is shown yet");
    ss_app_scene(a); /* the scene on the screen may belong to an older snapshot */
    if (figures->extent(FIGURE_W, FIGURE_H, &cell, err) != SS_OK)
        return SS_FAIL;
    return figures->save(a->scene, path, a->scene->cols * cell.dots_x, a->scene->rows * cell.dots_y,
                         a->film.command, err);
}

void ss_app_figure_prepare(app *a)
{
    ss_sheet at;
    ss_err err;
    uint64_t sent = 0, ui_view = 0;
    const ss_figures *figures = ss_app_exports(a) ? ss_figures_find(&err) : NULL;
    bool asked = figures && !a->export_ui.ui && figure_size(figures, &at, &err) == SS_OK;
    ss_ui *ui = asked ? new_screen(a, &err) : NULL;
    if (ui)
        ss_app_settled(a, ui, &at, &sent, &ui_view);
    ss_ui_free(ui);
}
