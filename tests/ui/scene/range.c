/* Ranges of values: see ui/scene/plot.h. */
#include "tests/check.h"
#include "ui/scene/plot.h"

/* A field of zeros has the colour of zero, and the bar shows that; a constant field has its own
 * colour. */
TEST(range, linear_ranges_are_valid_even_for_a_single_value)
{
    ss_range r = {0};
    ss_range_linear(&r, 0, 0, false);
    CHECK(r.valid && r.lo == 0 && r.hi > 0 && ss_range_at(&r, false, 0) == 0);
    r = (ss_range){0};
    ss_range_linear(&r, 3, 3, false);
    CHECK(r.lo == 0 && r.hi == 3 && ss_range_at(&r, false, 3) == 1);
    r = (ss_range){0};
    ss_range_linear(&r, -2, -2, false);
    CHECK(r.hi >= 0 && ss_range_at(&r, false, 0) > ss_range_at(&r, false, -2));
    r = (ss_range){0};
    ss_range_linear(&r, -1, 1, false);
    ss_range_linear(&r, 0, 0, false);
    CHECK_NEAR(ss_range_at(&r, false, 0), 0.5, 1e-12);
    CHECK(r.hi == 1);
}

TEST(range, grows_at_once_and_shrinks_after_a_clear_fall)
{
    ss_range r = {0};
    ss_range_linear(&r, 0, 1, false);
    CHECK_NEAR(r.hi, 1, 0);
    ss_range_linear(&r, 0, 1.5, false);
    CHECK_NEAR(r.hi, 1.5, 0);
    for (int i = 0; i < 20; i++) {
        ss_range_linear(&r, 0, i % 2 ? 1.45 : 1.25, false);
        CHECK_NEAR(r.hi, 1.5, 0);
    }
    ss_range_linear(&r, 0, 1.1, false);
    CHECK_NEAR(r.hi, 1.1, 0);
}

/* A scale to 0.124 for a field up to 0.074 is misleading, above all when it stands still. */
TEST(range, a_still_picture_has_the_range_of_its_values)
{
    ss_range r = {0};
    ss_range_linear(&r, 0, 0.124, false);
    ss_range_linear(&r, 0, 0.11, false);
    CHECK_NEAR(r.hi, 0.124, 0);
    ss_range_linear(&r, 0, 0.11, true);
    CHECK_NEAR(r.hi, 0.11, 0);
}

TEST(range, follows_a_field_that_decays)
{
    ss_range r = {0};
    int steps = 0;
    for (int i = 0; i < 227; i++) { /* to a thousandth */
        double before = r.hi, top = pow(0.97, i);
        ss_range_linear(&r, -0.9 * top, top, false);
        CHECK(r.hi >= top && r.hi <= 1.25 * top * (1 + 1e-12));
        CHECK_NEAR(r.lo, -r.hi, 0);
        steps += r.hi < before;
    }
    CHECK(steps >= 24 && steps <= 34);
}

TEST(range, is_symmetric_once_signs_differ)
{
    ss_range r = {0};
    ss_range_linear(&r, -1, 3, false);
    CHECK(r.sign);
    CHECK_NEAR(r.lo, -3, 0);
    ss_range_linear(&r, 0, 3, false);
    CHECK(r.sign);
}

TEST(range, a_log_range_has_whole_decades)
{
    ss_range r = {0};
    ss_range_log(&r, 0.03, 5, false);
    CHECK_NEAR(r.hi, 0.1, 1e-12);
    CHECK_NEAR(r.lo, 1e-6, 1e-12);
    ss_range_log(&r, 0.011, 5, false);
    CHECK_NEAR(r.hi, 0.1, 1e-12);
    ss_range_log(&r, 0.004, 5, false);
    CHECK_NEAR(r.hi, 0.01, 1e-12);
    ss_range_log(&r, (double)NAN, 5, false);
    ss_range_log(&r, 0, 5, false);
    CHECK_NEAR(r.hi, 0.01, 1e-12);
}

/* A picture at rest has the range of its own values, whatever was shown before it. */
TEST(range, a_log_range_at_rest_depends_on_its_picture_alone)
{
    ss_range from_above = {0}, alone = {0};
    ss_range_log(&from_above, 0.03, 5, false);
    ss_range_log(&from_above, 0.009, 5, false);
    CHECK_NEAR(from_above.hi, 0.1, 1e-12);
    ss_range_log(&from_above, 0.009, 5, true);
    ss_range_log(&alone, 0.009, 5, true);
    CHECK_NEAR(from_above.hi, alone.hi, 1e-15);
    CHECK_NEAR(alone.hi, 0.01, 1e-12);
}

/* One cell beyond a decade would dim all others. */
TEST(range, a_single_cell_does_not_change_the_decade)
{
    static float cell[10000];
    for (int i = 0; i < 10000; i++)
        cell[i] = 0.008F;
    cell[77] = 0.02F;
    CHECK_NEAR(ss_range_peak(cell, 10000, 0.02), 0.01, 1e-15);
    for (int i = 0; i < 11; i++)
        cell[i] = 0.02F;
    CHECK_NEAR(ss_range_peak(cell, 10000, 0.02), 0.02, 0);
    CHECK_NEAR(ss_range_peak(cell, 900, 0.02), 0.02, 0); /* 11 of 900 */
    CHECK_NEAR(ss_range_peak(cell + 100, 900, 0.008), 0.008, 0);
}

TEST(range, a_range_moves_in_equal_steps_of_its_scale)
{
    const ss_range from = {1e-6, 1e-1, true, false}, to = {1e-5, 1, true, false};
    ss_range half = ss_range_between(from, to, true, 0.5);
    CHECK_NEAR(log10(half.hi), -0.5, 1e-12);
    CHECK_NEAR(log10(half.lo), -5.5, 1e-12);
    CHECK_NEAR(ss_range_between(from, to, true, 1).hi, 1, 0);
    CHECK_NEAR(
        ss_range_between((ss_range){0, 1, true, false}, (ss_range){0, 3, true, false}, false, 0.25)
            .hi,
        1.5, 1e-12);
}

TEST(range, the_join_contains_both_ranges)
{
    const ss_range a = {0, 1, true, false}, b = {-3, 2, true, true}, none = {.valid = false};
    ss_range c = ss_range_join(a, b, false);
    CHECK(c.lo == -3 && c.hi == 3 && c.sign);
    CHECK(ss_range_join(none, a, false).hi == 1 && ss_range_join(a, none, false).hi == 1);
    const ss_range low = {1e-8, 1e-3, true, false}, high = {1e-6, 1e-1, true, false};
    CHECK(ss_range_join(low, high, true).lo == 1e-6);
}

TEST(range, value_is_the_inverse_of_the_position)
{
    const ss_range linear = {-1, 4, true, false}, logarithmic = {1e-4, 10, true, false};
    for (int i = 0; i <= 10; i++) {
        double at = i / 10.0;
        CHECK_NEAR(ss_range_at(&linear, false, ss_range_value(&linear, false, at)), at, 1e-12);
        CHECK_NEAR(ss_range_at(&logarithmic, true, ss_range_value(&logarithmic, true, at)), at,
                   1e-12);
    }
}
