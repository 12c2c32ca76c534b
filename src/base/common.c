/* Clock, memory, random numbers and the text of quantities: see common.h. No state. */
#include "src/base/common.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct args {
    va_list rest;
} args;

/* A text of at most `most` bytes; < 0: all of it. */
static void put_text(char *to, size_t room, const char *spec, int most, const char *text)
{
    bool cut = most >= 0 && strnlen(text, (size_t)most + 1) > (size_t)most;
    snprintf(to, room, spec, text);
    if (cut) {
        ss_utf8_trim(to);
        size_t n = strlen(to);
        snprintf(to + n, room - n, "\xe2\x80\xa6");
    }
}

/* Writes a conversion, from its % on. Returns what follows it in the format. */
static const char *put_conversion(char *to, size_t room, const char *fmt, args *a)
{
    char spec[32];
    size_t n = 0;
    int longs = 0, most = -1;
    bool part = false; /* "%.*s" is a part that the caller chose: nothing is cut */
    do {
        part = part || *fmt == '*';
        if (*fmt == '*')
            n += (size_t)snprintf(spec + n, sizeof spec - n, "%d", va_arg(a->rest, int));
        else
            spec[n++] = *fmt;
        longs += *fmt == 'l' || *fmt == 'z';
    } while (!strchr("diuxcsfeg%", *++fmt) && n < 20);
    spec[n] = *fmt, spec[n + 1] = '\0';
    if (strchr(spec, '.') && !part)
        most = atoi(strchr(spec, '.') + 1);
    if (*fmt == '%')
        snprintf(to, room, "%%");
    else if (*fmt == 's')
        put_text(to, room, spec, most, va_arg(a->rest, const char *));
    else if (strchr("feg", *fmt))
        snprintf(to, room, spec, va_arg(a->rest, double));
    else if (longs > 1)
        snprintf(to, room, spec, va_arg(a->rest, long long));
    else if (longs > 0)
        snprintf(to, room, spec, va_arg(a->rest, long));
    else
        snprintf(to, room, spec, va_arg(a->rest, int));
    return fmt + 1;
}

/* As vsnprintf, but what is cut shows it; a part of a text, "%.*s", is not cut. */
static void put_sentence(char *to, size_t room, const char *fmt, args *a)
{
    size_t n = 0;
    *to = '\0';
    while (*fmt && n + 1 < room) {
        if (*fmt == '%') {
            fmt = put_conversion(to + n, room - n, fmt, a);
            n += strlen(to + n);
        } else {
            to[n++] = *fmt++;
            to[n] = '\0';
        }
    }
}

#define OUT_OF_MEMORY "out of memory"

/* A sentence that passes another one on may say that memory is short: that is no wrong use. */
static void write_err(ss_err *err, bool outside, const char *fmt, va_list ap)
{
    args a;
    char text[sizeof err->text]; /* arguments may point into err */
    if (!err)
        return;
    va_copy(a.rest, ap);
    put_sentence(text, sizeof text, fmt, &a);
    va_end(a.rest);
    snprintf(err->text, sizeof err->text, "%s", text);
    ss_text_safe(ss_utf8_trim(err->text));
    err->outside = outside || strstr(err->text, OUT_OF_MEMORY);
}

int ss_fail(ss_err *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    write_err(err, false, fmt, ap);
    va_end(ap);
    return SS_FAIL;
}

int ss_fail_outside(ss_err *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    write_err(err, true, fmt, ap);
    va_end(ap);
    return SS_FAIL;
}

int ss_fail_memory(ss_err *err, const char *what, size_t bytes)
{
    char size[32];
    return ss_fail_outside(err, OUT_OF_MEMORY ": %s needs %s", what,
                           ss_format_bytes((double)bytes, size, sizeof size));
}

static const struct {
    const char *name;
    bool fails;
} statuses[SS_NSTATUS] = {
    [SS_RUNNING] = {"running", false},  [SS_CONVERGED] = {"converged", false},
    [SS_LIMIT] = {"limit", false},      [SS_STAGNATED] = {"stagnated", true},
    [SS_DIVERGED] = {"diverged", true}, [SS_INTERRUPTED] = {"interrupted", false},
    [SS_FAILED] = {"failed", true},
};

const char *ss_status_name(ss_status s)
{
    return statuses[s].name;
}

bool ss_status_fails(ss_status s)
{
    return statuses[s].fails;
}

double ss_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t ss_random_u64(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t ss_random_below(uint64_t seed, uint64_t index, uint32_t n)
{
    return (uint32_t)((ss_random_u64(seed, index) >> 32) * n >> 32);
}

double ss_random_unit(uint64_t seed, uint64_t index)
{
    return (double)(ss_random_u64(seed, index) >> 11) * 0x1p-53;
}

void *ss_alloc(size_t bytes, const char *what, ss_err *err)
{
    size_t rounded = (bytes + SS_ALIGN - 1) / SS_ALIGN * SS_ALIGN;
    void *p = rounded < bytes ? NULL : aligned_alloc(SS_ALIGN, rounded ? rounded : SS_ALIGN);
    if (!p) {
        ss_fail_memory(err, what, bytes);
        return NULL;
    }
    memset(p, 0, rounded ? rounded : SS_ALIGN);
    return p;
}

int ss_times_sign(const char *text)
{
    static const char times[] = "\xc3\x97";
    return *text == 'x' ? 1 : strncmp(text, times, 2) == 0 ? 2 : 0;
}

const char *ss_parse_pair(const char *text, int *a, int *b)
{
    int n = 0, m = 0;
    if (sscanf(text, "%8d %n", a, &n) != 1 || n == 0)
        return NULL;
    int sign = ss_times_sign(text + n);
    return sign > 0 && sscanf(text + n + sign, "%8d%n", b, &m) == 1 ? text + n + sign + m : NULL;
}

/* Three significant digits with a metric prefix. */
const char *ss_format_si(double v, const char *unit, char *buf, size_t size)
{
    static const char *const prefix[] = {"n", "\xc2\xb5", "m", "", "k", "M", "G", "T", "P", "E"};
    const char *gap = *unit ? " " : "";
    if (!isfinite(v) || v == 0) {
        snprintf(buf, size, v == 0 ? "0%s%s" : "-%s%s", gap, unit);
        return buf;
    }
    int p = 3;
    double a = fabs(v);
    while (a >= 999.5 && p < 9)
        a /= 1e3, p++;
    while (a < 0.9995 && p > 0)
        a *= 1e3, p--;
    bool whole = p == 3 && v == floor(v);
    snprintf(buf, size, "%s%.*f%s%s%s", v < 0 ? "-" : "",
             whole || a >= 99.95 ? 0
             : a >= 9.995        ? 1
                                 : 2,
             a, gap, prefix[p], unit);
    return buf;
}

const char *ss_format_bytes(double v, char *buf, size_t size)
{
    return ss_format_si(v, "B", buf, size);
}

int ss_utf8_length(const char *text, size_t left)
{
    const unsigned char *p = (const unsigned char *)text;
    int n = p[0] < 0x80   ? 1
            : p[0] < 0xc2 ? 0
            : p[0] < 0xe0 ? 2
            : p[0] < 0xf0 ? 3
            : p[0] < 0xf5 ? 4
                          : 0;
    if (n == 0 || (size_t)n > left)
        return 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool bad = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
               (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
    return bad ? 0 : n;
}

/* A control character of C0 or C1; those of C1 have two bytes in UTF-8. */
static bool is_control(const unsigned char *p, int n)
{
    return (n == 1 && (p[0] < ' ' || p[0] == 0x7f)) || (n == 2 && p[0] == 0xc2 && p[1] < 0xa0);
}

char *ss_text_safe(char *text)
{
    char *to = text;
    size_t left = strlen(text);
    for (const char *p = text; left > 0;) {
        int n = ss_utf8_length(p, left), used = n > 0 ? n : 1;
        if (n == 0 || is_control((const unsigned char *)p, n))
            *to++ = '?';
        else
            to = (char *)memmove(to, p, (size_t)n) + n;
        p += used, left -= (size_t)used;
    }
    *to = '\0';
    return text;
}

int ss_char_width(uint32_t ch)
{
    static const struct {
        uint32_t first, last;
        int width;
    } span[] = {{0x7f, 0x9f, -1},       {0xad, 0xad, -1},         {0x300, 0x36f, 0},
                {0x483, 0x489, 0},      {0x591, 0x8ff, -1},       {0x1100, 0x115f, 2},
                {0x1160, 0x11ff, -1},   {0x1ab0, 0x1aff, 0},      {0x1dc0, 0x1dff, 0},
                {0x200b, 0x200f, -1},   {0x2028, 0x202e, -1},     {0x2060, 0x206f, -1},
                {0x20d0, 0x20ff, 0},    {0x2e80, 0x3029, 2},      {0x302a, 0x302d, 0},
                {0x302e, 0x303e, 2},    {0x3041, 0x3098, 2},      {0x3099, 0x309a, 0},
                {0x309b, 0xa4cf, 2},    {0xa4d0, 0xabff, -1},     {0xac00, 0xd7a3, 2},
                {0xd7a4, 0xf8ff, -1},   {0xf900, 0xfaff, 2},      {0xfb00, 0xfe1f, -1},
                {0xfe20, 0xfe2f, 0},    {0xfe30, 0xfe6f, 2},      {0xfe70, 0xff00, -1},
                {0xff01, 0xff60, 2},    {0xff61, 0xff9f, 1},      {0xffa0, 0xffdf, -1},
                {0xffe0, 0xffe6, 2},    {0xffe7, 0x1f5ff, -1},    {0x1f600, 0x1f64f, 2},
                {0x1f650, 0x1f90b, -1}, {0x1f90c, 0x1f9ff, 2},    {0x1fa00, 0x1ffff, -1},
                {0x20000, 0x3fffd, 2},  {0x3fffe, 0xffffffff, -1}};
    for (size_t i = 0; i < sizeof span / sizeof *span && span[i].first <= ch; i++)
        if (ch <= span[i].last)
            return span[i].width;
    return ch < ' ' ? -1 : 1;
}

uint32_t ss_utf8_next(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    int n = ss_utf8_length(*text, strnlen(*text, 4));
    uint32_t ch = n == 0 ? '?' : n == 1 ? p[0] : p[0] & (0x7fU >> n);
    for (int i = 1; i < n; i++)
        ch = ch << 6 | (p[i] & 0x3f);
    *text += n > 0 ? n : 1;
    return ch;
}

int ss_utf8_put(char to[4], uint32_t ch)
{
    int n = ch < 0x80 ? 1 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = n - 1; i > 0; i--, ch >>= 6)
        to[i] = (char)(0x80 | (ch & 0x3f));
    to[0] = (char)(lead[n] | ch);
    return n;
}

int ss_utf8_width(const char *text)
{
    int n = 0;
    while (*text) {
        int width = ss_char_width(ss_utf8_next(&text));
        n += width < 0 ? 1 : width;
    }
    return n;
}

char *ss_utf8_trim(char *text)
{
    size_t n = strlen(text), first = n;
    while (first > 0 && n - first < 3 && ((unsigned char)text[first - 1] & 0xc0) == 0x80)
        first--;
    if (first == 0)
        return text;
    unsigned char lead = (unsigned char)text[first - 1];
    size_t want = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (want > n - first + 1)
        text[first - 1] = '\0';
    return text;
}

/* "1.2e-4": scientific without padding zeros in the exponent. */
const char *ss_format_sci(double v, char *buf, size_t size)
{
    if (!isfinite(v) || v == 0) {
        snprintf(buf, size, v == 0 ? "0" : "-");
        return buf;
    }
    snprintf(buf, size, "%.1e", v);
    char *e = strchr(buf, 'e');
    if (e)
        snprintf(e + 1, size - (size_t)(e + 1 - buf), "%d", atoi(e + 1));
    return buf;
}
