/* Factors of a residual: see factors.h. */
#include "src/core/factors.h"

#include <math.h>
#include <string.h>

#include "src/base/elementary/elementary.h"

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

/* ln of the factor per cycle between two of the sparse residuals. */
static double rate(const ss_factors *f, int from, int to)
{
    return ss_log(f->sparse[to] / f->sparse[from]) /
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
