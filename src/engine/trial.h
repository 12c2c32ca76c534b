/*
 * A trial of an edited kernel: this program once more, as a child process (`kernels try`,
 * src/app/try.c), because such a kernel may crash the compiler, hang or ruin the device. It is
 * polled and never waited for. Engine thread.
 */
#ifndef SS_TRIAL_H
#define SS_TRIAL_H

#include "src/core/run.h"

typedef struct ss_trial_result {
    ss_err why;    /* why it failed, a sentence; "": it passed */
    uint64_t hash; /* of the text that it read */
    ss_bits bits;
    double edited, own; /* seconds per cycle; own: with the program's own text */
} ss_trial_result;

enum { SS_TRIAL_DYING = 4 };

/* Zeroed: there is none. */
typedef struct ss_trial {
    int pid;        /* 0: none in progress */
    int from;       /* its output */
    char line[600]; /* of it, the last one so far */
    size_t n;
    ss_trial_result heard;     /* in the lines before */
    int phase;                 /* compiles, runs, is compared and timed */
    double since;              /* clock: the phase began */
    double limit;              /* seconds that its cycles may take */
    int dying[SS_TRIAL_DYING]; /* killed, not gone yet: the driver takes the device from them */
} ss_trial;

/* Ends the one in progress, and starts argv[0] with these words. */
int ss_trial_start(ss_trial *t, char *const *argv, double limit, ss_err *err);
/* Has it ended? Then out is filled; false too if there is none. One that takes too long is killed:
 * that is its end. */
bool ss_trial_poll(ss_trial *t, ss_trial_result *out);
/* Kills the one in progress, if any. */
void ss_trial_end(ss_trial *t);

#endif
