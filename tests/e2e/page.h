/*
 * A page under test: a WebSocket to `stencilscope serve` that reads frames as the page in a browser
 * does. Every wait ends after a while. One thread.
 */
#ifndef SS_E2E_PAGE_H
#define SS_E2E_PAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct page page;

/* Connects to a port of this machine and asks for a socket. Headers NULL: those of a page of this
 * server. Returns NULL if it is refused. */
page *page_open(int port, const char *host, const char *origin);
void page_close(page *p);
void page_say(page *p, const char *line);
/* A frame of the protocol: opcode 1 text, 2 binary. */
void page_raw(page *p, int opcode, const void *data, size_t n);
/* Reads until the newest frame has a text, or no longer has it. False: not within the time. */
bool page_shows(page *p, const char *text, bool yes, double seconds);
/* Reads until the next frame. False: none came. */
bool page_frame(page *p, double seconds);
/* Reads until the server closes; the sentence that it gave, or ""; NULL: it did not. */
const char *page_farewell(page *p, double seconds);
/* Its number then: 1008 is final, after any other a page connects again. */
int page_code(const page *p);
/* Has its newest frame that size, in pixels? */
bool page_has_size(const page *p, int w, int h);
int page_frames(const page *p); /* so far */
/* Reads until the server has said a text since the last call. False: not within the time. */
bool page_hears(page *p, const char *text, double seconds);
/* The same, and where it is in what the server has said; NULL: it has not. */
const char *page_text(page *p, const char *text, double seconds);

/* The status of a GET, 0: closed without one. body: the first bytes, with the headers; or NULL. */
int page_get(int port, const char *path, const char *host, char *body, size_t size);
/* A socket that is connected and says nothing, or `text`. */
int page_connect(int port, const char *text);
/* The same to another address of this machine, as 127.0.0.2; -1: nobody listens there. */
int page_connect_at(const char *address, int port);

#endif
