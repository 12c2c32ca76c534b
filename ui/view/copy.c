/* The verb `copy`: puts the command line that reproduces the screen on the clipboard.
 * ui/panels/copy.c draws it. See state.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/view/state.h"

/* --- the view --------------------------------------------------------------------------------- */

typedef struct line {
    char *text;
    size_t size;
} line;

static void add(line *w, const char *what, const char *value)
{
    size_t n = strlen(w->text);
    snprintf(w->text + n, w->size - n, " -e 'view %s %s'", what, value);
}

static void add_window(line *w, const ss_view *v)
{
    char text[128];
    if (!(v->x1 > v->x0 && v->y1 > v->y0))
        return;
    snprintf(text, sizeof text, "%.17g %.17g %.17g %.17g", v->x0, v->y0, v->x1, v->y1);
    add(w, "window", text);
}

static void add_slice(line *w, const ss_view *v)
{
    char text[24];
    if (v->axis != 2)
        add(w, "plane", ss_plane_names[v->axis]);
    snprintf(text, sizeof text, "%d", v->slice);
    if (v->slice >= 0)
        add(w, "slice", text);
}

static void add_probe(line *w, const ss_view *v)
{
    char text[40];
    snprintf(text, sizeof text, "%d %d", v->probe_x, v->probe_y);
    if (v->probe_x >= 0)
        add(w, "probe", text);
}

/* Everything about the view that differs from the start. */
static void add_view(const ss_ui *ui, const ss_snapshot *snap, line *w)
{
    const ss_view *v = &ui->view;
    if (v->layer != SS_VALUE)
        add(w, "layer", ss_layer_labels[v->layer].name);
    if (snap->quantities && v->field > 0 && v->field < snap->nquantity)
        add(w, "field", snap->quantities[v->field].name);
    if (snap->kind == SS_STEADY && ui->over != SS_CYCLES)
        add(w, "axis", ss_over_names[ui->over]);
    if (snap->kind == SS_TRANSIENT && ui->stage != 0)
        add(w, "stage", ss_stage_names[ui->stage]);
    if (snap->dim > 2)
        add_slice(w, v);
    if (!ui->grid)
        add(w, "grid", "off");
    add_window(w, v);
    add_probe(w, v);
    size_t n = strlen(w->text);
    if (ui->theme != &ss_themes[0])
        snprintf(w->text + n, w->size - n, " --theme %s", ui->theme->name);
}

/* --- the verb --------------------------------------------------------------------------------- */

void ss_copy_session(const ss_snapshot *snap, char *buf, size_t size)
{
    snprintf(buf, size, "%s-%s-%.0f.run", snap->equation_name, snap->solver_name,
             snap->telemetry.value[SS_T_CYCLE]);
}

/* Fills the panel with a command line; why: the reason why it does not reproduce the state, or
 * NULL. */
static void show(ss_ui *ui, const ss_snapshot *snap, const char *start, const char *file,
                 const char *why)
{
    line w = {ui->copy.text, sizeof ui->copy.text};
    snprintf(w.text, w.size, "%s%s", start, file);
    add_view(ui, snap, &w);
    ui->copy.why = why;
    ui->copy.waiting = !why;
    ui->copy.done = false;
    ui->overlay = SS_K_COPY;
}

static int copy_line(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    show(ui, snap, snap->command, "", snap->command_why);
    if (snap->command_why)
        return ss_fail(err, "copy: parameters alone do not lead here: %s", snap->command_why);
    return SS_OK;
}

static int copy_session(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    char file[128], save[160];
    (void)err;
    ss_copy_session(snap, file, sizeof file);
    snprintf(save, sizeof save, "save %s", file);
    if (!ss_ui_send(ui, save, snap))
        return SS_FAIL;
    show(ui, snap, "stencilscope --run ", file, NULL);
    return SS_OK;
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
                                                        [SS_VERB_COPY_CLOSE] = copy_close};
    if (!snap || !snap->equation_name)
        return SS_OK;
    return handlers[cmd->row->id](ui, snap, err);
}

const char *ss_ui_take_copy(ss_ui *ui)
{
    bool waiting = ui->copy.waiting;
    ui->copy.waiting = false;
    return waiting ? ui->copy.text : NULL;
}

void ss_ui_copied(ss_ui *ui, bool done)
{
    ui->copy.done = done;
}
