/*
 * The point under the cursor, in full precision. Engine thread, part of every sample.
 */
#include <math.h>

#include "kernels/sample/parts.h"

/* The layer's value at one point; false if it has none. */
static bool layer_at(const ss_sampler *s, ss_layer layer, int x, int y, double *out)
{
    const ss_layer_rows *rows = &ss_layer_rows_of[layer];
    if (!rows->ready(s))
        return false;
    rows->row(s, y, x, x + 1, out);
    return true;
}

/* 1D in time: the displayed quantity at the point and its neighbours, periodic if the line is. */
static int probe_line(ss_sampler *s, int x, int y, ss_probe *p, ss_err *err)
{
    ss_area line = {0, y, s->nx, y + 1};
    ss_bc bc = s->run->eq->bc;
    if (s->reader->fetch(s, &line, 1, &s->here, err) != SS_OK)
        return SS_FAIL;
    layer_at(s, SS_VALUE, x, y, &p->value);
    layer_at(s, SS_VALUE, ss_end_source(bc, s->nx, x - 1), y, &p->west);
    layer_at(s, SS_VALUE, ss_end_source(bc, s->nx, x + 1), y, &p->east);
    p->south = p->north = p->rhs = p->residual = (double)NAN;
    p->has_error = layer_at(s, SS_ERROR, x, y, &p->error);
    return SS_OK;
}

int ss_sample_probe(ss_sampler *s, ss_picture *out, ss_err *err)
{
    ss_probe *p = &out->probe;
    int x = s->view->probe_x, y = s->view->probe_y;
    *p = (ss_probe){.x = x, .y = y, .tile_x = -1, .tile_y = -1};
    if (s->run->eq->dim == 1)
        p->y = y = s->window.y0;
    p->valid = x >= 0 && x < s->nx && y >= 0 && y < s->ny;
    if (!p->valid)
        return SS_OK;
    if (s->run->eq->dim > 2)
        return ss_slice_probe(s, p, err);
    if (s->run->eq->kind == SS_TRANSIENT)
        return probe_line(s, x, y, p, err);
    ss_area around = ss_sample_stale_area(s, x, y);
    if (s->reader->fetch(s, &around, 1, &s->here, err) != SS_OK)
        return SS_FAIL;
    p->value = ss_sample_value(s, SS_PART_U, x, y);
    p->west = ss_sample_value(s, SS_PART_U, x - 1, y);
    p->east = ss_sample_value(s, SS_PART_U, x + 1, y);
    p->south = p->north = (double)NAN; /* the rows of a 1D problem are independent copies */
    if (s->box->hy > 0) {
        p->south = ss_sample_value(s, SS_PART_U, x, y - 1);
        p->north = ss_sample_value(s, SS_PART_U, x, y + 1);
    }
    p->rhs = ss_sample_value(s, SS_PART_RHS, x, y) * s->run->coef.residual; /* b = diagonal g */
    if (!layer_at(s, SS_RESIDUAL, x, y, &p->residual))
        p->residual = (double)NAN;
    p->has_error = layer_at(s, SS_ERROR, x, y, &p->error);
    p->has_stale = ss_sample_stale_at(s, x, y, &p->stale);
    if (s->tiled) {
        p->tile_x = ss_cut_owner(s->tiling.x, x);
        p->tile_y = ss_cut_owner(s->tiling.y, y);
    }
    return SS_OK;
}
