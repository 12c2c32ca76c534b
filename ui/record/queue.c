/* See record.h. */
#include "ui/record/record.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ui/canvas/canvas.h"

enum { SLOTS_LEAST = 2, SLOTS_MOST = 8, BYTES_MOST = 128 << 20 };

typedef struct slot {
    ss_frame frame;
    ss_pixels pixels;
} slot;

struct ss_queue {
    const ss_recorder *recorder;
    void *self;
    slot slot[SLOTS_MOST];
    int nslot;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    int first, n; /* frames that wait; the first is being encoded */
    bool ending, failed;
    ss_err why;
};

/* --- the thread ------------------------------------------------------------------------------- */

static void encode_first(ss_queue *q)
{
    ss_err err = {0};
    const ss_frame *frame = &q->slot[q->first].frame;
    pthread_mutex_unlock(&q->lock);
    int status = q->recorder->frame(q->self, frame, &err);
    pthread_mutex_lock(&q->lock);
    if (status != SS_OK)
        q->failed = true, q->why = err;
}

static void *encode_all(void *self)
{
    ss_queue *q = self;
    pthread_mutex_lock(&q->lock);
    while (q->n > 0 || !q->ending) {
        if (q->n == 0) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        if (!q->failed)
            encode_first(q);
        q->first = (q->first + 1) % q->nslot, q->n--;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* --- life ------------------------------------------------------------------------------------- */

static void release(ss_queue *q)
{
    for (int i = 0; i < q->nslot; i++)
        free(q->slot[i].pixels.data);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

/* Signals are for the main thread. */
static int start_thread(ss_queue *q)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int status = pthread_create(&q->thread, NULL, encode_all, q);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

ss_queue *ss_queue_new(const ss_recorder *recorder, void *self, int w, int h)
{
    size_t bytes = (size_t)w * (size_t)h * 4;
    size_t fit = bytes > 0 ? BYTES_MOST / bytes : SLOTS_MOST;
    int nslot = fit < SLOTS_LEAST ? SLOTS_LEAST : fit > SLOTS_MOST ? SLOTS_MOST : (int)fit;
    ss_queue *q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->recorder = recorder, q->self = self;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    for (; q->nslot < nslot; q->nslot++) {
        ss_pixels *p = &q->slot[q->nslot].pixels;
        *p = (ss_pixels){.data = malloc(bytes), .w = w, .h = h, .stride = 4 * w};
        if (!p->data)
            break;
    }
    if (q->nslot == nslot && start_thread(q) == 0)
        return q;
    release(q);
    return NULL;
}

bool ss_queue_has_room(ss_queue *q, bool wait)
{
    pthread_mutex_lock(&q->lock);
    while (wait && q->n == q->nslot)
        pthread_cond_wait(&q->changed, &q->lock);
    bool room = q->n < q->nslot;
    pthread_mutex_unlock(&q->lock);
    return room;
}

/* The slot after the waiting ones is nobody else's until it is counted. */
int ss_queue_add(ss_queue *q, const ss_frame *frame, ss_err *err)
{
    pthread_mutex_lock(&q->lock);
    slot *s = &q->slot[(q->first + q->n) % q->nslot];
    bool failed = q->failed;
    if (failed)
        ss_fail(err, "%s", q->why.text);
    pthread_mutex_unlock(&q->lock);
    if (failed)
        return SS_FAIL;
    const ss_pixels *from = frame->pixels;
    for (int y = 0; y < s->pixels.h; y++)
        memcpy((char *)s->pixels.data + (size_t)y * (size_t)s->pixels.stride,
               (const char *)from->data + (size_t)y * (size_t)from->stride,
               (size_t)s->pixels.stride);
    s->frame = *frame;
    s->frame.pixels = &s->pixels;
    pthread_mutex_lock(&q->lock);
    q->n++;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return SS_OK;
}

int ss_queue_end(ss_queue *q, bool finish, ss_err *err)
{
    pthread_mutex_lock(&q->lock);
    q->ending = true;
    if (!finish && q->n > 1)
        q->n = 1; /* the one being encoded */
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    int status = q->failed ? ss_fail(err, "%s", q->why.text) : SS_OK;
    release(q);
    return status;
}
