/* Residual history, marks and reduction factors: see history.h. */
#include "src/core/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- points and marks ------------------------------------------------------------------------- */

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

/* --- reduction factors ------------------------------------------------------------------------ */

#define QUARTERS 4        /* of the second half of the residuals */
#define ALIKE 0.05        /* their rates differ by at most this part of their mean, */
#define HALVES_ALIKE 0.02 /* and those of two quarters each by this one */
#define CHANGE 0.1        /* least change of ln |r| in all of them */

static void add_sparse(ss_factors *f, int64_t cycle, double residual)
{
    if (f->count % f->stride != 0)
        return;
    f->sparse[f->nsparse] = residual;
    f->sparse_cycle[f->nsparse++] = cycle;
    if (f->nsparse < SS_FACTOR_SPARSE)
        return;
    for (int i = 0; i < SS_FACTOR_SPARSE / 2; i++) {
        f->sparse[i] = f->sparse[2 * i];
        f->sparse_cycle[i] = f->sparse_cycle[2 * i];
    }
    f->nsparse /= 2;
    f->stride *= 2;
}

/* Adds to the residuals of the measured factor. */
static void add_above(ss_factors *f, int64_t cycle, double residual)
{
    if (f->n == 0) {
        f->count = 0;
        f->first = residual;
        f->nsparse = 0;
        f->stride = 1;
    }
    if (!(residual >= SS_FACTOR_FLOOR * f->first))
        return;
    add_sparse(f, cycle, residual);
    int at = (int)(f->count++ % (SS_FACTOR_LONG + 1));
    f->above[at] = residual;
    f->above_cycle[at] = cycle;
}

static void add_standstill(ss_factors *f, int64_t cycle, double residual)
{
    ss_standstill *s = &f->stands;
    if (f->n == 0)
        *s = (ss_standstill){.low = HUGE_VAL, .start = cycle};
    if (residual <= (1 - SS_FACTOR_PROGRESS) * s->low) {
        s->low = s->least = s->most = residual;
        s->cycle = cycle;
        s->checks = s->records = 0;
        return;
    }
    s->checks++;
    s->records += residual < s->least;
    s->least = fmin(s->least, residual);
    s->most = fmax(s->most, residual);
}

void ss_factors_add(ss_factors *f, int64_t cycle, double residual)
{
    if (f->n > 0 && f->cycle[f->n - 1] >= cycle)
        f->n = 0;
    add_above(f, cycle, residual);
    add_standstill(f, cycle, residual);
    if (f->n == SS_FACTOR_WINDOW + 1) {
        f->n--;
        memmove(f->residual, f->residual + 1, (size_t)f->n * sizeof *f->residual);
        memmove(f->cycle, f->cycle + 1, (size_t)f->n * sizeof *f->cycle);
    }
    f->residual[f->n] = residual;
    f->cycle[f->n++] = cycle;
}

static double since(const ss_factors *f, int from)
{
    int to = f->n - 1;
    if (from < 0 || from >= to || !(f->residual[from] > 0))
        return (double)NAN;
    return pow(f->residual[to] / f->residual[from], 1.0 / (double)(f->cycle[to] - f->cycle[from]));
}

double ss_factors_last(const ss_factors *f)
{
    return since(f, f->n - 2);
}

double ss_factors_mean(const ss_factors *f)
{
    return since(f, 0);
}

/* The factor per cycle between two residuals, counted from the start. */
static double between(const ss_factors *f, int64_t from, int64_t to)
{
    int64_t a = from % (SS_FACTOR_LONG + 1), b = to % (SS_FACTOR_LONG + 1);
    return pow(f->above[b] / f->above[a], 1.0 / (double)(f->above_cycle[b] - f->above_cycle[a]));
}

/* ln of the factor per cycle between two of the sparse residuals. */
static double rate(const ss_factors *f, int from, int to)
{
    return log(f->sparse[to] / f->sparse[from]) /
           (double)(f->sparse_cycle[to] - f->sparse_cycle[from]);
}

static bool has_settled(const ss_factors *f)
{
    int last = f->nsparse - 1, from = last / 2, at[QUARTERS + 1];
    if (last - from < QUARTERS)
        return false;
    for (int i = 0; i <= QUARTERS; i++)
        at[i] = from + (last - from) * i / QUARTERS;
    double all = rate(f, from, last), least = all, most = all;
    for (int i = 0; i < QUARTERS; i++) {
        double one = rate(f, at[i], at[i + 1]);
        least = fmin(least, one);
        most = fmax(most, one);
    }
    int middle = at[QUARTERS / 2];
    double halves = fabs(rate(f, from, middle) - rate(f, middle, last));
    double change = all * (double)(f->sparse_cycle[last] - f->sparse_cycle[from]);
    return most - least <= ALIKE * fabs(all) && halves <= HALVES_ALIKE * fabs(all) &&
           fabs(change) >= CHANGE;
}

double ss_factors_measured(const ss_factors *f, bool *settled)
{
    int64_t last = f->n > 0 ? f->count - 1 : 0, ratios = last / 2;
    *settled = false;
    if (ratios < 4)
        return (double)NAN;
    *settled = has_settled(f);
    return between(f, last - (ratios < SS_FACTOR_LONG ? ratios : SS_FACTOR_LONG), last);
}
