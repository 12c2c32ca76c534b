/* Messages between the program and its ranks: see wire.h. */
#include "kernels/mpi/wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
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

void ss_wire_open(int fd, bool far)
{
    int on = 1, idle = 4, interval = 2, count = 4, unsent = 12000;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!far)
        return;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unsent, sizeof unsent);
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
