/* The program that serves pages: see server.h. */
#include "tests/e2e/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SS_WITH_WEB

/* The number behind a text on the screen. */
static int number_after(term *t, const char *text)
{
    const char *at = strstr(term_screen(t), text);
    return at ? atoi(at + strlen(text)) : 0;
}

void server_start(served *s, const char *env, const char *args)
{
    char line[300];
    s->watch_port = 20000 + (int)(getpid() % 12000); /* below those of outgoing sockets */
    snprintf(line, sizeof line, "%s --port 0 --watch-port %d", args, s->watch_port);
    s->t = term_open(160, 24, env, line);
    SHOWS(s->t, "to watch: http://");
    s->port = number_after(s->t, "open http://127.0.0.1:");
    const char *token = strstr(term_screen(s->t), "#t=");
    CHECK(s->port > 0 && token);
    snprintf(s->hello, sizeof s->hello, "hello 1 %.32s", token + 3);
}

page *server_pilot(const served *s)
{
    page *p = page_open(s->port, NULL, NULL);
    CHECK(p != NULL);
    page_say(p, s->hello);
    page_say(p, "size 1 1280 800");
    CHECK(page_frame(p, SERVER_WAIT));
    return p;
}

void server_end(const served *s)
{
    term_keys(s->t, "\003");
    ENDS(s->t, 130);
    term_close(s->t);
}

#endif
