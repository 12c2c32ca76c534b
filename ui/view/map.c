/* The state of the tuning map on the screen, and the commands that change it: see state.h. Main
 * thread only. */
#include "ui/scene/text.h"
#include "ui/view/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ss_map_pages[SS_NPAGE + 1] = {"map", "pareto", NULL};

/* --- positions -------------------------------------------------------------------------------- */

int ss_map_cursor(const ss_ui *ui)
{
    const ss_map_view *v = ui->map.view;
    return v && v->n > 0 ? ui->map.y * v->nx + ui->map.x : -1;
}

static int value_of(const ss_map_side *side, int n, const ss_config *cfg)
{
    char text[64];
    const ss_value *v = &cfg->v[side->row->slot];
    for (int i = 0; i < n; i++)
        if (v->set && strcmp(side->text[i], ss_param_format(side->row, *v, text, sizeof text)) == 0)
            return i;
    return -1;
}

/* Position of the run on an axis, by its control if there is one, since that has the default too.
 */
static int side_of(const ss_ui *ui, const ss_snapshot *snap, const ss_map_side *side, int n)
{
    char text[64];
    for (int i = 0; i < snap->ncontrol; i++) {
        const ss_control *c = &snap->control[i];
        if (strcmp(c->row->name, side->row->name) != 0)
            continue;
        ss_param_format(c->row, ss_ui_value(ui, c, NULL), text, sizeof text);
        for (int k = 0; k < n; k++)
            if (strcmp(side->text[k], text) == 0)
                return k;
        return -1;
    }
    return value_of(side, n, &snap->cfg);
}

int ss_map_here(const ss_ui *ui, const ss_snapshot *snap)
{
    const ss_map_view *v = ui->map.view;
    if (!v || v->stale || v->alone)
        return -1;
    int y = v->row.row ? side_of(ui, snap, &v->row, v->ny) : 0;
    int x = side_of(ui, snap, &v->column, v->nx);
    return x < 0 || y < 0 ? -1 : y * v->nx + x;
}

const char *ss_map_cell_name(const ss_map_view *v, int cell)
{
    const char *column = ss_text("%s %s", v->column.row->name, v->column.text[cell % v->nx]);
    if (!v->row.row)
        return column;
    return ss_text("%s %s, %s", v->row.row->name, v->row.text[cell / v->nx], column);
}

/* --- on the screen ---------------------------------------------------------------------------- */

void ss_map_layout_of(const ss_ui *ui, ss_map_layout *out)
{
    const ss_map_view *v = ui->map.view;
    int names = ss_text_width(v->column.row->symbol);
    if (v->row.row)
        names += ss_text_width(v->row.row->symbol) + 3;
    for (int i = 0; i < v->ny && v->row.row; i++) {
        int w = ss_text_width(v->row.text[i]);
        names = w > names ? w : names;
    }
    /* A recording has no cursor. */
    ss_layout_map(&ui->layout, v->nx, v->ny, names, !ui->in_order, out);
}

const char *ss_map_state(const ss_map_view *v)
{
    return *v->error         ? "■ failed"
           : v->done == v->n ? "■ all measured"
           : v->paused       ? "‖ paused"
                             : "▶ measuring";
}

/* --- a number in a narrow cell ---------------------------------------------------------------- */

/* "12.35k": `digits` significant digits, at least those before the point. */
static const char *engineering(double v, int digits, const char *unit)
{
    static const char *const prefix[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
    int e = v > 0 ? ss_clamp((int)floor(log10(v) / 3 + 1e-9), -4, 6) : 0;
    double m = v / pow(10, 3 * e);
    int integer_digits = m >= 99.95 ? 3 : m >= 9.995 ? 2 : 1;
    int decimals = digits > integer_digits ? digits - integer_digits : 0;
    return ss_text("%.*f%s%s", decimals, m, prefix[e + 4], unit);
}

const char *ss_map_short(const ss_map_name *q, double v, int room)
{
    bool plain = !*q->unit, whole = plain && v == floor(v) && fabs(v) < 1e15;
    if (!isfinite(v))
        return "–";
    const char *text = whole ? ss_text("%.0f", v) : ss_sci_text(v);
    if ((whole || (plain && fabs(v) < 0.01)) && ss_text_width(text) <= room)
        return text;
    for (int digits = 4; digits > 0; digits--)
        for (int i = 0; i < (digits > 2 ? 1 : 2); i++) {
            text = engineering(v, digits, i ? "" : q->unit);
            if (ss_text_width(text) <= room)
                return text;
        }
    return room > 0 ? "…" : "";
}

/* --- the run on the map ----------------------------------------------------------------------- */

void ss_map_follow(ss_ui *ui, const ss_snapshot *snap)
{
    ss_map_ui *m = &ui->map;
    int here = m->placed ? -1 : ss_map_here(ui, snap);
    if (here >= 0)
        m->x = here % m->view->nx, m->y = here / m->view->nx;
}

void ss_ui_map(ss_ui *ui, const ss_map_view *view)
{
    ss_map_ui *m = &ui->map;
    bool other = view && (!m->view || m->view->settings != view->settings);
    m->view = view;
    m->open = m->open && view;
    if (!other)
        return;
    m->quantity = view->asked;
    m->placed = false;
    m->x = m->y = 0;
}

void ss_ui_map_open(ss_ui *ui, bool open)
{
    ui->map.open = open && ui->map.view;
}

bool ss_ui_map_is_open(const ss_ui *ui)
{
    return ui->map.open;
}

/* --- commands --------------------------------------------------------------------------------- */

static int clamp(int v, int n)
{
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

static int place(ss_ui *ui, int x, int y)
{
    ui->map.x = clamp(x, ui->map.view->nx);
    ui->map.y = clamp(y, ui->map.view->ny);
    ui->map.placed = true;
    return SS_OK;
}

int ss_map_cell_under(const ss_ui *ui, const ss_hit *h, double x, double y, ss_rect *out)
{
    ss_map_layout l;
    const ss_map_view *v = ui->map.view;
    if (!v)
        return -1;
    ss_map_layout_of(ui, &l);
    if (l.cell_w < 1 || l.cell_h < 1)
        return -1;
    int i = (int)(x - h->rect.x) / l.cell_w, k = (int)(y - h->rect.y) / l.cell_h;
    *out = (ss_rect){h->rect.x + i * l.cell_w, h->rect.y + k * l.cell_h, l.cell_w, l.cell_h};
    i += h->index % v->nx, k += h->index / v->nx;
    return i < v->nx && k < v->ny ? k * v->nx + i : -1;
}

void ss_map_press(ss_ui *ui, const ss_hit *h, double x, double y)
{
    ss_rect r;
    int cell = ss_map_cell_under(ui, h, x, y, &r);
    if (cell >= 0)
        place(ui, cell % ui->map.view->nx, cell / ui->map.view->nx);
}

static int map_move(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int x, y;
    (void)snap;
    if (!ss_ui_direction(cmd->arg[1], &x, &y))
        return ss_fail(err, "map move takes left, right, up or down");
    return place(ui, ui->map.x + x, ui->map.y - y);
}

static int map_cursor(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)snap, (void)err;
    return place(ui, atoi(cmd->arg[1]), atoi(cmd->arg[2]));
}

/* The best of all cells, or of the cursor's row where rows cannot be compared. */
static int map_best(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const ss_map_view *v = ui->map.view;
    (void)cmd, (void)snap;
    int best = ss_map_best(v, ui->map.quantity, -1);
    if (best < 0)
        best = ss_map_best(v, ui->map.quantity, ui->map.y);
    if (best < 0)
        return ss_fail(err, "no cell of this row is measured yet");
    return place(ui, best % v->nx, best / v->nx);
}

/* The quantity or view of that name, or the next. */
static const char *name_of(const ss_cmd *cmd)
{
    return cmd->argc > 1 ? cmd->arg[1] : "next";
}

static int map_quantity(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *names[SS_MAP_QUANTITIES];
    (void)snap;
    for (int i = 0; i < SS_MAP_QUANTITIES; i++)
        names[i] = ui->map.view->quantity[i].name;
    return ss_ui_pick("quantity", name_of(cmd), names, SS_MAP_QUANTITIES, ui->map.quantity,
                      &ui->map.quantity, err);
}

static int map_view(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i;
    (void)snap;
    if (ss_ui_pick("view of the map", name_of(cmd), ss_map_pages, SS_NPAGE, (int)ui->map.page, &i,
                   err) != SS_OK)
        return SS_FAIL;
    ui->map.page = (ss_map_page)i;
    return SS_OK;
}

static int map_relative(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)cmd, (void)snap, (void)err;
    ui->map.relative = !ui->map.relative;
    return SS_OK;
}

/* Sets the control if there is one, so that the new value shows at once. */
static void set(ss_ui *ui, const ss_snapshot *snap, const ss_map_side *side, int at)
{
    char line[160];
    for (int i = 0; i < snap->ncontrol; i++)
        if (strcmp(snap->control[i].row->name, side->row->name) == 0) {
            ss_ui_set(ui, &snap->control[i], side->value[at]);
            return;
        }
    snprintf(line, sizeof line, "set %s %s", side->row->name, side->text[at]);
    ss_ui_send(ui, line, snap);
}

static int map_take(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const ss_map_view *v = ui->map.view;
    int cell = ss_map_cursor(ui);
    char text[240];
    (void)cmd;
    if (!snap || cell < 0)
        return SS_OK;
    if (v->stale)
        return ss_fail(err, "this map belongs to another problem: esc, then H opens a new one");
    if (v->cell[cell].status == SS_CELL_REFUSED)
        return ss_fail(err, "this cell is not valid: %.200s", v->cell[cell].why);
    if (v->row.row)
        set(ui, snap, &v->row, cell / v->nx);
    set(ui, snap, &v->column, cell % v->nx);
    snprintf(text, sizeof text, "the run continues with %s; u undoes it, esc closes the map",
             ss_map_cell_name(v, cell));
    ss_ui_say(ui, false, text);
    return SS_OK;
}

/* The map leaves no room for two runs side by side. */
static int map_split(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)ui, (void)cmd, (void)snap;
    return ss_fail(err, "esc closes the map; then | splits the view");
}

int ss_map_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static ss_ui_verb *const handlers[SS_NVERB] = {
        [SS_VERB_MAP_MOVE] = map_move,         [SS_VERB_MAP_CURSOR] = map_cursor,
        [SS_VERB_MAP_BEST] = map_best,         [SS_VERB_MAP_TAKE] = map_take,
        [SS_VERB_MAP_QUANTITY] = map_quantity, [SS_VERB_MAP_VIEW] = map_view,
        [SS_VERB_MAP_RELATIVE] = map_relative, [SS_VERB_MAP_SPLIT] = map_split};
    if (!ui->map.view)
        return ss_fail(err, "there is no map yet; H opens one around the run");
    return handlers[cmd->row->id](ui, cmd, snap, err);
}

/* --- the points of the Pareto chart ----------------------------------------------------------- */

ss_xy ss_map_place(const ss_map_view *v, int cell)
{
    return (ss_xy){ss_map_pace(&v->cell[cell]), (double)v->cell[cell].cycles};
}

int ss_map_cell_at(const ss_map_view *v, ss_xy at)
{
    for (int i = 0; i < v->n; i++) {
        ss_xy p = ss_map_place(v, i);
        if (!(p.x < at.x) && !(p.x > at.x) && !(p.y < at.y) && !(p.y > at.y) && p.x > 0)
            return i;
    }
    return -1;
}
