/* Blocks of a page, and histograms of answers: see page.h. */
#include "src/snapshot/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *ss_marks_strip(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from < SS_MARK_EM || *from > SS_MARK_VERBATIM)
            *to++ = *from;
    *to = '\0';
    return text;
}

void ss_page_clear(ss_page *p)
{
    uint64_t turn = p->turn;
    memset(p, 0, offsetof(ss_page, text));
    p->turn = turn;
    p->used = 0;
}

const char *ss_page_keep(ss_page *p, const char *text)
{
    size_t n = strlen(text) + 1;
    if (n > sizeof p->text - p->used)
        return "";
    char *to = memcpy(p->text + p->used, text, n);
    p->used += n;
    return to;
}

ss_page_block *ss_page_add(ss_page *p, ss_page_kind kind, const char *text)
{
    int i = p->nblock < SS_PAGE_BLOCKS ? p->nblock++ : SS_PAGE_BLOCKS - 1;
    p->block[i] = (ss_page_block){.kind = kind, .text = ss_page_keep(p, text)};
    return &p->block[i];
}

#define ROUNDING 1e-9 /* of an interval: 0.3 / 0.1 is 3 */

/* --- the range of most answers ---------------------------------------------------------------- */

/* All answers, or those within one spread of the middle ones if some are much farther away. The
 * middle ones are all but a tenth at each end. */
static void find_range(const double *sorted, int n, double *lo, double *hi)
{
    double from = sorted[n / 10], to = sorted[n - 1 - n / 10];
    double spread = to > from ? to - from : from != 0 ? 0.5 * fabs(from) : 1;
    int first = 0, last = n - 1;
    if (sorted[n - 1] - sorted[0] > 4 * spread) {
        while (sorted[first] < from - spread)
            first++;
        while (sorted[last] > to + spread)
            last--;
    }
    *lo = sorted[first], *hi = sorted[last];
}

/* Are all answers of the range whole numbers? */
static bool are_whole(const double *v, int n, double lo, double hi)
{
    for (int i = 0; i < n; i++)
        if (v[i] >= lo && v[i] <= hi && (fabs(v[i]) > 1e9 || v[i] > floor(v[i])))
            return false;
    return true;
}

/* --- intervals -------------------------------------------------------------------------------- */

static int interval_of(const ss_histogram *h, double value)
{
    double i = floor((value - h->low) / h->width + ROUNDING);
    return i < 0 ? -1 : i >= h->ninside ? h->ninside : (int)i;
}

/* The smallest width of 1, 2, 5, 10 ... with which few intervals cover the range. */
static void choose_intervals(ss_histogram *h, double lo, double hi, bool whole)
{
    static const double steps[] = {1, 2, 5};
    double size = hi > lo ? (hi - lo) / SS_BINS_INSIDE : lo != 0 ? 0.1 * fabs(lo) : 0.1;
    int e = (int)floor(log10(size));
    for (int i = whole && e < 0 ? 0 : 3 * e;; i++) {
        int k = ((i % 3) + 3) % 3;
        int tens = (i - k) / 3;
        h->width = steps[k] * pow(10, tens);
        h->low = h->width * floor(lo / h->width + ROUNDING);
        double n = floor((hi - h->low) / h->width + ROUNDING) + 1;
        h->ninside = (int)fmin(n, SS_BINS_INSIDE);
        if (n <= SS_BINS_INSIDE)
            return;
    }
}

static void label_interval(const ss_histogram *h, int i, bool whole, ss_bin *bin)
{
    double from = h->low + i * h->width, to = from + h->width;
    if (whole && h->width < 1.5)
        snprintf(bin->label, sizeof bin->label, "%.10g", from);
    else if (whole)
        snprintf(bin->label, sizeof bin->label, "%.10g to %.10g", from, to - 1);
    else
        snprintf(bin->label, sizeof bin->label, "%.6g to <%.6g", from, to);
}

static void add_outside(ss_histogram *h, double value)
{
    if (isnan(value))
        return;
    h->below = h->below || interval_of(h, value) < 0;
    h->above = h->above || interval_of(h, value) >= h->ninside;
}

static void label_all(ss_histogram *h, bool whole)
{
    ss_bin *bin = h->bin;
    if (h->below)
        snprintf((bin++)->label, sizeof bin->label, "below %.10g", h->low);
    for (int i = 0; i < h->ninside; i++)
        label_interval(h, i, whole, bin++);
    if (h->above)
        snprintf((bin++)->label, sizeof bin->label, "%.10g or more",
                 h->low + h->ninside * h->width);
    h->nbin = (int)(bin - h->bin);
}

static void make_intervals(const ss_answers *a, double own, double truth, ss_histogram *h)
{
    double sorted[SS_CLASS_MOST], lo, hi;
    for (int i = 0; i < a->n; i++)
        sorted[i] = a->value[i];
    qsort(sorted, (size_t)a->n, sizeof *sorted, ss_ascending);
    find_range(sorted, a->n, &lo, &hi);
    bool whole = are_whole(sorted, a->n, lo, hi);
    choose_intervals(h, lo, hi, whole);
    add_outside(h, sorted[0]);
    add_outside(h, sorted[a->n - 1]);
    add_outside(h, own);
    add_outside(h, truth);
    label_all(h, whole);
}

/* --- histograms ------------------------------------------------------------------------------- */

static void make_choices(int nchoice, ss_histogram *h)
{
    h->low = h->width = 1;
    h->ninside = h->nbin = nchoice;
    for (int i = 0; i < nchoice; i++)
        snprintf(h->bin[i].label, sizeof h->bin[i].label, "%d", i + 1);
}

void ss_histogram_of(const ss_answers *a, int nchoice, double own, double truth, ss_histogram *out)
{
    *out = (ss_histogram){.width = 1};
    if (a->n == 0)
        return;
    if (nchoice > 0)
        make_choices(nchoice, out);
    else
        make_intervals(a, own, truth, out);
    for (int i = 0; i < a->n; i++) {
        int bin = ss_histogram_bin(out, a->value[i]);
        if (bin >= 0)
            out->bin[bin].count++;
    }
}

int ss_histogram_bin(const ss_histogram *h, double value)
{
    if (h->nbin == 0 || isnan(value))
        return -1;
    int i = interval_of(h, value) + h->below;
    return i < h->nbin ? i : -1;
}
