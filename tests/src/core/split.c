/* The model of a hybrid run: times, the best share, the refusal, and how `auto` reaches it. */
#include <math.h>
#include <stdlib.h>

#include "src/core/split.h"
#include "tests/check.h"

/* A grid of 16384^2 in double precision on an H200 beside 200 GB/s of CPU memory. */
static const ss_split_cost h200 = {32e-3, 1.48e-3, 30e-6, 0, 0};

TEST(split, the_best_share_makes_both_parts_equally_long)
{
    double x = ss_split_best(&h200);
    CHECK_NEAR(x * h200.cpu, (1 - x) * h200.gpu, 1e-12);
    CHECK_NEAR(x, 1.48 / 33.48, 1e-12);
    CHECK_NEAR(ss_split_time(&h200, 1, x), x * h200.cpu + h200.exchange, 1e-12);
    for (int i = 1; i < 100; i++)
        CHECK(ss_split_time(&h200, 1, i / 100.0) >= ss_split_time(&h200, 1, x) - 1e-15);
}

TEST(split, one_part_alone_exchanges_nothing)
{
    CHECK_NEAR(ss_split_time(&h200, 1, 0), h200.gpu, 0);
    CHECK_NEAR(ss_split_time(&h200, 1, 1), h200.cpu, 0);
    CHECK(ss_split_time(&h200, 1, 1e-9) > h200.gpu);
}

TEST(split, wins_only_where_the_exchange_costs_less_than_the_cpu_saves)
{
    ss_split_cost m = h200;
    double saving = m.gpu * m.gpu / (m.cpu + m.gpu);
    CHECK_NEAR(ss_split_saving(&m), saving, 1e-15);
    m.exchange = saving * 0.999;
    CHECK(ss_split_gain(&m, 1) > 0);
    m.exchange = saving * 1.001;
    CHECK(ss_split_gain(&m, 1) < 0);
    CHECK(ss_split_gain(&m, 2) > 0); /* every other iteration it costs half */
    m.exchange = 0;
    CHECK_NEAR(ss_split_gain(&m, 1), m.gpu / (m.cpu + m.gpu), 1e-12);
}

TEST(split, the_refusal_names_both_times)
{
    ss_split_cost m = {320e-3, 1.48e-3, 30e-6, 0, 0};
    char text[160];
    ss_split_explain(&m, 1, text, sizeof text);
    CHECK_MSG(strstr(text, "save 6.81") && strstr(text, "costs 30") && strstr(text, "GPU alone"),
              "'%s'", text);
    m.exchange = 1e-6;
    ss_split_explain(&m, 1, text, sizeof text);
    CHECK_MSG(strstr(text, "less than 2 %"), "'%s'", text);
}

/* The rows of the CPU leave its cache: beyond the share where c was measured they cost more. */
TEST(split, c_grows_with_the_share_up_to_twice_that_of_the_choice)
{
    ss_split_cost m = h200;
    CHECK_NEAR(ss_split_cpu(&m, 0.5), m.cpu, 0);
    m.share = 0.04;
    m.far = 40e-3;
    CHECK_NEAR(ss_split_cpu(&m, 0.01), 32e-3, 0);
    CHECK_NEAR(ss_split_cpu(&m, 0.04), 32e-3, 0);
    CHECK_NEAR(ss_split_cpu(&m, 0.06), 36e-3, 1e-12);
    CHECK_NEAR(ss_split_cpu(&m, 0.08), 40e-3, 1e-12);
    CHECK_NEAR(ss_split_time(&m, 2, 0.08), 0.08 * 40e-3 + 15e-6, 1e-12);
    CHECK_NEAR(ss_split_time(&m, 2, 1), 40e-3, 0);
}

/* Batches of a machine whose times swing by +-swing; returns the rows after `batches`. */
static int tuned(const ss_split_cost *m, int k, int all, int batches, double swing,
                 ss_split_tuner *t)
{
    int rows = ss_split_guess(all, k);
    memset(t, 0, sizeof *t);
    srand(7);
    for (int i = 0; i < batches && rows > 0; i++) {
        double f[3];
        for (int j = 0; j < 3; j++)
            f[j] = 1 + swing * (2.0 * rand() / RAND_MAX - 1);
        double cpu = ss_split_cpu(m, (double)rows / all);
        ss_split_cost batch = {cpu * f[0], m->gpu * f[1], m->exchange * f[2], 0, 0};
        ss_split_measured(t, &batch);
        rows = ss_split_move(t, k, rows, all, k);
    }
    return rows;
}

TEST(split, auto_settles_within_twenty_batches)
{
    static const ss_split_cost machines[] = {{32e-3, 1.48e-3, 30e-6, 0, 0},
                                             {8e-3, 2e-3, 10e-6, 0, 0},
                                             {1e-3, 1e-3, 50e-6, 0, 0},
                                             {2e-3, 6e-3, 100e-6, 0, 0}};
    ss_split_tuner t;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (int all = 512; all <= 16384; all *= 8) {
            int rows = tuned(&machines[i], 1, all, 20, 0, &t);
            double best = ss_split_best(&machines[i]) * all;
            CHECK(t.settled && !t.refused);
            CHECK_MSG(fabs(rows - best) <= 0.01 * all, "%d rows instead of %g of %d", rows, best,
                      all);
            rows = tuned(&machines[i], 1, all, 20, 0.05, &t);
            CHECK_MSG(t.settled && fabs(rows - best) <= 0.04 * all, "%d rows, not %g of %d", rows,
                      best, all);
        }
}

/* The model is right at twice the best share, too. */
TEST(split, auto_measures_the_cpu_with_twice_the_rows)
{
    ss_split_cost m = {32e-3, 1.48e-3, 30e-6, 0, 0};
    ss_split_tuner t;
    m.share = ss_split_best(&m);
    for (m.far = 26e-3; m.far < 40e-3; m.far += 4e-3) {
        tuned(&m, 1, 16384, 20, 0, &t);
        double x = 2 * ss_split_best(&t.mean), real = ss_split_time(&m, 1, x);
        CHECK(t.settled && !t.refused);
        CHECK_NEAR(t.mean.cpu, m.cpu, 0.01 * m.cpu);
        CHECK_NEAR(ss_split_time(&t.mean, 1, x), real, 0.01 * real);
    }
}

TEST(split, auto_refuses_where_it_cannot_win)
{
    ss_split_cost slow = {320e-3, 1.48e-3, 30e-6, 0, 0}, near = {32e-3, 1.48e-3, 40e-6, 0, 0};
    ss_split_tuner t;
    CHECK(tuned(&slow, 1, 16384, 20, 0, &t) == 0 && t.refused);
    CHECK(t.batches <= 6);
    CHECK(tuned(&near, 1, 16384, 20, 0, &t) == 0 && t.refused); /* it promises 1.7 % */
    CHECK(tuned(&near, 4, 16384, 20, 0, &t) > 0 && !t.refused); /* 3.7 % */
}

TEST(split, the_parameter_takes_off_auto_and_rows)
{
    ss_split_choice c;
    ss_err err = {0};
    CHECK(ss_split_parse(NULL, 100, 1, &c, &err) == SS_OK && !c.on);
    CHECK(ss_split_parse("off", 100, 1, &c, &err) == SS_OK && !c.on);
    CHECK(ss_split_parse("0", 100, 1, &c, &err) == SS_OK && !c.on);
    CHECK(ss_split_parse("auto", 100, 1, &c, &err) == SS_OK && c.on && c.automatic);
    CHECK(ss_split_parse("99", 100, 1, &c, &err) == SS_OK && c.on && !c.automatic && c.rows == 99);
    static const struct {
        const char *text, *part;
    } bad[] = {{"100", "1…99"},   {"-3", "neither"}, {"half", "neither"},
               {"7x", "neither"}, {"", "neither"},   {"99999999999999999999", "1…99"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(ss_split_parse(bad[i].text, 100, 1, &c, &err) == SS_FAIL &&
                      strstr(err.text, bad[i].part),
                  "'%s': '%s'", bad[i].text, err.text);
    CHECK(ss_split_parse("5", 9, 5, &c, &err) == SS_FAIL && strstr(err.text, "too few"));
}
