/* Measurements of `bench`: see kit.h. A kernel's seconds are the run's own: the device's
 * clock where it has one. Norms, when they are looked at, are looked at every cycle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/kit.h"
#include "src/core/registry.h"

#define QUICK 4          /* one round alone is a quick look: so much less of everything */
#define WARM_UP 2        /* cycles */
#define COUNT_CHUNK 8192 /* cycles between two looks at whether it has converged */

/* --- numbers ---------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ss_median(const double *v, int n)
{
    double sorted[SS_ROUNDS_MAX * SS_GROUPS_MAX];
    if (n == 0)
        return 0;
    memcpy(sorted, v, (size_t)n * sizeof *v);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

double ss_median_ratio(const double *a, const double *b, int n)
{
    double ratio[SS_ROUNDS_MAX] = {0};
    for (int i = 0; i < n; i++)
        ratio[i] = a[i] / b[i];
    return ss_median(ratio, n);
}

bool ss_bench_best(const ss_group *g, ss_bench_role role, bool solve, int rounds, double *best)
{
    bool found = false;
    for (int i = 0; i < g->ncase; i++) {
        const ss_case *c = &g->cases[i];
        const double *v = solve ? c->solve : c->iteration;
        if (c->role != role || *c->skipped)
            continue;
        for (int round = 0; round < rounds; round++)
            best[round] = found ? fmin(best[round], v[round]) : v[round];
        found = true;
    }
    return found;
}

/* --- measuring -------------------------------------------------------------------------------- */

int ss_bench_limits(ss_bench *b, ss_err *err)
{
    int n = b->backend->meter->measure(b->meter, b->limits, err);
    if (n < 0)
        return SS_FAIL;
    b->nlimit = n;
    for (int i = 0; i < n; i++)
        b->limit[i][b->nsample] = b->limits[i].value;
    b->nsample++;
    return SS_OK;
}

int ss_bench_take(ss_run *run, const ss_config *cfg, int64_t check_every, ss_err *err)
{
    if (ss_run_configure(run, cfg, err) != SS_OK)
        return SS_FAIL;
    run->tol = 0;
    run->stop_at_tol = false;
    run->max_seconds = 0;
    run->max_cycles = -1;
    if (run->check_every == check_every)
        return SS_OK;
    run->ops->release(run); /* a graph is made for one distance between norms */
    run->check_every = check_every;
    if (run->ops->prepare(run, err) == SS_OK)
        return SS_OK;
    run->status = SS_FAILED;
    return SS_FAIL;
}

int ss_bench_step(ss_run *run, int64_t cycles, double *seconds, ss_err *err)
{
    double before = run->seconds_solve;
    if (ss_run_step(run, cycles, err) != SS_OK)
        return SS_FAIL;
    *seconds = run->seconds_solve - before;
    return run->status == SS_RUNNING ? SS_OK : ss_fail(err, "bench: %s", run->message);
}

double ss_bench_sample(const ss_bench *b)
{
    return b->backend->meter->sample_seconds / (b->rounds > 1 ? 1 : QUICK);
}

int ss_bench_per_cycle(const ss_run *run)
{
    return run->iterations_per_cycle / run->eq->nstage;
}

bool ss_bench_moves(const ss_group *g)
{
    return ss_config_equation(&g->cfg)->kind == SS_TRANSIENT;
}

/* A cycle of the swept rule may be a thousand steps: what is asked for is counted in steps there.
 */
int ss_bench_time(ss_run *run, double least, double *out, ss_err *err)
{
    double seconds;
    int each = run->eq->kind == SS_TRANSIENT ? ss_bench_per_cycle(run) : 1;
    int64_t cycles = (run->backend->meter->sample_cycles + each - 1) / each;
    if (ss_bench_step(run, (WARM_UP + each - 1) / each, &seconds, err) != SS_OK)
        return SS_FAIL;
    for (;;) {
        if (ss_bench_step(run, cycles, &seconds, err) != SS_OK)
            return SS_FAIL;
        *out = seconds / (double)cycles;
        if (seconds >= least)
            return SS_OK;
        double factor = 1.1 * least / fmax(seconds, 1e-3 * least);
        cycles = (int64_t)ceil((double)cycles * factor);
    }
}

int ss_bench_count(ss_run *run, const ss_config *cfg, int64_t *cycles, ss_err *err)
{
    if (ss_bench_take(run, cfg, 1, err) != SS_OK || ss_run_reset(run, err) != SS_OK)
        return SS_FAIL;
    run->tol = ss_config_real(cfg, "until");
    run->stop_at_tol = true;
    while (run->status == SS_RUNNING)
        if (ss_run_step(run, COUNT_CHUNK, err) != SS_OK)
            return SS_FAIL;
    *cycles = run->cycle;
    return run->status == SS_CONVERGED ? SS_OK : ss_fail(err, "bench: %s", run->message);
}

int ss_bench_solve(ss_run *run, const ss_config *cfg, int64_t cycles, double *out, ss_err *err)
{
    if (ss_bench_take(run, cfg, 0, err) != SS_OK || ss_run_reset(run, err) != SS_OK)
        return SS_FAIL;
    return ss_bench_step(run, cycles, out, err);
}

void ss_bench_advance(ss_bench *b)
{
    static const char full[] = "########################################";
    b->done++;
    if (!b->progress)
        return;
    int width = (int)sizeof full - 1, filled = width * b->done / b->all;
    fprintf(stderr, "\r[%-*.*s] %3d %%", width, filled, full, 100 * b->done / b->all);
    if (b->done == b->all)
        fprintf(stderr, "\r%*s\r", width + 8, "");
    fflush(stderr);
}
