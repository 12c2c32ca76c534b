/* The verbs of the app's side (view, theme, bind, focus, ...): tables of functions. See events.h,
 * state.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

/* --- names ------------------------------------------------------------------------------------ */

static const char *name_in(const void *ctx, int i)
{
    return ((const char *const *)ctx)[i];
}

/* Index of a name, or of the one after or before `on`; fails with the nearest name. */
static int pick_name(const char *what, const char *word, const char *const *names, int n, int on,
                     int *out, ss_err *err)
{
    int by = strcmp(word, "next") == 0 ? 1 : strcmp(word, "previous") == 0 ? n - 1 : 0;
    *out = on;
    if (by && n > 0) {
        *out = (on + by) % n;
        return SS_OK;
    }
    for (int i = 0; i < n; i++)
        if (strcmp(word, names[i]) == 0) {
            *out = i;
            return SS_OK;
        }
    const char *near = ss_nearest(word, name_in, names, n);
    return near ? ss_fail(err, "no %s is called '%.40s'; did you mean %s?", what, word, near)
                : ss_fail(err, "no %s is called '%.40s'", what, word);
}

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

typedef int verb_fn(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);

static int view_layer(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *names[SS_NLAYER];
    int i, by = strcmp(cmd->arg[1], "previous") == 0 ? SS_NLAYER - 1 : 1;
    bool walk = strcmp(cmd->arg[1], "next") == 0 || strcmp(cmd->arg[1], "previous") == 0;
    for (int k = 0; k < SS_NLAYER; k++)
        names[k] = ss_layer_labels[k].name;
    if (pick_name("layer", cmd->arg[1], names, SS_NLAYER, (int)ui->view.layer, &i, err) != SS_OK)
        return SS_FAIL;
    for (int k = 0; walk && snap && !snap->layers[i] && k < SS_NLAYER; k++)
        i = (i + by) % SS_NLAYER;
    if (snap && !snap->layers[i] && snap->layer_why[i])
        ss_ui_say(ui, false, snap->layer_why[i]);
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
    if (pick_name("field", cmd->arg[1], names, n < MOST ? n : MOST, ui->view.field, &i, err) !=
        SS_OK)
        return SS_FAIL;
    if (n == 1)
        ss_ui_say(ui, false, "there is one field, u");
    ui->view.field = i;
    return SS_OK;
}

/* What cannot be shown is passed over, unless it was asked for by name: then it says why. */
static int view_stage(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i, by = strcmp(cmd->arg[1], "previous") == 0 ? SS_NSTAGE - 1 : 1;
    bool walk = strcmp(cmd->arg[1], "next") == 0 || strcmp(cmd->arg[1], "previous") == 0;
    if (pick_name("stage", cmd->arg[1], ss_stage_names, SS_NSTAGE, (int)ui->stage, &i, err) !=
        SS_OK)
        return SS_FAIL;
    for (int k = 0; walk && snap && ss_stage_why(snap, (ss_stage_id)i) && k < SS_NSTAGE; k++)
        i = (i + by) % SS_NSTAGE;
    if (snap && ss_stage_why(snap, (ss_stage_id)i))
        ss_ui_say(ui, false, ss_stage_why(snap, (ss_stage_id)i));
    ui->stage = (ss_stage_id)i;
    return SS_OK;
}

static int view_axis(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i;
    (void)snap;
    if (pick_name("axis", cmd->arg[1], ss_over_names, SS_NOVER, (int)ui->over, &i, err) != SS_OK)
        return SS_FAIL;
    ui->over = (ss_over)i;
    return SS_OK;
}

static int clamp_point(int v, int n)
{
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

/* 3D: which two directions a slice is of. Another one begins in the middle. */
static int view_plane(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i;
    if (pick_name("plane", cmd->arg[1], ss_plane_names, 3, ui->view.axis, &i, err) != SS_OK)
        return SS_FAIL;
    if (snap && snap->dim < 3)
        return ss_fail(err, "planes are cut out of three dimensions");
    if (i != ui->view.axis)
        ui->view.slice = -1;
    ui->view.axis = i;
    return SS_OK;
}

/* Slices there are along the view's axis; the snapshot may still be of another plane. */
static int slice_count(const ss_ui *ui, const ss_snapshot *snap)
{
    int axis = snap->view.axis < 0 || snap->view.axis > 2 ? 2 : snap->view.axis, n[3];
    n[axis] = snap->nz;
    n[axis == 0 ? 1 : 0] = snap->nx;
    n[axis == 2 ? 1 : 2] = snap->ny;
    return n[ui->view.axis];
}

/* A number from 0; middle; or next, previous, and by how many. */
static int view_slice(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *word = cmd->arg[1];
    int count = snap && snap->dim > 2 ? slice_count(ui, snap) : 1, by = 1, at;
    int now = ui->view.slice < 0 ? count / 2 : clamp_point(ui->view.slice, count);
    int dir = strcmp(word, "next") == 0 ? 1 : strcmp(word, "previous") == 0 ? -1 : 0;
    if (snap && snap->dim < 3)
        return ss_fail(err, "slices are cut out of three dimensions");
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

/* The panel beside the field, whatever it shows: the residual over some axis, or a stage. */
static int view_panel(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static verb_fn *const panel[SS_NKIND] = {[SS_STEADY] = view_axis, [SS_TRANSIENT] = view_stage};
    return panel[snap ? snap->kind : SS_STEADY](ui, cmd, snap, err);
}

/* The block that writes a point is the one a person means. */
static void select_tile(ss_ui *ui, const ss_snapshot *snap)
{
    ui->view.tile_x = ui->view.tile_y = -1;
    if (!snap->tiled || ui->view.probe_x < 0)
        return;
    int began = ui->view.probe_x - snap->theatre.shift; /* nodes at work may stand aside */
    ui->view.tile_x = ss_cut_owner(snap->tiling.x, began < 0 ? began + snap->nx : began);
    ui->view.tile_y = ss_cut_owner(snap->tiling.y, ui->view.probe_y);
}

static int probe_at(ss_ui *ui, const ss_snapshot *snap, int x, int y)
{
    ui->view.probe_x = clamp_point(x, snap->nx);
    ui->view.probe_y = clamp_point(y, snap->ny);
    select_tile(ui, snap);
    return SS_OK;
}

static int probe_off(ss_ui *ui)
{
    ui->probing = false;
    ui->view.probe_x = ui->view.probe_y = ui->view.tile_x = ui->view.tile_y = -1;
    return SS_OK;
}

/* A step of the arrows is one dot of the picture, at least one point. */
static int probe_word(ss_ui *ui, const char *word, const ss_snapshot *snap, ss_err *err)
{
    static const struct {
        const char *name;
        int x, y;
    } moves[] = {{"left", -1, 0}, {"right", 1, 0}, {"up", 0, 1}, {"down", 0, -1}};
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
    for (int i = 0; i < 4; i++)
        if (strcmp(word, moves[i].name) == 0)
            return probe_at(ui, snap, ui->view.probe_x + moves[i].x * (dx < 1 ? 1 : dx),
                            ui->view.probe_y + moves[i].y * (dy < 1 ? 1 : dy));
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
    if (pick_name("zoom", cmd->arg[1], names, 3, 0, &i, err) != SS_OK)
        return SS_FAIL;
    if (snap)
        ss_ui_zoom(ui, snap, i == 0 ? 0.5 : i == 1 ? 2 : 1e9, 0.5, 0.5);
    return SS_OK;
}

/* In eighths of what is shown. */
static int view_pan(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int x, y;
    if (cmd->argc < 3)
        return ss_fail(err, "view pan takes two whole numbers: eighths of the view, right and up");
    if (whole(cmd->arg[1], "pan", &x, err) != SS_OK || whole(cmd->arg[2], "pan", &y, err) != SS_OK)
        return SS_FAIL;
    if (snap)
        ss_ui_pan(ui, snap, x, y);
    return SS_OK;
}

/* "on", "off", or the other one. */
static int turn(const ss_cmd *cmd, const char *what, bool *on, ss_err *err)
{
    static const char *const names[] = {"off", "on"};
    int i = !*on;
    if (cmd->argc > 1 && pick_name(what, cmd->arg[1], names, 2, *on, &i, err) != SS_OK)
        return SS_FAIL;
    *on = i;
    return SS_OK;
}

static int view_grid(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap;
    return turn(cmd, "grid", &ui->grid, err);
}

/* Between the points, or each point as a square. */
static int view_smooth(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap;
    return turn(cmd, "smooth", &ui->smooth, err);
}

static const struct view_row {
    const char *name;
    int min_args; /* after the name */
    verb_fn *run;
} view_rows[] = {{"layer", 1, view_layer},      {"axis", 1, view_axis},    {"probe", 1, view_probe},
                 {"tile", 1, view_tile},        {"zoom", 1, view_zoom},    {"pan", 2, view_pan},
                 {"grid", 0, view_grid},        {"field", 1, view_field},  {"stage", 1, view_stage},
                 {"panel", 1, view_panel},      {"plane", 1, view_plane},  {"slice", 1, view_slice},
                 {"window", 4, ss_view_window}, {"smooth", 0, view_smooth}};

static int verb_view(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *names[sizeof view_rows / sizeof *view_rows];
    int n = (int)(sizeof view_rows / sizeof *view_rows), i;
    for (int k = 0; k < n; k++)
        names[k] = view_rows[k].name;
    if (cmd->argc < 1 || pick_name("view", cmd->arg[0], names, n, 0, &i, err) != SS_OK)
        return cmd->argc < 1 ? ss_fail(err, "view what?") : SS_FAIL;
    if (cmd->argc - 1 < view_rows[i].min_args)
        return ss_fail(err, "view %s: a value is missing", names[i]);
    ui->view.seq++;
    return view_rows[i].run(ui, cmd, snap, err);
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
    if (pick_name("theme", cmd->argc ? cmd->arg[0] : "next", names, n, on, &i, err) != SS_OK)
        return SS_FAIL;
    ui->theme = &ss_themes[i];
    return SS_OK;
}

static int verb_bind(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    ss_cmd parsed;
    int i = 0;
    (void)snap;
    if (cmd->argc < 2 || !ss_key_valid(cmd->arg[0]))
        return ss_fail(err,
                       "bind: '%.20s' is no key; keys are a, A, F1, space, left, C-a, S-tab ...",
                       cmd->argc ? cmd->arg[0] : "");
    if (ss_cmd_parse(cmd->arg[1], &parsed, err) != SS_OK)
        return SS_FAIL;
    while (i < ui->nbinding && strcmp(ui->binding[i].key, cmd->arg[0]) != 0)
        i++;
    if (i == SS_BIND_MAX)
        return ss_fail(err, "bind: %d keys are bound already", SS_BIND_MAX);
    snprintf(ui->binding[i].key, sizeof ui->binding[i].key, "%s", cmd->arg[0]);
    snprintf(ui->binding[i].command, sizeof ui->binding[i].command, "%s", cmd->arg[1]);
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
    if (cmd->argc < 1 || pick_name("control", cmd->arg[0], names, snap->ncontrol,
                                   ss_ui_focused(ui, snap), &i, err) != SS_OK)
        return SS_FAIL;
    snprintf(ui->focus, sizeof ui->focus, "%s", names[i]);
    return SS_OK;
}

static int verb_presets(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)cmd, (void)snap, (void)err;
    ss_ui_open_picker(ui);
    return SS_OK;
}

static int verb_help(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)cmd, (void)snap, (void)err;
    ui->overlay = ui->overlay == SS_K_HELP ? SS_K_MAIN : SS_K_HELP;
    ui->scroll = 0;
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
    (void)cmd, (void)snap, (void)err;
    ui->quit = true;
    return SS_OK;
}

static const struct verb_row {
    const char *name;
    verb_fn *run;
} verb_rows[] = {{"view", verb_view},     {"theme", verb_theme},     {"bind", verb_bind},
                 {"focus", verb_focus},   {"presets", verb_presets}, {"help", verb_help},
                 {"redraw", verb_redraw}, {"quit", verb_quit},       {"brush", ss_brush_verb},
                 {"copy", ss_copy_verb},  {"say", ss_say_verb},      {"map", ss_map_verb}};

int ss_ui_command(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    if (!cmd->verb)
        return SS_OK;
    for (size_t i = 0; i < sizeof verb_rows / sizeof *verb_rows; i++)
        if (strcmp(verb_rows[i].name, cmd->verb->name) == 0)
            return verb_rows[i].run(ui, cmd, snap, err);
    return ss_fail(err, "%s: not a command of the screen", cmd->verb->name);
}
