/* Call-outs over the screen, and the page of costs with the roofline. */
#include "tests/e2e/e2e.h"

#include <stdio.h>

static term *start(const char *args, const char *cycle)
{
    term *t = term_open(120, 40, NULL, args);
    SHOWS(t, cycle);
    CHECK(term_settle(t, 0.2, TERM_PATIENCE));
    return t;
}

static void leave(term *t)
{
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

TEST(explain, the_screen_is_explained_and_goes_on)
{
    term *t = start("poisson2d shared --n 128 --k 12 --overlap 4 --threads 1 --deterministic "
                    "-e 'view layer staleness' -e 'step 40'",
                    "cycle 40");
    term_keys(t, "i");
    SHOWS(t, "Stale by");
    SHOWS(t, "11 iterations old");
    SHOWS(t, "After 40 cycles");
    term_keys(t, ",");
    SHOWS(t, "After 41 cycles"); /* its numbers are those of the run */
    term_keys(t, "\033");
    LOSES(t, "Stale by");
    leave(t);
}

#define SMALL "poisson2d shared --n 64 --k 4 --threads 1 --deterministic --until 0 -e "
#define CHANGED SMALL "'step 300' -e 'set "

TEST(explain, a_change_is_explained_by_the_factors_around_it)
{
    term *t = start(SMALL "'step 700' -e 'set k 12' -e 'step 200'", "cycle 900"); /* both settled */
    term_keys(t, "i");
    SHOWS(t, "before it a cycle");
    SHOWS(t, "Classic, over the same");
    term_keys(t, "i");
    LOSES(t, "before it a cycle");
    leave(t);
}

/* A run slows down by itself: what classic does as well has another cause, and a factor that is not
 * settled says nothing. */
TEST(explain, a_change_is_no_cause_of_what_classic_does_too)
{
    static const char *const changes[] = {"overlap 8' -e 'step 300'", "k 12' -e 'step 5'"};
    for (int i = 0; i < 2; i++) {
        char args[256];
        int x, y;
        snprintf(args, sizeof args, "%s%s%s", CHANGED, i ? "" : "overlap 6' -e 'step 300' -e 'set ",
                 changes[i]);
        term *t = start(args, i ? "cycle 305" : "cycle 900");
        term_keys(t, "i");
        SHOWS(t, i ? "After 305 cycles" : "After 900 cycles");
        CHECK(!term_find(t, i ? "k 4→12: before" : "overlap 6→8: before", &x, &y));
        term_keys(t, "i");
        leave(t);
    }
}

TEST(explain, the_costs_have_a_page_with_the_roofline)
{
    term *t = start("poisson2d shared --n 64 --k 4 --threads 1 --deterministic --until 0 "
                    "-e 'step 40'",
                    "cycle 40");
    term_keys(t, "%");
    SHOWS(t, "[roofline]");
    SHOWS(t, "nothing is measured"); /* it depends on the clock */
    term_keys(t, "%");
    SHOWS(t, "[cost]");
    leave(t);
}
