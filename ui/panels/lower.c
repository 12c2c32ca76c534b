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

static void add(const ss_build *b, ss_chart *c, const ss_bands *bands, double least,
                const ss_series *how, const char *legend)
{
    for (int from = 0; from < bands->n && c->nseries < SS_SERIES_MAX;) {
        ss_xy *at = ss_scene_points(b->s, bands->n + 1);
        int n = at ? points(bands, least, &from, at) : 0;
        if (n < 2)
            return;
        c->series[c->nseries] = *how;
        c->series[c->nseries].at = at;
        c->series[c->nseries].n = n;
        c->legend[c->nseries++] = legend;
        legend = NULL;
    }
}

/* The name of the present spectrum: a large one may be older than the field. */
static const char *now_text(const ss_build *b)
{
    char text[48], n[32];
    const ss_snapshot *p = b->snap;
    if (p->bands_cycle == (int64_t)p->telemetry.value[SS_T_CYCLE])
        return "now";
    snprintf(text, sizeof text, "cycle %s", ss_count_text((double)p->bands_cycle, n, sizeof n));
    return ss_scene_keep(b->s, text);
}

/* A curve a run, in its colour: where the race is kept level by sweeps, at equal work. */
static void add_racers(const ss_build *b, ss_chart *c, double least)
{
    ss_curve curve[SS_SERIES_MAX];
    int n = ss_race_curves(b->snap, curve);
    for (int i = 0; i < n; i++)
        add(b, c, &b->snap->race.racer[i].bands, least,
            &(ss_series){.role = curve[i].role, .dash = curve[i].dash}, NULL);
}

/* Where the error has no part that the axis holds: said, as there is no curve. */
static void now_is_missing(const ss_build *b, ss_rect r, double least)
{
    char text[96], t[16], value[32] = "0";
    if (largest(&b->snap->bands) > 0)
        snprintf(value, sizeof value, "below %s", ss_tick_text(least, true, t, sizeof t));
    snprintf(text, sizeof text, "%s: %s at every frequency", now_text(b), value);
    if (ss_text_width(text) > r.w - 5)
        snprintf(text, sizeof text, "%s: %s", now_text(b), value);
    ss_build_foot(b, r, r.x + 1, text);
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

static bool has_bands(const ss_build *b)
{
    return !b->snap->bands_why;
}

static void build_bands(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    ss_chart *c = &b->s->chart[2];
    ss_build_frame(b, r, "Error by frequency");
    ss_build_corner(b, r, r.x + 22, r.w >= 56 ? "rms amplitude of its waves" : "rms amplitude");
    ss_rect in = ss_build_chart_room(b, r);
    double hi = fmax(largest(&p->bands), largest(&p->bands_start)), lo;
    if (p->bands.n < 2 || !(hi > 0)) {
        ss_build_nothing(b, r,
                         p->bands.n > 0             ? "the error is 0 at every frequency"
                         : p->status == SS_DIVERGED ? "the run has diverged"
                         : p->busy_reference ? "computing u*, the exact discrete solution …"
                                             : "waiting for u*, the exact discrete solution");
        return;
    }
    range(b, &lo, &hi);
    *c = (ss_chart){.x_label = b->edges ? "frequency / highest" : ""};
    ss_axis_make(&c->x, 0, 1, false, false, in.w / 8);
    ss_axis_make(&c->y, lo, hi, true, true, in.h / 2);
    c->zone[0][0] = 0.5, c->zone[0][1] = 1;
    c->nzone = 1;
    c->zone_label = in.w >= 40 ? "not resolved by a coarser grid" : "high";
    ss_theme_role start = p->race.n > 0 ? SS_C_DIM : SS_C_SERIES2;
    add(b, c, &p->bands_start, lo, &(ss_series){.role = start, .dots = true}, "start");
    int before = c->nseries;
    if (p->race.n > 0)
        add_racers(b, c, lo);
    else
        add(b, c, &p->bands, lo, &(ss_series){.role = SS_C_SERIES1}, now_text(b));
    if (p->race.n == 0 && c->nseries == before)
        now_is_missing(b, r, lo);
    c->x_name = "frequency / highest", c->y_name = "rms amplitude of the error";
    ss_build_chart(b, c, SS_X_FREQUENCY, in, r);
}

/* --- several devices -------------------------------------------------------------------------- */

/* Where the time of a cycle goes on each: two bars per device, one per stream, on one linear axis
 * from the begin of the cycle. */

enum { DEVICE = 13, TIME = 9 }; /* columns left and right of the bars */

/* n blocks of one colour; returns the column after them. */
static int blocks(const ss_build *b, int x, int y, int n, ss_theme_role role)
{
    char text[512] = "";
    for (int i = 0; i < n && strlen(text) + 4 < sizeof text; i++)
        strcat(text, "█");
    if (n > 0)
        ss_scene_text(b->s, x, y, n, role, 0, text);
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
    char text[32];
    ss_format_si(seconds, "s", text, sizeof text);
    ss_scene_text(b->s, in.x, y, DEVICE - 1, SS_C_DIM, 0, name);
    ss_scene_text_right(b->s, in.x + in.w, y, TIME - 1, SS_C_TEXT, SS_FIGURE, text);
    ss_scene_hit(b->s, SS_H_WORDS, (ss_rect){in.x, y, in.w, 1}, help, 0);
}

static double cycle_of(const ss_share *s)
{
    double outer = s->edge + s->exchange, inner = s->interior + s->wait;
    return outer > inner ? outer : inner;
}

static void device(const ss_build *b, ss_rect in, int y, const ss_share *s, double longest)
{
    int width = in.w - DEVICE - TIME, x = in.x + DEVICE;
    char name[32];
    snprintf(name, sizeof name, "%d interior", s->device);
    label(b, in, y, name, "the rows that no other device needs; then the device waits",
          s->interior);
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
        longest = cycle_of(&s->of[i]) > longest ? cycle_of(&s->of[i]) : longest;
    ss_scene_text(b->s, in.x, y, in.w, SS_C_TEXT, SS_BOLD, "Devices, a cycle");
    for (size_t i = 0; i < sizeof legend / sizeof *legend; i++) {
        ss_scene_text(b->s, x, y, in.x + in.w - x, legend[i].role, 0, legend[i].name);
        x += (int)strlen(legend[i].name) + 1;
    }
    for (int i = 0; i < s->count && longest > 0; i++)
        device(b, in, y + 1 + 2 * i, &s->of[i], longest);
    return rows + 1;
}

/* A hybrid run's comes first. */
static bool has_split(const ss_build *b)
{
    return b->snap->split.on;
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

static void add_series(ss_chart *c, const ss_xy *at, int n, ss_series how, const char *legend)
{
    how.at = at;
    how.n = n;
    c->legend[c->nseries] = legend;
    c->series[c->nseries++] = how;
}

static void add_gpu(const ss_build *b, ss_chart *c, double x1)
{
    ss_xy *at = ss_scene_points(b->s, 2);
    if (!at)
        return;
    at[0] = (ss_xy){0, 100};
    at[1] = (ss_xy){100 * x1, 100 * (1 - x1)};
    add_series(c, at, 2, (ss_series){.role = SS_C_SERIES2}, "GPU");
}

static void add_cpu(const ss_build *b, ss_chart *c, const ss_split *s, double x1)
{
    ss_xy *at = ss_scene_points(b->s, CURVE);
    if (!at)
        return;
    for (int i = 0; i < CURVE; i++) {
        double x = x1 * i / (CURVE - 1);
        at[i] = (ss_xy){100 * x, percent(s, x * ss_split_cpu(&s->cost, x))};
    }
    add_series(c, at, CURVE, (ss_series){.role = SS_C_SERIES1}, "CPU");
}

/* T(x), with the exchange on top of the longer part. */
static void add_total(const ss_build *b, ss_chart *c, const ss_split *s, double x1)
{
    ss_xy *at = ss_scene_points(b->s, CURVE);
    if (!at)
        return;
    for (int i = 0; i < CURVE; i++) {
        double x = x1 * (i + 0.5) / CURVE;
        at[i] = (ss_xy){100 * x, percent(s, ss_split_time(&s->cost, s->k, x))};
    }
    add_series(c, at, CURVE, (ss_series){.role = SS_C_SERIES3, .dots = true}, "T, with exchange");
}

static void add_point(const ss_build *b, ss_chart *c, const ss_split *s)
{
    ss_xy *at = s->measured > 0 ? ss_scene_points(b->s, 1) : NULL;
    if (!at)
        return;
    at[0] = (ss_xy){100.0 * s->rows / s->all, percent(s, s->measured)};
    add_series(c, at, 1, (ss_series){.role = SS_C_ACCENT, .points = 2}, "measured");
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
    add_cpu(b, c, s, x1);
    add_gpu(b, c, x1);
    add_total(b, c, s, x1);
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
    char text[32];
    int room = row.w - LABEL - VALUE - 2;
    int w = longest > 0 && room > 0 ? (int)lround(room * a->seconds / longest) : 0;
    ss_scene_hit(b->s, SS_H_WORDS, row, a->help, 0);
    ss_scene_text(b->s, row.x, row.y, LABEL, SS_C_DIM, 0, a->label);
    if (w > 0)
        ss_scene_add(b->s, SS_I_FILL, (ss_rect){row.x + LABEL + 1, row.y, w, 1}, a->role);
    ss_format_si(a->seconds, "s", text, sizeof text);
    ss_scene_text_right(b->s, row.x + row.w, row.y, VALUE, SS_C_TEXT, SS_FIGURE, text);
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
    char rows[32], all[32], model_time[32], measured[32], text[200];
    double x = (double)s->rows / s->all;
    ss_count_text(s->rows, rows, sizeof rows);
    ss_count_text(s->all, all, sizeof all);
    ss_format_si(ss_split_time(&s->cost, s->k, x), "s", model_time, sizeof model_time);
    ss_format_si(s->measured, "s", measured, sizeof measured);
    snprintf(text, sizeof text, "%s of %s rows · model %s · measured %s", rows, all, model_time,
             measured);
    ss_build_drop_parts(text, r.w - 4);
    ss_build_foot(b, r, r.x + 1, text);
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
        bars(b, (ss_rect){in.x + in.w - WIDE + 2, in.y, WIDE - 2, in.h});
        model(b, (ss_rect){in.x, in.y, in.w - WIDE, in.h});
    } else if (in.h >= HIGH + CHART_ROWS) {
        bars(b, (ss_rect){in.x, in.y, in.w, HIGH});
        model(b, (ss_rect){in.x, in.y + HIGH, in.w, in.h - HIGH});
    } else {
        model(b, in);
    }
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

static bool has_ages(const ss_build *b)
{
    return b->snap->layers[SS_AGE];
}

static void age_axis(ss_plot_axis *a, int n, int step, int room)
{
    int most = room / 5 < 2 ? 2 : room / 5 < SS_TICK_MAX ? room / 5 : SS_TICK_MAX;
    *a = (ss_plot_axis){.lo = 0, .hi = n - 1};
    for (int i = 0, each = (n + most - 1) / most; i < n; i += each) {
        ss_tick *t = &a->tick[a->ntick++];
        t->at = i;
        snprintf(t->label, sizeof t->label, "%d", i * step);
    }
}

static void ages(const ss_build *b)
{
    const ss_picture *p = &b->snap->picture;
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    ss_chart *c = &b->s->chart[2];
    ss_xy *at = p->nages > 1 ? ss_scene_points(b->s, p->nages) : NULL;
    int most = 0;
    ss_build_frame(b, r, "Tiles by age");
    ss_build_unit(b, r, r.x + 15, "tiles, by sweeps ahead of the slowest");
    if (!at) {
        ss_build_nothing(b, r, "no launch has been done yet; press , for one");
        return;
    }
    for (int i = 0; i < p->nages; i++) {
        at[i] = (ss_xy){i, p->tiles[i]};
        most = p->tiles[i] > most ? p->tiles[i] : most;
    }
    ss_rect in = ss_build_chart_room(b, r);
    *c = (ss_chart){.x_label = ""};
    age_axis(&c->x, p->nages, p->age_step, in.w);
    ss_axis_make(&c->y, 0, most > 1 ? most : 1, false, true, in.h / 2);
    c->series[c->nseries++] =
        (ss_series){.at = at, .n = p->nages, .role = SS_C_SERIES1, .bars = true};
    c->x_scale = p->age_step;
    c->x_name = "sweeps ahead of the slowest", c->y_name = "tiles";
    ss_build_chart(b, c, SS_X_AGE, in, r);
}

/* --- the visits of grids in a cycle ----------------------------------------------------------- */

/* With the layer of the error, the error by frequency tells more. */
static bool has_visits(const ss_build *b)
{
    return b->snap->nvisit > 1 && b->snap->view.layer != SS_ERROR;
}

static void add_visits(ss_chart *c, const ss_xy *at, int n, ss_theme_role role, int points)
{
    c->series[c->nseries++] = (ss_series){.at = at, .n = n, .role = role, .points = points};
}

/* A cycle from left to right, the finest grid at the top; what is done is in the first colour. */
static void visits(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    ss_rect r = b->l->panel[SS_PANEL_PROFILE], in = ss_build_chart_room(b, r);
    ss_chart *c = &b->s->chart[2];
    ss_xy *at = ss_scene_points(b->s, p->nvisit);
    ss_build_frame(b, r, "Visits of the grids");
    ss_build_unit(b, r, r.x + 22, "a mark a sweep; 1: the finest grid");
    if (!at)
        return;
    for (int i = 0; i < p->nvisit; i++)
        at[i] = (ss_xy){i + 1, -p->visit_level[i] - 1};
    *c = (ss_chart){.x_label = "sweeps of this cycle"};
    ss_axis_make(&c->x, 0, p->nvisit + 1, false, true, in.w / 6);
    c->y = (ss_plot_axis){.lo = -p->visit.levels - 0.5, .hi = -0.5};
    for (int l = 0, each = (p->visit.levels + 6) / 7; l < p->visit.levels; l += each) {
        ss_tick *t = &c->y.tick[c->y.ntick++];
        t->at = -l - 1;
        snprintf(t->label, sizeof t->label, "%d", l + 1);
    }
    int done = p->peek < p->nvisit ? p->peek : p->nvisit;
    c->series[c->nseries++] = (ss_series){.at = at, .n = done, .role = SS_C_SERIES1};
    add_visits(c, at + done, p->nvisit - done, SS_C_FAINT, 1);
    add_visits(c, at, done, SS_C_SERIES1, 1);
    add_visits(c, at + done - 1, 1, SS_C_ACCENT, 2);
    c->x_name = "sweep of the cycle", c->y_name = "minus the grid, 1: the finest";
    ss_build_chart(b, c, SS_X_VISIT, in, r);
}

/* --- several devices: the panel --------------------------------------------------------------- */

static bool has_devices(const ss_build *b)
{
    return b->snap->shares.count > 0;
}

static void devices(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PROFILE], in = ss_build_chart_room(b, r);
    ss_build_frame(b, r, "Where the time goes");
    if (!ss_build_shares(b, in, in.y))
        ss_build_nothing(b, r, "a larger window shows each device's part of a cycle");
}

/* --- the staleness cone ----------------------------------------------------------------------- */

static bool has_cone(const ss_build *b)
{
    return ss_shows_cone(b, SS_PANEL_PROFILE);
}

static void cone(const ss_build *b)
{
    ss_build_cone_in(b, SS_PANEL_PROFILE, ss_cone_tabs(b, SS_PANEL_PROFILE));
}

/* --- the choice ------------------------------------------------------------------------------- */

typedef struct diagram {
    bool (*has)(const ss_build *b);
    void (*draw)(const ss_build *b);
    bool spectrum;
} diagram;

static const diagram position = {ss_has_position, ss_build_position, false},
                     bands = {has_bands, build_bands, true}, by_age = {has_ages, ages, false},
                     ranks = {ss_has_timeline, ss_build_ranks, false},
                     split = {has_split, build_split, false},
                     by_device = {has_devices, devices, false}, path = {has_visits, visits, false},
                     wedge = {has_cone, cone, false};

/* The mean of a smooth field is the same at every position of a block: the layers of values come
 * with the error by frequency. */
enum { CHOICES = 2 };
static const diagram *const choices[SS_NLAYER][CHOICES] = {
    [SS_VALUE] = {&bands, &position},    [SS_EXACT] = {&bands, &position},
    [SS_RESIDUAL] = {&position, &bands}, [SS_ERROR] = {&position, &bands},
    [SS_UPDATE] = {&bands, &position},   [SS_STALENESS] = {&position, &bands},
    [SS_AGE] = {&by_age, &bands},        [SS_OWNER] = {&bands, &position},
};

static const diagram *chosen(const ss_build *b)
{
    static const diagram *const first[] = {&wedge, &path, &ranks, &split, &by_device};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (first[i]->has(b))
            return first[i];
    for (int i = 0; i < CHOICES; i++)
        if (choices[b->snap->view.layer][i]->has(b))
            return choices[b->snap->view.layer][i];
    return NULL;
}

bool ss_has_lower(const ss_build *b)
{
    return chosen(b) != NULL;
}

void ss_build_lower(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    const diagram *d = r.w ? chosen(b) : NULL;
    ss_build_want_spectrum(b, d && d->spectrum);
    if (d) {
        d->draw(b);
    } else if (r.w) { /* no other panel could take its room */
        ss_build_frame(b, r, "Error by frequency");
        ss_build_nothing(b, r, b->snap->bands_why);
    }
}
