/*
 * Hybrid runs: the CPU updates the first rows of a plane, another part, a GPU, the others, and they
 * exchange edge rows (Venkatasubramanian & Vuduc, figure 5). The other part is a table of
 * functions, so that this file knows no CUDA. Between two exchanges, `depth` iterations:
 *
 *     rows [0, x)   the CPU's, and [x, x + depth) its halo, copies of rows of the other part
 *     rows [x, ny)  the other part's, and [x - depth, x) its halo, copies of rows of the CPU
 *
 * Of the halo, depth - 1 rows are updated in the first iteration, redundantly, and one row less in
 * each. A checked iteration ends such a round early: the norms of both parts are added, and the run
 * decides, before its start field is overwritten. So count and field belong to the same cycle.
 *
 * Arrays are 0 and 1 for u[0] and u[1], and 2 for the right-hand side. The other part stores the
 * whole field; where the CPU's rows are newer, ss_hybrid_settle brings them there. Engine thread.
 */
#ifndef SS_CPU_HYBRID_H
#define SS_CPU_HYBRID_H

#include "kernels/cpu/state.h"
#include "src/core/split.h"

enum { SS_HYBRID_RHS = 2, SS_HYBRID_DEPTH = 64 }; /* the deepest halo */

/* What the other part measured of a round; seconds. */
typedef struct ss_hybrid_times {
    double up, kernel, down; /* rows to it, its iterations, rows back */
} ss_hybrid_times;

/* The other part. self is its own. */
typedef struct ss_hybrid_part {
    void *self;
    /* Its rows begin at `rows` from now on. */
    int (*divide)(void *self, int rows, ss_err *err);
    /* Begins n iterations from u[from], of which the last one updates rows [x, ny) and, if `norm`,
     * sums their squared changes. Returns at once. If n is 1 it may also begin to copy rows
     * [x, x + depth) of the result to the CPU's arrays; with more iterations the CPU still updates
     * its halo there. */
    int (*begin)(void *self, int from, int n, bool norm, ss_err *err);
    /* Copies rows [x - depth, x) of array `to`, the result, from the CPU's arrays and rows
     * [x, x + depth) to them, and waits for all this. */
    int (*finish)(void *self, int to, ss_hybrid_times *times, double *squares, ss_err *err);
    /* Copies rows [j0, j1) to the other part, or from it to the CPU's arrays, and waits. Row -1 is
     * the boundary. */
    int (*copy)(void *self, int array, int j0, int j1, bool to_part, ss_err *err);
} ss_hybrid_part;

/* Sums of the rounds of a batch. */
typedef struct ss_hybrid_batch {
    int rounds;
    int64_t iterations;
    double cpu_rows, part_rows; /* updated, redundant ones included */
    double seconds, cpu;        /* of rounds, of the CPU's iterations */
    ss_hybrid_times part;
} ss_hybrid_batch;

typedef struct ss_hybrid {
    ss_run cpu;         /* the CPU's rows as a run of its own, */
    ss_cpu_state state; /* and its arrays, of the whole field's size: only used rows are touched */
    ss_hybrid_part part;
    ss_split_choice choice;
    ss_split_tuner tuner;
    ss_hybrid_batch batch;
    int rows, depth, all; /* x (0: the other part alone), rows of a halo, of the field */
    int length;           /* iterations of a round, mean of the last batch: at most `depth`, fewer
                           * where checks of the residual end rounds early */
    double alone;         /* seconds of an iteration of the other part alone; 0: not known */
    double latency;       /* of its times of a round: launches and clocks, no iterations */
    int touched;          /* rows of the CPU's arrays that were written once */
    int *cur;             /* the run's current array is u[*cur] */
    bool cpu_old;         /* the other part's fields were changed */
    bool part_old[2];     /* of u[i] the CPU's rows are newer in its own arrays */
    bool fresh;           /* the halos of u[*cur] are up to date, `depth` rows */
} ss_hybrid;

/* box: the layout of the other part's arrays, which those of the CPU have too. After a failure the
 * caller calls ss_hybrid_free. */
int ss_hybrid_make(ss_hybrid *h, ss_run *run, const ss_box *box, const ss_hybrid_part *part,
                   const ss_split_choice *choice, int depth, int *cur, ss_err *err);
void ss_hybrid_free(ss_hybrid *h);

/* Advances until *cycles are done, or the run ends, or the app interrupts it, or `auto` gives the
 * CPU up: then h->rows is 0 and *cycles are left to the other part. */
int ss_hybrid_step(ss_hybrid *h, ss_run *run, int64_t *cycles, ss_err *err);
/* Brings the CPU's rows of array 0 or 1 to the other part, where they are newer. */
int ss_hybrid_settle(ss_hybrid *h, int array, ss_err *err);
/* The other part's fields were changed, by more than this step. They were settled before, unless
 * all of their rows were changed. */
void ss_hybrid_changed(ss_hybrid *h);

#endif
