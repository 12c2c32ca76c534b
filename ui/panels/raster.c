/* The space-time panel of 1D runs: rows at equal steps of time. Called by field.c. See build.h.
 * Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

enum {
    FEW_ROWS = 8,
    HATCH_FROM = 4, /* slots without a state that still show the one before */
    X_AXIS_FROM = 9 /* rows of the panel */
};

/* Resamples a row to w cells of the window [x0, x1); uncovered cells are NaN. Returns the row's
 * serial if it is unchanged, else 0. */
static uint64_t lay_row(const ss_raster_row *row, double x0, double x1, int w, float *to)
{
    bool same =
        row->w == w && !(row->x0 < x0) && !(row->x0 > x0) && !(row->x1 < x1) && !(row->x1 > x1);
    double scale = row->x1 > row->x0 ? row->w / (row->x1 - row->x0) : 0;
    if (same) {
        memcpy(to, row->cell, (size_t)w * sizeof *to);
        return row->serial;
    }
    for (int x = 0; x < w; x++) {
        double at = floor((x0 + (x + 0.5) * (x1 - x0) / w - row->x0) * scale);
        to[x] = at >= 0 && at < row->w ? row->cell[(int)at] : (float)NAN;
    }
    return 0;
}

/* Number of rows for this many dots: a row has a whole number of dots, so that rows move down
 * unchanged. */
static int rows_in(int dots)
{
    int each = (dots + SS_RASTER_ROWS - 1) / SS_RASTER_ROWS;
    for (int more = each; more > 0 && more <= 2 * each; more++)
        if (dots % more == 0)
            return dots / more;
    return dots < SS_RASTER_ROWS ? dots : SS_RASTER_ROWS;
}

/* The raster of a whole run takes its colour range from its own values. */
static void use_range(const ss_build *b, ss_image *im)
{
    const ss_layer_label *layer = &ss_layer_labels[b->snap->view.layer];
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < im->w * im->h; i++) {
        double v = (double)im->cell[i];
        lo = v < lo ? v : lo;
        hi = v > hi ? v : hi;
    }
    ss_range range = layer->log ? ss_range_log_fit(hi, 5) : ss_range_linear_fit(lo, hi, false);
    if (!range.valid)
        return;
    im->range = range;
    im->map = ss_colormap_find(range.sign ? "signed" : layer->map);
}

/* Whether states between row i and the next one were not seen, over more than a few slots. */
static bool is_gap(ss_raster *ring, int i)
{
    if (i + 1 >= ring->count)
        return false;
    const ss_raster_row *row = ss_raster_at(ring, i), *next = ss_raster_at(ring, i + 1);
    return next->cycle - row->cycle > 1 &&
           next->time - row->time > HATCH_FROM * fmax(ring->width, row->width);
}

/* The state nearest in time to a slot: row i, the one before or the one after. The first state
 * reaches half a slot back; before that there is nothing: -1. */
static int nearest(ss_raster *ring, int i, int64_t slot)
{
    double at = (double)slot * ring->width, least = i < 0 ? 0.5 * ring->width : (double)INFINITY;
    int best = -1;
    for (int k = i > 0 ? i - 1 : 0; k <= i + 1 && k < ring->count; k++) {
        double far = fabs(ss_raster_at(ring, k)->time - at);
        if (!(far > least))
            best = k, least = far;
    }
    return best;
}

/* Fills `rows` rows from slot `top` down. Each shows the state nearest to its slot; a row in a gap
 * is unseen. */
static void lay(ss_raster *ring, int64_t top, int rows)
{
    const ss_raster_row *new = ss_raster_at(ring, ring->count - 1);
    int i = ring->count - 1;
    for (int y = 0; y < rows; y++) {
        float *to = ring->shown + (size_t)y * (size_t) new->w;
        int64_t slot = top - y;
        while (i >= 0 && ss_raster_slot(ring, ss_raster_at(ring, i)->time) > slot)
            i--;
        bool gap =
            i >= 0 && is_gap(ring, i) && ss_raster_slot(ring, ss_raster_at(ring, i)->time) < slot;
        uint64_t serial = 0;
        int shown = gap ? -1 : nearest(ring, i, slot);
        if (shown >= 0)
            serial = lay_row(ss_raster_at(ring, shown), new->x0, new->x1, new->w, to);
        for (int x = 0; x < new->w &&shown < 0; x++)
            to[x] = (float)NAN;
        ring->unseen[y] = gap;
        /* equal for the same slot with the same content only */
        ring->shown_serial[y] = serial ? serial << 24 | ((uint64_t)slot & 0xffffff)
                                : gap  ? UINT64_C(1) << 63 | (uint64_t)slot
                                       : 0;
    }
}

/* Left of the picture: ticks of time, and a mark at each change of a parameter. */
static void time_axis(const ss_build *b, ss_rect r, int64_t top, int rows)
{
    ss_edge_axis *e = &b->s->edge[0];
    ss_raster *ring = &b->ui->raster;
    double lo = ((double)(top - rows) + 0.5) * ring->width, hi = ((double)top + 0.5) * ring->width;
    double first = ss_raster_at(ring, 0)->time;
    *e = (ss_edge_axis){.up = true};
    ss_axis_make(&e->axis, fmax(lo, first), hi, false, false, r.h / 2 + 1);
    e->axis.lo = lo, e->axis.hi = hi;
    ss_axis_drop_wide(&e->axis, r.w - 1);
    int oldest = b->snap->nmark > SS_MARKS_MAX ? b->snap->nmark - SS_MARKS_MAX : 0;
    for (int i = oldest; i < b->snap->nmark; i++) {
        const ss_point *at = &b->snap->mark[i].at;
        double time = b->snap->kind == SS_TRANSIENT ? at->time : (double)at->cycle;
        if (time >= first)
            e->mark[e->nmark++] = time;
    }
    ss_scene_add(b->s, SS_I_EDGE, r, SS_C_DIM)->edge = e;
}

static void x_axis(const ss_build *b, ss_rect r, double x0, double x1)
{
    ss_edge_axis *e = &b->s->edge[1];
    *e = (ss_edge_axis){.title = "x"};
    ss_build_x_axis(b, &e->axis, x0, x1, r.w / 7);
    ss_scene_add(b->s, SS_I_EDGE, r, SS_C_DIM)->edge = e;
}

/* One line: the lowest value, the colours, the highest value. */
static void colour_bar(const ss_build *b, const ss_image *im, ss_rect bar)
{
    char from[32], to[32];
    ss_build_pin(b, &bar, false);
    const ss_plot_axis ends = {.lo = im->range.lo, .hi = im->range.hi, .log = im->log};
    int wl = ss_text_width(ss_axis_text(&ends, ends.lo, from, sizeof from));
    int wh = ss_text_width(ss_axis_text(&ends, ends.hi, to, sizeof to));
    ss_scene_text(b->s, bar.x + 1, bar.y, wl, SS_C_DIM, SS_FIGURE | SS_SMALL, from);
    ss_scene_text_right(b->s, bar.x + bar.w - 1, bar.y, wh, SS_C_DIM, SS_FIGURE | SS_SMALL, to);
    ss_rect colours = {bar.x + wl + 2, bar.y, bar.w - wl - wh - 4, 1};
    ss_build_bar(b, im, 1, colours, false);
    ss_build_bar_hit(b, colours, false);
}

/* Why there is nothing to show yet: no value in any row; NULL: there is. */
static const char *empty(const ss_build *b)
{
    ss_raster *ring = &b->ui->raster;
    const char *why = b->snap->layer_why[b->snap->view.layer];
    for (int i = 0; i < ring->count; i++) {
        const ss_raster_row *row = ss_raster_at(ring, i);
        for (int x = 0; x < row->w; x++)
            if (isfinite((double)row->cell[x]))
                return NULL;
    }
    return why ? why : "nothing to show yet";
}

/* The newest row is at the top; rows move down when the panel is full. */
void ss_build_raster(const ss_build *b)
{
    ss_rect panel = b->l->panel[SS_PANEL_RASTER], r = b->l->raster;
    ss_raster *ring = &b->ui->raster;
    ss_image *im = &b->s->image[1];
    /* Behind a maximised panel it goes on, so that it has no gap later. */
    ss_build_want_raster(b, panel.w > 0 || b->ui->arranging.maximised);
    int from = panel.x + 14;
    if (!panel.w)
        return;
    if (ss_has_cone(b))
        from = ss_cone_tabs(b, SS_PANEL_RASTER);
    else
        ss_build_frame(b, panel, "Space-time");
    if (ss_shows_cone(b, SS_PANEL_RASTER)) {
        ss_build_cone_in(b, SS_PANEL_RASTER, from);
        return;
    }
    if (!b->snap->layers[b->ui->view.layer]) {
        ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_FAINT,
                      "this layer is not available: l shows the next one");
        return;
    }
    if (!ring->count)
        return;
    const char *why = empty(b);
    if (why) {
        ss_build_nothing(b, panel, why);
        return;
    }
    bool along = r.h >= X_AXIS_FROM;
    ss_rect at = {r.x + SS_FIELD_GUTTER, r.y, r.w - SS_FIELD_GUTTER, r.h - along};
    const ss_raster_row *new = ss_raster_at(ring, ring->count - 1);
    int64_t top = ss_raster_slot(ring, new->time);
    int64_t filled = top - ss_raster_slot(ring, ss_raster_at(ring, 0)->time) + 1;
    int rows = rows_in(at.h * b->extent.dots_y);
    rows = ring->whole ? (int)filled : rows;
    rows = rows < FEW_ROWS ? FEW_ROWS : rows > SS_RASTER_ROWS ? SS_RASTER_ROWS : rows;
    lay(ring, top, rows);
    ss_build_image(b, im);
    im->owner = NULL;
    im->version = 0;
    im->cell = ring->shown, im->w = new->w, im->h = rows;
    im->serial = ring->shown_serial;
    im->unseen = ring->unseen, im->row0 = (uint64_t)top;
    im->smooth = !im->steps;
    if (ring->whole && b->ui->ranging.hold == SS_RANGE_AUTO)
        use_range(b, im);
    ss_scene_add(b->s, SS_I_IMAGE, at, SS_C_TEXT)->image = im;
    ss_scene_hit(b->s, SS_H_CHART, at, NULL, b->s->nitem - 1);
    time_axis(b, (ss_rect){r.x, at.y, SS_FIELD_GUTTER, at.h}, top, rows);
    if (along)
        x_axis(b, (ss_rect){at.x, at.y + at.h, at.w, 1}, new->x0, new->x1);
    ss_build_corner(b, panel, from, b->snap->kind == SS_TRANSIENT ? "time t ↑" : "cycles ↑");
    colour_bar(b, im, b->l->raster_bar);
}
