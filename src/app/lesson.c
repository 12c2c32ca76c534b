/* A lesson in a front end that draws: the session, its page, the examiner, and the commands that
 * the lesson carries out on the live run. See parts.h. Main thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/parts.h"
#include "src/lesson/page.h"

typedef struct ss_tutor {
    ss_session session;
    ss_examiner *examiner;
    ss_mark_given mark[SS_CHECKS_MAX];
    ss_page page;
    ss_focus focus;
    ss_script queue; /* commands of the lesson that are still to be carried out */
    bool begun;      /* the first step */
    bool sending;    /* one of them is, right now: it is not the student's */
    bool setting;    /* the start of the step: the student waits */
    bool trying;     /* they are those of `do` */
    bool examined;   /* the examiner is at this step */
    bool skipping;   /* the next `next` skips a step that is not done */
    bool stale;      /* the page is to be made anew */
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

/* One after the other, each when the run rests: `run` is to its end here. */
static void feed(app *a)
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

/* What leads to the step, as the pupil of walk and grade does it (ss_pupil_begin). */
static int enqueue_start(app *a, ss_err *err)
{
    static const char *const before[] = {"pause", "view layer value", "view axis cycles"};
    ss_tutor *t = a->tutor;
    const ss_lesson *l = t->session.lesson;
    int first = ss_lesson_first(l, t->session.index), status = SS_OK;
    const ss_script *scenario = &l->step[first].commands[SS_L_SCENARIO];
    ss_script_free(&t->queue);
    for (size_t i = 0; i < sizeof before / sizeof *before && status == SS_OK; i++)
        status = enqueue(t, before[i], err);
    for (int i = a->snap->nrun; i > 1 && status == SS_OK; i--)
        status = enqueue(t, "drop", err);
    if (status == SS_OK)
        status = scenario->count ? enqueue_all(t, scenario, err) : enqueue(t, "reset", err);
    for (int i = first; i < t->session.index && status == SS_OK; i++) {
        status = enqueue_all(t, &l->step[i].commands[SS_L_DO], err);
        if (status == SS_OK)
            status = enqueue_all(t, &l->step[i].commands[SS_L_SOLUTION], err);
    }
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

static void tell(app *a, int status, const ss_err *err)
{
    if (status != SS_OK)
        ss_ui_say(a->ui, false, err->text);
}

static void go(app *a, int index)
{
    ss_err err;
    tell(a, ss_session_go(&a->tutor->session, index, &err), &err);
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
        ss_ui_say(a->ui, false, "this step is not done yet: j once more skips it");
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
    tell(a, ss_session_reset(&a->tutor->session, &why), &why);
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

/* What the lesson does next comes behind what it is doing, and ends what the student does. */
static int enqueue_own(ss_tutor *t, ss_err *err)
{
    if (!is_waiting(t))
        ss_script_free(&t->queue);
    return enqueue(t, "pause", err);
}

/* Shown first, and carried out when it is asked for again. */
static int word_solution(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    const ss_script *s = &ss_session_step(&t->session)->commands[SS_L_SOLUTION];
    (void)arg;
    if (refuse_unpredicted(t, err) != SS_OK)
        return SS_FAIL;
    if (s->count == 0)
        return ss_fail(err, "there is nothing to be solved in this step");
    if (!t->session.helped) {
        t->session.helped = true;
        t->focus = SS_FOCUS_SOLUTION;
        return SS_OK;
    }
    t->focus = SS_FOCUS_WORK;
    if (enqueue_own(t, err) != SS_OK || enqueue_all(t, s, err) != SS_OK)
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
        return ss_fail(err, "here it is your turn");
    if (t->trying)
        return SS_OK;
    t->trying = true;
    t->focus = SS_FOCUS_WORK;
    return enqueue_own(t, err) == SS_OK ? enqueue_all(t, s, err) : SS_FAIL;
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
    tell(a, ss_session_lock(&t->session, arg, &why), &why);
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
        return ss_fail(err, "one moment: the lesson is setting up this step");
    return SS_OK;
}

static bool is_met(const ss_tutor *t, bool all)
{
    const ss_lesson_step *s = ss_session_step(&t->session);
    if (s->ncheck > 0)
        return all;
    return t->session.tried || s->commands[SS_L_DO].count == 0;
}

/* The lesson has carried out what there was: from now on it is looked at. */
static void settle(app *a)
{
    ss_tutor *t = a->tutor;
    ss_err err;
    t->setting = false;
    if (t->trying)
        t->session.tried = t->stale = true;
    t->trying = false;
    if (t->examined || ss_session_asks(&t->session))
        return;
    t->examined = true;
    ss_examiner_begin(t->examiner, t->session.index);
    t->sending = true;
    ss_app_emit(a, "pause", &err); /* it rests already: shows it, and so has it looked at */
    t->sending = false;
}

/* How the checks stand, and whether the step is done. */
static void look(app *a)
{
    ss_tutor *t = a->tutor;
    ss_mark_given mark[SS_CHECKS_MAX];
    ss_err err;
    bool all = ss_examiner_marks(t->examiner, mark);
    if (memcmp(mark, t->mark, sizeof mark) != 0) {
        memcpy(t->mark, mark, sizeof mark);
        t->stale = true;
    }
    if (!t->examined || t->session.revealed || !is_met(t, all))
        return;
    tell(a, ss_session_done(&t->session, &err), &err);
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
    feed(a);
    if (!is_waiting(t) && is_at_rest(a))
        settle(a);
    look(a);
    if (!t->stale)
        return;
    const ss_page_state now = {&t->session, t->mark, t->chosen, t->trying, t->focus};
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

void ss_app_lesson_look(struct ss_run *run, bool still, void *ctx)
{
    app *a = ctx;
    ss_examiner_look(run, still, a->tutor->examiner);
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
        printf("%s: %d of %d steps done\n", s->lesson->name, ss_progress_count(&s->progress),
               s->lesson->nstep);
}
