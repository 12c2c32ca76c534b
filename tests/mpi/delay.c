/*
 * A layer between the ranks and MPI that delays every message by SS_TEST_DELAY_US microseconds, for
 * tests: loaded with LD_PRELOAD into the ranks only. A message carries the time at which it may
 * arrive; the clock is that of one machine. It knows the calls of kernels/mpi/rank/comm.c, which
 * waits with MPI_Testall only.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SENT = 4096, EXPECTED = 1024 };

/* A message that is awaited. */
typedef struct expected {
    MPI_Request request;
    char *packet;
    void *data;
    size_t bytes;
} expected;

static expected table[EXPECTED];
static int awaited;
/* Several sends may have the same handle, so nothing is known of their end: packets are freed much
 * later. */
static char *sent[SENT];
static unsigned nsent;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double delay(void)
{
    static double seconds = -1;
    const char *text = getenv("SS_TEST_DELAY_US");
    if (seconds < 0)
        seconds = text ? 1e-6 * atof(text) : 0;
    return seconds;
}

static size_t bytes_of(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (size_t)count * (size_t)size;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    size_t bytes = bytes_of(count, type);
    char *packet = malloc(sizeof(double) + bytes);
    double arrives = now() + delay();
    memcpy(packet, &arrives, sizeof arrives);
    memcpy(packet + sizeof arrives, data, bytes);
    free(sent[nsent % SENT]);
    sent[nsent++ % SENT] = packet;
    return PMPI_Isend(packet, (int)(sizeof arrives + bytes), MPI_BYTE, to, tag, comm, request);
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    size_t bytes = bytes_of(count, type);
    char *packet = malloc(sizeof(double) + bytes);
    int status =
        PMPI_Irecv(packet, (int)(sizeof(double) + bytes), MPI_BYTE, from, tag, comm, request);
    if (awaited == EXPECTED)
        abort();
    table[awaited++] = (expected){*request, packet, data, bytes};
    return status;
}

/* Sleeps until the message may arrive, and delivers it. */
static void deliver(expected *e)
{
    double arrives, left;
    memcpy(&arrives, e->packet, sizeof arrives);
    while ((left = arrives - now()) > 0) {
        struct timespec t = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
        nanosleep(&t, NULL);
    }
    memcpy(e->data, e->packet + sizeof arrives, e->bytes);
    free(e->packet);
    *e = table[--awaited];
}

int MPI_Testall(int n, MPI_Request request[], int *done, MPI_Status status[])
{
    MPI_Request before[EXPECTED];
    if (n > EXPECTED)
        abort();
    memcpy(before, request, (size_t)n * sizeof *before);
    int result = PMPI_Testall(n, request, done, status);
    for (int i = 0; *done && i < n; i++)
        for (int k = 0; k < awaited; k++)
            if (table[k].request == before[i] && before[i] != MPI_REQUEST_NULL) {
                deliver(&table[k]);
                break;
            }
    return result;
}
