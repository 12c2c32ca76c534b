/* Recordings in progress: see parts.h. */
#include "src/app/parts.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/core/registry.h"
#include "ui/panels/screen.h"

/* The scene on the screen. */
static const ss_scene *on_screen(ss_film *f, ss_film_output *t, int64_t number, ss_err *err)
{
    (void)t, (void)number, (void)err;
    return f->on_screen;
}

void ss_film_init(ss_film *f, bool live, const char *command)
{
    const ss_param *row = ss_param_find(ss_options(), "cycles-per-frame", NULL);
    memset(f, 0, sizeof *f);
    f->source = on_screen;
    f->live = live;
    f->fps = ss_config_real(ss_options(), "fps");
    f->hold = live ? 0 : llround(ss_config_real(ss_options(), "hold-last") * f->fps);
    f->per_frame = ss_config_int(ss_options(), row->name);
    if (live && !ss_options()->v[row->slot].set)
        f->per_frame = 0;
    f->command = command;
}

int ss_film_size(int nth, int *w, int *h, ss_err *err)
{
    const char *list = ss_config_text(ss_options(), "size"), *next = list;
    *w = *h = 0;
    if (!list)
        return SS_OK;
    for (int i = 0; next && i <= nth; i++) {
        list = next;
        next = strchr(list, ',');
        next = next ? next + 1 : NULL;
    }
    const char *end = ss_parse_pair(list, w, h);
    if (end && *w > 0 && *h > 0 && (*end == '\0' || *end == ','))
        return SS_OK;
    return ss_fail(err, "size: '%.40s' is not WIDTHxHEIGHT, as 1280x720 (.cast: cells, as 120x40)",
                   list);
}

int ss_film_sizes(void)
{
    const char *list = ss_config_text(ss_options(), "size");
    int n = list && *list;
    for (; list && *list; list++)
        n += *list == ',';
    return n;
}

const char *ss_film_name(char *buf, size_t size)
{
    char date[32];
    time_t now = time(NULL);
    struct tm tm;
    const ss_format *f = ss_formats;
    while (!f->recorder)
        f++;
    strftime(date, sizeof date, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
    snprintf(buf, size, "run-%s%s", date, f->ext);
    return buf;
}

/* --- start and end ---------------------------------------------------------------------------- */

static int check_free(const ss_film *f, const char *path, ss_err *err)
{
    if (strlen(path) >= sizeof f->output->path)
        return ss_fail(err, "record: %.60s: the name is too long", path);
    if (f->noutput == SS_FILM_MAX)
        return ss_fail(err, "record: at most %d recordings can run at a time", SS_FILM_MAX);
    for (int i = 0; i < f->noutput; i++)
        if (strcmp(f->output[i].path, path) == 0)
            return ss_fail(err, "record: %.200s is being recorded already", path);
    return SS_OK;
}

int ss_film_start(ss_film *f, const char *path, const ss_scene *scene, ss_err *notice, ss_err *err)
{
    ss_record_spec spec = {
        .path = path,
        .fps = f->fps,
        .live = f->live,
        .whole = ss_config_int(ss_options(), "deterministic") != 0,
        .loop = (int)ss_config_int(ss_options(), "loop"),
        .max_size = ss_config_int(ss_options(), "max-size"),
        .caption = ss_config_text(ss_options(), "caption"),
        .command = f->command,
        .comment = f->comment[0] ? f->comment : NULL,
        .rehearsal = f->rehearsal,
    };
    if (check_free(f, path, err) != SS_OK)
        return SS_FAIL;
    if (ss_film_size(f->opened, &spec.w, &spec.h, err) != SS_OK)
        return SS_FAIL;
    if (scene &&
        ss_record_size(path, scene->cols, scene->rows, &spec.w, &spec.h, notice, err) != SS_OK)
        return SS_FAIL;
    ss_film_output *t = &f->output[f->noutput];
    *t = (ss_film_output){.first = f->frames, .nth = f->opened};
    f->ending = false;
    snprintf(t->path, sizeof t->path, "%s", path);
    t->recording = ss_recording_open(&spec, notice, err);
    if (!t->recording)
        return SS_FAIL;
    if (f->live && f->noutput == 0)
        f->started = 0, f->frames = f->missed = 0;
    f->noutput++;
    f->opened++;
    return SS_OK;
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Passes new marks of the run on to a recording. */
static void add_marks(ss_film_output *t, const ss_snapshot *snap)
{
    int64_t newest = t->mark_cycle;
    for (int i = 0; i < snap->nmark; i++) {
        const ss_mark *m = &snap->mark[i];
        bool is_new =
            m->at.cycle > t->mark_cycle || (m->at.cycle == t->mark_cycle && i >= t->nmark);
        if (is_new && t->begun) /* marks before the first frame are not passed on */
            ss_recording_mark(t->recording, m->text);
        newest = m->at.cycle > newest ? m->at.cycle : newest;
    }
    if (snap->nmark == 0)
        newest = -1; /* the run was reset */
    t->mark_cycle = newest;
    t->nmark = snap->nmark;
}

static int take_one(ss_film *f, ss_film_output *t, int64_t number, bool *interrupted, ss_err *err)
{
    ss_err why = {0};
    if (!t->begun)
        t->first = number;
    const ss_scene *scene = f->source(f, t, number, &why);
    *interrupted = !scene;
    if (!scene)
        return why.text[0] ? (*err = why, SS_FAIL) : SS_OK;
    add_marks(t, f->snap);
    t->begun = true;
    if (f->ending)
        ss_recording_wait(t->recording);
    return ss_recording_frame(t->recording, scene, number - t->first, err);
}

static int close_one(ss_film *f, int i, int64_t length, bool ok, ss_err *notice, ss_err *err)
{
    ss_film_output t = f->output[i];
    f->noutput--;
    memmove(&f->output[i], &f->output[i + 1], (size_t)(f->noutput - i) * sizeof *f->output);
    int status = ss_recording_close(t.recording, ok, length, notice, err);
    size_t n = notice ? strlen(notice->text) : 0;
    if (n > 0 && f->missed > 0)
        snprintf(notice->text + n, sizeof notice->text - n,
                 "; the run was too fast for %lld further frames (--ui none records every frame)",
                 (long long)f->missed);
    ss_ui_free(t.ui);
    return status;
}

int ss_film_take(ss_film *f, bool only_new, ss_err *err)
{
    ss_err ignored;
    bool interrupted;
    int status = SS_OK;
    for (int i = f->noutput - 1; i >= 0; i--) {
        ss_film_output *t = &f->output[i];
        if ((only_new && t->begun) || take_one(f, t, f->frames, &interrupted, err) == SS_OK)
            continue;
        status = SS_FAIL;
        close_one(f, i, 0, false, NULL, &ignored);
    }
    return status;
}

int ss_film_end(ss_film *f, int i, bool ok, ss_err *notice, ss_err *err)
{
    ss_film_output *t = &f->output[i];
    bool interrupted = false;
    int64_t n = 0;
    int status = SS_OK;
    for (; ok && status == SS_OK && !interrupted && n < f->hold; n++)
        status = take_one(f, t, f->frames + n, &interrupted, err);
    int64_t length = f->frames + (interrupted ? 0 : n) - t->first;
    return close_one(f, i, length, ok && status == SS_OK, notice, err) == SS_OK ? status : SS_FAIL;
}

/* --- the frame ---------------------------------------------------------------------------------
 */

enum { PAPER_MM = 180, LEAST_MM = 40, MOST_MM = 400 };

const ss_frame_row *ss_film_frame(void)
{
    return &ss_frames[ss_config_int(ss_options(), "frame")];
}

static int paper_width(double *mm, ss_err *err)
{
    static const struct {
        const char *name;
        double mm;
    } units[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}};
    const char *text = ss_config_text(ss_options(), "width");
    char unit[3] = "";
    int used = 0;
    *mm = PAPER_MM;
    if (!text)
        return SS_OK;
    bool read = sscanf(text, "%8lf %2[a-z]%n", mm, unit, &used) == 2 && !text[used];
    for (size_t i = 0; read && i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0) {
            *mm *= units[i].mm;
            if (*mm >= LEAST_MM && *mm <= MOST_MM)
                return SS_OK;
        }
    return ss_fail(err, "width: '%.40s' is not a width from %dmm to %dmm, as 88mm, 8.8cm or 3.5in",
                   text, LEAST_MM, MOST_MM);
}

double ss_film_paper(void)
{
    double mm = 0;
    ss_err ignored;
    bool asked = ss_config_text(ss_options(), "width") || ss_film_sizes() == 0;
    if (ss_film_frame() != ss_frames && asked)
        paper_width(&mm, &ignored);
    return mm;
}

/* Options that need a frame. */
static int check_frame_words(ss_err *err)
{
    static const char *const words[] = {"width", "title"};
    for (size_t i = 0; i < sizeof words / sizeof *words && ss_film_frame() == ss_frames; i++)
        if (ss_config_text(ss_options(), words[i]))
            return ss_fail(err, "%s: belongs to a frame, as --frame figure", words[i]);
    return SS_OK;
}

static int check_frame(bool live, bool map, ss_err *err)
{
    double mm;
    bool films = ss_config_text(ss_options(), "record");
    if (check_frame_words(err) != SS_OK || paper_width(&mm, err) != SS_OK)
        return SS_FAIL;
    if (ss_film_frame() == ss_frames)
        return SS_OK;
    const char *name = ss_film_frame()->name;
    if (map)
        return ss_fail(err, "frame %s: a map has a layout of its own", name);
    if (live)
        return ss_fail(err, "frame %s: add --ui none; with a front end its screen is recorded",
                       name);
    if (!films && ss_film_sizes() > 0 && ss_config_text(ss_options(), "width"))
        return ss_fail(err, "width: a figure has --width or --size, not both");
    return SS_OK;
}

/* --- the lists of --record and --export ------------------------------------------------------- */

/* The next path of a comma-separated list such as that of --record; false at its end. */
bool ss_film_next_path(const char **list, char *path, size_t size)
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

/* Checks --record: known formats, sizes that they support, no file twice. Returns the number of
 * files, or -1. */
static int check_recordings(ss_err *err)
{
    char path[1024], others[1024];
    int w, h, n = 0;
    const char *asked = ss_config_text(ss_options(), "record"), *list = asked;
    for (; ss_film_next_path(&list, path, sizeof path); n++) {
        const ss_format *format = ss_format_find(path, err);
        if (!format || ss_film_size(n, &w, &h, err) != SS_OK)
            return -1;
        if (w > 0 && ss_medium_check(format->recorder->medium, path, w, h, err) != SS_OK)
            return -1;
        const char *earlier = asked;
        for (int i = 0; i < n && ss_film_next_path(&earlier, others, sizeof others); i++)
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

int ss_film_check(bool live, bool map, ss_err *err)
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
    return check_frame(live, map, err);
}

bool ss_film_is_asked(const ss_script *script)
{
    if (ss_config_text(ss_options(), "record") || ss_config_text(ss_options(), "export"))
        return true;
    for (int i = 0; i < script->count; i++)
        if (script->cmd[i]->verb->flags & SS_V_DRAWS)
            return true;
    return false;
}

bool ss_film_exports(const ss_script *script)
{
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
        while (ss_film_next_path(&list, other, sizeof other))
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

int ss_film_keeps_files(const app *a, const ss_cmd *cmd, ss_err *err)
{
    (void)a;
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
    while (ss_film_next_path(&list, path, sizeof path))
        if (keep_file(cmd, path, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* --- frames: scenes -------------------------------------------------------------------------- */

ss_scene *ss_film_scene(ss_ui *ui, const ss_snapshot *snap, const ss_sheet *at)
{
    const ss_extent *extent = &at->extent;
    const char *caption = ss_config_text(ss_options(), "caption");
    const ss_frame_spec spec = {.frame = ss_film_frame(),
                                .title = ss_config_text(ss_options(), "title"),
                                .caption = caption,
                                .paper = at->mm > 0,
                                .seconds = at->seconds,
                                .progress = at->progress};
    if (spec.frame != ss_frames)
        return ss_frame_scene(ui, snap, extent, &spec);
    ss_extent room = *extent;
    bool in_footer = extent->rows > SS_ROWS_FULL; /* a recording has no keys to show */
    int lines = extent->dots_x > 2 ? 2 : 1;       /* in pixels a caption is large */
    room.rows -= caption ? lines - in_footer : 0;
    ss_scene *s = ss_ui_scene(ui, snap, &room, 0);
    if (!caption)
        return s;
    if (s->cell == extent->dots_x) /* a larger theme has rows of its own, and room below them */
        s->rows = extent->rows;
    ss_rect below = {0, s->rows - lines, s->cols, lines};
    ss_scene_add(s, SS_I_FILL, below, SS_C_GROUND);
    if (lines > 1) {
        ss_item *it = ss_scene_add(s, SS_I_TEXT, below, SS_C_TEXT);
        it->style = SS_HUGE | SS_CENTRE;
        it->text = ss_scene_keep(s, caption);
        return s;
    }
    int w = ss_text_width(caption), x = (s->cols - w) / 2;
    ss_scene_text(s, x > 1 ? x : 1, below.y, s->cols - 2, SS_C_TEXT, SS_BOLD | SS_CENTRE, caption);
    return s;
}

/* The number of the frame that is due now, or of the last one taken. */
static int64_t live_number(ss_film *f, const ss_snapshot *snap)
{
    int64_t cycle = (int64_t)snap->telemetry.value[SS_T_CYCLE];
    if (f->started <= 0) {
        f->started = ss_clock();
        f->cycle = cycle;
        return 0;
    }
    if (f->per_frame == 0) {
        int64_t number = (int64_t)((ss_clock() - f->started) * f->fps);
        return f->ending && number < f->frames ? f->frames : number;
    }
    if (cycle >= f->cycle && cycle < f->cycle + f->per_frame)
        return f->frames - 1;
    f->missed += cycle > f->cycle ? (cycle - f->cycle) / f->per_frame - 1 : 0;
    f->cycle = cycle;
    return f->frames;
}

int ss_film_live(ss_film *f, const ss_scene *scene, const ss_snapshot *snap, ss_err *err)
{
    if (f->noutput == 0)
        return SS_OK;
    int64_t number = live_number(f, snap), before = f->frames;
    f->due = number < before && f->per_frame == 0 ? f->started + (double)before / f->fps : 0;
    f->on_screen = scene;
    f->snap = snap;
    f->frames = number;
    int status = ss_film_take(f, false, err);
    f->frames = number + 1;
    return status;
}
