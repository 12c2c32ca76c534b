/* Parts of the terminal front end, private to ui/tui. Main thread only, except where signal.c
 * says otherwise. */
#ifndef SS_TUI_H
#define SS_TUI_H

#include <signal.h>
#include <stdint.h>

#include "src/core/param.h"
#include "ui/cells/cells.h"

/* --- options ---------------------------------------------------------------------------------- */

extern ss_param ss_tui_params[];

/* --- term.c ------------------------------------------------------------------------------- */

#define SS_MOUSE_ON "\033[?1002h\033[?1006h" /* buttons and drags; positions beyond column 223 */
/* Also every motion, while something on the screen tells its values; and back to the above. */
#define SS_MOTION_ON "\033[?1003h"
#define SS_MOTION_OFF "\033[?1003l\033[?1002h"
#define SS_MOUSE_OFF "\033[?1006l\033[?1003l\033[?1002l"

/* The terminal name to open: TERM, or xterm-256color for terminals known to be compatible. NULL
 * with one sentence if no entry can place the cursor. */
const char *ss_tui_terminal(ss_err *err);

/* --- signal.c: set by handlers, read by poll ---------------------------------------------- */

extern volatile sig_atomic_t ss_tui_quit; /* the signal, or 0 */
extern volatile sig_atomic_t ss_tui_stop, ss_tui_resize, ss_tui_continue;

/* Saves the modes of the terminal on fd and installs the signal handlers, which write to wake. */
int ss_tui_signals_open(int fd, int wake, ss_err *err);
void ss_tui_signals_close(void);
/* The bytes that a crash handler writes (copied): leaves the alternate screen, shows the cursor. */
void ss_tui_restore_text(const char *text);
/* Stops the process as the terminal's suspend key does; returns when it continues. */
void ss_tui_suspend(void);

/* --- color.c ------------------------------------------------------------------------------ */

typedef enum ss_tui_colors { SS_TC_MONO, SS_TC_16, SS_TC_256, SS_TC_TRUE } ss_tui_colors;

/* Call after start_color. */
void ss_tui_colors_open(ss_tui_colors mode, int colors, int pairs);
/* The number of a colour pair; *fresh is set if all pairs were discarded: redraw everything. */
int ss_tui_pair(ss_rgb fg, ss_rgb bg, bool *fresh);

/* --- clip.c ------------------------------------------------------------------------------- */

/* Copies to the clipboard of the terminal on fd; false if it cannot be written to. */
bool ss_tui_copy(int fd, const char *text);

/* --- true_color.c: true colour, past curses -----------------------------------------------------
 */

/* Writes the cells that differ from `have` to fd and copies them to `have`. */
int ss_tui_true_draw(int fd, const ss_term_cells *want, ss_term_cells *have, bool all);
void ss_tui_true_free(void);

#endif
