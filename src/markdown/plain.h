/*
 * The reader of builds without md4c. It knows what lessons use: headings, paragraphs, lists, code
 * between fences, simple tables, quotes; and in texts emphasis, code and links. For every lesson it
 * gives the blocks that md4c gives. Any thread.
 */
#ifndef SS_MARKDOWN_PLAIN_H
#define SS_MARKDOWN_PLAIN_H

#include "src/markdown/read.h"

/* As ss_markdown_read. */
int ss_markdown_plain(const char *text, size_t size, ss_md_fn *fn, void *ctx, ss_err *err);

/* Writes a text of n bytes with the style marks of page.h in place of Markdown's. `to` holds at
 * least 2 n + 1 bytes. */
void ss_markdown_marks(const char *text, size_t n, char *to);

#endif
