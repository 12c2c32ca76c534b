/* The verb `copy`: the command line that leads to what is on the screen, for the clipboard.
 * ui/panels/copy.c draws it. See state.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/view/state.h"

/* --- what is looked at ------------------------------------------------------------------------ */

typedef struct words {
    char *text;
    size_t size;
} words;

static void add(words *w, const char *what, const char *value)
{
    size_t n = strlen(w->text);
    snprintf(w->text + n, w->size - n, " -e 'view %s %s'", what, value);
}

static void add_window(words *w, const ss_view *v)
{
    char text[128];
    if (!(v->x1 > v->x0 && v->y1 > v->y0))
        return;
    snprintf(text, sizeof text, "%.17g %.17g %.17g %.17g", v->x0, v->y0, v->x1, v->y1);
    add(w, "window", text);
}

static void add_slice(words *w, const ss_view *v)
{
    char text[24];
    if (v->axis != 2)
        add(w, "plane", ss_plane_names[v->axis]);
    snprintf(text, sizeof text, "%d", v->slice);
    if (v->slice >= 0)
        add(w, "slice", text);
}

static void add_probe(words *w, const ss_view *v)
{
    char text[40];
    snprintf(text, sizeof text, "%d %d", v->probe_x, v->probe_y);
    if (v->probe_x >= 0)
        add(w, "probe", text);
}

/* Everything about the view that is not as it is at the start. */
static void add_view(const ss_ui *ui, const ss_snapshot *snap, words *w)
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

/* `copy`: the line. Where there is none that would do, it says why, and `copy session` saves the
 * session and takes the line that plays it. */
int ss_copy_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    char name[128], line[160];
    words w = {ui->copy.text, sizeof ui->copy.text};
    bool session = cmd->argc > 0;
    if (session && strcmp(cmd->arg[0], "session") != 0)
        return ss_fail(err, "copy takes nothing, or the word session");
    if (!snap || !snap->equation_name)
        return SS_OK;
    ss_copy_session(snap, name, sizeof name);
    snprintf(line, sizeof line, "save %s", name);
    if (session && !ss_ui_send(ui, line))
        return SS_FAIL;
    snprintf(w.text, w.size, "%s%s", session ? "stencilscope --run " : snap->command,
             session ? name : "");
    add_view(ui, snap, &w);
    ui->copy.why = session ? NULL : snap->command_why;
    ui->copy.waiting = !ui->copy.why;
    ui->copy.done = false;
    ui->overlay = SS_K_COPY;
    return ui->copy.why ? ss_fail(err, "copy: parameters alone do not lead here: %s", ui->copy.why)
                        : SS_OK;
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

void ss_copy_close(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    (void)arg, (void)snap;
    ui->overlay = SS_K_MAIN;
}
