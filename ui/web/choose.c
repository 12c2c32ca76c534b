/* Views that watchers choose: their choices on the way to the main thread, and the frames of their
 * views on the way to them. See parts.h, views.h. */
#include <stdlib.h>
#include <string.h>

#include "ui/web/parts.h"

/* --- the thread that serves ------------------------------------------------------------------- */

void ss_web_seat_page(ss_web *web, ss_page *p)
{
    pthread_mutex_lock(&web->lock);
    p->who = ss_views_enter(&web->views);
    pthread_mutex_unlock(&web->lock);
}

void ss_web_unseat_page(ss_web *web, ss_page *p)
{
    pthread_mutex_lock(&web->lock);
    ss_views_leave(&web->views, p->who);
    pthread_mutex_unlock(&web->lock);
    web->setup.wake(web->setup.ctx);
}

/* All that a watcher may do. */
static bool chooses(const ss_web_line *line)
{
    static const char *const keys[] = {"l",      "L",       "z",    "Z",      "f",
                                       "S-left", "S-right", "S-up", "S-down", "esc"};
    for (size_t i = 0; line->event.kind == SS_EV_KEY && i < sizeof keys / sizeof *keys; i++)
        if (strcmp(line->event.key, keys[i]) == 0)
            return true;
    return line->event.kind == SS_EV_WHEEL;
}

void ss_web_watcher_says(ss_web *web, ss_page *p, const ss_web_line *line)
{
    bool resized = line->kind == SS_WEB_SIZE && p->view > 0;
    if (line->kind == SS_WEB_SIZE)
        p->w = line->w, p->h = line->h;
    if (!resized && !chooses(line))
        return;
    pthread_mutex_lock(&web->lock);
    if (web->nchoice < SS_WEB_CHOICES) {
        ss_web_choice *c = &web->choice[web->nchoice++];
        *c = (ss_web_choice){.who = p->who, .line = *line};
        c->line.w = p->w, c->line.h = p->h;
    }
    pthread_mutex_unlock(&web->lock);
    web->setup.wake(web->setup.ctx);
}

ss_feed *ss_web_feed_of(const ss_web *web, const ss_page *p)
{
    return p->view > 0 ? web->view[p->view].feed : web->feed;
}

const char *ss_web_refusal(const ss_page *p)
{
    _Static_assert(SS_VIEWS == 21, "the number in the sentence");
    return p->refused ? "say 21 different views are watched, as many as the program makes: "
                        "this page stays as it is; esc follows the pilot"
                      : "say ";
}

/* With the lock. */
static void take_seat(ss_web *web, ss_page *p)
{
    const ss_view_seat *seat = ss_views_seat(&web->views, p->who);
    int view = seat ? seat->view : 0;
    p->moved = p->moved || p->view != view;
    p->view = view;
    p->refused = seat && seat->refused;
}

/* A view that nobody looks at, or that has become another one, keeps no frames. */
static void take_frame(ss_web *web, int i, const ss_view_row *row, ss_frame *frame)
{
    ss_web_view *v = &web->view[i];
    ss_err ignored;
    if (v->feed && (row->watchers == 0 || row->born != v->born)) {
        ss_feed_free(v->feed);
        v->feed = NULL;
    }
    if (frame && !v->feed)
        v->feed = ss_feed_new(&ignored);
    v->born = row->born;
    if (frame)
        ss_web_reuse(web, v->feed ? ss_feed_push(v->feed, frame) : frame);
}

void ss_web_take_views(ss_web *web)
{
    ss_frame *frame[SS_VIEWS + 1] = {NULL};
    ss_view_row row[SS_VIEWS + 1];
    pthread_mutex_lock(&web->lock);
    memcpy(row, web->views.row, sizeof row);
    for (int i = 1; i <= SS_VIEWS; i++) {
        ss_web_shown *s = &web->further[i];
        if (s->born == row[i].born)
            frame[i] = s->pending, s->pending = NULL;
    }
    for (ss_page *p = web->pages; p; p = p->next)
        take_seat(web, p);
    pthread_mutex_unlock(&web->lock);
    for (int i = 1; i <= SS_VIEWS; i++)
        take_frame(web, i, &row[i], frame[i]);
    for (ss_page *p = web->pages; p; p = p->next)
        if (p->greeted && (frame[p->view] || p->moved || p->told != p->refused)) {
            p->moved = false;
            lws_callback_on_writable(p->wsi);
        }
}

/* After the thread has ended. */
void ss_web_drop_views(ss_web *web)
{
    for (int i = 1; i <= SS_VIEWS; i++) {
        ss_feed_free(web->view[i].feed);
        ss_web_reuse(web, web->further[i].pending);
    }
}

/* --- the main thread -------------------------------------------------------------------------- */

bool ss_web_take_choice(ss_web *web, ss_web_choice *out)
{
    const ss_view_seat *seat = NULL;
    pthread_mutex_lock(&web->lock);
    while (web->nchoice > 0 && !seat) {
        *out = web->choice[0];
        memmove(web->choice, web->choice + 1, (size_t)--web->nchoice * sizeof *out);
        seat = ss_views_seat(&web->views, out->who);
    }
    out->view = seat ? seat->view : 0;
    pthread_mutex_unlock(&web->lock);
    return seat != NULL;
}

void ss_web_choose(ss_web *web, uint32_t who, const ss_lens *lens)
{
    pthread_mutex_lock(&web->lock);
    ss_views_choose(&web->views, who, lens);
    pthread_mutex_unlock(&web->lock);
    lws_cancel_service(web->context);
}

ss_view_row ss_web_view_row(ss_web *web, int view)
{
    pthread_mutex_lock(&web->lock);
    ss_view_row row = web->views.row[view];
    pthread_mutex_unlock(&web->lock);
    return row;
}

void ss_web_refit(ss_web *web, int view, const ss_lens *lens)
{
    pthread_mutex_lock(&web->lock);
    ss_views_refit(&web->views, view, lens);
    pthread_mutex_unlock(&web->lock);
}

ss_frame *ss_web_show_view(ss_web *web, int view, uint32_t born, ss_frame *frame)
{
    ss_web_shown *s = &web->further[view];
    uint64_t hash = ss_web_frame_hash(frame);
    if (s->born == born && s->hash == hash)
        return frame;
    pthread_mutex_lock(&web->lock);
    ss_frame *other = s->pending;
    frame->serial = ++web->serial;
    *s = (ss_web_shown){.pending = frame, .born = born, .hash = hash};
    if (!other && web->nspare > 0)
        other = web->spare[--web->nspare];
    pthread_mutex_unlock(&web->lock);
    lws_cancel_service(web->context);
    return other;
}
