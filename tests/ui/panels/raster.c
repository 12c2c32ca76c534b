/* Space-time rasters: rows stay in place after a zoom; rasters of a whole run. */
#include "tests/check.h"

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

TEST(raster, zooming_keeps_the_rows_seen_before)
{
    ss_snapshot *s = sample_1d(64);
    ss_ui *ui = new_ui();
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
    ss_ui_free(ui);
    sample_free(s);
}

/* Serials of rows: a resampled row has a new one, a row of another window has none. */
TEST(raster, each_row_keeps_its_serial_number)
{
    ss_snapshot *s = sample_1d(64);
    ss_ui *ui = new_ui();
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
    ss_ui_free(ui);
    sample_free(s);
}

TEST(raster, a_whole_run_fits_into_the_raster)
{
    ss_snapshot *s = sample_1d(64);
    ss_ui *ui = new_ui();
    int64_t cycle = 0;
    ss_ui_whole_run(ui);
    for (; cycle < 5000; cycle += ss_ui_apart(ui))
        show(ui, s, cycle);
    const ss_raster *r = &ui->raster;
    CHECK_INT(r->apart, 32);
    CHECK(r->count > SS_RASTER_ROWS / 2 && r->count <= SS_RASTER_ROWS);
    for (int i = 0; i < r->count; i++)
        CHECK_INT(r->row[i].cycle, i * r->apart);
    show(ui, s, 0); /* restarted */
    CHECK_INT(r->count, 1);
    CHECK_INT(r->apart, 1);
    ss_ui_free(ui);
    sample_free(s);
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
