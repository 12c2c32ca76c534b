/* Charts under the mouse and with the cursor: values, links, hidden curves, zoom, data. See
 * ui/view/state.h. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SCREEN_OPEN begin
#include "tests/ui/fixture.h"
#include "ui/scene/place.h"

static void draw(fixture *d)
{
    ss_extent e = {.cols = 120, .rows = 40, .dots_x = 1, .dots_y = 2};
    if (d->window)
        e = (ss_extent){128, 40, 10, 20, 2, 2, 0, 0, 1, false, false};
    d->scene = ss_ui_scene(d->ui, d->snap, &e, 20);
    if (d->window)
        return;
    CHECK(ss_cells_resize(&d->cells, 120, 40));
    ss_cells_paint(&d->cells, d->scene, &d->how);
}

static void begin(fixture *d, ss_snapshot *snap, bool window)
{
    open_screen(d, snap, 120, 40);
    d->window = window;
    d->now = 100;
    d->how = (ss_paint){ss_glyphs_find("ascii"), 32, true, false, false};
    if (snap->view.layer == SS_STALENESS)
        CHECK_INT(sample_command(d->ui, "view layer staleness", snap), SS_OK);
    draw(d);
    sample_picture(snap, ss_ui_view(d->ui)->layer, ss_ui_view(d->ui)->w, ss_ui_view(d->ui)->h);
    draw(d);
}

static bool event(fixture *d, ss_event_kind kind, double x, double y)
{
    ss_event ev = {.kind = kind, .x = x, .y = y};
    ss_ui_clock(d->ui, d->now += 0.1);
    bool changed = ss_ui_event(d->ui, &ev, d->scene, d->snap);
    draw(d);
    return changed;
}

static void key(fixture *d, const char *name)
{
    press_key(d, name);
    draw(d);
}

static void command(fixture *d, const char *line)
{
    CHECK_MSG(sample_command(d->ui, line, d->snap) == SS_OK, "%s", line);
    draw(d);
}

/* The data of a chart, in cells. */
static ss_rect data_of(const fixture *d, int chart)
{
    for (int i = 0; i < d->scene->nitem; i++)
        if (d->scene->item[i].kind == SS_I_CHART &&
            d->scene->item[i].chart == &d->scene->chart[chart])
            return ss_chart_data(&d->scene->chart[chart], d->scene->item[i].rect);
    CHECK_MSG(false, "there is no chart %d", chart);
    return (ss_rect){0, 0, 0, 0};
}

static const ss_rule *rule_on(const fixture *d, int chart)
{
    for (int i = 0; i < d->scene->nrule; i++) {
        const ss_item *on = &d->scene->item[d->scene->rule[i].on];
        if (on->kind == SS_I_CHART && on->chart == &d->scene->chart[chart])
            return &d->scene->rule[i];
    }
    return NULL;
}

static int rules_on(const fixture *d, ss_item_kind kind)
{
    int n = 0;
    for (int i = 0; i < d->scene->nrule; i++)
        n += d->scene->item[d->scene->rule[i].on].kind == kind;
    return n;
}

static void move_to(fixture *d, int chart, double fx, double fy)
{
    ss_rect r = data_of(d, chart);
    event(d, SS_EV_MOVE, r.x + fx * r.w, r.y + fy * r.h);
}

SCREEN_TEST(hover, the_residual_tells_the_cycle_and_its_values, sample_2d(SS_STALENESS, 58, 58),
            false)
{
    CHECK(rule_on(d, 1) == NULL);
    move_to(d, 1, 0.5, 0.5);
    const ss_rule *r = rule_on(d, 1);
    CHECK(r && r->ndot >= 1 && r->text);
    CHECK_MSG(strncmp(r->text, "cycle ", 6) == 0, "%s", r->text);
    double cycle = strtod(r->text + 6, NULL);
    CHECK(cycle > 0);
    CHECK_NEAR(ss_axis_at(&d->scene->chart[1].x, cycle), r->x, 0.02);
    event(d, SS_EV_MOVE, 0.5, 39.5); /* off the chart */
    CHECK_INT(d->scene->nrule, 0);
}

SCREEN_TEST(hover, the_field_tells_its_value_and_marks_the_bars_and_the_colours,
            sample_2d(SS_STALENESS, 58, 58), false)
{
    ss_rect field = {0, 0, 0, 0};
    d->snap->tiling = (ss_tiling){ss_cut_make(1024, 32, 0), ss_cut_make(1024, 32, 0)};
    draw(d);
    for (int i = 0; i < d->scene->nhit; i++)
        field = d->scene->hit[i].kind == SS_H_FIELD ? d->scene->hit[i].rect : field;
    CHECK(d->scene->tells);
    CHECK(event(d, SS_EV_MOVE, field.x + 10.5, field.y + 8.5));
    for (int i = 0; i < d->scene->nrule; i++) /* the line below the field shows the probe */
        if (d->scene->item[d->scene->rule[i].on].kind == SS_I_IMAGE)
            CHECK_MSG(strstr(d->scene->rule[i].text, "|stale|"), "%s", d->scene->rule[i].text);
    CHECK_INT(rules_on(d, SS_I_IMAGE), 1);
    d->snap->picture.probe.valid = false;
    draw(d);
    CHECK(shows(d, "|stale|"));
    CHECK_INT(rules_on(d, SS_I_BAR), 1);
    CHECK(rule_on(d, 2) != NULL); /* by position in the block */
    CHECK(rule_on(d, 1) == NULL); /* no place of the field is a cycle */
    CHECK(!event(d, SS_EV_MOVE, field.x + 10.5, field.y + 8.5));
    command(d, "view hover off");
    CHECK_INT(d->scene->nrule, 0);
    CHECK(!d->scene->tells);
}

/* A 1D field and the space-time diagram have one x axis. */
SCREEN_TEST(hover, a_line_is_linked_to_its_space_time_diagram, sample_swept(60, 0), false)
{
    move_to(d, 0, 0.4, 0.5);
    const ss_rule *field = rule_on(d, 0), *raster = NULL;
    for (int i = 0; i < d->scene->nrule; i++)
        if (d->scene->item[d->scene->rule[i].on].kind == SS_I_IMAGE)
            raster = &d->scene->rule[i];
    CHECK(field && raster);
    CHECK_NEAR(field->x, raster->x, 0.02);
    CHECK(isnan(raster->y) || !(raster->y >= 0));
    CHECK(strncmp(field->text, "x ", 2) == 0);
}

SCREEN_TEST(hover, keys_move_the_cursor_by_points, sample_2d(SS_STALENESS, 58, 58), false)
{
    command(d, "view cursor plot");
    const ss_series *s = &d->scene->chart[1].series[0];
    double from = ss_axis_value(&d->scene->chart[1].x, rule_on(d, 1)->x);
    int at = ss_curve_nearest(&d->scene->chart[1].x, s->at, s->n, from);
    key(d, "right");
    CHECK_NEAR(rule_on(d, 1)->x, ss_axis_at(&d->scene->chart[1].x, s->at[at + 1].x), 1e-9);
    key(d, "S-left");
    CHECK_NEAR(rule_on(d, 1)->x, ss_axis_at(&d->scene->chart[1].x, s->at[at - 9].x), 1e-9);
    key(d, "/");
    CHECK(rule_on(d, 1) == NULL && rule_on(d, 2) != NULL);
    key(d, "esc");
    CHECK_INT(d->scene->nrule, 0);
    CHECK_INT(d->log.count, 0); /* the engine was asked for nothing */
    CHECK(sample_command(d->ui, "view cursor nowhere", d->snap) != SS_OK);
    CHECK(sample_command(d->ui, "view cursor plot x", d->snap) != SS_OK);
}

/* The cursor stands at an x that is told, as the axis shows it. */
SCREEN_TEST(hover, the_cursor_goes_to_a_place, sample_2d(SS_STALENESS, 58, 58), false)
{
    double x = d->scene->chart[1].series[0].at[3].x;
    char line[64], want[32];
    snprintf(line, sizeof line, "view cursor plot %g", x);
    command(d, line);
    snprintf(want, sizeof want, "cycle %g ", x);
    CHECK_MSG(strncmp(rule_on(d, 1)->text, want, strlen(want)) == 0, "%s", rule_on(d, 1)->text);
    command(d, "view cursor lower 3");
    CHECK_MSG(strncmp(rule_on(d, 2)->text, "position 3 ", 11) == 0, "%s", rule_on(d, 2)->text);
}

SCREEN_TEST(hover, a_drag_zooms_and_a_double_click_fits, sample_2d(SS_STALENESS, 58, 58), false)
{
    ss_rect r = data_of(d, 1);
    double end_of = d->scene->chart[1].x.hi, top = d->scene->chart[1].y.hi;
    event(d, SS_EV_PRESS, r.x + 0.25 * r.w, r.y + 2.5);
    event(d, SS_EV_DRAG, r.x + 0.75 * r.w, r.y + 2.5);
    event(d, SS_EV_RELEASE, r.x + 0.75 * r.w, r.y + 2.5);
    double lo = d->scene->chart[1].x.lo, hi = d->scene->chart[1].x.hi;
    CHECK_NEAR(lo / end_of, 0.25, 0.04);
    CHECK_NEAR(hi / end_of, 0.75, 0.04);
    CHECK_NEAR(d->scene->chart[1].y.hi, top, 1e-12); /* dragged along x only */
    CHECK(shows(d, "cycles "));
    const ss_chart *c = &d->scene->chart[1];
    for (int i = 0; i < c->x.ntick; i++)
        CHECK(c->x.tick[i].at >= lo - 1e-9 && c->x.tick[i].at <= hi + 1e-9);
    for (int i = 0; i < c->series[0].n; i++)
        CHECK(c->series[0].at[i].x >= lo - 1e-9 && c->series[0].at[i].x <= hi + 1e-9);
    ss_event pan = {.kind = SS_EV_PRESS, .x = r.x + 0.5 * r.w, .y = r.y + 3.5, .button = 2};
    ss_ui_event(d->ui, &pan, d->scene, d->snap);
    event(d, SS_EV_DRAG, r.x + 0.6 * r.w, r.y + 3.5);
    event(d, SS_EV_RELEASE, r.x + 0.6 * r.w, r.y + 3.5);
    CHECK(d->scene->chart[1].x.lo < lo && d->scene->chart[1].x.lo >= 0);
    CHECK_NEAR(d->scene->chart[1].x.hi - d->scene->chart[1].x.lo, hi - lo, 1e-6 * hi);
    for (int i = 0; i < 2; i++) {
        event(d, SS_EV_PRESS, r.x + 5.5, r.y + 2.5);
        event(d, SS_EV_RELEASE, r.x + 5.5, r.y + 2.5);
    }
    CHECK_NEAR(d->scene->chart[1].x.hi, end_of, 1e-12);
}

SCREEN_TEST(hover, the_wheel_zooms_about_the_mouse, sample_2d(SS_STALENESS, 58, 58), false)
{
    ss_rect r = data_of(d, 1);
    ss_event ev = {.kind = SS_EV_WHEEL, .x = r.x + 0.4 * r.w, .y = r.y + 2.5, .dy = 1};
    double part = (ev.x - 0.5 - r.x) / (r.w - 1), hi = d->scene->chart[1].x.hi;
    double before = ss_axis_value(&d->scene->chart[1].x, part);
    ss_ui_event(d->ui, &ev, d->scene, d->snap);
    draw(d);
    CHECK_NEAR(ss_axis_value(&d->scene->chart[1].x, part), before, 1e-6 * hi);
    CHECK_NEAR(d->scene->chart[1].x.hi - d->scene->chart[1].x.lo, 0.8 * hi, 1e-6 * hi);
    ev.dy = -1;
    for (int i = 0; i < 9; i++) {
        ss_ui_event(d->ui, &ev, d->scene, d->snap);
        draw(d);
    }
    CHECK_NEAR(d->scene->chart[1].x.hi, hi, 1e-12);
    CHECK(!shows(d, " of 400"));
}

/* Down to two cycles: another press or turn of the wheel changes nothing, and the other direction
 * works at once. */
SCREEN_TEST(hover, the_zoom_ends_at_two_cycles, sample_2d(SS_STALENESS, 58, 58), false)
{
    ss_rect r = data_of(d, 1);
    ss_event ev = {.kind = SS_EV_WHEEL, .x = r.x + 0.3 * r.w, .y = r.y + 2.5, .dy = 1};
    for (int i = 0; i < 60; i++) {
        ss_ui_event(d->ui, &ev, d->scene, d->snap);
        draw(d);
    }
    double lo = d->scene->chart[1].x.lo, hi = d->scene->chart[1].x.hi;
    CHECK_NEAR(hi - lo, 2, 1e-9);
    command(d, "view cursor plot 100");
    for (int i = 0; i < 3; i++) {
        command(d, "view chart closer");
        CHECK_NEAR(d->scene->chart[1].x.hi - d->scene->chart[1].x.lo, 2, 1e-9);
    }
    command(d, "view chart wider");
    CHECK_NEAR(d->scene->chart[1].x.hi - d->scene->chart[1].x.lo, 4, 1e-9);
    command(d, "view chart zoom 100 100.5");
    CHECK_NEAR(d->scene->chart[1].x.lo, 99.25, 1e-9);
    CHECK_NEAR(d->scene->chart[1].x.hi, 101.25, 1e-9);
}

/* A figure is drawn after its commands. */
TEST(hover, a_figure_shows_the_part_and_the_cursor_that_were_asked_for)
{
    fixture d = {.snap = sample_2d(SS_VALUE, 58, 58), .window = true};
    ss_err err;
    d.ui = ss_ui_new(sample_emit, &d.log, &err);
    CHECK(d.ui != NULL);
    ss_ui_in_order(d.ui);
    CHECK_INT(sample_command(d.ui, "view chart zoom 100 300", d.snap), SS_OK);
    CHECK_INT(sample_command(d.ui, "view cursor plot 200", d.snap), SS_OK);
    draw(&d);
    CHECK_NEAR(d.scene->chart[1].x.lo, 100, 1e-12);
    CHECK(rule_on(&d, 1) && strncmp(rule_on(&d, 1)->text, "cycle ", 6) == 0);
    CHECK_NEAR(rule_on(&d, 1)->x, 0.5, 0.05);
    CHECK(shows(&d, "cycles 100 to 300 of"));
    CHECK(!shows(&d, "f: all"));
    close_fixture(&d);
}

SCREEN_TEST(hover, a_drag_both_ways_zooms_both_axes, sample_2d(SS_STALENESS, 58, 58), false)
{
    ss_rect r = data_of(d, 1);
    double top = d->scene->chart[1].y.hi;
    event(d, SS_EV_PRESS, r.x + 0.25 * r.w, r.y + 0.3 * r.h);
    event(d, SS_EV_DRAG, r.x + 0.75 * r.w, r.y + 0.8 * r.h);
    event(d, SS_EV_RELEASE, r.x + 0.75 * r.w, r.y + 0.8 * r.h);
    CHECK(d->scene->chart[1].y.hi < 0.9 * top);
    command(d, "view chart fit");
    CHECK_NEAR(d->scene->chart[1].y.hi, top, 1e-12);
}

SCREEN_TEST(hover, commands_zoom_and_change_scales, sample_2d(SS_STALENESS, 58, 58), false)
{
    command(d, "view chart zoom 2 9 1e-3 0.5");
    CHECK_NEAR(d->scene->chart[1].x.lo, 2, 1e-12);
    CHECK_NEAR(d->scene->chart[1].y.hi, 0.5, 1e-12);
    command(d, "view chart fit");
    command(d, "view chart log x on");
    CHECK(d->scene->chart[1].x.log && d->scene->chart[1].x.lo > 0);
    command(d, "view chart log x toggle");
    CHECK(!d->scene->chart[1].x.log);
    command(d, "view chart log y off");
    CHECK(!d->scene->chart[1].y.log);
    static const char *const wrong[] = {"view chart zoom 3",      "view chart zoom 9 2",
                                        "view chart zoom a b",    "view chart log z",
                                        "view chart log x maybe", "view chart turn"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(sample_command(d->ui, wrong[i], d->snap) != SS_OK, "%s", wrong[i]);
    command(d, "view cursor lower"); /* bars stay whole */
    CHECK(sample_command(d->ui, "view chart zoom 1 2", d->snap) != SS_OK);
}

/* The spectrum of the error: now, and at the start. */
SCREEN_TEST(hover, a_click_on_a_name_hides_its_curve, sample_2d(SS_VALUE, 58, 58), false)
{
    int last;
    int two = ss_chart_curve(&d->scene->chart[2], 2, &last);
    CHECK(two > 0);
    command(d, "view curve 2 lower");
    CHECK(d->scene->chart[2].series[two].hidden);
    CHECK(!d->scene->chart[2].series[0].hidden);
    move_to(d, 2, 0.3, 0.5);
    CHECK_INT(rule_on(d, 2)->ndot, 1);
    ss_rect at = {0, 0, 0, 0};
    for (int i = 0; i < d->scene->nhit; i++)
        if (d->scene->hit[i].kind == SS_H_COMMAND &&
            strcmp(d->scene->hit[i].command, "view curve 2 lower") == 0)
            at = d->scene->hit[i].rect;
    CHECK(at.w > 0);
    event(d, SS_EV_PRESS, at.x + 0.5, at.y + 0.5);
    CHECK(!d->scene->chart[2].series[two].hidden);
    command(d, "view cursor lower");
    key(d, "1"); /* and by its number */
    CHECK(d->scene->chart[2].series[0].hidden);
    CHECK(sample_command(d->ui, "view curve 0", d->snap) != SS_OK);
    CHECK(sample_command(d->ui, "view curve 7 lower", d->snap) != SS_OK);
    CHECK(sample_command(d->ui, "view curve 1 plot", d->snap) != SS_OK); /* its only one */
}

SCREEN_TEST(hover, the_data_of_a_chart_is_copied_and_written, sample_2d(SS_STALENESS, 58, 58),
            false)
{
    char path[] = "/tmp/ss-hover-XXXXXX", line[96], text[64] = "";
    command(d, "copy data plot");
    const char *csv = ss_ui_take_copy(d->ui);
    CHECK(csv && strncmp(csv, "cycles,", 7) == 0);
    int rows = 0;
    for (const char *at = csv; (at = strchr(at, '\n')) != NULL; at++)
        rows++;
    CHECK_INT(rows, d->scene->chart[1].series[0].n + 1);
    ss_ui_copied(d->ui, true);
    CHECK(ss_ui_take_copy(d->ui) == NULL);
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    snprintf(line, sizeof line, "export data %s", path);
    command(d, line);
    FILE *f = fopen(path, "r");
    CHECK(f && fgets(text, sizeof text, f));
    CHECK(strncmp(text, "cycles,", 7) == 0);
    fclose(f);
    unlink(path);
    CHECK(sample_command(d->ui, "copy data nothing", d->snap) != SS_OK);
}

/* In a window the item under the mouse stands out, and the pointer has a shape. */
SCREEN_TEST(hover, what_can_be_pressed_stands_out_in_a_window, sample_2d(SS_STALENESS, 58, 58),
            true)
{
    for (int i = 0; i < d->scene->nhit; i++) {
        ss_hit h = d->scene->hit[i];
        if (h.kind != SS_H_COMMAND || strcmp(h.command, "view layer residual") != 0)
            continue;
        ss_theme_role before = SS_C_GROUND, after = SS_C_GROUND;
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < d->scene->nitem; k++)
                if (d->scene->item[k].kind == SS_I_TEXT &&
                    strcmp(d->scene->item[k].text, "residual") == 0)
                    *(pass ? &after : &before) = d->scene->item[k].role;
            CHECK_INT((int)d->scene->pointer, pass ? SS_POINT_HAND : SS_POINT_ARROW);
            event(d, SS_EV_MOVE, h.rect.x + 0.5, h.rect.y + 0.5);
        }
        CHECK_INT((int)before, SS_C_DIM);
        CHECK_INT((int)after, SS_C_TEXT);
    }
    move_to(d, 1, 0.5, 0.5);
    CHECK_INT((int)d->scene->pointer, SS_POINT_CROSS);
    for (int i = 0; i < d->scene->nhit; i++)
        if (d->scene->hit[i].kind == SS_H_SLIDER) {
            event(d, SS_EV_MOVE, d->scene->hit[i].rect.x + 1.5, d->scene->hit[i].rect.y + 0.5);
            CHECK_INT((int)d->scene->pointer, SS_POINT_ACROSS);
            break;
        }
    event(d, SS_EV_MOVE, -1, -1); /* it has left the window */
    CHECK_INT((int)d->scene->pointer, SS_POINT_ARROW);
}

/* --- tips ------------------------------------------------------------------------------------- */

static bool meet(ss_rect a, ss_rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* Does it hide a number beside or below the data of a chart? */
static bool hides_ticks(const fixture *d, ss_rect box)
{
    bool hides = false;
    for (int k = 0; k < d->scene->nitem; k++) {
        const ss_item *it = &d->scene->item[k];
        if (it->kind != SS_I_CHART)
            continue;
        ss_rect all = it->rect, data = ss_chart_data(it->chart, all);
        int end = data.y + data.h;
        hides = hides || meet(box, (ss_rect){all.x, all.y, data.x - all.x, all.h}) ||
                meet(box, (ss_rect){all.x, end, all.w, all.y + all.h - end});
    }
    return hides;
}

/* What is said of a border between panels fits one line, below or beside all titles; that of a
 * level border hides no numbers of an axis. */
SCREEN_TEST(hover, the_tip_of_a_border_has_one_line_and_covers_no_title_and_no_axis,
            sample_2d(SS_VALUE, 58, 58), true)
{
    int borders = 0;
    for (int i = 0; i < d->scene->nhit; i++) {
        const ss_hit h = d->scene->hit[i];
        if (h.kind != SS_H_GUTTER)
            continue;
        for (int part = 0; part < 4; part++) {
            double x = h.rect.x + (part + 0.5) * h.rect.w / 4,
                   y = h.rect.y + (part + 0.5) * h.rect.h / 4;
            const ss_hit *there = ss_scene_at(d->scene, x, y);
            if (there->kind != SS_H_GUTTER)
                continue;
            event(d, SS_EV_HOVER, x, y);
            const ss_item *box = NULL;
            for (int k = 0; k < d->scene->nitem; k++)
                if (d->scene->item[k].kind == SS_I_FRAME && d->scene->item[k].style & SS_OVER)
                    box = &d->scene->item[k];
            CHECK_MSG(box, "no tip at %g, %g", x, y);
            CHECK_MSG(box->rect.x <= x + 3 && box->rect.x + box->rect.w >= x - 3 &&
                          box->rect.y <= y + 4 && box->rect.y + box->rect.h >= y - 4,
                      "the tip at %g, %g is far away", x, y);
            bool level = h.rect.w > h.rect.h; /* beside an upright one the place may be narrow */
            CHECK_MSG(!level || !hides_ticks(d, box->rect), "the tip at %g, %g covers an axis", x,
                      y);
            CHECK(shows(d, "drag moves the border · ctrl-r: usual panels"));
            for (int k = 0; k < d->scene->nhit; k++)
                CHECK_MSG(
                    d->scene->hit[k].kind != SS_H_TITLE || !meet(box->rect, d->scene->hit[k].rect),
                    "the tip at %g, %g covers the title of panel %d", x, y, d->scene->hit[k].index);
            borders++;
        }
    }
    CHECK(borders > 4);
}
