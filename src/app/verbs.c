/* The commands record and export, the options of the same names, commands that come line by line,
 * and the table of the commands that the app handles: see parts.h. */
#include <glob.h>
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

void ss_app_hear(app *a, const char *line)
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
             (v->id == SS_VERB_LESSON && ss_app_lesson_speaks(a)))) {
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

/* The next path of a comma-separated list such as that of --record; false at its end. */
static bool next_path(const char **list, char *path, size_t size)
{
    while (*list && **list) {
        size_t n = strcspn(*list, ",");
        snprintf(path, size, "%.*s", (int)(n < size ? n : size - 1), *list);
        *list += n + ((*list)[n] == ',');
        if (*path)
            return true;
    }
    return false;
}

static int start_list(app *a, const char *list, ss_err *err)
{
    char path[1024];
    while (next_path(&list, path, sizeof path))
        if (start(a, path, " · R ends it", err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Checks --record: known formats, sizes that they support, no file twice. Returns the number of
 * files, or -1. */
static int check_recordings(ss_err *err)
{
    char path[1024], others[1024];
    int w, h, n = 0;
    const char *asked = ss_config_text(ss_options(), "record"), *list = asked;
    for (; next_path(&list, path, sizeof path); n++) {
        const ss_format *format = ss_format_find(path, err);
        if (!format || ss_film_size(n, &w, &h, err) != SS_OK)
            return -1;
        if (w > 0 && ss_medium_check(format->recorder->medium, path, w, h, err) != SS_OK)
            return -1;
        const char *earlier = asked;
        for (int i = 0; i < n && next_path(&earlier, others, sizeof others); i++)
            if (strcmp(path, others) == 0) {
                ss_fail(err, "record: %.200s is named twice", path);
                return -1;
            }
    }
    if (asked && n == 0) {
        ss_fail(err, "record: '%.80s' names no file", asked);
        return -1;
    }
    return n;
}

/* Refuses options that would have no effect. */
static int check_idle_options(int recordings, bool figure, ss_err *err)
{
    int sizes = ss_film_sizes(), most = recordings > 0 ? recordings : figure;
    if (sizes > 1 && sizes > most && most > 0)
        return ss_fail(err, "size: %d sizes for %d recording%s", sizes, most, most == 1 ? "" : "s");
    const char *list = ss_config_text(ss_options(), "record");
    if (ss_config_int(ss_options(), "max-size") > 0 && list && !strstr(list, ".gif"))
        return ss_fail(err, "max-size: only a .gif can be made smaller");
    return SS_OK;
}

int ss_app_check_record(bool live, bool map, ss_err *err)
{
    int w, h, recordings = check_recordings(err);
    const char *figure = ss_config_text(ss_options(), "export");
    const ss_figures *figures = figure ? ss_figures_find(err) : NULL;
    if (recordings < 0 || (figure && !figures))
        return SS_FAIL;
    if (figure &&
        (ss_film_size(0, &w, &h, err) != SS_OK || figures->check(figure, w, h, err) != SS_OK))
        return SS_FAIL;
    if (check_idle_options(recordings, figure != NULL, err) != SS_OK)
        return SS_FAIL;
    return ss_film_check_frame(live, map, err);
}

int ss_app_record_asked(app *a, ss_err *err)
{
    return start_list(a, ss_config_text(ss_options(), "record"), err);
}

/* Live: the present length of recording i. */
static int64_t length_of(const ss_film *f, int i)
{
    return f->frames - f->output[i].first;
}

static int end_one(app *a, bool ok, ss_err *err)
{
    ss_err notice = {0};
    int status = a->film.live ? ss_film_end(&a->film, 0, length_of(&a->film, 0), ok, &notice, err)
                              : ss_app_film_end(a, 0, ok, &notice, err);
    if (notice.text[0])
        ss_app_say(a, false, notice.text);
    return status;
}

void ss_app_record_end(app *a, bool ok)
{
    ss_err err;
    if (ok && !a->film.live)
        ss_app_film_begin(a);
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
    ss_app_film_begin(a);
    while (a->film.noutput > 0)
        status = end_one(a, true, err) == SS_OK ? status : SS_FAIL;
    return status;
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

/* --- export -------------------------------------------------------------------------------------
 */

static int verb_export(app *a, const ss_cmd *cmd, ss_err *err)
{
    char notice[160];
    if (ss_app_figure(a, cmd->arg[0], err) != SS_OK)
        return SS_FAIL;
    snprintf(notice, sizeof notice, "drew %.120s", cmd->arg[0]);
    ss_app_say(a, false, notice);
    return SS_OK;
}

void ss_app_export_asked(app *a)
{
    ss_err err;
    const char *path = ss_config_text(ss_options(), "export");
    if (path && !a->film.rehearsal && !a->failed && ss_app_figure(a, path, &err) != SS_OK)
        ss_app_fail(a, &err, false);
}

bool ss_app_exports(const app *a)
{
    const ss_script *script = a->setup->script;
    bool any = ss_config_text(ss_options(), "export") != NULL;
    for (int i = 0; i < script->count; i++)
        any = any || script->cmd[i]->verb->id == SS_VERB_EXPORT;
    return any;
}

/* --- files that exist ---------------------------------------------------------------------------
 */

/* Does an option of the command line name this file as output? */
static bool is_asked(const char *path)
{
    static const char *const outputs[] = {"record", "export", "save", "json", "csv"};
    char other[1024];
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const char *list = ss_config_text(ss_options(), outputs[i]);
        while (next_path(&list, other, sizeof other))
            if (strcmp(other, path) == 0)
                return true;
    }
    return false;
}

/* A pattern for glob() in which n characters from `at` on are any number. */
static void pattern_of(const char *path, size_t at, size_t n, char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; path[i] && used + 8 < size; i++) {
        if (i == at)
            used += (size_t)snprintf(out + used, size - used, "[0-9]*");
        if (i >= at && i < at + n)
            continue;
        if (strchr("*?[\\", path[i]))
            out[used++] = '\\';
        out[used++] = path[i];
    }
    out[used] = '\0';
}

/* The pattern of frames with numbers: for %d in the path, else for the number of the first one,
 * which ends before the extension. */
static void frames_pattern(const char *path, const char *first, char *out, size_t size)
{
    const char *percent = strchr(path, '%'), *dot = strrchr(first, '.');
    size_t end = dot ? (size_t)(dot - first) : strlen(first), at = end;
    while (at > 0 && first[at - 1] == '0')
        at--;
    if (percent)
        pattern_of(path, (size_t)(percent - path), strcspn(percent, "d") + 1, out, size);
    else
        pattern_of(first, at, end - at, out, size);
}

/* The first file that the command would replace; frames with numbers may replace any of theirs.
 * NULL: there is none. */
static const char *replaced(const ss_cmd *cmd, const char *path, char *buf, size_t size)
{
    char pattern[2200];
    glob_t found = {0};
    bool numbered = cmd->verb->id == SS_VERB_RECORD && ss_record_first(path, buf, size) != path;
    if (!numbered)
        return access(path, F_OK) == 0 ? path : NULL;
    frames_pattern(path, buf, pattern, sizeof pattern);
    bool any = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    if (any)
        snprintf(buf, size, "%s", found.gl_pathv[0]);
    globfree(&found);
    return any ? buf : NULL;
}

static int keep_file(const ss_cmd *cmd, const char *path, ss_err *err)
{
    char buf[1056];
    const char *file = is_asked(path) ? NULL : replaced(cmd, path, buf, sizeof buf);
    if (!file)
        return SS_OK;
    return ss_fail(err, "%s: %.200s exists; with --overwrite a run file may replace it",
                   cmd->verb->name, file);
}

int ss_app_keeps_files(const ss_cmd *cmd, ss_err *err)
{
    if (cmd->from_file && cmd->row->flags & SS_V_IN_PERSON)
        return ss_fail(err, "%s %s: a run file may not; type it", cmd->verb->name, cmd->row->name);
    char path[1024];
    int word = cmd->row != cmd->verb, file = cmd->verb->id == SS_VERB_FILM ? 2 : word;
    bool names = word ? cmd->row->min_args > 0 : cmd->argc > file;
    bool writes = cmd->verb->flags & SS_V_WRITES && names;
    if (!writes || !cmd->from_file || ss_config_int(ss_options(), "overwrite"))
        return SS_OK;
    if (cmd->verb->id != SS_VERB_RECORD)
        return keep_file(cmd, cmd->arg[file], err);
    const char *list = cmd->arg[0];
    while (next_path(&list, path, sizeof path))
        if (keep_file(cmd, path, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* --- the table ----------------------------------------------------------------------------------
 */

static ss_app_verb *const handlers[SS_NVERB] = {[SS_VERB_RECORD] = verb_record,
                                                [SS_VERB_EXPORT] = verb_export,
                                                [SS_VERB_PLAY] = verb_play,
                                                [SS_VERB_FILM] = ss_app_film_verb,
                                                [SS_VERB_MAP] = ss_app_verb_map,
                                                [SS_VERB_LESSON] = ss_app_lesson_verb,
                                                [SS_VERB_LESSONS] = ss_app_lessons_verb};

int ss_app_handle_command(app *a, const ss_cmd *cmd, ss_err *err)
{
    return handlers[cmd->verb->id](a, cmd, err);
}

bool ss_app_is_film(const ss_script *script)
{
    if (ss_config_text(ss_options(), "record") || ss_config_text(ss_options(), "export"))
        return true;
    for (int i = 0; i < script->count; i++)
        if (script->cmd[i]->verb->flags & SS_V_DRAWS)
            return true;
    return false;
}
