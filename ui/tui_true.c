/* True colour: curses knows 256 colours only, so the cells that changed are written as SGR
 * sequences. One write a frame. See tui.h. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/tui.h"

static char *out;
static size_t used, room;

static bool reserve(size_t n)
{
    if (used + n <= room)
        return true;
    size_t more = 2 * room + n + 65536;
    char *p = realloc(out, more);
    if (!p)
        return false;
    out = p, room = more;
    return true;
}

static void put_char(uint32_t ch)
{
    if (ch < 0x80) {
        out[used++] = (char)ch;
    } else if (ch < 0x800) {
        out[used++] = (char)(0xc0 | ch >> 6);
        out[used++] = (char)(0x80 | (ch & 63));
    } else {
        out[used++] = (char)(0xe0 | ch >> 12);
        out[used++] = (char)(0x80 | (ch >> 6 & 63));
        out[used++] = (char)(0x80 | (ch & 63));
    }
}

static void put_color(int which, ss_rgb c)
{
    used += (size_t)sprintf(out + used, "\033[%d;2;%u;%u;%um", which, c >> 16 & 255, c >> 8 & 255,
                            c & 255);
}

static void put_attr(uint32_t attr)
{
    used += (size_t)sprintf(out + used, "\033[0%s%s%sm", attr & SS_BOLD ? ";1" : "",
                            attr & SS_UNDERLINE ? ";4" : "", attr & SS_REVERSE ? ";7" : "");
}

static int send_all(int fd)
{
    size_t sent = 0;
    while (sent < used) {
        ssize_t n = write(fd, out + sent, used - sent);
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

int ss_tui_true_draw(int fd, const ss_cells *want, ss_cells *have, bool all)
{
    ss_cell now = {.fg = 0xff000000, .bg = 0xff000000, .attr = 0xff};
    int at = -1;
    used = 0;
    for (int i = 0; i < want->cols * want->rows; i++) {
        const ss_cell *c = &want->cell[i];
        if (!all && memcmp(c, &have->cell[i], sizeof *c) == 0)
            continue;
        if (!reserve(96))
            return SS_FAIL;
        if (i != at || i % want->cols == 0)
            used +=
                (size_t)sprintf(out + used, "\033[%d;%dH", i / want->cols + 1, i % want->cols + 1);
        if (c->attr != now.attr) {
            put_attr(c->attr);
            now.fg = now.bg = 0xff000000;
        }
        if (c->fg != now.fg)
            put_color(38, c->fg);
        if (c->bg != now.bg)
            put_color(48, c->bg);
        put_char(c->ch);
        have->cell[i] = now = *c;
        at = i + 1;
    }
    if (used && reserve(8))
        used += (size_t)sprintf(out + used, "\033[0m");
    return send_all(fd);
}

void ss_tui_true_free(void)
{
    free(out);
    out = NULL;
    used = room = 0;
}
