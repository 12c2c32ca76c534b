/* The mouse, as terminals report it (SGR): tabs, sliders, the field, the footer. */
#include "tests/e2e/e2e.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 0, DRAG = 32, WHEEL_UP = 64, WHEEL_DOWN = 65 };

static term *start(int cols, int rows)
{
    term *t = term_open(cols, rows, NULL,
                        "poisson2d shared --n 256 --k 8 --block 32 --overlap 4 "
                        "--threads 1 --deterministic -e 'step 3'");
    SHOWS(t, "cycle 3");
    SHOWS(t, "overlap");
    term_settle(t, 0.2, TERM_PATIENCE);
    return t;
}

static void click(term *t, const char *text)
{
    int x, y;
    SHOWS(t, text);
    CHECK(term_settle(t, 0.1, TERM_PATIENCE)); /* not in the middle of a frame */
    CHECK(term_find(t, text, &x, &y));
    term_mouse(t, LEFT, x + 1, y, false);
    term_mouse(t, LEFT, x + 1, y, true);
}

TEST(mouse, a_click_on_a_tab_selects_it)
{
    term *t = start(120, 40);
    click(t, "staleness");
    SHOWS(t, "[staleness]");
    click(t, "iterations ");
    SHOWS(t, "[iterations]");
    click(t, "value");
    SHOWS(t, "[value]");
    LEAVE(t);
}

TEST(mouse, a_slider_is_dragged)
{
    int x0, x1, y;
    term *t = start(120, 40);
    CHECK_MSG(e2e_slider(t, "overlap", &x0, &x1, &y), "no slider:\n%s", term_screen(t));
    term_mouse(t, LEFT, x0, y, false);
    CONTROL(t, "overlap", "0");
    for (int x = x0; x <= x1; x++)
        term_mouse(t, DRAG, x, y, false);
    CONTROL(t, "overlap", "30");
    term_mouse(t, DRAG, 119, y, false); /* beyond its end */
    term_mouse(t, LEFT, 119, y, true);
    CONTROL(t, "overlap", "30");
    term_mouse(t, DRAG, x0, y, false); /* the button is up */
    term_pump(t, 0.3);
    CONTROL(t, "overlap", "30");
    LEAVE(t);
}

TEST(mouse, a_click_sets_the_probe_and_the_wheel_zooms)
{
    term *t = start(120, 40);
    term_mouse(t, LEFT, 20, 15, false);
    term_mouse(t, LEFT, 20, 15, true);
    SHOWS(t, "│ W "); /* the point's neighbours */
    click(t, "residual");
    SHOWS(t, "[residual]");
    term_mouse(t, WHEEL_DOWN, 20, 15, false); /* no earlier message */
    CHECK(term_settle(t, 0.3, TERM_PATIENCE));
    unsigned long long before = term_fingerprint(t);
    for (int i = 0; i < 4; i++)
        term_mouse(t, WHEEL_UP, 20, 15, false);
    CHECK(term_settle(t, 0.3, TERM_PATIENCE));
    CHECK_MSG(term_fingerprint(t) != before, "the wheel shows nothing:\n%s", term_screen(t));
    for (int i = 0; i < 12; i++)
        term_mouse(t, WHEEL_DOWN, 20, 15, false);
    CHECK(term_settle(t, 0.3, TERM_PATIENCE));
    CHECK_MSG(term_fingerprint(t) == before, "zoomed out it is not the whole:\n%s", term_screen(t));
    LEAVE(t);
}

TEST(mouse, beyond_column_223)
{
    term *t = start(240, 60);
    int x0, x1, y;
    CHECK_MSG(e2e_slider(t, "k", &x0, &x1, &y), "no slider:\n%s", term_screen(t));
    CHECK(x1 > 223);
    term_mouse(t, LEFT, x1, y, false);
    CONTROL(t, "k", "32");
    LEAVE(t);
}

/* Clicks and drags everywhere but on the keys at the bottom, one of which records: nothing may
 * break. */
TEST(mouse, clicks_anywhere_are_harmless)
{
    term *t = term_open(100, 30, NULL, "poisson2d shared --n 128 --threads 1");
    SHOWS(t, "overlap");
    for (int y = 0; y < 28; y++)
        for (int x = 0; x < 100; x += 7) {
            term_mouse(t, LEFT, x, y, false);
            term_mouse(t, DRAG, x + 3, y + 1, false);
            term_mouse(t, (x + y) % 2 ? WHEEL_UP : WHEEL_DOWN, x, y, false);
            term_mouse(t, LEFT, x + 3, y + 1, true);
            term_pump(t, 0.002);
        }
    CHECK_MSG(term_exit(t, 0.2) < 0, "it ended:\n%s", term_screen(t));
    term_keys(t, "\033");
    term_pump(t, 0.2);
    term_keys(t, "q");
    if (term_exit(t, 2) < 0)
        term_keys(t, "q"); /* a panel was open */
    ENDS(t, 0);
    term_close(t);
}

enum { MOVE = 35 };

static bool wrote(term *t, const char *bytes)
{
    size_t size, n = strlen(bytes);
    const char *out = term_output(t, &size);
    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(out + i, bytes, n) == 0)
            return true;
    return false;
}

TEST(mouse, a_suspended_terminal_reports_no_motion)
{
    term *t = start(120, 40);
    term_keys(t, "\x1a");
    CHECK(term_wait_stop(t, TERM_PATIENCE));
    CHECK_MSG(!term_damage(t), "%s", term_damage(t));
    term_signal(t, SIGCONT);
    SHOWS(t, "overlap");
    term_mouse(t, MOVE, 20, 15, false);
    SHOWS(t, "block (");
    LEAVE(t);
}

/* Base64 of "cycles": the first column of the residual's data. */
TEST(mouse, the_data_of_a_chart_go_to_the_clipboard)
{
    term *t = start(120, 40);
    term_keys(t, "$");
    SHOWS(t, "rows of the chart 'plot'");
    CHECK(wrote(t, "\033]52;c;Y3ljbGVz"));
    term_keys(t, ":copy image\r");
    SHOWS(t, "copy image needs a window");
    LEAVE(t);
}

TEST(mouse, a_stroke_is_painted_and_u_takes_it_back)
{
    term *t = start(100, 30);
    unsigned long long before = term_fingerprint(t);
    term_keys(t, "e");
    SHOWS(t, "brush: radius");
    for (int x = 15; x <= 25; x++)
        term_mouse(t, x == 15 ? LEFT : DRAG, x, 8, false);
    term_mouse(t, LEFT, 25, 8, true);
    SHOWS(t, "painted");
    term_keys(t, "u"); /* undoes the whole stroke */
    LOSES(t, "painted");
    term_keys(t, "\033");
    LOSES(t, "brush: radius");
    CHECK(term_settle(t, 0.3, TERM_PATIENCE));
    CHECK_MSG(term_fingerprint(t) == before, "undo leaves something:\n%s", term_screen(t));
    LEAVE(t);
}

