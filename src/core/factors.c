/* Factors of a residual: see factors.h. */
#include "src/core/factors.h"

#include <math.h>
#include <string.h>

void ss_factors_add(ss_factors *f, int64_t cycle, double residual)
{
    if (f->n > 0 && f->cycle[f->n - 1] >= cycle)
        f->n = 0;
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
