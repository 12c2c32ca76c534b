/*
 * The snapshot: all data that the engine thread passes to the app. It holds telemetry and a picture
 * on request, never the state. Slots are exchanged through a lock-free triple buffer: the engine
 * fills the back slot and publishes it, the app takes the newest; neither waits. A slot and the
 * memory that it points to belong to one side at a time.
 */
#ifndef SS_SNAPSHOT_H
#define SS_SNAPSHOT_H

#include <math.h>

#include "kernels/geom/tiles.h"
#include "src/base/common.h"
#include "src/core/backend.h"
#include "src/core/history.h"
#include "src/core/param.h"
#include "src/core/solver.h"
#include "src/core/split.h"
#include "src/ranks/clock.h"
#include "src/snapshot/race.h"
#include "src/snapshot/roofs.h"

/* --- telemetry -------------------------------------------------------------------------------- */

/*
 * Telemetry: every live figure with a validity bit, from one table. Front ends print it row by row.
 */

/* name, label, unit (bytes and rates are scaled when printed), depends on the wall clock? (then
 * drawn as - with --deterministic) */
#define SS_TELEMETRY(X)                                                                            \
    X(CYCLE, "cycle", "", false)                                                                   \
    X(ITERATION, "iteration", "", false)                                                           \
    X(STEP, "steps", "", false)                                                                    \
    X(TIME, "t", "", false)                                                                        \
    X(DT, "dt", "", false)                                                                         \
    X(RESIDUAL, "|r|", "", false)                                                                  \
    X(REDUCTION, "|r|/|r0|", "", false)                                                            \
    X(SMOOTHING, "step's factor", "", false)                                                       \
    X(CONVERGENCE, "mean factor", "", false)                                                       \
    X(FACTOR, "factor", "factor", false)                                                           \
    X(PREDICTED, "predicted", "factor", false)                                                     \
    X(MAX_ERROR, "max|e|", "", false)                                                              \
    X(SECONDS, "time", "s", true)                                                                  \
    X(RATE, "rate", "updates/s", true)                                                             \
    X(CYCLE_SECONDS, "per cycle", "s", true)                                                       \
    X(STEP_SECONDS, "per step", "s", true)                                                         \
    X(BANDWIDTH, "memory", "B/s", true)                                                            \
    X(TEFF, "T_eff", "", false)                                                                    \
    X(ACCURACY, "accuracy", "", false)                                                             \
    X(BYTES, "bytes", "B", false)                                                                  \
    X(GHOSTS, "ghosts", "s", true)                                                                 \
    X(INVERSES, "inverses", "s", true)                                                             \
    X(INVERSE_BYTES, "inverses", "B", false)                                                       \
    X(TILE, "a tile takes", "B", false)                                                            \
    X(TILE_ROOM, "it may take", "B", false)                                                        \
    X(UPLOAD, "host→device", "s", true)                                                            \
    X(DOWNLOAD, "device→host", "s", true)                                                          \
    X(COMPUTE, "compute", "s", true)                                                               \
    X(HIDDEN, "iterations to hide", "", true)

typedef enum ss_telemetry_id {
#define SS_X(id, label, unit, wall) SS_T_##id,
    SS_TELEMETRY(SS_X)
#undef SS_X
        SS_NTELEMETRY
} ss_telemetry_id;

typedef struct ss_telemetry {
    double value[SS_NTELEMETRY];
    bool valid[SS_NTELEMETRY];
} ss_telemetry;

typedef struct ss_telemetry_row {
    const char *name, *label, *unit;
    bool wall;
} ss_telemetry_row;

extern const ss_telemetry_row ss_telemetry_rows[SS_NTELEMETRY];

/* --- the spectrum of the error ---------------------------------------------------------------- */

/*
 * The spectrum of the error of a steady run: the amplitude of u - u* by frequency, which shows the
 * modes that a smoother damps. The modes are the eigenvectors of the matrix, products of sines in
 * each direction. The frequency of a mode is the highest of its directions, from 0 (constant) to 1
 * (the sign changes from cell to cell); a direction of one point does not count. A coarser grid
 * cannot represent modes above 1/2. Engine thread, and tests.
 */

#define SS_BAND_MAX 64

/* The largest problems with a spectrum, in points; in one direction they have at most 2048. */
#define SS_BAND_CELLS (2.5 * 1024 * 1024)

/* Is the problem small enough for a spectrum? */
bool ss_bands_fit(const ss_problem *p);

typedef struct ss_bands {
    int n;                   /* bands, of equal width in frequency; 0: none */
    double rms[SS_BAND_MAX]; /* root mean square amplitude of normalised modes; NaN: no modes */
} ss_bands;

/* The spectrum of u - u*, where u is the current field, or the one under
 * the microscope (start: the initial field) and `exact` is
 * u*. Copies the field and transforms it: three matrix products. */
int ss_bands_measure(ss_run *run, const double *exact, bool start, ss_bands *out, ss_err *err);

/* --- the staleness cone ----------------------------------------------------------------------- */

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

/* --- the space-time diagram of one cycle ------------------------------------------------------ */

/*
 * The space-time diagram of one cycle of a time-dependent run ("theatre"): the node that computes
 * each point, and when. It is evaluated from the geometry of the schedule (kernels/geom/swept.h)
 * into plain cells, so that front ends need not know the schedule. It shows a few nodes; if these
 * have more points or levels than the diagram has cells, it samples them evenly. Pure; engine
 * thread.
 */

enum { SS_STAGE_COLS = 128, SS_STAGE_ROWS = 65, SS_STAGE_NODES = 4 };

typedef enum ss_phase {
    SS_PHASE_START,    /* the initial level, known everywhere */
    SS_PHASE_TRIANGLE, /* triangle: computed without neighbours */
    SS_PHASE_DIAMOND, /* diamond: a node shifted by half a block fills the gap, then goes on in time
                       */
    SS_PHASE_CLOSING, /* closing triangle: fills the last gaps, until all points have one level */
    SS_PHASE_IDLE,    /* the lane does not compute */
    SS_NPHASE
} ss_phase;

typedef struct ss_stage_cell {
    int tick;      /* tick of the cycle in which it is computed; 0: initial */
    uint8_t owner; /* the node that computes it */
    uint8_t phase; /* ss_phase */
    bool passed;   /* sent to another node */
} ss_stage_cell;

/* Row 0 is the first in time. */
typedef struct ss_stage {
    int cols, rows;
    ss_stage_cell cell[SS_STAGE_ROWS][SS_STAGE_COLS];
} ss_stage;

typedef struct ss_theatre {
    bool there;        /* the run depends on time */
    bool swept;        /* swept: triangles and diamonds; else only the classic diagram */
    int block, nodes;  /* points per node, nodes shown */
    int first;         /* first node shown */
    int levels;        /* levels per cycle (classic: levels shown) */
    int reach;         /* stencil radius: the width of an edge */
    int ticks;         /* ticks per cycle */
    int shift;         /* offset in points of the active nodes from their initial positions */
    ss_phase phase;    /* phase of the last tick; START: none */
    ss_stage diamonds; /* (x, level) */
    ss_stage lanes;    /* (lane, tick): active and idle lanes of the processors */
    ss_stage classic;  /* (x, level), every node level by level */
    uint64_t key;      /* hash of the inputs of the last evaluation */
} ss_theatre;

/* Fills the diagram for a problem and its solver, around node `selected` (-1: the first), after
 * `tick` ticks. Evaluates no cells if the inputs are unchanged. */
void ss_theatre_fill(ss_theatre *t, const ss_solver *solver, const ss_config *cfg,
                     const ss_problem *p, int selected, int tick);

/* --- kernels ---------------------------------------------------------------------------------- */

/*
 * The kernels of the shown run, for the page that shows them: filled by the engine if the view asks
 * for them. Plain data and pure functions; any thread.
 */

enum { SS_KERNELS_MAX = 24, SS_KERNEL_PATH = 512 };

/* `kernel edit`. */
typedef struct ss_kernel_edit {
    char path[SS_KERNEL_PATH]; /* of the copy; "": none is edited */
    char state[400];           /* what became of the last save, in words */
    bool failed;               /* it is not used */
} ss_kernel_edit;

typedef struct ss_kernels {
    int n;
    const char *why; /* why there are none, a sentence; NULL: there are, or nobody asks */
    ss_running_kernel kernel[SS_KERNELS_MAX];
    ss_kernel_edit edit;
} ss_kernels;

/* Lines that ss_kernel_facts_of writes, and the bytes of one. */
enum { SS_KERNEL_FACTS = 5, SS_KERNEL_FACT = SS_KERNEL_ENTRY };

/* The facts of a kernel in words: its entry, the constants (if there are any), its place, what a
 * thread and a block take, and the launch with the occupancy. Returns the lines. */
int ss_kernel_facts_of(const ss_running_kernel *k, char out[SS_KERNEL_FACTS][SS_KERNEL_FACT]);

/* "3f2a9c01ab12": the hash of an edited text. "edited kernel 3f2a9c01ab12, same bits as the CPU":
 * all that is known of such cycles; "": there are none. Both return buf. */
const char *ss_edited_hash(uint64_t hash, char buf[16]);
const char *ss_edited_words(const ss_edited *e, char *buf, size_t size);
/* The same in few words, without the hash. */
const char *ss_edited_label(const ss_edited *e);

/* --- the snapshot ----------------------------------------------------------------------------- */

#define SS_CONTROL_MAX 32
#define SS_CURVE_MAX 512
#define SS_KEPT_MAX 64
#define SS_AHEAD_CURVE 256
#define SS_LINE_MAX 1024
#define SS_MODE_MAX 256
#define SS_EDGE_MAX 256
#define SS_VISITS_MAX 512 /* subiterations of a cycle whose grids are drawn */

/* A parameter as a front end shows it: the row, its value and its current range. */
typedef struct ss_control {
    const ss_param *row;
    ss_value value;   /* in force */
    double lo, hi;    /* current range */
    ss_track track;   /* of its slider */
    char why[128];    /* the reason for the bound, or empty */
    char note[48];    /* "exact from overlap 22" */
    uint32_t choices; /* CHOICE: bit i is set if choice i is valid */
} ss_control;

/* A quantity that a time-dependent equation conserves, or monitors. */
typedef struct ss_watched {
    const ss_monitor *row;
    double first, now, time; /* at the start, and at `time` */
    ss_inflow inflow;
} ss_watched;

/* The conservation error of a value at a time; NaN: unknown. */
static inline double ss_watched_drift(const ss_watched *w, double value, double time)
{
    return time > w->inflow.until ? (double)NAN : value - w->first - w->inflow.rate * time;
}

/* Edges of blocks or patches along a direction of the picture, in points, ascending. */
typedef struct ss_edges {
    int n, pitch; /* pitch: points of a whole block */
    int at[SS_EDGE_MAX];
} ss_edges;

/* The fields of a run and of the race's first one, when both last stood at the same iteration or
 * step. */
typedef struct ss_race_bits {
    bool known, equal; /* bit for bit */
    int64_t at;        /* iterations or steps */
    double time;       /* simulated */
} ss_race_bits;

/* A run of a race. */
typedef struct ss_racer {
    char label[64]; /* "shared k 16 overlap 4" */
    ss_status status;
    bool reached;
    ss_point at; /* its position; seconds are modelled if deterministic */
    double residual0;
    ss_point curve[SS_CURVE_MAX];
    int ncurve;
    ss_picture picture; /* the same view of this run; the shown run uses the snapshot's picture */
    size_t cell_capacity;
    const char *no_layer; /* why it does not have the shown layer; NULL: it has */
    ss_bands bands;       /* as those of the snapshot, at about its present field */
    bool restarted;       /* it was changed during the race, and started again */
    ss_race_bits bits;
} ss_racer;

typedef struct ss_race {
    int n; /* 0: no race, or out of memory */
    ss_measure by;
    double end;      /* the simulated time at which it ends; 0: none */
    ss_racer *racer; /* SS_RACE_MAX of them; allocated with the first race */
} ss_race;

/* A steady run that has ended and waits: at its tolerance, or beyond it at round-off, or above it,
 * where it has stagnated. */
typedef enum ss_hold {
    SS_HOLD_NONE,
    SS_HOLD_TOLERANCE,
    SS_HOLD_ZERO,     /* the residual is exactly 0 */
    SS_HOLD_ROUNDOFF, /* the residual no longer falls */
    SS_HOLD_STAGNATED
} ss_hold;

/* The values of the shown layer in all subiterations of the cycle under the microscope. */
typedef struct ss_scale {
    bool valid;
    double lo, hi;
} ss_scale;

/* The classic solver's run beside the shown one (src/engine/classic.c), from the same start. */
typedef struct ss_beside_pair {
    bool checked, equal; /* are the fields of both bit-for-bit equal after `compared` levels? */
    bool timed;
    double own, classic;    /* seconds per iteration or step, without residual checks */
    int64_t compared, from; /* from: the cycle whose field both started from */
} ss_beside_pair;

typedef struct ss_beside {
    bool wanted;                  /* the shown run is compared */
    bool another_method;          /* its iterations are others: only times and curves */
    const char *solver;           /* NULL: there is none for the shown run */
    double bytes;                 /* global bytes of an iteration or step of it; 0: unknown */
    ss_point curve[SS_CURVE_MAX]; /* steady: up to the shown run's iteration */
    int n;
    double residual0;
    bool behind; /* it has not reached that iteration yet */
    ss_beside_pair pair;
} ss_beside;

/* Checkpoints to which the run can be rewound, and what lies ahead of a rewound run. */
typedef struct ss_past {
    ss_point kept[SS_KEPT_MAX]; /* checkpoints, oldest first */
    int nkept;
    bool used;   /* the run was rewound at least once */
    bool back;   /* it was rewound and has not advanced since: the cycles up to `end` lie ahead */
    int64_t end; /* back: the cycle reached before the rewind */
    ss_mark ahead[SS_MARK_MAX]; /* back: the changes between the present cycle and that one */
    int nahead;
    ss_point curve[SS_AHEAD_CURVE]; /* back: the curve between them */
    int ncurve;
} ss_past;

typedef struct ss_snapshot {
    uint64_t seq, view_seq, ticket; /* ticket: the last executed command */
    bool compiling;                 /* the next command waits for its kernels: src/engine/await.c */
    uint64_t began;                 /* unique number of the run's start */
    int run, nrun;
    ss_view view;
    ss_picture picture;
    size_t cell_capacity;

    char equation[48], solver[32], grid[48], precision[8], backend[64];
    const char *equation_name, *solver_name; /* as on the command line */
    bool log_layer; /* |residual|, |error|, |stale|: shown on a log scale */
    ss_kind kind;
    double origin, spacing; /* x of point i: (i + origin) * spacing */
    double spacing_y;       /* 2D: the same upwards */
    int dim, nx, ny, nz; /* 3D: nx, ny cells of the shown slice, nz slices; view names the slice */
    ss_edges block_edge[2], patch_edge[2]; /* 3D: across and up */
    ss_bc bc;
    bool painted; /* the field was painted: the exact solution does not include it */
    bool paused, deterministic;
    ss_status status;
    char diverged[320]; /* if it has diverged: where, the cause and what helps */
    bool reached;       /* the tolerance reached_tol was met at reached_cycle */
    int64_t reached_cycle;
    double reached_tol;
    ss_hold hold; /* it holds at hold_cycle */
    int64_t hold_cycle;
    bool repeated; /* it holds, and the picture shows its last cycle once more, with the present
                      settings; not counted */
    int64_t exact_since; /* as in ss_run */
    bool exact_cycle;    /* a cycle with the present settings: ss_run_exact */
    bool any_order;      /* as in ss_solver */
    double tol;
    double until_error; /* stops at this error relative to u*, in the maximum or the energy norm */
    bool energy_norm;
    int peek, per_cycle; /* microscope: subiterations done (0: whole cycle), and per cycle */
    bool replay;         /* microscope: replays the recorded order of the last cycle */
    ss_scale scale;      /* microscope: valid also right after its cycle */
    ss_cone cone;        /* microscope: the same */
    const char *phase;   /* microscope: "subiterate" */
    ss_visit visit;      /* microscope: what was done last; levels 0: an update of all points */
    int nvisit;          /* and the grids of all visits of the cycle; 0: none, or too many */
    uint8_t visit_level[SS_VISITS_MAX];
    double stride_seconds; /* requested seconds between cycles; 0: full speed */

    bool tiled;    /* the solver has subdomains */
    double factor; /* predicted factor of the residual per cycle; 0: unknown */
    ss_tiling tiling;
    ss_theatre theatre;               /* time-dependent equations */
    bool layers[SS_NLAYER];           /* which exist for this run */
    const char *layer_why[SS_NLAYER]; /* why a layer does not exist or is empty now */
    const ss_quantity *quantities;    /* the quantities that view.field indexes; NULL: only u */
    int nquantity;
    float exact[SS_LINE_MAX];     /* 1D, layer VALUE: the exact solution, per cell */
    int nexact;                   /* 0: unknown */
    const char *error_why;        /* why the curve has no error over time; NULL: it has one */
    double spectrum[SS_MODE_MAX]; /* power of modes 1 ... nspectrum of the whole line */
    int nspectrum;                /* 0: not requested, or not periodic */

    ss_bands bands, bands_start; /* steady: the spectrum of the error, and that at the start */
    int64_t bands_cycle;         /* of `bands`, which may lag behind */
    const char *bands_why;       /* why there is none, a sentence; NULL: there is one */

    ss_control control[SS_CONTROL_MAX];
    int ncontrol;
    ss_ledger ledger; /* of one cycle */
    ss_working_set working_set;
    int threads;       /* of the steps; 0: a device's */
    ss_split split;    /* a hybrid run's shares and costs; depends on the clock */
    int levels, steps; /* per cycle: iterations, or levels and time steps */
    ss_telemetry telemetry;
    ss_ranks_figures ranks;        /* count 0: no modelled ranks */
    ss_ranks_trace ranks_trace[2]; /* of their last two cycles, the later one first */
    ss_shares shares; /* of several devices; count 0: one device, or nothing was measured */
    ss_point curve[SS_CURVE_MAX];
    int ncurve;
    double residual0;
    ss_beside beside;
    ss_watched watched[SS_MONITOR_MAX];
    int nwatched;
    ss_mark mark[SS_MARK_MAX];
    int nmark;
    ss_race race;
    ss_past past;
    ss_kernels kernels; /* if view.kernels is on */
    ss_edited edited;   /* as in ss_run */

    ss_config cfg; /* of the shown run, and its input files (NULL: none) */
    const char *load, *rhs;
    char command[1024]; /* the command line that reproduces this state (src/engine/journal.c) */
    const char *command_why; /* why it does not reproduce it exactly; NULL: it does */
    char message[320];       /* a sentence; message_seq grows with each new one */
    uint64_t message_seq;
    bool message_is_error, message_warns; /* warns: also printed without a front end */
    bool message_refuses;                 /* an error: the command is wrong */
    bool knows_exact;                     /* the layers u* and error have values */
    bool busy_reference;                  /* u* is being computed */
    bool busy_baseline;                   /* the reference of the accuracy is being computed */
    char rescued[320];                    /* why the run was moved to another backend, or empty */
} ss_snapshot;

typedef struct ss_mailbox ss_mailbox;

ss_mailbox *ss_mailbox_new(void);
void ss_mailbox_free(ss_mailbox *m);
/* Engine side: the slot to fill; then publish it. */
ss_snapshot *ss_mailbox_back(ss_mailbox *m);
void ss_mailbox_publish(ss_mailbox *m);
/* App side: the newest snapshot; *fresh: not taken before. NULL before the first. */
const ss_snapshot *ss_mailbox_take(ss_mailbox *m, bool *fresh);

/* --- the effect of a change ------------------------------------------------------------------- */

/* What the last change of a steady run has done to the rate at which its residual falls. A pure
 * function of a snapshot; any thread. */

/* Factors of the residual per cycle, and those of the classic solver over the same iterations. */
typedef struct ss_pace {
    double own, classic;
} ss_pace;

typedef struct ss_effect {
    const char *text;   /* "overlap 0 -> 4" */
    const ss_point *at; /* of the curve */
    ss_pace before, after;
} ss_effect;

/* False: there was no change, a factor has not settled, the classic curve does not reach so far, or
 * the factor has changed no more than that of the classic solver, so that the cause is another. */
bool ss_effect_of_change(const ss_snapshot *p, ss_effect *out);

/* --- the energy spectrum of a line ------------------------------------------------------------ */

/* The energy spectrum of a line by a direct Fourier sum, whose sines and cosines are advanced by
 * rotation. A few hundred modes of a thousand points take less than a millisecond. Pure; any
 * thread. */

/* power[k - 1] = |u_k|^2 of mode k = 1 ... modes, u_k = 1/n sum u_i exp(-2 pi sqrt(-1) k i / n). */
void ss_spectrum(const float *u, int n, int modes, double *power);

#endif
