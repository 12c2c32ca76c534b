/* The places of labels: tick labels, titles of axes, labels of marks. */
#include "tests/check.h"

#include <math.h>

#include "ui/scene/plot.h"

TEST(labels, a_title_does_not_replace_the_last_tick)
{
    ss_label at[] = {{0, 10, false}, {40, 10, false}, {80, 10, false}};
    double title = ss_labels_on_axis(at, 3, 0, 90, 4, 8);
    CHECK(at[0].shown && at[1].shown && at[2].shown);
    CHECK(title >= 54 && title + 8 <= 76); /* between the last two */
}

TEST(labels, a_label_gives_way_to_a_title_that_has_no_room)
{
    ss_label at[] = {{0, 10, false}, {20, 10, false}, {40, 10, false}};
    double title = ss_labels_on_axis(at, 3, 0, 50, 4, 20);
    CHECK(at[0].shown && !at[1].shown && at[2].shown);
    CHECK(title >= 14 && title + 20 <= 36);
    CHECK(isnan(ss_labels_on_axis(at, 3, 0, 50, 4, 60)));
}

TEST(labels, ticks_that_are_too_close_give_way_to_the_last_one)
{
    ss_label at[] = {{0, 10, false}, {12, 10, false}, {24, 10, false}, {30, 10, false}};
    ss_labels_on_axis(at, 4, 0, 40, 4, 0);
    CHECK(at[0].shown && !at[1].shown && !at[2].shown && at[3].shown);
}

TEST(labels, no_line_of_a_mark_crosses_a_label)
{
    ss_flag at[] = {{.x = 10, .w = 50}, {.x = 30, .w = 50}, {.x = 70, .w = 20}, {.x = 95, .w = 30}};
    ss_labels_of_marks(at, 4, 0, 100, 2, 8);
    for (int i = 0; i < 4; i++) {
        CHECK(at[i].shown && at[i].at + at[i].w <= 100);
        for (int j = i + 1; j < 4; j++) {
            bool under = at[j].x >= at[i].at && at[j].x < at[i].at + at[i].w;
            CHECK_MSG(!under || at[j].row > at[i].row, "line %d crosses label %d", j, i);
        }
    }
    CHECK(at[0].at > at[0].x && at[1].at > at[1].x && at[2].at > at[2].x);
}

TEST(labels, the_oldest_labels_of_marks_give_way)
{
    ss_flag at[12];
    for (int i = 0; i < 12; i++)
        at[i] = (ss_flag){.x = 10 + 2 * i, .w = 40};
    ss_labels_of_marks(at, 12, 0, 100, 2, 3);
    for (int i = 0; i < 12; i++)
        CHECK_MSG(at[i].shown == (i >= 9), "label %d", i);
}

/* At the right end a label begins left of its line: it may then cross one that its line does not.
 */
TEST(labels, a_label_pushed_left_crosses_no_other)
{
    ss_flag at[] = {{.x = 70, .w = 9}, {.x = 96, .w = 22}};
    ss_labels_of_marks(at, 2, 0, 100, 1, 8);
    CHECK(at[0].shown && at[1].shown);
    CHECK(at[1].at < at[0].at + at[0].w);
    CHECK_INT(at[0].row, 0);
    CHECK_INT(at[1].row, 1);
}
