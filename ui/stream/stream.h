/*
 * Frames: a scene drawn as bytes (ui/pen/pen.h), cut into parts: the ground, then one part per
 * item. Parts can be compared, and each can be drawn without the others: a message sends
 * those that have changed. A framer draws scenes into frames. One thread at a time per framer and
 * per frame.
 *
 * Messages: a message makes one frame of another, or of nothing, at a place elsewhere. What has not
 * changed is named, not sent; the levels of an image are sent as differences. A message is not yet
 * compressed: it holds many zeros, so that deflate makes it small. Numbers have the low byte first.
 *
 *   head    version 3, b; serial, l; serial of the frame before, l (0: of nothing);
 *           width and height, n; pointer, b; parts, n
 *   parts   in their order, each one of
 *     SAME    b 0; first part of the frame before, n; parts, n
 *     PART    b 1; text
 *     IMAGE   b 2; text up to the levels; columns and rows, n; a byte per cell; bytes, l, and
 *             these: what follows the levels
 *   text    a part of the frame before, n; bytes of its beginning that are kept, l; new bytes
 *           that follow them, l; these
 *
 *   b: a byte, n: two bytes, l: four bytes
 *
 * A cell is sent as its difference, mod 256, from the cell to its left; the first of a row as it
 * is. Pure functions; frames of one owner. A page (assets/web/frames.js) reads the same.
 */
#ifndef SS_STREAM_H
#define SS_STREAM_H

#include "ui/draw/draw.h"

/* --- frames ----------------------------------------------------------------------------------- */

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
void ss_frame_free(ss_stream_frame *f); /* its bytes; an empty frame then */
uint64_t ss_frame_hash(const uint8_t *data, size_t n);

/* --- messages --------------------------------------------------------------------------------- */

enum {
    SS_MESSAGE_VERSION = 3,
    SS_MESSAGE_MOST = 1 << 26 /* bytes of the largest frame */
};

typedef struct ss_stream_message {
    uint8_t *data;
    size_t used, room;
} ss_stream_message;

/* before: NULL, or another frame. SS_FAIL: out of memory. */
int ss_message_write(ss_stream_message *m, const ss_stream_frame *before,
                     const ss_stream_frame *now, ss_err *err);
void ss_message_free(ss_stream_message *m);
/* The frame of a message. `before` has the serial that the message names, or is NULL for a message
 * of nothing. A message may come from anywhere: SS_FAIL, with the reason. */
int ss_message_read(const uint8_t *data, size_t n, const ss_stream_frame *before,
                    ss_stream_frame *out, ss_err *err);

#endif
