/* The timeline with the mouse, as terminals report it: a drag returns to a kept state, bit for bit;
 * a drag with shift makes a film. */
#include "tests/e2e/e2e.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEFT = 0, SHIFT = 4, DRAG = 32, ROW = 2, COLS = 120 };

static bool same_files(const char *a, const char *b)
{
    static char x[1 << 16], y[1 << 16];
    FILE *f = fopen(a, "r"), *g = fopen(b, "r");
    CHECK_MSG(f && g, "%s or %s is missing", a, b);
    size_t n = fread(x, 1, sizeof x, f), m = fread(y, 1, sizeof y, g);
    fclose(f);
    fclose(g);
    return n > 1000 && n == m && memcmp(x, y, n) == 0;
}

static void empty_folder(void)
{
    glob_t files;
    CHECK(glob("*", 0, NULL, &files) == 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        unlink(files.gl_pathv[i]);
    globfree(&files);
}

/* The column of a cycle: the axis goes to 80, and the name of its end stands right of it. */
static int column(int cycle)
{
    return 1 + (int)((cycle + 0.3) / 80 * (COLS - 3 - 9));
}

TEST(timeline, dragged_back_the_field_is_that_of_then_and_a_span_becomes_a_film)
{
    char folder[] = "/tmp/ss-timeline-XXXXXX";
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
    term *t = term_open(COLS, 50, NULL,
                        "poisson2d shared --n 64 --k 4 --until 0 --threads 1 --deterministic "
                        "-e 'step 30' -e 'save then.npy' -e 'set k 6' -e 'step 50'");
    SHOWS(t, "cycle 80");
    CHECK(term_settle(t, 0.2, TERM_PATIENCE));
    term_mouse(t, LEFT, column(10), ROW, false);
    SHOWS(t, "cycle 0 of 80"); /* the nearest kept state */
    for (int c = 12; c <= 30; c += 3)
        term_mouse(t, LEFT | DRAG, column(c), ROW, false);
    SHOWS(t, "cycle 30 of 80");
    term_mouse(t, LEFT, column(30), ROW, true);
    term_keys(t, ":save now.npy\r");
    SHOWS(t, "wrote");
    CHECK(same_files("then.npy", "now.npy"));

    term_mouse(t, SHIFT | LEFT, column(40), ROW, false);
    term_mouse(t, SHIFT | LEFT | DRAG, column(50), ROW, false);
    term_mouse(t, SHIFT | LEFT, column(50), ROW, true);
    SHOWS(t, "film of the cycles 40 to 50: 11 frames in run-");
    term_keys(t, ":film 20 44 film.cast\r");
    SHOWS(t, "25 frames in film.cast");
    SHOWS(t, "cycle 30 of 80"); /* it stands where it stood before */
    CHECK_INT(access("film.cast", R_OK), 0);
    term_keys(t, ":film 70 90\r");
    SHOWS(t, "between 0 and 80");
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
    empty_folder();
    rmdir(folder);
}
