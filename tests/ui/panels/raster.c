/* Space-time rasters: rows stay in place after a zoom; rasters of a whole run. */
#include "tests/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ui/samples.h"
#include "ui/panels/build.h"
#include "ui/panels/screen.h"
#include "ui/view/state.h"

static sample_log said;

static ss_ui *new_ui(void)
{
    ss_err err;
    ss_ui *ui = ss_ui_new(sample_emit, &said, &err);
    CHECK(ui != NULL);
    return ui;
}

static void show(ss_ui *ui, ss_snapshot *s, int64_t cycle)
{
    ss_extent extent = {.cols = 120, .rows = 40, .dots_x = 2, .dots_y = 4};
    s->seq++;
    s->telemetry.value[SS_T_CYCLE] = (double)cycle;
    ss_ui_scene(ui, s, &extent, 0);
}

/* Sets the window, as if the engine had answered. */
static void set_window(ss_snapshot *s, double x0, double x1, int w)
{
    s->view.x0 = x0, s->view.x1 = x1, s->view.y0 = 0, s->view.y1 = 1;
    sample_picture(s, s->view.layer, w, 1);
}

UI_TEST(raster, zooming_keeps_the_rows_seen_before, sample_1d(64))
{
    for (int64_t cycle = 1; cycle <= 10; cycle++)
        show(ui, s, cycle);
    CHECK_INT(ui->raster.count, 10);
    double nx = s->nx;
    set_window(s, nx / 4, nx / 2, 48);
    show(ui, s, 10); /* paused */
    CHECK_INT(ui->raster.count, 10);
    CHECK_INT(ui->raster.row[9].w, 48);
    CHECK(ui->raster.row[9].x0 == nx / 4);
    CHECK_INT(ui->raster.row[8].w, 64);
    /* Below the new row are the same points of the old ones. */
    const float *newest = ui->raster.shown, *older = newest + 48;
    for (int x = 0; x < 48; x++) {
        CHECK(newest[x] == ui->raster.row[9].cell[x]);
        CHECK(older[x] == ui->raster.row[8].cell[16 + x / 3]);
    }
    /* Zoomed out, the row of the zoomed view is empty outside its window. */
    set_window(s, 0, nx, 64);
    show(ui, s, 11);
    const float *closer = ui->raster.shown + 64;
    for (int x = 0; x < 64; x++)
        CHECK_MSG((closer[x] == closer[x]) == (x >= 16 && x < 32), "cell %d", x);
}

/* Serials of rows: a resampled row has a new one, a row of another window has none. */
UI_TEST(raster, each_row_keeps_its_serial_number, sample_1d(64))
{
    for (int64_t cycle = 1; cycle <= 10; cycle++)
        show(ui, s, cycle);
    uint64_t newest = ui->raster.shown_serial[0], older = ui->raster.shown_serial[1];
    CHECK(newest && older && newest != older);
    show(ui, s, 11);
    CHECK(ui->raster.shown_serial[1] == newest && ui->raster.shown_serial[2] == older);
    uint64_t before = ui->raster.shown_serial[0];
    show(ui, s, 11);
    CHECK(ui->raster.shown_serial[0] != before && ui->raster.shown_serial[1] == newest);
    set_window(s, s->nx / 4.0, s->nx / 2.0, 48);
    show(ui, s, 12);
    CHECK(ui->raster.shown_serial[0] != 0 && ui->raster.shown_serial[1] == 0);
}

UI_TEST(raster, a_whole_run_fits_into_the_raster, sample_1d(64))
{
    int64_t cycle = 0;
    ss_ui_whole_run(ui);
    for (; cycle < 5000; cycle += ss_ui_apart(ui))
        show(ui, s, cycle);
    ss_raster *r = &ui->raster;
    CHECK_MSG(r->width == 32, "%g, %d rows", r->width, r->count);
    CHECK(r->count > SS_RASTER_ROWS / 2 && r->count <= SS_RASTER_ROWS);
    for (int i = 0; i < r->count; i++)
        CHECK_INT(ss_raster_at(r, i)->cycle, i * 32);
    show(ui, s, 0); /* restarted */
    CHECK_INT(r->count, 1);
    CHECK(r->width == 1);
}

/* A front that moves at constant speed, seen at steps of time that differ. */
static void show_front(ss_ui *ui, ss_snapshot *s, int64_t cycle, double time, double dt)
{
    s->kind = SS_TRANSIENT;
    s->steps = 1;
    s->telemetry.value[SS_T_TIME] = time;
    s->telemetry.value[SS_T_DT] = dt;
    for (int x = 0; x < s->picture.w; x++)
        s->picture.cell[x] = x < 4 + 10 * time ? 1 : 0;
    show(ui, s, cycle);
}

/* The position of the front in row y as it is drawn. */
static int front_at(const ss_ui *ui, int y)
{
    const ss_image *im = &ui->scene.image[1];
    int x = 0;
    while (x < im->w && im->cell[y * im->w + x] > 0.5F)
        x++;
    return x;
}

static double time_at(const ss_ui *ui, int y)
{
    const ss_plot_axis *a = &ui->scene.edge[0].axis;
    return a->hi - (y + 0.5) / ui->scene.image[1].h * (a->hi - a->lo);
}

/* A front in three parts of 1.5 time units, each with its own step between states. */
static void show_three_speeds(ss_ui *ui, ss_snapshot *s, const double *steps, bool whole)
{
    double time = 0;
    int64_t cycle = 0;
    if (whole)
        ss_ui_whole_run(ui);
    for (int i = 0; i < 3; i++)
        for (double end = time + 1.5; time < end - 1e-9; time += steps[i])
            show_front(ui, s, cycle++, time, steps[i]);
}

TEST(raster, rows_are_at_equal_steps_of_time_whatever_lies_between_states)
{
    static const double steps[] = {0.1, 0.025, 0.2};
    for (int whole = 0; whole < 2; whole++) {
        ss_snapshot *s = sample_1d(64);
        ss_ui *ui = new_ui();
        show_three_speeds(ui, s, steps, whole);
        int rows = ui->scene.image[1].h, seen = 0;
        for (int y = 0; y < rows; y++) {
            double t = time_at(ui, y);
            if (t < -1e-9)
                continue;
            CHECK_MSG(fabs(front_at(ui, y) - (4 + 10 * t)) <= 2.1, "time %g: %d", t,
                      front_at(ui, y));
            seen++;
        }
        CHECK_MSG(seen >= 40, "%d rows", seen);
        ss_ui_free(ui);
        sample_free(s);
    }
}

/* States that lie between the times of the slots: each row has the nearest one. */
TEST(raster, rows_have_the_state_nearest_in_time)
{
    static const double steps[] = {0.1, 0.037, 0.013};
    for (int whole = 0; whole < 2; whole++) {
        ss_snapshot *s = sample_1d(64);
        ss_ui *ui = new_ui();
        show_three_speeds(ui, s, steps, whole);
        double width = ui->raster.width;
        for (int y = 0; y < ui->scene.image[1].h; y++) {
            double t = time_at(ui, y), at = (front_at(ui, y) - 4.5) / 10;
            if (t > 0.1 && t < 4.4)
                CHECK_MSG(fabs(at - t) <= 0.05 + fmax(0.05, 0.5 * width) + 1e-6, "%g: %g", t, at);
        }
        ss_ui_free(ui);
        sample_free(s);
    }
}

UI_TEST(raster, states_that_were_not_seen_are_hatched, sample_1d(64))
{
    for (int64_t cycle = 0; cycle < 20; cycle++)
        show(ui, s, cycle);
    show(ui, s, 23); /* a few rows are not enough */
    show(ui, s, 30);
    show(ui, s, 31);
    const ss_image *im = &ui->scene.image[1];
    for (int y = 0; y < 31; y++) {
        CHECK_MSG(im->unseen[y] == (y >= 2 && y < 8), "row %d", y);
        CHECK_MSG(im->unseen[y] == (im->cell[y * im->w] != im->cell[y * im->w]), "row %d", y);
    }
}

/* A cycle of the swept rule takes many steps: there was nothing to be seen within it. */
UI_TEST(raster, a_long_cycle_is_not_hatched, sample_1d(64))
{
    for (int64_t cycle = 0; cycle < 20; cycle++)
        show_front(ui, s, cycle, (double)cycle, 1);
    s->steps = 8;
    show_front(ui, s, 20, 27, 1);
    s->steps = 8;
    show_front(ui, s, 21, 35, 1);
    for (int y = 0; y < 36; y++)
        CHECK_MSG(!ui->scene.image[1].unseen[y], "row %d", y);
}

UI_TEST(raster, a_changed_parameter_has_a_mark_on_the_time_axis, sample_1d(64))
{
    s->nmark = 1;
    s->mark[0] = (ss_mark){.at = {.cycle = 7}, .text = "k 4->8"};
    for (int64_t cycle = 0; cycle < 20; cycle++)
        show(ui, s, cycle);
    CHECK_INT(ui->scene.edge[0].nmark, 1);
    CHECK(ui->scene.edge[0].mark[0] == 7);
}

UI_TEST(raster, the_field_and_the_diagram_have_the_coordinates_of_the_problem, sample_1d(64))
{
    s->nx = 99, s->origin = 1, s->spacing = 0.01; /* points at 0.01 ... 0.99 */
    show(ui, s, 1);
    const ss_plot_axis *axes[] = {&ui->scene.chart[0].x, &ui->scene.edge[1].axis};
    for (int i = 0; i < 2; i++) {
        const ss_plot_axis *a = axes[i];
        CHECK(a->ntick >= 3);
        CHECK_STR(a->tick[0].label, "0");
        CHECK_STR(a->tick[a->ntick - 1].label, "1");
        for (int k = 0; k < a->ntick; k++) /* point p has its middle at p + 0.5 */
            CHECK(fabs(a->tick[k].at - (atof(a->tick[k].label) / 0.01 - 1 + 0.5)) < 1e-9);
    }
}

/* Points are drawn at their positions, not at those of the cells. */
TEST(raster, a_curve_has_no_more_vertices_than_cells_or_points)
{
    ss_xy at[8];
    float cell[8] = {10, 11, 12, 13, 14, 15, 16, 17};
    CHECK_INT(ss_build_points((ss_box2){4, 0, 8, 1}, cell, 8, at), 4); /* two cells per point */
    for (int i = 0; i < 4; i++) {
        CHECK(at[i].x == 4.5 + i);
        CHECK(at[i].y == (double)cell[2 * i]);
    }
    CHECK_INT(ss_build_points((ss_box2){0, 0, 20, 1}, cell, 8, at), 8); /* 2 or 3 points per cell */
    CHECK(at[0].x == 1 && at[1].x == 3.5 && at[7].x == 18.5);
}

/* A layer without values has no scale. */
UI_TEST(raster, before_the_first_value_there_is_a_sentence_and_no_colour_bar, sample_1d(64))
{
    float cells[64];
    memcpy(cells, s->picture.cell, sizeof cells);
    for (int x = 0; x < 64; x++)
        s->picture.cell[x] = NAN;
    s->layer_why[s->view.layer] = "no cycle has been done yet; press , for one";
    show(ui, s, 0);
    CHECK(!ui->scene.image[1].cell && ui->scene.edge[0].axis.ntick == 0);
    memcpy(s->picture.cell, cells, sizeof cells);
    s->layer_why[s->view.layer] = NULL;
    show(ui, s, 1);
    CHECK(ui->scene.image[1].cell && ui->scene.edge[0].axis.ntick > 0);
}
