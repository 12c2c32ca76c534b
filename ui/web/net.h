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
#include "ui/web/views.h"

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
/* How many are connected: all, and those that may steer. */
int ss_web_pages(ss_web *web, int *pilots);
/* To the watchers: see ss_frontend. */
void ss_web_ask(ss_web *web, const ss_question *question);
void ss_web_answers(ss_web *web, ss_answers *out);

/* A watcher's key or wheel, or the new size of its page, which are in the line too. */
typedef struct ss_web_choice {
    uint32_t who;
    int view; /* that it looks at; 0: the pilot's */
    ss_web_line line;
} ss_web_choice;

/* All of these: main thread. Views are numbered from 1. */
bool ss_web_take_choice(ss_web *web, ss_web_choice *out); /* the next one; false: there is none */
/* ss_views_choose; who is refused is told so. */
void ss_web_choose(ss_web *web, uint32_t who, const ss_lens *lens);
void ss_web_view_rows(ss_web *web, ss_view_row out[SS_VIEWS + 1]);
void ss_web_refit(ss_web *web, int view, const ss_lens *lens);
/* The newest frame of a view; gives back another one to draw into, or NULL. */
ss_frame *ss_web_show_view(ss_web *web, int view, uint32_t born, ss_frame *frame);

#endif
