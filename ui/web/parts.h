/* Shared by the files of this folder that know libwebsockets: the server, its pages, its files.
 * Everything here belongs to the thread that serves, except where a lock is named. */
#ifndef SS_WEB_PARTS_H
#define SS_WEB_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include <libwebsockets.h>

#include "ui/web/feed.h"
#include "ui/web/net.h"

enum {
    SS_WEB_QUEUE = 256,    /* lines that wait for the main thread */
    SS_WEB_SPARE = 8,      /* frames that may be drawn into */
    SS_WEB_PAGES = 256,    /* connected at once */
    SS_WEB_TEXT = 1 << 16, /* bytes of the longest copied text */
};

/* One connection. Its memory is the library's. */
typedef struct ss_page {
    struct ss_page *next; /* of the server's list */
    struct lws *wsi;
    bool may_steer; /* came through the pilot's port */
    bool greeted;   /* knew the token, where one is needed */
    bool alive;     /* to be answered */
    uint32_t have;  /* serial of the frame that it was sent last; 0: none */
    int flying;     /* frames that were sent and are not yet shown */
    uint32_t done;  /* the last number that it was told */
    int watching;   /* the last count that it was told */
    int w, h;       /* its size; 0: unknown */
    double heard;   /* clock of its last line */
    char line[SS_WEB_LINE];
    size_t nline; /* of its line so far */
} ss_page;

struct ss_web {
    ss_web_setup setup;
    struct lws_context *context;
    struct lws_vhost *pilot, *watch;
    pthread_t thread;
    atomic_bool quit;
    char token[SS_WEB_TOKEN + 1];
    ss_feed *feed;
    ss_page *pages, *seat; /* seat: whose events and size count; NULL: nobody's */
    double pushed;         /* clock of the newest frame */
    bool late;             /* a newer one waits */
    uint32_t done;         /* of the newest frame of the feed */
    char *copy;            /* text for the seat's clipboard; NULL: none */

    pthread_mutex_t lock; /* of all below */
    ss_frame *pending;    /* NULL: taken */
    ss_frame *spare[SS_WEB_SPARE];
    int nspare;
    uint32_t serial, pending_done;
    uint64_t shown; /* hash of the newest frame */
    ss_web_line queue[SS_WEB_QUEUE];
    int first, count;
    char *copying;
    int npages; /* greeted */
};

/* --- pages (pages.c) -------------------------------------------------------------------------- */

int ss_web_on_socket(struct lws *wsi, enum lws_callback_reasons why, void *page, void *in,
                     size_t n);
/* Something new to send. */
void ss_web_stir(ss_web *web);

/* --- files (site.c) --------------------------------------------------------------------------- */

/* One file on its way. */
typedef struct ss_download {
    const unsigned char *data;
    size_t n, at;
} ss_download;

int ss_web_on_request(struct lws *wsi, enum lws_callback_reasons why, void *download, void *in,
                      size_t n);
/* Do the headers name this machine, and a page of it? */
bool ss_web_admits(struct lws *wsi);

#endif
