/* The space-time diagrams: the panel of 1D runs, rows at equal steps of time; and the diagram of
 * one cycle ("theatre"): which block computes which point when, drawn from the cells that
 * src/run/theatre.c evaluated. See build.h. Main thread only. */
#include <math.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- 1D runs ---------------------------------------------------------------------------------- */

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
    ss_edge_axis *e = ss_build_edge(b, 0, r, NULL);
    ss_raster *ring = &b->ui->raster;
    double lo = ((double)(top - rows) + 0.5) * ring->width, hi = ((double)top + 0.5) * ring->width;
    double first = ss_raster_at(ring, 0)->time;
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
}

static void colour_bar(const ss_build *b, const ss_image *im, ss_rect bar)
{
    ss_build_pin(b, &bar, false);
    ss_rect colours = ss_build_bar_line(b, im, (ss_rect){bar.x + 1, bar.y, bar.w - 2, 1});
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
        ss_build_x_axis(b, &ss_build_edge(b, 1, (ss_rect){at.x, at.y + at.h, at.w, 1}, "x")->axis,
                        new->x0, new->x1, at.w / 7);
    ss_build_corner(b, panel, from, b->snap->kind == SS_TRANSIENT ? "time t ↑" : "cycles ↑");
    colour_bar(b, im, b->l->raster_bar);
}

/* --- one cycle: dots -------------------------------------------------------------------------- */

/* The bits of a dot: owner | phase | computed by now | passed to a neighbour; and the empty dot. */
enum { OWNER_BITS = 3, PHASE_SHIFT = 2, DONE = 32, PASSED = 64, NOTHING = 255 };

static uint8_t dot_of(const ss_stage_cell *cell, bool passed, int now)
{
    bool done = now <= 0 || cell->tick <= now;
    return (uint8_t)((cell->owner & OWNER_BITS) | cell->phase << PHASE_SHIFT | (done ? DONE : 0) |
                     (passed ? PASSED : 0));
}

/* Share of white or black that a phase mixes in: the hue is the owner, the lightness the phase. */
static const struct shade {
    ss_theme_role into;
    double amount;
    const char *letters; /* letters of owners, for terminals without colour */
} shades[SS_NPHASE] = {[SS_PHASE_START] = {SS_C_PANEL, 0.55, "...."},
                       [SS_PHASE_TRIANGLE] = {SS_C_TEXT, 0, "AaAa"},
                       [SS_PHASE_DIAMOND] = {SS_C_TEXT, 0.35, "XxXx"},
                       [SS_PHASE_CLOSING] = {SS_C_PANEL, 0.35, "VvVv"},
                       [SS_PHASE_IDLE] = {SS_C_PANEL, 0.9, "    "}};

static void make_palette(const ss_build *b)
{
    const ss_rgb *theme = b->s->theme->color;
    for (int i = 0; i < 128; i++) {
        int phase = i >> PHASE_SHIFT & 7;
        const struct shade *s = &shades[phase < SS_NPHASE ? phase : 0];
        ss_rgb c = ss_rgb_mix(ss_owner_color(i & OWNER_BITS), theme[s->into], s->amount);
        if (i & PASSED)
            c = ss_rgb_mix(c, theme[SS_C_TEXT], 0.75);
        if (!(i & DONE))
            c = ss_rgb_mix(c, theme[SS_C_PANEL], 0.8);
        b->ui->stage_color[i] = c;
        b->ui->stage_letter[i] = !(i & DONE) ? ' '
                                 : i & PASSED && phase != SS_PHASE_IDLE
                                     ? '/'
                                     : s->letters[i & OWNER_BITS];
    }
    b->ui->stage_color[NOTHING] = theme[SS_C_PANEL];
    b->ui->stage_letter[NOTHING] = ' ';
}

/* --- one cycle: the visible nodes and levels -------------------------------------------------- */

/* Whole nodes of equal width in columns, and levels of equal height in dots. */
typedef struct fit {
    int nodes, each; /* shown nodes, cells per node */
    int skip, wide;  /* cells per column, columns per cell: one of the two is 1 */
    int w, h, rows;  /* of the picture, in dots; dots per level */
} fit;

static fit fit_nodes(const ss_theatre *t, const ss_stage *s, int w, int h)
{
    fit best = {0};
    int each = s->cols / (t->nodes > 0 ? t->nodes : 1);
    for (int nodes = 1; nodes <= t->nodes; nodes++)
        for (int skip = 1; skip <= each; skip++) {
            if (each % skip || nodes * each / skip > w)
                continue;
            int wide = w / (nodes * each / skip);
            fit f = {nodes, each, skip, skip > 1 ? 1 : wide, 0, 0, 0};
            f.w = nodes * each / skip * f.wide;
            if (f.w >= best.w)
                best = f;
            break;
        }
    best.rows = h / s->rows > 0 ? h / s->rows : 1;
    best.h = s->rows * best.rows < h ? s->rows * best.rows : h;
    return best;
}

/* The stride between shown levels, so that each has a minimum height in pixels. */
static int level_stride(const ss_stage *s, int pixels)
{
    const double least = 4.5;
    int stride = 1;
    for (; stride < s->rows - 1; stride++) {
        int levels = (s->rows - 1) / stride + 1;
        if (levels * least <= pixels)
            break;
    }
    return stride;
}

/* In pixels: all nodes, one dot per cell and per shown level. */
static fit fine_nodes(const ss_theatre *t, const ss_stage *s, int w, int pixels)
{
    int nodes = t->nodes > 0 ? t->nodes : 1, each = s->cols / nodes, skip = 1;
    int levels = (s->rows - 1) / level_stride(s, pixels) + 1;
    while (skip < each && (each % skip || nodes * each / skip > w))
        skip++;
    int across = nodes * each / skip;
    return (fit){nodes,  each, skip, 1, across < SS_STAGE_DOTS_X ? across : SS_STAGE_DOTS_X,
                 levels, 1};
}

/* The middle cell of a column, marked as passed if any matching cell of the column is. */
static uint8_t column_dot(const ss_stage *s, const fit *f, int row, int column, int now)
{
    int at = column / f->wide * f->skip, middle = at + f->skip / 2;
    const ss_stage_cell *cell = &s->cell[row][middle];
    bool passed = cell->passed;
    for (int i = at; i < at + f->skip; i++)
        passed |= s->cell[row][i].passed && s->cell[row][i].tick == cell->tick &&
                  s->cell[row][i].owner == cell->owner;
    return dot_of(cell, passed, now);
}

/* Time goes up. */
static void fill_dots(const ss_stage *s, const fit *f, int now, uint8_t *dot, int w, int h)
{
    memset(dot, NOTHING, (size_t)w * (size_t)h);
    for (int y = 0; y < f->h; y++) {
        int row = f->rows > 1 || f->h == s->rows ? y / f->rows : y * (s->rows - 1) / (f->h - 1);
        for (int x = 0; x < f->w; x++)
            dot[(h - 1 - y) * w + x] = column_dot(s, f, row, x, now);
    }
}

/* --- one cycle: a picture with its caption ---------------------------------------------------- */

static const ss_stage *stage_of(const ss_theatre *t, ss_stage_id which)
{
    return which == SS_DIAMONDS ? &t->diamonds : which == SS_LANES ? &t->lanes : &t->classic;
}

static bool put_caption(const ss_build *b, ss_rect r, const char *text)
{
    bool fine = b->extent.dots_x > 2; /* proportional text is narrower than its cells */
    int w = ss_text_width(text);
    if (fine ? w * 6 > r.w * 10 : w > r.w)
        return false;
    ss_put_in(b, r, SS_C_FAINT, SS_CENTRE, text);
    return true;
}

/* The captions of a diagram, the longest first. The text's colour is mixed in: on a light ground
 * the later a phase, the darker. */
static void captions(const ss_build *b, ss_stage_id which, const char *out[3])
{
    const ss_theatre *t = &b->snap->theatre;
    const ss_rgb *theme = b->s->theme->color;
    bool light = ss_rgb_lightness(theme[SS_C_PANEL]) > ss_rgb_lightness(theme[SS_C_TEXT]);
    const char *first = light ? "bright" : "dark", *last = light ? "dark" : "bright";
    const char *edge = light ? "black" : "grey", *idle = light ? "pale" : "dark";
    if (which == SS_CLASSIC) {
        out[0] = ss_text("a message for every sub-step: %d launches%s", t->levels,
                         t->swept ? " against 2" : "");
        out[1] = "a message for every sub-step";
        out[2] = "a message per sub-step";
    } else if (which == SS_DIAMONDS) {
        out[0] = ss_text("%s: triangle, %s: edge passed on, %s: diamond; one hue per block", first,
                         edge, last);
        out[1] = ss_text("triangle %s, edge %s, diamond %s", first, edge, last);
        out[2] = ss_text("triangle, edge (%s), diamond", edge);
    } else {
        out[0] = ss_text("activity of each lane, tick by tick; %s: idle", idle);
        out[1] = ss_text("tick by tick; %s lanes idle", idle);
        out[2] = ss_text("%s lanes idle", idle);
    }
}

/* The longest caption that fits. */
static void caption(const ss_build *b, ss_rect r, ss_stage_id which, int shown)
{
    const ss_theatre *t = &b->snap->theatre;
    int all = which == SS_LANES ? t->ticks - 1 : t->levels, stride = 1;
    const char *text[3], *more = "";
    if (shown > 1)
        stride = (all + (shown - 1) / 2) / (shown - 1);
    captions(b, which, text);
    if (stride > 1)
        more = ss_text(" · one %s in %d", which == SS_LANES ? "tick" : "level", stride);
    for (int i = 0; i < 3; i++)
        if (put_caption(b, r, ss_text("%s%s", text[i], more)))
            return;
}

void ss_build_theatre(const ss_build *b, ss_rect r, ss_stage_id which)
{
    const ss_theatre *t = &b->snap->theatre;
    const ss_stage *s = stage_of(t, which);
    int slot = which == SS_CLASSIC;
    ss_image *im = &b->s->image[2 + slot];
    bool words = r.h >= 4;
    int lines = r.h - words, dots_y = lines * b->extent.dots_y;
    if (!t->there || s->rows < 2 || s->cols < 1 || r.w < 4 || dots_y < 2)
        return;
    int w = r.w < SS_STAGE_DOTS_X ? r.w : SS_STAGE_DOTS_X;
    bool fine = b->extent.dots_x > 2;
    fit f = fine ? fine_nodes(t, s, r.w * b->extent.dots_x / 4, dots_y)
                 : fit_nodes(t, s, w, dots_y < SS_STAGE_DOTS_Y ? dots_y : SS_STAGE_DOTS_Y);
    if (f.w < 1 || f.h > SS_STAGE_DOTS_Y)
        return;
    double dot = 14 * (b->extent.scale > 1 ? b->extent.scale : 1); /* the largest */
    int most = (int)ceil(f.h * dot / b->extent.dots_y);
    int high =
        fine ? (most < lines ? most : lines) : (f.h + b->extent.dots_y - 1) / b->extent.dots_y;
    int dots_high = fine ? f.h : high * b->extent.dots_y;
    int now = which == SS_CLASSIC && t->swept ? 0 : b->snap->peek;
    make_palette(b);
    fill_dots(s, &f, now, b->ui->stages[slot].dot, f.w, dots_high);
    *im = (ss_image){.owner = b->ui->stages[slot].dot,
                     .w = f.w,
                     .h = dots_high,
                     .blocks = true,
                     .palette = b->ui->stage_color,
                     .letters = b->ui->stage_letter};
    int wide = fine ? r.w : f.w;
    ss_rect at = {r.x + (r.w - wide) / 2, r.y + (lines - high) / 2, wide, high};
    ss_scene_add(b->s, SS_I_IMAGE, at, SS_C_TEXT)->image = im;
    ss_scene_hit(b->s, SS_H_CHART, at, NULL, b->s->nitem - 1);
    ss_stage_dots *d = &b->ui->stages[slot];
    d->which = which;
    d->w = f.w, d->h = dots_high, d->skip = f.skip, d->wide = f.wide, d->rows = f.rows;
    d->top = dots_high - f.h;
    if (words)
        caption(b, (ss_rect){r.x, at.y + high, r.w, 1}, which, fine ? f.h : 0);
}

/* --- one cycle: values ------------------------------------------------------------------------ */

const char *ss_theatre_value(const ss_build *b, int slot, ss_xy part)
{
    static const char *const phases[SS_NPHASE] = {[SS_PHASE_START] = "known at the start",
                                                  [SS_PHASE_TRIANGLE] = "triangle",
                                                  [SS_PHASE_DIAMOND] = "diamond",
                                                  [SS_PHASE_CLOSING] = "closing triangle",
                                                  [SS_PHASE_IDLE] = "idle"};
    const ss_stage_dots *d = &b->ui->stages[slot];
    const ss_theatre *t = &b->snap->theatre;
    const ss_stage *s = stage_of(t, d->which);
    int x = (int)(part.x * d->w), up = d->h - 1 - (int)(part.y * d->h), level = d->h - d->top;
    if (d->w < 1 || x < 0 || x >= d->w || up < 0 || up >= level)
        return NULL;
    int row = d->rows > 1 || level == s->rows ? up / d->rows : up * (s->rows - 1) / (level - 1);
    const ss_stage_cell *cell = &s->cell[row][x / d->wide * d->skip + d->skip / 2];
    int all = d->which == SS_LANES ? t->ticks - 1 : t->levels, last = s->rows - 1;
    int block =
        t->first + (cell->owner + SS_STAGE_NODES - t->first % SS_STAGE_NODES) % SS_STAGE_NODES;
    return ss_text("block %d · %s %d of %d · %s%s", block, d->which == SS_LANES ? "tick" : "level",
                   (row * all + last / 2) / (last > 0 ? last : 1), all,
                   !t->swept && cell->phase != SS_PHASE_START ? "step" : phases[cell->phase],
                   cell->passed && cell->phase != SS_PHASE_IDLE ? ", passed on" : "");
}
