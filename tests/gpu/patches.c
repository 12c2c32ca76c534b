/* Runs of poisson3d on the GPU against the CPU: patches that are no multiples of the blocks,
 * coupled ones and a row of independent ones, both rules at the walls, random fields and right-hand
 * sides, graphs and single launches, with norms and without. Skipped without a GPU. */
#include "tests/gpu/patches.h"

static const char *const problems[] = {
    "patch 13 px 2 py 2", "patch 16 px 2 pz 3 ghost mirror", "sizes 9,20,14",
    "patch 40",           "patch 24 px 2 py 3 pz 2",
};
enum { NPROBLEM = sizeof problems / sizeof *problems };

#define MANY 70 /* steps of a comparison, the first by itself */

/* The same settings on both, apart from those of the GPU. */
static void compare(const char *common, const char *gpu_only, const double tol[2])
{
    char what[512], settings[400];
    for (int prec = 0; prec < 2; prec++)
        for (int often = 0; often < 2; often++) {
            snprintf(settings, sizeof settings, "%s precision %s check-every %d until 0", common,
                     prec ? "f32" : "f64", often ? 1 : 1000000);
            snprintf(what, sizeof what, "%s %s", settings, gpu_only);
            ss_run *cpu = open_patches("cpu", settings), *gpu = open_patches("cuda", what);
            for (int steps = 1; steps <= MANY; steps += MANY - 1) {
                step_run(cpu, steps);
                step_run(gpu, steps);
                check_windows(cpu, gpu, FIELD, tol[prec], what);
                check_windows(cpu, gpu, START, tol[prec], what);
                double near = tol[prec] > 0 ? 1e3 * tol[prec] : 1e-12;
                CHECK_MSG(fabs(cpu->residual - gpu->residual) <= near * cpu->residual0,
                          "%s: |r| is %.17g, not %.17g", what, gpu->residual, cpu->residual);
            }
            CHECK((gpu->bytes_inverses > 0) == (cpu->bytes_inverses > 0));
            ss_run_close(cpu);
            ss_run_close(gpu);
        }
}

/* Every problem, in graphs and by single launches; too few steps for a graph are launched once. */
static void compare_all(const char *method, const char *gpu_only, const double tol[2])
{
    need_patches();
    for (int p = 0; p < NPROBLEM; p++)
        for (int stream = 0; stream < (MANY > 32 ? 2 : 1); stream++) {
            char common[200], only[100];
            snprintf(common, sizeof common, "%s %s", method, problems[p]);
            snprintf(only, sizeof only, "%s launch %s", gpu_only, stream ? "stream" : "graph");
            compare(common, only, tol);
        }
}

static const double same_bits[2] = {0, 0}, round_off[2] = {1e-12, 1e-4};

#define EQUAL(NAME, METHOD, GPU_ONLY, TOL)                                                         \
    TEST(gpu_patches, NAME)                                                                        \
    {                                                                                              \
        compare_all(METHOD, GPU_ONLY, TOL);                                                        \
    }

EQUAL(jacobi, "solver jacobi", "", same_bits)
EQUAL(jacobi_by_other_blocks, "solver jacobi", "tpb-x 64 tpb-y 3", same_bits)
EQUAL(block_jacobi_8, "solver block-jacobi bx 8", "", same_bits)
EQUAL(block_jacobi_4, "solver block-jacobi bx 4", "", same_bits)
EQUAL(block_jacobi_2, "solver block-jacobi bx 2", "", same_bits)
EQUAL(block_jacobi_1, "solver block-jacobi bx 1", "", same_bits)
EQUAL(block_jacobi_uneven, "solver block-jacobi bx 5 by 3 bz 7", "", same_bits)

#define LEXICOGRAPHIC "solver block-gs order lexicographic "
EQUAL(gauss_seidel_8, LEXICOGRAPHIC "bx 8", "", same_bits)
EQUAL(gauss_seidel_4, LEXICOGRAPHIC "bx 4", "", same_bits)
EQUAL(gauss_seidel_uneven, LEXICOGRAPHIC "bx 5 by 3 bz 7", "", same_bits)

#define STORED " inverse dense "
EQUAL(stored_8, "solver block-jacobi bx 8" STORED, "", round_off)
EQUAL(stored_4, "solver block-jacobi bx 4" STORED, "", round_off)
EQUAL(stored_gauss_seidel_4, LEXICOGRAPHIC "bx 4" STORED, "", round_off)

/* The same cycle and field, also with a residual check only every few cycles. */
TEST(gpu_patches, convergence_is_exact)
{
    static const char *const methods[] = {
        "solver jacobi", "solver block-jacobi bx 4", "solver block-jacobi bx 5",
        "solver block-gs order lexicographic bx 4", "solver block-gs order lexicographic bx 8"};
    static const int every[2][3] = {{1, 7, 100}, {1, 2, 5}};
    bool brief = MANY < 70;
    const char *until = brief ? ".5" : "2e-3";
    need_patches();
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int e = 0; e < 3; e++) {
            char text[300];
            ss_err err = {0};
            snprintf(text, sizeof text, "%s patch 13 px 2 until %s check-every %d", methods[m],
                     until, every[brief][e]);
            ss_run *cpu = open_patches("cpu", text), *gpu = open_patches("cuda", text);
            while (cpu->status == SS_RUNNING)
                CHECK_INT(ss_run_step(cpu, 100, &err), SS_OK);
            while (gpu->status == SS_RUNNING)
                CHECK_MSG(ss_run_step(gpu, 333, &err) == SS_OK, "%s", err.text);
            CHECK_INT(gpu->status, SS_CONVERGED);
            CHECK_MSG(gpu->cycle == cpu->cycle, "%s: %lld cycles, not %lld", text,
                      (long long)gpu->cycle, (long long)cpu->cycle);
            check_windows(cpu, gpu, FIELD, 0, text);
            ss_run_close(cpu);
            ss_run_close(gpu);
        }
}

/* |r3| / |r0| of 64^3 cells from the random start. The colours of the blocks keep the hardware's
 * order near the lexicographic one. */
TEST(gpu_patches, chaotic_is_a_smoother)
{
    static const struct {
        const char *settings;
        double lexicographic;
    } cases[] = {{"bx 2", .021737874},
                 {"bx 4", .013990269},
                 {"bx 8", .010055430},
                 {"bx 8 inverse dense", .010055430}};
    need_patches();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int each = 0; each < 2; each++) {
            char text[200];
            snprintf(text, sizeof text, "equation poisson3d solver block-gs %s until 0",
                     cases[i].settings);
            ss_run *run = open_on("cuda", text);
            double first, last;
            CHECK_INT(run->backend->reduce(run, &first, NULL, NULL, NULL), SS_OK);
            for (int step = 0; step < (each ? 3 : 1); step++)
                step_run(run, each ? 1 : 3);
            CHECK_INT(run->backend->reduce(run, &last, NULL, NULL, NULL), SS_OK);
            double ratio = last / first / cases[i].lexicographic;
            CHECK_MSG(ratio > 0.8 && ratio < 1.3, "%s: %g times the lexicographic one", text,
                      ratio);
            ss_run_close(run);
        }
}

/* --- changes during a run --------------------------------------------------------------------- */

static void change(ss_run *run, const char *name, const char *value)
{
    ss_config cfg = run->cfg;
    ss_err err = {0};
    CHECK_MSG(ss_config_set(&cfg, name, value, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_run_configure(run, &cfg, &err) == SS_OK, "%s", err.text);
}

/* Every combination of an odd and an even number of cycles before. */
TEST(gpu_patches, settings_can_change_during_a_run)
{
    static const char *const changes[][2] = {{"bx", "8"},
                                             {"solver", "jacobi"},
                                             {"solver", "block-gs"},
                                             {"bx", "2"},
                                             {"order", "lexicographic"},
                                             {"solver", "block-jacobi"},
                                             {"omega", "0.7"},
                                             {"by", "5"},
                                             {"solver", "block-gs"},
                                             {"check-every", "3"}};
    need_patches();
    for (int p = 0; p < NPROBLEM; p++) {
        char text[200];
        snprintf(text, sizeof text, "solver block-gs order lexicographic bx 4 until 0 %s",
                 problems[p]);
        ss_run *run[2] = {open_patches("cpu", text), open_patches("cuda", text)};
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
            for (int r = 0; r < 2; r++) {
                step_run(run[r], c % 3 == 1 ? 66 : 3);
                change(run[r], changes[c][0], changes[c][1]);
            }
            check_windows(run[0], run[1], FIELD, 0, changes[c][1]);
        }
        /* Stored inverses and back: the difference stays within rounding. */
        for (int r = 0; r < 2; r++) {
            change(run[r], "inverse", "dense");
            step_run(run[r], 2);
            change(run[r], "inverse", "separable");
            step_run(run[r], 1);
        }
        check_windows(run[0], run[1], FIELD, 1e-12, "stored inverses and back");
        for (int r = 0; r < 2; r++)
            ss_run_close(run[r]);
    }
}

/* In-place cycles start with the array that the previous method wrote last, until a reset. */
TEST(gpu_patches, a_reset_reaches_graphs)
{
    need_patches();
    ss_run *run = open_on("cuda", "equation poisson3d solver jacobi patch 16 px 2 until 0");
    ss_run *fresh = open_on("cuda", "equation poisson3d " LEXICOGRAPHIC "patch 16 px 2 until 0");
    step_run(run, 1);
    ss_config cfg = run->cfg;
    CHECK_INT(ss_config_set(&cfg, "solver", "block-gs", NULL), SS_OK);
    CHECK_INT(ss_config_set(&cfg, "order", "lexicographic", NULL), SS_OK);
    CHECK_INT(ss_run_configure(run, &cfg, NULL), SS_OK);
    step_run(run, 70);
    CHECK_INT(ss_run_reset(run, NULL), SS_OK);
    step_run(run, 70);
    step_run(fresh, 70);
    check_windows(fresh, run, FIELD, 0, "after a reset");
    ss_run_close(run);
    ss_run_close(fresh);
}

/* A field from a file has no ghosts; reset computes them. */
TEST(gpu_patches, uploaded_fields_are_used_by_the_next_step)
{
    need_patches();
    for (int p = 0; p < NPROBLEM; p++) {
        char text[200];
        snprintf(text, sizeof text, "solver block-jacobi bx 4 until 0 %s", problems[p]);
        ss_run *run[2] = {open_patches("cpu", text), open_patches("cuda", text)};
        double *f = malloc(cells_of(run[0]) * sizeof *f), norm[2], error[2];
        for (size_t c = 0; c < cells_of(run[0]); c++)
            f[c] = ss_random_unit(17, c);
        for (int r = 0; r < 2; r++) {
            step_run(run[r], 3);
            set_window(run[r], FIELD, f);
            CHECK_INT(run[r]->backend->reduce(run[r], &norm[r], f, &error[r], NULL), SS_OK);
            CHECK(error[r] == 0);
            step_run(run[r], 2);
            CHECK_INT(run[r]->backend->reduce(run[r], NULL, f, &error[r], NULL), SS_OK);
        }
        CHECK_NEAR(norm[1], norm[0], 1e-12 * norm[0]);
        CHECK(error[0] == error[1] && error[0] > 0);
        check_windows(run[0], run[1], FIELD, 0, text);
        for (int r = 0; r < 2; r++) {
            CHECK_INT(ss_run_reset(run[r], NULL), SS_OK);
            step_run(run[r], 2);
        }
        check_windows(run[0], run[1], FIELD, 0, "after a reset");
        free(f);
        for (int r = 0; r < 2; r++)
            ss_run_close(run[r]);
    }
}

/* --- patches in the host's memory ------------------------------------------------------------- */

TEST(gpu_patches, streams_do_not_change_the_field)
{
    static const char *const orders[] = {"depth", "breadth"};
    static const char *const runs[] = {
        "solver block-jacobi bx 4 patch 13 px 3 py 2",
        "solver block-gs order lexicographic bx 8 patch 20 px 2 ghost mirror",
        "solver block-gs order lexicographic bx 4 patch 9 px 40 precision f32"};
    need_patches();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int o = 0; o < 2; o++) {
            char text[300];
            snprintf(text, sizeof text, "%s stream-order %s until 0", runs[i], orders[o]);
            ss_run *gpu = open_patches("cuda", text);
            snprintf(text, sizeof text, "%s until 0", runs[i]);
            ss_run *cpu = open_patches("cpu", text);
            for (int steps = 1; steps < 4; steps++) {
                step_run(cpu, steps);
                step_run(gpu, steps);
                check_windows(cpu, gpu, FIELD, 0, orders[o]);
                CHECK_NEAR(gpu->residual, cpu->residual, 1e-12 * cpu->residual);
            }
            change(gpu, "stream-order", "resident");
            step_run(cpu, 2);
            step_run(gpu, 2);
            check_windows(cpu, gpu, FIELD, 0, "back on the device");
            ss_run_close(cpu);
            ss_run_close(gpu);
        }
}

TEST(gpu_patches, streams_need_patches_of_one_size)
{
    ss_err err = {0};
    need_patches();
    ss_run *run = open_patches("cuda", "solver block-jacobi bx 4 sizes 9,20 until 0");
    ss_config cfg = run->cfg;
    CHECK_INT(ss_config_set(&cfg, "stream-order", "depth", &err), SS_OK);
    CHECK_INT(ss_run_configure(run, &cfg, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, "one size") != NULL, "%s", err.text);
    step_run(run, 1);
    ss_run_close(run);
}
