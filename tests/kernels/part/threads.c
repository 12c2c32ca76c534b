/* Ranks that are threads: see threads.h. */
#include "tests/kernels/part/threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 64

typedef struct letter {
    int from, to, tag;
    size_t bytes, arriving;
    struct letter *next;
    char data[];
} letter;

typedef struct world {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ranks;
    bool broken;
    letter *first, **last; /* in the order in which they were sent */
    double numbers[2][RANKS_MAX][SS_COMM_NUMBERS];
    int64_t gathers[RANKS_MAX]; /* started by each rank */
    threads_fault fault;
    ss_err err;
} world;

typedef struct rank_thread {
    ss_comm comm;
    world *world;
    ss_message expected[64];
    int nexpected, ngather;
    int64_t gathered;
    threads_count count;
    int (*rank_main)(ss_comm *, void *, ss_err *);
    void *ctx;
    int status;
    pthread_t thread;
} rank_thread;

static int start(ss_comm *c, const ss_message *send, int nsend, const ss_message *receive,
                 int nreceive, ss_err *err)
{
    rank_thread *r = c->own;
    world *w = r->world;
    (void)err;
    memcpy(r->expected, receive, (size_t)nreceive * sizeof *receive);
    r->nexpected = nreceive;
    pthread_mutex_lock(&w->lock);
    for (int i = 0; i < nsend; i++) {
        letter *l = malloc(sizeof *l + send[i].bytes);
        *l = (letter){.from = c->rank,
                      .to = send[i].peer,
                      .tag = send[i].tag,
                      .bytes = send[i].bytes,
                      .arriving = send[i].bytes};
        memcpy(l->data, send[i].data, send[i].bytes);
        if (w->fault.from == c->rank && w->fault.number == r->count.messages)
            l->arriving -= w->fault.short_by;
        r->count.messages++;
        r->count.bytes += (int64_t)send[i].bytes;
        *w->last = l;
        w->last = &l->next;
    }
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return SS_OK;
}

/* Takes the first letter for this message out of the list; NULL: it has not been sent yet. */
static letter *take(world *w, int to, const ss_message *m)
{
    for (letter **at = &w->first; *at; at = &(*at)->next) {
        letter *l = *at;
        if (l->to != to || l->from != m->peer || l->tag != m->tag)
            continue;
        *at = l->next;
        if (w->last == &l->next)
            w->last = at;
        return l;
    }
    return NULL;
}

static int wait_all(ss_comm *c, ss_err *err)
{
    rank_thread *r = c->own;
    world *w = r->world;
    int status = SS_OK;
    pthread_mutex_lock(&w->lock);
    for (int i = 0; i < r->nexpected && status == SS_OK; i++) {
        const ss_message *m = &r->expected[i];
        letter *l;
        while (!(l = take(w, c->rank, m)) && !w->broken)
            pthread_cond_wait(&w->changed, &w->lock);
        if (!l)
            status = ss_fail(err, "another rank has failed");
        else if (l->bytes != m->bytes)
            status = ss_fail(err, "rank %d expects %zu bytes from rank %d and gets %zu", c->rank,
                             m->bytes, m->peer, l->bytes);
        else
            memcpy(m->data, l->data, l->arriving);
        free(l);
    }
    r->nexpected = 0;
    pthread_mutex_unlock(&w->lock);
    return status;
}

/* Two slots suffice: a rank starts gather g + 2 only after every rank has read gather g. */
static int gather(ss_comm *c, const double *v, int n, ss_err *err)
{
    rank_thread *r = c->own;
    world *w = r->world;
    (void)err;
    pthread_mutex_lock(&w->lock);
    memcpy(w->numbers[w->gathers[c->rank] % 2][c->rank], v, (size_t)n * sizeof *v);
    w->gathers[c->rank]++;
    r->ngather = n;
    r->count.gathers++;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return SS_OK;
}

static int gathered(ss_comm *c, double *all, ss_err *err)
{
    rank_thread *r = c->own;
    world *w = r->world;
    int slot = (int)(r->gathered++ % 2);
    pthread_mutex_lock(&w->lock);
    for (int q = 0; q < c->size; q++) {
        while (w->gathers[q] < r->gathered && !w->broken)
            pthread_cond_wait(&w->changed, &w->lock);
        memcpy(all + (size_t)q * (size_t)r->ngather, w->numbers[slot][q],
               (size_t)r->ngather * sizeof *all);
    }
    bool broken = w->broken;
    pthread_mutex_unlock(&w->lock);
    return broken ? ss_fail(err, "another rank has failed") : SS_OK;
}

static const ss_comm_ops ops = {start, wait_all, gather, gathered};

static void *thread_main(void *arg)
{
    rank_thread *r = arg;
    world *w = r->world;
    ss_err err = {0};
    r->status = r->rank_main(&r->comm, r->ctx, &err);
    if (r->status == SS_OK)
        return NULL;
    pthread_mutex_lock(&w->lock);
    if (!w->broken)
        w->err = err;
    w->broken = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

bool threads_run(int ranks, int (*rank_main)(ss_comm *comm, void *ctx, ss_err *err), void *ctx,
                 const threads_fault *fault, threads_count *count, ss_err *err)
{
    world *w = calloc(1, sizeof *w);
    rank_thread *r = calloc((size_t)ranks, sizeof *r);
    bool ok = true;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->last = &w->first;
    w->ranks = ranks;
    w->fault = fault ? *fault : (threads_fault){.from = -1};
    for (int i = 0; i < ranks; i++) {
        r[i].comm = (ss_comm){i, ranks, &ops, &r[i]};
        r[i].world = w;
        r[i].rank_main = rank_main;
        r[i].ctx = ctx;
        pthread_create(&r[i].thread, NULL, thread_main, &r[i]);
    }
    for (int i = 0; i < ranks; i++) {
        pthread_join(r[i].thread, NULL);
        ok = ok && r[i].status == SS_OK;
        if (count)
            count[i] = r[i].count;
    }
    while (w->first) {
        letter *l = w->first;
        w->first = l->next;
        free(l);
    }
    if (!ok)
        *err = w->err;
    free(w);
    free(r);
    return ok;
}
