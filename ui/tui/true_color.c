/* True colour: curses supports 256 colours, so changed cells are written as SGR sequences, with
 * one write per frame. See parts.h. */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "ui/cells/cells.h"
#include "ui/tui/parts.h"

static ss_ansi ansi;

static int send_all(int fd)
{
    size_t sent = 0;
    while (sent < ansi.used) {
        ssize_t n = write(fd, ansi.text + sent, ansi.used - sent);
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        if (n > 0)
            sent += (size_t)n;
        else if (n < 0 && errno == EAGAIN)
            poll(&p, 1, 100);
        else if (n < 0 && errno != EINTR)
            return SS_FAIL;
    }
    return SS_OK;
}

int ss_tui_true_draw(int fd, const ss_term_cells *want, ss_term_cells *have, bool all)
{
    return ss_ansi_update(&ansi, want, have, all) ? send_all(fd) : SS_FAIL;
}

void ss_tui_true_free(void)
{
    ss_ansi_free(&ansi);
}
