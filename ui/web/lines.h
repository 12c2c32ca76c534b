/*
 * Lines of text from a page: keys, mouse and what the page knows of its frames. They may come from
 * anywhere. Words are split by one blank; a number N counts the page's events, so that the page
 * hears when a frame shows what they did. Pure functions.
 *
 *   hello 1 TOKEN            the version of the page; "-": no token
 *   size N W H               pixels of the page, 1/96 inch each
 *   key N NAME               as in ss_event, "k" or "S-left", or a browser's name, "S-ArrowLeft";
 *                            C- and S-: with control and shift
 *   press, drag, release, move, hover N X Y BUTTON SHIFT
 *                            BUTTON: 0 left, 1 middle, 2 right, 3 a finger
 *   wheel N X Y DY SHIFT     DY: 1 up, -1 down
 *   answer N PAGE VALUE      to question N; PAGE: the page's name for itself, a random number
 *   shown SERIAL             this frame is drawn
 *   again                    the frame that came cannot be read without an earlier one
 *   alive                    every second; it is answered
 */
#ifndef SS_WEB_LINES_H
#define SS_WEB_LINES_H

#include "ui/scene/frontend.h"

enum { SS_WEB_LINE = 128, SS_WEB_TOKEN = 32, SS_WEB_NAME = 32, SS_WEB_VERSION = 1 };

typedef enum ss_web_kind {
    SS_WEB_HELLO,
    SS_WEB_SIZE,
    SS_WEB_EVENT, /* a key or the mouse */
    SS_WEB_ANSWER,
    SS_WEB_SHOWN,
    SS_WEB_AGAIN,
    SS_WEB_ALIVE
} ss_web_kind;

typedef struct ss_web_line {
    ss_web_kind kind;
    uint32_t number; /* N, or SERIAL */
    uint32_t page;   /* ANSWER */
    double value;
    int version;
    char token[SS_WEB_TOKEN + 1];
    int w, h;       /* SIZE */
    ss_event event; /* EVENT: (x, y) in pixels of the frame, to be placed in cells */
} ss_web_line;

enum { SS_WEB_LEAST = 200, SS_WEB_MOST = 4000 }; /* pixels of a page that a frame follows */

/* n bytes without an end. SS_FAIL: no such line, with the reason. */
int ss_web_parse(const char *text, size_t n, ss_web_line *out, ss_err *err);

/* --- who may connect -------------------------------------------------------------------------- */

/* A page of any site can open sockets to this machine, so a request must come from a page of the
 * same host; on the pilot's port it names this machine as its host, and the pilot knows the token.
 */

/* Is it a name of this machine that no other site can take: a number, or localhost? `host` is the
 * header, with or without a port. */
bool ss_web_host_allowed(const char *host);
/* Did a page of that host send it? origin: the header; NULL or "": not from a page. */
bool ss_web_origin_allowed(const char *origin, const char *host);
/* Compares in a time that does not tell how much is equal. */
bool ss_web_token_equal(const char *given, const char *token);

#endif
