/* The error over time: it is that of the differential equation's solution, converges with the grid,
 * costs few measurements, and is unknown where the solution is. */
#include <math.h>

#include "tests/fields.h"

static double error_at_end(const char *settings)
{
    ss_run *run = open_run(settings);
    ss_err err = {0};
    while (run->status ==
           SS_RUNNING) /* the steps after whole cycles of swept are a call of their own */
        CHECK_MSG(ss_run_step(run, 1 << 20, &err) == SS_OK, "%s", err.text);
    CHECK_INT(ss_run_watch(run, &err), SS_OK);
    double error = run->history.point[run->history.count - 1].error;
    ss_run_close(run);
    return error;
}

/* Second order in dx, where dt falls with its square. */
TEST(error, heat_converges_to_the_solution_of_the_equation)
{
    double coarse = error_at_end("equation heat1d solver stepper n 32 until-time 0.01");
    double fine = error_at_end("equation heat1d solver stepper n 64 until-time 0.01");
    CHECK_MSG(coarse > 1e-6 && coarse / fine > 3.5 && coarse / fine < 4.5, "%g %g", coarse, fine);
    double swept = error_at_end("equation heat1d solver swept n 64 until-time 0.01");
    CHECK_NEAR(swept, fine, 0); /* the same bits after the same steps */
}

TEST(error, sods_tube_converges_at_first_order)
{
    double coarse = error_at_end("equation euler1d solver stepper n 128 until-time 0.2");
    double fine = error_at_end("equation euler1d solver stepper n 512 until-time 0.2");
    CHECK_MSG(coarse / fine > 2.5 && coarse / fine < 5, "%g %g", coarse, fine);
}

/* Every step at first, then one in 256 parts of the steps so far. */
RUN_TEST(error, measurements_become_rare, "equation heat1d solver stepper n 33")
{
    int many = 0, first = 0;
    double last = -1;
    for (int i = 0; i < 20000; i++) {
        step_run(run, 1);
        many += run->watch.error_time > last;
        last = run->watch.error_time;
        first = i == 255 ? many : first;
        CHECK(run->time - last <= run->time / 256 + 1e-12);
    }
    CHECK_INT(first, 256);
    CHECK_MSG(many < 1500, "%d", many);
    CHECK(run->history.point[0].error == 0);
}

TEST(error, nothing_is_measured_where_the_solution_is_unknown)
{
    ss_run *run = open_run("equation heat1d solver stepper n 33 problem step");
    step_run(run, 5);
    CHECK(isnan(run->watch.error) && ss_run_no_error(run));
    ss_run_close(run);
    run = open_run("equation ks1d solver stepper");
    CHECK(ss_run_no_error(run) != NULL);
    ss_run_close(run);
    run = open_run("equation heat1d solver stepper n 33");
    CHECK(!ss_run_no_error(run));
    change_run(run, "fo", "0.1"); /* another dt is no obstacle, unlike for the scheme's solution */
    step_run(run, 5);
    change_run(run, "fo", "0.2");
    step_run(run, 5);
    CHECK(ss_run_no_solution(run) && !ss_run_no_error(run) && run->watch.error > 0);
    run->painted = true;
    CHECK_STR(ss_run_no_error(run), "the exact solution does not include what was painted");
    ss_run_close(run);
}
