/*
 * ON WHAT: a backend owns the state (device memory, streams, pictures); engine ops own only their
 * scratch. The core never learns what is behind these tables. All functions are called from the
 * engine thread, except probe, which any thread may call.
 */
#ifndef SS_BACKEND_H
#define SS_BACKEND_H

#include "src/base/common.h"
#include "src/core/equation.h"
#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ss_run ss_run; /* src/core/run.h */

typedef enum ss_layer {
    SS_VALUE,     /* u, box mean */
    SS_EXACT,     /* u*, the exact solution of the discrete system, box mean */
    SS_RESIDUAL,  /* |b - A u|, box maximum */
    SS_ERROR,     /* |u - u*|, box maximum */
    SS_UPDATE,    /* |u - the field the last cycle started from|, box maximum (3D) */
    SS_STALENESS, /* |block value - k exact Jacobi sweeps from the same state|, box maximum */
    SS_AGE,       /* sweeps ahead of the slowest tile, box minimum */
    SS_OWNER,     /* the block that writes the point, nearest */
    SS_NLAYER
} ss_layer;

#define SS_PROFILE_MAX 1024

/* What a picture shows: a window of the field, in points, sampled to w x h cells. */
typedef struct ss_view {
    uint64_t seq; /* grows with each change, echoed in the snapshot */
    ss_layer layer;
    int field;
    int axis, slice;       /* 3D: the slice (kernels/geom/slice.h); 1D: slice is the copy */
    double x0, y0, x1, y1; /* window in points; x1 <= x0: everything */
    int w, h;              /* picture cells */
    int probe_x, probe_y;  /* point under the cursor, -1: none */
    int tile_x, tile_y;    /* selected subdomain, -1: none */
    bool exact;            /* read every point of every box, however long it takes */
    bool spectrum;         /* lines: the energy spectrum is looked at */
} ss_view;

/* A point looked at closely, full precision. */
typedef struct ss_probe {
    bool valid;
    int x, y;
    double value, west, east, south, north, rhs, residual, error, stale;
    bool has_error, has_stale;
    int tile_x, tile_y; /* owner, -1: none */
    /* 3D: the cell of the window, which patch (-1: none) of how many, and which of its blocks. */
    int cell[3], patch, npatch, block[3];
    bool has_block;
} ss_probe;

/* What sample fills. cell is w*h floats, row 0 at the top (largest y); NaN: nothing to show. */
typedef struct ss_picture {
    float *cell;
    uint8_t *owner; /* w*h: a small number per owner, neighbours differ */
    int w, h;
    double lo, hi;                    /* of the finite cells */
    float profile[2][SS_PROFILE_MAX]; /* mean |layer| by position within a subdomain, x then y */
    int nprofile[2];
    ss_probe probe;
    bool sampled; /* some points of some boxes were skipped (a live picture of a large field) */
} ss_picture;

/* One measured limit of the hardware: "triad", bytes per second. */
typedef struct ss_limit {
    const char *name, *unit, *help; /* unit: "B/s", "flop/s" or "s" */
    double value;
} ss_limit;

#define SS_LIMITS_MAX 16

/* Measures the hardware itself, for `bench`: what kernels are compared with. Main thread, no run in
 * progress. */
typedef struct ss_meter {
    double sample_seconds; /* of work behind one figure of a kernel, at least */
    int sample_cycles;     /* and cycles */
    /* Takes what the measurements need, arrays above all; on SS_FAIL nothing is left. */
    int (*open)(const ss_config *cfg, void **state, ss_err *err);
    /* The same rows in the same order each time, the triad first. How many, or SS_FAIL. */
    int (*measure)(void *state, ss_limit *rows, ss_err *err);
    /* What is worth knowing beside the device's name: "AVX2 instructions". */
    void (*describe)(const void *state, char *buf, size_t size);
    void (*close)(void *state);
} ss_meter;

typedef struct ss_backend {
    const char *name, *title;
    /* Is the hardware there? On SS_FAIL the reason stands in err. */
    int (*probe)(ss_err *err);
    /* Has the device failed permanently, so that all states are lost? Then why (may be NULL) gets
     * the sentence, and probe fails from now on. NULL: this backend cannot be lost. */
    bool (*lost)(ss_err *why);
    /* A line for the status: "CPU, 8 threads". */
    void (*describe)(const ss_config *cfg, char *buf, size_t size);
    /* Bytes of memory a problem may use, and what bounds it ("23.5 GB of memory"). */
    double (*memory)(char *what, size_t size);
    /* Allocates the state, fills it with init and rhs of the equation. Leaves nothing on failure.
     */
    int (*open)(ss_run *run, ss_err *err);
    void (*close)(ss_run *run);
    int (*reset)(ss_run *run, ss_err *err);
    /* Rows [j0, j1) of plane k, dense doubles or the run's precision, host memory.
     * which: 0 current field, 1 right-hand side (scaled), 2 kept start-of-cycle field. */
    int (*upload)(ss_run *run, int which, int field, int k, int j0, int j1, const void *rows,
                  ss_err *err);
    int (*download)(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                    ss_err *err);
    /* Fills the picture of the current state. */
    int (*sample)(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
    /* |r|_2 of the current field; max |u - ref| (ref NULL: left alone). */
    int (*reduce)(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err);
    const ss_meter *meter;
} ss_backend;

enum {
    SS_CAP_EXACT = 1 << 0, /* bit-identical to the CPU */
    SS_CAP_TICK = 1 << 1,  /* a cycle can be seen after s subiterations */
    SS_CAP_AGE = 1 << 2,   /* tiles differ in age in the middle of a cycle */
    SS_CAP_TILES = 1 << 3
};

typedef struct ss_engine_ops {
    const char *name;
    unsigned caps;
    ss_param *params; /* that only this combination has */
    int nparam;
    const void *own; /* for functions that several tables share; the backend's business */
    int (*prepare)(ss_run *run, ss_err *err); /* scratch for the current config */
    /*
     * Advance by `cycles`, state at one time level on return. Whenever ss_run_wants_norm(run) the
     * norm of the field a cycle STARTS from is fused into its first sweep; ss_run_norm(run, norm)
     * then says whether to go on; if not, that cycle is dropped and the field it started from
     * is kept. After each finished cycle: ss_run_cycle_done(run). Between tiles call
     * ss_run_abandoned(run): a dropped cycle leaves the start field.
     */
    int (*step)(ss_run *run, int64_t cycles, ss_err *err);
    /* Transient equations: classic steps, where fewer are left than a cycle has. */
    int (*finish)(ss_run *run, int64_t steps, ss_err *err);
    /* The cycle that starts from the current field, seen after s subiterations: the result goes to
     * the other buffer, nothing advances. */
    int (*peek)(ss_run *run, int s, ss_err *err);
    void (*release)(ss_run *run);
    /* SS_CAP_AGE: the tile of each sweep of the last cycle, in the order they were done; *known:
     * there was one. For the layer AGE and for the microscope, which replays it. NULL: the order
     * follows from the seed (CPU). */
    int (*order)(ss_run *run, uint32_t *tile, bool *known, ss_err *err);
    /* The ops that can show a cycle from within, where these cannot: the CPU's. Or NULL. */
    const struct ss_engine_ops *microscope;
} ss_engine_ops;

#ifdef __cplusplus
}
#endif
#endif
