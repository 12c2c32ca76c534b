/* The end of a wait: normal numbers, for every interval. */
#include "src/base/system.h"

#include <math.h>

#include "tests/check.h"

static double seconds_of(struct timespec t)
{
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

TEST(deadline, is_so_many_seconds_from_now)
{
    static const double intervals[] = {0, 1e-9, 1e-4, 0.25, 0.999999999, 1, 7.5, 86400, 1e9};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        struct timespec before, after, t;
        clock_gettime(CLOCK_MONOTONIC, &before);
        t = ss_deadline_in(CLOCK_MONOTONIC, intervals[i]);
        clock_gettime(CLOCK_MONOTONIC, &after);
        CHECK(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
        CHECK(seconds_of(t) >= seconds_of(before) + intervals[i] - 1e-6);
        CHECK(seconds_of(t) <= seconds_of(after) + intervals[i] + 1e-6);
    }
}

TEST(deadline, no_interval_is_in_the_past_or_beyond_the_clock)
{
    struct timespec now, t;
    clock_gettime(CLOCK_REALTIME, &now);
    t = ss_deadline_in(CLOCK_REALTIME, -3);
    CHECK(t.tv_sec >= now.tv_sec && t.tv_nsec >= 0);
    t = ss_deadline_in(CLOCK_REALTIME, INFINITY);
    CHECK(t.tv_sec >= now.tv_sec + 999999999 && t.tv_nsec < 1000000000);
}
