/* The staleness cone: subiterations of the cycle under the microscope, upwards, over the points of
 * one block, and beside it the swept rule's triangle of as many levels. In both, exact values form
 * the same figure; beyond it a block goes on with stale values, the swept rule stops. Below them
 * sentences. See build.h and src/snapshot/snapshot.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "src/snapshot/snapshot.h"
#include "ui/panels/build.h"

/* --- the sentences below it ------------------------------------------------------------------- */

/* How much shorter a sentence must be, as the panel is narrower. */
typedef enum brevity { FULL, SHORT, SHORTEST, NBREVITY } brevity;

/* After s subiterations. */
static int deepest(const ss_cone *c, int s)
{
    int deep = 0;
    for (int side = 0; side < 2; side++) {
        int depth = c->frozen[side] ? ss_cone_depth(c, s, side) : 0;
        deep = depth > deep ? depth : deep;
    }
    return deep;
}

/* "stale 7 cells deep after 8 of 12 subiterations: 8 − 1" */
static const char *depth_text(const ss_cone *c, brevity how)
{
    int s = c->now, deep = deepest(c, s), bound = s > 0 ? s - 1 : 0;
    const char *why = !c->wedge || s == 0 ? ""
                      : deep > bound
                          ? (how == FULL ? ": halos above and below reach this row" : ", from y")
                      : deep < bound ? ss_text(", at most %d", bound)
                      : s == c->k    ? ": k − 1"
                                     : ss_text(": %d − 1", s);
    const char *what = how == SHORTEST
                           ? ss_text("%d deep", deep)
                           : ss_text("stale %d cell%s deep", deep, deep == 1 ? "" : "s");
    return ss_text("%s after %d of %d%s%s", what, s, c->k, how == FULL ? " subiterations" : "",
                   why);
}

/* What the overlap does at the end of the cycle, on this row. */
static const char *overlap_text(const ss_cone *c, brevity how)
{
    int kept = c->span.whi - c->span.wlo, stale = ss_cone_kept(c, c->k), need = 2 * (c->k - 1);
    const char *sign = c->overlap < need ? "<" : c->overlap > need ? ">" : "=";
    const char *amber = c->overlap > 0 ? " (amber)" : "";
    if (!c->wedge)
        return ss_text("at the end %d of %d kept are stale", stale, kept);
    if (how == SHORTEST)
        return ss_text("%s · overlap %d %s %d",
                       stale > 0 ? ss_text("%d of %d kept end stale", stale, kept)
                                 : ss_text("all %d kept are exact", kept),
                       c->overlap, sign, need);
    const char *overlap = ss_text("overlap %d%s %s %s%d", c->overlap, amber, sign,
                                  how == FULL ? "2(k − 1) = " : "", need);
    if (stale > 0)
        return ss_text("%s: %d of %d %s%s", overlap, stale, kept,
                       how == FULL ? "kept are stale at the end" : "stale at the end",
                       c->overlap < need ? "" : ", from y");
    if (how == FULL)
        return ss_text("%s%s: all %d kept are exact", overlap, c->overlap < need ? ", yet" : "",
                       kept);
    return ss_text("%s: all %d exact", overlap, kept);
}

/* The longest sentence of at most `most` characters; else the shortest one, cut after a part. */
static const char *sentence(const ss_cone *c, bool overlap, int most)
{
    const char *text;
    int how = FULL;
    do
        text = (overlap ? overlap_text : depth_text)(c, (brevity)how);
    while (ss_text_width(text) > most && ++how < NBREVITY);
    return ss_text_parts(text, most);
}

const char *ss_cone_place(const ss_build *b)
{
    const ss_cone *c = &b->snap->cone;
    return b->snap->dim == 1
               ? ss_text("block %d · subiterations ↑", c->tile_x)
               : ss_text("block (%d, %d), row %d · subiterations ↑", c->tile_x, c->tile_y, c->y);
}

/* --- dots of the picture ---------------------------------------------------------------------- */

/* A dot: a shade of the scale, or one of the grounds; those still to come are LATER on. */
enum { SHADES = 96, KEPT = SHADES, THROWN, BESIDE, LATER = BESIDE + 1, LAST = 2 * LATER };
enum { NO_DOT = LAST, TRIANGLE, BAR_KEPT, BAR_THROWN, BAR_BESIDE };

static ss_rgb ground_of(const ss_rgb *theme, int dot)
{
    static const struct {
        ss_theme_role role;
        double amount;
    } grounds[] = {{SS_C_SERIES2, 0.42}, {SS_C_SERIES4, 0.5}, {SS_C_DIM, 0.22}};
    return ss_rgb_mix(theme[SS_C_PANEL], theme[grounds[dot - KEPT].role],
                      grounds[dot - KEPT].amount);
}

static void make_palette(const ss_build *b)
{
    static const char done[] = ".:,", stale[] = "-=*#";
    const ss_rgb *theme = b->s->theme->color;
    const ss_colormap *map = ss_colormap_find(ss_layer_labels[SS_STALENESS].map);
    ss_rgb *color = b->ui->cone_color;
    char *letter = b->ui->cone_letter;
    for (int i = 0; i < LATER; i++) {
        color[i] =
            i < SHADES ? map->color[i * (SS_MAP_SIZE - 1) / (SHADES - 1)] : ground_of(theme, i);
        letter[i] = i < SHADES ? stale[i * 4 / SHADES] : done[i - KEPT];
        color[LATER + i] = ss_rgb_mix(color[i], theme[SS_C_PANEL], 0.72);
        letter[LATER + i] = ' ';
    }
    color[NO_DOT] = theme[SS_C_PANEL], letter[NO_DOT] = ' ';
    color[TRIANGLE] = ground_of(theme, KEPT), letter[TRIANGLE] = '.';
    color[BAR_KEPT] = theme[SS_C_SERIES2], letter[BAR_KEPT] = '=';
    color[BAR_THROWN] = theme[SS_C_SERIES4], letter[BAR_THROWN] = '%';
    color[BAR_BESIDE] = theme[SS_C_LINE], letter[BAR_BESIDE] = ' ';
}

/* The range of the whole cycle. That of the field, if it shows staleness in this cycle, since the
 * two are side by side, or if the user has set it. */
static ss_range range_of(const ss_build *b)
{
    const ss_range *field = &b->ui->ranging.shown;
    const ss_scale *cycle = &b->snap->scale;
    double hi = b->snap->cone.hi;
    bool fits = cycle->valid && cycle->hi > 0 && hi <= field->hi;
    bool set = b->ui->ranging.hold == SS_RANGE_SET;
    bool same = b->snap->view.layer == SS_STALENESS && field->valid && (fits || set);
    return same ? *field : ss_range_log_fit(hi, 5);
}

/* --- points and levels as columns and rows ---------------------------------------------------- */

/* Columns: the neighbour's points, a blank, the block's, a blank, the other neighbour's. */
typedef struct fit {
    int left, right;  /* points of the neighbours */
    int skip, wide;   /* points per column, columns per point: one of the two is 1 */
    int stride, each; /* levels per row, rows of dots per level: the same */
    int levels;       /* shown */
    int w, h, bar;    /* of the picture, in dots; rows of dots of the bar below the levels */
} fit;

static int columns(int points, int skip)
{
    return (points + skip - 1) / skip;
}

static int width_of(const fit *f, int block)
{
    int n = columns(block, f->skip);
    n += f->left ? columns(f->left, f->skip) + 1 : 0;
    n += f->right ? columns(f->right, f->skip) + 1 : 0;
    return n * f->wide;
}

/* As many of the neighbours' points as fit, up to `most`; less than one column per point only if
 * the block itself needs it. */
static void fit_columns(const ss_cone *c, int room, int most, bool fine, fit *f)
{
    int block = c->span.hi - c->span.lo;
    int left = c->span.lo - c->first, right = c->first + c->n - c->span.hi;
    f->skip = f->wide = 1;
    for (; most >= 0; most--) {
        f->left = left < most ? left : most, f->right = right < most ? right : most;
        if (width_of(f, block) <= room)
            break;
    }
    if (most < 0)
        f->left = f->right = 0;
    while (width_of(f, block) > room)
        f->skip++;
    while (!fine && f->skip == 1 && width_of(f, block) / f->wide * (f->wide + 1) <= room)
        f->wide++;
    f->w = width_of(f, block);
}

static void fit_rows(const ss_cone *c, int dots, bool fine, fit *f)
{
    int bar = dots > 6 ? 1 : 0;
    f->stride = 1;
    while (c->k / f->stride + 1 > dots - bar)
        f->stride++;
    f->levels = c->k / f->stride + 1;
    f->each = fine ? 1 : (dots - bar) / f->levels;
    f->bar = fine ? 2 * bar : dots - f->levels * f->each > 1 ? 2 : bar;
    f->h = f->levels * f->each + f->bar;
}

/* The level of row i of levels, counted from below; the last one is that of the cycle's end. */
static int level_of(const ss_cone *c, const fit *f, int i)
{
    return c->k - (f->levels - 1 - i) * f->stride;
}

/* The column of the point of the line. */
static int column_of(const ss_cone *c, const fit *f, int x)
{
    int from = f->left ? (columns(f->left, f->skip) + 1) * f->wide : 0;
    return from + (x - c->span.lo) / f->skip * f->wide;
}

/* The first of the points of a column; -1: it is blank. */
static int point_of(const ss_cone *c, const fit *f, int column)
{
    int i = column / f->wide, left = f->left ? columns(f->left, f->skip) + 1 : 0;
    int block = columns(c->span.hi - c->span.lo, f->skip);
    if (i < left)
        return i == left - 1 ? -1 : c->span.lo - f->left + i * f->skip;
    i -= left;
    if (i < block)
        return c->span.lo + i * f->skip;
    return i == block ? -1 : c->span.hi + (i - block - 1) * f->skip;
}

static int ground(const ss_cone *c, int x)
{
    if (x < c->span.lo || x >= c->span.hi)
        return BESIDE;
    return x < c->span.wlo || x >= c->span.whi ? THROWN : KEPT;
}

/* The largest of the values of a column's points, which do not leave the block. */
static float value_of(const ss_cone *c, const fit *f, int s, int x)
{
    int end = x < c->span.lo ? c->span.lo : x < c->span.hi ? c->span.hi : c->first + c->n;
    float most = 0;
    for (int i = x; i < x + f->skip && i < end; i++)
        most = ss_cone_at(c, s, i) > most ? ss_cone_at(c, s, i) : most;
    return most;
}

static uint8_t dot_of(const ss_cone *c, const fit *f, const ss_range *range, int s, int x)
{
    double v = (double)value_of(c, f, s, x);
    int dot = ground(c, x);
    if (v > 0) {
        double at = ss_range_at(range, true, v);
        dot = at > 0 ? (int)(at * (SHADES - 1) + 0.5) : 0;
    }
    return (uint8_t)(s > c->now ? LATER + dot : dot);
}

static void fill_dots(const ss_build *b, const fit *f, const ss_range *range, uint8_t *dot)
{
    const ss_cone *c = &b->snap->cone;
    memset(dot, NO_DOT, (size_t)f->w * (size_t)f->h);
    for (int column = 0; column < f->w; column++) {
        int x = point_of(c, f, column), up = f->h - f->bar;
        for (int y = 0; y < up && x >= 0; y++)
            dot[(up - 1 - y) * f->w + column] = dot_of(c, f, range, level_of(c, f, y / f->each), x);
        if (f->bar && x >= 0)
            dot[(f->h - 1) * f->w + column] = (uint8_t)(BAR_KEPT + ground(c, x) - KEPT);
    }
}

/* --- the picture ------------------------------------------------------------------------------ */

static void add_picture(const ss_build *b, int slot, int w, int h, ss_rect at)
{
    ss_image *im = &b->s->image[2 + slot];
    *im = (ss_image){.owner = b->ui->stages[slot].dot,
                     .w = w,
                     .h = h,
                     .blocks = true,
                     .palette = b->ui->cone_color,
                     .letters = b->ui->cone_letter};
    ss_scene_add(b->s, SS_I_IMAGE, at, SS_C_TEXT)->image = im;
}

/* The levels, with a mark at the present one. */
static void level_axis(const ss_build *b, const fit *f, ss_rect r)
{
    const ss_cone *c = &b->snap->cone;
    ss_edge_axis *e = ss_build_edge(b, 2, r, NULL);
    double row = f->stride / (double)f->each;
    int most = r.h / 2 < SS_TICK_MAX - 1 ? r.h / 2 : SS_TICK_MAX - 1;
    int step = most > 0 ? (c->k + most - 1) / most : c->k;
    step = step < 2 ? 1 : step < 3 ? 2 : step < 5 ? 4 : (step + 4) / 5 * 5;
    e->axis.lo = level_of(c, f, 0) - row * (0.5 * f->each + f->bar);
    e->axis.hi = c->k + row * 0.5 * f->each;
    for (int s = 0; s + step <= c->k; s += step)
        ss_axis_add(&e->axis, s, ss_text("%d", s));
    ss_axis_add(&e->axis, c->k, ss_text("%d", c->k));
    if (b->extent.dots_x <= 2)
        e->mark[e->nmark++] = c->now;
}

/* --- words ------------------------------------------------------------------------------------ */

/* Are there overlaps from which a cycle is exact? If not, the two wedges of a block meet. */
static bool can_be_exact(const ss_cone *c)
{
    return 2 * (c->k - 1) < c->block;
}

/* "▾ exact from 22": at the first column that is exact in the end if nothing else is stale. The
 * text ends before column `end`. */
static void tip(const ss_build *b, const fit *f, ss_rect picture, int y, int end)
{
    const ss_cone *c = &b->snap->cone;
    int need = 2 * (c->k - 1), first = c->span.lo + c->k - 1, last = c->span.hi - c->k;
    if (!c->wedge)
        return;
    bool left = c->frozen[0] && c->span.hi - c->span.lo >= 2 * c->k - 1;
    if (!can_be_exact(c)) {
        ss_scene_text(b->s, picture.x, y, picture.w, SS_C_DIM, 0,
                      ss_text("the wedges meet: exact needs k ≤ %d", (c->block + 1) / 2));
        return;
    }
    int at = picture.x + column_of(c, f, left ? first : last) * picture.w / f->w;
    for (int i = 0; i < 2; i++) {
        const char *text = ss_text("▾ exact from %s%d", i == 0 ? "overlap " : "", need);
        if (ss_text_width(text) <= ss_build_letters(b, end - at)) {
            ss_scene_text(b->s, at, y, end - at, SS_C_ACCENT, 0, text);
            return;
        }
    }
    ss_scene_text_right(b->s, at + 1, y, at - picture.x, SS_C_ACCENT, 0,
                        ss_text("exact from %d ▾", need));
}

static void colour_bar(const ss_build *b, const ss_range *range, ss_rect r)
{
    ss_image *im = &b->s->image[4];
    if (!range->valid)
        return;
    ss_scene_text(b->s, r.x, r.y, 7, SS_C_DIM, SS_SMALL, "|stale|");
    r.x += 8, r.w -= 8;
    *im = (ss_image){.range = *range, .log = true};
    im->map = ss_colormap_find(ss_layer_labels[SS_STALENESS].map);
    ss_build_bar_line(b, im, r);
}

/* --- the swept rule's triangle ---------------------------------------------------------------- */

/* Level s of a block of n points, without its neighbours: points s ... n - 1 - s. */
static void fill_triangle(const ss_cone *c, const fit *f, int w, uint8_t *dot)
{
    int n = c->span.hi - c->span.lo, up = f->h - f->bar;
    memset(dot, NO_DOT, (size_t)w * (size_t)f->h);
    for (int y = 0; y < up; y++)
        for (int column = 0; column < w; column++) {
            int s = level_of(c, f, y / f->each), x = column / f->wide * f->skip;
            if (x >= s && x < n - s)
                dot[(up - 1 - y) * w + column] = TRIANGLE;
        }
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Rows of a figure of height h, in the order in which they are left out. */
typedef struct lines {
    int titles, tip, captions, bar;
} lines;

static lines lines_of(int h, bool two)
{
    return (lines){
        .titles = two && h >= 13, .tip = h >= 9, .bar = h >= 10, .captions = h >= 12 ? 2 : h >= 5};
}

enum { GUTTER = 3, GAP = 3, LEAST_COLS = 10, PAIR_COLS = 40, ROOMY_COLS = 56 };

/* The columns that both pictures need, at their scale. */
static int both_columns(const ss_cone *c, bool fine)
{
    int block = c->span.hi - c->span.lo;
    return fine ? PAIR_COLS : 2 * GUTTER + GAP + 2 * block + 6;
}

/* The longest of two texts that fits w columns. */
static void title(const ss_build *b, ss_rect r, const char *full, const char *brief)
{
    bool fits = ss_text_width(full) <= ss_build_letters(b, r.w);
    ss_scene_text(b->s, r.x, r.y, r.w, SS_C_TEXT, 0, fits ? full : brief);
}

/* The exact points of both, in words above them. */
static void titles(const ss_build *b, ss_rect left, ss_rect right, int y)
{
    const char *name = b->snap->solver_name ? b->snap->solver_name : b->snap->solver;
    left.y = right.y = y;
    title(b, left, ss_text("%s: exact outside the wedges", name),
          ss_text("%s: green is exact", name));
    title(b, right, "swept, without a halo: the exact values", "swept, no halo: exact");
}

static void captions(const ss_build *b, ss_rect r)
{
    for (int i = 0; i < r.h && i < 2; i++)
        ss_scene_text(b->s, r.x, r.y + i, r.w, i == 0 ? SS_C_TEXT : SS_C_DIM, 0,
                      sentence(&b->snap->cone, r.h == 1 || i == 1, ss_build_letters(b, r.w)));
}

void ss_build_cone(const ss_build *b, ss_rect r)
{
    const ss_cone *c = &b->snap->cone;
    bool fine = b->extent.dots_x > 2, two = c->wedge && r.w >= both_columns(c, fine);
    lines in = lines_of(r.h, two);
    int rows = r.h - in.titles - in.tip - in.captions - in.bar, top = r.y + in.titles + in.tip;
    fit f = {0};
    if (!c->there || r.w < GUTTER + LEAST_COLS || rows < 2)
        return;
    int block = c->span.hi - c->span.lo, room = r.w - GUTTER - (fine ? GAP : 0);
    if (two)
        room = r.w - GUTTER - GAP - (fine ? GAP : block);
    int most = fine ? SS_STAGE_DOTS_X : room < SS_STAGE_DOTS_X ? room : SS_STAGE_DOTS_X;
    fit_columns(c, most, two && r.w < ROOMY_COLS ? 0 : block / 4, fine, &f);
    int dots = rows * b->extent.dots_y;
    fit_rows(c, dots < SS_STAGE_DOTS_Y ? dots : SS_STAGE_DOTS_Y, fine, &f);
    int high = fine ? rows : (f.h + b->extent.dots_y - 1) / b->extent.dots_y;
    f.h = fine ? f.h : high * b->extent.dots_y;
    int other_w = columns(block, f.skip) * f.wide;
    ss_rect picture = {r.x + GUTTER, top, fine ? room : f.w, high};
    for (; two && !fine && f.wide > 1 && f.w + other_w > r.w - GUTTER - GAP; f.wide--) {
        f.w = f.w / f.wide * (f.wide - 1);
        other_w = other_w / f.wide * (f.wide - 1);
    }
    if (!fine)
        picture.w = f.w;
    if (two && fine) /* cells of both are equally wide */
        picture.w = room * f.w / (f.w + other_w);
    ss_range range = range_of(b);
    make_palette(b);
    fill_dots(b, &f, &range, b->ui->stages[0].dot);
    add_picture(b, 0, f.w, f.h, picture);
    level_axis(b, &f, (ss_rect){r.x, top, GUTTER, high});
    if (two) {
        int x = picture.x + picture.w + GAP;
        ss_rect other = {x, top, fine ? room - picture.w : other_w, high};
        fill_triangle(c, &f, other_w, b->ui->stages[1].dot);
        add_picture(b, 1, other_w, f.h, other);
        other.w = r.x + r.w - x;
        picture.w += GAP - 1;
        if (in.titles)
            titles(b, picture, other, r.y);
        picture.w -= GAP - 1;
    }
    if (in.tip)
        tip(b, &f, picture, top - 1, two ? picture.x + picture.w + GAP : r.x + r.w);
    captions(b, (ss_rect){r.x + 1, top + high, r.w - 2, in.captions});
    if (in.bar)
        colour_bar(b, &range, (ss_rect){r.x + 1, top + high + in.captions, r.w - 3, 1});
}

/* --- where it is shown ------------------------------------------------------------------------ */

/* Not while a lesson asks how deep it is. */
bool ss_has_cone(const ss_build *b)
{
    return (b->snap->cone.there || b->snap->cone.why) && !ss_page_awaits(b->ui);
}

ss_panel_id ss_cone_panel(const ss_build *b)
{
    const ss_rect *panel = b->l->panel;
    if (b->snap->dim == 1 && panel[SS_PANEL_RASTER].w)
        return SS_PANEL_RASTER;
    return b->snap->dim > 1 && panel[SS_PANEL_PROFILE].w ? SS_PANEL_PROFILE : SS_PANEL_PLOT;
}

/* Without being asked for: instead of the space-time diagram, and with the layer of staleness
 * instead of its mean by position. */
bool ss_shows_cone(const ss_build *b, ss_panel_id panel)
{
    bool fits = panel == SS_PANEL_RASTER || b->snap->view.layer == SS_STALENESS;
    bool asked = b->ui->cone == SS_CONE_ON;
    bool automatic =
        b->ui->cone == SS_CONE_AUTO && b->snap->cone.there && fits && panel != SS_PANEL_PLOT;
    return ss_has_cone(b) && ss_cone_panel(b) == panel && (asked || automatic);
}

int ss_cone_tabs(const ss_build *b, ss_panel_id panel)
{
    const char *names[] = {panel == SS_PANEL_RASTER ? "space-time" : "position", "cone"};
    bool enabled[] = {true, b->snap->cone.there};
    const ss_tabs tabs = {names, NULL, 2, ss_shows_cone(b, panel), enabled, "view panel %s", 0};
    return ss_build_tabs(b, b->l->panel[panel], &tabs);
}

void ss_build_cone_in(const ss_build *b, ss_panel_id panel, int from)
{
    ss_rect r = b->l->panel[panel];
    if (!b->snap->cone.there) {
        ss_build_nothing(b, r, b->snap->cone.why);
        return;
    }
    ss_build_unit(b, r, from, ss_cone_place(b));
    ss_build_cone(b, ss_layout_inside(b->l, r));
}

/* The axes' names on the upper edge. Where there is little room, only those that tell something. */
int ss_build_axes(const ss_build *b, ss_rect r)
{
    const char *names[SS_NOVER + 1];
    bool tells[SS_NOVER + 1], cone = ss_has_cone(b) && ss_cone_panel(b) == SS_PANEL_PLOT;
    for (int i = 0; i < SS_NOVER; i++)
        tells[i] = ss_over_tells(b->snap, (ss_over)i), names[i] = ss_over_names[i];
    names[SS_NOVER] = "cone", tells[SS_NOVER] = b->snap->cone.there;
    int on = ss_shows_cone(b, SS_PANEL_PLOT) ? SS_NOVER : (int)b->ui->over;
    bool letters = b->l->head == 1; /* the y axis has no title of its own */
    int keep = on < SS_NOVER && letters ? ss_text_width(SS_RESIDUAL_SHORT) + 4 : 0;
    const ss_tabs tabs = {names, NULL, SS_NOVER + cone, on, tells, "view panel %s", keep};
    return ss_build_tabs(b, r, &tabs);
}
