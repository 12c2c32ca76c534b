/* Places for call-outs. */
#include "tests/check.h"
#include "ui/scene/layout.h"

static bool apart(ss_rect a, ss_rect b)
{
    return a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
}

static void check_all(const ss_callout *c, int n, ss_rect screen)
{
    for (int i = 0; i < n; i++) {
        ss_rect r = c[i].box;
        if (!r.w)
            continue;
        CHECK(r.x >= screen.x && r.y >= screen.y && r.x + r.w <= screen.x + screen.w &&
              r.y + r.h <= screen.y + screen.h);
        for (int k = 0; k < n; k++) {
            CHECK(!ss_rect_has(r, c[k].at.x, c[k].at.y));
            CHECK(k == i || !c[k].box.w || apart(r, c[k].box));
        }
    }
}

TEST(callouts, boxes_cover_neither_points_nor_each_other)
{
    const ss_rect screen = {0, 1, 120, 36};
    unsigned seed = 1;
    for (int round = 0; round < 40; round++) {
        ss_callout c[6];
        for (int i = 0; i < 6; i++) {
            seed = seed * 1664525u + 1013904223u;
            int x = (int)(seed >> 24) % 60, y = (int)(seed >> 16) % 18;
            c[i] = (ss_callout){.panel = {x, y + 1, 50, 16},
                                .at = {x + (seed >> 8) % 50, y + 1 + (seed >> 4) % 16},
                                .w = 30,
                                .h = 5};
        }
        ss_callouts_place(c, 6, screen);
        check_all(c, 6, screen);
        CHECK(c[0].box.w == 30); /* the first one always has room */
    }
}

TEST(callouts, a_box_stands_in_its_panel_near_its_point)
{
    ss_callout c = {.panel = {10, 5, 60, 20}, .at = {20, 10}, .w = 20, .h = 4};
    ss_callouts_place(&c, 1, (ss_rect){0, 0, 120, 40});
    CHECK(c.box.x > 10 && c.box.y > 5 && c.box.x + 20 < 70 && c.box.y + 4 < 25);
    ss_xy start = ss_callout_start(&c);
    CHECK(start.x >= c.box.x && start.x <= c.box.x + c.box.w);
    CHECK((start.x - 20) * (start.x - 20) + 4 * (start.y - 10) * (start.y - 10) < 30);
}

TEST(callouts, without_room_there_is_no_box)
{
    ss_callout c = {.panel = {0, 0, 10, 4}, .at = {5, 2}, .w = 30, .h = 5};
    ss_callouts_place(&c, 1, (ss_rect){0, 0, 20, 8});
    CHECK_INT(c.box.w, 0);
}
