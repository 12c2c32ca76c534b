/* What the screen says beside the panels: the message line and its hint, the advice of a preset,
 * and the marks of changes on the curve. */

#include <stdio.h>
#include <string.h>

#define SCREEN_OPEN open_said /* cols, rows */
#include "tests/ui/fixture.h"

static void open_said(fixture *d, int cols, int rows)
{
    open_screen(d, sample_2d(SS_VALUE, 58, 58), cols, rows);
    d->snap->nmark = 0;
    renew_screen(d);
}

static void command(fixture *d, const char *line)
{
    CHECK_INT(sample_command(d->ui, line, d->snap), SS_OK);
    renew_screen(d);
}

/* --- the message line --------------------------------------------------------------------------
 */

SCREEN_TEST(said, a_hint_names_the_ends_of_the_slider_and_of_the_range, 200, 60)
{
    ss_control *k = &d->snap->control[0];
    CHECK_STR(k->row->name, "k");
    k->lo = k->track.lo = 1, k->hi = 1024, k->track.hi = 32;
    renew_screen(d);
    CHECK(text_with(d, "1 to 32, typed up to 1024 · from the next cycle on"));
    k->hi = 32;
    renew_screen(d);
    CHECK(text_with(d, "1 to 32 · from the next cycle on") && !text_with(d, "typed up to"));
}

/* "converged" is nothing without its goal. */
SCREEN_TEST(said, a_run_that_stopped_at_an_error_names_it, 200, 60)
{
    d->snap->status = SS_CONVERGED;
    d->snap->reached = false;
    d->snap->until_error = 0.001;
    d->snap->telemetry.value[SS_T_CYCLE] = 28423;
    renew_screen(d);
    CHECK(
        text_with(d, "converged (error \xe2\x89\xa4 1e-3 of u*) at cycle 28,423; r starts again"));
    d->snap->energy_norm = true;
    renew_screen(d);
    CHECK(text_with(d, "(error \xe2\x89\xa4 1e-3 of u* in the energy norm) at cycle"));
}

/* A terminal shows all of it: the end is the advice. */
SCREEN_TEST(said, a_divergence_has_its_cause_and_its_advice_at_80_columns, 80, 24)
{
    d->snap->status = SS_DIVERGED;
    d->snap->paused = true;
    snprintf(d->snap->diverged, sizeof d->snap->diverged,
             "diverged at cycle 101: values grew by a factor of 10^6, because fo 0.55 is unstable, "
             "the largest stable value here is 0.5. u undoes the last change, r starts again");
    renew_screen(d);
    CHECK(text_with(d, "because fo 0.55 is"));
    CHECK(text_with(d, "u undoes the last change, r") && text_with(d, "starts again"));
    CHECK(text_with(d, "■ diverged") && !text_with(d, "paused"));
}

/* A picture of staleness in which most blocks are drawn as another one says so. */
TEST(said, a_picture_says_how_many_blocks_were_computed)
{
    fixture d;
    const char *const words = "64 of 1024 blocks computed";
    for (int cols = 80; cols <= 200; cols += 120) {
        open_said(&d, cols, cols == 80 ? 24 : 60);
        d.snap->picture.blocks = d.snap->picture.blocks_computed = 1024;
        command(&d, "view layer staleness");
        d.snap->view.layer = SS_STALENESS;
        renew_screen(&d);
        CHECK(!text_with(&d, "blocks computed"));
        d.snap->picture.blocks_computed = 64;
        renew_screen(&d);
        CHECK(text_with(&d, words));
        CHECK(!text_with(&d, "others show the nearest") == (cols == 80));
        close_fixture(&d);
    }
}

/* A number whose range is one value has no slider: it is a line without one. */
TEST(said, a_number_of_one_value_is_drawn_without_a_slider)
{
    fixture d;
    for (int rows = 24; rows <= 60; rows += 12) {
        open_said(&d, 120, rows);
        ss_control *k = &d.snap->control[0];
        k->lo = k->hi = k->track.lo = k->track.hi = 8;
        renew_screen(&d);
        CHECK(text_with(&d, "k") != NULL);
        close_fixture(&d);
    }
}

/* A part of a hint that has no room is left out, not cut in two. */
SCREEN_TEST(said, a_hint_is_whole_parts_at_every_width, 80, 24)
{
    for (d->cols = 80; d->cols <= 130; d->cols++) {
        renew_screen(d);
        const char *text = text_with(d, "subiterations between");
        CHECK(text != NULL && text_with(d, "r/r0"));
        CHECK_MSG(ss_text_width(text) <= d->cols - 2 && !strstr(text, "…"), "%d columns: %s",
                  d->cols, text);
    }
}

/* A message lasts for some seconds: for that time it gets the room of the figures on its right. */
SCREEN_TEST(said, a_message_is_shown_in_full, 80, 24)
{
    static const char text[] = "a message that takes more than half of a line of eighty columns";
    const ss_event ev = {.kind = SS_EV_NOTICE, .text = text};
    ss_ui_event(d->ui, &ev, d->scene, d->snap);
    renew_screen(d);
    CHECK_STR(text_with(d, "a message that takes"), text);
}

SCREEN_TEST(said, the_advice_of_a_preset_leaves_with_the_focus, 120, 40)
{
    command(d, "say \"now press K, then O\"");
    CHECK(text_with(d, "now press K, then O"));
    command(d, "change 1"); /* of k, which has the focus */
    CHECK(text_with(d, "now press K, then O"));
    command(d, "focus overlap");
    CHECK(!text_with(d, "now press K, then O") && text_with(d, "overlap: "));
}

/* The checks of the lesson do not apply to the run of a preset. */
SCREEN_TEST(said, a_preset_closes_the_lesson, 120, 40)
{
    static ss_page page = {.step = 1};
    command(d, "presets");
    command(d, "presets take");
    int without = d->log.count;
    ss_ui_page(d->ui, &page);
    command(d, "presets");
    d->log.count = 0;
    command(d, "presets take");
    CHECK_INT(d->log.count, without + 1);
}

SCREEN_TEST(said, a_preset_is_started_by_its_name, 120, 40)
{
    ss_err err = {0};
    ss_cmd cmd;
    command(d, "presets stale");
    /* drop others, classic auto, open, speed, run; view and say are the screen's */
    CHECK_INT(d->log.count, 5);
    CHECK(text_with(d, "now press K, then O"));
    CHECK(ss_cmd_parse("presets nosuch", &cmd, &err) == SS_OK);
    CHECK(ss_ui_command(d->ui, &cmd, d->snap, &err) != SS_OK && strstr(err.text, "'nosuch'"));
}

/* --- marks of changes --------------------------------------------------------------------------
 */

/* `n` presses of K from k = 12 on, at equal distances along the curve. */
static void press(fixture *d, int n, double seconds)
{
    ss_snapshot *s = d->snap;
    s->nmark = n;
    for (int i = 0; i < n; i++) {
        s->mark[i].at = s->curve[(i + 1) * (s->ncurve - 1) / (n + 1)];
        s->mark[i].at.seconds = i * seconds;
        snprintf(s->mark[i].text, sizeof s->mark[i].text, "k %d→%d", 12 + i, 13 + i);
    }
    renew_screen(d);
}

/* However often a key is pressed, the joined mark begins at the first value. */
SCREEN_TEST(said, many_presses_are_one_mark_from_the_first_value, 120, 40)
{
    press(d, 20, 100);
    CHECK_INT(d->scene->chart[1].nmark, 1);
    CHECK_STR(d->scene->chart[1].mark[0].text, "k 12→32");
}

/* Changes have one mark only while their labels would overlap, however quick the presses: each bend
 * of the curve has its mark in a wide chart. Nothing depends on the clock. */
SCREEN_TEST(said, changes_whose_labels_would_overlap_are_one_mark, 200, 60)
{
    static const double seconds[] = {0.001, 0.2, 100};
    for (int i = 0; i < 3; i++) {
        press(d, 2, seconds[i]);
        CHECK_INT(d->scene->chart[1].nmark, 2);
        press(d, 7, seconds[i]);
        CHECK_INT(d->scene->chart[1].nmark, 1);
        CHECK_STR(d->scene->chart[1].mark[0].text, "k 12→19");
    }
}

/* A change and its undoing at one place leave no mark. */
SCREEN_TEST(said, a_change_that_is_undone_has_no_mark, 120, 40)
{
    press(d, 2, 0.1);
    d->snap->mark[1].at = d->snap->mark[0].at;
    snprintf(d->snap->mark[1].text, sizeof d->snap->mark[1].text, "k 13→12");
    renew_screen(d);
    CHECK_INT(d->scene->chart[1].nmark, 0);
}

/* A zoomed chart has room for both labels. */
SCREEN_TEST(said, zooming_in_separates_the_marks, 120, 40)
{
    press(d, 7, 0.1);
    CHECK_INT(d->scene->chart[1].nmark, 1);
    double x = d->scene->chart[1].mark[0].x;
    char zoom[80];
    snprintf(zoom, sizeof zoom, "view chart zoom %.17g %.17g", 0.8 * x, 1.02 * x);
    command(d, zoom);
    CHECK(d->scene->chart[1].nmark > 1);
}

/* --- the drift -------------------------------------------------------------------------------- */

/* The first drift is 0, as are those of exact sums: a logarithmic axis has no place for them. */
SCREEN_TEST(said, a_drift_of_zero_is_said_and_not_drawn, 120, 40)
{
    sample_free(d->snap);
    d->snap = sample_swept(64, 0);
    command(d, "view stage drift");
    const ss_chart *c = &d->scene->chart[1];
    CHECK(c->nseries == 1 && c->series[0].n > 0);
    for (int i = 0; i < c->series[0].n; i++)
        CHECK(c->series[0].at[i].y > 1e-16);
    CHECK(!text_with(d, "mass: 0"));
    for (int i = 0; i < d->snap->ncurve; i++)
        d->snap->curve[i].monitor[0] = d->snap->watched[0].first;
    renew_screen(d);
    CHECK(!text_with(d, "mass: 0")); /* the sum of this moment differs */
    d->snap->watched[0].now = d->snap->watched[0].first;
    renew_screen(d);
    CHECK_INT(d->scene->chart[1].nseries, 0);
    CHECK(text_with(d, "no drift so far") && text_with(d, "mass: 0"));
}

/* --- the spectrum of the error ------------------------------------------------------------------
 */

/* Also where the panel has no room for the whole sentence. */
SCREEN_TEST(said, an_error_below_the_axis_is_said, 120, 40)
{
    d->snap->bands_cycle = 216000;
    d->snap->telemetry.value[SS_T_CYCLE] = 216090;
    for (int i = 0; i < d->snap->bands.n; i++)
        d->snap->bands.rms[i] = 1e-30;
    renew_screen(d);
    CHECK(text_with(d, "cycle 216,000: below 1e-"));
}

/* --- a race ----------------------------------------------------------------------------------- */

SCREEN_TEST(said, a_large_speed_up_is_written_with_its_digits, 200, 60)
{
    sample_race(d->snap);
    ss_racer *r = d->snap->race.racer;
    r[0].status = r[1].status = SS_CONVERGED;
    r[0].at.iteration = 7890, r[1].at.iteration = 3;
    command(d, "view axis iterations");
    CHECK(text_with(d, "×2,630"));
    r[1].at.iteration = 500;
    renew_screen(d);
    CHECK(text_with(d, "×15.8"));
}
