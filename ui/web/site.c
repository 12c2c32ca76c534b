/* The page's files, which are compiled into the program, over HTTP, and files that the run has
 * written, for the pilot to download: the browser may be on another machine. See parts.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/text.h"
#include "src/base/file.h"
#include "ui/web/lines.h"
#include "ui/web/parts.h"

/* --- files of the run ------------------------------------------------------------------------- */

/* Those of the program itself: progress in lessons, what it has measured. */
static bool is_own(const char *path)
{
    char state[PATH_MAX], real[PATH_MAX];
    size_t n = ss_state_path("", state, sizeof state, NULL) == SS_OK && realpath(state, real)
                   ? strlen(real)
                   : 0;
    return n > 0 && strncmp(path, real, n) == 0 && path[n] == '/';
}

void ss_web_wrote(const char *path, void *ctx)
{
    ss_web *web = ctx;
    char full[PATH_MAX];
    ss_err ignored;
    ss_web_file file;
    if (!realpath(path, full) || is_own(full) || ss_web_ticket(file.ticket, &ignored) != SS_OK)
        return;
    snprintf(file.path, sizeof file.path, "%s", full);
    pthread_mutex_lock(&web->lock);
    web->file[web->nfile++ % SS_WEB_FILES] = file;
    pthread_mutex_unlock(&web->lock);
    lws_cancel_service(web->context);
}

static int count(ss_web *web)
{
    pthread_mutex_lock(&web->lock);
    int n = web->nfile;
    pthread_mutex_unlock(&web->lock);
    return n;
}

bool ss_files_have_more(ss_web *web, const ss_web_page *p)
{
    return p->may_steer && p->files < count(web);
}

int ss_files_send(ss_web *web, ss_web_page *p)
{
    char text[sizeof web->file[0].path + 64];
    pthread_mutex_lock(&web->lock);
    if (p->files < web->nfile - SS_WEB_FILES)
        p->files = web->nfile - SS_WEB_FILES;
    const ss_web_file *f = &web->file[p->files++ % SS_WEB_FILES];
    snprintf(text, sizeof text, "file %s %s", f->ticket, f->path);
    pthread_mutex_unlock(&web->lock);
    return ss_web_send_text(p, ss_text_safe(text));
}

/* A ticket is compared as the token is. */
FILE *ss_files_open(ss_web *web, const char *ticket, size_t *size)
{
    struct stat st;
    FILE *f = NULL;
    pthread_mutex_lock(&web->lock);
    for (int i = 0; i < SS_WEB_FILES && i < web->nfile && !f; i++)
        if (ss_web_token_equal(ticket, web->file[i].ticket))
            f = fopen(web->file[i].path, "rbe");
    pthread_mutex_unlock(&web->lock);
    if (f && (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode))) {
        fclose(f);
        f = NULL;
    }
    *size = f ? (size_t)st.st_size : 0;
    return f;
}

/* --- over HTTP -------------------------------------------------------------------------------- */

enum { CHUNK = 16384 };
#define HOSTS                                                                                      \
    "the page that steers is served to 127.0.0.1 and localhost only; --watch-port serves other "   \
    "names"

static ss_web *web_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static const struct {
    const char *end, *type;
} types[] = {{".html", "text/html; charset=utf-8"},
             {".js", "text/javascript; charset=utf-8"},
             {".svg", "image/svg+xml"},
             {".css", "text/css; charset=utf-8"},
             {".woff2", "font/woff2"}};

/* Nothing of other sites in the page, and the page in none of theirs. */
static const struct {
    const char *name, *value;
} headers[] = {{"content-security-policy:",
                "default-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"},
               {"cross-origin-opener-policy:", "same-origin"},
               {"cross-origin-embedder-policy:", "require-corp"},
               {"cross-origin-resource-policy:", "same-origin"},
               {"x-content-type-options:", "nosniff"},
               {"referrer-policy:", "no-referrer"},
               {"cache-control:", "no-cache"}};

bool ss_web_admits(struct lws *wsi)
{
    char host[256] = "", origin[256] = "";
    if (lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) < 0 ||
        lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) < 0)
        return false;                                        /* too long */
    bool watches = lws_get_vhost(wsi) != web_of(wsi)->pilot; /* it has no token to protect */
    return (watches || ss_web_host_allowed(host)) && ss_web_origin_allowed(origin, host);
}

/* On the terminal, once: whoever asks may do so again and again. */
static void tell_host(struct lws *wsi)
{
    char host[64] = "";
    ss_web *web = web_of(wsi);
    lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST);
    if (!web->told_host)
        fprintf(stderr, "stencilscope: a request for the host '%s' was refused: " HOSTS "\n",
                ss_text_safe(host));
    web->told_host = true;
}

static int refuse(struct lws *wsi)
{
    bool known = ss_web_admits(wsi);
    if (!known)
        tell_host(wsi);
    unsigned status = known ? HTTP_STATUS_NOT_FOUND : HTTP_STATUS_FORBIDDEN;
    return lws_return_http_status(wsi, status, known ? NULL : "<p>" HOSTS "</p>") ||
           lws_http_transaction_completed(wsi);
}

static const struct ss_embed *file_of(const char *uri)
{
    char name[64];
    snprintf(name, sizeof name, "web/%s", strcmp(uri, "/") == 0 ? "index.html" : uri + 1);
    for (const struct ss_embed *e = ss_embed; e->name; e++) {
        const char *at = strstr(e->name, "web/");
        if (at && strcmp(at, name) == 0)
            return e;
    }
    return NULL;
}

static const char *type_of(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t n = strlen(name), end = strlen(types[i].end);
        if (n >= end && strcmp(name + n - end, types[i].end) == 0)
            return types[i].type;
    }
    return "application/octet-stream";
}

static int add_headers(struct lws *wsi, unsigned char **p, unsigned char *end)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (lws_add_http_header_by_name(wsi, (const unsigned char *)headers[i].name,
                                        (const unsigned char *)headers[i].value,
                                        (int)strlen(headers[i].value), p, end))
            return 1;
    return 0;
}

/* A file of the page, or one that the pilot downloads; *type: what it is. False: there is none. */
static bool find(struct lws *wsi, const char *uri, ss_download *d, const char **type)
{
    static const char download[] = "/file/";
    ss_web *web = web_of(wsi);
    const struct ss_embed *e = ss_web_admits(wsi) ? file_of(uri) : NULL;
    *d = (ss_download){.data = NULL};
    if (e) {
        *d = (ss_download){.data = e->data, .n = e->size};
        *type = type_of(e->name);
    } else if (ss_web_admits(wsi) && lws_get_vhost(wsi) == web->pilot &&
               strncmp(uri, download, sizeof download - 1) == 0) {
        d->from = ss_files_open(web, uri + sizeof download - 1, &d->n);
        *type = "application/octet-stream";
    }
    return d->data || d->from;
}

static int begin(struct lws *wsi, ss_download *d, const char *uri)
{
    unsigned char buf[LWS_PRE + 2048], *start = buf + LWS_PRE, *p = start;
    unsigned char *end = buf + sizeof buf - 1;
    const char *type = NULL;
    if (!find(wsi, uri, d, &type))
        return refuse(wsi);
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, type, d->n, &p, end) ||
        add_headers(wsi, &p, end) || lws_finalize_write_http_header(wsi, start, &p, end))
        return 1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int go_on(struct lws *wsi, ss_download *d)
{
    unsigned char buf[LWS_PRE + CHUNK];
    size_t n = d->n - d->at < CHUNK ? d->n - d->at : CHUNK;
    bool last = d->at + n == d->n;
    if (!d->data && !d->from)
        return 0;
    if (d->data)
        memcpy(buf + LWS_PRE, d->data + d->at, n);
    else if (fread(buf + LWS_PRE, 1, n, d->from) != n)
        return 1; /* it is shorter now */
    d->at += n;
    if (lws_write(wsi, buf + LWS_PRE, n, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)n)
        return 1;
    if (last)
        return lws_http_transaction_completed(wsi) ? -1 : 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static void drop(ss_download *d)
{
    if (d && d->from)
        fclose(d->from);
    if (d)
        d->from = NULL;
}

/* --- connections that are no pages ------------------------------------------------------------ */

void ss_web_request_ends(ss_web *web, const struct lws *wsi)
{
    int i = 0;
    while (i < web->nrequest && web->request[i] != wsi)
        i++;
    if (i < web->nrequest)
        memmove(web->request + i, web->request + i + 1,
                (size_t)(--web->nrequest - i) * sizeof *web->request);
}

/* Many that ask nothing leave descriptors for the pilot, and room for those who come later: the
 * oldest goes. */
static void request_begins(ss_web *web, struct lws *wsi)
{
    if (lws_get_vhost(wsi) != web->watch)
        return;
    if (web->nrequest == SS_WEB_REQUESTS) {
        struct lws *oldest = web->request[0];
        ss_web_request_ends(web, oldest);
        lws_set_timeout(oldest, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    }
    web->request[web->nrequest++] = wsi;
}

int ss_web_on_request(struct lws *wsi, enum lws_callback_reasons why, void *download, void *in,
                      size_t n)
{
    if (why == LWS_CALLBACK_WSI_CREATE)
        request_begins(web_of(wsi), wsi);
    if (why == LWS_CALLBACK_WSI_DESTROY)
        ss_web_request_ends(web_of(wsi), wsi);
    if (why == LWS_CALLBACK_HTTP_DROP_PROTOCOL)
        drop(download);
    if (why == LWS_CALLBACK_HTTP)
        return begin(wsi, download, in);
    if (why == LWS_CALLBACK_HTTP_WRITEABLE)
        return go_on(wsi, download);
    if (why == LWS_CALLBACK_HTTP_BODY) /* nothing is uploaded */
        return -1;
    return lws_callback_http_dummy(wsi, why, download, in, n);
}
