/* A paused screen: it sends nothing while nothing happens, and after a slow line it returns to full
 * colour levels. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <unistd.h>

/* quiet: seconds without output after which all work is done. */
static void stays_silent(const char *args, const char *shows, double quiet)
{
    size_t before, after;
    term *t = term_open(120, 40, NULL, args);
    SHOWS(t, shows);
    CHECK(term_settle(t, quiet, TERM_PATIENCE));
    term_output(t, &before);
    term_pump(t, 1);
    term_output(t, &after);
    CHECK_MSG(after == before, "%s: %zu bytes were sent while nothing happened", args,
              after - before);
    term_close(t);
}

TEST(paused, screens_send_nothing_while_nothing_happens)
{
    stays_silent("poisson2d shared --n 256 -e 'step 2'", "cycle 2", 1.5);
    stays_silent("poisson2d shared --n 128 -e 'step 2' -e error -e 'view layer error'",
                 "distance to the discrete solution", 1.5);
    stays_silent("poisson1d shared --n 1024 -e 'step 2'", "cycle 2", 1.5);
    stays_silent("poisson2d shared --n 256 -e 'step 2' -e 'tick 3'", "3rd subiteration", 1.5);
    stays_silent("", "What would you like to see?", 5); /* u* of 1024 x 1024 points */
}

/* --- a slow line ------------------------------------------------------------------------------ */

enum { COLOURS_MAX = 256, THEMES = 3 };

/* The number of colours in the picture; text does not count. */
static int picture_colours(term *t)
{
    unsigned seen[COLOURS_MAX];
    int count = 0;
    for (int y = 0; y < term_rows(t); y++)
        for (int x = 0; x < term_cols(t); x++)
            for (int background = 0; background < 2 && term_is_half_block(t, x, y); background++) {
                unsigned colour = term_colour(t, x, y, background);
                int i = 0;
                while (i < count && seen[i] != colour)
                    i++;
                if (i == count && count < COLOURS_MAX)
                    seen[count++] = colour;
            }
    return count;
}

/* Changes the theme until the first one is back, twice, and reads nothing for longer than a slow
 * write takes. Returns the smallest number of colours of the picture. */
static int stall(term *t)
{
    int fewest = COLOURS_MAX;
    for (int i = 0; i < 2 * THEMES; i++) {
        term_keys(t, "t");
        usleep(200000);
        double end = term_clock() + 0.2;
        while (term_clock() < end) {
            term_pump(t, 0.02);
            int now = picture_colours(t);
            fewest = now < fewest ? now : fewest;
        }
    }
    return fewest;
}

static void levels_after_a_slow_line(const char *more, bool may_drop)
{
    char args[256];
    snprintf(args, sizeof args,
             "poisson2d jacobi --n 256 --problem random --threads 1 -e 'step 3' %s", more);
    term *t = term_open(240, 70, NULL, args);
    SHOWS(t, "cycle 3");
    CHECK(term_settle(t, 0.6, TERM_PATIENCE));
    int full = picture_colours(t), fewest = stall(t);
    double end = term_clock() + TERM_PATIENCE;
    CHECK_MSG(full > 16, "the picture has only %d colours", full);
    if (may_drop)
        CHECK_MSG(fewest <= 3 * full / 4, "never fewer than %d of %d colours", fewest, full);
    else
        CHECK_MSG(fewest > 3 * full / 4, "%d of %d colours for a while", fewest, full);
    while (picture_colours(t) != full && term_clock() < end)
        term_pump(t, 0.05);
    CHECK(term_settle(t, 0.6, TERM_PATIENCE));
    CHECK_INT(picture_colours(t), full);
    term_close(t);
}

TEST(paused, full_colour_levels_come_back_after_a_slow_line)
{
    levels_after_a_slow_line("", true);
    levels_after_a_slow_line("--colors true", true);
}

TEST(paused, deterministic_screens_keep_their_colour_levels_on_a_slow_line)
{
    levels_after_a_slow_line("--deterministic", false);
}
