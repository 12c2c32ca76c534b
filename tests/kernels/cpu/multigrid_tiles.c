/* Multigrid with the smoother `shared`: with enough overlap bit for bit as many sweeps of damped
 * Jacobi, on grids that are not square; its counts with stale halos; its costs. */
#include "src/run/checkpoint.h"
#include "tests/fields.h"

static bool same_bytes(ss_run *a, ss_run *b)
{
    char *u = ss_field_download(a), *v = ss_field_download(b);
    bool same = memcmp(u, v, ss_field_bytes(a)) == 0;
    free(u);
    free(v);
    return same;
}

#define PLANE                                                                                      \
    "equation poisson2d n 127 ny 63 aspect 1.5 problem random seed 7 solver multigrid until 0 "
#define LINES "equation poisson1d n 1023 copies 3 problem random seed 3 solver multigrid until 0 "

/* 3 cycles of one method against as many of the other. */
static bool same(const char *problem, const char *first, const char *second)
{
    double *u[2];
    size_t n = 0;
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", problem, i == 0 ? first : second);
        ss_run *run = open_run(text);
        step_run(run, 3);
        u[i] = get_field(run, FIELD);
        n = (size_t)run->problem.nx * (size_t)run->problem.ny;
        ss_run_close(run);
    }
    bool equal = memcmp(u[0], u[1], n * sizeof *u[0]) == 0;
    free(u[0]), free(u[1]);
    return equal;
}

static const struct {
    const char *problem, *tiles, *sweeps;
} pairs[] = {
    {PLANE, "smoother shared k 4 pre 1 post 2", "smoother jacobi pre 4 post 8"},
    {PLANE, "smoother shared k 5 pre 2 post 1 block 13 block-y 17 overlap 8 shape w threads 3",
     "smoother jacobi pre 10 post 5 shape w"},
    {PLANE, "smoother shared k 3 pre 0 post 2 block 16 omega 0.7 shape f levels 3",
     "smoother jacobi pre 0 post 6 omega 0.7 shape f levels 3"},
    {PLANE "precision f32 ", "smoother shared k 7 pre 1 post 1 block 15 overlap 12 block-y 32",
     "smoother jacobi pre 7 post 7"},
    {LINES, "smoother shared k 6 pre 1 post 1 block 32 threads 2", "smoother jacobi pre 6 post 6"},
    {LINES "precision f32 ", "smoother shared k 1 pre 2 post 2 block 8", "smoother jacobi"},
};

TEST(multigrid_tiles, enough_overlap_has_the_bits_of_damped_jacobi)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        CHECK_MSG(same(pairs[i].problem, pairs[i].tiles, pairs[i].sweeps), "%s%s", pairs[i].problem,
                  pairs[i].tiles);
}

TEST(multigrid_tiles, one_pair_less_differs)
{
    CHECK(!same(PLANE, "smoother shared k 4 pre 1 post 1 overlap 4 overlap-y 6",
                "smoother jacobi pre 4 post 4"));
    CHECK(!same(PLANE, "smoother shared k 4 pre 1 post 1 overlap 6 overlap-y 4",
                "smoother jacobi pre 4 post 4"));
    CHECK(
        !same(LINES, "smoother shared k 4 pre 1 post 1 overlap 4", "smoother jacobi pre 4 post 4"));
}

/* With one grid a cycle is the smoother alone: sweeps of the solver jacobi. */
TEST(multigrid_tiles, one_grid_is_the_iteration_of_the_whole_field)
{
    ss_run *tiles = open_run(PLANE "smoother shared levels 1 k 5 pre 1 post 0 block 16");
    ss_run *whole = open_run("equation poisson2d n 127 ny 63 aspect 1.5 problem random seed 7 "
                             "solver jacobi damping 0.8 until 0");
    step_run(tiles, 3);
    step_run(whole, 15);
    CHECK(same_bytes(tiles, whole));
    ss_run_close(tiles);
    ss_run_close(whole);
}

static int64_t cycles_of(const char *equation, const char *settings)
{
    char text[256];
    snprintf(text, sizeof text, "equation %s solver multigrid smoother shared %s", equation,
             settings);
    ss_run *run = open_run(text);
    run->stop_at_tol = true;
    CHECK_INT(ss_run_step(run, 1000, NULL), SS_OK);
    CHECK_MSG(run->status == SS_CONVERGED, "%s: %s", settings, run->message);
    int64_t cycles = run->cycle;
    ss_run_close(run);
    return cycles;
}

/* k 2 and two sweeps each way are V(4,4). */
TEST(multigrid_tiles, its_cycles_do_not_grow_with_n)
{
    CHECK_INT(cycles_of("poisson2d n 63", ""), 4);
    CHECK_INT(cycles_of("poisson2d n 127", ""), 4);
    CHECK_INT(cycles_of("poisson2d n 511", ""), 4);
    CHECK_INT(cycles_of("poisson2d n 127 precision f32", ""), 4);
    CHECK_INT(cycles_of("poisson2d n 127", "pre 1 post 1"), 5);
    CHECK(cycles_of("poisson1d n 1023 copies 3", "") <= 4);
    CHECK(cycles_of("poisson2d n 255 ny 31 aspect 0.125", "block 16 block-y 8") <= 5);
    CHECK(cycles_of("poisson2d n 15 ny 255 aspect 16", "block 8") <= 5);
}

/* The next sweep, or the coarser grid, removes what stale halos leave. */
TEST(multigrid_tiles, stale_halos_cost_few_cycles)
{
    CHECK_INT(cycles_of("poisson2d n 511", "pre 1 post 1 k 8 overlap 14"), 3);
    CHECK_INT(cycles_of("poisson2d n 511", "pre 1 post 1 k 8 overlap 2"), 3);
    CHECK_INT(cycles_of("poisson2d n 511", "pre 1 post 1 k 8 overlap 0"), 4);
    CHECK(cycles_of("poisson2d n 511", "pre 1 post 1 k 64 block 8 overlap 0") > 8);
}

TEST(multigrid_tiles, the_norm_is_that_of_the_field_before_the_cycle)
{
    static const char *const settings[] = {PLANE "smoother shared", PLANE "smoother shared pre 0",
                                           PLANE "smoother shared levels 1 pre 0",
                                           LINES "smoother shared block 7"};
    for (int i = 0; i < 4; i++) {
        double before;
        ss_run *run = open_run(settings[i]);
        CHECK_INT(run->backend->reduce(run, &before, NULL, NULL, NULL), SS_OK);
        step_run(run, 1);
        CHECK_NEAR(run->residual0, before, 1e-12 * before);
        ss_run_close(run);
    }
}

TEST(multigrid_tiles, a_cycle_that_is_stopped_after_its_last_sweep_is_a_whole_cycle)
{
    ss_run *run = open_run(PLANE "smoother shared k 3 shape f overlap 2");
    step_run(run, 1);
    CHECK_INT(run->ops->peek(run, run->ticks_per_cycle, NULL), SS_OK);
    double *stopped = get_field(run, START);
    step_run(run, 1);
    double *whole = get_field(run, FIELD);
    CHECK(memcmp(stopped, whole, (size_t)(127 * 63) * sizeof *whole) == 0);
    free(stopped), free(whole);
    ss_run_close(run);
}

TEST(multigrid_tiles, an_abandoned_cycle_changes_nothing)
{
    ss_run *run = open_run(PLANE "smoother shared threads 2");
    ss_run *other = open_run(PLANE "smoother shared threads 2");
    atomic_bool abandon = true;
    step_run(run, 1);
    step_run(other, 2);
    run->abandon = &abandon;
    CHECK_INT(ss_run_step(run, 10, NULL), SS_OK);
    CHECK_INT(run->cycle, 1);
    run->abandon = NULL;
    step_run(run, 1);
    CHECK(same_bytes(run, other));
    ss_run_close(run);
    ss_run_close(other);
}

static const ss_param *row_of(const char *settings, const char *name, ss_config *cfg)
{
    bool applies;
    set_config(cfg, settings);
    const ss_param *row = ss_param_find(cfg, name, &applies);
    CHECK_MSG(row && applies, "%s: %s", settings, name);
    return row;
}

TEST(multigrid_tiles, the_rows_of_the_tiles_are_shown_with_their_smoother)
{
    static const char *const names[] = {"k", "block", "block-y", "overlap", "overlap-y"};
    ss_config cfg;
    for (int i = 0; i < 5; i++) {
        const ss_param *row = row_of(PLANE "backend cpu", names[i], &cfg);
        CHECK_MSG(!row->shown(&cfg), "%s", names[i]);
        row_of(PLANE "backend cpu smoother shared", names[i], &cfg);
        CHECK_MSG(row->shown(&cfg), "%s", names[i]);
    }
    row_of(PLANE "backend cpu smoother shared k 5", "overlap", &cfg);
    CHECK_INT(ss_config_int(&cfg, "overlap"), 8);
    CHECK_NEAR(ss_config_real(&cfg, "omega"), 0.8, 0);
}

TEST(multigrid_tiles, an_overlap_that_fills_the_block_is_refused)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, PLANE "smoother shared block 8");
    CHECK_INT(ss_config_set(&cfg, "overlap", "8", &err), SS_OK);
    CHECK_INT(ss_config_check(&cfg, NULL, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, "less than block 8"), "%s", err.text);
    CHECK_INT(ss_config_set(&cfg, "smoother", "jacobi", &err), SS_OK);
}
