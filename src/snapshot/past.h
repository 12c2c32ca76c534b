/*
 * What is seen of a run's past: where it can be taken back to, and what it became before it was
 * taken back and went another way. Part of a snapshot; filled on the engine thread (rewind.h).
 */
#ifndef SS_PAST_H
#define SS_PAST_H

#include "src/core/history.h"

#define SS_KEPT_MAX 64
#define SS_BRANCH_MAX 3
#define SS_BRANCH_CURVE 256

/* A future that the run has left, from where it left it. */
typedef struct ss_branch {
    char label[48]; /* "k 8": in what its settings differ from the others' */
    ss_point curve[SS_BRANCH_CURVE];
    int n;
} ss_branch;

typedef struct ss_past {
    ss_point kept[SS_KEPT_MAX]; /* where `rewind` leads, oldest first */
    int nkept;
    bool used;      /* somebody went back at some time */
    bool back;      /* it was taken back, and has not gone on: the last branch is still ahead */
    int64_t end;    /* cycle that it had come to then */
    char label[48]; /* of the run itself; empty: nothing tells it from its branches */
    ss_branch branch[SS_BRANCH_MAX]; /* oldest first */
    int nbranch;
} ss_past;

#endif
