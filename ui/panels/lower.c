/* The lower panel of a steady run, and its diagrams: the timeline of modelled ranks (ranks.c), CPU
 * and GPU, several devices, by position in the block (chart.c), error by frequency, or tiles by
 * age. See build.h, src/core/split.h. Main thread
 * only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- error by frequency ----------------------------------------------------------------------- */

/* The points of a stretch of bands, each at its band's middle, from band *from on. Bands without
 * modes are left out. A stretch begins and ends at amplitudes below `least`, which it shows on the
 * axis: between two of them there is no line. */
static int points(const ss_bands *bands, double least, int *from, ss_xy *out)
{
    int n = 0;
    for (; *from < bands->n && *from < SS_BAND_MAX; ++*from) {
        double v = bands->rms[*from];
        if (!isfinite(v))
            continue;
        bool ends = v < least && n > 0 && out[n - 1].y > least;
        n -= v < least && n > 0 && !ends; /* only the last one of those below */
        out[n++] = (ss_xy){(*from + 0.5) / bands->n, fmax(v, least)};
        if (ends)
            break;
    }
    return n;
}

static double largest(const ss_bands *bands)
{
    double most = 0;
    for (int i = 0; i < bands->n && i < SS_BAND_MAX; i++)
        if (isfinite(bands->rms[i]))
            most = fmax(most, bands->rms[i]);
    return most;
}

static double smallest(const ss_bands *bands, double least)
{
    double low = (double)INFINITY;
    for (int i = 0; i < bands->n && i < SS_BAND_MAX; i++)
        if (bands->rms[i] > 0)
            low = fmin(low, bands->rms[i]);
    return fmax(low, least);
}

static void add(const ss_build *b, ss_chart *c, const ss_bands *bands, double least, ss_series how,
                const char *legend)
{
    for (int from = 0; from < bands->n && c->nseries < SS_SERIES_MAX;) {
        ss_xy *at = ss_scene_points(b->s, bands->n + 1);
        how.n = at ? points(bands, least, &from, at) : 0;
        how.at = at;
        if (how.n < 2)
            return;
        ss_chart_add(c, how, legend);
        legend = NULL;
    }
}

/* The name of the present spectrum: a large one may be older than the field. */
static const char *now_text(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    if (p->bands_cycle == (int64_t)p->telemetry.value[SS_T_CYCLE])
        return "now";
    return ss_scene_keep(b->s, ss_text("cycle %s", ss_count_text((double)p->bands_cycle)));
}

/* A curve a run, in its colour: where the race is kept level by sweeps, at equal work. */
static void add_racers(const ss_build *b, ss_chart *c, double least)
{
    ss_curve curve[SS_SERIES_MAX];
    int n = ss_race_curves(b->snap, curve);
    for (int i = 0; i < n; i++)
        add(b, c, &b->snap->race.racer[i].bands, least,
            (ss_series){.role = curve[i].role, .dash = curve[i].dash}, NULL);
}

/* Where the error has no part that the axis holds: said, as there is no curve. */
static void now_is_missing(const ss_build *b, ss_rect r, double least)
{
    bool some = largest(&b->snap->bands) > 0;
    const char *text = ss_text("%s: %s%s", now_text(b), some ? "below " : "",
                               some ? ss_tick_text(least, true) : "0");
    const char *full = ss_text("%s at every frequency", text);
    ss_build_foot(b, r, r.x + 1, ss_text_width(full) > r.w - 5 ? text : full);
}

/* The axis holds all curves, twelve decades at most. */
static void range(const ss_build *b, double *lo, double *hi)
{
    const ss_snapshot *p = b->snap;
    for (int i = 0; i < p->race.n; i++)
        *hi = fmax(*hi, largest(&p->race.racer[i].bands));
    *hi = pow(10, ceil(log10(*hi)));
    *lo = fmin(smallest(&p->bands, *hi * 1e-12), *hi * 1e-3);
    for (int i = 0; i < p->race.n; i++)
        *lo = fmin(*lo, smallest(&p->race.racer[i].bands, *hi * 1e-12));
}

static const char *bands_unit(const ss_build *b, ss_rect r)
{
    (void)b;
    return r.w >= 56 ? "rms amplitude of its waves" : "rms amplitude";
}

static const char *no_bands(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    if (p->bands.n >= 2 && (largest(&p->bands) > 0 || largest(&p->bands_start) > 0))
        return NULL;
    return p->bands.n > 0             ? "the error is 0 at every frequency"
           : p->status == SS_DIVERGED ? "the run has diverged"
           : p->busy_reference        ? "computing u*, the exact discrete solution …"
                                      : "waiting for u*, the exact discrete solution";
}

static void fill_bands(const ss_build *b, ss_rect in, ss_chart *c)
{
    const ss_snapshot *p = b->snap;
    double hi = fmax(largest(&p->bands), largest(&p->bands_start)), lo;
    bool race = p->race.n > 0;
    range(b, &lo, &hi);
    c->x_label = b->edges ? "frequency / highest" : "";
    ss_axis_make(&c->x, 0, 1, false, false, in.w / 8);
    ss_axis_make(&c->y, lo, hi, true, true, in.h / 2);
    c->zone[0][0] = 0.5, c->zone[0][1] = 1;
    c->nzone = 1;
    c->zone_label = in.w >= 40 ? "not resolved by a coarser grid" : "high";
    add(b, c, &p->bands_start, lo,
        (ss_series){.role = race ? SS_C_DIM : SS_C_SERIES2, .dots = true}, "start");
    int before = c->nseries;
    if (race)
        add_racers(b, c, lo);
    else
        add(b, c, &p->bands, lo, (ss_series){.role = SS_C_SERIES1}, now_text(b));
    if (!race && c->nseries == before)
        now_is_missing(b, b->l->panel[SS_PANEL_PROFILE], lo);
}

/* --- several devices -------------------------------------------------------------------------- */

/* Where the time of a cycle goes on each: two bars per device, one per stream, on one linear axis
 * from the begin of the cycle. */

enum { DEVICE = 13, TIME = 9 }; /* columns left and right of the bars */

/* n blocks of one colour; returns the column after them. */
static int blocks(const ss_build *b, int x, int y, int n, ss_theme_role role)
{
    ss_scene_text(b->s, x, y, n, role, 0, ss_build_blocks(n));
    return x + (n > 0 ? n : 0);
}

/* Columns of a time; times that are not zero have at least one. */
static int columns(double seconds, double longest, int width)
{
    int n = (int)(seconds / longest * width + 0.5);
    return n > 0 || seconds <= 0 ? n : 1;
}

static void label(const ss_build *b, ss_rect in, int y, const char *name, const char *help,
                  double seconds)
{
    ss_scene_text(b->s, in.x, y, DEVICE - 1, SS_C_DIM, 0, name);
    ss_scene_text_right(b->s, in.x + in.w, y, TIME - 1, SS_C_TEXT, SS_FIGURE,
                        ss_si_text(seconds, "s"));
    ss_scene_hit(b->s, SS_H_WORDS, (ss_rect){in.x, y, in.w, 1}, help, 0);
}

static double cycle_of(const ss_share *s)
{
    return fmax(s->edge + s->exchange, s->interior + s->wait);
}

static void device(const ss_build *b, ss_rect in, int y, const ss_share *s, double longest)
{
    int width = in.w - DEVICE - TIME, x = in.x + DEVICE;
    label(b, in, y, ss_text("%d interior", s->device),
          "the rows that no other device needs; then the device waits", s->interior);
    int end = blocks(b, x, y, columns(s->interior, longest, width), SS_C_SERIES1);
    int wait = columns(s->wait, longest, width), room = x + width - end;
    blocks(b, end, y, wait < room ? wait : room, SS_C_FAINT);
    label(b, in, y + 1, "  edge, halo",
          "the rows that a neighbour needs, computed first; then the halo from the neighbours",
          s->edge + s->exchange);
    end = blocks(b, x, y + 1, columns(s->edge, longest, width), SS_C_SERIES2);
    blocks(b, end, y + 1, columns(s->exchange, longest, width), SS_C_SERIES3);
}

int ss_build_shares(const ss_build *b, ss_rect in, int y)
{
    static const struct {
        const char *name;
        ss_theme_role role;
    } legend[] = {{"interior", SS_C_SERIES1},
                  {"edge", SS_C_SERIES2},
                  {"exchange", SS_C_SERIES3},
                  {"wait", SS_C_FAINT}};
    const ss_shares *s = &b->snap->shares;
    double longest = 0;
    int x = in.x + 17, rows = 1 + 2 * s->count;
    if (s->count == 0 || y + rows > in.y + in.h || in.w < DEVICE + TIME + 10)
        return 0;
    for (int i = 0; i < s->count; i++)
        longest = fmax(longest, cycle_of(&s->of[i]));
    ss_scene_text(b->s, in.x, y, in.w, SS_C_TEXT, SS_BOLD, "Devices, a cycle");
    for (size_t i = 0; i < sizeof legend / sizeof *legend; i++) {
        ss_scene_text(b->s, x, y, in.x + in.w - x, legend[i].role, 0, legend[i].name);
        x += (int)strlen(legend[i].name) + 1;
    }
    for (int i = 0; i < s->count && longest > 0; i++)
        device(b, in, y + 1 + 2 * i, &s->of[i], longest);
    return rows + 1;
}

/* --- a hybrid run: the model ------------------------------------------------------------------ */

/* The paper's figure 6 with the measured point. */

enum { CURVE = 65 }; /* points of T(x) */

static double percent(const ss_split *s, double seconds)
{
    return 100 * seconds / s->cost.gpu;
}

/* The share of the rows up to which the model is shown: the crossing is in the middle, unless our
 * point is farther. */
static double widest(const ss_split *s)
{
    double own = (double)s->rows / s->all;
    return fmin(1, fmax(2 * ss_split_best(&s->cost), 1.25 * own));
}

/* The time of a share x of the rows, in parts of a second. */
typedef double share_time(const ss_split *s, double x);

static double gpu_time(const ss_split *s, double x)
{
    return (1 - x) * s->cost.gpu;
}

static double cpu_time(const ss_split *s, double x)
{
    return x * ss_split_cpu(&s->cost, x);
}

/* With the exchange on top of the longer part. */
static double total_time(const ss_split *s, double x)
{
    return ss_split_time(&s->cost, s->k, x);
}

/* n points of a curve up to the share x1, each `off` steps behind its place. */
static void add_share(const ss_build *b, ss_chart *c, double x1, share_time *time, int n,
                      double off, ss_series how, const char *legend)
{
    const ss_split *s = &b->snap->split;
    ss_xy *at = ss_scene_points(b->s, n);
    for (int i = 0; at && i < n; i++) {
        double x = x1 * (i + off) / (off > 0 ? n : n - 1);
        at[i] = (ss_xy){100 * x, percent(s, time(s, x))};
    }
    how.at = at, how.n = n;
    if (at)
        ss_chart_add(c, how, legend);
}

static void add_point(const ss_build *b, ss_chart *c, const ss_split *s)
{
    ss_xy *at = s->measured > 0 ? ss_scene_points(b->s, 1) : NULL;
    if (!at)
        return;
    at[0] = (ss_xy){100.0 * s->rows / s->all, percent(s, s->measured)};
    ss_chart_add(c, (ss_series){.at = at, .n = 1, .role = SS_C_ACCENT, .points = 2}, "measured");
}

static void model(const ss_build *b, ss_rect in)
{
    const ss_split *s = &b->snap->split;
    ss_chart *c = &b->s->chart[2];
    double x1 = widest(s), best = ss_split_best(&s->cost), top = percent(s, s->measured);
    *c = (ss_chart){.x_label = "% of the rows on the CPU", .y_label = "% of the GPU alone"};
    top = fmax(top, percent(s, ss_split_time(&s->cost, s->k, best)));
    ss_axis_make(&c->x, 0, 100 * x1, false, false, in.w / 8);
    ss_axis_make(&c->y, 0, fmin(300, fmax(150, 1.1 * top)), false, true, in.h / 2);
    add_share(b, c, x1, cpu_time, CURVE, 0, (ss_series){.role = SS_C_SERIES1}, "CPU");
    add_share(b, c, x1, gpu_time, 2, 0, (ss_series){.role = SS_C_SERIES2}, "GPU");
    add_share(b, c, x1, total_time, CURVE, 0.5, (ss_series){.role = SS_C_SERIES3, .dots = true},
              "T, with exchange");
    add_point(b, c, s);
    ss_chart_mark *m = &c->mark[c->nmark++];
    m->x = 100 * best;
    snprintf(m->text, sizeof m->text, "%.3g %%", m->x);
    c->has_level = true;
    c->level = 100;
    snprintf(c->level_text, sizeof c->level_text, "GPU alone");
    c->x_name = c->x_label, c->y_name = c->y_label;
    ss_build_chart(b, c, SS_X_SHARE, in, (ss_rect){0, 0, 0, 0});
}

/* --- a hybrid run: where the time goes -------------------------------------------------------- */

typedef struct bar {
    const char *label, *help;
    double seconds;
    ss_theme_role role;
} bar;

enum { LABEL = 9, VALUE = 9 };

static void draw_bar(const ss_build *b, ss_rect row, const bar *a, double longest)
{
    int room = row.w - LABEL - VALUE - 2;
    int w = longest > 0 && room > 0 ? (int)lround(room * a->seconds / longest) : 0;
    ss_scene_hit(b->s, SS_H_WORDS, row, a->help, 0);
    ss_scene_text(b->s, row.x, row.y, LABEL, SS_C_DIM, 0, a->label);
    if (w > 0)
        ss_scene_add(b->s, SS_I_FILL, (ss_rect){row.x + LABEL + 1, row.y, w, 1}, a->role);
    ss_scene_text_right(b->s, row.x + row.w, row.y, VALUE, SS_C_TEXT, SS_FIGURE,
                        ss_si_text(a->seconds, "s"));
}

static void bars(const ss_build *b, ss_rect in)
{
    const ss_split_bars *t = &b->snap->split.bars;
    const bar all[] = {
        {"CPU", "the CPU's iterations between two exchanges", t->cpu, SS_C_SERIES1},
        {"kernel", "the GPU's iterations between two exchanges", t->kernel, SS_C_SERIES2},
        {"wait", "time that the part which is ready first waits", t->wait, SS_C_DIM},
        {"D2H", "edge rows from the GPU to the CPU", t->down, SS_C_SERIES3},
        {"H2D", "edge rows from the CPU to the GPU", t->up, SS_C_SERIES3},
        {"exchange", "all that an exchange adds: launches, both copies, waiting for them",
         t->exchange, SS_C_ACCENT},
    };
    double longest = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        longest = fmax(longest, all[i].seconds);
    for (int i = 0; i < (int)(sizeof all / sizeof *all) && i < in.h; i++)
        draw_bar(b, (ss_rect){in.x, in.y + i, in.w, 1}, &all[i], longest);
}

/* --- a hybrid run: the panel ------------------------------------------------------------------ */

/* "720 of 16,384 rows · model 1.43 ms · measured 1.44 ms" */
static void foot(const ss_build *b, ss_rect r)
{
    const ss_split *s = &b->snap->split;
    const char *text = ss_text(
        "%s of %s rows · model %s · measured %s", ss_count_text(s->rows), ss_count_text(s->all),
        ss_si_text(total_time(s, (double)s->rows / s->all), "s"), ss_si_text(s->measured, "s"));
    ss_build_foot(b, r, r.x + 1, ss_text_parts(text, r.w - 4));
}

/* Why the CPU has no rows, above the model. */
static void refusal(const ss_build *b, ss_rect in)
{
    enum { CHART_ROWS = 6 };
    int lines = ss_build_wrap(b, in, SS_C_TEXT, b->snap->split.refused);
    if (in.h - lines >= CHART_ROWS)
        model(b, (ss_rect){in.x, in.y + lines, in.w, in.h - lines});
}

/* The bars beside the model, or above it where the panel is narrow and high, or not at all. */
static void model_and_bars(const ss_build *b, ss_rect in)
{
    enum { WIDE = 36, CHART_COLS = 30, HIGH = 6, CHART_ROWS = 8 };
    if (in.w >= WIDE + CHART_COLS) {
        ss_rect right = ss_rect_right(&in, WIDE);
        bars(b, (ss_rect){right.x + 2, right.y, WIDE - 2, right.h});
    } else if (in.h >= HIGH + CHART_ROWS) {
        bars(b, ss_rect_top(&in, HIGH));
    }
    model(b, in);
}

static void build_split(const ss_build *b)
{
    const ss_split *s = &b->snap->split;
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    ss_build_frame(b, r, "CPU and GPU");
    if (s->batches < 1 || !(s->cost.gpu > 0) || !(s->cost.cpu > 0)) {
        ss_build_nothing(b, r, "measuring both parts …");
        return;
    }
    ss_rect in = ss_build_chart_room(b, r);
    if (s->refused[0]) {
        refusal(b, in);
        return;
    }
    model_and_bars(b, in);
    foot(b, r);
}

/* --- tiles by age ----------------------------------------------------------------------------- */

static void age_axis(ss_plot_axis *a, int n, int step, int room)
{
    int most = room / 5 < 2 ? 2 : room / 5 < SS_TICK_MAX ? room / 5 : SS_TICK_MAX;
    *a = (ss_plot_axis){.lo = 0, .hi = n - 1};
    for (int i = 0, each = (n + most - 1) / most; i < n; i += each)
        ss_axis_add(a, i, ss_text("%d", i * step));
}

static const char *no_ages(const ss_build *b)
{
    return b->snap->picture.nages > 1 ? NULL : "no launch has been done yet; press , for one";
}

static void fill_ages(const ss_build *b, ss_rect in, ss_chart *c)
{
    const ss_picture *p = &b->snap->picture;
    ss_xy *at = ss_scene_points(b->s, p->nages);
    int most = 0;
    for (int i = 0; at && i < p->nages; i++) {
        at[i] = (ss_xy){i, p->tiles[i]};
        most = p->tiles[i] > most ? p->tiles[i] : most;
    }
    age_axis(&c->x, p->nages, p->age_step, in.w);
    ss_axis_make(&c->y, 0, most > 1 ? most : 1, false, true, in.h / 2);
    if (at)
        ss_chart_add(c, (ss_series){.at = at, .n = p->nages, .role = SS_C_SERIES1, .bars = true},
                     NULL);
    c->x_scale = p->age_step;
}

/* --- the visits of grids in a cycle ----------------------------------------------------------- */

static void add_visits(ss_chart *c, const ss_xy *at, int n, ss_theme_role role, int points)
{
    ss_chart_add(c, (ss_series){.at = at, .n = n, .role = role, .points = points}, NULL);
}

/* A cycle from left to right, the finest grid at the top; what is done is in the first colour. */
static void fill_visits(const ss_build *b, ss_rect in, ss_chart *c)
{
    const ss_snapshot *p = b->snap;
    ss_xy *at = ss_scene_points(b->s, p->nvisit);
    ss_axis_make(&c->x, 0, p->nvisit + 1, false, true, in.w / 6);
    c->y = (ss_plot_axis){.lo = -p->visit.levels - 0.5, .hi = -0.5};
    for (int l = 0, each = (p->visit.levels + 6) / 7; l < p->visit.levels; l += each)
        ss_axis_add(&c->y, -l - 1, ss_text("%d", l + 1));
    if (!at)
        return;
    for (int i = 0; i < p->nvisit; i++)
        at[i] = (ss_xy){i + 1, -p->visit_level[i] - 1};
    int done = p->peek < p->nvisit ? p->peek : p->nvisit;
    add_visits(c, at, done, SS_C_SERIES1, 0);
    add_visits(c, at + done, p->nvisit - done, SS_C_FAINT, 1);
    add_visits(c, at, done, SS_C_SERIES1, 1);
    add_visits(c, at + done - 1, 1, SS_C_ACCENT, 2);
}

/* --- several devices: the panel --------------------------------------------------------------- */

static void devices(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PROFILE], in = ss_build_chart_room(b, r);
    ss_build_frame(b, r, "Where the time goes");
    if (!ss_build_shares(b, in, in.y))
        ss_build_nothing(b, r, "a larger window shows each device's part of a cycle");
}

/* --- the staleness cone ----------------------------------------------------------------------- */

static void cone(const ss_build *b)
{
    ss_build_cone_in(b, SS_PANEL_PROFILE, ss_cone_tabs(b, SS_PANEL_PROFILE));
}

/* --- the choice ------------------------------------------------------------------------------- */

typedef enum diagram {
    NOTHING,
    BANDS,
    AGES,
    VISITS,
    POSITION,
    RANKS,
    SPLIT,
    DEVICES,
    CONE
} diagram;

static const ss_chart_panel charts[] = {[BANDS] = {.title = "Error by frequency",
                                                   .unit = bands_unit,
                                                   .unit_above = true,
                                                   .empty = no_bands,
                                                   .fill = fill_bands,
                                                   .x_is = SS_X_FREQUENCY,
                                                   .x_name = "frequency / highest",
                                                   .y_name = "rms amplitude of the error"},
                                        [AGES] = {.title = "Tiles by age",
                                                  .words = "tiles, by sweeps ahead of the slowest",
                                                  .empty = no_ages,
                                                  .fill = fill_ages,
                                                  .x_is = SS_X_AGE,
                                                  .x_label = "",
                                                  .x_name = "sweeps ahead of the slowest",
                                                  .y_name = "tiles"},
                                        [VISITS] = {.title = "Visits of the grids",
                                                    .words = "a mark a sweep; 1: the finest grid",
                                                    .fill = fill_visits,
                                                    .x_is = SS_X_VISIT,
                                                    .x_label = "sweeps of this cycle",
                                                    .x_name = "sweep of the cycle",
                                                    .y_name = "minus the grid, 1: the finest"}};

/* Those that are no charts. */
static void (*const painted[])(const ss_build *b) = {[POSITION] = ss_build_position,
                                                     [RANKS] = ss_build_ranks,
                                                     [SPLIT] = build_split,
                                                     [DEVICES] = devices,
                                                     [CONE] = cone};

static diagram chosen(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    ss_layer layer = p->view.layer;
    if (ss_shows_cone(b, SS_PANEL_PROFILE))
        return CONE;
    if (p->nvisit > 1 && layer != SS_ERROR) /* then the error by frequency tells more */
        return VISITS;
    if (ss_has_timeline(b))
        return RANKS;
    if (p->split.on || p->shares.count > 0)
        return p->split.on ? SPLIT : DEVICES;
    if (layer == SS_AGE && p->layers[SS_AGE])
        return AGES;
    /* The mean of a smooth field is the same at every position of a block: the layers of values
     * come with the error by frequency. */
    bool values = layer != SS_RESIDUAL && layer != SS_ERROR && layer != SS_STALENESS;
    if (ss_has_position(b) && (!values || p->bands_why))
        return POSITION;
    return p->bands_why ? NOTHING : BANDS;
}

bool ss_has_lower(const ss_build *b)
{
    return chosen(b) != NOTHING;
}

void ss_build_lower(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    diagram d = r.w ? chosen(b) : NOTHING;
    ss_build_want_spectrum(b, d == BANDS);
    if (d > VISITS) {
        painted[d](b);
    } else if (d > NOTHING) {
        ss_build_chart_panel(b, &charts[d], r, r.x, &b->s->chart[2]);
    } else if (r.w) { /* no other panel could take its room */
        ss_build_frame(b, r, "Error by frequency");
        ss_build_nothing(b, r, b->snap->bands_why);
    }
}
