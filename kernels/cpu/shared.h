/*
 * Temporal blocking with any inner iteration: shared.c has the tiles, the wave and the cycle, and
 * Jacobi's subiteration; shared_chebyshev.c has another one. Engine thread; `enter` and `update`
 * run on the OpenMP threads.
 */
#ifndef SS_CPU_SHARED_H
#define SS_CPU_SHARED_H

#include "kernels/cpu/state.h"

/* The layout of a private tile, in elements; the same for all tiles. */
typedef struct ss_shared_shape {
    int nx, ny;      /* points of the largest tile */
    int rows;        /* that a buffer holds at a time, without the halo */
    ptrdiff_t sy;    /* row stride */
    ptrdiff_t shift; /* in place: a level lies so far before the level that it is computed from */
    int buffers;     /* 1: in place; 2: levels alternate, shift is 0 */
    size_t first;    /* index of point (0, 0) of level 0 */
    size_t count;    /* size of a buffer */
    int wave;        /* rows per subiteration before the next one follows */
} ss_shared_shape;

struct ss_shared_mistake;
struct ss_shared_inner;

/*
 * The tile being computed. Level s is its state after s subiterations; level 0 is the old field
 * itself. In place, row j of level s lies where row j - 1 of level s - 1 did, and one cache line
 * before it. An update may go through one row, or through several rows side by side, with vectors
 * of a line at most, if it takes the rows and the points in ascending order: what it overwrites, no
 * later update of this level reads. With two buffers, level s lies in u[s & 1].
 */
typedef struct ss_shared_tile {
    const ss_run *run;
    const ss_cpu_state *st;
    const ss_shared_shape *shape;
    const struct ss_shared_mistake *mistake;
    const struct ss_shared_inner *inner;
    const void *own;
    ss_span x, y;
    int nx, ny, k;
    int base;            /* the tile's row that is row 0 of the buffers */
    size_t size;         /* bytes of a value */
    char *u[2], *jacobi; /* private; in place, u[0] is u[1]; jacobi: one row */
    double *row_sum;     /* one per row; NULL: no norm requested */
    /* A recurrence: the field before the present one, which is loaded as level -1 (level 0 is
     * loaded too), and the array that gets level k - 1. NULL: there is none. */
    void *before, *next_before;
} ss_shared_tile;

/* An inner iteration. Its ops have it as `own`. */
typedef struct ss_shared_inner {
    bool faults;  /* its ops have the row `fault` */
    bool recurs;  /* level s is computed from levels s - 1 and s - 2, hence two buffers */
    size_t bytes; /* of memory of its own, which `open` fills; NULL functions: it needs none */
    int (*open)(ss_run *run, void *own, ss_err *err);
    void (*close)(ss_run *run, void *own); /* also after an open that failed; own may be NULL */
    /* Before a cycle of k subiterations from the present field. */
    void (*begin)(const ss_run *run, void *own, int k);
    /* Before a tile: sets `before` and `next_before`. */
    void (*enter)(ss_shared_tile *t);
    /* Updates points [x0, x1) of rows [j0, j1) from level s - 1 to level s. sum: NULL, or one per
     * row, to which the squared changes by Jacobi are added. */
    void (*update)(const ss_shared_tile *t, int s, int x0, int x1, int j0, int j1, double *sum);
} ss_shared_inner;

/* Row j of level s in private memory. */
static inline char *ss_shared_row(const ss_shared_tile *t, int s, int j)
{
    const ss_shared_shape *shape = t->shape;
    return t->u[s & 1] + ((j - t->base) * shape->sy - s * shape->shift) * (ptrdiff_t)t->size;
}

/* Row j of the tile in a field, at the tile's first column. */
static inline char *ss_shared_field(const ss_shared_tile *t, void *field, int j)
{
    return (char *)field + ss_cpu_at(t->st, t->x.lo, t->y.lo + j, 0) * t->size;
}

/* Row j of level s - 1, from which level s is computed, at the tile's first column: level 0 is read
 * from the field. *sy: values from row to row. */
const char *ss_shared_before(const ss_shared_tile *t, int s, int j, ptrdiff_t *sy);

/* The memory of the run's inner iteration. */
void *ss_shared_own(const ss_run *run);

/* The functions of ss_engine_ops. */
int ss_shared_prepare(ss_run *run, ss_err *err);
int ss_shared_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_shared_peek(ss_run *run, int s, ss_err *err);
/* For a method whose cycle has such passes: one pass of k subiterations from u[cur] into the other
 * field. False: the app interrupted it. squares: the sum of squared changes by Jacobi, of the last
 * pass with `check`. */
bool ss_shared_pass(const ss_run *run, int k, bool check);
double ss_shared_squares(const ss_run *run);
void ss_shared_release(ss_run *run);

#endif
