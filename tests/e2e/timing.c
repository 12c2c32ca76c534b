/* The cost of the screen: a key shows soon, drawing takes little CPU time, a paused program none.
 * Wall-clock measurements: they run only with SS_TIMINGS=1 (see e2e.h). */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <stdlib.h>

enum { PRESSES = 30 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* --- from a key to the screen
 * ---------------------------------------------------------------------------------
 */

/* Seconds from the key to the screen with the new value. */
static double press(term *t, const char *key, const char *name, const char *want)
{
    double began = term_clock();
    term_keys(t, key);
    while (strcmp(e2e_control(t, name), want) != 0 && term_clock() - began < TERM_PATIENCE)
        term_pump(t, 0.001);
    return term_clock() - began;
}

static void keys_show(const char *figure, const char *args)
{
    double taken[PRESSES];
    char name[80];
    term *t = term_open(120, 40, NULL, args);
    SHOWS(t, "▶");
    CONTROL(t, "k", "16");
    term_pump(t, 1);
    for (int i = 0; i < PRESSES; i++) {
        taken[i] = press(t, i % 2 ? "k" : "K", "k", i % 2 ? "16" : "17");
        term_pump(t, 0.05 + 0.007 * i); /* at other phases of the frame */
    }
    qsort(taken, PRESSES, sizeof *taken, ascending);
    snprintf(name, sizeof name, "key_shows_median_ms_%s", figure);
    e2e_figure(name, 1e3 * taken[PRESSES / 2], 100, false);
    snprintf(name, sizeof name, "key_shows_worst_ms_%s", figure);
    e2e_figure(name, 1e3 * taken[PRESSES - 1], 250, false);
    LEAVE(t);
}

TEST(timing, a_key_shows)
{
    TIMING();
    keys_show("4096", "poisson2d shared --n 4096 --block 256 --block-y 128 --k 16 --threads 1");
}

TEST(timing, a_key_shows_with_the_default_blocks)
{
    TIMING();
    keys_show("4096_block_32", "poisson2d shared --n 4096 --k 16 --overlap 4");
}

/* --- the cost of drawing ---------------------------------------------------------------------- */

typedef struct cost {
    double percent, kilobytes, frames; /* of a core; a second; a second, as the first line says */
} cost;

/* The number that the first line says; -1: none. */
static double frames_shown(term *t)
{
    const char *row = term_row(t, 0), *fps = strstr(row, " fps");
    while (fps && fps > row && fps[-1] != ' ')
        fps--;
    return fps ? strtod(fps, NULL) : -1;
}

static cost drawing(int cols, int rows, const char *args)
{
    size_t before, after;
    cost c = {0, 0, -1};
    term *t = term_open(cols, rows, NULL, args);
    SHOWS(t, "▶");
    term_pump(t, 2);
    double cpu = term_cpu(t, true), clock = term_clock();
    long long cycle = e2e_cycle(t);
    term_output(t, &before);
    term_pump(t, 4);
    double seconds = term_clock() - clock;
    c.percent = 100 * (term_cpu(t, true) - cpu) / seconds;
    term_output(t, &after);
    c.kilobytes = (double)(after - before) / seconds / 1024;
    CHECK_MSG(e2e_cycle(t) > cycle, "it does not run:\n%s", term_screen(t));
    c.frames = frames_shown(t);
    LEAVE(t);
    return c;
}

static void drawing_costs(const char *name, int cols, int rows, const char *args, double limit)
{
    char figure[96];
    cost c = drawing(cols, rows, args);
    if (c.percent != c.percent)
        SKIP("this system does not tell the processor time of a thread");
    snprintf(figure, sizeof figure, "%s_%dx%d", name, cols, rows);
    printf("figure frames_a_second_%s %.3g\n", figure, c.frames);
    printf("figure kilobytes_a_second_%s %.4g\n", figure, c.kilobytes);
    snprintf(figure, sizeof figure, "drawing_percent_%s_%dx%d", name, cols, rows);
    e2e_figure(figure, c.percent, limit, false);
}

/* The colours of a race move most of the time. */
TEST(timing, frames_are_no_more_than_asked)
{
    TIMING();
    term *t = term_open(160, 50, NULL,
                        "race 'poisson2d jacobi' 'poisson2d shared --k 16' 'poisson2d cg' --n 255 "
                        "--until 1e-12 --fps 20");
    SHOWS(t, "▶");
    term_pump(t, 5);
    e2e_figure("frames_a_second", frames_shown(t), 22, false);
    term_keys(t, "q");
    ENDS(t, 1); /* the goal is missed */
    term_close(t);
}

#define CLASSIC "poisson2d jacobi --n 4096 --threads 1 "
#define SHARED "poisson2d shared --n 4096 --block 256 --block-y 128 --k 16 --threads 1 "

TEST(timing, drawing_value)
{
    TIMING();
    drawing_costs("value_classic", 120, 40, CLASSIC "-e 'view layer value' -e run", 5);
    drawing_costs("value_shared", 120, 40, SHARED "-e 'view layer value' -e run", 5);
}

TEST(timing, drawing_residual)
{
    TIMING();
    drawing_costs("residual_classic", 120, 40, CLASSIC "-e 'view layer residual' -e run", 5);
    drawing_costs("residual_shared", 120, 40, SHARED "-e 'view layer residual' -e run", 5);
}

TEST(timing, drawing_staleness)
{
    TIMING();
    drawing_costs("staleness_shared", 120, 40, SHARED "-e 'view layer staleness' -e run", 5);
}

/* A random field, one cycle per frame: every cell of the picture changes in every frame. */
TEST(timing, drawing_at_worst)
{
    TIMING();
    drawing_costs("worst_residual", 240, 70,
                  "poisson2d jacobi --n 1024 --problem random --threads 1 "
                  "-e 'view layer residual' -e 'speed 0.05' -e run",
                  10);
    drawing_costs("worst_value", 240, 70,
                  "poisson2d jacobi --n 256 --problem random --threads 1 -e 'speed 0.05' -e run",
                  10);
    drawing_costs("worst_full_speed", 240, 70,
                  "poisson2d jacobi --n 512 --problem random --threads 1", 10);
    drawing_costs("worst_line", 240, 70, "poisson1d shared --n 4096 --problem random --threads 1",
                  10);
}

/* --- pausing -------------------------------------------------------------------------------------
 */

static void idle(const char *name, const char *args, const char *shows)
{
    char figure[96];
    size_t before, after;
    term *t = term_open(120, 40, NULL, args);
    SHOWS(t, shows);
    term_settle(t, 0.5, TERM_PATIENCE);
    term_output(t, &before);
    double cpu = term_cpu(t, false), clock = term_clock();
    term_pump(t, 2);
    double percent = 100 * (term_cpu(t, false) - cpu) / (term_clock() - clock);
    term_output(t, &after);
    CHECK_MSG(after == before, "%s: %zu bytes were drawn while nothing happened", name,
              after - before);
    snprintf(figure, sizeof figure, "paused_percent_%s", name);
    if (percent == percent)
        e2e_figure(figure, percent, 2, false);
    term_close(t);
}

TEST(timing, paused)
{
    TIMING();
    idle("4096", "poisson2d shared --n 4096 --block 256 -e 'step 2'", "cycle 2");
    idle("error_layer", "poisson2d shared --n 256 -e 'step 2' -e error -e 'view layer error'",
         "u* is ready");
    idle("1d", "poisson1d shared --n 1024 -e 'step 2'", "cycle 2");
    idle("microscope", "poisson2d shared --n 512 -e 'step 2' -e 'tick 3'", "3rd subiteration");
    idle("held", "poisson2d shared --n 64", "■ converged");
    idle("picker", "--deterministic", "What would you like to see?");
}

/* --- the start -----------------------------------------------------------------------------------
 */

TEST(timing, the_first_picture)
{
    TIMING();
    double began = term_clock();
    term *t = term_open(120, 40, NULL, SHARED);
    SHOWS(t, "cycle ");
    e2e_figure("seconds_to_the_first_picture_4096", term_clock() - began, 2, false);
    term_close(t);
}
