/* Messages between the program and its ranks: see wire.h. */
#include "kernels/mpi/wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/core/registry.h"

int ss_wire_write(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return SS_FAIL;
        at += n;
        bytes -= (size_t)n;
    }
    return SS_OK;
}

int ss_wire_read(int fd, void *data, size_t bytes)
{
    char *at = data;
    while (bytes > 0) {
        ssize_t n = recv(fd, at, bytes, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return SS_FAIL;
        at += n;
        bytes -= (size_t)n;
    }
    return SS_OK;
}

void ss_wire_keep_alive(int fd)
{
    int on = 1, idle = 4, interval = 2, count = 4, unsent = 12000;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unsent, sizeof unsent);
}

/* --- a plan ----------------------------------------------------------------------------------- */

typedef struct plan_head {
    int count[2], first[2], last[2], pairs, segments;
} plan_head;

void *ss_wire_plan_put(const ss_plan *p, uint64_t *bytes)
{
    size_t nx = (size_t)p->x.count, ny = (size_t)p->y.count;
    *bytes = sizeof(plan_head) + 2 * (nx + ny) * sizeof(int);
    plan_head *h = malloc(*bytes);
    if (!h)
        return NULL;
    *h = (plan_head){{p->x.count, p->y.count},
                     {p->x.first, p->y.first},
                     {p->x.last, p->y.last},
                     p->pairs,
                     p->segments};
    int *at = (int *)(void *)(h + 1);
    memcpy(at, p->x.lo, nx * sizeof *at);
    memcpy(at + nx, p->x.hi, nx * sizeof *at);
    memcpy(at + 2 * nx, p->y.lo, ny * sizeof *at);
    memcpy(at + 2 * nx + ny, p->y.hi, ny * sizeof *at);
    return h;
}

bool ss_wire_plan_get(void *block, uint64_t bytes, ss_plan *p)
{
    plan_head *h = block;
    if (bytes < sizeof *h || h->count[0] < 0 || h->count[1] < 0)
        return false;
    size_t nx = (size_t)h->count[0], ny = (size_t)h->count[1];
    if (bytes != sizeof *h + 2 * (nx + ny) * sizeof(int))
        return false;
    int *at = (int *)(void *)(h + 1);
    *p = (ss_plan){
        .x = {h->count[0], h->first[0], h->last[0], at, at + nx},
        .y = {h->count[1], h->first[1], h->last[1], at + 2 * nx, at + 2 * nx + ny},
        .pairs = h->pairs,
        .segments = h->segments != 0,
    };
    return true;
}

/* --- a setup ---------------------------------------------------------------------------------- */

ss_part_setup ss_mpi_setup(const ss_config *cfg)
{
    const ss_engine_ops *ops =
        ss_matrix(ss_config_equation(cfg), ss_config_solver(cfg), ss_config_backend(cfg), NULL);
    bool applies = false;
    ss_part_setup setup = {.cfg = cfg, .schedule = ops ? ops->own : NULL, .exchange = 1};
    ss_param_find(cfg, "exchange", &applies);
    if (applies)
        setup.exchange = (int)ss_config_int(cfg, "exchange");
    setup.threads = (int)ss_config_int(cfg, "threads"); /* 0: to be chosen */
    return setup;
}
