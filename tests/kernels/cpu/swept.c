/* The swept rule only changes the order of the updates: at the end of a cycle it equals classic
 * stepping bit for bit. From random fields, for every equation, with any blocks, threads,
 * precision, instructions and stores. */
#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/geom/swept.h"
#include "tests/fields.h"

static ss_run *open_join(const char *problem, const char *method)
{
    char text[512];
    snprintf(text, sizeof text, "%s %s", problem, method);
    return open_run(text);
}

/* --- random starts ---------------------------------------------------------------------------- */

static double noise(int f, int i)
{
    return ss_random_unit(17 + (uint64_t)f, (uint64_t)i);
}

static double heat_noise(const ss_run *run, int f, int i)
{
    (void)run;
    return noise(f, i);
}

static double ks_noise(const ss_run *run, int f, int i)
{
    (void)run;
    return 2 * noise(f, i) - 1;
}

/* Density and pressure in [1/2, 3/2), velocity in [-1/2, 1/2). */
static double euler_noise(const ss_run *run, int f, int i)
{
    double r = 0.5 + noise(0, i), u = noise(1, i) - 0.5, p = 0.5 + noise(2, i);
    double q[3] = {r, r * u, p / 0.4 + 0.5 * r * u * u};
    (void)run;
    return q[f];
}

typedef struct system_under_test {
    const char *equation;
    double (*start)(const ss_run *run, int f, int i);
} system_t;

static const system_t systems[] = {{"heat1d", heat_noise},
                                   {"ks1d", ks_noise},
                                   {"euler1d limiter minmod", euler_noise},
                                   {"euler1d limiter none", euler_noise},
                                   {"euler1d limiter as-printed", euler_noise}};
#define SYSTEMS (sizeof systems / sizeof *systems)

static ss_run *open_random(const system_t *y, const char *method, const char *settings)
{
    char problem[128];
    /* The solver's name comes first: later names may be its own. */
    snprintf(problem, sizeof problem, "equation %s solver %s", y->equation, method);
    ss_run *run = open_join(problem, settings);
    set_fields(run, y->start);
    return run;
}

static int steps_a_cycle(const ss_run *run)
{
    return run->iterations_per_cycle / run->eq->nstage;
}

/* Without the checks of a run: noise may diverge, and the bits agree all the same. */
static void step_unchecked(ss_run *run, int64_t cycles)
{
    CHECK_INT(run->ops->step(run, cycles, NULL), SS_OK);
}

/* True if `cycles` cycles of swept, then `more` steps, equal the same steps of classic stepping. */
static bool agrees(const system_t *y, const char *swept, const char *problem, int cycles, int more)
{
    char settings[160];
    snprintf(settings, sizeof settings, "%s %s", problem, swept);
    ss_run *a = open_random(y, "swept", settings), *b = open_random(y, "stepper", problem);
    step_unchecked(a, cycles);
    step_unchecked(b, (int64_t)cycles * steps_a_cycle(a) + more);
    bool equal = equal_fields(a, FIELD, b, FIELD);
    CHECK_INT(a->step + more, b->step);
    CHECK_NEAR(a->time, (double)a->step * a->problem.dt, 1e-12 * a->time);
    ss_run_close(a);
    ss_run_close(b);
    return equal;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* Odd heights (block 12 at radius 2), one node only, the smallest ones. */
static const struct {
    const char *n;
    const char *blocks[6];
} sizes[] = {{"n 8", {"4", "8"}},
             {"n 64", {"4", "8", "16", "32", "64"}},
             {"n 96", {"12", "24", "32", "48", "96"}},
             {"n 1000", {"8", "20", "40", "200", "1000"}},
             {"n 1036", {"28", "148"}}};

static void check_sizes(const system_t *y, const char *also)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < 6 && sizes[i].blocks[k]; k++)
            for (int cycles = 1; cycles <= (CHECK_SANITIZED ? 2 : 3); cycles++) {
                char problem[96], block[32];
                snprintf(problem, sizeof problem, "%s %s", sizes[i].n, also);
                snprintf(block, sizeof block, "block %s", sizes[i].blocks[k]);
                CHECK_MSG(agrees(y, block, problem, cycles, 0), "%s %s %s", y->equation, problem,
                          block);
            }
}

SLOW_TEST(swept, equals_stepping)
{
    for (size_t i = 0; i < SYSTEMS; i++)
        check_sizes(&systems[i], "precision f64");
}

TEST(swept, equals_stepping_in_single_precision)
{
    for (size_t i = 0; i < SYSTEMS; i++)
        check_sizes(&systems[i], "precision f32");
}

/* First order alone: the triangle narrows by two points per level. */
TEST(swept, heights_of_first_order)
{
    static const char *const blocks[] = {"block 2", "block 6", "block 14", "block 42"};
    for (int i = 0; i < 4; i++)
        CHECK_MSG(agrees(&systems[0], blocks[i], "n 84", 2, 0), "%s", blocks[i]);
}

TEST(swept, a_step_more_differs)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        CHECK(!agrees(&systems[i], "block 16", "n 64", 2, 1));
        CHECK(!agrees(&systems[i], "block 16", "n 64", 2, -1));
    }
}

static void check_large_fields(int n, int nblock)
{
    static const char *const blocks[] = {"block 32", "block 512", "block 4096", "block 16384"};
    static const char *const how[] = {"threads 1", "threads 2", "threads 3 precision f32",
                                      "threads 3"};
    for (size_t i = 0; i < SYSTEMS; i++)
        for (int b = 0; b < nblock; b++) {
            char problem[64];
            snprintf(problem, sizeof problem, "n %d %s", n, how[(b + i) % 4]);
            CHECK_MSG(agrees(&systems[i], blocks[b], problem, 1, 0), "%s %s %s",
                      systems[i].equation, problem, blocks[b]);
        }
}

TEST(swept, large_fields_and_threads)
{
    check_large_fields(4096, CHECK_SANITIZED ? 2 : 3);
}

SLOW_TEST(swept, larger_fields_and_threads)
{
    check_large_fields(16384, 4);
}

/* Enough points that classic stepping has work for three threads, too. */
static void check_stepping_threads(const char *block, size_t nsystem)
{
    static const char *const how[] = {"", "precision f32", "threads 1", "threads 2", "threads 3"};
    for (size_t i = 0; i < nsystem; i++) {
        ss_run *first = NULL;
        for (int h = 0; h < 5; h += 1 + (h == 0)) {
            char settings[64];
            snprintf(settings, sizeof settings, "n 200100 %s", how[h]);
            ss_run *run = open_random(&systems[i], "stepper", settings);
            step_run(run, 3);
            if (first)
                CHECK(equal_fields(first, FIELD, run, FIELD));
            if (first)
                ss_run_close(run);
            else
                first = run;
        }
        CHECK(agrees(&systems[i], block, "n 200100 threads 3", 1, 0));
        CHECK(agrees(&systems[i], block, "n 200100 threads 3 precision f32", 1, 0));
        ss_run_close(first);
    }
}

TEST(swept, stepping_by_several_threads)
{
    if (CHECK_SANITIZED)
        check_stepping_threads("block 20", 3);
    else
        check_stepping_threads("block 300", 1);
}

SLOW_TEST(swept, stepping_of_every_equation_by_several_threads)
{
    check_stepping_threads("block 2300", 3);
}

TEST(swept, stores_past_the_caches)
{
    static const char *const how[] = {"precision f64", "precision f32", "threads 3"};
    for (size_t i = 0; i < SYSTEMS; i++)
        for (int h = 0; h < 3; h++) {
            char settings[64];
            snprintf(settings, sizeof settings, "n 140012 %s", how[h]);
            ss_run *a = open_random(&systems[i], "stepper", settings);
            ss_run *b = open_random(&systems[i], "stepper", settings);
            ((ss_cpu_state *)a->state)->stream = true;
            ((ss_cpu_state *)b->state)->stream = false;
            step_run(a, 3);
            step_run(b, 3);
            CHECK(equal_fields(a, FIELD, b, FIELD));
            ss_run_close(a);
            ss_run_close(b);
        }
}

TEST(swept, every_instruction_set)
{
    ss_isa best = ss_isa_level();
    for (size_t i = 0; i < SYSTEMS; i++)
        for (int p = 0; p < 2; p++) {
            const char *problem = p ? "n 1000 precision f32" : "n 1000 precision f64";
            ss_isa_limit(SS_ISA_PLAIN);
            ss_run *plain = open_random(&systems[i], "stepper", problem);
            step_unchecked(plain, 40);
            for (int isa = SS_ISA_PLAIN; isa <= (int)best; isa++) {
                ss_isa_limit((ss_isa)isa);
                ss_run *run = open_random(&systems[i], "stepper", problem);
                step_unchecked(run, 40);
                CHECK_MSG(equal_fields(plain, FIELD, run, FIELD), "%s %s", systems[i].equation,
                          ss_isa_name((ss_isa)isa));
                CHECK(agrees(&systems[i], "block 40", problem, 2, 0));
                ss_run_close(run);
            }
            ss_isa_limit(SS_NISA - 1);
            ss_run_close(plain);
        }
}

/* --- interrupted cycles ----------------------------------------------------------------------- */

TEST(swept, step_by_step_or_at_once)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        ss_run *a = open_random(&systems[i], "swept", "n 480 block 24");
        ss_run *b = open_random(&systems[i], "swept", "n 480 block 24");
        step_run(a, 7);
        for (int c = 0; c < 7; c++)
            step_run(b, c % 3);
        CHECK_INT(b->cycle, 6);
        step_run(b, 1);
        CHECK(equal_fields(a, FIELD, b, FIELD));
        ss_run_close(a);
        ss_run_close(b);
    }
}

/* Between cycles every setting may change; the field stays. */
TEST(swept, block_and_solver_change_while_running)
{
    static const char *const changes[][2] = {
        {"block", "16"},     {"threads", "2"}, {"solver", "stepper"}, {"threads", "1"},
        {"solver", "swept"}, {"block", "120"}, {"block", "480"}};
    ss_err err = {0};
    for (size_t i = 0; i < 3; i++) {
        ss_run *run = open_random(&systems[i], "swept", "n 480 block 24");
        ss_run *stepper = open_random(&systems[i], "stepper", "n 480");
        step_run(run, 3);
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
            ss_config cfg = run->cfg;
            double *before = get_fields(run, FIELD);
            CHECK_INT(ss_config_set(&cfg, changes[c][0], changes[c][1], &err), SS_OK);
            CHECK_MSG(ss_run_configure(run, &cfg, &err) == SS_OK, "%s", err.text);
            double *after = get_fields(run, FIELD);
            CHECK(memcmp(before, after, 480 * sizeof *before) == 0);
            free(before);
            free(after);
            step_run(run, 2);
            step_run(stepper, run->step - stepper->step);
            CHECK_MSG(equal_fields(run, FIELD, stepper, FIELD), "%s: %s %s", systems[i].equation,
                      changes[c][0], changes[c][1]);
        }
        ss_run_close(run);
        ss_run_close(stepper);
    }
}

/* An abandoned cycle ends with every point on one level. */
TEST(swept, abandoned_between_cycles)
{
    atomic_bool abandon = true;
    for (size_t i = 0; i < SYSTEMS; i++) {
        ss_run *a = open_random(&systems[i], "swept", "n 480 block 24");
        ss_run *b = open_random(&systems[i], "stepper", "n 480");
        a->abandon = &abandon;
        CHECK_INT(ss_run_step(a, 1000, NULL), SS_OK);
        CHECK(a->cycle < 3);
        step_run(b, a->step);
        CHECK(equal_fields(a, FIELD, b, FIELD));
        ss_run_close(a);
        ss_run_close(b);
    }
}

/* --- the microscope --------------------------------------------------------------------------- */

/* The fields of every level from the start to level `last`, from classic stepping; each nfield * n.
 * The level within a step is what its peek shows. */
static double **levels_of(const system_t *y, const char *problem, int last)
{
    double **levels = calloc((size_t)last + 1, sizeof *levels);
    ss_run *run = open_random(y, "stepper", problem);
    for (int l = 0; l <= last; l++) {
        bool between = l % run->eq->nstage != 0;
        if (between)
            CHECK_INT(run->ops->peek(run, 1, NULL), SS_OK);
        levels[l] = get_fields(run, between ? START : FIELD);
        if ((l + 1) % run->eq->nstage == 0)
            step_run(run, 1);
    }
    ss_run_close(run);
    return levels;
}

/* The last level of a point after that many ticks: each level of each diamond, all nodes at once.
 */
static int newest(ss_swept s, int ticks, int i)
{
    int level = 0;
    for (int64_t d = 0; d <= 2; d++)
        for (int l = ss_swept_first(s, d); l < ss_swept_end(s, d, 2) && ticks > 0; l++, ticks--) {
            int64_t here = ss_swept_level(s, d, l);
            level = ss_swept_diamond(s, here, i) == d ? (int)here : level;
        }
    return level;
}

static void check_tick(ss_run *run, ss_swept s, int ticks, double **levels)
{
    double *u = get_fields(run, START);
    for (int f = 0; f < run->eq->nfield; f++)
        for (int i = 0; i < s.n; i++) {
            size_t at = (size_t)f * (size_t)s.n + (size_t)i;
            CHECK_MSG(memcmp(&u[at], &levels[newest(s, ticks, i)][at], sizeof *u) == 0,
                      "%s: tick %d, point %d", run->eq->name, ticks, i);
        }
    free(u);
}

static void check_ticks(const system_t *y, const char *problem, const char *block)
{
    char settings[128];
    snprintf(settings, sizeof settings, "%s block %s", problem, block);
    ss_run *run = open_random(y, "swept", settings);
    ss_swept s = ss_swept_make(run->problem.nx, atoi(block), run->eq->radius);
    CHECK(s.height > 0);
    double **levels = levels_of(y, problem, 2 * s.height);
    CHECK_INT(run->ticks_per_cycle, 4 * s.height - 2);
    for (int t = 1; t < run->ticks_per_cycle; t++) {
        CHECK_INT(ss_run_tick(run, NULL), SS_OK);
        CHECK_INT(run->peek, t);
        CHECK_INT(run->cycle, 0);
        check_tick(run, s, t, levels);
        double *start = get_fields(run, FIELD);
        CHECK(levels[0] != NULL);
        CHECK(memcmp(start, levels[0], (size_t)s.n * sizeof *start) == 0);
        free(start);
    }
    CHECK_INT(ss_run_tick(run, NULL), SS_OK); /* the last one ends the cycle */
    CHECK_INT(run->cycle, 1);
    double *end = get_fields(run, FIELD);
    CHECK(memcmp(end, levels[2 * s.height], (size_t)s.n * sizeof *end) == 0);
    free(end);
    for (int l = 0; l <= 2 * s.height; l++)
        free(levels[l]);
    free(levels);
    ss_run_close(run);
}

TEST(swept, ticks_show_what_the_geometry_says)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_ticks(&systems[i], "n 96 precision f64", "24");
        check_ticks(&systems[i], "n 96 precision f32", "12"); /* odd heights */
        check_ticks(&systems[i], "n 48 precision f64", "48"); /* one node */
        check_ticks(&systems[i], "n 8 precision f64", "4");
    }
}
