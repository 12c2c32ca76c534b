/*
 * A student in a lesson: the session, the examiner who evaluates its checks, and the page beside
 * the run. Main thread.
 */
#ifndef SS_LESSON_SESSION_H
#define SS_LESSON_SESSION_H

#include "src/engine/engine.h"
#include "src/lesson/document.h"
#include "src/lesson/runner.h"
#include "src/snapshot/page.h"

/* --- the session ------------------------------------------------------------------------------ */

/*
 * A student in a lesson: the step, the predictions, and what has been shown. Every change is saved,
 * but none of a lesson before a class.
 */

typedef struct ss_session {
    const ss_lesson *lesson;
    ss_progress progress;
    int index;
    bool over;                     /* the student has passed the last step */
    bool tried;                    /* the lesson's own commands have been run */
    bool hinted, helped, revealed; /* shown: hint, solution, reveal */
    bool for_class;                /* the student's own progress is neither used nor changed */
    bool warned;                   /* that progress is not saved */
    char why_not_saved[320];
} ss_session;

/* Resumes the lesson at the saved step. */
void ss_session_open(ss_session *s, const ss_lesson *l);
/* Begins it anew, for a class: who teaches it may have done it before. Nothing is saved. */
void ss_session_teach(ss_session *s, const ss_lesson *l);
const ss_lesson_step *ss_session_step(const ss_session *s);
/* The functions below that take an err save the progress. If that fails they return SS_FAIL with a
 * sentence, the first time only; their other effects are the same. */
int ss_session_save(ss_session *s, ss_err *err);
/* Goes to another step; after the last one the lesson is over. */
int ss_session_go(ss_session *s, int index, ss_err *err);
/* Deletes all progress and goes to the first step. */
int ss_session_reset(ss_session *s, ss_err *err);

/* True if a prediction is due: nothing may run before it is locked. */
bool ss_session_asks(const ss_session *s);
/* The prediction in this step; "": none. */
const char *ss_session_predicted(const ss_session *s);
bool ss_session_is_answer(const ss_session *s, const char *text);
int ss_session_lock(ss_session *s, const char *answer, ss_err *err);
bool ss_session_is_right(const ss_session *s);
/* "Right: fewer" or "You predicted 1. The answer is 2: fewer" */
const char *ss_session_verdict(const ss_session *s, char *buf, size_t size);

/* The step is done: the explanation may be shown. */
int ss_session_done(ss_session *s, ss_err *err);
bool ss_session_is_done(const ss_session *s);

/* --- the examiner ----------------------------------------------------------------------------- */

/*
 * Evaluates the checks of a step while a student works on a live run. The engine thread hands over
 * an observation when the run has changed. A separate thread evaluates it, because a baseline, a
 * best value or a bit-for-bit comparison needs further runs. The main thread reads the results.
 * No thread waits for another. The checks are those of grade (evaluate.c).
 */

typedef struct ss_examiner ss_examiner;

/* `wake` is called from the examiner's thread when there are new results. NULL: no memory. */
ss_examiner *ss_examiner_new(const ss_config *machine, void (*wake)(void *ctx), void *ctx,
                             ss_err *err);
void ss_examiner_free(ss_examiner *x);
/* Selects step `index` of a lesson (-1: none) and drops all earlier results. The lesson must exist
 * until ss_examiner_free. Main thread. */
void ss_examiner_begin(ss_examiner *x, const ss_lesson *l, int index);
/* Engine thread: ss_engine_setup.observe. */
void ss_examiner_observe(const ss_engine_moment *now, void *examiner);
/* Are the results those of a still run after the command of that ticket? Main thread. */
bool ss_examiner_is_current(ss_examiner *x, uint64_t ticket);
/* The results of the step's checks, in order. True: all of them are met. Main thread. */
bool ss_examiner_results(ss_examiner *x, ss_check_result out[SS_CHECKS_MAX]);

/* --- the page --------------------------------------------------------------------------------- */

/* The page of a lesson's step: its text, its question, and the state of its checks. Main thread. */

/* The part to scroll to if the page is longer than the panel. */
typedef enum ss_focus {
    SS_FOCUS_TOP,
    SS_FOCUS_PREDICT,
    SS_FOCUS_WORK, /* do, your turn, checks */
    SS_FOCUS_HINT,
    SS_FOCUS_SOLUTION,
    SS_FOCUS_REVEAL
} ss_focus;

typedef struct ss_page_state {
    const ss_session *session;
    const ss_check_result *result; /* of the step's checks */
    int chosen;                    /* answer, from 1; 0: none yet */
    bool busy;                     /* the lesson's own commands are running */
    const char *playing;           /* "subiteration 5 of 8": how far they are; NULL: nowhere */
    const ss_answers *answers;     /* of the class that watches; none if nobody was asked */
    ss_focus focus;
} ss_page_state;

/* Fills p; p->turn is the caller's. */
void ss_lesson_page(const ss_page_state *s, ss_page *p);

#endif
