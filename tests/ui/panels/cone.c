/* The panel of the staleness cone: which cells are drawn as stale, and when it is shown. */
#include "tests/check.h"

#include <string.h>

#include "tests/ui/samples.h"
#include "ui/panels/build.h"
#include "ui/panels/screen.h"
#include "ui/view/state.h"

static sample_log said;

static ss_ui *new_ui(void)
{
    ss_err err;
    ss_ui *ui = ss_ui_new(sample_emit, &said, &err);
    CHECK(ui != NULL);
    return ui;
}

/* In a window: one dot per point and per level. */
static void show(ss_ui *ui, ss_snapshot *s, int cols, int rows)
{
    ss_extent extent = {
        .cols = cols, .rows = rows, .dots_x = 8, .dots_y = 20, .head = 1, .side = 1};
    s->seq++;
    ss_ui_scene(ui, s, &extent, 0);
}

static bool has_image(const ss_ui *ui, const ss_image *im)
{
    for (int i = 0; i < ui->scene.nitem; i++)
        if (ui->scene.item[i].kind == SS_I_IMAGE && ui->scene.item[i].image == im)
            return true;
    return false;
}

static bool has_text(const ss_ui *ui, const char *text)
{
    for (int i = 0; i < ui->scene.nitem; i++)
        if (ui->scene.item[i].kind == SS_I_TEXT && strstr(ui->scene.item[i].text, text))
            return true;
    return false;
}

/* The stale dots of a level, those to come included, without the neighbours'. */
static int stale_dots(const ss_ui *ui, int k, int level)
{
    enum { SHADES = 96, LATER = 99 };
    const ss_image *im = &ui->scene.image[2];
    int rim = (im->w - 32) / 2, n = 0;
    for (int x = rim; x < rim + 32; x++) {
        int dot = im->owner[(k - level) * im->w + x];
        n += dot % LATER < SHADES && dot < 2 * LATER;
    }
    return n;
}

TEST(cone_panel, each_level_has_one_more_stale_cell_at_each_edge)
{
    for (int overlap = 0; overlap <= 22; overlap += 11) {
        ss_snapshot *s = sample_1d(64);
        ss_ui *ui = new_ui();
        sample_cone(s, 12, overlap / 2 * 2, 8);
        show(ui, s, 160, 40);
        CHECK(has_image(ui, &ui->scene.image[2]));
        for (int level = 0; level <= 12; level++)
            CHECK_INT(stale_dots(ui, 12, level), level > 1 ? 2 * (level - 1) : 0);
        CHECK(has_text(ui, "exact from overlap 22"));
        CHECK(has_text(ui, "stale 7 cells deep after 8 of 12 subiterations: 8 − 1"));
        ss_ui_free(ui);
        sample_free(s);
    }
}

/* Beside it the triangle of the swept rule: two cells fewer per level. */
UI_TEST(cone_panel, the_triangle_has_as_many_levels, sample_1d(64))
{
    sample_cone(s, 12, 0, 12);
    show(ui, s, 160, 40);
    const ss_image *im = &ui->scene.image[3];
    CHECK(has_image(ui, im));
    CHECK_INT(im->w, 32);
    CHECK_INT(im->h, ui->scene.image[2].h);
    for (int level = 0; level <= 12; level++) {
        int n = 0;
        for (int x = 0; x < 32; x++)
            n += im->owner[(12 - level) * 32 + x] == 199;
        CHECK_INT(n, 32 - 2 * level);
    }
    CHECK(has_text(ui, "swept, without a halo: the exact values"));
}

TEST(cone_panel, words_are_true_for_any_overlap)
{
    static const struct {
        int k, overlap;
        const char *words;
    } cases[] = {{12, 12, "overlap 12 (amber) < 2(k − 1) = 22: 10 of 20 kept are stale at the end"},
                 {12, 22, "overlap 22 (amber) = 2(k − 1) = 22: all 10 kept are exact"},
                 {4, 10, "overlap 10 (amber) > 2(k − 1) = 6: all 22 kept are exact"},
                 {20, 0, "the wedges meet: exact needs k ≤ 16"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ss_snapshot *s = sample_1d(64);
        ss_ui *ui = new_ui();
        sample_cone(s, cases[i].k, cases[i].overlap, cases[i].k);
        show(ui, s, 200, 60);
        CHECK_MSG(has_text(ui, cases[i].words), "%s", cases[i].words);
        ss_ui_free(ui);
        sample_free(s);
    }
}

/* Words about wedges need wedges. */
UI_TEST(cone_panel, blocks_without_frozen_halos, sample_1d(64))
{
    sample_cone(s, 12, 0, 8);
    s->cone.wedge = false;
    show(ui, s, 200, 60);
    CHECK(!has_text(ui, "▾") && !has_text(ui, "swept:"));
    CHECK(has_text(ui, "at the end 22 of 32 kept are stale"));
    CHECK(has_text(ui, "stale 7 cells deep after 8 of 12 subiterations"));
}

/* At every size pictures and words stay on the screen. */
static void check_inside(const ss_ui *ui, int cols, int rows)
{
    for (int i = 0; i < ui->scene.nitem; i++) {
        const ss_item *it = &ui->scene.item[i];
        ss_rect r = it->rect;
        CHECK_MSG(r.x >= 0 && r.y >= 0 && r.w >= 0 && r.h >= 0 && r.x + r.w <= cols &&
                      r.y + r.h <= rows,
                  "%dx%d: item %d of kind %d: %d %d %d %d", cols, rows, i, (int)it->kind, r.x, r.y,
                  r.w, r.h);
    }
}

SLOW_TEST(cone_panel, fits_at_every_size)
{
    static const int overlaps[] = {0, 12, 22};
    for (int dim = 1; dim <= 2; dim++)
        for (int i = 0; i < 3; i++) {
            ss_snapshot *s = dim == 1 ? sample_1d(64) : sample_2d(SS_STALENESS, 64, 64);
            ss_ui *ui = new_ui();
            sample_cone(s, i == 2 ? 12 : 40, overlaps[i], 12);
            CHECK_INT(sample_command(ui, "view panel cone", s), SS_OK);
            for (int cols = 20; cols < 240; cols += 7)
                for (int rows = 8; rows < 70; rows += 3)
                    for (int dots = 1; dots <= 9; dots += 8) {
                        ss_extent e = {
                            .cols = cols, .rows = rows, .dots_x = dots, .dots_y = 2 * dots};
                        s->seq++;
                        ss_ui_scene(ui, s, &e, 0);
                        check_inside(ui, cols, rows);
                    }
            ss_ui_free(ui);
            sample_free(s);
        }
}

/* Equal colours are equal values in all subiterations, also while the field shows only zeros. */
TEST(cone_panel, has_one_range_for_the_cycle)
{
    for (int wide = 0; wide < 2; wide++) {
        ss_snapshot *s = sample_2d(SS_STALENESS, 64, 64);
        ss_ui *ui = new_ui();
        CHECK_INT(sample_command(ui, "view layer staleness", s), SS_OK);
        s->scale = (ss_scale){.valid = true, .lo = 0, .hi = wide ? 0.5 : 0};
        for (int now = 1; now <= 12; now++) {
            sample_cone(s, 12, 12, now);
            size_t n = (size_t)s->picture.w * (size_t)s->picture.h;
            for (size_t i = 0; i < n; i++)
                s->picture.cell[i] = now > 6 && wide ? 0.04F * (float)now : 0;
            s->picture.lo = 0, s->picture.hi = now > 6 && wide ? 0.04 * now : 0;
            show(ui, s, 120, 40);
            CHECK_NEAR(ui->scene.image[4].range.hi, wide ? 1 : 1e-3, 1e-12);
        }
        ss_ui_free(ui);
        sample_free(s);
    }
}

/* It would be the answer. */
UI_TEST(cone_panel, is_hidden_while_a_lesson_asks, sample_1d(64))
{
    static ss_page page = {.asks = SS_ASKS_NUMBER};
    sample_cone(s, 12, 0, 3);
    ss_ui_page(ui, &page);
    CHECK_INT(sample_command(ui, "view panel cone", s), SS_OK);
    CHECK_MSG(strstr(ui->message, "predict"), "%s", ui->message);
    show(ui, s, 160, 40);
    CHECK(!has_image(ui, &ui->scene.image[2]));
    page.asks = SS_ASKS_NOTHING;
    show(ui, s, 200, 60);
    CHECK(has_image(ui, &ui->scene.image[2]));
}

/* 1D: instead of the space-time diagram, until that is chosen. */
UI_TEST(cone_panel, takes_turns_with_the_space_time_diagram, sample_1d(64))
{
    show(ui, s, 160, 40);
    CHECK(has_image(ui, &ui->scene.image[1]) && !has_image(ui, &ui->scene.image[2]));
    sample_cone(s, 12, 0, 3);
    show(ui, s, 160, 40);
    CHECK(!has_image(ui, &ui->scene.image[1]) && has_image(ui, &ui->scene.image[2]));
    CHECK_INT(sample_command(ui, "view panel space-time", s), SS_OK);
    show(ui, s, 160, 40);
    CHECK(has_image(ui, &ui->scene.image[1]) && !has_image(ui, &ui->scene.image[2]));
    CHECK_INT(sample_command(ui, "view panel cone", s), SS_OK);
    s->cone.there = false; /* the cycle is over */
    show(ui, s, 160, 40);
    CHECK(has_image(ui, &ui->scene.image[1]) && !has_image(ui, &ui->scene.image[2]));
}

/* The keys of the tabs come to it after the last axis, and leave it again. */
UI_TEST(cone_panel, follows_the_last_axis, sample_2d(SS_VALUE, 64, 64))
{
    sample_cone(s, 12, 0, 3);
    show(ui, s, 120, 40);
    CHECK(!has_image(ui, &ui->scene.image[2])); /* the layer of values has another panel there */
    CHECK_INT(sample_command(ui, "view panel previous", s), SS_OK);
    show(ui, s, 120, 40);
    CHECK(has_image(ui, &ui->scene.image[2]));
    CHECK_INT((int)ui->over, (int)SS_CYCLES);
    CHECK_INT(sample_command(ui, "view panel next", s), SS_OK);
    show(ui, s, 120, 40);
    CHECK(!has_image(ui, &ui->scene.image[2]));
    CHECK_INT((int)ui->over, (int)SS_CYCLES);
    s->cone.there = false;
    CHECK_INT(sample_command(ui, "view panel previous", s), SS_OK);
    CHECK_INT((int)ui->over, (int)SS_BYTES); /* there are no reductions */
    CHECK_INT(sample_command(ui, "view panel cone", s), SS_OK);
    CHECK_MSG(strstr(ui->message, "microscope"), "%s", ui->message);
}

/* The layer of staleness shows it by itself, and its place says why there is none. */
UI_TEST(cone_panel, stands_beside_the_picture_of_staleness, sample_2d(SS_STALENESS, 64, 64))
{
    CHECK_INT(sample_command(ui, "view layer staleness", s), SS_OK);
    sample_cone(s, 12, 12, 12);
    show(ui, s, 120, 40);
    CHECK(has_image(ui, &ui->scene.image[2]));
    s->cone.there = false;
    s->cone.why = "a reason";
    CHECK_INT(sample_command(ui, "view panel cone", s), SS_OK);
    show(ui, s, 120, 40);
    CHECK(!has_image(ui, &ui->scene.image[2]) && has_text(ui, "a reason"));
}
