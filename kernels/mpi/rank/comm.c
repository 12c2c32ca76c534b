/* Messages over MPI: see rank.h. */
#include "kernels/mpi/rank/rank.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Tags of messages that are no halos; below SS_COMM_TAGS those of ss_message. */
enum { NUMBERS = SS_COMM_TAGS, COMMAND, REPORT };

#define MESSAGES_MAX (4 * 1024 * 1024) /* bytes of one MPI message */

typedef struct own {
    MPI_Request *request; /* of the exchange in progress */
    int nrequest, room;
    MPI_Request *numbers; /* of the gather in progress: 2 (size - 1) */
    int nnumbers, ngather;
    double sent[SS_COMM_NUMBERS], *arrived; /* size * SS_COMM_NUMBERS */
    MPI_Request *told;                      /* of tell */
} own;

/* --- waiting ---------------------------------------------------------------------------------- */

static void nap(long microseconds)
{
    struct timespec t = {0, microseconds * 1000};
    nanosleep(&t, NULL);
}

/* Halos: yields, so that another rank on this processor goes on, then naps. */
#define YIELDS 200
#define NAP 20
/* Commands may be minutes apart: naps up to LONG_NAP. */
#define LONG_NAP 1000

static void wait_for(MPI_Request *r, int n, long most)
{
    int done = 0;
    long turns = 0;
    while (MPI_Testall(n, r, &done, MPI_STATUSES_IGNORE) == MPI_SUCCESS && !done) {
        if (turns++ < YIELDS) {
            sched_yield();
            continue;
        }
        long longer = NAP + (turns - YIELDS) / 16;
        nap(longer < most ? longer : most);
    }
}

/* --- ss_comm ---------------------------------------------------------------------------------- */

static int reserve(own *o, int n, ss_err *err)
{
    if (n <= o->room)
        return SS_OK;
    MPI_Request *more = realloc(o->request, (size_t)n * sizeof *more);
    if (!more)
        return ss_fail_memory(err, "messages", (size_t)n * sizeof *more);
    o->request = more;
    o->room = n;
    return SS_OK;
}

static int start(ss_comm *c, const ss_message *send, int nsend, const ss_message *receive,
                 int nreceive, ss_err *err)
{
    own *o = c->own;
    if (reserve(o, nsend + nreceive, err) != SS_OK)
        return SS_FAIL;
    o->nrequest = 0;
    for (int i = 0; i < nreceive; i++)
        MPI_Irecv(receive[i].data, (int)receive[i].bytes, MPI_BYTE, receive[i].peer, receive[i].tag,
                  MPI_COMM_WORLD, &o->request[o->nrequest++]);
    for (int i = 0; i < nsend; i++)
        MPI_Isend(send[i].data, (int)send[i].bytes, MPI_BYTE, send[i].peer, send[i].tag,
                  MPI_COMM_WORLD, &o->request[o->nrequest++]);
    return SS_OK;
}

static int wait_all(ss_comm *c, ss_err *err)
{
    own *o = c->own;
    (void)err;
    wait_for(o->request, o->nrequest, NAP);
    o->nrequest = 0;
    return SS_OK;
}

/* Each rank sends its numbers to every other one. */
static int gather(ss_comm *c, const double *v, int n, ss_err *err)
{
    own *o = c->own;
    (void)err;
    o->ngather = n;
    o->nnumbers = 0;
    memcpy(o->sent, v, (size_t)n * sizeof *v);
    memcpy(o->arrived + (ptrdiff_t)c->rank * n, v, (size_t)n * sizeof *v);
    for (int r = 0; r < c->size; r++) {
        if (r == c->rank)
            continue;
        MPI_Irecv(o->arrived + (ptrdiff_t)r * n, n, MPI_DOUBLE, r, NUMBERS, MPI_COMM_WORLD,
                  &o->numbers[o->nnumbers++]);
        MPI_Isend(o->sent, n, MPI_DOUBLE, r, NUMBERS, MPI_COMM_WORLD, &o->numbers[o->nnumbers++]);
    }
    return SS_OK;
}

static int gathered(ss_comm *c, double *all, ss_err *err)
{
    own *o = c->own;
    (void)err;
    wait_for(o->numbers, o->nnumbers, NAP);
    memcpy(all, o->arrived, (size_t)c->size * (size_t)o->ngather * sizeof *all);
    return SS_OK;
}

/* --- commands and reports --------------------------------------------------------------------- */

static int piece(size_t left)
{
    return left < MESSAGES_MAX ? (int)left : MESSAGES_MAX;
}

void ss_mpi_comm_tell(ss_comm *c, const void *data, size_t bytes)
{
    own *o = c->own;
    const char *at = data;
    for (int n; bytes > 0; at += n, bytes -= (size_t)n) {
        n = piece(bytes);
        for (int r = 1; r < c->size; r++)
            MPI_Isend(at, n, MPI_BYTE, r, COMMAND, MPI_COMM_WORLD, &o->told[r - 1]);
        wait_for(o->told, c->size - 1, NAP);
    }
}

static void receive(int from, int tag, char *at, size_t bytes, long most)
{
    MPI_Request r;
    for (int n; bytes > 0; at += n, bytes -= (size_t)n) {
        n = piece(bytes);
        MPI_Irecv(at, n, MPI_BYTE, from, tag, MPI_COMM_WORLD, &r);
        wait_for(&r, 1, most);
    }
}

void ss_mpi_comm_told(ss_comm *c, void *data, size_t bytes)
{
    (void)c;
    receive(0, COMMAND, data, bytes, LONG_NAP);
}

void ss_mpi_comm_report(ss_comm *c, const void *data, size_t bytes)
{
    const char *at = data;
    MPI_Request r;
    (void)c;
    for (int n; bytes > 0; at += n, bytes -= (size_t)n) {
        n = piece(bytes);
        MPI_Isend(at, n, MPI_BYTE, 0, REPORT, MPI_COMM_WORLD, &r);
        wait_for(&r, 1, NAP);
    }
}

void ss_mpi_comm_collect(ss_comm *c, int rank, void *data, size_t bytes)
{
    (void)c;
    receive(rank, REPORT, data, bytes, NAP);
}

/* --- beginning and end ------------------------------------------------------------------------ */

int ss_mpi_comm_local(ss_comm *c, int *mine)
{
    MPI_Comm here;
    int n = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &n);
    MPI_Comm_rank(here, mine);
    MPI_Comm_free(&here);
    return n;
}

static void free_comm(ss_comm *c)
{
    own *o = c ? c->own : NULL;
    if (o) {
        free(o->request);
        free(o->numbers);
        free(o->arrived);
        free(o->told);
    }
    free(o);
    free(c);
}

ss_comm *ss_mpi_comm_begin(int *argc, char ***argv)
{
    static const ss_comm_ops ops = {start, wait_all, gather, gathered};
    int level;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return NULL;
    ss_comm *c = calloc(1, sizeof *c);
    own *o = calloc(1, sizeof *o);
    if (!c || !o) {
        free(c);
        free(o);
        return NULL;
    }
    c->ops = &ops;
    c->own = o;
    MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c->size);
    o->numbers = calloc(2 * (size_t)c->size, sizeof *o->numbers);
    o->arrived = calloc((size_t)c->size * SS_COMM_NUMBERS, sizeof *o->arrived);
    o->told = calloc((size_t)c->size, sizeof *o->told);
    if (o->numbers && o->arrived && o->told)
        return c;
    free_comm(c);
    return NULL;
}

void ss_mpi_comm_end(ss_comm *c)
{
    MPI_Finalize();
    free_comm(c);
}

void ss_mpi_comm_abort(const char *why)
{
    fprintf(stderr, "stencilscope-rank: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}
