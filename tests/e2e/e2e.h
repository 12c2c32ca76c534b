/*
 * Checks of the terminal tests: a screen shows a text, a control has a value, a screen equals its
 * golden file, a figure was measured. A check ends the test at the first failure and shows the
 * screen.
 */
#ifndef SS_E2E_H
#define SS_E2E_H

#include "tests/check.h"
#include "tests/e2e/term.h"

#define SHOWS(t, what)                                                                             \
    CHECK_MSG(term_wait((t), (what), TERM_PATIENCE), "the screen never shows '%s':\n%s", (what),   \
              term_screen(t))
#define LOSES(t, what)                                                                             \
    CHECK_MSG(term_wait_gone((t), (what), TERM_PATIENCE), "the screen goes on showing '%s':\n%s",  \
              (what), term_screen(t))
/* The program ended with this status and restored the terminal. */
#define ENDS(t, want)                                                                              \
    do {                                                                                           \
        int got_ = term_exit((t), TERM_PATIENCE);                                                  \
        CHECK_MSG(got_ == (want), "exit status %d, not %d:\n%s", got_, (want), term_screen(t));    \
        CHECK_MSG(!term_damage(t), "after the end %s", term_damage(t));                            \
    } while (0)
/* q leaves the program. */
#define LEAVE(t)                                                                                   \
    do {                                                                                           \
        term_keys((t), "q");                                                                       \
        ENDS((t), 0);                                                                              \
        term_close(t);                                                                             \
    } while (0)
/* The value a control of the panel has, within a while. */
#define CONTROL(t, name, want)                                                                     \
    CHECK_MSG(e2e_control_becomes((t), (name), (want)), "%s is '%s', not '%s':\n%s", (name),       \
              e2e_control((t), (name)), (want), term_screen(t))

/* The value next to the name of a control, "" if none; valid until the next call. */
const char *e2e_control(term *t, const char *name);
bool e2e_control_becomes(term *t, const char *name, const char *want);
/* The row with the slider of a control and its first and last cell. False: none. */
bool e2e_slider(term *t, const char *name, int *x0, int *x1, int *y);
/* The cycle in the first line; -1: none. */
long long e2e_cycle(term *t);

/* Ends the test unless the screen, once quiet, is tests/e2e/golden/NAME.txt: the text, then the
 * brightness of each cell. Header and key row are masked unless NAME is in the list in e2e.c.
 * UPDATE_GOLDEN=1 writes the file instead. */
void e2e_golden(term *t, const char *name);

/* Wall-clock figures prove nothing on a busy machine: tests that only measure start with TIMING and
 * run with SS_TIMINGS=1. e2e_figure prints "figure NAME VALUE" and, with SS_TIMINGS=1, ends the
 * test unless VALUE is at most `limit`, or at least `limit` if `least`. */
#define TIMING()                                                                                   \
    do {                                                                                           \
        if (!e2e_timings())                                                                        \
            SKIP("a wall-clock measurement: SS_TIMINGS=1");                                        \
    } while (0)
void e2e_figure(const char *name, double value, double limit, bool least);
bool e2e_timings(void);

#endif
