/* The spectra of a race: each run's is that of a run of its own. */
#include "src/run/reference.h"
#include "src/snapshot/snapshot.h"
#include "tests/engines.h"

#define N "n", "31", "backend", "cpu"

static ss_engine *race_of_three(void)
{
    static const ss_view view = {.seq = 1,
                                 .w = 8,
                                 .h = 8,
                                 .probe_x = -1,
                                 .probe_y = -1,
                                 .tile_x = -1,
                                 .tile_y = -1,
                                 .spectrum = true};
    ss_config cfg = config("poisson2d", "jacobi", PAIRS(N));
    ss_engine *e = engine_for(&cfg);
    ss_engine_view(e, &view);
    send_lines(e, LINES("add poisson2d sor n=31", "add poisson2d cg n=31", "select 1", "race"));
    return e;
}

static void check_alone(const ss_racer *r, const char *solver, int64_t cycles)
{
    ss_err err = {0};
    ss_bands alone;
    bool failed = false;
    char notice[200];
    ss_config cfg = config("poisson2d", solver, PAIRS(N));
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    run->reference = ss_reference_start(run, false, notice, sizeof notice, &err);
    CHECK(ss_run_step(run, cycles, &err) == SS_OK);
    const double *exact = ss_reference_get(run->reference, &failed, &err);
    CHECK_INT(ss_bands_measure(run, exact, false, &alone, &err), SS_OK);
    CHECK_INT(r->bands.n, alone.n);
    for (int i = 0; i < alone.n; i++)
        CHECK_MSG(memcmp(&r->bands.rms[i], &alone.rms[i], sizeof alone.rms[i]) == 0 ||
                      (!isfinite(alone.rms[i]) && !isfinite(r->bands.rms[i])),
                  "%s, band %d: %g, alone %g", solver, i, r->bands.rms[i], alone.rms[i]);
    ss_run_close(run);
}

TEST(race_bands, each_run_has_the_spectrum_of_a_run_of_its_own)
{
    ss_engine *e = race_of_three();
    const ss_snapshot *s = send_lines(e, LINES("step 7"));
    for (int i = 0; i < 200 && s->bands.n == 0; i++) { /* until u* is computed */
        usleep(10000);
        s = send_lines(e, LINES("pause"));
    }
    CHECK_INT(s->race.n, 3);
    check_alone(&s->race.racer[0], "jacobi", 7);
    check_alone(&s->race.racer[1], "sor", 7);
    check_alone(&s->race.racer[2], "cg", 7);
    ss_engine_free(e);
}
