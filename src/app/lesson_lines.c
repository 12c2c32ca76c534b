/* A lesson in a front end of lines: what is new on its page is said, and a line of the student is
 * an answer, a word of the lesson or a command. Input waits while the lesson or the run works. See
 * tutor.h. Main thread. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tutor.h"
#include "ui/scene/items.h"

#define WIDTH 78

static void say(const app *a, const char *text)
{
    a->fe->say(a->self, false, text);
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Characters, not bytes: continuation bytes of UTF-8 have no width. */
static size_t width_of(const char *text, size_t n)
{
    size_t width = 0;
    for (size_t i = 0; i < n; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

/* Says a text without its marks of emphasis, with line breaks between words. */
static void say_wrapped(const app *a, const char *first, const char *marked)
{
    char plain[4096], line[4096];
    size_t indent = width_of(first, strlen(first)), at = indent, used;
    snprintf(plain, sizeof plain, "%s", marked);
    used = (size_t)snprintf(line, sizeof line, "%s", first);
    for (const char *text = ss_marks_strip(plain); *text;) {
        size_t n = strcspn(text, " \n"), width = width_of(text, n);
        if (at > indent && at + 1 + width > WIDTH) {
            say(a, line);
            used = (size_t)snprintf(line, sizeof line, "%*s", (int)indent, "");
            at = indent;
        }
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%.*s", at > indent ? " " : "",
                                 (int)n, text);
        at += width + (at > indent);
        text += n + (text[n] != '\0');
    }
    say(a, line);
}

static void say_block(const app *a, const ss_page_block *b)
{
    static const char *const signs[SS_NSIGN] = {
        [SS_SIGN_CHOSEN] = "-> ", [SS_SIGN_MET] = "[x] ",     [SS_SIGN_UNMET] = "[ ] ",
        [SS_SIGN_OPEN] = "[ ] ",  [SS_SIGN_PENDING] = "[ ] ",
    };
    static const char *const first[SS_PG_NKIND] = {
        [SS_PG_ITEM] = "- ",
        [SS_PG_COMMAND] = "> ",
        [SS_PG_CHECK] = "  ",
        [SS_PG_NOTE] = "    ",
    };
    char start[32];
    if (b->keys || b->kind == SS_PG_FIELD)
        return;
    if (b->gap)
        say(a, "");
    if (b->kind == SS_PG_CODE) {
        say(a, b->text);
        return;
    }
    bool ticked = b->kind == SS_PG_CHECK && signs[b->sign];
    snprintf(start, sizeof start, "%s%s", first[b->kind] ? first[b->kind] : "",
             ticked ? signs[b->sign] : "");
    if (b->number > 0)
        snprintf(start, sizeof start, "  %d %s", b->number, signs[b->sign] ? signs[b->sign] : " ");
    say_wrapped(a, start, b->text);
}

/* --- what is new on the page ------------------------------------------------------------------ */

static uint64_t hash_of(const ss_page_block *b)
{
    uint64_t h = UINT64_C(14695981039346656037) + (uint64_t)b->kind * 16 + b->sign;
    for (const char *p = b->text; *p; p++)
        h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
    return h;
}

static bool was_said(const ss_lines *l, const ss_page_block *b)
{
    uint64_t h = hash_of(b);
    for (int i = 0; i < l->nsaid; i++)
        if (l->said[i] == h)
            return true;
    return false;
}

/* A block with the remarks below it; a heading alone. */
static int end_of_group(const ss_page *p, int at)
{
    int end = at + 1;
    bool alone = p->block[at].kind == SS_PG_PART;
    while (!alone && end < p->nblock && p->block[end].kind == SS_PG_NOTE)
        end++;
    return end;
}

/* Was it not on the page before, or was it asked for again? */
static bool is_due(const ss_tutor *t, int from, int to)
{
    const ss_page *p = &t->page;
    bool aid = t->focus == SS_FOCUS_HINT || t->focus == SS_FOCUS_SOLUTION;
    bool due = aid && p->turn != t->lines.turn && from >= p->from && to <= p->to;
    for (int i = from; i < to && !due; i++)
        due = !p->block[i].keys && !was_said(&t->lines, &p->block[i]);
    return due;
}

static void begin_page(const app *a, ss_lines *l, const ss_page *p)
{
    char text[256];
    snprintf(text, sizeof text, "%s \xc2\xb7 step %d of %d", p->title, p->step,
             a->tutor->lesson->nstep);
    say(a, "");
    say(a, text);
    say(a, "");
    l->step = p->step;
    l->nsaid = 0;
}

/* A heading is said with the first new block below it. */
static void say_page(app *a)
{
    ss_lines *l = &a->tutor->lines;
    const ss_page *p = &a->tutor->page;
    const ss_page_block *heading = NULL;
    if (l->step != p->step)
        begin_page(a, l, p);
    for (int i = 0, end; i < p->nblock; i = end) {
        end = end_of_group(p, i);
        if (p->block[i].kind == SS_PG_PART)
            heading = &p->block[i];
        if (p->block[i].kind == SS_PG_PART || !is_due(a->tutor, i, end))
            continue;
        if (heading)
            say_block(a, heading);
        heading = NULL;
        for (int k = i; k < end; k++)
            say_block(a, &p->block[k]);
    }
    for (l->nsaid = 0; l->nsaid < p->nblock; l->nsaid++)
        l->said[l->nsaid] = hash_of(&p->block[l->nsaid]);
    l->turn = p->turn;
}

/* "cycle 712, |r|/|r0| 9.9e-5, converged" */
static void say_run(app *a)
{
    char text[160], r[32];
    const ss_snapshot *s = a->snap;
    const ss_point *last = s->ncurve > 0 ? &s->curve[s->ncurve - 1] : NULL;
    int64_t cycle = (int64_t)s->telemetry.value[SS_T_CYCLE];
    if (a->tutor->lines.stopped)
        snprintf(text, sizeof text, "Stopped at cycle %lld.", (long long)cycle), say(a, text);
    a->tutor->lines.stopped = false;
    if (!last || cycle == a->tutor->lines.cycle)
        return;
    bool steady = s->kind == SS_STEADY && s->residual0 > 0;
    if (steady)
        ss_format_sci(last->residual / s->residual0, r, sizeof r);
    else
        snprintf(r, sizeof r, "%.6g", last->time);
    snprintf(text, sizeof text, "  cycle %lld, %s %s, %s", (long long)cycle,
             steady ? "|r|/|r0|" : "t =", r,
             s->status == SS_RUNNING ? "paused" : ss_status_name(s->status));
    say(a, text);
    a->tutor->lines.cycle = cycle;
}

/* --- a turn of the loop ----------------------------------------------------------------------- */

static bool is_idle(const app *a, bool judged)
{
    const ss_tutor *t = a->tutor;
    return t->begun && !t->setting && !t->trying && !ss_tutor_is_waiting(t) &&
           ss_tutor_is_at_rest(a) && (judged || ss_session_asks(&t->session));
}

/* The lesson's own commands are run as soon as they may be. */
static bool tries(app *a)
{
    const ss_tutor *t = a->tutor;
    ss_err err;
    bool due = t->begun && !ss_session_asks(&t->session) && !t->session.tried && !t->trying &&
               ss_session_step(&t->session)->commands[SS_L_DO].count > 0;
    return due && ss_app_emit(a, "lesson do", &err);
}

void ss_tutor_lines_turn(app *a, bool judged)
{
    ss_tutor *t = a->tutor;
    bool idle = !tries(a) && is_idle(a, judged);
    if (idle) {
        say_page(a);
        say_run(a);
    }
    if (idle && !t->lines.prompted)
        say(a, ss_session_asks(&t->session) ? "Your prediction:"
                                            : "next, hint, solution, help or a command:");
    t->lines.prompted = t->lines.prompted || idle;
    t->lines.busy = !idle;
    a->fe->hold(a->self, !idle);
}

bool ss_app_lesson_is_busy(const app *a)
{
    return ss_app_lesson_is_open(a) && a->tutor->lines.on && a->tutor->lines.busy;
}

bool ss_app_lesson_speaks(const app *a)
{
    return ss_app_lesson_is_open(a) && a->tutor->lines.on;
}

static bool stops(app *a, const ss_event *ev)
{
    ss_tutor *t = a->tutor;
    ss_err err;
    if (!ss_app_lesson_is_busy(a) || ev->button != SIGINT || !t->begun || t->lines.stopped)
        return false; /* the second one ends the program */
    t->queue.next = t->queue.count;
    t->play.verb[0] = '\0';
    t->lines.stopped = true;
    ss_app_emit(a, "pause", &err);
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Nobody but ctrl-c would end it. */
static bool is_endless(const app *a, const ss_cmd *cmd)
{
    const ss_config *cfg = &a->snap->cfg;
    bool limited = ss_config_given(cfg, "cycles") || ss_config_real(cfg, "until-time") > 0 ||
                   (a->snap->kind == SS_STEADY && ss_config_real(cfg, "until") > 0);
    bool starts = cmd->verb->id == SS_VERB_RUN || cmd->verb->id == SS_VERB_TOGGLE;
    return starts && !limited;
}

static int parse(const app *a, const char *line, ss_cmd *cmd, ss_err *err)
{
    char word[SS_CMD_TEXT];
    ss_err why;
    bool answers = ss_session_asks(&a->tutor->session) && strspn(line, "+-.0123456789") > 0;
    if (!answers && ss_cmd_parse(line, cmd, err) == SS_OK)
        return SS_OK;
    snprintf(word, sizeof word, "lesson %s%.200s", answers ? "predict " : "", line);
    if (ss_cmd_parse(word, cmd, &why) == SS_OK)
        return SS_OK;
    return answers ? ss_fail(err, "%s", why.text) : SS_FAIL;
}

static void hear(app *a, const char *line)
{
    ss_cmd cmd;
    ss_err err;
    a->tutor->lines.prompted = false;
    line += strspn(line, ": \t"); /* a colon opens the command line of a screen */
    int status = parse(a, line, &cmd, &err);
    if (status == SS_OK && cmd.verb && is_endless(a, &cmd))
        status = ss_fail(&err, "the run would never end: use step N, or set until-time");
    if (status == SS_OK && cmd.verb && cmd.verb->id == SS_VERB_RUN) {
        ss_app_emit(a, "speed 0", &err);
        if (a->snap->status == SS_CONVERGED)
            say(a, "It has converged already: reset starts again, a smaller until continues.");
    }
    if (status != SS_OK)
        a->fe->say(a->self, true, err.text);
    else if (cmd.verb)
        ss_app_answer(a, &cmd);
    a->tutor->lines.busy = true;
    a->fe->hold(a->self, ss_app_lesson_is_open(a));
}

bool ss_tutor_event(app *a, const ss_event *ev)
{
    bool line = ev->kind == SS_EV_COMMAND && ss_app_lesson_speaks(a);
    if (line)
        hear(a, ev->text);
    return line || (ev->kind == SS_EV_QUIT && stops(a, ev));
}
