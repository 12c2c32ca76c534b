/*
 * The terminal under test: the real program on a pseudo-terminal, its output read by libvterm.
 * Every test opens its own. The program runs as the foreground job of a small shell of our own (a
 * child process), so that Ctrl-Z, signals and exit behave as for a user; this side keeps the slave
 * end open, to read the terminal's modes after the program has ended.
 */
#ifndef SS_E2E_TERM_H
#define SS_E2E_TERM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct term term;

#define TERM_PATIENCE 20.0 /* seconds that a slow machine may take for anything */

/* Starts the program (STENCILSCOPE, else the release build) with `args`, words as in a shell ('…'
 * quotes). `env`: NAME=VALUE sets, NAME removes; NULL: TERM=xterm-256color, LANG=C.UTF-8, no
 * configuration. Ends the test if it cannot. */
term *term_open(int cols, int rows, const char *env, const char *args);
/* Ends the program if it still runs, and frees everything. */
void term_close(term *t);

/* --- user input ------------------------------------------------------------------------------- */

void term_keys(term *t, const char *bytes);
/* SGR mouse report: button 0 left, 32 left dragged, 64 wheel up, 65 wheel down; cells from 0. */
void term_mouse(term *t, int button, int x, int y, bool release);
void term_resize(term *t, int cols, int rows);
void term_signal(term *t, int signal_number);
/* The terminal takes no more output, as after Ctrl-S. */
void term_hold(term *t);

/* --- waiting; false if it did not happen within `seconds` ----------------------------------------
 */

void term_pump(term *t, double seconds);
bool term_wait(term *t, const char *text, double seconds);
bool term_wait_gone(term *t, const char *text, double seconds);
/* No byte for `quiet` seconds. */
bool term_settle(term *t, double quiet, double seconds);
/* Exit status, 128 + signal if a signal ended it, -1 if it still runs. */
int term_exit(term *t, double seconds);
bool term_wait_stop(term *t, double seconds);

/* --- the screen; texts are valid until the next call of the same function --------------------- */

/* The rows without blanks at their ends, a newline after each. */
const char *term_screen(term *t);
const char *term_row(term *t, int y);
/* Where the text begins, in cells. */
bool term_find(term *t, const char *text, int *x, int *y);
/* 0xRRGGBB; reverse video is taken into account. */
unsigned term_colour(term *t, int x, int y, bool background);
/* A hash of all characters and colours. */
unsigned long long term_fingerprint(term *t);
/* One of the characters that show two dots in a cell. */
bool term_is_half_block(term *t, int x, int y);
int term_cols(const term *t);
int term_rows(const term *t);

/* --- for tests only --------------------------------------------------------------------------- */

/* All bytes written so far; not a string. */
const char *term_output(const term *t, size_t *size);
/* The state of the terminal that the program did not restore, as a sentence; NULL: none. */
const char *term_damage(term *t);
/* True if the alternate screen and its modes are on. */
bool term_is_full_screen(const term *t);
/* CPU seconds of the thread that draws, or of all threads. NAN: not known. */
double term_cpu(const term *t, bool drawing);
double term_clock(void);

#endif
