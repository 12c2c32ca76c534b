/* Streams of operations for tests: scenes as bytes, and bytes as text. */
#ifndef SS_TESTS_UI_STREAMS_H
#define SS_TESTS_UI_STREAMS_H

#include "tests/check.h"
#include "ui/draw/draw.h"
#include "tests/ui/pen/play.h"

/* The pen of a stream with a scene in w x h pixels. `measure`: the widths of its texts, those of
 * the stream's own pen if NULL. The stream is valid until the next call. */
const uint8_t *stream_of(const ss_scene *scene, double scale, int w, int h, ss_pen *measure,
                         size_t *n);
/* A pen that writes a line of text per call; what does not fit is left out. */
ss_pen *listing_begin(char *text, size_t room);
int listing_depth(void); /* of saved states */

#endif
