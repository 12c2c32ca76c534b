/* Text files that other systems' editors saved: a byte order mark at the beginning, a carriage
 * return before each line feed. Every reader of text files takes both. Any thread. */
#ifndef SS_LINES_H
#define SS_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the mark at the beginning of a text: 3, or 0. */
size_t ss_lines_mark(const char *text, size_t size);
/* Removes both from a whole text, in place; returns its new size. */
size_t ss_lines_plain(char *text, size_t size);
/* One line of a file without its end, and the first one without the mark; in place. */
char *ss_line_plain(char *line, bool first);

#endif
