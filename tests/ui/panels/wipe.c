/* The wipe on the screen: the cells of both sides, and how its line is moved. */

#include <stdio.h>
#include <string.h>

#define SCREEN_OPEN open_on
#include "tests/ui/fixture.h"

static void open_on(fixture *d, ss_snapshot *s)
{
    open_screen(d, s, 120, 40);
}
#include "ui/panels/build.h"

static void mouse(fixture *d, ss_event_kind kind, double x, double y)
{
    ss_event ev = {.kind = kind, .x = x, .y = y};
    ss_ui_event(d->ui, &ev, d->scene, d->snap);
    renew_screen(d);
}

/* Bit for bit; the second run may be the shown one. */
SCREEN_TEST(wipe_panel, each_side_has_the_cells_of_its_run, sample_2d(SS_VALUE, 40, 40))
{
    sample_race(d->snap);
    CHECK_INT(sample_command(d->ui, "view wipe 0.35", d->snap), SS_OK);
    renew_screen(d);
    const ss_image *im = &d->scene->image[0];
    const float *first = d->ui->picture, *second = d->snap->race.racer[1].picture.cell;
    CHECK(im->has_wipe && im->w == 40 && im->h == 40);
    for (int i = 0; i < 40 * 40; i++)
        CHECK_MSG(memcmp(&im->cell[i], i % 40 < 14 ? &first[i] : &second[i], sizeof(float)) == 0,
                  "cell %d", i);
    CHECK(shows(d, "1 shared k 12") && shows(d, "2 jacobi"));
    CHECK(shows(d, "difference of u, run 2 − run 1"));
    CHECK(shows(d, "both at iteration 4,944"));
    CHECK(shows(d, "colours −0.05 to 0.05, largest 0.03"));
    /* One scale, whose middle is white. */
    CHECK(d->scene->image[1].range.hi > 0.049 && d->scene->image[1].range.lo < -0.049);
    CHECK(strcmp(d->scene->image[1].map->name, "signed") == 0);
}

SCREEN_TEST(wipe_panel, says_where_the_runs_stand_and_that_nothing_differs,
            sample_2d(SS_VALUE, 40, 40))
{
    sample_race(d->snap);
    d->snap->race.racer[1].at.iteration = 4000;
    CHECK_INT(sample_command(d->ui, "view wipe on", d->snap), SS_OK);
    renew_screen(d);
    CHECK(shows(d, "run 2 at iteration 4,000, run 1 at iteration 4,944"));
    memcpy(d->snap->race.racer[1].picture.cell, d->snap->picture.cell, sizeof(float) * 40 * 40);
    renew_screen(d);
    CHECK(shows(d, "0 everywhere"));
    CHECK(!shows(d, "bit-for-bit"));
    d->snap->race.racer[1].bits = (ss_race_bits){.known = true, .equal = true, .at = 3999};
    renew_screen(d);
    CHECK(!shows(d, "0 everywhere: bit-for-bit")); /* that was an earlier iteration */
    d->snap->race.racer[1].bits.at = 4000;
    renew_screen(d);
    CHECK(shows(d, "0 everywhere: bit-for-bit equal"));
    d->snap->race.racer[1].picture.w = 0;
    d->snap->race.racer[1].no_layer = "a reason";
    renew_screen(d);
    CHECK(shows(d, "a reason"));
}

/* & opens it; the arrows move its line until esc, which leaves it there. */
SCREEN_TEST(wipe_panel, keys, sample_2d(SS_VALUE, 40, 40))
{
    sample_race(d->snap);
    renew_screen(d);
    CHECK(!d->scene->image[0].has_wipe);
    press_key(d, "&");
    renew_screen(d);
    CHECK(d->scene->image[0].has_wipe);
    CHECK_NEAR(d->scene->image[0].wipe, 0.5, 1e-12);
    press_key(d, "left");
    press_key(d, "left");
    press_key(d, "right");
    CHECK_NEAR(d->ui->wipe.at, 0.48, 1e-12);
    CHECK(d->log.last[0] == '\0'); /* no control was changed */
    press_key(d, "esc");
    press_key(d, "left");
    CHECK_NEAR(d->ui->wipe.at, 0.48, 1e-12);
    CHECK(strncmp(d->log.last, "set ", 4) == 0);
    press_key(d, "&");
    press_key(d, "right");
    CHECK_NEAR(d->ui->wipe.at, 0.5, 1e-12);
    press_key(d, "&");
    renew_screen(d);
    CHECK(!d->scene->image[0].has_wipe);
    CHECK_INT(sample_command(d->ui, "view wipe 1.5", d->snap), SS_FAIL);
    CHECK_INT(sample_command(d->ui, "view wipe onn", d->snap), SS_FAIL);
}

/* The mouse drags the line, over the whole picture; beside the line it probes as before. */
SCREEN_TEST(wipe_panel, mouse, sample_2d(SS_VALUE, 40, 40))
{
    sample_race(d->snap);
    CHECK_INT(sample_command(d->ui, "view wipe on", d->snap), SS_OK);
    renew_screen(d);
    const ss_hit *line = hit_of(d, SS_H_WIPE, -1), *field = hit_of(d, SS_H_FIELD, -1);
    CHECK(line && field);
    ss_rect r = field->rect;
    double y = r.y + 2, x = r.x + 0.5 * r.w;
    mouse(d, SS_EV_PRESS, x, y);
    mouse(d, SS_EV_DRAG, r.x + 0.25 * r.w, y + 3);
    CHECK_NEAR(d->ui->wipe.at, 0.25, 1e-12);
    CHECK(d->ui->view.probe_x < 0);
    mouse(d, SS_EV_DRAG, r.x + 2.0 * r.w, y);
    CHECK_NEAR(d->ui->wipe.at, 1, 1e-12);
    mouse(d, SS_EV_RELEASE, r.x, y);
    mouse(d, SS_EV_DRAG, r.x, y);
    CHECK_NEAR(d->ui->wipe.at, 1, 1e-12);
    mouse(d, SS_EV_PRESS, r.x + 0.25 * r.w, y);
    CHECK(d->ui->view.probe_x >= 0);
}

/* Without a race one begins: with the other runs, or with the classic solver. */
SCREEN_TEST(wipe_panel, begins_a_race, sample_2d(SS_VALUE, 40, 40))
{
    d->snap->nrun = 1;
    press_key(d, "&");
    CHECK_MSG(strcmp(d->log.last, "split classic") == 0, "%s", d->log.last);
    renew_screen(d); /* the engine has not answered */
    CHECK(d->ui->wipe.on && !d->scene->image[0].has_wipe);
    d->snap->ticket = d->log.ticket;
    sample_race(d->snap);
    renew_screen(d);
    CHECK(d->scene->image[0].has_wipe);
    int n = d->snap->race.n;
    d->snap->race.n = 0; /* the race has ended, or could not begin */
    renew_screen(d);
    CHECK(!d->ui->wipe.on);
    press_key(d, "&");
    CHECK_MSG(strcmp(d->log.last, "race") == 0, "%s", d->log.last);
    d->snap->race.n = n;
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

TEST(wipe_panel, fits_at_every_size)
{
    for (int dim = 1; dim <= 2; dim++) {
        fixture d;
        open_on(&d, dim == 1 ? sample_1d(64) : sample_2d(SS_VALUE, 40, 40));
        sample_race(d.snap);
        CHECK_INT(sample_command(d.ui, "view wipe 0.98", d.snap), SS_OK);
        for (int cols = 20; cols < 240; cols += 7)
            for (int rows = 8; rows < 70; rows += 3)
                for (int dots = 1; dots <= 9; dots += 8) {
                    ss_extent e = {.cols = cols, .rows = rows, .dots_x = dots, .dots_y = 2 * dots};
                    d.snap->seq++;
                    ss_ui_scene(d.ui, d.snap, &e, 0);
                    check_inside(d.ui, cols, rows);
                }
        close_fixture(&d);
    }
}

/* 1D: each run's curve on its side. */
SCREEN_TEST(wipe_panel, curves, sample_1d(64))
{
    sample_race(d->snap);
    CHECK_INT(sample_command(d->ui, "view wipe 0.25", d->snap), SS_OK);
    renew_screen(d);
    const ss_chart *c = &d->scene->chart[0];
    double x = 0.25 * d->snap->nx;
    CHECK_INT(c->nseries, 2);
    CHECK_INT(c->series[0].n, 16);
    CHECK_INT(c->series[1].n, 48);
    CHECK(c->series[0].at[15].x < x && c->series[1].at[0].x > x);
    CHECK_NEAR(c->series[0].at[3].y, (double)d->snap->picture.cell[3], 0);
    CHECK_NEAR(c->series[1].at[4].y, (double)d->snap->race.racer[1].picture.cell[20], 0);
}
