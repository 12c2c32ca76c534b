/*
 * What every page gets: the newest frame, as one compressed message for all that have the same
 * frame before. The last few frames are kept, so that a page which misses one is still told the
 * difference; a page that is farther behind gets the whole frame. Nothing is queued. The thread
 * that serves.
 */
#ifndef SS_WEB_FEED_H
#define SS_WEB_FEED_H

#include "ui/stream/message.h"

typedef struct ss_feed ss_feed;

/* Bytes to send, behind `SS_FEED_HEAD` bytes that the sender may overwrite. */
typedef struct ss_packet {
    uint8_t *data;
    size_t n, room;
} ss_packet;
enum { SS_FEED_HEAD = 32 };

ss_feed *ss_feed_new(ss_err *err); /* NULL: out of memory */
void ss_feed_free(ss_feed *f);
/* Takes a frame over, and gives back one that is no longer needed, to be drawn into. */
ss_stream_frame *ss_feed_push(ss_feed *f, ss_stream_frame *frame);
/* The newest frame's serial; 0: there is none. */
uint32_t ss_feed_serial(const ss_feed *f);
/* What makes the newest frame of frame `have`; 0: of nothing. Valid until the next push. NULL: out
 * of memory. */
const ss_packet *ss_feed_packet(ss_feed *f, uint32_t have);

/* n bytes of raw deflate data, inflated; for tests and tools. NULL: they are not valid. */
uint8_t *ss_feed_inflate(const uint8_t *data, size_t n, size_t *size);

#endif
