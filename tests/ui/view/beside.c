/* A screen beside another one: it shows the same state in its own layout. */
#include "tests/check.h"

#include <string.h>

#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/view/state.h"

static const ss_extent wide = {.cols = 160, .rows = 50, .dots_x = 1, .dots_y = 2},
                       upright = {.cols = 44, .rows = 42, .dots_x = 1, .dots_y = 2};

static struct ss_scene *scene_beside(ss_ui *own, const ss_ui *pilot, const ss_snapshot *snap)
{
    ss_ui_beside(own, pilot, snap);
    return ss_ui_scene(own, snap, &upright, 0);
}

TEST(beside, a_screen_shows_the_state_of_another)
{
    ss_snapshot *snap = sample_2d(SS_VALUE, 64, 64);
    sample_log log = {.ticket = 0};
    ss_ui *pilot = ss_ui_new(sample_emit, &log, NULL), *own = ss_ui_new(sample_emit, &log, NULL);
    snap->seq = 1;
    ss_ui_scene(pilot, snap, &wide, 0);
    scene_beside(own, pilot, snap);
    ss_ui_say(pilot, false, "said to the pilot");
    pilot->theme = &ss_themes[1];
    pilot->view.layer = SS_OWNER;
    pilot->view.x0 = 4, pilot->view.x1 = 20, pilot->view.y0 = 6, pilot->view.y1 = 30;
    pilot->view.slice = 3;
    pilot->ranging.shown = (ss_range){-2, 3, true, true};
    snap->seq = 2;
    snap->message_seq++;
    ss_ui_scene(pilot, snap, &wide, 0);
    struct ss_scene *scene = scene_beside(own, pilot, snap);
    CHECK(scene->theme == &ss_themes[1]);
    CHECK_INT(scene->cols, upright.cols);
    CHECK_STR(own->message, "said to the pilot");
    CHECK_INT((int)own->view.layer, SS_OWNER);
    CHECK(own->view.x0 == 4 && own->view.y0 == 6 && own->view.x1 == 20 && own->view.y1 == 30);
    CHECK_INT(own->view.slice, 3);
    CHECK(memcmp(&own->ranging, &pilot->ranging, sizeof own->ranging) == 0);
    CHECK(own->picture_w == pilot->picture_w && own->picture != pilot->picture);
    CHECK(own->layout.panel[SS_PANEL_FIELD].w != pilot->layout.panel[SS_PANEL_FIELD].w);
    ss_ui_free(own);
    ss_ui_free(pilot);
    sample_free(snap);
}

/* The data of a chart that `copy data` has made belong to one screen. */
TEST(beside, a_screen_owns_nothing_of_another)
{
    ss_snapshot *snap = sample_2d(SS_VALUE, 64, 64);
    sample_log log = {.ticket = 0};
    ss_ui *pilot = ss_ui_new(sample_emit, &log, NULL), *own = ss_ui_new(sample_emit, &log, NULL);
    snap->seq = 1;
    ss_ui_scene(pilot, snap, &wide, 0);
    pilot->copy.data = strdup("1 2");
    scene_beside(own, pilot, snap);
    CHECK(!own->copy.data && pilot->copy.data);
    ss_ui_free(own);
    ss_ui_free(pilot);
    sample_free(snap);
}
