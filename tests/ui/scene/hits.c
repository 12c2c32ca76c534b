/* Where a press or a finger is, in a scene (ui/scene/items.h). */
#include "tests/check.h"
#include "ui/scene/items.h"

static ss_scene scene;

/* A button of one row, and a field below it. */
static void put_hits(void)
{
    ss_scene_clear(&scene, 40, 20, &ss_themes[0]);
    ss_scene_hit(&scene, SS_H_FIELD, (ss_rect){0, 5, 40, 15}, NULL, 0);
    ss_scene_hit(&scene, SS_H_WORDS, (ss_rect){14, 2, 10, 1}, "explained", 0);
    ss_scene_hit(&scene, SS_H_COMMAND, (ss_rect){5, 2, 8, 1}, "pause", 0);
}

TEST(hits, a_finger_finds_a_button_within_twenty_pixels)
{
    static const double close[][2] = {{5.5, 2.5}, {3.5, 2.5}, {14.5, 2.5}, {9, 1.2}, {9, 3.8}};
    static const double far[][2] = {{2.5, 2.5}, {9, 0.5}, {15.5, 2.5}, {30, 2.5}};
    put_hits();
    for (int i = 0; i < 5; i++) {
        const ss_hit *h = ss_scene_near(&scene, close[i][0], close[i][1]);
        CHECK_MSG(h && h->kind == SS_H_COMMAND, "%g, %g", close[i][0], close[i][1]);
    }
    for (int i = 0; i < 4; i++) {
        const ss_hit *h = ss_scene_near(&scene, far[i][0], far[i][1]);
        CHECK_MSG(!h || h->kind != SS_H_COMMAND, "%g, %g", far[i][0], far[i][1]);
    }
}

TEST(hits, what_a_finger_touches_counts_before_what_is_near)
{
    put_hits();
    ss_scene_hit(&scene, SS_H_COMMAND, (ss_rect){5, 3, 8, 1}, "undo", 0);
    CHECK_STR(ss_scene_near(&scene, 9, 3.1)->command, "undo");
    CHECK_INT(ss_scene_near(&scene, 9, 5.1)->kind, SS_H_FIELD);
}
