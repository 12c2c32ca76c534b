/* The page of a lesson's step: its text, its question, and the state of its checks. Main thread. */
#ifndef SS_LESSON_PAGE_H
#define SS_LESSON_PAGE_H

#include "src/lesson/examiner.h"
#include "src/lesson/session.h"
#include "src/snapshot/page.h"

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
