/* Places in charts, and their data as CSV: see ui/scene/place.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "ui/cells/cells.h"
#include "ui/scene/place.h"

static const ss_rect at = {3, 2, 40, 12};

static void make_chart(ss_chart *c, bool log, const ss_xy *points, int n)
{
    *c = (ss_chart){.x_label = "cycles", .x_name = "cycles", .y_name = "residual"};
    ss_axis_make(&c->x, 0, 100, false, false, 5);
    ss_axis_make(&c->y, 1e-4, 1, log, log, 5);
    c->series[0] = (ss_series){.at = points, .n = n, .role = SS_C_SERIES1};
    c->nseries = 1;
}

static ss_item *add_chart(ss_scene *s, const ss_chart *c, int cell)
{
    ss_scene_clear(s, 60, 20, &ss_themes[0]);
    s->cell = cell;
    ss_item *it = ss_scene_add(s, SS_I_CHART, at, SS_C_TEXT);
    it->chart = c;
    return it;
}

/* In a terminal and in a window, on both scales: to data and back. */
TEST(place, a_cell_becomes_data_and_returns)
{
    static ss_scene s;
    ss_chart c;
    for (int k = 0; k < 4; k++) {
        make_chart(&c, k % 2, NULL, 0);
        ss_item *it = add_chart(&s, &c, k < 2 ? 1 : 10);
        ss_rect data = ss_chart_data(&c, at);
        for (int i = 0; i <= 10; i++) {
            double x = data.x + 0.5 + i * (data.w - 1) / 10.0;
            double y = data.y + 0.5 + i * (data.h - 1) / 10.0;
            ss_xy part = ss_chart_part(&s, it, x, y);
            ss_xy back = ss_chart_part_of(&c, ss_chart_value(&c, part));
            CHECK_NEAR(back.x, part.x, 1e-12);
            CHECK_NEAR(back.y, part.y, 1e-12);
        }
    }
}

/* The first and last column of a terminal are the ends of the axis. */
TEST(place, the_ends_of_an_axis)
{
    static ss_scene s;
    ss_chart c;
    make_chart(&c, true, NULL, 0);
    ss_item *it = add_chart(&s, &c, 1);
    ss_rect data = ss_chart_data(&c, at);
    ss_xy low = ss_chart_part(&s, it, data.x + 0.5, data.y + data.h - 0.5);
    ss_xy high = ss_chart_part(&s, it, data.x + data.w - 0.5, data.y + 0.5);
    CHECK_NEAR(ss_chart_value(&c, low).x, 0, 1e-9);
    CHECK_NEAR(ss_chart_value(&c, low).y, 1e-4, 1e-12);
    CHECK_NEAR(ss_chart_value(&c, high).x, 100, 1e-9);
    CHECK_NEAR(ss_chart_value(&c, high).y, 1, 1e-12);
    CHECK_INT(ss_chart_column(&c, data, 1), data.x + data.w - 1);
    CHECK_INT(ss_chart_row(data, 1), data.y + data.h - 1);
}

TEST(place, a_bar_is_as_wide_as_its_part)
{
    static ss_scene s;
    ss_xy bars[4] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    ss_chart c;
    make_chart(&c, false, bars, 4);
    c.series[0].bars = true;
    ss_item *it = add_chart(&s, &c, 10);
    ss_rect data = ss_chart_data(&c, at);
    for (int i = 0; i < 40; i++) {
        ss_xy part = ss_chart_part(&s, it, data.x + (i + 0.5) * data.w / 40, data.y + 1);
        CHECK_NEAR(ss_chart_value(&c, part).x, i / 10, 1e-9);
    }
    CHECK_NEAR(ss_chart_part_of(&c, (ss_xy){1, 1}).x, 0.375, 1e-12);
}

TEST(place, a_value_lies_on_the_drawn_line)
{
    ss_xy p[3] = {{0, 1}, {50, 1e-2}, {100, 1e-4}};
    ss_chart c;
    make_chart(&c, true, p, 3);
    CHECK_NEAR(ss_curve_value(&c.x, &c.y, p, 3, 25), 0.1, 1e-9); /* straight on a log axis */
    CHECK_NEAR(ss_curve_value(&c.x, &c.y, p, 3, 50), 1e-2, 1e-15);
    CHECK(isnan(ss_curve_value(&c.x, &c.y, p, 3, 101)));
    CHECK_INT(ss_curve_nearest(&c.x, p, 3, 74), 1);
    CHECK_INT(ss_curve_nearest(&c.x, p, 3, 76), 2);
    CHECK_INT(ss_curve_nearest(&c.x, p, 0, 76), -1);
}

/* Between two far points there is a line from end to end. */
TEST(place, a_clipped_curve_reaches_both_ends)
{
    ss_xy p[4] = {{0, 1}, {10, 0.1}, {90, 1e-3}, {100, 1e-4}}, out[6];
    ss_chart c;
    make_chart(&c, true, p, 4);
    c.x.lo = 20, c.x.hi = 80;
    CHECK_INT(ss_curve_clip(&c.x, &c.y, p, 4, out), 2);
    CHECK_NEAR(out[0].x, 20, 1e-12);
    CHECK_NEAR(out[1].x, 80, 1e-12);
    CHECK_NEAR(out[0].y, ss_curve_value(&c.x, &c.y, p, 4, 20), 1e-12);
    c.x.hi = 95;
    CHECK_INT(ss_curve_clip(&c.x, &c.y, p, 4, out), 3);
    CHECK_NEAR(out[1].x, 90, 1e-12);
}

/* The names stand where a terminal paints them. */
TEST(place, a_click_meets_the_painted_legend)
{
    static ss_scene s;
    ss_xy p[2] = {{0, 1}, {100, 1e-4}};
    ss_chart c;
    ss_term_cells cells = {0};
    const ss_paint how = {.glyphs = ss_glyphs_find("ascii"), .levels = 32, .ramp = true};
    make_chart(&c, true, p, 2);
    c.series[1] = c.series[0], c.nseries = 2;
    c.series[1].dash = 1;
    c.legend[0] = "shared", c.legend[1] = "classic";
    add_chart(&s, &c, 1);
    CHECK(ss_cells_resize(&cells, 60, 20));
    for (int hidden = 0; hidden < 2; hidden++) {
        c.series[1].hidden = hidden;
        ss_cells_paint(&cells, &s, &how);
        for (int i = 0; i < 2; i++) {
            char row[400];
            ss_rect r = ss_legend_hit(&s, &c, at, i);
            ss_cells_row(&cells, r.y, row, sizeof row);
            const char *name = strstr(row, c.legend[i]);
            CHECK_MSG(name && name - row >= r.x && name - row < r.x + r.w, "%s", row);
        }
    }
    s.cell = 10; /* in a window they are beside the screen */
    CHECK(ss_legend_hit(&s, &c, at, 0).x > s.cols);
    ss_cells_free(&cells);
}

/* A piece without a name belongs to the curve before it. */
TEST(place, curves_are_counted_by_their_names)
{
    ss_chart c = {.nseries = 4, .legend = {"start", NULL, "now", NULL}};
    int last;
    CHECK_INT(ss_chart_curve(&c, 1, &last), 0);
    CHECK_INT(last, 2);
    CHECK_INT(ss_chart_curve(&c, 2, &last), 2);
    CHECK_INT(last, 4);
    CHECK_INT(ss_chart_curve(&c, 3, &last), -1);
    ss_chart bare = {.nseries = 2};
    CHECK_INT(ss_chart_curve(&bare, 2, &last), 1);
}

static void csv_is(const ss_chart *c, const char *want, int rows)
{
    int n = -1;
    char *csv = ss_chart_csv(c, "", &n);
    CHECK(csv != NULL);
    CHECK_STR(csv, want);
    CHECK_INT(n, rows);
    free(csv);
}

TEST(place, csv_has_a_column_for_each_shown_curve)
{
    ss_xy a[3] = {{0, 1}, {1, 0.5}, {3, 0.25}}, b[2] = {{1, 0.75}, {2, 0.625}};
    ss_chart c;
    make_chart(&c, false, a, 3);
    csv_is(&c, "cycles,residual\n0,1\n1,0.5\n3,0.25\n", 3);
    c.series[1] = (ss_series){.at = b, .n = 2}, c.nseries = 2;
    c.legend[0] = "shared, \"k\" 4", c.legend[1] = "classic";
    csv_is(&c,
           "cycles,\"shared, \"\"k\"\" 4: residual\",classic: residual\n"
           "0,1,\n1,0.5,0.75\n2,,0.625\n3,0.25,\n",
           4);
    c.series[0].hidden = true;
    c.x_scale = 0.5, c.x_shift = 10;
    csv_is(&c, "cycles,classic: residual\n10.5,0.75\n11,0.625\n", 2);
}

TEST(place, csv_of_marks_has_a_line_for_each)
{
    ss_xy a[2] = {{2, 3}, {1, 4}};
    ss_chart c;
    make_chart(&c, false, a, 2);
    c.series[0].points = 1;
    c.legend[0] = "cells";
    csv_is(&c, "curve,cycles,residual\ncells,2,3\ncells,1,4\n", 2);
}

/* Values are read from the run, not from the curve ahead, which is dashed. */
TEST(place, values_are_those_of_the_solid_curve)
{
    static const ss_xy two[2] = {{0, 1}, {1, 2}};
    ss_chart c = {.nseries = 3};
    for (int i = 0; i < 3; i++)
        c.series[i] = (ss_series){.at = two, .n = 2, .dash = i == 1 ? 0 : 2};
    CHECK_INT(ss_chart_first(&c), 1);
    c.series[1].hidden = true;
    CHECK_INT(ss_chart_first(&c), 0);
    c.nseries = 0;
    CHECK_INT(ss_chart_first(&c), -1);
}
