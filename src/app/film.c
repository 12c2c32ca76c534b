/* Recordings in progress: see parts.h. */
#include "src/app/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "src/core/registry.h"
#include "ui/panels/screen.h"

void ss_film_init(ss_film *f, bool live, const char *command)
{
    const ss_param *row = ss_param_find(ss_options(), "cycles-per-frame", NULL);
    memset(f, 0, sizeof *f);
    f->live = live;
    f->fps = ss_config_real(ss_options(), "fps");
    f->per_frame = ss_config_int(ss_options(), row->name);
    if (live && !ss_options()->v[row->slot].set)
        f->per_frame = 0;
    f->command = command;
}

int64_t ss_film_hold(const ss_film *f)
{
    return llround(ss_config_real(ss_options(), "hold-last") * f->fps);
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

int ss_film_end(ss_film *f, int i, int64_t length, bool ok, ss_err *notice, ss_err *err)
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

/* --- frames ----------------------------------------------------------------------------------- */

void ss_film_marks(ss_film_output *t, const ss_snapshot *snap)
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

int ss_film_check_frame(bool live, bool map, ss_err *err)
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
    ss_err ignored;
    int status = SS_OK;
    if (f->noutput == 0)
        return SS_OK;
    int64_t number = live_number(f, snap), before = f->frames;
    f->frames = number + 1;
    f->due = number < before && f->per_frame == 0 ? f->started + (double)before / f->fps : 0;
    for (int i = f->noutput - 1; i >= 0; i--) {
        ss_film_output *t = &f->output[i];
        if (!t->begun)
            t->first = number;
        ss_film_marks(t, snap);
        t->begun = true;
        if (f->ending)
            ss_recording_wait(t->recording);
        if (ss_recording_frame(t->recording, scene, number - t->first, err) == SS_OK)
            continue;
        status = SS_FAIL;
        ss_film_end(f, i, 0, false, NULL, &ignored);
    }
    return status;
}
