/* What the screen says of a run that holds, of a layer that is exactly zero, and of an engine whose
 * next snapshot takes long; and which messages it drops. */

#include <stdio.h>
#include <string.h>

#define SCREEN_OPEN open_layer
#include "tests/ui/fixture.h"

static void open_layer(fixture *d, ss_layer layer)
{
    char line[64];
    open_screen(d, sample_2d(layer, 58, 58), 120, 40);
    snprintf(line, sizeof line, "view layer %s", layer == SS_STALENESS ? "staleness" : "value");
    CHECK_INT(sample_command(d->ui, line, d->snap), SS_OK);
    renew_screen(d);
}

static int times(const fixture *d, const char *text)
{
    int n = 0;
    for (int i = 0; i < d->scene->nitem; i++)
        n += d->scene->item[i].kind == SS_I_TEXT && strstr(d->scene->item[i].text, text);
    return n;
}

static int items(const fixture *d, ss_item_kind kind)
{
    int n = 0;
    for (int i = 0; i < d->scene->nitem; i++)
        n += d->scene->item[i].kind == kind;
    return n;
}

static void hold_at(fixture *d, ss_hold kind, int64_t cycle)
{
    d->snap->hold = kind;
    d->snap->hold_cycle = cycle;
    d->snap->paused = true;
    d->snap->reached = true;
    d->snap->reached_cycle = 4312;
    d->snap->reached_tol = 1e-4;
    d->snap->status = SS_CONVERGED;
    renew_screen(d);
}

static void press(fixture *d, const char *key)
{
    press_key(d, key);
    renew_screen(d);
}

/* Nothing that has ended looks as if it ran. */
SCREEN_TEST(holding, the_header_says_that_the_run_has_ended, SS_VALUE)
{
    CHECK(!shows(d, "■"));
    hold_at(d, SS_HOLD_TOLERANCE, 4312);
    CHECK(shows(d, "■ converged 4,312"));
    CHECK(!shows(d, "▶") && !shows(d, "paused"));
    press(d, "tab"); /* clears the message */
    hold_at(d, SS_HOLD_ZERO, 90000);
    CHECK(shows(d, "■ residual 0") && shows(d, "nothing left to do: the residual is 0"));
    CHECK_INT(times(d, "nothing left to do"), 1);
    CHECK(shows(d, "r starts again") && !shows(d, "go on"));
    press(d, "tab");
    hold_at(d, SS_HOLD_ROUNDOFF, 90001);
    CHECK(shows(d, "■ at round-off") && shows(d, "the residual no longer falls"));
}

/* A limit, a race whose runs have all ended, a still of a run that waits, a pause. */
SCREEN_TEST(holding, the_header_has_one_rule_for_what_ended, SS_VALUE)
{
    d->snap->status = SS_LIMIT;
    renew_screen(d);
    CHECK(shows(d, "■ stopped"));
    d->snap->status = SS_RUNNING, d->snap->paused = true;
    renew_screen(d);
    CHECK(shows(d, "‖ paused"));
    sample_race(d->snap);
    for (int i = 0; i < d->snap->race.n; i++)
        d->snap->race.racer[i].status = i ? SS_LIMIT : SS_CONVERGED;
    renew_screen(d);
    CHECK(shows(d, "■ finished") && !shows(d, "paused"));
    d->snap->race.racer[1].status = SS_RUNNING;
    renew_screen(d);
    CHECK(!shows(d, "■ finished"));
    int runs = d->snap->race.n;
    d->snap->race.n = 0;
    ss_ui_in_order(d->ui);
    renew_screen(d);
    CHECK(shows(d, "■ stopped") && !shows(d, "▶"));
    d->snap->race.n = runs; /* sample_free frees them */
}

/* The message line announces it once; a key brings the help of the focused control back. */
SCREEN_TEST(holding, is_announced_once, SS_VALUE)
{
    bool error;
    CHECK_INT((long long)ss_ui_said(d->ui, &error), 0);
    hold_at(d, SS_HOLD_TOLERANCE, 4312);
    uint64_t said = ss_ui_said(d->ui, &error);
    CHECK(said > 0 && !error);
    renew_screen(d);
    CHECK_INT((long long)ss_ui_said(d->ui, &error), (long long)said);
    press(d, "tab");
    CHECK_INT((long long)ss_ui_said(d->ui, &error), 0);
    CHECK(shows(d, "from the next cycle on"));
    CHECK(!shows(d, "converged at 4,312"));
    CHECK(shows(d, "space goes on to round-off")); /* below the curve */
}

SCREEN_TEST(holding, freezes_the_x_axis, SS_VALUE)
{
    double end = (double)d->snap->curve[d->snap->ncurve - 1].cycle, free = d->scene->chart[1].x.hi;
    hold_at(d, SS_HOLD_TOLERANCE, 4312);
    CHECK_NEAR(d->scene->chart[1].x.hi, 1.15 * end, 1e-9 * end);
    CHECK(free > end);
}

static void fill(ss_picture *p, float value)
{
    for (int i = 0; i < p->w * p->h; i++)
        p->cell[i] = value;
    p->lo = p->hi = (double)value;
}

/* Exactly zero is no small value: it has words, and no scale. */
SCREEN_TEST(holding, an_exact_zero_says_so_and_has_no_scale, SS_STALENESS)
{
    CHECK(items(d, SS_I_BAR) > 0 && !shows(d, "0 everywhere"));
    fill(&d->snap->picture, 0);
    renew_screen(d);
    CHECK(shows(d, "0 everywhere: bit-for-bit classic so far"));
    CHECK_INT(items(d, SS_I_BAR), 0);
    d->snap->ledger.stale_kept = 0.5;
    hold_at(d, SS_HOLD_ZERO, 9062);
    CHECK(shows(d, "0 everywhere: halos are stale, but nothing changes"));
    CHECK(!shows(d, "bit-for-bit classic"));
    hold_at(d, SS_HOLD_NONE, 0);
    d->snap->picture.sampled = true;
    d->snap->exact_cycle = true; /* enough overlap */
    renew_screen(d);
    CHECK(shows(d, "0 everywhere: bit-for-bit classic so far"));
    d->snap->exact_cycle = false;
    renew_screen(d);
    CHECK(shows(d, "0 at every point of the sample") && !shows(d, "everywhere"));
    fill(&d->snap->picture, 1e-30F);
    d->snap->picture.hi = 1e-30;
    renew_screen(d);
    CHECK(!shows(d, "0 everywhere") && !shows(d, "sample"));
}

/* A command after `open` is about the new run, of which there is no snapshot yet. */
SCREEN_TEST(holding, no_reason_of_the_run_before, SS_VALUE)
{
    bool error;
    d->snap->layers[SS_AGE] = false;
    d->snap->layer_why[SS_AGE] = "all tiles of this solver have the same age";
    CHECK_INT(sample_command(d->ui, "view layer age", d->snap), SS_OK);
    CHECK(ss_ui_said(d->ui, &error) > 0);
    press(d, "tab");
    press(d, "P");
    press(d, "enter"); /* a preset: open, view, run */
    CHECK_INT(sample_command(d->ui, "view layer age", d->snap), SS_OK);
    CHECK_INT((long long)ss_ui_said(d->ui, &error), 0);
}

SCREEN_TEST(holding, a_long_cycle_counts_its_seconds, SS_STALENESS)
{
    d->snap->telemetry.value[SS_T_CYCLE] = 0;
    d->snap->layer_why[SS_STALENESS] = "no cycle has been done yet; press , for one";
    d->snap->paused = true;
    renew_screen(d);
    CHECK(shows(d, "no cycle has been done yet"));
    d->snap->paused = false;
    renew_screen(d);
    CHECK(shows(d, "in cycle 1") && !shows(d, "in cycle 1,"));
    CHECK(ss_ui_waits(d->ui, 3, NULL) && !ss_ui_waits(d->ui, 3, NULL));
    renew_screen(d);
    CHECK(shows(d, "in cycle 1, 3 s") && !shows(d, "no cycle has been done yet"));
    CHECK(ss_ui_waits(d->ui, 0, NULL));
    renew_screen(d);
    CHECK(!shows(d, "in cycle 1,"));
}

TEST(holding, the_screen_before_the_first_snapshot)
{
    ss_ui *ui = ss_ui_new(sample_emit, NULL, NULL);
    ss_extent e = {.cols = 80, .rows = 24, .dots_x = 1, .dots_y = 2};
    fixture d = {.ui = ui};
    CHECK(ui != NULL);
    ss_ui_waits(ui, 0, "preparing 4096×4096");
    d.scene = ss_ui_scene(ui, NULL, &e, 20);
    CHECK(shows(&d, "preparing 4096×4096 …") && !shows(&d, "… 0 s"));
    ss_ui_waits(ui, 2, NULL);
    d.scene = ss_ui_scene(ui, NULL, &e, 20);
    CHECK(shows(&d, "preparing 4096×4096 … 2 s"));
    ss_ui_free(ui);
}

/* Of a run that kept stale values before, only the cycle is equal; a method that is not Jacobi has
 * no classic iterations. */
SCREEN_TEST(holding, an_exact_cycle_is_no_exact_run, SS_STALENESS)
{
    fill(&d->snap->picture, 0);
    d->snap->exact_since = 100;
    renew_screen(d);
    CHECK(shows(d, "0 everywhere: this cycle = 12 classic iterations"));
    CHECK(!shows(d, "bit-for-bit classic"));
    d->snap->peek = 3;
    renew_screen(d);
    CHECK(shows(d, "0 everywhere: nothing is stale yet in this cycle"));
    d->snap->peek = 0;
    d->snap->beside.another_method = true;
    renew_screen(d);
    CHECK(shows(d, "0 everywhere: this cycle = 12 iterations with"));
}

/* The sentence has the numbers of the ledgers; it needs a stale past and exact cycles since. */
SCREEN_TEST(holding, a_run_that_is_exact_again_says_since_when_and_what_it_saves, SS_STALENESS)
{
    const char *const words = "since cycle 100 each cycle = 12 classic iterations, with 8.92 times "
                              "fewer bytes"; /* 12 * 25.2 / 33.9 */
    fill(&d->snap->picture, 0);
    d->snap->exact_since = 100;
    renew_screen(d);
    CHECK(!shows(d, "times fewer bytes"));
    d->snap->exact_cycle = true;
    renew_screen(d);
    CHECK(shows(d, words));
    d->snap->exact_since = (int64_t)d->snap->telemetry.value[SS_T_CYCLE]; /* no exact cycle yet */
    renew_screen(d);
    CHECK(!shows(d, "times fewer bytes"));
    d->snap->exact_since = 0;
    renew_screen(d);
    CHECK(!shows(d, "times fewer bytes"));
}
