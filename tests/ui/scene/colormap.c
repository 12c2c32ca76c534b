/* Colour maps, themes, ranges: see ui/scene/colormap.h. */
#include "tests/check.h"
#include "ui/scene/colormap.h"

static void rises(const char *name, int from, int to, int step)
{
    const ss_colormap *m = ss_colormap_find(name);
    double last = -1;
    CHECK_STR(m->name, name);
    for (int i = from; i != to; i += step) {
        double l = ss_rgb_lightness(m->color[i]);
        CHECK_MSG(l >= last - 0.35, "%s is darker at %d (%g after %g)", name, i, l, last);
        last = l > last ? l : last;
    }
}

TEST(colormap, lightness_rises_along_sequential_maps)
{
    rises("value", 0, SS_MAP_SIZE, 1);
    rises("heat", 0, SS_MAP_SIZE, 1);
}

TEST(colormap, diverging_maps_are_lightest_in_the_middle)
{
    rises("signed", 0, SS_MAP_SIZE / 2, 1);
    rises("signed", SS_MAP_SIZE - 1, SS_MAP_SIZE / 2, -1);
}

TEST(colormap, unknown_values_are_grey)
{
    CHECK_INT(ss_colormap_find("no such map")->color[255], 0xffffff);
}

/* Text must be readable on every ground: WCAG contrast of 4.5 for text, 2 for faint text. */
static double contrast(ss_rgb a, ss_rgb b)
{
    double x = ss_rgb_lightness(a), y = ss_rgb_lightness(b);
    double la = x > 8 ? pow((x + 16) / 116, 3) : x / 903.3,
           lb = y > 8 ? pow((y + 16) / 116, 3) : y / 903.3;
    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

TEST(colormap, text_has_enough_contrast_in_every_theme)
{
    static const ss_theme_role read[] = {SS_C_TEXT, SS_C_DIM, SS_C_ERROR};
    for (const ss_theme *t = ss_themes; t->name; t++)
        for (int ground = SS_C_GROUND; ground <= SS_C_PANEL; ground++) {
            for (int i = 0; i < 3; i++)
                CHECK_MSG(contrast(t->color[read[i]], t->color[ground]) > 4.5, "%s: role %d on %d",
                          t->name, read[i], ground);
            CHECK(contrast(t->color[SS_C_FAINT], t->color[ground]) > 2);
            CHECK(contrast(t->color[SS_C_ACCENT], t->color[ground]) > 3);
        }
}

/* A field of zeros has the colour of zero, and the bar shows that; a constant field has its own
 * colour. */
TEST(range, linear_ranges_are_valid_even_for_a_single_value)
{
    ss_range r = {0};
    ss_range_linear(&r, 0, 0);
    CHECK(r.valid && r.lo == 0 && r.hi > 0 && ss_range_at(&r, false, 0) == 0);
    r = (ss_range){0};
    ss_range_linear(&r, 3, 3);
    CHECK(r.lo == 0 && r.hi == 3 && ss_range_at(&r, false, 3) == 1);
    r = (ss_range){0};
    ss_range_linear(&r, -2, -2);
    CHECK(r.hi >= 0 && ss_range_at(&r, false, 0) > ss_range_at(&r, false, -2));
    r = (ss_range){0};
    ss_range_linear(&r, -1, 1);
    ss_range_linear(&r, 0, 0);
    CHECK_NEAR(ss_range_at(&r, false, 0), 0.5, 1e-12);
    CHECK(r.hi == 1);
}

TEST(colormap, range_grows_at_once_and_shrinks_by_half)
{
    ss_range r = {0};
    ss_range_linear(&r, 0, 1);
    CHECK_NEAR(r.hi, 1, 0);
    ss_range_linear(&r, 0, 1.5);
    CHECK_NEAR(r.hi, 1.5, 0);
    for (int i = 0; i < 20; i++) {
        ss_range_linear(&r, 0, i % 2 ? 1.45 : 0.8);
        CHECK_NEAR(r.hi, 1.5, 0);
    }
    ss_range_linear(&r, 0, 0.7);
    CHECK_NEAR(r.hi, 0.7, 0);
}

/* A decaying field stays in the upper half of its colours, in few steps. */
TEST(colormap, range_follows_a_field_that_decays)
{
    ss_range r = {0};
    int steps = 0;
    for (int i = 0; i < 227; i++) { /* to a thousandth */
        double before = r.hi, top = pow(0.97, i);
        ss_range_linear(&r, -0.9 * top, top);
        CHECK(r.hi >= top && r.hi <= 2 * top * (1 + 1e-12));
        CHECK_NEAR(r.lo, -r.hi, 0);
        steps += r.hi < before;
    }
    CHECK(steps >= 8 && steps <= 11);
}

TEST(colormap, range_is_symmetric_once_signs_differ)
{
    ss_range r = {0};
    ss_range_linear(&r, -1, 3);
    CHECK(r.sign);
    CHECK_NEAR(r.lo, -3, 0);
    ss_range_linear(&r, 0, 3);
    CHECK(r.sign);
}

TEST(colormap, log_range_holds_whole_decades)
{
    ss_range r = {0};
    ss_range_log(&r, 0.03, 5);
    CHECK_NEAR(r.hi, 0.1, 1e-12);
    CHECK_NEAR(r.lo, 1e-6, 1e-12);
    ss_range_log(&r, 0.011, 5);
    CHECK_NEAR(r.hi, 0.1, 1e-12);
    ss_range_log(&r, 0.004, 5);
    CHECK_NEAR(r.hi, 0.01, 1e-12);
    ss_range_log(&r, (double)NAN, 5);
    ss_range_log(&r, 0, 5);
    CHECK_NEAR(r.hi, 0.01, 1e-12);
}
