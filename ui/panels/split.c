/* A hybrid run: its model (the paper's figure 6) with the measured point, and where the time
 * between two exchanges goes. See build.h and src/core/split.h. Main thread only. */
#include <math.h>
#include <stdio.h>

#include "ui/panels/build.h"

bool ss_has_split(const ss_build *b)
{
    return b->snap->split.on;
}

/* --- the model -------------------------------------------------------------------------------- */

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

static void add(ss_chart *c, const ss_xy *at, int n, ss_series how, const char *legend)
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
    add(c, at, 2, (ss_series){.role = SS_C_SERIES2}, "GPU");
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
    add(c, at, CURVE, (ss_series){.role = SS_C_SERIES1}, "CPU");
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
    add(c, at, CURVE, (ss_series){.role = SS_C_SERIES3, .dots = true}, "T, with exchange");
}

static void add_point(const ss_build *b, ss_chart *c, const ss_split *s)
{
    ss_xy *at = s->measured > 0 ? ss_scene_points(b->s, 1) : NULL;
    if (!at)
        return;
    at[0] = (ss_xy){100.0 * s->rows / s->all, percent(s, s->measured)};
    add(c, at, 1, (ss_series){.role = SS_C_ACCENT, .points = 2}, "measured");
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

/* --- where the time goes ---------------------------------------------------------------------- */

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

/* --- the panel -------------------------------------------------------------------------------- */

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

void ss_build_split(const ss_build *b)
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
