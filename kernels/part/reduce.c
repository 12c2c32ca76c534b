/* Figures of the whole field, and the fields as a sampler reads them. See part.h. */
#include <math.h>
#include <stdlib.h>

#include "kernels/geom/pictures.h"
#include "kernels/part/inner.h"

/* The numbers of the gather; monitors follow. */
enum { SUM, ERROR, LARGEST, MONITOR };
#define NUMBERS (MONITOR + SS_MONITOR_MAX)

static double value(const ss_part_run *part, const char *u, int f, int x, int y)
{
    const char *at = u + ss_part_offset(part, f, x, y);
    return part->run->prec == SS_F64 ? *(const double *)(const void *)at
                                     : (double)*(const float *)(const void *)at;
}

/* One that is not a number counts as infinite: comparisons would skip it. */
static double larger(double max, double v)
{
    return v <= max ? max : isnan(v) ? HUGE_VAL : v;
}

static void measure_rows(const ss_part_run *part, const char *field, const double *ref, double *v)
{
    ss_part_box own = part->own;
    double error = 0, largest = 0;
    for (int f = 0; f < part->run->eq->nfield; f++) {
#pragma omp parallel for num_threads(part->run->threads) reduction(max : error, largest)
        for (int y = own.y0; y < own.y1; y++)
            for (int x = own.x0; x < own.x1; x++) {
                double u = value(part, field, f, x, y);
                size_t at = (size_t)(y - own.y0) * (size_t)(own.x1 - own.x0) + (size_t)(x - own.x0);
                largest = larger(largest, fabs(u));
                if (ref && f == 0)
                    error = larger(error, fabs(u - ref[at]));
            }
    }
    v[ERROR] = error;
    v[LARGEST] = largest;
}

/* This rank's share of the monitors: they want its fields as doubles. */
static int measure_monitors(const ss_part_run *part, const char *field, double *v, ss_err *err)
{
    const ss_equation *eq = part->run->eq;
    int n = part->own.x1 - part->own.x0;
    double *u = ss_alloc((size_t)n * (size_t)eq->nfield * sizeof *u, "the fields", err);
    if (!u)
        return SS_FAIL;
    for (int f = 0; f < eq->nfield; f++)
        for (int x = 0; x < n; x++)
            u[(size_t)f * (size_t)n + (size_t)x] = value(part, field, f, part->own.x0 + x, 0);
    for (int m = 0; m < eq->nmonitor; m++)
        v[MONITOR + m] = eq->monitors[m].of(&part->run->problem, u);
    free(u);
    return SS_OK;
}

/* The halo must be up to date. The new values go to an array that holds no field. */
static int squares(ss_part_run *part, double *sum, ss_err *err)
{
    ss_part_sum_clear(part);
    if (ss_part_sweep(part, part->cur, (part->cur + 1) % SS_PART_FIELDS, part->own, true, true,
                      err) != SS_OK)
        return SS_FAIL;
    return ss_part_sum(part, sum, err);
}

static void combine(const ss_part_run *part, const double *all, bool has_ref, ss_part_figures *out)
{
    const ss_equation *eq = part->run->eq;
    double sum[NUMBERS] = {0};
    for (int r = 0; r < part->comm->size; r++)
        for (int i = 0; i < NUMBERS; i++) {
            double v = all[r * NUMBERS + i];
            sum[i] = i == ERROR || i == LARGEST ? larger(sum[i], v) : sum[i] + v;
        }
    bool steady = eq->kind == SS_STEADY;
    out->residual = steady ? fabs(part->run->coef.residual) * sqrt(sum[SUM]) : (double)NAN;
    out->max_error = has_ref ? sum[ERROR] : (double)NAN;
    out->largest = sum[LARGEST];
    for (int m = 0; m < SS_MONITOR_MAX; m++) {
        const ss_monitor *of = m < eq->nmonitor ? &eq->monitors[m] : NULL;
        out->monitor[m] = of && of->finish ? of->finish(sum[MONITOR + m]) : sum[MONITOR + m];
    }
}

int ss_part_reduce(ss_part_run *part, const double *ref, ss_part_figures *out, ss_err *err)
{
    double v[NUMBERS] = {0};
    ss_comm *comm = part->comm;
    if (part->run->eq->kind == SS_STEADY &&
        (ss_part_refresh(part, err) != SS_OK || squares(part, &v[SUM], err) != SS_OK))
        return SS_FAIL;
    const char *u = ss_part_look(part, part->cur, part->own.y0, part->own.y1, err);
    if (!u)
        return SS_FAIL;
    measure_rows(part, u, ref, v);
    if (part->run->eq->nmonitor > 0 && measure_monitors(part, u, v, err) != SS_OK)
        return SS_FAIL;
    double *all = malloc((size_t)comm->size * NUMBERS * sizeof *all);
    if (!all)
        return ss_fail_memory(err, "numbers of the ranks",
                              (size_t)comm->size * NUMBERS * sizeof *all);
    int status = comm->ops->gather(comm, v, NUMBERS, err);
    if (status == SS_OK)
        status = comm->ops->gathered(comm, all, err);
    if (status == SS_OK)
        combine(part, all, ref != NULL, out);
    free(all);
    return status;
}

/* Rows [y0, y1) of both arrays are in memory from now on. */
static int look(ss_part_run *part, int y0, int y1, const char **u, const char **right, ss_err *err)
{
    *u = ss_part_look(part, part->cur, y0, y1, err);
    if (!*u || !part->run->eq->rhs)
        return *u ? SS_OK : SS_FAIL;
    *right = ss_part_look(part, SS_PART_RIGHT, y0, y1, err);
    return *right ? SS_OK : SS_FAIL;
}

/* The rows that a picture reads, and one more on each side, which residuals read: adjacent ones
 * together. */
static int look_at_plan(ss_part_run *part, const ss_plan *p, const char **u, const char **right,
                        ss_err *err)
{
    ss_part_box stored = ss_part_stored(part);
    int from = stored.y0, to = from + 1; /* so that there is one */
    for (int r = 0; r < p->y.count; r++) {
        int lo = p->y.lo[r], hi = p->y.hi[r], rows = ss_box_rows(lo, hi, p->pairs);
        for (int i = 0; i < rows; i++) {
            int y = ss_box_row(lo, hi, p->pairs, r, p->y.count, i);
            int y0 = y > stored.y0 ? y - 1 : y, y1 = y + 1 < stored.y1 ? y + 2 : stored.y1;
            if (y < stored.y0 || y >= stored.y1 || (y0 >= from && y1 <= to))
                continue;
            if (y0 > to && look(part, from, to, u, right, err) != SS_OK)
                return SS_FAIL;
            from = y0 > to ? y0 : from;
            to = y1;
        }
    }
    return look(part, from, to, u, right, err);
}

int ss_part_show(ss_part_run *part, bool halo, const ss_plan *plan, ss_parts *out, ss_err *err)
{
    ss_part_box stored = ss_part_stored(part);
    const char *field = NULL, *right = NULL;
    if (halo && ss_part_refresh(part, err) != SS_OK)
        return SS_FAIL;
    int status = plan && part->device ? look_at_plan(part, plan, &field, &right, err)
                                      : look(part, stored.y0, stored.y1, &field, &right, err);
    if (status != SS_OK)
        return SS_FAIL;
    ptrdiff_t at = ss_part_offset(part, 0, stored.x0, stored.y0);
    ss_part u = {.data = field + at,
                 .stride = part->box.sy,
                 .x0 = stored.x0,
                 .y0 = stored.y0,
                 .field = (ptrdiff_t)part->box.count};
    *out = (ss_parts){.of = {[SS_PART_U] = u}};
    if (right) {
        out->of[SS_PART_RHS] = u;
        out->of[SS_PART_RHS].data = right + at;
    }
    return SS_OK;
}
