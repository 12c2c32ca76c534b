/*
 * A student in a lesson: the step, the predictions, and what has been shown. Every change is saved,
 * but none of a lesson before a class. Main thread.
 */
#ifndef SS_LESSON_SESSION_H
#define SS_LESSON_SESSION_H

#include "src/lesson/document.h"

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

#endif
