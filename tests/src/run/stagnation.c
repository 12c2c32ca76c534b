/* Runs that stand still above their tolerance end, and runs that still converge do not. */
#include <math.h>
#include <string.h>

#include "src/core/run.h"
#include "tests/fields.h"

enum { MANY = 2000000 };

/* Runs to the end in calls of `slice` cycles. */
static ss_run *solved(const char *settings, int64_t slice)
{
    ss_run *run = open_run(settings);
    ss_err err = {0};
    run->stop_at_tol = true;
    while (run->status == SS_RUNNING && run->cycle < MANY)
        CHECK_MSG(ss_run_step(run, slice, &err) == SS_OK, "%s", err.text);
    return run;
}

static void check_end(const char *settings, ss_status status)
{
    ss_run *run = solved(settings, MANY);
    CHECK_MSG(run->status == status, "%s: %s after %lld cycles, %g: %s", settings,
              ss_status_name(run->status), (long long)run->cycle, run->residual / run->residual0,
              run->message);
    ss_run_close(run);
}

/* Methods whose residual stands on rounding errors. The first three are in single precision. */
static const char *const on_the_floor[] = {
    "equation poisson2d solver multigrid n 63 precision f32 until 1e-9",
    "equation poisson2d solver sor n 31 precision f32 until 1e-9",
    "equation poisson2d solver cg n 31 precision f32 until 1e-9",
    "equation poisson2d solver chebyshev n 31 precision f32 until 1e-9",
    "equation advdiff2d solver multigrid n 31 precision f32 until 1e-7",
    "equation poisson2d solver cg n 31 variant s-step precision f32 until 1e-9",
    "equation poisson2d solver multigrid n 63 until 1e-18",
    "equation poisson2d solver sor n 31 until 1e-18",
    "equation poisson2d solver cg n 31 until 1e-18",
};

TEST(stagnation, a_run_on_rounding_errors_ends)
{
    for (size_t i = 0; i < sizeof on_the_floor / sizeof *on_the_floor; i++)
        check_end(on_the_floor[i], SS_STAGNATED);
}

TEST(stagnation, the_message_names_what_can_be_reached_and_it_is_reached)
{
    ss_run *run = solved("equation poisson2d solver multigrid n 63 precision f32 until 1e-9", 100);
    const char *at = strstr(run->message, "or --until ");
    char settings[160];
    double until = 0;
    CHECK_MSG(at && sscanf(at, "or --until %lf", &until) == 1, "%s", run->message);
    CHECK_MSG(strstr(run->message, "in single precision: --precision f64"), "%s", run->message);
    ss_run_close(run);
    snprintf(settings, sizeof settings,
             "equation poisson2d solver multigrid n 63 precision f32 until %g", until);
    check_end(settings, SS_CONVERGED);
    check_end("equation poisson2d solver multigrid n 63 precision f64 until 1e-9", SS_CONVERGED);
}

/* In double precision there is no finer one to advise. */
TEST(stagnation, a_finer_precision_is_advised_only_where_it_suffices)
{
    static const char *const none[] = {
        "equation poisson2d solver multigrid n 63 until 1e-18",
        "equation poisson2d solver multigrid n 63 precision f32 until 1e-25",
    };
    for (int i = 0; i < 2; i++) {
        ss_run *run = solved(none[i], 100);
        CHECK_MSG(!strstr(run->message, "--precision"), "%s", run->message);
        CHECK_MSG(strstr(run->message, ": --until "), "%s", run->message);
        ss_run_close(run);
    }
}

TEST(stagnation, the_cycle_does_not_depend_on_the_slices)
{
    for (int i = 0; i < 3; i++) {
        ss_run *first = solved(on_the_floor[i], 1);
        for (int64_t slice = 7; slice < 3000; slice *= 19) {
            ss_run *run = solved(on_the_floor[i], slice);
            CHECK_INT(run->status, SS_STAGNATED);
            CHECK_INT(run->cycle, first->cycle);
            CHECK_STR(run->message, first->message);
            ss_run_close(run);
        }
        ss_run_close(first);
    }
}

/* Every method at its default tolerance, and what is slow, rises first or stands for long: in
 * single precision too, whose floor is nearer. */
TEST(stagnation, a_run_that_still_converges_goes_on)
{
    static const char *const slow[] = {
        "equation poisson1d solver jacobi n 200 until 1e-6",
        "equation poisson2d solver jacobi n 48 precision f32 until 1e-7",
        "equation poisson2d solver shared n 48 k 8 overlap 2 precision f32 until 1e-7",
        "equation poisson2d solver shared n 48 k 8 until 1e-12",
        "equation poisson2d solver async n 48 variant 3 precision f32",
        "equation poisson2d solver sor n 63 omega 1.99",
        "equation poisson2d solver sor n 63 precision f32",
        "equation poisson2d solver chebyshev n 63 rho 0.9",
        "equation poisson2d solver cg n 63 precision f32",
        "equation poisson1d solver cg n 2000",
        "equation poisson1d solver cg n 2000 precision f32",
        "equation line solver cg n 500 diagonal 1.99",
        "equation plane solver cg n 64 diagonal 3.5 problem random",
        "equation poisson2d solver multigrid n 63 precision f32",
        "equation poisson3d solver block-jacobi patch 16 bx 2 precision f32",
        "equation poisson3d solver block-gs patch 16 bx 2 precision f32",
        "equation poisson3d solver multigrid patch 16 bx 2 precision f32",
        "equation poisson3d solver block-jacobi patch 16 bx 2 problem smooth",
        "equation advdiff2d solver jacobi n 31 velocity-x 85 velocity-y 85",
        "equation advdiff2d solver jacobi n 63 problem spike precision f32",
        "equation poisson2d solver jacobi n 48 check-every 100",
    };
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        check_end(slow[i], SS_CONVERGED);
}

TEST(stagnation, conjugate_gradients_on_a_matrix_that_is_not_symmetric_end)
{
    ss_run *run = solved("equation line solver cg n 64 west -1.2 east -0.8", MANY);
    CHECK_INT(run->status, SS_STAGNATED);
    CHECK_MSG(strstr(run->message, "because the matrix is not symmetric"), "%s", run->message);
    ss_run_close(run);
}

/* Without a goal there is nothing to miss. */
RUN_TEST(stagnation, a_run_with_a_number_of_cycles_and_no_goal_does_them,
         "equation poisson2d solver multigrid n 31 precision f32 until 0")
{
    run->stop_at_tol = true;
    step_run(run, 500);
    CHECK_INT(run->status, SS_RUNNING);
}
