/*
 * Shared by term.c (process and bytes) and screen.c (the meaning of the bytes). Private to
 * tests/e2e.
 */
#ifndef SS_E2E_TERM_PRIVATE_H
#define SS_E2E_TERM_PRIVATE_H

#include <dirent.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

#include "tests/e2e/term.h"

/* A terminal mode that the program must restore. */
typedef struct term_mode {
    int number; /* of CSI ? number h and l */
    const char *name;
    bool normally, now;
} term_mode;

#define TERM_MODES 9

struct term {
    int master, slave, status_in; /* status_in: the pipe from the shell */
    pid_t shell, pid;
    int status; /* as of term_exit */
    bool stopped;
    int cols, rows;
    struct termios before;
    char *output;
    size_t size, room;

    VTerm *vt;
    VTermScreen *screen;
    char *text; /* of term_screen and term_row */
    size_t text_room;

    /* The scanner of term_screen_feed. */
    int state;
    char sequence[128];
    int length;
    term_mode mode[TERM_MODES];
    bool keypad, palette, shifted;
};

void term_screen_open(term *t);
void term_screen_close(term *t);
void term_screen_resize(term *t);
void term_screen_feed(term *t, const char *bytes, size_t n);
/* The mode that escape sequences did not restore; NULL: none. */
const char *term_screen_damage(const term *t);

#endif
