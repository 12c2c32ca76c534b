/* The page in a browser: see ui/scene/frontend.h. Frames are drawn as bytes (ui/stream); the server
 * sends them (net.h). Main thread only, except wake. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/plain/wait.h"
#include "ui/web/net.h"
#include "ui/web/options.h"
#include "ui/web/screens.h"

extern const ss_frontend ss_frontend_web;

typedef struct web {
    ss_web *net;
    ss_framer *framer;
    ss_frame *frame; /* to be drawn into */
    ss_screens *screens;
    int w, h;        /* of the pilot's page */
    uint32_t done;   /* number of the last event */
    ss_event before; /* a signal that came before the first page; SS_EV_NONE: none */
} web;

static void web_close(void *self)
{
    web *w = self;
    ss_screens_free(w->screens);
    ss_web_close(w->net);
    ss_framer_free(w->framer);
    if (w->frame)
        ss_frame_free(w->frame);
    free(w->frame);
    free(w);
    ss_plain_close(NULL);
}

/* In a session over SSH the browser is on another machine: a tunnel leads here. */
static void tell_tunnel(const char *url)
{
    const char *session = getenv("SSH_CONNECTION"), *port = strrchr(url, ':');
    char here[64];
    if (session && port && sscanf(session, "%*s %*s %63s", here) == 1)
        printf("stencilscope: first, where the browser is: ssh -N -L %d:127.0.0.1:%d %s\n",
               atoi(port + 1), atoi(port + 1), here);
}

static void tell_urls(const web *w)
{
    char pilot[256], watch[256];
    ss_web_urls(w->net, pilot, watch, sizeof pilot);
    tell_tunnel(pilot);
    printf("stencilscope: open %s in a browser; ctrl-c ends the program\n", pilot);
    if (*watch)
        printf("stencilscope: to watch: %s\n", watch);
    fflush(stdout);
}

/* The run begins when the pilot's page is connected. */
static void await_pilot(web *w)
{
    int pilots = 0;
    while (ss_web_pages(w->net, &pilots) >= 0 && pilots == 0 &&
           !ss_plain_poll(NULL, -1, &w->before))
        ;
}

static int web_open(void **self, ss_err *err)
{
    const ss_web_setup setup = {.port = ss_web_asked_port(SS_WEB_PORT),
                                .watch_port = ss_web_asked_port(SS_WEB_WATCH_PORT),
                                .address = ss_web_asked_address(),
                                .wake = ss_plain_wake};
    void *none;
    web *w = calloc(1, sizeof *w);
    if (!w || ss_plain_open(&none, err) != SS_OK) {
        free(w);
        return w ? SS_FAIL : ss_fail_outside(err, "out of memory: the page");
    }
    w->w = 1280, w->h = 800;
    w->framer = ss_framer_new(err);
    w->frame = w->framer ? calloc(1, sizeof *w->frame) : NULL;
    w->net = w->frame ? ss_web_open(&setup, err) : NULL;
    w->screens = w->net ? ss_screens_new(w->net, err) : NULL;
    if (!w->screens) {
        web_close(w);
        return SS_FAIL;
    }
    tell_urls(w);
    await_pilot(w);
    *self = w;
    return SS_OK;
}

static void web_extent(void *self, ss_extent *out)
{
    const web *w = self;
    ss_places_page(w->w, w->h, out);
}

static void web_draw(void *self, const struct ss_scene *scene, const ss_snapshot *snap)
{
    web *w = self;
    ss_err err;
    double scale = scene->cell / (double)SS_CELL_W;
    (void)snap;
    if (!w->frame)
        w->frame = calloc(1, sizeof *w->frame);
    if (w->frame && ss_framer_draw(w->framer, scene, scale, w->w, w->h, w->frame, &err) == SS_OK)
        w->frame = ss_web_show(w->net, w->frame, w->done);
}

/* The event of a line from the pilot. */
static void translate(web *w, const ss_web_line *line, ss_event *ev)
{
    *ev = line->event;
    if (line->number > 0)
        w->done = line->number;
    if (line->kind == SS_WEB_SIZE)
        w->w = line->w, w->h = line->h;
    else if (ev->kind != SS_EV_KEY)
        ss_framer_place(w->framer, line->event.x, line->event.y, &ev->x, &ev->y);
}

static int web_poll(void *self, double seconds, ss_event *ev)
{
    web *w = self;
    ss_web_line line;
    if (w->before.kind != SS_EV_NONE) {
        *ev = w->before;
        w->before.kind = SS_EV_NONE;
        return 1;
    }
    bool any = ss_web_take(w->net, &line);
    if (ss_plain_poll(NULL, any ? 0 : seconds, ev))
        return 1;
    if (!any && !ss_web_take(w->net, &line))
        return 0;
    translate(w, &line, ev);
    return 1;
}

static void web_wake(void *self)
{
    (void)self;
    ss_plain_wake(NULL);
}

static bool web_watched(void *self)
{
    const web *w = self;
    int pilots;
    return ss_web_pages(w->net, &pilots) > 0;
}

static void turn_views(void *self, struct ss_ui *screen, const struct ss_scene *scene,
                       const ss_snapshot *snap)
{
    web *w = self;
    const ss_pilot pilot = {screen, scene, w->framer, snap};
    ss_screens_turn(w->screens, &pilot);
}

static const ss_view *wanted_view(void *self, int i)
{
    const web *w = self;
    return ss_screens_wants(w->screens, i + 1);
}

static void draw_view(void *self, int i, const struct ss_ui *screen, const ss_snapshot *snap)
{
    const web *w = self;
    ss_screens_draw(w->screens, i + 1, screen, snap);
}

static const ss_frontend_views views = {turn_views, wanted_view, draw_view};

static bool web_copy(void *self, const char *text)
{
    const web *w = self;
    return ss_web_copy(w->net, text);
}

static bool web_has_class(void)
{
    return ss_web_asked_port(SS_WEB_WATCH_PORT) != 0;
}

static void web_ask(void *self, const ss_question *question)
{
    const web *w = self;
    ss_web_ask(w->net, question);
}

static void web_answers(void *self, ss_answers *out)
{
    const web *w = self;
    ss_web_answers(w->net, out);
}

/* Never by itself: a server is asked for. */
static int web_probe(ss_err *err)
{
    (void)err;
    return SS_OK;
}

const ss_frontend ss_frontend_web = {
    .name = "web",
    .help = "page in a browser, served on this machine",
    .caps = SS_FE_INTERACTIVE | SS_FE_DRAWS,
    .fps = 30,
    .past_bytes = 32e6,
    .params = ss_web_params,
    .nparam = SS_WEB_NPARAM,
    .check = ss_web_check,
    .probe = web_probe,
    .open = web_open,
    .extent = web_extent,
    .poll = web_poll,
    .wake = web_wake,
    .watched = web_watched,
    .draw = web_draw,
    .copy = web_copy,
    .has_class = web_has_class,
    .ask = web_ask,
    .answers = web_answers,
    .views = &views,
    .close = web_close,
};
