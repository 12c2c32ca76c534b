/* The thread of the gallery's pictures: see runner.h. One lock protects what it shares with the
 * main thread; the lock is never held while a run is computed. */
#include "src/gallery/runner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "src/base/cpu_clock.h"
#include "src/base/deadline.h"
#include "src/core/run.h"
#include "src/gallery/film.h"

#define NICE 10      /* of the thread while the user looks at the screen */
#define REST 4       /* seconds without work for each second of work: a fifth of a processor */
#define INTERVAL 0.2 /* seconds between two frames of a card that plays, at least */
#define FRAMES 40    /* of a card that plays, about: it takes 8 s */
#define ROUNDS 3     /* then it stays still until it is chosen again */
#define LAST 1.5     /* seconds for which its last frame stays */

struct ss_gallery_runner {
    ss_gallery_runner_setup setup; /* constant */
    ss_config machine;
    pthread_t thread;
    atomic_bool stop;

    pthread_mutex_t lock;
    pthread_cond_t changed; /* the thread waits for it */
    pthread_cond_t done;    /* ss_gallery_runner_wait waits for it */
    /* Under the lock. */
    int tab, card; /* wanted */
    bool over;     /* the chosen card has played all its rounds */
    bool held;
    ss_gallery now;
    uint64_t version; /* of the newest picture */

    ss_card_film film;   /* the thread's: the run in progress, */
    int of_tab, of_card; /* of this card; -1: none */
    uint64_t taken;      /* main thread's: the newest version that it has */
};

/* --- waiting ---------------------------------------------------------------------------------- */

/* Under the lock. Waits for a change, but at most so long; < 0: as long as it takes. */
static void wait_for_change(ss_gallery_runner *r, double seconds)
{
    struct timespec t = ss_deadline_in(CLOCK_MONOTONIC, seconds);
    if (seconds < 0)
        pthread_cond_wait(&r->changed, &r->lock);
    else
        pthread_cond_timedwait(&r->changed, &r->lock, &t);
}

static bool stopped(ss_gallery_runner *r)
{
    return atomic_load(&r->stop);
}

/* Rests after `spent` seconds of work, and while the runner is held; false: it is to end. */
static bool rest(ss_gallery_runner *r, double spent, double least)
{
    double pause = r->setup.still ? 0 : REST * spent;
    double until = ss_clock() + (pause > least ? pause : least);
    pthread_mutex_lock(&r->lock);
    while (!stopped(r) && (r->held || ss_clock() < until))
        wait_for_change(r, r->held ? -1 : until - ss_clock());
    pthread_mutex_unlock(&r->lock);
    return !stopped(r);
}

/* --- pictures --------------------------------------------------------------------------------- */

static void wake(ss_gallery_runner *r)
{
    if (r->setup.wake)
        r->setup.wake(r->setup.ctx);
}

static void publish(ss_gallery_runner *r, ss_thumb *to, const ss_thumb *from)
{
    pthread_mutex_lock(&r->lock);
    *to = *from;
    to->version = ++r->version;
    pthread_cond_signal(&r->done);
    pthread_mutex_unlock(&r->lock);
    wake(r);
}

static void publish_words(ss_gallery_runner *r, int tab, int card, const ss_err *why)
{
    pthread_mutex_lock(&r->lock);
    ss_thumb *t = &r->now.still[tab][card];
    t->state = SS_THUMB_WORDS;
    t->version = ++r->version;
    snprintf(t->words, sizeof t->words, "%.159s", why->text);
    ss_utf8_trim(t->words);
    pthread_cond_signal(&r->done);
    pthread_mutex_unlock(&r->lock);
    wake(r);
}

static void close_film(ss_gallery_runner *r)
{
    if (r->of_card >= 0)
        ss_card_film_close(&r->film);
    r->of_card = -1;
}

static int open_film(ss_gallery_runner *r, int tab, int card, ss_err *err)
{
    const ss_gallery_runner_card *c = &r->setup.card[tab][card];
    close_film(r);
    if (ss_card_film_open(&r->film, c->commands, c->layer, &r->machine, r->setup.w, r->setup.h,
                          err) != SS_OK)
        return SS_FAIL;
    r->of_tab = tab, r->of_card = card;
    return SS_OK;
}

/* The film to its last state, which is the still picture. */
static void make_still(ss_gallery_runner *r, int tab, int card)
{
    ss_err err = {0};
    bool more = true;
    double before = ss_cpu_thread();
    int status = open_film(r, tab, card, &err);
    while (status == SS_OK && more && rest(r, ss_cpu_thread() - before, 0)) {
        before = ss_cpu_thread();
        status = ss_card_film_next(&r->film, &more, &err);
    }
    if (stopped(r))
        return;
    if (status == SS_OK)
        ss_card_film_trim(&r->film);
    if (status == SS_OK)
        publish(r, &r->now.still[tab][card], &r->film.thumb);
    else
        publish_words(r, tab, card, &err);
    close_film(r);
    rest(r, ss_cpu_thread() - before, 0);
}

/* --- playing ---------------------------------------------------------------------------------- */

static bool still_chosen(ss_gallery_runner *r, int tab, int card)
{
    pthread_mutex_lock(&r->lock);
    bool chosen = r->tab == tab && r->card == card;
    pthread_mutex_unlock(&r->lock);
    return chosen && !stopped(r);
}

static void show_moving(ss_gallery_runner *r, int tab, int card)
{
    pthread_mutex_lock(&r->lock);
    r->now.tab = tab, r->now.card = card;
    pthread_mutex_unlock(&r->lock);
    publish(r, &r->now.moving, &r->film.thumb);
}

static void end_moving(ss_gallery_runner *r, int tab, int card)
{
    pthread_mutex_lock(&r->lock);
    r->over = r->tab == tab && r->card == card;
    r->now.card = -1;
    r->now.moving.version = ++r->version;
    pthread_mutex_unlock(&r->lock);
    wake(r);
}

/* The next frame: of many states a few are left out. */
static int next_frame(ss_gallery_runner *r, bool *more, ss_err *err)
{
    int status = SS_OK, every = (r->film.plan.states + FRAMES - 1) / FRAMES;
    if (!*more) {
        *more = true;
        return ss_card_film_restart(&r->film, err);
    }
    for (int i = 0; i < every && *more && status == SS_OK; i++)
        status = ss_card_film_next(&r->film, more, err);
    return status;
}

/* Plays the card some rounds, or until another one is chosen. */
static void play(ss_gallery_runner *r, int tab, int card)
{
    ss_err err = {0};
    double before = ss_cpu_thread();
    int status = open_film(r, tab, card, &err);
    bool more = true;
    int rounds = 0;
    while (status == SS_OK && rounds < ROUNDS && still_chosen(r, tab, card)) {
        show_moving(r, tab, card);
        if (!rest(r, ss_cpu_thread() - before, more ? INTERVAL : LAST))
            break;
        before = ss_cpu_thread();
        rounds += !more;
        status = next_frame(r, &more, &err);
    }
    close_film(r);
    end_moving(r, tab, card);
}

/* --- the thread ------------------------------------------------------------------------------- */

/* Under the lock: the next card without a picture, of the wanted tab first. */
static bool next_still(const ss_gallery_runner *r, int *tab, int *card)
{
    for (int k = 0; k < SS_NTAB; k++) {
        *tab = (r->tab + k) % SS_NTAB;
        for (*card = 0; *card < r->setup.n[*tab]; ++*card)
            if (r->now.still[*tab][*card].state == SS_THUMB_WAITS)
                return true;
    }
    return false;
}

/* Under the lock: does the chosen card play? */
static bool plays(const ss_gallery_runner *r)
{
    return !r->setup.still && !r->over && r->card >= 0 && r->card < r->setup.n[r->tab] &&
           r->now.still[r->tab][r->card].state == SS_THUMB_SHOWN;
}

static void lower_priority(void)
{
#ifdef __linux__
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE); /* of this thread alone */
#endif
}

static void *runner_main(void *arg)
{
    ss_gallery_runner *r = arg;
    if (!r->setup.still) /* else the main thread waits for it */
        lower_priority();
    ss_cpu_leave_out();
    ss_run_abandon_by(&r->stop);
    while (!stopped(r)) {
        int tab, card;
        pthread_mutex_lock(&r->lock);
        while (r->held && !stopped(r))
            wait_for_change(r, -1);
        bool still = next_still(r, &tab, &card), moving = !still && plays(r);
        if (moving)
            tab = r->tab, card = r->card;
        if (!still && !moving && !stopped(r))
            wait_for_change(r, -1);
        pthread_mutex_unlock(&r->lock);
        if (stopped(r))
            break;
        if (still)
            make_still(r, tab, card);
        else if (moving)
            play(r, tab, card);
    }
    close_film(r);
    ss_cpu_leave_in();
    return NULL;
}

/* --- main thread ------------------------------------------------------------------------------ */

static void init_locks(ss_gallery_runner *r)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, &attr);
    pthread_cond_init(&r->done, NULL);
    pthread_condattr_destroy(&attr);
}

static void free_runner(ss_gallery_runner *r)
{
    pthread_cond_destroy(&r->done);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

ss_gallery_runner *ss_gallery_runner_start(const ss_gallery_runner_setup *s, ss_err *err)
{
    ss_gallery_runner *r = ss_alloc(sizeof *r, "the pictures of the gallery", err);
    if (!r)
        return NULL;
    r->setup = *s;
    r->machine = *s->machine;
    r->setup.machine = &r->machine;
    r->card = r->of_card = r->now.card = -1;
    memcpy(r->now.n, s->n, sizeof r->now.n);
    init_locks(r);
    int status = pthread_create(&r->thread, NULL, runner_main, r);
    if (status == 0)
        return r;
    free_runner(r);
    ss_fail(err, "cannot start a thread: %s", strerror(status));
    return NULL;
}

void ss_gallery_runner_stop(ss_gallery_runner *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    atomic_store(&r->stop, true);
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    free_runner(r);
}

void ss_gallery_runner_choose(ss_gallery_runner *r, int tab, int card)
{
    pthread_mutex_lock(&r->lock);
    bool other = r->tab != tab || r->card != card;
    r->tab = tab, r->card = card;
    r->over = r->over && !other;
    if (other)
        pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void ss_gallery_runner_hold(ss_gallery_runner *r, bool hold)
{
    pthread_mutex_lock(&r->lock);
    bool other = r->held != hold;
    r->held = hold;
    if (other)
        pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

bool ss_gallery_runner_take(ss_gallery_runner *r, ss_gallery *to)
{
    pthread_mutex_lock(&r->lock);
    bool fresh = r->version != r->taken;
    for (int tab = 0; tab < SS_NTAB && fresh; tab++)
        for (int i = 0; i < r->setup.n[tab]; i++)
            if (r->now.still[tab][i].version > r->taken)
                to->still[tab][i] = r->now.still[tab][i];
    if (r->now.moving.version > r->taken)
        to->moving = r->now.moving;
    memcpy(to->n, r->now.n, sizeof to->n);
    to->tab = r->now.tab, to->card = r->now.card;
    r->taken = r->version;
    pthread_mutex_unlock(&r->lock);
    return fresh;
}

void ss_gallery_runner_wait(ss_gallery_runner *r, int tab)
{
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->setup.n[tab]; i++)
        while (r->now.still[tab][i].state == SS_THUMB_WAITS)
            pthread_cond_wait(&r->done, &r->lock);
    pthread_mutex_unlock(&r->lock);
}
