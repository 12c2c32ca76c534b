/* The heat equation against its exact solutions, of the scheme and of the equation
 * itself. */
#include "tests/fields.h"

static const double pi = 3.14159265358979323846;

/* --- exact for the scheme: a mode keeps its shape and decays by a known factor ---------------- */

static void check_mode(const char *settings, int cycles, int m, double amplitude, double tolerance)
{
    char text[256];
    snprintf(text, sizeof text, "equation heat1d %s problem mode mode %d", settings, m);
    ss_run *run = open_run(text);
    step_run(run, cycles);
    CHECK_INT(run->step, 1000);
    double *u = get_fields(run, FIELD);
    for (int i = 0; i < run->problem.nx; i++)
        CHECK_NEAR(u[i], amplitude * cos(pi * m * i / (run->problem.nx - 1.0)), tolerance);
    free(u);
    ss_run_close(run);
}

TEST(heat1d, amplitudes_after_a_thousand_steps)
{
    check_mode("solver stepper n 1024 fo 0.25", 1000, 1, 0.9976450765752834, 1e-13);
    check_mode("solver stepper n 1024 fo 0.25", 1000, 16, 0.546822051262919, 1e-13);
    check_mode("solver swept n 1024 fo 0.25 block 8", 125, 1, 0.9976450765752834, 1e-13);
    check_mode("solver swept n 1024 fo 0.25 block 8", 125, 16, 0.546822051262919, 1e-13);
    check_mode("solver stepper n 1024 fo 0.25 precision f32", 1000, 16, 0.546822051262919, 2e-5);
}

TEST(heat1d, every_problem_of_modes_has_a_solution)
{
    static const char *const problems[] = {"modes", "mode mode 7", "mode mode 0", "mode mode 63"};
    for (int k = 0; k < 4; k++) {
        char text[128];
        double row[64];
        snprintf(text, sizeof text, "equation heat1d solver swept n 64 block 16 fo 0.4 problem %s",
                 problems[k]);
        ss_run *run = open_run(text);
        step_run(run, 9);
        CHECK(run->eq->solution(&run->problem, run->step, run->time, 0, row));
        double *u = get_fields(run, FIELD);
        for (int i = 0; i < 64; i++)
            CHECK_NEAR(u[i], row[i], 1e-13);
        free(u);
        ss_run_close(run);
    }
}

RUN_TEST(heat1d, problems_without_a_known_solution_report_none,
         "equation heat1d n 64 problem random")
{
    double row[64];
    CHECK(!run->eq->solution(&run->problem, 0, 0, 0, row));
}

/* It is valid for steps of one dt, until a reset. */
RUN_TEST(heat1d, no_solution_after_steps_of_another_dt, "equation heat1d n 64 solver stepper")
{
    change_run(run, "fo", "0.3"); /* no step was done yet */
    step_run(run, 10);
    CHECK_STR(ss_run_no_solution(run), NULL);
    change_run(run, "fo", "0.1");
    CHECK(!ss_run_solution(run, 0, NULL));
    CHECK_MSG(strstr(ss_run_no_solution(run), "dt was changed"), "%s", ss_run_no_solution(run));
    change_run(run, "fo", "0.3"); /* nor was one now */
    CHECK(ss_run_solution(run, 0, NULL));
    change_run(run, "fo", "0.1");
    step_run(run, 1);
    change_run(run, "fo", "0.3");
    CHECK(!ss_run_solution(run, 0, NULL));
    CHECK_INT(ss_run_reset(run, NULL), SS_OK);
    CHECK(ss_run_solution(run, 0, NULL));
}

/* The trapezoidal sum is conserved, for any field. */
TEST(heat1d, insulated_ends_conserve_heat)
{
    static const char *const problems[] = {"modes", "step", "spike", "random"};
    for (int k = 0; k < 4; k++) {
        char text[128];
        snprintf(text, sizeof text, "equation heat1d solver swept n 1000 block 40 problem %s",
                 problems[k]);
        ss_run *run = open_run(text);
        double before = run->watch.now[0];
        step_run(run, 100);
        CHECK_INT(ss_run_watch(run, NULL), SS_OK);
        CHECK_NEAR(run->watch.first[0], before, 0);
        CHECK_NEAR(run->watch.now[0], before, 1e-13 * fabs(before) + 1e-16);
        ss_run_close(run);
    }
}

/* --- exact for the equation: cos(pi x) exp(-pi^2 t) ------------------------------------------- */

/* Largest error on `cells` + 1 points after cells^2/4 steps, at t = fo/4. */
static double error_at(int cells, double fo)
{
    char text[160];
    snprintf(text, sizeof text, "equation heat1d solver stepper n %d problem mode mode 1 fo %.17g",
             cells + 1, fo);
    ss_run *run = open_run(text);
    step_run(run, cells * cells / 4);
    double *u = get_fields(run, FIELD), most = 0;
    for (int i = 0; i <= cells; i++)
        most = fmax(most, fabs(u[i] - cos(pi * i / cells) * exp(-pi * pi * fo / 4)));
    free(u);
    ss_run_close(run);
    return most;
}

static void check_order(double fo, double order)
{
    double coarse = error_at(16, fo);
    for (int cells = 32; cells <= 128; cells *= 2) {
        double fine = error_at(cells, fo);
        CHECK_NEAR(log2(coarse / fine), order, 0.02);
        coarse = fine;
    }
}

TEST(heat1d, second_order_in_space)
{
    check_order(0.25, 2);
    check_order(0.5, 2);
}

/* Errors of time and space cancel at Fo = 1/6. */
TEST(heat1d, fourth_order_where_errors_cancel)
{
    check_order(1.0 / 6, 4);
}

/* --- time ------------------------------------------------------------------------------------- */

/* The sum of that many dt has a larger error than the number of steps may have. */
TEST(heat1d, every_solver_takes_the_same_steps_to_a_time)
{
    static const char *const solvers[] = {"stepper", "swept block 20", "swept block 40"};
    const double end = CHECK_SANITIZED ? 0.25 : 2;
    for (int k = 0; k < 3; k++) {
        char text[128];
        snprintf(text, sizeof text, "equation heat1d n 200 solver %s until-time %g", solvers[k],
                 end);
        ss_run *run = open_run(text);
        while (run->status == SS_RUNNING)
            CHECK_INT(ss_run_step(run, 100000, NULL), SS_OK);
        CHECK_INT(run->status, SS_LIMIT);
        CHECK_INT(run->step, (long long)(4 * 199 * 199 * end));
        CHECK_NEAR(run->time, (double)run->step * run->problem.dt, 0);
        ss_run_close(run);
    }
}

/* 30 steps of Fo 1/4, then of 1/8; a change that is undone between two steps has no effect. */
RUN_TEST(heat1d, time_continues_after_a_change_of_dt,
         "equation heat1d n 65 solver stepper until-time 0.01")
{
    double dx2 = run->problem.dx * run->problem.dx;
    step_run(run, 30);
    change_run(run, "fo", "0.125");
    CHECK_NEAR(run->time, 30 * 0.25 * dx2, 0);
    change_run(run, "fo", "0.25");
    change_run(run, "fo", "0.125");
    step_run(run, 9);
    CHECK_NEAR(run->time, (30 * 0.25 + 9 * 0.125) * dx2, 1e-17);
    CHECK_INT(ss_run_step(run, 100000, NULL), SS_OK);
    CHECK_INT(run->status, SS_LIMIT);
    CHECK_INT(run->step, 30 + 268); /* 0.01 is 40.96 times dx^2 */
    CHECK_INT(ss_run_reset(run, NULL), SS_OK);
    CHECK_NEAR(run->time, 0, 0);
    step_run(run, 7);
    CHECK_NEAR(run->time, 7 * 0.125 * dx2, 0);
}

/* --- stability -------------------------------------------------------------------------------- */

RUN_TEST(heat1d, the_scheme_is_stable_up_to_one_half,
         "equation heat1d solver swept n 256 block 32 fo 0.5 problem random")
{
    double before = run->watch.largest;
    step_run(run, 200);
    CHECK_INT(run->status, SS_RUNNING);
    double *u = get_fields(run, FIELD);
    for (int i = 0; i < 256; i++)
        CHECK(u[i] >= 0 && u[i] <= before);
    free(u);
}

TEST(heat1d, beyond_one_half_it_diverges_with_the_cause)
{
    static const char *const solvers[] = {"stepper", "swept"};
    for (int k = 0; k < 2; k++) {
        char text[160];
        snprintf(text, sizeof text,
                 "equation heat1d solver %s n 256 allow-unstable on fo 0.55 problem random",
                 solvers[k]);
        ss_run *run = open_run(text);
        CHECK_INT(ss_run_step(run, 10000, NULL), SS_OK);
        for (int c = 0; c < 1000 && run->status == SS_RUNNING; c++)
            CHECK_INT(ss_run_step(run, 1, NULL), SS_OK);
        CHECK_INT(run->status, SS_DIVERGED);
        CHECK_MSG(strstr(run->message, "because fo 0.55 is unstable") != NULL, "%s", run->message);
        CHECK_MSG(strstr(run->message, "0.5") != NULL, "%s", run->message);
        ss_run_close(run);
    }
}
