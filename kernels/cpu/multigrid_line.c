/* The coarsest grid of multigrid: see multigrid_line.h. */
#include "kernels/cpu/multigrid_line.h"

#include <stdlib.h>

static double value_at(ss_prec prec, const void *array, ptrdiff_t k)
{
    return prec == SS_F64 ? ((const double *)array)[k] : (double)((const float *)array)[k];
}

static void set_value(ss_prec prec, void *array, ptrdiff_t k, double v)
{
    if (prec == SS_F64)
        ((double *)array)[k] = v;
    else
        ((float *)array)[k] = (float)v;
}

/* The Jacobi value of the middle of 3 * 3 points, of which number `one` is 1 and the others 0. */
static double taken_of(const ss_run *run, const ss_coef *coef, int one)
{
    double u[9] = {0}, g = 0, out = 0; /* memory of either precision */
    ss_sweep box = {.nx = 1, .ny = 1, .nz = 1, .in_sy = 3, .rhs_sy = 1, .out_sy = 1};
    set_value(run->prec, u, one, 1);
    run->eq->apply[run->prec](coef, 0, (char *)u + 4 * ss_prec_size(run->prec), &g, &out, &box);
    return value_at(run->prec, &out, 0);
}

int ss_mg_line_make(ss_mg_line *out, const ss_run *run, const ss_coef *coef, int nx, int ny,
                    ptrdiff_t sy, ss_err *err)
{
    bool copies = run->eq->dim == 1, along_x = copies || nx > 1;
    *out = (ss_mg_line){.n = along_x ? nx : ny,
                        .lines = copies ? ny : 1,
                        .step = along_x ? 1 : sy,
                        .next = sy,
                        .west = taken_of(run, coef, along_x ? 3 : 1),
                        .east = taken_of(run, coef, along_x ? 5 : 7)};
    out->pivot = ss_alloc((size_t)out->n * sizeof *out->pivot, "the coarsest grid", err);
    return out->pivot ? SS_OK : SS_FAIL;
}

void ss_mg_line_free(ss_mg_line *line)
{
    free(line->pivot);
    line->pivot = NULL;
}

static void solve_one(const ss_mg_line *line, ss_prec prec, const void *g, void *u, ptrdiff_t first)
{
    double before = 0, *pivot = line->pivot;
    for (int k = 0; k < line->n; k++) {
        ptrdiff_t at = first + k * line->step;
        double d = 1 - (k > 0 ? line->west * pivot[k - 1] : 0);
        pivot[k] = line->east / d;
        before = (value_at(prec, g, at) + line->west * before) / d;
        set_value(prec, u, at, before);
    }
    for (int k = line->n - 2; k >= 0; k--) {
        ptrdiff_t at = first + k * line->step;
        before = value_at(prec, u, at) + pivot[k] * before;
        set_value(prec, u, at, before);
    }
}

void ss_mg_line_solve(const ss_mg_line *line, ss_prec prec, const void *g, void *u)
{
    for (int i = 0; i < line->lines; i++)
        solve_one(line, prec, g, u, i * line->next);
}
