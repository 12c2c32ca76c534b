/* The user's arrangement of the panels: borders that keys and the mouse move, and a panel that is
 * maximised. See state.h and ui/scene/gutter.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

static const char *const elsewhere = "these panels have their own arrangement";

bool ss_ui_arranges(const ss_ui *ui)
{
    return !ui->in_order && !ui->map.open && ss_page_place_of(ui) != SS_PAGE_BESIDE;
}

/* --- borders ---------------------------------------------------------------------------------- */

/* Moves a border of the last layout to a column or row. */
static void place(ss_ui *ui, ss_gutter_id id, const ss_gutter *g, int to)
{
    to = to < g->lo ? g->lo : to > g->hi ? g->hi : to;
    ui->arranging.places.at[id] = (double)(to - g->from) / g->room;
    ui->arranging.chosen[g->upright] = id;
    ui->arranging.which = id;
    ui->arranging.marked = true;
}

/* The border that the keys move in a direction: the chosen one, else the first; false: none. */
static bool movable(const ss_ui *ui, bool upright, ss_gutter_id *id, ss_gutter *g)
{
    *id = ui->arranging.chosen[upright];
    if (ss_gutter_find(&ui->layout, *id, g) && g->upright == upright)
        return true;
    for (int i = 0; i < SS_NGUTTER; i++)
        if (ss_gutter_find(&ui->layout, (ss_gutter_id)i, g) && g->upright == upright) {
            *id = (ss_gutter_id)i;
            return true;
        }
    return false;
}

/* Maximises the panel `by` places further in the list. */
static void next_panel(ss_ui *ui, int by);

static int move_by_key(ss_ui *ui, int x, int y, ss_err *err)
{
    enum { COLUMNS = 2, ROWS = 1 }; /* about square */
    ss_gutter_id id;
    ss_gutter g;
    bool upright = x != 0;
    if (ui->arranging.maximised) {
        next_panel(ui, upright ? x : -y);
        return SS_OK;
    }
    if (!movable(ui, upright, &id, &g))
        return ss_fail(err, "this screen has no panels side by side that could change their %s",
                       upright ? "widths" : "heights");
    place(ui, id, &g, g.at + x * COLUMNS - y * ROWS);
    return SS_OK;
}

/* The next border of this screen becomes the one that the keys move. */
static int next_gutter(ss_ui *ui, ss_err *err)
{
    ss_arranging *a = &ui->arranging;
    char text[160];
    for (int k = 0; k < SS_NGUTTER; k++) {
        ss_gutter g;
        ss_gutter_id id = a->turn;
        a->turn = (ss_gutter_id)((id + 1) % SS_NGUTTER);
        if (!ss_gutter_find(&ui->layout, id, &g))
            continue;
        a->chosen[g.upright] = a->which = id;
        a->marked = true;
        snprintf(text, sizeof text, "border %s: %s move it, ctrl-r resets all sizes",
                 ss_gutter_names[id],
                 g.upright ? "ctrl-left and ctrl-right" : "ctrl-up and ctrl-down");
        ss_ui_say(ui, false, text);
        return SS_OK;
    }
    return ss_fail(err, "this screen has no borders that can be moved");
}

static int set_place(ss_ui *ui, ss_gutter_id id, const char *word, ss_err *err)
{
    char *end;
    double at = strtod(word, &end);
    if (strcmp(word, "auto") == 0)
        at = 0;
    else if (*end || end == word || !(at > 0 && at < 1))
        return ss_fail(err, "view gutter: '%.20s' is not auto, nor a number between 0 and 1", word);
    ui->arranging.places.at[id] = at;
    return SS_OK;
}

/* view gutter NAME AT|auto, next, left|right|up|down */
int ss_view_gutter(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int x, y, id;
    (void)snap;
    if (!ss_ui_arranges(ui))
        return ss_fail(err, "view gutter: %s", elsewhere);
    if (cmd->argc == 2 && ss_ui_direction(cmd->arg[1], &x, &y))
        return move_by_key(ui, x, y, err);
    if (cmd->argc == 2 && strcmp(cmd->arg[1], "next") == 0)
        return next_gutter(ui, err);
    if (ss_ui_pick("border", cmd->arg[1], ss_gutter_names, SS_NGUTTER, 0, &id, err) != SS_OK)
        return SS_FAIL;
    if (cmd->argc < 3)
        return ss_fail(err, "view gutter %s: its place is missing, auto or 0 to 1", cmd->arg[1]);
    return set_place(ui, (ss_gutter_id)id, cmd->arg[2], err);
}

/* --- a maximised panel ------------------------------------------------------------------------ */

enum { PANELS = 6 };

/* The names of the panels that can be maximised now; returns their number. */
static int names_of(const ss_ui *ui, const char **names, ss_panel_id *panels)
{
    int n = 0;
    for (const ss_panel_name *p = ss_panel_names; p->name && n < PANELS; p++)
        if (ui->arranging.can >> p->panel & 1)
            names[n] = p->name, panels[n++] = p->panel;
    return n;
}

static void maximise(ss_ui *ui, ss_panel_id panel)
{
    ui->arranging.maximised = panel;
    ui->arranging.last = panel ? panel : ui->arranging.last;
}

static void next_panel(ss_ui *ui, int by)
{
    const char *names[PANELS];
    ss_panel_id panels[PANELS];
    int n = names_of(ui, names, panels), on = 0;
    for (int i = 0; i < n; i++)
        on = panels[i] == ui->arranging.maximised ? i : on;
    if (n > 0)
        maximise(ui, panels[(on + by + n) % n]);
}

/* Without an argument: the panel that was maximised last, at first the field; again: all panels. */
static void toggle(ss_ui *ui)
{
    ss_panel_id last = ui->arranging.last;
    bool can = last && ui->arranging.can >> last & 1;
    maximise(ui, ui->arranging.maximised ? SS_PANEL_HEADER : can ? last : SS_PANEL_FIELD);
}

/* view maximise [PANEL|next|previous|off] */
int ss_view_maximise(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *names[PANELS], *word = cmd->argc > 1 ? cmd->arg[1] : "";
    ss_panel_id panels[PANELS];
    int n = names_of(ui, names, panels), on = n - 1, i;
    (void)snap;
    if (strcmp(word, "off") == 0) {
        maximise(ui, SS_PANEL_HEADER);
        return SS_OK;
    }
    if (!ss_ui_arranges(ui))
        return ss_fail(err, "view maximise: %s", elsewhere);
    if (!*word) {
        toggle(ui);
        return SS_OK;
    }
    for (int k = 0; k < n; k++)
        on = panels[k] == ui->arranging.maximised ? k : on;
    if (ss_ui_pick("panel of this run", word, names, n, on, &i, err) != SS_OK)
        return SS_FAIL;
    maximise(ui, panels[i]);
    return SS_OK;
}

/* view layout reset */
int ss_view_layout(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap;
    if (strcmp(cmd->arg[1], "reset") != 0)
        return ss_fail(err, "view layout: '%.20s' is not reset", cmd->arg[1]);
    ui->arranging = (ss_arranging){.can = ui->arranging.can};
    return SS_OK;
}

/* --- the mouse -------------------------------------------------------------------------------- */

/* The panel whose upper edge has this place; SS_PANEL_HEADER: none. */
static ss_panel_id title_at(const ss_ui *ui, double x, double y)
{
    for (const ss_panel_name *p = ss_panel_names; p->name; p++) {
        ss_rect edge = ui->layout.panel[p->panel];
        edge.h = edge.w ? ui->layout.head : 0;
        if (ss_rect_has(edge, x, y))
            return p->panel;
    }
    return SS_PANEL_HEADER;
}

/* True: this press is the second of a double click on a title. */
static bool press_title(ss_ui *ui, const ss_event *ev, const ss_snapshot *snap)
{
    ss_arranging *a = &ui->arranging;
    ss_panel_id panel = title_at(ui, ev->x, ev->y);
    bool twice = panel && panel == a->clicked && ss_ui_is_double(ui, a->when);
    a->clicked = twice ? SS_PANEL_HEADER : panel;
    a->when = ui->now;
    if (!twice)
        return false;
    a->last = panel;
    ss_ui_send(ui, "view maximise", snap);
    return true;
}

void ss_arrange_press(ss_ui *ui, const ss_hit *h, const ss_event *ev, const ss_snapshot *snap)
{
    ss_arranging *a = &ui->arranging;
    ss_gutter g;
    a->held = false;
    if (ev->button != 0 || !ss_ui_arranges(ui) || press_title(ui, ev, snap) ||
        h->kind != SS_H_GUTTER || !ss_gutter_find(&ui->layout, (ss_gutter_id)h->index, &g))
        return;
    a->held = a->marked = true;
    a->which = (ss_gutter_id)h->index;
    a->off = (g.upright ? ev->x : ev->y) - g.at;
}

bool ss_arrange_drag_to(ss_ui *ui, const ss_event *ev)
{
    ss_arranging *a = &ui->arranging;
    ss_gutter g;
    if (!a->held || !ss_gutter_find(&ui->layout, a->which, &g))
        return a->held;
    int to = (int)lround((g.upright ? ev->x : ev->y) - a->off);
    if (to != g.at) {
        place(ui, a->which, &g, to);
        ui->view.seq++; /* a picture of another size is wanted */
    }
    return true;
}

bool ss_arrange_release(ss_ui *ui)
{
    bool was = ui->arranging.held;
    ui->arranging.held = false;
    ui->arranging.marked = ui->arranging.marked && !was;
    return was;
}
