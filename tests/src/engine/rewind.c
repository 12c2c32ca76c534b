/*
 * Rewinding: the state is that of the earlier cycle, and continuing from there gives the same bits
 * as never having rewound, in field, counters, curve and journal; a change drops the cycles ahead;
 * a cycle that cannot be reached is reported.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/engines.h"

static void same_points(const ss_history *a, const ss_history *b)
{
    CHECK_INT((long long)a->count, (long long)b->count);
    for (size_t i = 0; i < a->count; i++) {
        CHECK_INT(a->point[i].cycle, b->point[i].cycle);
        CHECK_INT(a->point[i].iteration, b->point[i].iteration);
        CHECK_MSG(
            memcmp(&a->point[i].bytes, &b->point[i].bytes, sizeof(double)) == 0 &&
                memcmp(&a->point[i].residual, &b->point[i].residual, sizeof(double)) == 0 &&
                memcmp(&a->point[i].time, &b->point[i].time, sizeof(double)) == 0 &&
                memcmp(a->point[i].monitor, b->point[i].monitor, sizeof a->point[i].monitor) == 0,
            "point %zu of the curve, cycle %lld: %.17g and %.17g", i, (long long)a->point[i].cycle,
            a->point[i].residual, b->point[i].residual);
    }
    CHECK_INT(a->nmark, b->nmark);
    for (int i = 0; i < a->nmark; i++) {
        CHECK_STR(a->mark[i].text, b->mark[i].text);
        CHECK_INT(a->mark[i].at.cycle, b->mark[i].at.cycle);
    }
}

static void same_counters(ss_engine *a, ss_engine *b)
{
    ss_engine_stop(a);
    ss_engine_stop(b);
    const ss_run *x = ss_engine_run(a), *y = ss_engine_run(b);
    CHECK_INT(x->iteration, y->iteration);
    CHECK(memcmp(&x->time, &y->time, sizeof x->time) == 0);
    CHECK(memcmp(&x->total, &y->total, sizeof x->total) == 0);
    CHECK(memcmp(&x->residual, &y->residual, sizeof x->residual) == 0);
    CHECK(memcmp(&x->residual0, &y->residual0, sizeof x->residual0) == 0);
    CHECK_INT(x->residual_cycle, y->residual_cycle);
    CHECK_INT(x->reached, y->reached);
    CHECK_INT(x->exact_since, y->exact_since);
    CHECK_INT(x->reached_cycle, y->reached_cycle);
    CHECK_INT(x->iterations_per_cycle, y->iterations_per_cycle);
    same_points(&x->history, &y->history);
}

/* An engine that gets the commands `with`, which rewind, ends in the same state as one that gets
 * `without`. */
static void same_end(const ss_config *cfg, const char *const *with, const char *const *without)
{
    ss_engine *a = engine_for(cfg), *b = engine_for(cfg);
    send_lines(a, LINES("pause")); /* both compute the norm of the start first */
    send_lines(b, LINES("pause"));
    const ss_snapshot *s = send_lines(a, with);
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    s = send_lines(b, without);
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    same_counters(a, b);
    same_state(a, b);
}

typedef struct way {
    const char *equation, *solver;
    const char *pairs[12];
} way;

static const way ways[] = {
    {"poisson1d", "jacobi", {"n", "70", "copies", "3", "problem", "random"}},
    {"poisson2d", "jacobi", {"n", "47", "ny", "31", "problem", "random", "precision", "f32"}},
    {"poisson2d", "shared", {"n", "53", "ny", "41", "problem", "random", "k", "3", "block", "16"}},
    {"poisson2d", "async", {"n", "40", "problem", "spike", "block", "8", "seed", "7"}},
    {"poisson3d", "block-jacobi", {"patch", "9", "px", "2", "bx", "4"}},
    {"poisson3d", "block-gs", {"patch", "8", "py", "2", "bx", "4", "seed", "3"}},
    {"heat1d", "swept", {"n", "64", "block", "16"}},
    {"ks1d", "swept", {"n", "64", "block", "16"}},
    {"euler1d", "stepper", {"n", "80"}},
    {"euler1d", "swept", {"n", "96", "block", "24"}},
};

/* Back to a checkpoint, back to a cycle between checkpoints, forward, back again; each step one
 * cycle, so that both evaluate the conserved quantities at the same times. */
TEST(rewind, continuing_after_a_rewind_is_bit_for_bit_equal)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        ss_config cfg = config(ways[i].equation, ways[i].solver, ways[i].pairs);
        same_end(&cfg,
                 LINES("step", "step", "step", "step", "step", "step", "rewind -2", "rewind -1",
                       "step", "step", "step", "rewind 2", "step", "step", "rewind 0", "rewind end",
                       "step", "step", "step"),
                 LINES("step", "step", "step", "step", "step", "step", "step"));
    }
}

/* Nothing is copied from a curve that has no points yet. */
TEST(rewind, a_run_without_points_can_be_rewound)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        ss_config cfg = config(ways[i].equation, ways[i].solver, ways[i].pairs);
        ss_engine *e = engine_for(&cfg);
        send_lines(e, LINES("rewind -1", "rewind end", "rewind 0"));
        ss_engine_stop(e);
        ss_engine_free(e);
    }
}

/* In one step: only the start and the end are checkpoints; cycles between are computed again. */
ENGINE_TEST(rewind, a_cycle_between_two_checkpoints_is_recomputed, "poisson2d", "shared", "n", "45",
            "ny", "33", "problem", "random", "k", "3")
{
    const ss_snapshot *s = send_lines(e, LINES("step 200", "rewind 77"));
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 77);
    CHECK(s->past.back && s->paused);
    CHECK_INT(s->past.end, 200);
    CHECK_INT(s->past.curve[s->past.ncurve - 1].cycle, 200);
    s = send_lines(e, LINES("rewind end"));
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 200);
    CHECK_INT(s->past.ncurve, 0);
}

/* Without a pause at the rewound cycle, whose norm would be summed in another order. */
TEST(rewind, a_rewound_run_ends_as_an_unbroken_one)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        ss_config cfg = config(ways[i].equation, ways[i].solver, ways[i].pairs);
        if (ss_config_equation(&cfg)->kind != SS_STEADY)
            continue;
        same_end(&cfg, LINES("step 60", "rewind 23", "step 50"), LINES("step 73"));
    }
}

/* The cycle of the change can be reached, too, although it had no checkpoint. */
TEST(rewind, the_cycle_of_a_change_after_a_rewind_can_be_reached)
{
    ss_config cfg = config("poisson2d", "shared",
                           PAIRS("n", "40", "k", "4", "until", "0", "check-every", "50"));
    same_end(&cfg, LINES("step 200", "rewind 101", "set k 6", "step 90", "rewind 150"),
             LINES("step 101", "set k 6", "step 49"));
    same_end(&cfg, LINES("step 200", "rewind 101", "set k 6", "step 90", "rewind 101", "step 3"),
             LINES("step 101", "step 3"));
}

/* Simulated time counts from the last change of dt, which may lie ahead. */
TEST(rewind, rewinding_over_a_change_of_dt_restores_it)
{
    ss_config cfg = config("heat1d", "swept", PAIRS("n", "64", "block", "16"));
    same_end(&cfg,
             LINES("step 3", "set fo 0.1", "step 2", "step 2", "set fo 0.3", "step 5", "rewind 5",
                   "step 2", "set fo 0.2", "step 4", "rewind 0", "rewind end", "step 3"),
             LINES("step 3", "set fo 0.1", "step 2", "step 2", "set fo 0.2", "step 4", "step 3"));
    same_end(&cfg, LINES("step 3", "set fo 0.1", "step 4", "rewind 2", "step 3", "step 1"),
             LINES("step 2", "step 3", "step 1"));
    ss_engine *e = engine_for(&cfg);
    const ss_snapshot *s = send_lines(e, LINES("step 3", "set fo 0.1", "step 1"));
    double then = s->telemetry.value[SS_T_TIME];
    CHECK(!s->layers[SS_EXACT] && s->layer_why[SS_EXACT]);
    s = send_lines(e, LINES("paint 9 0 4 1", "set fo 0.3", "step 4", "undo", "undo"));
    CHECK_NEAR(s->telemetry.value[SS_T_TIME], then, 0);
    CHECK(!s->painted && !s->layers[SS_EXACT]);
    s = send_lines(e, LINES("step 1"));
    CHECK_NEAR(s->telemetry.value[SS_T_TIME], then + 16 * 0.1 / (63.0 * 63), 1e-17);
    s = send_lines(e, LINES("rewind 2")); /* an exact solution is known again */
    CHECK(s->layers[SS_EXACT] && s->layers[SS_ERROR]);
    s = send_lines(e, LINES("paint 9 0 4 1", "step 1"));
    CHECK(s->painted && s->layers[SS_EXACT]); /* it is that without the paint */
    s = send_lines(e, LINES("rewind 0"));
    CHECK(!s->painted);
    ss_engine_free(e);
}

/* Settings, undo, journal and paint are those of the earlier cycle. */
TEST(rewind, rewinding_over_changes_and_strokes_gives_the_same_end)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "48", "problem", "random", "k", "4"));
    same_end(&cfg,
             LINES("step 5", "set k 7", "step 4", "paint 9 9 5 0.1", "step 3", "set solver jacobi",
                   "step 9", "rewind 5", "step 2", "set k 3", "step 2", "undo", "step 1"),
             LINES("step 5", "step 2", "set k 3", "step 2", "undo", "step 1"));
    same_end(&cfg,
             LINES("step 5", "set k 7", "step 4", "paint 9 9 5 0.1", "step 3", "rewind 0",
                   "rewind end", "step 2", "undo", "step 2"),
             LINES("step 5", "set k 7", "step 4", "paint 9 9 5 0.1", "step 3", "step 2", "undo",
                   "step 2"));
}

ENGINE_TEST(rewind, changes_after_the_rewind_point_cannot_be_undone, "poisson2d", "shared", "n",
            "40", "k", "4")
{
    const ss_snapshot *s = send_lines(e, LINES("step 3", "set k 5", "step 3", "rewind 2", "undo"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "nothing to undo"), "%s", s->message);
}

TEST(rewind, sessions_record_the_course_that_was_taken)
{
    char path[] = "/tmp/ss-rewound-XXXXXX.run", line[80];
    int fd = mkstemps(path, 4);
    CHECK(fd >= 0);
    close(fd);
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "45", "ny", "33", "k", "4"));
    ss_engine *first = engine_for(&cfg), *second = engine_for(&cfg);
    snprintf(line, sizeof line, "save %s", path);
    const ss_snapshot *s =
        send_lines(first, LINES("step 6", "set k 9", "step 5", "paint 30 20 6 -0.3", "step 2",
                                "rewind 4", "set overlap 6", "step 5", line));
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    play(second, path);
    same_counters(first, second);
    same_state(first, second);
    remove(path);
}

/* --- the line --------------------------------------------------------------------------------- */

ENGINE_TEST(rewind, a_change_after_a_rewind_drops_what_was_ahead, "poisson2d", "shared", "n", "40",
            "k", "4")
{
    const ss_snapshot *s = send_lines(e, LINES("step 2", "set k 5", "step 7", "rewind 1"));
    CHECK(s->past.back && s->past.end == 9 && s->past.nahead == 1);
    CHECK_INT(s->past.curve[0].cycle, 1);
    CHECK_INT(s->past.curve[s->past.ncurve - 1].cycle, 9);
    s = send_lines(e, LINES("set k 6", "step 2"));
    CHECK(!s->past.back && s->past.used);
    CHECK(s->past.ncurve == 0 && s->past.nahead == 0);
    CHECK_INT(s->past.kept[s->past.nkept - 1].cycle, 3);
    s = send_lines(e, LINES("rewind 9"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "not computed yet"), "%s", s->message);
    s = send_lines(e, LINES("rewind 1", "step 1")); /* the same settings: it goes on all the same */
    CHECK(!s->past.back && s->past.ncurve == 0);
}

/* Several states of one cycle with other settings: a rewind leaves that cycle. */
ENGINE_TEST(rewind, rewinding_by_one_always_reaches_an_earlier_cycle, "poisson2d", "shared", "n",
            "40", "k", "4")
{
    const ss_snapshot *s =
        send_lines(e, LINES("step 9", "rewind 3", "set k 6", "step 5", "rewind 3", "set overlap 2",
                            "step 1", "rewind 4", "rewind -1"));
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 3);
    s = send_lines(e, LINES("rewind -1"));
    CHECK_MSG(s->telemetry.value[SS_T_CYCLE] < 3, "still at cycle 3");
}

/* Messages about a cycle disappear with it. */
ENGINE_TEST(rewind, the_rewind_message_disappears_when_the_run_continues, "poisson2d", "shared",
            "n", "40")
{
    const ss_snapshot *s = send_lines(e, LINES("step 9", "rewind 3"));
    CHECK_MSG(strstr(s->message, "back at cycle 3"), "%s", s->message);
    s = send_lines(e, LINES("step 1", "pause"));
    CHECK_STR(s->message, "");
}

TEST(rewind, a_diverged_run_can_be_rewound)
{
    ss_config cfg = config("heat1d", "stepper", PAIRS("n", "64", "allow-unstable", "on"));
    ss_engine *e = engine_for(&cfg);
    const ss_snapshot *s = send_lines(e, LINES("step 30", "set fo 0.9", "step 400"));
    CHECK_INT(s->status, SS_DIVERGED);
    s = send_lines(e, LINES("rewind 30"));
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    CHECK_INT(s->status, SS_RUNNING);
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 30);
    ss_engine_free(e);
    same_end(&cfg, LINES("step 30", "set fo 0.9", "step 400", "rewind 30", "step", "step"),
             LINES("step 30", "step", "step"));
}

/* --- checkpoints ------------------------------------------------------------------------------ */

/* Every cycle can be reached, and recent ones have close checkpoints. */
SLOW_TEST(rewind, older_checkpoints_are_further_apart)
{
    ss_config cfg = config("poisson1d", "jacobi", PAIRS("n", "16", "until", "0"));
    ss_engine *e = engine_for(&cfg);
    const ss_snapshot *s = NULL;
    for (int i = 0; i < 3000; i++)
        s = send_lines(e, LINES("step 1"));
    const ss_past *past = &s->past;
    CHECK_INT(past->nkept, SS_KEPT_MAX);
    CHECK_INT(past->kept[0].cycle, 0);
    for (int i = 1; i < past->nkept; i++) {
        int64_t gap = past->kept[i].cycle - past->kept[i - 1].cycle;
        int64_t age = 3000 - past->kept[i - 1].cycle;
        CHECK_MSG(gap > 0 && gap <= 3000 / 64 + age / 4, "from %lld to %lld",
                  (long long)past->kept[i - 1].cycle, (long long)past->kept[i].cycle);
    }
    CHECK(3000 - past->kept[past->nkept - 1].cycle <= 3000 / 64 + 1);
    ss_engine_free(e);
}

/* A front end may ask for less memory, but not for too few to rewind with. */
TEST(rewind, checkpoints_fit_the_memory_that_a_front_end_gives_them)
{
    ss_config cfg = config("poisson1d", "jacobi", PAIRS("n", "16", "until", "0"));
    ss_engine_setup setup = {
        .cfg = &cfg, .interactive = true, .deterministic = true, .paused = true, .past_bytes = 1};
    ss_engine *e = engine_start(&setup);
    const ss_snapshot *s = NULL;
    for (int i = 0; i < 100; i++)
        s = send_lines(e, LINES("step 1"));
    CHECK_INT(s->past.nkept, 10);
    CHECK_INT(s->past.kept[0].cycle, 0);
    s = send_lines(e, LINES("rewind 50"));
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 50);
    ss_engine_free(e);
}

/* A long run does not fill the memory: 64 MB of copies of 5 MB. */
TEST(rewind, checkpoints_take_a_bounded_amount_of_memory)
{
    ss_config cfg = config("poisson2d", "jacobi", PAIRS("n", "800", "until", "0", "threads", "1"));
    ss_engine_setup setup = {
        .cfg = &cfg, .interactive = true, .deterministic = true, .paused = true};
    ss_engine *e = engine_start(&setup);
    const ss_snapshot *s = NULL;
    for (int i = 0; i < 20; i++)
        s = send_lines(e, LINES("step 1"));
    CHECK_MSG(s->past.nkept >= 12 && s->past.nkept <= 13, "%d copies", s->past.nkept);
    ss_engine_free(e);
}

/* Checkpoints take a small share of the time, however fast the cycles are. */
TEST(rewind, checkpoints_take_a_bounded_share_of_the_time)
{
    ss_config cfg = config("poisson2d", "jacobi", PAIRS("n", "64", "until", "0", "threads", "1"));
    ss_engine_setup setup = {.cfg = &cfg, .interactive = true, .paused = true};
    ss_engine *e = engine_start(&setup);
    send_lines(e, LINES("run"));
    nanosleep(&(struct timespec){0, 600000000}, NULL);
    const ss_snapshot *s = send_lines(e, LINES("pause"));
    CHECK_MSG(s->past.nkept >= 2 && s->past.nkept <= 12, "%d copies", s->past.nkept);
    CHECK_INT(s->past.kept[0].cycle, 0);
    int64_t end = (int64_t)s->telemetry.value[SS_T_CYCLE];
    s = send_lines(e, LINES("rewind -1"));
    CHECK(s->past.back && s->past.end == end && s->telemetry.value[SS_T_CYCLE] < (double)end);
    ss_engine_free(e);
}

ENGINE_TEST(rewind, impossible_rewinds_are_explained, "poisson2d", "shared", "n", "40", "backend",
            "cpu")
{
    const ss_snapshot *s = send_lines(e, LINES("rewind"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "has not advanced yet"), "%s", s->message);
    s = send_lines(e, LINES("step 3", "rewind 8"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "cycle 8 is not computed yet"), "%s",
              s->message);
    CHECK(!s->past.back);
    s = send_lines(e, LINES("rewind +1"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "the last checkpoint"), "%s", s->message);
    s = send_lines(e, LINES("rewind -0"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "none of CYCLE"), "%s", s->message);
    s = send_lines(e, LINES("rewind soon"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "none of CYCLE"), "%s", s->message);
    s = send_lines(e, LINES("rewind 0", "rewind -1"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "the first checkpoint"), "%s", s->message);
    s = send_lines(e, LINES("add poisson2d jacobi n=40", "race", "step 3", "rewind -1"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "not possible in a race"), "%s",
              s->message);
    CHECK_MSG(strstr(s->message, ":race off ends it"), "%s", s->message);
    CHECK_INT(s->past.nkept, 0);
    s = send_lines(e, LINES("race off", "step 2", "rewind -1"));
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 3);
}

/* Without rewinding no checkpoints are made. */
TEST(rewind, non_interactive_runs_keep_no_checkpoints)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "40"));
    ss_engine_setup setup = {.cfg = &cfg, .deterministic = true, .paused = true};
    ss_engine *e = engine_start(&setup);
    const ss_snapshot *s = send_lines(e, LINES("step 3", "rewind -1"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "no checkpoints"), "%s", s->message);
    ss_engine_free(e);
    setup.rewinds = true; /* a script that rewinds */
    e = engine_start(&setup);
    s = send_lines(e, LINES("step 3", "rewind 1"));
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 1);
    ss_engine_free(e);
}

SLOW_TEST(rewind, a_grid_too_large_for_checkpoints_is_explained)
{
    ss_config cfg = config("poisson1d", "jacobi",
                           PAIRS("n", "1024", "copies", "20480", "until", "0", "check-every", "9"));
    ss_engine *e = engine_for(&cfg);
    const ss_snapshot *s = send_lines(e, LINES("step 1", "rewind -1"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "too much to store"), "%s", s->message);
    CHECK_INT(s->past.nkept, 0);
    ss_engine_free(e);
}
