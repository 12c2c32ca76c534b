/*
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
#ifndef SS_MESSAGE_H
#define SS_MESSAGE_H

#include "ui/stream/frame.h"

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
