/*
 * Slabs of a time-dependent run, a line of points: each device has a range of the line and a halo,
 * copies of points of its neighbours, at the ends that are not ends of the line. To the kernels of
 * a device its points are a line of their own, with the boundary condition at the outermost points
 * of the halo. Values there become wrong, and the error advances by the stencil's radius per level
 * until the halo is received again. So a halo of h points lasts for h / radius levels, and no
 * kernel knows that the line is divided. On a ring the first and the last slab are neighbours.
 * Engine thread.
 */
#include "kernels/cuda/device/slabs.h"

/* A point of the whole line, in a field of one of the slab's arrays. */
static char *point_of(const ss_cuda_slab *s, const ss_box *b, void *array, int field, int i)
{
    size_t element = (size_t)field * b->count + b->first + (size_t)(i - s->x0);
    return (char *)array + element * ss_prec_size(s->run.prec);
}

static const ss_box *box_of(const ss_cuda_slab *s)
{
    return &ss_cuda_of(&s->run)->box;
}

static bool is_ring(const ss_run *run)
{
    return run->eq->bc == SS_BC_PERIODIC;
}

/* --- division --------------------------------------------------------------------------------- */

/* The range of slab i and its halo. */
static void place(const ss_run *run, int i, const int *cut, int halo, ss_cuda_slab *out)
{
    int count = ss_cuda_slabs_of(run)->count;
    bool ring = is_ring(run) && count > 1;
    out->i0 = cut[i];
    out->i1 = cut[i + 1];
    out->x0 = out->i0 - (i > 0 || ring ? halo : 0);
    out->x1 = out->i1 + (i + 1 < count || ring ? halo : 0);
}

/* Copies the points that old slab `from` owns within slab `to` to its new arrays. */
static int move_points(const ss_cuda_slab *from, const ss_cuda_slab *to, const ss_cuda_arrays *made,
                       ss_cu_stream stream, ss_err *err)
{
    int lo = from->i0 > to->i0 ? from->i0 : to->i0, hi = from->i1 < to->i1 ? from->i1 : to->i1;
    for (int a = 0; a < 2 && lo < hi; a++)
        for (int f = 0; f < to->run.eq->nfield; f++)
            SS_CUDA(ss_cu->copy(point_of(to, &made->box, made->u[a], f, lo),
                                point_of(from, box_of(from), ss_cuda_of(&from->run)->u[a], f, lo),
                                (size_t)(hi - lo) * ss_prec_size(to->run.prec), stream));
    return SS_OK;
}

static int make_line(const ss_run *run, int i, const ss_cuda_slab *place_of, ss_cuda_arrays *made,
                     ss_err *err)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    ss_cu_stream stream = ss_cuda_of(&s->of[i].run)->stream;
    ss_cuda_use(ss_cuda_device_of(&s->of[i]));
    made->box = ss_cuda_layout(run, place_of->x1 - place_of->x0, 1, 0);
    if (ss_cuda_arrays_make(&s->of[i].run, &made->box, &made->kept, made->u, &made->rhs, err) !=
        SS_OK)
        return SS_FAIL;
    for (int k = 0; k < s->count; k++)
        if (ss_cuda_of(&s->of[k].run)->u[0] &&
            move_points(&s->of[k], place_of, made, stream, err) != SS_OK)
            return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(stream));
    return SS_OK;
}

static bool is_placed(const ss_cuda_slab *a, const ss_cuda_slab *b)
{
    return a->i0 == b->i0 && a->i1 == b->i1 && a->x0 == b->x0 && a->x1 == b->x1;
}

int ss_cuda_lines_divide(ss_run *run, const int *cut, int halo, ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    ss_cuda_slab next[SS_CUDA_DEVICES_MAX];
    ss_cuda_arrays made[SS_CUDA_DEVICES_MAX] = {0};
    int status = SS_OK;
    bool same = true;
    for (int i = 0; i < s->count; i++) {
        next[i] = s->of[i];
        place(run, i, cut, halo, &next[i]);
        same = same && is_placed(&next[i], &s->of[i]);
    }
    if (same)
        return SS_OK;
    for (int i = 0; i < s->count && status == SS_OK; i++)
        status = make_line(run, i, &next[i], &made[i], err);
    for (int i = 0; i < s->count; i++) {
        if (status == SS_OK) {
            ss_cuda_arrays_swap(&s->of[i], &made[i]);
            place(run, i, cut, halo, &s->of[i]);
        }
        ss_cuda_arrays_free(&made[i]);
    }
    s->depth = status == SS_OK ? halo : s->depth;
    s->fresh = false;
    ss_cuda_use(ss_cuda_of(run)->device);
    return status;
}

/* --- halos ------------------------------------------------------------------------------------ */

int ss_cuda_line_neighbour(const ss_run *run, int i, int way)
{
    int count = ss_cuda_slabs_of(run)->count, k = i + way;
    if (k >= 0 && k < count)
        return k;
    return is_ring(run) && count > 1 ? (k + count) % count : -1;
}

/* Copies n points; `to_point` and `from_point` in the numbering of the line, which a ring's halo
 * exceeds. */
static void copy_points(const ss_cuda_slab *to, int to_point, const ss_cuda_slab *from,
                        int from_point, int n, int array, ss_cu_stream stream)
{
    for (int f = 0; f < to->run.eq->nfield; f++)
        ss_cuda_note(ss_cu->copy(
            point_of(to, box_of(to), ss_cuda_of(&to->run)->u[array], f, to_point),
            point_of(from, box_of(from), ss_cuda_of(&from->run)->u[array], f, from_point),
            (size_t)n * ss_prec_size(to->run.prec), stream));
}

void ss_cuda_line_receive(const ss_run *run, int i, int array, ss_cu_stream stream)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    const ss_cuda_slab *own = &s->of[i];
    int west = ss_cuda_line_neighbour(run, i, -1), east = ss_cuda_line_neighbour(run, i, 1);
    if (west >= 0 && own->x0 < own->i0)
        copy_points(own, own->x0, &s->of[west], s->of[west].i1 - s->depth, s->depth, array, stream);
    if (east >= 0 && own->i1 < own->x1)
        copy_points(own, own->i1, &s->of[east], s->of[east].i0, s->depth, array, stream);
}

/* --- transfers -------------------------------------------------------------------------------- */

int ss_cuda_lines_transfer(ss_run *run, int which, int field, char *row, bool up, ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t size = ss_prec_size(run->prec);
    int array = which == 0 ? st->cur : 1 - st->cur;
    double started = ss_clock();
    s->fresh = s->fresh && !up;
    ss_cuda_use(st->device);
    for (int i = 0; i < s->count; i++) {
        const ss_cuda_slab *own = &s->of[i];
        char *host = row + (size_t)own->i0 * size;
        char *at = point_of(own, box_of(own), ss_cuda_of(&own->run)->u[array], field, own->i0);
        SS_CUDA(ss_cu->copy(up ? at : host, up ? host : at, (size_t)(own->i1 - own->i0) * size,
                            st->stream));
    }
    SS_CUDA(ss_cu->stream_wait(st->stream));
    *(up ? &run->seconds_upload : &run->seconds_download) += ss_clock() - started;
    ss_cuda_downloaded += up ? 0 : (double)(size * (size_t)run->problem.nx);
    return SS_OK;
}
