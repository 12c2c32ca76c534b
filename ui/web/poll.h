/* The question that watchers see, and their answers: one of each connected page, which may change
 * it until the question is closed. A page has a random name of its own, so that one which connects
 * again does not count twice. In memory only. Pure functions. */
#ifndef SS_WEB_POLL_H
#define SS_WEB_POLL_H

#include <stdint.h>

#include "src/snapshot/page.h"

enum { SS_POLL_TEXT = 2048 };

typedef struct ss_poll {
    uint32_t number; /* of the last question; 0: there was none */
    bool open;
    ss_question question;
    int n;
    struct {
        uint32_t page;
        double value;
    } answer[SS_CLASS_MOST];
} ss_poll;

/* Begins another question without answers; NULL: closes the last one, whose answers stay. */
void ss_poll_ask(ss_poll *p, const ss_question *question);
/* SS_FAIL with a sentence: the question is closed or another one, or that is no answer to it. */
int ss_poll_take(ss_poll *p, uint32_t number, uint32_t page, double value, ss_err *err);
/* The page has left: its answer to an open question does not count. */
void ss_poll_drop(ss_poll *p, uint32_t page);
bool ss_poll_has(const ss_poll *p, uint32_t page);
/* What a page is told: "question N", the text, the choices, a line each; "question 0": none is
 * open. */
const char *ss_poll_text(const ss_poll *p, char *buf, size_t size);

#endif
