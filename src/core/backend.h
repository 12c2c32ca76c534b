/*
 * The hardware: a backend owns the state (device memory, streams, pictures); engine ops own only
 * their scratch. The core knows a backend only through these tables. All functions are called from
 * the engine thread, except probe, which any thread may call.
 */
#ifndef SS_BACKEND_H
#define SS_BACKEND_H

#include "src/base/common.h"
#include "src/core/equation.h"
#include "src/core/solver.h"

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
#define SS_AGES_MAX 64

/* Request for a picture: a window of the field, in points, sampled to w x h cells. */
typedef struct ss_view {
    uint64_t seq; /* grows with each change, echoed in the snapshot */
    ss_layer layer;
    int field;
    int axis, slice;       /* 3D: the slice (kernels/geom/pictures.h); 1D: slice is the copy */
    double x0, y0, x1, y1; /* window in points; x1 <= x0: everything */
    int w, h;              /* picture cells */
    int probe_x, probe_y;  /* point under the cursor, -1: none */
    int tile_x, tile_y;    /* selected subdomain, -1: none */
    bool exact;            /* read every point of every box, without a time budget */
    bool raster;           /* 1D: the space-time diagram is displayed */
    int kernels;           /* the kernels of the run are displayed: this one, from 1; 0: none */
    bool spectrum;         /* a spectrum is displayed: of the energy, or of a steady run's error */
} ss_view;

/* The values at one point, in full precision. */
typedef struct ss_probe {
    bool valid;
    int x, y;
    double value, west, east, south, north, rhs, residual, error, stale;
    bool has_error, has_stale;
    int tile_x, tile_y; /* owner, -1: none */
    /* 3D: the cell in the window, its patch (-1: none) out of npatch, and its block there. */
    int cell[3], patch, npatch, block[3];
    bool has_block;
} ss_probe;

/* Filled by sample. cell is w*h floats, row 0 at the top (largest y); NaN: no value. */
typedef struct ss_picture {
    float *cell;
    uint8_t *owner; /* w*h: a small number per owner; neighbours differ */
    int w, h;
    double lo, hi;                    /* of the finite cells */
    float profile[2][SS_PROFILE_MAX]; /* mean |layer| by position within a subdomain, x then y */
    int nprofile[2];
    int tiles[SS_AGES_MAX]; /* layer AGE: the number of tiles that are i * age_step ... sweeps ahead
                               of the slowest one */
    int nages, age_step;    /* nages 0: unknown */
    ss_probe probe;
    /* Layer STALENESS: the subdomains in the window, and how many of them were computed; each other
     * one is shown as the nearest of these. */
    int blocks, blocks_computed;
    bool sampled; /* some points were skipped (a live picture of a large field) */
} ss_picture;

/* One measured limit of the hardware: "triad", bytes per second. */
typedef struct ss_limit {
    const char *name, *unit, *help; /* unit: "B/s", "flop/s" (of one thread) or "s" */
    double value;
    double capacity; /* bytes, if it is the bandwidth of a cache; else 0 */
    bool per_core;   /* each core has such a cache */
} ss_limit;

#define SS_LIMITS_MAX 16

/* Measures the limits of the hardware, with which `bench` compares the kernels. Main thread, no run
 * in progress. */
typedef struct ss_meter {
    double sample_seconds; /* least solving time per sample of a kernel */
    double load_seconds;   /* of load after which the clock rate follows the power; 0: unknown */
    int sample_cycles;     /* least number of cycles per sample */
    /* Allocates the arrays; on SS_FAIL nothing remains allocated. */
    int (*open)(const ss_config *cfg, void **state, ss_err *err);
    /* The same rows in the same order each time, the triad first. Their number, or SS_FAIL. */
    int (*measure)(void *state, ss_limit *rows, ss_err *err);
    /* Details printed after the device's name: "AVX2 instructions". */
    void (*describe)(const void *state, char *buf, size_t size);
    void (*close)(void *state);
} ss_meter;

/* A kernel that was compiled and is kept on disk. */
typedef struct ss_kernel_facts {
    const char *file, *entry;     /* as its text names it */
    char target[16];              /* "sm_90", or "compute_90" for PTX */
    int registers, local, shared; /* per thread; bytes of local memory per thread (spilled
                                     registers), of static shared memory per block; -1: not known
                                     before the driver has compiled it */
    size_t bytes;                 /* of its file */
    double seconds;               /* that the compiler took */
} ss_kernel_facts;

/* Kernels that a backend compiles when a run needs them. Main thread, unless stated otherwise. */
typedef struct ss_kernel_store {
    /* What the device that is here needs, as `kernels fill` takes it: "90", "75-ptx". False: there
     * is no device, no compiler, or no folder for what it makes. */
    bool (*target)(char *text, size_t size);
    /* Until pretend_end, this thread's runs are opened and prepared for a device of that compute
     * capability, which need not be there (90 for 9.0): their kernels are compiled and kept,
     * nothing runs. ptx: as PTX, which the driver compiles for any GPU that is as new. shares:
     * except those that another process is compiling. */
    int (*pretend)(int capability, bool ptx, bool shares, ss_err *err);
    /* The same for the devices that are there, beside runs that go on: this thread's runs load
     * their kernels there, have no memory, and run nothing. Kernels that are not on disk are
     * compiled, or else their run fails. They end between two kernels where ss_run_unwanted says
     * so. Any thread. */
    void (*beside)(bool compiles);
    void (*pretend_end)(void);
    /* Those on disk, in no order. */
    void (*each)(void (*visit)(const ss_kernel_facts *k, void *ctx), void *ctx);
    /* Removes all; returns how many. */
    int (*clear)(void);
    /* From now on `text` stands for that of `file` in all that is compiled; NULL: the program's own
     * again. A run has the kernels that it was prepared with. Any thread. */
    int (*edit)(const char *file, const char *text, ss_err *err);
    /* The hash of the edited text in the kernels of a run that is prepared; 0: none has it. */
    uint64_t (*edited)(const ss_run *run);
} ss_kernel_store;

/* Cycles that kernels of an edited text have done (ss_kernel_store.edit), since a run began. */
typedef enum ss_bits { SS_BITS_UNKNOWN, SS_BITS_SAME, SS_BITS_DIFFER } ss_bits;
typedef struct ss_edited {
    uint64_t hash; /* of the last such text; 0: there are no such cycles */
    ss_bits bits;  /* of their fields, compared with the CPU's; src/engine/lane.h */
} ss_edited;

enum { SS_KERNEL_FILE = 96, SS_KERNEL_ENTRY = 400 };

/* A kernel of a run, as the driver reports it. -1: not known. */
typedef struct ss_running_kernel {
    char file[SS_KERNEL_FILE], entry[SS_KERNEL_ENTRY]; /* as its text names it */
    const char *text;                                  /* of the file, constant; NULL: not known */
    int registers,
        local; /* per thread; bytes of local memory per thread: spilled registers, arrays */
    int fixed, dynamic; /* bytes of shared memory per block: of the code, of the launch */
    int threads;        /* per block */
    double blocks;      /* of the launch */
    int resident;       /* blocks per SM */
    int most;           /* threads per SM: occupancy is resident * threads / most */
} ss_running_kernel;

typedef struct ss_backend {
    const char *name, *title;
    /* Is the hardware present? On SS_FAIL err has the reason. */
    int (*probe)(ss_err *err);
    /* Seconds that the device took to be ready, once per process. NULL: it always is. */
    double (*start_seconds)(void);
    /* `auto` chooses this backend only if this row was given ("ranks"). NULL: whenever it can. */
    const char *asked_by;
    /* Checks a config for this backend, before its ranges are; may set rows that follow from the
     * hardware. NULL: nothing to check. */
    int (*check)(ss_config *cfg, ss_err *err);
    /* Has the device failed permanently, so that the state of `run` is lost? Then why (may be NULL)
     * gets a sentence. run NULL: are the states of all runs lost? Then probe fails from then on.
     * NULL: this backend cannot be lost. */
    bool (*lost)(const ss_run *run, ss_err *why);
    /* The program leaves and cannot wait for the device: all states are lost, calls in progress
     * return. Any thread. NULL: this backend never waits for others. */
    void (*let_go)(void);
    /* A line for the status: "CPU, 8 threads". */
    void (*describe)(const ss_config *cfg, char *buf, size_t size);
    /* Bytes of memory that a problem may use; what: the limit in words ("23.5 GB of memory"). */
    double (*memory)(char *what, size_t size);
    /* The same for a config, which may use several devices. NULL: as above. */
    double (*memory_of)(const ss_config *cfg, char *what, size_t size);
    /* Allocates the state and fills it with init and rhs of the equation. On failure nothing
     * remains allocated. */
    int (*open)(ss_run *run, ss_err *err);
    void (*close)(ss_run *run);
    int (*reset)(ss_run *run, ss_err *err);
    /* Rows [j0, j1) of plane k, dense doubles or the run's precision, host memory.
     * which: 0 current field, 1 right-hand side (scaled), 2 field at the start of the cycle. */
    int (*upload)(ss_run *run, int which, int field, int k, int j0, int j1, const void *rows,
                  ss_err *err);
    int (*download)(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                    ss_err *err);
    /* Writes the current fields, dense, field after field, to a file that exists, from byte `at`
     * on. NULL, or SS_FAIL because not all processes can write there: they are downloaded. */
    int (*write)(ss_run *run, const char *path, int64_t at, ss_err *err);
    /* Fills the picture of the current state. */
    int (*sample)(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
    /* |r|_2 of the current field (residual NULL: not computed) and max |u - ref| (ref NULL); not
     * finite if the field is not. */
    int (*reduce)(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err);
    const ss_meter *meter;
    const ss_kernel_store *kernels; /* NULL: it has none */
    /* Kernel i of a run that is prepared, those of its cycles; false: there are no more. NULL: its
     * kernels are functions of this program. */
    bool (*kernel_of)(const ss_run *run, int i, ss_running_kernel *out);
    /* Most points of a problem whose classic run is computed beside a run without being asked for;
     * 0: only when it is. */
    double beside;
} ss_backend;

enum {
    SS_CAP_EXACT = 1 << 0, /* bit-for-bit equal to the CPU */
    SS_CAP_TICK = 1 << 1,  /* a cycle can be shown after s subiterations */
    SS_CAP_AGE = 1 << 2,   /* tiles differ in age within a cycle */
    SS_CAP_TILES = 1 << 3
};

typedef struct ss_engine_ops {
    const char *name;
    unsigned caps;
    ss_param *params; /* rows of this combination only */
    int nparam;
    const void *own; /* private to the backend: tells apart tables that share functions */
    int (*prepare)(ss_run *run, ss_err *err); /* scratch for the current config */
    /*
     * Advances by `cycles`; on return all points are at one time level. If ss_run_wants_norm(run),
     * the norm of the field at the START of the cycle is fused into its first sweep. If
     * ss_run_norm(run, norm) then returns false, that cycle is dropped and its start field is the
     * result. Call ss_run_cycle_done(run) after each finished cycle, and ss_run_abandoned(run)
     * between tiles: if it is true, drop the cycle in the same way.
     */
    int (*step)(ss_run *run, int64_t cycles, ss_err *err);
    /* Transient equations: classic steps, for a remainder shorter than a cycle. */
    int (*finish)(ss_run *run, int64_t steps, ss_err *err);
    /* Computes s subiterations of the next cycle into the other buffer; the run does not advance.
     */
    int (*peek)(ss_run *run, int s, ss_err *err);
    /*
     * What the next cycle needs besides the field: the previous field, search directions. It is
     * kept with every copy of the field, so that a restored run continues bit for bit. memory: its
     * bytes; NULL: nothing is needed. memory_get copies it to host memory. memory_put restores it;
     * `from` NULL: there is none (the field was changed from outside), the method starts again from
     * the field. prepare starts in the same way.
     */
    size_t (*memory)(const ss_run *run);
    int (*memory_get)(ss_run *run, void *to, ss_err *err);
    int (*memory_put)(ss_run *run, const void *from, ss_err *err);
    void (*release)(ss_run *run);
    /* SS_CAP_AGE: the tile of each sweep of the last cycle, in execution order; *known: false if
     * there was no cycle. For the layer AGE and for the microscope, which replays it. NULL: the
     * order follows from the seed (CPU). */
    int (*order)(ss_run *run, uint32_t *tile, bool *known, ss_err *err);
    /* The CPU ops that show the cycle under the microscope if these cannot; or NULL. */
    const struct ss_engine_ops *microscope;
    /* The value of a row of integers or choices that is not given, where the kernel has a best one
     * on this device: the shape of its tiles. False: it has none, and the row's default or
     * `follows` holds. Of the values that it gives, it reads only those that are given. Any thread.
     * NULL: there are none. */
    bool (*best)(const ss_config *cfg, const char *row, int64_t *out);
} ss_engine_ops;

#endif
