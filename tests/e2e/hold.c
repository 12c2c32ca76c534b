/* A run that holds, by keys: it answers and counts nothing, messages leave, and space goes on to
 * the end. */
#include "tests/e2e/e2e.h"

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
    SHOWS(t, "0 everywhere: bit-for-bit classic");
    CHECK(e2e_cycle(t) == 712);
    term_keys(t, "uuu");
    CONTROL(t, "k", "8");
    LOSES(t, "not counted");
    LOSES(t, "0 everywhere");
    term_keys(t, " ");
    SHOWS(t, "■ residual 0");
    SHOWS(t, "nothing left to do: the residual is 0. Press r");
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
    SHOWS(t, "converged at 712 · space goes on to round-off");
    LOSES(t, "converged at 712");
    SHOWS(t, "k · 1 to 1024 subiterations");
    SHOWS(t, "space goes on to round-off"); /* at the curve */
    term_keys(t, ":view layer age\r");
    SHOWS(t, "all tiles of this solver have the same age");
    term_keys(t, ":open poisson2d async n=64 until=0\r");
    LOSES(t, "all tiles of this solver have the same age");
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}
