/* See session.h. */
#include "src/lesson/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/lesson/document.h"

/* --- texts ------------------------------------------------------------------------------------ */

/* A remark that names keys of a screen. */
static ss_page_block *key_note(ss_page *p, const char *text)
{
    ss_page_block *b = ss_page_add(p, SS_PG_NOTE, text);
    b->keys = true;
    return b;
}

static ss_page_block *part(ss_page *p, const char *title)
{
    ss_page_block *b = ss_page_add(p, SS_PG_PART, title);
    b->gap = true;
    return b;
}

/* A lesson's prose: each line is a paragraph, an item or code; empty lines are gaps. */
static void add_prose(ss_page *p, const char *prose)
{
    static const char bullet[] = "\xe2\x80\xa2 ";
    bool gap = true;
    while (*prose) {
        char line[4096];
        size_t n = strcspn(prose, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, prose);
        bool item = strncmp(line, bullet, sizeof bullet - 1) == 0;
        bool code = line[0] == SS_MARK_VERBATIM;
        if (line[0]) {
            ss_page_block *b = ss_page_add(p,
                                           item   ? SS_PG_ITEM
                                           : code ? SS_PG_CODE
                                                  : SS_PG_TEXT,
                                           line + (item   ? sizeof bullet - 1
                                                   : code ? 1
                                                          : 0));
            b->gap = gap;
        }
        gap = !line[0];
        prose += n + (prose[n] == '\n');
    }
}

typedef struct markdown_reader {
    ss_page *page;
    int n;
} markdown_reader;

static int take_block(void *ctx, const ss_md_block *b, ss_err *err)
{
    static const ss_page_kind kinds[] = {[SS_MD_HEADING] = SS_PG_PART,
                                         [SS_MD_PARAGRAPH] = SS_PG_TEXT,
                                         [SS_MD_ITEM] = SS_PG_ITEM,
                                         [SS_MD_CODE] = SS_PG_CODE};
    markdown_reader *r = ctx;
    (void)err;
    ss_page_add(r->page, kinds[b->kind], b->marked)->gap = r->n++ > 0 && b->kind == SS_MD_PARAGRAPH;
    return SS_OK;
}

/* The text of a lesson's block is Markdown, too. */
static void add_markdown(ss_page *p, const char *text)
{
    ss_err err;
    markdown_reader r = {p, 0};
    ss_markdown_read(text, strlen(text), take_block, &r, &err);
}

static void add_commands(ss_page *p, const ss_script *s, const char *click)
{
    char line[SS_CMD_TEXT + 64];
    for (int i = 0; i < s->count; i++)
        ss_page_add(p, SS_PG_COMMAND, ss_cmd_format(s->cmd[i], line, sizeof line))->command = click;
}

/* --- parts ------------------------------------------------------------------------------------ */

static ss_page_sign sign_of(const ss_page_state *s, int answer)
{
    const ss_session *now = s->session;
    int predicted = 0;
    if (!ss_session_asks(now))
        sscanf(ss_session_predicted(now), "%d", &predicted);
    if (now->revealed && answer == ss_session_step(now)->predict.right + 1)
        return SS_SIGN_MET;
    if (answer == predicted)
        return now->revealed ? SS_SIGN_UNMET : SS_SIGN_CHOSEN;
    return answer == s->chosen && !predicted ? SS_SIGN_CHOSEN : SS_SIGN_NONE;
}

static void add_answers(const ss_page_state *s, ss_page *p)
{
    const ss_predict *q = &ss_session_step(s->session)->predict;
    char click[32];
    for (int i = 0; i < q->nanswer; i++) {
        ss_page_block *b = ss_page_add(p, SS_PG_ANSWER, q->answer[i]);
        b->number = i + 1;
        b->sign = sign_of(s, i + 1);
        snprintf(click, sizeof click, "lesson choose %d", i + 1);
        b->command = ss_session_asks(s->session) ? ss_page_keep(p, click) : NULL;
    }
}

/* How many of the class have answered. */
static void add_count(const ss_page_state *s, ss_page *p)
{
    char text[64];
    if (!s->answers || s->answers->asked == 0)
        return;
    snprintf(text, sizeof text, "%d of %d have answered", s->answers->n, s->answers->asked);
    ss_page_add(p, SS_PG_NOTE, text)->gap = true;
}

static int largest_count(const ss_histogram *h)
{
    int most = 0;
    for (int i = 0; i < h->nbin; i++)
        most = h->bin[i].count > most ? h->bin[i].count : most;
    return most;
}

/* The answers of the class; the right one is marked once it is revealed. */
static void add_histogram(const ss_page_state *s, ss_page *p)
{
    ss_histogram h;
    const ss_session *now = s->session;
    const ss_predict *q = &ss_session_step(now)->predict;
    double own = strtod(ss_session_predicted(now), NULL), truth = (double)NAN;
    if (!s->answers || s->answers->n == 0)
        return;
    if (now->revealed)
        truth = q->nanswer ? q->right + 1 : q->number;
    ss_histogram_of(s->answers, q->nanswer, own, truth, &h);
    int most = largest_count(&h);
    for (int i = 0; i < h.nbin; i++) {
        ss_page_block *b = ss_page_add(p, SS_PG_BAR, h.bin[i].label);
        b->bar = (ss_page_bar){h.bin[i].count, most, i == ss_histogram_bin(&h, own),
                               i == ss_histogram_bin(&h, truth)};
        b->gap = i == 0;
    }
    ss_page_add(p, SS_PG_SCALE, "answers")->bar.most = most;
    ss_page_add(p, SS_PG_NOTE,
                now->revealed ? "\xe2\x96\xb8 the instructor  \xe2\x9c\x93 the answer"
                              : "\xe2\x96\xb8 the instructor");
}

static void add_class(const ss_page_state *s, ss_page *p)
{
    if (!s->answers || s->answers->asked == 0)
        return;
    part(p, "The class");
    add_count(s, p);
    p->block[p->nblock - 1].gap = false;
    add_histogram(s, p);
}

static void add_predict(const ss_page_state *s, ss_page *p)
{
    char text[96];
    const ss_session *now = s->session;
    const ss_predict *q = &ss_session_step(now)->predict;
    if (!q->question[0])
        return;
    part(p, ss_session_asks(now) ? "Predict" : "Your prediction");
    ss_page_add(p, SS_PG_TEXT, q->question);
    add_answers(s, p);
    if (!ss_session_asks(now) && q->nanswer == 0) {
        snprintf(text, sizeof text, "you predicted %s", ss_session_predicted(now));
        ss_page_add(p, SS_PG_NOTE, text);
    }
    if (!ss_session_asks(now))
        return;
    snprintf(text, sizeof text, "1 to %d", q->nanswer);
    ss_page_add(p, SS_PG_FIELD,
                q->nanswer == 0 ? "a number"
                : s->chosen     ? ""
                                : text)
        ->command = q->nanswer == 0 ? "entry apply" : "lesson lock";
    p->asks = q->nanswer ? SS_ASKS_CHOICE : SS_ASKS_NUMBER;
    add_count(s, p);
}

/* The number of the question for the diagrams. */
static void add_drawn(const ss_page_state *s, ss_page *p)
{
    const ss_session *now = s->session;
    const ss_predict *q = &ss_session_step(now)->predict;
    p->drawn = q->question[0] ? q->drawn : SS_DRAWN_NOTHING;
    p->said = p->truth = (double)NAN;
    if (!ss_session_asks(now))
        p->said = strtod(ss_session_predicted(now), NULL);
    if (now->revealed)
        p->truth = q->number;
}

/* Is the wanted value of a parameter the answer, and not to be shown before it is found? */
static bool tells(const ss_check *c)
{
    return c->form == SS_CHECK_COMPARE && !c->left.row && !c->left.baseline;
}

/* A check that tells, without the value: "k: to be found". */
static const char *hidden_text(const ss_check *c, char *buf, size_t size)
{
    snprintf(buf, size, "%s: to be found", c->left.name);
    return buf;
}

/* Cuts the wanted value off a reason ("k is 8, against 1") if it is hidden. */
static void hide_reason(char *why, bool hidden)
{
    char *wanted = hidden ? strstr(why, ", against") : NULL;
    if (wanted)
        *wanted = '\0';
}

static void add_checks(const ss_page_state *s, ss_page *p)
{
    const ss_lesson_step *step = ss_session_step(s->session);
    if (step->ncheck > 0)
        part(p, "Check");
    for (int i = 0; i < step->ncheck; i++) {
        char text[64], why[sizeof s->result->why];
        const ss_check_result *got = &s->result[i];
        const ss_session *now = s->session;
        bool hidden = tells(&step->check[i]) && !got->met && !now->revealed && !now->helped;
        ss_page_add(p, SS_PG_CHECK,
                    hidden ? hidden_text(&step->check[i], text, sizeof text) : step->check[i].text)
            ->sign = got->pending ? SS_SIGN_PENDING
                     : got->met   ? SS_SIGN_MET
                                  : SS_SIGN_OPEN;
        snprintf(why, sizeof why, "%s", got->why);
        hide_reason(why, hidden);
        if (why[0])
            ss_page_add(p, SS_PG_NOTE, why);
    }
    if (step->ncheck > 0 && !s->session->revealed)
        key_note(p, "r starts again with what is set, space runs to the end, : takes commands")
            ->gap = true;
}

static void add_work(const ss_page_state *s, ss_page *p)
{
    const ss_session *now = s->session;
    const ss_lesson_step *step = ss_session_step(now);
    const ss_script *own = &step->commands[SS_L_DO];
    char playing[96];
    snprintf(playing, sizeof playing, "%s \xc2\xb7 space skips",
             s->playing && s->playing[0] ? s->playing : "under way");
    if (own->count > 0) {
        part(p, "See what happens");
        add_commands(p, own, now->tried ? NULL : "lesson do");
        key_note(p, s->busy         ? playing
                    : now->tried    ? "done; ! shows it again"
                    : now->revealed ? "done earlier; ! shows it again"
                                    : "! does this for you; or type it after :");
    }
    if (step->turn[0]) {
        part(p, "Your turn");
        add_markdown(p, step->turn);
    }
    add_checks(s, p);
}

static void add_reveal(const ss_page_state *s, ss_page *p)
{
    char verdict[320];
    const ss_session *now = s->session;
    const ss_lesson_step *step = ss_session_step(now);
    part(p, "What happened");
    if (step->predict.question[0])
        ss_page_add(p, SS_PG_ITEM, ss_session_verdict(now, verdict, sizeof verdict))->sign =
            ss_session_is_right(now) ? SS_SIGN_MET : SS_SIGN_UNMET;
    add_class(s, p);
    int at = p->nblock;
    if (step->block[SS_L_REVEAL].text)
        add_markdown(p, step->block[SS_L_REVEAL].text);
    if (p->nblock > at && p->block[at - 1].kind == SS_PG_NOTE) /* the histogram's */
        p->block[at].gap = true;
}

static void add_next_lesson(const ss_lesson *l, ss_page *p)
{
    char name[64], text[160];
    ss_err err;
    ss_lesson *next = ss_lesson_next(l, name, sizeof name) ? ss_lesson_find(name, &err) : NULL;
    if (next) {
        snprintf(text, sizeof text, "j opens the next lesson, %.*s: %.100s",
                 (int)strspn(name, "0123456789"), name, next->title);
        key_note(p, text)->command = "lesson next";
    }
    ss_lesson_free(next);
    key_note(p, "Q leaves, and shows the list of lessons")->command = "lesson leave";
}

static void add_end(const ss_session *now, ss_page *p)
{
    char text[160];
    const ss_lesson *l = now->lesson;
    int done = ss_progress_count(&now->progress);
    ss_page_block *b = NULL;
    if (ss_session_is_done(now) && now->index + 1 < l->nstep) {
        b = key_note(p, "done: j opens the next step");
        b->command = "lesson next";
    } else if (ss_session_is_done(now) || now->over) {
        snprintf(text, sizeof text,
                 done == l->nstep ? "the lesson is done, all %d steps"
                                  : "this is the end: %d of %d steps done; J goes back",
                 done, l->nstep);
        b = ss_page_add(p, SS_PG_NOTE, text);
        add_next_lesson(l, p);
    }
    if (b)
        b->gap = true;
    if (now->warned)
        ss_page_add(p, SS_PG_NOTE, now->why_not_saved)->gap = true;
}

/* --- the page --------------------------------------------------------------------------------- */

/* A dot per step: done, this one, to come. */
static void add_dots(const ss_session *now, ss_page *p)
{
    size_t n = 0;
    p->dots[0] = '\0';
    for (int i = 0; i < now->lesson->nstep && n + 4 < sizeof p->dots; i++)
        n += (size_t)snprintf(p->dots + n, sizeof p->dots - n, "%s",
                              i == now->index                 ? "\xe2\x97\x89"
                              : (now->progress.done >> i & 1) ? "\xe2\x97\x8f"
                                                              : "\xe2\x97\x8b");
}

static void add_button(ss_page *p, bool on, const char *label, const char *command)
{
    if (on && p->nbutton < SS_PAGE_BUTTONS)
        p->button[p->nbutton++] = (ss_page_button){label, command};
}

static void add_buttons(const ss_page_state *s, ss_page *p)
{
    const ss_session *now = s->session;
    bool own = ss_session_step(now)->commands[SS_L_DO].count > 0;
    bool last = now->index + 1 == now->lesson->nstep;
    add_button(p, own && !ss_session_asks(now), now->tried ? "again" : "do it", "lesson do");
    add_button(p, p->offers[SS_OFFER_HINT], "hint", "lesson hint");
    add_button(p, p->offers[SS_OFFER_SOLUTION], "solution", "lesson solution");
    add_button(p, ss_session_is_done(now), last ? "next lesson" : "next", "lesson next");
    add_button(p, now->index > 0, "back", "lesson back");
}

static void add_words(const ss_page_state *s, ss_page *p)
{
    const ss_session *now = s->session;
    snprintf(p->title, sizeof p->title, "%.90s", now->lesson->title);
    ss_utf8_trim(p->title);
    add_dots(now, p);
    snprintf(p->corner, sizeof p->corner, "%s step %d of %d", p->dots, now->index + 1,
             now->lesson->nstep);
    const ss_lesson_step *step = ss_session_step(now);
    const char *what = ss_session_asks(now)              ? step->predict.question
                       : now->revealed || !step->turn[0] ? step->title
                                                         : step->turn;
    snprintf(p->brief, sizeof p->brief, "%d/%d", now->index + 1, now->lesson->nstep);
    snprintf(p->strip, sizeof p->strip, "step %d of %d \xc2\xb7 %.150s", now->index + 1,
             now->lesson->nstep, what);
    ss_utf8_trim(p->strip);
}

static void add_offers(const ss_page_state *s, ss_page *p)
{
    const ss_session *now = s->session;
    const ss_lesson_step *step = ss_session_step(now);
    bool asks = ss_session_asks(now), own = step->commands[SS_L_DO].count > 0;
    p->offers[SS_OFFER_DO] = !asks && own && !now->tried && !s->busy;
    p->offers[SS_OFFER_HINT] = step->block[SS_L_HINT].text && !now->hinted && !now->revealed;
    p->offers[SS_OFFER_SOLUTION] = !asks && step->commands[SS_L_SOLUTION].count > 0 &&
                                   !p->offers[SS_OFFER_HINT] && !now->revealed;
    p->offers[SS_OFFER_NEXT] = ss_session_is_done(now) && now->index + 1 < now->lesson->nstep;
}

/* Scrolls to the blocks added since `from` if the focus is on them. */
static void focus_on(const ss_page_state *s, ss_page *p, ss_focus focus, int from)
{
    if (s->focus != focus || p->nblock == from)
        return;
    p->from = from;
    p->to = p->nblock;
}

/* What the lesson is about, above its first step. */
static void add_summary(const ss_session *now, ss_page *p)
{
    const char *summary = now->lesson->summary;
    if (now->index == 0 && summary && *summary)
        ss_page_add(p, SS_PG_NOTE, summary);
}

void ss_lesson_page(const ss_page_state *s, ss_page *p)
{
    const ss_session *now = s->session;
    const ss_lesson_step *step = ss_session_step(now);
    ss_page_clear(p);
    add_words(s, p);
    add_summary(now, p);
    int top = p->nblock;
    ss_page_add(p, SS_PG_TITLE, step->title)->gap = top > 0;
    if (step->prose)
        add_prose(p, step->prose);
    int at = p->nblock;
    add_predict(s, p);
    focus_on(s, p, SS_FOCUS_TOP, top);
    focus_on(s, p, SS_FOCUS_PREDICT, at);
    at = p->nblock;
    if (!ss_session_asks(now) && !now->revealed)
        add_class(s, p);
    if (!ss_session_asks(now))
        add_work(s, p);
    focus_on(s, p, SS_FOCUS_WORK, at);
    at = p->nblock;
    if (now->hinted && step->block[SS_L_HINT].text) {
        part(p, "Hint");
        add_markdown(p, step->block[SS_L_HINT].text);
    }
    focus_on(s, p, SS_FOCUS_HINT, at);
    at = p->nblock;
    if (now->helped && !ss_session_asks(now)) {
        part(p, "Solution");
        add_commands(p, &step->commands[SS_L_SOLUTION], "lesson solution");
        key_note(p, "E again runs it");
    }
    focus_on(s, p, SS_FOCUS_SOLUTION, at);
    at = p->nblock;
    if (now->revealed)
        add_reveal(s, p);
    add_end(now, p);
    focus_on(s, p, SS_FOCUS_REVEAL, at);
    p->panels = step->panels;
    add_drawn(s, p);
    snprintf(p->opens, sizeof p->opens, "lesson %s %d", now->lesson->name, now->index + 1);
    p->step = now->index + 1;
    p->plays = s->busy;
    add_offers(s, p);
    add_buttons(s, p);
}
