/* The user arranges the panels of a terminal: by keys, by the mouse, and back. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <string.h>

enum { LEFT = 0, DRAG = 32 };

static term *start(int cols, int rows)
{
    term *t = term_open(cols, rows, NULL,
                        "poisson2d shared --n 256 --k 8 --block 32 --overlap 4 "
                        "--threads 1 --deterministic -e 'step 3'");
    SHOWS(t, "cycle 3");
    SHOWS(t, "overlap");
    return t;
}

static void leave(term *t)
{
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

/* The column of a title, on a quiet screen. */
static int column_of(term *t, const char *title)
{
    int x = -1, y;
    CHECK(term_settle(t, 0.2, TERM_PATIENCE));
    CHECK_MSG(term_find(t, title, &x, &y), "no %s:\n%s", title, term_screen(t));
    return x;
}

TEST(panels, ctrl_arrows_move_a_border)
{
    term *t = start(80, 24);
    int x = column_of(t, "Turn while");
    term_keys(t, "\033[1;5D\033[1;5D");
    int moved = column_of(t, "Turn while");
    CHECK_MSG(moved == x - 4, "the controls begin at %d, they began at %d", moved, x);
    term_resize(t, 120, 40);
    SHOWS(t, "[cost]");
    term_resize(t, 80, 24); /* the border keeps its part of the width */
    CHECK_MSG(column_of(t, "Turn while") == moved, "not the same again:\n%s", term_screen(t));
    term_keys(t, "\022"); /* ctrl-r */
    CHECK_MSG(column_of(t, "Turn while") == x, "not reset:\n%s", term_screen(t));
    leave(t);
}

TEST(panels, the_mouse_drags_a_border)
{
    term *t = start(120, 40);
    int x = column_of(t, "[cycles]"), edge = x - 3; /* the left edge of the curve's frame */
    term_mouse(t, LEFT, edge, 10, false);
    term_mouse(t, DRAG, edge - 7, 10, false);
    term_mouse(t, LEFT, edge - 7, 10, true);
    int moved = column_of(t, "[cycles]");
    CHECK_MSG(moved == x - 7, "the curve begins at %d, it began at %d:\n%s", moved, x,
              term_screen(t));
    leave(t);
}

TEST(panels, one_panel_alone)
{
    term *t = start(120, 40);
    term_keys(t, "^");
    SHOWS(t, "all panels");
    LOSES(t, "[cycles]");
    SHOWS(t, "[value]");
    term_keys(t, "\033[1;5C");
    SHOWS(t, "[cycles]");
    LOSES(t, "[value]");
    term_resize(t, 80, 24);
    SHOWS(t, "all panels");
    LOSES(t, "[value]");
    term_keys(t, "\033");
    SHOWS(t, "[value]");
    term_keys(t, ":view maximise cost\r");
    SHOWS(t, "[cost]");
    LOSES(t, "[value]");
    term_keys(t, "^");
    SHOWS(t, "[value]");
    leave(t);
}
