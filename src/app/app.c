/* What every part of the app uses: commands and where they go, the engine's messages, scenes,
 * events, and waiting until the run is still. It calls the parts through their table only. See
 * parts.h. Main thread. */
#include "src/app/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#include "ui/panels/screen.h"
#include "ui/scene/items.h"

enum { LAYOUTS = 4 /* a scene settles its view in two passes */ };
/* More for the first frame of a film whose first pass was interrupted. */
#define FIRST_SECONDS 2.0

bool ss_app_is_interactive(const app *a)
{
    return a->fe->caps & SS_FE_INTERACTIVE;
}

/* --- commands ------------------------------------------------------------------------------------
 */

typedef struct text_line {
    char text[SS_CMD_TEXT];
} text_line;

static void add_quoted(void *ctx, const char *command)
{
    text_line *l = ctx;
    size_t n = strlen(l->text);
    snprintf(l->text + n, sizeof l->text - n, " \"%s\"", command);
}

/* The command with what the screen shows as further arguments, in `own`; the command itself if it
 * takes none or has its own. */
static const ss_cmd *with_view(const app *a, const ss_cmd *cmd, ss_cmd *own)
{
    ss_err ignored;
    text_line l;
    if (!(cmd->row->flags & SS_V_WITH_VIEW) || !a->snap || cmd->argc > cmd->row->min_args)
        return cmd;
    ss_cmd_format(cmd, l.text, sizeof l.text);
    ss_ui_view_lines(a->ui, a->snap, add_quoted, &l);
    if (ss_cmd_parse(l.text, own, &ignored) != SS_OK)
        return cmd;
    own->patient = cmd->patient;
    own->heard = cmd->heard;
    return own;
}

static uint64_t post(app *a, const ss_cmd *cmd, ss_err *err)
{
    ss_cmd own;
    uint64_t ticket = ss_engine_post(a->engine, with_view(a, cmd, &own), err);
    if (ticket)
        a->last_ticket = ticket;
    return ticket;
}

/* SDL has no clipboard for pictures: a file, and its path on the clipboard. */
static void copy_picture(app *a)
{
    char path[256] = "", text[400];
    ss_err err = {.text = "copy image needs a window; export FILE.png draws a picture"};
    if (!a->fe->picture || a->fe->picture(a->self, path, sizeof path, &err) != SS_OK) {
        ss_ui_say(a->ui, true, err.text);
        return;
    }
    bool copied = a->fe->copy && a->fe->copy(a->self, path);
    snprintf(text, sizeof text, "the window is in %s%s", path,
             copied ? "; its path is on the clipboard, which takes no pictures" : "");
    ss_ui_say(a->ui, false, text);
}

/* Passes the line that the UI wants copied, if any, to the clipboard. */
static void copy(app *a)
{
    const char *text = ss_ui_take_copy(a->ui);
    if (text)
        ss_ui_copied(a->ui, a->fe->copy && a->fe->copy(a->self, text));
    if (ss_ui_take_picture(a->ui))
        copy_picture(a);
}

/* A command that was executed at once has the ticket of the last one posted; 0: it was refused. */
static uint64_t ticket_of(app *a, int status)
{
    a->must_draw = true;
    return status != SS_OK ? 0 : a->last_ticket ? a->last_ticket : 1;
}

/* To the part of the app that has the command. */
static uint64_t to_part(app *a, const ss_cmd *cmd, ss_err *err)
{
    for (const ss_app_part *const *p = a->parts; *p; p++)
        for (int i = 0; i < SS_APP_VERBS && (*p)->verb[i].run; i++)
            if ((*p)->verb[i].id == cmd->verb->id)
                return ticket_of(a, (*p)->verb[i].run(a, cmd, err));
    return 0;
}

static uint64_t to_screen(app *a, const ss_cmd *cmd, ss_err *err)
{
    int status = ss_ui_command(a->ui, cmd, a->snap, err);
    copy(a);
    return ticket_of(a, status);
}

/* Does a part of the app use the command up? */
static bool is_taken(app *a, const ss_cmd *cmd)
{
    for (const ss_app_part *const *p = a->parts; *p; p++)
        if ((*p)->takes && (*p)->takes(a, cmd))
            return true;
    return false;
}

static int admit(const app *a, const ss_cmd *cmd, ss_err *err)
{
    for (const ss_app_part *const *p = a->parts; *p; p++)
        if ((*p)->admits && (*p)->admits(a, cmd, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

uint64_t ss_app_do(void *self, const ss_cmd *cmd, ss_err *err)
{
    static uint64_t (*const to[SS_NSIDE])(app *, const ss_cmd *, ss_err *) = {
        [SS_SIDE_ENGINE] = post, [SS_SIDE_PROGRAM] = to_part, [SS_SIDE_SCREEN] = to_screen};
    app *a = self;
    if (is_taken(a, cmd))
        return ticket_of(a, SS_OK);
    return admit(a, cmd, err) == SS_OK ? to[cmd->row->side](a, cmd, err) : 0;
}

uint64_t ss_app_emit(app *a, const char *line, ss_err *err)
{
    ss_cmd cmd;
    if (ss_cmd_parse(line, &cmd, err) != SS_OK || !cmd.verb)
        return 0;
    return ss_app_do(a, &cmd, err);
}

void ss_app_fail(app *a, const ss_err *err, bool refused)
{
    if (!a->failed) {
        a->failure = *err;
        a->refused = refused && !err->outside;
    }
    a->failed = true;
}

bool ss_app_is_carried_out(const app *a)
{
    return a->snap && a->snap->ticket >= a->last_ticket;
}

bool ss_app_goes_on(const app *a)
{
    const ss_script *s = a->setup->script;
    return !s->pauses && (!s->steps || (!ss_app_is_interactive(a) && a->setup->limits));
}

/* --- snapshots -----------------------------------------------------------------------------------
 */

void ss_app_say(app *a, bool error, const char *text)
{
    size_t n = strlen(a->final_notices);
    if (a->film.rehearsal)
        return;
    if (ss_app_is_interactive(a) && a->quit)
        snprintf(a->final_notices + n, sizeof a->final_notices - n, "%s%s", n ? "\n" : "", text);
    else if (ss_app_is_interactive(a))
        ss_ui_say(a->ui, error, text);
    else
        a->setup->warn(text);
}

static void take_messages(app *a)
{
    const ss_snapshot *s = a->snap;
    if (s->rescued[0] && !a->warned && !a->film.rehearsal && !ss_app_is_interactive(a)) {
        a->warned = true;
        a->setup->warn(s->rescued);
    }
    if (s->message_seq == a->seen_message)
        return;
    a->seen_message = s->message_seq;
    if (a->again.on && !s->message_is_error)
        return; /* that it has returned to a cycle */
    if (a->heard && (!s->message_is_error || s->message_refuses || s->status == SS_DIVERGED)) {
        if (*s->message)
            a->fe->say(a->self, s->message_is_error, s->message);
    } else if (ss_app_is_interactive(a)) {
        if (*s->message) /* the screen's own follow-up takes an empty one */
            ss_ui_say(a->ui, s->message_is_error, s->message);
    } else if (s->message_is_error && s->status != SS_DIVERGED) {
        ss_err err;
        ss_fail(&err, "%s", s->message);
        ss_app_fail(a, &err, s->message_refuses);
    } else if (s->message_warns && !a->film.rehearsal) {
        a->setup->warn(s->message);
    }
}

/* Pictures and films say where they come from. */
static void follow_origin(app *a)
{
    const char *command = a->setup->command;
    char edited[96];
    a->film.command = command;
    if (!*ss_edited_words(&a->snap->edited, edited, sizeof edited))
        return;
    snprintf(a->origin, sizeof a->origin, "%.4000s # %s", command ? command : "", edited);
    a->film.command = a->origin;
}

bool ss_app_take(app *a)
{
    bool fresh;
    a->snap = ss_engine_take(a->engine, &fresh);
    if (!fresh)
        return false;
    a->must_draw = true;
    a->last_fresh = ss_clock();
    ss_ui_waits(a->ui, 0, NULL);
    double now = a->last_fresh, next = a->last_want + 1 / a->setup->fps;
    a->next_want = ss_app_is_carried_out(a) && next > now ? next : now;
    take_messages(a);
    follow_origin(a);
    return true;
}

/* --- scenes and events ----------------------------------------------------------------------- */

/* What a scene needs of the parts of the app. */
static void begin_scene(app *a)
{
    for (const ss_app_part *const *p = a->parts; *p; p++)
        if ((*p)->scene)
            (*p)->scene(a);
}

void ss_app_scene(app *a)
{
    ss_extent extent;
    a->fe->extent(a->self, &extent);
    ss_ui_clock(a->ui, a->setup->deterministic ? 0 : ss_clock());
    ss_ui_recording(a->ui, a->film.noutput);
    ss_ui_filming(a->ui, a->again.on ? a->again.at : -1, a->again.to);
    double fps = a->setup->deterministic ? 0 : a->rate.shown;
    begin_scene(a);
    a->scene = ss_ui_scene(a->ui, a->snap, &extent, fps);
}

static bool is_used(app *a, const ss_event *ev)
{
    for (const ss_app_part *const *p = a->parts; *p; p++)
        if ((*p)->event && (*p)->event(a, ev))
            return true;
    return false;
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
        if (ev->kind == SS_EV_KEY) /* seldom, and its effect is waited for */
            a->next_draw = fmin(a->next_draw, a->last_draw + 0.25 / a->setup->fps);
        copy(a);
    }
}

void ss_app_handle(app *a, const ss_event *ev)
{
    ss_ui_clock(a->ui, a->setup->deterministic ? 0 : ss_clock());
    if (!is_used(a, ev))
        handle(a, ev);
    a->quit = a->quit || ss_ui_wants_quit(a->ui);
}

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

void ss_app_end_if_interrupted(app *a)
{
    bool all = a->whole.most > 0 && a->film.frames >= a->whole.most;
    if (all || seconds_left(a) == 0)
        a->quit = a->by_signal = true;
}

bool ss_app_settle(app *a)
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
        ss_app_end_if_interrupted(a);
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
        if (!ss_app_settle(a))
            return NULL;
        begin_scene(a);
        scene = ss_film_scene(ui, as_running(a->snap, at), at);
        if (ss_ui_view(ui)->seq == *ui_view)
            break;
    }
    return scene;
}

ss_ui *ss_app_new_screen(app *a, ss_err *err)
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
