/* Pictures of the field: the request to the engine, the picture, its overlays, its colour bar.
 * Called by field.c, race.c, space_time.c and map.c. See build.h. Main thread only. */
#include "ui/panels/build.h"

/* --- the request to the engine ---------------------------------------------------------------- */

void ss_build_want(const ss_build *b, int w, int h)
{
    ss_view *v = &b->ui->view;
    w = w < 1 ? 1 : w, h = h < 1 ? 1 : h;
    if (v->w == w && v->h == h)
        return;
    v->w = w, v->h = h;
    v->seq++;
}

void ss_build_want_spectrum(const ss_build *b, bool wanted)
{
    ss_view *v = &b->ui->view;
    wanted = wanted || b->ui->spectrum_beside;
    v->seq += v->spectrum != wanted;
    v->spectrum = wanted;
}

void ss_build_want_kernels(const ss_build *b, int wanted)
{
    ss_view *v = &b->ui->view;
    v->seq += v->kernels != wanted;
    v->kernels = wanted;
}

void ss_build_want_raster(const ss_build *b, bool wanted)
{
    ss_view *v = &b->ui->view;
    v->seq += v->raster != wanted;
    v->raster = wanted;
}

/* --- block edges ------------------------------------------------------------------------------ */

/* Edges between the written parts of blocks, as fractions of [a, b). None if they would be too
 * close. */
int ss_picture_edges(ss_cut c, double a, double b, bool down, int dots, double *out)
{
    int n = 0;
    double pitch = (c.block - c.overlap) / (b - a) * dots;
    if (c.count < 2 || pitch < 5)
        return 0;
    for (int j = 1; j < c.count && n < SS_GRID_MAX; j++) {
        double f = (ss_cut_span(c, j).wlo - a) / (b - a);
        if (f > 0 && f < 1)
            out[n++] = down ? 1 - f : f;
    }
    return n;
}

bool ss_picture_block(const ss_snapshot *p, int tx, int ty, ss_span *x, ss_span *y)
{
    if (!p->tiled || tx < 0 || ty < 0 || tx >= p->tiling.x.count || ty >= p->tiling.y.count)
        return false;
    *x = ss_cut_span(p->tiling.x, tx);
    *y = ss_cut_span(p->tiling.y, ty);
    return true;
}

static ss_box2 to_image(ss_box2 w, int x0, int x1, int y0, int y1)
{
    double dx = w.x1 - w.x0, dy = w.y1 - w.y0;
    return (ss_box2){(x0 - w.x0) / dx, (w.y1 - y1) / dy, (x1 - w.x0) / dx, (w.y1 - y0) / dy};
}

/* Edges as fractions of [a, b). Edges of blocks are omitted if they are too close; patches have no
 * fixed pitch and are always drawn. */
static int slice_edges(const ss_edges *e, double a, double b, bool down, int dots, double *out)
{
    int n = 0;
    if (e->pitch > 0 && e->pitch / (b - a) * dots < 4)
        return 0;
    for (int j = 0; j < e->n && n < SS_GRID_MAX; j++) {
        double f = (e->at[j] - a) / (b - a);
        if (f > 0 && f < 1)
            out[n++] = down ? 1 - f : f;
    }
    return n;
}

/* 3D: outlines of blocks and patches. */
static void build_outlines(const ss_build *b, ss_image *im, ss_rect r)
{
    const ss_snapshot *p = b->snap;
    ss_box2 w = ss_ui_window(&p->view, p);
    int across = r.w * b->extent.dots_x, up = r.h * b->extent.dots_y;
    im->ngrid_x = slice_edges(&p->block_edge[0], w.x0, w.x1, false, across, im->grid_x);
    im->ngrid_y = slice_edges(&p->block_edge[1], w.y0, w.y1, true, up, im->grid_y);
    im->npatch_x = slice_edges(&p->patch_edge[0], w.x0, w.x1, false, across, im->patch_x);
    im->npatch_y = slice_edges(&p->patch_edge[1], w.y0, w.y1, true, up, im->patch_y);
}

void ss_build_overlay(const ss_build *b, ss_image *im, ss_rect r)
{
    const ss_snapshot *p = b->snap;
    const ss_view *v = &p->view;
    ss_box2 w = ss_ui_window(v, p);
    ss_span x, y;
    if (p->tiled && b->ui->grid && ss_layer_labels[v->layer].grid) {
        im->ngrid_x =
            ss_picture_edges(p->tiling.x, w.x0, w.x1, false, r.w * b->extent.dots_x, im->grid_x);
        im->ngrid_y =
            ss_picture_edges(p->tiling.y, w.y0, w.y1, true, r.h * b->extent.dots_y, im->grid_y);
    }
    if (p->dim > 2 && b->ui->grid && ss_layer_labels[v->layer].grid)
        build_outlines(b, im, r);
    if (ss_picture_block(p, b->ui->view.tile_x, b->ui->view.tile_y, &x, &y)) {
        im->has_block = true;
        im->block = to_image(w, x.lo, x.hi, y.lo, y.hi);
        im->kept = im->block;
        if (0.5 * p->tiling.x.overlap / (w.x1 - w.x0) * r.w * b->extent.dots_x >= 1.5)
            im->kept = to_image(w, x.wlo, x.whi, y.wlo, y.whi);
    }
    if (b->ui->view.probe_x >= 0) {
        im->has_probe = true;
        im->probe_x = (b->ui->view.probe_x + 0.5 - w.x0) / (w.x1 - w.x0);
        im->probe_y = (w.y1 - b->ui->view.probe_y - 0.5) / (w.y1 - w.y0);
        im->has_brush = b->ui->brush.on;
        im->brush_rx = b->ui->brush.radius / (w.x1 - w.x0);
        im->brush_ry = b->ui->brush.radius / (w.y1 - w.y0);
    }
}

/* --- the picture and its bar ------------------------------------------------------------------ */

/* Whole numbers have one colour each, unless the range that was set has too many of them. */
static int whole_numbers(const ss_build *b)
{
    enum { MOST = 256 };
    double n = b->ui->ranging.shown.hi - b->ui->ranging.shown.lo + 1;
    return b->snap->view.layer == SS_AGE && n >= 1 && n <= MOST ? (int)n : 0;
}

void ss_build_colours(ss_image *im, const ss_layer_label *layer)
{
    bool sign = im->range.sign && !layer->log;
    im->log = layer->log;
    im->map = ss_colormap_find(sign ? "signed" : layer->map);
    im->frame = sign ? SS_C_SERIES2 : layer->frame;
}

void ss_build_image(const ss_build *b, ss_image *im)
{
    const ss_layer_label *layer = &ss_layer_labels[b->snap->view.layer];
    *im = (ss_image){.cell = b->ui->picture,
                     .version = b->ui->picture_version,
                     .w = b->ui->picture_w,
                     .h = b->ui->picture_h,
                     .range = b->ui->ranging.shown,
                     .steps = whole_numbers(b),
                     .smooth = b->ui->smooth};
    im->smooth = im->smooth && !im->steps;
    ss_build_colours(im, layer);
    if (b->snap->view.layer == SS_OWNER && b->snap->picture.w > 0) {
        im->owner = b->snap->picture.owner;
        im->w = b->snap->picture.w, im->h = b->snap->picture.h;
    }
}

/* The pin: whether the colours keep their values; a click changes that. It takes its room from the
 * bar. In a recording there is nothing to click. */
void ss_build_pin(const ss_build *b, ss_rect *bar, bool vertical)
{
    static const char *const states[] = {
        [SS_RANGE_AUTO] = "○ auto",   [SS_RANGE_HELD] = "● held",  [SS_RANGE_SET] = "● set",
        [SS_RANGE_FILM] = "● held",   [SS_RANGE_CYCLE] = "● held", [SS_RANGE_RACE] = "● held",
        [SS_RANGE_LESSON] = "● held", [SS_RANGE_TURN] = "● held"};
    enum { WIDE = 6, LEAST = 24, LEAST_UPRIGHT = 6 };
    ss_range_hold hold = b->ui->ranging.hold;
    if (b->edges) /* a film says nothing of how its colours were found */
        return;
    bool fixed = b->snap->view.layer == SS_AGE || b->snap->view.layer == SS_OWNER;
    bool room = vertical ? bar->h >= LEAST_UPRIGHT && bar->w >= WIDE : bar->w >= LEAST;
    if (fixed || !room || (b->ui->in_order && hold == SS_RANGE_AUTO))
        return;
    int margin = b->l->side == 1; /* of a terminal panel */
    ss_rect r = {bar->x, bar->y + bar->h - 1, WIDE, 1};
    if (vertical)
        bar->h--;
    else
        r.x = bar->x + bar->w - WIDE - margin, r.y = bar->y, bar->w -= WIDE + 1 + margin;
    ss_scene_text(b->s, r.x, r.y, r.w, hold == SS_RANGE_AUTO ? SS_C_DIM : SS_C_TEXT, SS_SMALL,
                  states[hold]);
    ss_scene_hit(b->s, SS_H_COMMAND, r, "view range toggle", 0);
}

/* A part of the axis for each of n whole numbers from `first`; at most `most` labels. */
static void whole_axis(ss_plot_axis *a, double first, int n, int most)
{
    most = most < 1 ? 1 : most > SS_TICK_MAX ? SS_TICK_MAX : most;
    *a = (ss_plot_axis){.lo = first - 0.5, .hi = first + n - 0.5};
    for (int i = 0, each = (n + most - 1) / most; i < n; i += each)
        ss_axis_add(a, first + i, ss_text("%.0f", first + i));
}

void ss_build_bar(const ss_build *b, const ss_image *im, int which, ss_rect r, bool vertical)
{
    if (r.w <= 0 || r.h <= 0 || im->owner || !im->range.valid)
        return;
    ss_plot_axis *axis = &b->s->image_axis[which];
    if (im->steps)
        whole_axis(axis, im->range.lo, im->steps, vertical ? r.h / 2 : r.w / 4);
    else
        ss_axis_make(axis, im->range.lo, im->range.hi, im->log, false,
                     vertical ? r.h / 3 : r.w / 8);
    ss_item *item = ss_scene_add(b->s, SS_I_BAR, r, SS_C_DIM);
    item->bar.image = im;
    item->bar.axis = axis;
    item->bar.vertical = vertical;
}

void ss_build_bar_hit(const ss_build *b, ss_rect r, bool vertical)
{
    const int colours = vertical ? 2 : 1; /* the rest has numbers */
    ss_rect at = {r.x, r.y, vertical ? colours : r.w, vertical ? r.h : colours};
    if (b->ui->ranging.shown.valid && b->snap->view.layer != SS_AGE &&
        b->snap->view.layer != SS_OWNER)
        ss_scene_hit(b->s, SS_H_BAR, at, NULL, vertical);
}
