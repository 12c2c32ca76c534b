/* The lower panel of a steady run: the timeline of modelled ranks, CPU and GPU, several devices, by
 * position in the block, error by frequency, or tiles by age. See build.h. Main thread only. */
#include <stdio.h>

#include "ui/panels/build.h"

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

/* --- several devices -------------------------------------------------------------------------- */

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
                     bands = {ss_has_bands, ss_build_bands, true}, by_age = {has_ages, ages, false},
                     ranks = {ss_has_timeline, ss_build_ranks, false},
                     split = {ss_has_split, ss_build_split, false},
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
