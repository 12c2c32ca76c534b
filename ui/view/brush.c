/* The brush: the verb `brush`, strokes of the mouse, the line that describes it. A stroke is sent
 * to the engine as `paint` commands. See state.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

enum { DABS_MAX = 64 }; /* per movement of the mouse */

static double bounded(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* --- size and strength ------------------------------------------------------------------------ */

static double largest_radius(const ss_snapshot *snap)
{
    int n = snap->nx > snap->ny ? snap->nx : snap->ny;
    return n > 1 ? n : 1;
}

/* To two digits, so that commands are short. */
static double rounded(double v)
{
    char text[32];
    snprintf(text, sizeof text, "%.1e", v);
    return strtod(text, NULL);
}

/* Defaults: a sixteenth of the width shown, and a quarter of the range of values. */
static void set_defaults(ss_ui *ui, const ss_snapshot *snap)
{
    ss_brush *b = &ui->brush;
    ss_box2 w = ss_ui_window(&ui->view, snap);
    const ss_picture *p = &snap->picture;
    bool values = snap->view.layer == SS_VALUE && p->w > 0 && p->hi > p->lo;
    if (!(b->radius > 0))
        b->radius = bounded(floor((w.x1 - w.x0) / 16), 2, largest_radius(snap));
    if (b->amount == 0)
        b->amount = values ? rounded(0.25 * (p->hi - p->lo)) : 1;
}

void ss_brush_forget(ss_ui *ui)
{
    ui->brush = (ss_brush){.on = ui->brush.on};
}

/* --- dabs ------------------------------------------------------------------------------------- */

/* " field=pressure", " plane=xz slice=4": arguments of `paint` that are not its defaults. */
static void extra_arguments(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size)
{
    const ss_view *v = &snap->view;
    int n = 0;
    buf[0] = '\0';
    if (snap->quantities && ui->view.field > 0 && ui->view.field < snap->nquantity)
        n = snprintf(buf, size, " field=%s", snap->quantities[ui->view.field].name);
    if (snap->dim > 2 && v->axis >= 0 && v->axis < 3)
        snprintf(buf + n, size - (size_t)n, " plane=%s slice=%d", ss_plane_names[v->axis],
                 v->slice);
}

static void dab(ss_ui *ui, const ss_snapshot *snap, double x, double y)
{
    ss_brush *b = &ui->brush;
    char line[160], place[64];
    set_defaults(ui, snap);
    extra_arguments(ui, snap, place, sizeof place);
    b->x = x, b->y = y;
    snprintf(line, sizeof line, "paint %.6g %.6g %.6g %.6g%s%s", x, y, b->radius, b->amount, place,
             b->joined ? " join" : "");
    if (ss_ui_send(ui, line, snap))
        b->joined = true;
}

static void point_to(ss_ui *ui, const ss_snapshot *snap, double x, double y)
{
    char line[64];
    int px = (int)floor(x + 0.5), py = (int)floor(y + 0.5);
    if (px == ui->view.probe_x && py == ui->view.probe_y)
        return;
    snprintf(line, sizeof line, "view probe %d %d", px, py);
    ss_ui_send(ui, line, snap);
}

/* --- the mouse -------------------------------------------------------------------------------- */

/* The point of the field nearest to the mouse. */
static bool point_under(const ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                        const ss_snapshot *snap, double *x, double *y)
{
    ss_box2 w = ss_ui_window(&ui->view, snap);
    for (int i = 0; i < scene->nhit; i++) {
        const ss_rect *r = &scene->hit[i].rect;
        if (scene->hit[i].kind != SS_H_FIELD || r->w < 1 || r->h < 1)
            continue;
        *x = bounded(w.x0 + (ev->x - r->x) / r->w * (w.x1 - w.x0) - 0.5, 0, snap->nx - 1);
        *y = bounded(w.y1 - (ev->y - r->y) / r->h * (w.y1 - w.y0) - 0.5, 0, snap->ny - 1);
        *y = snap->dim == 1 ? 0 : *y;
        return true;
    }
    return false;
}

static void begin(ss_ui *ui, const ss_snapshot *snap, double x, double y)
{
    ui->brush.held = true;
    ui->brush.joined = false;
    dab(ui, snap, x, y);
}

/* Dabs are half a radius apart, however fast the mouse moves. */
static void continue_stroke(ss_ui *ui, const ss_snapshot *snap, double x, double y)
{
    ss_brush *b = &ui->brush;
    double dx = x - b->x, dy = y - b->y, length = sqrt(dx * dx + dy * dy);
    double pitch = fmax(0.5 * b->radius, length / DABS_MAX), x0 = b->x, y0 = b->y;
    for (int i = 1; pitch > 0 && i * pitch <= length; i++)
        dab(ui, snap, x0 + dx * i * pitch / length, y0 + dy * i * pitch / length);
}

bool ss_brush_event(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                    const ss_snapshot *snap)
{
    double x, y;
    const ss_hit *h = scene ? ss_scene_at(scene, ev->x, ev->y) : NULL;
    bool inside = h && h->kind == SS_H_FIELD;
    if (ev->kind == SS_EV_RELEASE)
        ui->brush.held = false;
    if (!ui->brush.on || ui->overlay != SS_K_MAIN || !snap || !scene ||
        !(inside || (ui->brush.held && ev->kind == SS_EV_DRAG)) ||
        !point_under(ui, ev, scene, snap, &x, &y))
        return false;
    if (ev->kind == SS_EV_WHEEL)
        ss_ui_send(ui, ev->dy > 0 ? "brush larger" : "brush smaller", snap);
    else if (ev->kind == SS_EV_PRESS)
        begin(ui, snap, x, y);
    else if (ev->kind == SS_EV_DRAG && ui->brush.held)
        continue_stroke(ui, snap, x, y);
    else if (ev->kind != SS_EV_MOVE)
        return false;
    if (ev->kind != SS_EV_WHEEL)
        point_to(ui, snap, x, y);
    return true;
}

/* --- the verb --------------------------------------------------------------------------------- */

typedef int brush_fn(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err);

static int turn_on(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)value, (void)err;
    ui->brush.on = true;
    ui->probing = false;
    set_defaults(ui, snap);
    if (ui->view.probe_x < 0) {
        ss_box2 w = ss_ui_window(&ui->view, snap);
        double y = snap->dim == 1 ? 0 : floor(0.5 * (w.y0 + w.y1));
        point_to(ui, snap, floor(0.5 * (w.x0 + w.x1)), y);
    }
    return SS_OK;
}

static int turn_off(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)value, (void)err;
    ui->brush.on = ui->brush.held = false;
    ss_ui_send(ui, "view probe off", snap);
    return SS_OK;
}

static int one_dab(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)value;
    if (ui->view.probe_x < 0)
        return ss_fail(err, "brush dab: no point is selected; brush on selects one");
    ui->brush.joined = false;
    dab(ui, snap, ui->view.probe_x, snap->dim == 1 ? 0 : ui->view.probe_y);
    return SS_OK;
}

static int scale_radius(ss_ui *ui, const ss_snapshot *snap, double factor)
{
    double r = ui->brush.radius, next = floor(r * factor + 0.5);
    if (next == r)
        next += factor > 1 ? 1 : -1;
    ui->brush.radius = bounded(next, 1, largest_radius(snap));
    return SS_OK;
}

static int larger(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)value, (void)err;
    return scale_radius(ui, snap, 1.25);
}

static int smaller(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)value, (void)err;
    return scale_radius(ui, snap, 0.8);
}

static int stronger(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)value, (void)err, (void)snap;
    ui->brush.amount *= fabs(ui->brush.amount) < 5e8 ? 2 : 1;
    return SS_OK;
}

static int weaker(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)value, (void)err, (void)snap;
    ui->brush.amount *= fabs(ui->brush.amount) > 1e-9 ? 0.5 : 1;
    return SS_OK;
}

static int invert(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)value, (void)err, (void)snap;
    ui->brush.amount = -ui->brush.amount;
    return SS_OK;
}

static int number(const char *what, const char *text, double lo, double hi, double *out,
                  ss_err *err)
{
    char *end = NULL;
    double v = strtod(text, &end);
    if (end == text || *end || !(v >= lo && v <= hi) || v == 0)
        return ss_fail(err, "brush %s: '%.40s' is out of range %g\xe2\x80\xa6%g, without 0", what,
                       text, lo, hi);
    *out = v;
    return SS_OK;
}

static int set_radius(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    return number("radius", value, 1, largest_radius(snap), &ui->brush.radius, err);
}

static int set_amount(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    (void)snap;
    return number("amount", value, -1e9, 1e9, &ui->brush.amount, err);
}

static int toggle(ss_ui *ui, const char *value, const ss_snapshot *snap, ss_err *err)
{
    return (ui->brush.on ? turn_off : turn_on)(ui, value, snap, err);
}

int ss_brush_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static brush_fn *const handlers[SS_NVERB] = {[SS_VERB_BRUSH] = toggle,
                                                 [SS_VERB_BRUSH_ON] = turn_on,
                                                 [SS_VERB_BRUSH_OFF] = turn_off,
                                                 [SS_VERB_BRUSH_DAB] = one_dab,
                                                 [SS_VERB_BRUSH_LARGER] = larger,
                                                 [SS_VERB_BRUSH_SMALLER] = smaller,
                                                 [SS_VERB_BRUSH_STRONGER] = stronger,
                                                 [SS_VERB_BRUSH_WEAKER] = weaker,
                                                 [SS_VERB_BRUSH_INVERT] = invert,
                                                 [SS_VERB_BRUSH_RADIUS] = set_radius,
                                                 [SS_VERB_BRUSH_AMOUNT] = set_amount};
    if (!snap)
        return SS_OK;
    set_defaults(ui, snap);
    return handlers[cmd->row->id](ui, cmd->argc > 1 ? cmd->arg[1] : NULL, snap, err);
}

/* --- the message line ------------------------------------------------------------------------- */

void ss_brush_text(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size)
{
    bool steady = snap->kind == SS_STEADY;
    snprintf(buf, size, "brush: radius %.6g, adds %.3g to %s%s", ui->brush.radius, ui->brush.amount,
             ss_quantity_symbol(snap), steady ? " and its error" : "");
}
