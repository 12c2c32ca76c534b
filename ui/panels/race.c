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

/* Places by the axis of the plot; 0: not finished. */
static void places(const ss_build *b, double *value, int *place)
{
    ss_status status[SS_RACE_MAX];
    bool finished[SS_RACE_MAX];
    const ss_race *race = &b->snap->race;
    for (int i = 0; i < race->n; i++) {
        value[i] = ss_measure_of((ss_measure)b->ui->over, &race->racer[i].at);
        status[i] = race->racer[i].status;
    }
    ss_race_finished(status, race->n, finished);
    ss_race_places(value, finished, race->n, place);
}

static const char *place_text(int place, char *buf, size_t size)
{
    snprintf(buf, size, "%d%s", place, ss_ordinal(place));
    return buf;
}

static const char *count(double v, char *buf, size_t size)
{
    return ss_count_text(v, buf, size);
}
static const char *seconds(double v, char *buf, size_t size)
{
    return ss_format_si(v, "s", buf, size);
}

/* The progress of a run, or its finish, by the measure of the plot. */
static const char *value_text(ss_over over, double v, char *buf, size_t size)
{
    static const char *(*const as[SS_NOVER])(double v, char *buf, size_t size) = {
        count, count, seconds, ss_format_bytes};
    return as[over](v, buf, size);
}

/* "859 ×15.5 1st", with the speed-up over the first run. Without room the place is omitted (the
 * best run has the accent colour), then the value instead (the axis shows it). */
static void result(const ss_build *b, int i, int room, const double *value, const int *place,
                   char *buf, size_t size)
{
    const ss_racer *r = &b->snap->race.racer[i];
    char text[32], rank[16], ratio[16] = "";
    value_text(b->ui->over, value[i], text, sizeof text);
    if (place[i] == 0 && r->status != SS_RUNNING) {
        snprintf(buf, size, "%s", ss_status_name(r->status));
    } else if (place[i] == 0) {
        snprintf(buf, size, "%s", text);
    } else {
        if (i > 0 && place[0] > 0 && value[i] > 0)
            snprintf(ratio, sizeof ratio, " ×%.3g", value[0] / value[i]);
        place_text(place[i], rank, sizeof rank);
        snprintf(buf, size, "%s%s %s", text, ratio, rank);
        if (ss_text_width(buf) + ss_text_width(r->label) > room)
            snprintf(buf, size, "%s%s", text, ratio);
        if (ss_text_width(buf) + ss_text_width(r->label) > room)
            snprintf(buf, size, "%s%s%s", *ratio ? ratio + 1 : "", *ratio ? " " : "", rank);
    }
}

void ss_build_standings(const ss_build *b, ss_rect *room)
{
    static const char *const dashes[SS_RACE_MAX] = {"----", "- - ", "-.-.", "...."};
    const ss_race *race = &b->snap->race;
    double value[SS_RACE_MAX];
    int place[SS_RACE_MAX];
    if (race->n == 0 || room->h < race->n + 4)
        return;
    places(b, value, place);
    for (int i = 0; i < race->n; i++) {
        char text[64], line[24];
        int y = room->y + i, end = room->x + room->w;
        bool shown = i == b->snap->run;
        ss_theme_role role = (ss_theme_role)(SS_C_SERIES1 + i);
        result(b, i, room->w - 7, value, place, text, sizeof text);
        int w = ss_text_width(text);
        ss_scene_text(b->s, room->x + 1, y, 4, role, SS_BOLD | SS_FIGURE, dashes[i]);
        ss_scene_text_right(b->s, end, y, w, place[i] == 1 ? SS_C_ACCENT : SS_C_TEXT, SS_FIGURE,
                            text);
        ss_scene_text(b->s, room->x + 6, y, room->w - 7 - w, shown ? role : SS_C_DIM,
                      shown ? SS_BOLD : 0, race->racer[i].label);
        snprintf(line, sizeof line, "select %d", i + 1);
        ss_scene_hit(b->s, SS_H_COMMAND, (ss_rect){room->x, y, room->w, 1},
                     ss_scene_keep(b->s, line), i);
    }
    room->y += race->n;
    room->h -= race->n;
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
        place_text(place[i], m->text, sizeof m->text);
    }
}

/* --- pictures --------------------------------------------------------------------------------- */

/* "2 shared k 8   1st" */
static void name_line(const ss_build *b, int i, ss_rect r, int place)
{
    char text[80], rank[16] = "", line[24];
    bool shown = i == b->snap->run;
    if (place > 0)
        place_text(place, rank, sizeof rank);
    int w = ss_text_width(rank);
    snprintf(text, sizeof text, "%d %s", i + 1, b->snap->race.racer[i].label);
    ss_scene_text(b->s, r.x + 1, r.y, r.w - 2 - w, (ss_theme_role)(SS_C_SERIES1 + i),
                  shown ? SS_BOLD : 0, text);
    if (place > 0)
        ss_scene_text_right(b->s, r.x + r.w, r.y, w, place == 1 ? SS_C_ACCENT : SS_C_DIM, SS_FIGURE,
                            rank);
    snprintf(line, sizeof line, "select %d", i + 1);
    ss_scene_hit(b->s, SS_H_COMMAND, r, ss_scene_keep(b->s, line), i);
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

bool ss_build_race(const ss_build *b)
{
    const ss_race *race = &b->snap->race;
    ss_rect name[SS_RACE_MAX], image[SS_RACE_MAX], bar;
    double value[SS_RACE_MAX];
    int place[SS_RACE_MAX];
    if (race->n == 0 || !ss_layout_race(b->l, race->n, name, image, &bar))
        return false;
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    places(b, value, place);
    for (int i = 0; i < race->n; i++) {
        ss_rect r = ss_rect_fit(image[i], (w.x1 - w.x0) / (w.y1 - w.y0));
        ss_image *im = &b->s->image[i];
        if (i == 0)
            ss_build_want(b, r.w * b->extent.dots_x, r.h * b->extent.dots_y);
        name_line(b, i, name[i], place[i]);
        ss_scene_hit(b->s, SS_H_FIELD, r, NULL, 0);
        if (!race_image(b, i, im)) {
            ss_build_wrap(b, (ss_rect){r.x + 1, r.y + r.h / 2, r.w - 2, 2}, SS_C_FAINT,
                          race->racer[i].status == SS_DIVERGED ? "diverged" : "no such layer here");
            continue;
        }
        if (i == b->snap->run)
            ss_build_overlay(b, im, r);
        ss_scene_add(b->s, SS_I_IMAGE, r, SS_C_TEXT)->image = im;
    }
    if (bar.w > 0)
        ss_build_pin(b, &bar, false);
    ss_build_bar(b, &b->s->image[b->snap->run], 0, bar, false);
    ss_build_bar_hit(b, bar, false);
    return true;
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
        c->legend[i] = ss_scene_keep(b->s, race->racer[i].label);
    }
    c->nseries = race->n;
    return race->n > 0;
}

/* --- the message line ------------------------------------------------------------------------- */

void ss_race_text(const ss_build *b, char *buf, size_t size)
{
    const ss_race *race = &b->snap->race;
    double value[SS_RACE_MAX];
    int place[SS_RACE_MAX], in = 0, first = 0;
    places(b, value, place);
    for (int i = 0; i < race->n; i++) {
        in += place[i] > 0;
        first = place[i] == 1 ? i : first;
    }
    if (in == race->n)
        snprintf(buf, size, "%s wins by %s", race->racer[first].label, ss_over_names[b->ui->over]);
    else
        snprintf(buf, size, "race by %s, %d of %d in", ss_measure_names[race->by], in, race->n);
}
