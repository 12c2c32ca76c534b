/* Frames, their messages, and deflate; texts to a page, tickets, frames to draw into again; shapes.
 * See web.h, parts.h. */
#include "ui/web/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <zlib.h>

enum { KEPT = 4, LEVEL = 6, RAW = -15 /* deflate without a header */ };

struct ss_feed {
    ss_stream_frame *frame[KEPT]; /* the newest first; NULL: none yet */
    ss_packet packet[KEPT];       /* from frame[i], from nothing for i = 0 */
    bool made[KEPT];              /* of the newest frame */
    ss_stream_message message;
    z_stream z;
    bool zipping;
};

/* --- deflate ---------------------------------------------------------------------------------- */

static bool make_room(ss_packet *p, size_t n)
{
    if (p->data && n <= p->room)
        return true;
    uint8_t *data = realloc(p->data, n);
    if (data)
        p->data = data, p->room = n;
    return data != NULL;
}

/* Level 6, but chains of matches are followed half as far: two thirds of the time for a few per
 * cent more bytes. */
static bool restart(ss_feed *f)
{
    enum { GOOD = 8, LAZY = 16, NICE = 128, CHAIN = 64 };
    return deflateReset(&f->z) == Z_OK && deflateTune(&f->z, GOOD, LAZY, NICE, CHAIN) == Z_OK;
}

/* --- life ------------------------------------------------------------------------------------- */

ss_feed *ss_feed_new(ss_err *err)
{
    ss_feed *f = calloc(1, sizeof *f);
    if (f)
        f->zipping = deflateInit2(&f->z, LEVEL, Z_DEFLATED, RAW, 9, Z_DEFAULT_STRATEGY) == Z_OK;
    if (f && f->zipping)
        return f;
    ss_feed_free(f);
    ss_fail_outside(err, "out of memory: frames for pages");
    return NULL;
}

void ss_feed_free(ss_feed *f)
{
    if (!f)
        return;
    for (int i = 0; i < KEPT; i++) {
        if (f->frame[i])
            ss_frame_free(f->frame[i]);
        free(f->frame[i]);
        free(f->packet[i].data);
    }
    ss_message_free(&f->message);
    if (f->zipping)
        deflateEnd(&f->z);
    free(f);
}

ss_stream_frame *ss_feed_push(ss_feed *f, ss_stream_frame *frame)
{
    ss_stream_frame *oldest = f->frame[KEPT - 1];
    memmove(f->frame + 1, f->frame, (KEPT - 1) * sizeof *f->frame);
    f->frame[0] = frame;
    memset(f->made, 0, sizeof f->made);
    return oldest;
}

uint32_t ss_feed_serial(const ss_feed *f)
{
    return f->frame[0] ? f->frame[0]->serial : 0;
}

/* --- packets ---------------------------------------------------------------------------------- */

static bool zip(ss_feed *f, ss_packet *p)
{
    size_t most = deflateBound(&f->z, f->message.used);
    if (!make_room(p, SS_FEED_HEAD + most) || !restart(f))
        return false;
    f->z.next_in = f->message.data, f->z.avail_in = (unsigned)f->message.used;
    f->z.next_out = p->data + SS_FEED_HEAD, f->z.avail_out = (unsigned)most;
    bool whole = deflate(&f->z, Z_FINISH) == Z_STREAM_END;
    p->n = most - f->z.avail_out;
    return whole;
}

/* The kept frame of that serial that is not the newest; 0: none, the message is of nothing. */
static int find(const ss_feed *f, uint32_t serial)
{
    for (int i = 1; i < KEPT && serial > 0; i++)
        if (f->frame[i] && f->frame[i]->serial == serial)
            return i;
    return 0;
}

const ss_packet *ss_feed_packet(ss_feed *f, uint32_t have)
{
    int i = find(f, have);
    ss_err ignored;
    if (f->made[i])
        return &f->packet[i];
    if (!f->frame[0] ||
        ss_message_write(&f->message, i > 0 ? f->frame[i] : NULL, f->frame[0], &ignored) != SS_OK)
        return NULL;
    f->made[i] = zip(f, &f->packet[i]);
    return f->made[i] ? &f->packet[i] : NULL;
}

uint8_t *ss_feed_inflate(const uint8_t *data, size_t n, size_t *size)
{
    z_stream z = {.next_in = (uint8_t *)(uintptr_t)data, .avail_in = (unsigned)n};
    size_t room = 1 << 16, used = 0;
    uint8_t *out = malloc(room);
    int status = inflateInit2(&z, RAW);
    bool begun = status == Z_OK;
    while (out && status == Z_OK) {
        if (used == room) {
            uint8_t *larger = room < SS_MESSAGE_MOST ? realloc(out, 2 * room) : NULL;
            if (!larger)
                break;
            out = larger, room *= 2;
        }
        z.next_out = out + used, z.avail_out = (unsigned)(room - used);
        status = inflate(&z, Z_NO_FLUSH);
        used = room - z.avail_out;
    }
    if (begun)
        inflateEnd(&z);
    *size = used;
    if (status == Z_STREAM_END)
        return out;
    free(out);
    return NULL;
}

/* --- shapes ----------------------------------------------------------------------------------- */

const ss_shape_size ss_shapes[SS_NSHAPE] = {[SS_SHAPE_DESKTOP] = {1280, 800},
                                            [SS_SHAPE_UPRIGHT] = {390, 740},
                                            [SS_SHAPE_FLAT] = {800, 300}};

ss_shape ss_shape_of(int w, int h)
{
    enum { LOW = 560 };
    return w == 0     ? SS_SHAPE_PILOT
           : h > w    ? SS_SHAPE_UPRIGHT
           : h >= LOW ? SS_SHAPE_DESKTOP
                      : SS_SHAPE_FLAT;
}

/* --- what other files send with --------------------------------------------------------------- */

int ss_web_send_text(ss_web_page *p, const char *text)
{
    size_t n = strlen(text);
    unsigned char *buf = malloc(LWS_PRE + n + 1);
    if (!buf)
        return -1;
    memcpy(buf + LWS_PRE, text, n + 1);
    int sent = lws_write(p->wsi, buf + LWS_PRE, n, LWS_WRITE_TEXT);
    free(buf);
    return sent < (int)n ? -1 : 0;
}

int ss_web_ticket(char ticket[SS_WEB_TOKEN + 1], ss_err *err)
{
    unsigned char byte[SS_WEB_TOKEN / 2];
    if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte)
        return ss_fail_outside(err, "the system has no random numbers for a token");
    for (size_t i = 0; i < sizeof byte; i++)
        snprintf(ticket + 2 * i, 3, "%02x", byte[i]);
    return SS_OK;
}

void ss_web_reuse(ss_web *web, ss_stream_frame *frame)
{
    pthread_mutex_lock(&web->lock);
    if (frame && web->nspare < SS_WEB_SPARE)
        web->spare[web->nspare++] = frame, frame = NULL;
    pthread_mutex_unlock(&web->lock);
    if (frame)
        ss_frame_free(frame);
    free(frame);
}
