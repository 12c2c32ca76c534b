/* The visible window of the field: zooming and panning. The colour range: it follows the values of
 * the pictures, or it is held, so that equal colours mean equal values for as long as pictures are
 * compared. The command `view range`, and the mouse on the colour bar. See state.h. Main thread
 * only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "ui/view/state.h"

/* --- the window ------------------------------------------------------------------------------- */

ss_box2 ss_ui_window(const ss_view *v, const ss_snapshot *snap)
{
    if (v->x1 > v->x0 && v->y1 > v->y0)
        return (ss_box2){v->x0, v->y0, v->x1, v->y1};
    return (ss_box2){0, 0, snap->nx > 0 ? snap->nx : 1, snap->ny > 0 ? snap->ny : 1};
}

static double bounded(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Factor below 1: closer. The point at (at_x, at_y) of the picture stays where it is. */
void ss_ui_zoom(ss_ui *ui, const ss_snapshot *snap, double factor, double at_x, double at_y)
{
    ss_box2 w = ss_ui_window(&ui->view, snap);
    double nx = snap->nx, ny = snap->ny, k = factor;
    double dx = bounded((w.x1 - w.x0) * k, nx < 8 ? nx : 8, nx);
    double dy = bounded((w.y1 - w.y0) * k, ny < 8 ? ny : 8, ny);
    double px = w.x0 + at_x * (w.x1 - w.x0), py = w.y1 - at_y * (w.y1 - w.y0);
    ss_view *v = &ui->view;
    v->x0 = bounded(px - at_x * dx, 0, nx - dx), v->x1 = v->x0 + dx;
    v->y0 = bounded(py - (1 - at_y) * dy, 0, ny - dy), v->y1 = v->y0 + dy;
    if (dx >= nx && dy >= ny)
        v->x0 = v->x1 = v->y0 = v->y1 = 0;
    v->seq++;
}

void ss_ui_pan(ss_ui *ui, const ss_snapshot *snap, int x, int y)
{
    ss_view *v = &ui->view;
    double w = v->x1 - v->x0, h = v->y1 - v->y0;
    if (w <= 0)
        return;
    v->x0 = bounded(v->x0 + x * w / 8, 0, snap->nx - w), v->x1 = v->x0 + w;
    v->y0 = bounded(v->y0 + y * h / 8, 0, snap->ny - h), v->y1 = v->y0 + h;
}

int ss_view_window(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    double at[4];
    for (int i = 0; i < 4; i++) {
        char *end;
        double most = !snap ? 1e9 : i % 2 ? snap->ny : snap->nx;
        at[i] = strtod(cmd->arg[i + 1], &end);
        if (end == cmd->arg[i + 1] || *end || !(at[i] >= 0 && at[i] <= most))
            return ss_fail(err, "view window: '%.40s' is out of range 0\xe2\x80\xa6%g",
                           cmd->arg[i + 1], most);
    }
    if (!(at[2] > at[0] && at[3] > at[1]))
        return ss_fail(err, "view window takes X0 Y0 X1 Y1, the lower left corner first");
    ui->view.x0 = at[0], ui->view.y0 = at[1];
    ui->view.x1 = at[2], ui->view.y1 = at[3];
    return SS_OK;
}

void ss_ui_drag(ss_ui *ui, const ss_snapshot *snap, const struct ss_scene *scene, double x,
                double y)
{
    ss_view *v = &ui->view;
    double w = v->x1 - v->x0, h = v->y1 - v->y0;
    for (int i = 0; i < scene->nhit && w > 0; i++) {
        const ss_hit *f = &scene->hit[i];
        if (f->kind != SS_H_FIELD)
            continue;
        v->x0 = bounded(v->x0 - (x - ui->pan_x) / f->rect.w * w, 0, snap->nx - w);
        v->y0 = bounded(v->y0 + (y - ui->pan_y) / f->rect.h * h, 0, snap->ny - h);
        v->x1 = v->x0 + w, v->y1 = v->y0 + h;
        v->seq++;
        break;
    }
    ui->pan_x = x, ui->pan_y = y;
}

#define GLIDE 0.3 /* seconds in which a range moves */

/* --- colour ranges of films ------------------------------------------------------------------- */

enum { FILM_RANGES = 64 };

typedef struct entry {
    ss_range_of of;
    ss_range range;
} entry;

struct ss_film_ranges {
    entry entry[FILM_RANGES];
    int n;
};

ss_film_ranges *ss_film_ranges_new(void)
{
    return calloc(1, sizeof(ss_film_ranges));
}

void ss_film_ranges_free(ss_film_ranges *f)
{
    free(f);
}

static bool same(const ss_range_of *a, const ss_range_of *b)
{
    return a->layer == b->layer && a->field == b->field && strcmp(a->problem, b->problem) == 0;
}

static entry *find(ss_film_ranges *f, const ss_range_of *of)
{
    for (int i = 0; f && i < f->n; i++)
        if (same(&f->entry[i].of, of))
            return &f->entry[i];
    return NULL;
}

void ss_ui_film_ranges(ss_ui *ui, ss_film_ranges *ranges)
{
    ui->ranging.film = ranges;
    ui->ranging.filmed = true;
}

void ss_film_ranges_add(ss_film_ranges *f, const ss_ui *ui)
{
    const ss_ranging *r = &ui->ranging;
    entry *e = find(f, &r->of);
    if (!r->fit.valid || (!e && f->n == FILM_RANGES))
        return;
    if (!e) {
        e = &f->entry[f->n++];
        *e = (entry){.of = r->of};
    }
    e->range = ss_range_join(e->range, r->fit, r->log);
}

/* --- what is shown, and what holds its range -------------------------------------------------- */

static void range_of(const ss_snapshot *snap, ss_layer layer, int field, ss_range_of *out)
{
    *out = (ss_range_of){.layer = layer, .field = layer == SS_VALUE ? field : 0};
    if (snap)
        snprintf(out->problem, sizeof out->problem, "%s %d %d",
                 snap->equation_name ? snap->equation_name : "", snap->nx, snap->ny);
}

/* The user's pin for what is shown. One that was set before the first snapshot fits every problem.
 */
static const ss_range_pin *pin_for(const ss_ui *ui, const ss_range_of *of)
{
    const ss_range_pin *p = &ui->ranging.pin[of->layer];
    bool any = !p->of.problem[0] && p->of.field == of->field;
    return p->hold != SS_RANGE_AUTO && (any || same(&p->of, of)) ? p : NULL;
}

/* What holds the range if the user does not. Without order, the clock decides which pictures are
 * seen, so nothing may be learnt from them. */
static ss_range_hold automatic_hold(const ss_ui *ui, const ss_snapshot *snap)
{
    bool learns = !ui->in_order && !snap->deterministic;
    return ui->ranging.filmed   ? SS_RANGE_FILM
           : snap->scale.valid  ? SS_RANGE_CYCLE
           : !learns            ? SS_RANGE_AUTO
           : snap->race.n > 0   ? SS_RANGE_RACE
           : ui->page           ? SS_RANGE_LESSON
           : ui->recording > 0  ? SS_RANGE_FILM
           : ui->ranging.turned ? SS_RANGE_TURN
                                : SS_RANGE_AUTO;
}

/* A parameter of the run was turned since its start: the picture before and the one after are
 * compared, until another start, another layer, or colours that are let go. */
static void follow_turns(ss_ranging *r, const ss_snapshot *snap, bool other)
{
    bool same_run = snap->began == r->began && !other;
    bool turns = same_run && memcmp(&r->cfg, &snap->cfg, sizeof r->cfg) != 0 &&
                 ss_config_differ(&r->cfg, &snap->cfg, ss_param_matters, NULL);
    r->turned = same_run && (r->turned || turns);
    r->began = snap->began;
    r->cfg = snap->cfg;
}

static ss_range_hold hold_now(ss_ui *ui, const ss_snapshot *snap)
{
    ss_ranging *r = &ui->ranging;
    const ss_range_pin *pin = pin_for(ui, &r->of);
    ss_range_hold hold = automatic_hold(ui, snap);
    if (hold != r->dismissed)
        r->dismissed = SS_RANGE_AUTO;
    r->automatic = hold;
    return pin ? pin->hold : r->free || hold == r->dismissed ? SS_RANGE_AUTO : hold;
}

static ss_range fit_of(const ss_ranging *r, double lo, double hi)
{
    return r->log ? ss_range_log_fit(hi, SS_RANGE_DECADES)
                  : ss_range_linear_fit(lo, hi, r->target.sign);
}

/* The extremes over all runs of a race: one colour scale. */
static void extremes(const ss_snapshot *snap, bool log, double *lo, double *hi)
{
    const ss_picture *p = &snap->picture;
    bool peaks = log && p->h > 1; /* a curve shows every value */
    *lo = p->lo, *hi = peaks ? ss_range_peak(p->cell, (size_t)p->w * (size_t)p->h, p->hi) : p->hi;
    for (int i = 0; i < snap->race.n; i++) {
        const ss_picture *o = &snap->race.racer[i].picture;
        if (o->w <= 0)
            continue;
        double top = peaks ? ss_range_peak(o->cell, (size_t)o->w * (size_t)o->h, o->hi) : o->hi;
        *lo = o->lo < *lo ? o->lo : *lo;
        *hi = top > *hi ? top : *hi;
    }
}

static void follow(ss_ranging *r, const ss_snapshot *snap, double lo, double hi)
{
    bool still = snap->paused || snap->status != SS_RUNNING || snap->hold != SS_HOLD_NONE;
    if (r->log)
        ss_range_log(&r->target, hi, SS_RANGE_DECADES, still);
    else
        ss_range_linear(&r->target, lo, hi, still);
}

/* A range that is held takes in values that it does not know in advance. */
static ss_range grown(const ss_ranging *r, ss_range from)
{
    return ss_range_join(from, r->fit, r->log);
}

static ss_range held_by_user(ss_ui *ui)
{
    ss_ranging *r = &ui->ranging;
    ss_range_pin *pin = &r->pin[r->of.layer];
    if (!pin->range.valid)
        pin->range = r->target.valid ? r->target : r->fit;
    return pin->range;
}

static ss_range held(ss_ui *ui, const ss_snapshot *snap, bool begins)
{
    const ss_ranging *r = &ui->ranging;
    const entry *film = find(r->film, &r->of);
    ss_range none = {.sign = r->target.sign};
    switch (r->hold) {
    case SS_RANGE_SET:
    case SS_RANGE_HELD:
        return held_by_user(ui);
    case SS_RANGE_FILM:
        return film ? film->range : grown(r, r->target);
    case SS_RANGE_TURN:
        return grown(r, r->target);
    case SS_RANGE_CYCLE:
        return fit_of(r, snap->scale.lo, snap->scale.hi);
    case SS_RANGE_RACE:
    case SS_RANGE_LESSON:
        return grown(r, begins ? none : r->target);
    case SS_RANGE_AUTO:
        break;
    }
    return none;
}

void ss_range_forget(ss_ui *ui)
{
    ss_ranging *r = &ui->ranging;
    for (int i = 0; i < SS_NLAYER; i++)
        r->pin[i].hold = SS_RANGE_AUTO;
    r->dismissed = SS_RANGE_AUTO;
    r->turned = false;
}

void ss_ui_sets_up(ss_ui *ui, bool setting)
{
    if (setting)
        ss_range_forget(ui);
    ui->ranging.setting = setting;
}

/* Large changes take a moment, so that the eye can follow. Without a clock there are none. */
static void move_to_target(ss_ui *ui, bool at_once)
{
    ss_ranging *r = &ui->ranging;
    bool moves = ui->now > 0 && !at_once && r->shown.valid;
    if (!moves)
        r->since = 0;
    else if (!(r->since > 0) && ss_range_differs(r->shown, r->target, r->log))
        r->from = r->shown, r->since = ui->now;
    ss_range_glide(ui);
}

void ss_range_glide(ss_ui *ui)
{
    ss_ranging *r = &ui->ranging;
    double t = r->since > 0 ? (ui->now - r->since) / GLIDE : 1;
    r->shown = ss_range_between(r->from, r->target, r->log, t < 0 ? 0 : t);
    if (!(t < 1))
        r->since = 0;
}

bool ss_ui_moves(const ss_ui *ui)
{
    return ui->ranging.since > 0;
}

/* Ages are whole numbers, from 0 to the number of sweeps of a launch. */
static bool fixed(const ss_ranging *r, const ss_snapshot *snap, ss_range *out)
{
    int most = snap->per_cycle > 1 ? snap->per_cycle : 1;
    *out = (ss_range){0, most, true, false};
    return r->of.layer == SS_AGE;
}

void ss_range_follow(ss_ui *ui, const ss_snapshot *snap)
{
    ss_ranging *r = &ui->ranging;
    ss_range_of of;
    double lo, hi;
    range_of(snap, snap->view.layer, snap->view.field, &of);
    bool other = !same(&of, &r->of);
    if (other || (snap->deterministic && !ui->in_order)) /* that of the last picture is unknown */
        r->target = (ss_range){.valid = false};
    r->of = of;
    follow_turns(r, snap, other);
    r->log = ss_layer_labels[of.layer].log;
    extremes(snap, r->log, &lo, &hi);
    r->fit = fit_of(r, lo, hi);
    ss_range_hold before = r->hold;
    r->hold = hold_now(ui, snap);
    bool begins = other || r->hold != before || r->setting;
    ss_range kept = r->hold == SS_RANGE_AUTO ? r->fit : held(ui, snap, begins);
    if (r->hold != SS_RANGE_AUTO && kept.valid)
        r->target = kept;
    else
        follow(r, snap, lo, hi);
    if (fixed(r, snap, &kept))
        r->target = kept;
    move_to_target(ui, other);
}

/* --- view range ------------------------------------------------------------------------------- */

static bool is_held(const ss_ui *ui, const ss_range_of *of)
{
    return pin_for(ui, of) || (same(of, &ui->ranging.of) && ui->ranging.hold != SS_RANGE_AUTO);
}

static void range_auto(ss_ui *ui, const ss_range_of *of)
{
    ss_ranging *r = &ui->ranging;
    r->pin[of->layer].hold = SS_RANGE_AUTO;
    /* But not the next hold. A step of a lesson may say so before its first picture. */
    r->dismissed = r->automatic == SS_RANGE_AUTO && ui->page ? SS_RANGE_LESSON : r->automatic;
    r->turned = false;
    r->free = ui->in_order;
}

static void pin_range(ss_ui *ui, const ss_range_of *of, ss_range_hold hold, ss_range range)
{
    ui->ranging.pin[of->layer] = (ss_range_pin){*of, hold, range};
}

static int read_end(const char *text, bool log, double *out, ss_err *err)
{
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !isfinite(*out))
        return ss_fail(err, "view range: '%.40s' is not a number", text);
    if (log && !(*out > 0))
        return ss_fail(err,
                       "view range: '%.40s' is not above 0, and this layer's scale is "
                       "logarithmic",
                       text);
    return SS_OK;
}

static int range_set(ss_ui *ui, const ss_cmd *cmd, const ss_range_of *of, ss_err *err)
{
    ss_range range = {.valid = true};
    bool log = ss_layer_labels[of->layer].log;
    if (read_end(cmd->arg[1], log, &range.lo, err) != SS_OK ||
        read_end(cmd->arg[2], log, &range.hi, err) != SS_OK)
        return SS_FAIL;
    if (!(range.lo < range.hi))
        return ss_fail(err, "view range: %s is not below %s", cmd->arg[1], cmd->arg[2]);
    range.sign = !log && !(range.lo < -range.hi) && !(range.lo > -range.hi);
    pin_range(ui, of, SS_RANGE_SET, range);
    return SS_OK;
}

static int range_word(ss_ui *ui, const char *word, const ss_range_of *of, ss_err *err)
{
    static const char *const names[] = {"auto", "hold", "toggle"};
    const ss_ranging *r = &ui->ranging;
    int i;
    if (ss_ui_pick("range", word, names, 3, 0, &i, err) != SS_OK)
        return SS_FAIL;
    bool shown = same(of, &r->of);
    if (i == 0 || (i == 2 && is_held(ui, of)))
        range_auto(ui, of);
    else
        pin_range(ui, of, SS_RANGE_HELD, shown ? r->target : (ss_range){.valid = false});
    return SS_OK;
}

/* view range auto|hold|toggle|LO HI: of the layer that is chosen now. */
int ss_view_range(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static const char *const why[SS_NLAYER] = {
        [SS_AGE] = "ages have a fixed scale, from 0 to the sweeps of a launch",
        [SS_OWNER] = "the colours of owners are names, not values"};
    ss_range_of of;
    range_of(snap, ui->view.layer, ui->view.field, &of);
    if (why[of.layer])
        return ss_fail(err, "view range: %s", why[of.layer]);
    int status =
        cmd->argc > 2 ? range_set(ui, cmd, &of, err) : range_word(ui, cmd->arg[1], &of, err);
    ui->seen = 0; /* the picture is followed again */
    return status;
}

bool ss_ui_range_command(const ss_ui *ui, char *buf, size_t size)
{
    const ss_range_pin *pin = &ui->ranging.pin[ui->view.layer];
    if (pin->hold == SS_RANGE_AUTO || !pin->range.valid)
        return false;
    snprintf(buf, size, "%.17g %.17g", pin->range.lo, pin->range.hi);
    return true;
}

/* --- the mouse on a colour bar ---------------------------------------------------------------- */

static double along(const ss_range_drag *d, const ss_event *ev)
{
    return d->upright ? 1 - (ev->y - d->rect.y) / d->rect.h : (ev->x - d->rect.x) / d->rect.w;
}

void ss_range_press(ss_ui *ui, const ss_hit *h, const ss_event *ev)
{
    ss_range_drag *d = &ui->ranging.drag;
    bool twice = ss_ui_is_double(ui, d->when);
    *d = (ss_range_drag){.held = true, .twice = twice, .when = ui->now, .rect = h->rect};
    d->upright = h->index != 0;
    d->range = ui->ranging.shown;
    d->from = along(d, ev);
    d->high = d->from >= 0.5;
}

/* The nearer end takes the value under the mouse, on the scale that was there at first. */
bool ss_range_drag_to(ss_ui *ui, const ss_event *ev, const ss_snapshot *snap)
{
    ss_range_drag *d = &ui->ranging.drag;
    double at = along(d, ev);
    int length = d->upright ? d->rect.h : d->rect.w;
    char line[96];
    if (!d->held || (!d->moved && fabs(at - d->from) * length < 0.5))
        return d->held;
    d->moved = true;
    ss_range to = d->range;
    double v = ss_range_value(&d->range, ui->ranging.log, at);
    *(d->high ? &to.hi : &to.lo) = v;
    if (d->range.sign) /* zero stays in the middle */
        to.hi = fabs(v), to.lo = -to.hi;
    snprintf(line, sizeof line, "view range %.4g %.4g", to.lo, to.hi);
    if (to.lo < to.hi)
        ss_ui_send(ui, line, snap);
    return true;
}

bool ss_range_release(ss_ui *ui, const ss_snapshot *snap)
{
    ss_range_drag *d = &ui->ranging.drag;
    bool click = d->held && !d->moved;
    d->held = false;
    if (click)
        ss_ui_send(ui, d->twice ? "view range auto" : "view range toggle", snap);
    return click;
}
