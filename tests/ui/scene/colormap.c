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

/* Roles that words and numbers have, and the grounds that they stand on. Words on SS_C_SHADE are
 * the picker's choice and the labels of a zone. */
static const struct {
    ss_theme_role role;
    bool on_shade;
} words[] = {{SS_C_TEXT, true},     {SS_C_DIM, true},      {SS_C_FAINT, false},
             {SS_C_ACCENT, true},   {SS_C_SERIES1, false}, {SS_C_SERIES2, false},
             {SS_C_SERIES3, false}, {SS_C_SERIES4, false}, {SS_C_ERROR, false}};

static void check_contrast(const ss_theme *t, ss_theme_role role, ss_theme_role ground,
                           double least)
{
    double have = ss_rgb_contrast(t->color[role], t->color[ground]);
    CHECK_MSG(have >= least, "%s: role %d has contrast %.2f on ground %d", t->name, role, have,
              ground);
}

TEST(colormap, contrast_is_that_of_wcag)
{
    CHECK_NEAR(ss_rgb_contrast(0x000000, 0xffffff), 21, 1e-12);
    CHECK_NEAR(ss_rgb_contrast(0x777777, 0xffffff), 4.48, 0.005);
    CHECK_NEAR(ss_rgb_contrast(0xffffff, 0x777777), 4.48, 0.005);
    CHECK_NEAR(ss_rgb_contrast(0xff0000, 0xff0000), 1, 0);
}

TEST(colormap, words_have_a_contrast_of_4_5_in_every_theme_and_7_on_a_projector)
{
    for (const ss_theme *t = ss_themes; t->name; t++) {
        double least = strcmp(t->name, "projector") == 0 ? 7 : 4.5;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            check_contrast(t, words[i].role, SS_C_GROUND, least);
            check_contrast(t, words[i].role, SS_C_PANEL, least);
            if (words[i].on_shade)
                check_contrast(t, words[i].role, SS_C_SHADE, least);
        }
    }
}

/* Ornaments are quieter than words, yet visible. */
TEST(colormap, lines_are_quieter_than_words_in_every_theme)
{
    for (const ss_theme *t = ss_themes; t->name; t++) {
        double line = ss_rgb_contrast(t->color[SS_C_LINE], t->color[SS_C_PANEL]);
        CHECK_MSG(line > 1.2 && line < 2.5, "%s: %.2f", t->name, line);
    }
}

TEST(colormap, the_projector_theme_is_larger_and_thicker)
{
    const ss_theme *p = ss_theme_find("projector");
    CHECK(p && p->type == 1.25 && p->type * p->curve >= 3);
    for (const ss_theme *t = ss_themes; t->name; t++)
        CHECK(t->type >= 1 && t->type <= p->type && t->curve <= p->curve);
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
