/* Ticks and thinning: see ui/scene/plot.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "ui/scene/text.h"
#include "ui/scene/plot.h"

static const char *tick(double v, bool log)
{
    return ss_tick_text(v, log);
}

/* Far zoomed in: all labels of an axis differ and are correct. */
TEST(plot, labels_of_neighbouring_ticks_differ)
{
    for (int decades = 0; decades <= 7; decades++)
        for (int max = 2; max < 9; max++) {
            ss_plot_axis a;
            ss_axis_make(&a, 1.0003, 1.0003 + 4.3 * pow(10, -decades), false, false, max);
            const char *lo = ss_axis_text(&a, a.lo);
            CHECK(strcmp(lo, ss_axis_text(&a, a.hi)) != 0);
            for (int i = 0; i < a.ntick; i++)
                CHECK_NEAR(strtod(a.tick[i].label, NULL), a.tick[i].at, 0.1 * (a.hi - a.lo));
            for (int i = 1; i < a.ntick; i++)
                CHECK_MSG(strcmp(a.tick[i].label, a.tick[i - 1].label) != 0, "%s", lo);
        }
}

/* Left of a field there are five columns for a label. */
TEST(plot, wide_labels_are_told_by_their_distance_from_a_short_one)
{
    ss_plot_axis a;
    ss_axis_make(&a, 0.99995, 1.00005, false, true, 4);
    ss_axis_shorten(&a, 5);
    CHECK_INT(a.ntick, 3);
    CHECK_STR(a.tick[0].label, "-5e-5");
    CHECK_STR(a.tick[1].label, "1");
    CHECK_STR(a.tick[2].label, "+5e-5");
    ss_axis_make(&a, 0, 1.5, false, true, 4);
    ss_axis_shorten(&a, 5);
    CHECK(a.ntick > 2);
    CHECK_STR(a.tick[1].label, "0.5");
    ss_axis_make(&a, 12.34561, 12.34569, false, true, 4);
    ss_axis_shorten(&a, 5);
    CHECK_INT(a.ntick, 0);
}

/* The same with numbers below 0.001, whose short form has two digits. */
TEST(plot, labels_of_small_neighbours_differ)
{
    ss_plot_axis a;
    ss_axis_make(&a, 1.96e-4, 2.004e-4, false, false, 9);
    CHECK(a.ntick > 2);
    for (int i = 0; i < a.ntick; i++)
        CHECK_NEAR(strtod(a.tick[i].label, NULL), a.tick[i].at, 1e-9);
}

/* A residual that falls to 0: the curve stays on the axis. */
TEST(plot, long_log_axes_cover_the_curve)
{
    ss_plot_axis a;
    ss_axis_make(&a, 9e-150, 1, true, true, 12);
    CHECK(a.lo <= 9e-150 && a.lo >= 1e-151 && a.ntick >= 5);
    ss_axis_make(&a, 1e-310, 1, true, true, 12);
    CHECK(a.lo > 0 && a.lo <= 1e-300 && a.hi == 1);
}

TEST(plot, ticks_are_short)
{
    CHECK_STR(tick(0, false), "0");
    CHECK_STR(tick(4000, false), "4k");
    CHECK_STR(tick(1500, false), "1.5k");
    CHECK_STR(tick(0.25, false), "0.25");
    CHECK_STR(tick(2e6, false), "2M");
    CHECK_STR(tick(-3, false), "-3");
    CHECK_STR(tick(1, true), "1");
    CHECK_STR(tick(1e-3, true), "1e-3");
    CHECK_STR(tick(1e-12, true), "1e-12");
    CHECK_STR(tick(100, true), "100");
    CHECK_STR(tick(10, true), "10");
    CHECK_STR(tick(2e10, true), "20G");
    CHECK_STR(tick(1e-4, false), "1e-4");
    CHECK_STR(tick((double)NAN, false), "-");
}

TEST(plot, a_linear_axis_covers_its_range_with_round_ticks)
{
    ss_plot_axis a;
    ss_axis_make(&a, 0, 8000, false, false, 5);
    CHECK_INT(a.ntick, 5);
    CHECK_STR(a.tick[1].label, "2k");
    CHECK_NEAR(ss_axis_at(&a, 4000), 0.5, 1e-12);
    ss_axis_make(&a, 0.013, 0.97, false, true, 5);
    CHECK_NEAR(a.lo, 0, 1e-12);
    CHECK_NEAR(a.hi, 1, 1e-12);
}

TEST(plot, a_log_axis_has_a_tick_per_decade_and_no_place_for_zero)
{
    ss_plot_axis a;
    ss_axis_make(&a, 3e-4, 1, true, true, 10);
    CHECK_NEAR(a.lo, 1e-4, 1e-15);
    CHECK_INT(a.ntick, 5);
    CHECK_STR(a.tick[0].label, "1");
    CHECK_STR(a.tick[4].label, "1e-4");
    CHECK(isnan(ss_axis_at(&a, 0)));
    CHECK(isnan(ss_axis_at(&a, -1)));
    CHECK_NEAR(ss_axis_at(&a, 1e-2), 0.5, 1e-12);
}

static void check_ticks(double lo, double hi, int max, const char *labels)
{
    ss_plot_axis a;
    char text[200] = "";
    ss_axis_make(&a, lo, hi, true, false, max);
    for (int i = 0; i < a.ntick; i++) {
        CHECK(i == 0 || ss_axis_tick(&a, i)->at > ss_axis_tick(&a, i - 1)->at);
        CHECK_MSG(a.tick[i].at >= lo * (1 - 1e-9) && a.tick[i].at <= hi * (1 + 1e-9),
                  "%g to %g: %s", lo, hi, a.tick[i].label);
        snprintf(text + strlen(text), sizeof text - strlen(text), i ? " %s" : "%s",
                 a.tick[i].label);
    }
    CHECK_STR(text, labels);
}

/* At least two ticks, if they fit. */
TEST(plot, short_log_axes_have_ticks)
{
    check_ticks(0.0221, 0.113, 5, "0.1 0.05");
    check_ticks(0.05, 0.5, 5, "0.5 0.2 0.1 0.05");
    check_ticks(2, 300, 8, "200 100 50 20 10 5 2");
    check_ticks(2, 300, 5, "100 10");
    check_ticks(0.0511, 0.0694, 5, "0.065 0.06 0.055");
    check_ticks(0.0511, 0.0694, 1, "");
    check_ticks(30, 48, 6, "45 40 35 30");
    check_ticks(1, 1.000002, 6, "1.000002 1.0000015 1.000001 1.0000005 1");
    check_ticks(0.1, 1, 6, "1 0.5 0.2 0.1");
    check_ticks(0.1, 1, 3, "1 1e-1");
    check_ticks(0.0005, 0.005, 6, "5e-3 2e-3 1e-3 5e-4");
}

TEST(plot, every_range_gives_a_valid_axis)
{
    static const double odd[] = {0,
                                 1,
                                 -1,
                                 5,
                                 1e300,
                                 -1e300,
                                 1e-300,
                                 (double)NAN,
                                 (double)INFINITY,
                                 -(double)INFINITY,
                                 1e-320,
                                 123456789};
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            for (int k = 0; k < 8; k++) {
                ss_plot_axis a;
                ss_axis_make(&a, odd[i], odd[j], k & 1, k & 2, k & 4 ? 0 : 7);
                CHECK_MSG(a.hi > a.lo && isfinite(a.lo) && isfinite(a.hi), "%g %g: %g to %g",
                          odd[i], odd[j], a.lo, a.hi);
                CHECK(a.ntick >= 0 && a.ntick <= SS_TICK_MAX);
            }
}

TEST(plot, thinning_keeps_ends_and_extremes)
{
    static ss_xy p[10000], q[10000];
    ss_plot_axis x, y;
    for (int i = 0; i < 10000; i++)
        p[i] = (ss_xy){i, i == 777 ? 50 : sin(i * 0.01)};
    p[10].y = (double)NAN;
    ss_axis_make(&x, 0, 9999, false, false, 5);
    ss_axis_make(&y, -1, 50, false, false, 5);
    int n = ss_curve_thin(&x, &y, p, 10000, 80, q);
    CHECK(n <= 4 * 82);
    CHECK_NEAR(q[0].x, 0, 0);
    CHECK_NEAR(q[n - 1].x, 9999, 0);
    double top = 0;
    for (int i = 0; i < n; i++) {
        top = q[i].y > top ? q[i].y : top;
        CHECK(i == 0 || q[i].x >= q[i - 1].x);
    }
    CHECK_NEAR(top, 50, 0);
    CHECK_INT(ss_curve_thin(&x, &y, p, 10000, 80, p), n);
    CHECK_INT(ss_curve_thin(&x, &y, p, 0, 80, q), 0);
}

/* A method that needs a million iterations has no factor of 1. */
TEST(plot, a_factor_near_1_keeps_the_digits_of_its_distance)
{
    static const struct {
        double factor;
        const char *text;
    } rows[] = {{0.5, "0.5000"},
                {0.9521, "0.95210"},
                {0.9997, "0.9997000"},
                {0.99998959, "0.99998959"},
                {1 - 2.94e-7, "0.999999706"},
                {1, "1.000"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_STR(ss_factor_text(rows[i].factor), rows[i].text);
}

TEST(plot, changes_of_one_parameter_join_into_one_mark)
{
    char text[64] = "overlap 0→2";
    CHECK(ss_mark_join(text, "overlap 2→4", text, sizeof text));
    CHECK_STR(text, "overlap 0→4");
    CHECK(ss_mark_join(text, "overlap 4→28", text, sizeof text));
    CHECK_STR(text, "overlap 0→28");
    CHECK(!ss_mark_join(text, "overlap 26→30", text, sizeof text)); /* undone in between */
    CHECK(!ss_mark_join(text, "k 28→30", text, sizeof text));
    CHECK(!ss_mark_join(text, "overlap 28→30, k 4→8", text, sizeof text));
    CHECK(!ss_mark_join("painted", "painted", text, sizeof text));
    CHECK(ss_mark_is_undone("overlap 0→0") && ss_mark_is_undone("tolerance 0.01→0.01"));
    CHECK(!ss_mark_is_undone("overlap 0→10") && !ss_mark_is_undone("overlap 10→0"));
    CHECK(!ss_mark_is_undone("painted"));
    CHECK_STR(text, "overlap 0→28");
}
