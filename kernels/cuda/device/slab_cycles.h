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
#ifndef SS_CUDA_SLAB_CYCLES_H
#define SS_CUDA_SLAB_CYCLES_H

#include "kernels/cuda/device/slabs.h"

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

#endif
