/* A question and its answers: see poll.h. */
#include "ui/web/poll.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ss_poll_ask(ss_poll *p, const ss_question *question)
{
    p->open = question != NULL;
    if (!question)
        return;
    p->number++;
    p->question = *question;
    p->n = 0;
}

static bool is_answer(const ss_question *q, double value)
{
    if (q->nchoice == 0)
        return isfinite(value);
    return value >= 1 && value <= q->nchoice && value <= floor(value);
}

static int find(const ss_poll *p, uint32_t page)
{
    int i = 0;
    while (i < p->n && p->answer[i].page != page)
        i++;
    return i;
}

int ss_poll_take(ss_poll *p, uint32_t number, uint32_t page, double value, ss_err *err)
{
    int i = find(p, page);
    if (!p->open || number != p->number)
        return ss_fail(err, "Your answer came too late: the question is closed.");
    if (!is_answer(&p->question, value))
        return ss_fail(err, "That is no answer to this question.");
    if (i == SS_CLASS_MOST)
        return ss_fail(err, "Your answer is not counted: %d others are.", SS_CLASS_MOST);
    p->answer[i].page = page;
    p->answer[i].value = value;
    p->n += i == p->n;
    return SS_OK;
}

void ss_poll_drop(ss_poll *p, uint32_t page)
{
    int i = find(p, page);
    if (p->open && i < p->n)
        p->answer[i] = p->answer[--p->n];
}

bool ss_poll_has(const ss_poll *p, uint32_t page)
{
    return find(p, page) < p->n;
}

const char *ss_poll_text(const ss_poll *p, char *buf, size_t size)
{
    int n = snprintf(buf, size, "question %u", p->open ? p->number : 0);
    if (p->open)
        n += snprintf(buf + n, size - (size_t)n, "\n%s", p->question.text);
    for (int i = 0; p->open && i < p->question.nchoice; i++)
        n += snprintf(buf + n, size - (size_t)n, "\n%s", p->question.choice[i]);
    return buf;
}
