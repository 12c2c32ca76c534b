/*
 * Looks on while a student works on a live run: what the checks of a step make of it. The engine
 * thread hands over figures each time that the run is shown; a thread of its own judges, since a
 * baseline, a best value or a comparison of bits are runs by themselves; the main thread reads how
 * it went. Nobody waits for it. The judge is that of walk and grade (judge.c).
 */
#ifndef SS_EXAMINER_H
#define SS_EXAMINER_H

#include "src/lesson/document.h"

typedef struct ss_examiner ss_examiner;

/* How a check stands. */
typedef struct ss_mark_given {
    bool pending, met; /* pending: it cannot be said yet */
    char why[240];     /* with figures; "" at first */
} ss_mark_given;

/* `wake` is called from the examiner's thread when there is something new. NULL: no memory. */
ss_examiner *ss_examiner_new(const ss_lesson *l, const ss_config *machine, void (*wake)(void *ctx),
                             void *ctx, ss_err *err);
void ss_examiner_free(ss_examiner *x);
/* From now on step `index`; what was found is forgotten. Main thread. */
void ss_examiner_begin(ss_examiner *x, int index);
/* Engine thread, between two cycles: ss_engine_setup.look. */
void ss_examiner_look(struct ss_run *run, bool still, void *examiner);
/* The checks of the step, in order. Main thread. True: all of them are met. */
bool ss_examiner_marks(ss_examiner *x, ss_mark_given out[SS_CHECKS_MAX]);

#endif
