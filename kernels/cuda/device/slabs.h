/*
 * A run that several devices share. Each holds a slab, some rows of the field, with a halo on the
 * sides that it shares with another slab. A slab is a run of its own on its device: a copy of the
 * whole run whose state has the slab's rows only. So the functions of one device (transfers,
 * pictures, launches of kernels) serve a slab as well.
 *
 *     device 0   rows [j0, j1)        rows [-depth, 0) and [ny, ny + depth) of a slab's own
 *     device 1   rows [j0, j1)        numbering are its halo, copies of rows of its neighbours;
 *     ...                             at the ends of the field they stay zero
 *
 * Devices copy rows to each other directly where the hardware allows it (peer access), and
 * otherwise through the host, which the driver does by itself. Host code; engine thread.
 */
#ifndef SS_CUDA_SLABS_H
#define SS_CUDA_SLABS_H

#include "kernels/cuda/device/slab_sums.h"
#include "kernels/cuda/device/state.h"
#include "kernels/sample/parts.h"
#include "src/core/split.h"

typedef struct ss_cuda_slab {
    int j0, j1; /* its rows of the field */
    int i0, i1; /* time-dependent equations: its points of the line instead, */
    int x0, x1; /* and those that it stores, with its halo (slabs.c) */
    ss_run run; /* as functions of one device see it; the stream of its state does the inner rows */
} ss_cuda_slab;

typedef struct ss_cuda_slabs {
    ss_cuda_devices devices;
    int count, depth; /* slabs; rows of a halo, or points */
    bool peers;       /* all devices access each other's memory */
    bool fresh;       /* the halos of u[cur] and of the right-hand side are up to date */
    ss_cuda_slab of[SS_CUDA_DEVICES_MAX];
    char *areas; /* host memory: parts of the fields, for pictures */
    size_t areas_bytes;
} ss_cuda_slabs;

static inline ss_cuda_slabs *ss_cuda_slabs_of(const ss_run *run)
{
    return ss_cuda_of(run)->slabs;
}

/* Neighbours that a slab has at most: 2, or fewer where there are fewer slabs. */
static inline int ss_cuda_sides(const ss_cuda_slabs *s)
{
    return s->count > 2 ? 2 : s->count - 1;
}

static inline int ss_cuda_device_of(const ss_cuda_slab *s)
{
    return ss_cuda_of(&s->run)->device;
}

/* Divides a run that is being opened evenly among the devices, without filling the slabs. After a
 * failure the caller calls ss_cuda_slabs_free. */
int ss_cuda_slabs_make(ss_run *run, const ss_cuda_devices *devices, ss_err *err);
void ss_cuda_slabs_free(ss_cuda_slabs *s);

/* The arrays of a slab in a new division. */
typedef struct ss_cuda_arrays {
    ss_box box;
    void *u[2], *rhs;
    ss_cuda_kept kept; /* all three */
} ss_cuda_arrays;

/* Exchanges the arrays of a slab with those of *made. */
void ss_cuda_arrays_swap(ss_cuda_slab *slab, ss_cuda_arrays *made);
void ss_cuda_arrays_free(ss_cuda_arrays *a);

/* Gives slab d the rows [cut[d], cut[d + 1]) and a halo of `depth` rows. Rows move to the devices
 * that hold them from now on. Leaves the run's device current. */
int ss_cuda_slabs_divide(ss_run *run, const int *cut, int depth, ss_err *err);
/* Makes `copy` a copy of the run that keeps its own state and scratch. */
void ss_cuda_follow(ss_run *copy, const ss_run *run);
/* Some rows of a device as a run of their own: what one launch updates. */
typedef struct ss_cuda_band {
    ss_run run;
    ss_cuda_state state;
} ss_cuda_band;

/* Rows [lo, hi) of `whole`, the state of one device, with the sums of `control`; `prepare` makes
 * the launches. */
int ss_cuda_band_make(ss_cuda_band *b, const ss_run *run, const ss_cuda_state *whole, int lo,
                      int hi, ss_cuda_control *control, int (*prepare)(ss_run *band, ss_err *err),
                      ss_err *err);
/* Gives the band the run's config and coefficients. */
void ss_cuda_band_follow(ss_cuda_band *b, const ss_run *run);
/* Slab i, with what may have changed in the run: config, coefficients, the current array. */
ss_cuda_slab *ss_cuda_slab_of(const ss_run *run, int i);
/* Adds the seconds and bytes that a call counted in a copy to the run. */
void ss_cuda_count(ss_run *run, const ss_run *copy);
/* Brings the halos up to date, if they are not. */
int ss_cuda_slabs_refresh(ss_run *run, ss_err *err);
/* Enqueues the copies of one slab's halo from its neighbours; array: 0 and 1 are u[0] and u[1], 2
 * the right-hand side. The caller checks ss_cuda_launch_error. */
void ss_cuda_slab_receive(const ss_cuda_slabs *s, int slab, int array, ss_cu_stream stream);

/* The same for time-dependent equations, a line of points; all fields. */
int ss_cuda_lines_divide(ss_run *run, const int *cut, int halo, ss_err *err);
void ss_cuda_line_receive(const ss_run *run, int slab, int array, ss_cu_stream stream);
int ss_cuda_lines_transfer(ss_run *run, int which, int field, char *row, bool up, ss_err *err);
/* The slab beside slab i to the west (way -1) or to the east (1); -1: none. */
int ss_cuda_line_neighbour(const ss_run *run, int i, int way);

/* As in ss_backend. */
int ss_cuda_slabs_transfer(ss_run *run, int which, int field, int j0, int j1, char *rows, bool up,
                           ss_err *err);
int ss_cuda_slabs_download(ss_run *run, int which, char *first, size_t pitch, ss_err *err);
void ss_cuda_slabs_forget(ss_cuda_slabs *s);
int ss_cuda_slabs_reduce(ss_run *run, double *residual, const double *ref, double *max_error,
                         ss_err *err);
int ss_cuda_slabs_sample(ss_run *run, const ss_view *view, const ss_reader *reader, ss_picture *out,
                         ss_err *err);

/* Fails: the solver, or a setting of it in words, runs on one device only. */
int ss_cuda_slabs_refuse(const char *what, const char *instead, ss_err *err);

/* --- cycles (slab_cycles.c) ------------------------------------------------------------------- */

/*
 * Cycles of a run that several devices share: the solver divides the field into slabs of rows and
 * says how far a slab reads into its neighbours; the rest, the same for all solvers whose cycle is
 * a launch of kernels, is here and in slab_cycles.c. Host code; engine thread.
 *
 * A cycle of a slab, on two streams. Edges are the rows that a neighbour needs, which begin first
 * and on the stream of higher priority, so that their way to the neighbour overlaps with the
 * interior:
 *
 *     outer stream   south edge, north edge | halo from the neighbours |
 *     inner stream   interior ......................................... | next cycle
 *
 * With a period of more than one cycle (jacobi: `exchange`) the halo is that many rows deep, and
 * received only in the last cycle of a period. In the others a slab also updates the part of its
 * halo that the rest of the period needs, redundantly: `exchange` - 1 rows in the first cycle, one
 * row less in each. Example: three rows of halo (h), a period of three cycles; + is up to date:
 *
 *                                 h h h | own rows
 *     halo received               + + + | + + + +
 *     1 cycle later               - + + | + + + +
 *     2                           - - + | + + + +
 *     3, then received again      - - - | + + + +
 *
 * Norms. A band, the rows of one launch, leaves the sum of its squares on its device. When all
 * bands of a cycle have ended, each device adds all sums in the same order and decides alone
 * whether the run goes on: all of them reach the same decision, before any device begins the next
 * cycle. So count and field belong to the same cycle, as on one device.
 */

/* How a solver divides a run. Arrays by slab. */
typedef struct ss_cuda_division {
    /* Prepares the launches of a band, a run whose state has only the rows of that band: `row` of
     * the state is its first one in the field. */
    int (*prepare)(ss_run *band, ss_err *err);
    int depth;  /* rows that a slab reads in a neighbour; 0: rows are independent */
    int period; /* cycles between two exchanges; if it is more than 1, a band reads one row of its
                   neighbours */
    int cut[SS_CUDA_DEVICES_MAX + 1]; /* slab i has the rows [cut[i], cut[i + 1]) */
    int south[SS_CUDA_DEVICES_MAX];   /* rows of the edges: at least `depth`, if there is a */
    int north[SS_CUDA_DEVICES_MAX];   /* neighbour there, else 0 */
} ss_cuda_division;

/* As `prepare` of engine ops; ss_cuda_step and ss_cuda_release serve the run from then on. */
int ss_cuda_divided_prepare(ss_run *run, const ss_cuda_division *d, ss_err *err);

/* --- CPU and GPU (split.c) -------------------------------------------------------------------- */

/*
 * Hybrid runs on the device's side: the GPU is the other part of kernels/cpu/hybrid.h. It stores
 * the whole field and updates the rows from x on; the CPU's rows are uploaded
 * before a picture, a checkpoint, a transfer or a change of solver. A round on the run's stream:
 *
 *     GPU    | n launches | rows [x, x + k) to the CPU |          | rows [x - k, x) from the CPU |
 *     CPU    | n iterations of rows [0, x) .................... | waits ...................... |
 *
 * With n > 1 the copy to the CPU waits for its iterations, too. Host code; engine thread.
 */

/* Makes a prepared run hybrid. prepare: as in ss_cuda_division, the launches of a band of rows. */
int ss_cuda_split_prepare(ss_run *run, const ss_split_choice *choice, int depth,
                          int (*prepare)(ss_run *band, ss_err *err), ss_err *err);
/* Cycles that `auto` wants to see of the GPU alone, before the CPU takes part: then it knows what
 * to beat. 0: none, or no more. And their seconds. */
int ss_cuda_split_probe(const ss_run *run);
void ss_cuda_split_probed(const ss_run *run, int64_t cycles, double seconds);
/* As ss_hybrid_step. *alone: the GPU does the remaining *cycles alone. */
int ss_cuda_split_step(ss_run *run, int64_t *cycles, bool *alone, ss_err *err);
/* Before rows of an array on the device are read (`which` as in ss_backend), or before some rows of
 * any array are changed: brings the CPU's rows to the device, where they are newer. */
int ss_cuda_split_settle(ss_run *run, int which, ss_err *err);
int ss_cuda_split_settle_all(ss_run *run, ss_err *err);
/* Rows on the device were changed. */
void ss_cuda_split_changed(const ss_run *run);
/* Ends the hybrid run; the device has the whole field. */
void ss_cuda_split_free(ss_cuda_state *st);

#endif
