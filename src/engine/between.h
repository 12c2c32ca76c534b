/*
 * The states inside a cycle of many steps, for the space-time diagram: a swept cycle passes through
 * them, but no point of time has them all in memory. A run of the classic solver
 * (ss_solver.classic) starts from the last published field and does the same steps one by one; each
 * state has the bits that the swept points have at that level. Only while the diagram is shown, for
 * steps that take little time. Engine thread only; see lane.h.
 */
#ifndef SS_BETWEEN_H
#define SS_BETWEEN_H

#include "src/core/run.h"

struct ss_engine;
struct ss_snapshot;

typedef struct ss_between_run {
    ss_run *run; /* the classic one; NULL: none */
    bool level;  /* it has the field that the watched run had at `step`, when it was published */
    int64_t step;
    double time;
    uint64_t began;  /* the watched run's `began`, */
    uint64_t change; /* the lane's `pushed` */
    int lane;        /* and its lane, at that time */
    ss_config cfg;   /* of the watched run, when `run` was opened */
    const char *load;
    double each; /* seconds of the last steps, per step */
} ss_between_run;

/* Its part of the snapshot: the states since the last one. */
void ss_between_publish(struct ss_engine *e, struct ss_snapshot *s);
void ss_between_free(struct ss_engine *e);

#endif
