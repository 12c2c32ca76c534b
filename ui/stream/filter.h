/* Levels of images as differences: see message.h. Private to ui/stream. Pure functions. */
#ifndef SS_STREAM_FILTER_H
#define SS_STREAM_FILTER_H

#include "ui/stream/message.h"

/* cols x rows levels, row by row. */
typedef struct ss_levels {
    const uint8_t *now, *before; /* before: of the same size, or NULL */
    int cols, rows;
} ss_levels;

/* The filter that leaves the least to send of the frame's image number `image`; by: NULL, or who
 * knows. *moved: the rows of SS_FILTER_MOVED. */
ss_filter ss_filter_choose(const ss_levels *of, ss_packer *by, int image, int *moved);
/* Writes the differences of row y. */
void ss_filter_row(const ss_levels *of, ss_filter filter, int moved, int y, uint8_t *out);
/* The reverse: of->now holds differences, all rows of `out` above y are done. */
void ss_filter_undo_row(const ss_levels *of, ss_filter filter, int moved, int y, uint8_t *out);

#endif
