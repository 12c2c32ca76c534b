/* Clocks of modelled ranks against times by hand, given in the comments: latency L = 100, overhead
 * o = 1, a link of 2 bytes per second. */
#include <stdlib.h>

#include "src/ranks/clock.h"

#include "tests/check.h"

static const ss_ranks_link link = {.latency = 100, .overhead = 1, .rate = 2};

static ss_ranks_clock *clock_of(const ss_ranks_plan *p, const ss_ranks_link *l)
{
    ss_ranks_clock *c = calloc(1, sizeof *c);
    CHECK(c != NULL);
    ss_ranks_start(c, p, l);
    return c;
}

/* Two ranks, one message of 8 bytes each way per cycle. */
static ss_ranks_plan pair(bool hide, double inner, double outer)
{
    ss_ranks_plan p = {.count = 2, .columns = 2, .rows = 1, .levels = 1, .steps = 1};
    double in[2] = {inner, inner}, out[2] = {outer, outer};
    ss_ranks_message_add(&p, 0, 1, 8);
    ss_ranks_message_add(&p, 1, 0, 8);
    ss_ranks_exchange(&p, 0, 2, hide, in, out);
    return p;
}

static double after(const ss_ranks_plan *p, const ss_ranks_link *l, const double *seconds,
                    int cycles)
{
    ss_ranks_clock *c = clock_of(p, l);
    for (int i = 0; i < cycles; i++)
        ss_ranks_cycle(c, p, l, seconds, true);
    double now = ss_ranks_now(c);
    free(c);
    return now;
}

/* Send 1, 4 on the link, 100 on the way, receive 1, work 30. */
TEST(ranks_clock, classic_is_work_plus_latency)
{
    ss_ranks_plan p = pair(false, 20, 10);
    const double seconds[2] = {30, 30};
    CHECK_NEAR(after(&p, &link, seconds, 1), 136, 1e-12);
    CHECK_NEAR(after(&p, &link, seconds, 10), 1360, 1e-9);
    CHECK_NEAR(ss_ranks_formula(&p, &link, seconds), 136, 1e-12);
}

/* The work of 20 is done while the messages travel for 104; with 200 it is the other way round. */
TEST(ranks_clock, hidden_is_the_larger_of_both)
{
    ss_ranks_plan p = pair(true, 20, 10), q = pair(true, 200, 10);
    const double seconds[2] = {30, 30}, more[2] = {210, 210};
    CHECK_NEAR(after(&p, &link, seconds, 1), 1 + 104 + 1 + 10, 1e-12);
    CHECK_NEAR(ss_ranks_formula(&p, &link, seconds), 116, 1e-12);
    CHECK_NEAR(after(&q, &link, more, 1), 1 + 200 + 1 + 10, 1e-12);
    CHECK_NEAR(ss_ranks_formula(&q, &link, more), 212, 1e-12);
}

/* The seconds of a rank are spread over its work: 60 s for 30 updates doubles both parts. */
TEST(ranks_clock, work_is_shared_out_by_updates)
{
    ss_ranks_plan p = pair(true, 20, 10);
    const double seconds[2] = {300, 300};
    CHECK_NEAR(after(&p, &link, seconds, 1), 1 + 200 + 1 + 100, 1e-12);
}

/* Rank 1 works for 130, rank 0 for 30. Messages leave at 1 and arrive at 105. Rank 0 ends its cycle
 * at 136, rank 1 at 236. Then rank 0 sends at 137, which arrives at 241; rank 1 sends at 237, for
 * which rank 0 waits until 341. */
TEST(ranks_clock, a_slow_rank_is_waited_for)
{
    ss_ranks_plan p = pair(false, 20, 10);
    const double seconds[2] = {30, 130};
    ss_ranks_clock *c = clock_of(&p, &link);
    ss_ranks_cycle(c, &p, &link, seconds, true);
    CHECK_NEAR(c->now[0], 136, 1e-12);
    CHECK_NEAR(c->now[1], 236, 1e-12);
    CHECK_NEAR(c->waited, 2 * 104, 1e-12);
    ss_ranks_cycle(c, &p, &link, seconds, true);
    CHECK_NEAR(c->now[0], 341 + 1 + 30, 1e-12);
    CHECK_NEAR(c->now[1], 241 + 1 + 130, 1e-12);
    free(c);
}

/* Two messages of 8 bytes from one rank: the second leaves the link 4 later, although the rank was
 * ready at 2. It arrives at 1 + 4 + 4 + 100. */
TEST(ranks_clock, a_link_sends_one_message_at_a_time)
{
    ss_ranks_plan p = {.count = 2, .levels = 1, .steps = 1};
    ss_ranks_message_add(&p, 0, 1, 8);
    ss_ranks_message_add(&p, 0, 1, 8);
    ss_ranks_send(&p, 0, 2);
    ss_ranks_receive(&p, 0, 2);
    const double none[2] = {0, 0};
    ss_ranks_clock *c = clock_of(&p, &link);
    ss_ranks_cycle(c, &p, &link, none, false);
    CHECK_NEAR(c->now[0], 2, 1e-12);
    CHECK_NEAR(c->now[1], 110, 1e-12);
    CHECK_NEAR(ss_ranks_formula(&p, &link, none), 109 - 1 + 2, 1e-12);
    free(c);
}

TEST(ranks_clock, a_link_without_limit_takes_no_time)
{
    ss_ranks_plan p = pair(false, 20, 10);
    ss_ranks_link l = {.latency = 100, .overhead = 1};
    const double seconds[2] = {30, 30};
    CHECK_NEAR(after(&p, &l, seconds, 1), 132, 1e-12);
}

/* Messages that are received before they are sent, in the cycle's order, left before it: at 1, so
 * that they arrive at 105. Then work 20, send at 127, work 10: the next cycle waits until 231. */
TEST(ranks_clock, messages_stay_in_flight_between_cycles)
{
    ss_ranks_plan p = {.count = 2, .levels = 1, .steps = 1};
    ss_ranks_message_add(&p, 0, 1, 8);
    ss_ranks_message_add(&p, 1, 0, 8);
    ss_ranks_receive(&p, 0, 2);
    double *work = ss_ranks_compute(&p);
    work[0] = work[1] = 20;
    ss_ranks_send(&p, 0, 2);
    work = ss_ranks_compute(&p);
    work[0] = work[1] = 10;
    const double seconds[2] = {30, 30};
    CHECK_NEAR(after(&p, &link, seconds, 1), 105 + 1 + 20 + 1 + 10, 1e-12);
    CHECK_NEAR(after(&p, &link, seconds, 2), 127 + 104 + 1 + 20 + 1 + 10, 1e-12);
    CHECK_NEAR(ss_ranks_formula(&p, &link, seconds), 104 + 1 + 20 + 1, 1e-12);
}

/* ceil(log2 P) rounds of L + 2 o after the last rank. */
TEST(ranks_clock, a_reduction_takes_log2_rounds)
{
    ss_ranks_plan p = pair(false, 20, 10);
    const double seconds[2] = {30, 130};
    ss_ranks_clock *c = clock_of(&p, &link);
    CHECK_NEAR(ss_ranks_reduction(&link, 2), 102, 1e-12);
    CHECK_NEAR(ss_ranks_reduction(&link, 3), 204, 1e-12);
    CHECK_NEAR(ss_ranks_reduction(&link, 4), 204, 1e-12);
    CHECK_NEAR(ss_ranks_reduction(&link, 64), 612, 1e-12);
    ss_ranks_cycle(c, &p, &link, seconds, true);
    ss_ranks_reduce(c, &link, true);
    CHECK_NEAR(c->now[0], 236 + 102, 1e-12);
    CHECK_NEAR(c->now[1], 236 + 102, 1e-12);
    free(c);
}

/* The trace of a rank covers its cycle without a gap: send, wait, receive, work. */
TEST(ranks_clock, trace_has_no_gap)
{
    ss_ranks_plan p = pair(true, 20, 10);
    const double seconds[2] = {30, 30};
    static const ss_ranks_kind kinds[] = {SS_RANKS_CALLS, SS_RANKS_WORKS, SS_RANKS_WAITS,
                                          SS_RANKS_CALLS, SS_RANKS_WORKS};
    static const double ends[] = {1, 21, 105, 106, 116};
    ss_ranks_clock *c = clock_of(&p, &link);
    ss_ranks_cycle(c, &p, &link, seconds, true);
    const ss_ranks_trace *t = &c->trace[0];
    for (int r = 0; r < 2; r++) {
        int n = 0;
        double at = 0;
        for (int i = 0; i < t->nspan; i++) {
            if (t->span[i].rank != r)
                continue;
            CHECK_INT(t->span[i].kind, (int)kinds[n]);
            CHECK_NEAR(t->span[i].from, at, 1e-12);
            CHECK_NEAR(t->span[i].to, ends[n], 1e-12);
            at = t->span[i].to;
            n++;
        }
        CHECK_INT(n, 5);
    }
    CHECK_INT(t->narrow, 2);
    CHECK_NEAR(t->arrow[0].sent, 1, 1e-12);
    CHECK_NEAR(t->arrow[0].arrived, 105, 1e-12);
    CHECK_NEAR(t->to - t->from, 116, 1e-12);
    free(c);
}

TEST(ranks_clock, grids_have_the_shortest_halo)
{
    int x, y;
    CHECK(ss_ranks_grid(4, 100, 100, 99, 99, &x, &y) && x == 2 && y == 2);
    CHECK(ss_ranks_grid(6, 100, 100, 99, 99, &x, &y) && x == 3 && y == 2);
    CHECK(ss_ranks_grid(6, 10, 1000, 99, 99, &x, &y) && x == 1 && y == 6);
    CHECK(ss_ranks_grid(4, 1000, 1, 99, 1, &x, &y) && x == 4 && y == 1);
    CHECK(ss_ranks_grid(4, 100, 100, 4, 1, &x, &y) && x == 4 && y == 1);
    CHECK(!ss_ranks_grid(7, 100, 100, 4, 4, &x, &y));
}
