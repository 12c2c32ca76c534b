/*
 * The pen that writes bytes: a stream of operations that a program elsewhere carries out, such as a
 * page in a browser. Widths of texts are those of the fonts Inter and JetBrains Mono, from a table
 * (advances.h). Formats of the operations: ops.h. One thread at a time per pen.
 */
#ifndef SS_BYTES_H
#define SS_BYTES_H

#include <stddef.h>

#include "src/base/common.h"
#include "ui/pen/pen.h"

typedef struct ss_bytes_pen ss_bytes_pen;

ss_bytes_pen *ss_bytes_pen_new(ss_err *err); /* NULL: out of memory */
void ss_bytes_pen_free(ss_bytes_pen *b);
/* The pen of a new stream; what it wrote before is forgotten. (x, y): the pixel of its origin. */
ss_pen *ss_bytes_pen_begin(ss_bytes_pen *b, double x, double y);
/* Begins a part that can be played without the parts before it, and where they are left out: an
 * item that is sent only when it has changed. Returns the number of bytes before it. */
size_t ss_bytes_pen_part(ss_bytes_pen *b);
/* Where the levels of the part's last image begin, from the beginning of the stream; its cells
 * across and down. False: the part has no image. */
bool ss_bytes_pen_levels(const ss_bytes_pen *b, size_t *at, int *cols, int *rows);
/* The stream so far, valid until the next call of any function of the pen. NULL: out of memory. */
const uint8_t *ss_bytes_pen_data(const ss_bytes_pen *b, size_t *n);

#endif
