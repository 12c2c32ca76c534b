/* What lesson_run.c (commands) and lesson_judge.c (checks) share. Main thread. */
#ifndef SS_LESSON_PRIVATE_H
#define SS_LESSON_PRIVATE_H

#include "src/lesson.h"
#include "src/run.h"

#define SS_PUPIL_UNDO 32

struct ss_pupil {
    ss_config machine;
    ss_run *run;
    bool changed; /* since it was advanced last, or not advanced at all */
    bool painted;
    ss_config undo[SS_PUPIL_UNDO];
    int nundo;
    ss_config baseline; /* what the scenario asks for */
    ss_run *solved;     /* the baseline, once somebody has asked */
    double until;       /* clock */
    double seconds;
    int line; /* of the last command */
    ss_script history;
};

/* Bounded in memory. */
ss_run *ss_pupil_open(const ss_config *cfg, ss_err *err);
/* Is it known when to stop? */
bool ss_pupil_has_end(const ss_run *run);
/* So many cycles, or to whatever ends it (SS_TO_END); bounded in time. */
#define SS_TO_END INT64_MAX
int ss_pupil_advance(const ss_pupil *p, ss_run *run, int64_t cycles, ss_err *err);

#endif
