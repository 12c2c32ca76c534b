/*
 * What the files of the sampler share: plan.c (which points a picture cell covers and which of them
 * are read), picture.c (the picture), layer.c (rows of a layer), stale.c (private block values
 * against exact sweeps), profile.c and probe.c. All of it runs on the CPU and serves every
 * backend; what reads whole fields, and where the fields are, is behind an ss_reader: the CPU's in
 * kernels/cpu/reader.c, a device's beside its kernels. One ss_sampler lives for one call, on the
 * engine thread, which is also the only thread that reads it.
 */
#ifndef SS_CPU_SAMPLE_H
#define SS_CPU_SAMPLE_H

#include "kernels/geom/slice.h"
#include "src/core/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A point of the field belongs to the box [x, x+1) x [y, y+1) of the window. */
typedef struct ss_area {
    int x0, y0, x1, y1;
} ss_area;

/* --- what is read ----------------------------------------------------------------------------- */

/* Points [lo, hi) of each of `count` cells; lo == hi: beyond the field. */
typedef struct ss_bins {
    int count, first, last; /* of all points covered */
    int *lo, *hi;
} ss_bins;

typedef struct ss_plan {
    ss_bins x, y; /* y from the bottom */
    int pairs;    /* of rows read in each box; 0: all rows (kernels/geom/boxes.h) */
    bool pieces;  /* x holds the pieces to read, not whole boxes */
    bool sampled; /* some points of some boxes are left out */
} ss_plan;

/* --- where it is read ------------------------------------------------------------------------- */

/* Part of a field in this machine's memory: all of it, or what was fetched from a device. */
typedef struct ss_part {
    const char *data; /* the value at (x0, y0) */
    ptrdiff_t stride; /* values between rows */
    int x0, y0;
    ptrdiff_t field; /* time-dependent equations: values from a field to the next; data is in the
                        first one */
} ss_part;

/* The shown field, the scaled right-hand side, the start of the shown cycle (no data if it was not
 * kept). */
enum { SS_PART_U, SS_PART_RHS, SS_PART_START, SS_NPART };
typedef struct ss_parts {
    ss_part of[SS_NPART];
} ss_parts;

/* What of a 3D domain can be read as a dense plane: u, the right-hand side b, the field that the
 * last cycle started from, b - A u. */
typedef enum ss_slice_part {
    SS_SLICE_U,
    SS_SLICE_RHS,
    SS_SLICE_START,
    SS_SLICE_RESIDUAL,
    SS_NSLICE
} ss_slice_part;

/* --- subdomains that stand for all ------------------------------------------------------------ */

#define SS_TILES_MAX 64

/* One subdomain, both directions. */
typedef struct ss_tile {
    int tx, ty;
    ss_span x, y;
} ss_tile;

/*
 * Tiles chosen evenly over a range of the tiling: nx * ny of them in rows, then perhaps the one the
 * person selected. If nx, ny are the whole range, every tile is there.
 */
typedef struct ss_tile_set {
    ss_cut cut_x, cut_y;
    int x0, y0, range_x, range_y; /* tiles of the range */
    int nx, ny, count;
    ss_tile tile[SS_TILES_MAX];
} ss_tile_set;

/* The private values of computed tiles against exact sweeps. */
typedef struct ss_stale {
    ss_tile_set set;
    bool all;                   /* every tile of the window is there: a value per point */
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
    ss_parts here;   /* what the rows of layers read */
    bool start_kept; /* the field the shown cycle started from, `subiterations` ago, is there */
    int subiterations;
    const double *ref; /* u*, dense; NULL if not ready */
    double *solution;  /* instead of u*: what the shown quantity should be now; NULL: unknown */
    int quantity;      /* of a time-dependent equation */
    size_t size;       /* bytes of a value */
    int nx, ny, team;  /* points; threads of a sweep */
    bool tiled;
    ss_tiling tiling;
    int *age, youngest; /* layer AGE: sweeps done by each tile, the least of all; or NULL */
    ss_area window;     /* the points the window shows */
    char *scratch;      /* a row in the run's precision, as the fields are aligned */
    double *row;        /* a row of layer values, and */
    double *acc;        /* their sums or maxima; both indexed by x */
    ss_stale stale;
    ss_slice slice; /* 3D: nx, ny are its cells, and its parts are here as far as they are needed */
    double *plane[SS_NSLICE];
    uint8_t *owners; /* layer OWNER of it; UINT8_MAX: of no patch */
} ss_sampler;

/* Sums over the points of tiles, for the edge profile: columns[k * ncolumn + x] over the rows of
 * tile k that are read, rows[k * nrow + y] over its columns. rows may be NULL. */
typedef struct ss_tile_sums {
    double *columns, *rows;
    int ncolumn, nrow; /* positions that count; a tile may have fewer or more */
    int step;          /* pairs of rows that are read are so far apart; 2: every row */
} ss_tile_sums;

/*
 * Who reads the fields, and what a picture may cost there. The budgets are for live pictures, 20
 * times per second beside a running solver.
 */
typedef struct ss_reader {
    double picture_bytes, profile_bytes; /* read at most for a live picture and its profile */
    double stale_small; /* point updates that staleness may cost in a small field */
    double stale_share; /* part of a cycle that it may cost if a single tile is dearer than that */
    /* Makes areas of the fields readable here, until the next call: the shown field, or all of
     * them if the equation depends on time. */
    int (*fetch)(ss_sampler *s, const ss_area *area, int n, ss_parts *out, ss_err *err);
    /* The cells of a layer of values. */
    int (*cells)(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err);
    int (*tile_sums)(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out, ss_err *err);
    /* 3D: a part of a slice, s->n[0] * s->n[1] values. Cells of no patch are left as they are.
     * NULL: there are no 3D runs. */
    int (*slice)(ss_run *run, const ss_slice *s, ss_slice_part part, double *out, ss_err *err);
    /* Sweeps done by each of `tiles` tiles, or NULL: they were not counted. NULL: this backend does
     * not count.
     */
    const int *(*ages)(const ss_run *run, size_t tiles);
} ss_reader;

/* A layer that can be averaged, or searched for its maximum, over a box of points. */
typedef struct ss_layer_rows {
    bool mean;    /* box mean of signed values; else box maximum of magnitudes */
    double reads; /* bytes read for a pair of rows, in rows of the field of two */
    bool (*ready)(const ss_sampler *s); /* are there values now? */
    /* Values at x0 <= x < x1 of row y into v[0..x1-x0). */
    void (*row)(const ss_sampler *s, int y, int x0, int x1, double *v);
} ss_layer_rows;

/* NULL row: the layer has no values of its own on this backend (AGE), or is no number (OWNER). */
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

/* plan.c. `picture` cells over the window, a layer that is averaged or not, so many bytes. */
int ss_plan_make(const ss_sampler *s, const ss_layer_rows *layer, const ss_picture *picture,
                 ss_plan *out, ss_err *err);
void ss_plan_free(ss_plan *p);
/* Is box c the same as the one before it? */
bool ss_bins_same(const ss_bins *b, int c);
ss_area ss_plan_window(const ss_sampler *s);

/* picture.c: the picture of a run whose fields lie as `box` says. */
int ss_sample(ss_run *run, const ss_view *view, const ss_reader *reader, const ss_box *box,
              ss_picture *out, ss_err *err);
/* The CPU's: rows of the layer, folded one by one. */
int ss_sample_cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err);

/* One value of a field as a double. */
double ss_sample_value(const ss_sampler *s, int part, int x, int y);
/* v = |a - b|, both in the run's precision. */
void ss_sample_difference(const ss_sampler *s, const void *a, const void *b, int n, double scale,
                          double *v);

/* At most `max` of the tiles that the window touches, the selected one always among them. */
void ss_sample_tiles(const ss_sampler *s, int max, ss_tile_set *out);
/* Index of the tile of the set that stands for (tx, ty): itself, or the nearest. */
int ss_sample_nearest(const ss_tile_set *set, int tx, int ty);

/* Computes s->stale (nothing if the start of the cycle was not kept). *sampled: not every tile. */
int ss_sample_stale(ss_sampler *s, bool *sampled, ss_err *err);
void ss_sample_stale_free(ss_sampler *s);
/* What ss_sample_stale_at will read around a point. */
ss_area ss_sample_stale_area(const ss_sampler *s, int x, int y);
/* |shown - exact| at one point of s->here, whatever tiles were computed; false if too dear. */
bool ss_sample_stale_at(const ss_sampler *s, int x, int y, double *out);

int ss_sample_profile(ss_sampler *s, ss_picture *out, ss_err *err);
/* The CPU's sums over tiles: of the layer's rows, or of private values if the set is s->stale's. */
int ss_sample_tile_sums(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out,
                        ss_err *err);
int ss_sample_probe(ss_sampler *s, ss_picture *out, ss_err *err);

/* slice.c: 3D. Which slice, and its owners; the parts that the view needs; the point in it. */
int ss_slice_open(ss_sampler *s, ss_err *err);
int ss_slice_read(ss_sampler *s, ss_err *err);
void ss_slice_free(ss_sampler *s);
int ss_slice_probe(const ss_sampler *s, ss_probe *p, ss_err *err);

#ifdef __cplusplus
}
#endif
#endif
