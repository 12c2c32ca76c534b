/* A student in a lesson: see session.h. */
#include "src/lesson/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "src/lesson/document.h"

/* --- progress --------------------------------------------------------------------------------- */

/* Progress in $XDG_STATE_HOME/stencilscope/lessons, a line per lesson: "NAME DONE AT PREDICTION
 * ..." with the finished steps as a hexadecimal bit mask and - for no prediction. See document.h.
 */

#define FILE_NAME "lessons"

static void read_line(char *line, void *ctx)
{
    ss_progress *out = ctx;
    char *save = NULL, *word = strtok_r(line, " ", &save);
    for (int i = -2; word && i < SS_STEPS_MAX; i++, word = strtok_r(NULL, " ", &save)) {
        if (i == -2)
            out->done = (unsigned)strtoul(word, NULL, 16);
        else if (i == -1)
            out->at = (int)strtol(word, NULL, 10);
        else if (strcmp(word, "-") != 0)
            snprintf(out->predicted[i], sizeof out->predicted[i], "%s", word);
    }
    out->at = out->at >= 0 && out->at < SS_STEPS_MAX ? out->at : 0;
}

void ss_progress_load(const char *name, ss_progress *out)
{
    memset(out, 0, sizeof *out);
    ss_state_read(FILE_NAME, name, read_line, out);
}

static int replace(const char *name, const char *line, ss_err *err)
{
    ss_err why;
    return ss_state_write(FILE_NAME, name, line, &why) == SS_OK
               ? SS_OK
               : ss_fail(err, "progress is not saved: %.200s", why.text);
}

int ss_progress_save(const char *name, const ss_progress *p, ss_err *err)
{
    char line[40 + SS_STEPS_MAX * (1 + sizeof p->predicted[0])];
    int n = snprintf(line, sizeof line, "%x %d", p->done, p->at);
    for (int i = 0; i < SS_STEPS_MAX; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, " %s",
                      p->predicted[i][0] ? p->predicted[i] : "-");
    snprintf(line + n, sizeof line - (size_t)n, "\n");
    return replace(name, line, err);
}

int ss_progress_reset(const char *name, ss_err *err)
{
    return replace(name, "", err);
}

int ss_progress_count(const ss_progress *p)
{
    int n = 0;
    for (int i = 0; i < SS_STEPS_MAX; i++)
        n += p->done >> i & 1;
    return n;
}

/* --- the session ------------------------------------------------------------------------------ */

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
