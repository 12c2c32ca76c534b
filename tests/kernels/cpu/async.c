/* Asynchronous Jacobi on the CPU: the definition of its four variants, the replay of a race from
 * its seed on any number of threads, and the number of iterations they are worth,
 * against an independent program. */
#include "kernels/cpu/state.h"
#include "tests/pictures.h"

#define GRID "equation poisson2d n 203 ny 131 problem random seed 7 aspect 1.5 "

static ss_run *open_join(const char *problem, const char *method)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s backend cpu", problem, method);
    ss_run *run = open_run(text);
    run->tol = 0;
    return run;
}

static bool same_field(ss_run *a, int which_a, ss_run *b, int which_b)
{
    size_t bytes = (size_t)a->problem.nx * (size_t)a->problem.ny * sizeof(double);
    double *u = get_field(a, which_a), *v = get_field(b, which_b);
    bool same = memcmp(u, v, bytes) == 0;
    free(u);
    free(v);
    return same;
}

/* --- the variants ----------------------------------------------------------------------------- */

/* A group of an in-place sweep is larger than this grid. */
TEST(async, small_grids)
{
    static const char *const precisions[] = {"f64", "f32"};
    for (int n = 1; n <= 33; n++)
        for (int p = 0; p < 2; p++) {
            char text[256];
            snprintf(text, sizeof text,
                     "equation poisson2d solver async variant 3 backend cpu problem random n %d ny "
                     "%d threads 1 block-y 8 precision %s until 0",
                     n, 34 - n, precisions[p]);
            ss_run *run = open_run(text);
            step_run(run, 4);
            double *u = get_field(run, FIELD);
            for (int i = 0; i < n * (34 - n); i++)
                CHECK_MSG(isfinite(u[i]), "%s: point %d", text, i);
            free(u);
            ss_run_close(run);
        }
}

/* --- properties of all solvers ---------------------------------------------------------------- */

/* All variants end at the same solution, that of Jacobi. */
SLOW_TEST(async, converges_to_the_solution)
{
    SKIP_IF_SANITIZED();
    static const char *const problems[] = {"equation poisson2d n 31 ny 23 problem random ",
                                           "equation poisson1d n 40 copies 3 problem random "};
    for (int p = 0; p < 2; p++) {
        ss_run *jacobi = open_join(problems[p], "solver jacobi");
        step_run(jacobi, 20000);
        double *want = get_field(jacobi, FIELD), error;
        for (int variant = 0; variant < 4; variant++) {
            char method[128];
            snprintf(method, sizeof method, "solver async variant %d alpha 4 block 10", variant);
            ss_run *run = open_join(problems[p], method);
            step_run(run, 4000);
            CHECK_INT(run->backend->reduce(run, NULL, want, &error, NULL), SS_OK);
            CHECK_MSG(error < 1e-11, "%s%s: %g", problems[p], method, error);
            ss_run_close(run);
        }
        free(want);
        ss_run_close(jacobi);
    }
}

/* The microscope stops the next launch half-way: tiles differ in age, and the launch itself then
 * starts where it would have. */
TEST(async, microscope_stops_the_launch)
{
    for (int variant = 0; variant < 4; variant++) {
        char method[128];
        snprintf(method, sizeof method, "solver async variant %d alpha 6 block 16", variant);
        ss_run *run = open_join(GRID, method), *plain = open_join(GRID, method);
        const ss_cpu_state *st = run->state;
        int sweeps = run->iterations_per_cycle;
        step_run(run, 3);
        step_run(plain, 3);
        for (int s = 1; s < sweeps; s++) {
            int lo = sweeps, hi = 0;
            double sum = 0;
            CHECK_INT(run->ops->peek(run, s, NULL), SS_OK);
            for (size_t i = 0; i < st->ages; i++) {
                lo = st->age[i] < lo ? st->age[i] : lo;
                hi = st->age[i] > hi ? st->age[i] : hi;
                sum += st->age[i];
            }
            CHECK(lo < hi && hi <= sweeps);
            /* Half a sweep is lost where a tile has read its halo but not yet published its edge.
             */
            CHECK_NEAR(sum / (double)st->ages, s - 0.25, 0.26);
            CHECK(same_field(run, FIELD, plain, FIELD));
            CHECK(!same_field(run, START, plain, FIELD));
        }
        CHECK_INT(run->ops->peek(run, sweeps, NULL), SS_OK); /* to the end */
        step_run(plain, 1);
        CHECK(same_field(run, START, plain, FIELD));
        step_run(run, 1);
        CHECK(same_field(run, FIELD, plain, FIELD));
        ss_run_close(run);
        ss_run_close(plain);
    }
}

/* A recorded order is replayed: tile after tile, or sweep after sweep. */
TEST(async, microscope_replays_an_order)
{
    for (int variant = 1; variant < 4; variant++) {
        char method[128];
        snprintf(method, sizeof method, "solver async variant %d alpha 4 block 40", variant);
        ss_run *run = open_join(GRID, method), *plain = open_join(GRID, method);
        ss_cpu_state *st = run->state;
        size_t sweeps = (size_t)run->iterations_per_cycle, tiles = st->ages;
        uint32_t *order = malloc(sweeps * tiles * sizeof *order);
        double *field[2];
        step_run(plain, 1);
        st->order = order;
        st->orders = sweeps * tiles;
        for (int by_sweep = 0; by_sweep < 2; by_sweep++) {
            for (size_t i = 0; i < sweeps * tiles; i++)
                order[i] = (uint32_t)(by_sweep ? i % tiles : i / sweeps);
            CHECK_INT(run->ops->peek(run, 1, NULL), SS_OK);
            for (size_t i = 0; i < tiles; i++) /* a fifth of the turns */
                if (by_sweep)
                    CHECK(st->age[i] <= 1);
                else
                    CHECK_INT(st->age[i], i < tiles / sweeps   ? (int)sweeps
                                          : i > tiles / sweeps ? 0
                                                               : st->age[i]);
            CHECK_INT(run->ops->peek(run, (int)sweeps, NULL), SS_OK);
            for (size_t i = 0; i < tiles; i++)
                CHECK_INT(st->age[i], (int)sweeps);
            CHECK((variant == 2) == same_field(run, START, plain, FIELD));
            field[by_sweep] = get_field(run, START);
        }
        size_t bytes = (size_t)run->problem.nx * (size_t)run->problem.ny * sizeof(double);
        CHECK((variant == 2) == (memcmp(field[0], field[1], bytes) == 0));
        free(field[0]);
        free(field[1]);
        ss_run_close(run); /* frees the order */
        ss_run_close(plain);
    }
}

/* --- effective iterations --------------------------------------------------------------------- */

/* T_eff / T for the accuracy that T = 1000 iterations of Jacobi have on the spike problem. */
static double worth(const char *method)
{
    SKIP_IF_SANITIZED();
    char text[256];
    ss_err err = {0};
    snprintf(text, sizeof text,
             "equation poisson2d %s n 256 problem spike backend cpu until-accuracy 0.1285174",
             method);
    ss_run *run = open_run(text);
    while (run->status == SS_RUNNING)
        CHECK_MSG(ss_run_step(run, 100, &err) == SS_OK, "%s", err.text);
    CHECK_INT(run->status, SS_CONVERGED);
    CHECK(run->accuracy <= 0.1285174 && run->accuracy_cycle == run->cycle);
    double teff = ss_run_teff(run) / 1000;
    /* Within the last launch. */
    CHECK(teff <= (double)run->iteration / 1000);
    CHECK(teff > (double)(run->iteration - run->iterations_per_cycle) / 1000);
    ss_run_close(run);
    return teff;
}

/* The quick test has the first alpha of each figure, the slow one all. */
static const int alphas[] = {2, 4, 6, 8, 16};
enum { ALPHAS = sizeof alphas / sizeof *alphas };

TEST_CALL(async_worth, accuracy_of_jacobi, CHECK_NEAR(worth("solver jacobi"), 1, 1e-6))

SLOW_TEST(async_worth, accuracy_of_jacobi_on_a_larger_grid)
{
    ss_run *run = open_run("equation poisson2d solver jacobi n 512 problem spike backend cpu "
                           "until-accuracy 0.1285174");
    while (run->status == SS_RUNNING)
        CHECK_INT(ss_run_step(run, 2000, NULL), SS_OK);
    CHECK_NEAR(run->teff, 1000, 1e-3);
    ss_run_close(run);
}

static void check_mute(int count, const char *tile, const double *want)
{
    for (int i = 0; i < count; i++) {
        char method[128];
        snprintf(method, sizeof method, "solver async variant 2 alpha %d %s", alphas[i], tile);
        CHECK_NEAR(worth(method), want[i], 6e-4);
    }
}

static const double flat_tiles[] = {1.115, 1.243, 1.380, 1.523, 2.129},
                    square_tiles[] = {1.069, 1.146, 1.228, 1.314, 1.679};

TEST_CALL(async_worth, without_exchange, check_mute(1, "block 64 block-y 8", flat_tiles))
TEST_CALL(async_worth, without_exchange_square, check_mute(1, "block 32 block-y 32", square_tiles))

SLOW_TEST(async_worth, without_exchange_at_every_alpha)
{
    check_mute(ALPHAS, "block 64 block-y 8", flat_tiles);
}

SLOW_TEST(async_worth, without_exchange_square_at_every_alpha)
{
    check_mute(ALPHAS, "block 32 block-y 32", square_tiles);
}

/* From all tiles in step to one tile after the other. */
static void check_band(int count, int variant, int seed, const double *lo, const double *hi)
{
    for (int i = 0; i < count; i++) {
        char method[128];
        snprintf(method, sizeof method,
                 "solver async variant %d alpha %d block 64 block-y 8 seed %d", variant, alphas[i],
                 seed);
        double got = worth(method);
        CHECK_MSG(got >= lo[i] && got <= hi[i], "%s: %g is not in [%g, %g]", method, got, lo[i],
                  hi[i]);
    }
}

static const double loose_lo[] = {1.000, 1.000, 1.000, 1.000, 1.000},
                    loose_hi[] = {1.009, 1.086, 1.086, 1.381, 1.381},
                    wild_lo[] = {.643, .600, .583, .574, .560},
                    wild_hi[] = {.976, 1.003, 1.045, 1.095, 1.337};

TEST_CALL(async_worth, with_exchange, check_band(1, 1, 1, loose_lo, loose_hi))
TEST_CALL(async_worth, in_place, check_band(1, 3, 1, wild_lo, wild_hi))

SLOW_TEST(async_worth, with_exchange_at_every_alpha)
{
    check_band(ALPHAS, 1, 1, loose_lo, loose_hi);
}

SLOW_TEST(async_worth, in_place_at_every_alpha)
{
    check_band(ALPHAS, 3, 1, wild_lo, wild_hi);
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Half-way through the last launch: ages count from the slowest tile, a cell shows the minimum. */
TEST(async, ages_are_shown)
{
    ss_run *run =
        open_join("equation poisson2d n 96 ny 64 seed 3 ", "solver async alpha 6 block 8");
    const ss_cpu_state *st = run->state;
    ss_view view = view_of(SS_AGE);
    ss_picture fine = new_picture(96, 64), coarse = new_picture(6, 4);
    take(run, &view, &fine);
    CHECK(fine.lo == 0 && fine.hi == 0); /* no tile has advanced yet */
    step_run(run, 2);
    take(run, &view, &fine);
    take(run, &view, &coarse);
    CHECK(fine.lo == 0 && fine.hi > 0 && fine.hi <= 7);
    int least = st->age[0];
    for (size_t i = 0; i < st->ages; i++)
        least = st->age[i] < least ? st->age[i] : least;
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 96; i++)
            CHECK_INT((int)cell_at(&fine, i, j), st->age[j / 8 * 12 + i / 8] - least);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 6; i++) {
            const int *a = st->age + 2 * j * 12 + 2 * i;
            double want = fmin(fmin(a[0], a[1]), fmin(a[12], a[13])) - least;
            CHECK_NEAR(cell_at(&coarse, i, j), want, 0);
        }
    CHECK_INT(ss_run_reset(run, NULL), SS_OK);
    take(run, &view, &fine);
    CHECK(fine.lo == 0 && fine.hi == 0);
    free_picture(&fine);
    free_picture(&coarse);
    ss_run_close(run);
}
