/*
 * Runs and the engine: live changes keep the state, undo and journal are correct, the microscope
 * shows parts of a cycle, six runs side by side, a long cycle can be abandoned.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/engines.h"

static double *field(ss_run *run)
{
    const ss_problem *p = &run->problem;
    ss_err err = {0};
    double *u = calloc((size_t)p->nx * (size_t)p->ny, sizeof *u);
    CHECK(u != NULL);
    CHECK_MSG(run->backend->download(run, 0, 0, 0, 0, p->ny, u, &err) == SS_OK, "%s", err.text);
    return u;
}

static void same_field(ss_run *a, ss_run *b)
{
    double *x = field(a), *y = field(b);
    size_t n = (size_t)a->problem.nx * (size_t)a->problem.ny;
    CHECK(memcmp(x, y, n * sizeof *x) == 0);
    free(x);
    free(y);
}

static ss_run *open_run(const ss_config *cfg)
{
    ss_err err = {0};
    ss_run *run = ss_run_open(cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    return run;
}

TEST(run, microscope_ends_in_the_same_cycle)
{
    ss_err err = {0};
    ss_config cfg =
        config("poisson2d", "shared",
               PAIRS("n", "50", "ny", "33", "block", "16", "k", "5", "problem", "random"));
    ss_run *ticked = open_run(&cfg), *stepped = open_run(&cfg);
    for (int i = 0; i < 10; i++) {
        CHECK_INT(ticked->peek, i % 5);
        CHECK(ss_run_tick(ticked, &err) == SS_OK);
    }
    CHECK(ss_run_step(stepped, 2, &err) == SS_OK);
    CHECK_INT(ticked->cycle, 2);
    same_field(ticked, stepped);
    CHECK(ss_run_tick(ticked, &err) == SS_OK); /* leaving the microscope loses nothing */
    CHECK(ss_run_step(ticked, 1, &err) == SS_OK && ss_run_step(stepped, 1, &err) == SS_OK);
    same_field(ticked, stepped);
    ss_run_close(ticked);
    ss_run_close(stepped);
}

TEST(run, convergence_count_and_field_belong_together)
{
    ss_err err = {0};
    ss_config cfg = config("poisson1d", "jacobi", PAIRS("n", "40", "until", "1e-3"));
    ss_run *run = open_run(&cfg);
    double residual;
    run->stop_at_tol = true;
    CHECK(ss_run_step(run, 1000000, &err) == SS_OK);
    CHECK_INT(run->status, SS_CONVERGED);
    CHECK_INT(run->residual_cycle, run->cycle);
    CHECK(run->backend->reduce(run, &residual, NULL, NULL, &err) == SS_OK);
    CHECK_NEAR(residual, run->residual, 1e-12 * run->residual0);
    CHECK(residual <= 1e-3 * run->residual0);
    ss_run_close(run);
}

/* With a smaller tolerance the run continues to the same end as with it from the start. */
TEST(run, a_smaller_tolerance_goes_on)
{
    ss_err err = {0};
    ss_config cfg = config("poisson1d", "jacobi", PAIRS("n", "40", "until", "1e-2"));
    ss_config finer = config("poisson1d", "jacobi", PAIRS("n", "40", "until", "1e-4"));
    ss_run *run = open_run(&cfg), *whole = open_run(&finer);
    run->stop_at_tol = whole->stop_at_tol = true;
    CHECK(ss_run_step(run, 1000000, &err) == SS_OK && ss_run_step(whole, 1000000, &err) == SS_OK);
    int64_t before = run->cycle;
    CHECK(run->reached && before < whole->cycle);
    CHECK(ss_run_configure(run, &finer, &err) == SS_OK);
    CHECK(!run->reached && run->cycle == before);
    run->status = SS_RUNNING; /* as the verbs do */
    CHECK(ss_run_step(run, 1000000, &err) == SS_OK);
    CHECK_INT(run->status, SS_CONVERGED);
    CHECK_INT(run->reached_cycle, whole->reached_cycle);
    CHECK(ss_run_configure(run, &cfg, &err) == SS_OK);
    CHECK(run->reached); /* that tolerance is reached */
    same_field(run, whole);
    ss_run_close(run);
    ss_run_close(whole);
}

TEST(run, a_run_stops_at_each_limit)
{
    ss_err err = {0};
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "64", "cycles", "7"));
    ss_run *run = open_run(&cfg);
    CHECK(ss_run_step(run, 100, &err) == SS_OK);
    CHECK_INT(run->status, SS_LIMIT);
    CHECK_INT(run->cycle, 7);
    CHECK_INT(run->residual_cycle, 7);
    ss_run_close(run);
}

TEST(run, refused_change_leaves_everything)
{
    ss_err err = {0};
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "64")), bad = cfg;
    ss_run *run = open_run(&cfg);
    CHECK(ss_run_step(run, 3, &err) == SS_OK);
    CHECK(ss_config_set(&bad, "overlap", "40", &err) == SS_OK);
    CHECK(ss_config_check(&bad, NULL, &err) == SS_FAIL);
    CHECK_INT(run->cycle, 3);
    CHECK_INT(ss_config_int(&run->cfg, "overlap"), 0);
    ss_run_close(run);
}

/* --- the engine ----------------------------------------------------------------------------------
 */

ENGINE_TEST(engine, changes_leave_marks_and_undo, "poisson2d", "shared", "n", "96", "k", "4")
{
    const ss_snapshot *s = send_lines(
        e, PAIRS("step 3", "set k 8", "step 2", "set overlap 4", "step 1", "undo", "step 1"));
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 7);
    CHECK_INT((long long)s->telemetry.value[SS_T_ITERATION], 3 * 4 + 4 * 8);
    CHECK_INT(s->nmark, 3);
    CHECK_MSG(strstr(s->mark[0].text, "k 4") && strstr(s->mark[0].text, "8"), "%s",
              s->mark[0].text);
    CHECK_MSG(strstr(s->mark[2].text, "overlap 4"), "%s", s->mark[2].text);
    s = send_lines(e, PAIRS("set overlap 3"));
    CHECK(s->message_is_error);
    CHECK_MSG(strstr(s->message, "even"), "%s", s->message);
}

/* A key that is pressed again and again: no change is lost before the plot joins them. */
ENGINE_TEST(engine, all_marks_are_published, "poisson2d", "shared", "n", "96", "k", "4")
{
    char line[20][16], *lines[24] = {"step 1"};
    for (int i = 0; i < 20; i++) {
        snprintf(line[i], sizeof line[i], "set k %d", 5 + i);
        lines[i + 1] = line[i];
    }
    const ss_snapshot *s = send_lines(e, (const char *const *)lines);
    CHECK_INT(s->nmark, 20);
    CHECK_STR(s->mark[0].text, "k 4→5");
    CHECK_STR(s->mark[19].text, "k 23→24");
}

ENGINE_TEST(engine, a_change_of_speed_says_its_value, "poisson2d", "shared", "n", "96")
{
    const ss_snapshot *s = send_lines(e, PAIRS("speed slower", "speed slower"));
    CHECK_MSG(strstr(s->message, "a cycle every 40.0 ms"), "%s", s->message);
    s = send_lines(e, PAIRS("speed full"));
    CHECK_MSG(strstr(s->message, "as fast as possible"), "%s", s->message);
}

/* The commands of a dragged slider: one undo, one mark for the whole change. */
ENGINE_TEST(engine, joined_changes_are_undone_together, "poisson2d", "shared", "n", "96", "k", "8")
{
    const ss_snapshot *s = send_lines(
        e, PAIRS("step 3", "set k 12", "step 1", "set k 19 join", "step 1", "set k 77 join"));
    CHECK_INT(s->nmark, 1);
    CHECK_STR(s->mark[0].text, "k 8→77");
    CHECK_INT(s->mark[0].at.cycle, 3);
    s = send_lines(e, PAIRS("set k 78", "set k 8 join")); /* the next drag, and back again */
    CHECK_INT(s->nmark, 2);
    CHECK_STR(s->mark[1].text, "k 77→8");
    s = send_lines(e, PAIRS("set k 77 join"));
    CHECK_INT(s->nmark, 1);
    s = send_lines(e, PAIRS("undo", "step 1", "undo"));
    CHECK_INT(s->control[0].value.i, 8);
    CHECK_STR(s->control[0].row->name, "k");
    s = send_lines(e, PAIRS("undo"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "nothing to undo"), "%s", s->message);
    s = send_lines(e, PAIRS("set overlap 2 join", "set k 9 join", "set k 10 john"));
    CHECK_MSG(strstr(s->message, "join"), "%s", s->message);
    s = send_lines(e, PAIRS("undo"));
    CHECK_INT(s->control[0].value.i, 8);
}

TEST(engine, redo_sets_what_undo_has_taken_back)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "96", "k", "8", "overlap", "4"));
    ss_engine *e = engine_for(&cfg), *plain = engine_for(&cfg);
    const ss_snapshot *s = send_lines(e, PAIRS("step 2", "set k 9", "set k 10", "undo", "undo"));
    CHECK_INT(s->control[0].value.i, 8);
    s = send_lines(e, PAIRS("redo"));
    CHECK_INT(s->control[0].value.i, 9);
    s = send_lines(e, PAIRS("redo", "step 2"));
    CHECK_INT(s->control[0].value.i, 10);
    s = send_lines(e, PAIRS("undo", "undo", "redo", "redo"));
    CHECK_INT(s->control[0].value.i, 10);
    s = send_lines(e, PAIRS("redo"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "nothing to redo"), "%s", s->message);
    send_lines(e, PAIRS("step 1"));
    send_lines(plain, PAIRS("step 2", "set k 9", "set k 10", "step 3"));
    same_state(e, plain);
}

TEST(engine, a_new_change_clears_what_could_be_redone)
{
    static const char *const changes[] = {"set overlap 2", "unset k", "paint 9 9 4 1"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ss_config cfg = config("poisson2d", "shared", PAIRS("n", "96", "k", "8"));
        ss_engine *e = engine_for(&cfg);
        const ss_snapshot *s =
            send_lines(e, PAIRS("step 2", "set k 9", "step 1", "undo", changes[i], "redo"));
        CHECK_MSG(s->message_is_error && strstr(s->message, "nothing to redo"), "%s: %s",
                  changes[i], s->message);
        ss_engine_free(e);
    }
}

/* Of another size: both ways the run starts again. */
ENGINE_TEST(engine, redo_of_another_size_starts_again, "poisson2d", "shared", "n", "96", "k", "8")
{
    const ss_snapshot *s =
        send_lines(e, PAIRS("step 3", "paint 9 9 4 1", "undo", "set n 64", "step 2", "undo"));
    CHECK_INT(s->nx, 96);
    s = send_lines(e, PAIRS("step 1", "redo"));
    CHECK_INT(s->nx, 64);
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 0);
    s = send_lines(e, PAIRS("redo"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "nothing to redo"), "%s", s->message);
}

/* Staleness belongs to a cycle: until one has run with the present values, a message says so. */
ENGINE_TEST(engine, staleness_needs_a_whole_cycle, "poisson2d", "shared", "n", "96")
{
    const ss_snapshot *s = send_lines(e, PAIRS("speed full"));
    CHECK(s->layers[SS_STALENESS] && strstr(s->layer_why[SS_STALENESS], "yet"));
    s = send_lines(e, PAIRS("step 3"));
    CHECK(s->layers[SS_STALENESS] && !s->layer_why[SS_STALENESS]);
    s = send_lines(e, PAIRS("paint 40 40 5 0.1"));
    CHECK(s->layers[SS_STALENESS] &&
          strstr(s->layer_why[SS_STALENESS], "which is not stored; press , for a cycle"));
    s = send_lines(e, PAIRS("set k 9", "tick"));
    CHECK(!s->layer_why[SS_STALENESS]);
    s = send_lines(e, PAIRS("set solver jacobi"));
    CHECK(!s->layers[SS_STALENESS] && strstr(s->layer_why[SS_STALENESS], "up to date"));
}

ENGINE_TEST(engine, at_most_six_runs_are_open, "poisson1d", "jacobi", "n", "30")
{
    const ss_snapshot *s = send_lines(e, PAIRS("add poisson2d shared n=40 k=2", "step 2",
                                               "add poisson1d shared n=50", "add poisson2d n=20"));
    CHECK_INT(s->nrun, 4);
    s = send_lines(e, PAIRS("add poisson1d", "add poisson1d n=60"));
    CHECK_INT(s->nrun, 6);
    s = send_lines(e, PAIRS("add poisson1d"));
    CHECK(s->message_is_error && s->nrun == 6);
    CHECK_MSG(strstr(s->message, "6 runs"), "%s", s->message);
    s = send_lines(e, PAIRS("select 2", "step 1"));
    CHECK_INT(s->run, 1);
    CHECK_INT((long long)s->telemetry.value[SS_T_ITERATION], 6);
    s = send_lines(e, PAIRS("drop"));
    CHECK_INT(s->nrun, 5);
    s = send_lines(e, PAIRS("select 3", "drop others"));
    CHECK(s->nrun == 1 && s->run == 0);
    CHECK_STR(s->grid, "20\xc3\x97"
                       "20");
    s = send_lines(e, PAIRS("drop others"));
    CHECK_INT(s->nrun, 1);
}

/* One more run of the same equation is its rival: as large, with the same end. */
ENGINE_TEST(engine, one_more_run_is_as_large_and_ends_alike, "poisson2d", "jacobi", "n", "31", "ny",
            "17", "cycles", "9")
{
    const ss_snapshot *s = send_lines(e, LINES("add poisson2d shared", "step 20"));
    CHECK_STR(s->grid, "31\xc3\x97"
                       "17");
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 9);
    CHECK_INT(s->status, SS_LIMIT);
    s = send_lines(e, LINES("select 1", "add poisson2d sor n=20 cycles=4", "step 20"));
    CHECK_STR(s->grid, "20\xc3\x97"
                       "20");
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 4);
    s = send_lines(e, LINES("select 1", "add poisson1d n=30", "step 20"));
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 9);
}

/* Without a screen nothing after a command that failed is executed: its own sentence would replace
 * the first, which is the one that tells what was wrong. */
TEST(engine, the_first_failure_of_a_script_is_told)
{
    ss_config cfg = config("poisson2d", "jacobi", PAIRS("n", "31"));
    ss_engine_setup setup = {.cfg = &cfg, .deterministic = true, .paused = true};
    ss_engine *e = engine_start(&setup);
    const ss_snapshot *s = send_lines(e, LINES("step 3", "set n -5", "step 4", "undo"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "n: "), "%s", s->message);
    CHECK_INT((long long)s->telemetry.value[SS_T_CYCLE], 3);
    ss_engine_free(e);
}

/* A race of six: each measure has a value for each run, four pictures are taken, the selected run's
 * among them, and one more run is refused. */
ENGINE_TEST(engine, six_runs_race_and_four_have_pictures, "poisson2d", "jacobi", "n", "31")
{
    ss_view view = {.w = 16, .h = 16, .seq = 1, .layer = SS_VALUE};
    ss_engine_view(e, &view);
    const ss_snapshot *s =
        send_lines(e, PAIRS("add poisson2d shared n=31", "add poisson2d sor n=31",
                            "add poisson2d chebyshev n=31", "add poisson2d cg n=31",
                            "add poisson2d multigrid n=31", "select 1", "race sweeps", "step 400"));
    CHECK_MSG(!s->message_is_error, "%s", s->message);
    CHECK_INT(s->race.n, 6);
    for (int i = 0; i < 6; i++) {
        const ss_racer *r = &s->race.racer[i];
        CHECK_MSG(r->at.cycle > 0 && r->at.iteration > 0 && r->at.work > 0 && r->at.seconds > 0 &&
                      r->at.bytes > 0 && r->ncurve > 0,
                  "run %d", i + 1);
        CHECK((r->at.reductions > 0) == (i == 4)); /* the dot products of cg */
        CHECK_INT(r->picture.w, i > 0 && i < 4 ? 16 : 0);
    }
    s = send_lines(e, PAIRS("select 6"));
    for (int i = 0; i < 6; i++)
        CHECK_INT(s->race.racer[i].picture.w, i < 3 ? 16 : 0);
    s = send_lines(e, PAIRS("split"));
    CHECK(s->message_is_error && s->race.n == 6);
    CHECK_MSG(strstr(s->message, "6 runs"), "%s", s->message);
}

/* The last valid picture of a diverged run is its own, whatever run was shown since. */
ENGINE_TEST(engine, a_diverged_run_reports_the_cycle, "heat1d", "stepper", "n", "64", "fo", "0.9",
            "allow-unstable", "on", "problem", "spike")
{
    ss_view view = {.w = 64, .h = 1, .seq = 1, .layer = SS_VALUE};
    ss_engine_view(e, &view);
    send_lines(e, PAIRS("step 3"));
    CHECK_INT(send_lines(e, PAIRS("step 1000"))->status, SS_DIVERGED);
    const ss_snapshot *s = send_lines(e, PAIRS("add heat1d stepper n=64 problem=step", "step 1"));
    CHECK_INT(s->picture.w, 64);
    CHECK(s->picture.cell[10] > 0.9F);
    s = send_lines(e, PAIRS("select 1"));
    CHECK_INT(s->status, SS_DIVERGED);
    CHECK_INT(s->picture.w, 64);
    CHECK_MSG(s->picture.cell[10] < 0.5F, "it shows %g", (double)s->picture.cell[10]);
}

/* Without an exact solution the error layer is not available, not even for a field of zeros. */
ENGINE_TEST(engine, the_error_layer_needs_a_known_solution, "heat1d", "stepper", "n", "64")
{
    ss_view view = {.w = 64, .h = 1, .seq = 1, .layer = SS_ERROR};
    ss_engine_view(e, &view);
    CHECK(send_lines(e, PAIRS("step 3"))->telemetry.valid[SS_T_MAX_ERROR]);
    CHECK(!send_lines(e, PAIRS("set fo 0.1", "step 3"))->telemetry.valid[SS_T_MAX_ERROR]);
    CHECK(send_lines(e, PAIRS("reset", "step 3"))->telemetry.valid[SS_T_MAX_ERROR]);
}

/* More steps than can be counted are refused. */
TEST(engine, tiny_time_steps_make_progress)
{
    ss_config cfg = config("ks1d", "stepper", PAIRS("n", "256", "length", "0.001"));
    ss_engine_setup setup = {.cfg = &cfg, .interactive = true};
    ss_engine *e = engine_start(&setup);
    double until = ss_clock() + 20;
    while (send_lines(e, PAIRS("toggle", "toggle"))->telemetry.value[SS_T_CYCLE] < 1 &&
           ss_clock() < until)
        usleep(1000);
    ss_engine_stop(e);
    CHECK(ss_engine_run(e)->cycle > 0);
    ss_engine_free(e);
}

/* A value that was given counts as given even if it is the default. */
ENGINE_TEST(engine, a_limit_set_explicitly_to_its_default_applies, "poisson1d", "jacobi", "n", "30")
{
    send_lines(e, PAIRS("set cycles 0", "run"));
    ss_engine_stop(e);
    CHECK_INT(ss_engine_run(e)->cycle, 0);
    CHECK_INT(ss_engine_run(e)->status, SS_LIMIT);
}

static int64_t cycle_of(const ss_snapshot *s)
{
    return (int64_t)s->telemetry.value[SS_T_CYCLE];
}

/* Sends nothing until the run has stopped at its limit. */
static const ss_snapshot *run_to_limit(ss_engine *e)
{
    const ss_snapshot *s = send_lines(e, LINES("run"));
    for (int i = 0; i < 20000 && s->status == SS_RUNNING; i++) {
        bool fresh;
        usleep(1000);
        ss_engine_want(e);
        s = ss_engine_take(e, &fresh);
    }
    CHECK_INT(s->status, SS_LIMIT);
    return s;
}

ENGINE_TEST(engine, a_run_stopped_by_a_limit_waits_after_a_reset, "poisson2d", "jacobi", "n", "30",
            "cycles", "9", "until", "0")
{
    /* until 0: the last run below must not converge before its reset arrives. */
    CHECK(!run_to_limit(e)->paused);
    const ss_snapshot *s = send_lines(e, LINES("reset"));
    CHECK(s->paused);
    CHECK_INT(s->status, SS_RUNNING);
    CHECK_INT(cycle_of(s), 0);
    CHECK_INT(cycle_of(send_lines(e, LINES("step"))), 1);
    CHECK_INT(cycle_of(run_to_limit(e)), 9);
    s = send_lines(e, LINES("reset", "set cycles 1000000", "run", "reset"));
    CHECK(!s->paused); /* it had not stopped: it goes on from cycle 0 */
}

/* A long cycle is abandoned at once, and its starting field is still there. */
TEST(engine, a_long_cycle_can_be_abandoned)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS("n", "1500", "k", "1024", "block", "256"));
    ss_engine *e = engine_for(&cfg);
    ss_cmd cmd;
    ss_err err;
    CHECK(ss_cmd_parse("run", &cmd, &err) == SS_OK && ss_engine_post(e, &cmd, &err));
    usleep(50000);
    double before = ss_clock();
    ss_engine_stop(e);
    CHECK_MSG(ss_clock() - before < 20, "it took %g s", ss_clock() - before);
    ss_run *fresh = open_run(&cfg);
    if (ss_engine_run(e)->cycle == 0)
        same_field(ss_engine_run(e), fresh);
    ss_run_close(fresh);
    ss_engine_free(e);
}

/* On the engine's thread: simulates a device with expensive pictures. */
static void move_far(const ss_engine_moment *now, void *ctx)
{
    ss_run *run = now->run;
    (void)ctx;
    run->seconds_upload = 1000, run->seconds_download = 2000;
    run->seconds_field_up = 0.5, run->seconds_field_down = 0.25;
}

/* The breakdown counts the problem itself only. */
TEST(engine, time_spent_on_pictures_is_not_counted_as_solving)
{
    ss_config cfg = config("poisson2d", "shared", PAIRS("backend", "cpu", "n", "64", "k", "4"));
    ss_engine_setup setup = {.cfg = &cfg, .interactive = true, .paused = true, .observe = move_far};
    ss_engine *e = engine_start(&setup);
    send_lines(e, LINES("step 1"));
    const ss_telemetry t = send_lines(e, LINES("step 8"))->telemetry;
    CHECK_NEAR(t.value[SS_T_UPLOAD], 0.5, 0);
    CHECK_NEAR(t.value[SS_T_DOWNLOAD], 0.25, 0);
    CHECK(t.valid[SS_T_HIDDEN] && t.valid[SS_T_CYCLE_SECONDS]);
    CHECK_NEAR(t.value[SS_T_HIDDEN], ceil(0.75 * 4 / t.value[SS_T_CYCLE_SECONDS]), 1);
    ss_engine_stop(e);
    ss_engine_free(e);
}

static bool knows_bandwidth(bool deterministic, const char *const *lines)
{
    ss_config cfg = config("poisson2d", "shared",
                           PAIRS("backend", "cpu", "n", "64", "threads", "2", "until", "0"));
    ss_engine_setup setup = {
        .cfg = &cfg, .interactive = true, .deterministic = deterministic, .paused = true};
    ss_engine *e = engine_start(&setup);
    const ss_snapshot *s = send_lines(e, lines);
    bool valid = s->telemetry.valid[SS_T_BANDWIDTH];
    CHECK_INT(s->threads, 2);
    CHECK(s->working_set.fields > 3 * 64 * 64 * 8 - 1 && s->working_set.tile > 0);
    ss_engine_stop(e);
    ss_engine_free(e);
    return valid;
}

/* What the roofline shows of a run: its bandwidth with the present settings, by the clock. */
TEST(engine, a_snapshot_has_the_bandwidth_of_the_present_settings)
{
    CHECK(knows_bandwidth(false, LINES("step 200", "pause")));
    CHECK(!knows_bandwidth(false, LINES("pause")));
    CHECK(!knows_bandwidth(false, LINES("step 200", "set k 3")));
    CHECK(!knows_bandwidth(true, LINES("step 200", "pause")));
}
