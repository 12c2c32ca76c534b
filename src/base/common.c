/* Clock, memory, random numbers and the text of quantities: see common.h. No state. */
#include "src/base/common.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void write_err(ss_err *err, bool outside, const char *fmt, va_list ap)
{
    if (!err)
        return;
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    ss_text_safe(ss_utf8_trim(err->text));
    err->outside = outside;
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

const char *ss_status_name(ss_status s)
{
    static const char *const names[SS_NSTATUS] = {
        [SS_RUNNING] = "running",   [SS_CONVERGED] = "converged",     [SS_LIMIT] = "limit",
        [SS_DIVERGED] = "diverged", [SS_INTERRUPTED] = "interrupted", [SS_FAILED] = "failed",
    };
    return names[s];
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
    char size[32];
    size_t rounded = (bytes + SS_ALIGN - 1) / SS_ALIGN * SS_ALIGN;
    void *p = rounded < bytes ? NULL : aligned_alloc(SS_ALIGN, rounded ? rounded : SS_ALIGN);
    if (!p) {
        ss_fail_outside(err, "out of memory: %s needs %s", what,
                        ss_format_bytes((double)bytes, size, sizeof size));
        return NULL;
    }
    memset(p, 0, rounded ? rounded : SS_ALIGN);
    return p;
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

int ss_utf8_width(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
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
