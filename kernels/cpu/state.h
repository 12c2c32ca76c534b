/*
 * The CPU backend's state, used by its engine ops and its sampler only.
 * Owned by the engine thread; OpenMP threads access it only inside one step or sample.
 */
#ifndef SS_CPU_H
#define SS_CPU_H

#include "src/core/run.h"
#include "kernels/geom/swept.h"
#include "src/base/common.h"

typedef struct ss_cpu_state {
    /* The layout of a field. With patches: the extent of the window that contains them all; only
     * nx, ny, nz and count (elements of all patches) are used. */
    ss_box box;
    ss_patch *patch; /* the patches of a 3D domain; NULL: the domain is one box */
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
    size_t orders; /* sweeps; 0: none was recorded */
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

/* The field on display, and the field from which its cycle started (NULL if overwritten), with the
 * number of subiterations between them. Microscope: the peeked cycle. */
const void *ss_cpu_shown(const ss_run *run);
const void *ss_cpu_start(const ss_run *run, int *subiterations);

/* Runs cycles of an iterative solver. `cycle` computes from u[cur] into the other buffer and sums
 * the squared changes if check is set; it returns false if the app interrupted it. `norm` returns
 * |r| of the field from which a cycle with check started. */
void ss_cpu_step(ss_run *run, int64_t cycles, bool (*cycle)(ss_run *run, bool check),
                 double (*norm)(const ss_run *run));

/* Allocates the ages of the run's tiles; new memory is zero. */
int ss_cpu_prepare_ages(ss_run *run, ss_err *err);
/* Copies the order of the last launch of `watched` into the state of `run`, its copy on the CPU,
 * for replay by the microscope. */
int ss_cpu_prepare_order(ss_run *run, ss_run *watched, ss_err *err);

/* kernels/cpu/patches.c: states of patches.
 * make: the list of patches and the box. put, get: scatter a row of the window to the patches that
 * contain it, or gather it, in the run's precision; get writes NaN outside the patches. fill:
 * initial values and right-hand side from the equation. */
int ss_cpu_patches_make(ss_run *run, ss_err *err);
void ss_cpu_patches_put(const ss_run *run, void *array, int j, int k, const void *row);
void ss_cpu_patches_get(const ss_run *run, const void *array, int j, int k, void *row);
int ss_cpu_patches_fill(ss_run *run, bool fresh, ss_err *err);
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

/* reader.c and reduce.c */
int ss_cpu_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
int ss_cpu_reduce(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err);
/* kernels/cpu/meter.c */
extern const ss_meter ss_cpu_meter;

#ifdef __cplusplus
}
#endif
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

/* Scratch of both schedules: their parameters. */
typedef struct ss_levels_plan {
    ss_swept nodes; /* swept only */
} ss_levels_plan;

/* Entries of both schedules' ss_engine_ops. */
int ss_levels_prepare(ss_run *run, ss_err *err);
void ss_levels_release(ss_run *run);
int ss_levels_finish(ss_run *run, int64_t steps, ss_err *err);

/* To be called before level 1: also copies the points that never change to the other array. */
ss_levels ss_levels_begin(const ss_run *run);
/* Computes points [lo, hi) of a level >= 1 from the previous one; 0 <= lo < 2n, with indices modulo
 * n. Two threads may call it concurrently unless both update points at the same end of the line. */
void ss_levels_advance(const ss_levels *s, int64_t level, int lo, int hi);
/* Computes whole levels first to last with all threads, with a barrier after each. */
void ss_levels_all(const ss_levels *s, int64_t first, int64_t last);

/* --- schedules of blocks (schedule.c) --------------------------------------------------------- */

/*
 * The seeded scheduler: the order in which the tiles of an asynchronous launch take their turns. It
 * makes a data race repeatable. Every tile has the same number of turns, taken in order. The turns
 * of different tiles are shuffled, uniformly over all orders, by splitmix64 from a seed and the
 * number of the launch. Even turns read the neighbours' halo strips; odd turns update the tile and
 * write its own strip.
 *
 * Turns without a data dependence run concurrently, level by level. The level of a turn is one more
 * than the highest level of the earlier turns that it depends on: those of its own tile, the writes
 * that it may read, and the reads of the strip that it overwrites. The result equals sequential
 * execution for any number of threads. Engine thread.
 */

typedef struct ss_schedule {
    int nx, ny;         /* tiles; neighbours share a side */
    bool plane;         /* 2D; else rows of tiles are independent */
    int turns;          /* per tile */
    uint32_t tiles;     /* nx * ny */
    uint32_t *turn;     /* the tile of each turn in the order drawn: tiles * turns entries */
    uint32_t *by_level; /* the same, sorted by level (stable) */
    uint32_t *start;    /* level l: by_level[start[l]] to by_level[start[l + 1] - 1] */
    uint32_t levels;
    /* Scratch while an order is made: the level of each turn; the levels of each tile's last write
     * and last read. */
    uint32_t *level, *written, *read;
} ss_schedule;

int ss_schedule_make(ss_schedule *s, int nx, int ny, bool plane, int turns, ss_err *err);
void ss_schedule_free(ss_schedule *s);
/* The random-number stream of a launch. */
uint64_t ss_schedule_stream(uint64_t seed, int64_t launch);
/* Set the order of a launch's turns and sort the first `count` into levels. draw: a random order.
 * replay: the order recorded from a run on another device; `order` holds the tile of every sweep in
 * order of completion, tiles * turns / 2 entries. */
void ss_schedule_draw(ss_schedule *s, uint64_t stream, uint32_t count);
void ss_schedule_replay(ss_schedule *s, const uint32_t *order, uint32_t count);

/* --- sweeps over all points (sweeps.c) -------------------------------------------------------- */

/*
 * Schedules of whole sweeps: a cycle is one pass from the current field into the new one, in parts.
 * Such a schedule is one function that computes a part; threads, sums of squares, the norm, the
 * microscope and interruption are here. A part that needs points beyond its own which the same
 * cycle changes computes them itself, in private memory (kernels/cpu/sor.c). A schedule declares an
 * ss_sweeps and its ops by SS_SWEEPS_OPS; kernels/cpu/jacobi.c is the example. Engine thread;
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

typedef struct ss_sweeps {
    int ticks; /* substeps per cycle; the microscope shows 1 to ticks */
    int sums;  /* most sums per row in a pass; 0: one */
    /* Points of a row that a sum has at most, which divide a strip; 0: all points of the strip. */
    int segment;
    /* Bytes of private memory for a part of at most nx points in rows rows; NULL: none. Parts are
     * then so narrow that it fits the second-level cache. */
    size_t (*memory)(const ss_run *run, int nx, int rows);
    size_t plan_bytes; /* size of the plan that `plan` fills; 0: no plan */
    void (*plan)(const ss_run *run, void *plan);
    /* Writes a part of the new field: the cycle after its first `ticks` ticks. */
    void (*part)(const ss_run *run, const void *plan, int ticks, const ss_sweep_part *part);
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
void ss_sweeps_once(const ss_run *run, double *squares);

/* For schedules with a cycle of their own: the plan; a whole sweep that the app does not interrupt;
 * and |r| of the field from which the last sweep with `check` started. */
void *ss_sweeps_plan(const ss_run *run);
/* A pass of a method that has several: calls `part` for the whole field with `which` in place of
 * the ticks. out gets the pass's `sums` sums over the field, each in a fixed order. */
void ss_sweeps_pass(const ss_run *run, int which, int sums, double *out);
void ss_sweeps_whole(const ss_run *run, bool check);
double ss_sweeps_norm(const ss_run *run);

/* The functions of ss_engine_ops. */
int ss_sweeps_prepare(ss_run *run, ss_err *err);
int ss_sweeps_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_sweeps_peek(ss_run *run, int s, ss_err *err);
void ss_sweeps_release(ss_run *run);
#define SS_SWEEPS_OPS(NAME, SWEEPS)                                                                \
    {                                                                                              \
        SS_SWEEPS_MEMBERS(NAME, SWEEPS)                                                            \
    }
/* The same with parameter rows of its own. */
#define SS_SWEEPS_OPS_ROWS(NAME, SWEEPS, ROWS)                                                     \
    {                                                                                              \
        SS_SWEEPS_MEMBERS(NAME, SWEEPS), .params = ROWS, .nparam = sizeof ROWS / sizeof *ROWS      \
    }
#define SS_SWEEPS_MEMBERS(NAME, SWEEPS)                                                            \
    .name = NAME, .caps = SS_CAP_EXACT | SS_CAP_TICK, .own = SWEEPS, .prepare = ss_sweeps_prepare, \
    .step = ss_sweeps_step, .peek = ss_sweeps_peek, .release = ss_sweeps_release

#endif
