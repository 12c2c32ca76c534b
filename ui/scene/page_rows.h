/*
 * A page as rows of text: where its lines break. The panel of the page calls it. Pure; any thread.
 */
#ifndef SS_PAGE_ROWS_H
#define SS_PAGE_ROWS_H

#include <stdbool.h>

#include "src/snapshot/page.h"

/* A row: part of a block's text, from a character of it on. */
typedef struct ss_page_row {
    int block; /* -1: empty */
    bool first;
    int indent;       /* columns ahead of it */
    const char *text; /* not ended */
    int length;
    char style; /* the mark that holds at its beginning */
} ss_page_row;

#define SS_PAGE_ROWS 512
/* Cuts a page to w columns; no row is wider. letters: of a font, of which more go into a column.
 * Returns how many rows there are. Pure; any thread. */
int ss_page_rows(const ss_page *p, int w, bool letters, ss_page_row *out, int max);
/* Columns of a row's text. */
int ss_page_row_width(const ss_page_row *row);

#endif
