/* What goes to the terminal past curses' own output, and its colours. The nearest colour of its
 * palette, and pairs allocated on first use. True colour: curses supports 256 colours, so changed
 * cells are written as SGR sequences, with one write per frame. The clipboard, by the escape
 * sequence OSC 52: it works through SSH, since the user's own terminal stores the text. See
 * parts.h. Main thread only. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>

#include "ui/cells/cells.h"
#include "ui/tui/parts.h"

/* --- the palette ------------------------------------------------------------------------------ */

enum { CACHE = 4096 };

static ss_tui_colors mode;
static int ncolor, npair, used;
static struct {
    ss_rgb key;
    bool full;
    short index;
} cache[CACHE];
static int pair_of[256][256]; /* 0: none yet */

/* Colours 16 and above are the same in every 256-colour terminal; the first 16 belong to the
 * user. */
static ss_rgb palette(int i)
{
    static const ss_rgb ansi[16] = {0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa,
                                    0x00aaaa, 0xaaaaaa, 0x555555, 0xff5555, 0x55ff55, 0xffff55,
                                    0x5555ff, 0xff55ff, 0x55ffff, 0xffffff};
    static const unsigned step[6] = {0, 95, 135, 175, 215, 255};
    if (i < 16)
        return ansi[i];
    if (i >= 232)
        return (unsigned)(8 + 10 * (i - 232)) * 0x010101u;
    i -= 16;
    return step[i / 36] << 16 | step[i / 6 % 6] << 8 | step[i % 6];
}

/* --- nearest colour: in OKLab, where distance is close to what the eye sees ------------------- */

typedef struct lab {
    double l, a, b, chroma;
} lab;

static lab table[256];

static double linear(unsigned c)
{
    double v = c / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static lab to_lab(ss_rgb c)
{
    double r = linear(c >> 16 & 255), g = linear(c >> 8 & 255), b = linear(c & 255);
    double x = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double y = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double z = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab out = {0.2104542553 * x + 0.793617785 * y - 0.0040720468 * z,
               1.9779984951 * x - 2.428592205 * y + 0.4505937099 * z,
               0.0259040371 * x + 0.7827717662 * y - 0.808675766 * z, 0};
    out.chroma = hypot(out.a, out.b);
    return out;
}

/* A colour that is too grey looks worse than one of slightly wrong hue. */
static double distance(lab want, lab have)
{
    double l = want.l - have.l, a = want.a - have.a, b = want.b - have.b;
    double lost = want.chroma > have.chroma ? want.chroma - have.chroma : 0;
    return l * l + a * a + b * b + 2 * lost * lost;
}

/* Greys map to greys; all other colours to the whole palette. */
static int nearest(ss_rgb c)
{
    lab want = to_lab(c);
    int first = ncolor > 16 ? (want.chroma < 0.04 ? 231 : 16) : 0, best = first;
    for (int i = first; i < ncolor; i++)
        if (distance(want, table[i]) < distance(want, table[best]))
            best = i;
    return best;
}

static int color_index(ss_rgb c)
{
    unsigned h = (c * 2654435761u) >> 20 & (CACHE - 1);
    if (!cache[h].full || cache[h].key != c) {
        cache[h].key = c;
        cache[h].index = (short)nearest(c);
        cache[h].full = true;
    }
    return cache[h].index;
}

void ss_tui_colors_open(ss_tui_colors how, int colors, int pairs)
{
    mode = how;
    ncolor = colors > 256 ? 256 : colors;
    npair = pairs;
    used = 0;
    for (int i = 0; i < 256; i++)
        table[i] = to_lab(palette(i));
    memset(cache, 0, sizeof cache);
    memset(pair_of, 0, sizeof pair_of);
}

int ss_tui_pair(ss_rgb fg, ss_rgb bg, bool *fresh)
{
    if (mode == SS_TC_MONO)
        return 0;
    int f = color_index(fg), b = color_index(bg);
    /* With few colours text and background may coincide: text must stay readable. */
    if (f == b && fg != bg && ncolor <= 16)
        f = ss_rgb_lightness(bg) > 50 ? 0 : 7;
    if (!pair_of[f][b]) {
        if (used + 1 >= npair) {
            memset(pair_of, 0, sizeof pair_of);
            used = 0;
            *fresh = true;
        }
        pair_of[f][b] = ++used;
        init_extended_pair(used, f, b);
    }
    return pair_of[f][b];
}

/* --- true colour ------------------------------------------------------------------------------ */

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

/* --- the clipboard ---------------------------------------------------------------------------- */

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
