/* The lower panel of a steady run: the diagram of each layer, and the room of a panel that has
 * nothing to say. */
#define SCREEN_OPEN open_window
#include "tests/ui/fixture.h"

static const ss_extent window = {128, 40, 10, 20, 2, 2, .scale = 1};

static void open_window(fixture *f, ss_snapshot *s)
{
    *f = (fixture){.snap = s};
    f->ui = ss_ui_new(sample_emit, &f->log, NULL);
    CHECK(f->ui != NULL);
}

static bool shows_at(fixture *f, const ss_extent *extent, const char *text)
{
    f->snap->seq++;
    const ss_scene *s = ss_ui_scene(f->ui, f->snap, extent, 0);
    bool found = false;
    for (int i = 0; i < s->nitem; i++)
        found = found || ((s->item[i].kind == SS_I_TEXT || s->item[i].kind == SS_I_FRAME) &&
                          strstr(s->item[i].text, text));
    return found;
}

static bool has(fixture *f, const char *text)
{
    return shows_at(f, &window, text);
}

static bool shows_in(ss_layer layer, bool tiled, bool ages, const char *no_bands, const char *text)
{
    fixture f;
    open_window(&f, sample_2d(layer, 58, 58));
    f.snap->tiled = tiled;
    f.snap->layers[SS_AGE] = ages;
    f.snap->bands_why = no_bands;
    bool found = has(&f, text);
    close_fixture(&f);
    return found;
}

TEST(lower, each_layer_has_the_diagram_that_says_something)
{
    const char *bands = "Error by frequency", *position = "By position in the block";
    CHECK(shows_in(SS_VALUE, true, false, NULL, bands));
    CHECK(shows_in(SS_STALENESS, true, false, NULL, position));
    CHECK(shows_in(SS_RESIDUAL, true, false, NULL, position));
    CHECK(shows_in(SS_RESIDUAL, false, false, NULL, bands)); /* classic Jacobi has no blocks */
    CHECK(shows_in(SS_OWNER, true, false, NULL, bands));
    CHECK(shows_in(SS_AGE, true, true, NULL, "Tiles by age"));
    CHECK(shows_in(SS_VALUE, true, false, "too large", position));
}

TEST(lower, the_spectrum_is_requested_only_where_it_is_shown)
{
    for (int staleness = 0; staleness < 2; staleness++) {
        fixture f;
        open_window(&f, sample_2d(staleness ? SS_STALENESS : SS_VALUE, 58, 58));
        has(&f, "");
        CHECK_INT(ss_ui_view(f.ui)->spectrum, !staleness);
        close_fixture(&f);
    }
}

SCREEN_TEST(lower, an_older_spectrum_has_its_cycle, sample_2d(SS_VALUE, 58, 58))
{
    has(d, "");
    CHECK_STR(d->ui->scene.chart[2].legend[1], "now");
    d->snap->bands_cycle = 305;
    has(d, "");
    CHECK_STR(d->ui->scene.chart[2].legend[1], "cycle 305");
}

/* Bands below the axis are not drawn as if they had its lowest value. */
SCREEN_TEST(lower, a_spectrum_leaves_the_chart_and_returns, sample_2d(SS_VALUE, 58, 58))
{
    static const double rms[16] = {1, 1e-3, 1e-15, 0, 1e-16, 1e-5, 1e-2, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    memcpy(d->snap->bands.rms, rms, sizeof rms);
    has(d, "");
    const ss_chart *c = &d->ui->scene.chart[2];
    CHECK_INT(c->nseries, 3); /* start; now, in two pieces */
    CHECK(c->series[1].n == 3 && c->series[1].at[2].x == 2.5 / 16);
    CHECK(c->series[2].n == 12 && c->series[2].at[0].x == 4.5 / 16);
    CHECK(c->legend[1] && !c->legend[2]);
}

/* Neither blocks nor a spectrum: the residual has the whole column. */
SCREEN_TEST(lower, a_panel_with_nothing_to_say_gives_its_room_away, sample_2d(SS_VALUE, 58, 58))
{
    has(d, "");
    ss_rect plot = d->ui->layout.panel[SS_PANEL_PLOT],
            lower = d->ui->layout.panel[SS_PANEL_PROFILE];
    CHECK(lower.w > 0);
    d->snap->tiled = false;
    d->snap->bands_why = "too large";
    CHECK(!has(d, "Error by frequency") && !has(d, "By position"));
    CHECK_INT(d->ui->layout.panel[SS_PANEL_PROFILE].w, 0);
    CHECK_INT(d->ui->layout.panel[SS_PANEL_PLOT].h, plot.h + lower.h);
}

SCREEN_TEST(lower, tiles_are_bars_by_age, sample_2d(SS_AGE, 58, 58))
{
    d->snap->layers[SS_AGE] = true;
    CHECK(has(d, "no launch has been done yet"));
    d->snap->picture.nages = 6, d->snap->picture.age_step = 1;
    d->snap->picture.tiles[2] = 25, d->snap->picture.tiles[3] = 12;
    CHECK(!has(d, "no launch has been done yet"));
    const ss_series *bars = &d->ui->scene.chart[2].series[0];
    CHECK(bars->bars && bars->n == 6);
    CHECK(bars->at[2].y == 25 && bars->at[3].y == 12 && bars->at[0].y == 0);
}

/* --- time-dependent runs ---------------------------------------------------------------------- */

SCREEN_TEST(lower, a_known_solution_is_compared_with_over_time, sample_swept(64, 0))
{
    d->snap->bc = SS_BC_FIXED;
    for (int i = 0; i < d->snap->ncurve; i++)
        d->snap->curve[i].error = 1e-3 * i, d->snap->curve[i].error_time = d->snap->curve[i].time;
    CHECK(has(d, "Error") && has(d, "mean |ρ − exact|"));
    const ss_series *curve = &d->ui->scene.chart[2].series[0];
    CHECK(curve->n > 2 && curve->at[0].y > 0); /* the exact start has no place on the axis */
    d->snap->error_why = "unknown";
    CHECK(has(d, "Drift"));
}

static const ss_extent wide = {260, 70, 10, 20, 2, 2, .scale = 1};

/* A hybrid run on an H200 as its snapshot has it. */
static ss_split hybrid(void)
{
    return (ss_split){.on = true,
                      .automatic = true,
                      .settled = true,
                      .rows = 700,
                      .all = 16384,
                      .k = 1,
                      .batches = 9,
                      .cost = {32e-3, 1.48e-3, 30e-6},
                      .measured = 1.45e-3,
                      .bars = {10e-6, 1.41e-3, 9e-6, 1.37e-3, 40e-6, 30e-6}};
}

SCREEN_TEST(lower, a_hybrid_run_shows_its_model_and_its_bars, sample_2d(SS_VALUE, 58, 58))
{
    d->snap->split = hybrid();
    CHECK(has(d, "CPU and GPU") && !has(d, "Error by frequency"));
    CHECK(has(d, "700 of 16,384 rows"));
    CHECK(shows_at(d, &wide, "measured 1.45 ms"));
    CHECK(shows_at(d, &wide, "exchange") && shows_at(d, &wide, "H2D"));
    const ss_chart *c = &ss_ui_scene(d->ui, d->snap, &window, 0)->chart[2];
    CHECK_INT(c->nseries, 4);
    CHECK_NEAR(c->mark[0].x, 100 * 1.48 / 33.48, 1e-9); /* the crossing of both lines: */
    double cpu = c->series[0].at[1].y / c->series[0].at[1].x, x = c->mark[0].x;
    double gpu = (c->series[1].at[1].y - 100) / c->series[1].at[1].x;
    CHECK_NEAR(cpu * x, 100 + gpu * x, 1e-9);
    CHECK_NEAR(c->series[3].at[0].x, 100.0 * 700 / 16384, 1e-9);
    CHECK_NEAR(c->series[3].at[0].y, 100 * 1.45 / 1.48, 1e-9);
}

SCREEN_TEST(lower, a_run_on_two_devices_shows_where_its_time_goes, sample_2d(SS_VALUE, 58, 58))
{
    d->snap->shares = (ss_shares){
        .count = 2, .of = {{0, 60e-6, 1e-6, 4e-6, 10e-6}, {1, 61e-6, 1e-6, 4e-6, 9e-6}}};
    CHECK(has(d, "Where the time goes") && !has(d, "Error by frequency"));
    CHECK(has(d, "1 interior") && has(d, "61.0 µs") && has(d, "edge, halo"));
    d->snap->shares.count = 0;
    CHECK(!has(d, "Where the time goes"));
}

SCREEN_TEST(lower, a_hybrid_run_says_why_the_gpu_is_alone, sample_2d(SS_VALUE, 58, 58))
{
    d->snap->split = hybrid();
    d->snap->split.rows = 0;
    ss_split_explain(&(ss_split_cost){320e-3, 1.48e-3, 30e-6, 0, 0}, 1, d->snap->split.refused,
                     sizeof d->snap->split.refused);
    CHECK(has(d, "the CPU would save 6.81"));
    CHECK(shows_at(d, &wide, "GPU alone"));
    d->snap->split.batches = 0;
    CHECK(has(d, "measuring both parts"));
    d->snap->split.on = false;
    CHECK(!has(d, "CPU and GPU"));
}
