/* The page of the costs with the roofline: the run under the kept limits of the machine. */

#include <stdlib.h>
#include <string.h>

#include "tests/ui/golden.h"
#define SCREEN_OPEN open_fixture
#include "tests/ui/fixture.h"

static const ss_roofs roofs = {
    .n = 3,
    .roof = {{"memory", 12e9, 0, false}, {"L3", 30e9, 32e6, false}, {"L1", 120e9, 32e3, true}},
    .rate = 60e9};

static void open_fixture(fixture *f)
{
    open_screen(f, sample_2d(SS_VALUE, 58, 58), 120, 40);
    f->snap->threads = 1;
    f->snap->deterministic = false;
    ss_ui_roofs(f->ui, &roofs, NULL);
    CHECK_INT(sample_command(f->ui, "view cost roofline", NULL), SS_OK);
}

static void draw(fixture *f, int cols, int rows)
{
    const ss_paint how = {.glyphs = ss_glyphs_find("half"), .levels = 32};
    sample_screen(f->ui, f->snap, cols, rows, &how, &f->cells);
}

/* All texts in one, since sentences are wrapped. */
static bool is_on_screen(const fixture *f, const char *text)
{
    static char all[1 << 16];
    size_t n = 0;
    for (int i = 0; i < f->ui->scene.nitem; i++) {
        const ss_item *item = &f->ui->scene.item[i];
        for (const char *c = item->kind == SS_I_TEXT && item->text ? item->text : ""; *c; c++)
            if (n + 3 < sizeof all && (*c != ' ' || (n > 0 && all[n - 1] != ' ')))
                all[n++] = *c;
        if (n > 0 && all[n - 1] != ' ')
            all[n++] = ' ';
    }
    all[n] = '\0';
    return strstr(all, text) != NULL;
}

SCREEN_TEST(roofline, roofs_are_wanted_only_where_they_are_shown)
{
    CHECK(ss_ui_wants_roofs(d->ui));
    CHECK_INT(sample_command(d->ui, "view cost next", NULL), SS_OK);
    CHECK(!ss_ui_wants_roofs(d->ui));
    CHECK_INT(sample_command(d->ui, "view cost money", NULL), SS_FAIL);
}

/* The point: operations per byte of the model, times the measured bandwidth. */
SCREEN_TEST(roofline, the_run_is_a_point_under_named_roofs)
{
    draw(d, 200, 60);
    const ss_chart *c = &d->ui->scene.chart[3];
    const ss_ledger *l = &d->snap->ledger;
    CHECK_INT(c->nseries, 4);
    CHECK_INT(c->nnote, 3);
    CHECK_STR(c->note[2].text, "memory");
    CHECK_NEAR(c->series[3].at[0].x, l->operations / l->global_bytes, 1e-12);
    CHECK_NEAR(c->series[3].at[0].y, 8.6e9 * l->operations / l->global_bytes, 1);
    CHECK(is_on_screen(d, "% of what memory allows") && is_on_screen(d, "L3 30.0 GB/s"));
    d->snap->working_set = (ss_working_set){.fields = 1.6e6, .tile = 8e3};
    d->snap->telemetry.value[SS_T_BANDWIDTH] = 20e9; /* between memory and L3 */
    draw(d, 200, 60);
    CHECK(is_on_screen(d, "above the memory roof"));
}

SCREEN_TEST(roofline, what_is_missing_is_said)
{
    d->snap->telemetry.valid[SS_T_BANDWIDTH] = false;
    draw(d, 120, 40);
    CHECK(is_on_screen(d, "not measured yet"));
    ss_ui_roofs(d->ui, NULL, "bench --limits");
    draw(d, 120, 40);
    CHECK(is_on_screen(d, "bench --limits"));
    d->snap->deterministic = true;
    draw(d, 120, 40);
    CHECK(is_on_screen(d, "--deterministic"));
    CHECK_INT(sample_command(d->ui, "view cost next", d->snap), SS_OK);
    CHECK_STR(d->ui->message, "");
    draw(d, 80, 24); /* has no panel of costs */
    CHECK_INT(sample_command(d->ui, "view cost next", d->snap), SS_OK);
    CHECK(strstr(d->ui->message, "view maximise cost"));
}

static void check_golden(const char *name, int cols, int rows, bool known)
{
    fixture f;
    open_fixture(&f);
    if (!known)
        ss_ui_roofs(f.ui, NULL,
                    "The limits of CPU, 2 threads are not known; this command measures and keeps "
                    "them: stencilscope bench --limits --backend cpu");
    draw(&f, cols, rows);
    if (cols < 120)
        CHECK_INT(sample_command(f.ui, "view maximise cost", f.snap), SS_OK);
    draw(&f, cols, rows);
    golden_check(name, &f.cells);
    close_fixture(&f);
}

TEST_CALL(screens, roofline_80x24, check_golden("roofline-80x24", 80, 24, true))
TEST_CALL(screens, roofline_120x40, check_golden("roofline-120x40", 120, 40, true))
TEST_CALL(screens, roofline_without_limits, check_golden("roofline-unknown-120x40", 120, 40, false))
