/* Runs on the backend mpi, with real ranks, are runs of the backend cpu. Skipped where the rank
 * program is not built. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernels/mpi/inner.h"
#include "src/run/checkpoint.h"
#include "tests/fields.h"

static ss_run *open_on(const char *backend, const char *settings)
{
    char text[400], path[1100];
    ss_err err = {0};
    if (ss_job_program(path, sizeof path, &err) != SS_OK)
        SKIP("%s", err.text);
    snprintf(text, sizeof text, "%s %s", settings, backend);
    return open_run(text);
}

/* The same field, bit for bit, at the same cycle. */
static void same_run(ss_run *a, ss_run *b)
{
    char *u = ss_field_download(a), *v = ss_field_download(b);
    CHECK(u && v);
    CHECK_INT(a->cycle, b->cycle);
    CHECK_INT(a->step, b->step);
    CHECK(memcmp(u, v, ss_field_bytes(a)) == 0);
    free(u);
    free(v);
}

static void same_norm(const ss_run *a, const ss_run *b)
{
    CHECK_INT(a->residual_cycle, b->residual_cycle);
    CHECK_NEAR(a->residual, b->residual, 1e-13 * b->residual);
    CHECK_NEAR(a->residual0, b->residual0, 1e-13 * b->residual0);
}

/* On one machine with the blocks of the ranks. */
static ss_run *open_counterpart(const ss_run *a)
{
    ss_config cfg = a->cfg;
    ss_err err = {0};
    CHECK_INT(ss_config_set(&cfg, "backend", "cpu", &err), SS_OK);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    ss_run *b = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(b != NULL, "%s", err.text);
    return b;
}

/* The blocks of the config are those of the ranks, so that it describes one machine's run. */
TEST(mpi, ranks_are_the_tiles_of_the_config)
{
    ss_run *a = open_on("ranks 4", "equation poisson2d solver shared problem random n 203 ny 131 "
                                   "k 8 overlap 4");
    ss_tiling t = a->solver->tiling(&a->cfg, &a->problem);
    CHECK_INT(t.x.count, 2);
    CHECK_INT(t.y.count, 2);
    ss_run *b = open_counterpart(a);
    step_run(a, 60);
    step_run(b, 60);
    same_run(a, b);
    same_norm(a, b);
    ss_run_close(a);
    ss_run_close(b);
}

/* Ranks are tiles, 1 to 8 of them, both precisions, from random fields. */
SLOW_TEST(mpi, ranks_are_tiles)
{
    static const struct {
        const char *settings;
        int64_t cycles;
    } cases[] = {
        {"equation poisson2d solver shared problem random n 203 ny 131 k 8", 60},
        {"equation poisson2d solver shared problem random n 131 ny 90 k 5 overlap 6", 60},
        {"equation poisson1d solver shared problem random n 611 copies 3 k 7", 60},
    };
    static const int ranks[] = {1, 2, 3, 4, 8};
    for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            for (int prec = 0; prec < 2; prec++) {
                char on[64];
                snprintf(on, sizeof on, "ranks %d precision %s", ranks[r], prec ? "f32" : "f64");
                ss_run *a = open_on(on, cases[i].settings), *b = open_counterpart(a);
                step_run(a, cases[i].cycles);
                step_run(b, cases[i].cycles);
                same_run(a, b);
                same_norm(a, b);
                ss_run_close(a);
                ss_run_close(b);
            }
}

/* Fields that the program puts, and the error against a reference. */
TEST(mpi, fields_go_up_and_down_and_are_compared)
{
    static const char settings[] = "equation poisson2d solver jacobi n 61 ny 47";
    ss_run *a = open_on("ranks 4", settings), *b = open_on("backend cpu", settings);
    int seed = 5;
    ss_err err = {0};
    double *ref = malloc(61 * 47 * sizeof *ref), error[2], norm[2];
    for (int i = 0; i < 61 * 47; i++)
        ref[i] = ss_random_unit(9, (uint64_t)i);
    ss_run *run[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        set_field(run[i], FIELD, at_random, &seed);
        set_field(run[i], RHS, at_random, &seed);
        CHECK_INT(run[i]->backend->reduce(run[i], &norm[i], ref, &error[i], &err), SS_OK);
        step_run(run[i], 13);
    }
    CHECK_NEAR(norm[0], norm[1], 1e-13 * norm[1]);
    CHECK_NEAR(error[0], error[1], 0);
    same_run(a, b);
    free(ref);
    ss_run_close(a);
    ss_run_close(b);
}

TEST(mpi, a_step_ends_early_when_patience_does)
{
    ss_run *a = open_on("ranks 2", "equation poisson2d solver jacobi n 64 until 0");
    ss_err err = {0};
    a->patience = 0.05;
    double began = ss_clock();
    CHECK_INT(ss_run_step(a, 1000000000, &err), SS_OK);
    CHECK_MSG(ss_clock() - began < 10, "it took %.1f s", ss_clock() - began);
    CHECK(a->cycle > 0 && a->cycle < 1000000000);
    ss_run_close(a);
}

/* --- pictures --------------------------------------------------------------------------------- */

enum { W = 48, H = 30 };

static void take(ss_run *run, ss_view *view, ss_picture *p)
{
    static float cell[2][W * H];
    static uint8_t owner[2][W * H];
    static int which;
    ss_err err = {0};
    which = 1 - which;
    *p = (ss_picture){.cell = cell[which], .owner = owner[which], .w = W, .h = H};
    CHECK_MSG(run->backend->sample(run, view, p, &err) == SS_OK, "%s", err.text);
}

static void check_picture(const char *settings, const char *ranks, ss_layer layer, bool zoomed)
{
    ss_run *a = open_on(ranks, settings), *b = open_on("backend cpu", settings);
    ss_view view = {.layer = layer,
                    .w = W,
                    .h = H,
                    .probe_x = 33,
                    .probe_y = 17,
                    .tile_x = -1,
                    .tile_y = -1,
                    .exact = true};
    ss_picture p, q;
    if (zoomed)
        view.x0 = 20, view.x1 = 45, view.y0 = 10, view.y1 = 60;
    step_run(a, 10);
    step_run(b, 10);
    take(a, &view, &p);
    take(b, &view, &q);
    for (int i = 0; i < p.w * p.h; i++) {
        double x = (double)p.cell[i], y = (double)q.cell[i];
        CHECK_MSG((isnan(x) && isnan(y)) || fabs(x - y) <= 1e-6 * fabs(y),
                  "%s, %s: cell %d is %.9g, not %.9g", settings, ranks, i, x, y);
    }
    CHECK_NEAR(p.lo, q.lo, 1e-6 * fabs(q.lo));
    CHECK_NEAR(p.hi, q.hi, 1e-6 * fabs(q.hi));
    CHECK_NEAR(p.probe.value, q.probe.value, 0);
    if (a->eq->kind == SS_STEADY)
        CHECK_NEAR(p.probe.residual, q.probe.residual, 0);
    ss_run_close(a);
    ss_run_close(b);
}

SLOW_TEST(mpi, pictures_are_those_of_cpu)
{
    static const char plane[] = "equation poisson2d solver jacobi problem random n 203 ny 131";
    for (int zoomed = 0; zoomed < 2; zoomed++) {
        check_picture(plane, "ranks 4", SS_VALUE, zoomed);
        check_picture(plane, "ranks 3", SS_RESIDUAL, zoomed);
    }
    check_picture("equation poisson2d solver shared k 1 problem random n 203 ny 131", "ranks 4",
                  SS_VALUE, false);
    check_picture("equation poisson1d solver jacobi problem random n 203 copies 3 precision f32",
                  "ranks 3", SS_VALUE, false);
    check_picture("equation euler1d solver swept n 256 block 32", "ranks 4", SS_VALUE, false);
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refused(const char *settings, const char *sentence)
{
    char text[400], *rest = text, path[1100];
    ss_config cfg;
    ss_err err = {0};
    if (ss_job_program(path, sizeof path, &err) != SS_OK)
        SKIP("%s", err.text);
    ss_tables_init();
    ss_config_default(&cfg);
    snprintf(text, sizeof text, "%s", settings);
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;)
        CHECK_MSG(ss_config_set(&cfg, name, strtok_r(rest, " ", &rest), &err) == SS_OK, "%s",
                  err.text);
    CHECK_INT(ss_config_check(&cfg, NULL, &err), SS_FAIL);
    CHECK_STR(err.text, sentence);
}

TEST(mpi, what_the_ranks_do_not_run_is_refused)
{
    refused("equation poisson2d solver jacobi n 16 ranks 17",
            "ranks: there are only 16 rows to divide: use 1\xe2\x80\xa6"
            "16 ranks");
    refused("equation poisson2d solver async n 64 ranks 2",
            "poisson2d does not run with async on mpi: an asynchronous launch has one order of all "
            "tiles, which ranks do not share");
}

TEST(mpi, a_launcher_that_is_missing_is_named)
{
    ss_config cfg;
    ss_err err = {0};
    char path[1100];
    if (ss_job_program(path, sizeof path, &err) != SS_OK)
        SKIP("%s", err.text);
    set_config(&cfg, "equation poisson2d solver jacobi n 64 ranks 2 launcher no-such-launcher");
    CHECK(!ss_run_open(&cfg, NULL, NULL, &err));
    CHECK_MSG(strstr(err.text, "cannot start no-such-launcher: No such file"), "%s", err.text);
}

/* What mpiexec says: the cause stands first, the advice after it. */
TEST(mpi, the_first_words_of_the_launcher_are_told)
{
    static const struct {
        const char *log, *words;
    } cases[] = {
        {"ssh: Could not resolve hostname nohost: Name or service not known\r\n"
         "--------------------------------------\n"
         "ORTE was unable to reliably start one or more daemons.\n\n"
         "  and network routing requirements).\n--------------\n",
         "ssh: Could not resolve hostname nohost: Name or service not known"},
        {"[vm:123] mca_base_component_repository_open: unable to open x\n"
         "-------------------------------\n"
         "There are not enough slots available in the system to satisfy the 9\n"
         "slots that were requested by the application:\n\n  ./a\n\n"
         "Either request fewer slots\n",
         "There are not enough slots available in the system to satisfy the 9 slots that were "
         "requested by the application:"},
        {"WARNING: no fabric\nstencilscope-rank: out of memory\n"
         "MPI_ABORT was invoked on rank 1\n",
         "out of memory"},
        {"---\n\n", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512], words[200];
        snprintf(text, sizeof text, "%s", cases[i].log);
        ss_job_first_words(text, words, sizeof words);
        CHECK_STR(words, cases[i].words);
    }
}

/* --- GPUs ------------------------------------------------------------------------------------- */

static bool has_gpu(ss_err *why)
{
    ss_tables_init();
    for (int i = 0; ss_backends[i]; i++)
        if (strcmp(ss_backends[i]->name, "cuda") == 0)
            return ss_backends[i]->probe(why) == SS_OK;
    return false;
}

/* Several ranks share the one GPU that a machine may have: for tests only. */
TEST(mpi, ranks_on_gpus_are_described)
{
    char device[80];
    ss_err err = {0};
    if (!has_gpu(&err))
        SKIP("%s", err.text);
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    ss_run *run = open_on("ranks 3 rank-device gpu", "equation poisson2d solver jacobi n 64");
    run->backend->describe(&run->cfg, device, sizeof device);
    CHECK_STR(device, "3 MPI ranks, 1 GPU each");
    ss_run_close(run);
}

TEST(mpi, gpus_that_are_missing_are_named)
{
    static const char *const sentence[] = {"rank-device: ", ": choose rank-device cpu, or auto"};
    ss_config cfg;
    ss_err err = {0};
    char path[1100], device[80];
    if (ss_job_program(path, sizeof path, &err) != SS_OK)
        SKIP("%s", err.text);
    if (has_gpu(&err))
        SKIP("this machine has a GPU");
    set_config(&cfg, "equation poisson2d solver jacobi n 64 ranks 2 rank-device gpu");
    CHECK(!ss_run_open(&cfg, NULL, NULL, &err));
    for (int i = 0; i < 2; i++)
        CHECK_MSG(strstr(err.text, sentence[i]), "%s", err.text);
    ss_run *run = open_on("ranks 2 rank-device auto", "equation poisson2d solver jacobi n 64");
    run->backend->describe(&run->cfg, device, sizeof device);
    CHECK_STR(device, "2 MPI ranks");
    ss_run_close(run);
}

/* `auto` never chooses ranks that nobody asked for. */
TEST(mpi, auto_does_not_choose_it)
{
    ss_config cfg;
    set_config(&cfg, "equation poisson2d solver jacobi n 64");
    CHECK(strcmp(ss_config_backend(&cfg)->name, "mpi") != 0);
    CHECK(ss_config_backend(&cfg)->asked_by == NULL);
}

/* --- figures ---------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(timing, pictures_of_ranks)
{
    enum { PICTURES = 40 };
    double taken[PICTURES], began = ss_clock();
    if (!getenv("SS_TIMINGS"))
        SKIP("a wall-clock measurement: SS_TIMINGS=1");
    ss_run *a = open_on("ranks 4", "equation poisson2d solver jacobi n 2048 until 0");
    step_run(a, 1);
    double first = ss_clock() - began;
    ss_view view = {.w = W, .h = H, .probe_x = -1, .tile_x = -1, .tile_y = -1};
    ss_picture p;
    static float cell[128 * 128];
    static uint8_t owner[128 * 128];
    view.w = view.h = 128;
    for (int i = 0; i < PICTURES; i++) {
        ss_err err = {0};
        step_run(a, 2);
        began = ss_clock();
        p = (ss_picture){.cell = cell, .owner = owner, .w = 128, .h = 128};
        CHECK_INT(a->backend->sample(a, &view, &p, &err), SS_OK);
        taken[i] = ss_clock() - began;
    }
    qsort(taken, PICTURES, sizeof *taken, ascending);
    printf("figure ranks_first_cycle_s %.2f (at most 5)\n", first);
    printf("figure ranks_picture_2048_median_ms %.2f (at most 20)\n", 1e3 * taken[PICTURES / 2]);
    CHECK(first <= 5 && taken[PICTURES / 2] <= 0.02);
    ss_run_close(a);
}

/* --- interruptions ---------------------------------------------------------------------------- */

static void *set_flag_soon(void *flag)
{
    usleep(200000);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

/* The flag of the program reaches ranks in the middle of a batch that nothing else ends. */
TEST(mpi, an_interrupted_step_returns)
{
    pthread_t thread;
    atomic_bool flag = false;
    ss_err err = {0};
    ss_run *a = open_on("ranks 3", "equation poisson2d solver jacobi n 200 until 0 "
                                   "check-every 1000000000");
    a->abandon = &flag;
    CHECK_INT(pthread_create(&thread, NULL, set_flag_soon, &flag), 0);
    double began = ss_clock();
    CHECK_INT(ss_run_step(a, 1000000000, &err), SS_OK);
    CHECK_MSG(ss_clock() - began < 10, "it took %.1f s", ss_clock() - began);
    pthread_join(thread, NULL);
    CHECK(a->cycle > 0 && a->cycle < 1000000000);
    atomic_store(&flag, false);
    int64_t before = a->cycle; /* the ranks have forgotten the flag */
    step_run(a, 5);
    CHECK_INT(a->cycle, before + 5);
    ss_run_close(a);
}
