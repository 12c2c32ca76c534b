/* The server's life, and what the main thread does with it: see web.h. */
#include "ui/web/web.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "ui/web/parts.h"

/* --- shapes ----------------------------------------------------------------------------------- */

/* --- life ------------------------------------------------------------------------------------- */

enum { AT_ONCE = 1 << 20 }; /* bytes that one call of the system may send */

static const struct lws_protocols protocols[] = {
    {"http", ss_web_on_request, sizeof(ss_download), 0, 0, NULL, AT_ONCE},
    {"ss1", ss_web_on_socket, sizeof(ss_web_page), SS_WEB_LINE, 0, NULL, AT_ONCE},
    {NULL, NULL, 0, 0, 0, NULL, 0}};

static void *serve(void *arg)
{
    enum { FAREWELL = 1 }; /* seconds */
    ss_web *web = arg;
    bool serves = true;
    while (serves && !atomic_load(&web->quit))
        serves = lws_service(web->context, 0) >= 0;
    double until = ss_clock() + FAREWELL;
    ss_web_stir(web);
    while (serves && web->pages && ss_clock() < until)
        serves = lws_service(web->context, 0) >= 0;
    return NULL;
}

static struct lws_vhost *listen_on(ss_web *web, const char *name, const char *address, int port,
                                   ss_err *err)
{
    struct lws_context_creation_info info = {0};
    info.port = port > 0 ? port : 0;
    info.iface = address;
    info.protocols = protocols;
    info.vhost_name = name;
    info.options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_DISABLE_IPV6;
    info.timeout_secs = info.timeout_secs_ah_idle = info.keepalive_timeout = 5;
    struct lws_vhost *v = lws_create_vhost(web->context, &info);
    if (!v)
        ss_fail(err,
                "port %d of %s cannot be used: another program has it, or it needs rights; "
                "0 takes a free one",
                port, address);
    return v;
}

static int begin(ss_web *web, ss_err *err)
{
    struct lws_context_creation_info info = {0};
    const ss_web_setup *s = &web->setup;
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    info.gid = (gid_t)-1, info.uid = (uid_t)-1;
    info.user = web;
    info.fd_limit_per_thread = SS_WEB_PAGES + SS_WEB_REQUESTS + 64;
    lws_set_log_level(0, NULL);
    web->context = lws_create_context(&info);
    if (!web->context)
        return ss_fail_outside(err, "the server cannot be started");
    web->pilot = listen_on(web, "pilot", "127.0.0.1", s->port, err);
    if (web->pilot && s->watch_port)
        web->watch = listen_on(web, "watch", s->address, s->watch_port, err);
    return web->pilot && (web->watch || !s->watch_port) ? SS_OK : SS_FAIL;
}

/* With all signals blocked, which the thread inherits: they go to the main thread. */
static int start_thread(ss_web *web)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(&web->thread, NULL, serve, web);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static void drop(ss_web *web)
{
    if (web->context)
        lws_context_destroy(web->context);
    for (int i = 0; i < SS_NSHAPE; i++) {
        ss_feed_free(web->feed[i]);
        ss_web_reuse(web, web->pending[i]);
    }
    for (int i = 0; i < web->nspare; i++) {
        ss_frame_free(web->spare[i]);
        free(web->spare[i]);
    }
    free(web->copy);
    free(web->copying);
    free(web->invitation);
    pthread_mutex_destroy(&web->lock);
    free(web);
}

static int open_feeds(ss_web *web, ss_err *err)
{
    for (int i = 0; i < SS_NSHAPE; i++)
        if (!(web->feed[i] = ss_feed_new(err)))
            return SS_FAIL;
    return SS_OK;
}

static void invite(ss_web *web)
{
    char pilot[256], watch[256];
    ss_web_urls(web, pilot, watch, sizeof watch);
    if (web->watch)
        web->invitation = ss_web_invitation(watch, strncmp(web->setup.address, "127.", 4) == 0);
}

ss_web *ss_web_open(const ss_web_setup *setup, ss_err *err)
{
    ss_web *web = calloc(1, sizeof *web);
    if (!web) {
        ss_fail_outside(err, "out of memory: the server");
        return NULL;
    }
    web->setup = *setup;
    pthread_mutex_init(&web->lock, NULL);
    web->shape = SS_SHAPE_DESKTOP;
    if (open_feeds(web, err) == SS_OK && ss_web_ticket(web->token, err) == SS_OK &&
        begin(web, err) == SS_OK) {
        invite(web);
        if (start_thread(web) == 0) {
            ss_outfile_watch(ss_web_wrote, web);
            return web;
        }
        ss_fail_outside(err, "the server's thread cannot be started");
    }
    drop(web);
    return NULL;
}

void ss_web_close(ss_web *web)
{
    if (!web)
        return;
    ss_outfile_watch(NULL, NULL);
    atomic_store(&web->quit, true);
    lws_cancel_service(web->context);
    pthread_join(web->thread, NULL);
    drop(web);
}

/* The first address by which other machines may reach this one; "127.0.0.1": there is none. */
static void own_address(char *to, size_t size)
{
    struct ifaddrs *all = NULL;
    snprintf(to, size, "127.0.0.1");
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        bool usable = i->ifa_addr && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) &&
                      !(i->ifa_flags & IFF_LOOPBACK);
        const struct sockaddr_in *four = (const void *)i->ifa_addr;
        if (usable && inet_ntop(AF_INET, &four->sin_addr, to, (socklen_t)size))
            break;
    }
    freeifaddrs(all);
}

void ss_web_urls(const ss_web *web, char *pilot, char *watch, size_t size)
{
    snprintf(pilot, size, "http://127.0.0.1:%d/#t=%s", lws_get_vhost_listen_port(web->pilot),
             web->token);
    *watch = '\0';
    if (!web->watch)
        return;
    char own[64];
    bool all = strcmp(web->setup.address, "0.0.0.0") == 0;
    own_address(own, sizeof own);
    snprintf(watch, size, "http://%s:%d/", all ? own : web->setup.address,
             lws_get_vhost_listen_port(web->watch));
}

/* --- for the main thread ---------------------------------------------------------------------- */

static uint64_t frame_hash(const ss_stream_frame *f)
{
    uint64_t h = (uint64_t)f->w << 40 ^ (uint64_t)f->h << 8 ^ (uint64_t)f->pointer;
    for (int i = 0; i < f->nparts; i++)
        h = (h ^ f->part[i].hash) * 0x9e3779b97f4a7c15u ^ h >> 31;
    return h;
}

/* Another frame to draw into, if there is one. */
static ss_stream_frame *swap(ss_web *web, ss_shape shape, ss_stream_frame *frame)
{
    ss_stream_frame *other = web->pending[shape];
    web->pending[shape] = frame;
    return other ? other : web->nspare > 0 ? web->spare[--web->nspare] : NULL;
}

ss_stream_frame *ss_web_show(ss_web *web, ss_shape shape, ss_stream_frame *frame, uint32_t done)
{
    uint64_t hash = frame_hash(frame);
    pthread_mutex_lock(&web->lock);
    bool fresh = web->serial == 0 || hash != web->shown[shape];
    bool told = shape != SS_SHAPE_PILOT || web->pending_done == done;
    ss_stream_frame *next = frame;
    if (!told)
        web->pending_done = done;
    if (fresh) {
        web->shown[shape] = hash;
        frame->serial = ++web->serial;
        next = swap(web, shape, frame);
    }
    pthread_mutex_unlock(&web->lock);
    if (fresh || !told)
        lws_cancel_service(web->context);
    return next ? next : calloc(1, sizeof *next);
}

bool ss_web_wants_shape(ss_web *web, ss_shape shape)
{
    pthread_mutex_lock(&web->lock);
    bool wanted = web->wanted[shape];
    pthread_mutex_unlock(&web->lock);
    return wanted;
}

bool ss_web_take(ss_web *web, ss_web_line *out)
{
    pthread_mutex_lock(&web->lock);
    bool any = web->count > 0;
    if (any) {
        *out = web->queue[web->first];
        web->first = (web->first + 1) % SS_WEB_QUEUE;
        web->count--;
    }
    pthread_mutex_unlock(&web->lock);
    return any;
}

bool ss_web_copy(ss_web *web, const char *text)
{
    size_t n = strlen(text) + sizeof "copy ";
    char *copy = n < SS_WEB_TEXT ? malloc(n) : NULL;
    if (!copy)
        return false;
    snprintf(copy, n, "copy %s", text);
    pthread_mutex_lock(&web->lock);
    bool anybody = web->npages > 0;
    free(web->copying);
    web->copying = copy;
    pthread_mutex_unlock(&web->lock);
    lws_cancel_service(web->context);
    return anybody;
}

int ss_web_pages(ss_web *web, int *pilots)
{
    pthread_mutex_lock(&web->lock);
    int n = web->npages;
    *pilots = web->npilots;
    pthread_mutex_unlock(&web->lock);
    return n;
}
