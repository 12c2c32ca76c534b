/* A page under test: see page.h. */
#include "tests/e2e/page.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/base/common.h"
#include "tests/check.h"

#ifdef SS_WITH_WEB
#include "ui/web/web.h"

struct page {
    int fd;
    uint8_t *in; /* received, not yet read */
    size_t used, room;
    ss_stream_frame frame[2]; /* the newest and the one before, by turns */
    int at, frames;
    bool closed;
    int code; /* that the server gave when it closed */
    char farewell[128];
    char heard[8192]; /* texts, a line each; the oldest are dropped */
};

/* --- sockets ---------------------------------------------------------------------------------- */

int page_connect_at(const char *address, int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0 && inet_pton(AF_INET, address, &to.sin_addr) == 1);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    close(fd);
    return -1;
}

int page_connect(int port, const char *text)
{
    int fd = page_connect_at("127.0.0.1", port);
    if (fd >= 0 && text)
        send(fd, text, strlen(text), MSG_NOSIGNAL);
    return fd;
}

/* More bytes within the time; false: none, or the end. */
static bool receive(page *p, double seconds)
{
    struct pollfd f = {.fd = p->fd, .events = POLLIN};
    if (p->closed || poll(&f, 1, (int)(seconds * 1e3)) <= 0)
        return false;
    if (p->used + 65536 > p->room) {
        p->room = 2 * p->room + 65536;
        p->in = realloc(p->in, p->room);
        CHECK(p->in != NULL);
    }
    ssize_t n = recv(p->fd, p->in + p->used, p->room - p->used, 0);
    p->closed = n <= 0;
    p->used += n > 0 ? (size_t)n : 0;
    return n > 0;
}

static void forget(page *p, size_t n)
{
    memmove(p->in, p->in + n, p->used - n);
    p->used -= n;
}

/* The headers of a response end with an empty line. */
static size_t headers_end(const page *p)
{
    const uint8_t *end = p->used ? memmem(p->in, p->used, "\r\n\r\n", 4) : NULL;
    return end ? (size_t)(end - p->in) + 4 : 0;
}

page *page_open(int port, const char *host, const char *origin)
{
    char own_host[64], own_origin[80], request[1024];
    page *p = calloc(1, sizeof *p);
    CHECK(p != NULL);
    snprintf(own_host, sizeof own_host, "127.0.0.1:%d", port);
    snprintf(own_origin, sizeof own_origin, "http://%s", host ? host : own_host);
    snprintf(request, sizeof request,
             "GET /ws HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ss1\r\n\r\n",
             host ? host : own_host, origin ? origin : own_origin);
    p->fd = page_connect(port, request);
    while (p->fd >= 0 && !headers_end(p) && receive(p, 5))
        ;
    bool taken = headers_end(p) && memcmp(p->in, "HTTP/1.1 101", 12) == 0;
    if (taken) {
        forget(p, headers_end(p));
        return p;
    }
    page_close(p);
    return NULL;
}

void page_close(page *p)
{
    if (!p)
        return;
    if (p->fd >= 0)
        close(p->fd);
    for (int i = 0; i < 2; i++)
        ss_frame_free(&p->frame[i]);
    free(p->in);
    free(p);
}

int page_get(int port, const char *path, const char *host, char *body, size_t size)
{
    char request[512];
    page p = {.fd = -1};
    int status = 0;
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, host);
    p.fd = page_connect(port, request);
    while (p.fd >= 0 && !headers_end(&p) && receive(&p, 5))
        ;
    receive(&p, 0.2); /* the body of a small file */
    if (p.used > 12)
        sscanf((char *)p.in, "HTTP/1.1 %d", &status);
    if (body && p.used > 0)
        snprintf(body, size, "%.*s", (int)p.used, (char *)p.in);
    close(p.fd);
    free(p.in);
    return status;
}

/* --- what it sends ---------------------------------------------------------------------------- */

/* Masked, as the protocol wants it, with a mask of zeros. */
void page_raw(page *p, int opcode, const void *data, size_t n)
{
    uint8_t head[14] = {(uint8_t)(0x80 | opcode)};
    size_t used = n < 126 ? 2 : n < 65536 ? 4 : 10;
    head[1] = (uint8_t)(0x80 | (n < 126 ? n : n < 65536 ? 126 : 127));
    for (size_t i = 2; i < used; i++)
        head[i] = (uint8_t)((uint64_t)n >> 8 * (used - 1 - i));
    send(p->fd, head, used + 4, MSG_NOSIGNAL);
    for (size_t sent = 0; sent < n;) {
        ssize_t k = send(p->fd, (const char *)data + sent, n - sent, MSG_NOSIGNAL);
        if (k <= 0)
            return;
        sent += (size_t)k;
    }
}

void page_say(page *p, const char *line)
{
    page_raw(p, 1, line, strlen(line));
}

/* --- what it receives ------------------------------------------------------------------------- */

static void take_frame(page *p, const uint8_t *data, size_t n)
{
    char shown[32];
    size_t size;
    ss_err err = {0};
    const ss_stream_frame *before = &p->frame[p->at];
    ss_stream_frame *now = &p->frame[1 - p->at];
    uint8_t *message = ss_feed_inflate(data, n, &size);
    CHECK(message != NULL && size > 9);
    bool whole = !(message[5] | message[6] | message[7] | message[8]);
    int status = ss_message_read(message, size, whole ? NULL : before, now, &err);
    CHECK_MSG(status == SS_OK, "%s", err.text);
    free(message);
    p->at = 1 - p->at;
    p->frames++;
    snprintf(shown, sizeof shown, "shown %u", now->serial);
    page_say(p, shown);
}

static void take_text(page *p, const uint8_t *data, size_t n)
{
    size_t used = strlen(p->heard);
    if (used + n + 2 > sizeof p->heard)
        used = 0;
    if (n + 2 <= sizeof p->heard)
        snprintf(p->heard + used, sizeof p->heard - used, "%.*s\n", (int)n, (const char *)data);
}

/* A frame of the protocol that has arrived as a whole; false: none. */
static bool take_one(page *p)
{
    const uint8_t *d = p->in;
    size_t head = 2, n = p->used > 1 ? d[1] & 127 : 0;
    if (n >= 126)
        head = n == 126 ? 4 : 10;
    if (p->used < head)
        return false;
    if (head > 2)
        n = 0;
    for (size_t i = 2; i < head; i++)
        n = n << 8 | d[i];
    if (p->used < head + n)
        return false;
    if ((d[0] & 15) == 2)
        take_frame(p, d + head, n);
    if ((d[0] & 15) == 1)
        take_text(p, d + head, n);
    if ((d[0] & 15) == 8) {
        p->closed = true;
        p->code = n > 1 ? d[head] << 8 | d[head + 1] : 0;
        snprintf(p->farewell, sizeof p->farewell, "%.*s", n > 2 ? (int)n - 2 : 0, d + head + 2);
    }
    forget(p, head + n);
    return true;
}

/* Reads until `done`, at most so long. */
static bool read_until(page *p, bool (*done)(const page *, const void *), const void *ctx,
                       double seconds)
{
    double until = ss_clock() + seconds;
    while (!done(p, ctx)) {
        double left = until - ss_clock();
        if (!take_one(p) && (left <= 0 || !receive(p, left)))
            return done(p, ctx);
    }
    return true;
}

typedef struct wish {
    const char *text;
    bool yes;
} wish;

static bool is_shown(const page *p, const void *ctx)
{
    const wish *w = ctx;
    const ss_stream_frame *f = &p->frame[p->at];
    return p->frames > 0 && (memmem(f->data, f->used, w->text, strlen(w->text)) != NULL) == w->yes;
}

bool page_shows(page *p, const char *text, bool yes, double seconds)
{
    const wish w = {text, yes};
    return read_until(p, is_shown, &w, seconds);
}

static bool has_more(const page *p, const void *ctx)
{
    const int *frames = ctx;
    return p->frames > *frames;
}

bool page_frame(page *p, double seconds)
{
    int frames = p->frames;
    return read_until(p, has_more, &frames, seconds);
}

static bool has_heard(const page *p, const void *ctx)
{
    return strstr(p->heard, ctx) != NULL;
}

bool page_hears(page *p, const char *text, double seconds)
{
    bool yes = read_until(p, has_heard, text, seconds);
    p->heard[0] = '\0';
    return yes;
}

const char *page_text(page *p, const char *text, double seconds)
{
    return read_until(p, has_heard, text, seconds) ? strstr(p->heard, text) : NULL;
}

static bool is_closed(const page *p, const void *ctx)
{
    (void)ctx;
    return p->closed;
}

const char *page_farewell(page *p, double seconds)
{
    return read_until(p, is_closed, NULL, seconds) ? p->farewell : NULL;
}

int page_code(const page *p)
{
    return p->code;
}

bool page_has_size(const page *p, int w, int h)
{
    const ss_stream_frame *f = &p->frame[p->at];
    return p->frames > 0 && f->w == w && f->h == h;
}

int page_frames(const page *p)
{
    return p->frames;
}

#endif
