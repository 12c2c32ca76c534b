/*
 * Where the points of a part lie, in memory or on a device, boxes of points, and exchanges between
 * ranks: which points go where, their buffers, the messages. See inner.h.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/simd/machine.h"
#include "kernels/part/inner.h"

/* --- boxes of points -------------------------------------------------------------------------- */

ss_part_box ss_box_meet(ss_part_box a, ss_part_box b)
{
    return (ss_part_box){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                         a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

bool ss_box_empty(ss_part_box a)
{
    return a.x0 >= a.x1 || a.y0 >= a.y1;
}

ss_part_box ss_box_grow(ss_part_box a, int x, int y)
{
    return (ss_part_box){a.x0 - x, a.y0 - y, a.x1 + x, a.y1 + y};
}

/* The smallest box that contains both; an empty box counts as nothing. */
static ss_part_box hull(ss_part_box a, ss_part_box b)
{
    if (ss_box_empty(a))
        return b;
    if (ss_box_empty(b))
        return a;
    return (ss_part_box){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                         a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

ss_part_box ss_box_domain(const ss_problem *p)
{
    return (ss_part_box){0, 0, p->nx, p->ny};
}

/* --- points in memory or on the device -------------------------------------------------------- */

static int allocate_in_memory(ss_part_run *part, ss_err *err)
{
    bool steady = part->run->eq->kind == SS_STEADY;
    int fields = steady ? SS_PART_FIELDS : 2;
    size_t width = 32768 / ss_prec_size(part->run->prec); /* of a strip: see sweep.c */
    size_t sums = ((size_t)part->box.nx / width + 5) * ((size_t)part->box.ny + 5);
    part->stream = 3 * part->bytes > ss_memory_cache();
    for (int i = 0; i < fields; i++)
        if (!(part->array[i] = ss_alloc(part->bytes, "the field", err)))
            return SS_FAIL;
    if (part->run->eq->rhs &&
        !(part->array[SS_PART_RIGHT] = ss_alloc(part->bytes, "the right-hand side", err)))
        return SS_FAIL;
    if (steady && !(part->sum = ss_alloc(sums * sizeof *part->sum, "sums of the rows", err)))
        return SS_FAIL;
    return SS_OK;
}

ss_part_box ss_part_stored(const ss_part_run *part)
{
    return ss_box_meet(part->stored, ss_box_domain(&part->run->problem));
}

int ss_part_allocate(ss_part_run *part, ss_err *err)
{
    bool ring = part->run->eq->bc == SS_BC_PERIODIC;
    ss_part_box stored = ring ? part->stored : ss_part_stored(part);
    part->bytes = part->box.count * ss_prec_size(part->run->prec) * (size_t)part->run->eq->nfield;
    part->device = part->setup.schedule->device ? part->setup.device : NULL;
    if (part->device)
        return part->device->open(part->run, &stored, part->setup.which, &part->on_device, err);
    return allocate_in_memory(part, err);
}

void ss_part_free(ss_part_run *part)
{
    for (int i = 0; i < SS_PART_ARRAYS; i++) {
        free(part->array[i]);
        free(part->seen[i]);
    }
    free(part->sum);
    free(part->frozen);
    if (part->on_device)
        part->device->close(part->on_device);
}

bool ss_part_failed(const ss_part_run *part)
{
    return part->failed;
}

/* Remembers that a call of the device has failed. */
static int checked(ss_part_run *part, int status)
{
    part->failed |= status != SS_OK;
    return status;
}

int ss_part_copy(ss_part_run *part, int array, int field, const ss_part_box *box, char *data,
                 ptrdiff_t pitch, bool up, ss_err *err)
{
    size_t row = (size_t)(box->x1 - box->x0) * ss_prec_size(part->run->prec);
    if (part->device)
        return checked(
            part, part->device->copy(part->on_device, array, field, box, data, pitch, up, err));
    for (int y = box->y0; y < box->y1; y++, data += pitch) {
        char *at = part->array[array] + ss_part_offset(part, field, box->x0, y);
        memcpy(up ? at : data, up ? data : at, row);
    }
    return SS_OK;
}

int ss_part_copied(ss_part_run *part, ss_err *err)
{
    return part->device ? checked(part, part->device->copied(part->on_device, err)) : SS_OK;
}

int ss_part_settle(ss_part_run *part, ss_err *err)
{
    double ignored;
    return part->device ? checked(part, part->device->finish(part->on_device, &ignored, err))
                        : SS_OK;
}

const char *ss_part_look(ss_part_run *part, int array, int y0, int y1, ss_err *err)
{
    ss_part_box box = ss_part_stored(part);
    char **seen = &part->seen[array == SS_PART_RIGHT ? SS_PART_RIGHT : 0];
    if (!part->device)
        return part->array[array];
    if (!*seen && !(*seen = ss_alloc(part->bytes, "a copy of the device's rows", err)))
        return NULL;
    box.y0 = y0;
    box.y1 = y1;
    ptrdiff_t pitch = part->box.sy * (ptrdiff_t)ss_prec_size(part->run->prec);
    for (int f = 0; f < part->run->eq->nfield; f++) {
        char *at = *seen + ss_part_offset(part, f, box.x0, box.y0);
        if (ss_part_copy(part, array, f, &box, at, pitch, false, err) != SS_OK)
            return NULL;
    }
    return ss_part_copied(part, err) == SS_OK ? *seen : NULL;
}

/* --- buffers ---------------------------------------------------------------------------------- */

#define PAGE 4096 /* bytes: messages have pages of their own, because whole pages are pinned */

static char *first_page(const ss_exchange *x)
{
    uintptr_t at = (uintptr_t)x->buffer;
    return x->buffer + (PAGE - at % PAGE) % PAGE;
}

static void pin(const ss_part_run *part, const ss_exchange *x, bool on)
{
    if (x->buffer && part->on_device && part->device->pin)
        part->device->pin(part->on_device, first_page(x), x->bytes, on);
}

void ss_exchange_free(const ss_part_run *part, ss_exchange *x)
{
    pin(part, x, false);
    free(x->send);
    free(x->receive);
    free(x->buffer);
    free(x->out);
    free(x->in);
    memset(x, 0, sizeof *x);
}

int ss_exchange_make(ss_exchange *x, int n, int arrays, ss_err *err)
{
    size_t count = n > 0 ? (size_t)n : 1;
    *x = (ss_exchange){.arrays = arrays};
    x->send = ss_alloc(count * sizeof *x->send, "messages", err);
    x->receive = x->send ? ss_alloc(count * sizeof *x->receive, "messages", err) : NULL;
    x->out = x->receive ? ss_alloc(count * sizeof *x->out, "messages", err) : NULL;
    x->in = x->out ? ss_alloc(count * sizeof *x->in, "messages", err) : NULL;
    return x->in ? SS_OK : SS_FAIL;
}

static size_t bytes_of(const ss_part_run *part, const ss_exchange *x, const ss_part_box *b)
{
    size_t points = (size_t)(b->x1 - b->x0) * (size_t)(b->y1 - b->y0);
    return points * (size_t)(part->run->eq->nfield * x->arrays) * ss_prec_size(part->run->prec);
}

int ss_exchange_buffers(const ss_part_run *part, ss_exchange *x, ss_err *err)
{
    size_t total = 0;
    for (int i = 0; i < x->nsend; i++)
        total += bytes_of(part, x, &x->send[i].box);
    for (int i = 0; i < x->nreceive; i++)
        total += bytes_of(part, x, &x->receive[i].box);
    x->bytes = (total / PAGE + 1) * PAGE;
    x->buffer = ss_alloc(x->bytes + PAGE, "message buffers", err);
    if (!x->buffer)
        return SS_FAIL;
    pin(part, x, true);
    char *at = first_page(x);
    for (int i = 0; i < x->nsend; at += x->out[i++].bytes)
        x->out[i] =
            (ss_message){x->send[i].peer, x->send[i].tag, at, bytes_of(part, x, &x->send[i].box)};
    for (int i = 0; i < x->nreceive; at += x->in[i++].bytes)
        x->in[i] = (ss_message){x->receive[i].peer, x->receive[i].tag, at,
                                bytes_of(part, x, &x->receive[i].box)};
    return SS_OK;
}

/* --- one exchange ----------------------------------------------------------------------------- */

/* Copies the points of a box between the arrays and a dense buffer. */
static int copy_box(ss_part_run *part, const ss_exchange *x, const ss_part_box *b, const int *array,
                    char *buffer, bool unpack, ss_err *err)
{
    size_t row = (size_t)(b->x1 - b->x0) * ss_prec_size(part->run->prec);
    size_t each = row * (size_t)(b->y1 - b->y0);
    for (int a = 0; a < x->arrays; a++)
        for (int f = 0; f < part->run->eq->nfield; f++, buffer += each)
            if (ss_part_copy(part, array[a], f, b, buffer, (ptrdiff_t)row, unpack, err) != SS_OK)
                return SS_FAIL;
    return SS_OK;
}

int ss_exchange_pack(ss_part_run *part, ss_exchange *x, const int *array, ss_err *err)
{
    double began = ss_clock();
    int status = SS_OK;
    for (int i = 0; i < x->nsend && status == SS_OK; i++)
        status = copy_box(part, x, &x->send[i].box, array, x->out[i].data, false, err);
    part->send += ss_clock() - began;
    return status;
}

int ss_exchange_send(ss_part_run *part, ss_exchange *x, ss_err *err)
{
    double began = ss_clock();
    int status = ss_part_copied(part, err);
    if (status == SS_OK)
        status = part->comm->ops->start(part->comm, x->out, x->nsend, x->in, x->nreceive, err);
    part->send += ss_clock() - began;
    return status;
}

int ss_exchange_start(ss_part_run *part, ss_exchange *x, const int *array, ss_err *err)
{
    if (ss_exchange_pack(part, x, array, err) != SS_OK)
        return SS_FAIL;
    return ss_exchange_send(part, x, err);
}

int ss_exchange_end(ss_part_run *part, ss_exchange *x, const int *array, ss_err *err)
{
    double began = ss_clock();
    int status = part->comm->ops->wait(part->comm, err);
    part->wait += ss_clock() - began;
    for (int i = 0; i < x->nreceive && status == SS_OK; i++)
        status = copy_box(part, x, &x->receive[i].box, array, x->in[i].data, true, err);
    return status;
}

int ss_part_refresh(ss_part_run *part, ss_err *err)
{
    if (ss_exchange_start(part, &part->halo, &part->cur, err) != SS_OK)
        return SS_FAIL;
    return ss_exchange_end(part, &part->halo, &part->cur, err);
}

/* --- a plane ---------------------------------------------------------------------------------- */

/* The points that a rank reads but does not own, and that another rank owns. A stencil without
 * diagonals does not read the corners of the halo around the cover, hence two boxes. */
static ss_part_box read_of(const ss_part_run *part, int reader, int owner)
{
    const ss_part_schedule *s = part->setup.schedule;
    const ss_problem *p = &part->run->problem;
    int ranks = part->comm->size, beyond = s->beyond(&part->setup, p);
    ss_part_box cover = s->cover(&part->setup, p, reader, ranks);
    ss_part_box owned = s->owned(&part->setup, p, owner, ranks);
    ss_part_box wide = ss_box_meet(ss_box_grow(cover, beyond, 0), owned);
    ss_part_box tall = ss_box_meet(ss_box_grow(cover, 0, p->dim > 1 ? beyond : 0), owned);
    return hull(wide, tall);
}

int ss_exchange_plane(ss_part_run *part, ss_err *err)
{
    ss_exchange *x = &part->halo;
    int me = part->comm->rank, ranks = part->comm->size;
    if (ss_exchange_make(x, ranks, 1, err) != SS_OK)
        return SS_FAIL;
    for (int q = 0; q < ranks; q++) {
        ss_part_box in = read_of(part, me, q), out = read_of(part, q, me);
        if (q != me && !ss_box_empty(in))
            x->receive[x->nreceive++] = (ss_link){q, 0, in};
        if (q != me && !ss_box_empty(out))
            x->send[x->nsend++] = (ss_link){q, 0, out};
    }
    return ss_exchange_buffers(part, x, err);
}

/* --- from one division to another ------------------------------------------------------------- */

int ss_exchange_move(ss_part_run *from, ss_part_run *to, int from_array, int to_array,
                     ss_part_box (*wanted)(const ss_part_run *to, int rank), ss_err *err)
{
    ss_exchange x;
    int me = from->comm->rank, ranks = from->comm->size, status = SS_FAIL;
    const ss_part_schedule *old = from->setup.schedule;
    if (ss_exchange_make(&x, ranks, 1, err) != SS_OK)
        return SS_FAIL;
    for (int q = 0; q < ranks; q++) {
        ss_part_box theirs = old->owned(&from->setup, &from->run->problem, q, ranks);
        ss_part_box in = ss_box_meet(wanted(to, me), theirs);
        ss_part_box out = ss_box_meet(wanted(to, q), from->own);
        if (!ss_box_empty(in))
            x.receive[x.nreceive++] = (ss_link){q, 4, in};
        if (!ss_box_empty(out))
            x.send[x.nsend++] = (ss_link){q, 4, out};
    }
    if (ss_exchange_buffers(from, &x, err) == SS_OK &&
        ss_exchange_start(from, &x, &from_array, err) == SS_OK)
        status = ss_exchange_end(to, &x, &to_array, err);
    if (status == SS_OK)
        status = ss_part_copied(to, err);
    ss_exchange_free(from, &x);
    return status;
}

/* --- a line ----------------------------------------------------------------------------------- */

int ss_exchange_line(ss_part_run *part, int depth, ss_err *err)
{
    ss_exchange *x = &part->halo;
    int me = part->comm->rank, ranks = part->comm->size;
    bool ring = part->run->eq->bc == SS_BC_PERIODIC;
    ss_part_box own = part->own;
    if (ss_exchange_make(x, 2, 1, err) != SS_OK)
        return SS_FAIL;
    if (me > 0 || ring) { /* tag 0: to the left; 1: to the right */
        int left = (me + ranks - 1) % ranks;
        x->send[x->nsend++] = (ss_link){left, 0, {own.x0, 0, own.x0 + depth, 1}};
        x->receive[x->nreceive++] = (ss_link){left, 1, {own.x0 - depth, 0, own.x0, 1}};
    }
    if (me + 1 < ranks || ring) {
        int right = (me + 1) % ranks;
        x->send[x->nsend++] = (ss_link){right, 1, {own.x1 - depth, 0, own.x1, 1}};
        x->receive[x->nreceive++] = (ss_link){right, 0, {own.x1, 0, own.x1 + depth, 1}};
    }
    return ss_exchange_buffers(part, x, err);
}
