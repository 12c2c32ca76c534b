/*
 * The CPU backend's state, used by its engine ops and its sampler only.
 * Owned by the engine thread; OpenMP threads access it only inside one step or sample.
 */
#ifndef SS_CPU_H
#define SS_CPU_H

#include "src/core/run.h"
#include "kernels/geom/swept.h"
#include "src/base/common.h"

enum { SS_CPU_OWN = 16 }; /* the most pieces of memory of a schedule: see ss_cpu_own */

typedef struct ss_cpu_state {
    /* The layout of a field. With patches: the extent of the window that contains them all; only
     * nx, ny, nz and count (elements of all patches) are used. */
    ss_box box;
    ss_patch *patch; /* the patches of a 3D domain; a line or plane is one patch */
    int patches;
    ss_patch_rows rows; /* finds the patches that contain a row of the window */
    bool ghosts_old;    /* the ghost cells of u[cur] are out of date */
    void *u[2];  /* nfield fields of box.count elements each; u[cur] is the field of run->cycle */
    void *rhs;   /* scaled right-hand side g, same shape; NULL if the equation has none */
    int team;    /* threads of a sweep; 0: as many as its size pays for */
    int cur;     /* u[1-cur]: start of the last cycle if run->start_kept, or the peeked cycle */
    bool stream; /* the fields exceed the last-level cache: use non-temporal stores */
    int *age;    /* per tile, row by row: sweeps done at the moment that a picture shows */
    size_t ages; /* tiles; 0: not counted */
    /* Recorded from another device, for replay: the tile of each sweep in order of completion. */
    uint32_t *order;
    size_t orders;         /* sweeps; 0: none was recorded */
    void *own[SS_CPU_OWN]; /* memory of the schedule: see ss_cpu_own */
    int owned;
} ss_cpu_state;

extern const ss_backend ss_backend_cpu;
extern const ss_engine_ops ss_cpu_jacobi, ss_cpu_shared, ss_cpu_async;
extern const ss_engine_ops ss_cpu_sor, ss_cpu_chebyshev, ss_cpu_multigrid;
extern const ss_engine_ops ss_cpu_stepper, ss_cpu_swept;
extern const ss_engine_ops ss_cpu_sweep3d, ss_cpu_block_jacobi, ss_cpu_block_gs;
extern const ss_engine_ops ss_cpu_multigrid3d;

/* The row of every combination that smooths with blocks. */
#define SS_CPU_PARALLEL_ROW                                                                        \
    {                                                                                              \
        SS_ROW_CHOICE("parallel", "Method", ss_cpu_parallel, ss_cpu_parallel_help),                \
            .key = "m", .help = "the work that the CPU's threads divide",                          \
            .flags = SS_P_LIVE | SS_P_CONTROL                                                      \
    }
extern const char *const ss_cpu_parallel[], *const ss_cpu_parallel_help[];

/* Element (i, j, k) of a field. */
static inline size_t ss_cpu_at(const ss_cpu_state *st, int i, int j, int k)
{
    return st->box.first + (size_t)((ptrdiff_t)i + j * st->box.sy + k * st->box.sz);
}

static inline double ss_cpu_value(ss_prec prec, const void *array, size_t i)
{
    return prec == SS_F64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

/* The field on display, and the field from which its cycle started (NULL if overwritten), with the
 * number of subiterations between them. Microscope: the peeked cycle. */
const void *ss_cpu_shown(const ss_run *run);
const void *ss_cpu_start(const ss_run *run, int *subiterations);

/* --- schedules -------------------------------------------------------------------------------- */

/* The functions of a schedule, engine_ops.own: those of ss_engine_ops below are the same for all.
 */
typedef struct ss_cpu_schedule {
    size_t scratch;                           /* bytes of run->scratch, which begin as zeros */
    int (*prepare)(ss_run *run, ss_err *err); /* fills it in, with memory of ss_cpu_own */
    /* Computes from u[cur] into the other buffer, with the squared changes if check is set. False:
     * the app interrupted it. */
    bool (*cycle)(ss_run *run, bool check);
    double (*norm)(const ss_run *run); /* |r| of the field from which a checked cycle started */
    /* The cycle after its first `ticks` ticks, into the other buffer. False as above. */
    bool (*peek)(ss_run *run, int ticks);
    void (*release)(void *scratch); /* frees what ss_cpu_own did not allocate; or NULL */
} ss_cpu_schedule;

/* Frees `memory`, which may be NULL, with the scratch; returns it. At most SS_CPU_OWN times. */
void *ss_cpu_own(ss_run *run, void *memory);
/* ss_cpu_own of ss_alloc. */
void *ss_cpu_alloc(ss_run *run, size_t bytes, const char *what, ss_err *err);

int ss_cpu_prepare(ss_run *run, ss_err *err);
int ss_cpu_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_cpu_peek(ss_run *run, int ticks, ss_err *err);
void ss_cpu_release(ss_run *run);
/* Members of ss_engine_ops, without and with the microscope. */
#define SS_CPU_CYCLES(NAME, SCHEDULE)                                                              \
    .name = NAME, .own = SCHEDULE, .prepare = ss_cpu_prepare, .step = ss_cpu_step,                 \
    .release = ss_cpu_release
#define SS_CPU_TICKS(NAME, SCHEDULE) SS_CPU_CYCLES(NAME, SCHEDULE), .peek = ss_cpu_peek

/* The random-number stream of a launch, or of a step. */
uint64_t ss_schedule_stream(uint64_t seed, int64_t launch);
/* Allocates the ages of the run's tiles; new memory is zero. */
int ss_cpu_prepare_ages(ss_run *run, ss_err *err);
/* Copies the order of the last launch of `watched` into the state of `run`, its copy on the CPU,
 * for replay by the microscope. */
int ss_cpu_prepare_order(ss_run *run, ss_run *watched, ss_err *err);

/* --- fields (fields.c) ------------------------------------------------------------------------ */

/* The list of patches and the box. */
int ss_cpu_fields_make(ss_run *run, ss_err *err);
/* Scatters a row of the window, in the run's precision, to the patches that contain it, or gathers
 * it: NaN outside the patches. */
void ss_cpu_row_put(const ss_run *run, void *array, int field, int j, int k, const void *row);
void ss_cpu_row_get(const ss_run *run, void *array, int field, int j, int k, void *row);
/* Initial values and right-hand side from the equation. fresh: no memory was touched yet. */
int ss_cpu_fill(ss_run *run, bool fresh, ss_err *err);
/* Halo exchange: fills all ghost cells of a field, from the neighbouring patch or by the rule for
 * walls. */
void ss_cpu_exchange(const ss_run *run, void *u);
/* The same, and the ghost cells at the edges and corners of the patches. */
void ss_cpu_exchange_edges(const ss_run *run, void *u);
/* The same for the current field, if its ghost cells are out of date. */
void ss_cpu_ghosts(ss_run *run);
/* |r| of a field of patches with up-to-date ghost cells; sum: scratch of ss_cpu_rows elements. */
double ss_cpu_patches_norm(const ss_run *run, const void *u, double *sum);
/* The number of rows of all patches. */
size_t ss_cpu_rows(const ss_run *run);
/* |r| from the sums of squares of all rows; sum is overwritten. */
double ss_cpu_rows_norm(const ss_run *run, double *sum);
/* Lines and planes: sum[j] = the squared changes of row j by one more sweep of u. memory: `bytes`
 * for each thread, a row. */
void ss_cpu_sum_rows(const ss_run *run, const void *u, double *sum, void *memory, size_t bytes);
int ss_cpu_reduce(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err);

int ss_cpu_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);

/* kernels/cpu/meter.c */
extern const ss_meter ss_cpu_meter;

/* --- levels of a line (swept.c) --------------------------------------------------------------- */

/*
 * Time levels of a time-dependent equation on the CPU: the update of a range of points, for both
 * schedules, stepper and swept. Engine thread and its OpenMP threads.
 */

/* The constants of a sequence of levels. Level 0 is the current field; level l is in row[l % 2],
 * which points to point 0 of field 0. */
typedef struct ss_levels {
    const ss_run *run;
    ss_advance_fn *advance;
    char *row[2];
    ptrdiff_t size, field; /* bytes of a value; bytes from field to field */
} ss_levels;

/* Computes points [lo, hi) of a level >= 1 from the previous one; 0 <= lo < 2n, with indices modulo
 * n. Two threads may call it concurrently unless both update points at the same end of the line. */
void ss_levels_advance(const ss_levels *s, int64_t level, int lo, int hi);
/* --- sweeps over all points (sweeps.c) -------------------------------------------------------- */

/*
 * Schedules of whole sweeps: a cycle is one pass from the current field into the new one, in parts.
 * Such a schedule is one function that computes a part; threads, sums of squares, the norm, the
 * microscope and interruption are here. A part that needs points beyond its own which the same
 * cycle changes computes them itself, in private memory (kernels/cpu/sor.c). A schedule declares an
 * ss_sweeps with SS_SWEEPS_SCHEDULE; kernels/cpu/jacobi.c is the example. Engine thread;
 * `part` runs on the OpenMP threads.
 */

/* Points [x, x + nx) of rows [j0, j1). */
typedef struct ss_sweep_part {
    int x, nx, j0, j1;
    double *sum;  /* NULL, or one sum per row, to which ss_sweeps_update adds; zero at first */
    size_t next;  /* from a row's sum to the same row's next one, if the pass has several */
    size_t right; /* from a row's sum to that of its next segment, where strips have several */
    void *memory; /* private to the thread; NULL: the schedule needs none */
    bool cached;  /* `part` reads again what ss_sweeps_update writes: no non-temporal stores */
} ss_sweep_part;

/* The first member of the scratch of such a schedule. */
typedef struct ss_sweeps_scratch {
    int strips, width; /* points per strip; the last strip may be narrower */
    int segment;       /* points per sum */
    double *sum;       /* sum[segment * ny + row], and after it those of the next sum */
    int sums;          /* number of sums in this pass; 0: none */
    char *memory;      /* private to the threads */
    size_t memory_bytes;
} ss_sweeps_scratch;

typedef struct ss_sweeps {
    ss_cpu_schedule schedule; /* SS_SWEEPS_SCHEDULE, perhaps with functions of its own */
    int ticks;                /* substeps per cycle; the microscope shows 1 to ticks */
    int sums;                 /* most sums per row in a pass; 0: one */
    /* Points of a row that a sum has at most, which divide a strip; 0: all points of the strip. */
    int segment;
    /* Bytes of private memory for a part of at most nx points in rows rows; NULL: none. Parts are
     * then so narrow that it fits the second-level cache. */
    size_t (*memory)(const ss_run *run, int nx, int rows);
    void (*plan)(ss_run *run); /* fills in the rest of the scratch; NULL: there is none */
    /* Writes a part of the new field: the cycle after its first `ticks` ticks. */
    void (*part)(const ss_run *run, int ticks, const ss_sweep_part *part);
} ss_sweeps;

/* The equation's update of a part (j1 - j0 rows). `in` and `out` are the addresses of the part's
 * first point, with rows in_sy and out_sy values apart. Adds to part->sum. */
void ss_sweeps_update(const ss_run *run, const ss_sweep_part *part, const void *in, ptrdiff_t in_sy,
                      void *out, ptrdiff_t out_sy);
/* The array that a cycle reads, and the one that it writes. */
const void *ss_sweeps_from(const ss_run *run);
void *ss_sweeps_into(const ss_run *run);
/* The byte offset of point (i, j) in an array. */
static inline size_t ss_sweeps_at(const ss_run *run, int i, int j)
{
    return ss_cpu_at(run->state, i, j, 0) * ss_prec_size(run->prec);
}

/* Sweeps the current field into the other one, outside of a step and without a report to the run.
 * squares: NULL, or it gets the sum of squared changes. */
void ss_sweeps_once(ss_run *run, double *squares);

/* For schedules with a cycle of their own: a whole sweep that the app does not interrupt; and |r|
 * of the field from which the last sweep with `check` started. */
void ss_sweeps_whole(const ss_run *run, bool check);
double ss_sweeps_norm(const ss_run *run);
/* A pass of a method that has several: calls `part` for the whole field with `which` in place of
 * the ticks. out gets the pass's `sums` sums over the field, each in a fixed order. */
void ss_sweeps_pass(ss_run *run, int which, int sums, double *out);

int ss_sweeps_prepare(ss_run *run, ss_err *err);
bool ss_sweeps_cycle(ss_run *run, bool check);
bool ss_sweeps_peek(ss_run *run, int ticks);
#define SS_SWEEPS_SCHEDULE(SCRATCH)                                                                \
    .schedule = {.scratch = sizeof(SCRATCH),                                                       \
                 .prepare = ss_sweeps_prepare,                                                     \
                 .cycle = ss_sweeps_cycle,                                                         \
                 .norm = ss_sweeps_norm,                                                           \
                 .peek = ss_sweeps_peek}

#endif
