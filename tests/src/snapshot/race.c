/*
 * Races: turns are fair by every measure that does not depend on the clock, places are correct, all
 * runs solve one problem, and every run ends as it would have alone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/app/cli.h"
#include "src/app/tables.h"
#include "tests/engines.h"

TEST(race, the_run_that_is_behind_goes_next)
{
    ss_stand s[3] = {{30, 3, true}, {10, 5, true}, {0, 1, false}};
    CHECK_INT(ss_race_turn(s, 3), 1);
    CHECK_INT(ss_race_cycles(s, 3, 1, 0, 100), 4);
    CHECK_INT(ss_race_cycles(s, 3, 1, 20, 100), 8);
    CHECK_INT(ss_race_cycles(s, 3, 1, 20, 6), 6);
    CHECK_INT(ss_race_cycles(s, 3, 0, 0, 100), 1); /* at least one, so that runs advance */
    s[0].going = false;
    CHECK_INT(ss_race_cycles(s, 3, 1, 0, 100), 100); /* alone */
    s[1].going = false;
    CHECK_INT(ss_race_turn(s, 3), -1);
}

TEST(race, finished_runs_are_ranked)
{
    const double value[4] = {7, 3, 3, 1};
    const bool finished[4] = {true, true, true, false};
    int place[4];
    ss_race_places(value, finished, 4, place);
    CHECK_INT(place[0], 3);
    CHECK_INT(place[1], 1);
    CHECK_INT(place[2], 1);
    CHECK_INT(place[3], 0);
}

TEST(race, a_run_finishes_when_it_reaches_its_goal)
{
    const ss_status to_the_end[3] = {SS_LIMIT, SS_LIMIT, SS_DIVERGED};
    const ss_status one_converged[3] = {SS_LIMIT, SS_CONVERGED, SS_RUNNING};
    bool in[3];
    ss_race_finished(to_the_end, 3, in);
    CHECK(in[0] && in[1] && !in[2]);
    ss_race_finished(one_converged, 3, in);
    CHECK(!in[0] && in[1] && !in[2]);
}

TEST(race, four_of_six_runs_have_pictures)
{
    for (int selected = 0; selected < SS_RACE_MAX; selected++) {
        int shown = 0;
        for (int i = 0; i < SS_RACE_MAX; i++) {
            bool has = ss_race_has_picture(i, selected, 2), in_place = false;
            for (int at = 0; at < ss_race_pictures(SS_RACE_MAX); at++)
                in_place = in_place || ss_race_pictured(at, selected) == i;
            CHECK_MSG(has == in_place, "run %d, run %d is selected", i, selected);
            CHECK(has || i != selected);
            CHECK(i >= 3 || has);
            CHECK(ss_race_has_picture(i, selected, 1));
            shown += has;
        }
        CHECK_INT(shown, 4);
    }
    CHECK_INT(ss_race_pictured(3, 2), 3);
    CHECK_INT(ss_race_pictured(3, 5), 5);
    CHECK_INT(ss_race_pictures(3), 3);
}

TEST(race, six_runs_are_ranked)
{
    const double value[SS_RACE_MAX] = {60, 50, 40, 30, 20, 10};
    const bool finished[SS_RACE_MAX] = {true, true, true, true, true, true};
    int place[SS_RACE_MAX];
    ss_race_places(value, finished, SS_RACE_MAX, place);
    for (int i = 0; i < SS_RACE_MAX; i++)
        CHECK_INT(place[i], SS_RACE_MAX - i);
}

/* --- the command line --------------------------------------------------------------------------
 */

static int parse(ss_cli *out, ss_err *err, char **words)
{
    int n = 0;
    while (words[n])
        n++;
    ss_tables_init();
    return ss_cli_parse(n, words, out, err);
}
#define WORDS(...) ((char *[]){"stencilscope", __VA_ARGS__, NULL})

TEST(race, runs_are_read_from_the_command_line)
{
    static ss_cli cli;
    char label[80], line[256];
    ss_err err = {0};
    CHECK_MSG(parse(&cli, &err,
                    WORDS("race", "poisson2d jacobi", "--n", "96",
                          "poisson2d shared --k 16 --overlap 4 --n 96", "--until=1e-3")) == SS_OK,
              "%s", err.text);
    CHECK_INT(cli.race.n, 2);
    CHECK_INT(ss_config_int(&cli.race.cfg[0], "n"), 96);
    CHECK_INT(ss_config_int(&cli.race.cfg[1], "k"), 16);
    CHECK_NEAR(ss_config_real(&cli.race.cfg[1], "until"), 1e-3, 1e-15);
    CHECK(strcmp(ss_race_label(&cli.race.cfg[1], label, sizeof label), "shared k 16 overlap 4") ==
          0);
    CHECK_MSG(strstr(ss_race_command(&cli.race.cfg[1], line, sizeof line),
                     "add poisson2d shared") == line &&
                  strstr(line, "\"k=16\""),
              "%s", line);
    ss_script_free(&cli.script);
    CHECK(parse(&cli, &err, WORDS("race", "poisson2d jacobi")) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "2 to 6 runs"), "%s", err.text);
    CHECK(parse(&cli, &err, WORDS("race", "a", "b", "c", "d", "e", "f", "g")) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "at most 6 runs"), "%s", err.text);
    CHECK_MSG(parse(&cli, &err,
                    WORDS("race", "poisson2d jacobi", "poisson2d shared", "poisson2d sor",
                          "poisson2d chebyshev", "poisson2d cg", "poisson2d multigrid", "--n",
                          "63")) == SS_OK,
              "%s", err.text);
    CHECK_INT(cli.race.n, 6);
    ss_script_free(&cli.script);
    CHECK(parse(&cli, &err, WORDS("race", "poisson2d", "poisson2d --json x")) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "belongs to the race"), "%s", err.text);
    CHECK(parse(&cli, &err, WORDS("race", "poisson2d", "--n 5")) == SS_FAIL);
}

TEST(race, all_runs_solve_the_same_problem)
{
    static ss_cli cli;
    ss_err err = {0};
    CHECK(parse(&cli, &err, WORDS("race", "poisson2d", "poisson1d")) == SS_OK);
    CHECK(ss_race_alike(&cli.race.cfg[0], &cli.race.cfg[1], &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "poisson1d"), "%s", err.text);
    CHECK(parse(&cli, &err, WORDS("race", "poisson2d --n 32", "poisson2d --n 64")) == SS_OK);
    CHECK(ss_race_alike(&cli.race.cfg[0], &cli.race.cfg[1], &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "32") && strstr(err.text, "64"), "%s", err.text);
    CHECK(parse(&cli, &err, WORDS("race", "poisson2d", "poisson2d --problem spike")) == SS_OK);
    CHECK(ss_race_alike(&cli.race.cfg[0], &cli.race.cfg[1], &err) == SS_FAIL);
    CHECK(parse(&cli, &err, WORDS("race", "poisson2d --until 1e-2", "poisson2d")) == SS_OK);
    CHECK(ss_race_alike(&cli.race.cfg[0], &cli.race.cfg[1], &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "one goal: until is 0.01 in one run"), "%s", err.text);
    CHECK(parse(&cli, &err, WORDS("race", "poisson2d", "poisson2d shared")) == SS_OK);
    CHECK_MSG(ss_race_alike(&cli.race.cfg[0], &cli.race.cfg[1], &err) == SS_OK, "%s", err.text);
}

TEST(race, labels_contain_what_differs_between_runs)
{
    static ss_cli cli;
    char label[80];
    ss_err err = {0};
    const ss_config *all[3] = {&cli.race.cfg[0], &cli.race.cfg[1], &cli.race.cfg[2]};
    CHECK(parse(&cli, &err,
                WORDS("race", "poisson2d shared --k 4", "poisson2d shared --k 4 --precision f32",
                      "poisson2d jacobi", "--threads=2")) == SS_OK);
    CHECK_STR(ss_race_label_among(all, 3, 0, label, sizeof label), "shared k 4 f64");
    CHECK_STR(ss_race_label_among(all, 3, 1, label, sizeof label), "shared k 4 f32");
    CHECK_STR(ss_race_label_among(all, 1, 0, label, sizeof label), "shared k 4");
    const ss_config *twice[] = {all[0], all[1], all[0]};
    CHECK_STR(ss_race_label_among(twice, 3, 0, label, sizeof label), "shared k 4 f64 (1)");
    CHECK_STR(ss_race_label_among(twice, 3, 1, label, sizeof label), "shared k 4 f32");
    CHECK_STR(ss_race_label_among(twice, 3, 2, label, sizeof label), "shared k 4 f64 (2)");
}

/* --- the engine --------------------------------------------------------------------------------
 */

static ss_engine *engine(void)
{
    static ss_config cfg;
    cfg = config("poisson2d", "jacobi", PAIRS("backend", "cpu", "n", "48"));
    return engine_for(&cfg);
}

#define RIVAL "add poisson2d shared n=48 k=6 block=16"

/* After that many cycles of the shown run (the last one, k 6) the others are level with it. */
TEST(race, runs_keep_step_in_the_chosen_measure)
{
    ss_engine *e = engine();
    const ss_snapshot *s = send_lines(e, LINES(RIVAL, "race cycles", "step 7"));
    CHECK_INT(s->race.n, 2);
    CHECK_INT(s->race.racer[0].at.cycle, 7);
    CHECK_INT(s->race.racer[1].at.cycle, 7);
    s = send_lines(e, LINES("reset", "race iterations", "step 7"));
    CHECK_INT(s->race.by, SS_BY_ITERATIONS);
    CHECK_INT(s->race.racer[0].at.iteration, 42);
    CHECK_INT(s->race.racer[1].at.iteration, 42);
    CHECK_INT(s->race.racer[0].at.cycle, 42);
    s = send_lines(e, LINES("reset", "race bytes", "step 7"));
    const ss_racer *r = s->race.racer;
    double one = r[0].at.bytes / (double)r[0].at.cycle;
    CHECK_INT(r[1].at.cycle, 7);
    CHECK_MSG(r[0].at.cycle > 7 || one > r[1].at.bytes / 7, "%lld", (long long)r[0].at.cycle);
    CHECK_NEAR(r[0].at.bytes, r[1].at.bytes, one);
    s = send_lines(e, LINES("reset", "race seconds", "step 7"));
    CHECK_INT(s->race.racer[1].at.cycle, 7);
    CHECK(s->race.racer[0].at.seconds > 0);
    ss_engine_free(e);
}

/* In turns or alone: the same cycles to the tolerance. */
TEST(race, each_run_ends_as_it_would_alone)
{
    ss_engine *e = engine();
    const ss_snapshot *s = send_lines(e, LINES(RIVAL, "race iterations", "step 4000"));
    int64_t jacobi = s->race.racer[0].at.cycle, shared = s->race.racer[1].at.cycle;
    CHECK_INT(s->race.racer[0].status, SS_CONVERGED);
    CHECK_INT(s->race.racer[1].status, SS_CONVERGED);
    CHECK_INT(s->race.racer[0].curve[s->race.racer[0].ncurve - 1].cycle, jacobi);
    ss_engine_stop(e);
    ss_config cfg = ss_engine_run(e)->cfg;
    ss_engine_free(e);
    for (int i = 0; i < 2; i++) {
        ss_err err = {0};
        CHECK(ss_config_set(&cfg, "solver", i ? "jacobi" : "shared", &err) == SS_OK);
        ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
        CHECK_MSG(run, "%s", err.text);
        run->stop_at_tol = true;
        CHECK(ss_run_step(run, 1000000, &err) == SS_OK);
        CHECK_INT(run->cycle, i ? jacobi : shared);
        ss_run_close(run);
    }
}

TEST(race, changes_of_the_problem_are_refused)
{
    ss_engine *e = engine();
    const ss_snapshot *s = send_lines(e, LINES("race"));
    CHECK(s->message_is_error && s->race.n == 0);
    s = send_lines(e, LINES("split", "set solver shared"));
    CHECK_INT(s->race.n, 2);
    CHECK_INT(s->run, 1);
    CHECK(strcmp(s->race.racer[0].label, "jacobi") == 0);
    CHECK(strcmp(s->race.racer[1].label, "shared") == 0);
    s = send_lines(e, LINES("set n 64"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "one problem"), "%s", s->message);
    s = send_lines(e, LINES("add poisson1d"));
    CHECK(s->message_is_error && s->race.n == 2);
    s = send_lines(e, LINES("select next", "step 3", "drop"));
    CHECK_INT(s->race.n, 0);
    CHECK(strcmp(s->solver_name, "shared") == 0);
    s = send_lines(e, LINES("set n 64", "step 2"));
    CHECK_INT(s->nx, 64);
    ss_engine_free(e);
}

/* --- time-dependent runs -----------------------------------------------------------------------
 */

static ss_engine *heat(void)
{
    static ss_config cfg;
    cfg = config("heat1d", "stepper", PAIRS("backend", "cpu", "n", "64", "problem", "random"));
    return engine_for(&cfg);
}

/* 16 steps of one are a cycle of the other; both end at one time, and are ranked only there. */
TEST(race, transient_runs_are_level_in_simulated_time)
{
    ss_engine *e = heat();
    const ss_snapshot *s =
        send_lines(e, LINES("add heat1d swept n=64 problem=random block=16", "race", "step 3"));
    const ss_racer *r = s->race.racer;
    CHECK_INT(s->race.by, SS_BY_TIME);
    CHECK_INT(r[1].at.cycle, 3);
    CHECK_INT(r[0].at.cycle, 48);
    CHECK(memcmp(&r[0].at.time, &r[1].at.time, sizeof(double)) == 0);
    CHECK(r[1].bits.known && r[1].bits.equal);
    CHECK_INT(r[1].bits.at, 48);
    s = send_lines(e, LINES("run"));
    s = send_lines(e, LINES("step 1000000"));
    r = s->race.racer;
    CHECK_INT(r[0].status, SS_LIMIT);
    CHECK_INT(r[1].status, SS_LIMIT);
    CHECK(memcmp(&r[0].at.time, &r[1].at.time, sizeof(double)) == 0);
    CHECK_INT(r[0].at.cycle, 16 * r[1].at.cycle);
    CHECK(r[1].bits.equal && r[1].bits.at == r[0].at.cycle);
    s = send_lines(e, LINES("race off", "step"));
    CHECK_INT(s->status, SS_RUNNING);
    ss_engine_free(e);
}

/* The end is in simulated time, a whole number of the longest cycles. */
TEST(race, transient_races_have_an_end)
{
    ss_config a = config("heat1d", "stepper", PAIRS("n", "64"));
    ss_config b = config("heat1d", "swept", PAIRS("n", "64", "block", "16"));
    ss_config limited = config("heat1d", "stepper", PAIRS("n", "64", "until-time", "2"));
    ss_config steady = config("poisson1d", "jacobi", PAIRS("n", "64"));
    const ss_config *all[] = {&a, &b}, *one[] = {&limited, &b}, *other[] = {&steady, &steady};
    ss_problem p = ss_config_problem(&a);
    double cycles = ss_race_end(all, 2) / (16 * p.dt);
    CHECK(cycles >= 1 && fabs(cycles - round(cycles)) < 1e-9 * cycles);
    CHECK(!(ss_race_end(one, 2) > 0));
    CHECK(!(ss_race_end(other, 2) > 0));
}

TEST(race, a_wrong_field_is_not_equal)
{
    ss_engine *e = heat();
    const ss_snapshot *s = send_lines(e, LINES("add heat1d swept n=64 problem=random block=16",
                                               "race", "step 2", "paint 30 0 5 1", "step 2"));
    CHECK(s->race.racer[1].bits.known && !s->race.racer[1].bits.equal);
    CHECK(send_lines(e, LINES("race off", "race bytes", "race"))->race.by == SS_BY_BYTES);
    ss_engine_free(e);
}

TEST(race, steady_runs_have_no_simulated_time)
{
    ss_engine *e = engine();
    const ss_snapshot *s = send_lines(e, LINES(RIVAL, "race time"));
    CHECK_MSG(s->message_is_error && strstr(s->message, "no simulated time"), "%s", s->message);
    s = send_lines(e, LINES("race reductions", "race next"));
    CHECK_INT(s->race.by, SS_BY_CYCLES);
    ss_engine_free(e);
}

/* Its curve is that of one solver; the others wait for it. */
TEST(race, a_run_that_is_changed_starts_again)
{
    ss_engine *e = engine();
    const ss_snapshot *s =
        send_lines(e, LINES(RIVAL, "race iterations", "step 7", "set solver async", "step 1"));
    const ss_racer *r = s->race.racer;
    CHECK(r[1].restarted && !r[0].restarted);
    CHECK_MSG(strstr(s->message, "run 2 starts again, with async"), "%s", s->message);
    CHECK(llabs(r[0].at.iteration - r[1].at.iteration) < 5);
    CHECK_INT(r[1].at.cycle * 5, r[1].at.iteration); /* alpha 5 from the start */
    s = send_lines(e, LINES("reset"));
    CHECK_INT(s->race.racer[1].at.cycle, 0);
    ss_engine_free(e);
}

TEST(race, a_missing_layer_has_a_reason)
{
    static const ss_view view = {.seq = 1,
                                 .layer = SS_STALENESS,
                                 .w = 8,
                                 .h = 8,
                                 .probe_x = -1,
                                 .probe_y = -1,
                                 .tile_x = -1,
                                 .tile_y = -1};
    ss_engine *e = engine();
    ss_engine_view(e, &view);
    const ss_snapshot *s = send_lines(e, LINES(RIVAL, "race", "step 1"));
    CHECK(!s->race.racer[1].no_layer);
    CHECK_STR(s->race.racer[0].no_layer, "every point of this solver is up to date");
    /* Two runs in one picture have both: nothing of the classic one is stale. */
    s = send_lines(e, LINES("select 2", "step 1"));
    CHECK_INT(s->race.racer[0].picture.w, 8);
    for (int i = 0; i < 64; i++)
        CHECK_NEAR((double)s->race.racer[0].picture.cell[i], 0, 0);
    CHECK(s->picture.hi > 0);
    s = send_lines(e, LINES("select 1", "step 1"));
    CHECK_NEAR((double)s->picture.cell[20], 0, 0);
    CHECK(s->race.racer[1].picture.w == 8 && s->race.racer[1].picture.hi > 0);
    ss_engine_free(e);
}
