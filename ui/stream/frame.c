/* Scenes drawn as parts of bytes: see frame.h. */
#include "ui/stream/frame.h"

#include <stdlib.h>
#include <string.h>

#include "ui/pen/pen.h"

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

int ss_frame_copy(ss_stream_frame *to, const ss_stream_frame *from, ss_err *err)
{
    to->used = 0;
    to->nparts = 0;
    if (!make_room(to, from->used))
        return ss_fail_outside(err, "out of memory: a frame of %zu bytes", from->used);
    memcpy(to->data, from->data, from->used);
    memcpy(to->part, from->part, (size_t)from->nparts * sizeof *to->part);
    to->serial = from->serial, to->w = from->w, to->h = from->h, to->pointer = from->pointer;
    to->used = from->used, to->nparts = from->nparts;
    return SS_OK;
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
