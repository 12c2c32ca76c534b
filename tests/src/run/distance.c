/* Runs to an error relative to u*: counts of the numerics, both norms, what is refused. */
#include <math.h>

#include "src/run/checks.h"
#include "src/run/reference.h"
#include "tests/fields.h"

/* To the end; u* is computed in the background. */
static void solve_run(ss_run *run)
{
    ss_err err = {0};
    run->stop_at_tol = true;
    while (run->status == SS_RUNNING)
        CHECK_MSG(ss_run_step(run, 1 << 20, &err) == SS_OK, "%s", err.text);
}

static ss_run *open_solved(const char *settings)
{
    ss_run *run = open_run(settings);
    solve_run(run);
    return run;
}

/* max|u - u*|, and both errors relative to u*. */
static double errors_of(ss_run *run, double error[SS_NERROR])
{
    ss_err err = {0};
    ss_result r;
    CHECK_MSG(ss_result_make(run, true, false, 0, &r, &err) == SS_OK, "%s", err.text);
    memcpy(error, r.error, sizeof r.error);
    return r.error_max;
}

/* --- residual and error ----------------------------------------------------------------------- */

/* At one residual the errors differ by a factor of a hundred. */
TEST(distance, equal_residuals_are_not_equal_errors)
{
    static const struct {
        const char *solver;
        int cycles;
        double error; /* max|u - u*| */
    } want[] = {{"jacobi", 13133, 0.0295},     {"sor omega 1", 7142, 0.0208},
                {"sor", 221, 3.95e-4},         {"chebyshev", 387, 2.48e-4},
                {"cg", 169, 2.65e-4},          {"multigrid", 5, 2.94e-4},
                {"shared k 16", 1188, 0.02256}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char settings[128];
        double error[SS_NERROR];
        snprintf(settings, sizeof settings, "equation poisson2d solver %s n 127 backend cpu",
                 want[i].solver);
        ss_run *run = open_solved(settings);
        double largest = errors_of(run, error);
        CHECK_INT(run->cycle, want[i].cycles);
        CHECK_NEAR(largest, want[i].error, 0.005 * want[i].error);
        CHECK_NEAR(error[SS_ERROR_MAX], largest / ss_reference_largest(run->reference), 1e-15);
        ss_run_close(run);
    }
}

static void check_cycles(const char *solver, double error, int64_t cycles)
{
    char settings[160];
    snprintf(settings, sizeof settings,
             "equation poisson2d solver %s n 127 backend cpu until-error %.17g", solver, error);
    ss_run *run = open_solved(settings);
    double now;
    CHECK_INT(run->status, SS_CONVERGED);
    CHECK(run->met && !run->reached);
    CHECK_MSG(run->cycle == cycles, "%s: %lld", solver, (long long)run->cycle);
    CHECK_INT(ss_error_of(run, SS_ERROR_MAX, &now, NULL), SS_OK);
    CHECK(now <= error && now > 0.5 * error);
    ss_run_close(run);
}

/* To the error of five V cycles, Jacobi needs not 13133 iterations but 28423. */
SLOW_TEST(distance, to_the_error_of_the_v_cycles)
{
    double error[SS_NERROR];
    ss_run *run = open_solved("equation poisson2d solver multigrid n 127 backend cpu");
    errors_of(run, error);
    ss_run_close(run);
    check_cycles("multigrid", error[SS_ERROR_MAX], 5);
    check_cycles("jacobi", error[SS_ERROR_MAX], 28423);
    check_cycles("shared k 8 block 127", error[SS_ERROR_MAX], 3553); /* a block: Jacobi's bits */
}

/* The first cycle that meets it: one fewer does not. */
TEST(distance, the_first_cycle_that_meets_it)
{
    static const char *const solvers[] = {"jacobi", "shared k 4", "sor", "cg", "async"};
    static const char *const norms[] = {"max", "energy"};
    for (size_t i = 0; i < 2 * sizeof solvers / sizeof *solvers; i++) {
        char settings[200];
        double before, now;
        snprintf(settings, sizeof settings,
                 "equation poisson2d solver %s n 31 ny 23 backend cpu until-error 0.03 error-norm "
                 "%s",
                 solvers[i / 2], norms[i % 2]);
        ss_run *run = open_solved(settings);
        ss_error_norm norm = run->error_norm;
        int64_t cycles = run->cycle;
        CHECK_INT(norm, i % 2);
        CHECK_INT(ss_error_of(run, norm, &now, NULL), SS_OK);
        ss_run_close(run);
        *strstr(settings, " until-error") = '\0';
        run = open_run(settings);
        run->tol = 0;
        run->reference = ss_reference_start(run, false, (char[200]){0}, 200, NULL);
        step_run(run, cycles - 1);
        CHECK_INT(ss_error_of(run, norm, &before, NULL), SS_OK);
        CHECK_MSG(now <= 0.03 && before > 0.03, "%s: %g, %g", settings, before, now);
        ss_run_close(run);
    }
}

/* Where the residual may be checked seldom, so may the error: the same last cycle. */
SLOW_TEST(distance, few_measurements_find_the_same_cycle)
{
    static const char *const methods[] = {"poisson2d solver jacobi n 63 ny 40",
                                          "poisson2d solver jacobi n 40 problem spike",
                                          "poisson2d solver jacobi n 40 problem random",
                                          "poisson2d solver shared n 64 k 8 overlap 4",
                                          "poisson2d solver shared n 50 aspect 0.4 k 3",
                                          "plane solver jacobi n 40",
                                          "poisson1d solver shared n 100 k 4 precision f32"};
    static const char *const goals[] = {"0.5", "0.1", "0.01", "0.01 error-norm energy", "1e-3"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (size_t k = 0; k < sizeof goals / sizeof *goals; k++) {
            char settings[200];
            snprintf(settings, sizeof settings, "equation %s backend cpu until-error %s",
                     methods[i], goals[k]);
            ss_run *each = open_solved(settings);
            for (int slice = 0; slice < 2; slice++) {
                ss_run *few = open_run(settings);
                few->seldom = true;
                CHECK(ss_run_checks_seldom(few));
                while (few->status == SS_RUNNING)
                    CHECK_INT(ss_run_step(few, slice ? 37 : 1 << 20, NULL), SS_OK);
                CHECK_MSG(few->cycle == each->cycle, "%s: %lld, not %lld", settings,
                          (long long)few->cycle, (long long)each->cycle);
                ss_run_close(few);
            }
            ss_run_close(each);
        }
}

TEST(distance, checked_as_often_as_the_residual)
{
    ss_run *every =
        open_solved("equation poisson2d solver jacobi n 31 backend cpu until-error 0.01");
    ss_run *tenth = open_solved(
        "equation poisson2d solver jacobi n 31 backend cpu until-error 0.01 check-every 10");
    CHECK(every->cycle % 10 != 0);
    CHECK_INT(tenth->cycle, (every->cycle / 10 + 1) * 10);
    ss_run_close(tenth);
    ss_run_close(every);
}

/* A tolerance that is given beside it ends the run, too. */
TEST(distance, what_comes_first_ends_the_run)
{
    ss_run *run = open_solved(
        "equation poisson2d solver jacobi n 31 backend cpu until-error 0.01 until 1e-2");
    CHECK(run->reached && !run->met && run->status == SS_CONVERGED);
    ss_run_close(run);
    run =
        open_solved("equation poisson2d solver jacobi n 31 backend cpu until-error 0.01 cycles 10");
    CHECK(!run->met && run->status == SS_LIMIT);
    change_run(run, "cycles", "100000");
    run->status = SS_RUNNING;
    solve_run(run);
    CHECK(run->met && run->status == SS_CONVERGED);
    ss_run_close(run);
}

/* --- the energy norm -------------------------------------------------------------------------- */

/* e'A e as a sum over the faces, with e = 0 outside: wx and wy weigh their differences, and the
 * rest of the diagonal weighs e itself. */
static double by_faces(const ss_run *run, const double *e, double wx, double wy, double rest)
{
    int nx = run->problem.nx, ny = run->problem.ny;
    double sum = 0;
#define AT(i, j) ((i) < 0 || (j) < 0 || (i) >= nx || (j) >= ny ? 0 : e[(j)*nx + (i)])
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) {
            double x = AT(i, j) - AT(i - 1, j), y = AT(i, j) - AT(i, j - 1);
            sum += wx * x * x + wy * y * y + rest * AT(i, j) * AT(i, j);
        }
#undef AT
    return sum;
}

static void check_energy(const char *settings, double wx, double wy, double rest)
{
    ss_run *run = open_run(settings);
    ss_err err = {0};
    double got;
    run->tol = 0;
    step_run(run, 7);
    run->reference = ss_reference_start(run, false, (char[200]){0}, 200, &err);
    CHECK_MSG(run->reference != NULL, "%s", err.text);
    CHECK_MSG(ss_error_of(run, SS_ERROR_ENERGY, &got, &err) == SS_OK, "%s", err.text);
    const double *exact = ss_run_reference(run);
    double *e = get_field(run, FIELD);
    for (int i = 0; i < run->problem.nx * run->problem.ny; i++)
        e[i] -= exact[i];
    double want = sqrt(by_faces(run, e, wx, wy, rest) / by_faces(run, exact, wx, wy, rest));
    CHECK_NEAR(got, want, 1e-12 * want);
    free(e);
    ss_run_close(run);
}

TEST(distance, the_energy_norm_is_that_of_the_matrix)
{
    check_energy("equation poisson2d solver jacobi n 13 ny 9 aspect 1.7 backend cpu", 14.0 * 14,
                 100 / (1.7 * 1.7), 0);
    check_energy("equation poisson2d solver jacobi n 40 ny 31 precision f32 backend cpu", 41 * 41,
                 32 * 32, 0);
    check_energy("equation poisson1d solver jacobi n 21 copies 3 backend cpu", 1, 0, 0);
    check_energy("equation plane solver jacobi n 19 ny 12 diagonal 4.02 backend cpu", 1, 1, 0.02);
}

/* Conjugate gradients have the least error of their space in this norm: it falls in each. */
RUN_TEST(distance, it_falls_in_each_iteration_of_cg,
         "equation poisson2d solver cg n 31 ny 17 backend cpu")
{
    double before = HUGE_VAL, now;
    run->reference = ss_reference_start(run, false, (char[200]){0}, 200, NULL);
    for (int i = 0; i < 30; i++, before = now) {
        CHECK_INT(ss_error_of(run, SS_ERROR_ENERGY, &now, NULL), SS_OK);
        CHECK_MSG(now < before, "%g after %g", now, before);
        step_run(run, 1);
    }
}

/* --- refusals --------------------------------------------------------------------------------- */

static void check_refused(const char *settings, const char *why)
{
    char text[256], *rest = text;
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    snprintf(text, sizeof text, "%s", settings);
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;)
        CHECK_INT(ss_config_set(&cfg, name, strtok_r(rest, " ", &rest), &err), SS_OK);
    CHECK_INT(ss_config_check(&cfg, NULL, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, why), "%s: %s", settings, err.text);
}

TEST(distance, goals_that_are_not_defined_are_refused)
{
    check_refused("equation plane solver jacobi n 15 diagonal 3.5 until-error 0.1 error-norm "
                  "energy backend cpu",
                  "not positive definite");
    check_refused("equation advdiff2d solver jacobi n 15 until-error 0.1 error-norm energy backend "
                  "cpu",
                  "not symmetric");
    check_refused("equation poisson3d solver jacobi patch 8 until-error 0.1 error-norm energy "
                  "backend cpu",
                  "1D and 2D");
    check_refused("equation poisson2d solver jacobi n 15 until-error 0.1 until-accuracy 0.1 "
                  "backend cpu",
                  "give one of them");
    ss_run *run = open_run("equation advdiff2d solver sor n 15 until-error 0.1 backend cpu");
    solve_run(run);
    CHECK(run->met);
    ss_run_close(run);
}

/* In 3D f is 0 unless it is asked for, and so is u*. */
TEST(distance, no_error_is_relative_to_nothing)
{
    ss_err err = {0};
    ss_run *run = open_run("equation poisson3d solver jacobi patch 8 until-error 0.1 backend cpu");
    while (run->status == SS_RUNNING && ss_run_step(run, 10, &err) == SS_OK) {
    }
    CHECK_INT(run->status, SS_FAILED);
    CHECK_MSG(strstr(err.text, "u*, the exact solution, is 0"), "%s", err.text);
    ss_run_close(run);
    run = open_solved(
        "equation poisson3d solver multigrid patch 16 problem source until-error 0.1 backend cpu");
    CHECK(run->met);
    ss_run_close(run);
}
