/*
 * The snapshot: all data that the engine thread passes to the app. It holds telemetry and a picture
 * on request, never the state. Slots are exchanged through a lock-free triple buffer: the engine
 * fills the back slot and publishes it, the app takes the newest; neither waits. A slot and the
 * memory that it points to belong to one side at a time.
 */
#ifndef SS_SNAPSHOT_H
#define SS_SNAPSHOT_H

#include <math.h>

#include "src/core/backend.h"
#include "src/snapshot/bands.h"
#include "src/base/common.h"
#include "src/snapshot/cone.h"
#include "src/core/history.h"
#include "src/snapshot/kernels.h"
#include "src/ranks/figures.h"
#include "src/core/param.h"
#include "src/snapshot/race.h"
#include "src/core/solver.h"
#include "src/core/split.h"
#include "src/core/shares.h"
#include "src/core/telemetry.h"
#include "src/snapshot/theatre.h"
#include "src/core/working_set.h"

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

#define SS_BETWEEN_MAX 32

/* 1D: states between the last snapshot's and this one's, inside cycles of many steps. Cells as in
 * the picture. */
typedef struct ss_between {
    int n;
    double each; /* simulated time between states of the run; 0: it has none inside a cycle */
    double time[SS_BETWEEN_MAX];
    float cell[SS_BETWEEN_MAX][SS_LINE_MAX];
} ss_between;

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

/* Checkpoints to which the run can be rewound, and what lies ahead of a rewound run (rewind.h). */
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
    float exact[SS_LINE_MAX]; /* 1D, layer VALUE: the exact solution, per cell */
    int nexact;               /* 0: unknown */
    ss_between between;
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
    char command[1024];      /* the command line that reproduces this state (src/engine/journal.c) */
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

#endif
