/* The class that watches: the question and its answers, who is told what; what the pilot's page
 * shows to it: the watchers' address, and its QR code where libqrencode is. See web.h, parts.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SS_WITH_QRENCODE
#include <qrencode.h>
#endif

#include "ui/web/parts.h"
#include "ui/web/web.h"

/* --- a question and its answers --------------------------------------------------------------- */

void ss_poll_ask(ss_poll *p, const ss_question *question)
{
    p->open = question != NULL;
    if (!question)
        return;
    p->number++;
    p->question = *question;
    p->n = 0;
}

static bool is_answer(const ss_question *q, double value)
{
    if (q->nchoice == 0)
        return isfinite(value);
    return value >= 1 && value <= q->nchoice && value <= floor(value);
}

static int find(const ss_poll *p, uint32_t page)
{
    int i = 0;
    while (i < p->n && p->answer[i].page != page)
        i++;
    return i;
}

int ss_poll_take(ss_poll *p, uint32_t number, uint32_t page, double value, ss_err *err)
{
    int i = find(p, page);
    if (!p->open || number != p->number)
        return ss_fail(err, "Your answer came too late: the question is closed.");
    if (!is_answer(&p->question, value))
        return ss_fail(err, "That is no answer to this question.");
    if (i == SS_CLASS_MOST)
        return ss_fail(err, "Your answer is not counted: %d others are.", SS_CLASS_MOST);
    p->answer[i].page = page;
    p->answer[i].value = value;
    p->n += i == p->n;
    return SS_OK;
}

void ss_poll_drop(ss_poll *p, uint32_t page)
{
    int i = find(p, page);
    if (p->open && i < p->n)
        p->answer[i] = p->answer[--p->n];
}

bool ss_poll_has(const ss_poll *p, uint32_t page)
{
    return find(p, page) < p->n;
}

const char *ss_poll_text(const ss_poll *p, char *buf, size_t size)
{
    int n = snprintf(buf, size, "question %u", p->open ? p->number : 0);
    if (p->open)
        n += snprintf(buf + n, size - (size_t)n, "\n%s", p->question.text);
    for (int i = 0; p->open && i < p->question.nchoice; i++)
        n += snprintf(buf + n, size - (size_t)n, "\n%s", p->question.choice[i]);
    return buf;
}

/* --- the invitation --------------------------------------------------------------------------- */

static void add_code(const char *url, FILE *to)
{
#ifdef SS_WITH_QRENCODE
    QRcode *code = QRcode_encodeString8bit(url, 0, QR_ECLEVEL_M);
    for (int i = 0; code && i < code->width * code->width; i++)
        fprintf(to, "%s%d", i % code->width == 0 ? "\n" : "", code->data[i] & 1);
    QRcode_free(code);
#else
    (void)url, (void)to;
#endif
}

char *ss_web_invitation(const char *url, bool here_only)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fprintf(to, "watch %s%s", url,
            here_only ? " on this machine only: --watch-address 0.0.0.0 lets others in" : "");
    if (!here_only)
        add_code(url, to);
    fclose(to);
    return text;
}

/* --- who is told what ------------------------------------------------------------------------- */

static bool watches(const ss_web_page *p)
{
    return p->greeted && !p->may_steer;
}

/* --- the main thread -------------------------------------------------------------------------- */

void ss_web_ask(ss_web *web, const ss_question *question)
{
    pthread_mutex_lock(&web->lock);
    ss_poll_ask(&web->poll, question);
    web->unanswered = question ? web->nwatchers : web->unanswered;
    pthread_mutex_unlock(&web->lock);
    lws_cancel_service(web->context);
}

void ss_web_answers(ss_web *web, ss_answers *out)
{
    pthread_mutex_lock(&web->lock);
    const ss_poll *poll = &web->poll;
    out->n = poll->n;
    out->asked = poll->n + web->unanswered;
    for (int i = 0; i < poll->n; i++)
        out->value[i] = poll->answer[i].value;
    pthread_mutex_unlock(&web->lock);
}

/* --- what a page sends ------------------------------------------------------------------------ */

/* The main thread may ask how many there are. Called with the lock. */
static void count(ss_web *web)
{
    web->nwatchers = web->unanswered = 0;
    for (const ss_web_page *p = web->pages; p; p = p->next) {
        web->nwatchers += watches(p);
        web->unanswered += watches(p) && !(p->name && ss_poll_has(&web->poll, p->name));
    }
}

void ss_class_count(ss_web *web)
{
    pthread_mutex_lock(&web->lock);
    count(web);
    pthread_mutex_unlock(&web->lock);
}

void ss_class_take(ss_web *web, ss_web_page *p, const ss_web_line *line)
{
    ss_err err = {.text = "A page answers under one name: load it again."};
    pthread_mutex_lock(&web->lock);
    bool own = !p->name || p->name == line->page;
    if (own && ss_poll_take(&web->poll, line->number, line->page, line->value, &err) == SS_OK) {
        p->name = line->page;
        p->answered = line->number;
        count(web);
    } else {
        snprintf(p->rejected, sizeof p->rejected, "%.79s", err.text);
    }
    pthread_mutex_unlock(&web->lock);
    web->setup.wake(web->setup.ctx);
}

/* A page that has connected again under its name keeps its answer. */
void ss_class_leave(ss_web *web, const ss_web_page *p)
{
    const ss_web_page *other = web->pages;
    while (other && (other == p || other->name != p->name))
        other = other->next;
    if (!p->name || other)
        return;
    pthread_mutex_lock(&web->lock);
    ss_poll_drop(&web->poll, p->name);
    pthread_mutex_unlock(&web->lock);
}

/* --- what it is sent -------------------------------------------------------------------------- */

static uint32_t question_of(ss_web *web)
{
    pthread_mutex_lock(&web->lock);
    uint32_t number = web->poll.open ? web->poll.number : 0;
    pthread_mutex_unlock(&web->lock);
    return number;
}

/* A watcher may come before the pilot, who begins the run. */
static bool awaits(const ss_web *web, const ss_web_page *p)
{
    return !p->may_steer && ss_feed_serial(web->feed[SS_SHAPE_PILOT]) == 0;
}

/* The pilot shows the address to the class. */
static bool is_to_be_invited(const ss_web *web, const ss_web_page *p)
{
    return p->may_steer && web->invitation && !p->invited;
}

bool ss_class_has_more(ss_web *web, const ss_web_page *p)
{
    return p->answered || *p->rejected || p->awaits != awaits(web, p) || is_to_be_invited(web, p) ||
           (!p->may_steer && p->question != question_of(web));
}

static int send_question(ss_web *web, ss_web_page *p)
{
    char text[SS_POLL_TEXT];
    pthread_mutex_lock(&web->lock);
    p->question = web->poll.open ? web->poll.number : 0;
    ss_poll_text(&web->poll, text, sizeof text);
    pthread_mutex_unlock(&web->lock);
    return ss_web_send_text(p, text);
}

int ss_class_send(ss_web *web, ss_web_page *p)
{
    char text[96];
    if (is_to_be_invited(web, p)) {
        p->invited = true;
        return ss_web_send_text(p, web->invitation);
    }
    if (p->awaits != awaits(web, p)) {
        p->awaits = !p->awaits;
        return ss_web_send_text(
            p, p->awaits ? "say The run begins when the page that steers is open." : "say ");
    }
    if (p->answered) {
        snprintf(text, sizeof text, "answered %u", p->answered);
        p->answered = 0;
        return ss_web_send_text(p, text);
    }
    if (*p->rejected) {
        snprintf(text, sizeof text, "rejected %s", p->rejected);
        *p->rejected = '\0';
        return ss_web_send_text(p, text);
    }
    return send_question(web, p);
}
