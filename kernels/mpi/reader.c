/*
 * Pictures of a divided field: values and residuals are folded by the ranks, each over its own
 * points; for everything else the points are fetched. Engine thread. See kernels/sample/parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/mpi/state.h"

/* Reads the points of an area; those outside the domain are zero, as the halo is. */
static int read_area(const ss_sampler *s, int which, int field, const ss_area *a, char *out,
                     ss_err *err)
{
    ss_run *run = s->run;
    ss_area b = {a->x0 > 0 ? a->x0 : 0, a->y0 > 0 ? a->y0 : 0, a->x1 < s->nx ? a->x1 : s->nx,
                 a->y1 < s->ny ? a->y1 : s->ny};
    size_t row = (size_t)(b.x1 - b.x0) * s->size;
    if (b.x0 >= b.x1 || b.y0 >= b.y1)
        return SS_OK;
    char *data = malloc(row * (size_t)(b.y1 - b.y0));
    if (!data)
        return ss_fail_memory(err, "points of a picture", row * (size_t)(b.y1 - b.y0));
    int status = ss_mpi_get(run, which, field, &b, data, err);
    ptrdiff_t width = a->x1 - a->x0;
    for (int y = b.y0; y < b.y1 && status == SS_OK; y++)
        memcpy(out + ((y - a->y0) * width + (b.x0 - a->x0)) * (ptrdiff_t)s->size,
               data + (size_t)(y - b.y0) * row, row);
    free(data);
    return status;
}

static size_t area_bytes(const ss_sampler *s, const ss_area *a)
{
    return (size_t)(a->x1 - a->x0) * (size_t)(a->y1 - a->y0) * s->size;
}

/* All fields of u, and the right-hand side. */
static int read_fields(const ss_sampler *s, const ss_area *a, char **at, ss_parts *out, ss_err *err)
{
    size_t each = area_bytes(s, a);
    ss_part p = {.data = *at,
                 .stride = a->x1 - a->x0,
                 .x0 = a->x0,
                 .y0 = a->y0,
                 .field = (ptrdiff_t)(each / s->size)};
    memset(out, 0, sizeof *out);
    out->of[SS_PART_U] = p;
    for (int f = 0; f < s->run->eq->nfield; f++, *at += each)
        if (read_area(s, SS_MPI_FIELD, f, a, *at, err) != SS_OK)
            return SS_FAIL;
    if (!s->run->eq->rhs)
        return SS_OK;
    p.data = *at;
    out->of[SS_PART_RHS] = p;
    int status = read_area(s, SS_MPI_RHS, 0, a, *at, err);
    *at += each;
    return status;
}

static int fetch(ss_sampler *s, const ss_area *area, int n, ss_parts *out, ss_err *err)
{
    ss_mpi_state *st = ss_mpi_of(s->run);
    size_t arrays = (size_t)s->run->eq->nfield + (s->run->eq->rhs ? 1 : 0), bytes = 1;
    for (int i = 0; i < n; i++)
        bytes += arrays * area_bytes(s, &area[i]);
    free(st->areas);
    st->areas = ss_alloc(bytes, "points of a picture", err);
    char *at = st->areas;
    if (!at)
        return SS_FAIL;
    for (int i = 0; i < n; i++)
        if (read_fields(s, &area[i], &at, &out[i], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Layers that compare with a reference, which only this process has. */
static int cells_here(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    ss_area window = s->window;
    window.x0 -= s->box->hx;
    window.x1 += s->box->hx;
    window.y0 -= s->box->hy;
    window.y1 += s->box->hy;
    return fetch(s, &window, 1, &s->here, err) == SS_OK ? ss_sample_cells(s, p, out, err) : SS_FAIL;
}

static int cells_there(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    ss_mpi_command c = {.verb = SS_MPI_CELLS, .which = (int)s->view->layer};
    ss_mpi_reply reply;
    size_t bytes = (size_t)p->x.count * (size_t)p->y.count * sizeof(double);
    void *plan = ss_wire_plan_put(p, &c.bytes);
    double *fold = plan ? malloc(bytes) : NULL;
    int status = fold
                     ? ss_job_call(ss_mpi_of(s->run)->job, &c, plan, &reply, fold, bytes, NULL, err)
                     : ss_fail_memory(err, "a picture", bytes);
    if (status == SS_OK)
        ss_sample_unfold(s, p, fold, out);
    free(fold);
    free(plan);
    return status;
}

static int cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    bool there = s->view->layer == SS_VALUE || s->view->layer == SS_RESIDUAL;
    return (there ? cells_there : cells_here)(s, p, out, err);
}

int ss_mpi_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    static const ss_reader reader = {
        .picture_bytes = 4.0 * 1024 * 1024,
        .profile_bytes = 1024.0 * 1024,
        .fetch = fetch,
        .cells = cells,
    };
    bool kept = run->start_kept;
    run->start_kept = false; /* the ranks do not keep the start of a cycle */
    int status = ss_sample(run, view, &reader, &ss_mpi_of(run)->box, out, err);
    run->start_kept = kept;
    return status;
}
