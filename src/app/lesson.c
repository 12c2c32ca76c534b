/* A lesson next to the run: the list of lessons, opening and leaving them, the words of the verb
 * `lesson`, and a turn of the loop. See tutor.h. Main thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tutor.h"
#include "src/base/text.h"

/* A failure to save is a notice. */
static void report(app *a, int status, const ss_err *err)
{
    if (status != SS_OK)
        ss_tutor_say(a, false, err->text);
}

/* --- the list --------------------------------------------------------------------------------- */

static void fill_item(ss_shelf_item *item, const ss_lesson *l, const ss_progress *p)
{
    int done = ss_progress_count(p);
    *item = (ss_shelf_item){.done = done, .steps = l->nstep};
    snprintf(item->number, sizeof item->number, "%.*s", (int)strspn(l->name, "0123456789"),
             l->name);
    snprintf(item->title, sizeof item->title, "%.63s", l->title);
    snprintf(item->summary, sizeof item->summary, "%.399s", l->summary);
    ss_utf8_trim(item->title);
    ss_utf8_trim(item->summary);
    if (done > 0)
        snprintf(item->progress, sizeof item->progress, "%d/%d done", done, l->nstep);
    snprintf(item->command, sizeof item->command, "lesson open %.63s", l->name);
}

/* From the embedded lessons and the saved progress. at: a lesson to begin at; NULL: the first that
 * is not done. */
static void fill_shelf(ss_tutor *t, const ss_lesson *at)
{
    const struct ss_embed *e;
    ss_shelf *shelf = &t->shelf;
    bool found = false;
    shelf->n = shelf->at = 0;
    for (int i = 0; (e = ss_lesson_embedded(i)) && shelf->n < SS_SHELF_MAX; i++) {
        ss_err err;
        ss_progress p;
        ss_lesson *l = ss_lesson_parse(e->name, (const char *)e->data, e->size, &err);
        if (!l)
            continue;
        ss_progress_load(l->name, &p);
        bool wanted = at ? strcmp(at->name, l->name) == 0 : ss_progress_count(&p) < l->nstep;
        if (wanted && !found) {
            shelf->at = shelf->n;
            found = true;
        }
        fill_item(&shelf->item[shelf->n++], l, &p);
        ss_lesson_free(l);
    }
}

/* Before a scene: the list of lessons with their progress, read when the gallery opens. */
static void know_lessons(app *a)
{
    bool was_open = a->gallery;
    a->gallery = ss_gallery_is_open(a->ui);
    if (!a->tutor || was_open || !a->gallery)
        return;
    fill_shelf(a->tutor, a->tutor->lesson);
    ss_ui_lessons(a->ui, &a->tutor->shelf);
}

static void show(app *a, const ss_lesson *at)
{
    fill_shelf(a->tutor, at);
    ss_ui_shelf(a->ui, &a->tutor->shelf);
    a->must_draw = true;
}

static int verb_lessons(app *a, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    if (!a->tutor)
        return ss_fail(err, "lessons need a screen: stencilscope lesson lists them");
    if (ss_app_lesson_is_open(a))
        ss_session_save(&a->tutor->session, err);
    show(a, a->tutor->lesson);
    return SS_OK;
}

/* --- opening and leaving ---------------------------------------------------------------------- */

/* An embedded lesson that was parsed before, or is now. */
static const ss_lesson *lesson_of(ss_tutor *t, const char *name, ss_err *err)
{
    for (int i = 0; i < t->nopened; i++)
        if (strcmp(t->opened[i]->name, name) == 0)
            return t->opened[i];
    if (t->nopened == SS_SHELF_MAX) {
        ss_fail(err, "%d lessons have been opened; start the program again", SS_SHELF_MAX);
        return NULL;
    }
    ss_lesson *l = ss_lesson_find(name, err);
    for (int i = 0; l && i < t->nopened; i++) /* the name was a part of it */
        if (strcmp(t->opened[i]->name, l->name) == 0) {
            ss_lesson_free(l);
            return t->opened[i];
        }
    if (l)
        t->opened[t->nopened++] = l;
    return l;
}

static void begin(app *a, const ss_lesson *l)
{
    ss_tutor *t = a->tutor;
    ss_err err;
    if (ss_ui_map_is_open(a->ui))
        ss_app_emit(a, "map close", &err);
    t->lesson = l;
    t->begun = false;
    t->lines.step = 0; /* its page begins with its title */
    ss_app_session(a->fe, l, &t->session);
    ss_engine_lesson(a->engine, true);
}

/* lesson open NAME */
static int open_lesson(app *a, const char *name, ss_err *err)
{
    ss_tutor *t = a->tutor;
    const ss_lesson *l = lesson_of(t, name, err);
    ss_err why;
    if (!l)
        return SS_FAIL;
    if (t->lesson)
        report(a, ss_session_save(&t->session, &why), &why);
    begin(a, l);
    return SS_OK;
}

/* lesson close: the run stays as it is. */
static int close_lesson(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    (void)arg, (void)err;
    ss_err why = {0};
    report(a, ss_session_save(&t->session, &why), &why);
    t->lesson = NULL;
    ss_script_free(&t->queue);
    t->play.verb[0] = '\0';
    t->setting = t->trying = false;
    ss_ui_sets_up(a->ui, false);
    ss_examiner_begin(t->examiner, NULL, -1);
    ss_engine_lesson(a->engine, false);
    ss_ui_page(a->ui, NULL);
    ss_app_emit(a, "pause", &why);
    if (t->moved)
        ss_app_emit(a, "set backend auto", &why);
    t->moved = false;
    return SS_OK;
}

/* lesson leave */
static int leave_lesson(app *a, const char *arg, ss_err *err)
{
    const ss_lesson *left = a->tutor->lesson;
    int status = close_lesson(a, arg, err);
    show(a, left);
    return status;
}

/* Opens the lesson after this one. */
static int follow_lesson(app *a, ss_err *err)
{
    ss_tutor *t = a->tutor;
    char next[64];
    if (ss_lesson_next(t->lesson, next, sizeof next))
        return open_lesson(a, next, err);
    return ss_fail(err, "that was the last step of the last lesson%s",
                   t->lines.on ? "" : ": J goes back, Q shows the list");
}

/* Begins the session's step from its start. */
static void begin_step(app *a)
{
    ss_tutor *t = a->tutor;
    ss_err err;
    t->chosen = 0;
    t->skipping = t->trying = t->examined = t->touched = t->starts = false;
    t->setting = true;
    t->session.revealed = ss_session_is_done(&t->session) && !ss_session_asks(&t->session);
    t->focus = SS_FOCUS_TOP;
    t->stale = true;
    t->page.turn++;
    ss_examiner_begin(t->examiner, t->lesson, -1);
    if (ss_tutor_queue_start(a, &err) != SS_OK)
        ss_tutor_say(a, true, err.text);
}

/* --- words of the verb ------------------------------------------------------------------------ */

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
        return follow_lesson(a, err);
    if (last)
        return ss_fail(err, t->lines.on
                                ? "this step is not done yet, and it is the last: back, quit"
                                : "this step is not done yet, and it is the last: J goes "
                                  "back, Q shows the list of lessons");
    if (!ss_session_is_done(s) && !t->skipping) {
        t->skipping = true;
        ss_tutor_say(a, false,
                     t->lines.on ? "This step is not done yet: next again skips it."
                                 : "this step is not done yet: j again skips it");
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
static int queue_pause(ss_tutor *t, ss_err *err)
{
    if (!ss_tutor_is_waiting(t))
        ss_script_free(&t->queue);
    return ss_tutor_queue_line(t, "pause", err);
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
    t->touched = true;
    if (queue_pause(t, err) != SS_OK || ss_tutor_queue(t, s, false, err) != SS_OK)
        return SS_FAIL;
    t->paced = t->queue.count;
    if (s->steps)
        return SS_OK;
    return ss_tutor_queue_line(t, "reset", err) == SS_OK ? ss_tutor_queue_line(t, "run", err)
                                                         : SS_FAIL;
}

/* From the step's scenario, whatever the run has done since. */
static int word_do(app *a, const char *arg, ss_err *err)
{
    ss_tutor *t = a->tutor;
    const ss_script *s = &ss_session_step(&t->session)->commands[SS_L_DO];
    (void)arg;
    if (refuse_unpredicted(t, err) != SS_OK)
        return SS_FAIL;
    if (s->count == 0)
        return ss_fail(err, "this step has no commands to run: it is your turn");
    if (t->setting && !t->trying) { /* the step is still being set up */
        t->trying = true;
    } else {
        t->setting = t->trying = true;
        if (ss_tutor_queue_start(a, err) != SS_OK)
            return SS_FAIL;
    }
    t->touched = false;
    t->focus = SS_FOCUS_WORK;
    return ss_tutor_queue(t, s, true, err);
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

/* Words that need no open lesson. */
static bool is_free(ss_verb_id id)
{
    return id == SS_VERB_LESSON_OPEN;
}

static int (*const handlers[SS_NVERB])(app *a, const char *arg, ss_err *err) = {
    [SS_VERB_LESSON_OPEN] = open_lesson,    [SS_VERB_LESSON_LEAVE] = leave_lesson,
    [SS_VERB_LESSON_CLOSE] = close_lesson,  [SS_VERB_LESSON_NEXT] = word_next,
    [SS_VERB_LESSON_BACK] = word_back,      [SS_VERB_LESSON_AGAIN] = word_again,
    [SS_VERB_LESSON_RESET] = word_reset,    [SS_VERB_LESSON_HINT] = word_hint,
    [SS_VERB_LESSON_DO] = word_do,          [SS_VERB_LESSON_SOLUTION] = word_solution,
    [SS_VERB_LESSON_CHOOSE] = word_choose,  [SS_VERB_LESSON_LOCK] = word_lock,
    [SS_VERB_LESSON_PREDICT] = word_predict};

static int verb_lesson(app *a, const ss_cmd *cmd, ss_err *err)
{
    ss_tutor *t = a->tutor;
    if (!t)
        return ss_fail(err, "lessons need a screen: stencilscope lesson NAME --ui text");
    if (!t->lesson && !is_free(cmd->row->id))
        return ss_fail(err, "no lesson is open%s", t->lines.on ? "" : ": P, then tab, lists them");
    bool skipping = t->skipping;
    ss_focus before = t->focus;
    int status = handlers[cmd->row->id](a, cmd->argc > 1 ? cmd->arg[1] : NULL, err);
    t->skipping = t->skipping && !skipping;
    t->page.turn += status == SS_OK || before != t->focus;
    t->stale = true;
    return status;
}

/* --- the class that watches ------------------------------------------------------------------- */

/* A step's question goes to the front end, its watchers' answers come back. */
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

static void class_turn(app *a)
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

/* --- a turn of the loop ----------------------------------------------------------------------- */

/* Space while the step is set up is kept until then. */
static bool keeps_start(ss_tutor *t, const ss_cmd *cmd)
{
    if (!t->setting || t->trying || cmd->verb->id != SS_VERB_TOGGLE || ss_session_asks(&t->session))
        return false;
    t->starts = !t->starts;
    return true;
}

/* A key of the student's during `do`: space carries out the rest at once, any other command ends
 * it. */
static bool skips(ss_tutor *t, const ss_cmd *cmd)
{
    if (!t->trying || cmd->verb->side != SS_SIDE_ENGINE)
        return false;
    if (cmd->verb->id == SS_VERB_TOGGLE) { /* the last part may be under way */
        t->play.skip = ss_tutor_is_waiting(t);
        return true;
    }
    if (t->setting || !ss_tutor_is_waiting(t))
        return false;
    t->queue.next = t->queue.count;
    t->play.verb[0] = '\0';
    t->trying = false;
    t->stale = true;
    return false;
}

static bool takes(app *a, const ss_cmd *cmd)
{
    return ss_app_lesson_is_open(a) && !a->tutor->sending &&
           (keeps_start(a->tutor, cmd) || skips(a->tutor, cmd));
}

static int admits(const app *a, const ss_cmd *cmd, ss_err *err)
{
    if (!ss_app_lesson_is_open(a) || a->tutor->sending)
        return SS_OK;
    if (cmd->row->flags & SS_V_IN_PERSON)
        return ss_fail(err, "%s %s: not beside a lesson; lesson close leaves it", cmd->verb->name,
                       cmd->row->name);
    if ((cmd->verb->flags & SS_V_SOLVES) && refuse_unpredicted(a->tutor, err) != SS_OK)
        return SS_FAIL;
    if (cmd->verb->side != SS_SIDE_ENGINE)
        return SS_OK;
    if (a->tutor->setting)
        return ss_fail(err, "wait: the lesson is still setting up this step");
    a->tutor->touched = true;
    return SS_OK;
}

static bool is_met(const ss_tutor *t, bool all)
{
    const ss_lesson_step *s = ss_session_step(&t->session);
    if (s->ncheck > 0)
        return t->examined && all;
    return t->session.tried || s->commands[SS_L_DO].count == 0;
}

/* Called with an empty queue and a still run: starts the evaluation of the checks. */
static void settle(app *a)
{
    ss_tutor *t = a->tutor;
    if (t->trying ||
        (!t->session.tried && !ss_session_asks(&t->session) && ss_tutor_did_by_hand(a)))
        t->session.tried = t->stale = true;
    t->trying = false;
    if (t->examined || ss_session_asks(&t->session))
        return;
    t->examined = true;
    ss_examiner_begin(t->examiner, t->lesson, t->session.index);
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
    if (ss_session_asks(&t->session) || t->session.revealed || !is_met(t, all))
        return;
    report(a, ss_session_done(&t->session, &err), &err);
    t->focus = SS_FOCUS_REVEAL;
    t->page.turn++;
    t->stale = true;
}

static void build_page(app *a)
{
    ss_tutor *t = a->tutor;
    const ss_page_state now = {.session = &t->session,
                               .result = t->result,
                               .chosen = t->chosen,
                               .busy = t->trying,
                               .playing = t->play.what,
                               .answers = &t->class.answers[t->session.index],
                               .focus = t->focus};
    ss_lesson_page(&now, &t->page);
    t->stale = false;
    a->must_draw = true;
}

void ss_app_lesson_turn(app *a)
{
    ss_tutor *t = a->tutor;
    if (t)
        class_turn(a);
    if (!ss_app_lesson_is_open(a) || !a->snap)
        return;
    if (!t->begun) {
        t->begun = true;
        ss_ui_page(a->ui, &t->page);
        begin_step(a);
        if (t->session.for_class)
            ss_tutor_say(a, false,
                         "the lesson begins anew for the class; your own progress stays as it was");
    }
    ss_tutor_send(a);
    if (!ss_tutor_is_waiting(t) && ss_tutor_is_at_rest(a))
        settle(a);
    bool judged = t->examined && ss_examiner_is_current(t->examiner, a->last_ticket);
    take_results(a);
    if (t->stale)
        build_page(a);
    if (t->lines.on)
        ss_tutor_lines_turn(a, judged);
}

const ss_app_part ss_app_lessons = {
    .takes = takes,
    .admits = admits,
    .event = ss_tutor_event,
    .scene = know_lessons,
    .verb = {{SS_VERB_LESSON, verb_lesson}, {SS_VERB_LESSONS, verb_lessons}}};

/* --- life ------------------------------------------------------------------------------------- */

static void wake(void *ctx)
{
    app *a = ctx;
    a->fe->wake(a->self);
}

void ss_app_session(const ss_frontend *fe, const ss_lesson *l, ss_session *out)
{
    (fe->has_class && fe->has_class() ? ss_session_teach : ss_session_open)(out, l);
}

int ss_app_lesson_begin(app *a, ss_err *err)
{
    ss_config machine = *a->setup->cfg;
    ss_tutor *t = a->tutor = calloc(1, sizeof *t);
    if (!t)
        return ss_fail_memory(err, "the lesson", sizeof *t);
    ss_lesson_config(&machine);
    t->examiner = ss_examiner_new(&machine, wake, a, err);
    if (!t->examiner)
        return SS_FAIL;
    t->lines.on = !(a->fe->caps & SS_FE_DRAWS);
    if (t->lines.on)
        a->fe->hold(a->self, true);
    a->heard = t->lines.on;
    t->lesson = a->setup->lesson;
    t->stale = true;
    t->class.asking = -1;
    if (t->lesson)
        ss_app_session(a->fe, t->lesson, &t->session);
    return SS_OK;
}

void ss_app_lesson_observe(const ss_engine_moment *now, void *ctx)
{
    app *a = ctx;
    ss_examiner_observe(now, a->tutor->examiner);
}

void ss_app_lesson_end(app *a)
{
    ss_tutor *t = a->tutor;
    if (!t)
        return;
    ss_examiner_free(t->examiner);
    ss_script_free(&t->queue);
    for (int i = 0; i < t->nopened; i++)
        ss_lesson_free(t->opened[i]);
    free(t);
    a->tutor = NULL;
}

void ss_app_lesson_print(const app *a)
{
    const ss_session *s = ss_app_lesson_is_open(a) ? &a->tutor->session : NULL;
    if (s)
        ss_say(stdout, "%s: %d of %d steps done", s->lesson->name, ss_progress_count(&s->progress),
               s->lesson->nstep);
}
