/* Factors of a residual: see factors.h. */
#include "src/core/factors.h"

#include <math.h>
#include <string.h>

#include "src/base/elementary/elementary.h"

/* Adds to the residuals of the measured factor. */
static void add_above(ss_factors *f, int64_t cycle, double residual)
{
    if (f->n == 0) {
        f->count = 0;
        f->first = residual;
    }
    if (!(residual >= SS_FACTOR_FLOOR * f->first))
        return;
    int at = (int)(f->count++ % (SS_FACTOR_LONG + 1));
    f->above[at] = residual;
    f->above_cycle[at] = cycle;
}

void ss_factors_add(ss_factors *f, int64_t cycle, double residual)
{
    if (f->n > 0 && f->cycle[f->n - 1] >= cycle)
        f->n = 0;
    add_above(f, cycle, residual);
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
    return ss_pow(f->residual[to] / f->residual[from],
                  1.0 / (double)(f->cycle[to] - f->cycle[from]));
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
    return ss_pow(f->above[b] / f->above[a], 1.0 / (double)(f->above_cycle[b] - f->above_cycle[a]));
}

double ss_factors_measured(const ss_factors *f, bool *settled)
{
    int64_t last = f->n > 0 ? f->count - 1 : 0, ratios = last / 2;
    if (settled)
        *settled = false;
    if (ratios < 4)
        return (double)NAN;
    int64_t from = last - (ratios < SS_FACTOR_LONG ? ratios : SS_FACTOR_LONG);
    double factor = between(f, from, last);
    if (settled) {
        int64_t middle = from + (last - from) / 2;
        double early = between(f, from, middle), late = between(f, middle, last);
        *settled = fabs(late - early) <= 0.01 * factor;
    }
    return factor;
}
