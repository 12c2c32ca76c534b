/* The timeline: when it is shown, and what the mouse on it asks for. */
#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/scene/items.h"

enum { COLS = 120, TALL = 60, LOW = 24 };

typedef struct fixture {
    sample_log log;
    ss_ui *ui;
    ss_snapshot *snap;
    struct ss_scene *scene;
} fixture;

static void show(fixture *f, int rows)
{
    ss_extent e = {.cols = COLS, .rows = rows, .dots_x = 1, .dots_y = 2};
    f->scene = ss_ui_scene(f->ui, f->snap, &e, 20);
}

/* A run that has done 1000 cycles, with kept states at 0, 400 and 900. */
static void open_run(fixture *f, int rows)
{
    static const int64_t kept[] = {0, 400, 900};
    *f = (fixture){.log = {.ticket = 0}};
    f->ui = ss_ui_new(sample_emit, &f->log, NULL);
    f->snap = sample_2d(SS_VALUE, 58, 58);
    f->snap->ncurve = 2;
    f->snap->curve[0] = (ss_point){.cycle = 0, .residual = 1};
    f->snap->curve[1] = (ss_point){.cycle = 1000, .residual = 1e-3};
    f->snap->residual0 = 1;
    f->snap->telemetry.value[SS_T_CYCLE] = 1000;
    f->snap->nmark = 0;
    for (int i = 0; i < 3; i++)
        f->snap->past.kept[i].cycle = kept[i];
    f->snap->past.nkept = 3;
    show(f, rows);
}

static void close_run(fixture *f)
{
    sample_free(f->snap);
    ss_ui_free(f->ui);
}

static const ss_hit *strip_of(const fixture *f)
{
    for (int i = 0; i < f->scene->nhit; i++)
        if (f->scene->hit[i].kind == SS_H_STRIP)
            return &f->scene->hit[i];
    return NULL;
}

static void mouse(fixture *f, ss_event_kind kind, double at, bool shift)
{
    ss_rect r = strip_of(f)->rect;
    ss_event ev = {.kind = kind, .x = r.x + at * r.w, .y = r.y + 0.5, .shift = shift};
    ss_ui_event(f->ui, &ev, f->scene, f->snap);
}

TEST(strip, shown_on_a_tall_screen_or_on_request)
{
    fixture f;
    open_run(&f, TALL);
    CHECK(strip_of(&f) != NULL);
    show(&f, LOW);
    CHECK(strip_of(&f) == NULL);
    CHECK_INT(sample_command(f.ui, "view timeline on", f.snap), SS_OK);
    show(&f, LOW);
    CHECK(strip_of(&f) != NULL);
    CHECK_INT(sample_command(f.ui, "view timeline", f.snap), SS_OK);
    show(&f, TALL);
    CHECK(strip_of(&f) == NULL);
    CHECK_INT(sample_command(f.ui, "view timeline auto", f.snap), SS_OK);
    CHECK_INT(sample_command(f.ui, "view timeline wide", f.snap), SS_FAIL);
    close_run(&f);
}

TEST(strip, a_drag_returns_to_kept_states_and_a_release_to_a_cycle)
{
    fixture f;
    open_run(&f, TALL);
    mouse(&f, SS_EV_PRESS, 0.85, false);
    CHECK_STR(f.log.last, "rewind 900");
    mouse(&f, SS_EV_DRAG, 0.5, false);
    CHECK_STR(f.log.last, "rewind 400");
    int count = f.log.count;
    mouse(&f, SS_EV_DRAG, 0.45, false); /* the same state */
    CHECK_INT(f.log.count, count);
    mouse(&f, SS_EV_DRAG, 0.1, false);
    CHECK_STR(f.log.last, "rewind 0");
    mouse(&f, SS_EV_DRAG, 0.25, false);
    mouse(&f, SS_EV_RELEASE, 0.25, false);
    CHECK_STR(f.log.last, "rewind 250");
    mouse(&f, SS_EV_DRAG, 0.9, false); /* the button is up */
    CHECK_STR(f.log.last, "rewind 250");
    close_run(&f);
}

TEST(strip, released_beside_a_kept_state_it_is_that_state)
{
    fixture f;
    open_run(&f, TALL);
    mouse(&f, SS_EV_PRESS, 0.404, false);
    mouse(&f, SS_EV_RELEASE, 0.404, false);
    CHECK_STR(f.log.last, "rewind 400");
    close_run(&f);
}

TEST(strip, a_drag_with_shift_asks_for_a_film)
{
    fixture f;
    open_run(&f, TALL);
    mouse(&f, SS_EV_PRESS, 0.6, true);
    mouse(&f, SS_EV_DRAG, 0.2, false);
    CHECK_INT(f.log.count, 0);
    show(&f, TALL);
    CHECK_NEAR(f.scene->strip.span[0], 0.6, 1e-9);
    CHECK_NEAR(f.scene->strip.span[1], 0.2, 1e-9);
    mouse(&f, SS_EV_RELEASE, 0.2, false);
    CHECK_STR(f.log.last, "film 200 600");
    mouse(&f, SS_EV_PRESS, 0.6, true); /* a span without a cycle */
    mouse(&f, SS_EV_RELEASE, 0.6, true);
    CHECK_INT(f.log.count, 1);
    close_run(&f);
}

TEST(strip, the_end_of_the_axis_does_not_move_while_the_run_is_back)
{
    fixture f;
    open_run(&f, TALL);
    f.snap->curve[1].cycle = 400;
    f.snap->telemetry.value[SS_T_CYCLE] = 400;
    f.snap->past.back = true;
    f.snap->past.end = 1000;
    show(&f, TALL);
    CHECK_NEAR(f.scene->strip.here, 0.4, 1e-9);
    CHECK_NEAR(f.scene->strip.kept[2], 0.9, 1e-9);
    mouse(&f, SS_EV_PRESS, 0.999, false); /* the farthest state that the run had */
    mouse(&f, SS_EV_RELEASE, 0.999, false);
    CHECK_STR(f.log.last, "rewind 1000");
    close_run(&f);
}
