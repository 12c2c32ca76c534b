/* The choice of the roof above a point, and its reason. */
#include "src/snapshot/roofs.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

static ss_roofs sample(void)
{
    return (ss_roofs){.n = 4,
                      .roof = {{"memory", 10e9, 0, false},
                               {"L3", 30e9, 32e6, false},
                               {"L2", 50e9, 1e6, true},
                               {"L1", 200e9, 32e3, true}},
                      .rate = 60e9};
}

static const char *explain(const ss_roofs *r, double intensity, double rate, int threads,
                           double fields, double tile)
{
    static char text[240];
    ss_roof_point p = {intensity, rate, threads, {fields, tile}};
    return ss_roofs_explain(r, &p, text, sizeof text);
}

TEST(roofs, the_lowest_roof_above_a_point_is_chosen)
{
    ss_roofs r = sample();
    static const double rate[] = {9e9, 10e9, 11e9, 40e9, 60e9, 201e9};
    static const int roof[] = {0, 0, 1, 2, 3, -1};
    for (int i = 0; i < 6; i++) {
        ss_roof_point p = {1, rate[i], 1, {0, 0}};
        CHECK_MSG(ss_roofs_above(&r, &p) == roof[i], "%g: roof %d", rate[i],
                  ss_roofs_above(&r, &p));
    }
    r.roof[1].bandwidth = 5e9; /* slower than memory, by a disturbed measurement */
    ss_roof_point p = {1, 7e9, 1, {0, 0}};
    CHECK_INT(ss_roofs_above(&r, &p), 0);
}

TEST(roofs, arithmetic_limits_every_roof)
{
    ss_roofs r = sample();
    CHECK_NEAR(ss_roofs_at(&r, 0, 1), 10e9, 1);
    CHECK_NEAR(ss_roofs_at(&r, 0, 100), 60e9, 1);
    CHECK_NEAR(ss_roofs_at(&r, 3, 1), 60e9, 1);
    r.rate = 0; /* not known */
    CHECK_NEAR(ss_roofs_at(&r, 3, 1), 200e9, 1);
}

TEST(roofs, below_the_memory_roof_the_share_is_of_memory_or_arithmetic)
{
    ss_roofs r = sample();
    CHECK_STR(explain(&r, 1, 5e9, 1, 1e9, 8e3), "50 % of what memory allows");
    CHECK_STR(explain(&r, 100, 15e9, 1, 1e9, 8e3), "25 % of what arithmetic allows");
    CHECK_STR(explain(&r, 1, 5e7, 1, 1e9, 8e3), "0.5 % of what memory allows");
}

TEST(roofs, above_the_memory_roof_the_reason_is_what_fits_the_cache)
{
    ss_roofs r = sample();
    CHECK_STR(explain(&r, 1, 15e9, 1, 8e6, 8e3),
              "above the memory roof: the fields of 8.00 MB stay in L3 (50 % of what L3 allows)");
    CHECK_STR(explain(&r, 1, 15e9, 1, 0.5e6, 8e3),
              "above the memory roof: the fields of 500 kB stay in L2 (50 % of what L3 allows)");
    CHECK_STR(explain(&r, 1, 15e9, 1, 1e9, 8e3),
              "above the memory roof: the tile of 8.00 kB stays in L1 (50 % of what L3 allows)");
    CHECK_STR(explain(&r, 1, 40e9, 1, 8e6, 8e3),
              "above the L3 roof: the tile of 8.00 kB stays in L1 (80 % of what L2 allows)");
    CHECK_STR(explain(&r, 1, 40e9, 1, 3e6, 0),
              "above the L3 roof: part of the fields of 3.00 MB stays in L2 (80 % of what L2 "
              "allows)");
}

/* Each thread has its own L2 for its part of the fields. */
TEST(roofs, private_caches_add_up_over_threads)
{
    ss_roofs r = sample();
    CHECK(strstr(explain(&r, 1, 40e9, 4, 3e6, 0), "the fields of 3.00 MB stay in L2"));
    CHECK(strstr(explain(&r, 1, 40e9, 2, 3e6, 0), "part of the fields"));
    r.roof[2].per_core = false;
    CHECK(strstr(explain(&r, 1, 40e9, 4, 3e6, 0), "part of the fields"));
}

/* Whatever the figures: a point above a roof gets a sentence with its reason. */
TEST(roofs, no_point_is_above_a_roof_without_a_reason)
{
    ss_roofs r = sample();
    r.rate = 0;
    for (double rate = 1e9; rate < 1e12; rate *= 1.1)
        for (double fields = 1e3; fields < 1e11; fields *= 10) {
            const char *text = explain(&r, 1, rate, 1, fields, fields / 100);
            bool above = rate > 10e9;
            CHECK_MSG((strncmp(text, "above the ", 10) == 0) == above, "%g: %s", rate, text);
            CHECK_MSG(!above || strstr(text, " roof: "), "%g: %s", rate, text);
        }
    r.rate = 60e9;
    CHECK(strstr(explain(&r, 10, 61e9, 1, 1e9, 0), "above the arithmetic roof"));
}
