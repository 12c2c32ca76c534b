/* See session.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/lesson/session.h"

const ss_lesson_step *ss_session_step(const ss_session *s)
{
    return &s->lesson->step[s->index];
}

static void begin_step(ss_session *s)
{
    s->tried = s->hinted = s->helped = s->revealed = false;
}

/* Drops invalid progress: the file may be damaged, or the lesson may have changed. */
static void repair(ss_session *s)
{
    const ss_lesson *l = s->lesson;
    s->progress.done &= (1u << l->nstep) - 1;
    for (int i = 0; i < SS_STEPS_MAX; i++) {
        char *predicted = s->progress.predicted[i];
        s->index = i;
        if (i >= l->nstep || !l->step[i].predict.question[0] || !ss_session_is_answer(s, predicted))
            *predicted = '\0';
    }
    s->index = s->progress.at < l->nstep ? s->progress.at : 0;
}

void ss_session_open(ss_session *s, const ss_lesson *l)
{
    *s = (ss_session){.lesson = l};
    ss_progress_load(l->name, &s->progress);
    repair(s);
}

void ss_session_teach(ss_session *s, const ss_lesson *l)
{
    *s = (ss_session){.lesson = l, .for_class = true};
}

int ss_session_save(ss_session *s, ss_err *err)
{
    ss_err why;
    s->progress.at = s->index;
    if (s->for_class || ss_progress_save(s->lesson->name, &s->progress, &why) == SS_OK || s->warned)
        return SS_OK;
    s->warned = true;
    snprintf(s->why_not_saved, sizeof s->why_not_saved, "%s", why.text);
    return ss_fail(err, "%s", why.text);
}

int ss_session_go(ss_session *s, int index, ss_err *err)
{
    int last = s->lesson->nstep - 1;
    s->over = index > last;
    s->index = index < 0 ? 0 : index > last ? last : index;
    begin_step(s);
    return ss_session_save(s, err);
}

int ss_session_reset(ss_session *s, ss_err *err)
{
    memset(&s->progress, 0, sizeof s->progress);
    return ss_session_go(s, 0, err);
}

/* --- predictions ------------------------------------------------------------------------------ */

const char *ss_session_predicted(const ss_session *s)
{
    return s->progress.predicted[s->index];
}

bool ss_session_asks(const ss_session *s)
{
    return ss_session_step(s)->predict.question[0] && !ss_session_predicted(s)[0];
}

bool ss_session_is_answer(const ss_session *s, const char *text)
{
    char *end;
    const ss_predict *p = &ss_session_step(s)->predict;
    double v = strtod(text, &end);
    return end != text && !*end && isfinite(v) && !strpbrk(text, " \t\n") &&
           strlen(text) < sizeof s->progress.predicted[0] &&
           (p->nanswer == 0 || (v >= 1 && v <= p->nanswer && v <= floor(v)));
}

int ss_session_lock(ss_session *s, const char *answer, ss_err *err)
{
    snprintf(s->progress.predicted[s->index], sizeof s->progress.predicted[0], "%s", answer);
    return ss_session_save(s, err);
}

bool ss_session_is_right(const ss_session *s)
{
    const ss_predict *p = &ss_session_step(s)->predict;
    double v = strtod(ss_session_predicted(s), NULL);
    return p->nanswer ? v >= p->right + 1 && v <= p->right + 1
                      : fabs(v - p->number) <= p->tolerance;
}

const char *ss_session_verdict(const ss_session *s, char *buf, size_t size)
{
    const ss_predict *p = &ss_session_step(s)->predict;
    const char *own = ss_session_predicted(s);
    bool right = ss_session_is_right(s);
    if (p->nanswer && right)
        snprintf(buf, size, "Right: %s", p->answer[p->right]);
    else if (p->nanswer)
        snprintf(buf, size, "You predicted %s. The answer is %d: %s", own, p->right + 1,
                 p->answer[p->right]);
    else if (right)
        snprintf(buf, size, "Right: it is %g", p->number);
    else
        snprintf(buf, size, "You predicted %s. The answer is %g", own, p->number);
    return buf;
}

/* --- the end of a step ------------------------------------------------------------------------ */

bool ss_session_is_done(const ss_session *s)
{
    return s->progress.done >> s->index & 1;
}

int ss_session_done(ss_session *s, ss_err *err)
{
    s->progress.done |= 1u << s->index;
    s->revealed = true;
    return ss_session_save(s, err);
}
