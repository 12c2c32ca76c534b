/*
 * What the files of the CPU sampler share: sample.c (the picture), layer.c (rows of a layer),
 * stale.c (private block values against exact sweeps), profile.c and probe.c. One ss_sampler lives
 * for one ss_cpu_sample call, on the engine thread, which is also the only thread that reads it.
 */
#ifndef SS_CPU_SAMPLE_H
#define SS_CPU_SAMPLE_H

#include "kernels/cpu/cpu.h"
#include "src/run.h"

/* A point of the field belongs to the box [x, x+1) x [y, y+1) of the window. */
typedef struct ss_area {
    int x0, y0, x1, y1;
} ss_area;

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

typedef struct ss_sampler {
    ss_run *run;
    const ss_view *view;
    const ss_cpu_state *st;
    const char *u, *rhs; /* the shown field, the scaled right-hand side; element 0 */
    const char *start;   /* of the shown cycle, `subiterations` before u; NULL if not kept */
    int subiterations;
    const double *ref; /* u*, dense; NULL if not ready */
    size_t size;       /* bytes of a value */
    int nx, ny, team;  /* points; threads of a sweep */
    bool tiled;
    ss_tiling tiling;
    bool aged;      /* the solver's tiles differ in age, and they were counted: */
    int youngest;   /* the least of all tiles */
    ss_area window; /* the points the window shows */
    char *scratch;  /* a row in the run's precision, as the fields are aligned */
    double *row;    /* a row of layer values, and */
    double *acc;    /* their sums or maxima; both indexed by x */
    ss_stale stale;
} ss_sampler;

/* A layer a box of points of which can be averaged or searched for its maximum. */
typedef struct ss_layer_rows {
    bool mean;    /* box mean of signed values; else box maximum of magnitudes */
    double reads; /* bytes read for a pair of rows, in rows of the field of two */
    bool (*ready)(const ss_sampler *s); /* are there values now? */
    /* Values at x0 <= x < x1 of row y into v[0..x1-x0). */
    void (*row)(const ss_sampler *s, int y, int x0, int x1, double *v);
} ss_layer_rows;

/* NULL row: the layer has no values of its own on this backend (AGE), or is no number (OWNER). */
extern const ss_layer_rows ss_layer_rows_of[SS_NLAYER];

static inline size_t ss_sample_at(const ss_sampler *s, int x, int y)
{
    return ss_cpu_at(s->st, x, y, 0);
}

/* One value of a field as a double. */
double ss_sample_value(const ss_sampler *s, const void *field, int x, int y);
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
/* |shown - exact| at one point, whatever tiles were computed; false if too dear. */
bool ss_sample_stale_at(const ss_sampler *s, int x, int y, double *out);

void ss_sample_profile(ss_sampler *s, ss_picture *out);
void ss_sample_probe(ss_sampler *s, ss_picture *out);

#endif
