/* Colour maps and themes: see ui/scene/colormap.h. */
#include <math.h>
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
             {SS_C_SERIES3, false}, {SS_C_SERIES4, false}, {SS_C_SERIES5, false},
             {SS_C_SERIES6, false}, {SS_C_ERROR, false}};

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

/* --- colours of curves ------------------------------------------------------------------------ */

enum { SERIES = SS_C_SERIES6 - SS_C_SERIES1 + 1, OLD = 4 };

static double linear(unsigned v)
{
    double s = v / 255.0;
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static ss_rgb coded(double v, int shift)
{
    double s = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return (ss_rgb)lround(255 * (s < 0 ? 0 : s > 1 ? 1 : s)) << shift;
}

/* What eyes see: Machado, Oliveira & Fernandes 2009, table 1, severity 1, in linear RGB. */
static const struct {
    const char *name;
    double m[3][3];
} eyes[] = {{"all cones", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
            {"protanopia",
             {{0.152286, 1.052583, -0.204868},
              {0.114503, 0.786281, 0.099216},
              {-0.003882, -0.048116, 1.051998}}},
            {"deuteranopia",
             {{0.367322, 0.860646, -0.227968},
              {0.280085, 0.672501, 0.047413},
              {-0.011820, 0.042940, 0.968881}}},
            {"tritanopia",
             {{1.255528, -0.076749, -0.178779},
              {-0.078411, 0.930809, 0.147602},
              {0.004733, 0.691367, 0.303900}}}};

static ss_rgb seen(ss_rgb c, size_t eye)
{
    double rgb[3] = {linear(c >> 16 & 255), linear(c >> 8 & 255), linear(c & 255)};
    ss_rgb out = 0;
    for (int i = 0; i < 3; i++) {
        const double *m = eyes[eye].m[i];
        out |= coded(m[0] * rgb[0] + m[1] * rgb[1] + m[2] * rgb[2], 16 - 8 * i);
    }
    return out;
}

/* The first four are told apart by their dashes too, where eyes with two kinds of cones see one
 * colour twice; the others by their colours alone. */
TEST(colormap, six_curves_have_six_colours_in_every_theme)
{
    for (const ss_theme *t = ss_themes; t->name; t++)
        for (int i = 0; i < SERIES; i++)
            for (int j = 0; j < i; j++)
                for (size_t eye = 0; eye < sizeof eyes / sizeof *eyes; eye++) {
                    ss_rgb a = t->color[SS_C_SERIES1 + i], b = t->color[SS_C_SERIES1 + j];
                    double d = ss_rgb_distance(seen(a, eye), seen(b, eye));
                    CHECK_MSG(d >= 10 || (i < OLD && eye > 0), "%s, %s: series %d and %d are %.1f",
                              t->name, eyes[eye].name, j + 1, i + 1, d);
                }
}

TEST(colormap, curves_have_a_contrast_of_3_in_every_theme)
{
    for (const ss_theme *t = ss_themes; t->name; t++)
        for (int i = 0; i < SERIES; i++) {
            check_contrast(t, (ss_theme_role)(SS_C_SERIES1 + i), SS_C_GROUND, 3);
            check_contrast(t, (ss_theme_role)(SS_C_SERIES1 + i), SS_C_PANEL, 3);
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
