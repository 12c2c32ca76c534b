/* The recent cost of a cycle, and the CPU clocks that it is measured by. */
#include "src/engine/recent.h"

#include <math.h>
#include <pthread.h>

#include "src/base/cpu_clock.h"
#include "tests/engines.h"

TEST(recent, one_slow_slice_does_not_move_the_median)
{
    ss_recent r = {.n = 0};
    CHECK(isnan(ss_recent_median(&r)));
    for (int i = 0; i < 40; i++)
        ss_recent_add(&r, 0.1 * i, 10, i == 20 ? 30.0 : 1e-3);
    CHECK_NEAR(ss_recent_median(&r), 1e-4, 1e-12);
}

TEST(recent, slices_of_a_tenth_of_a_second_count_together)
{
    ss_recent r = {.n = 0};
    for (int i = 0; i < 10; i++)
        ss_recent_add(&r, 0.005 * i, 1, i < 5 ? 1.0 : 3.0);
    CHECK_INT(r.n, 1);
    CHECK_NEAR(ss_recent_median(&r), 2.0, 1e-12);
}

/* A cost that changed counts alone as soon as the old one is older than SS_RECENT_SECONDS. */
TEST(recent, what_is_older_than_some_seconds_is_dropped)
{
    ss_recent r = {.n = 0};
    for (double t = 0; t < 20; t += 0.05)
        ss_recent_add(&r, t, 1, t < 14 ? 5.0 : 2.0);
    CHECK_NEAR(ss_recent_median(&r), 2.0, 1e-12);
    ss_recent_add(&r, 100, 1, 7); /* after a pause */
    CHECK_NEAR(ss_recent_median(&r), 7.0, 1e-12);
    ss_recent_clear(&r);
    CHECK(isnan(ss_recent_median(&r)));
}

TEST(recent, nothing_is_added_by_slices_without_cycles_or_time)
{
    ss_recent r = {.n = 0};
    ss_recent_add(&r, 1, 0, 1);
    ss_recent_add(&r, 1, 1, 0);
    CHECK(isnan(ss_recent_median(&r)));
}

/* --- in snapshots ----------------------------------------------------------------------------- */

static double spent_after(bool deterministic, const char *const *lines, int *threads)
{
    ss_config cfg = config("poisson2d", "shared",
                           PAIRS("n", "64", "threads", "2", "backend", "cpu", "until", "0"));
    ss_engine_setup setup = {
        .cfg = &cfg, .interactive = true, .deterministic = deterministic, .paused = true};
    ss_engine *e = engine_start(&setup);
    const ss_snapshot *s = send_lines(e, lines);
    double spent = s->spent;
    *threads = s->threads;
    CHECK(s->working_set.fields > 3 * 64 * 64 * 8 - 1 && s->working_set.tile > 0);
    ss_engine_stop(e);
    ss_engine_free(e);
    return spent;
}

TEST(recent, a_snapshot_has_the_cost_of_the_present_settings)
{
    int threads;
    double spent = spent_after(false, LINES("step 200", "pause"), &threads);
    CHECK_MSG(spent > 0 && isfinite(spent), "%g", spent);
    CHECK_INT(threads, 2);
    CHECK(isnan(spent_after(false, LINES("pause"), &threads)));
    CHECK(isnan(spent_after(false, LINES("step 200", "set k 3"), &threads)));
    CHECK(isnan(spent_after(true, LINES("step 200", "pause"), &threads))); /* no clock */
}

/* --- the CPU clocks --------------------------------------------------------------------------- */

/* Computes for that much CPU time of its own, whatever the wall clock says. */
static double burn(double seconds)
{
    volatile double x = 1;
    double began = ss_cpu_thread();
    while (ss_cpu_thread() - began < seconds)
        for (int i = 0; i < 1000; i++)
            x = x * 1.0000001;
    return ss_cpu_thread() - began;
}

static void *left_out(void *arg)
{
    ss_cpu_leave_out();
    burn(0.2);
    ss_cpu_leave_in();
    (void)arg;
    return NULL;
}

static void *mate(void *arg)
{
    *(double *)arg = burn(0.2);
    return NULL;
}

TEST(cpu_clock, a_team_counts_its_threads_and_not_those_left_out)
{
    pthread_t a, b;
    double helped = 0, team = ss_cpu_team(), own = ss_cpu_thread();
    CHECK_INT(pthread_create(&a, NULL, left_out, NULL), 0);
    CHECK_INT(pthread_create(&b, NULL, mate, &helped), 0);
    burn(0.1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    team = ss_cpu_team() - team;
    own = ss_cpu_thread() - own;
    CHECK_MSG(fabs(team - own - helped) < 0.1, "%g s, not %g", team, own + helped);
}

TEST(cpu_clock, a_thread_that_sleeps_spends_nothing)
{
    double own = ss_cpu_thread();
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    CHECK(ss_cpu_thread() - own < 0.1);
}
