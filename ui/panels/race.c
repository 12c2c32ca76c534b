/* A race: the curves of all runs in one plot, their places, and their pictures side by side. See
 * build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

int ss_race_curves(const ss_snapshot *snap, ss_curve out[SS_SERIES_MAX])
{
    int n = snap->race.n < SS_SERIES_MAX ? snap->race.n : SS_SERIES_MAX;
    for (int i = 0; i < n; i++) {
        const ss_racer *r = &snap->race.racer[i];
        out[i] = (ss_curve){r->curve, r->ncurve, r->residual0, (ss_theme_role)(SS_C_SERIES1 + i),
                            i,        NULL};
    }
    return n;
}

/* --- standings -------------------------------------------------------------------------------- */

/* Do the runs of a race stand at one simulated time? Steady ones are compared at their goal. */
static bool is_level(const ss_build *b)
{
    double time[SS_RACE_MAX];
    for (int i = 0; i < b->snap->race.n; i++)
        time[i] = b->snap->race.racer[i].at.time;
    return b->snap->kind == SS_STEADY || ss_race_level(time, b->snap->race.n);
}

/* Places by the axis of the plot; 0: not finished. */
static void places(const ss_build *b, double *value, int *place)
{
    ss_status status[SS_RACE_MAX];
    bool finished[SS_RACE_MAX], level = is_level(b);
    const ss_race *race = &b->snap->race;
    for (int i = 0; i < race->n; i++) {
        value[i] = ss_measure_of((ss_measure)b->ui->over, &race->racer[i].at);
        status[i] = race->racer[i].status;
    }
    ss_race_finished(status, race->n, finished);
    for (int i = 0; i < race->n; i++)
        finished[i] = finished[i] && level;
    ss_race_places(value, finished, race->n, place);
}

static const char *place_text(int place)
{
    return ss_text("%d%s", place, ss_ordinal(place));
}

/* The progress of a run, or its finish, by the measure of the plot. */
static const char *value_text(ss_over over, double v)
{
    return over == SS_SECONDS ? ss_si_text(v, "s")
           : over == SS_BYTES ? ss_bytes_text(v)
                              : ss_count_text(v);
}

/* "859 ×15.5 1st", with the speed-up over the first run. Without room the place is omitted (the
 * best run has the accent colour), then the value instead (the axis shows it). */
static const char *result(const ss_build *b, int i, int room, const double *value, const int *place)
{
    const ss_racer *r = &b->snap->race.racer[i];
    if (place[i] == 0)
        return r->status != SS_RUNNING ? ss_status_name(r->status)
                                       : value_text(b->ui->over, value[i]);
    bool compared = i > 0 && place[0] > 0 && value[0] > 0 && value[i] > 0;
    const char *ratio = compared ? ss_text("×%s ", ss_figure_text(value[0] / value[i])) : "";
    const char *text = value_text(b->ui->over, value[i]), *rank = place_text(place[i]);
    const char *forms[] = {ss_text("%s %s%s", text, ratio, rank),
                           compared ? ss_text("%s %.*s", text, (int)strlen(ratio) - 1, ratio)
                                    : text,
                           ss_text("%s%s", ratio, rank)};
    int k = 0;
    while (k < 2 && ss_text_width(forms[k]) + ss_text_width(r->label) > room)
        k++;
    return forms[k];
}

/* "bit-for-bit equal ✓ at t = 0.25": all runs whose fields could be compared. */
static void bits_line(const ss_build *b, ss_rect *room)
{
    const ss_race *race = &b->snap->race;
    const ss_race_bits *last = NULL, *unequal = NULL;
    int other = 0;
    for (int i = 1; i < race->n; i++) {
        const ss_race_bits *bits = &race->racer[i].bits;
        last = bits->known ? bits : last;
        if (bits->known && !bits->equal && !unequal)
            unequal = bits, other = i;
    }
    bool expected = b->snap->kind == SS_TRANSIENT || !unequal; /* stale values differ anyway */
    if (!last || !expected || room->h < 8)
        return;
    last = unequal ? unequal : last;
    const char *where = b->snap->kind == SS_TRANSIENT
                            ? ss_text("t = %.3g", last->time)
                            : ss_text("iteration %lld", (long long)last->at);
    const char *text = unequal && race->n > 2
                           ? ss_text("bit-for-bit equal ✗ run %d at %s", other + 1, where)
                           : ss_text("bit-for-bit equal %s at %s", unequal ? "✗" : "✓", where);
    ss_rect r = ss_rect_top(room, 1);
    ss_scene_text(b->s, r.x + 1, r.y, r.w - 1, unequal ? SS_C_DIM : SS_C_SERIES2, 0, text);
}

enum { CURVE_ROWS = 4 }; /* what is left for the curves below the table */

int ss_standings_rows(const ss_snapshot *snap)
{
    return snap->race.n + CURVE_ROWS;
}

void ss_build_standings(const ss_build *b, ss_rect *room)
{
    const ss_race *race = &b->snap->race;
    double value[SS_RACE_MAX];
    int place[SS_RACE_MAX];
    if (race->n == 0 || room->h < ss_standings_rows(b->snap))
        return;
    places(b, value, place);
    for (int i = 0; i < race->n; i++) {
        const ss_racer *racer = &race->racer[i];
        ss_rect r = ss_rect_top(room, 1);
        bool shown = i == b->snap->run;
        ss_theme_role role = (ss_theme_role)(SS_C_SERIES1 + i);
        const char *text = result(b, i, r.w - 7, value, place);
        int w = ss_text_width(text);
        ss_scene_add(b->s, SS_I_SAMPLE, (ss_rect){r.x + 1, r.y, 4, 1}, role)->dash = i;
        ss_scene_text_right(b->s, r.x + r.w, r.y, w, place[i] == 1 ? SS_C_ACCENT : SS_C_TEXT,
                            SS_FIGURE, text);
        ss_scene_text(b->s, r.x + 6, r.y, r.w - 7 - w, shown ? role : SS_C_DIM, shown ? SS_BOLD : 0,
                      ss_text("%s%s", racer->label, racer->restarted ? " (restarted)" : ""));
        ss_press(b, r, ss_text("select %d", i + 1), i);
    }
    bits_line(b, room);
}

void ss_build_finishes(const ss_build *b, ss_chart *c)
{
    double value[SS_RACE_MAX];
    int place[SS_RACE_MAX];
    places(b, value, place);
    for (int i = 0; i < b->snap->race.n && c->nmark < SS_MARKS_MAX; i++) {
        if (place[i] == 0)
            continue;
        ss_chart_mark *m = &c->mark[c->nmark++];
        m->x = value[i];
        snprintf(m->text, sizeof m->text, "%s", place_text(place[i]));
    }
}

/* --- transient runs: a cost over simulated time ----------------------------------------------- */

/* Points of a run's curve, its present position included; returns their number. */
static int cost_points(const ss_build *b, const ss_racer *r, ss_xy *out, double *x1, double *y1)
{
    int n = 0;
    for (int i = 0; i <= r->ncurve; i++) {
        const ss_point *p = i < r->ncurve ? &r->curve[i] : &r->at;
        out[n] = (ss_xy){p->time, ss_measure_of((ss_measure)b->ui->over, p)};
        if (n > 0 && out[n].x <= out[n - 1].x)
            continue;
        *x1 = fmax(*x1, out[n].x);
        *y1 = fmax(*y1, out[n].y);
        n++;
    }
    return n;
}

static const char *costs_unit(const ss_build *b, ss_rect r)
{
    static const char *const titles[SS_NOVER] = {"cycles over t", "steps over t",
                                                 "sweeps over t", "seconds over t",
                                                 "bytes over t",  "reductions over t"};
    (void)r;
    if (b->ui->over == SS_SECONDS && b->snap->ranks.count > 0)
        return "seconds over t, modelled waits";
    if (b->ui->over == SS_SECONDS && b->snap->deterministic)
        return "modelled seconds over t";
    return titles[b->ui->over];
}

static const char *costs_label(const ss_build *b)
{
    bool ranks = b->snap->ranks.count > 0;
    if (b->ui->over != SS_SECONDS || (!ranks && !b->snap->deterministic))
        return "t";
    return ranks ? "t, s virtual" : "t, s modelled";
}

static void fill_costs(const ss_build *b, ss_rect in, ss_chart *c)
{
    const ss_race *race = &b->snap->race;
    double x1 = 0, y1 = 0;
    c->x_label = c->x_name = costs_label(b), c->y_name = ss_over_names[b->ui->over];
    for (int i = 0; i < race->n; i++) {
        ss_xy *at = ss_scene_points(b->s, race->racer[i].ncurve + 1);
        int n = at ? cost_points(b, &race->racer[i], at, &x1, &y1) : 0;
        ss_theme_role role = (ss_theme_role)(SS_C_SERIES1 + i);
        ss_chart_add(c, (ss_series){.at = at, .n = n, .role = role, .dash = i}, NULL);
    }
    ss_axis_make(&c->x, 0, x1 > 0 ? x1 : 1, false, false, in.w / 8);
    ss_axis_make(&c->y, 0, y1 > 0 ? y1 : 1, false, true, in.h / 3);
}

void ss_build_race_costs(const ss_build *b)
{
    static const ss_chart_panel costs = {.unit = costs_unit,
                                         .unit_above = true,
                                         .above = ss_build_standings,
                                         .fill = fill_costs,
                                         .x_is = SS_X_TIME};
    ss_rect r = b->l->panel[SS_PANEL_PLOT];
    if (r.w)
        ss_build_chart_panel(b, &costs, r, ss_build_axes(b, r), &b->s->chart[1]);
}

/* --- pictures --------------------------------------------------------------------------------- */

/* "2 shared k 8   1st" */
static void name_line(const ss_build *b, int i, ss_rect r, int place)
{
    const char *rank = place > 0 ? place_text(place) : "";
    int w = ss_text_width(rank);
    ss_scene_text(b->s, r.x + 1, r.y, r.w - 2 - w, (ss_theme_role)(SS_C_SERIES1 + i),
                  i == b->snap->run ? SS_BOLD : 0,
                  ss_text("%d %s", i + 1, b->snap->race.racer[i].label));
    ss_scene_text_right(b->s, r.x + r.w, r.y, w, place == 1 ? SS_C_ACCENT : SS_C_DIM, SS_FIGURE,
                        rank);
    ss_press(b, r, ss_text("select %d", i + 1), i);
}

/* The shown run uses the snapshot's picture, the others their own, in the same colour range. */
static bool race_image(const ss_build *b, int i, ss_image *im)
{
    const ss_picture *p = &b->snap->race.racer[i].picture;
    ss_build_image(b, im);
    if (i == b->snap->run)
        return im->w > 0 && b->snap->layers[b->ui->view.layer];
    im->cell = p->cell;
    im->version = 0;
    im->owner = b->snap->view.layer == SS_OWNER ? p->owner : NULL;
    im->w = p->w, im->h = p->h;
    return p->w > 0;
}

/* Why a run shows no picture. */
static const char *missing(const ss_racer *r)
{
    return r->status == SS_DIVERGED ? "diverged" : r->no_layer ? r->no_layer : "no picture yet";
}

bool ss_build_race(const ss_build *b)
{
    const ss_race *race = &b->snap->race;
    ss_rect name[SS_RACE_PICTURES], image[SS_RACE_PICTURES], bar;
    double value[SS_RACE_MAX];
    int place[SS_RACE_MAX], n = ss_race_pictures(race->n), own = 0;
    if (race->n == 0 || !ss_layout_race(b->l, n, name, image, &bar))
        return false;
    places(b, value, place);
    for (int at = 0; at < n; at++) {
        ss_rect r = ss_rect_fit(image[at], ss_build_aspect(b));
        ss_image *im = &b->s->image[at];
        int i = ss_race_pictured(at, b->snap->run);
        if (at == 0)
            ss_build_want(b, r.w * b->extent.dots_x, r.h * b->extent.dots_y);
        name_line(b, i, name[at], place[i]);
        ss_scene_hit(b->s, SS_H_FIELD, r, NULL, 0);
        if (race->racer[i].no_layer || !race_image(b, i, im)) {
            ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_FAINT,
                          missing(&race->racer[i]));
            continue;
        }
        if (i == b->snap->run)
            ss_build_overlay(b, im, r);
        own = i == b->snap->run ? at : own;
        ss_scene_add(b->s, SS_I_IMAGE, r, SS_C_TEXT)->image = im;
    }
    if (bar.w > 0)
        ss_build_pin(b, &bar, false);
    ss_build_bar(b, &b->s->image[own], 0, bar, false);
    ss_build_bar_hit(b, bar, false);
    return true;
}

/* Do all names fit into the legend of a chart beside its numbers, in the rows that it may have? */
static bool legend_fits(const ss_chart *c, ss_rect room)
{
    enum { NUMBERS = 6, PIECE = 4, ROWS_EACH = 4 };
    int rows = 1, x = room.w - NUMBERS;
    for (int i = c->nseries - 1; i >= 0; i--) {
        int w = ss_text_width(c->legend[i]) + PIECE;
        if (x < w)
            rows++, x = room.w - NUMBERS;
        x -= w;
    }
    return rows == 1 || room.h - 1 >= ROWS_EACH * rows;
}

/* A legend with a part of the names would hide curves; the table beside it has all of them. */
static void clear_legend(const ss_build *b, ss_chart *c)
{
    bool table = ss_layout_inner(b->l, SS_PANEL_PLOT).h >= ss_standings_rows(b->snap);
    for (int i = 0; i < c->nseries && table; i++)
        c->legend[i] = NULL;
}

bool ss_race_lines(const ss_build *b, ss_chart *c, ss_box2 w)
{
    const ss_race *race = &b->snap->race;
    for (int i = 0; i < race->n; i++) {
        const ss_picture *p = &race->racer[i].picture;
        const float *cell = i == b->snap->run ? b->ui->picture : p->cell;
        int n = i == b->snap->run ? b->ui->picture_w : p->w;
        ss_xy *at = n > 0 ? ss_scene_points(b->s, n) : NULL;
        n = at ? ss_build_points(w, cell, n, at) : 0;
        c->series[i] =
            (ss_series){.at = at, .n = n, .role = (ss_theme_role)(SS_C_SERIES1 + i), .dash = i};
        const char *name = race->racer[i].label;
        if (b->snap->kind == SS_TRANSIENT)
            name = ss_text("%s · t %.5g", name, race->racer[i].at.time);
        c->legend[i] = ss_scene_keep(b->s, name);
    }
    c->nseries = race->n;
    if (race->n > SS_RACE_PICTURES && !legend_fits(c, b->l->image))
        clear_legend(b, c);
    return race->n > 0;
}

/* --- the message line ------------------------------------------------------------------------- */

bool ss_race_is_over(const ss_build *b)
{
    const ss_race *race = &b->snap->race;
    for (int i = 0; i < race->n; i++)
        if (race->racer[i].status == SS_RUNNING)
            return false;
    return race->n > 0;
}

/* Runs that have reached their goal, also where the others stand at another time. */
static int count_finished(const ss_race *race)
{
    ss_status status[SS_RACE_MAX];
    bool finished[SS_RACE_MAX];
    int n = 0;
    for (int i = 0; i < race->n; i++)
        status[i] = race->racer[i].status;
    ss_race_finished(status, race->n, finished);
    for (int i = 0; i < race->n; i++)
        n += finished[i];
    return n;
}

const char *ss_race_text(const ss_build *b)
{
    const ss_race *race = &b->snap->race;
    double value[SS_RACE_MAX];
    int place[SS_RACE_MAX], placed = 0, first = 0;
    places(b, value, place);
    for (int i = 0; i < race->n; i++) {
        placed += place[i] > 0;
        first = place[i] == 1 ? i : first;
    }
    if (ss_race_is_over(b) && !is_level(b))
        return "the runs have ended at different times: until-time ends them at one";
    if (placed == race->n)
        return ss_text("%s wins by %s", race->racer[first].label, ss_over_names[b->ui->over]);
    return ss_text("race by %s%s, %d of %d finished", ss_measure_names[race->by],
                   race->end > 0 ? ss_text(" to t = %.4g", race->end) : "", count_finished(race),
                   race->n);
}
