/*
 * The front end inside a page, in WebAssembly: see ui/scene/frontend.h. Frames go to the page as
 * messages, each the difference to the frame before, and the next one waits until the page has
 * shown the last: a slow page gets fewer frames, never late ones. Main thread only, except wake.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/page/inbox.h"
#include "ui/page/post.h"
#include "ui/stream/stream.h"
#include "ui/web/lines.h"

extern const ss_frontend ss_frontend_page;

typedef struct page {
    ss_framer *framer;
    ss_stream_frame frame[2]; /* the one that the page has, and the next */
    int last;                 /* index of the former */
    ss_stream_message message;
    uint32_t posted, done; /* serial of the former; number of the last event */
    int w, h;
    bool missed;             /* a frame was due while the page still drew the one before */
    bool hidden, runs, held; /* the page is; the run is going on; a hidden page has paused it */
    const char *theme;       /* that the page knows; NULL: none yet */
    char text[SS_PAGE_LINE];
} page;

static void page_close(void *self)
{
    page *p = self;
    for (int i = 0; i < 2; i++)
        ss_frame_free(&p->frame[i]);
    ss_message_free(&p->message);
    ss_framer_free(p->framer);
    free(p);
}

static int page_open(void **self, ss_err *err)
{
    page *p = calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory: the page");
    p->w = 1280, p->h = 800;
    p->framer = ss_framer_new(err);
    if (!p->framer) {
        page_close(p);
        return SS_FAIL;
    }
    *self = p;
    return SS_OK;
}

static void page_extent(void *self, ss_extent *out)
{
    const page *p = self;
    ss_places_page(p->w, p->h, out);
    out->links = true;
}

/* --- events ----------------------------------------------------------------------------------- */

/* The run is paused while nobody sees it, and goes on afterwards. */
static bool hide(page *p, bool hidden, ss_event *ev)
{
    p->hidden = hidden;
    bool changes = hidden ? p->runs && !p->held : p->held;
    p->held = hidden && (p->runs || p->held);
    *ev = (ss_event){.kind = SS_EV_COMMAND, .text = hidden ? "pause" : "run"};
    return changes;
}

/* A line that only a page has. *known: it is one. Returns whether it is an event. */
static bool own_line(page *p, const char *line, bool *known, ss_event *ev)
{
    *known = true;
    if (strcmp(line, "hidden") == 0 || strcmp(line, "seen") == 0)
        return hide(p, line[0] == 'h', ev);
    if (strcmp(line, "refused") == 0) {
        *ev = (ss_event){.kind = SS_EV_COMMAND, .text = "copy refused"};
        return true;
    }
    *known = strncmp(line, "drop ", 5) == 0;
    snprintf(p->text, sizeof p->text, "%s", *known ? line + 5 : "");
    *ev = (ss_event){.kind = SS_EV_DROP, .text = p->text};
    return *known;
}

/* Returns whether the line is an event. */
static bool translate(page *p, const char *line, ss_event *ev)
{
    bool known;
    ss_err err;
    ss_web_line got;
    bool event = own_line(p, line, &known, ev);
    if (known || ss_web_parse(line, strlen(line), &got, &err) != SS_OK)
        return event;
    *ev = got.event;
    if (got.number > 0)
        p->done = got.number;
    if (got.kind == SS_WEB_SIZE)
        p->w = got.w, p->h = got.h;
    else if (ev->kind != SS_EV_KEY)
        ss_framer_place(p->framer, got.event.x, got.event.y, &ev->x, &ev->y);
    return ev->kind != SS_EV_NONE;
}

static bool is_page_behind(const page *p)
{
    return ss_page_last() != p->posted;
}

static bool next_event(page *p, ss_event *ev)
{
    char line[SS_PAGE_LINE];
    if (p->missed && !is_page_behind(p)) {
        p->missed = false;
        *ev = (ss_event){.kind = SS_EV_RESIZE}; /* draw now */
        return true;
    }
    while (ss_page_hear(line))
        if (translate(p, line, ev))
            return true;
    return false;
}

static int page_poll(void *self, double seconds, ss_event *ev)
{
    page *p = self;
    *ev = (ss_event){.kind = SS_EV_NONE};
    if (next_event(p, ev))
        return 1;
    if (seconds != 0)
        ss_page_wait(seconds);
    return next_event(p, ev);
}

static void page_wake(void *self)
{
    (void)self;
    ss_page_wake();
}

/* --- frames ----------------------------------------------------------------------------------- */

static bool page_watched(void *self)
{
    const page *p = self;
    return !p->hidden && !is_page_behind(p);
}

static void page_draw(void *self, const struct ss_scene *scene, const ss_snapshot *snap)
{
    page *p = self;
    ss_err err;
    ss_stream_frame *before = &p->frame[p->last], *now = &p->frame[1 - p->last];
    double scale = scene->cell / (double)SS_CELL_W;
    if (snap)
        p->runs = snap->status == SS_RUNNING && !snap->paused && snap->hold == SS_HOLD_NONE;
    if (p->theme != scene->theme->name)
        ss_page_post_text("theme", p->theme = scene->theme->name);
    p->missed = is_page_behind(p);
    if (p->missed)
        return;
    if (ss_framer_draw(p->framer, scene, scale, p->w, p->h, now, &err) != SS_OK)
        return;
    now->serial = p->posted + 1;
    if (ss_message_write(&p->message, p->posted ? before : NULL, now, &err) != SS_OK)
        return;
    ss_page_post_frame(p->message.data, p->message.used, p->done);
    p->posted = now->serial;
    p->last = 1 - p->last;
}

static bool page_copy(void *self, const char *text)
{
    (void)self;
    ss_page_post_text("copy", text);
    return true;
}

static void page_address(void *self, const char *line)
{
    (void)self;
    ss_page_post_text("address", line);
}

const ss_frontend ss_frontend_page = {
    .name = "web",
    .help = "page in a browser, which holds the whole program",
    .caps = SS_FE_INTERACTIVE | SS_FE_DRAWS,
    .fps = 30,
    .open = page_open,
    .extent = page_extent,
    .poll = page_poll,
    .wake = page_wake,
    .watched = page_watched,
    .draw = page_draw,
    .copy = page_copy,
    .address = page_address,
    .close = page_close,
};
