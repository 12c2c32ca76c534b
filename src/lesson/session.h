/*
 * A student in a lesson: at which step, what was predicted, what has been shown, and that it is
 * kept. Shared by the walk (walk.c) and the panel (lesson.c), which only differ in how
 * they ask. Main thread.
 */
#ifndef SS_LESSON_SESSION_H
#define SS_LESSON_SESSION_H

#include "src/lesson/document.h"

typedef struct ss_session {
    const ss_lesson *lesson;
    ss_progress progress;
    int index;
    bool over;                     /* gone on from the last step */
    bool tried;                    /* what the lesson does for the student has been done */
    bool hinted, helped, revealed; /* shown: hint, solution, reveal */
    bool told;                     /* that progress is not kept, and: */
    char why_not_kept[320];
} ss_session;

/* Where it was left. */
void ss_session_open(ss_session *s, const ss_lesson *l);
const ss_lesson_step *ss_session_step(const ss_session *s);
/* What follows returns SS_FAIL with a sentence, once, if progress cannot be kept; all else is as
 * if it were. */
int ss_session_keep(ss_session *s, ss_err *err);
/* To another step; behind the last one it is over. */
int ss_session_go(ss_session *s, int index, ss_err *err);
/* Forgets everything, and begins anew. */
int ss_session_reset(ss_session *s, ss_err *err);

/* Is a prediction due? Nothing may be run before it is locked. */
bool ss_session_asks(const ss_session *s);
/* What was predicted in this step, "" if nothing was. */
const char *ss_session_predicted(const ss_session *s);
/* Could this be an answer? */
bool ss_session_is_answer(const ss_session *s, const char *text);
int ss_session_lock(ss_session *s, const char *answer, ss_err *err);
bool ss_session_is_right(const ss_session *s);
/* "You predicted 2: it is fewer" */
const char *ss_session_verdict(const ss_session *s, char *buf, size_t size);

/* The step is done: what has happened may be explained. */
int ss_session_done(ss_session *s, ss_err *err);
bool ss_session_is_done(const ss_session *s);

/* The program itself, live, with all that was done in this step; back when it is left. Needs a
 * terminal; what it cannot do it says on `out`. */
void ss_lesson_look(const ss_session *s, const ss_pupil *pupil, const ss_config *cfg, FILE *in,
                    FILE *out);

#endif
