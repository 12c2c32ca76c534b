/*
 * The last cycle once more, with other settings: its field is that of a run whose last cycle had
 * these settings, nothing is counted, and the counted field comes back bit for bit.
 */
#include "src/run/checkpoint.h"

#include "tests/engines.h"

static ss_run *stepped(const ss_config *cfg, int64_t cycles)
{
    ss_err err = {0};
    ss_run *run = ss_run_open(cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    CHECK_MSG(ss_run_step(run, cycles, &err) == SS_OK, "%s", err.text);
    return run;
}

static void configure(ss_run *run, const ss_config *cfg)
{
    ss_err err = {0};
    CHECK_MSG(ss_run_configure(run, cfg, &err) == SS_OK, "%s", err.text);
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
    char *start = ss_field_download_start(run);
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
static void repeats(const ss_config *from, const ss_config *to)
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
    if (from->v[0].i == to->v[0].i)
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

#define PLANE "n", "61", "ny", "47", "problem", "random"

TEST(repeat, settings_of_shared_memory)
{
    ss_config from = config("poisson2d", "shared", PAIRS(PLANE, "block", "16", "k", "5"));
    ss_config k = config("poisson2d", "shared", PAIRS(PLANE, "block", "16", "k", "8"));
    ss_config overlap =
        config("poisson2d", "shared", PAIRS(PLANE, "block", "16", "k", "5", "overlap", "4"));
    ss_config block = config("poisson2d", "shared", PAIRS(PLANE, "block", "24", "k", "5"));
    ss_config single =
        config("poisson2d", "shared", PAIRS(PLANE, "block", "16", "k", "5", "precision", "f32"));
    ss_config single_k =
        config("poisson2d", "shared", PAIRS(PLANE, "block", "16", "k", "7", "precision", "f32"));
    repeats(&from, &k);
    repeats(&from, &overlap);
    repeats(&from, &block);
    repeats(&single, &single_k);
}

/* The order of the tiles follows from the seed and the number of the cycle. */
TEST(repeat, another_solver)
{
    ss_config shared = config("poisson2d", "shared", PAIRS(PLANE, "block", "16", "k", "5"));
    ss_config jacobi = config("poisson2d", "jacobi", PAIRS(PLANE));
    ss_config async = config("poisson2d", "async", PAIRS(PLANE, "block", "16", "alpha", "4"));
    repeats(&shared, &jacobi);
    repeats(&jacobi, &shared);
    repeats(&shared, &async);
    repeats(&async, &shared);
    ss_config line = config("poisson1d", "shared", PAIRS("n", "203", "k", "7", "block", "32"));
    ss_config wide =
        config("poisson1d", "shared", PAIRS("n", "203", "k", "7", "block", "64", "overlap", "6"));
    repeats(&line, &wide);
}

/* block-gs updates its field in place. */
TEST(repeat, blocks_of_cells)
{
    ss_config gs = config("poisson3d", "block-gs",
                          PAIRS("patch", "8", "px", "2", "problem", "random", "bx", "2"));
    ss_config larger = config("poisson3d", "block-gs",
                              PAIRS("patch", "8", "px", "2", "problem", "random", "bx", "4"));
    ss_config jacobi = config("poisson3d", "block-jacobi",
                              PAIRS("patch", "8", "px", "2", "problem", "random", "bx", "2"));
    repeats(&gs, &larger);
    repeats(&gs, &jacobi);
    repeats(&jacobi, &gs);
}

/* The search directions of one variant of CG do not fit another one: it starts from the field. */
static void starts_again(const ss_config *from, const ss_config *to)
{
    ss_err err = {0};
    ss_run *run = stepped(from, 6), *other = stepped(from, 6);
    char *copy = ss_field_download(run);
    configure(run, to);
    CHECK(ss_run_step(run, 2, &err) == SS_OK && ss_field_upload(run, copy, &err) == SS_OK);
    configure(other, to);
    CHECK(ss_run_step(run, 3, &err) == SS_OK && ss_run_step(other, 3, &err) == SS_OK);
    char *expected = ss_field_download(other);
    has_field(run, expected);
    free(copy), free(expected);
    ss_run_close(run);
    ss_run_close(other);
}

TEST(repeat, variants_of_conjugate_gradients)
{
    ss_config classic = config("poisson2d", "cg", PAIRS(PLANE, "variant", "classic"));
    ss_config pipelined = config("poisson2d", "cg", PAIRS(PLANE, "variant", "pipelined"));
    ss_config steps = config("poisson2d", "cg", PAIRS(PLANE, "variant", "s-step"));
    starts_again(&classic, &pipelined);
    starts_again(&pipelined, &classic);
    starts_again(&classic, &steps); /* as many vectors, with another meaning */
    starts_again(&steps, &classic);
}

TEST(repeat, needs_the_start_of_the_cycle)
{
    ss_err err = {0};
    ss_config cfg = config("poisson2d", "shared", PAIRS(PLANE, "k", "3"));
    ss_config other = config("poisson2d", "shared", PAIRS(PLANE, "k", "4"));
    ss_run *run = stepped(&cfg, 0);
    CHECK(!ss_repeat_keep(run));
    CHECK(ss_run_step(run, 2, &err) == SS_OK && ss_run_tick(run, &err) == SS_OK);
    CHECK(!ss_repeat_keep(run));
    CHECK(ss_run_step(run, 1, &err) == SS_OK);
    configure(run, &other);
    CHECK(!ss_repeat_keep(run));
    ss_run_close(run);
    ss_config heat = config("heat1d", "stepper", PAIRS("n", "64"));
    run = stepped(&heat, 2);
    CHECK(!ss_repeat_keep(run));
    ss_run_close(run);
}
