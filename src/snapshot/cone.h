/*
 * The staleness cone: a line of points through one block, after each subiteration of the cycle
 * under the microscope. Each point has |block value - exact sweeps from the same state|, also where
 * the overlap throws the value away.
 *
 * The geometry. A block copies its halo once, before subiteration 1, and the halo then stays at
 * level 0. Subiteration 1 reads level 0 everywhere, which is what an exact sweep reads: nothing is
 * stale. Subiteration s > 1 needs the halo at level s - 1, so the point beside it becomes stale;
 * and staleness moves on by one point per subiteration, because a point reads its neighbours only.
 * So after s subiterations the s - 1 points beside each frozen halo are stale, and a cycle of k is
 * exact for all points that are kept if the overlap throws at least k - 1 away on each side: from
 * overlap 2 (k - 1) on. In 2D the halos above and below count in the same way: a line that is d
 * points from one of them is stale everywhere from subiteration d + 1 on.
 *
 * Computed by the engine thread; the functions are pure.
 */
#ifndef SS_SNAPSHOT_CONE_H
#define SS_SNAPSHOT_CONE_H

#include "kernels/geom/tiles.h"
#include "src/base/common.h"
#include "src/core/backend.h"

enum { SS_CONE_COLS = 640, SS_CONE_ROWS = 129 };

typedef struct ss_cone {
    bool there;
    bool wedge; /* blocks iterate on frozen halos, so that the geometry above holds; else these are
                   the run's own values */
    const char *why; /* why this cycle has none, a sentence; NULL: it has, or there is no cycle */
    int k, now;      /* subiterations of the cycle; those that are done */
    int block, overlap;
    int tile_x, tile_y, y; /* the block, and the row of the line; 1D: the copy */
    bool probed;           /* the row is that of the probe; else it is in the middle of the block */
    ss_span span;          /* of the block along the line */
    bool frozen[2];        /* left and right: a neighbour, not an end of the domain */
    int first, n;          /* the line: points first ... first + n - 1; beside the block those that
                              the neighbours keep */
    double hi;             /* the largest value */
    float
        cell[SS_CONE_ROWS * SS_CONE_COLS]; /* row s, of n values: after s subiterations, 0 ... k */
} ss_cone;

/* The value of point x, of the whole grid, after s subiterations. */
float ss_cone_at(const ss_cone *c, int s, int x);
/* The stale points next to each other from one edge of the block on (0: left, 1: right), after s
 * subiterations; counted from the data, up to the first exact one. */
int ss_cone_depth(const ss_cone *c, int s, int side);
/* The stale points among those that the block keeps, after s subiterations. */
int ss_cone_kept(const ss_cone *c, int s);

/* Computes the cone of the cycle that starts from the run's present field, for the view's block (or
 * the middle one) and its probe. `there` is false if there is none, with the reason in `why`. own:
 * the block's values, k + 1 rows of span.hi - span.lo; NULL: not needed. Reads some rows of the
 * fields and computes plain sweeps; if blocks do not iterate on frozen halos, the run's
 * subiterations are done one after another under the microscope, and sampled (`own` is not filled).
 */
int ss_cone_make(ss_run *run, const ss_view *view, ss_cone *out, double *own, ss_err *err);

#endif
