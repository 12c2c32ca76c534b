/*
 * Parts of the terminal front end. Private to ui/tui, except that tests and a fuzzer decode input.
 * Main thread only, except where signal.c says otherwise.
 */
#ifndef SS_TUI_H
#define SS_TUI_H

#include <signal.h>
#include <stdint.h>

#include "src/core/param.h"
#include "ui/cells/cells.h"
#include "ui/scene/frontend.h"

/* --- options ---------------------------------------------------------------------------------- */

extern ss_param ss_tui_params[];

/* --- term.c ----------------------------------------------------------------------------------- */

#define SS_MOUSE_ON "\033[?1002h\033[?1006h" /* buttons and drags; positions beyond column 223 */
/* Also every motion, while something on the screen tells its values; and back to the above. */
#define SS_MOTION_ON "\033[?1003h"
#define SS_MOTION_OFF "\033[?1003l\033[?1002h"
#define SS_MOUSE_OFF "\033[?1006l\033[?1003l\033[?1002l"

/* The terminal name to open: TERM, or xterm-256color for terminals known to be compatible. NULL
 * with one sentence if no entry can place the cursor. */
const char *ss_tui_terminal(ss_err *err);

/* --- signal.c: set by handlers, read by poll -------------------------------------------------- */

extern volatile sig_atomic_t ss_tui_quit; /* the signal, or 0 */
extern volatile sig_atomic_t ss_tui_stop, ss_tui_resize, ss_tui_continue;

/* Saves the modes of the terminal on fd and installs the signal handlers, which write to wake. */
int ss_tui_signals_open(int fd, int wake, ss_err *err);
void ss_tui_signals_close(void);
/* The bytes that a crash handler writes (copied): leaves the alternate screen, shows the cursor. */
void ss_tui_restore_text(const char *text);
/* Stops the process as the terminal's suspend key does; returns when it continues. */
void ss_tui_suspend(void);

/* --- output.c: the palette -------------------------------------------------------------------- */

typedef enum ss_tui_colors { SS_TC_MONO, SS_TC_16, SS_TC_256, SS_TC_TRUE } ss_tui_colors;

/* Call after start_color. */
void ss_tui_colors_open(ss_tui_colors mode, int colors, int pairs);
/* The number of a colour pair; *fresh is set if all pairs were discarded: redraw everything. */
int ss_tui_pair(ss_rgb fg, ss_rgb bg, bool *fresh);

/* --- output.c: the clipboard ------------------------------------------------------------------ */

/* Copies to the clipboard of the terminal on fd; false if it cannot be written to. */
bool ss_tui_copy(int fd, const char *text);

/* --- output.c: true colour, past curses ------------------------------------------------------- */

/* Writes the cells that differ from `have` to fd and copies them to `have`. */
int ss_tui_true_draw(int fd, const ss_term_cells *want, ss_term_cells *have, bool all);
void ss_tui_true_free(void);

/* --- input.c ---------------------------------------------------------------------------------- */

/* Decodes terminal input into events: keys, characters, escape sequences, SGR mouse reports. No
 * terminal library and no clock: bytes come with the time at which they were read, so that it can
 * be tested and fuzzed. */
enum { SS_INPUT_MAX = 1024 };

/* Times in seconds of ss_clock. All zero: nothing was read. */
typedef struct ss_input {
    char byte[SS_INPUT_MAX]; /* not decoded yet */
    int n;
    double read;           /* when the last byte came */
    double escaped;        /* when a lone Escape was read that became a key; 0: none was the last */
    bool string;           /* inside a control string */
    double string_started; /* when */
} ss_input;

/* Adds n bytes, at most SS_INPUT_MAX - in->n. */
void ss_input_add(ss_input *in, const char *bytes, int n, double now);
/* The next event; false: there is none yet. Unknown sequences give none, and a byte that is not
 * UTF-8 gives a notice. */
bool ss_input_next(ss_input *in, double now, ss_event *ev);
/* When bytes that wait for more of their sequence are decoded as they are; 0: none wait. */
double ss_input_due(const ss_input *in);

#endif
