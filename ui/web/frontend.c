/* The page in a browser: see ui/scene/frontend.h. Its ports and address. Frames are drawn as bytes
 * (ui/stream); the server sends them (net.c). Watchers whose pages have another shape than the
 * pilot's share a screen of that shape. Main thread only, except wake. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "ui/panels/screen.h"
#include "ui/plain/wait.h"
#include "ui/web/web.h"

/* --- options ---------------------------------------------------------------------------------- */

// clang-format off
ss_param ss_web_params[SS_WEB_NPARAM] = {
    [SS_WEB_PORT] = {.name = "port", .symbol = "port", .unit = "", .group = "Browser",
                  .type = SS_INT, .def = 8765, .min = 0, .max = 65535, .zero = "any",
                  .flags = SS_P_APP, .help = "port of this machine for the page that steers"},
    [SS_WEB_WATCH_PORT] = {.name = "watch-port", .symbol = "watch-port", .unit = "",
                        .group = "Browser", .type = SS_INT, .min = 0, .max = 65535, .zero = "none",
                        .flags = SS_P_APP, .help = "port for pages that only watch"},
    [SS_WEB_WATCH_ADDRESS] = {.name = "watch-address", .symbol = "watch-address", .unit = "",
                           .group = "Browser", .type = SS_STRING, .def_text = "127.0.0.1",
                           .flags = SS_P_APP,
                           .help = "address of the watchers' port; 0.0.0.0: all of this machine's"},
};
// clang-format on

static const ss_param *option(int row)
{
    const ss_param *found = ss_param_find(ss_options(), ss_web_params[row].name, NULL);
    return found == &ss_web_params[row] ? found : NULL;
}

int ss_web_asked_port(int row)
{
    return option(row) ? (int)ss_config_value(ss_options(), option(row)).i : 0;
}

const char *ss_web_asked_address(void)
{
    const char *text = option(SS_WEB_WATCH_ADDRESS)
                           ? ss_config_value(ss_options(), option(SS_WEB_WATCH_ADDRESS)).s
                           : NULL;
    return text && *text ? text : ss_web_params[SS_WEB_WATCH_ADDRESS].def_text;
}

int ss_web_check(ss_err *err)
{
    struct in_addr four;
    const char *address = ss_web_asked_address();
    int port = ss_web_asked_port(SS_WEB_PORT);
    if (inet_pton(AF_INET, address, &four) != 1)
        return ss_fail(err, "--watch-address: '%.60s' is no address; 127.0.0.1 and 0.0.0.0 are",
                       address);
    if (port > 0 && port == ss_web_asked_port(SS_WEB_WATCH_PORT))
        return ss_fail(err, "--port and --watch-port are both %d: give two different ones", port);
    return SS_OK;
}

/* --- the front end ---------------------------------------------------------------------------- */

extern const ss_frontend ss_frontend_web;

typedef struct screen {
    ss_ui *ui;              /* NULL: the program's own, or not yet opened */
    ss_framer *framer;      /* NULL: not yet opened */
    ss_stream_frame *frame; /* to be drawn into */
} screen;

typedef struct web {
    ss_web *net;
    screen screen[SS_NSHAPE]; /* SS_SHAPE_PILOT: the pilot's */
    int w, h;                 /* of the pilot's page */
    uint32_t done;            /* number of the last event */
    ss_event before;          /* a signal that came before the first page; SS_EV_NONE: none */
} web;

static void close_screen(screen *c)
{
    ss_ui_free(c->ui);
    ss_framer_free(c->framer);
    if (c->frame)
        ss_frame_free(c->frame);
    free(c->frame);
    *c = (screen){.ui = NULL};
}

static void web_close(void *self)
{
    web *w = self;
    ss_web_close(w->net);
    for (int i = 0; i < SS_NSHAPE; i++)
        close_screen(&w->screen[i]);
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
    w->screen[SS_SHAPE_PILOT].framer = ss_framer_new(err);
    w->net = w->screen[SS_SHAPE_PILOT].framer ? ss_web_open(&setup, err) : NULL;
    if (!w->net) {
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

static void draw_on(web *w, ss_shape shape, const ss_scene *scene, int width, int height)
{
    screen *c = &w->screen[shape];
    ss_err ignored;
    double scale = scene->cell / (double)SS_CELL_W;
    if (!c->frame)
        c->frame = calloc(1, sizeof *c->frame);
    if (c->frame &&
        ss_framer_draw(c->framer, scene, scale, width, height, c->frame, &ignored) == SS_OK)
        c->frame = ss_web_show(w->net, shape, c->frame, w->done);
}

static void web_draw(void *self, const struct ss_scene *scene, const ss_snapshot *snap)
{
    web *w = self;
    (void)snap;
    draw_on(w, SS_SHAPE_PILOT, scene, w->w, w->h);
}

/* No event reaches it. */
static uint64_t emit_nothing(void *ctx, const ss_cmd *cmd, ss_err *err)
{
    (void)ctx, (void)cmd, (void)err;
    return 0;
}

static bool open_screen(screen *c)
{
    ss_err ignored;
    if (c->framer)
        return true;
    c->ui = ss_ui_new(emit_nothing, NULL, &ignored);
    c->framer = c->ui ? ss_framer_new(&ignored) : NULL;
    if (!c->framer)
        close_screen(c);
    return c->framer != NULL;
}

static void draw_beside(web *w, ss_shape shape, const ss_ui *ui, const ss_snapshot *snap)
{
    const ss_shape_size *size = &ss_shapes[shape];
    ss_ui *own = w->screen[shape].ui;
    ss_extent extent;
    ss_places_page(size->w, size->h, &extent);
    ss_ui_beside(own, ui, snap);
    draw_on(w, shape, ss_ui_scene(own, snap, &extent, 0), size->w, size->h);
}

static void web_draw_others(void *self, struct ss_ui *ui, const ss_snapshot *snap)
{
    web *w = self;
    bool spectrum = false;
    for (ss_shape i = SS_SHAPE_PILOT + 1; i < SS_NSHAPE; i++)
        if (ss_web_wants_shape(w->net, i) && open_screen(&w->screen[i])) {
            draw_beside(w, i, ui, snap);
            spectrum = spectrum || ss_ui_view(w->screen[i].ui)->spectrum;
        } else {
            close_screen(&w->screen[i]);
        }
    ss_ui_spectrum_beside(ui, spectrum);
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
        ss_framer_place(w->screen[SS_SHAPE_PILOT].framer, line->event.x, line->event.y, &ev->x,
                        &ev->y);
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
    .draw_others = web_draw_others,
    .copy = web_copy,
    .has_class = web_has_class,
    .ask = web_ask,
    .answers = web_answers,
    .close = web_close,
};
