/* Connected pages: what they may send, and what each is sent next. See parts.h. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "ui/web/lines.h"
#include "ui/web/parts.h"

enum {
    FLYING = 2,            /* frames on their way to a page: more would only arrive later */
    SOCKET = 64 * 1024,    /* bytes that the kernel holds for a page */
    LOOK = 5 * 1000 * 1000 /* microseconds between two looks at a silent page */
};
static const double SILENT = 15; /* seconds */
static const double MOMENT = 0.1;

static ss_web *web_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

/* --- the list --------------------------------------------------------------------------------- */

static int count_greeted(const ss_web *web, int *pilots)
{
    int n = 0;
    *pilots = 0;
    for (const ss_web_page *p = web->pages; p; p = p->next) {
        n += p->greeted;
        *pilots += p->greeted && p->may_steer;
    }
    return n;
}

static int count_watching(const ss_web *web)
{
    return web->steers && web->greeted > 0 ? web->greeted - 1 : web->greeted;
}

/* The main thread may ask how many there are. */
static void recount(ss_web *web)
{
    int pilots;
    web->greeted = count_greeted(web, &pilots);
    pthread_mutex_lock(&web->lock);
    web->npages = web->greeted;
    web->npilots = pilots;
    pthread_mutex_unlock(&web->lock);
    ss_class_count(web);
    web->setup.wake(web->setup.ctx);
    ss_web_stir(web);
}

static bool has_more(ss_web *web, const ss_web_page *p);

/* A page with nothing to get is left alone: each call costs a turn of the library's loop. */
static void stir(ss_web *web, const ss_web_page *p)
{
    if (p->greeted && (has_more(web, p) || atomic_load(&web->quit)))
        lws_callback_on_writable(p->wsi);
}

void ss_web_stir(ss_web *web)
{
    for (const ss_web_page *p = web->pages; p; p = p->next)
        stir(web, p);
}

/* --- to the main thread ----------------------------------------------------------------------- */

static void enqueue(ss_web *web, const ss_web_line *line)
{
    pthread_mutex_lock(&web->lock);
    int newest = (web->first + web->count + SS_WEB_QUEUE - 1) % SS_WEB_QUEUE;
    bool moves = line->kind == SS_WEB_EVENT && line->event.kind == SS_EV_MOVE;
    const ss_web_line *last = web->count > 0 ? &web->queue[newest] : NULL;
    if (last && moves && last->kind == SS_WEB_EVENT && last->event.kind == SS_EV_MOVE)
        web->queue[newest] = *line;
    else if (web->count < SS_WEB_QUEUE)
        web->queue[(web->first + web->count++) % SS_WEB_QUEUE] = *line;
    pthread_mutex_unlock(&web->lock);
    web->setup.wake(web->setup.ctx);
}

/* The shape of the frames that a page is sent, once there are any. */
static ss_shape shape_for(const ss_web *web, const ss_web_page *p)
{
    return p->may_steer || p->shape == web->shape ? SS_SHAPE_PILOT : p->shape;
}

/* Frames are drawn in the shapes that pages have now. */
static void follow_size(ss_web *web)
{
    static const ss_web_line redraw = {.kind = SS_WEB_EVENT, .event = {SS_EV_RESIZE}};
    bool wanted[SS_NSHAPE] = {false}, more = false;
    if (web->steers && web->steers->w > 0)
        web->shape = ss_shape_of(web->steers->w, web->steers->h);
    for (const ss_web_page *p = web->pages; p; p = p->next)
        if (p->greeted)
            wanted[shape_for(web, p)] = true;
    pthread_mutex_lock(&web->lock);
    for (int i = SS_SHAPE_PILOT + 1; i < SS_NSHAPE; i++) {
        more = more || (wanted[i] && !web->wanted[i]);
        web->wanted[i] = wanted[i];
    }
    pthread_mutex_unlock(&web->lock);
    if (more)
        enqueue(web, &redraw);
}

static void take_over(ss_web *web, ss_web_page *p)
{
    ss_web_line size = {.kind = SS_WEB_SIZE, .event = {SS_EV_RESIZE}};
    if (web->steers == p)
        return;
    web->steers = p;
    if (p && p->w > 0) {
        size.w = p->w, size.h = p->h;
        enqueue(web, &size);
    }
    follow_size(web);
    ss_web_stir(web); /* the number of watchers */
}

static void leave(ss_web *web, ss_web_page *p)
{
    ss_class_leave(web, p);
    for (ss_web_page **at = &web->pages; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            break;
        }
    ss_web_page *heir = web->steers == p ? web->pages : web->steers;
    while (web->steers == p && heir && !(heir->greeted && heir->may_steer))
        heir = heir->next;
    if (web->steers == p) {
        web->steers = NULL;
        take_over(web, heir);
    }
    follow_size(web);
    recount(web);
}

/* --- what a page sends ------------------------------------------------------------------------ */

/* Closes the connection with a sentence that the page shows. */
static int part(struct lws *wsi, enum lws_close_status why, const char *sentence)
{
    lws_close_reason(wsi, why, (unsigned char *)(uintptr_t)sentence, strlen(sentence));
    return -1;
}

/* The page tries again after this. */
static int put_off(struct lws *wsi, const char *sentence)
{
    enum { TRY_AGAIN_LATER = 1013 };
    return part(wsi, (enum lws_close_status)TRY_AGAIN_LATER, sentence);
}

static int refuse(struct lws *wsi, const char *sentence)
{
    return part(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, sentence);
}

static int greet(ss_web *web, ss_web_page *p, const ss_web_line *line)
{
    if (line->version != SS_WEB_VERSION)
        return refuse(p->wsi, "This page is of another version: load it again.");
    if (p->may_steer && strcmp(line->token, "-") == 0)
        return refuse(p->wsi,
                      "This address lacks its token: open the one that the program printed.");
    if (p->may_steer && !ss_web_token_equal(line->token, web->token))
        return refuse(p->wsi,
                      "The program was started anew: open the address that it printed now.");
    p->greeted = true;
    recount(web);
    return 0;
}

static void steer(ss_web *web, ss_web_page *p, const ss_web_line *line)
{
    if (line->kind == SS_WEB_ANSWER)
        return;
    if (line->kind == SS_WEB_SIZE)
        p->w = line->w, p->h = line->h;
    if (line->kind == SS_WEB_EVENT || !web->steers)
        take_over(web, p);
    if (web->steers != p)
        return;
    enqueue(web, line);
    follow_size(web);
}

/* All else that a watcher sends is dropped. */
static void watch(ss_web *web, ss_web_page *p, const ss_web_line *line)
{
    if (line->kind == SS_WEB_ANSWER)
        ss_class_take(web, p, line);
    if (line->kind != SS_WEB_SIZE)
        return;
    p->shape = ss_shape_of(line->w, line->h);
    follow_size(web);
}

/* The library hands a line over in pieces where many come at once. False: it is too long. */
static bool gather(ss_web_page *p, const char *data, size_t n)
{
    if (p->nline + n > sizeof p->line)
        return false;
    memcpy(p->line + p->nline, data, n);
    p->nline += n;
    return true;
}

static int receive(ss_web *web, ss_web_page *p, const char *data, size_t n)
{
    ss_web_line line;
    ss_err err;
    bool fits = gather(p, data, n) && !lws_frame_is_binary(p->wsi);
    if (fits && !lws_is_final_fragment(p->wsi))
        return 0;
    size_t size = p->nline;
    p->nline = 0;
    if (!fits || ss_web_parse(p->line, size, &line, &err) != SS_OK)
        return refuse(p->wsi, "The page sent what is no line.");
    p->heard = ss_clock();
    if (line.kind == SS_WEB_HELLO)
        return greet(web, p, &line);
    if (!p->greeted)
        return refuse(p->wsi, "The page did not say hello.");
    if (line.kind == SS_WEB_SHOWN)
        p->flying -= p->flying > 0;
    else if (line.kind == SS_WEB_AGAIN)
        p->have = 0;
    else if (line.kind == SS_WEB_ALIVE)
        p->alive = true;
    else
        (p->may_steer ? steer : watch)(web, p, &line);
    stir(web, p);
    return 0;
}

/* --- what it is sent -------------------------------------------------------------------------- */

/* The pilot's until there is a frame of the page's shape. */
static ss_feed *feed_of(const ss_web *web, const ss_web_page *p)
{
    ss_feed *own = web->feed[shape_for(web, p)];
    return ss_feed_serial(own) > 0 ? own : web->feed[SS_SHAPE_PILOT];
}

static bool wants_frame(const ss_web *web, const ss_web_page *p)
{
    return p->greeted && p->have != ss_feed_serial(feed_of(web, p)) && p->flying < FLYING;
}

static int send_number(ss_web_page *p, const char *word, uint32_t v)
{
    char text[32];
    snprintf(text, sizeof text, "%s %u", word, v);
    return ss_web_send_text(p, text);
}

static int send_copy(ss_web *web, ss_web_page *p)
{
    char *text = web->copy;
    web->copy = NULL;
    int status = ss_web_send_text(p, text);
    free(text);
    return status;
}

static int send_frame(ss_web *web, ss_web_page *p)
{
    _Static_assert(SS_FEED_HEAD >= LWS_PRE, "room for the library's header");
    ss_feed *feed = feed_of(web, p);
    const ss_packet *k = ss_feed_packet(feed, p->have);
    if (!k)
        return -1;
    p->have = ss_feed_serial(feed);
    p->flying++;
    int sent = lws_write(p->wsi, k->data + SS_FEED_HEAD, k->n, LWS_WRITE_BINARY);
    return sent < (int)k->n ? -1 : 0;
}

/* One message; another call follows if there is more. */
static int send_next(ss_web *web, ss_web_page *p)
{
    bool steers = web->steers == p;
    int watching = count_watching(web);
    if (atomic_load(&web->quit))
        return part(p->wsi, LWS_CLOSE_STATUS_GOINGAWAY,
                    "The program has ended. This page connects when it is started again.");
    if (!p->greeted)
        return 0;
    if (wants_frame(web, p))
        return send_frame(web, p);
    if (steers && p->done != web->done)
        return send_number(p, "done", p->done = web->done);
    if (p->watching != watching)
        return send_number(p, "watching", (uint32_t)(p->watching = watching));
    if (steers && web->copy)
        return send_copy(web, p);
    if (ss_files_have_more(web, p))
        return ss_files_send(web, p);
    if (ss_class_has_more(web, p))
        return ss_class_send(web, p);
    if (!p->alive)
        return 0;
    p->alive = false;
    return ss_web_send_text(p, "alive -");
}

static bool has_more(ss_web *web, const ss_web_page *p)
{
    bool steers = web->steers == p;
    return wants_frame(web, p) || (steers && (p->done != web->done || web->copy)) ||
           p->watching != count_watching(web) || p->alive || ss_files_have_more(web, p) ||
           ss_class_has_more(web, p);
}

/* --- connections ------------------------------------------------------------------------------ */

static int enter(ss_web *web, ss_web_page *p, struct lws *wsi)
{
    int size = SOCKET, one = 1, n = 0;
    bool may_steer = lws_get_vhost(wsi) == web->pilot;
    ss_web_request_ends(web, wsi);
    for (const ss_web_page *other = web->pages; other; other = other->next)
        n += other->may_steer == may_steer;
    if (n >= (may_steer ? SS_WEB_PILOTS : SS_WEB_PAGES - SS_WEB_PILOTS))
        return put_off(wsi, "As many pages as the program serves are open already. This one tries "
                            "again.");
    *p = (ss_web_page){.next = web->pages, .wsi = wsi, .watching = -1, .heard = ss_clock()};
    p->may_steer = may_steer;
    web->pages = p;
    setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    setsockopt(lws_get_socket_fd(wsi), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    lws_set_timer_usecs(wsi, LOOK);
    return 0;
}

static int look(ss_web_page *p)
{
    double silent = ss_clock() - p->heard;
    lws_set_timer_usecs(p->wsi, LOOK);
    return silent > SILENT || !p->greeted ? -1 : 0;
}

/* Does a page that keeps up still get the newest frame? Then the next one waits a moment, so that
 * all of these need the same difference, which is compressed once. */
static bool is_sending(const ss_web *web)
{
    const ss_web_page *p = web->pages;
    while (p && (!p->keeps_up || !wants_frame(web, p)))
        p = p->next;
    return p && ss_clock() - web->pushed < MOMENT;
}

static void push(ss_web *web, ss_stream_frame *const frame[SS_NSHAPE])
{
    for (int i = 0; i < SS_NSHAPE; i++)
        if (frame[i])
            ss_web_reuse(web, ss_feed_push(web->feed[i], frame[i]));
    for (ss_web_page *p = web->pages; p; p = p->next)
        if (frame[shape_for(web, p)]) {
            p->keeps_up = p->writable;
            p->writable = false;
        }
}

/* Frames and texts of the main thread. */
static void take_news(ss_web *web)
{
    ss_stream_frame *frame[SS_NSHAPE];
    web->late = is_sending(web);
    if (web->late)
        return;
    web->pushed = ss_clock();
    pthread_mutex_lock(&web->lock);
    memcpy(frame, web->pending, sizeof frame);
    memset(web->pending, 0, sizeof web->pending);
    char *copy = web->copying;
    web->copying = NULL;
    web->done = web->pending_done;
    pthread_mutex_unlock(&web->lock);
    push(web, frame);
    if (copy) {
        free(web->copy);
        web->copy = copy;
    }
    ss_web_stir(web);
}

/* For a page without a place: calls come until the library has sent the sentence that refused it,
 * and it has no state. */
static bool is_put_off(const ss_web_page *p, enum lws_callback_reasons why)
{
    bool of_page = why == LWS_CALLBACK_RECEIVE || why == LWS_CALLBACK_SERVER_WRITEABLE ||
                   why == LWS_CALLBACK_TIMER || why == LWS_CALLBACK_CLOSED;
    return of_page && !p->wsi;
}

int ss_web_on_socket(struct lws *wsi, enum lws_callback_reasons why, void *page, void *in, size_t n)
{
    ss_web *web = web_of(wsi);
    ss_web_page *p = page;
    if (is_put_off(p, why))
        return 0;
    switch (why) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return ss_web_admits(wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        return enter(web, p, wsi);
    case LWS_CALLBACK_RECEIVE:
        return receive(web, p, in, n);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        p->writable = true;
        if (send_next(web, p) != 0)
            return -1;
        if (web->late)
            take_news(web);
        if (has_more(web, p))
            lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_TIMER:
        return look(p);
    case LWS_CALLBACK_CLOSED:
        leave(web, p);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        if (lws_get_vhost(wsi) == web->pilot) /* it comes once for each port */
            take_news(web);
        return 0;
    default:
        return 0;
    }
}
