/* Medians, cases and their configs, speed-ups, and the values that columns show: see kit.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/common.h"
#include "src/bench/kit.h"
#include "src/core/registry.h"

/* --- numbers ---------------------------------------------------------------------------------- */

double ss_bench_median(const double *v, int n)
{
    double sorted[SS_SAMPLES_MAX];
    if (n == 0)
        return 0;
    memcpy(sorted, v, (size_t)n * sizeof *v);
    qsort(sorted, (size_t)n, sizeof *sorted, ss_ascending);
    return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

double ss_bench_median_ratio(const double *a, const double *b, int n)
{
    double ratio[SS_ROUNDS_MAX] = {0};
    for (int i = 0; i < n; i++)
        ratio[i] = a[i] / b[i];
    return ss_bench_median(ratio, n);
}

static void find_extremes(const double *v, int n, double *least, double *most)
{
    *least = *most = v[0];
    for (int i = 1; i < n; i++) {
        *least = fmin(*least, v[i]);
        *most = fmax(*most, v[i]);
    }
}

/* From the fastest round to the slowest. */
static double range_of(const double *v, int n)
{
    double least, most;
    find_extremes(v, n, &least, &most);
    return most - least;
}

double ss_bench_spread(const double *v, int n)
{
    return n > 1 ? range_of(v, n) / ss_bench_median(v, n) : (double)NAN;
}

void ss_bench_put_extremes(const double *v, int n, char *buf, size_t size)
{
    double least, most, median = ss_bench_median(v, n);
    find_extremes(v, n, &least, &most);
    *buf = '\0';
    if (n > 1)
        snprintf(buf, size, "%+.1f %+.1f %%", 100 * (least / median - 1),
                 100 * (most / median - 1));
}

bool ss_bench_is_faster(const double *a, const double *b, int n)
{
    double gap = ss_bench_median(b, n) - ss_bench_median(a, n);
    return n > 1 && gap > range_of(a, n) && gap > range_of(b, n);
}

/* --- cases ------------------------------------------------------------------------------------ */

ss_bench_group *ss_bench_group_of(ss_bench *b, int problem, int way)
{
    return &b->groups[way * b->nproblem + problem];
}

int ss_bench_config(const ss_bench_group *g, const ss_settings *set, ss_config *out, ss_err *err)
{
    *out = g->cfg;
    if (ss_settings_apply(set, out, err) != SS_OK)
        return SS_FAIL;
    return ss_config_check(out, NULL, err);
}

const char *ss_bench_size_name(const ss_config *cfg)
{
    bool applies = false;
    ss_param_find(cfg, "n", &applies);
    return applies ? "n" : "patch";
}

ss_bench_case *ss_paper_best(ss_bench *b, const ss_paper_row *row, int way)
{
    ss_bench_group *g = ss_bench_group_of(b, row->problem, way);
    ss_bench_case *best = NULL;
    for (int i = 0; i < row->count; i++) {
        ss_bench_case *c = &g->cases[row->at[i]];
        if (!*c->skipped && (!best || ss_bench_median(c->solve, b->rounds) <
                                          ss_bench_median(best->solve, b->rounds)))
            best = c;
    }
    return best ? best : &g->cases[row->at[0]];
}

/* --- values of a case ------------------------------------------------------------------------- */

const double *ss_bench_samples(const ss_bench_at *at)
{
    return at->g->solve ? at->c->solve : at->c->iteration;
}

double ss_bench_over(const ss_bench_at *at, ss_bench_role role, bool solve, const double *v)
{
    double best[SS_ROUNDS_MAX];
    bool found = false;
    for (int i = 0; i < at->g->ncase; i++) {
        const ss_bench_case *c = &at->g->cases[i];
        if (c->role != role || *c->skipped)
            continue;
        for (int round = 0; round < at->b->rounds; round++) {
            double seconds = solve ? c->solve[round] : c->iteration[round];
            best[round] = found ? fmin(best[round], seconds) : seconds;
        }
        found = true;
    }
    return found ? ss_bench_median_ratio(best, v, at->b->rounds) : (double)NAN;
}

double ss_bench_known(double v)
{
    return v > 0 && isfinite(v) ? v : (double)NAN;
}

double ss_bench_number_of(int which, const ss_bench_at *at)
{
    const ss_bench_case *c = at->c;
    double iteration = ss_bench_median(c->iteration, at->b->rounds);
    switch (which) {
    case SS_SECONDS:
        return ss_bench_median(c->solve, at->b->rounds);
    case SS_SECONDS_ITERATION:
        return iteration;
    case SS_SECONDS_CYCLE:
        return iteration * c->per_cycle;
    case SS_UPDATES:
        return c->updates;
    case SS_BYTES:
        return c->bytes;
    case SS_PER_CYCLE:
        return c->per_cycle;
    case SS_CYCLES:
        return (double)c->cycles;
    case SS_ITERATIONS:
        return (double)c->cycles * c->per_cycle;
    case SS_THEIRS:
        return atof(at->row->theirs);
    case SS_FURTHER:
        return atof(at->row->further);
    default:
        return c->found[which - SS_FOUND_1];
    }
}

double ss_bench_value(const ss_bench_figure *f, const ss_bench_at *at)
{
    double v = f->value ? f->value(at) : ss_bench_number_of(f->of, at);
    bool count = f->format && strcmp(f->format, "%.0f") == 0;
    v *= f->times > 0 ? f->times : 1;
    v /= f->per ? ss_bench_number_of(f->per, at) : 1;
    return f->value || count ? v : ss_bench_known(v);
}

double ss_bench_of_speedup(const ss_bench_at *at)
{
    return ss_bench_over(at, SS_BENCH_CLASSIC, at->g->solve, ss_bench_samples(at));
}

double ss_bench_of_triad(const ss_bench_at *at)
{
    double fraction[SS_ROUNDS_MAX] = {0};
    const ss_bench_case *c = at->c;
    for (int i = 0; i < at->b->rounds; i++)
        fraction[i] = c->bytes / c->iteration[i] / c->triad[i];
    return ss_bench_known(ss_bench_median(fraction, at->b->rounds));
}

double ss_bench_of_spread(const ss_bench_at *at)
{
    return ss_bench_spread(ss_bench_samples(at), at->b->rounds);
}

void ss_bench_put_range(const ss_bench_at *at, char *buf, size_t size)
{
    ss_bench_put_extremes(ss_bench_samples(at), at->b->rounds, buf, size);
}

void ss_bench_put_choice(const ss_bench_at *at, char *buf, size_t size)
{
    const ss_paper_row *row = at->row;
    const ss_settings *set = &at->c->set;
    *buf = '\0';
    for (int i = 0; i < set->n; i++)
        for (int k = 0; k < row->count; k++)
            if (strcmp(set->at[i].value, at->g->cases[row->at[k]].set.at[i].value) != 0)
                snprintf(buf, size, "%s=%s", set->at[i].name, set->at[i].value);
}

void ss_bench_put_best(const ss_bench_at *at, char *buf, size_t size)
{
    bool wins = true;
    for (int k = 0; k < at->row->count; k++) {
        const ss_bench_case *c = &at->g->cases[at->row->at[k]];
        wins = wins && (c == at->c || *c->skipped ||
                        ss_bench_is_faster(at->c->solve, c->solve, at->b->rounds));
    }
    *buf = '\0';
    if (wins)
        ss_bench_put_choice(at, buf, size);
}
