/* The field: a picture with a colour bar in 2D, a curve in 1D, a slice in 3D with its plane and
 * index, and the lines of the probed point. Called by screen.c. See build.h. Main thread only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- the slice of a 3D field ------------------------------------------------------------------ */

/* "(12, 5, 32) · block (1, 0, 4) of patch 3" */
static const char *cell_text(const ss_probe *p)
{
    const char *text = ss_text("(%d, %d, %d)", p->cell[0], p->cell[1], p->cell[2]);
    if (p->has_block)
        text = ss_text("%s · block (%d, %d, %d)", text, p->block[0], p->block[1], p->block[2]);
    if (p->npatch > 1 && p->patch >= 0)
        text = ss_text("%s%s patch %d", text, p->has_block ? " of" : " ·", p->patch);
    return text;
}

/* 3D: "z = 31 of 64 · the field u", without the help if there is no room. */
static const char *slice_text(const ss_build *b, const char *help, int room)
{
    const ss_snapshot *p = b->snap;
    int axis = p->view.axis >= 0 && p->view.axis < 3 ? p->view.axis : 2;
    const char *slice = ss_text("%c = %d of %d", "xyz"[axis], p -> view.slice, p->nz);
    const char *text = ss_text("%s · %s", slice, help);
    return ss_text_width(text) + 2 > room ? slice : text;
}

/* Tabs of the planes. Returns the column after the last name. */
static int build_planes(const ss_build *b, ss_rect r)
{
    int axis = b->ui->view.axis;
    const ss_tabs tabs = {ss_plane_names,  NULL, 3, axis >= 0 && axis < 3 ? axis : 2, NULL,
                          "view plane %s", 0};
    return ss_build_tab_line(b, ss_rect_bottom(&r, 1), &tabs, SS_RAISED);
}

/* --- the panel, 2D ---------------------------------------------------------------------------- */

/* A layer may need a whole cycle, and the first one is on its way. */
static bool is_in_first_cycle(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    return p->status == SS_RUNNING && !p->paused && p->telemetry.value[SS_T_CYCLE] < 1 &&
           p->layers[b->ui->view.layer];
}

/* Why no picture is available; NULL: one is. */
static const char *no_picture(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    ss_layer layer = b->ui->view.layer;
    const char *why = p->layer_why[layer], *waits = ss_build_waits(b);
    if (why && is_in_first_cycle(b))
        return waits ? waits : "in cycle 1";
    if (!p->layers[layer] || why)
        return ss_text("%s: %s", ss_layer_labels[layer].name,
                       ss_build_reason(b, why ? why : "not available here"));
    if ((p->view.layer == SS_ERROR || p->view.layer == SS_EXACT) && p->busy_reference)
        return "computing u*, the exact discrete solution …";
    if (b->ui->picture_w <= 0)
        return "waiting for a picture …";
    return p->dim > 1 ? NULL : ss_build_zero(b);
}

static bool explain(const ss_build *b, ss_rect room)
{
    const char *why = no_picture(b);
    if (why)
        ss_build_wrap(b, (ss_rect){room.x + 2, room.y + room.h / 2, room.w - 4, 3}, SS_C_DIM, why);
    return why;
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
    ss_put_in(b, ss_rect_inset(at, 1, 0), SS_C_TEXT, SS_CENTRE, text);
}

static void picture(const ss_build *b)
{
    const ss_layout *l = b->l;
    ss_rect r = ss_rect_fit(l->image, ss_build_aspect(b));
    ss_image *im = &b->s->image[0];
    ss_build_want_field(b, r);
    ss_scene_hit(b->s, SS_H_FIELD, r, NULL, 0);
    if (explain(b, l->image))
        return;
    ss_build_image(b, im);
    ss_build_overlay(b, im, r);
    ss_scene_add(b->s, SS_I_IMAGE, r, SS_C_TEXT)->image = im;
    const char *zero = ss_build_zero(b);
    if (zero) {
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
    ss_chart_add(c, (ss_series){.at = p, .n = n, .role = SS_C_SERIES1},
                 c->nseries > 0 ? "numerical" : NULL);
}

/* The exact solution, drawn below the curve, so that differences stay visible. */
static void exact_series(const ss_build *b, ss_chart *c, ss_box2 w)
{
    int n = b->snap->nexact;
    ss_xy *p = n > 0 ? ss_scene_points(b->s, n) : NULL;
    if (!p || b->snap->view.layer != SS_VALUE)
        return;
    n = ss_build_points(w, b->snap->exact, n, p);
    ss_chart_add(c, (ss_series){.at = p, .n = n, .role = SS_C_SERIES2},
                 b->snap->painted ? "unpainted" : "exact");
}

/* The edges of the blocks, the selected block, the probe and the reach of a brush. */
static void add_places(const ss_build *b, ss_chart *c, ss_box2 w, int columns)
{
    const ss_view *v = &b->ui->view;
    int shift = b->snap->theatre.shift;
    ss_span x, y;
    if (b->snap->tiled && b->ui->grid)
        c->nedge = ss_picture_edges(b->snap->tiling.x, w.x0, w.x1, false, ss_build_dots(b, columns),
                                    c->edge);
    for (int i = 0; i < c->nedge; i++)
        c->edge[i] = w.x0 + c->edge[i] * (w.x1 - w.x0) + shift;
    if (ss_picture_block(b->snap, v->tile_x, 0, &x, &y)) {
        c->zone[c->nzone][0] = x.lo + shift;
        c->zone[c->nzone++][1] = x.hi + shift;
    }
    if (v->probe_x < 0)
        return;
    c->mark[c->nmark++] = (ss_chart_mark){v->probe_x + 0.5, ""};
    if (b->ui->brush.on) {
        c->zone[c->nzone][0] = v->probe_x + 0.5 - b->ui->brush.radius;
        c->zone[c->nzone++][1] = v->probe_x + 0.5 + b->ui->brush.radius;
    }
}

static void curve(const ss_build *b)
{
    const ss_layer_label *layer = &ss_layer_labels[b->snap->view.layer];
    ss_rect r = b->l->image;
    ss_chart *c = &b->s->chart[0];
    ss_box2 w = ss_ui_window(&b->snap->view, b->snap);
    const ss_range *range = &b->ui->ranging.shown;
    ss_build_want_line(b, r.w - 7);
    ss_scene_hit(b->s, SS_H_FIELD,
                 (ss_rect){r.x + SS_FIELD_GUTTER, r.y, r.w - SS_FIELD_GUTTER, r.h - 1}, NULL, 0);
    if (explain(b, r))
        return;
    *c = (ss_chart){.x_label = "x", .gutter = SS_FIELD_GUTTER, .x_name = "x"};
    c->y_name = ss_build_symbol(b);
    ss_build_x_axis(b, &c->x, w.x0, w.x1, r.w / 7);
    bool asked = b->ui->ranging.hold == SS_RANGE_SET; /* for these ends */
    double low = layer->log && !asked ? fmin(range->lo, range->hi * SS_AXIS_SPAN) : range->lo;
    ss_axis_make(&c->y, low, range->hi, layer->log, true, r.h / 3);
    ss_axis_shorten(&c->y, SS_FIELD_GUTTER - 1);
    add_places(b, c, w, r.w);
    if (!ss_race_lines(b, c, w)) {
        exact_series(b, c, w);
        curve_series(b, c, w);
    }
    c->x_scale = b->snap->spacing > 0 ? b->snap->spacing : 1;
    c->x_shift = (b->snap->origin - 0.5) * c->x_scale;
    ss_build_chart(b, c, SS_X_POINT, r, (ss_rect){0, 0, 0, 0});
}

/* --- the point under the cursor --------------------------------------------------------------- */

/* The shortest text that reads back to the same number in the run's precision. */
static const char *exact(const ss_build *b, double v)
{
    bool single = strcmp(b->snap->precision, "f32") == 0;
    const char *text = "";
    for (int digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
        text = ss_text("%.*g", digits, v);
        if (single ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v)
            break;
    }
    return text;
}

static const char *pair_line(const ss_build *b, const char *names, double first, double second)
{
    return ss_text("%c %-24s %c %s", names[0], exact(b, first), names[1], exact(b, second));
}

static const char *place_text(const ss_build *b, bool with_block)
{
    const ss_probe *p = &b->snap->picture.probe;
    bool line = b->snap->dim == 1;
    int tile = line && b->snap->theatre.swept ? b->ui->view.tile_x : p->tile_x;
    const char *block = !with_block || tile < 0 ? ""
                        : line                  ? ss_text(" · block %d", tile)
                                                : ss_text(" · block (%d, %d)", tile, p->tile_y);
    if (line)
        return ss_text("x %.4g · point %d%s", (p->x + b->snap->origin) * b->snap->spacing, p->x,
                       block);
    return b->snap->dim > 2 ? cell_text(p) : ss_text("(%d, %d)%s", p->x, p->y, block);
}

/* The first line where there is less and less room; the field shows the block, too. */
static const struct {
    bool words, block;
} shorter[] = {{true, true}, {false, true}, {true, false}, {false, false}};
enum { NSHORT = sizeof shorter / sizeof *shorter };

/* The first line: place, residual, staleness and error. A single line has the value first and the
 * place last. */
static const char *figures_line(const ss_build *b, int how)
{
    const ss_probe *p = &b->snap->picture.probe;
    bool single = b->l->probe.h == 1, words = shorter[how].words;
    const char *place = place_text(b, shorter[how].block);
    const char *text = single ? ss_text("%s %.9g", ss_quantity_symbol(b->snap), p->value) : place;
    if (b->snap->kind == SS_STEADY)
        text = ss_build_with(text, words ? "residual" : "r", p->residual);
    if (p->has_stale)
        text = ss_build_with(text, words ? "stale" : "s", p->stale);
    if (p->has_error)
        text = ss_build_with(text, words ? "error" : "e", p->error);
    return single ? ss_text("%s · %s", text, place) : text;
}

/* Lines of the probed point: its place and figures; its value and b; its neighbours. Returns their
 * number. */
static int probe_lines(const ss_build *b, int room, const char *line[4])
{
    const ss_probe *p = &b->snap->picture.probe;
    int how = 0;
    do
        line[0] = figures_line(b, how);
    while (ss_text_width(line[0]) > room && ++how < NSHORT);
    line[0] = ss_text_parts(line[0], room);
    line[1] = b->snap->kind == SS_STEADY
                  ? pair_line(b, "ub", p->value, p->rhs)
                  : ss_text("%s %s", ss_quantity_symbol(b->snap), exact(b, p->value));
    line[2] = pair_line(b, "WE", p->west, p->east);
    line[3] = pair_line(b, "SN", p->south, p->north);
    return b->snap->dim == 1 ? 3 : 4;
}

static void probe(const ss_build *b)
{
    ss_rect r = b->l->probe;
    const char *line[4], *told;
    bool window = b->l->side > 1;
    if (!window) /* a terminal panel needs a margin */
        r.x++, r.w -= 2;
    if (r.h < 1)
        return;
    if (b->snap->picture.probe.valid) {
        int lines = ss_min(probe_lines(b, r.w, line), r.h);
        for (int i = 0; i < lines; i++)
            ss_scene_text(b->s, r.x, r.y + r.h - lines + i, r.w, i ? SS_C_DIM : SS_C_TEXT,
                          SS_FIGURE, line[i]);
        return;
    }
    ss_rect last = {r.x, r.y + r.h - 1, r.w, 1};
    if ((told = ss_values_of_field(b)) != NULL) {
        ss_put(b, last, SS_C_TEXT, SS_FIGURE, ss_text_parts(told, r.w));
        return;
    }
    const char *hint = b->ui->in_order   ? ""
                       : b->ui->brush.on ? "a drag paints, the wheel changes the radius"
                       : b->ui->probing  ? "arrows move the point, esc ends"
                                         : "p or a click: look at a point · wheel: zoom";
    /* in a window letters are narrower than cells */
    ss_put(b, last, SS_C_FAINT, 0, b->l->head == 1 ? ss_text_parts(hint, r.w) : hint);
}

/* A live picture of many blocks computes a few: the size of their squares is not the field's. The
 * longest words for which the panel has room; "%.0s" takes the meaning and prints none of it. */
static const char *computed_blocks(const ss_build *b, const char *meaning)
{
    static const char *const words[] = {"%s · %d of %d blocks computed, others show the nearest",
                                        "%.0s%d of %d blocks computed, others show the nearest",
                                        "%.0s%d of %d blocks computed"};
    const ss_picture *p = &b->snap->picture;
    const char *text;
    int i = 0;
    do
        text = ss_text(words[i], meaning, p->blocks_computed, p->blocks);
    while (ss_text_width(text) + 6 > b->l->panel[SS_PANEL_FIELD].w && ++i < 3);
    return text;
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
    const ss_tabs tabs = {
        w <= r.w ? names : symbols, names, n, b->snap->view.field, NULL, "view field %s", 0};
    return ss_build_tab_line(b, ss_rect_bottom(&r, 1), &tabs, SS_RAISED);
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
    const ss_tabs tabs = {names, NULL, n, on, enabled, "view layer %s", 0};
    return ss_build_tabs(b, b->l->panel[SS_PANEL_FIELD], &tabs);
}

const char *ss_field_moment(const ss_snapshot *p)
{
    if (p->peek > 0 && p->kind == SS_TRANSIENT)
        return ss_text("sub-step %d of %d", p->peek, p->per_cycle);
    if (p->visit.levels > 0)
        return ss_text("u + corrections, from grid %d up", p->visit.level + 1);
    if (p->peek > 0)
        return ss_text("%d%s subiteration of %d", p->peek, ss_ordinal(p->peek), p->per_cycle);
    return "";
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
    ss_rect r = b->l->panel[SS_PANEL_FIELD];
    bool held = p->dim == 1 && b->ui->ranging.hold != SS_RANGE_AUTO;
    ss_build_corner(b, r, layer_tabs(b),
                    ss_text("%s%s", ss_field_symbol(b), held ? " · held" : ""));
    /* the place within the cycle, or the meaning of the layer */
    const char *moment = ss_field_moment(p), *meaning = ss_field_meaning(b);
    int x = p->dim > 2 ? build_planes(b, r) : field_tabs(b, r);
    ss_build_foot(b, r, x,
                  p->dim > 2 ? slice_text(b, meaning, r.x + r.w - 2 - x)
                  : *moment  ? moment
                             : meaning);
    if (ss_wipe_shown(b->ui, p))
        ss_build_wipe(b, wipe_room(b));
    else
        ss_build_field_only(b);
    if (p->dim == 1)
        ss_build_raster(b);
    probe(b);
}
