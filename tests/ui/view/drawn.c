/* A number that a lesson asks for, drawn in a diagram with the mouse. */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ui/samples.h"
#include "ui/panels/screen.h"
#include "ui/view/state.h"

static ss_page page;

static ss_ui *asked(ss_page_drawn drawn, sample_log *log)
{
    ss_ui *ui = ss_ui_new(sample_emit, log, NULL);
    ss_page_clear(&page);
    page.asks = SS_ASKS_NUMBER;
    page.drawn = drawn;
    page.said = page.truth = (double)NAN;
    ss_ui_page(ui, &page);
    return ui;
}

TEST(drawn, a_depth_counts_points_from_the_nearer_edge)
{
    static const struct {
        double x;
        const char *depth;
    } cases[] = {{0, "1"}, {6.2, "7"}, {15, "16"}, {16, "16"}, {25, "7"}, {31.4, "1"}, {-3, "1"}};
    sample_log log = {.ticket = 0};
    ss_ui *ui = asked(SS_DRAWN_DEPTH, &log);
    CHECK(isnan(ss_page_said(ui)));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(ss_page_draw(ui, SS_X_POSITION, cases[i].x, 31));
        CHECK_STR(ui->entry, cases[i].depth);
        CHECK(ui->typing && ui->answering);
        CHECK_NEAR(ss_page_said(ui), atof(cases[i].depth), 0);
    }
    CHECK(!ss_page_draw(ui, SS_X_COST, 3, 31)); /* another diagram */
    CHECK_STR(ui->entry, "1");
    ss_ui_free(ui);
}

TEST(drawn, only_what_is_asked_for_is_drawn)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = asked(SS_DRAWN_NOTHING, &log);
    CHECK(!ss_page_draw(ui, SS_X_POSITION, 3, 31));
    page.drawn = SS_DRAWN_CYCLES;
    CHECK(ss_page_draw(ui, SS_X_COST, 411.6, 1000));
    CHECK_STR(ui->entry, "412");
    page.asks = SS_ASKS_NOTHING; /* it is locked */
    page.said = 412;
    ui->typing = ui->answering = false;
    CHECK(!ss_page_draw(ui, SS_X_COST, 5, 1000));
    CHECK_NEAR(ss_page_said(ui), 412, 0);
    ss_ui_free(ui);
}

/* The lines are series of the diagram: dashed what was said, solid the answer. */
TEST(drawn, prediction_and_answer_stand_in_the_diagram)
{
    sample_log log = {.ticket = 0};
    ss_ui *ui = asked(SS_DRAWN_DEPTH, &log);
    ss_snapshot *snap = sample_2d(SS_STALENESS, 58, 58);
    ss_extent e = {.cols = 200, .rows = 60, .dots_x = 1, .dots_y = 2};
    CHECK_INT(sample_command(ui, "view layer staleness", snap), SS_OK);
    page.asks = SS_ASKS_NOTHING;
    page.panels = SS_PAGE_BARS;
    page.said = 5, page.truth = 7;
    const struct ss_scene *scene = ss_ui_scene(ui, snap, &e, 20);
    const ss_chart *c = &scene->chart[2];
    int said = 0, answer = 0;
    for (int i = 0; i < c->nseries; i++) {
        const ss_series *s = &c->series[i];
        if (s->bars || s->n != 2)
            continue;
        said += s->dash == 1;
        answer += s->dash == 0;
        CHECK_NEAR(s->at[0].x, s->at[1].x, 0);
    }
    CHECK_INT(said, 2);
    CHECK_INT(answer, 2);
    sample_free(snap);
    ss_ui_free(ui);
}
