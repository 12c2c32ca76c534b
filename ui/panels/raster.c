/* The space-time panel of 1D runs, row by row. Called by field.c. See build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

enum { FEW_ROWS = 8 };

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

/* The newest row is at the top; rows move down when the panel is full. */
void ss_build_raster(const ss_build *b)
{
    ss_rect panel = b->l->panel[SS_PANEL_RASTER], r = b->l->raster;
    ss_raster *ring = &b->ui->raster;
    ss_image *im = &b->s->image[1];
    char from[32], to[32], text[96];
    if (!panel.w)
        return;
    ss_build_frame(b, panel, "space-time");
    int rows = rows_in(r.h * b->extent.dots_y);
    rows = rows < 1 ? 1 : rows;
    if (!b->snap->layers[b->ui->view.layer]) {
        ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_FAINT,
                      "this layer is not available: l shows the next one");
        return;
    }
    if (!ring->count)
        return;
    int filled = ring->count > FEW_ROWS ? ring->count : FEW_ROWS;
    rows = rows < filled && !ring->whole ? rows : filled;
    int n = rows < ring->count ? rows : ring->count;
    const ss_raster_row *old = &ring->row[(ring->next - n + SS_RASTER_ROWS) % SS_RASTER_ROWS];
    const ss_raster_row *new = &ring->row[(ring->next - 1 + SS_RASTER_ROWS) % SS_RASTER_ROWS];
    for (int y = 0; y < rows; y++) {
        int at = (ring->next - 1 - y + 2 * SS_RASTER_ROWS) % SS_RASTER_ROWS;
        float *to_row = ring->shown + (size_t)y * (size_t) new->w;
        ring->shown_serial[y] =
            y < n ? lay_row(&ring->row[at], new->x0, new->x1, new->w, to_row) : 0;
        for (int x = 0; y >= n && x < new->w; x++)
            to_row[x] = (float)NAN;
    }
    ss_build_image(b, im);
    im->owner = NULL;
    im->version = 0;
    im->cell = ring->shown, im->w = new->w, im->h = rows;
    im->serial = ring->shown_serial;
    im->smooth = !im->steps;
    if (ring->whole && b->ui->ranging.hold == SS_RANGE_AUTO)
        use_range(b, im);
    ss_scene_add(b->s, SS_I_IMAGE, r, SS_C_TEXT)->image = im;
    if (b->snap->kind == SS_TRANSIENT)
        snprintf(text, sizeof text, "time ↑ %.4g to %.4g", old->time, new->time);
    else
        snprintf(text, sizeof text, "time ↑ cycles %s to %s",
                 ss_count_text((double)old->cycle, from, sizeof from),
                 ss_count_text((double)new->cycle, to, sizeof to));
    ss_build_corner_figures(b, panel, panel.x + 14, text);
    /* One line: the lowest value, the colours, the highest value. */
    ss_rect bar = b->l->raster_bar;
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
