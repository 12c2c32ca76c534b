/* Virtual time of runs on modelled ranks. Fields are those of a run without ranks. With the
 * ledger's modelled work, times are compared with hand-computed ones; with measured work only with
 * what modelled waits imply, whatever the machine does. */
#include "src/core/run.h"

#include "src/run/checkpoint.h"
#include "src/run/parts.h"
#include "tests/fields.h"

/* --- fields ----------------------------------------------------------------------------------- */

/* --- modelled work ---------------------------------------------------------------------------- */

static ss_run *open_modelled(const char *settings)
{
    ss_run_model_work(true);
    ss_run *run = open_run(settings);
    ss_run_model_work(false);
    CHECK(run->ranks && run->modelled_work);
    return run;
}

static double seconds_of(const char *settings, int64_t cycles)
{
    ss_run *run = open_modelled(settings);
    step_run(run, cycles);
    double seconds = run->seconds_solve;
    ss_run_close(run);
    return seconds;
}

/* Two ranks of 512 points: a level costs each 3 us for its launch, and 512 points read and written,
 * 8192 bytes at 4 TB/s. A cycle is send, L + 8 bytes / rate, receive, work. */
TEST(ranks, classic_steps_take_work_plus_latency)
{
    double work = 3e-6 + 512 * 16 / 4e12, travel = 1e-4 + 8 / 1e9, o = 2e-6;
    double inner = work * 511 / 512, edge = work / 512;
    const char *plain = "equation heat1d solver stepper backend cpu n 1024 ranks-model 2 latency "
                        "100us message-cost 2us link-rate 1e9 hide-messages off";
    const char *hidden = "equation heat1d solver stepper backend cpu n 1024 ranks-model 2 latency "
                         "100us message-cost 2us link-rate 1e9";
    const char *near = "equation heat1d solver stepper backend cpu n 1024 ranks-model 2 latency "
                       "1us message-cost 0 link-rate 0";
    CHECK_NEAR(seconds_of(plain, 10), 10 * (2 * o + travel + work), 1e-12);
    CHECK_NEAR(seconds_of(hidden, 10), 10 * (2 * o + travel + edge), 1e-12);
    CHECK_NEAR(seconds_of(near, 10), 10 * (inner + edge), 1e-12);
}

/* k = 4 subiterations per exchange on 1 x 2 ranks: n 64, ny 64, blocks of 32 that do not overlap.
 * Not hidden: 2 o + L + work, and every checked cycle a reduction of one round, L + 2 o. */
TEST(ranks, a_residual_check_costs_a_reduction)
{
    const char *settings = "equation poisson2d solver shared backend cpu n 64 block 32 k 4 "
                           "ranks-model 2 latency 50us message-cost 1us link-rate 0 hide-messages "
                           "off check-every %d";
    char text[256];
    snprintf(text, sizeof text, settings, 1000);
    ss_run *run = open_modelled(text);
    double work = 3e-6 + run->per_cycle.global_bytes / 2 / 4e12, cycle = 2e-6 + 5e-5 + work;
    double reduction = 5e-5 + 2e-6;
    step_run(run, 8); /* the norm of cycle 0 is the only one */
    CHECK_NEAR(run->seconds_solve, 8 * cycle + reduction, 1e-12);
    ss_run_close(run);
    snprintf(text, sizeof text, settings, 1);
    CHECK_NEAR(seconds_of(text, 8), 8 * (cycle + reduction), 1e-12);
}

/* A point of the curve has the time at which its norm was known. */
TEST(ranks, the_curve_is_in_virtual_time)
{
    ss_run *run = open_modelled("equation poisson2d solver jacobi backend cpu n 64 ranks-model 4 "
                                "latency 1ms link-rate 0 message-cost 0");
    step_run(run, 5);
    CHECK_INT((long long)run->history.count, 5);
    double each = run->seconds_solve / 5;
    CHECK(each > 3e-3); /* an exchange, and two rounds of the reduction */
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(run->history.point[i].seconds, (i + 1) * each, 1e-12);
    ss_run_close(run);
}

/* Times of two runs are equal to the bit, however the cycles are divided into calls. */
TEST(ranks, modelled_times_are_deterministic)
{
    static const char *const runs[] = {
        "equation poisson2d solver shared backend cpu n 128 block 32 overlap 4 k 6 ranks-model 4",
        "equation ks1d solver swept backend cpu n 1024 block 64 ranks-model 8 latency 1us",
        "equation euler1d solver stepper backend cpu n 1024 ranks-model 8 latency 1us",
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        ss_run *a = open_modelled(runs[i]), *b = open_modelled(runs[i]);
        step_run(a, 9);
        step_run(b, 2);
        step_run(b, 7);
        CHECK_NEAR(a->seconds_solve, b->seconds_solve, 1e-15);
        const ss_ranks_trace *x = ss_run_ranks_trace(a, 0), *y = ss_run_ranks_trace(b, 0);
        CHECK(x && y && x->nspan == y->nspan && x->narrow == y->narrow);
        for (int k = 0; k < x->narrow; k++)
            CHECK(x->arrow[k].from == y->arrow[k].from && x->arrow[k].to == y->arrow[k].to);
        CHECK_NEAR(x->to, y->to, 1e-15);
        ss_run_close(a);
        ss_run_close(b);
    }
}

/* Swept, steady state: per diamond the larger of the other nodes' work and the message, and the
 * edge node's work, and 2 o. 4 ranks with 4 nodes each; inner ranks have whole nodes only. */
TEST(ranks, swept_agrees_with_its_formula)
{
    static const char *const latency[] = {"1us", "10us", "100us"};
    for (int i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "equation heat1d solver swept backend cpu n 1024 block 64 ranks-model 4 link-rate "
                 "0 latency %s",
                 latency[i]);
        ss_run *run = open_modelled(text);
        ss_ranks_figures f;
        double L = ss_config_real(&run->cfg, "latency"), o = 5e-7;
        step_run(run, 200);
        ss_run_ranks_figures(run, &f);
        double diamond = f.work * 32, formula = fmax(diamond * 3 / 4, L) + diamond / 4 + 2 * o;
        CHECK_NEAR(f.formula * 32, formula, 0.13 * diamond); /* the busiest rank has 4.5 nodes */
        CHECK_NEAR(f.measured, f.formula, 0.05 * f.formula);
        CHECK_INT((long long)f.levels, 32);
        CHECK_NEAR(f.enough, L / f.work, 1e-9 * f.enough);
        ss_run_close(run);
    }
}

/* The classic steps that complete a swept run are on the clocks as well. */
TEST(ranks, steps_that_finish_a_run_take_virtual_time)
{
    ss_run *run = open_modelled("equation heat1d solver swept backend cpu n 1024 block 64 "
                                "ranks-model 4 latency 1ms link-rate 0 message-cost 0");
    ss_err err = {0};
    step_run(run, 1);
    double before = run->seconds_solve;
    CHECK_INT(ss_run_finish(run, 10, &err), SS_OK);
    CHECK(run->seconds_solve - before >= 10e-3);
    CHECK(run->seconds_solve - before < 11e-3);
    ss_run_close(run);
}

/* --- measured work ---------------------------------------------------------------------------- */

/* Whatever the work takes: each step waits for its messages. */
RUN_TEST(ranks, measured_times_include_the_waits,
         "equation heat1d solver stepper backend cpu n 4096 ranks-model 4 latency 1ms")
{
    ss_ranks_figures f;
    step_run(run, 50);
    ss_run_ranks_figures(run, &f);
    CHECK(run->seconds_solve >= 50 * 1e-3);
    CHECK(run->seconds_host < run->seconds_solve || CHECK_SANITIZED);
    CHECK(f.work > 0 && f.measured >= 1e-3 && f.waiting > 0 && f.waiting < 1);
    CHECK_STR(ss_ranks_clock_name(f.modelled), "modelled waits, measured work");
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The seconds of a run have one clock: a change of clocks begins it again. */
TEST(ranks, switching_ranks_on_or_off_restarts)
{
    ss_run *run = open_run("equation heat1d solver stepper backend cpu n 1024");
    step_run(run, 5);
    change_run(run, "latency", "1ms");
    CHECK(run->ranks && run->cycle == 0 && run->seconds_solve <= 0);
    step_run(run, 5);
    change_run(run, "latency", "2ms");
    CHECK_INT(run->cycle, 5);
    change_run(run, "ranks-model", "0");
    CHECK(!run->ranks && run->cycle == 0);
    ss_run_close(run);
    run = open_run("equation poisson2d solver shared backend cpu n 64 ranks-model 4");
    step_run(run, 5);
    change_run(run, "solver", "jacobi");
    CHECK(run->ranks && run->cycle == 5);
    change_run(run, "solver", "async");
    CHECK(!run->ranks && run->cycle == 0);
    ss_run_close(run);
}

/* Live changes keep the time so far: it only grows. */
TEST(ranks, live_changes_keep_the_time)
{
    ss_run *run = open_modelled("equation heat1d solver stepper backend cpu n 1024 ranks-model 2 "
                                "latency 1ms message-cost 0 link-rate 0 hide-messages off");
    step_run(run, 5);
    double before = run->seconds_solve;
    change_run(run, "latency", "10us");
    CHECK_NEAR(run->seconds_solve, before, 0);
    step_run(run, 5);
    CHECK_NEAR(run->seconds_solve - before, 5 * (1e-5 + 3e-6 + 512 * 16 / 4e12), 1e-12);
    ss_run_close(run);
}

TEST(ranks, a_latency_alone_means_four_ranks)
{
    ss_run *run = open_run("equation heat1d solver stepper backend cpu n 1024 latency 1ms");
    CHECK_INT(ss_config_ranks(&run->cfg), 4);
    ss_run_close(run);
    run = open_run("equation heat1d solver stepper backend cpu n 1024 ranks-model 8");
    CHECK_NEAR(ss_config_real(&run->cfg, "latency"), 20e-6, 0);
    CHECK_INT(run->threads, 1);
    ss_run_close(run);
    run = open_run("equation heat1d solver stepper backend cpu n 1024 ranks-model 1");
    CHECK(!run->ranks);
    ss_run_close(run);
}
