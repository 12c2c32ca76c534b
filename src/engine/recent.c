/* The recent cost of a cycle: see recent.h. */
#include "src/engine/recent.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/numbers.h"

#define BIN (SS_RECENT_SECONDS / SS_RECENT_BINS)

void ss_recent_clear(ss_recent *r)
{
    r->n = r->at = 0;
}

void ss_recent_add(ss_recent *r, double now, double cycles, double seconds)
{
    if (!(cycles > 0) || !(seconds > 0))
        return;
    if (r->n == 0 || now - r->bin[r->at].began >= BIN) {
        r->at = r->n > 0 ? (r->at + 1) % SS_RECENT_BINS : 0;
        r->n += r->n < SS_RECENT_BINS;
        r->bin[r->at] = (ss_recent_bin){.began = now};
    }
    r->bin[r->at].cycles += cycles;
    r->bin[r->at].seconds += seconds;
    while (r->n > 1) {
        int oldest = (r->at - r->n + 1 + SS_RECENT_BINS) % SS_RECENT_BINS;
        if (now - r->bin[oldest].began <= SS_RECENT_SECONDS)
            break;
        r->n--;
    }
}

double ss_recent_median(const ss_recent *r)
{
    double each[SS_RECENT_BINS];
    for (int i = 0; i < r->n; i++) {
        const ss_recent_bin *b = &r->bin[(r->at - i + SS_RECENT_BINS) % SS_RECENT_BINS];
        each[i] = b->seconds / b->cycles;
    }
    if (r->n == 0)
        return NAN;
    qsort(each, (size_t)r->n, sizeof *each, ss_ascending);
    return r->n % 2 ? each[r->n / 2] : 0.5 * (each[r->n / 2 - 1] + each[r->n / 2]);
}
