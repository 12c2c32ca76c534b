/* A screen beside another one: it shows the same run and message, in its own layer and window. */
#include "tests/check.h"

#include <string.h>

#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/view/state.h"

static const ss_extent extent = {.cols = 160, .rows = 50, .dots_x = 1, .dots_y = 2};

TEST(beside, a_screen_keeps_its_layer_and_window_beside_another)
{
    ss_snapshot *snap = sample_2d(SS_VALUE, 64, 64);
    sample_log log = {.ticket = 0};
    ss_ui *pilot = ss_ui_new(sample_emit, &log, NULL), *own = ss_ui_new(sample_emit, &log, NULL);
    const ss_view look = {.layer = SS_OWNER, .x0 = 4, .y0 = 6, .x1 = 20, .y1 = 30};
    ss_ui_look(own, &look);
    ss_ui_scene(pilot, snap, &extent, 0);
    ss_ui_say(pilot, false, "said to the pilot");
    pilot->theme = &ss_themes[1];
    pilot->view.slice = 3;
    uint64_t before = ss_ui_view(own)->seq;
    ss_ui_beside(own, pilot);
    CHECK_MSG(ss_ui_view(own)->seq > before, "another slice asks for no picture");
    before = ss_ui_view(own)->seq;
    ss_ui_beside(own, pilot);
    CHECK_INT((int)ss_ui_view(own)->seq, (int)before);
    struct ss_scene *scene = ss_ui_scene(own, snap, &extent, 0);
    CHECK(scene->theme == &ss_themes[1]);
    CHECK_STR(own->message, "said to the pilot");
    CHECK_INT((int)own->view.layer, SS_OWNER);
    CHECK(own->view.x0 == 4 && own->view.y0 == 6 && own->view.x1 == 20 && own->view.y1 == 30);
    CHECK_INT(own->view.slice, 3);
    CHECK_INT((int)pilot->view.layer, SS_VALUE);
    ss_ui_free(own);
    ss_ui_free(pilot);
    sample_free(snap);
}
