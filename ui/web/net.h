/*
 * The server of the front end `web`: HTTP and WebSockets in a thread of its own (libwebsockets). It
 * owns sockets and compression. The main thread hands it frames and takes events; it is woken
 * through a function of its own. Pages without the token are watchers: of what they send, only
 * answers to an open question are used, unless the pilot gives one of them the seat.
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

/* NULL: a port is in use, with the sentence; or out of memory. */
ss_web *ss_web_open(const ss_web_setup *setup, ss_err *err);
void ss_web_close(ss_web *web); /* says goodbye to all pages */
/* "http://127.0.0.1:8765/#t=..." and, with a second port, the watchers' address. */
void ss_web_urls(const ss_web *web, char *pilot, char *watch, size_t size);

/* All of these: main thread. */
/* The newest frame; gives back another one to draw into. done: the number of the last event whose
 * effect it shows. */
ss_frame *ss_web_show(ss_web *web, ss_frame *frame, uint32_t done);
/* The next size or event of the pilot; false: there is none. */
bool ss_web_take(ss_web *web, ss_web_line *out);
/* To the pilot's clipboard; false: nobody is there. */
bool ss_web_copy(ss_web *web, const char *text);
int ss_web_pages(ss_web *web); /* that are connected, watchers included */
/* To the watchers: see ss_frontend. */
void ss_web_ask(ss_web *web, const ss_question *question);
void ss_web_answers(ss_web *web, ss_answers *out);

#endif
