/* The run under the roofs: its place, and the trail of the last half minute. */
#include "tests/check.h"

#include <math.h>

#include "tests/ui/samples.h"
#include "ui/view/state.h"

static const ss_roofs one_roof = {.clock = SS_ROOF_THREAD,
                                  .threads = 1,
                                  .n = 1,
                                  .roof = {{.name = "memory", .bandwidth = 1e10}},
                                  .rate = 1e11};

static ss_snapshot *measured_run(void)
{
    ss_snapshot *s = sample_2d(SS_VALUE, 58, 58);
    s->threads = 1;
    s->spent = 1e-3;
    s->ledger.operations = 4e6;
    s->ledger.global_bytes = 2e6;
    return s;
}

TEST(roof, the_place_is_known_only_by_the_clock_of_the_roofs)
{
    ss_snapshot *s = measured_run();
    ss_xy at = ss_roof_place(s, &one_roof);
    CHECK_NEAR(at.x, 2, 1e-12);
    CHECK_NEAR(at.y, 4e9, 1);
    s->threads = 0; /* a device */
    CHECK(isnan(ss_roof_place(s, &one_roof).x));
    s->threads = 1;
    s->spent = (double)NAN;
    CHECK(isnan(ss_roof_place(s, &one_roof).x));
    sample_free(s);
}

TEST(roof, the_trail_has_two_points_a_second_for_half_a_minute)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    ss_snapshot *s = measured_run();
    ss_ui_roofs(ui, &one_roof, false);
    for (int i = 0; i <= 1000; i++) { /* 100 seconds */
        ss_ui_clock(ui, 1 + 0.1 * i);
        s->spent = 1e-3 * (1 + i);
        ss_roof_follow(ui, s);
    }
    CHECK(ui->roof.n >= 50 && ui->roof.n <= SS_ROOF_TRAIL);
    CHECK(ui->now - ui->roof.when[0] <= 30.6);
    for (int i = 1; i < ui->roof.n; i++)
        CHECK(ui->roof.when[i] - ui->roof.when[i - 1] >= 0.499);
    CHECK_NEAR(ui->roof.at.y, 4e6 / 1.001, 1);
    ss_ui_roofs(ui, NULL, false); /* other settings: the points do not compare */
    CHECK_INT(ui->roof.n, 0);
    ss_roof_follow(ui, s);
    CHECK(isnan(ui->roof.at.x));
    sample_free(s);
    ss_ui_free(ui);
}

TEST(roof, roofs_are_wanted_only_where_they_are_shown)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = ss_ui_new(sample_emit, &log, NULL);
    CHECK(!ss_ui_wants_roofs(ui));
    CHECK_INT(sample_command(ui, "view cost roofline", NULL), SS_OK);
    CHECK(ss_ui_wants_roofs(ui));
    CHECK_INT(sample_command(ui, "view cost next", NULL), SS_OK);
    CHECK(!ss_ui_wants_roofs(ui));
    CHECK_INT(sample_command(ui, "view cost money", NULL), SS_FAIL);
    ss_ui_free(ui);
}
