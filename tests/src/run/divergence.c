/* Divergence: the cycle that is reported, whatever the slices of the run; what is measured then. */
#include "src/run/parts.h"
#include "src/run/reference.h"
#include "tests/fields.h"

/* Runs to the end in calls of `slice` cycles. */
static void run_in_slices(ss_run *run, int64_t slice)
{
    ss_err err = {0};
    while (run->status == SS_RUNNING) {
        run->chained = run->cycle > 0;
        CHECK_MSG(ss_run_step(run, slice, &err) == SS_OK, "%s", err.text);
    }
}

static const char *const unstable[] = {
    "equation euler1d solver stepper n 64 dtdx 2 allow-unstable on cycles 100000 backend cpu",
    "equation euler1d solver swept n 64 block 16 dtdx 1 allow-unstable on cycles 1000 backend cpu",
    "equation euler1d solver stepper n 256 limiter as-printed dtdx 0.4 until-time 0.2 backend cpu",
    "equation heat1d solver stepper n 64 fo 0.6 allow-unstable on cycles 100000 backend cpu",
    "equation heat1d solver swept n 64 block 16 fo 0.6 allow-unstable on cycles 9999 precision f32 "
    "backend cpu",
    "equation ks1d solver stepper n 128 dt 0.1 allow-unstable on cycles 100000 backend cpu",
    "equation heat1d solver stepper n 4096 fo 0.6 allow-unstable on cycles 100000 backend cpu",
};

/* The first cycle whose values are not finite or 10^6 times the first is found by slices of one
 * cycle; fields of more than 2048 values are then checked at every cycle in settle only. */
SLOW_TEST(divergence, the_cycle_does_not_depend_on_the_slices)
{
    for (size_t i = 0; i < sizeof unstable / sizeof *unstable; i++) {
        ss_run *first = open_run(unstable[i]);
        while (first->status == SS_RUNNING) {
            first->chained = first->cycle > 0;
            CHECK_INT(ss_run_step(first, 1, NULL), SS_OK);
            CHECK_INT(ss_run_watch(first, NULL), SS_OK);
        }
        CHECK_INT(first->status, SS_DIVERGED);
        for (int64_t slice = 7; slice < 200000; slice *= 13) {
            ss_run *run = open_run(unstable[i]);
            run_in_slices(run, slice);
            CHECK_INT(run->status, SS_DIVERGED);
            CHECK_INT(run->cycle, first->cycle);
            CHECK_INT(run->iteration, first->iteration);
            CHECK_NEAR(run->time, first->time, 0);
            CHECK_NEAR(run->total.global_bytes, first->total.global_bytes, 0);
            CHECK_NEAR(run->total.launches, first->total.launches, 0);
            CHECK_STR(run->message, first->message);
            CHECK(run->seconds_solve > 0);
            ss_run_close(run);
        }
        ss_run_close(first);
    }
}

/* Inside the last cycle, which classic steps complete: cycle 0, and the step. */
RUN_TEST(divergence, among_the_last_steps,
         "equation heat1d solver swept n 256 block 256 fo 1 mode 200 "
         "allow-unstable on until-time 0.001 backend cpu")
{
    run_in_slices(run, 100);
    CHECK_INT(run->status, SS_DIVERGED);
    CHECK_INT(run->cycle, 0);
    CHECK(run->step > 1 && run->step < 65);
    CHECK_INT(run->iteration, run->step);
    CHECK_NEAR(run->total.launches, (double)run->step, 0);
    CHECK_NEAR(run->time, (double)run->step * run->problem.dt, 1e-15);
}

/* Two streams that part leave almost a vacuum (Toro, test 2): no step is small enough. */
RUN_TEST(divergence, near_a_vacuum_the_reconstruction_is_named,
         "equation euler1d solver stepper n 64 dtdx 0.02 until-time 0.1 backend "
         "cpu")
{
    enum { N = 64, FIELDS = 3 };
    double u[FIELDS][N];
    for (int i = 0; i < N; i++) {
        u[0][i] = 1;
        u[1][i] = i < N / 2 ? -2 : 2;
        u[2][i] = 0.4 / 0.4 + 0.5 * 4;
    }
    for (int f = 0; f < FIELDS; f++)
        CHECK_INT(run->backend->upload(run, FIELD, f, 0, 0, 1, u[f], NULL), SS_OK);
    ss_copy_free(&run->good); /* the search for the first cycle would start from the tube */
    run_in_slices(run, 100);
    CHECK_INT(run->status, SS_DIVERGED);
    CHECK_MSG(strstr(run->message, "near a vacuum") && strstr(run->message, "at any step"), "%s",
              run->message);
}

/* The search starts at the change: what diverged had the new value only. */
TEST(divergence, after_a_change)
{
    int64_t cycle = 0;
    for (int64_t slice = 1; slice < 100000; slice *= 100) {
        ss_run *run =
            open_run("equation heat1d solver stepper n 4096 allow-unstable on backend cpu");
        step_run(run, 500);
        change_run(run, "fo", "0.6");
        run_in_slices(run, slice);
        CHECK_INT(run->status, SS_DIVERGED);
        CHECK(run->cycle > 500 && (cycle == 0 || run->cycle == cycle));
        cycle = run->cycle;
        ss_run_close(run);
    }
}

/* The field of a diverged run is no approximation, so that nothing is measured. */
TEST(divergence, no_error_is_measured)
{
    ss_result r;
    ss_run *run = open_run(unstable[2]);
    run_in_slices(run, 100);
    CHECK_INT(ss_result_make(run, true, false, 0, &r, NULL), SS_OK);
    CHECK(r.status == SS_DIVERGED && r.wants_error && isnan(r.error_max));
    ss_run_close(run);
    run = open_run("equation poisson3d solver block-jacobi patch 16 bx 4 omega 2 ghost mirror "
                   "problem random backend cpu");
    run_in_slices(run, 1000);
    CHECK_INT(ss_result_make(run, true, true, 0, &r, NULL), SS_OK);
    CHECK(r.status == SS_DIVERGED && isnan(r.error_max) && isnan(r.accuracy));
    ss_run_close(run);
}

/* Comparisons skip values that are not numbers: the maximum must not. */
TEST(divergence, the_largest_error_of_a_field_of_nan_is_not_finite)
{
    static const char *const settings[] = {
        "equation poisson2d solver jacobi n 16 backend cpu",
        "equation poisson2d solver jacobi n 16 precision f32 backend cpu",
        "equation poisson3d solver jacobi patch 16 backend cpu"};
    static const double reference[16 * 16 * 16];
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        double row[16], most;
        float narrow[16];
        ss_run *run = open_run(settings[i]);
        for (int x = 0; x < 16; x++)
            narrow[x] = (float)(row[x] = x == 5 ? (double)NAN : 1);
        CHECK_INT(run->backend->upload(run, 0, 0, 0, 3, 4,
                                       run->prec == SS_F64 ? (void *)row : (void *)narrow, NULL),
                  SS_OK);
        CHECK_INT(run->backend->reduce(run, NULL, reference, &most, NULL), SS_OK);
        CHECK(!isfinite(most));
        ss_run_close(run);
    }
}
