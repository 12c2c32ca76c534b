/*
 * The residual history of a run and the marks of changes on it. Memory is bounded: when full,
 * every second point is dropped and the stride doubles. Owned by the engine thread.
 */
#ifndef SS_HISTORY_H
#define SS_HISTORY_H

#include "src/core/equation.h"

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

#endif
