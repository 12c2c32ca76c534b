/* Sweeps on a part of a field: see trace.h. */
#include "src/core/trace.h"

#include <stdlib.h>
#include <string.h>

ss_area ss_trace_widen(const ss_run *run, ss_area a, int by, bool halo)
{
    const ss_problem *p = &run->problem;
    int reach = p->radius, reach_y = p->dim > 1 ? reach : 0;
    int hx = halo ? reach : 0, hy = halo ? reach_y : 0;
    return (ss_area){
        ss_clamp(a.x0 - by * reach, -hx, a.x0), ss_clamp(a.y0 - by * reach_y, -hy, a.y0),
        ss_min(a.x1 + by * reach, p->nx + hx), ss_min(a.y1 + by * reach_y, p->ny + hy)};
}

/* In bytes from element 0 of a trace. */
static ptrdiff_t offset(const ss_run *run, const ss_trace *t, int x, int y)
{
    return ((y - t->y0) * t->stride + (x - t->x0)) * (ptrdiff_t)ss_prec_size(run->prec);
}

static const char *row_at(const ss_run *run, const ss_trace_rows *r, int x, int y)
{
    return r->data + ((y - r->y0) * r->stride + (x - r->x0)) * (ptrdiff_t)ss_prec_size(run->prec);
}

static int make_room(size_t bytes, ss_trace *t, ss_err *err)
{
    if (bytes > t->capacity) {
        ss_trace_free(t);
        t->now = ss_alloc(bytes, "staleness", err);
        t->next = ss_alloc(bytes, "staleness", err);
        t->capacity = bytes;
    }
    return t->now && t->next ? SS_OK : SS_FAIL;
}

int ss_trace_load(const ss_run *run, const ss_trace_rows *from, ss_area a, ss_area known,
                  ss_trace *t, ss_err *err)
{
    size_t size = ss_prec_size(run->prec);
    int line = (int)(SS_ALIGN / size);
    t->x0 = a.x0 - (a.x0 + line) % line; /* the same alignment of rows as in the field */
    t->y0 = a.y0;
    t->stride = (a.x1 - t->x0 + line - 1) / line * line;
    if (make_room((size_t)t->stride * (size_t)(a.y1 - a.y0) * size, t, err) != SS_OK)
        return SS_FAIL;
    for (int y = known.y0; y < known.y1; y++) {
        const char *row = row_at(run, from, known.x0, y);
        ptrdiff_t to = offset(run, t, known.x0, y);
        memcpy(t->now + to, row, (size_t)(known.x1 - known.x0) * size);
        memcpy(t->next + to, row, (size_t)(known.x1 - known.x0) * size);
    }
    return SS_OK;
}

void ss_trace_free(ss_trace *t)
{
    free(t->now);
    free(t->next);
    t->now = t->next = NULL;
}

void ss_trace_sweep(const ss_run *run, const ss_trace_rows *rhs, ss_area a, ss_trace *t)
{
    ss_sweep sw = {.nx = a.x1 - a.x0, .ny = a.y1 - a.y0, .nz = 1};
    sw.in_sy = sw.out_sy = t->stride;
    sw.rhs_sy = rhs->stride;
    ptrdiff_t at = offset(run, t, a.x0, a.y0);
    run->eq->apply[run->prec](&run->coef, 0, t->now + at, row_at(run, rhs, a.x0, a.y0),
                              t->next + at, &sw);
    char *done = t->next;
    t->next = t->now;
    t->now = done;
}

const char *ss_trace_at(const ss_run *run, const ss_trace *t, int x, int y)
{
    return t->now + offset(run, t, x, y);
}
