/* The class that watches: the question, its answers, and who has the seat. See parts.h. */
#include <stdio.h>
#include <string.h>

#include "ui/web/parts.h"

static bool watches(const ss_page *p)
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
    for (const ss_page *p = web->pages; p; p = p->next) {
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

/* A page keeps the name that it first gave. */
static void take_answer(ss_web *web, ss_page *p, const ss_web_line *line)
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
static void drop_answer(ss_web *web, const ss_page *p)
{
    const ss_page *other = web->pages;
    while (other && (other == p || other->name != p->name))
        other = other->next;
    if (!p->name || other)
        return;
    pthread_mutex_lock(&web->lock);
    ss_poll_drop(&web->poll, p->name);
    pthread_mutex_unlock(&web->lock);
}

/* False: the line is of no such kind. */
static bool take_of_watcher(ss_web *web, ss_page *p, const ss_web_line *line)
{
    ss_web_line own = *line;
    if (line->kind == SS_WEB_ANSWER)
        take_answer(web, p, line);
    else if (line->kind == SS_WEB_ASK)
        ss_seat_ask(&web->turn, p->number);
    else if (!ss_seat_admits(&web->turn, p->number, line))
        return false;
    else {
        own.number = 0; /* it counts the pilot's */
        own.event.guest = true;
        ss_web_enqueue(web, &own);
    }
    return true;
}

/* A guest sees what it steers. */
static void follow(ss_web *web)
{
    const ss_web_line esc = {.kind = SS_WEB_EVENT, .event = {.kind = SS_EV_KEY, .key = "esc"}};
    for (ss_page *p = web->pages; p; p = p->next)
        if (p->number == web->turn.guest)
            ss_web_watcher_says(web, p, &esc);
}

static bool is_key(const ss_web_line *line, const char *key)
{
    return line->event.kind == SS_EV_KEY && strcmp(line->event.key, key) == 0;
}

bool ss_class_receive(ss_web *web, ss_page *p, const ss_web_line *line)
{
    uint32_t guest = web->turn.guest;
    int asking = web->turn.nasking;
    bool done = true;
    if (!p->may_steer)
        done = take_of_watcher(web, p, line);
    else if (line->kind == SS_WEB_GIVE || (asking > 0 && is_key(line, "F9")))
        ss_seat_give(&web->turn);
    else
        done = line->kind == SS_WEB_ANSWER || line->kind == SS_WEB_ASK ||
               !ss_seat_returns(&web->turn, line);
    if (guest != web->turn.guest)
        follow(web);
    if (guest != web->turn.guest || asking != web->turn.nasking)
        ss_web_stir(web);
    return done;
}

void ss_class_leave(ss_web *web, const ss_page *p)
{
    if (web->seat == p)
        web->turn.guest = 0;
    drop_answer(web, p);
    ss_seat_leave(&web->turn, p->number);
    ss_web_stir(web);
}

/* --- what it is sent -------------------------------------------------------------------------- */

/* "seat STATE ASKING", the sentence that a page shows, and the words of its button, a line each. A
 * watcher's state: 0 watches, 1 asks, 2 steers; the pilot's: 0 steers, 1 has given the seat away.
 * ASKING: how many ask; told to the pilot. */
static int seat_of(const ss_web *web, const ss_page *p)
{
    const ss_seat *s = &web->turn;
    if (p->may_steer)
        return 2 * s->nasking + (s->guest != 0);
    return s->guest == p->number ? 2 : ss_seat_is_asking(s, p->number);
}

static int send_seat(ss_page *p)
{
    static const char *const watcher[][2] = {{"you watch", "ask to steer"},
                                             {"you asked to steer: the pilot decides", ""},
                                             {"you steer", ""}};
    static const char *const pilot[] = {"",
                                        "a watcher steers: any key or press takes the seat back"};
    char text[192], give[64] = "";
    int state = p->may_steer ? p->seat % 2 : p->seat, asking = p->may_steer ? p->seat / 2 : 0;
    if (asking > 0)
        snprintf(give, sizeof give, "%d ask%s to steer: F9 gives the seat to the first", asking,
                 asking > 1 ? "" : "s");
    snprintf(text, sizeof text, "seat %d %d\n%s\n%s", state, asking,
             p->may_steer ? pilot[state] : watcher[state][0],
             p->may_steer ? give : watcher[state][1]);
    return ss_web_send_text(p, text);
}

static uint32_t question_of(ss_web *web)
{
    pthread_mutex_lock(&web->lock);
    uint32_t number = web->poll.open ? web->poll.number : 0;
    pthread_mutex_unlock(&web->lock);
    return number;
}

/* A watcher may come before the pilot, who begins the run. */
static bool awaits(const ss_web *web, const ss_page *p)
{
    return !p->may_steer && ss_feed_serial(web->feed) == 0;
}

/* The pilot shows the address to the class. */
static bool is_to_be_invited(const ss_web *web, const ss_page *p)
{
    return p->may_steer && web->invitation && !p->invited;
}

bool ss_class_has_more(ss_web *web, const ss_page *p)
{
    return p->seat != seat_of(web, p) || p->answered || *p->rejected ||
           p->awaits != awaits(web, p) || is_to_be_invited(web, p) ||
           (!p->may_steer && p->question != question_of(web));
}

static int send_question(ss_web *web, ss_page *p)
{
    char text[SS_POLL_TEXT];
    pthread_mutex_lock(&web->lock);
    p->question = web->poll.open ? web->poll.number : 0;
    ss_poll_text(&web->poll, text, sizeof text);
    pthread_mutex_unlock(&web->lock);
    return ss_web_send_text(p, text);
}

int ss_class_send(ss_web *web, ss_page *p)
{
    char text[96];
    int seat = seat_of(web, p);
    if (p->seat != seat) {
        p->seat = seat;
        return send_seat(p);
    }
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
