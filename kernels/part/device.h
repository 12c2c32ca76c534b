/*
 * A device that stores a rank's points and updates them, instead of the rank's own memory and
 * threads: a GPU (kernels/cuda/rank/rank.h), or an array in the tests. The schedules decide which
 * points are copied and when; the rank's memory then has messages only. Called by the one thread
 * that steps the rank. Any failure is final: the part can only be closed.
 *
 * Of a steady equation it updates boxes of points. It has two queues, so that its edges travel
 * while it computes:
 *
 *     outer queue   edges down |  messages  | halo up | edge sweeps |
 *     inner queue   inner sweep ........................................
 *
 * Calls return before their work is done. Within a queue the order is that of the calls. Besides,
 *     - an inner sweep begins after all edge sweeps and all copies up that were called before it;
 *     - a copy down begins after all sweeps that were called before it;
 *     - an edge sweep or a copy up begins after all inner sweeps but the latest one.
 *
 * Of a time-dependent equation it advances all points that it stores by whole cycles, as if they
 * were a line of their own (kernels/cuda/swept/divided.c says why that is enough).
 */
#ifndef SS_PART_DEVICE_H
#define SS_PART_DEVICE_H

#include "kernels/sample/parts.h"

/* The arrays of a part: three fields, of which one is the current one, and the right-hand side. */
enum { SS_PART_FIELDS = 3, SS_PART_RIGHT = SS_PART_FIELDS, SS_PART_ARRAYS };

typedef struct ss_part_device {
    /* Makes arrays of the points `stored`, zero, with points around them that stay zero. run: the
     * problem, its equation, precision and coefficients; it need not outlive the call. which:
     * ss_part_setup.which. On failure nothing remains. */
    int (*open)(const ss_run *run, const ss_area *stored, int which, void **self, ss_err *err);
    void (*close)(void *self);
    /* Copies the points of a box of one field from `data`, or to it: rows `pitch` bytes apart. The
     * caller leaves data alone until copied() has returned. */
    int (*copy)(void *self, int array, int field, const ss_area *box, void *data, ptrdiff_t pitch,
                bool up, ss_err *err);
    /* Waits for the outer queue. */
    int (*copied)(void *self, ss_err *err);
    /* Steady: updates the points of a box from one array to another one. inner: in the inner queue.
     * norm:
     * adds up the squares of the changes, for finish(). At most SS_PART_SUMS sweeps have a norm
     * between two calls of finish. */
    int (*sweep)(void *self, int from, int to, const ss_area *box, bool inner, bool norm,
                 ss_err *err);
    /* Time-dependent: advances the field in array `from` by a number of cycles of the run's solver,
     * or else of classic steps, and waits; after n levels it is in array (from + n) % 2. Wrong
     * values begin at the ends of the stored points that are not ends of the line, and come nearer
     * by the stencil's radius per level. */
    int (*advance)(void *self, int from, int64_t cycles, int64_t steps, ss_err *err);
    /* Waits for all work. *squares: the sum of the sweeps with a norm since the last call. */
    int (*finish)(void *self, double *squares, ss_err *err);
    /* Makes copies to and from this memory fast, or no longer. NULL: they are. */
    void (*pin)(void *self, void *data, size_t bytes, bool on);
} ss_part_device;

#define SS_PART_SUMS 8

#endif
