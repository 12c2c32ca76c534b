/* poisson3d: exact solutions, changes during a run, files, refusals. */
#include <unistd.h>

#include "kernels/cpu/state.h"
#include "src/app/cli.h"
#include "src/app/tables.h"
#include "tests/windows.h"

/* --- the solution ----------------------------------------------------------------------------- */

static double *exact_of(ss_run *run)
{
    double *g = get_window(run, RHS), *u = malloc(cells_of(run) * sizeof *u);
    ss_err err = {0};
    CHECK_MSG(run->eq->exact(&run->problem, g, u, &err) == SS_OK, "%s", err.text);
    free(g);
    return u;
}

/* The exact solution has residual 0, and the smoother does not change it. */
TEST(poisson3d, exact_solution_is_that_of_the_system)
{
    static const char *const problems[] = {"patch 6 px 3 py 2 pz 1", "patch 12 ghost mirror",
                                           "sizes 7,12 problem source",
                                           "sizes 7,12 problem source ghost mirror"};
    for (int p = 0; p < 4; p++) {
        double before, after, off;
        ss_run *run = open_join(problems[p], "solver block-gs bx 4");
        if (p < 2)
            random_rhs(run);
        double *u = exact_of(run);
        CHECK_INT(run->backend->reduce(run, &before, NULL, NULL, NULL), SS_OK);
        set_window(run, FIELD, u);
        CHECK_INT(run->backend->reduce(run, &after, u, &off, NULL), SS_OK);
        CHECK_MSG(after < 1e-12 * before, "%s: %g of %g", problems[p], after, before);
        CHECK(off == 0);
        step_run(run, 2);
        CHECK_INT(run->backend->reduce(run, NULL, u, &off, NULL), SS_OK);
        CHECK_NEAR(off, 0, 1e-13);
        free(u);
        ss_run_close(run);
    }
}

/* The largest error of the discrete solution against q(x) q(y) q(z), where it is known. */
static double source_error(const char *settings, int n, bool mirror)
{
    ss_run *run = open_join(settings, "problem source solver jacobi");
    double *u = exact_of(run), most = 0, length = mirror ? n : n + 1, q[64];
    for (int i = 0; i < n; i++) {
        double s = (i + (mirror ? 0.5 : 1)) / length;
        q[i] = 4 * s * (1 - s) * exp(s - 0.5);
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                most = fmax(most, fabs(u[(k * n + j) * n + i] - q[i] * q[j] * q[k]));
    free(u);
    ss_run_close(run);
    return most;
}

TEST(poisson3d, second_order_with_both_ghost_rules)
{
    double zero = source_error("patch 15", 15, false) / source_error("patch 31", 31, false);
    double mirror = source_error("patch 16 ghost mirror", 16, true) /
                    source_error("patch 32 ghost mirror", 32, true);
    CHECK_NEAR(zero, 4, 0.2);
    CHECK_NEAR(mirror, 4, 0.4);
}

/* Waves are eigenvectors: a Jacobi step multiplies them by what theory says. */
TEST(poisson3d, waves_decay_as_they_should)
{
    static const char *const problems[] = {"smooth", "rough"};
    const double pi = 3.14159265358979323846;
    for (int p = 0; p < 2; p++) {
        char text[100];
        int n = 10, m = p == 0 ? 1 : n;
        snprintf(text, sizeof text, "patch 5 px 2 py 2 pz 2 problem %s", problems[p]);
        ss_run *run = open_join(text, "solver jacobi");
        double *u = get_window(run, FIELD);
        step_run(run, 1);
        double *v = get_window(run, FIELD);
        for (int c = 0; c < n * n * n; c++)
            CHECK_NEAR(v[c], cos(pi * m / (n + 1)) * u[c], 1e-15);
        free(u);
        free(v);
        ss_run_close(run);
    }
}

/* --- changes during a run, files, refusals ---------------------------------------------------- */

static void change(ss_run *run, const char *name, const char *value)
{
    ss_config cfg = run->cfg;
    ss_err err = {0};
    CHECK_MSG(ss_config_set(&cfg, name, value, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_run_configure(run, &cfg, &err) == SS_OK, "%s", err.text);
}

TEST(poisson3d, solvers_change_on_the_way)
{
    ss_run *run = open_join("patch 9 px 2", "solver block-gs bx 4");
    step_run(run, 2);
    change(run, "solver", "jacobi");
    step_run(run, 2);
    change(run, "solver", "block-jacobi");
    change(run, "bx", "8");
    step_run(run, 1);
    double *u = get_window(run, FIELD);
    ss_run *first = open_join("patch 9 px 2", "solver block-gs bx 4");
    step_run(first, 2);
    double *v = get_window(first, FIELD);
    ss_run *then = open_join("patch 9 px 2", "solver jacobi");
    set_window(then, FIELD, v);
    step_run(then, 2);
    free(v);
    v = get_window(then, FIELD);
    ss_run *last = open_join("patch 9 px 2", "solver block-jacobi bx 8");
    set_window(last, FIELD, v);
    step_run(last, 1);
    free(v);
    v = get_window(last, FIELD);
    CHECK(!memcmp(u, v, cells_of(run) * sizeof *u));
    CHECK(run->bytes_inverses > 0);
    change(run, "solver", "jacobi");
    CHECK(run->bytes_inverses == 0);
    free(u);
    free(v);
    ss_run_close(run);
    ss_run_close(first);
    ss_run_close(then);
    ss_run_close(last);
}

static void check_refused(const char *settings, const char *word)
{
    char text[200], *rest = text;
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK_INT(ss_config_set(&cfg, "equation", "poisson3d", NULL), SS_OK);
    CHECK_INT(ss_config_set(&cfg, "backend", "cpu", NULL), SS_OK);
    snprintf(text, sizeof text, "%s", settings);
    int status = SS_OK;
    for (char *name; status == SS_OK && (name = strtok_r(rest, " ", &rest)) != NULL;)
        status = ss_config_set(&cfg, name, strtok_r(rest, " ", &rest), &err);
    if (status == SS_OK)
        status = ss_config_check(&cfg, NULL, &err);
    CHECK_MSG(status == SS_FAIL, "%s", settings);
    CHECK_MSG(strstr(err.text, word) != NULL, "%s: %s", settings, err.text);
}

TEST(poisson3d, refused_with_a_reason)
{
    check_refused("patch 16 bx 17", "1\xe2\x80\xa6"
                                    "16 (cells of a patch)");
    check_refused("sizes 64,12,80 bx 16", "1\xe2\x80\xa6"
                                          "12 (cells of the smallest patch)");
    check_refused("patch 256 bx 129", "128");
    check_refused("patch 64 bx 32 inverse dense", "16384");
    check_refused("patch 1024 px 16 py 16", "16384 \xc3\x97 16384 \xc3\x97 1024");
    check_refused("sizes 64,", "whole numbers");
    check_refused("sizes 64,x", "whole numbers");
    check_refused("sizes 0,8", "1\xe2\x80\xa6"
                               "1024");
    check_refused("sizes 8,8 px 2", "not coupled");
    check_refused("sizes 8,8 patch 16", "give patch or sizes");
    check_refused("solver shared", "lines and planes");
}

/* A block has at most 8 cells per direction by default, or the patch if that is smaller. */
TEST(poisson3d, blocks_are_no_larger_than_patches_by_themselves)
{
    static const struct {
        const char *problem;
        int bx, by;
    } cases[] = {{"patch 16", 8, 8}, {"patch 3", 3, 3}, {"sizes 9,5,64", 5, 5}};
    for (int c = 0; c < 3; c++) {
        ss_run *run = open_join(cases[c].problem, "solver block-gs");
        CHECK_INT(ss_config_int(&run->cfg, "bx"), cases[c].bx);
        CHECK_INT(ss_config_int(&run->cfg, "by"), cases[c].by);
        step_run(run, 2);
        ss_run_close(run);
    }
    check_refused("patch 3 bx 8", "3 (cells of a patch)");
}

TEST(poisson3d, too_much_relaxation_is_named_when_it_diverges)
{
    static const char *const methods[] = {"solver block-jacobi omega 1.5 bx 4",
                                          "solver block-gs omega 2 bx 4"};
    for (int m = 0; m < 2; m++) {
        ss_run *run = open_join("patch 8 ghost mirror", methods[m]);
        ss_run_step(run, 500, NULL);
        CHECK_INT(run->status, SS_DIVERGED);
        CHECK_MSG(strstr(run->message, "omega above 1") != NULL, "%s", run->message);
        ss_run_close(run);
    }
}

/* "3x6" is three patches of 6; + replaces the comma where the comma separates other values. */
TEST(poisson3d, lists_of_sizes_may_be_short)
{
    check_refused("sizes 200x8", "128 patches");
    check_refused("sizes 2x3x4", "whole numbers");
    check_refused("sizes x8", "whole numbers");
}

TEST(poisson3d, another_equation_brings_a_solver_of_its_own)
{
    ss_config cfg, before;
    ss_err notice = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK_INT(ss_config_set(&cfg, "solver", "shared", NULL), SS_OK);
    before = cfg;
    CHECK_INT(ss_config_set(&cfg, "equation", "poisson3d", NULL), SS_OK);
    CHECK_STR(ss_config_solver(&cfg)->name, "block-jacobi");
    CHECK(ss_config_dropped(&before, &cfg, &notice));
    CHECK_STR(notice.text, "poisson3d does not run with shared");
    before = cfg;
    CHECK_INT(ss_config_set(&cfg, "solver", "jacobi", NULL), SS_OK);
    CHECK_INT(ss_config_set(&cfg, "equation", "poisson2d", NULL), SS_OK);
    CHECK_STR(ss_config_solver(&cfg)->name, "jacobi");
    CHECK(!ss_config_dropped(&before, &cfg, NULL));
}

/* The bytes estimated before a run is opened equal those of its arrays, in 1D, 2D and 3D, with and
 * without a right-hand side. */
TEST(memory, of_the_fields_is_that_of_the_arrays)
{
    static const char *const cases[] = {
        "equation poisson3d solver jacobi patch 3 px 4 precision f32",
        "equation poisson3d solver jacobi sizes 5,17,2 precision f64",
        "equation poisson1d solver jacobi n 1000",
        "equation poisson1d solver shared n 77 copies 13 precision f32",
        "equation poisson2d solver jacobi n 203 ny 131",
        "equation poisson2d solver cg n 64 ny 5 precision f32",
        "equation heat1d solver stepper n 300",
        "equation ks1d solver swept n 256 precision f32",
        "equation euler1d solver stepper n 300",
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ss_run *run = open_run(cases[c]);
        const ss_cpu_state *st = run->state;
        double bytes = (double)(st->box.count * ss_prec_size(run->prec)) * run->eq->nfield;
        CHECK_MSG(ss_config_bytes(&run->cfg) == (st->rhs ? 3 : 2) * bytes, "%s: %g", cases[c],
                  ss_config_bytes(&run->cfg));
        ss_run_close(run);
    }
}

static double stored(const char *problem, const char *method)
{
    const char *what;
    ss_run *run = open_join(problem, method);
    double bytes = run->solver->bytes(&run->cfg, run->eq, &run->problem, &what);
    ss_run_close(run);
    return bytes;
}

/* Blocks of one cell are numerous: 20 bytes each, of one patch for all, or of every patch. Lists of
 * a fixed order have 17 bytes per panel of 8 blocks; those of orders that are drawn have room for
 * 25 bytes per block. */
TEST(poisson3d, orders_of_blocks_count_as_memory)
{
    const double blocks = 16 * 16 * 16, patches = 8;
    double once = stored("patch 16 px 8", "solver block-gs bx 1 order lexicographic");
    double each = stored("patch 16 px 8", "solver block-gs bx 1 order chaotic");
    CHECK(once > 20 * blocks);
    double orders = (patches - 1) * 20 * blocks, lists = patches * (25 - 17.0 / 8) * blocks;
    CHECK_NEAR((each - once) / (orders + lists), 1, 0.01);
    CHECK(stored("patch 16 px 8", "solver block-jacobi bx 1") <= once);
}

TEST(poisson3d, only_large_stored_inverses_are_announced)
{
    static const struct {
        const char *method;
        bool setup_cost;
    } cases[] = {{"solver block-gs bx 8 inverse dense", false},
                 {"solver block-gs bx 8 inverse separable", false},
                 {"solver block-jacobi bx 12 inverse dense", true}};
    for (int c = 0; c < 3; c++) {
        char what[100];
        ss_run *run = open_join("patch 12", cases[c].method);
        CHECK(run->solver->setup_cost(&run->cfg, run->eq, &run->problem, what, sizeof what) ==
              cases[c].setup_cost);
        CHECK_MSG(!cases[c].setup_cost || strstr(what, "12\xc3\x97"
                                                       "12\xc3\x97"
                                                       "12"),
                  "%s", what);
        ss_run_close(run);
    }
}

/* For any order of the command line, with or without a GPU. */
TEST(poisson3d, a_solver_of_another_equation_is_refused)
{
    static char *lines[][6] = {
        {"stencilscope", "--solver", "block-jacobi", "--equation", "poisson2d", NULL},
        {"stencilscope", "--equation", "poisson2d", "--solver", "block-jacobi", NULL},
        {"stencilscope", "poisson2d", "block-jacobi", NULL},
    };
    static ss_cli cli;
    ss_tables_init();
    for (int l = 0; l < 3; l++) {
        int words = 0;
        ss_err err = {0};
        while (lines[l][words])
            words++;
        CHECK_INT(ss_cli_parse(words, lines[l], &cli, &err), SS_OK);
        CHECK_INT(ss_config_check(&cli.cfg, NULL, &err), SS_FAIL);
        CHECK_MSG(strstr(err.text, "poisson2d does not run with block-jacobi") == err.text, "%s",
                  err.text);
    }
}
