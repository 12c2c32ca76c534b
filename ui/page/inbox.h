/*
 * What the page's thread tells the program: lines of text, in order. It calls ss_page_say and never
 * waits; a page that says more than the inbox holds loses its newest lines. Lines are those of
 * ui/web/lines.h, and
 *
 *   hidden, seen             the page is, or is no longer, behind others
 *   refused                  the browser gave no clipboard
 *   drop PATH                a file was dropped on the page; it is at PATH
 */
#ifndef SS_PAGE_INBOX_H
#define SS_PAGE_INBOX_H

#include <stdbool.h>
#include <stdint.h>

enum { SS_PAGE_LINE = 256 };

/* The page's thread: a line; a frame was drawn. */
void ss_page_say(const char *line);
void ss_page_shown(uint32_t serial);

/* The oldest line; false: none. Main thread. */
bool ss_page_hear(char line[SS_PAGE_LINE]);
/* The serial of the last frame that was drawn; 0: none. Main thread. */
uint32_t ss_page_last(void);
/* Waits up to `seconds`, < 0: for ever, until there is a line, or a frame was drawn or ss_page_wake
 * called since the last wait. Main thread. */
void ss_page_wait(double seconds);
void ss_page_wake(void); /* any thread */

#endif
