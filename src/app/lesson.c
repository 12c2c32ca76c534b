/* A lesson in a front end that draws: the session, its page, the examiner, and the commands that
 * the lesson runs on the live run. See parts.h. Main thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/say.h"
#include "src/app/parts.h"
#include "src/lesson/page.h"

typedef struct ss_tutor {
    ss_session session;
    ss_examiner *examiner;
    ss_check_result result[SS_CHECKS_MAX];
    ss_page page;
    ss_focus focus;
    ss_script queue; /* commands of the lesson, waiting for the run to be still */
    bool begun;      /* the first step has been set up */
    bool sending;    /* a command comes from the queue, not from the student */
    bool setting;    /* the queue sets up the step: the student's commands are refused */
    bool trying;     /* the queue holds the commands of `do` */
    bool examined;   /* the examiner evaluates this step */
    bool skipping;   /* the next `next` skips a step that is not done */
    bool stale;      /* the page must be rebuilt */
    int chosen;
} ss_tutor;

/* --- the lesson's commands -------------------------------------------------------------------- */

static int enqueue(ss_tutor *t, const char *line, ss_err *err)
{
    return ss_script_add(&t->queue, line, "lesson", err);
}

static int enqueue_all(ss_tutor *t, const ss_script *s, ss_err *err)
{
    char line[SS_CMD_TEXT + 64];
    int status = SS_OK;
    for (int i = 0; i < s->count && status == SS_OK; i++)
        status = enqueue(t, ss_cmd_format(s->cmd[i], line, sizeof line), err);
    return status;
}

static bool is_at_rest(const app *a)
{
    return ss_app_is_carried_out(a) && (a->snap->paused || a->snap->status != SS_RUNNING);
}

static bool is_waiting(const ss_tutor *t)
{
    return t->queue.next < t->queue.count;
}

/* Sends the queue, one command at a time, each when the run is still: `run` solves to the end. */
static void send_queue(app *a)
{
    ss_tutor *t = a->tutor;
    ss_err err = {""};
    while (is_waiting(t) && is_at_rest(a)) {
        t->sending = true;
        uint64_t ticket = ss_app_do(a, t->queue.cmd[t->queue.next++], &err);
        t->sending = false;
        if (!ticket)
            ss_ui_say(a->ui, true, err.text);
    }
}

/* Queues the commands that lead to the step, as in ss_runner_begin. */
static int enqueue_start(app *a, ss_err *err)
{
    static const char *const before[] = {"pause", "view layer value", "view axis cycles"};
    ss_tutor *t = a->tutor;
    const ss_script *path[2 * SS_STEPS_MAX + 1];
    int n = ss_lesson_path(t->session.lesson, t->session.index, path), status = SS_OK;
    ss_script_free(&t->queue);
    for (size_t i = 0; i < sizeof before / sizeof *before && status == SS_OK; i++)
        status = enqueue(t, before[i], err);
    for (int i = a->snap->nrun; i > 1 && status == SS_OK; i--)
        status = enqueue(t, "drop", err);
    if (status == SS_OK && path[0]->count == 0)
        status = enqueue(t, "reset", err);
    for (int i = 0; i < n && status == SS_OK; i++)
        status = enqueue_all(t, path[i], err);
    return status;
}

static void begin_step(app *a)
{
    ss_tutor *t = a->tutor;
    ss_err err;
    t->chosen = 0;
    t->skipping = t->trying = t->examined = false;
    t->setting = true;
    t->session.revealed = ss_session_is_done(&t->session) && !ss_session_asks(&t->session);
    t->focus = SS_FOCUS_TOP;
    t->stale = true;
    t->page.turn++;
    ss_examiner_begin(t->examiner, -1);
    if (enqueue_start(a, &err) != SS_OK)
        ss_ui_say(a->ui, true, err.text);
}

/* --- words of the verb ------------------------------------------------------------------------ */

static void report(app *a, int status, const ss_err *err)
{
    if (status != SS_OK)
        ss_ui_say(a->ui, false, err->text);
}

static void go(app *a, int index)
{
    ss_err err;
    report(a, ss_session_go(&a->tutor->session, index, &err), &err);
    begin_step(a);
}

static int word_next(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    const ss_session *s = &t->session;
    (void)arg;
    bool last = s->index + 1 == s->lesson->nstep;
    if (last && ss_session_is_done(s))
        return ss_fail(err, "that was the last step: J goes back, q leaves");
    if (last)
        return ss_fail(err, "this step is not done yet, and it is the last: J goes back, q leaves");
    if (!ss_session_is_done(s) && !t->skipping) {
        t->skipping = true;
        ss_ui_say(a->ui, false, "this step is not done yet: j again skips it");
        return SS_OK;
    }
    go(a, s->index + 1);
    return SS_OK;
}

static int word_back(app *a, const char *arg, ss_err *err)
{
    (void)arg;
    if (a->tutor->session.index == 0)
        return ss_fail(err, "this is the first step");
    go(a, a->tutor->session.index - 1);
    return SS_OK;
}

static int word_again(app *a, const char *arg, ss_err *err)
{
    (void)arg, (void)err;
    a->tutor->session.tried = false;
    begin_step(a);
    return SS_OK;
}

static int word_reset(app *a, const char *arg, ss_err *err)
{
    ss_err why;
    (void)arg, (void)err;
    report(a, ss_session_reset(&a->tutor->session, &why), &why);
    begin_step(a);
    return SS_OK;
}

static int word_hint(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    (void)arg;
    if (!ss_session_step(&t->session)->block[SS_L_HINT].text)
        return ss_fail(err, "there is no hint in this step");
    t->session.hinted = true;
    t->focus = SS_FOCUS_HINT;
    return SS_OK;
}

static int refuse_unpredicted(const ss_tutor *t, ss_err *err)
{
    if (!ss_session_asks(&t->session))
        return SS_OK;
    int answers = ss_session_step(&t->session)->predict.nanswer;
    return answers == 0 ? ss_fail(err, "your prediction comes first: type a number, then enter")
                        : ss_fail(err, "your prediction comes first: 1 to %d, then enter", answers);
}

/* Queues a pause of the student's run before the lesson's own commands. */
static int enqueue_pause(ss_tutor *t, ss_err *err)
{
    if (!is_waiting(t))
        ss_script_free(&t->queue);
    return enqueue(t, "pause", err);
}

/* The first time it is shown, the second time it is run. */
static int word_solution(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    const ss_script *s = &ss_session_step(&t->session)->commands[SS_L_SOLUTION];
    (void)arg;
    if (refuse_unpredicted(t, err) != SS_OK)
        return SS_FAIL;
    if (s->count == 0)
        return ss_fail(err, "this step has no solution");
    if (!t->session.helped) {
        t->session.helped = true;
        t->focus = SS_FOCUS_SOLUTION;
        return SS_OK;
    }
    t->focus = SS_FOCUS_WORK;
    if (enqueue_pause(t, err) != SS_OK || enqueue_all(t, s, err) != SS_OK)
        return SS_FAIL;
    if (s->steps)
        return SS_OK;
    return enqueue(t, "reset", err) == SS_OK ? enqueue(t, "run", err) : SS_FAIL;
}

static int word_do(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    const ss_script *s = &ss_session_step(&t->session)->commands[SS_L_DO];
    (void)arg;
    if (refuse_unpredicted(t, err) != SS_OK)
        return SS_FAIL;
    if (s->count == 0)
        return ss_fail(err, "this step has no commands to run: it is your turn");
    if (t->trying)
        return SS_OK;
    t->trying = true;
    t->focus = SS_FOCUS_WORK;
    return enqueue_pause(t, err) == SS_OK ? enqueue_all(t, s, err) : SS_FAIL;
}

static int word_choose(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    if (!ss_session_asks(&t->session))
        return ss_fail(err, "there is nothing to predict now");
    if (!ss_session_is_answer(&t->session, arg))
        return refuse_unpredicted(t, err);
    t->chosen = atoi(arg);
    t->focus = SS_FOCUS_PREDICT;
    return SS_OK;
}

static int word_predict(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    ss_err why;
    if (!ss_session_asks(&t->session))
        return ss_fail(err, "there is nothing to predict now");
    if (!ss_session_is_answer(&t->session, arg))
        return refuse_unpredicted(t, err);
    report(a, ss_session_lock(&t->session, arg, &why), &why);
    t->focus = SS_FOCUS_WORK;
    return SS_OK;
}

static int word_lock(app *a, const char *arg, ss_err *err)
{
    char number[16];
    (void)arg;
    snprintf(number, sizeof number, "%d", a->tutor->chosen);
    return a->tutor->chosen ? word_predict(a, number, err) : refuse_unpredicted(a->tutor, err);
}

static int (*const handlers[SS_NVERB])(app *a, const char *arg, ss_err *err) = {
    [SS_VERB_LESSON_NEXT] = word_next,         [SS_VERB_LESSON_BACK] = word_back,
    [SS_VERB_LESSON_AGAIN] = word_again,       [SS_VERB_LESSON_RESET] = word_reset,
    [SS_VERB_LESSON_HINT] = word_hint,         [SS_VERB_LESSON_DO] = word_do,
    [SS_VERB_LESSON_SOLUTION] = word_solution, [SS_VERB_LESSON_CHOOSE] = word_choose,
    [SS_VERB_LESSON_LOCK] = word_lock,         [SS_VERB_LESSON_PREDICT] = word_predict};

int ss_app_lesson_verb(app *a, const ss_cmd *cmd, ss_err *err)
{
    ss_tutor *t = a->tutor;
    if (!t)
        return ss_fail(err, "no lesson is open: stencilscope lesson lists them");
    bool skipping = t->skipping;
    ss_focus before = t->focus;
    int status = handlers[cmd->row->id](a, cmd->argc > 1 ? cmd->arg[1] : NULL, err);
    t->skipping = t->skipping && !skipping;
    t->page.turn += status == SS_OK || before != t->focus;
    t->stale = true;
    return status;
}

/* --- a turn of the loop ----------------------------------------------------------------------- */

int ss_app_lesson_admits(const app *a, const ss_cmd *cmd, ss_err *err)
{
    if (!a->tutor || a->tutor->sending)
        return SS_OK;
    if ((cmd->verb->flags & SS_V_SOLVES) && refuse_unpredicted(a->tutor, err) != SS_OK)
        return SS_FAIL;
    if (a->tutor->setting && cmd->verb->side == SS_SIDE_ENGINE)
        return ss_fail(err, "wait: the lesson is still setting up this step");
    return SS_OK;
}

static bool is_met(const ss_tutor *t, bool all)
{
    const ss_lesson_step *s = ss_session_step(&t->session);
    if (s->ncheck > 0)
        return all;
    return t->session.tried || s->commands[SS_L_DO].count == 0;
}

/* Called with an empty queue and a still run: starts the evaluation of the checks. */
static void settle(app *a)
{
    ss_tutor *t = a->tutor;
    t->setting = false;
    if (t->trying)
        t->session.tried = t->stale = true;
    t->trying = false;
    if (t->examined || ss_session_asks(&t->session))
        return;
    t->examined = true;
    ss_examiner_begin(t->examiner, t->session.index);
    ss_engine_observe(a->engine);
}

/* Takes the results of the checks, and completes the step if all are met. */
static void take_results(app *a)
{
    ss_tutor *t = a->tutor;
    ss_check_result result[SS_CHECKS_MAX];
    ss_err err;
    bool all = ss_examiner_results(t->examiner, result);
    if (memcmp(result, t->result, sizeof result) != 0) {
        memcpy(t->result, result, sizeof result);
        t->stale = true;
    }
    if (!t->examined || t->session.revealed || !is_met(t, all))
        return;
    report(a, ss_session_done(&t->session, &err), &err);
    t->focus = SS_FOCUS_REVEAL;
    t->page.turn++;
    t->stale = true;
}

void ss_app_lesson_turn(app *a)
{
    ss_tutor *t = a->tutor;
    if (!t || !a->snap)
        return;
    if (!t->begun) {
        t->begun = true;
        ss_ui_page(a->ui, &t->page);
        begin_step(a);
    }
    send_queue(a);
    if (!is_waiting(t) && is_at_rest(a))
        settle(a);
    take_results(a);
    if (!t->stale)
        return;
    const ss_page_state now = {&t->session, t->result, t->chosen, t->trying, t->focus};
    ss_lesson_page(&now, &t->page);
    t->stale = false;
    a->must_draw = true;
}

/* --- life ------------------------------------------------------------------------------------- */

static void wake(void *ctx)
{
    app *a = ctx;
    a->fe->wake(a->self);
}

int ss_app_lesson_open(app *a, ss_err *err)
{
    ss_tutor *t = a->tutor = calloc(1, sizeof *t);
    if (!t)
        return ss_fail(err, "out of memory: the lesson");
    ss_session_open(&t->session, a->setup->lesson);
    t->stale = true;
    t->examiner = ss_examiner_new(a->setup->lesson, a->setup->cfg, wake, a, err);
    return t->examiner ? SS_OK : SS_FAIL;
}

void ss_app_lesson_observe(const ss_engine_moment *now, void *ctx)
{
    app *a = ctx;
    ss_examiner_observe(now, a->tutor->examiner);
}

void ss_app_lesson_close(app *a)
{
    ss_tutor *t = a->tutor;
    if (!t)
        return;
    ss_examiner_free(t->examiner);
    ss_script_free(&t->queue);
    free(t);
    a->tutor = NULL;
}

void ss_app_lesson_leave(const app *a)
{
    const ss_session *s = a->tutor ? &a->tutor->session : NULL;
    if (s)
        ss_say(stdout, "%s: %d of %d steps done", s->lesson->name, ss_progress_count(&s->progress),
               s->lesson->nstep);
}
