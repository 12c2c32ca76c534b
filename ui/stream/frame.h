/*
 * Frames: a scene drawn as bytes (ui/pen/pen.h), cut into parts: the ground, then one part per
 * item. Parts can be compared, and each can be drawn without the others: see message.h, which sends
 * those that have changed. A framer draws scenes into frames. One thread at a time per framer and
 * per frame.
 */
#ifndef SS_FRAME_H
#define SS_FRAME_H

#include "ui/draw/draw.h"

enum { SS_CHUNK_MAX = SS_ITEM_MAX + 1 };

typedef struct ss_chunk {
    size_t at, n;   /* its bytes in the frame's data */
    uint64_t hash;  /* of these bytes */
    size_t levels;  /* where its image's levels begin, from `at`: a byte per cell */
    int cols, rows; /* of the image; 0: it has none */
} ss_chunk;

typedef struct ss_stream_frame {
    uint32_t serial; /* of its owner; a message carries it */
    int w, h;        /* pixels */
    ss_pointer pointer;
    uint8_t *data;
    size_t used, room;
    ss_chunk part[SS_CHUNK_MAX];
    int nparts;
} ss_stream_frame;

typedef struct ss_framer ss_framer;

ss_framer *ss_framer_new(ss_err *err); /* NULL: out of memory */
void ss_framer_free(ss_framer *f);
/* Draws a scene in w x h pixels; scale: 1 is 96 dots per inch. The frame keeps its serial. SS_FAIL:
 * out of memory, the frame is empty. */
int ss_framer_draw(ss_framer *f, const ss_scene *scene, double scale, int w, int h,
                   ss_stream_frame *out, ss_err *err);
/* From pixels of the last frame to character cells, the units of events. */
void ss_framer_place(const ss_framer *f, double px, double py, double *x, double *y);

/* An empty part at the end of a frame; NULL: it has too many. */
ss_chunk *ss_frame_add(ss_stream_frame *f);
/* n more bytes of the newest part, to be written; NULL: out of memory. Moves the frame's data. */
uint8_t *ss_frame_more(ss_stream_frame *f, size_t n);
int ss_frame_copy(ss_stream_frame *to, const ss_stream_frame *from, ss_err *err);
void ss_frame_free(ss_stream_frame *f); /* its bytes; an empty frame then */
uint64_t ss_frame_hash(const uint8_t *data, size_t n);

#endif
