/* A run that holds, by keys: it answers and counts nothing, messages leave, and space goes on to
 * the end. */
#include "tests/e2e/e2e.h"

#include <string.h>

#include <stdio.h>

#define SMALL "poisson2d shared --n 64 --k 8 --block 16 --threads 1 "

TEST(hold, the_picture_answers_to_keys)
{
    term *t = term_open(120, 40, NULL, SMALL "-e 'view layer staleness' -e run");
    SHOWS(t, "■ converged 712");
    SHOWS(t, "difference to the same sweeps");
    term_keys(t, "K");
    CONTROL(t, "k", "9");
    SHOWS(t, "last cycle repeated, not counted");
    SHOWS(t, "■ converged 712");
    term_keys(t, ":set overlap 14\rk");
    SHOWS(t, "0 everywhere: this cycle = 8 classic iterations"); /* the run was not exact */
    CHECK(e2e_cycle(t) == 712);
    term_keys(t, "uuu");
    CONTROL(t, "k", "8");
    LOSES(t, "not counted");
    LOSES(t, "0 everywhere");
    term_keys(t, " ");
    SHOWS(t, "■ residual 0");
    SHOWS(t, "nothing left to do: the residual is 0");
    SHOWS(t, "0 everywhere: halos are stale, but nothing changes");
    CHECK(e2e_cycle(t) > 712);
    term_keys(t, "r");
    SHOWS(t, "■ converged 712");
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

/* After some seconds the help of the focused control is back, and what is said about one run is
 * gone with it. */
TEST(hold, messages_leave)
{
    term *t = term_open(120, 40, NULL, SMALL);
    SHOWS(t, "converged at 712");
    LOSES(t, "converged at 712");
    SHOWS(t, "k: subiterations between two exchanges");
    SHOWS(t, "space goes on to round-off"); /* at the curve */
    term_keys(t, ":view layer age\r");
    SHOWS(t, "all tiles of this solver have the same age");
    term_keys(t, ":open poisson2d async n=64 until=0\r");
    LOSES(t, "all tiles of this solver have the same age");
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

/* Before the first field is there, so that a window is never empty. */
TEST(hold, a_large_problem_says_at_once_what_is_prepared)
{
    static const char what[] = "preparing 1024";
    size_t size = 0;
    term *t = term_open(80, 24, NULL, "poisson2d --n 1024 -e quit");
    CHECK(term_exit(t, TERM_PATIENCE) == 0);
    const char *all = term_output(t, &size);
    CHECK(memmem(all, size, what, sizeof what - 1) != NULL);
    term_close(t);
}
