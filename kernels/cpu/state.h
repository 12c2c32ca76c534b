/*
 * The CPU backend's state, shared by its engine ops and its sampler only.
 * Owned by the engine thread; OpenMP threads touch it only inside one step or sample.
 */
#ifndef SS_CPU_H
#define SS_CPU_H

#include "src/core/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ss_cpu_state {
    ss_box box;      /* of patches: their window, of which only the extent means something, and all
                        elements of a field */
    ss_patch *patch; /* what the domain of a 3D problem is made of; NULL: box is all there is */
    int patches;
    ss_patch_rows rows; /* which of them have a row of the window */
    bool ghosts_old;    /* the ghost cells of u[cur] are not yet what its cells say */
    void *u[2];  /* nfield fields of box.count elements each; u[cur] is the field of run->cycle */
    void *rhs;   /* scaled right-hand side g, same shape; NULL if the equation has none */
    int cur;     /* u[1-cur]: start of the last cycle if run->start_kept, or the peeked cycle */
    bool stream; /* the fields are larger than the last-level cache: write past it */
    int *age;    /* of each tile, row by row: sweeps done at the moment that a picture shows */
    size_t ages; /* tiles; 0: not counted */
    uint32_t
        *order;    /* of a race elsewhere, to be replayed: the tile of each sweep as it was done */
    size_t orders; /* sweeps; 0: none was recorded */
} ss_cpu_state;

extern const ss_backend ss_backend_cpu;
extern const ss_engine_ops ss_cpu_jacobi, ss_cpu_shared, ss_cpu_async;
extern const ss_engine_ops ss_cpu_stepper, ss_cpu_swept;
extern const ss_engine_ops ss_cpu_sweep3d, ss_cpu_block_jacobi, ss_cpu_block_gs;

/* Element (i, j, k) of a field. */
static inline size_t ss_cpu_at(const ss_cpu_state *st, int i, int j, int k)
{
    return st->box.first + (size_t)((ptrdiff_t)i + j * st->box.sy + k * st->box.sz);
}

/* The field the person is shown, and the one its cycle started from (NULL if not kept), and after
 * how many subiterations. Microscope: the peeked cycle. */
const void *ss_cpu_shown(const ss_run *run);
const void *ss_cpu_start(const ss_run *run, int *subiterations);

/* Steps of an iterative solver. cycle: from u[cur] into the other buffer, with the squared changes
 * summed up if check is set; false if the app interrupted it. norm:
 * |r| of the field such a cycle started from. */
void ss_cpu_step(ss_run *run, int64_t cycles, bool (*cycle)(ss_run *run, bool check),
                 double (*norm)(const ss_run *run));

/* Room for the ages of the run's tiles, all 0 if there was none. */
int ss_cpu_prepare_ages(ss_run *run, ss_err *err);
/* The order of the last launch of `watched`, for the state of `run`, which is its copy on the CPU,
 * to be replayed by the microscope. */
int ss_cpu_prepare_order(ss_run *run, ss_run *watched, ss_err *err);

/* kernels/cpu/patches.c: states of patches. The list and the box; rows of the window from and to
 * the patches that have them (in the run's precision; what is of no patch becomes NaN); all of them
 * from the equation. */
int ss_cpu_patches_make(ss_run *run, ss_err *err);
void ss_cpu_patches_put(const ss_run *run, void *array, int j, int k, const void *row);
void ss_cpu_patches_get(const ss_run *run, const void *array, int j, int k, void *row);
int ss_cpu_patches_fill(ss_run *run, bool fresh, ss_err *err);
/* Ghost cells of a field: from the neighbouring patch, or what the rule says at a wall. */
void ss_cpu_exchange(const ss_run *run, void *u);
/* Those of the field on hand, if it was written from outside. */
void ss_cpu_ghosts(ss_run *run);
/* |r| of a field of patches, whose ghosts are as they should be; sum: of ss_cpu_rows. */
double ss_cpu_patches_norm(const ss_run *run, const void *u, double *sum);
/* Rows of all patches together. */
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
