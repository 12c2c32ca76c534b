/* Copies of a line, norms, and every registered combination on several threads. The identities
 * between the solvers are rows of tests/equal. */
#include "kernels/cpu/state.h"
#include "tests/fields.h"

static ss_run *open_join(const char *problem, const char *method)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s", problem, method);
    ss_run *run = open_run(text);
    run->tol = 0;
    return run;
}

TEST(equivalence, copies_are_independent)
{
    ss_run *one =
        open_join("equation poisson1d n 333 problem paper ", "solver shared k 6 overlap 4");
    ss_run *three = open_join("equation poisson1d n 333 problem paper copies 3 ",
                              "solver shared k 6 overlap 4");
    step_run(one, 20);
    step_run(three, 20);
    double *u = get_field(one, FIELD), *v = get_field(three, FIELD);
    for (int copy = 0; copy < 3; copy++)
        CHECK(memcmp(u, v + (size_t)copy * 333, 333 * sizeof *u) == 0);
    free(u);
    free(v);
    ss_run_close(one);
    ss_run_close(three);
}

/* The norm that is part of a sweep is that of the whole field. */
TEST(equivalence, norms_agree_with_the_field)
{
    ss_run *run = open_join("equation poisson2d n 203 ny 131 problem random seed 7 aspect 1.5 ",
                            "solver jacobi");
    double reduced;
    step_run(run, 12);
    CHECK_INT(run->backend->reduce(run, &reduced, NULL, NULL, NULL), SS_OK);
    step_run(run, 1);
    CHECK_INT(run->residual_cycle, 12);
    CHECK_NEAR(reduced / run->residual, 1, 1e-12);
    ss_run_close(run);
}

/* --- every registered combination ------------------------------------------------------------- */

/* A problem with work for several threads; settings that do not apply are omitted. */
static ss_run *open_large(const ss_equation *eq, const ss_solver *solver, const char *threads)
{
    const char *const n = eq->dim == 1 ? "262144" : CHECK_SANITIZED ? "263" : "523";
    const char *const rows[][2] = {
        {"equation", eq->name}, {"solver", solver->name}, {"backend", "cpu"},
        {"threads", threads},   {"patch", "48"},          {"n", n},
        {"ny", "389"},          {"problem", "random"},    {"seed", "5"}};
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ss_config_set(&cfg, rows[i][0], rows[i][1], &err) != SS_OK)
            CHECK_MSG(i > 3, "%s", err.text);
    if (ss_config_check(&cfg, NULL, &err) != SS_OK) { /* sizes that can be halved */
        CHECK(ss_config_set(&cfg, "n", eq->dim == 1 ? "262143" : "511", &err) == SS_OK);
        CHECK(eq->dim == 1 || ss_config_set(&cfg, "ny", "255", &err) == SS_OK);
    }
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    run->tol = 0;
    return run;
}

static bool same_rows(ss_run *a, ss_run *b)
{
    const ss_problem *p = &a->problem;
    size_t n = (size_t)p->nx * (size_t)p->ny;
    double *u = malloc(2 * n * sizeof *u);
    ss_err err;
    bool same = u != NULL;
    for (int k = 0; k < p->nz && same; k++)
        for (int f = 0; f < p->nfield && same; f++) {
            CHECK(a->backend->download(a, FIELD, f, k, 0, p->ny, u, &err) == SS_OK);
            CHECK(b->backend->download(b, FIELD, f, k, 0, p->ny, u + n, &err) == SS_OK);
            same = memcmp(u, u + n, n * sizeof *u) == 0;
        }
    free(u);
    return same;
}

/* Fields and norms are those of one thread; the table of combinations is the list. */
SLOW_TEST(equivalence, no_combination_depends_on_threads)
{
    int seen = 0;
    ss_tables_init();
    for (int e = 0; ss_equations[e]; e++)
        for (int s = 0; ss_solvers[s]; s++) {
            if (!ss_matrix(ss_equations[e], ss_solvers[s], &ss_backend_cpu, NULL))
                continue;
            ss_run *one = open_large(ss_equations[e], ss_solvers[s], "1");
            ss_run *three = open_large(ss_equations[e], ss_solvers[s], "3");
            step_run(one, 2);
            step_run(three, 2);
            CHECK_MSG(same_rows(one, three), "%s %s", one->eq->name, one->solver->name);
            CHECK_NEAR(one->residual, three->residual, 0);
            ss_run_close(one);
            ss_run_close(three);
            seen++;
        }
    CHECK_MSG(seen > 10, "%d combinations", seen);
}
