/* The terminal's name, and everything that only terminfo knows: term.h defines a macro per
 * capability, so it is included here only. See parts.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/tui/parts.h"

#include <curses.h>
#include <term.h> /* last: its macros would change the headers above */

/* Terminals compatible with xterm-256color, for machines whose terminfo lacks them. */
static const char *const like_xterm[] = {"xterm",   "kitty",   "alacritty", "foot",  "wezterm",
                                         "ghostty", "contour", "rio",       "tmux",  "screen",
                                         "st",      "konsole", "vte",       "gnome", "iterm",
                                         "rxvt",    "putty",   "mintty",    NULL};

/* The crash sequence that restores the terminal. Colours are reset twice: leaving the alternate
 * screen restores the saved attributes, whatever they are if it was never entered. */
static void remember_restore(void)
{
    char text[256];
    snprintf(text, sizeof text, SS_MOUSE_OFF "\033[0m%s%s%s\033[0m",
             cursor_normal ? cursor_normal : "", keypad_local ? keypad_local : "",
             exit_ca_mode ? exit_ca_mode : "\r\n");
    ss_tui_restore_text(text);
}

const char *ss_tui_terminal(ss_err *err)
{
    const char *term = getenv("TERM");
    int how = 0;
    if (!term || !*term) {
        ss_fail(err, "TERM is not set: no terminal front end");
        return NULL;
    }
    if (setupterm(term, STDOUT_FILENO, &how) != OK) {
        for (int i = 0; like_xterm[i]; i++)
            if (strncmp(term, like_xterm[i], strlen(like_xterm[i])) == 0 &&
                setupterm("xterm-256color", STDOUT_FILENO, &how) == OK) {
                del_curterm(cur_term);
                return "xterm-256color";
            }
        ss_fail(err, "the terminal '%.40s' is unknown here (TERM)", term);
        return NULL;
    }
    bool able = cursor_address && clear_screen;
    remember_restore(); /* before anything is written */
    del_curterm(cur_term);
    if (!able)
        ss_fail(err, "the terminal '%.40s' cannot place the cursor", term);
    return able ? term : NULL;
}
