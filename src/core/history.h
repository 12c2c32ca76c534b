/*
 * The residual history of a run, the marks of changes on it, and the reduction factors derived from
 * it. Memory is bounded. Owned by the run; engine thread only.
 */
#ifndef SS_HISTORY_H
#define SS_HISTORY_H

#include "src/base/common.h"
#include "src/core/equation.h"

/* --- points and marks ------------------------------------------------------------------------- */

/* When full, every second point is dropped and the stride doubles. */

typedef struct ss_point {
    int64_t cycle, iteration;
    double seconds, bytes; /* solving time; global bytes of the ledger */
    double launches;       /* of the ledger */
    double work;           /* updates of the ledger per point: sweeps of the whole (finest) grid */
    double reductions;     /* of the ledger */
    double residual;       /* |r|, not relative (steady equations) */
    double time;           /* simulated (transient equations) */
    double monitor[SS_MONITOR_MAX];
    /* Transient equations: mean |u - exact| of the first quantity, and the simulated time of its
     * last measurement; NaN: unknown. */
    double error, error_time;
} ss_point;

#define SS_MARK_TEXT 48

/* A change while running: "overlap 0 -> 4". */
typedef struct ss_mark {
    ss_point at;
    char text[SS_MARK_TEXT];
} ss_mark;

#define SS_HISTORY_MAX (1 << 20)
#define SS_MARK_MAX 64

typedef struct ss_history {
    ss_point *point;
    size_t count, capacity, stride, skipped;
    ss_mark mark[SS_MARK_MAX];
    int nmark;
} ss_history;

void ss_history_clear(ss_history *h);
void ss_history_free(ss_history *h);
/* Appends. If memory runs out, the stride doubles earlier, so the curve only gets coarser. */
void ss_history_add(ss_history *h, ss_point p);
/* Drops the marks after `cycle` and the points after cycle `known`. */
void ss_history_cut(ss_history *h, int64_t cycle, int64_t known);
void ss_history_mark(ss_history *h, ss_point at, const char *text);
/* Replaces the text of the last mark if it is `was`; text "": removes that mark. */
void ss_history_remark(ss_history *h, const char *was, const char *text);
/* At most max points: all of the beginning, the rest evenly spread, the last included. Returns
 * their number. */
int ss_history_thin(const ss_history *h, ss_point *out, int max);

/* --- reduction factors ------------------------------------------------------------------------ */

/*
 * Reduction factors of the residual: that of one step, |r_c| / |r_{c-1}| (the smoothing factor of a
 * smoother), the mean over the last steps, and the measured factor of convergence, which is
 * compared with the predicted one (ss_solver.factor).
 *
 * When has a factor f settled? Near 1, f itself tells nothing: 0.975 and 0.9988 are nearly equal,
 * and one falls 22 times as fast as the other. The rate ln f does: four quarters of the second half
 * of the residuals must have one rate, within 5 %, and its two halves, within 2 %. Where |r| still
 * falls like a power of the number of cycles, as Jacobi's does before its slowest mode is left, the
 * halves differ by a third, whatever the power and the number of cycles; of 25 runs of all methods,
 * those that pass have the rate of the long run within 13 %, most within 4 %. A residual that
 * changes by less than 10 % in these cycles proves no rate: it may stand on rounding errors.
 */

#define SS_FACTOR_WINDOW 10     /* residuals back */
#define SS_FACTOR_LONG 100      /* ratios of the measured factor */
#define SS_FACTOR_FLOOR 1e-10   /* smaller residuals, over the first one, may be rounding errors */
#define SS_FACTOR_SPARSE 128    /* residuals kept of all, at equal distances */
#define SS_FACTOR_PROGRESS 0.05 /* a fall of the residual by this part is progress */

/* Since the last progress: the residual there and its cycle; the least and the largest since, and
 * how many there are, and are the least so far. */
typedef struct ss_standstill {
    double low, least, most;
    int64_t start, cycle; /* of the first residual of all, and of `low` */
    int64_t checks, records;
    bool said; /* the run has stagnated here (src/run/checks.h) */
} ss_standstill;

typedef struct ss_factors {
    double residual[SS_FACTOR_WINDOW + 1]; /* the newest last */
    int64_t cycle[SS_FACTOR_WINDOW + 1];
    int n; /* 0: forgets everything */
    /* Residual i since the start, above the floor, is at i % (SS_FACTOR_LONG + 1). */
    double above[SS_FACTOR_LONG + 1];
    int64_t above_cycle[SS_FACTOR_LONG + 1], count;
    double first;
    /* Every stride-th of these; when full, every second one is dropped. */
    double sparse[SS_FACTOR_SPARSE];
    int64_t sparse_cycle[SS_FACTOR_SPARSE], stride;
    int nsparse;
    ss_standstill stands;
} ss_factors;

void ss_factors_add(ss_factors *f, int64_t cycle, double residual);
/* The factor per cycle, as a geometric mean: since the previous residual, and since the oldest one
 * stored. NaN: unknown. */
double ss_factors_last(const ss_factors *f);
double ss_factors_mean(const ss_factors *f);
/* The factor per cycle over the last min(100, half) ratios above the floor, as a geometric mean.
 * NaN: there are fewer than four. *settled: it is that of the long run, as above. Others call
 * ss_run_factor, which knows the method. */
double ss_factors_measured(const ss_factors *f, bool *settled);

#endif
