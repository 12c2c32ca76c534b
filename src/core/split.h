/*
 * The model of a hybrid run, whose rows a CPU and a GPU share (Venkatasubramanian & Vuduc, figures
 * 5 and 6). x is the share of the rows on the CPU; c and g are the times of an iteration of the
 * whole grid on the CPU and on the GPU, e is the time of an exchange, every k iterations:
 *
 *     T(x) = max(x c, (1 - x) g) + e/k for 0 < x < 1       T(0) = g       T(1) = c
 *     x* = g/(c + g), where both parts take equally long; there the CPU saves g^2/(c + g)
 *
 * A hybrid run is faster than the GPU alone only if e/k is less than that. The paper's c is one
 * number. Here a row may cost more, or less, the more rows the CPU has, since they leave its cache:
 * c is measured with the rows that `auto` has chosen and with twice as many. Pure functions; any
 * thread. ss_split is the figures of a run: written by the engine thread, copied to the snapshot.
 */
#ifndef SS_SPLIT_H
#define SS_SPLIT_H

#include "src/base/common.h"

#define SS_SPLIT_GAIN 0.02 /* `auto` keeps the CPU only if the model promises more than this */

/* Seconds. */
typedef struct ss_split_cost {
    double cpu, gpu; /* c and g: an iteration of the whole grid */
    double exchange; /* e */
    double share; /* of the rows on the CPU up to which its cost is c; with twice as many it is */
    double far;   /* this, and linear in between; 0: not measured, c everywhere */
} ss_split_cost;

/* An iteration of the whole grid on the CPU, as measured with the share x of the rows. */
double ss_split_cpu(const ss_split_cost *m, double x);

double ss_split_time(const ss_split_cost *m, int k, double x);
double ss_split_best(const ss_split_cost *m);
/* Seconds per iteration that the CPU saves at x*, the exchange not counted. */
double ss_split_saving(const ss_split_cost *m);
/* 1 - T(x*)/g: negative where the hybrid run is slower than the GPU alone. */
double ss_split_gain(const ss_split_cost *m, int k);
/* Why the CPU does not pay: "the CPU would save 7 us per iteration and the exchange costs 30 us".
 */
void ss_split_explain(const ss_split_cost *m, int k, char *buf, size_t size);

/* --- calibration ------------------------------------------------------------------------------ */

#define SS_SPLIT_WARM 3 /* batches that decide nothing: caches, pages and clocks are cold */

/* Follows the costs that are measured batch by batch: moves to x*, measures the CPU with twice as
 * many rows, and returns. Zero it before the first batch. */
typedef struct ss_split_tuner {
    ss_split_cost mean; /* moving averages; of a hundred batches where rows are given */
    bool given;         /* the rows of the CPU are given and do not move */
    int chosen;         /* rows; 0: not yet */
    int probes;         /* batches with twice as many */
    int batches;
    int losing; /* batches in a row that promised no gain */
    bool settled, refused;
} ss_split_tuner;

/* Adds a batch. */
void ss_split_measured(ss_split_tuner *t, const ss_split_cost *batch);
/* The rows of the CPU from now on, of `all` rows; each part keeps at least `least`. Until rows are
 * chosen it moves half way to x*. 0: the GPU alone, from now on. */
int ss_split_move(ss_split_tuner *t, int k, int rows, int all, int least);
/* The first guess of `auto`. */
int ss_split_guess(int all, int least);

/* --- the parameter ---------------------------------------------------------------------------- */

/* The value of the parameter `split`: "off", "auto" or the rows of the CPU. */
typedef struct ss_split_choice {
    bool on, automatic;
    int rows; /* 0 if automatic */
} ss_split_choice;

/* Each part keeps at least `least` of the `all` rows. On SS_FAIL err has one sentence with the
 * valid range. text NULL: off. */
int ss_split_parse(const char *text, int all, int least, ss_split_choice *out, ss_err *err);

/* --- a run ------------------------------------------------------------------------------------ */

/* Seconds between two exchanges, mean of the last batch. */
typedef struct ss_split_bars {
    double up, kernel, down; /* the GPU: rows to it, its iterations, rows back */
    double cpu;              /* the CPU's iterations */
    double wait;             /* of the part that is ready first */
    double exchange;         /* what the two parts' iterations do not explain */
} ss_split_bars;

typedef struct ss_split {
    bool on; /* the run is hybrid, or `auto` has decided that it is not */
    bool automatic, settled;
    int rows, all; /* of the CPU, of the grid */
    int k;         /* iterations between two exchanges */
    int batches;
    ss_split_cost cost;
    double measured; /* seconds per iteration, mean of the last batch; 0: not yet */
    ss_split_bars bars;
    char refused[160]; /* why the GPU is alone; empty: it is not */
} ss_split;

/* --- several devices -------------------------------------------------------------------------- */

/*
 * Where the time of a cycle goes on each of several devices that share a run, measured now and
 * then. Written by the engine thread; the snapshot has a copy.
 */

#define SS_SHARES_MAX 8

/* Seconds per cycle. Exchange and interior overlap; the rest of the cycle is waiting. */
typedef struct ss_share {
    int device;
    double interior; /* the rows that no other device needs */
    double edge;     /* the rows that a neighbour needs, computed first */
    double exchange; /* copies of the halo */
    double wait;     /* for the other devices, and for launches */
} ss_share;

typedef struct ss_shares {
    int count; /* devices; 0: nothing was measured */
    ss_share of[SS_SHARES_MAX];
} ss_shares;

#endif
