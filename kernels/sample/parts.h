/*
 * The common header of the sampler's files: plan.c (the points that a picture cell covers, and
 * those that are read), picture.c (the picture, the point under the cursor), layer.c (rows of a
 * layer, private subdomain values against exact sweeps), profile.c and slice.c. They run on the CPU
 * and serve every backend. Access to the fields goes through an ss_reader: the CPU's is in
 * kernels/cpu/backend.c, a device's next to its kernels. An ss_sampler exists for one call, on the
 * engine thread.
 */
#ifndef SS_CPU_SAMPLE_H
#define SS_CPU_SAMPLE_H

#include "kernels/geom/pictures.h"
#include "src/core/run.h"
#include "src/core/trace.h"

/* --- what is read ----------------------------------------------------------------------------- */

/* Picture cell c of `count` covers points [lo[c], hi[c]); lo == hi: outside the field. */
typedef struct ss_bins {
    int count, first, last; /* all cells together cover points [first, last) */
    int *lo, *hi;
    bool single; /* cell c covers the point first + c alone */
    bool few;    /* each cell covers one point or two */
} ss_bins;

typedef struct ss_plan {
    ss_bins x, y;  /* y from the bottom */
    int pairs;     /* pairs of rows read per box; 0: all rows (kernels/geom/pictures.h) */
    bool segments; /* x holds the part of each box that is read, not whole boxes */
    bool sampled;  /* some points of some boxes are not read */
} ss_plan;

/* --- where it is read ------------------------------------------------------------------------- */

/* Part of a field in host memory: all of it, or an area fetched from a device. */
typedef struct ss_part {
    const char *data; /* the value at (x0, y0) */
    ptrdiff_t stride; /* values between rows */
    int x0, y0;
    ptrdiff_t field; /* time-dependent equations: values from field to field; data points into the
                        first one */
} ss_part;

/* The displayed field, the scaled right-hand side, the start of the displayed cycle (no data if it
 * was overwritten). */
enum { SS_PART_U, SS_PART_RHS, SS_PART_START, SS_NPART };
typedef struct ss_parts {
    ss_part of[SS_NPART];
} ss_parts;

/* The quantities of a 3D domain that can be read as a dense plane: u, the right-hand side b, u at
 * the start of the last cycle, b - A u. */
typedef enum ss_slice_part {
    SS_SLICE_U,
    SS_SLICE_RHS,
    SS_SLICE_START,
    SS_SLICE_RESIDUAL,
    SS_NSLICE
} ss_slice_part;

/* --- a sample of the subdomains --------------------------------------------------------------- */

#define SS_TILES_MAX 128

/* One subdomain, both directions. */
typedef struct ss_tile {
    int tx, ty;
    ss_span x, y;
} ss_tile;

/*
 * Tiles spread evenly over a range of the tiling: nx * ny of them in rows, then the tile that the
 * user selected, if it is in the range. If nx, ny equal the range, all tiles are in the set.
 */
typedef struct ss_tile_set {
    ss_cut cut_x, cut_y;
    int x0, y0, range_x, range_y; /* tiles of the range */
    int nx, ny, count;
    ss_tile tile[SS_TILES_MAX];
} ss_tile_set;

/* A column of the window's tiles: the first point it reads, the end of those it owns, and the
 * nearest column of the set's grid. */
typedef struct ss_tile_column {
    int lo, end, nearest;
} ss_tile_column;

/* The private values of some tiles minus exact sweeps. */
typedef struct ss_stale {
    ss_tile_set set;
    ss_tile_column *column;     /* set.range_x of them; NULL: pictures show no values per point */
    bool all;                   /* the set has every tile of the window: a value per point */
    float *value[SS_TILES_MAX]; /* |private - exact| of each point of the tile, rows of x.hi-x.lo */
    float max[SS_TILES_MAX];    /* over the points the tile writes */
} ss_stale;

/* --- the sampler ------------------------------------------------------------------------------ */

struct ss_reader;

typedef struct ss_sampler {
    ss_run *run;
    const ss_view *view;
    const struct ss_reader *reader;
    const ss_box *box;
    ss_parts here;   /* the input of the rows of layers */
    bool start_kept; /* the start of the displayed cycle, `subiterations` ago, is available */
    int subiterations;
    const double *ref; /* u*, dense; NULL if not ready */
    double *solution;  /* instead of u*: the exact solution at the present time; NULL: unknown */
    int quantity;      /* time-dependent equations: the displayed quantity */
    size_t size;       /* bytes of a value */
    int nx, ny, team;  /* points; threads of a sweep */
    bool tiled;
    ss_tiling tiling;
    int *age, youngest; /* layer AGE: sweeps done by each tile, or NULL; their minimum */
    bool aged;          /* they are those of a launch */
    ss_area window;     /* the points in the window */
    ss_area part;       /* those that cells are made of: all, but for a part of a divided field */
    char *scratch;      /* a row in the run's precision, aligned as the fields are */
    double *row;        /* a row of layer values, */
    double *acc;        /* and their sums or maxima; both indexed by x */
    ss_stale stale;
    ss_slice slice;           /* 3D: nx, ny count its cells */
    double *plane[SS_NSLICE]; /* its planes; NULL: not needed */
    uint8_t *owners;          /* layer OWNER of the slice; UINT8_MAX: outside all patches */
} ss_sampler;

/* Sums over the points of tiles, for the edge profile. columns[k * ncolumn + x]: column x of tile
 * k, over the rows that are read. rows[k * nrow + y]: row y of tile k. rows may be NULL. */
typedef struct ss_tile_sums {
    double *columns, *rows;
    int ncolumn, nrow; /* positions in the profile; a tile may have fewer or more */
    int step;          /* distance of the pairs of rows that are read; 2: every row */
    int rim;           /* host only: so many rows at either end do not count for a column, nor so
                          many columns for a row, as far as a middle is left: what comes from other
                          sides of the tile than the two of the profile */
} ss_tile_sums;

/*
 * A backend's access to its fields, and the cost limits of a picture. The limits are for live
 * pictures, 20 per second while the solver runs.
 */
typedef struct ss_reader {
    double picture_bytes, profile_bytes; /* the most bytes read for a live picture, its profile */
    double stale_small;                  /* the most point updates for staleness in a small field */
    double stale_share; /* the most for one tile if that exceeds stale_small, as part of a cycle */
    /* Makes areas of the fields readable on the host until the next call. Time-dependent equations:
     * of all fields. */
    int (*fetch)(ss_sampler *s, const ss_area *area, int n, ss_parts *out, ss_err *err);
    /* Computes the picture cells of a layer that has values per point. */
    int (*cells)(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err);
    /* NULL: this backend has no edge profile. */
    int (*tile_sums)(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out, ss_err *err);
    /* 3D: reads one quantity of a slice, s->n[0] * s->n[1] values. Cells outside all patches are
     * not written. NULL: the backend has no 3D runs. */
    int (*slice)(ss_run *run, const ss_slice *s, ss_slice_part part, double *out, ss_err *err);
    /* Returns the sweeps done by each of `tiles` tiles; NULL if not counted. A NULL pointer: this
     * backend never counts them. */
    const int *(*ages)(const ss_run *run, size_t tiles);
} ss_reader;

/* A layer that has values per point and is reduced over a box of points. */
typedef struct ss_layer_rows {
    bool mean;    /* box mean of signed values; else box maximum of magnitudes */
    double reads; /* the memory traffic of one row, in rows of a field */
    bool (*ready)(const ss_sampler *s); /* whether values are available now */
    /* Writes the values at x0 <= x < x1 of row y to v[0..x1-x0). */
    void (*row)(const ss_sampler *s, int y, int x0, int x1, double *v);
    /* Optional, for maxima: v becomes the maximum of itself and those values. NaN is ignored. */
    void (*add)(const ss_sampler *s, int y, int x0, int x1, double *v);
} ss_layer_rows;

/* row == NULL: the layer has one value per tile (AGE), or no numerical values (OWNER). */
extern const ss_layer_rows ss_layer_rows_of[SS_NLAYER];
extern const ss_layer_rows ss_layer_rows_of_slice[SS_NLAYER];

static inline const ss_layer_rows *ss_layer_of(const ss_run *run, ss_layer layer)
{
    return run->eq->dim > 2 ? &ss_layer_rows_of_slice[layer] : &ss_layer_rows_of[layer];
}

static inline const char *ss_part_at(const ss_sampler *s, const ss_part *p, int x, int y)
{
    return p->data + ((y - p->y0) * p->stride + (x - p->x0)) * (ptrdiff_t)s->size;
}

/* plan.c: the plan of a picture of w * h cells, from the window, and the layer's reduction and
 * traffic. */
int ss_plan_make(const ss_sampler *s, int w, int h, ss_plan *out, ss_err *err);
void ss_plan_free(ss_plan *p);
/* Whether cell c covers the same points as cell c - 1. */
bool ss_bins_same(const ss_bins *b, int c);
/* The points in the view's window. */
ss_area ss_plan_window(const ss_sampler *s);

/* picture.c: the picture of a run whose fields have the layout `box`. */
int ss_sample(ss_run *run, const ss_view *view, const ss_reader *reader, const ss_box *box,
              ss_picture *out, ss_err *err);
/* ss_reader.cells of the CPU: reduces the rows of the layer one by one. */
int ss_sample_cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err);

/* A field that is divided among processes. Each of them makes the plan of a picture with the view's
 * size, and folds the points of its `part`, which lie in `here`, to sums or maxima of the plan's
 * boxes: p->y.count rows from the bottom of p->x.count. Of all folds, summed or their maxima,
 * ss_sample_unfold makes the cells. Layers VALUE of a field and RESIDUAL. Means of boxes that parts
 * divide differ by rounding from those of the whole field. */
int ss_sample_plan(ss_run *run, const ss_view *view, const ss_reader *reader, ss_plan *out,
                   ss_err *err);
int ss_sample_fold(ss_run *run, ss_layer of, const ss_parts *here, const ss_area *part,
                   const ss_plan *p, double *fold, ss_err *err);
void ss_sample_unfold(const ss_sampler *s, const ss_plan *p, const double *fold, ss_picture *out);

/* The cell of points [lo, hi) in x, from the sums or maxima of its columns over `rows` rows, which
 * are indexed by x. */
float ss_sample_cell(const double *columns, bool mean, int lo, int hi, int rows);

/* One value of a field as a double. */
double ss_sample_value(const ss_sampler *s, int part, int x, int y);

/* At most `max` of the tiles in the window, always including the selected one. */
void ss_sample_tiles(const ss_sampler *s, int max, ss_tile_set *out);
/* Index of the tile of the set that represents (tx, ty): itself, or the nearest. */
int ss_sample_nearest(const ss_tile_set *set, int tx, int ty);

/* Computes s->stale; nothing if the start of the cycle was overwritten. Sets out->sampled and the
 * numbers of blocks. */
int ss_sample_stale(ss_sampler *s, ss_picture *out, ss_err *err);
void ss_sample_stale_free(ss_sampler *s);
/* The area that ss_sample_stale_at reads around a point. */
ss_area ss_sample_stale_area(const ss_sampler *s, int x, int y);
/* |displayed - exact| at one point of s->here, independent of s->stale; false if too expensive. */
bool ss_sample_stale_at(const ss_sampler *s, int x, int y, double *out);

int ss_sample_profile(ss_sampler *s, ss_picture *out, ss_err *err);
/* ss_reader.tile_sums of the CPU: sums the layer's rows, or private values if set == &s->stale.set.
 */
int ss_sample_tile_sums(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out,
                        ss_err *err);

/* slice.c, 3D. open: selects the slice and finds its owners. read: the planes that the view needs.
 * probe: the point under the cursor. */
int ss_slice_open(ss_sampler *s, ss_err *err);
int ss_slice_read(ss_sampler *s, ss_err *err);
void ss_slice_free(ss_sampler *s);
int ss_slice_probe(const ss_sampler *s, ss_probe *p, ss_err *err);

#endif
