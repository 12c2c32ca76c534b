/* Commands that come line by line, their answers, and the command play: see parts.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/app/parts.h"
#include "src/base/text.h"
#include "src/core/registry.h"
#include "ui/scene/items.h"

/* --- lines ------------------------------------------------------------------------------------ */

/* Commands that a front end without a screen reads line by line while the run goes on: each joins
 * the end of the script. What the screen would show as an answer is said in words. */

static void hear(app *a, const char *line)
{
    ss_script *s = a->setup->script;
    ss_cmd cmd;
    ss_err err;
    if (!a->heard)
        a->scripted = s->count;
    a->heard = true;
    if (a->setup->film) {
        a->fe->say(a->self, true, "a recording without a screen takes no commands");
        return;
    }
    int status = ss_cmd_parse(line, &cmd, &err);
    if (status == SS_OK && cmd.verb)
        status = ss_script_copy(s, &cmd, &err);
    if (status != SS_OK)
        a->fe->say(a->self, true, err.text);
    if (status == SS_OK && cmd.verb) {
        s->cmd[s->count - 1]->heard = true;
        /* who types `pause` does not want to wait for the steps before it */
        s->cmd[s->count - 1]->patient = !isatty(STDIN_FILENO);
    }
}

bool ss_app_listens(const app *a)
{
    bool waits = a->heard || a->setup->script->pauses;
    return waits && a->fe->listens && a->fe->listens(a->self);
}

/* --- answers ---------------------------------------------------------------------------------- */

static bool has_answer(ss_verb_id verb);

/* Of a screen that is made for an answer. */
static const ss_sheet sheet = {
    .extent = {.cols = 140, .rows = 50, .dots_x = 1, .dots_y = 2}, .seconds = -1, .progress = 0.5};

/* Lets `say` tell what a screen shows after a command. Its pictures are made while the run is
 * paused. */
static int show(app *a, const char *command, void (*say)(app *a, const ss_scene *scene),
                ss_err *err)
{
    bool runs = a->snap->status == SS_RUNNING && !a->snap->paused;
    uint64_t sent = 0, ui_view = 0;
    ss_cmd cmd;
    ss_ui *ui = ss_ui_new(ss_app_do, a, err);
    if (!ui || ss_cmd_parse(command, &cmd, err) != SS_OK ||
        (runs && !ss_app_emit(a, "pause", err))) {
        ss_ui_free(ui);
        return SS_FAIL;
    }
    ss_ui_command(ui, &cmd, a->snap, err);
    const ss_scene *scene = ss_app_settled(a, ui, &sheet, &sent, &ui_view);
    if (scene)
        say(a, scene);
    ss_ui_free(ui);
    return runs && !ss_app_emit(a, "run", err) ? SS_FAIL : SS_OK;
}

static void say_explained(app *a, const ss_scene *scene)
{
    for (int i = 0; i < scene->nsaid; i++)
        a->fe->say(a->self, false, scene->said[i]);
    if (scene->nsaid == 0)
        a->fe->say(a->self, false, "There is nothing to explain yet: step or run first.");
}

static int explain(app *a, ss_err *err)
{
    return show(a, "explain on", say_explained, err);
}

static void say_lines(app *a, const char *text, size_t n)
{
    char line[400];
    for (size_t at = 0, length; at < n; at += length + 1) {
        length = strcspn(text + at, "\n");
        length = at + length > n ? n - at : length;
        snprintf(line, sizeof line, "%.*s", (int)length, text + at);
        a->fe->say(a->self, false, line);
    }
}

static void say_kernel(app *a, const ss_running_kernel *k)
{
    char facts[SS_KERNEL_FACTS][SS_KERNEL_FACT];
    int n = ss_kernel_facts_of(k, facts);
    for (int i = 0; i < n; i++)
        a->fe->say(a->self, false, facts[i]);
    if (k->text) {
        size_t begin = ss_kernel_begin(k->text, k->entry);
        say_lines(a, k->text + begin, ss_kernel_end(k->text, begin) - begin);
    }
}

/* The kernels of the run, each with its facts and its source. */
static void say_kernels(app *a, const ss_scene *scene)
{
    const ss_kernels *k = &a->snap->kernels;
    (void)scene;
    if (*k->edit.path)
        a->fe->say(a->self, false, k->edit.state);
    for (int i = 0; i < k->n; i++)
        say_kernel(a, &k->kernel[i]);
    if (k->why)
        a->fe->say(a->self, false, k->why);
}

static int kernel(app *a, ss_err *err)
{
    return show(a, "kernel", say_kernels, err);
}

static int help(app *a, ss_err *err)
{
    (void)err;
    char text[400], line[500];
    for (const ss_verb *v = ss_verbs; v < ss_verbs + SS_NVERB; v++)
        if (ss_verb_is_listed(v) &&
            (v->side == SS_SIDE_ENGINE || has_answer(v->id) || v->id == SS_VERB_QUIT ||
             (v->id == SS_VERB_LESSON && a->tutor))) {
            snprintf(line, sizeof line, "%s%s%s: %s", v->name, *v->args ? " " : "", v->args,
                     ss_verb_text(v, text, sizeof text));
            a->fe->say(a->self, false, line);
        }
    return SS_OK;
}

/* Commands whose effect is seen on a screen only. */
static const struct {
    ss_verb_id verb;
    int (*answer)(app *a, ss_err *err);
} answers[] = {{SS_VERB_EXPLAIN, explain}, {SS_VERB_KERNEL, kernel}, {SS_VERB_HELP, help}};
enum { NANSWER = sizeof answers / sizeof *answers };

static bool has_answer(ss_verb_id verb)
{
    for (int i = 0; i < NANSWER; i++)
        if (answers[i].verb == verb)
            return true;
    return false;
}

static int carry_out(app *a, const ss_cmd *cmd, ss_err *err)
{
    for (int i = 0; i < NANSWER; i++)
        if (answers[i].verb == cmd->row->id)
            return answers[i].answer(a, err);
    if (cmd->verb->id == SS_VERB_RECORD)
        return ss_fail(err, "record: give --record FILE on the command line");
    return ss_app_do(a, cmd, err) ? SS_OK : SS_FAIL;
}

void ss_app_answer(app *a, const ss_cmd *cmd)
{
    ss_err err = {0};
    if (carry_out(a, cmd, &err) != SS_OK && *err.text)
        a->fe->say(a->self, true, err.text);
}

/* --- play -------------------------------------------------------------------------------------
 */

/* As --run: the commands follow each other in the loop. A session plays no other session. */
static int verb_play(app *a, const ss_cmd *cmd, ss_err *err)
{
    ss_script *now = a->setup->script, file = {.cmd = NULL};
    if (!ss_app_is_interactive(a))
        return ss_fail(err, "play: there is no screen; --run %.200s plays it", cmd->arg[0]);
    if (now->next < now->count)
        return ss_fail(err, "play: other commands are still being carried out");
    if (ss_script_file(&file, cmd->arg[0], false, err) != SS_OK) {
        ss_script_free(&file);
        return SS_FAIL;
    }
    ss_script_free(now);
    *now = file;
    a->resumed = false; /* it may end with the run solving */
    return SS_OK;
}

static bool event(app *a, const ss_event *ev)
{
    bool line = ev->kind == SS_EV_COMMAND && !ss_app_is_interactive(a);
    if (line)
        hear(a, ev->text);
    return line;
}

const ss_app_part ss_app_lines = {
    .event = event, .admits = ss_film_keeps_files, .verb = {{SS_VERB_PLAY, verb_play}}};
