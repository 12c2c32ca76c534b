/* The program that serves pages, under test, and the page that steers it. See page.h and term.h. */
#ifndef SS_E2E_SERVER_H
#define SS_E2E_SERVER_H

#include "tests/e2e/e2e.h"
#include "tests/e2e/page.h"

enum { SERVER_WAIT = 10 /* seconds for anything of a page */ };

typedef struct served {
    term *t;
    int port, watch_port;
    char hello[80]; /* the pilot's first line, with its token */
} served;

/* args: a command and its options but the ports. env: as in term_open. */
void server_start(served *s, const char *env, const char *args);
/* A page with the token, which has its first frame. */
page *server_pilot(const served *s);
/* By ctrl-c. */
void server_end(const served *s);

#endif
