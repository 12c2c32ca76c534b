/* Call-outs over the screen, and the page of costs with the roofline. */
#include "tests/e2e/e2e.h"

static term *start(const char *args)
{
    term *t = term_open(120, 40, NULL, args);
    SHOWS(t, "cycle 40");
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
                    "-e 'view layer staleness' -e 'step 40'");
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

TEST(explain, a_change_is_explained_by_the_factors_around_it)
{
    term *t = start("poisson2d shared --n 64 --k 4 --threads 1 --deterministic --until 0 "
                    "-e 'step 20' -e 'set k 12' -e 'step 20'");
    term_keys(t, "i");
    SHOWS(t, "just before it");
    term_keys(t, "i");
    LOSES(t, "just before it");
    leave(t);
}

TEST(explain, the_costs_have_a_page_with_the_roofline)
{
    term *t = start("poisson2d shared --n 64 --k 4 --threads 1 --deterministic --until 0 "
                    "-e 'step 40'");
    term_keys(t, "%");
    SHOWS(t, "[roofline]");
    SHOWS(t, "nothing is measured"); /* it depends on the clock */
    term_keys(t, "%");
    SHOWS(t, "[cost]");
    leave(t);
}
