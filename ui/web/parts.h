/* Shared by the files of this folder that know libwebsockets: the server, its pages, its files.
 * Everything here belongs to the thread that serves, except where a lock is named. */
#ifndef SS_WEB_PARTS_H
#define SS_WEB_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <libwebsockets.h>

#include "ui/web/web.h"

enum {
    SS_WEB_QUEUE = 256,    /* lines that wait for the main thread */
    SS_WEB_SPARE = 8,      /* frames that may be drawn into */
    SS_WEB_PAGES = 256,    /* connected at once */
    SS_WEB_PILOTS = 8,     /* of these; the watchers' port has the other places */
    SS_WEB_REQUESTS = 512, /* connections of the watchers' port that are no pages */
    SS_WEB_TEXT = 1 << 16, /* bytes of the longest copied text */
    SS_WEB_FILES = 16,     /* that the pilot may download: the newest */
};

/* One connection. Its memory is the library's. */
typedef struct ss_web_page {
    struct ss_web_page *next; /* of the server's list */
    struct lws *wsi;
    bool may_steer; /* came through the pilot's port */
    bool greeted;   /* knew the token, where one is needed */
    bool alive;     /* to be answered */
    bool keeps_up;  /* its socket could be written to before the newest frame came */
    bool writable;  /* and since then */
    bool awaits;    /* it was told that the run has not begun */
    uint32_t have;  /* serial of the frame that it was sent last; 0: none */
    int flying;     /* frames that were sent and are not yet shown */
    uint32_t done;  /* the last number that it was told */
    int watching;   /* the last count that it was told */
    int w, h;       /* of a pilot's page, its size; 0: unknown */
    ss_shape shape; /* of a watcher's */
    double heard;   /* clock of its last line */
    char line[SS_WEB_LINE];
    size_t nline;      /* of its line so far */
    uint32_t name;     /* that it has given itself to answer; 0: none */
    uint32_t answered; /* the question whose answer was taken, to be told; 0: none */
    char rejected[80]; /* why an answer was not taken, to be told; "": nothing */
    uint32_t question; /* the open question that it was told; 0: none */
    bool invited;      /* it was told the watchers' address */
    int files;         /* files that it was told, of all so far */
} ss_web_page;

/* A file that the program has written. */
typedef struct ss_web_file {
    char ticket[SS_WEB_TOKEN + 1]; /* who knows it may read the file */
    char path[4096];
} ss_web_file;

struct ss_web {
    ss_web_setup setup;
    struct lws_context *context;
    struct lws_vhost *pilot, *watch;
    pthread_t thread;
    atomic_bool quit;
    char token[SS_WEB_TOKEN + 1];
    ss_feed *feed[SS_NSHAPE];
    ss_web_page *pages, *steers; /* steers: the pilot whose events and size count; NULL: nobody's */
    ss_shape shape;              /* of that pilot's page */
    double pushed;               /* clock of the newest frame */
    bool late;                   /* a newer one waits */
    uint32_t done;               /* of the newest frame of the pilot's */
    char *copy;                  /* text for the clipboard of who steers; NULL: none */
    int greeted;                 /* pages that have said hello */
    struct lws *request[SS_WEB_REQUESTS]; /* the oldest first */
    int nrequest;
    bool told_host;   /* that a host was refused */
    char *invitation; /* what the pilot is told of the watchers' address; NULL: there is none */

    pthread_mutex_t lock;                /* of all below */
    ss_stream_frame *pending[SS_NSHAPE]; /* NULL: taken */
    uint64_t shown[SS_NSHAPE];           /* hashes of the newest frames */
    bool wanted[SS_NSHAPE];              /* frames of that shape, by a watcher */
    ss_stream_frame *spare[SS_WEB_SPARE];
    int nspare;
    uint32_t serial, pending_done;
    ss_web_line queue[SS_WEB_QUEUE];
    int first, count;
    char *copying;
    int npages, npilots; /* greeted */
    ss_poll poll;
    int nwatchers, unanswered;      /* greeted; those whose answer is missing */
    ss_web_file file[SS_WEB_FILES]; /* number i in place i % SS_WEB_FILES */
    int nfile;                      /* so far */
};

/* --- pages (pages.c) -------------------------------------------------------------------------- */

int ss_web_on_socket(struct lws *wsi, enum lws_callback_reasons why, void *page, void *in,
                     size_t n);
/* Something new to send. */
void ss_web_stir(ss_web *web);

/* --- the class (class.c) ---------------------------------------------------------------------- */

/* A page came or went. */
void ss_class_count(ss_web *web);
/* A watcher's answer. A page keeps the name that it first gave. */
void ss_class_take(ss_web *web, ss_web_page *p, const ss_web_line *line);
void ss_class_leave(ss_web *web, const ss_web_page *p);
/* Is there something to send to it? Sends one message of it. */
bool ss_class_has_more(ss_web *web, const ss_web_page *p);
int ss_class_send(ss_web *web, ss_web_page *p);

/* --- files of the run (site.c) ---------------------------------------------------------------- */

/* The program has written it: an ss_outfile_watch. Any thread. */
void ss_web_wrote(const char *path, void *web);
/* To the pilot: "file TICKET PATH". */
bool ss_files_have_more(ss_web *web, const ss_web_page *p);
int ss_files_send(ss_web *web, ss_web_page *p);
/* The file of a ticket; NULL: there is none. */
FILE *ss_files_open(ss_web *web, const char *ticket, size_t *size);

/* feed.c: sends a text. */
int ss_web_send_text(ss_web_page *p, const char *text);
/* feed.c: 128 random bits. */
int ss_web_ticket(char ticket[SS_WEB_TOKEN + 1], ss_err *err);
/* class.c: "watch ADDRESS" and, where it has a use, its QR code: a line of 0 and 1 per row. NULL:
 * out of memory. */
char *ss_web_invitation(const char *url, bool here_only);

/* feed.c: gives a frame back to be drawn into. Takes the lock. */
void ss_web_reuse(ss_web *web, ss_stream_frame *frame);

/* --- over HTTP (site.c) ----------------------------------------------------------------------- */

/* One file on its way. */
typedef struct ss_download {
    const unsigned char *data; /* NULL: it is read */
    FILE *from;                /* NULL: it is part of the program */
    size_t n, at;
} ss_download;

int ss_web_on_request(struct lws *wsi, enum lws_callback_reasons why, void *download, void *in,
                      size_t n);
/* Does a page of this server ask? To the pilot's port the headers name this machine, too. */
bool ss_web_admits(struct lws *wsi);
/* It has become a page, or is closed. */
void ss_web_request_ends(ss_web *web, const struct lws *wsi);

#endif
