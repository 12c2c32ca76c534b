/* Live changes of a run, and its message when it diverges. */
#include "src/core/run_step.h"
#include "src/run/parts.h"
#include "tests/fields.h"

static const char *steep(const ss_problem *p)
{
    return p->dx > 0 ? "for points are too few for this wind" : NULL;
}

/* The equation explains the divergence if the solver does not. */
TEST(changes, a_steady_equation_names_the_cause_of_divergence)
{
    ss_run *run = open_run("equation poisson2d solver jacobi n 8");
    ss_equation eq = *run->eq;
    const ss_equation *own = run->eq;
    eq.suspect = steep;
    run->eq = &eq;
    CHECK(ss_run_norm(run, 1));
    run->cycle = 1;
    CHECK(!ss_run_norm(run, 1e9));
    CHECK_INT(run->status, SS_DIVERGED);
    CHECK_MSG(strstr(run->message, "too few for this wind"), "%s", run->message);
    run->eq = own;
    ss_run_close(run);
}

/* The right-hand side is stored divided by the diagonal. */
TEST(changes, a_live_change_of_the_diagonal_is_refused)
{
    ss_run *run = open_run("equation poisson2d solver jacobi n 8");
    ss_coef before = run->coef;
    ss_err err = {0};
    CHECK(ss_run_same_diagonal(run, &before, &err) == SS_OK);
    before.residual *= 2;
    CHECK(ss_run_same_diagonal(run, &before, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "diagonal of poisson2d"), "%s", err.text);
    ss_run_close(run);
}

/* Derived values after a change of a schedule parameter equal those of a run with that value from
 * the start. */
TEST(changes, a_computed_default_follows_what_it_depends_on)
{
    ss_run *run = open_run("equation ks1d n 64");
    const ss_param *row = ss_param_find(&run->cfg, "dt", NULL);
    double dt = run->problem.dt, lo, hi;
    char text[40];
    CHECK_NEAR(ss_config_value(&run->cfg, row).d, dt, 0);
    CHECK(!ss_config_given(&run->cfg, "dt"));
    ss_config_range(&run->cfg, row, &lo, &hi, NULL);
    double at = ss_param_fraction(row, ss_config_value(&run->cfg, row), lo, hi);
    CHECK_MSG(at > 0.9 && at < 1, "%g", at);
    ss_value up = ss_param_stepped(row, ss_config_value(&run->cfg, row), 1, lo, hi);
    ss_value down = ss_param_stepped(row, ss_config_value(&run->cfg, row), -1, lo, hi);
    CHECK_MSG(up.d > dt && up.d < 1.3 * dt, "%g after %g", up.d, dt);
    CHECK_MSG(down.d < dt && down.d > 0.7 * dt, "%g after %g", down.d, dt);
    ss_param_format(row, ss_config_value(&run->cfg, row), text, sizeof text);
    CHECK_MSG(strlen(text) <= 9, "%s", text);
    ss_config tiny = run->cfg;
    CHECK(ss_config_set(&tiny, "length", "1e-3", NULL) == SS_OK);
    CHECK(ss_config_set(&tiny, "n", "200000000", NULL) == SS_OK);
    ss_problem p; /* a default is never beyond the stability limit, however small */
    ss_config_problem(&tiny, &p);
    CHECK_MSG(run->eq->check(&tiny, &p, NULL) == SS_OK, "dt %g is not stable", p.dt);
    change_run(run, "length", "50");
    CHECK(run->problem.dt < dt);
    CHECK_NEAR(ss_config_real(&run->cfg, "dt"), run->problem.dt, 0);
    ss_run_close(run);
}
