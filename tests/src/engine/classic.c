/*
 * The classic run beside the shown one: its curve is that of a run of its own, a change of
 * settings keeps it, equal and unequal bits are told apart, and it runs only while a picture is
 * shown.
 */
#include <unistd.h>

#include "tests/engines.h"

static ss_engine *watched_engine(const char *equation, const char *solver, const char *const *pairs)
{
    static const ss_view view = {
        .seq = 1, .w = 8, .h = 8, .probe_x = -1, .probe_y = -1, .tile_x = -1, .tile_y = -1};
    ss_config cfg = config(equation, solver, pairs);
    ss_engine *e = engine_for(&cfg);
    ss_engine_view(e, &view);
    return e;
}

#define ODD "backend", "cpu", "n", "67", "ny", "41", "problem", "random"

/* The residuals, iterations and bytes of the curve, against a Jacobi run. */
static void check_curve(const ss_beside *b, int64_t iterations)
{
    ss_err err = {0};
    ss_config cfg = config("poisson2d", "jacobi", PAIRS(ODD));
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    CHECK(ss_run_step(run, iterations, &err) == SS_OK && ss_run_settle(run, &err) == SS_OK);
    CHECK_INT(b->n, iterations + 1);
    CHECK_INT(run->history.count, iterations + 1);
    for (int i = 0; i < b->n; i++) {
        const ss_point *p = &run->history.point[i];
        CHECK_INT(b->curve[i].iteration, p->iteration);
        CHECK_NEAR(b->curve[i].residual, p->residual, 1e-12 * p->residual);
        CHECK(memcmp(&b->curve[i].bytes, &p->bytes, sizeof p->bytes) == 0);
    }
    CHECK(memcmp(&b->residual0, &run->residual0, sizeof b->residual0) == 0);
    ss_run_close(run);
}

TEST(classic, its_curve_is_that_of_a_run_of_its_own)
{
    ss_engine *e = watched_engine("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "3"));
    const ss_snapshot *s = send_lines(e, LINES("step 5"));
    CHECK(s->beside.wanted && !s->beside.behind);
    check_curve(&s->beside, 15);
    s = send_lines(e, LINES("step 2"));
    check_curve(&s->beside, 21);
    ss_engine_free(e);
}

/* Restarted, or with another k: the same curve, up to the run's own iteration. */
TEST(classic, its_curve_is_kept)
{
    ss_engine *e = watched_engine("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "3"));
    const ss_snapshot *s = send_lines(e, LINES("step 9", "reset", "set k 5", "step 2"));
    check_curve(&s->beside, 10);
    s = send_lines(e, LINES("set solver async", "step 1"));
    CHECK(s->beside.n > 10);
    s = send_lines(e, LINES("set solver jacobi", "step 1"));
    CHECK(!s->beside.wanted && s->beside.n == 0);
    s = send_lines(e, LINES("set solver shared", "classic off"));
    CHECK(!s->beside.wanted && s->beside.n == 0);
    s = send_lines(e, LINES("classic on"));
    CHECK(s->beside.wanted && s->beside.n > 10);
    ss_engine_free(e);
}

/* A curve that is kept from an earlier run with more iterations is shown without another command.
 */
TEST(classic, a_kept_curve_is_shown_at_once)
{
    static const ss_view view = {
        .seq = 1, .w = 8, .h = 8, .probe_x = -1, .probe_y = -1, .tile_x = -1, .tile_y = -1};
    ss_config cfg = config("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "3"));
    ss_engine_setup setup = {.cfg = &cfg, .interactive = true, .paused = true};
    ss_engine *e = engine_start(&setup);
    bool fresh;
    ss_engine_view(e, &view);
    send_lines(e, LINES("step 200"));
    const ss_snapshot *s = ss_engine_take(e, &fresh);
    for (int wait = 0; wait < 500 && s->beside.n < 200; wait++) {
        ss_engine_want(e);
        usleep(10000);
        s = ss_engine_take(e, &fresh);
    }
    CHECK(s->beside.n >= 200);
    s = send_lines(e, LINES("set k 5", "reset", "step 2"));
    for (int wait = 0; wait < 500 && s->beside.n < 11; wait++) {
        ss_engine_want(e);
        usleep(10000);
        s = ss_engine_take(e, &fresh);
    }
    CHECK_INT(s->beside.n, 11);
    ss_engine_free(e);
}

ENGINE_TEST(classic, nobody_watches_nothing_is_computed, "poisson2d", "shared", ODD, "block", "16",
            "k", "3")
{
    const ss_snapshot *s = send_lines(e, LINES("step 5"));
    CHECK(!s->beside.wanted && s->beside.n == 0 && !s->beside.pair.checked);
}

TEST(classic, a_painted_start_has_no_curve)
{
    ss_engine *e = watched_engine("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "3"));
    const ss_snapshot *s = send_lines(e, LINES("paint 20 20 5 1", "step 5"));
    CHECK(s->beside.n == 0 && s->beside.pair.checked);
    s = send_lines(e, LINES("reset", "step 5"));
    check_curve(&s->beside, 15);
    ss_engine_free(e);
}

static void check_bits(const char *equation, const char *solver, const char *const *pairs,
                       bool equal)
{
    ss_engine *e = watched_engine(equation, solver, pairs);
    const ss_snapshot *s = send_lines(e, LINES("step 3"));
    const ss_beside_pair *p = &s->beside.pair;
    CHECK_MSG(p->checked, "%s %s", equation, solver);
    CHECK_MSG(p->equal == equal, "%s %s: %d", equation, solver, p->equal);
    CHECK(!p->timed && p->compared > 0); /* deterministic: no clock */
    ss_engine_free(e);
}

/* Exact from 2(k-1) = 6 on. */
TEST(classic, equal_bits_are_found_where_they_are_equal)
{
    check_bits("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "4", "overlap", "6"), true);
    check_bits("poisson2d", "shared",
               PAIRS(ODD, "block", "16", "k", "4", "overlap", "6", "precision", "f32"), true);
    check_bits("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "4", "overlap", "4"), false);
    check_bits("poisson2d", "async", PAIRS(ODD, "block", "16", "alpha", "3"), false);
    check_bits("heat1d", "swept", PAIRS("backend", "cpu", "n", "128", "block", "16"), true);
    check_bits("ks1d", "swept", PAIRS("backend", "cpu", "n", "120", "block", "20"), true);
    check_bits("euler1d", "swept", PAIRS("backend", "cpu", "n", "128", "block", "16"), true);
}

/* The watched run itself is not advanced, changed or timed by the comparison. */
TEST(classic, the_run_is_left_alone)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "3"));
    ss_engine *watched = watched_engine("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "3"));
    ss_engine *alone = engine_for(&cfg);
    send_lines(watched, LINES("step 5", "step 5"));
    send_lines(alone, LINES("step 10"));
    same_state(watched, alone);
}

static bool reaches(const ss_beside *b, int64_t iteration)
{
    return b->n > 0 && b->curve[b->n - 1].iteration == iteration;
}

/* With a clock: the pair is timed, and the curve catches up once the run rests; the norm of its
 * last field comes a turn later. */
TEST(classic, a_live_run_is_timed_against_classic)
{
    static const ss_view view = {
        .seq = 1, .w = 8, .h = 8, .probe_x = -1, .probe_y = -1, .tile_x = -1, .tile_y = -1};
    ss_config cfg = config("poisson2d", "shared", PAIRS(ODD, "block", "16", "k", "3"));
    ss_engine_setup setup = {.cfg = &cfg, .interactive = true, .paused = true};
    ss_engine *e = engine_start(&setup);
    const ss_snapshot *s = send_lines(e, LINES("step 200"));
    ss_engine_view(e, &view);
    for (int i = 0; i < 20000 && !(s->beside.pair.timed && reaches(&s->beside, 600)); i++) {
        bool fresh;
        usleep(1000);
        ss_engine_want(e);
        s = ss_engine_take(e, &fresh);
    }
    CHECK(s->beside.pair.timed && s->beside.pair.checked && !s->beside.pair.equal);
    CHECK(s->beside.pair.own > 0 && s->beside.pair.classic > 0);
    CHECK(reaches(&s->beside, 600) && !s->beside.behind);
    CHECK_INT((int)s->telemetry.value[SS_T_CYCLE], 200);
    ss_engine_free(e);
}
