/* The clipboard and data for other programs. The verb `copy`: puts the command line that reproduces
 * the screen on the clipboard, or the link; ui/panels/popup.c draws it. The data of charts: `copy
 * data`, `export data`, and `copy image`. See state.h. Main thread only. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "ui/view/state.h"

/* --- data of charts --------------------------------------------------------------------------- */

/* The chart that a command means, as CSV; what: "312 rows of the chart 'plot'". NULL with an
 * error. */
static char *csv_of(ss_ui *ui, const char *verb, const char *name, const ss_snapshot *snap,
                    char *what, size_t size, ss_err *err)
{
    int chart = name ? ss_chart_named(ui, name, err) : ss_chart_chosen(ui), rows = 0;
    if (chart < 0) {
        if (!name)
            ss_fail(err, "%s: there is no chart on the screen", verb);
        return NULL;
    }
    char note[96] = "";
    if (snap)
        ss_edited_words(&snap->edited, note, sizeof note);
    char *csv = ss_chart_csv(&ui->scene.chart[chart], note, &rows);
    if (!csv)
        ss_fail(err, "out of memory: the data of a chart");
    snprintf(what, size, "%d rows of the chart '%s'", rows, ss_chart_name(ui, chart));
    return csv;
}

/* copy data [CHART] */
static int copy_data(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *name = cmd->argc > 1 ? cmd->arg[1] : NULL;
    char *csv = csv_of(ui, "copy data", name, snap, ui->copy.what, sizeof ui->copy.what, err);
    if (!csv)
        return SS_FAIL;
    free(ui->copy.data);
    ui->copy.data = csv;
    ui->copy.waiting = true;
    return SS_OK;
}

int ss_export_data(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    char what[96], text[200];
    ss_outfile file;
    char *csv = csv_of(ui, "export data", NULL, snap, what, sizeof what, err);
    int status = csv ? ss_outfile_open(&file, cmd->arg[1], err) : SS_FAIL;
    if (status == SS_OK) {
        fputs(csv, file.stream);
        status = ss_outfile_close(&file, true, err);
    }
    free(csv);
    snprintf(text, sizeof text, "wrote %s to %.90s", what, cmd->arg[1]);
    if (status == SS_OK)
        ss_ui_say(ui, false, text);
    return status;
}

bool ss_ui_take_picture(ss_ui *ui)
{
    bool wanted = ui->copy.picture;
    ui->copy.picture = false;
    return wanted;
}

/* --- the view --------------------------------------------------------------------------------- */

/* Receives the commands that restore what is shown. */
typedef struct view_lines {
    ss_ui_line *take;
    void *ctx;
} view_lines;

static SS_PRINTF(2, 3) void put(const view_lines *l, const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    l->take(l->ctx, text);
}

static void put_slice(const view_lines *l, const ss_view *v)
{
    if (v->axis != 2)
        put(l, "view plane %s", ss_plane_names[v->axis]);
    if (v->slice >= 0)
        put(l, "view slice %d", v->slice);
}

void ss_ui_view_lines(const ss_ui *ui, const ss_snapshot *snap, ss_ui_line *take, void *ctx)
{
    const ss_view *v = &ui->view;
    const view_lines l = {take, ctx};
    if (v->layer != SS_VALUE)
        put(&l, "view layer %s", ss_layer_labels[v->layer].name);
    if (snap->quantities && v->field > 0 && v->field < snap->nquantity)
        put(&l, "view field %s", snap->quantities[v->field].name);
    if (snap->kind == SS_STEADY && ui->over != SS_CYCLES)
        put(&l, "view axis %s", ss_over_names[ui->over]);
    if (ui->wipe.on)
        put(&l, "view wipe %.4g", ui->wipe.at);
    if (ui->cone != SS_CONE_AUTO)
        put(&l, "view panel %s", ui->cone == SS_CONE_ON ? "cone" : "space-time");
    if (snap->kind == SS_TRANSIENT && ui->stage != 0)
        put(&l, "view stage %s", ss_stage_names[ui->stage]);
    if (snap->dim > 2)
        put_slice(&l, v);
    if (!ui->grid)
        put(&l, "view grid off");
    if (v->x1 > v->x0 && v->y1 > v->y0)
        put(&l, "view window %.17g %.17g %.17g %.17g", v->x0, v->y0, v->x1, v->y1);
    if (v->probe_x >= 0)
        put(&l, "view probe %d %d", v->probe_x, v->probe_y);
    char range[64];
    if (ss_ui_range_command(ui, range, sizeof range))
        put(&l, "view range %s", range);
    if (ui->theme != &ss_themes[0] && !ui->links) /* a page's theme is its reader's */
        put(&l, "theme %s", ui->theme->name);
}

/* --- the verb --------------------------------------------------------------------------------- */

void ss_copy_session(const ss_snapshot *snap, char *buf, size_t size)
{
    snprintf(buf, size, "%s-%s-%.0f.run", snap->equation_name, snap->solver_name,
             snap->telemetry.value[SS_T_CYCLE]);
}

/* A line that grows by options. */
typedef struct option_line {
    char *text;
    size_t size;
} option_line;

static void add_option(void *ctx, const char *command)
{
    const option_line *l = ctx;
    size_t n = strlen(l->text);
    snprintf(l->text + n, l->size - n, " -e '%s'", command);
}

/* Has the user not paused the run? */
static bool goes_on(const ss_snapshot *snap)
{
    return !snap->paused || snap->hold != SS_HOLD_NONE;
}

const char *ss_ui_line_of(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size)
{
    option_line l = {buf, size};
    if (ui->links && ui->page) {
        snprintf(buf, size, "stencilscope %s", ui->page->opens);
        return NULL;
    }
    snprintf(buf, size, "%s", snap->command);
    ss_ui_view_lines(ui, snap, add_option, &l);
    if (ui->links && goes_on(snap))
        add_option(&l, "run");
    if (ui->links && (snap->load || snap->rhs))
        return "it needs a file, which a link does not have";
    return snap->command_why;
}

/* Shows the panel with its line; why: the reason why it does not reproduce the state, or NULL. */
static void show(ss_ui *ui, const char *why)
{
    ui->copy.why = why;
    ui->copy.waiting = !why;
    ui->copy.done = false;
    ui->overlay = SS_K_COPY;
}

static int copy_line(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    const char *why = ss_ui_line_of(ui, snap, ui->copy.text, sizeof ui->copy.text);
    show(ui, why);
    return why ? ss_fail(err, "copy: no line leads here: %s", why) : SS_OK;
}

static int copy_session(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    char file[128], save[160];
    ss_cmd cmd;
    ss_copy_session(snap, file, sizeof file);
    snprintf(save, sizeof save, "save %s", file);
    if (ss_cmd_parse(save, &cmd, err) != SS_OK)
        return SS_FAIL;
    cmd.from_file = ui->copy.from_file;
    if (!ui->emit(ui->ctx, &cmd, err))
        return SS_FAIL;
    snprintf(ui->copy.text, sizeof ui->copy.text, "stencilscope --run %s", file);
    show(ui, NULL);
    return SS_OK;
}

static int copy_image(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    (void)snap, (void)err;
    ui->copy.picture = true;
    return SS_OK;
}

static int copy_refused(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    (void)snap;
    ui->copy.done = false;
    return ss_fail(err, "the browser refused the clipboard");
}

static int copy_close(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    (void)snap, (void)err;
    ui->overlay = SS_K_MAIN;
    return SS_OK;
}

int ss_copy_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static int (*const handlers[SS_NVERB])(ss_ui *, const ss_snapshot *,
                                           ss_err *) = {[SS_VERB_COPY] = copy_line,
                                                        [SS_VERB_COPY_SESSION] = copy_session,
                                                        [SS_VERB_COPY_IMAGE] = copy_image,
                                                        [SS_VERB_COPY_REFUSED] = copy_refused,
                                                        [SS_VERB_COPY_CLOSE] = copy_close};
    ui->copy.from_file = cmd->from_file;
    if (cmd->row->id == SS_VERB_COPY_DATA)
        return copy_data(ui, cmd, snap, err);
    if (!snap || !snap->equation_name)
        return SS_OK;
    return handlers[cmd->row->id](ui, snap, err);
}

const char *ss_ui_take_copy(ss_ui *ui)
{
    bool waiting = ui->copy.waiting;
    ui->copy.waiting = false;
    return !waiting ? NULL : ui->copy.data ? ui->copy.data : ui->copy.text;
}

/* The panel tells of a command line, the message line of data. */
void ss_ui_copied(ss_ui *ui, bool done)
{
    char text[160];
    ui->copy.done = done;
    if (!ui->copy.data)
        return;
    snprintf(text, sizeof text, done ? "copied %s" : "no clipboard took %s; export data FILE.csv",
             ui->copy.what);
    ss_ui_say(ui, !done, text);
    free(ui->copy.data);
    ui->copy.data = NULL;
}
