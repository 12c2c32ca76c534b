/*
 * Slices of a 3D domain as dense planes of doubles, the input of a picture's layers. The backend
 * reads the fields (ss_reader.slice); this file computes the rest for every backend: rows of the
 * layers, owners, the point under the cursor. Engine thread.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/geom/patches.h"
#include "kernels/sample/parts.h"

/* --- planes ----------------------------------------------------------------------------------- */

static int read_part(ss_sampler *s, ss_slice_part part, ss_err *err)
{
    size_t cells = (size_t)s->nx * (size_t)s->ny;
    if (s->plane[part])
        return SS_OK;
    s->plane[part] = ss_alloc(cells * sizeof(double), "a slice", err);
    if (!s->plane[part])
        return SS_FAIL;
    for (size_t c = 0; c < cells; c++)
        s->plane[part][c] = (double)NAN; /* outside all patches */
    return s->reader->slice(s->run, &s->slice, part, s->plane[part], err);
}

int ss_slice_read(ss_sampler *s, ss_err *err)
{
    static const bool needed[SS_NLAYER][SS_NSLICE] = {
        [SS_VALUE] = {[SS_SLICE_U] = true},
        [SS_RESIDUAL] = {[SS_SLICE_RESIDUAL] = true},
        [SS_ERROR] = {[SS_SLICE_U] = true},
        [SS_UPDATE] = {[SS_SLICE_U] = true, [SS_SLICE_START] = true},
    };
    bool probe = s->view->probe_x >= 0;
    for (int part = 0; part < SS_NSLICE; part++) {
        bool available = part != SS_SLICE_START || s->start_kept;
        if ((needed[s->view->layer][part] || probe) && available &&
            read_part(s, (ss_slice_part)part, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

void ss_slice_free(ss_sampler *s)
{
    for (int part = 0; part < SS_NSLICE; part++)
        free(s->plane[part]);
}

/* --- rows of the layers ----------------------------------------------------------------------- */

static const double *plane_at(const ss_sampler *s, ss_slice_part part, int x, int y)
{
    return s->plane[part] + (ptrdiff_t)y * s->nx + x;
}

static bool has_field(const ss_sampler *s)
{
    return s->plane[SS_SLICE_U] != NULL;
}

static void value_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    memcpy(v, plane_at(s, SS_SLICE_U, x0, y), (size_t)(x1 - x0) * sizeof *v);
}

static bool has_residual(const ss_sampler *s)
{
    return s->plane[SS_SLICE_RESIDUAL] != NULL;
}

static void residual_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const double *r = plane_at(s, SS_SLICE_RESIDUAL, x0, y);
    for (int x = 0; x < x1 - x0; x++)
        v[x] = fabs(r[x]);
}

static bool has_update(const ss_sampler *s)
{
    return s->plane[SS_SLICE_U] && s->plane[SS_SLICE_START];
}

static void update_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const double *u = plane_at(s, SS_SLICE_U, x0, y), *from = plane_at(s, SS_SLICE_START, x0, y);
    for (int x = 0; x < x1 - x0; x++)
        v[x] = fabs(u[x] - from[x]);
}

static bool has_exact(const ss_sampler *s)
{
    return s->ref != NULL;
}

static double exact_at(const ss_sampler *s, int x, int y)
{
    int c[3];
    const ss_problem *p = &s->run->problem;
    ss_slice_cell(&s->slice, x, y, c);
    return s->ref[((size_t)c[2] * (size_t)p->ny + (size_t)c[1]) * (size_t)p->nx + (size_t)c[0]];
}

static void exact_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    for (int x = x0; x < x1; x++)
        v[x - x0] = exact_at(s, x, y);
}

static bool has_error(const ss_sampler *s)
{
    return s->ref && s->plane[SS_SLICE_U];
}

static void error_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const double *u = plane_at(s, SS_SLICE_U, x0, y);
    for (int x = x0; x < x1; x++)
        v[x - x0] = fabs(u[x - x0] - exact_at(s, x, y));
}

const ss_layer_rows ss_layer_rows_of_slice[SS_NLAYER] = {
    [SS_VALUE] = {true, 1, has_field, value_row},
    [SS_EXACT] = {true, 1, has_exact, exact_row},
    [SS_RESIDUAL] = {false, 1, has_residual, residual_row},
    [SS_ERROR] = {false, 1, has_error, error_row},
    [SS_UPDATE] = {false, 1, has_update, update_row},
};

/* --- owners ----------------------------------------------------------------------------------- */

/* The number of blocks of the patches below patch q, along direction d. */
static int blocks_before(const ss_patch *patch, int q, int d, const int size[3])
{
    int count = 0;
    for (;;) {
        int lower = patch[q].side[2 * d] != SS_WALL_SIDE ? patch[q].side[2 * d]
                    : patch[q].at[d] > 0                 ? q - 1
                                                         : -1;
        if (lower < 0)
            return count;
        const int n[3] = {patch[lower].box.nx, patch[lower].box.ny, patch[lower].box.nz};
        count += ss_blocking_make(n, size).count[d];
        q = lower;
    }
}

/* Four colours suffice for neighbouring blocks to differ, including diagonal neighbours. */
static void colour_patch(const ss_sampler *s, const ss_patch *patch, int q, const int size[3],
                         uint8_t *owner)
{
    const ss_slice *t = &s->slice;
    const ss_patch *p = &patch[q];
    const int n[3] = {p->box.nx, p->box.ny, p->box.nz};
    int inside = t->at - p->at[t->axis], a = t->d[0], b = t->d[1];
    if (inside < 0 || inside >= n[t->axis])
        return;
    int before_x = blocks_before(patch, q, a, size), before_y = blocks_before(patch, q, b, size);
    for (int y = 0; y < n[b]; y++)
        for (int x = 0; x < n[a]; x++)
            owner[(ptrdiff_t)(p->at[b] + y) * s->nx + p->at[a] + x] =
                (uint8_t)((before_x + x / size[a]) % 2 + 2 * ((before_y + y / size[b]) % 2));
}

/* Colours each cell by its block, or by its patch if the solver has no blocks. */
static int find_owners(ss_sampler *s, ss_err *err)
{
    const ss_run *run = s->run;
    int n = run->eq->patches(&run->problem, NULL), size[3] = {INT_MAX, INT_MAX, INT_MAX};
    ss_patch *patch = ss_alloc((size_t)n * sizeof *patch, "the list of patches", err);
    s->owners = patch ? ss_alloc((size_t)s->nx * (size_t)s->ny, "owners", err) : NULL;
    if (s->owners) {
        run->eq->patches(&run->problem, patch);
        if (run->solver->blocks)
            run->solver->blocks(&run->cfg, size);
        memset(s->owners, UINT8_MAX, (size_t)s->nx * (size_t)s->ny);
        for (int q = 0; q < n; q++)
            colour_patch(s, patch, q, size, s->owners);
    }
    free(patch);
    return s->owners ? SS_OK : SS_FAIL;
}

int ss_slice_open(ss_sampler *s, ss_err *err)
{
    const ss_problem *p = &s->run->problem;
    s->slice = ss_slice_make(p->nx, p->ny, p->nz, s->view->axis, s->view->slice);
    s->nx = s->slice.n[0];
    s->ny = s->slice.n[1];
    return s->view->layer == SS_OWNER ? find_owners(s, err) : SS_OK;
}

/* --- the point under the cursor --------------------------------------------------------------- */

static double value_at(const ss_sampler *s, int x, int y)
{
    bool in = x >= 0 && x < s->nx && y >= 0 && y < s->ny;
    return in ? *plane_at(s, SS_SLICE_U, x, y) : (double)NAN;
}

/* Finds the patch and the block that contain the cell. */
static int find_block(const ss_sampler *s, ss_probe *p, ss_err *err)
{
    const ss_run *run = s->run;
    int size[3] = {INT_MAX, INT_MAX, INT_MAX};
    p->npatch = run->eq->patches(&run->problem, NULL);
    ss_patch *patch = ss_alloc((size_t)p->npatch * sizeof *patch, "the list of patches", err);
    if (!patch)
        return SS_FAIL;
    run->eq->patches(&run->problem, patch);
    p->has_block = run->solver->blocks != NULL;
    if (p->has_block)
        run->solver->blocks(&run->cfg, size);
    ss_slice_cell(&s->slice, p->x, p->y, p->cell);
    p->patch = -1;
    for (int q = 0; q < p->npatch && p->patch < 0; q++) {
        int x = p->cell[0] - patch[q].at[0];
        bool in =
            x >= 0 && x < patch[q].box.nx && ss_patch_row(&patch[q], p->cell[1], p->cell[2]) >= 0;
        for (int d = 0; d < 3 && in; d++)
            p->block[d] = (p->cell[d] - patch[q].at[d]) / size[d];
        p->patch = in ? q : -1;
    }
    p->has_block = p->has_block && p->patch >= 0;
    free(patch);
    return SS_OK;
}

/* The neighbours of the point are those within the slice. */
int ss_slice_probe(const ss_sampler *s, ss_probe *p, ss_err *err)
{
    int x = p->x, y = p->y;
    p->value = value_at(s, x, y);
    p->west = value_at(s, x - 1, y);
    p->east = value_at(s, x + 1, y);
    p->south = value_at(s, x, y - 1);
    p->north = value_at(s, x, y + 1);
    p->rhs = *plane_at(s, SS_SLICE_RHS, x, y);
    p->residual = fabs(*plane_at(s, SS_SLICE_RESIDUAL, x, y));
    p->has_error = has_error(s);
    if (p->has_error)
        error_row(s, y, x, x + 1, &p->error);
    return find_block(s, p, err);
}
