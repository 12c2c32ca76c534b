/*
 * A run with a screen holds at its tolerance, at the cycle at which one without a screen ends;
 * while it holds, changes repeat its last cycle, and nothing of that remains.
 */
#include "src/engine/engine.h"

#include <stdio.h>

#include "tests/engines.h"

#define SMALL "n", "45", "ny", "33", "block", "16", "k", "4", "until", "1e-3"

static const ss_snapshot *wait_for_hold(ss_engine *e)
{
    const ss_snapshot *s = NULL;
    bool fresh;
    for (int i = 0; i < 20000 && (!s || s->hold == SS_HOLD_NONE); i++) {
        ss_engine_want(e);
        s = ss_engine_take(e, &fresh);
        usleep(1000);
    }
    CHECK_MSG(s && s->hold != SS_HOLD_NONE, "the run does not hold");
    return s;
}

static const ss_snapshot *run_until_hold(ss_engine *e)
{
    send_lines(e, LINES("run"));
    return wait_for_hold(e);
}

static int64_t cycle_of(const ss_snapshot *s)
{
    return (int64_t)s->telemetry.value[SS_T_CYCLE];
}

/* The same run without a screen, which ends at its tolerance. */
static ss_run *solved(const ss_config *cfg)
{
    ss_err err = {0};
    ss_run *run = ss_run_open(cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    run->stop_at_tol = true;
    CHECK(ss_run_step(run, INT64_C(1) << 40, &err) == SS_OK);
    CHECK_INT(run->status, SS_CONVERGED);
    return run;
}

/* Ends the engine. */
static void ends_as(ss_engine *e, ss_run *run)
{
    ss_engine_stop(e);
    ss_run *held = ss_engine_run(e);
    char *u = ss_field_download(held), *v = ss_field_download(run);
    CHECK_INT(held->cycle, run->cycle);
    CHECK_INT(held->iteration, run->iteration);
    CHECK_INT(held->reached_cycle, run->reached_cycle);
    CHECK(!held->repeated);
    CHECK(memcmp(u, v, ss_field_bytes(run)) == 0);
    free(u);
    free(v);
    ss_engine_free(e);
    ss_run_close(run);
}

/* check-every: convergence is found at a checked cycle. One engine starts far from the tolerance,
 * one near it, one at it. */
TEST(hold, where_a_run_without_a_screen_ends)
{
    static const char *const every[] = {"1", "7"}, *const until[] = {"1e-3", "0.9", "0.2"};
    for (int i = 0; i < 6; i++) {
        ss_config cfg = config("poisson2d", "shared",
                               PAIRS("n", "45", "ny", "33", "block", "16", "k", "4", "check-every",
                                     every[i % 2], "until", until[i / 2]));
        ss_engine *e = engine_for(&cfg);
        const ss_snapshot *s = run_until_hold(e);
        CHECK_INT(s->hold, SS_HOLD_TOLERANCE);
        CHECK_INT(s->status, SS_CONVERGED);
        CHECK(s->paused && s->reached);
        CHECK_INT(cycle_of(s), s->reached_cycle);
        CHECK_MSG(!s->layer_why[SS_STALENESS], "%s", s->layer_why[SS_STALENESS]);
        ends_as(e, solved(&cfg));
    }
}

TEST(hold, other_solvers_keep_the_start_of_the_last_cycle)
{
    static const char *const names[] = {"jacobi", "async"};
    for (int i = 0; i < 2; i++) {
        ss_config cfg =
            config("poisson2d", names[i], PAIRS("n", "45", "ny", "33", "until", "1e-2"));
        ss_engine *e = engine_for(&cfg);
        run_until_hold(e);
        ss_engine_stop(e);
        CHECK(ss_engine_run(e)->start_kept);
        ss_run *run = solved(&cfg);
        CHECK_INT(ss_engine_run(e)->cycle, run->cycle);
        ss_engine_free(e);
        ss_run_close(run);
    }
}

/* A change while it holds repeats the last cycle; back again, and at the end, the field is that of
 * the run. */
TEST(hold, a_change_repeats_the_last_cycle)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS(SMALL));
    ss_engine *e = engine_for(&cfg);
    ss_view view = {.w = 45, .h = 33, .seq = 1, .layer = SS_STALENESS};
    ss_engine_view(e, &view);
    ss_snapshot was = *run_until_hold(e);
    double stale = was.picture.hi, kept = was.ledger.updates;
    CHECK(stale > 0);
    const ss_snapshot *s = send_lines(e, LINES("set k 9"));
    CHECK(s->repeated && s->hold == SS_HOLD_TOLERANCE && s->paused);
    CHECK_INT(cycle_of(s), cycle_of(&was));
    CHECK_INT((long long)s->telemetry.value[SS_T_ITERATION],
              (long long)was.telemetry.value[SS_T_ITERATION]);
    CHECK_INT(s->ncurve, was.ncurve);
    CHECK(s->ledger.updates > kept);
    CHECK_MSG(s->picture.hi > stale, "%g is not above %g", s->picture.hi, stale);
    s = send_lines(e, LINES("set overlap 8", "set k 5"));
    CHECK(s->repeated && s->picture.hi == 0); /* exact */
    s = send_lines(e, LINES("set solver jacobi"));
    CHECK(s->repeated && !s->layers[SS_STALENESS]);
    s = send_lines(e, LINES("undo", "undo", "undo", "undo"));
    CHECK(!s->repeated && s->hold == SS_HOLD_TOLERANCE);
    CHECK(s->picture.hi == stale);
    s = send_lines(e, LINES("set k 12"));
    CHECK(s->repeated);
    ends_as(e, solved(&cfg));
}

/* Whatever reads the field, or goes on from it, has the counted one. */
TEST(hold, a_repeated_cycle_leaves_no_trace)
{
    static const char *const after[][4] = {{"set k 9", "step 3"},
                                           {"set k 9", "tick 2", "step 2"},
                                           {"set k 9", "set overlap 2", "undo", "step 2"}};
    for (int i = 0; i < 3; i++) {
        char cycles[32];
        ss_config cfg = config("poisson2d", "shared", PAIRS(SMALL));
        ss_engine *held = engine_for(&cfg), *counted = engine_for(&cfg);
        snprintf(cycles, sizeof cycles, "step %lld", (long long)cycle_of(run_until_hold(held)));
        send_lines(counted, LINES(cycles));
        for (int k = 0; k < 4 && after[i][k]; k++) {
            send_lines(held, LINES(after[i][k], "pause"));
            send_lines(counted, LINES(after[i][k]));
        }
        same_state(held, counted);
    }
}

TEST(hold, a_saved_session_counts_no_repeated_cycle)
{
    char path[] = "/tmp/ss-hold-XXXXXX.run", line[80];
    int fd = mkstemps(path, 4);
    CHECK(fd >= 0);
    close(fd);
    ss_config cfg = config("poisson2d", "shared", PAIRS(SMALL));
    ss_engine *first = engine_for(&cfg), *second = engine_for(&cfg);
    snprintf(line, sizeof line, "save %s", path);
    run_until_hold(first);
    send_lines(first, LINES("set k 9", "set overlap 4", "step 3", "set k 2", line));
    play(second, path);
    same_state(first, second);
    remove(path);
}

TEST(hold, rewinding_returns_to_counted_fields)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS(SMALL));
    ss_engine *e = engine_for(&cfg);
    send_lines(e, LINES("step 20"));
    run_until_hold(e);
    const ss_snapshot *s = send_lines(e, LINES("set k 9", "rewind 20"));
    CHECK(!s->repeated && s->hold == SS_HOLD_NONE);
    CHECK_INT(cycle_of(s), 20);
    CHECK_INT(s->control[0].value.i, 4);
    s = send_lines(e, LINES("rewind end"));
    CHECK(!s->repeated && s->hold == SS_HOLD_TOLERANCE); /* its start was not stored */
    ends_as(e, solved(&cfg));
}

/* It goes on to round-off, where it holds again. */
TEST(hold, space_goes_on_to_round_off)
{
    ss_config cfg = config("poisson2d", "jacobi", PAIRS("n", "9", "until", "1e-2"));
    ss_engine *e = engine_for(&cfg);
    int64_t at = cycle_of(run_until_hold(e));
    const ss_snapshot *s = run_until_hold(e);
    CHECK_INT(s->hold, SS_HOLD_ZERO);
    CHECK(cycle_of(s) > at && s->reached_cycle == at);
    CHECK(!(s->telemetry.value[SS_T_RESIDUAL] > 0));
    s = send_lines(e, LINES("run"));
    CHECK_MSG(s->hold == SS_HOLD_ZERO && strstr(s->message, "the residual is 0"), "%s", s->message);
    s = send_lines(e, LINES("reset"));
    CHECK(s->hold == SS_HOLD_NONE || cycle_of(s) == at);
    CHECK_INT(cycle_of(wait_for_hold(e)), at);
    ss_engine_free(e);
    cfg = config("poisson2d", "jacobi", PAIRS("n", "9", "until", "1e-2", "problem", "random"));
    e = engine_for(&cfg);
    run_until_hold(e);
    s = run_until_hold(e);
    CHECK(s->hold != SS_HOLD_TOLERANCE && s->telemetry.value[SS_T_REDUCTION] < 1e-12);
    ss_engine_free(e);
}

/* The end of the run moves: the run goes on by itself, to the new one. */
ENGINE_TEST(hold, ends_when_there_is_something_to_do, "poisson2d", "shared", SMALL)
{
    int64_t at = cycle_of(run_until_hold(e));
    const ss_snapshot *s = send_lines(e, LINES("set until 1e-2"));
    CHECK(s->hold == SS_HOLD_TOLERANCE && s->reached_cycle == at);
    CHECK_NEAR(s->reached_tol, 1e-3, 1e-9); /* the tolerance that belongs to this cycle */
    send_lines(e, LINES("set until 1e-5"));
    s = wait_for_hold(e);
    CHECK_INT(s->hold, SS_HOLD_TOLERANCE);
    CHECK(s->reached_cycle > at);
    CHECK_NEAR(s->reached_tol, 1e-5, 1e-9);
    at = s->reached_cycle;
    send_lines(e, LINES("paint 20 20 5 0.1"));
    s = wait_for_hold(e);
    CHECK(s->reached_cycle > at);
    send_lines(e, LINES("set n 20"));
    s = wait_for_hold(e);
    CHECK_INT(s->nx, 20);
    s = send_lines(e, LINES("open poisson2d jacobi n=12"));
    CHECK(!s->paused || s->hold != SS_HOLD_NONE);
    s = wait_for_hold(e);
    CHECK_INT(s->nx, 12);
}

/* What an observer of a lesson has seen. */
typedef struct seen {
    char *first; /* the field when the run held */
    size_t bytes;
    int repeated, different, looks;
} seen;

static void observe(const ss_engine_moment *now, void *ctx)
{
    seen *s = ctx;
    if (!now->run->reached)
        return;
    char *field = ss_field_download(now->run);
    s->looks++;
    s->repeated += now->run->repeated;
    if (!s->first) {
        s->first = field;
        s->bytes = ss_field_bytes(now->run);
        return;
    }
    s->different += memcmp(field, s->first, s->bytes) != 0;
    free(field);
}

/* The checks of a lesson see the counted field, whatever the picture repeats; `run` waits. */
TEST(hold, a_lesson_observes_the_counted_field)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS(SMALL));
    seen s = {.first = NULL};
    ss_engine_setup setup = {.cfg = &cfg,
                             .interactive = true,
                             .paused = true,
                             .deterministic = true,
                             .observe = observe,
                             .observe_ctx = &s};
    ss_engine *e = engine_start(&setup);
    int64_t at = cycle_of(run_until_hold(e));
    const ss_snapshot *shown = send_lines(e, LINES("set k 9"));
    CHECK(shown->repeated);
    shown = send_lines(e, LINES("set overlap 4", "run"));
    CHECK_MSG(strstr(shown->message, "r starts again"), "%s", shown->message);
    CHECK(shown->repeated && shown->paused);
    CHECK_INT(cycle_of(shown), at);
    shown = send_lines(e, LINES("reset"));
    CHECK(shown->paused && !shown->repeated);
    CHECK_INT(cycle_of(shown), 0);
    ss_engine_stop(e);
    CHECK(s.looks > 2);
    CHECK_INT(s.repeated, 0);
    CHECK_INT(s.different, 0);
    free(s.first);
    ss_engine_free(e);
}

/* --- paused runs ------------------------------------------------------------------------------ */

/* A paused run answers a change, too: with its last cycle once more. The run goes on from the
 * counted field. */
TEST(hold, a_change_of_a_paused_run_repeats_its_last_cycle)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS(SMALL));
    ss_engine *e = engine_for(&cfg), *other = engine_for(&cfg);
    ss_view view = {.w = 45, .h = 33, .seq = 1, .layer = SS_STALENESS};
    ss_engine_view(e, &view);
    const ss_snapshot *s = send_lines(e, LINES("step 5"));
    double stale = s->picture.hi;
    CHECK(stale > 0);
    s = send_lines(e, LINES("set overlap 6"));
    CHECK(s->repeated && s->paused && !s->layer_why[SS_STALENESS]);
    CHECK(s->picture.w == 45 && !(s->picture.hi > 0));
    CHECK_INT(cycle_of(s), 5);
    CHECK_INT(s->exact_since, 5); /* the repeated cycle is not counted */
    s = send_lines(e, LINES("set overlap 0"));
    CHECK(!s->repeated && !s->layer_why[SS_STALENESS]);
    CHECK_NEAR(s->picture.hi, stale, 0);
    s = send_lines(e, LINES("set overlap 4", "paint 20 20 5 0.1"));
    CHECK(!s->repeated && s->layer_why[SS_STALENESS]);
    s = send_lines(e, LINES("undo", "step 3"));
    CHECK(!s->repeated && !s->layer_why[SS_STALENESS]);
    send_lines(other, LINES("step 5", "set overlap 4", "step 3"));
    same_state(e, other);
}

/* Under the microscope the same subiteration is shown with the new settings. */
TEST(hold, a_change_under_the_microscope_keeps_its_place)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS(SMALL));
    ss_engine *e = engine_for(&cfg), *other = engine_for(&cfg);
    ss_view view = {.w = 45, .h = 33, .seq = 1, .layer = SS_STALENESS};
    ss_engine_view(e, &view);
    ss_engine_view(other, &view);
    const ss_snapshot *s = send_lines(e, LINES("step 2", "tick 3", "set overlap 2"));
    CHECK(s->peek == 3 && s->picture.w == 45 && !s->layer_why[SS_STALENESS]);
    const ss_snapshot *t = send_lines(other, LINES("step 2", "set overlap 2", "tick 3"));
    CHECK(memcmp(s->picture.cell, t->picture.cell, 45 * 33 * sizeof *s->picture.cell) == 0);
    s = send_lines(e, LINES("set k 2"));
    CHECK_INT(s->peek, 1);
    send_lines(e, LINES("set k 4", "step 1"));
    send_lines(other, LINES("step 1"));
    same_state(e, other);
}

/* The residual stands on rounding errors above the tolerance. A reset starts again. */
ENGINE_TEST(hold, a_run_that_has_stagnated_holds_and_space_goes_on, "poisson2d", "multigrid", "n",
            "31", "precision", "f32", "until", "1e-9", "backend", "cpu")
{
    const ss_snapshot *s = run_until_hold(e);
    CHECK_INT(s->hold, SS_HOLD_STAGNATED);
    CHECK_INT(s->status, SS_STAGNATED);
    CHECK(!s->reached && s->paused);
    CHECK_MSG(strstr(s->message, "in single precision: --precision f64") && !s->message_is_error,
              "%s", s->message);
    int64_t held = cycle_of(s);
    s = send_lines(e, LINES("step 5"));
    CHECK_INT(cycle_of(s), held + 5);
    send_lines(e, LINES("run"));
    for (int i = 0; i < 20000 && cycle_of(s) < 10 * held; i++) {
        bool fresh;
        ss_engine_want(e);
        s = ss_engine_take(e, &fresh);
        usleep(1000);
    }
    CHECK(cycle_of(s) >= 10 * held);
    CHECK_INT(s->status, SS_RUNNING);
    CHECK_INT(s->hold, SS_HOLD_NONE);
    send_lines(e, LINES("reset"));
    s = wait_for_hold(e);
    CHECK_INT(s->hold, SS_HOLD_STAGNATED);
    CHECK_INT(cycle_of(s), held);
}

/* --- an error instead of the tolerance ---------------------------------------------------------
 */

/* The cycle at which it stops with a screen. */
static int64_t stops_at(ss_engine *e)
{
    const ss_snapshot *s = NULL;
    bool fresh;
    for (int i = 0; i < 20000 && (!s || s->status != SS_CONVERGED); i++) {
        ss_engine_want(e);
        s = ss_engine_take(e, &fresh);
        usleep(1000);
    }
    CHECK_MSG(s && s->status == SS_CONVERGED && !s->reached, "the run does not stop");
    return cycle_of(s);
}

/* And without. */
static int64_t cycles_to(const char *error)
{
    ss_config cfg =
        config("poisson2d", "jacobi", PAIRS("n", "31", "backend", "cpu", "until-error", error));
    ss_run *run = ss_run_open(&cfg, NULL, NULL, NULL);
    while (run->status == SS_RUNNING)
        CHECK_INT(ss_run_step(run, INT64_C(1) << 40, NULL), SS_OK);
    int64_t cycle = run->cycle;
    ss_run_close(run);
    return cycle;
}

ENGINE_TEST(hold, a_run_stops_at_its_error_and_goes_on_to_a_smaller_one, "poisson2d", "jacobi", "n",
            "31", "backend", "cpu", "until-error", "0.1")
{
    send_lines(e, LINES("run"));
    CHECK_INT(stops_at(e), cycles_to("0.1"));
    send_lines(e, LINES("set until-error 0.001", "run"));
    CHECK_INT(stops_at(e), cycles_to("0.001"));
    ss_engine_stop(e);
    CHECK(ss_engine_run(e)->met);
}
