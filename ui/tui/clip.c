/* The clipboard of a terminal, by the escape sequence OSC 52: it works through SSH, since the
 * user's own terminal stores the text. See parts.h. Main thread only. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/tui/parts.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Base64 of n bytes, 4 (n + 2)/3 characters; returns the end. */
static char *base64(const char *text, size_t n, char *out)
{
    const unsigned char *t = (const unsigned char *)text;
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)t[i] << 16;
        v |= i + 1 < n ? (unsigned)t[i + 1] << 8 : 0;
        v |= i + 2 < n ? t[i + 2] : 0;
        *out++ = digits[v >> 18];
        *out++ = digits[v >> 12 & 63];
        *out++ = i + 1 < n ? digits[v >> 6 & 63] : '=';
        *out++ = i + 2 < n ? digits[v & 63] : '=';
    }
    return out;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        if (done < 0 && errno != EINTR && (errno != EAGAIN || poll(&p, 1, 1000) <= 0))
            return false;
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

bool ss_tui_copy(int fd, const char *text)
{
    size_t n = strlen(text);
    char *bytes = malloc(16 + 4 * (n + 2) / 3), *end;
    if (!bytes)
        return false;
    end = base64(text, n, stpcpy(bytes, "\033]52;c;"));
    *end++ = '\a';
    bool done = write_all(fd, bytes, (size_t)(end - bytes));
    free(bytes);
    return done;
}
