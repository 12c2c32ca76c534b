/*
 * A run that takes few norms ends at the cycle at which a run that takes all of them ends, with the
 * same bits: for all methods that admit it, stale halos, both precisions, odd grids, steps of any
 * length, and changes on the way.
 */
#include "src/run/checks.h"

#include <math.h>

#include "tests/engines.h"
#include "tests/fields.h"

#define MOST 200000 /* cycles of a run that never converges */

static ss_run *opened(const char *settings, bool seldom)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, settings);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s: %s", settings, err.text);
    run->stop_at_tol = true;
    run->seldom = seldom;
    return run;
}

/* In steps of `step` cycles; 0: of 1, 2, 4 ... cycles. */
static void finish(ss_run *run, int64_t step)
{
    ss_err err = {0};
    for (int64_t n = step ? step : 1; run->status == SS_RUNNING && run->cycle < MOST;
         n = step ? step : 2 * n)
        CHECK_MSG(ss_run_step(run, n, &err) == SS_OK, "%s", err.text);
}

static void ends_alike(ss_run *all, ss_run *few, const char *what)
{
    CHECK_MSG(all->status == few->status && all->cycle == few->cycle,
              "%s: cycle %lld (status %d), not %lld (%d)", what, (long long)few->cycle,
              (int)few->status, (long long)all->cycle, (int)all->status);
    CHECK_MSG(few->residual_cycle == all->residual_cycle &&
                  fabs(few->residual - all->residual) <= 1e-12 * all->residual0,
              "%s: another residual", what);
    char *a = ss_field_download(all), *b = ss_field_download(few);
    CHECK_MSG(a && b && memcmp(a, b, ss_field_bytes(all)) == 0, "%s: another field", what);
    free(a);
    free(b);
    CHECK_MSG(memcmp(&all->total, &few->total, sizeof all->total) == 0, "%s: another ledger", what);
}

static const char *const methods[] = {
    "equation poisson1d n 61 copies 3 solver jacobi",
    "equation poisson2d n 45 ny 33 solver jacobi",
    "equation poisson2d n 93 ny 70 solver jacobi problem random",
    "equation poisson2d n 45 ny 33 solver jacobi damping 0.7 problem random",
    "equation poisson2d n 64 solver jacobi precision f32",
    "equation poisson2d n 127 solver jacobi precision f32 problem random",
    "equation poisson2d n 200 ny 150 solver jacobi precision f32",
    "equation poisson2d n 93 ny 70 solver shared k 4 block 16",
    "equation poisson2d n 93 ny 70 solver shared k 16 block 16",
    "equation poisson2d n 93 ny 70 solver shared k 48 block 32 overlap 2 problem random",
    "equation poisson2d n 93 ny 70 solver shared k 8 block 32 overlap 14",
    "equation poisson2d n 127 solver shared k 12 block 24 overlap 4 precision f32",
    "equation poisson1d n 1000 copies 2 solver shared k 32 block 64",
    "equation poisson2d n 93 ny 70 solver async alpha 8 block 16",
    "equation poisson2d n 93 ny 70 solver async alpha 3 block 32 precision f32 problem random",
};

/* Near the rounding floor, where the residual bends down, and a run that ends at a residual of 0.
 */
static const char *const at_the_floor[] = {
    "equation poisson1d n 127 copies 1 solver jacobi precision f32 problem random until 1e-4",
    "equation poisson1d n 127 copies 1 solver jacobi precision f32 problem spike until 1e-4",
    "equation poisson1d n 255 copies 1 solver jacobi precision f32 problem spike until 1e-4",
    "equation poisson2d n 40 ny 200 solver jacobi precision f32 problem random until 1e-5",
    "equation poisson2d n 93 ny 70 solver shared k 8 block 16 precision f32 until 1e-5",
    "equation poisson1d n 31 copies 1 solver jacobi until 1e-15",
    "equation poisson1d n 61 copies 1 solver jacobi until 0",
    "equation poisson1d n 61 copies 1 solver jacobi precision f32 until 0",
};

/* Sanitizers, which take minutes for the last one, leave it to the release build. */
static const char *const tolerances[] = {"0.5", "0.1", "1e-2", "1e-4"};
#define TOLERANCES (sizeof tolerances / sizeof *tolerances - CHECK_SANITIZED)

SLOW_TEST(checks, few_norms_find_the_same_last_cycle)
{
    char settings[200];
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t t = 0; t < TOLERANCES; t++) {
            snprintf(settings, sizeof settings, "%s until %s", methods[m], tolerances[t]);
            ss_run *all = opened(settings, false);
            finish(all, MOST);
            CHECK_MSG(all->status == SS_CONVERGED, "%s does not converge", settings);
            static const int64_t steps[] = {MOST, 0, 37, 256};
            for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
                ss_run *few = opened(settings, true);
                finish(few, steps[s]);
                ends_alike(all, few, settings);
                ss_run_close(few);
            }
            ss_run_close(all);
        }
}

SLOW_TEST(checks, near_rounding_each_cycle_is_checked)
{
    for (size_t i = 0; i < sizeof at_the_floor / sizeof *at_the_floor; i++) {
        ss_run *all = opened(at_the_floor[i], false), *few = opened(at_the_floor[i], true);
        all->stop_at_zero = few->stop_at_zero = true;
        finish(all, MOST);
        CHECK_MSG(all->status == SS_CONVERGED, "%s does not converge", at_the_floor[i]);
        finish(few, i % 2 ? 37 : MOST);
        ends_alike(all, few, at_the_floor[i]);
        ss_run_close(all);
        ss_run_close(few);
    }
}

static void change(ss_run *run, const char *name, const char *value)
{
    ss_err err = {0};
    ss_config cfg = run->cfg;
    CHECK_MSG(ss_config_set(&cfg, name, value, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_run_configure(run, &cfg, &err) == SS_OK, "%s", err.text);
}

TEST(checks, a_change_on_the_way_is_followed)
{
    static const char *const changes[][2] = {{"k", "40"}, {"overlap", "8"}, {"until", "1e-5"}};
    const char *settings = "equation poisson2d n 93 ny 70 solver shared k 4 block 32 until 1e-3";
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        ss_run *run[2] = {opened(settings, false), opened(settings, true)};
        for (int i = 0; i < 2; i++) {
            CHECK_INT(ss_run_step(run[i], 111, NULL), SS_OK);
            change(run[i], changes[c][0], changes[c][1]);
            finish(run[i], 0);
        }
        ends_alike(run[0], run[1], changes[c][0]);
        ss_run_close(run[0]);
        ss_run_close(run[1]);
    }
}

/* The number of norms: the points of the history. */
TEST(checks, norms_are_few)
{
    ss_run *run = opened("equation poisson2d n 127 solver jacobi until 1e-4", true);
    finish(run, MOST);
    CHECK(run->status == SS_CONVERGED && run->cycle > 9000);
    /* The last percent takes about 33 cycles. */
    CHECK_MSG((int64_t)run->history.count < run->cycle / 150 + 50, "%d norms in %lld cycles",
              (int)run->history.count, (long long)run->cycle);
    ss_run_close(run);
}

TEST(checks, a_stride_is_kept)
{
    ss_run *run = opened("equation poisson2d n 45 solver jacobi until 0 check-every 7", true);
    CHECK(!ss_run_checks_seldom(run));
    CHECK_INT(ss_run_step(run, 71, NULL), SS_OK);
    CHECK_INT((long long)run->history.count, 11);
    ss_run_close(run);
    run = opened("equation poisson2d n 45 solver sor", true);
    CHECK(!ss_run_checks_seldom(run)); /* its residual rises before it falls */
    ss_run_close(run);
}

TEST(checks, a_growing_residual_is_seen)
{
    ss_run *run = opened("equation poisson2d n 45 solver jacobi damping 1.5 problem random", true);
    finish(run, MOST);
    CHECK_MSG(run->status == SS_DIVERGED && isfinite(run->residual), "status %d, |r| = %g",
              (int)run->status, run->residual);
    ss_run_close(run);
}
