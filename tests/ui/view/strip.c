/* The timeline: when it is shown, and what the mouse on it asks for. */

#include <stdio.h>
#include <string.h>

#define SCREEN_OPEN open_run
#include "tests/ui/fixture.h"

enum { COLS = 120, TALL = 60, LOW = 24 };

static void show(fixture *f, int rows)
{
    f->rows = rows;
    draw_screen(f);
}

/* A run that has done 1000 cycles, with kept states at 0, 400 and 900. */
static void open_run(fixture *f, int rows)
{
    static const int64_t kept[] = {0, 400, 900};
    open_screen(f, sample_2d(SS_VALUE, 58, 58), COLS, rows);
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

static void mouse(fixture *f, ss_event_kind kind, double at, bool shift)
{
    ss_rect r = hit_of(f, SS_H_STRIP, -1)->rect;
    ss_event ev = {.kind = kind, .x = r.x + at * r.w, .y = r.y + 0.5, .shift = shift};
    ss_ui_event(f->ui, &ev, f->scene, f->snap);
}

SCREEN_TEST(strip, shown_on_a_tall_screen_or_on_request, TALL)
{
    CHECK(hit_of(d, SS_H_STRIP, -1) != NULL);
    show(d, LOW);
    CHECK(hit_of(d, SS_H_STRIP, -1) == NULL);
    CHECK_INT(sample_command(d->ui, "view timeline on", d->snap), SS_OK);
    show(d, LOW);
    CHECK(hit_of(d, SS_H_STRIP, -1) != NULL);
    CHECK_INT(sample_command(d->ui, "view timeline", d->snap), SS_OK);
    show(d, TALL);
    CHECK(hit_of(d, SS_H_STRIP, -1) == NULL);
    CHECK_INT(sample_command(d->ui, "view timeline auto", d->snap), SS_OK);
    CHECK_INT(sample_command(d->ui, "view timeline wide", d->snap), SS_FAIL);
}

SCREEN_TEST(strip, a_drag_returns_to_kept_states_and_a_release_to_a_cycle, TALL)
{
    mouse(d, SS_EV_PRESS, 0.85, false);
    CHECK_STR(d->log.last, "rewind 900");
    mouse(d, SS_EV_DRAG, 0.5, false);
    CHECK_STR(d->log.last, "rewind 400");
    int count = d->log.count;
    mouse(d, SS_EV_DRAG, 0.45, false); /* the same state */
    CHECK_INT(d->log.count, count);
    mouse(d, SS_EV_DRAG, 0.1, false);
    CHECK_STR(d->log.last, "rewind 0");
    mouse(d, SS_EV_DRAG, 0.25, false);
    mouse(d, SS_EV_RELEASE, 0.25, false);
    CHECK_STR(d->log.last, "rewind 250");
    mouse(d, SS_EV_DRAG, 0.9, false); /* the button is up */
    CHECK_STR(d->log.last, "rewind 250");
}

SCREEN_TEST(strip, released_beside_a_kept_state_it_is_that_state, TALL)
{
    mouse(d, SS_EV_PRESS, 0.404, false);
    mouse(d, SS_EV_RELEASE, 0.404, false);
    CHECK_STR(d->log.last, "rewind 400");
}

SCREEN_TEST(strip, a_drag_with_shift_asks_for_a_film, TALL)
{
    mouse(d, SS_EV_PRESS, 0.6, true);
    mouse(d, SS_EV_DRAG, 0.2, false);
    CHECK_INT(d->log.count, 0);
    show(d, TALL);
    CHECK_NEAR(d->scene->strip.span[0], 0.6, 1e-9);
    CHECK_NEAR(d->scene->strip.span[1], 0.2, 1e-9);
    mouse(d, SS_EV_RELEASE, 0.2, false);
    CHECK_STR(d->log.last, "film 200 600");
    mouse(d, SS_EV_PRESS, 0.6, true); /* a span without a cycle */
    mouse(d, SS_EV_RELEASE, 0.6, true);
    CHECK_INT(d->log.count, 1);
}

SCREEN_TEST(strip, the_end_of_the_axis_does_not_move_while_the_run_is_back, TALL)
{
    d->snap->curve[1].cycle = 400;
    d->snap->telemetry.value[SS_T_CYCLE] = 400;
    d->snap->past.back = true;
    d->snap->past.end = 1000;
    show(d, TALL);
    CHECK_NEAR(d->scene->strip.here, 0.4, 1e-9);
    CHECK_NEAR(d->scene->strip.kept[2], 0.9, 1e-9);
    mouse(d, SS_EV_PRESS, 0.999, false); /* the farthest state that the run had */
    mouse(d, SS_EV_RELEASE, 0.999, false);
    CHECK_STR(d->log.last, "rewind 1000");
}
