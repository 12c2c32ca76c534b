/* The parts of frames: field, space-time, curve, lower diagram, diagram of one cycle; and those
 * that show the method at work: the staleness cone, the wipe of a race, the whole run. They are the
 * panels of the screen in another place. See build.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

enum {
    HEADING = 1,  /* rows */
    TITLES = 1,   /* the title of an upright axis, the label of a colour bar */
    BAR_COLS = 8, /* an upright colour bar with its numbers, and a gap */
    BAR_ROWS = 3, /* a bar below: its title, the colours, the numbers */
    CHART_ROWS = 10
};

/* --- places ----------------------------------------------------------------------------------- */

ss_item *ss_frame_text(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style,
                       const char *text)
{
    int w = ss_text_width(text);
    if (style & SS_CENTRE && b->extent.dots_x <= 2 && w < r.w) /* cells do not centre */
        r.x += (r.w - w) / 2, r.w = w;
    ss_item *it = ss_scene_add(b->s, SS_I_TEXT, r, role);
    it->style = style;
    it->text = ss_scene_keep(b->s, text);
    return it;
}

/* The rectangle of a panel whose inside is r. */
static ss_rect around(const ss_layout *l, ss_rect r)
{
    return (ss_rect){r.x - l->side, r.y - l->head, r.w + 2 * l->side, r.h + l->head + 1};
}

static ss_layout *layout_of(const ss_build *b)
{
    return &b->ui->layout;
}

static ss_item *last_item(const ss_build *b, ss_item_kind kind)
{
    for (int i = b->s->nitem - 1; i >= 0; i--)
        if (b->s->item[i].kind == kind)
            return &b->s->item[i];
    return NULL;
}

/* The title of an axis or bar, in the row above it. */
static void title_above(const ss_build *b, int x, int y, int w, const char *text)
{
    ss_frame_text(b, (ss_rect){x, y - 1, w, 1}, SS_C_DIM, SS_SMALL, text);
}

/* The unit of a chart's y axis stands above it, the title of its x axis in the row r below it. */
static void frame_title_chart(const ss_build *b, ss_chart *c, ss_rect r)
{
    const ss_item *it = last_item(b, SS_I_CHART);
    if (!it || it->chart != c)
        return;
    if (!c->y_label && *b->edges->unit)
        c->y_label = ss_scene_keep(b->s, b->edges->unit);
    if (c->x_label && *c->x_label)
        ss_frame_text(b, r, SS_C_DIM, SS_SMALL | SS_CENTRE, c->x_label);
    c->x_label = "";
}

/* The row at the lower end of r, which loses it: for the title of a chart's x axis. */
static ss_rect frame_take_row(ss_rect *r)
{
    r->h--;
    return (ss_rect){r->x + SS_FIELD_GUTTER, r->y + r->h, r->w - SS_FIELD_GUTTER, 1};
}

static void nothing(const ss_build *b, ss_rect r, const char *why)
{
    ss_build_nothing(b, r, why);
}

/* --- the field -------------------------------------------------------------------------------- */

static const char *always(const ss_build *b)
{
    (void)b;
    return NULL;
}

static void field_shape(const ss_build *b, ss_frame_shape *out)
{
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    out->lead = true;
    out->rows = CHART_ROWS + 2;
    if (b->snap->dim == 1)
        return;
    out->aspect = (w.x1 - w.x0) / (w.y1 - w.y0);
    out->beside = SS_FIELD_GUTTER + BAR_COLS;
    out->around = HEADING + TITLES + SS_FIELD_AXIS;
    if (b->snap->race.n > 0)
        out->aspect = 0, out->rows = 2 * CHART_ROWS;
}

/* "z = 16 of 32, staleness: its meaning · 2nd subiteration of 8". */
static void field_heading(const ss_build *b, char *buf, size_t size)
{
    char moment[64], plane[48] = "", name[32] = "";
    const ss_snapshot *p = b->snap;
    ss_field_moment(p, moment, sizeof moment);
    if (p->dim > 2)
        snprintf(plane, sizeof plane, "%c = %d of %d, ", "xyz"[p->view.axis], p -> view.slice,
                 p->nz);
    if (p->view.layer != SS_VALUE)
        snprintf(name, sizeof name, "%s: ", ss_layer_labels[p->view.layer].name);
    snprintf(buf, size, "%s%s%s%s%s", plane, name, ss_field_meaning(b), *moment ? " · " : "",
             moment);
}

/* The axes of a field's picture in r, in the problem's units: SS_FIELD_GUTTER columns left of it,
 * and a row below it. The upright one's title is in the row above row `title` of the picture. */
static void frame_axes(const ss_build *b, ss_rect r, int title)
{
    static const char *const names[3][2] = {{"y", "z"}, {"x", "z"}, {"x", "y"}};
    const ss_snapshot *p = b->snap;
    bool slice = p->dim > 2;
    const char *const *name = names[slice ? p->view.axis : 2];
    double origin = slice ? 0.5 : p->origin; /* the edge of the first cell is 0 */
    ss_box2 w = ss_ui_window(&p->view, p);
    ss_edge_axis *up = &b->s->edge[3], *across = &b->s->edge[4];
    *up = (ss_edge_axis){.up = true};
    ss_build_axis_of(&up->axis, slice ? 1 : p->spacing_y, origin, w.y0, w.y1, r.h / 3);
    ss_scene_add(b->s, SS_I_EDGE, (ss_rect){r.x - SS_FIELD_GUTTER, r.y, SS_FIELD_GUTTER, r.h},
                 SS_C_DIM)
        ->edge = up;
    *across = (ss_edge_axis){.title = name[0]};
    const char *unit = slice ? "cells" : "";
    ss_build_axis_of(&across->axis, slice ? 1 : p->spacing, origin, w.x0, w.x1, r.w / 7);
    ss_scene_add(b->s, SS_I_EDGE, (ss_rect){r.x, r.y + r.h, r.w, SS_FIELD_AXIS}, SS_C_DIM)->edge =
        across;
    char text[16];
    snprintf(text, sizeof text, "%s%s%s", name[1], *unit ? ", " : "", unit);
    title_above(b, r.x - (*unit ? SS_FIELD_GUTTER : 2), r.y + title, 2 * SS_FIELD_GUTTER, text);
}

/* The largest width up to w at which whole rows give the aspect best. */
static int whole_width(int w, double aspect)
{
    enum { TRIES = 4 };
    int best = w;
    double least = INFINITY;
    for (int at = w; at > w - TRIES && at > 1; at--) {
        double rows = at / (2 * aspect), off = fabs(rows - floor(rows + 0.5));
        if (off < least - 1e-9)
            best = at, least = off;
    }
    return best;
}

/* Fits a picture into r. */
static ss_rect fit(ss_rect r, double aspect)
{
    if (r.w < 2 * aspect * r.h) {
        r.w = whole_width(r.w, aspect);
        r.h = (int)(r.w / (2 * aspect) + 0.5);
    }
    return r;
}

static double shown_area(ss_rect r, double aspect)
{
    double w = fmin(r.w, 2 * aspect * r.h);
    return w * w;
}

/* The colour bar stands right of the picture, or below it where the picture is larger then. */
static void place_picture(const ss_build *b, ss_layout *l, ss_rect r)
{
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    double aspect = (w.x1 - w.x0) / (w.y1 - w.y0);
    ss_rect beside = {r.x + SS_FIELD_GUTTER, r.y, r.w - SS_FIELD_GUTTER - BAR_COLS, r.h};
    ss_rect above = {beside.x, r.y, r.w - SS_FIELD_GUTTER, r.h - BAR_ROWS};
    beside = fit(beside, aspect), above = fit(above, aspect);
    l->bar_vertical = shown_area(above, aspect) < 1.1 * shown_area(beside, aspect);
    l->image = l->bar_vertical ? beside : above;
    l->bar = l->bar_vertical ? (ss_rect){r.x + r.w - BAR_COLS + 1, r.y, BAR_COLS - 1, r.h}
                             : (ss_rect){above.x, above.y + above.h + SS_FIELD_AXIS + TITLES,
                                         above.w, BAR_ROWS - TITLES};
}

static void draw_picture(const ss_build *b, ss_rect r)
{
    ss_layout *l = layout_of(b);
    int first = b->s->nitem;
    r.y += TITLES, r.h -= TITLES + SS_FIELD_AXIS;
    place_picture(b, l, r);
    ss_build_field_only(b);
    ss_item *image = last_item(b, SS_I_IMAGE), *bar = last_item(b, SS_I_BAR);
    if (image && image >= &b->s->item[first])
        frame_axes(b, image->rect, 0);
    if (bar && bar >= &b->s->item[first] && !l->bar_vertical) /* the axis is between them */
        bar->rect.y += SS_FIELD_AXIS + TITLES;
    if (bar && bar >= &b->s->item[first])
        title_above(b, bar->rect.x, bar->rect.y, bar->rect.w, ss_field_symbol(b));
}

static void draw_field(const ss_build *b, ss_rect r)
{
    ss_layout *l = layout_of(b);
    l->panel[SS_PANEL_FIELD] = around(l, r);
    l->probe = l->bar = (ss_rect){0, 0, 0, 0};
    if (b->snap->dim > 1 && b->snap->race.n == 0) {
        draw_picture(b, r);
        return;
    }
    ss_rect below = frame_take_row(&r);
    l->image = r;
    ss_build_field_only(b);
    snprintf(b->edges->unit, sizeof b->edges->unit, "%s", ss_field_symbol(b));
    frame_title_chart(b, &b->s->chart[0], below);
}

const ss_frame_part ss_part_field = {always, field_shape, field_heading, draw_field, false};

/* --- space-time ------------------------------------------------------------------------------- */

static const char *only_lines(const ss_build *b)
{
    return b->snap->dim == 1 ? NULL : "only a 1D problem has a space-time diagram";
}

static void raster_shape(const ss_build *b, ss_frame_shape *out)
{
    (void)b;
    out->lead = true;
    out->rows = CHART_ROWS + 6;
}

static void raster_heading(const ss_build *b, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    bool race = p->race.n > 0; /* it is of the run that is shown */
    snprintf(buf, size, "space-time diagram%s%s, colour: %s", race ? " of " : "",
             race ? p->race.racer[p->run].label : "", ss_field_symbol(b));
}

static void draw_raster(const ss_build *b, ss_rect r)
{
    ss_layout *l = layout_of(b);
    r.y += TITLES, r.h -= TITLES;
    l->panel[SS_PANEL_RASTER] = around(l, r);
    l->raster = (ss_rect){r.x, r.y, r.w, r.h - 1};
    l->raster_bar = (ss_rect){r.x, r.y + r.h - 1, r.w, 1};
    if (!l->panel[SS_PANEL_FIELD].w) /* no curve asks for the states */
        ss_build_want(b, ss_build_dots(b, r.w - SS_FIELD_GUTTER), 1);
    ss_build_raster(b);
    title_above(b, r.x, r.y, r.w, b->edges->unit);
}

const ss_frame_part ss_part_raster = {only_lines, raster_shape, raster_heading, draw_raster, true};

/* --- one cycle of a swept run ----------------------------------------------------------------- */

static const char *swept_why(const ss_build *b)
{
    return b->snap->theatre.swept ? NULL : "only the solver swept has this diagram of a cycle";
}

static void theatre_shape(const ss_build *b, ss_frame_shape *out)
{
    (void)b;
    out->rows = CHART_ROWS + 4;
    out->lead = true;
}

static void theatre_heading(const ss_build *b, char *buf, size_t size)
{
    char moment[64];
    ss_field_moment(b->snap, moment, sizeof moment);
    snprintf(buf, size, "one cycle: which block computes what%s%s", *moment ? " · " : "", moment);
}

/* Points across, levels up. */
static void axes_of_theatre(const ss_build *b, ss_rect r)
{
    const ss_theatre *t = &b->snap->theatre;
    double first = (double)t->first * t->block;
    ss_edge_axis *up = &b->s->edge[3], *across = &b->s->edge[4];
    *up = (ss_edge_axis){.up = true};
    ss_axis_make(&up->axis, 0, t->levels, false, false, r.h / 2 + 2);
    up->axis.lo = -0.5, up->axis.hi = t->levels + 0.5;
    ss_scene_add(b->s, SS_I_EDGE, (ss_rect){r.x - SS_FIELD_GUTTER, r.y, SS_FIELD_GUTTER, r.h},
                 SS_C_DIM)
        ->edge = up;
    *across = (ss_edge_axis){.title = "x"};
    ss_build_x_axis(b, &across->axis, first, first + (double)t->nodes * t->block, r.w / 7);
    ss_scene_add(b->s, SS_I_EDGE, (ss_rect){r.x, r.y + r.h, r.w, SS_FIELD_AXIS}, SS_C_DIM)->edge =
        across;
    title_above(b, r.x - SS_FIELD_GUTTER, r.y, SS_FIELD_GUTTER + r.w, "level ↑");
}

static void draw_theatre(const ss_build *b, ss_rect r)
{
    int first = b->s->nitem;
    const char *why = swept_why(b);
    if (why) {
        nothing(b, r, why);
        return;
    }
    r.x += SS_FIELD_GUTTER, r.w -= SS_FIELD_GUTTER;
    r.y += TITLES, r.h -= TITLES + SS_FIELD_AXIS;
    ss_build_theatre(b, r, SS_DIAMONDS);
    ss_item *image = NULL, *words = NULL;
    for (int i = first; i < b->s->nitem; i++) {
        image = b->s->item[i].kind == SS_I_IMAGE ? &b->s->item[i] : image;
        words = b->s->item[i].kind == SS_I_TEXT ? &b->s->item[i] : words;
    }
    if (!image)
        return;
    int spare = b->edges->alone ? 0 : image->rect.y - r.y;
    image->rect.y -= spare;
    if (words) /* the axis is between them */
        words->rect.y += SS_FIELD_AXIS - spare;
    axes_of_theatre(b, image->rect);
}

const ss_frame_part ss_part_theatre = {swept_why, theatre_shape, theatre_heading, draw_theatre,
                                       false};

/* --- the curve: residual, costs of a race, or the chosen diagram of a transient run ----------- */

static void chart_shape(const ss_build *b, ss_frame_shape *out)
{
    out->rows = CHART_ROWS + b->snap->race.n;
}

static bool shows_theatre(const ss_build *b)
{
    return b->snap->kind == SS_TRANSIENT && b->snap->race.n == 0 &&
           ss_stage_shown(b) == SS_DIAMONDS;
}

static void curve_heading(const ss_build *b, char *buf, size_t size)
{
    if (b->snap->kind == SS_STEADY)
        snprintf(buf, size, "convergence");
    else if (b->snap->race.n > 0)
        snprintf(buf, size, "cost of the runs");
    else if (shows_theatre(b))
        theatre_heading(b, buf, size);
    else
        snprintf(buf, size, "%s", ss_stage_heading(b, false));
}

static void draw_curve(const ss_build *b, ss_rect r)
{
    ss_layout *l = layout_of(b);
    if (shows_theatre(b)) {
        draw_theatre(b, r);
        return;
    }
    ss_rect below = frame_take_row(&r);
    l->panel[SS_PANEL_PLOT] = around(l, r);
    (b->snap->kind == SS_STEADY ? ss_build_plot : ss_build_stage)(b);
    frame_title_chart(b, &b->s->chart[1], below);
}

const ss_frame_part ss_part_curve = {always, chart_shape, curve_heading, draw_curve, false};

/* --- the second diagram ----------------------------------------------------------------------- */

static const char *lower_why(const ss_build *b)
{
    bool there = b->snap->kind == SS_TRANSIENT ? b->snap->race.n == 0 : ss_has_lower(b);
    return there ? NULL : "there is no second diagram";
}

/* Of a steady run: the title of the panel. */
static void lower_heading(const ss_build *b, char *buf, size_t size)
{
    bool steady = b->snap->kind == SS_STEADY;
    snprintf(buf, size, "%s", steady ? b->edges->title : ss_stage_heading(b, true));
    if (steady && buf[0] >= 'A' && buf[0] <= 'Z' && !(buf[1] >= 'A' && buf[1] <= 'Z'))
        buf[0] += 'a' - 'A';
}

static void draw_lower(const ss_build *b, ss_rect r)
{
    ss_layout *l = layout_of(b);
    ss_rect below = frame_take_row(&r);
    l->panel[SS_PANEL_PROFILE] = around(l, r);
    (b->snap->kind == SS_STEADY ? ss_build_lower : ss_build_watch)(b);
    frame_title_chart(b, &b->s->chart[2], below);
}

const ss_frame_part ss_part_lower = {lower_why, chart_shape, lower_heading, draw_lower, false};

enum { CONE_ROWS = 20, WIPE_ROWS = 20, RUN_ROWS = 14 };

/* --- the cone --------------------------------------------------------------------------------- */

static const char *cone_why(const ss_build *b)
{
    const ss_cone *c = &b->snap->cone;
    if (c->there || c->why)
        return c->there ? NULL : c->why;
    return b->snap->race.n > 0 ? "a race has no cone: it belongs to a cycle of one run"
                               : "only a steady run whose blocks do at least two subiterations in "
                                 "a cycle has stale values";
}

static void cone_shape(const ss_build *b, ss_frame_shape *out)
{
    (void)b;
    out->rows = CONE_ROWS;
}

static void cone_heading(const ss_build *b, char *buf, size_t size)
{
    char place[80] = "";
    if (b->snap->cone.there)
        ss_cone_place(b, place, sizeof place);
    snprintf(buf, size, "staleness cone%s%s", *place ? ": " : "", place);
}

static void draw_cone(const ss_build *b, ss_rect r)
{
    const char *why = cone_why(b);
    if (why)
        ss_build_nothing(b, r, why);
    else
        ss_build_cone(b, r);
}

const ss_frame_part ss_part_cone = {cone_why, cone_shape, cone_heading, draw_cone, false};

/* --- the wipe --------------------------------------------------------------------------------- */

static const char *wipe_why(const ss_build *b)
{
    if (b->snap->race.n < 2)
        return "only a race has two fields: race 'RUN' 'RUN', or the command split";
    return b->snap->view.layer == SS_OWNER ? "owners are names, which have no difference" : NULL;
}

static void wipe_shape(const ss_build *b, ss_frame_shape *out)
{
    int pair = ss_wipe_rows(b, b->extent.cols - 2) + 1; /* its heading */
    out->rows = pair > 1 && pair < WIPE_ROWS ? pair : WIPE_ROWS;
}

static void wipe_heading(const ss_build *b, char *buf, size_t size)
{
    bool value = b->snap->view.layer == SS_VALUE;
    snprintf(buf, size, "%s%s%s", value ? "" : ss_field_symbol(b), value ? "" : ": ",
             ss_field_meaning(b));
}

static void draw_wipe(const ss_build *b, ss_rect r)
{
    const char *why = wipe_why(b);
    if (!b->ui->wipe.on) /* no place was chosen */
        b->ui->wipe.at = b->edges->progress;
    int first = b->s->nitem;
    if (why) {
        ss_build_nothing(b, r, why);
        return;
    }
    ss_build_wipe(b, r);
    for (int i = first; i < b->s->nitem; i++)
        if (b->s->item[i].kind == SS_I_IMAGE && b->s->item[i].image->has_wipe) {
            ss_rect image = b->s->item[i].rect;
            frame_axes(b, image, image.h / 4 + 1); /* above it are the names */
            return;
        }
}

const ss_frame_part ss_part_wipe = {wipe_why, wipe_shape, wipe_heading, draw_wipe, false};

/* --- the whole run ---------------------------------------------------------------------------- */

static const char *run_why(const ss_build *b)
{
    if (b->snap->race.n > 0)
        return "a race has no timeline: it belongs to one run";
    return b->snap->kind == SS_STEADY ? NULL : "only a steady run has a residual over its cycles";
}

static void run_shape(const ss_build *b, ss_frame_shape *out)
{
    (void)b;
    out->rows = RUN_ROWS;
}

static void run_heading(const ss_build *b, char *buf, size_t size)
{
    snprintf(buf, size, "the whole run%s",
             b->snap->past.nkept > 0 ? " · small marks are stored states" : "");
}

static void draw_run(const ss_build *b, ss_rect r)
{
    const char *why = run_why(b);
    if (why) {
        ss_build_nothing(b, r, why);
        return;
    }
    ss_rect below = frame_take_row(&r);
    ss_build_whole_run(b, r);
    frame_title_chart(b, &b->s->chart[1], below);
}

const ss_frame_part ss_part_timeline = {run_why, run_shape, run_heading, draw_run, false};
