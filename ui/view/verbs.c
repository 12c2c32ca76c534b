/* The commands that the screen handles: view, theme, bind, focus, ..., and the table of all of
 * them. See view.h, state.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

/* --- names ------------------------------------------------------------------------------------ */

static int whole(const char *text, const char *what, int *out, ss_err *err)
{
    char *end;
    double v = strtod(text, &end);
    *out = 0;
    if (end == text || *end || !(fabs(v) < 1e9) || v != floor(v))
        return ss_fail(err, "view %s: '%.40s' is not a whole number", what, text);
    *out = (int)v;
    return SS_OK;
}

/* --- view ------------------------------------------------------------------------------------- */

static int view_layer(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *names[SS_NLAYER];
    int i, by = ss_ui_stride(cmd->arg[1], SS_NLAYER);
    for (int k = 0; k < SS_NLAYER; k++)
        names[k] = ss_layer_labels[k].name;
    if (ss_ui_pick("layer", cmd->arg[1], names, SS_NLAYER, (int)ui->view.layer, &i, err) != SS_OK)
        return SS_FAIL;
    for (int k = 0; by && snap && !snap->layers[i] && k < SS_NLAYER; k++)
        i = (i + by) % SS_NLAYER;
    char why[240];
    if (snap && !snap->layers[i] && snap->layer_why[i]) {
        ss_page_reason(ui, snap->layer_why[i], why, sizeof why);
        ss_ui_say(ui, false, why);
    }
    ui->view.layer = (ss_layer)i;
    return SS_OK;
}

static int view_field(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    enum { MOST = 16 };
    const char *names[MOST] = {"u"};
    int n = snap && snap->quantities ? snap->nquantity : 1, i;
    for (int k = 0; snap && snap->quantities && k < n && k < MOST; k++)
        names[k] = snap->quantities[k].name;
    if (ss_ui_pick("field", cmd->arg[1], names, n < MOST ? n : MOST, ui->view.field, &i, err) !=
        SS_OK)
        return SS_FAIL;
    if (n == 1)
        ss_ui_say(ui, false, "the only field is u");
    ui->view.field = i;
    return SS_OK;
}

/* next and previous skip a stage that cannot be shown; a stage chosen by name prints the reason. */
static int view_stage(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i, by = ss_ui_stride(cmd->arg[1], SS_NSTAGE);
    if (ss_ui_pick("stage", cmd->arg[1], ss_stage_names, SS_NSTAGE, (int)ui->stage, &i, err) !=
        SS_OK)
        return SS_FAIL;
    for (int k = 0; by && snap && ss_stage_why(snap, (ss_stage_id)i) && k < SS_NSTAGE; k++)
        i = (i + by) % SS_NSTAGE;
    if (snap && ss_stage_why(snap, (ss_stage_id)i))
        ss_ui_say(ui, false, ss_stage_why(snap, (ss_stage_id)i));
    ui->stage = (ss_stage_id)i;
    return SS_OK;
}

/* The axis `by` beyond i among n, which may include the cone; one that tells nothing is skipped. */
static int skip_axes(const ss_snapshot *snap, int i, int by, int n)
{
    while (by && snap && i < SS_NOVER && !ss_over_tells(snap, (ss_over)i))
        i = (i + by) % n;
    return i;
}

/* next and previous skip an axis that tells nothing. */
static int view_axis(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i, by = ss_ui_stride(cmd->arg[1], SS_NOVER);
    if (ss_ui_pick("axis", cmd->arg[1], ss_over_names, SS_NOVER, (int)ui->over, &i, err) != SS_OK)
        return SS_FAIL;
    i = skip_axes(snap, i, by, SS_NOVER);
    if (ui->over != (ss_over)i)
        ss_charts_whole(ui, SS_X_COST);
    ui->over = (ss_over)i;
    return SS_OK;
}

static int clamp_point(int v, int n)
{
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

/* 3D: the two directions of a slice. A new plane starts in the middle. */
static int view_plane(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i;
    if (ss_ui_pick("plane", cmd->arg[1], ss_plane_names, 3, ui->view.axis, &i, err) != SS_OK)
        return SS_FAIL;
    if (snap && snap->dim < 3)
        return ss_fail(err, "view plane applies to 3D problems only");
    if (i != ui->view.axis)
        ui->view.slice = -1;
    ui->view.axis = i;
    return SS_OK;
}

/* Number of slices along the view's axis; the snapshot may still show another plane. */
static int slice_count(const ss_ui *ui, const ss_snapshot *snap)
{
    int axis = snap->view.axis < 0 || snap->view.axis > 2 ? 2 : snap->view.axis, n[3];
    n[axis] = snap->nz;
    n[axis == 0 ? 1 : 0] = snap->nx;
    n[axis == 2 ? 1 : 2] = snap->ny;
    return n[ui->view.axis];
}

/* N from 0, middle, or next and previous [BY]. */
static int view_slice(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *word = cmd->arg[1];
    int count = snap && snap->dim > 2 ? slice_count(ui, snap) : 1, by = 1, at;
    int now = ui->view.slice < 0 ? count / 2 : clamp_point(ui->view.slice, count);
    int dir = strcmp(word, "next") == 0 ? 1 : strcmp(word, "previous") == 0 ? -1 : 0;
    if (snap && snap->dim < 3)
        return ss_fail(err, "view slice applies to 3D problems only");
    if (dir && cmd->argc > 2 && whole(cmd->arg[2], "slice", &by, err) != SS_OK)
        return SS_FAIL;
    if (dir || strcmp(word, "middle") == 0) {
        ui->view.slice = dir ? clamp_point(now + dir * by, count) : -1;
        return SS_OK;
    }
    if (whole(word, "slice", &at, err) != SS_OK)
        return SS_FAIL;
    if (at < 0 || (snap && snap->dim > 2 && at >= count))
        return ss_fail(err, "view slice: %d is out of range 0\xe2\x80\xa6%d", at, count - 1);
    ui->view.slice = at;
    return SS_OK;
}

static const char *no_cone(const ss_ui *ui, const ss_snapshot *snap)
{
    if (snap && snap->cone.why)
        return snap->cone.why;
    return ss_page_awaits(ui)         ? "the lesson asks for what the cone shows: predict it first"
           : snap && snap->race.n > 0 ? "the cone belongs to a single run: a race has none"
                                      : "the cone belongs to a cycle under the microscope: . does "
                                        "a subiteration";
}

/* A steady run: an axis of the residual plot; after the last one the staleness cone, if a cycle has
 * one. Its panel's other names end it. */
static int view_steady(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    enum { CONE = SS_NOVER, SPACE_TIME, POSITION, NPANEL };
    const char *names[NPANEL] = {
        [CONE] = "cone", [SPACE_TIME] = "space-time", [POSITION] = "position"};
    for (int i = 0; i < SS_NOVER; i++)
        names[i] = ss_over_names[i];
    bool cone = snap && snap->cone.there && !ss_page_awaits(ui);
    int on = cone && ui->cone == SS_CONE_ON ? CONE : (int)ui->over, i;
    int n = ss_ui_stride(cmd->arg[1], NPANEL) ? SS_NOVER + cone : NPANEL;
    if (ss_ui_pick("panel", cmd->arg[1], names, n, on, &i, err) != SS_OK)
        return SS_FAIL;
    i = skip_axes(snap, i, ss_ui_stride(cmd->arg[1], n), n);
    if (i == CONE && !cone)
        ss_ui_say(ui, false, no_cone(ui, snap));
    if (i >= CONE || on == CONE)
        ui->cone = i == CONE ? SS_CONE_ON : SS_CONE_OFF;
    if (i < CONE)
        ui->over = (ss_over)i;
    return SS_OK;
}

/* The panel next to the field: an axis of the residual plot, or a stage of the theatre. */
static int view_panel(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static ss_ui_verb *const panel[SS_NKIND] = {
        [SS_STEADY] = view_steady, [SS_TRANSIENT] = view_stage};
    bool costs = snap && snap->race.n > 0; /* also of transient runs */
    return panel[snap && !costs ? snap->kind : SS_STEADY](ui, cmd, snap, err);
}

static int probe_at(ss_ui *ui, const ss_snapshot *snap, int x, int y)
{
    ui->view.probe_x = clamp_point(x, snap->nx);
    ui->view.probe_y = clamp_point(y, snap->ny);
    ss_ui_select_tile(ui, snap);
    return SS_OK;
}

static int probe_off(ss_ui *ui)
{
    ui->probing = false;
    ui->view.probe_x = ui->view.probe_y = ui->view.tile_x = ui->view.tile_y = -1;
    return SS_OK;
}

/* An arrow moves by one dot of the picture, at least one point. */
static int probe_word(ss_ui *ui, const char *word, const ss_snapshot *snap, ss_err *err)
{
    int x, y;
    ss_box2 w = ss_ui_window(&ui->view, snap);
    int dx = (int)((w.x1 - w.x0) / (ui->view.w > 0 ? ui->view.w : 1));
    int dy = (int)((w.y1 - w.y0) / (ui->view.h > 0 ? ui->view.h : 1));
    if (strcmp(word, "off") == 0 || (strcmp(word, "toggle") == 0 && ui->probing))
        return probe_off(ui);
    if (strcmp(word, "toggle") == 0) {
        ui->probing = true;
        if (ui->view.probe_x < 0)
            probe_at(ui, snap, (int)(0.5 * (w.x0 + w.x1)), (int)(0.5 * (w.y0 + w.y1)));
        return SS_OK;
    }
    if (ss_ui_direction(word, &x, &y))
        return probe_at(ui, snap, ui->view.probe_x + x * (dx < 1 ? 1 : dx),
                        ui->view.probe_y + y * (dy < 1 ? 1 : dy));
    return ss_fail(err, "view probe takes X Y, or left, right, up, down, toggle, off");
}

static int view_probe(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int x, y;
    if (!snap)
        return SS_OK;
    if (cmd->argc == 2)
        return probe_word(ui, cmd->arg[1], snap, err);
    if (whole(cmd->arg[1], "probe", &x, err) != SS_OK ||
        whole(cmd->arg[2], "probe", &y, err) != SS_OK)
        return SS_FAIL;
    return probe_at(ui, snap, x, y);
}

static int view_tile(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int x, y = 0;
    (void)snap;
    if (whole(cmd->arg[1], "tile", &x, err) != SS_OK ||
        (cmd->argc > 2 && whole(cmd->arg[2], "tile", &y, err) != SS_OK))
        return SS_FAIL;
    ui->view.tile_x = x, ui->view.tile_y = y;
    return SS_OK;
}

static int view_zoom(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static const char *const names[] = {"in", "out", "reset"};
    int i;
    if (ss_ui_pick("zoom", cmd->arg[1], names, 3, 0, &i, err) != SS_OK)
        return SS_FAIL;
    if (snap)
        ss_ui_zoom(ui, snap, i == 0 ? 0.5 : i == 1 ? 2 : 1e9, 0.5, 0.5);
    return SS_OK;
}

/* In eighths of the view, right and up. */
static int view_pan(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int x, y;
    if (whole(cmd->arg[1], "pan", &x, err) != SS_OK || whole(cmd->arg[2], "pan", &y, err) != SS_OK)
        return SS_FAIL;
    if (snap)
        ss_ui_pan(ui, snap, x, y);
    return SS_OK;
}

const char *const ss_cost_pages[SS_COST_NPAGE + 1] = {"cost", "roofline"};

static int view_cost(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i;
    if (ss_ui_pick("page of costs", cmd->arg[1], ss_cost_pages, SS_COST_NPAGE, (int)ui->cost.page,
                   &i, err) != SS_OK)
        return SS_FAIL;
    ui->cost.page = (ss_cost_page)i;
    bool known =
        ui->layout.head > 0 || ui->layout.panel[SS_PANEL_FIELD].w > 0; /* a scene was made */
    if (snap && known && !ui->layout.panel[SS_PANEL_LEDGER].w)
        ss_ui_say(ui, false, "the panel of costs has no room here: view maximise cost shows it");
    return SS_OK;
}

/* on or off; without an argument, toggles. */
static int turn(const ss_cmd *cmd, const char *what, bool *on, ss_err *err)
{
    static const char *const names[] = {"off", "on"};
    int i = !*on;
    if (cmd->argc > 1 && ss_ui_pick(what, cmd->arg[1], names, 2, *on, &i, err) != SS_OK)
        return SS_FAIL;
    *on = i;
    return SS_OK;
}

static int view_grid(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap;
    return turn(cmd, "grid", &ui->grid, err);
}

/* Interpolated between the points, or each point as a square. */
static int view_smooth(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap;
    return turn(cmd, "smooth", &ui->smooth, err);
}

/* Whether charts and pictures tell their values under the mouse. */
static int view_hover(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    bool on = !ui->charts.off;
    (void)snap;
    int status = turn(cmd, "hover", &on, err);
    ui->charts.off = !on;
    return status;
}

static int verb_view(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static ss_ui_verb *const handlers[SS_NVERB] = {
        [SS_VERB_VIEW_LAYER] = view_layer,      [SS_VERB_VIEW_FIELD] = view_field,
        [SS_VERB_VIEW_AXIS] = view_axis,        [SS_VERB_VIEW_STAGE] = view_stage,
        [SS_VERB_VIEW_PANEL] = view_panel,      [SS_VERB_VIEW_PLANE] = view_plane,
        [SS_VERB_VIEW_SLICE] = view_slice,      [SS_VERB_VIEW_PROBE] = view_probe,
        [SS_VERB_VIEW_TILE] = view_tile,        [SS_VERB_VIEW_ZOOM] = view_zoom,
        [SS_VERB_VIEW_PAN] = view_pan,          [SS_VERB_VIEW_WINDOW] = ss_view_window,
        [SS_VERB_VIEW_GRID] = view_grid,        [SS_VERB_VIEW_SMOOTH] = view_smooth,
        [SS_VERB_VIEW_RANGE] = ss_view_range,   [SS_VERB_VIEW_TIMELINE] = ss_view_timeline,
        [SS_VERB_VIEW_COST] = view_cost,        [SS_VERB_VIEW_CURSOR] = ss_view_cursor,
        [SS_VERB_VIEW_CURVE] = ss_view_curve,   [SS_VERB_VIEW_CHART] = ss_view_chart,
        [SS_VERB_VIEW_HOVER] = view_hover,      [SS_VERB_VIEW_WIPE] = ss_view_wipe,
        [SS_VERB_VIEW_GUTTER] = ss_view_gutter, [SS_VERB_VIEW_MAXIMISE] = ss_view_maximise,
        [SS_VERB_VIEW_LAYOUT] = ss_view_layout};
    static const bool of_charts[SS_NVERB] = {
        [SS_VERB_VIEW_CURSOR] = true, [SS_VERB_VIEW_TIMELINE] = true, [SS_VERB_VIEW_COST] = true,
        [SS_VERB_VIEW_CURVE] = true,  [SS_VERB_VIEW_CHART] = true,    [SS_VERB_VIEW_HOVER] = true};
    ui->view.seq += !of_charts[cmd->row->id]; /* these need no other picture of the field */
    if (snap && snap->ticket < ui->opening)
        snap = NULL; /* it shows the run before the one that is being opened */
    return handlers[cmd->row->id](ui, cmd, snap, err);
}

/* --- the other verbs -------------------------------------------------------------------------- */

static int verb_theme(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *names[8];
    int n = 0, on = 0, i;
    (void)snap;
    for (; n < 8 && ss_themes[n].name; n++) {
        names[n] = ss_themes[n].name;
        on = ui->theme == &ss_themes[n] ? n : on;
    }
    if (ss_ui_pick("theme", cmd->argc ? cmd->arg[0] : "next", names, n, on, &i, err) != SS_OK)
        return SS_FAIL;
    ui->theme = &ss_themes[i];
    ui->theme_chosen = true;
    return SS_OK;
}

static int verb_bind(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    ss_cmd parsed;
    int i = 0;
    (void)snap;
    if (!ss_key_valid(cmd->arg[0]))
        return ss_fail(err,
                       "bind: '%.20s' is not a key; keys are a, A, F1, space, left, C-a, S-tab ...",
                       cmd->arg[0]);
    if (ss_cmd_parse(cmd->arg[1], &parsed, err) != SS_OK)
        return SS_FAIL;
    if (strlen(cmd->arg[1]) >= sizeof ui->binding->command)
        return ss_fail(err, "bind: the command is longer than %zu characters",
                       sizeof ui->binding->command - 1);
    while (i < ui->nbinding && strcmp(ui->binding[i].key, cmd->arg[0]) != 0)
        i++;
    if (i == SS_BIND_MAX)
        return ss_fail(err, "bind: %d keys are bound already", SS_BIND_MAX);
    snprintf(ui->binding[i].key, sizeof ui->binding[i].key, "%s", cmd->arg[0]);
    snprintf(ui->binding[i].command, sizeof ui->binding[i].command, "%s", cmd->arg[1]);
    ui->binding[i].from_file = cmd->from_file;
    ui->nbinding += i == ui->nbinding;
    return SS_OK;
}

static int verb_focus(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *names[SS_CONTROL_MAX];
    int i;
    if (!snap || !snap->ncontrol)
        return SS_OK;
    for (int k = 0; k < snap->ncontrol; k++)
        names[k] = snap->control[k].row->name;
    if (ss_ui_pick("control", cmd->arg[0], names, snap->ncontrol, ss_ui_focused(ui, snap), &i,
                   err) != SS_OK)
        return SS_FAIL;
    ss_ui_focus(ui, names[i], snap);
    return SS_OK;
}

static int verb_help(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap, (void)err;
    if (cmd->row->id == SS_VERB_HELP_SCROLL) {
        ui->scroll += atoi(cmd->arg[1]);
        return SS_OK;
    }
    ui->finding = cmd->row->id == SS_VERB_HELP_FIND;
    ui->find[0] = '\0';
    ui->scroll = 0;
    if (!ui->finding)
        ui->overlay = ui->overlay == SS_K_HELP ? SS_K_MAIN : SS_K_HELP;
    return SS_OK;
}

static int verb_explain(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static const char *const names[] = {"off", "on"};
    int i = ui->overlay != SS_K_EXPLAIN;
    (void)snap;
    if (cmd->argc && ss_ui_pick("choice", cmd->arg[0], names, 2, i, &i, err) != SS_OK)
        return SS_FAIL;
    ui->overlay = i ? SS_K_EXPLAIN : SS_K_MAIN;
    return SS_OK;
}

/* The source is scrolled from the kernel's first line. */
static int verb_kernel(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int n = snap && snap->kernels.n > 0 ? snap->kernels.n : 1;
    (void)err;
    if (cmd->row->id == SS_VERB_KERNEL_SCROLL) {
        ui->scroll += atoi(cmd->arg[1]);
        return SS_OK;
    }
    if (cmd->row->id == SS_VERB_KERNEL)
        ui->overlay = ui->overlay == SS_K_KERNEL ? SS_K_MAIN : SS_K_KERNEL;
    ui->kernel = cmd->row->id == SS_VERB_KERNEL        ? 0
                 : cmd->row->id == SS_VERB_KERNEL_NEXT ? (ui->kernel + 1) % n
                                                       : (ui->kernel + n - 1) % n;
    ui->scroll = 0;
    return SS_OK;
}

static int verb_say(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap, (void)err;
    ui->message[0] = '\0';
    snprintf(ui->note, sizeof ui->note, "%s", cmd->arg[0]);
    return SS_OK;
}

/* A window handles its own keys before they come here. */
static int verb_window(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)cmd, (void)snap, (void)err;
    ss_ui_say(ui, false, "this key needs a window: --ui sdl opens one");
    return SS_OK;
}

/* A terminal handles its key before it comes here. */
static int verb_suspend(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)ui, (void)cmd, (void)snap, (void)err;
    return SS_OK;
}

static int verb_redraw(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)cmd, (void)snap, (void)err;
    ui->scene.redraw++;
    return SS_OK;
}

static int verb_quit(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)cmd, (void)snap;
    if (ui->links)
        return ss_fail(err, "this page ends when it is closed");
    ui->quit = true;
    return SS_OK;
}

static ss_ui_verb *const handlers[SS_NVERB] = {
    [SS_VERB_VIEW] = verb_view,        [SS_VERB_THEME] = verb_theme,
    [SS_VERB_BIND] = verb_bind,        [SS_VERB_FOCUS] = verb_focus,
    [SS_VERB_EXPLAIN] = verb_explain,  [SS_VERB_PRESETS] = ss_presets_verb,
    [SS_VERB_HELP] = verb_help,        [SS_VERB_REDRAW] = verb_redraw,
    [SS_VERB_QUIT] = verb_quit,        [SS_VERB_BRUSH] = ss_brush_verb,
    [SS_VERB_COPY] = ss_copy_verb,     [SS_VERB_EXPORT] = ss_export_data,
    [SS_VERB_SAY] = verb_say,          [SS_VERB_MAP] = ss_map_verb,
    [SS_VERB_LESSON] = ss_page_verb,   [SS_VERB_LESSONS] = ss_shelf_verb,
    [SS_VERB_CHANGE] = ss_change_verb, [SS_VERB_ENTRY] = ss_entry_verb,
    [SS_VERB_PROMPT] = ss_prompt_verb, [SS_VERB_WINDOW] = verb_window,
    [SS_VERB_SUSPEND] = verb_suspend,  [SS_VERB_KERNEL] = verb_kernel};

int ss_ui_command(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    if (!cmd->verb)
        return SS_OK;
    if (cmd->row->side != SS_SIDE_SCREEN)
        return ss_fail(err, "%s: not a command of the screen", cmd->verb->name);
    if (!snap && (cmd->row->flags & SS_V_INTERNAL)) /* keys before the first snapshot */
        return SS_OK;
    return handlers[cmd->verb->id](ui, cmd, snap, err);
}
