/*
 * Hierarchical Jacobi (block Jacobi with k inner sweeps and overlap) on the GPU: where its tiles
 * lie, the best shape of a tile, its division among several devices. Host code; called by the
 * thread of the engine.
 */
#include <string.h>

#include "kernels/cuda/device/slabs.h"
#include "kernels/cuda/jacobi/tiles.h"

typedef struct tile_place {
    const ss_cuda_solver *solver;
    const char *alone; /* the name of tiles that lie on one device only */
    tile_best *best;   /* NULL: the kernel takes any shape, and the rows have their own defaults */
} tile_place;

/* The values of `tile`. */
static const tile_place places[SS_NTILE] = {
    {&ss_cuda_tiles, NULL, NULL},
    {&ss_cuda_tiles, NULL, NULL},
    {&ss_cuda_resident, "resident", NULL},
    {&ss_cuda_march, "marching", ss_cuda_march_best},
    {&ss_cuda_march, "pipelined", ss_cuda_pipeline_best},
};

static const tile_place *place_of(const ss_run *run)
{
    return &places[ss_config_int(&run->cfg, "tile")];
}

static int prepare_alone(ss_run *run, ss_err *err)
{
    return ss_cuda_prepare(run, place_of(run)->solver, err);
}

/* --- the best shape --------------------------------------------------------------------------- */

bool ss_cuda_shared_best(const ss_config *cfg, const char *row, int64_t *out)
{
    static const char *const rows[NSHAPE] = {"k", "block", "block-y", "overlap", "overlap-y"};
    int64_t shape[NSHAPE];
    int which = 0;
    while (which < NSHAPE && strcmp(rows[which], row) != 0)
        which++;
    tile_best *complete = which < NSHAPE ? places[ss_config_int(cfg, "tile")].best : NULL;
    if (!complete)
        return false;
    for (int i = 0; i < NSHAPE; i++)
        shape[i] = ss_config_given(cfg, rows[i]) ? ss_config_int(cfg, rows[i]) : NOT_GIVEN;
    if (!complete(cfg, shape))
        return false;
    *out = shape[which];
    return true;
}

/* --- several devices -------------------------------------------------------------------------- */

/* The first row that row of tiles j owns. */
static int first_row(ss_cut c, int j)
{
    return j < c.count ? ss_cut_span(c, j).wlo : c.n;
}

/* Rows of tiles that own the first or the last `depth` rows of a slab. */
static int edge_tiles(ss_cut c, int depth)
{
    int owned = c.block - c.overlap;
    return depth > 0 ? (depth + owned - 1) / owned : 0;
}

/* Each device has whole rows of tiles. A tile reads overlap / 2 points beyond those that it owns,
 * and its frozen halo, one more. */
static int divide(const ss_run *run, ss_cuda_division *d, ss_err *err)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    int depth = run->problem.dim > 1 ? t.y.overlap / 2 + 1 : 0, edge = edge_tiles(t.y, depth);
    int least = ss_cuda_sides(s) * edge + 1;
    *d = (ss_cuda_division){.prepare = prepare_alone, .depth = depth, .period = 1};
    if (t.y.count / s->count < least)
        return ss_fail(err,
                       "devices: %d rows of subdomains are too few for %d devices, which need %d "
                       "each with this overlap: choose fewer devices, a smaller block-y or a "
                       "smaller overlap-y",
                       t.y.count, s->count, least);
    for (int i = 0; i <= s->count; i++)
        d->cut[i] = first_row(t.y, (int)((int64_t)t.y.count * i / s->count));
    for (int i = 0; i < s->count; i++) {
        int from = (int)((int64_t)t.y.count * i / s->count);
        int to = (int)((int64_t)t.y.count * (i + 1) / s->count);
        d->south[i] = i > 0 ? first_row(t.y, from + edge) - d->cut[i] : 0;
        d->north[i] = i + 1 < s->count ? d->cut[i + 1] - first_row(t.y, to - edge) : 0;
    }
    return SS_OK;
}

static int prepare_divided(ss_run *run, ss_err *err)
{
    ss_cuda_division d;
    const char *alone = place_of(run)->alone;
    if (alone)
        return ss_fail(err, "tile: %s tiles are on one device: choose tile register or one device",
                       alone);
    return divide(run, &d, err) == SS_OK ? ss_cuda_divided_prepare(run, &d, err) : SS_FAIL;
}

int ss_cuda_shared_prepare(ss_run *run, ss_err *err)
{
    return (ss_cuda_slabs_of(run) ? prepare_divided : prepare_alone)(run, err);
}
