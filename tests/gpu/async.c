/* Asynchronous Jacobi on the GPU, with real races: it converges to the same solution, and its
 * effective iterations are in the range that an independent program found. Skipped without a GPU.
 */
#include "tests/gpu/gpu.h"

static ss_run *open_tol0(const char *settings)
{
    ss_run *run = open_run(settings);
    run->tol = 0;
    return run;
}

/* The residual at convergence is that of the final field. */
TEST(gpu_async, converges_to_the_solution)
{
    static const char *const problems[] = {"equation poisson2d n 31 ny 23 problem random",
                                           "equation poisson1d n 40 copies 3 problem random",
                                           "equation poisson2d n 40 ny 70 problem random",
                                           "equation poisson2d n 70 ny 40 problem random",
                                           "equation poisson2d n 64 ny 64 problem random"};
    /* Variant 3 has the last three in registers. */
    static const char *const tiles[] = {"block 10", "block 10", "block 32", "block 64 block-y 32",
                                        "block 64"};
    char text[256];
    need_gpu();
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        snprintf(text, sizeof text, "%s solver jacobi backend cpu", problems[p]);
        ss_run *jacobi = open_tol0(text);
        step_run(jacobi, 60000);
        double *want = get_field(jacobi, FIELD), error, residual;
        for (int variant = 0; variant < 4; variant++) {
            snprintf(text, sizeof text, "%s solver async backend cuda variant %d alpha 4 %s",
                     problems[p], variant, tiles[p]);
            ss_run *run = open_tol0(text);
            run->tol = 1e-3;
            run->stop_at_tol = true;
            CHECK_INT(ss_run_step(run, 100000, NULL), SS_OK);
            CHECK_INT(run->status, SS_CONVERGED);
            CHECK_INT(run->backend->reduce(run, &residual, NULL, NULL, NULL), SS_OK);
            CHECK_NEAR(run->residual / residual, 1, 1e-12);
            CHECK(run->residual <= 1e-3 * run->residual0);
            run->tol = 0;
            run->status = SS_RUNNING;
            step_run(run, 12000);
            CHECK_INT(run->backend->reduce(run, NULL, want, &error, NULL), SS_OK);
            CHECK_MSG(error < 1e-11, "%s: %g", text, error);
            ss_run_close(run);
        }
        free(want);
        ss_run_close(jacobi);
    }
}

/* T_eff / T for the accuracy of T = 1000 Jacobi iterations on the spike problem, tile 8 x 64:
 * between all tiles in step and one after the other, with a margin, since the order of a real race
 * is not controlled. */
TEST(gpu_async, iterations_are_worth_what_they_should)
{
    static const int alphas[] = {2, 4, 6, 8, 16};
    static const double lo[4][5] = {{1.000, 1.000, 1.000, 1.000, 1.000},
                                    {1.000, 1.000, 1.000, 1.000, 1.000},
                                    {1.115, 1.243, 1.380, 1.523, 2.129},
                                    {.643, .600, .583, .574, .560}};
    static const double hi[4][5] = {{1.009, 1.086, 1.086, 1.381, 1.381},
                                    {1.009, 1.086, 1.086, 1.381, 1.381},
                                    {1.115, 1.243, 1.380, 1.523, 2.129},
                                    {.976, 1.003, 1.045, 1.095, 1.337}};
    need_gpu();
    for (int variant = 0; variant < 4; variant++)
        for (int a = 0; a < 5; a++) {
            char text[256];
            ss_err err = {0};
            snprintf(text, sizeof text,
                     "equation poisson2d solver async n 256 problem spike backend cuda block 64 "
                     "block-y 8 until-accuracy 0.1285174 variant %d alpha %d",
                     variant, alphas[a]);
            ss_run *run = open_run(text);
            while (run->status == SS_RUNNING)
                CHECK_MSG(ss_run_step(run, 1000, &err) == SS_OK, "%s", err.text);
            double got = ss_run_teff(run) / 1000;
            CHECK_MSG(got >= lo[variant][a] - 0.02 && got <= hi[variant][a] + 0.02,
                      "%s: T_eff/T = %g is not in [%g, %g]", text, got, lo[variant][a],
                      hi[variant][a]);
            ss_run_close(run);
        }
}

/* Half-way through a launch every tile has done between none and all of its sweeps. */
TEST(gpu_async, ages)
{
    need_gpu();
    ss_run *run = open_tol0("equation poisson2d solver async n 500 ny 300 backend cuda alpha 9");
    ss_view view = view_of(SS_AGE);
    ss_picture picture = new_picture(50, 30);
    take(run, &view, &picture);
    CHECK(picture.lo == 0 && picture.hi == 0);
    step_run(run, 40);
    take(run, &view, &picture);
    CHECK(picture.lo >= 0 && picture.hi <= 10);
    CHECK_INT(ss_run_tick(run, NULL), SS_OK);
    take(run, &view, &picture);
    CHECK(picture.lo >= 0 && picture.hi <= 10);
    free_picture(&picture);
    ss_run_close(run);
}
