/* The class that watches a lesson: a step's question goes to the front end, its watchers' answers
 * come back. See tutor.h. Main thread. */
#include <stdio.h>

#include "src/app/tutor.h"

static void make_question(const ss_predict *predict, ss_question *q)
{
    snprintf(q->text, sizeof q->text, "%s", predict->question);
    ss_marks_strip(q->text);
    q->nchoice = predict->nanswer;
    for (int i = 0; i < predict->nanswer; i++) {
        snprintf(q->choice[i], sizeof q->choice[i], "%s", predict->answer[i]);
        ss_marks_strip(q->choice[i]);
    }
}

/* The answers stay those of the step until it is asked again. */
static void ask(app *a, int step)
{
    ss_question q = {0};
    ss_class *c = &a->tutor->class;
    c->asking = step;
    c->answers[step] = (ss_answers){0};
    make_question(&a->tutor->lesson->step[step].predict, &q);
    a->fe->ask(a->self, &q);
}

static void take_answers(app *a)
{
    ss_class *c = &a->tutor->class;
    ss_answers *known = &c->answers[c->asking];
    ss_answers now = {0};
    a->fe->answers(a->self, &now);
    bool same = now.n == known->n && now.asked == known->asked;
    *known = now; /* an answer may have changed */
    a->tutor->stale = a->tutor->stale || !same;
}

static void close_question(app *a)
{
    a->fe->ask(a->self, NULL);
    take_answers(a);
    a->tutor->class.asking = -1;
    a->tutor->stale = true;
}

static void forget(ss_tutor *t)
{
    for (int i = 0; i < SS_STEPS_MAX; i++)
        t->class.answers[i] = (ss_answers){0};
}

void ss_tutor_class_turn(app *a)
{
    ss_tutor *t = a->tutor;
    if (!a->fe->ask || !a->fe->answers)
        return;
    bool asks = ss_app_lesson_is_open(a) && t->begun && ss_session_asks(&t->session);
    int step = asks ? t->session.index : -1;
    if (t->class.asking >= 0 && (step != t->class.asking || t->class.lesson != t->lesson))
        close_question(a);
    if (t->class.lesson != t->lesson)
        forget(t);
    t->class.lesson = t->lesson;
    if (step >= 0 && t->class.asking < 0)
        ask(a, step);
    if (step >= 0)
        take_answers(a);
}
