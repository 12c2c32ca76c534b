/*
 * The CPU backend's state, used by its engine ops and its sampler only.
 * Owned by the engine thread; OpenMP threads access it only inside one step or sample.
 */
#ifndef SS_CPU_H
#define SS_CPU_H

#include "src/core/run.h"

#ifdef __cplusplus
extern "C" {
#endif

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
#endif
