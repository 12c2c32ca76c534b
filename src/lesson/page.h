/* A step of a lesson as a page: what is shown of it now, and what it asks. Main thread. */
#ifndef SS_LESSON_PAGE_H
#define SS_LESSON_PAGE_H

#include "src/lesson/examiner.h"
#include "src/lesson/session.h"
#include "src/snapshot/page.h"

/* What is to be seen first, when there is more than the panel has room for. */
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
    const ss_mark_given *mark; /* of the step's checks */
    int chosen;                /* of the answers, from 1; 0: none yet */
    bool busy;                 /* the lesson's own commands are being carried out */
    ss_focus focus;
} ss_page_state;

/* Fills p; p->turn is the caller's. */
void ss_lesson_page(const ss_page_state *s, ss_page *p);

#endif
