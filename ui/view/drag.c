/* What the mouse drags. The user's arrangement of the panels: borders that keys and the mouse move,
 * and a panel that is maximised. The wipe: its line and the keys and the mouse that move it; a race
 * is started if there is none. The timeline: whether it is shown, its axis, and the mouse on it.
 * See state.h and ui/scene/layout.h. Main thread only. */
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

/* --- the arrangement: borders ----------------------------------------------------------------- */

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

/* --- the arrangement: a maximised panel ------------------------------------------------------- */

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

/* --- the arrangement: the mouse --------------------------------------------------------------- */

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

/* --- the wipe --------------------------------------------------------------------------------- */

#define STEP 0.02 /* of an arrow key */

bool ss_wipe_shown(const ss_ui *ui, const ss_snapshot *snap)
{
    return ui->wipe.on && snap->race.n > 1 && snap->view.layer != SS_OWNER;
}

bool ss_wipe_has_keys(const ss_ui *ui, const ss_snapshot *snap)
{
    return ui->wipe.focus && snap && ss_wipe_shown(ui, snap);
}

/* The runs of a race: of several ones, or of the shown one and its classic solver. */
static int race(ss_ui *ui, const ss_snapshot *snap)
{
    if (!snap || snap->race.n > 1)
        return SS_OK;
    ui->wipe.ticket = ss_ui_send(ui, snap->nrun > 1 ? "race" : "split classic", snap);
    return ui->wipe.ticket ? SS_OK : SS_FAIL;
}

static int turn_on(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    ui->wipe.ticket = ui->opening;
    if (race(ui, snap) != SS_OK)
        return ss_fail(err, "%s", ui->message);
    if (snap && snap->view.layer == SS_OWNER)
        ss_ui_say(ui, false, "owners are names, which have no difference: l shows another layer");
    ui->wipe.at = ui->wipe.on ? ui->wipe.at : 0.5;
    ui->wipe.on = ui->wipe.focus = true;
    return SS_OK;
}

static void turn_off(ss_ui *ui)
{
    ui->wipe.on = ui->wipe.focus = ui->wipe.held = false;
}

/* toggle: on, then the arrows again if esc has taken them away, then off. */
static int word(ss_ui *ui, const char *name, const ss_snapshot *snap, ss_err *err)
{
    enum { OFF, ON, TOGGLE, KEYS_OFF, NWORD };
    static const char *const names[NWORD] = {"off", "on", "toggle", "keys-off"};
    int i;
    if (ss_ui_pick("wipe", name, names, NWORD, 0, &i, err) != SS_OK)
        return SS_FAIL;
    if (i == KEYS_OFF)
        ui->wipe.focus = false;
    else if (i == OFF || (i == TOGGLE && ui->wipe.on && ui->wipe.focus))
        turn_off(ui);
    else
        return turn_on(ui, snap, err);
    return SS_OK;
}

static void move_to(ss_ui *ui, double at)
{
    ui->wipe.at = at < 0 ? 0 : at > 1 ? 1 : at;
}

/* view wipe [on|off|toggle|left|right|X] */
int ss_view_wipe(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *text = cmd->argc > 1 ? cmd->arg[1] : "toggle";
    char *end;
    double at = strtod(text, &end);
    int x, y;
    if (ss_ui_direction(text, &x, &y) && x != 0) {
        move_to(ui, round((ui->wipe.at + x * STEP) / STEP) * STEP);
        return SS_OK;
    }
    if (end == text || *end)
        return word(ui, text, snap, err);
    if (!(at >= 0 && at <= 1))
        return ss_fail(err,
                       "view wipe: %.40s is out of range 0\xe2\x80\xa6"
                       "1, a part of the width",
                       text);
    if (!ui->wipe.on && turn_on(ui, snap, err) != SS_OK)
        return SS_FAIL;
    move_to(ui, at);
    return SS_OK;
}

void ss_wipe_follow(ss_ui *ui, const ss_snapshot *snap)
{
    if (snap->race.n < 2 && snap->ticket >= ui->wipe.ticket)
        turn_off(ui);
}

void ss_wipe_press(ss_ui *ui)
{
    ui->wipe.held = ui->wipe.focus = true;
}

bool ss_wipe_drag(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene)
{
    for (int i = 0; i < scene->nhit && ui->wipe.held; i++) {
        const ss_hit *h = &scene->hit[i];
        if (h->kind != SS_H_FIELD || h->rect.w < 1)
            continue;
        move_to(ui, (ev->x - h->rect.x) / h->rect.w);
        return true;
    }
    return false;
}

bool ss_wipe_release(ss_ui *ui)
{
    bool held = ui->wipe.held;
    ui->wipe.held = false;
    return held;
}

/* Both pictures have the same size. */
bool ss_wipe_room(ss_ui *ui, int w, int h)
{
    size_t need = (size_t)w * (size_t)h;
    if (need > ui->wipe.room) {
        float *cell = realloc(ui->wipe.cell, need * sizeof *cell);
        ui->wipe.cell = cell ? cell : ui->wipe.cell;
        float *difference = realloc(ui->wipe.difference, need * sizeof *difference);
        ui->wipe.difference = difference ? difference : ui->wipe.difference;
        if (!cell || !difference)
            return false;
        ui->wipe.room = need;
    }
    return need > 0;
}

/* --- the timeline ----------------------------------------------------------------------------- */

/* Rows of a window and of a terminal from which it is shown unless it was chosen: below that the
 * lines about a probed point need the room. */
enum { IN_WINDOW = 36, IN_TERMINAL = 50 };

bool ss_strip_is_shown(const ss_ui *ui, const ss_snapshot *snap, const ss_extent *extent)
{
    bool tall = extent->rows >= (extent->head > 1 ? IN_WINDOW : IN_TERMINAL);
    bool fits =
        ui->strip.choice == SS_STRIP_AUTO ? tall && !ui->page : ui->strip.choice == SS_STRIP_ON;
    return fits && !ui->in_order && !ui->map.open && snap->race.n == 0;
}

void ss_strip_axis(const ss_snapshot *snap, ss_plot_axis *x)
{
    double end = snap->telemetry.value[SS_T_CYCLE];
    if (snap->ncurve > 0)
        end = fmax(end, (double)snap->curve[snap->ncurve - 1].cycle);
    if (snap->past.back)
        end = fmax(end, (double)snap->past.end);
    ss_axis_make(x, 0, end > 0 ? end : 1, false, true, 12);
}

int ss_view_timeline(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static const char *const names[] = {"auto", "on", "off"};
    int i = ui->strip.shown ? SS_STRIP_OFF : SS_STRIP_ON;
    (void)snap;
    if (cmd->argc > 1 &&
        ss_ui_pick("timeline", cmd->arg[1], names, 3, (int)ui->strip.choice, &i, err) != SS_OK)
        return SS_FAIL;
    ui->strip.choice = (ss_strip_choice)i;
    return SS_OK;
}

/* --- the timeline: the mouse ------------------------------------------------------------------ */

/* The cycle at column x of the timeline, not beyond the farthest one that the run has reached. */
static double cycle_at(const ss_ui *ui, const ss_snapshot *snap, double x)
{
    ss_plot_axis a;
    ss_strip_axis(snap, &a);
    double f = (x - ui->strip.rect.x) / ui->strip.rect.w;
    double end = snap->past.back ? (double)snap->past.end : snap->telemetry.value[SS_T_CYCLE];
    return fmin(fmax(round(a.lo + f * (a.hi - a.lo)), 0), end);
}

/* The kept state next to a cycle, or the end of the run if that is nearer. */
static double nearest_kept(const ss_snapshot *snap, double cycle)
{
    double best = snap->past.back ? (double)snap->past.end : snap->telemetry.value[SS_T_CYCLE];
    for (int i = 0; i < snap->past.nkept; i++) {
        double kept = (double)snap->past.kept[i].cycle;
        if (fabs(kept - cycle) < fabs(best - cycle))
            best = kept;
    }
    return best;
}

static void return_to(ss_ui *ui, const ss_snapshot *snap, double to)
{
    char line[64];
    if (to == ui->strip.asked)
        return;
    ui->strip.asked = to;
    snprintf(line, sizeof line, "rewind %.0f", to);
    ss_ui_send(ui, line, snap);
}

void ss_strip_press(ss_ui *ui, const ss_hit *h, const ss_event *ev, const ss_snapshot *snap)
{
    ui->strip.rect = h->rect;
    ui->strip.held = true;
    ui->strip.x = ev->x;
    ui->strip.spans = ev->shift || ev->button == 2;
    ui->strip.asked = snap->telemetry.value[SS_T_CYCLE];
    if (ui->strip.spans)
        ui->strip.span[0] = ui->strip.span[1] = cycle_at(ui, snap, ev->x);
    else
        return_to(ui, snap, nearest_kept(snap, cycle_at(ui, snap, ev->x)));
}

bool ss_strip_drag_to(ss_ui *ui, const ss_event *ev, const ss_snapshot *snap)
{
    if (!ui->strip.held)
        return false;
    ui->strip.x = ev->x;
    if (ui->strip.spans)
        ui->strip.span[1] = cycle_at(ui, snap, ev->x);
    else
        return_to(ui, snap, nearest_kept(snap, cycle_at(ui, snap, ev->x)));
    return true;
}

/* Kept states are shown while the mouse moves: they cost no time. Where it is released the cycle
 * itself is wanted, unless a kept state is less than a column away. */
static void settle(ss_ui *ui, const ss_snapshot *snap)
{
    ss_plot_axis a;
    double cycle = cycle_at(ui, snap, ui->strip.x), kept = nearest_kept(snap, cycle);
    ss_strip_axis(snap, &a);
    double column = (a.hi - a.lo) / ui->strip.rect.w;
    return_to(ui, snap, fabs(kept - cycle) <= column ? kept : cycle);
}

bool ss_strip_release(ss_ui *ui, const ss_snapshot *snap)
{
    char line[80];
    double from = fmin(ui->strip.span[0], ui->strip.span[1]);
    double to = fmax(ui->strip.span[0], ui->strip.span[1]);
    bool was = ui->strip.held, spans = ui->strip.spans;
    ui->strip.held = ui->strip.spans = false;
    if (was && !spans)
        settle(ui, snap);
    if (!was || !spans || to <= from)
        return was;
    snprintf(line, sizeof line, "film %.0f %.0f", from, to);
    ss_ui_send(ui, line, snap);
    return true;
}
