/* The ranks dial and say who they are: see job_inner.h. The job's thread. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "kernels/mpi/job_inner.h"
#include "src/base/common.h"

#define START_SECONDS 60.0 /* for all ranks to dial */
#define HELLO_SECONDS 2    /* for a caller to end a line that it has begun */
#define STRANGERS 32       /* callers at a time, besides the ranks */

/* Takes as long for a wrong token as for the right one. */
static bool same_token(const char *a, const char *b)
{
    unsigned differs = strlen(a) != strlen(b);
    for (size_t i = 0; a[i] && b[i]; i++)
        differs |= (unsigned)(a[i] ^ b[i]);
    return differs == 0;
}

typedef struct hello {
    char name[32], version[32], build[80], token[64], host[64];
    int connection, rank, ranks;
} hello;

/* SS_FAIL without a sentence: a stranger. */
static int check_hello(const ss_job *job, const hello *h, ss_err *err)
{
    err->text[0] = '\0';
    if (strcmp(h->name, SS_MPI_HELLO) != 0 || !same_token(h->token, job->token))
        return SS_FAIL;
    if (strcmp(h->version, SS_VERSION) != 0 || strcmp(h->build, ss_build_id()) != 0)
        return ss_fail_outside(err,
                               "stencilscope-rank on %s is another build (%s %s) than this program "
                               "(%s %s): build and install both together",
                               h->host, h->version, h->build, SS_VERSION, ss_build_id());
    if (h->ranks != job->setup.ranks)
        return ss_fail_outside(err,
                               "%d ranks were started and %d are wanted: launcher and ranks "
                               "must agree",
                               h->ranks, job->setup.ranks);
    return h->rank >= 0 && h->rank < h->ranks ? SS_OK : SS_FAIL;
}

static int welcome(ss_job *job, int fd, const hello *h)
{
    ss_rank_link *r = &job->rank[h->rank];
    bool known = h->connection == SS_MPI_WATCH ? r->fd >= 0 : job->commands >= 0;
    if (known)
        return SS_FAIL;
    if (h->connection == SS_MPI_WATCH) {
        r->fd = fd;
        snprintf(r->host, sizeof r->host, "%s", h->host);
    } else {
        pthread_mutex_lock(&job->lock);
        job->commands = fd;
        pthread_mutex_unlock(&job->lock);
    }
    job->arrived++;
    return SS_OK;
}

/* Reads what a caller says. SS_FAIL: the start has failed. A stranger is hung up on. */
static int hear(ss_job *job, int fd, ss_err *err)
{
    struct timeval limit = {.tv_sec = HELLO_SECONDS}, none = {0};
    char line[SS_MPI_LINE] = "";
    hello h = {.rank = -1};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    bool said = ss_wire_read(fd, line, sizeof line) == SS_OK;
    line[sizeof line - 1] = '\0';
    said = said && sscanf(line, "%31s %31s %79s %63s %d %d %d %63s", h.name, h.version, h.build,
                          h.token, &h.connection, &h.rank, &h.ranks, h.host) == 8;
    int status = said ? check_hello(job, &h, err) : SS_FAIL;
    bool failed = said && status != SS_OK && err->text[0];
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none);
    if (status != SS_OK || welcome(job, fd, &h) != SS_OK)
        close(fd);
    return failed ? SS_FAIL : SS_OK;
}

/* Callers that have not said who they are; the first entry is the listening socket. A rank dials
 * before it initialises MPI and speaks afterwards. */
typedef struct callers {
    struct pollfd *p;
    int n, most;
} callers;

static void take_caller(const ss_job *job, callers *c)
{
    int fd = accept4(job->listening, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0 && c->n < c->most)
        c->p[c->n++] = (struct pollfd){fd, POLLIN, 0};
    else if (fd >= 0)
        close(fd);
    if (fd >= 0)
        ss_wire_keep_alive(fd);
}

/* Waits a moment for callers and for what they say. */
static int attend(ss_job *job, callers *c, ss_err *err)
{
    if (poll(c->p, (nfds_t)c->n, SS_JOB_POLL_MS) <= 0)
        return SS_OK;
    for (int i = c->n - 1; i > 0; i--) {
        int fd = c->p[i].fd;
        if (!c->p[i].revents)
            continue;
        c->p[i] = c->p[--c->n];
        if (hear(job, fd, err) != SS_OK)
            return SS_FAIL;
    }
    if (c->p[0].revents)
        take_caller(job, c);
    return SS_OK;
}

static int await_callers(ss_job *job, callers *c, ss_err *err)
{
    double until = ss_clock() + START_SECONDS;
    while (job->arrived < job->setup.ranks + 1) {
        if (ss_job_is_ending(job))
            return ss_fail(err, "interrupted");
        if (attend(job, c, err) != SS_OK)
            return SS_FAIL;
        if (ss_job_has_ended(job, err))
            return SS_FAIL;
        if (ss_clock() > until)
            return ss_fail_outside(err,
                                   "after %.0f s only %d of %d ranks have answered (%s/ranks.log)",
                                   START_SECONDS, job->arrived, job->setup.ranks, job->dir);
    }
    return SS_OK;
}

/* A rank that ends before it has spoken is seen here as the end of mpiexec. */
int ss_job_await_ranks(ss_job *job, ss_err *err)
{
    callers c = {.n = 1, .most = job->setup.ranks + STRANGERS};
    c.p = ss_alloc((size_t)c.most * sizeof *c.p, "callers", err);
    if (!c.p)
        return SS_FAIL;
    c.p[0] = (struct pollfd){job->listening, POLLIN, 0};
    int status = await_callers(job, &c, err);
    for (int i = 1; i < c.n; i++)
        close(c.p[i].fd);
    free(c.p);
    return status;
}
