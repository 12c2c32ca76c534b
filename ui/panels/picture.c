/* Pictures of the field: the request to the engine, the picture, its overlays, its colour bar.
 * Called by field.c, race.c, raster.c and map.c. See build.h. Main thread only. */
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
        ss_build_outlines(b, im, r);
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

void ss_build_image(const ss_build *b, ss_image *im)
{
    const ss_layer_label *layer = &ss_layer_labels[b->snap->view.layer];
    *im = (ss_image){.cell = b->ui->picture,
                     .version = b->ui->picture_version,
                     .w = b->ui->picture_w,
                     .h = b->ui->picture_h,
                     .range = b->ui->range,
                     .log = layer->log,
                     .smooth = b->ui->smooth};
    bool sign = b->ui->range.sign && !layer->log;
    im->map = ss_colormap_find(sign ? "signed" : layer->map);
    im->frame = sign ? SS_C_SERIES2 : layer->frame;
    if (b->snap->view.layer == SS_OWNER && b->snap->picture.w > 0) {
        im->owner = b->snap->picture.owner;
        im->w = b->snap->picture.w, im->h = b->snap->picture.h;
    }
}

void ss_build_bar(const ss_build *b, const ss_image *im, int which, ss_rect r, bool vertical)
{
    if (r.w <= 0 || r.h <= 0 || im->owner || !im->range.valid)
        return;
    ss_plot_axis *axis = &b->s->image_axis[which];
    ss_axis_make(axis, im->range.lo, im->range.hi, im->log, false, vertical ? r.h / 3 : r.w / 9);
    ss_item *item = ss_scene_add(b->s, SS_I_BAR, r, SS_C_DIM);
    item->bar.image = im;
    item->bar.axis = axis;
    item->bar.vertical = vertical;
}
