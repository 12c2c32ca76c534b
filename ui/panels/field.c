/* The field: a picture with a colour bar in 2D, a curve in 1D, a slice in 3D with its plane and
 * index, and the lines of the probed point. Called by screen.c. See build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- the slice of a 3D field ------------------------------------------------------------------ */

/* "(12, 5, 32) · block (1, 0, 4) of patch 3" */
static void cell_text(const ss_probe *p, char *buf, size_t size)
{
    int n = snprintf(buf, size, "(%d, %d, %d)", p->cell[0], p->cell[1], p->cell[2]);
    if (p->has_block)
        n += snprintf(buf + n, size - (size_t)n, " · block (%d, %d, %d)", p->block[0], p->block[1],
                      p->block[2]);
    if (p->npatch > 1 && p->patch >= 0)
        snprintf(buf + n, size - (size_t)n, "%s patch %d", p->has_block ? " of" : " ·", p->patch);
}

/* 3D: "z = 31 of 64 · the field u", without the help if there is no room. */
static void slice_text(const ss_build *b, const char *help, int room, char *buf, size_t size)
{
    const ss_snapshot *p = b->snap;
    int axis = p->view.axis >= 0 && p->view.axis < 3 ? p->view.axis : 2;
    int n = snprintf(buf, size, "%c = %d of %d", "xyz"[axis], p -> view.slice, p->nz);
    snprintf(buf + n, size - (size_t)n, " · %s", help);
    if (ss_text_width(buf) + 2 > room)
        buf[n] = '\0';
}

/* Tabs of the planes. Returns the column after the last name. */
static int build_planes(const ss_build *b, ss_rect r)
{
    int axis = b->ui->view.axis;
    return ss_build_choices(b, r, ss_plane_names, ss_plane_names, 3,
                            axis >= 0 && axis < 3 ? axis : 2, "view plane %s");
}

/* --- the panel, 2D ---------------------------------------------------------------------------- */

/* A layer may need a whole cycle, and the first one is on its way. */
static bool is_in_first_cycle(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    return p->status == SS_RUNNING && !p->paused && p->telemetry.value[SS_T_CYCLE] < 1 &&
           p->layers[b->ui->view.layer];
}

static void first_cycle(const ss_build *b, char *text, size_t size)
{
    if (!ss_waits_text(b->ui, b->snap, text, size))
        snprintf(text, size, "in cycle 1");
}

/* Prints why no picture is available; false: one is. */
static bool explain(const ss_build *b, ss_rect room)
{
    const char *why = b->snap->layer_why[b->ui->view.layer];
    char text[160], reason[120];
    ss_page_reason(b->ui, why ? why : "not available here", reason, sizeof reason);
    if (why && is_in_first_cycle(b))
        first_cycle(b, text, sizeof text);
    else if (!b->snap->layers[b->ui->view.layer] || why)
        snprintf(text, sizeof text, "%s: %s", ss_layer_labels[b->ui->view.layer].name, reason);
    else if ((b->snap->view.layer == SS_ERROR || b->snap->view.layer == SS_EXACT) &&
             b->snap->busy_reference)
        snprintf(text, sizeof text, "computing u*, the exact discrete solution …");
    else if (b->ui->picture_w <= 0)
        snprintf(text, sizeof text, "waiting for a picture …");
    else if (b->snap->dim > 1 || !ss_layer_zero(b->snap, text, sizeof text))
        return false;
    ss_rect r = {room.x + 2, room.y + room.h / 2, room.w - 4, 3};
    ss_build_wrap(b, r, SS_C_DIM, text);
    return true;
}

/* Words on a picture that is exactly zero, which has no scale. */
static void zero_words(const ss_build *b, ss_rect r, const char *text)
{
    int w = ss_text_width(text) + 2;
    ss_rect at = {r.x + (r.w - w) / 2, r.y + r.h / 2, w, 1};
    if (w > r.w)
        at = (ss_rect){r.x, at.y, r.w, 2};
    ss_scene_add(b->s, SS_I_FILL, at, SS_C_PANEL);
    if (at.h > 1) {
        ss_build_wrap(b, (ss_rect){at.x + 1, at.y, at.w - 2, at.h}, SS_C_TEXT, text);
        return;
    }
    at.x++, at.w -= 2;
    ss_item *item = ss_scene_add(b->s, SS_I_TEXT, at, SS_C_TEXT);
    item->style = SS_CENTRE;
    item->text = ss_scene_keep(b->s, text);
}

static void picture(const ss_build *b)
{
    const ss_layout *l = b->l;
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    ss_rect r = ss_rect_fit(l->image, (w.x1 - w.x0) / (w.y1 - w.y0));
    ss_image *im = &b->s->image[0];
    int across = r.w * b->extent.dots_x, up = r.h * b->extent.dots_y;
    bool whole = !(b->ui->view.x1 > b->ui->view.x0); /* so that no cell is sampled twice */
    bool fine = whole && b->extent.dots_x > 2;
    ss_build_want(b, fine && b->snap->nx < across ? b->snap->nx : across,
                  fine && b->snap->ny < up ? b->snap->ny : up);
    ss_scene_hit(b->s, SS_H_FIELD, r, NULL, 0);
    if (explain(b, l->image))
        return;
    ss_build_image(b, im);
    ss_build_overlay(b, im, r);
    ss_scene_add(b->s, SS_I_IMAGE, r, SS_C_TEXT)->image = im;
    char zero[96];
    if (ss_layer_zero(b->snap, zero, sizeof zero)) {
        zero_words(b, r, zero);
        return;
    }
    ss_rect bar = l->bar;
    if (l->bar_vertical) {
        bar.x = r.x + r.w + 1;
        bar.h = r.h;
    } else {
        bar.x = r.x, bar.w = r.w, bar.y = r.y + r.h;
    }
    if (bar.w > 0)
        ss_build_pin(b, &bar, l->bar_vertical);
    ss_build_bar(b, im, 0, bar, l->bar_vertical);
    ss_build_bar_hit(b, bar, l->bar_vertical);
}

/* --- the panel, 1D ---------------------------------------------------------------------------- */

static void curve_series(const ss_build *b, ss_chart *c, ss_box2 w)
{
    ss_xy *p = ss_scene_points(b->s, b->ui->picture_w);
    if (!p)
        return;
    int n = ss_build_points(w, b->ui->picture, b->ui->picture_w, p);
    c->series[c->nseries] = (ss_series){.at = p, .n = n, .role = SS_C_SERIES1};
    c->legend[c->nseries] = c->nseries > 0 ? "numerical" : NULL;
    c->nseries++;
}

/* The exact solution, drawn below the curve, so that differences stay visible. */
static void exact_series(const ss_build *b, ss_chart *c, ss_box2 w)
{
    int n = b->snap->nexact;
    ss_xy *p = n > 0 ? ss_scene_points(b->s, n) : NULL;
    if (!p || b->snap->view.layer != SS_VALUE)
        return;
    n = ss_build_points(w, b->snap->exact, n, p);
    c->series[c->nseries] = (ss_series){.at = p, .n = n, .role = SS_C_SERIES2};
    c->legend[c->nseries++] = b->snap->painted ? "unpainted" : "exact";
}

static void curve(const ss_build *b)
{
    const ss_layer_label *layer = &ss_layer_labels[b->snap->view.layer];
    ss_rect r = b->l->image;
    ss_chart *c = &b->s->chart[0];
    ss_box2 w = ss_ui_window(&b->snap->view, b->snap);
    const ss_range *range = &b->ui->ranging.shown;
    ss_span x, y;
    int dots = ss_build_dots(b, r.w - 7), nx = b->snap->nx;
    bool fine = !(b->ui->view.x1 > b->ui->view.x0) && b->extent.dots_x > 2;
    ss_build_want(b, fine && nx > 1 && nx < dots ? nx : dots, 1);
    ss_scene_hit(b->s, SS_H_FIELD,
                 (ss_rect){r.x + SS_FIELD_GUTTER, r.y, r.w - SS_FIELD_GUTTER, r.h - 1}, NULL, 0);
    if (explain(b, r))
        return;
    *c = (ss_chart){.x_label = "x", .gutter = SS_FIELD_GUTTER};
    ss_build_x_axis(b, &c->x, w.x0, w.x1, r.w / 7);
    bool asked = b->ui->ranging.hold == SS_RANGE_SET; /* for these ends */
    double low = layer->log && !asked ? fmin(range->lo, range->hi * SS_AXIS_SPAN) : range->lo;
    ss_axis_make(&c->y, low, range->hi, layer->log, true, r.h / 3);
    ss_axis_shorten(&c->y, SS_FIELD_GUTTER - 1);
    if (b->snap->tiled && b->ui->grid) {
        c->nedge =
            ss_picture_edges(b->snap->tiling.x, w.x0, w.x1, false, ss_build_dots(b, r.w), c->edge);
        for (int i = 0; i < c->nedge; i++)
            c->edge[i] = w.x0 + c->edge[i] * (w.x1 - w.x0) + b->snap->theatre.shift;
    }
    if (ss_picture_block(b->snap, b->ui->view.tile_x, 0, &x, &y)) {
        c->zone[0][0] = x.lo + b->snap->theatre.shift;
        c->zone[0][1] = x.hi + b->snap->theatre.shift;
        c->nzone = 1;
    }
    if (b->ui->view.probe_x >= 0) {
        c->mark[0] = (ss_chart_mark){b->ui->view.probe_x + 0.5, ""};
        c->nmark = 1;
    }
    if (b->ui->view.probe_x >= 0 && b->ui->brush.on) {
        c->zone[c->nzone][0] = b->ui->view.probe_x + 0.5 - b->ui->brush.radius;
        c->zone[c->nzone++][1] = b->ui->view.probe_x + 0.5 + b->ui->brush.radius;
    }
    if (!ss_race_lines(b, c, w)) {
        exact_series(b, c, w);
        curve_series(b, c, w);
    }
    c->x_scale = b->snap->spacing > 0 ? b->snap->spacing : 1;
    c->x_shift = (b->snap->origin - 0.5) * c->x_scale;
    c->x_name = "x", c->y_name = b->snap->view.layer == SS_VALUE
                                     ? ss_quantity_symbol(b->snap)
                                     : ss_layer_symbol(b->snap, b->snap->view.layer);
    ss_build_chart(b, c, SS_X_POINT, r, (ss_rect){0, 0, 0, 0});
}

/* --- the point under the cursor --------------------------------------------------------------- */

/* The shortest text that reads back to the same number in the run's precision. */
static const char *exact(const ss_build *b, double v, char *buf, size_t size)
{
    bool single = strcmp(b->snap->precision, "f32") == 0;
    for (int digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
        snprintf(buf, size, "%.*g", digits, v);
        if (single ? strtof(buf, NULL) == (float)v : strtod(buf, NULL) == v)
            break;
    }
    return buf;
}

static void pair_line(const ss_build *b, const char *names, double first, double second, char *line)
{
    char x[32], y[32];
    snprintf(line, 200, "%c %-24s %c %s", names[0], exact(b, first, x, sizeof x), names[1],
             exact(b, second, y, sizeof y));
}

/* " · r -2.7e-3" */
static void append(char *line, const char *name, double v)
{
    char text[32];
    size_t n = strlen(line);
    snprintf(line + n, 200 - n, "%s%s %s", n ? " · " : "", name,
             ss_figure_text(v, text, sizeof text));
}

static void place_text(const ss_build *b, bool with_block, char *buf, size_t size)
{
    const ss_probe *p = &b->snap->picture.probe;
    char block[40] = "";
    bool one = b->snap->dim == 1;
    int tile = b->snap->theatre.swept ? b->ui->view.tile_x : p->tile_x;
    if (with_block && tile >= 0 && one)
        snprintf(block, sizeof block, " · block %d", tile);
    else if (with_block && p->tile_x >= 0)
        snprintf(block, sizeof block, " · block (%d, %d)", p->tile_x, p->tile_y);
    if (one)
        snprintf(buf, size, "x %.4g · point %d%s", (p->x + b->snap->origin) * b->snap->spacing,
                 p->x, block);
    else if (b->snap->dim > 2)
        cell_text(p, buf, size);
    else
        snprintf(buf, size, "(%d, %d)%s", p->x, p->y, block);
}

/* The first line where there is less and less room; the field shows the block, too. */
static const struct {
    bool words, block;
} shorter[] = {{true, true}, {false, true}, {true, false}, {false, false}};
enum { NSHORT = sizeof shorter / sizeof *shorter };

/* The first line: place, residual, staleness and error. A single line has the value first and the
 * place last. */
static void figures_line(const ss_build *b, int how, char *line)
{
    const ss_probe *p = &b->snap->picture.probe;
    bool single = b->l->probe.h == 1, words = shorter[how].words;
    char place[100];
    place_text(b, shorter[how].block, place, sizeof place);
    snprintf(line, 200, "%s", single ? "" : place);
    if (single)
        snprintf(line, 200, "%s %.9g", ss_quantity_symbol(b->snap), p->value);
    if (b->snap->kind == SS_STEADY)
        append(line, words ? "residual" : "r", p->residual);
    if (p->has_stale)
        append(line, words ? "stale" : "s", p->stale);
    if (p->has_error)
        append(line, words ? "error" : "e", p->error);
    size_t n = strlen(line);
    if (single)
        snprintf(line + n, 200 - n, " · %s", place);
}

/* Lines of the probed point: its place and figures; its value and b; its neighbours. Returns their
 * number. */
static int probe_lines(const ss_build *b, int room, char line[4][200])
{
    const ss_probe *p = &b->snap->picture.probe;
    char value[100];
    int how = 0;
    do
        figures_line(b, how, line[0]);
    while (ss_text_width(line[0]) > room && ++how < NSHORT);
    ss_build_drop_parts(line[0], room);
    if (b->snap->kind == SS_STEADY)
        pair_line(b, "ub", p->value, p->rhs, line[1]);
    else
        snprintf(line[1], 200, "%s %s", ss_quantity_symbol(b->snap),
                 exact(b, p->value, value, sizeof value));
    pair_line(b, "WE", p->west, p->east, line[2]);
    pair_line(b, "SN", p->south, p->north, line[3]);
    return b->snap->dim == 1 ? 3 : 4;
}

static void probe(const ss_build *b)
{
    ss_rect r = b->l->probe;
    char line[4][200];
    if (b->l->side == 1) /* a terminal panel needs a margin */
        r.x++, r.w -= 2;
    if (r.h < 1)
        return;
    bool told = !b->snap->picture.probe.valid && ss_values_of_field(b, line[1], sizeof line[1]);
    if (told) {
        ss_build_drop_parts(line[1], r.w);
        ss_scene_text(b->s, r.x, r.y + r.h - 1, r.w, SS_C_TEXT, SS_FIGURE, line[1]);
        return;
    }
    if (!b->snap->picture.probe.valid) {
        snprintf(line[0], sizeof line[0], "%s",
                 b->ui->in_order   ? ""
                 : b->ui->brush.on ? "a drag paints, the wheel changes the radius"
                 : b->ui->probing  ? "arrows move the point, esc ends"
                                   : "p or a click: look at a point · wheel: zoom");
        if (b->l->head == 1) /* in a window letters are narrower than cells */
            ss_build_drop_parts(line[0], r.w);
        ss_scene_text(b->s, r.x, r.y + r.h - 1, r.w, SS_C_FAINT, 0, line[0]);
        return;
    }
    int lines = probe_lines(b, r.w, line);
    lines = lines < r.h ? lines : r.h;
    for (int i = 0; i < lines; i++)
        ss_scene_text(b->s, r.x, r.y + r.h - lines + i, r.w, i ? SS_C_DIM : SS_C_TEXT, SS_FIGURE,
                      line[i]);
}

/* A live picture of many blocks computes a few: the size of their squares is not the field's. The
 * longest words for which the panel has room; "%.0s" takes the meaning and prints none of it. */
static const char *computed_blocks(const ss_build *b, const char *meaning)
{
    static const char *const words[] = {"%s · %d of %d blocks computed, others show the nearest",
                                        "%.0s%d of %d blocks computed, others show the nearest",
                                        "%.0s%d of %d blocks computed"};
    const ss_picture *p = &b->snap->picture;
    char text[128];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, words[i], meaning, p->blocks_computed, p->blocks);
        if (ss_text_width(text) + 6 <= b->l->panel[SS_PANEL_FIELD].w)
            break;
    }
    return ss_scene_keep(b->s, text);
}

const char *ss_field_meaning(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    static const char *const transient_help[2][SS_NLAYER] = {
        {[SS_EXACT] = "the exact value at this time",
         [SS_ERROR] = "distance to the exact solution"},
        {[SS_EXACT] = "the solution without the paint",
         [SS_ERROR] = "distance to the solution without the paint"}};
    ss_layer layer = b->ui->view.layer;
    if (p->repeated)
        return b->l->panel[SS_PANEL_FIELD].w >= 64
                   ? "the last cycle once more with these settings, not counted"
                   : "last cycle repeated, not counted";
    if (layer == SS_STALENESS && p->view.layer == layer && p->picture.blocks_computed > 0 &&
        p->picture.blocks_computed < p->picture.blocks)
        return computed_blocks(b, ss_layer_help(p, layer));
    if (layer == SS_VALUE && p->quantities)
        return p->quantities[p->view.field].help;
    if (p->kind == SS_TRANSIENT && transient_help[p->painted][layer])
        return transient_help[p->painted][layer];
    return ss_layer_help(p, layer);
}

/* Tabs of the quantities, where there are several. Returns the column after the last name. */
static int field_tabs(const ss_build *b, ss_rect r)
{
    enum { MOST = 16 };
    const char *names[MOST], *symbols[MOST];
    int n = b->snap->quantities ? b->snap->nquantity : 0, w = 6;
    n = n < MOST ? n : MOST;
    for (int i = 0; i < n; i++) {
        names[i] = b->snap->quantities[i].name;
        symbols[i] = b->snap->quantities[i].symbol;
        w += ss_text_width(names[i]) + 1;
    }
    if (n < 2)
        return r.x + 2;
    return ss_build_choices(b, r, w <= r.w ? names : symbols, names, n, b->snap->view.field,
                            "view field %s");
}

/* The layers that exist for this kind of equation in this dimension, and the current one in any
 * case. */
static int layer_tabs(const ss_build *b)
{
    const char *names[SS_NLAYER];
    bool enabled[SS_NLAYER];
    int n = 0, on = 0, dim = b->snap->dim;
    for (int i = 0; i < SS_NLAYER; i++) {
        const ss_layer_label *row = &ss_layer_labels[i];
        bool shown = i == (int)b->ui->view.layer;
        bool exists = dim >= row->least && dim <= row->most;
        exists = exists && !(row->steady && b->snap->kind == SS_TRANSIENT);
        if (!shown && !exists)
            continue;
        on = shown ? n : on;
        names[n] = row->name;
        enabled[n++] = b->snap->layers[i];
    }
    return ss_build_tabs(b, b->l->panel[SS_PANEL_FIELD], names, n, on, enabled, "view layer %s", 0);
}

void ss_field_moment(const ss_snapshot *p, char *buf, size_t size)
{
    *buf = '\0';
    if (p->peek > 0 && p->kind == SS_TRANSIENT)
        snprintf(buf, size, "sub-step %d of %d", p->peek, p->per_cycle);
    else if (p->visit.levels > 0)
        snprintf(buf, size, "u + corrections, from grid %d up", p->visit.level + 1);
    else if (p->peek > 0)
        snprintf(buf, size, "%d%s subiteration of %d", p->peek, ss_ordinal(p->peek), p->per_cycle);
}

const char *ss_field_symbol(const ss_build *b)
{
    return b->ui->view.layer == SS_VALUE ? ss_quantity_symbol(b->snap)
                                         : ss_layer_symbol(b->snap, b->ui->view.layer);
}

void ss_build_field_only(const ss_build *b)
{
    if (b->snap->dim == 1)
        curve(b);
    else if (!ss_build_race(b))
        picture(b);
}

/* All but the lines about the probed point. */
static ss_rect wipe_room(const ss_build *b)
{
    ss_rect r = ss_layout_inner(b->l, SS_PANEL_FIELD);
    bool lines = b->snap->dim == 1 || b->snap->picture.probe.valid;
    r.h -= lines || b->l->probe.h < 1 ? b->l->probe.h : 1;
    return r;
}

void ss_build_field(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    char corner[128];
    int x = layer_tabs(b);
    ss_field_moment(p, corner, sizeof corner);
    if (!*corner)
        snprintf(corner, sizeof corner, "%s", ss_field_meaning(b));
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s%s", ss_field_symbol(b),
             p->dim == 1 && b->ui->ranging.hold != SS_RANGE_AUTO ? " · held" : "");
    ss_build_corner(b, b->l->panel[SS_PANEL_FIELD], x, symbol);
    ss_rect r = b->l->panel[SS_PANEL_FIELD];
    x = p->dim > 2 ? build_planes(b, r) : field_tabs(b, r);
    if (p->dim > 2)
        slice_text(b, ss_field_meaning(b), r.x + r.w - 2 - x, corner, sizeof corner);
    ss_build_foot(b, r, x, corner); /* the place within the cycle, or the meaning of the layer */
    if (ss_wipe_shown(b->ui, p))
        ss_build_wipe(b, wipe_room(b));
    else
        ss_build_field_only(b);
    if (p->dim == 1)
        ss_build_raster(b);
    probe(b);
}
