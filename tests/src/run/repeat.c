/*
 * The last cycle once more, with other settings: its field is that of a run whose last cycle had
 * these settings, nothing is counted, and the counted field comes back bit for bit.
 */
#include "src/run/checkpoint.h"

#include "tests/fields.h"

static ss_run *stepped(const char *settings, int64_t cycles)
{
    ss_err err = {0};
    ss_run *run = open_run(settings);
    CHECK_MSG(ss_run_step(run, cycles, &err) == SS_OK, "%s", err.text);
    return run;
}

static void configure(ss_run *run, const char *settings)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, settings);
    CHECK_MSG(ss_run_configure(run, &cfg, &err) == SS_OK, "%s", err.text);
}

static void repeat(ss_run *run, const ss_repeat *r)
{
    ss_err err = {0};
    CHECK_MSG(ss_repeat_cycle(run, r, &err) == SS_OK, "%s", err.text);
    CHECK(run->repeated && run->start_kept);
}

static void has_field(ss_run *run, const char *field)
{
    char *now = ss_field_download(run);
    CHECK(now && memcmp(now, field, ss_field_bytes(run)) == 0);
    free(now);
}

static void has_start(ss_run *run, const char *field)
{
    char *start = ss_field_copy(run, 2, NULL);
    CHECK(start && memcmp(start, field, ss_field_bytes(run)) == 0);
    free(start);
}

static void same_counters(const ss_run *a, const ss_run *b)
{
    CHECK_INT(a->cycle, b->cycle);
    CHECK_INT(a->iteration, b->iteration);
    CHECK_INT(a->residual_cycle, b->residual_cycle);
    CHECK(memcmp(&a->residual, &b->residual, sizeof a->residual) == 0);
    CHECK(memcmp(&a->total, &b->total, sizeof a->total) == 0);
    CHECK(memcmp(&a->seconds_solve, &b->seconds_solve, sizeof a->seconds_solve) == 0);
    CHECK_INT((long long)a->history.count, (long long)b->history.count);
    CHECK_INT(a->history.nmark, b->history.nmark);
    CHECK_INT(a->status, b->status);
}

/* from: the settings of all counted cycles; to: those of the repeated one. */
static void repeats(const char *from, const char *to)
{
    enum { CYCLES = 6 };
    ss_run *run = stepped(from, CYCLES), *other = stepped(from, CYCLES - 1);
    char *counted = ss_field_download(run), *start = ss_field_download(other), *expected;
    ss_repeat *r = ss_repeat_keep(run);
    CHECK(r != NULL);
    const ss_run before = *run;
    configure(other, to);
    ss_err err = {0};
    CHECK(ss_run_step(other, 1, &err) == SS_OK);
    expected = ss_field_download(other);

    configure(run, to);
    repeat(run, r);
    has_field(run, expected);
    has_start(run, start);
    same_counters(run, &before);
    CHECK(!ss_repeat_keep(run)); /* a repeated field is not the run's */

    configure(run, from);
    repeat(run, r);
    CHECK(memcmp(counted, expected, ss_field_bytes(run)) != 0);
    has_field(run, counted);
    has_start(run, start);
    configure(run, to);
    repeat(run, r);
    CHECK(ss_repeat_return(run, r, &err) == SS_OK && !run->repeated);
    has_field(run, counted);
    same_counters(run, &before);

    ss_repeat_free(r);
    free(counted), free(start), free(expected);
    ss_run_close(run);
    ss_run_close(other);
}

#define PLANE "equation poisson2d n 61 ny 47 problem random "
#define SHARED PLANE "solver shared block 16 "
#define CUBES "equation poisson3d patch 8 px 2 problem random "

TEST(repeat, settings_of_shared_memory)
{
    repeats(SHARED "k 5", SHARED "k 8");
    repeats(SHARED "k 5", SHARED "k 5 overlap 4");
    repeats(SHARED "k 5", PLANE "solver shared block 24 k 5");
    repeats(SHARED "k 5 precision f32", SHARED "k 7 precision f32");
}

/* The order of the tiles follows from the seed and the number of the cycle. */
TEST(repeat, another_solver)
{
    repeats(SHARED "k 5", PLANE "solver jacobi");
    repeats(PLANE "solver jacobi", SHARED "k 5");
    repeats(SHARED "k 5", PLANE "solver async block 16 alpha 4");
    repeats(PLANE "solver async block 16 alpha 4", SHARED "k 5");
    repeats("equation poisson1d solver shared n 203 k 7 block 32",
            "equation poisson1d solver shared n 203 k 7 block 64 overlap 6");
}

/* block-gs updates its field in place. */
TEST(repeat, blocks_of_cells)
{
    repeats(CUBES "solver block-gs bx 2", CUBES "solver block-gs bx 4");
    repeats(CUBES "solver block-gs bx 2", CUBES "solver block-jacobi bx 2");
    repeats(CUBES "solver block-jacobi bx 2", CUBES "solver block-gs bx 2");
}

/* The search directions of one variant of CG do not fit another one: it starts from the field. */
static void starts_again(const char *from, const char *to)
{
    ss_err err = {0};
    ss_run *run = stepped(from, 6), *other = stepped(from, 6);
    char *copy = ss_field_download(run);
    change_run(run, "variant", to);
    CHECK(ss_run_step(run, 2, &err) == SS_OK && ss_field_upload(run, copy, &err) == SS_OK);
    change_run(other, "variant", to);
    CHECK(ss_run_step(run, 3, &err) == SS_OK && ss_run_step(other, 3, &err) == SS_OK);
    char *expected = ss_field_download(other);
    has_field(run, expected);
    free(copy), free(expected);
    ss_run_close(run);
    ss_run_close(other);
}

TEST(repeat, variants_of_conjugate_gradients)
{
    starts_again(PLANE "solver cg variant classic", "pipelined");
    starts_again(PLANE "solver cg variant pipelined", "classic");
    starts_again(PLANE "solver cg variant classic", "s-step"); /* as many vectors */
    starts_again(PLANE "solver cg variant s-step", "classic");
}

TEST(repeat, needs_the_start_of_the_cycle)
{
    ss_err err = {0};
    ss_run *run = stepped(PLANE "solver shared k 3", 0);
    CHECK(!ss_repeat_keep(run));
    CHECK(ss_run_step(run, 2, &err) == SS_OK && ss_run_tick(run, &err) == SS_OK);
    CHECK(!ss_repeat_keep(run));
    CHECK(ss_run_step(run, 1, &err) == SS_OK);
    change_run(run, "k", "4");
    CHECK(!ss_repeat_keep(run));
    ss_run_close(run);
    run = stepped("equation heat1d solver stepper n 64", 2);
    CHECK(!ss_repeat_keep(run));
    ss_run_close(run);
}
