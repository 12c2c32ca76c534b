/* A page as rows of text: where its lines break. Called by the lesson panel. Pure; any thread. */
#ifndef SS_PAGE_ROWS_H
#define SS_PAGE_ROWS_H

#include <stdbool.h>

#include "src/snapshot/page.h"

/* A row: part of a block's text from one of its characters on. */
typedef struct ss_page_row {
    int block; /* -1: empty */
    bool first;
    int indent;       /* columns before it */
    const char *text; /* not terminated */
    int length;
    char style; /* the mark in force at its beginning */
} ss_page_row;

#define SS_PAGE_ROWS 512
/* Breaks a page into rows of at most w columns. letters: of a proportional font, which fits more
 * letters into a column. Returns the number of rows. Pure; any thread. */
int ss_page_rows(const ss_page *p, int w, bool letters, ss_page_row *out, int max);
/* Columns of a row's text. */
int ss_page_row_width(const ss_page_row *row);

#endif
