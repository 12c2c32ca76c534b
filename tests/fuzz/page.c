/* Fuzz target: what a page sends, by the first byte: a line of text, or the message of a frame,
 * which tools and tests read. A frame that is read is written and read again as it was. */
#include <stdlib.h>
#include <string.h>

#include "ui/stream/stream.h"
#ifdef SS_WITH_WEB
#include "ui/web/lines.h"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_line(const char *text, size_t n)
{
#ifdef SS_WITH_WEB
    ss_web_line line;
    ss_err err;
    char host[300];
    ss_web_parse(text, n, &line, &err);
    if (n >= sizeof host)
        return;
    memcpy(host, text, n);
    host[n] = '\0';
    ss_web_origin_allowed(host, ss_web_host_allowed(host) ? host : "localhost");
    ss_web_token_equal(host, "0123456789abcdef");
#else
    (void)text, (void)n;
#endif
}

/* The frame before: three parts, the second with an image of 5 x 4 cells. */
static void make_before(ss_stream_frame *f)
{
    static const size_t bytes[] = {12, 30, 7};
    f->serial = 1;
    for (int i = 0; i < 3; i++) {
        ss_chunk *p = ss_frame_add(f);
        uint8_t *to = ss_frame_more(f, bytes[i]);
        if (!p || !to)
            abort();
        memset(to, 'a' + i, bytes[i]);
        p->hash = ss_frame_hash(to, bytes[i]);
    }
    f->part[1].levels = 6, f->part[1].cols = 5, f->part[1].rows = 4;
}

static void read_message(const uint8_t *data, size_t n)
{
    static ss_stream_frame before, got, again;
    static ss_stream_message m;
    ss_err err;
    if (!before.serial)
        make_before(&before);
    const ss_stream_frame *base = n > 5 && data[5] ? &before : NULL;
    if (ss_message_read(data, n, base, &got, &err) != SS_OK)
        return;
    if (ss_message_write(&m, &before, &got, &err) != SS_OK ||
        ss_message_read(m.data, m.used, &before, &again, &err) != SS_OK || again.used != got.used ||
        (got.used > 0 && memcmp(again.data, got.data, got.used) != 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] & 1)
        read_message(data + 1, size - 1);
    else if (size > 0)
        read_line((const char *)data + 1, size - 1);
    return 0;
}
