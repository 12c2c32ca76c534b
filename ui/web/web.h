/*
 * The server of the front end `web`: HTTP and WebSockets in a thread of its own (libwebsockets). It
 * owns sockets and compression. The main thread hands it frames and takes events; it is woken
 * through a function of its own. Pages without the token are watchers: of what they send, only the
 * size and answers to an open question are used. Private to ui/web, but for tests: nothing here
 * needs the library.
 */
#ifndef SS_WEB_H
#define SS_WEB_H

#include <stdint.h>

#include "src/core/param.h"
#include "src/snapshot/page.h"
#include "ui/stream/stream.h"
#include "ui/web/lines.h"

/* --- options (frontend.c); main thread -------------------------------------------------------- */

enum { SS_WEB_PORT, SS_WEB_WATCH_PORT, SS_WEB_WATCH_ADDRESS, SS_WEB_NPARAM };

extern ss_param ss_web_params[SS_WEB_NPARAM];
int ss_web_check(ss_err *err);
int ss_web_asked_port(int row);
const char *ss_web_asked_address(void); /* "127.0.0.1" unless asked otherwise */

/* --- the server (net.c) ----------------------------------------------------------------------- */

typedef struct ss_web_setup {
    int port;            /* for the pilot; 0: a free one */
    int watch_port;      /* for watchers; 0: none, -1: a free one */
    const char *address; /* numeric, of the watchers' port */
    void (*wake)(void *ctx);
    void *ctx;
} ss_web_setup;

typedef struct ss_web ss_web;

/* Watchers whose pages have the pilot's shape, or an unknown one, are sent the pilot's frames, the
 * others those of a screen of their shape, which has one size. */
typedef enum ss_shape {
    SS_SHAPE_PILOT,
    SS_SHAPE_DESKTOP,
    SS_SHAPE_UPRIGHT,
    SS_SHAPE_FLAT,
    SS_NSHAPE
} ss_shape;
typedef struct ss_shape_size {
    int w, h; /* pixels of the frame, which the page stretches; 0 0: the pilot's */
} ss_shape_size;
extern const ss_shape_size ss_shapes[SS_NSHAPE];
/* Of a page with w x h pixels; 0 0, not known: SS_SHAPE_PILOT. */
ss_shape ss_shape_of(int w, int h);

/* NULL: a port is in use, with the sentence; or out of memory. */
ss_web *ss_web_open(const ss_web_setup *setup, ss_err *err);
void ss_web_close(ss_web *web); /* says goodbye to all pages */
/* "http://127.0.0.1:8765/#t=..." and, with a second port, the watchers' address. */
void ss_web_urls(const ss_web *web, char *pilot, char *watch, size_t size);

/* All of these: main thread. */
/* The newest frame of a shape; gives back another one to draw into, NULL: out of memory. done: the
 * number of the last event whose effect it shows, if it is the pilot's. */
ss_stream_frame *ss_web_show(ss_web *web, ss_shape shape, ss_stream_frame *frame, uint32_t done);
/* Has a watcher's page that shape, or had one? */
bool ss_web_wants_shape(ss_web *web, ss_shape shape);
/* The next size or event of the pilot; false: there is none. */
bool ss_web_take(ss_web *web, ss_web_line *out);
/* To the pilot's clipboard; false: nobody is there. */
bool ss_web_copy(ss_web *web, const char *text);
/* How many are connected: all, and those that may steer. */
int ss_web_pages(ss_web *web, int *pilots);
/* To the watchers: see ss_frontend. */
void ss_web_ask(ss_web *web, const ss_question *question);
void ss_web_answers(ss_web *web, ss_answers *out);

/* --- what every page gets (feed.c) ------------------------------------------------------------ */

/* The newest frame, as one compressed message for all that have the same frame before. The last few
 * frames are kept, so that a page which misses one is still told the difference; a page that is
 * farther behind gets the whole frame. Nothing is queued. The thread that serves. */
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

/* --- the question and its answers (class.c) --------------------------------------------------- */

enum { SS_POLL_TEXT = 2048 };

/* The question that watchers see, and their answers: one of each connected page, which may change
 * it until the question is closed. A page has a random name of its own, so that one which connects
 * again does not count twice. In memory only. Pure functions. */
typedef struct ss_poll {
    uint32_t number; /* of the last question; 0: there was none */
    bool open;
    ss_question question;
    int n;
    struct {
        uint32_t page;
        double value;
    } answer[SS_CLASS_MOST];
} ss_poll;

/* Begins another question without answers; NULL: closes the last one, whose answers stay. */
void ss_poll_ask(ss_poll *p, const ss_question *question);
/* SS_FAIL with a sentence: the question is closed or another one, or that is no answer to it. */
int ss_poll_take(ss_poll *p, uint32_t number, uint32_t page, double value, ss_err *err);
/* The page has left: its answer to an open question does not count. */
void ss_poll_drop(ss_poll *p, uint32_t page);
bool ss_poll_has(const ss_poll *p, uint32_t page);
/* What a page is told: "question N", the text, the choices, a line each; "question 0": none is
 * open. */
const char *ss_poll_text(const ss_poll *p, char *buf, size_t size);

#endif
