/*
 * The server of the front end `web`: HTTP and WebSockets in a thread of its own (libwebsockets). It
 * owns sockets and compression. The main thread hands it frames and takes events; it is woken
 * through a function of its own. Pages without the token are watchers: of what they send, only the
 * size and answers to an open question are used.
 */
#ifndef SS_WEB_NET_H
#define SS_WEB_NET_H

#include "ui/stream/frame.h"
#include "ui/web/lines.h"

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

#endif
