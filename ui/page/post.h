/* What the program tells the page: functions in JavaScript (assets/page/library.js), carried out on
 * the page's thread. Main thread. */
#ifndef SS_PAGE_POST_H
#define SS_PAGE_POST_H

#include <stddef.h>
#include <stdint.h>

/* A message (ui/stream/stream.h); done: the number of the last event that it shows. The bytes must
 * stay as they are until the page has shown the frame (inbox.h). */
void ss_page_post_frame(const uint8_t *data, size_t n, uint32_t done);
/* what "copy": for the clipboard; "address": the line that leads to what is shown; "theme": its
 * name. */
void ss_page_post_text(const char *what, const char *text);

#endif
