/* Connections to the program: see rank.h. */
#include "kernels/mpi/rank/rank.h"

#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <fcntl.h>
#include <unistd.h>

#include "kernels/mpi/wire.h"
#include "src/base/common.h"

#define DIAL_MS 3000 /* for one address */

/* --- dialling --------------------------------------------------------------------------------- */

/* An address may belong to a network that this machine does not reach: gives up after DIAL_MS. */
static bool connects(int fd, const struct addrinfo *a)
{
    struct pollfd p = {fd, POLLOUT, 0};
    int error = 0;
    socklen_t size = sizeof error;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    connect(fd, a->ai_addr, a->ai_addrlen);
    bool answered = poll(&p, 1, DIAL_MS) == 1 &&
                    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
    fcntl(fd, F_SETFL, 0);
    return answered;
}

static int dial_address(const char *address, const char *port)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *list;
    if (getaddrinfo(address, port, &hints, &list) != 0)
        return -1;
    int fd = socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && !connects(fd, list)) {
        close(fd);
        fd = -1;
    }
    freeaddrinfo(list);
    if (fd >= 0)
        ss_wire_open(fd, strncmp(address, "127.", 4) != 0);
    return fd;
}

int ss_rank_dial(ss_err *err)
{
    const char *where = getenv(SS_MPI_WHERE);
    char text[1024], *save = NULL;
    snprintf(text, sizeof text, "%s", where ? where : "");
    const char *port = strtok_r(text, " ", &save);
    for (const char *a; port && (a = strtok_r(NULL, " ", &save));) {
        int fd = dial_address(a, port);
        if (fd >= 0)
            return fd;
    }
    ss_fail(err, port ? "the program cannot be reached from here"
                      : "stencilscope starts this program: stencilscope --ranks 4");
    return -1;
}

static atomic_bool known; /* the program has heard who is at the watched connection */

int ss_rank_hello(int fd, int connection, int rank, int ranks, ss_err *err)
{
    const char *token = getenv(SS_MPI_TOKEN);
    char line[SS_MPI_LINE] = "", host[64] = "?";
    gethostname(host, sizeof host - 1);
    snprintf(line, sizeof line, "%s %s %s %s %d %d %d %s", SS_MPI_HELLO, SS_VERSION, ss_build_id(),
             token ? token : "-", connection, rank, ranks, host);
    if (ss_wire_write(fd, line, sizeof line) != SS_OK)
        return ss_fail(err, "the program is gone");
    if (connection == SS_MPI_WATCH)
        atomic_store(&known, true);
    return SS_OK;
}

/* --- the watched connection ------------------------------------------------------------------- */

static atomic_bool stop;
static atomic_uint_fast64_t wanted, present; /* numbers of steps */

/* Says that this rank lives, however long its step takes, until the program says something. A
 * program that is stopped itself does not read: its rank does not wait for it. */
static void beat(int fd)
{
    struct pollfd p = {fd, POLLIN, 0};
    while (poll(&p, 1, SS_MPI_BEAT_MS) == 0)
        if (atomic_load(&known))
            send(fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void *watch(void *arg)
{
    int fd = (int)(intptr_t)arg;
    uint64_t number;
    while (beat(fd), ss_wire_read(fd, &number, sizeof number) == SS_OK) {
        atomic_store(&wanted, number);
        if (atomic_load(&present) == number)
            atomic_store(&stop, true);
    }
    _exit(3); /* the program has gone */
}

int ss_rank_watch(int fd, ss_err *err)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch, (void *)(intptr_t)fd) != 0)
        return ss_fail(err, "no thread can be started");
    pthread_detach(thread);
    return SS_OK;
}

atomic_bool *ss_rank_stop(void)
{
    return &stop;
}

/* In this order: a wish that arrives in between is seen here or by the other thread. */
void ss_rank_begin(uint64_t number)
{
    atomic_store(&stop, false);
    atomic_store(&present, number);
    if (atomic_load(&wanted) == number)
        atomic_store(&stop, true);
}
