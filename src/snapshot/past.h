/* The past of a run as front ends see it: checkpoints to which it can be rewound, and the branches
 * that rewinding has created. Part of a snapshot; filled on the engine thread (rewind.h). */
#ifndef SS_PAST_H
#define SS_PAST_H

#include "src/core/history.h"

#define SS_KEPT_MAX 64
#define SS_BRANCH_MAX 3
#define SS_BRANCH_CURVE 256

/* A branch: the former curve of the run beyond the cycle to which it was rewound. */
typedef struct ss_branch {
    char label[48]; /* "k 8": the settings in which it differs from the others */
    ss_point curve[SS_BRANCH_CURVE];
    int n;
} ss_branch;

typedef struct ss_past {
    ss_point kept[SS_KEPT_MAX]; /* checkpoints, oldest first */
    int nkept;
    bool used; /* the run was rewound at least once */
    bool back; /* the run was rewound and has not advanced since: the last branch is still ahead */
    int64_t end;                /* back: the cycle reached before the rewind */
    ss_mark ahead[SS_MARK_MAX]; /* back: the changes between the present cycle and that one */
    int nahead;
    char label[48]; /* label of the run itself; empty: its settings equal those of its branches */
    ss_branch branch[SS_BRANCH_MAX]; /* oldest first */
    int nbranch;
} ss_past;

#endif
