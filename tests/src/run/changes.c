/* Live changes of a run, and its message when it diverges. */
#include "src/core/run.h"
#include "src/run/parts.h"
#include "tests/fields.h"

static const char *steep(const ss_problem *p)
{
    return p->dx > 0 ? "for points are too few for this wind" : NULL;
}

/* The equation explains the divergence if the solver does not. */
RUN_TEST(changes, a_steady_equation_names_the_cause_of_divergence,
         "equation poisson2d solver jacobi n 8")
{
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
}

/* The right-hand side is stored divided by the diagonal. */
RUN_TEST(changes, a_live_change_of_the_diagonal_is_refused, "equation poisson2d solver jacobi n 8")
{
    ss_coef before = run->coef;
    ss_err err = {0};
    CHECK(ss_run_same_diagonal(run, &before, &err) == SS_OK);
    before.residual *= 2;
    CHECK(ss_run_same_diagonal(run, &before, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "diagonal of poisson2d"), "%s", err.text);
}

/* Derived values after a change of a schedule parameter equal those of a run with that value from
 * the start. */
RUN_TEST(changes, a_computed_default_follows_what_it_depends_on, "equation ks1d n 64")
{
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
    p = ss_config_problem(&tiny);
    CHECK_MSG(run->eq->check(&tiny, &p, NULL) == SS_OK, "dt %g is not stable", p.dt);
    change_run(run, "length", "50");
    CHECK(run->problem.dt < dt);
    CHECK_NEAR(ss_config_real(&run->cfg, "dt"), run->problem.dt, 0);
}

/* --- exact cycles ----------------------------------------------------------------------------- */

#define TILES "equation poisson2d solver shared n 61 ny 40 block 16 k 4 problem random seed 3 "

static void check_exact(ss_run *run, int64_t since, bool as_jacobi)
{
    ss_run *classic = open_run("equation poisson2d solver jacobi n 61 ny 40 problem random seed 3");
    step_run(classic, run->iteration);
    CHECK_INT(run->exact_since, since);
    double *u = get_field(run, FIELD), *v = get_field(classic, FIELD);
    CHECK((memcmp(u, v, 61 * 40 * sizeof *u) == 0) == as_jacobi);
    free(u);
    free(v);
    ss_run_close(classic);
}

/* What is said of a run holds for all of its cycles: those before a change of the overlap stay
 * stale, and so does the field. */
TEST(changes, a_run_is_exact_only_if_all_its_cycles_were)
{
    ss_run *run = open_run(TILES "overlap 6");
    step_run(run, 3);
    check_exact(run, 0, true);
    change_run(run, "overlap", "8");
    step_run(run, 2);
    check_exact(run, 0, true);
    change_run(run, "overlap", "0");
    CHECK(!ss_run_exact(run));
    step_run(run, 4);
    check_exact(run, 9, false);
    change_run(run, "overlap", "6");
    step_run(run, 5);
    CHECK(ss_run_exact(run));
    check_exact(run, 9, false);
    ss_err err = {0};
    CHECK_INT(ss_run_reset(run, &err), SS_OK);
    step_run(run, 2);
    check_exact(run, 0, true);
    ss_run_close(run);
}

/* Classic Jacobi may take over, but not another iteration. */
TEST(changes, another_iteration_is_not_that_of_the_whole_run)
{
    static const struct {
        const char *name, *value;
        int64_t since;
    } then[] = {{"solver", "jacobi", 0}, {"solver", "sor", 7}, {"solver", "async", 7}};
    for (int i = 0; i < 3; i++) {
        ss_run *run = open_run(TILES "overlap 6");
        step_run(run, 3);
        change_run(run, then[i].name, then[i].value);
        step_run(run, 4);
        change_run(run, "solver", "jacobi");
        CHECK_INT(run->exact_since, then[i].since);
        ss_run_close(run);
    }
    ss_run *run = open_run("equation poisson2d solver jacobi n 20");
    step_run(run, 3);
    change_run(run, "damping", "0.8");
    step_run(run, 2);
    CHECK_INT(run->exact_since, 3);
    ss_run_close(run);
}
