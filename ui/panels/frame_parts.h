/* The parts of frames, and the words below them. Private to ui/panels. Main thread only. */
#ifndef SS_PANELS_FRAME_PARTS_H
#define SS_PANELS_FRAME_PARTS_H

#include "ui/panels/build.h"
#include "ui/panels/frame.h"

typedef struct ss_frame_part {
    /* Why this run has no such part, a sentence; NULL: it has one. */
    const char *(*why)(const ss_build *b);
    /* Its shape; the rows of the heading are included. */
    void (*shape)(const ss_build *b, ss_frame_shape *out);
    /* The heading above it, called when it is drawn. */
    void (*heading)(const ss_build *b, char *buf, size_t size);
    /* Draws it in r, without the heading. */
    void (*draw)(const ss_build *b, ss_rect r);
    bool space_time; /* it needs the states of all cycles (ss_build_want_raster) */
} ss_frame_part;

extern const ss_frame_part ss_part_field, ss_part_raster, ss_part_curve, ss_part_lower,
    ss_part_theatre, ss_part_cone, ss_part_wipe, ss_part_timeline;

/* Sets the text of a rectangle that is as wide as there is room. */
ss_item *ss_frame_text(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style,
                       const char *text);
/* Columns of text that fit `cols` cells in a style: in pixels letters are narrower than cells. */
int ss_frame_columns(const ss_build *b, int cols, unsigned style);

/* --- frame_parts.c ---------------------------------------------------------------------------- */

/* The row at the lower end of r, which loses it: for the title of a chart's x axis. Sets the titles
 * of its axes: the unit above it, the x axis in that row. */
ss_rect ss_frame_take_row(ss_rect *r);
void ss_frame_title_chart(const ss_build *b, ss_chart *c, ss_rect row);

/* The axes of a field's picture in r, in the problem's units: SS_FIELD_GUTTER columns left of it,
 * and a row below it. The upright one's title is in the row above row `title` of the picture. */
void ss_frame_axes(const ss_build *b, ss_rect r, int title);

/* --- frame_words.c ---------------------------------------------------------------------------- */

/* Notes which values have changed since the last frame of the film. */
void ss_words_follow(const ss_build *b, double seconds);
/* The parameters in one line of large text. */
void ss_words_line(const ss_build *b, ss_rect r, double seconds);
/* The same as a sentence for a figure; returns the lines needed at `cols`. r.h 0: only counts. */
int ss_words_text(const ss_build *b, ss_rect r);

#endif
