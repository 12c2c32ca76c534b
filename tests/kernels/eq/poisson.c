/* Poisson's equation in 1D and 2D: the values that solvers use. */
#include "tests/fields.h"

/* The factor of two Jacobi iterations, once all faster modes have decayed. */
static double two_iterations(ss_run *run)
{
    ss_err err;
    step_run(run, 800);
    CHECK(ss_run_settle(run, &err) == SS_OK);
    double before = run->residual;
    step_run(run, 2);
    CHECK(ss_run_settle(run, &err) == SS_OK);
    return run->residual / before;
}

TEST(poisson, spectral_radius_is_the_factor_of_jacobi)
{
    static const char *const problems[] = {
        "equation poisson2d solver jacobi backend cpu n 23 ny 14 aspect 0.7 problem random",
        "equation poisson1d solver jacobi backend cpu n 29 copies 2 problem random"};
    for (int i = 0; i < 2; i++) {
        ss_run *run = open_run(problems[i]);
        double rho = ss_config_spectral_radius(&run->cfg);
        CHECK(rho > 0.9 && rho < 1);
        run->tol = 0;
        CHECK_NEAR(two_iterations(run), rho * rho, 1e-6);
        ss_run_close(run);
    }
    ss_run *run = open_run("equation heat1d");
    CHECK(isnan(ss_config_spectral_radius(&run->cfg)));
    ss_run_close(run);
}
