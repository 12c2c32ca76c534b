/* Colour maps and themes: see ui/scene/colormap.h. */
#include <stdlib.h>

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

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A step that is much larger than the others looks like an edge in the field. */
TEST(colormap, no_map_has_a_false_contour)
{
    enum { STEPS = SS_MAP_SIZE - 1 };
    const ss_colormap *m;
    int maps = 0;
    for (; (m = ss_colormap_at(maps)) != NULL; maps++) {
        double step[STEPS];
        for (int i = 0; i < STEPS; i++)
            step[i] = ss_rgb_distance(m->color[i], m->color[i + 1]);
        qsort(step, STEPS, sizeof *step, by_size);
        CHECK_MSG(step[STEPS - 1] < 2 * step[STEPS / 2], "%s: a step of %g, the median is %g",
                  m->name, step[STEPS - 1], step[STEPS / 2]);
    }
    CHECK(maps >= 3);
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
