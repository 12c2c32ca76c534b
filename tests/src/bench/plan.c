/* Every line of the plan and of the papers' data is read, for every backend, and the papers'
 * figures are in their places. */
#include <string.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/json_out.h"
#include "src/bench/kit.h"
#include "tests/fields.h"

static ss_settings parsed(const char *text)
{
    ss_settings s;
    ss_err err = {0};
    CHECK_MSG(ss_settings_parse(text, text + strlen(text), &s, &err) == SS_OK, "%s", err.text);
    return s;
}

TEST(bench, lists_of_settings_are_enumerated)
{
    static const char *const all[] = {"shared k=4 overlap=0", "shared k=4 overlap=2",
                                      "shared k=8 overlap=0", "shared k=8 overlap=2"};
    ss_settings lists = parsed("solver=shared  k=4,8 ~overlap=0,2"), one;
    char label[96];
    CHECK_INT(lists.n, 3);
    CHECK(lists.at[2].optional && !lists.at[1].optional);
    for (int i = 0; i < 4; i++) {
        CHECK(ss_settings_pick(&lists, i, &one));
        ss_settings_label(&one, label, sizeof label);
        CHECK_STR(label, all[i]);
    }
    CHECK(!ss_settings_pick(&lists, 4, &one));
    CHECK_STR(ss_settings_value(&lists, "k"), "4,8");
    CHECK_STR(ss_settings_value(&lists, "n"), NULL);
}

TEST(bench, malformed_settings_are_refused)
{
    static const char *const bad[] = {"k", "solver=shared k",
                                      "a-name-of-more-than-twenty-three-letters=1"};
    ss_settings s;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ss_err err = {0};
        CHECK(ss_settings_parse(bad[i], bad[i] + strlen(bad[i]), &s, &err) == SS_FAIL);
        CHECK(err.text[0]);
    }
}

TEST(bench, medians_of_even_and_odd_counts)
{
    const double v[] = {3, 1, 2, 10}, w[] = {1, 1, 4, 5};
    CHECK_NEAR(ss_bench_median(v, 3), 2, 0);
    CHECK_NEAR(ss_bench_median(v, 4), 2.5, 0);
    CHECK_NEAR(ss_bench_median(v, 0), 0, 0);
    CHECK_NEAR(ss_bench_median_ratio(v, w, 3), 1, 0); /* of 3, 1, 0.5 */
}

/* A bench on backend i of the registry, available or not. */
static ss_bench *bench_on(int i)
{
    ss_err err = {0};
    ss_tables_init();
    ss_bench *b = ss_alloc(sizeof *b, "bench", &err);
    CHECK_MSG(b, "%s", err.text);
    ss_config_default(&b->base);
    CHECK(ss_config_set(&b->base, "backend", ss_backends[i]->name, &err) == SS_OK);
    b->backend = ss_backends[i];
    b->rounds = 1;
    return b;
}

static ss_bench *bench_on_cpu(void)
{
    int i = 0;
    ss_tables_init();
    while (strcmp(ss_backends[i]->name, "cpu") != 0)
        i++;
    return bench_on(i);
}

/* Only a solver that this program does not have may be refused. */
static void check_case(const ss_bench_group *g, const ss_settings *set)
{
    ss_err err = {0};
    ss_config cfg = g->cfg;
    if (ss_settings_apply(set, &cfg, &err) != SS_OK)
        CHECK_MSG(strstr(err.text, "solver: "), "%s: %s", g->label, err.text);
    else if (strcmp(ss_config_backend(&cfg)->name, "cpu") == 0)
        CHECK_MSG(ss_bench_config(g, set, &cfg, &err) == SS_OK, "%s: %s", g->label, err.text);
}

TEST(bench, every_case_of_the_plan_is_valid)
{
    ss_tables_init();
    for (int i = 0; ss_backends[i]; i++) {
        ss_err err = {0};
        if (ss_backends[i]->asked_by) /* not measured: it has no meter */
            continue;
        ss_bench *b = bench_on(i);
        CHECK_MSG(ss_bench_plan(b, &err) == SS_OK, "%s", err.text);
        CHECK(b->nproblem > 1);
        for (int g = 0; g < b->nproblem; g++) {
            CHECK_MSG(b->groups[g].cases[0].role == SS_BENCH_CLASSIC, "%s", b->groups[g].label);
            for (int c = 0; c < b->groups[g].ncase; c++)
                check_case(&b->groups[g], &b->groups[g].cases[c].set);
        }
        free(b);
    }
}

static ss_bench *paper_on(int backend, const char *name)
{
    ss_err err = {0};
    ss_bench *b = bench_on(backend);
    CHECK_MSG(ss_paper_read(b, name, &err) == SS_OK, "%s", err.text);
    for (int r = 0; r < b->paper->nrow; r++)
        for (int i = 0; i < b->paper->rows[r].count; i++)
            for (int way = 0; way < b->nway; way++) {
                const ss_bench_group *g = ss_bench_group_of(b, b->paper->rows[r].problem, way);
                check_case(g, &g->cases[b->paper->rows[r].at[i]].set);
            }
    return b;
}

static void close_paper(ss_bench *b)
{
    free(b->paper);
    free(b);
}

static const ss_paper_row *row_of(const ss_bench *b, const char *source, const char *label)
{
    const ss_paper *p = b->paper;
    for (int i = 0; i < p->nrow; i++)
        if (strcmp(p->rows[i].source, source) == 0 && strcmp(p->rows[i].label, label) == 0)
            return &p->rows[i];
    CHECK_MSG(false, "no %s, %s", source, label);
    return NULL;
}

SLOW_TEST(bench, every_case_of_the_swept_paper_is_valid)
{
    SKIP_IF_SANITIZED();
    ss_tables_init();
    for (int i = 0; ss_backends[i]; i++) {
        ss_bench *b = paper_on(i, "swept");
        /* Figure 10 has the CPU beside another device. */
        int beside = strcmp(ss_backends[i]->name, "cpu") != 0;
        CHECK_INT(b->nproblem, (3 + beside) * 11);
        CHECK_INT(b->paper->nrow, (17 + 2 * beside) * 11);
        const ss_paper_row *row = row_of(b, "Classic", "stepper");
        CHECK_STR(row->theirs, "2.92");
        CHECK_STR(row[1].theirs, "");
        CHECK_STR(row[10].theirs, "4.95");
        CHECK_NEAR(b->paper->n[row[10].problem], 1048576, 0);
        row = row_of(b, "Register", "swept variant=warp block=32");
        CHECK_STR(row->theirs, "");
        CHECK_INT(row->count, 1);
        close_paper(b);
    }
}

TEST(bench, a_size_in_the_paper_is_compared_and_others_refused)
{
    ss_err err = {0};
    ss_bench *b = bench_on(0);
    CHECK_INT(ss_config_set(&b->base, "n", "1048576", NULL), SS_OK);
    CHECK_MSG(ss_paper_read(b, "swept", &err) == SS_OK, "%s", err.text);
    CHECK_INT(b->nproblem, strcmp(ss_backends[0]->name, "cpu") != 0 ? 4 : 3);
    CHECK_STR(row_of(b, "Classic", "stepper")->theirs, "4.95");
    free(b->paper);
    CHECK_INT(ss_config_set(&b->base, "n", "1000", NULL), SS_OK);
    CHECK(ss_paper_read(b, "swept", &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "no n = 1000"), "%s", err.text);
    close_paper(b);
}

SLOW_TEST(bench, every_case_of_the_hierarchical_paper_is_valid)
{
    SKIP_IF_SANITIZED();
    ss_tables_init();
    for (int i = 0; ss_backends[i]; i++) {
        ss_bench *b = paper_on(i, "hierarchical");
        CHECK_INT(b->nproblem, 2);
        CHECK_INT(b->paper->nrow, 5 + 6 + 6 + 1 + 6 + 6);
        const ss_paper_row *row = row_of(b, "table 2", "shared block=32 k=16");
        CHECK_STR(row->theirs, "8.00");
        CHECK_STR(row->further, "overlap=4");
        CHECK_INT(row->count, 16);
        /* The reference figures of the numerics. */
        CHECK_INT(ss_bench_group_of(b, row->problem, 0)->cases[row->at[2]].cycles, 8094);
        row = row_of(b, "table 3", "shared block=32 k=32 overlap=0");
        CHECK_STR(row->theirs, "2.96");
        CHECK_INT(ss_bench_group_of(b, row->problem, 0)->cases[row->at[0]].cycles, 16486);
        close_paper(b);
    }
}

TEST(bench, every_case_of_the_async_paper_is_valid)
{
    ss_tables_init();
    for (int i = 0; ss_backends[i]; i++) {
        ss_bench *b = paper_on(i, "wild");
        CHECK_INT(b->nway, 1);
        CHECK_INT(b->paper->nrow, 16 + 1 + 48 + 7);
        CHECK_STR(row_of(b, "figure 16", "async variant=2 alpha=6 block=64 block-y=8")->theirs,
                  "1.3");
        CHECK_STR(row_of(b, "figures 5, 6", "jacobi split=auto")->further, "11 %");
        CHECK_STR(row_of(b, "figure 15", "jacobi cycles=15")->theirs, "1.8 or 1");
        close_paper(b);
    }
}

/* On backends that have patches; the second way differs only in the inverses. */
SLOW_TEST(bench, every_case_of_the_smoother_paper_is_valid)
{
    ss_config cfg;
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK_INT(ss_config_set(&cfg, "equation", "poisson3d", NULL), SS_OK);
    for (int i = 0; ss_backends[i]; i++) {
        if (!ss_matrix(ss_config_equation(&cfg), ss_config_solver(&cfg), ss_backends[i], NULL))
            continue;
        ss_bench *b = paper_on(i, "smoother");
        CHECK_INT(b->nproblem, 5 + 6 + 3 + 3);
        CHECK_INT(b->nway, 2);
        int convergence = 0, blocks = 0;
        for (int r = 0; r < b->paper->nrow; r++) {
            convergence += b->paper->rows[r].kind == ss_paper_kind("convergence");
            blocks += strcmp(b->paper->rows[r].source, "figure 9") == 0;
        }
        CHECK_INT(convergence, 2 * 7);
        CHECK_INT(blocks, 7 + 1); /* and single points */
        const ss_paper_row *row = row_of(b, "figure 4", "block-jacobi bx=8 by=4 bz=4");
        CHECK_STR(b->paper->problems[row->problem], "1 x 64^3");
        CHECK_STR(row_of(b, "figure 5d", "block-gs bx=8")->theirs, "20");
        row = row_of(b, "figure 9", "block-gs bx=8");
        CHECK_STR(row->theirs, "1.51");
        CHECK_STR(row->further, "0.751");
        CHECK_INT(ss_config_int(&ss_bench_group_of(b, row->problem, 0)->cfg, "patch"), 64);
        close_paper(b);
    }
}

/* --- measuring -------------------------------------------------------------------------------- */

/* Here a prepared schedule shows by the time of its inverses. */
RUN_TEST(bench, a_schedule_is_prepared_once_for_all_intervals_of_checks,
         "equation poisson3d solver block-jacobi patch 8 bx 4 backend cpu")
{
    ss_config cfg = run->cfg;
    CHECK(!run->unseen);
    for (int i = 0; i < 6; i++) { /* without checks, with them, as in every round */
        run->seconds_inverses = -1;
        CHECK_INT(ss_bench_configure(run, &cfg, i % 2, NULL), SS_OK);
        CHECK_INT(run->check_every, i % 2);
        CHECK((run->seconds_inverses >= 0) == (i == 0)); /* once more, without pictures */
        CHECK(run->unseen);
    }
}

/* An equal config leaves the ledger as prepare has changed it. */
RUN_TEST(bench, an_equal_config_keeps_the_ledger,
         "equation poisson2d solver jacobi n 16 backend cpu")
{
    ss_config cfg = run->cfg;
    run->per_cycle.global_bytes = 12345;
    CHECK_INT(ss_bench_configure(run, &cfg, 0, NULL), SS_OK);
    CHECK_NEAR(run->per_cycle.global_bytes, 12345, 0);
}

/* Launches to the accuracy of 1000 iterations of Jacobi: its own are 1000, and tiles without an
 * exchange need more (numerics of the paper: T_eff/T = 1.380). */
TEST(bench, equal_accuracy_is_counted_in_launches)
{
    ss_err err = {0};
    ss_bench *b = bench_on_cpu();
    ss_bench_group *g = &b->groups[0];
    ss_bench_case *jacobi = &g->cases[0], *mute = &g->cases[1];
    *g = (ss_bench_group){.cfg = b->base, .equal = true, .solve = true};
    CHECK_INT(ss_config_set(&g->cfg, "n", "256", &err), SS_OK);
    CHECK_INT(ss_config_set(&g->cfg, "problem", "spike", &err), SS_OK);
    jacobi->set = parsed("solver=jacobi");
    mute->set = parsed("solver=async variant=2 alpha=6 block=64 block-y=8");
    g->ncase = 2;
    ss_run *run = ss_bench_open(g, &err);
    CHECK_MSG(run != NULL, "%s", err.text);
    ss_bench_at at = {.b = b, .g = g, .c = jacobi, .run = run};
    CHECK_MSG(ss_bench_reference(&at, &err) == SS_OK, "%s", err.text);
    CHECK(b->largest > 0 && b->target > 0);
    CHECK_INT(ss_bench_find_launches(&at, &err), SS_OK);
    CHECK_NEAR(jacobi->found[SS_BENCH_LAUNCHES], 1000, 0);
    at.c = mute;
    CHECK(ss_bench_take(&at));
    CHECK_INT(ss_bench_find_launches(&at, &err), SS_OK);
    CHECK_NEAR(mute->found[SS_BENCH_LAUNCHES] * mute->per_cycle / 1000, 1.380, 0.002);
    CHECK_NEAR(mute->found[SS_BENCH_TEFF], 1.380, 0.002);
    ss_run_close(run);
    free(b->fields);
    free(b);
}

/* Measures a case of one patch, by its kind; the second round has nothing more to measure of a
 * convergence. */
static void smooth_once(ss_bench *b, const char *kind, int patch, const char *settings,
                        ss_bench_case *out)
{
    ss_err err = {0};
    ss_bench_group *g = &b->groups[0];
    char text[20];
    snprintf(text, sizeof text, "%d", patch);
    b->nproblem = b->nway = 1;
    *g = (ss_bench_group){.cfg = b->base};
    CHECK_INT(ss_config_set(&g->cfg, "equation", "poisson3d", &err), SS_OK);
    CHECK_INT(ss_config_set(&g->cfg, "patch", text, &err), SS_OK);
    for (const char *row = "px\0py\0pz\0"; *row; row += strlen(row) + 1)
        CHECK_INT(ss_config_set(&g->cfg, row, "1", &err), SS_OK);
    ss_bench_case *c = &g->cases[g->ncase++];
    *c = (ss_bench_case){.kind = ss_paper_kind(kind), .set = parsed(settings)};
    ss_bench_at at = {.b = b, .g = g, .c = c, .run = ss_bench_open(g, &err)};
    CHECK_MSG(at.run != NULL, "%s", err.text);
    CHECK(ss_bench_take(&at));
    CHECK_MSG(c->kind->measure(&at, &err) == SS_OK, "%s", err.text);
    *out = *c;
    at.round = 1;
    CHECK(*c->skipped || ss_bench_take(&at));
    CHECK_INT(c->kind->measure(&at, &err), SS_OK);
    CHECK(memcmp(out->found + 3, c->found + 3, sizeof c->found - 3 * sizeof *c->found) == 0);
    *out = *c;
    ss_run_close(at.run);
}

/* Blocks of one point: damped Jacobi, whose factor is 1 - 0.8 (1 - cos(pi h)) with ghost cells of
 * 0. */
TEST(bench, the_factor_of_the_smoother_paper_is_that_of_theory)
{
    ss_bench *b = bench_on_cpu();
    ss_bench_case c;
    smooth_once(b, "convergence", 12, "solver=block-jacobi bx=1", &c);
    CHECK_NEAR(c.found[4], 1 - 0.8 * (1 - cos(M_PI / 13)), 1e-5);
    CHECK(c.cycles > 300 && c.cycles < 5000);
    smooth_once(b, "convergence", 8, "solver=block-gs bx=8",
                &c); /* one block: exact after a step */
    CHECK(c.found[3] < 1e-10 && c.found[4] == 0);
    close_paper(b);
}

/* The time on one thread stands beside that on all of them. */
TEST(bench, threads_of_the_smoother_paper_are_compared_with_one)
{
    ss_bench *b = bench_on_cpu();
    ss_bench_case c;
    CHECK_INT(ss_config_set(&b->base, "threads", "3", NULL), SS_OK);
    smooth_once(b, "scaling", 8, "solver=block-gs bx=4", &c);
    CHECK_STR(c.skipped, "");
    CHECK(c.found[5] > 0 && c.solve[0] > 0 && c.solve[1] > 0);
    CHECK_NEAR(c.found[9], 3, 0);
    CHECK_INT(ss_config_set(&b->base, "threads", "1", NULL), SS_OK);
    smooth_once(b, "scaling", 8, "solver=block-gs bx=4", &c);
    CHECK(strstr(c.skipped, "two threads") != NULL);
    close_paper(b);
}

/* Shares of 4 threads: 1, which is not measured again, 2, 3; of 3 only three quarters are two. */
TEST(bench, some_of_the_threads_are_compared_with_one)
{
    ss_bench *b = bench_on_cpu();
    ss_bench_case c;
    CHECK_INT(ss_config_set(&b->base, "threads", "4", NULL), SS_OK);
    smooth_once(b, "scaling", 8, "solver=block-gs bx=4", &c);
    CHECK(c.found[6] == 0 && c.found[7] > 0 && c.found[8] > 0);
    CHECK_INT(ss_config_set(&b->base, "threads", "3", NULL), SS_OK);
    smooth_once(b, "scaling", 8, "solver=block-gs bx=4", &c);
    CHECK(c.found[6] == 0 && c.found[7] == 0 && c.found[8] > 0);
    close_paper(b);
}

/* Stored inverses of blocks of 1 to 3 by 1 to 2 by 1 cells: the squares of 1, 2, 3, 2, 4 and 6. */
TEST(bench, the_inverses_of_all_shapes_are_measured_beside_one)
{
    ss_bench *b = bench_on_cpu();
    ss_bench_case c;
    smooth_once(b, "inverses", 8, "solver=block-gs bx=3 by=2 bz=1 inverse=dense", &c);
    CHECK_STR(c.skipped, "");
    CHECK_NEAR(c.found[3], 6, 0);
    CHECK(c.found[1] > 0 && c.solve[0] > 0 && c.solve[1] > 0);
    CHECK_NEAR(c.found[2], 8.0 * (1 + 4 + 9 + 4 + 16 + 36), 0);
    close_paper(b);
}

/* Cycles to 1e-4 for n = 127. */
SLOW_TEST(bench, every_method_is_counted_and_billed)
{
    static const struct {
        const char *label;
        double cycles, iterations, reductions;
    } want[] = {{"jacobi", 13133, 13133, 0},
                {"shared k=8 block=256 overlap=14", 1642, 13136, 0},
                {"sor", 221, 221, 0},
                {"chebyshev", 387, 387, 0},
                {"cg variant=classic", 169, 169, 338},
                {"cg variant=pipelined", 169, 169, 169},
                {"multigrid shape=v", 5, 5, 0}};
    ss_bench *b = bench_on_cpu();
    ss_err err = {0};
    const ss_param *row = ss_param_find(&b->base, "n", NULL);
    CHECK_INT(ss_config_put(&b->base, row, "127", &err), SS_OK);
    CHECK_MSG(ss_paper_read(b, "methods", &err) == SS_OK, "%s", err.text);
    ss_bench_group *g = ss_bench_group_of(b, 0, 0);
    ss_run *run = ss_bench_open(g, &err);
    CHECK_MSG(run != NULL, "%s", err.text);
    size_t found = 0;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        for (int k = 0; k < g->ncase; k++) {
            ss_bench_case *c = &g->cases[k];
            if (strcmp(c->label, want[i].label) != 0)
                continue;
            found++;
            ss_bench_at at = {.b = b, .g = g, .c = c, .run = run};
            CHECK(ss_bench_take(&at));
            CHECK_INT(c->kind->prepare(&at, &err), SS_OK);
            CHECK(ss_bench_take(&at));
            CHECK_INT(c->kind->measure(&at, &err), SS_OK);
            CHECK_MSG((double)c->cycles == want[i].cycles &&
                          ss_bench_number_of(SS_ITERATIONS, &at) == want[i].iterations &&
                          c->found[2] == want[i].reductions && c->solve[0] > 0 && c->found[1] > 0,
                      "%s: %lld cycles, %g reductions", c->label, (long long)c->cycles,
                      c->found[2]);
        }
    CHECK_INT(found, sizeof want / sizeof *want);
    ss_run_close(run);
    close_paper(b);
}

/* To the error of the V cycles instead of their residual: n = 127. */
SLOW_TEST(bench, methods_are_compared_at_one_error_too)
{
    static const struct {
        const char *label;
        int64_t cycles;
    } want[] = {{"jacobi", 28423},
                {"shared k=8 block=256 overlap=14", 3553},
                {"sor", 229},
                {"chebyshev", 373},
                {"cg variant=classic", 169},
                {"multigrid shape=v", 5},
                {"multigrid smoother=red-black", 4}};
    ss_bench *b = bench_on_cpu();
    ss_err err = {0};
    CHECK_INT(ss_config_set(&b->base, "n", "127", &err), SS_OK);
    CHECK_MSG(ss_paper_read(b, "methods", &err) == SS_OK, "%s", err.text);
    CHECK_INT(b->nproblem, 2);
    ss_bench_group *g = ss_bench_group_of(b, 1, 0);
    ss_run *run = ss_bench_open(g, &err);
    ss_bench_at at = {.b = b, .g = g, .c = g->cases, .run = run, .problem = 1};
    CHECK_MSG(at.c->kind->begin(&at, &err) == SS_OK, "%s", err.text);
    CHECK_NEAR(b->target, 0.00399674, 1e-8);
    size_t found = 0;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        for (int k = 0; k < g->ncase; k++) {
            ss_bench_case *c = at.c = &g->cases[k];
            if (strcmp(c->label, want[i].label) != 0)
                continue;
            found++;
            CHECK(ss_bench_take(&at));
            CHECK_MSG(c->kind->prepare(&at, &err) == SS_OK, "%s", err.text);
            CHECK_MSG(c->cycles == want[i].cycles, "%s: %lld cycles %s", c->label,
                      (long long)c->cycles, c->skipped);
        }
    CHECK_INT(found, sizeof want / sizeof *want);
    ss_run_close(run);
    close_paper(b);
}

/* Counts of the data are those of their own goal. */
TEST(bench, counts_in_the_data_belong_to_a_residual_or_to_an_error)
{
    ss_bench *b = bench_on_cpu();
    CHECK_INT(ss_paper_read(b, "methods", NULL), SS_OK);
    CHECK_INT(ss_bench_group_of(b, 0, 0)->cases[0].cycles, 179258);
    CHECK_INT(ss_bench_group_of(b, 1, 0)->cases[0].cycles, 1819158);
    CHECK_INT(ss_bench_group_of(b, 0, 0)->goal.n, 0);
    close_paper(b);
}

/* --- what is named the fastest, and what is shown -------------------------------------------- */

TEST(bench, no_winner_inside_the_spread)
{
    static const double a[] = {1, 1.1, 1.2}, near[] = {1.15, 1.25, 1.3}, far[] = {2, 2.1, 2.3},
                        noisy[] = {1.4, 2.1, 3};
    CHECK(ss_bench_is_faster(a, far, 3));
    CHECK(!ss_bench_is_faster(far, a, 3));
    CHECK(!ss_bench_is_faster(a, near, 3));
    CHECK(!ss_bench_is_faster(a, noisy, 3));
    CHECK(!ss_bench_is_faster(a, far, 1)); /* one round cannot tell */
    CHECK_NEAR(ss_bench_spread(far, 3), 0.3 / 2.1, 1e-15);
    CHECK(isnan(ss_bench_spread(far, 1)));
}

TEST(bench, the_range_of_the_rounds_is_beside_the_median)
{
    static const double v[] = {2.1, 2, 1.99, 2.0, 2.02};
    char text[32];
    ss_bench_put_extremes(v, 5, text, sizeof text);
    CHECK_STR(text, "-0.5 +5.0 %");
    ss_bench_put_extremes(v, 1, text, sizeof text);
    CHECK_STR(text, "");
}

/* --- how long a case is measured -------------------------------------------------------------- */

/* A device on which a cycle takes 4 us, and after `falls` seconds of work 5 us. */
static double worked, falls;

static int step_of_device(ss_run *run, int64_t cycles, ss_err *err)
{
    (void)err;
    run->step_seconds = (double)cycles * (worked < falls ? 4e-6 : 5e-6);
    worked += run->step_seconds;
    run->cycle += cycles;
    return SS_OK;
}

static const ss_meter device_meter = {
    .sample_seconds = 0.03, .load_seconds = 0.25, .sample_cycles = 64};

/* Seconds per cycle of a case on that device; *spent: seconds of work. */
static double time_on_device(int rounds, double *load, double *spent)
{
    ss_err err = {0};
    double cycle = 0;
    ss_run *run = open_run("equation poisson1d solver jacobi backend cpu n 64");
    const ss_engine_ops *ops = run->ops;
    ss_engine_ops with = *ops;
    ss_backend backend = *run->backend;
    ss_bench *b = bench_on_cpu();
    with.step = step_of_device;
    backend.meter = &device_meter;
    b->backend = &backend;
    b->rounds = rounds;
    run->ops = &with;
    run->check_every = 0;
    worked = 0;
    CHECK_MSG(ss_bench_time_loaded(b, run, load, &cycle, &err) == SS_OK, "%s", err.text);
    *spent = worked;
    run->ops = ops;
    free(b);
    ss_run_close(run);
    return cycle;
}

TEST(bench, a_clock_rate_that_falls_under_load_is_waited_for)
{
    double load, spent;
    falls = 0.1;
    CHECK_NEAR(time_on_device(5, &load, &spent), 5e-6, 1e-15);
    CHECK(load >= 0.1 && load < 0.4 && spent < 0.4);
    falls = 0.24; /* at the end of the load: one more sample has to agree */
    CHECK_NEAR(time_on_device(5, &load, &spent), 5e-6, 1e-15);
    CHECK(load > 0.2);
    falls = 1e9;
    CHECK_NEAR(time_on_device(5, &load, &spent), 4e-6, 1e-15);
    CHECK_NEAR(load, 0, 0);
    CHECK(spent > 0.25 && spent < 0.4);
    CHECK_NEAR(time_on_device(1, &load, &spent), 4e-6, 1e-15);
    CHECK(spent < 0.1); /* a single round is short */
}

/* On a CPU the eight kernels of the ladder are one, and nothing is shared with a GPU. */
TEST(bench, what_does_not_apply_is_not_shown_as_measured)
{
    ss_bench *b = bench_on_cpu();
    ss_err err = {0};
    int ladder = 0;
    b->rounds = 1;
    CHECK_INT(ss_config_set(&b->base, "n", "16", &err), SS_OK);
    CHECK_MSG(ss_paper_read(b, "wild", &err) == SS_OK, "%s", err.text);
    for (int i = 0; i < b->paper->nrow; i++) {
        const ss_paper_row *row = &b->paper->rows[i];
        bool rung = strcmp(row->source, "figures 11, 12") == 0 && !row->hidden;
        ladder += rung;
        if (rung)
            CHECK_STR(row->here, "jacobi");
    }
    CHECK_INT(ladder, b->nproblem);
    const ss_paper_row *row = row_of(b, "figures 5, 6", "jacobi split=auto");
    ss_bench_group *g = ss_bench_group_of(b, row->problem, 0);
    ss_run *run = ss_bench_open(g, &err);
    ss_bench_at at = {.b = b, .g = g, .c = &g->cases[row->at[0]], .run = run};
    CHECK(ss_bench_take(&at));
    CHECK_INT(at.c->kind->prepare(&at, &err), SS_OK);
    CHECK_STR(g->cases[row->at[0]].skipped, "needs a GPU beside the CPU: backend cuda");
    CHECK_STR(g->cases[row_of(b, "figures 11, 12", "jacobi kernel=smem")->at[0]].skipped, "");
    CHECK_STR(row->here, "jacobi split=auto");
    ss_run_close(run);
    close_paper(b);
}

/* --- smaller problems ------------------------------------------------------------------------- */

SLOW_TEST(bench, patches_of_the_smoother_paper_can_be_made_smaller)
{
    ss_err err = {0};
    ss_bench *b = bench_on_cpu();
    const ss_param *row = ss_param_find(&b->base, "patch", NULL);
    CHECK_INT(ss_config_put(&b->base, row, "16", &err), SS_OK);
    CHECK_MSG(ss_paper_read(b, "smoother", &err) == SS_OK, "%s", err.text);
    for (int g = 0; g < 4; g++)
        CHECK_INT(ss_config_int(&ss_bench_group_of(b, g, 0)->cfg, "patch"), 16);
    CHECK_STR(ss_config_text(&ss_bench_group_of(b, 4, 0)->cfg, "sizes"),
              "16x16+16x18+16x20+16x22+16x24");
    close_paper(b);
}

/* --- interrupted and resumed ------------------------------------------------------------------ */

static ss_bench *interrupted(const char *file)
{
    ss_err err = {0};
    ss_bench *b = bench_on_cpu();
    b->rounds = 3;
    b->file = file;
    snprintf(b->device, sizeof b->device, "a machine");
    CHECK_MSG(ss_paper_read(b, "smoother", &err) == SS_OK, "%s", err.text);
    return b;
}

/* Case 0 has all rounds, case 1 one of them. */
SLOW_TEST(bench, an_interrupted_bench_goes_on)
{
    char path[256];
    ss_err err = {0};
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/ss-%ld-bench.json", dir ? dir : "/tmp", (long)getpid());
    ss_bench *b = interrupted(path);
    ss_bench_group *g = ss_bench_group_of(b, 1, 0);
    for (int i = 0; i < 2; i++) {
        ss_bench_case *c = &g->cases[i];
        c->measured = i ? 1 : 3;
        c->cycles = 3, c->per_cycle = 1, c->updates = 4096, c->found[1] = 0.5, c->load = 0.25;
        for (int r = 0; r < c->measured; r++)
            c->solve[r] = 0.125 + r;
    }
    CHECK_INT(ss_json_write(ss_bench_json(b), path, &err), SS_OK);
    close_paper(b);
    b = interrupted(path);
    ss_bench_resume(b);
    g = ss_bench_group_of(b, 1, 0);
    CHECK_INT(g->cases[0].measured, 3);
    CHECK_NEAR(g->cases[0].solve[2], 2.125, 0);
    CHECK_INT(g->cases[1].measured, 1);
    CHECK_NEAR(g->cases[1].found[1], 0.5, 0);
    CHECK_NEAR(g->cases[1].load, 0.25, 0);
    CHECK_INT(g->cases[2].measured, 0);
    CHECK(ss_bench_is_done(b, &g->cases[0]) && !ss_bench_is_done(b, &g->cases[1]));
    CHECK(!ss_bench_is_complete(b, -1));
    close_paper(b);
    b = interrupted(path); /* another machine: measured again */
    snprintf(b->device, sizeof b->device, "another machine");
    ss_bench_resume(b);
    CHECK_INT(ss_bench_group_of(b, 1, 0)->cases[0].measured, 0);
    close_paper(b);
    remove(path);
}

/* A line waits for its cases and for those that it is compared with. */
SLOW_TEST(bench, lines_appear_as_they_are_measured)
{
    char *text = NULL;
    size_t size;
    ss_bench *b = interrupted(NULL);
    FILE *out = open_memstream(&text, &size);
    b->rounds = 1;
    ss_bench_print_lines(b, 1, out);
    CHECK(size == 0 || !strchr(text, '|'));
    for (int i = 0; i < 3; i++) {
        int lines = 0;
        for (int way = 0; way < b->nway; way++) {
            ss_bench_case *c = &ss_bench_group_of(b, 1, way)->cases[i];
            c->measured = 1, c->solve[0] = 0.5, c->updates = 4096;
        }
        ss_bench_print_lines(b, 1, out);
        for (const char *at = text; (at = strstr(at, "figure 9")); at++)
            lines++;
        CHECK_INT(lines, i + 1);
    }
    fclose(out);
    free(text);
    close_paper(b);
}
