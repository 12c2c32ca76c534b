/* The spectrum of the error of runs on a line and on a plane: a mode is in its band, directions of
 * one point and copies do not disturb it, and Jacobi keeps the lowest modes. */
#include "kernels/eq/sine.h"
#include "src/engine/lane.h"
#include "src/run/reference.h"
#include "src/snapshot/snapshot.h"
#include "tests/pictures.h"

typedef struct wave {
    int mx, my, nx, ny, copy; /* copy: the only row that has it; -1: all */
} wave;

static double wave_at(const ss_run *run, int x, int y, const void *ctx)
{
    const wave *w = ctx;
    double v = ss_mode_at(w->nx, false, w->mx, x);
    (void)run;
    v *= w->my > 0 ? ss_mode_at(w->ny, false, w->my, y) : 1;
    return w->copy < 0 || w->copy == y ? v : 0;
}

static void check_wave(const char *settings, wave w, int bands, int band)
{
    ss_run *run = open_run(settings);
    double *zero = calloc((size_t)w.nx * (size_t)w.ny, sizeof *zero);
    ss_bands b;
    set_field(run, FIELD, wave_at, &w);
    CHECK_INT(ss_bands_measure(run, zero, false, &b, NULL), SS_OK);
    CHECK_MSG(b.n == bands, "%s: %d bands", settings, b.n);
    for (int i = 0; i < b.n; i++)
        CHECK_MSG(i == band ? b.rms[i] > 0.05 : !(b.rms[i] > 1e-13), "%s, band %d: %g", settings, i,
                  b.rms[i]);
    free(zero);
    ss_run_close(run);
}

TEST(bands, a_mode_is_in_the_band_of_its_highest_frequency)
{
    check_wave("equation poisson1d n 64", (wave){1, 0, 64, 1, -1}, 32, 0);
    check_wave("equation poisson1d n 64", (wave){64, 0, 64, 1, -1}, 32, 31);
    check_wave("equation poisson1d n 64 copies 3", (wave){33, 0, 64, 3, 1}, 32, 16);
    check_wave("equation poisson2d n 32 ny 20", (wave){3, 20, 32, 20, -1}, 10, 9);
    check_wave("equation poisson2d n 32 ny 20", (wave){17, 2, 32, 20, -1}, 10, 5);
    check_wave("equation poisson2d n 32 ny 1", (wave){2, 0, 32, 1, -1}, 16, 0);
}

/* After a cycle of Jacobi a mode has been multiplied by the cosine of its frequency. */
RUN_TEST(bands, jacobi_takes_the_middle_and_keeps_both_ends,
         "equation poisson1d solver jacobi n 256 problem random")
{
    char notice[200];
    run->reference = ss_reference_start(run, false, notice, sizeof notice, NULL);
    const double *exact = ss_reference_wait(run->reference, NULL);
    ss_bands a, b;
    CHECK(exact != NULL);
    CHECK_INT(ss_bands_measure(run, exact, true, &a, NULL), SS_OK);
    step_run(run, 20);
    CHECK_INT(ss_bands_measure(run, exact, false, &b, NULL), SS_OK);
    double low = b.rms[0] / a.rms[0], middle = b.rms[16] / a.rms[16], high = b.rms[31] / a.rms[31];
    CHECK_MSG(low > 0.8 && middle < 1e-6 && high > 0.8, "%g %g %g", low, middle, high);
}

TEST(bands, large_problems_have_none)
{
    static const struct {
        const char *settings;
        bool fit;
    } cases[] = {{"equation poisson1d n 2048", true},
                 {"equation poisson1d n 2049", false},
                 {"equation poisson2d n 1024", true},
                 {"equation poisson2d n 1200", false},
                 {"equation poisson3d patch 64 px 2 py 2 pz 2", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ss_config cfg = {0};
        set_config(&cfg, cases[i].settings);
        ss_problem p = ss_config_problem(&cfg);
        CHECK_MSG(ss_bands_fit(&p) == cases[i].fit, "%s", cases[i].settings);
    }
}

/* While the run goes on, the spectrum is at most as new as its share of the time allows. */
TEST(bands, a_spectrum_that_lags_says_its_cycle)
{
    static ss_snapshot s;
    static ss_lane lane;
    char notice[200];
    lane.run = open_run("equation poisson1d n 256");
    lane.run->reference = ss_reference_start(lane.run, false, notice, sizeof notice, NULL);
    CHECK(ss_reference_wait(lane.run->reference, NULL) != NULL);
    s.view = view_of(SS_VALUE);
    ss_publish_bands(&s, &lane);
    CHECK(s.bands.n == 0 && !s.bands_why); /* not shown: not computed */
    s.view.spectrum = true;
    step_run(lane.run, 5);
    ss_publish_bands(&s, &lane);
    CHECK(s.bands.n == 32 && s.bands_start.n == 32);
    CHECK_INT(s.bands_cycle, 5);
    lane.spectrum.next = ss_clock() + 1000;
    step_run(lane.run, 5);
    ss_publish_bands(&s, &lane);
    CHECK_INT(s.bands_cycle, 5);
    s.paused = true;
    ss_publish_bands(&s, &lane);
    CHECK_INT(s.bands_cycle, 10);
    ss_run_close(lane.run);
}
