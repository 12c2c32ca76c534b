/* The map on a real terminal: opened from a run, the cursor moved, a cell applied, closed; and as
 * the subcommand, interrupted and resumed. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUN "poisson1d shared --n 64 --block 16 --k 4 --overlap 2 --threads 1 --backend cpu"
#define MAP "map poisson1d shared --backend cpu --threads 1 --n 64 --block 16"

static void leave(term *t)
{
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

TEST(map, the_map_opens_from_a_run_and_closes_again)
{
    term *t = term_open(80, 24, NULL, RUN);
    SHOWS(t, "Turn while it runs");
    term_keys(t, "H");
    SHOWS(t, "k \\ overlap");
    SHOWS(t, "[@");       /* the cursor starts at the run's cell */
    SHOWS(t, "cells ─╮"); /* after all cells are measured */
    SHOWS(t, "all ");
    term_keys(t, "\033[C\033[B");
    SHOWS(t, "k 8, overlap 4");
    term_keys(t, "\r");
    SHOWS(t, "the run continues with k 8, overlap 4");
    term_keys(t, "x");
    SHOWS(t, "cycles × blocks  ");
    term_keys(t, "\t");
    SHOWS(t, "[pareto]");
    SHOWS(t, "front");
    term_keys(t, "\t");
    SHOWS(t, "[map]");
    term_keys(t, "\033");
    SHOWS(t, "Turn while it runs");
    SHOWS(t, "8 subiterations");
    SHOWS(t, "4 points");
    term_keys(t, "uu"); /* undoes both values */
    SHOWS(t, "4 subiterations");
    SHOWS(t, "2 points");
    leave(t);
}

/* After a change of problem the open map reports it and applies no cell. */
TEST(map, the_map_follows_a_changed_run)
{
    term *t = term_open(80, 24, NULL, RUN);
    SHOWS(t, "Turn while it runs");
    term_keys(t, "H");
    SHOWS(t, "k \\ overlap");
    term_keys(t, "B");
    SHOWS(t, "now solves another problem");
    term_keys(t, "\r");
    SHOWS(t, "esc, then H opens a new one");
    term_keys(t, "\033H");
    SHOWS(t, "[@");
    LOSES(t, "now solves another problem");
    leave(t);
}

TEST(map, a_run_without_parameters_has_no_map)
{
    term *t = term_open(80, 24, NULL, "poisson1d jacobi --n 64 --backend cpu --threads 1");
    SHOWS(t, "cycle");
    term_keys(t, "H");
    SHOWS(t, "jacobi has no parameter to make a map of");
    leave(t);
}

static int lines_of(const char *path)
{
    int n = 0;
    FILE *f = fopen(path, "r");
    for (int c = f ? fgetc(f) : EOF; c != EOF; c = fgetc(f))
        n += c == '\n';
    if (f)
        fclose(f);
    return n;
}

/* Paused, closed, continued: measured cells stay and are not measured again. */
TEST(map, a_map_alone_is_continued_from_its_file)
{
    char args[400], path[64];
    snprintf(path, sizeof path, "/tmp/stencilscope-e2e-map-%d.csv", (int)getpid());
    remove(path);
    snprintf(args, sizeof args, MAP " --n 2048 --until 1e-9 --k 2,4,8,16 --overlap 0:6:2 --csv %s",
             path);
    term *t = term_open(80, 24, NULL, args);
    SHOWS(t, "of 16 cells");
    term_keys(t, " ");
    SHOWS(t, "‖ paused");
    term_keys(t, "q");
    ENDS(t, 0);
    CHECK_MSG(strstr(term_screen(t), "and the same command resumes it"), "%s", term_screen(t));
    term_close(t);
    remove(path);

    snprintf(args, sizeof args, MAP " --k 2,4,8,16 --overlap 0:6:2 --csv %s --ui tui", path);
    for (int again = 0; again < 2; again++) {
        t = term_open(120, 40, NULL, args);
        SHOWS(t, "all 16 cells");
        SHOWS(t, "best of its row");
        leave(t);
        CHECK_INT(lines_of(path), 18);
    }
    remove(path);
}

/* From the map to the run of one of its cells. */
TEST(map, a_cell_becomes_a_run)
{
    term *t = term_open(80, 24, NULL, MAP " --k 2,4,8 --overlap 0:6:2");
    SHOWS(t, "all 12 cells");
    term_keys(t, "\033[B\033[B\033[C\r");
    SHOWS(t, "k 8, overlap 2");
    SHOWS(t, "the run continues with");
    term_keys(t, "\033");
    SHOWS(t, "8 subiterations");
    term_keys(t, " ");
    SHOWS(t, "converged");
    term_keys(t, "H");
    SHOWS(t, "all 12 cells");
    leave(t);
}
