/* Lessons under test and homework that grades itself: see document.h. */
#include <stdlib.h>
#include <string.h>

#include "src/lesson/document.h"

typedef struct trial {
    const char *path;
    const ss_lesson *lesson;
    int index;
    const ss_config *cfg;
    FILE *out;
    int faults, checks;
    ss_err first;
} trial;

static const ss_lesson_step *step_of(const trial *t)
{
    return &t->lesson->step[t->index];
}

static void fault(trial *t, int line, const char *what, const char *why)
{
    ss_err e;
    ss_fail(&e, "%.100s:%d: %.120s%s%.180s", t->path, line, what, *what ? ": " : "", why);
    if (t->faults++ == 0)
        t->first = e;
    fprintf(t->out, "%s\n", e.text);
}

/* What the author answers with, and what is done for the student before. */
static const ss_script *answer_of(const ss_lesson_step *s)
{
    bool given = s->block[SS_L_SOLUTION].text != NULL;
    return &s->commands[given ? SS_L_SOLUTION : SS_L_DO];
}

static int prepare(const trial *t, ss_pupil *p, ss_err *err)
{
    const ss_lesson_step *s = step_of(t);
    const ss_script *answer = answer_of(s);
    if (ss_pupil_begin(p, t->lesson, t->index, err) != SS_OK)
        return SS_FAIL;
    return answer == &s->commands[SS_L_DO] ? SS_OK : ss_pupil_script(p, &s->commands[SS_L_DO], err);
}

/* All but the answer's changes: the same cycles, the same end. No check may hold. */
static void try_without(trial *t, ss_pupil *p)
{
    const ss_lesson_step *s = step_of(t);
    char why[240];
    ss_err err;
    if (prepare(t, p, &err) != SS_OK) {
        fault(t, ss_pupil_line(p), "", err.text);
        return;
    }
    if (ss_script_changes(answer_of(s)) &&
        (ss_pupil_advances(p, answer_of(s), &err) != SS_OK || ss_pupil_measure(p, &err) != SS_OK))
        return; /* it does not even end */
    for (int i = 0; i < s->ncheck; i++) {
        bool met;
        if (ss_pupil_check(p, &s->check[i], &met, why, sizeof why, &err) == SS_OK && met) {
            char what[240];
            snprintf(what, sizeof what, "%.100s: is met without the solution", s->check[i].text);
            fault(t, s->check[i].line, what, why);
        }
    }
}

static void try_with(trial *t, ss_pupil *p)
{
    const ss_lesson_step *s = step_of(t);
    char why[240];
    ss_err err;
    if (prepare(t, p, &err) != SS_OK)
        return; /* said already */
    if (ss_pupil_script(p, answer_of(s), &err) != SS_OK || ss_pupil_measure(p, &err) != SS_OK) {
        fault(t, ss_pupil_line(p), "the solution", err.text);
        return;
    }
    for (int i = 0; i < s->ncheck; i++) {
        bool met;
        char what[240];
        int status = ss_pupil_check(p, &s->check[i], &met, why, sizeof why, &err);
        snprintf(what, sizeof what, "%.100s: is not met by the solution", s->check[i].text);
        if (status != SS_OK)
            fault(t, s->check[i].line, s->check[i].text, err.text);
        else if (!met)
            fault(t, s->check[i].line, what, why);
    }
}

static void with_pupil(trial *t, void (*try)(trial *t, ss_pupil *p))
{
    ss_err err;
    ss_pupil *p = ss_pupil_new(t->cfg, SS_LESSON_SECONDS, &err);
    if (p)
        try(t, p);
    else
        fault(t, step_of(t)->line, "", err.text);
    ss_pupil_free(p);
}

/* A step without checks: its commands are at least carried out. */
static void try_commands(trial *t, ss_pupil *p)
{
    ss_err err;
    const ss_lesson_step *s = step_of(t);
    if (prepare(t, p, &err) != SS_OK || ss_pupil_script(p, answer_of(s), &err) != SS_OK)
        fault(t, ss_pupil_line(p), "", err.text);
}

int ss_lesson_lint(const char *path, const ss_lesson *l, const ss_config *cfg, FILE *out,
                   ss_err *err)
{
    trial t = {.path = path, .lesson = l, .cfg = cfg, .out = out};
    for (t.index = 0; t.index < l->nstep; t.index++) {
        const ss_lesson_step *s = step_of(&t);
        t.checks += s->ncheck;
        if (s->ncheck == 0) {
            with_pupil(&t, try_commands);
        } else if (answer_of(s)->count == 0) {
            fault(&t, s->check[0].line, s->check[0].text, "the step has no solution");
        } else {
            with_pupil(&t, try_without);
            with_pupil(&t, try_with);
        }
    }
    if (t.faults == 0) {
        fprintf(out, "%s: %d %s, %d %s: unsolved at the start, solved by the solution\n", path,
                l->nstep, l->nstep == 1 ? "step" : "steps", t.checks,
                t.checks == 1 ? "check" : "checks");
        return SS_OK;
    }
    return ss_fail(err, "%s", t.first.text);
}

/* --- grading ---------------------------------------------------------------------------------- */

/* `mark "step 2"` begins the work for step 2; work without such marks is for every step. */
static int step_marked(const ss_cmd *cmd)
{
    int n = 0;
    return strcmp(cmd->verb->name, "mark") == 0 && sscanf(cmd->arg[0], "step %d", &n) == 1 ? n : 0;
}

static bool has_marks(const ss_script *work)
{
    for (int i = 0; i < work->count; i++)
        if (step_marked(work->cmd[i]))
            return true;
    return false;
}

static bool is_marked(const ss_script *work, int step)
{
    for (int i = 0; i < work->count; i++)
        if (step_marked(work->cmd[i]) == step)
            return true;
    return false;
}

static int do_work(const trial *t, ss_pupil *p, const ss_script *work, ss_err *err)
{
    int now = has_marks(work) ? 0 : t->index + 1;
    for (int i = 0; i < work->count; i++) {
        int marked = step_marked(work->cmd[i]);
        now = marked ? marked : now;
        if (now == t->index + 1 && ss_pupil_do(p, work->cmd[i], err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static bool grade_step(const trial *t, ss_pupil *p, const ss_script *work)
{
    const ss_lesson_step *s = step_of(t);
    bool all = true;
    char why[240];
    ss_err err;
    if (has_marks(work) && !is_marked(work, t->index + 1)) {
        fprintf(t->out, "fail  step %d: there is no work for it: mark \"step %d\" begins it\n",
                t->index + 1, t->index + 1);
        return false;
    }
    if (ss_pupil_begin(p, t->lesson, t->index, &err) != SS_OK ||
        ss_pupil_script(p, &s->commands[SS_L_DO], &err) != SS_OK ||
        do_work(t, p, work, &err) != SS_OK || ss_pupil_measure(p, &err) != SS_OK ||
        ss_pupil_fair(p, s, &err) != SS_OK) {
        fprintf(t->out, "fail  step %d: %s\n", t->index + 1, err.text);
        return false;
    }
    for (int i = 0; i < s->ncheck; i++) {
        bool met = false;
        int status = ss_pupil_check(p, &s->check[i], &met, why, sizeof why, &err);
        fprintf(t->out, "%s  step %d: %s: %s\n", met ? "pass" : "fail", t->index + 1,
                s->check[i].text, status == SS_OK ? why : err.text);
        all = all && met;
    }
    return all;
}

/* Before anything is done: a command that no lesson carries out, a step that there is not. */
static int check_work(const ss_lesson *l, const ss_script *work, ss_err *err)
{
    for (int i = 0; i < work->count; i++) {
        int step = step_marked(work->cmd[i]);
        if (work->cmd[i]->verb->flags & SS_V_WRITES)
            return ss_fail(err, "%s writes files, and is refused here", work->cmd[i]->verb->name);
        if (step < 0 || step > l->nstep)
            return ss_fail(err, "mark \"step %d\": the lesson has steps 1 to %d", step, l->nstep);
    }
    return SS_OK;
}

/* The same commands were tried on all: where several steps ask for something, that is seldom right.
 */
static void advise(const ss_lesson *l, FILE *out)
{
    int asking = 0, last = 0;
    for (int i = 0; i < l->nstep; i++) {
        asking += l->step[i].ncheck > 0;
        last = l->step[i].ncheck > 0 ? i + 1 : last;
    }
    if (asking > 1)
        fprintf(out,
                "the work has no marks, and was tried on each of %d steps: mark \"step %d\" begins "
                "what is for step %d\n",
                asking, last, last);
}

int ss_lesson_grade(const ss_lesson *l, const ss_script *work, const ss_config *cfg, FILE *out,
                    bool *passed, ss_err *err)
{
    trial t = {.lesson = l, .cfg = cfg, .out = out};
    *passed = true;
    if (check_work(l, work, err) != SS_OK)
        return SS_FAIL;
    for (t.index = 0; t.index < l->nstep; t.index++) {
        if (step_of(&t)->ncheck == 0)
            continue;
        ss_pupil *p = ss_pupil_new(cfg, SS_LESSON_SECONDS, err);
        if (!p)
            return SS_FAIL;
        *passed = grade_step(&t, p, work) && *passed;
        ss_pupil_free(p);
    }
    if (!*passed && !has_marks(work))
        advise(l, out);
    fprintf(out, "%s: %s\n", l->name, *passed ? "passed" : "not passed");
    return SS_OK;
}
