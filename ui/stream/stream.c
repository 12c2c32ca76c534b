/* Scenes drawn as parts of bytes, and the messages that send them. See stream.h. */
#include <stdlib.h>
#include <string.h>

#include "ui/pen/pen.h"
#include "ui/stream/stream.h"

/* --- frames ----------------------------------------------------------------------------------- */

struct ss_framer {
    ss_bytes_pen *bytes;
    ss_log_tables *logs;
    ss_places places;
};

ss_framer *ss_framer_new(ss_err *err)
{
    ss_framer *f = calloc(1, sizeof *f);
    if (f) {
        f->bytes = ss_bytes_pen_new(err);
        f->logs = ss_log_tables_new();
        ss_places_make(&f->places, 1);
    }
    if (f && f->bytes && f->logs)
        return f;
    ss_framer_free(f);
    ss_fail_outside(err, "out of memory: frames");
    return NULL;
}

void ss_framer_free(ss_framer *f)
{
    if (!f)
        return;
    ss_bytes_pen_free(f->bytes);
    ss_log_tables_free(f->logs);
    free(f);
}

void ss_framer_place(const ss_framer *f, double px, double py, double *x, double *y)
{
    ss_places_cell(&f->places, px, py, x, y);
}

/* --- frames ----------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* Four chains of products that do not wait for each other. */
uint64_t ss_frame_hash(const uint8_t *data, size_t n)
{
    enum { CHAINS = 4 };
    uint64_t h[CHAINS] = {n, 1, 2, 3}, v[CHAINS];
    for (; n >= sizeof v; n -= sizeof v, data += sizeof v) {
        memcpy(v, data, sizeof v);
        for (int i = 0; i < CHAINS; i++)
            h[i] = mix(h[i], v[i]);
    }
    for (; n > 0; n--, data++)
        h[0] = mix(h[0], *data);
    for (int i = 1; i < CHAINS; i++)
        h[0] = mix(h[0], h[i]);
    return h[0] ^ h[0] >> 32;
}

static bool make_room(ss_stream_frame *f, size_t bytes)
{
    if (f->data && f->used + bytes <= f->room)
        return true;
    size_t room = 2 * (f->used + bytes) + 4096;
    uint8_t *data = realloc(f->data, room);
    if (!data)
        return false;
    f->data = data, f->room = room;
    return true;
}

ss_chunk *ss_frame_add(ss_stream_frame *f)
{
    if (f->nparts == SS_CHUNK_MAX)
        return NULL;
    f->part[f->nparts] = (ss_chunk){.at = f->used};
    return &f->part[f->nparts++];
}

uint8_t *ss_frame_more(ss_stream_frame *f, size_t n)
{
    if (!make_room(f, n))
        return NULL;
    f->part[f->nparts - 1].n += n;
    f->used += n;
    return f->data + f->used - n;
}

void ss_frame_free(ss_stream_frame *f)
{
    free(f->data);
    *f = (ss_stream_frame){.data = NULL};
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Ends the part that began at byte `from` of the pen's stream. */
static void end_part(ss_framer *f, ss_stream_frame *out, size_t from)
{
    size_t levels, end;
    int cols, rows;
    ss_bytes_pen_data(f->bytes, &end);
    ss_chunk *p = &out->part[out->nparts++];
    *p = (ss_chunk){.at = from, .n = end - from};
    if (ss_bytes_pen_levels(f->bytes, &levels, &cols, &rows))
        p->levels = levels - from, p->cols = cols, p->rows = rows;
}

static void draw_parts(ss_framer *f, const ss_painter *p, int w, int h, ss_stream_frame *out)
{
    ss_draw_flow(p);
    ss_draw_role(p, SS_C_GROUND, 1);
    ss_draw_box(p, -f->places.ox, -f->places.oy, w, h);
    end_part(f, out, 0);
    for (int i = 0; i < p->scene->nitem; i++) {
        size_t from = ss_bytes_pen_part(f->bytes);
        ss_draw_item(p, i);
        end_part(f, out, from);
    }
    ss_draw_spots(p);
}

int ss_framer_draw(ss_framer *f, const ss_scene *scene, double scale, int w, int h,
                   ss_stream_frame *out, ss_err *err)
{
    ss_places_make(&f->places, scale);
    ss_places_centre(&f->places, scene, w, h);
    const ss_painter p = {ss_bytes_pen_begin(f->bytes, f->places.ox, f->places.oy), &f->places,
                          f->logs, scene};
    out->used = 0;
    out->nparts = 0;
    draw_parts(f, &p, w, h, out);
    size_t n;
    const uint8_t *data = ss_bytes_pen_data(f->bytes, &n);
    if (!data || !make_room(out, n)) {
        out->nparts = 0;
        return ss_fail_outside(err, "out of memory: a frame");
    }
    memcpy(out->data, data, n);
    out->used = n;
    out->w = w, out->h = h, out->pointer = scene->pointer;
    for (int i = 0; i < out->nparts; i++)
        out->part[i].hash = ss_frame_hash(data + out->part[i].at, out->part[i].n);
    return SS_OK;
}

/* --- messages --------------------------------------------------------------------------------- */

enum { SAME, PART, IMAGE };

void ss_message_free(ss_stream_message *m)
{
    free(m->data);
    *m = (ss_stream_message){.data = NULL};
}

/* --- writing ---------------------------------------------------------------------------------- */

typedef struct writer {
    ss_stream_message *m;
    const ss_stream_frame *before, *now;
    int next; /* the part of the frame before that the next one is compared with */
    bool failed;
} writer;

static uint8_t *more(writer *w, size_t n)
{
    ss_stream_message *m = w->m;
    if (!m->data || m->used + n > m->room) {
        size_t room = 2 * (m->used + n) + 4096;
        uint8_t *data = realloc(m->data, room);
        w->failed = w->failed || !data;
        if (!data)
            return NULL;
        m->data = data, m->room = room;
    }
    m->used += n;
    return m->data + m->used - n;
}

/* `bytes` bytes of v. */
static void put(writer *w, uint32_t v, int bytes)
{
    uint8_t *to = more(w, (size_t)bytes);
    for (int i = 0; to && i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static void put_bytes(writer *w, const uint8_t *data, size_t n)
{
    put(w, (uint32_t)n, 4);
    uint8_t *to = more(w, n);
    if (to && n > 0)
        memcpy(to, data, n);
}

static const ss_chunk *part_before(const writer *w, int i)
{
    return w->before && i < w->before->nparts ? &w->before->part[i] : NULL;
}

static bool equal(const writer *w, const ss_chunk *a, const ss_chunk *b)
{
    return a && b && a->n == b->n && a->hash == b->hash &&
           (a->n == 0 || memcmp(w->before->data + a->at, w->now->data + b->at, a->n) == 0);
}

/* The part of the frame before that equals part i, from w->next on, then from the start; -1: none.
 */
static int find_equal(const writer *w, int i)
{
    int n = w->before ? w->before->nparts : 0;
    for (int k = 0; k < n; k++) {
        int at = (w->next + k) % n;
        if (equal(w, &w->before->part[at], &w->now->part[i]))
            return at;
    }
    return -1;
}

/* As many parts as are equal one after another. Returns their number. */
static int put_same(writer *w, int i, int at)
{
    int n = 1;
    while (i + n < w->now->nparts && equal(w, part_before(w, at + n), &w->now->part[i + n]))
        n++;
    put(w, SAME, 1);
    put(w, (uint32_t)at, 2);
    put(w, (uint32_t)n, 2);
    w->next = at + n;
    return n;
}

/* The first n bytes of a part. */
static void put_text(writer *w, const ss_chunk *p, size_t n)
{
    const ss_chunk *b = part_before(w, w->next);
    const uint8_t *to = w->now->data + p->at, *from = b ? w->before->data + b->at : NULL;
    size_t kept = 0;
    while (b && kept < n && kept < b->n && from[kept] == to[kept])
        kept++;
    put(w, (uint32_t)(b ? w->next : 0), 2);
    put(w, (uint32_t)kept, 4);
    put_bytes(w, to + kept, n - kept);
}

/* Each cell as its difference from the cell to its left. */
static void put_levels(writer *w, const ss_chunk *p)
{
    const uint8_t *level = w->now->data + p->at + p->levels;
    size_t cols = (size_t)p->cols, n = cols * (size_t)p->rows;
    put(w, (uint32_t)p->cols, 2);
    put(w, (uint32_t)p->rows, 2);
    uint8_t *to = more(w, n);
    for (size_t i = 0; to && i < n; i++)
        to[i] = (uint8_t)(level[i] - (i % cols > 0 ? level[i - 1] : 0));
}

static void put_part(writer *w, const ss_chunk *p)
{
    bool image = p->cols > 0;
    put(w, image ? IMAGE : PART, 1);
    put_text(w, p, image ? p->levels : p->n);
    if (image) {
        size_t end = p->levels + (size_t)p->cols * (size_t)p->rows;
        put_levels(w, p);
        put_bytes(w, w->now->data + p->at + end, p->n - end);
    }
    w->next++;
}

static void put_head(writer *w)
{
    put(w, SS_MESSAGE_VERSION, 1);
    put(w, w->now->serial, 4);
    put(w, w->before ? w->before->serial : 0, 4);
    put(w, (uint32_t)w->now->w, 2);
    put(w, (uint32_t)w->now->h, 2);
    put(w, w->now->pointer, 1);
    put(w, (uint32_t)w->now->nparts, 2);
}

int ss_message_write(ss_stream_message *m, const ss_stream_frame *before,
                     const ss_stream_frame *now, ss_err *err)
{
    writer w = {.m = m, .before = before, .now = now};
    m->used = 0;
    put_head(&w);
    for (int i = 0; i < now->nparts && !w.failed;) {
        int at = find_equal(&w, i);
        if (at >= 0) {
            i += put_same(&w, i, at);
        } else {
            put_part(&w, &now->part[i]);
            i++;
        }
    }
    return w.failed ? ss_fail_outside(err, "out of memory: a message") : SS_OK;
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct reader {
    const uint8_t *at, *end;
    const ss_stream_frame *before;
    ss_stream_frame *out;
    bool bad;
} reader;

static bool has(reader *r, size_t n)
{
    r->bad = r->bad || (size_t)(r->end - r->at) < n;
    return !r->bad;
}

static uint32_t take(reader *r, int bytes)
{
    uint32_t v = 0;
    for (int i = 0; i < bytes && has(r, 1); i++)
        v |= (uint32_t)*r->at++ << 8 * i;
    return r->bad ? 0 : v;
}

/* So many bytes of the message; NULL: it has fewer. */
static const uint8_t *take_bytes(reader *r, size_t n)
{
    if (!has(r, n))
        return NULL;
    r->at += n;
    return r->at - n;
}

static const ss_chunk *take_before(reader *r)
{
    uint32_t i = take(r, 2);
    return r->before && i < (uint32_t)r->before->nparts ? &r->before->part[i] : NULL;
}

/* n more bytes of the newest part; NULL: too many, or out of memory. */
static uint8_t *more_of_part(reader *r, size_t n)
{
    uint8_t *to = n <= SS_MESSAGE_MOST - r->out->used ? ss_frame_more(r->out, n) : NULL;
    r->bad = r->bad || !to;
    return to;
}

static void append(reader *r, const uint8_t *data, size_t n)
{
    uint8_t *to = more_of_part(r, n);
    if (to && n > 0)
        memcpy(to, data, n);
}

static ss_chunk *add_part(reader *r)
{
    ss_chunk *p = ss_frame_add(r->out);
    r->bad = r->bad || !p;
    return p;
}

static void read_same(reader *r, uint32_t left)
{
    const ss_chunk *b = take_before(r);
    uint32_t n = take(r, 2);
    r->bad = r->bad || !b || n < 1 || n > left ||
             n > (uint32_t)(r->before->nparts - (b - r->before->part));
    for (uint32_t i = 0; i < n && !r->bad; i++, b++) {
        ss_chunk *p = add_part(r);
        if (!p)
            return;
        append(r, r->before->data + b->at, b->n);
        p->levels = b->levels, p->cols = b->cols, p->rows = b->rows;
        p->hash = b->hash;
    }
}

/* The beginning of the newest part. */
static void read_text(reader *r)
{
    const ss_chunk *b = take_before(r);
    uint32_t kept = take(r, 4), n = take(r, 4);
    const uint8_t *fresh = take_bytes(r, n);
    r->bad = r->bad || kept > (b ? b->n : 0);
    if (!r->bad && kept > 0)
        append(r, r->before->data + b->at, kept);
    if (!r->bad)
        append(r, fresh, n);
}

static void read_levels(reader *r, ss_chunk *p)
{
    size_t cols = take(r, 2), rows = take(r, 2), n = cols * rows;
    const uint8_t *difference = take_bytes(r, n);
    r->bad = r->bad || n < 1;
    p->levels = p->n, p->cols = (int)cols, p->rows = (int)rows;
    uint8_t *to = r->bad ? NULL : more_of_part(r, n);
    for (size_t i = 0; to && i < n; i++)
        to[i] = (uint8_t)(difference[i] + (i % cols > 0 ? to[i - 1] : 0));
}

static void read_part(reader *r, bool image)
{
    ss_chunk *p = add_part(r);
    if (!p)
        return;
    read_text(r);
    if (image && !r->bad) {
        read_levels(r, p);
        uint32_t n = take(r, 4);
        const uint8_t *rest = take_bytes(r, n);
        if (!r->bad)
            append(r, rest, n);
    }
    if (!r->bad)
        p->hash = ss_frame_hash(r->out->data + p->at, p->n);
}

static void read_parts(reader *r, uint32_t n)
{
    while (!r->bad && (uint32_t)r->out->nparts < n) {
        uint32_t kind = take(r, 1);
        if (kind == SAME)
            read_same(r, n - (uint32_t)r->out->nparts);
        else if (kind == PART || kind == IMAGE)
            read_part(r, kind == IMAGE);
        else
            r->bad = true;
    }
}

int ss_message_read(const uint8_t *data, size_t n, const ss_stream_frame *before,
                    ss_stream_frame *out, ss_err *err)
{
    reader r = {.at = data, .end = data + n, .before = before, .out = out};
    uint32_t version = take(&r, 1), serial = take(&r, 4), from = take(&r, 4);
    out->used = 0;
    out->nparts = 0;
    if (r.bad || version != SS_MESSAGE_VERSION)
        return ss_fail(err, "a message of a frame has another version than %d", SS_MESSAGE_VERSION);
    if (from != (before ? before->serial : 0))
        return ss_fail(err, "a message needs frame %u, not %u", from, before ? before->serial : 0);
    out->serial = serial;
    out->w = (int)take(&r, 2), out->h = (int)take(&r, 2);
    uint32_t pointer = take(&r, 1), parts = take(&r, 2);
    r.bad = r.bad || pointer >= SS_NPOINT || parts > SS_CHUNK_MAX;
    out->pointer = r.bad ? SS_POINT_ARROW : (ss_pointer)pointer;
    read_parts(&r, parts);
    if (!r.bad && r.at == r.end)
        return SS_OK;
    out->nparts = 0;
    return ss_fail(err, "byte %zu of a message: it is incomplete or not allowed",
                   (size_t)(r.at - data));
}
