/* What run.c (commands), judge.c (checks) and examiner.c share. A pupil belongs to
 * one thread at a time. */
#ifndef SS_LESSON_PRIVATE_H
#define SS_LESSON_PRIVATE_H

#include "src/lesson/document.h"
#include "src/core/run.h"

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

/* --- what a check looks at -------------------------------------------------------------------- */

#define SS_QUANTITIES_MAX 32

/* A run as it stood when it was looked at: numbers, and its field where that is compared. */
typedef struct ss_exhibit {
    ss_config cfg;
    ss_status status;
    bool begun, reached, has_end, still; /* still: it is not going on */
    int64_t cycle, iteration;
    double value[SS_QUANTITIES_MAX]; /* of ss_lesson_quantities, those that are asked for */
    char *field;                     /* NULL: not asked for */
    size_t bytes;
} ss_exhibit;

/* What the checks need. What takes long is left out (NaN, NULL) of a run that is going on. */
int ss_exhibit_take(ss_run *run, const ss_check *check, int ncheck, bool still, ss_exhibit *out,
                    ss_err *err);
void ss_exhibit_drop(ss_exhibit *x);

typedef enum ss_verdict { SS_PENDING, SS_UNMET, SS_MET } ss_verdict;

/* The judge: one check of the pupil's step, whose baseline the pupil has. SS_FAIL: err says why it
 * cannot be looked at. */
int ss_judge(ss_pupil *p, const ss_exhibit *x, const ss_check *c, ss_verdict *out, char *why,
             size_t size, ss_err *err);
/* ss_pupil_fair of a run with this config. */
int ss_judge_fair(const ss_pupil *p, const ss_config *cfg, const ss_lesson_step *s, ss_err *err);

/* --- runs ------------------------------------------------------------------------------------- */

/* Bounded in memory. */
ss_run *ss_pupil_open(const ss_config *cfg, ss_err *err);
/* Only text, and fences that are closed; passes over a mark of the byte order. Its errors are
 * "path:line: reason". */
int ss_lesson_bytes(const char *path, const char **text, size_t *size, ss_err *err);
/* Is it known when to stop? */
bool ss_pupil_has_end(const ss_run *run);
/* So many cycles, or to whatever ends it (SS_TO_END); bounded in time. */
#define SS_TO_END INT64_MAX
int ss_pupil_advance(const ss_pupil *p, ss_run *run, int64_t cycles, ss_err *err);

#endif
