/* Lessons under test, and homework that is graded: see document.h. */
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/lesson/runner.h"

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
    ss_say(e.outside ? stderr : t->out, "%s", e.text);
}

/* The author's answer: the solution, or without one the commands that the lesson runs. */
static const ss_script *answer_of(const ss_lesson_step *s)
{
    bool given = s->block[SS_L_SOLUTION].text != NULL;
    return &s->commands[given ? SS_L_SOLUTION : SS_L_DO];
}

/* Runs everything before the answer. */
static int prepare(const trial *t, ss_runner *r, ss_err *err)
{
    const ss_lesson_step *s = step_of(t);
    if (ss_runner_begin(r, t->lesson, t->index, err) != SS_OK)
        return SS_FAIL;
    return answer_of(s) == &s->commands[SS_L_DO] ? SS_OK
                                                 : ss_runner_script(r, &s->commands[SS_L_DO], err);
}

static bool changes(const ss_script *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->cmd[i]->verb->side == SS_SIDE_ENGINE && !(s->cmd[i]->verb->flags & SS_V_ADVANCES))
            return true;
    return false;
}

/* Runs the answer's cycles without its changes: then no check may be met. */
static void try_without(trial *t, ss_runner *r)
{
    const ss_lesson_step *s = step_of(t);
    ss_check_result got[SS_CHECKS_MAX];
    ss_err err;
    if (prepare(t, r, &err) != SS_OK) {
        fault(t, r->line, "", err.text);
        return;
    }
    if (changes(answer_of(s)) &&
        (ss_runner_advance(r, answer_of(s), &err) != SS_OK || ss_runner_measure(r, &err) != SS_OK))
        return; /* unsolved: the run fails or does not end */
    if (ss_runner_check(r, s, got, &err) != SS_OK)
        return;
    for (int i = 0; i < s->ncheck; i++) {
        char what[240];
        snprintf(what, sizeof what, "%.100s: is met without the solution", s->check[i].text);
        if (got[i].met && !s->check[i].keep)
            fault(t, s->check[i].line, what, got[i].why);
    }
}

static void try_with(trial *t, ss_runner *r)
{
    const ss_lesson_step *s = step_of(t);
    ss_check_result got[SS_CHECKS_MAX];
    ss_err err;
    if (prepare(t, r, &err) != SS_OK)
        return; /* try_without has reported it */
    if (ss_runner_script(r, answer_of(s), &err) != SS_OK || ss_runner_measure(r, &err) != SS_OK ||
        ss_runner_check(r, s, got, &err) != SS_OK) {
        fault(t, r->line, "the solution", err.text);
        return;
    }
    for (int i = 0; i < s->ncheck; i++) {
        char what[240];
        snprintf(what, sizeof what, "%.100s%s", s->check[i].text,
                 got[i].failed ? "" : ": is not met by the solution");
        if (!got[i].met)
            fault(t, s->check[i].line, what, got[i].why);
    }
}

/* A step without checks: its commands must not fail. */
static void try_commands(trial *t, ss_runner *r)
{
    ss_err err;
    if (prepare(t, r, &err) != SS_OK || ss_runner_script(r, answer_of(step_of(t)), &err) != SS_OK)
        fault(t, r->line, "", err.text);
}

static void with_runner(trial *t, void (*try)(trial *t, ss_runner *r))
{
    ss_err err;
    ss_runner *r = ss_runner_new(t->cfg, SS_LESSON_SECONDS, NULL, &err);
    if (r)
        try(t, r);
    else
        fault(t, step_of(t)->line, "", err.text);
    ss_runner_free(r);
}

int ss_lesson_lint(const char *path, const ss_lesson *l, const ss_config *cfg, FILE *out,
                   ss_err *err)
{
    trial t = {.path = path, .lesson = l, .cfg = cfg, .out = out};
    for (t.index = 0; t.index < l->nstep; t.index++) {
        const ss_lesson_step *s = step_of(&t);
        t.checks += s->ncheck;
        if (s->ncheck == 0) {
            with_runner(&t, try_commands);
        } else if (answer_of(s)->count == 0) {
            fault(&t, s->check[0].line, s->check[0].text, "the step has no solution");
        } else {
            with_runner(&t, try_without);
            with_runner(&t, try_with);
        }
    }
    if (t.faults == 0) {
        ss_say(out, "%s: %d %s, %d %s: unsolved at the start, solved by the solution", path,
               l->nstep, l->nstep == 1 ? "step" : "steps", t.checks,
               t.checks == 1 ? "check" : "checks");
        return SS_OK;
    }
    return ss_fail(err, "%s", t.first.text);
}

/* --- grading ---------------------------------------------------------------------------------- */

/* `mark "step 2"` begins the work for step 2; work without marks is for every step. */
static int step_marked(const ss_cmd *cmd)
{
    int n = 0;
    return cmd->verb->id == SS_VERB_MARK && sscanf(cmd->arg[0], "step %d", &n) == 1 ? n : 0;
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

static int do_work(const trial *t, ss_runner *r, const ss_script *work, ss_err *err)
{
    int now = has_marks(work) ? 0 : t->index + 1;
    for (int i = 0; i < work->count; i++) {
        int marked = step_marked(work->cmd[i]);
        now = marked ? marked : now;
        if (now == t->index + 1 && ss_runner_do(r, work->cmd[i], err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static bool grade_step(const trial *t, ss_runner *r, const ss_script *work)
{
    const ss_lesson_step *s = step_of(t);
    ss_check_result got[SS_CHECKS_MAX];
    bool all = true;
    ss_err err;
    if (has_marks(work) && !is_marked(work, t->index + 1)) {
        fprintf(t->out, "fail  step %d: there is no work for it: mark \"step %d\" begins it\n",
                t->index + 1, t->index + 1);
        return false;
    }
    if (ss_runner_begin(r, t->lesson, t->index, &err) != SS_OK ||
        ss_runner_script(r, &s->commands[SS_L_DO], &err) != SS_OK ||
        do_work(t, r, work, &err) != SS_OK || ss_runner_measure(r, &err) != SS_OK ||
        ss_evaluate_fair(r, &ss_runner_now(r)->cfg, s, &err) != SS_OK ||
        ss_runner_check(r, s, got, &err) != SS_OK) {
        ss_say(t->out, "fail  step %d: %s", t->index + 1, err.text);
        return false;
    }
    for (int i = 0; i < s->ncheck; i++) {
        ss_say(t->out, "%s  step %d: %s: %s", got[i].met ? "pass" : "fail", t->index + 1,
               s->check[i].text, got[i].why);
        all = all && got[i].met;
    }
    return all;
}

/* Fails before the first command if one writes files or marks a step that does not exist. */
static int check_work(const ss_lesson *l, const ss_script *work, ss_err *err)
{
    for (int i = 0; i < work->count; i++) {
        int step = step_marked(work->cmd[i]);
        if ((work->cmd[i]->verb->flags | work->cmd[i]->row->flags) & SS_V_WRITES)
            return ss_fail(err, "%s writes files, which lessons do not allow",
                           work->cmd[i]->verb->name);
        if (step < 0 || step > l->nstep)
            return ss_fail(err, "mark \"step %d\": the lesson has steps 1 to %d", step, l->nstep);
    }
    return SS_OK;
}

/* Work without marks was tried on every step, which seldom passes if several have checks. */
static void advise(const ss_lesson *l, FILE *out)
{
    int nwith = 0, last = 0;
    for (int i = 0; i < l->nstep; i++) {
        nwith += l->step[i].ncheck > 0;
        last = l->step[i].ncheck > 0 ? i + 1 : last;
    }
    if (nwith > 1)
        fprintf(out,
                "the work has no marks, and was tried on each of %d steps: mark \"step %d\" begins "
                "the work for step %d\n",
                nwith, last, last);
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
        ss_runner *r = ss_runner_new(cfg, SS_LESSON_SECONDS, NULL, err);
        if (!r)
            return SS_FAIL;
        *passed = grade_step(&t, r, work) && *passed;
        ss_runner_free(r);
    }
    if (!*passed && !has_marks(work))
        advise(l, out);
    ss_say(out, "%s: %s", l->name, *passed ? "passed" : "not passed");
    return SS_OK;
}
