/* Residual history and marks: see history.h. Engine thread only. */
#include "src/core/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ss_history_clear(ss_history *h)
{
    h->count = 0;
    h->stride = 1;
    h->skipped = 0;
    h->nmark = 0;
}

void ss_history_free(ss_history *h)
{
    free(h->point);
    memset(h, 0, sizeof *h);
}

/* Keeps the beginning, for logarithmic axes, and every second point of the rest; later points
 * follow the doubled stride. */
static void halve(ss_history *h)
{
    enum { BEGINNING = 512 };
    size_t n = h->count < BEGINNING ? h->count : BEGINNING;
    for (size_t i = n; i < h->count; i += 2)
        h->point[n++] = h->point[i];
    h->count = n;
    h->stride *= 2;
}

static void grow(ss_history *h)
{
    size_t want = h->capacity ? 2 * h->capacity : 1024;
    ss_point *p = want <= SS_HISTORY_MAX ? realloc(h->point, want * sizeof *p) : NULL;
    if (p) {
        h->point = p;
        h->capacity = want;
    } else if (h->capacity) {
        halve(h);
    }
}

void ss_history_add(ss_history *h, ss_point p)
{
    if (h->stride == 0)
        h->stride = 1;
    if (h->count > 0 && ++h->skipped < h->stride)
        return;
    h->skipped = 0;
    if (h->count == h->capacity)
        grow(h);
    if (h->count < h->capacity)
        h->point[h->count++] = p;
}

void ss_history_cut(ss_history *h, int64_t cycle, int64_t known)
{
    while (h->count > 0 && h->point[h->count - 1].cycle > known)
        h->count--;
    while (h->nmark > 0 && h->mark[h->nmark - 1].at.cycle > cycle)
        h->nmark--;
}

/* Truncates text to the size of a mark, at a UTF-8 boundary. */
static void copy_text(char to[SS_MARK_TEXT], const char *text)
{
    snprintf(to, SS_MARK_TEXT, "%s", text);
    ss_utf8_trim(to);
}

void ss_history_mark(ss_history *h, ss_point at, const char *text)
{
    if (h->nmark == SS_MARK_MAX) {
        memmove(h->mark, h->mark + 1, (SS_MARK_MAX - 1) * sizeof *h->mark);
        h->nmark--;
    }
    ss_mark *m = &h->mark[h->nmark++];
    m->at = at;
    copy_text(m->text, text);
}

void ss_history_remark(ss_history *h, const char *was, const char *text)
{
    ss_mark *last = h->nmark > 0 ? &h->mark[h->nmark - 1] : NULL;
    char expected[SS_MARK_TEXT];
    copy_text(expected, was);
    if (!last || strcmp(last->text, expected) != 0)
        return;
    copy_text(last->text, text);
    h->nmark -= !*text;
}

enum { EARLY = 8 }; /* the first of so many points: a logarithmic axis shows each of them */

int ss_history_thin(const ss_history *h, ss_point *out, int max)
{
    if (h->count <= (size_t)max) {
        if (h->count)
            memcpy(out, h->point, h->count * sizeof *out);
        return (int)h->count;
    }
    int early = max / EARLY, rest = max - early;
    size_t left = h->count - (size_t)early;
    memcpy(out, h->point, (size_t)early * sizeof *out);
    for (int i = 0; i < rest; i++)
        out[early + i] =
            h->point[(size_t)early + (size_t)((double)i * (double)(left - 1) / (rest - 1) + 0.5)];
    return max;
}
