/*
 * Texts of a moment. Numbers as the panels write them, "12,345", "0.123", "1.2e-4", "3.4 MB":
 * counts, figures of a few digits, values of the telemetry with their unit. Search by words. A page
 * as rows of text. Any thread.
 */
#ifndef SS_SCENE_TEXT_H
#define SS_SCENE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "src/snapshot/page.h"
#include "src/snapshot/snapshot.h"

/* --- texts of a moment ------------------------------------------------------------------------ */

/* A formatted text that lives until its thread has made 60 KB of others: long enough for a scene to
 * copy it. All functions below that return a text without a buffer return such a one. */
const char *ss_text(const char *fmt, ...) SS_PRINTF(1, 2);
/* The text without the last parts of "part · part · part", so that it takes at most `room` columns
 * or one part is left. */
const char *ss_text_parts(const char *text, int room);

/* --- numbers ---------------------------------------------------------------------------------- */

/* "0.123", "3,671", "1.2e-4" */
const char *ss_figure_text(double v);
/* "12,345" */
const char *ss_count_text(double v);
/* "4.3k", "33.9 MB", "1.2e-4": ss_format_si, ss_format_bytes, ss_format_sci. */
const char *ss_si_text(double v, const char *unit);
const char *ss_bytes_text(double v);
const char *ss_sci_text(double v);
/* A factor of convergence, with four digits of its distance to 1, with three where that is less
 * than 1e-6: "0.95210", "0.999999706". */
const char *ss_factor_text(double v);
/* A telemetry value with unit, – where it is not known or must not depend on the clock. */
const char *ss_telemetry_text(const ss_snapshot *snap, ss_telemetry_id id);
/* The value of a parameter. */
const char *ss_value_text(const ss_param *row, ss_value value);

/* "overlap 0→2" and "overlap 2→4" are together "overlap 0→4", written to out, which may be one of
 * them. False: they are not one change of one parameter. */
bool ss_mark_join(const char *first, const char *then, char *out, size_t size);
/* "overlap 0→0": joined changes that end at their first value. */
bool ss_mark_is_undone(const char *text);

/* --- search by words, of the list of keys and of the gallery ---------------------------------- */

/* Does the text contain each of the words, in any order, whatever their case? "": yes. */
bool ss_find_has(const char *text, const char *words);

/* --- a page as rows of text: where its lines break -------------------------------------------- */

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
