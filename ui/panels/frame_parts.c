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
    ss_put_in(b, (ss_rect){x, y - 1, w, 1}, SS_C_DIM, SS_SMALL, text);
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
        ss_put_in(b, r, SS_C_DIM, SS_SMALL | SS_CENTRE, c->x_label);
    c->x_label = "";
}

/* The row at the lower end of r, which loses it: for the title of a chart's x axis. */
static ss_rect frame_take_row(ss_rect *r)
{
    r->h--;
    return (ss_rect){r->x + SS_FIELD_GUTTER, r->y + r->h, r->w - SS_FIELD_GUTTER, 1};
}

/* The axes of a picture in r: SS_FIELD_GUTTER columns left of it, and a row below it with the name
 * of its axis. */
static void picture_axes(const ss_build *b, ss_rect r, const char *name, ss_plot_axis **up,
                         ss_plot_axis **across)
{
    ss_rect left = {r.x - SS_FIELD_GUTTER, r.y, SS_FIELD_GUTTER, r.h};
    ss_rect below = {r.x, r.y + r.h, r.w, SS_FIELD_AXIS};
    *up = &ss_build_edge(b, 3, left, NULL)->axis;
    *across = &ss_build_edge(b, 4, below, name)->axis;
}

/* --- the field -------------------------------------------------------------------------------- */

static void field_shape(const ss_build *b, ss_frame_shape *out)
{
    if (b->snap->dim == 1)
        return;
    out->aspect = ss_build_aspect(b);
    out->beside = SS_FIELD_GUTTER + BAR_COLS;
    out->around = HEADING + TITLES + SS_FIELD_AXIS;
    if (b->snap->race.n > 0)
        out->aspect = 0, out->rows = 2 * CHART_ROWS;
}

/* "z = 16 of 32, staleness: its meaning · 2nd subiteration of 8". */
static const char *field_heading(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    const char *moment = ss_field_moment(p), *plane = "", *name = "";
    if (p->dim > 2)
        plane = ss_text("%c = %d of %d, ", "xyz"[p->view.axis], p -> view.slice, p->nz);
    if (p->view.layer != SS_VALUE)
        name = ss_text("%s: ", ss_layer_labels[p->view.layer].name);
    return ss_text("%s%s%s%s%s", plane, name, ss_field_meaning(b), *moment ? " · " : "", moment);
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
    ss_plot_axis *up, *across;
    picture_axes(b, r, name[0], &up, &across);
    ss_build_axis_of(up, slice ? 1 : p->spacing_y, origin, w.y0, w.y1, r.h / 3);
    ss_build_axis_of(across, slice ? 1 : p->spacing, origin, w.x0, w.x1, r.w / 7);
    title_above(b, r.x - (slice ? SS_FIELD_GUTTER : 2), r.y + title, 2 * SS_FIELD_GUTTER,
                ss_text("%s%s", name[1], slice ? ", cells" : ""));
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
    double aspect = ss_build_aspect(b);
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

const ss_frame_part ss_part_field = {.shape = {.lead = true, .rows = CHART_ROWS + 2},
                                     .fit = field_shape,
                                     .heading = field_heading,
                                     .draw = draw_field};

/* --- space-time ------------------------------------------------------------------------------- */

static const char *only_lines(const ss_build *b)
{
    return b->snap->dim == 1 ? NULL : "only a 1D problem has a space-time diagram";
}

static const char *raster_heading(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    bool race = p->race.n > 0; /* it is of the run that is shown */
    return ss_text("space-time diagram%s%s, colour: %s", race ? " of " : "",
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

const ss_frame_part ss_part_raster = {.why = only_lines,
                                      .shape = {.lead = true, .rows = CHART_ROWS + 6},
                                      .heading = raster_heading,
                                      .draw = draw_raster,
                                      .space_time = true};

/* --- one cycle of a swept run ----------------------------------------------------------------- */

static const char *swept_why(const ss_build *b)
{
    return b->snap->theatre.swept ? NULL : "only the solver swept has this diagram of a cycle";
}

static const char *theatre_heading(const ss_build *b)
{
    const char *moment = ss_field_moment(b->snap);
    return ss_text("one cycle: which block computes what%s%s", *moment ? " · " : "", moment);
}

/* Points across, levels up. */
static void axes_of_theatre(const ss_build *b, ss_rect r)
{
    const ss_theatre *t = &b->snap->theatre;
    double first = (double)t->first * t->block;
    ss_plot_axis *up, *across;
    picture_axes(b, r, "x", &up, &across);
    ss_axis_make(up, 0, t->levels, false, false, r.h / 2 + 2);
    up->lo = -0.5, up->hi = t->levels + 0.5;
    ss_build_x_axis(b, across, first, first + (double)t->nodes * t->block, r.w / 7);
    title_above(b, r.x - SS_FIELD_GUTTER, r.y, SS_FIELD_GUTTER + r.w, "level ↑");
}

static void draw_theatre(const ss_build *b, ss_rect r)
{
    int first = b->s->nitem;
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

const ss_frame_part ss_part_theatre = {.why = swept_why,
                                       .shape = {.lead = true, .rows = CHART_ROWS + 4},
                                       .heading = theatre_heading,
                                       .draw = draw_theatre};

/* --- the curve: residual, costs of a race, or the chosen diagram of a transient run ----------- */

static void chart_shape(const ss_build *b, ss_frame_shape *out)
{
    out->rows += b->snap->race.n;
}

static bool shows_theatre(const ss_build *b)
{
    return b->snap->kind == SS_TRANSIENT && b->snap->race.n == 0 &&
           ss_stage_shown(b) == SS_DIAMONDS;
}

static const char *curve_heading(const ss_build *b)
{
    return b->snap->kind == SS_STEADY ? "convergence"
           : b->snap->race.n > 0      ? "cost of the runs"
           : shows_theatre(b)         ? theatre_heading(b)
                                      : ss_stage_heading(b, false);
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

const ss_frame_part ss_part_curve = {.shape = {.rows = CHART_ROWS},
                                     .fit = chart_shape,
                                     .heading = curve_heading,
                                     .draw = draw_curve};

/* --- the second diagram ----------------------------------------------------------------------- */

static const char *lower_why(const ss_build *b)
{
    bool there = b->snap->kind == SS_TRANSIENT ? b->snap->race.n == 0 : ss_has_lower(b);
    return there ? NULL : "there is no second diagram";
}

/* Of a steady run: the title of the panel. */
static const char *lower_heading(const ss_build *b)
{
    const char *title = b->edges->title;
    if (b->snap->kind != SS_STEADY)
        return ss_stage_heading(b, true);
    bool capital = title[0] >= 'A' && title[0] <= 'Z' && !(title[1] >= 'A' && title[1] <= 'Z');
    return capital ? ss_text("%c%s", title[0] + 'a' - 'A', title + 1) : title;
}

static void draw_lower(const ss_build *b, ss_rect r)
{
    ss_layout *l = layout_of(b);
    ss_rect below = frame_take_row(&r);
    l->panel[SS_PANEL_PROFILE] = around(l, r);
    (b->snap->kind == SS_STEADY ? ss_build_lower : ss_build_watch)(b);
    frame_title_chart(b, &b->s->chart[2], below);
}

const ss_frame_part ss_part_lower = {.why = lower_why,
                                     .shape = {.rows = CHART_ROWS},
                                     .fit = chart_shape,
                                     .heading = lower_heading,
                                     .draw = draw_lower};

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

static const char *cone_heading(const ss_build *b)
{
    return b->snap->cone.there ? ss_text("staleness cone: %s", ss_cone_place(b)) : "staleness cone";
}

const ss_frame_part ss_part_cone = {
    .why = cone_why, .shape = {.rows = CONE_ROWS}, .heading = cone_heading, .draw = ss_build_cone};

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
    if (pair > 1)
        out->rows = ss_min(pair, out->rows);
}

static const char *wipe_heading(const ss_build *b)
{
    bool value = b->snap->view.layer == SS_VALUE;
    return ss_text("%s%s%s", value ? "" : ss_field_symbol(b), value ? "" : ": ",
                   ss_field_meaning(b));
}

static void draw_wipe(const ss_build *b, ss_rect r)
{
    if (!b->ui->wipe.on) /* no place was chosen */
        b->ui->wipe.at = b->edges->progress;
    int first = b->s->nitem;
    ss_build_wipe(b, r);
    for (int i = first; i < b->s->nitem; i++)
        if (b->s->item[i].kind == SS_I_IMAGE && b->s->item[i].image->has_wipe) {
            ss_rect image = b->s->item[i].rect;
            frame_axes(b, image, image.h / 4 + 1); /* above it are the names */
            return;
        }
}

const ss_frame_part ss_part_wipe = {.why = wipe_why,
                                    .shape = {.rows = WIPE_ROWS},
                                    .fit = wipe_shape,
                                    .heading = wipe_heading,
                                    .draw = draw_wipe};

/* --- the whole run ---------------------------------------------------------------------------- */

static const char *run_why(const ss_build *b)
{
    if (b->snap->race.n > 0)
        return "a race has no timeline: it belongs to one run";
    return b->snap->kind == SS_STEADY ? NULL : "only a steady run has a residual over its cycles";
}

static const char *run_heading(const ss_build *b)
{
    return b->snap->past.nkept > 0 ? "the whole run · small marks are stored states"
                                   : "the whole run";
}

static void draw_run(const ss_build *b, ss_rect r)
{
    ss_rect below = frame_take_row(&r);
    ss_build_whole_run(b, r);
    frame_title_chart(b, &b->s->chart[1], below);
}

const ss_frame_part ss_part_timeline = {
    .why = run_why, .shape = {.rows = RUN_ROWS}, .heading = run_heading, .draw = draw_run};
