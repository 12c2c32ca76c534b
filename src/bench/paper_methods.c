/* `bench --paper methods`, which no paper has: the time that every method takes from the same start
 * to the same residual, and to the same error, with what it costs besides: reductions,
 * synchronisations, bytes. Equal residuals are not equal errors: those of Jacobi's are smooth, and
 * its error is far larger. Cycles are counted first, once; a time is that of as many cycles,
 * without checks. See kit.h. */
#include <math.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"
#include "src/run/result.h"

/* Indices of ss_bench_case.found: of all cycles, by the ledger; the error after them, 0 where they
 * were not counted here; the error that is the goal, 0: it is the residual. */
enum { ITERATIONS, SWEEPS, BYTES, REDUCTIONS, LAUNCHES, ERROR, TARGET };

/* Cycles after which a method is given up, per point of a row, squared, and besides. Jacobi needs
 * less than this to any error above rounding. */
#define MOST 16
#define MOST_SMALL 1000
#define MOST_RUNS 64 /* of one sample: a reset may take longer than the run */

/* Where errors are the goal: that of the method which sets it. */
static int begin(ss_bench *b, int problem, ss_run *run, ss_err *err)
{
    ss_config cfg;
    int64_t cycles;
    double error[SS_NERROR];
    ss_bench_group *g = ss_bench_group_of(b, problem, 0);
    b->target = 0;
    if (g->goal.n == 0)
        return SS_OK;
    if (ss_bench_config(g, &g->goal, &cfg, err) != SS_OK ||
        ss_bench_count(run, &cfg, &cycles, err) != SS_OK)
        return SS_FAIL;
    ss_result_errors(run, true, error);
    b->target = error[SS_ERROR_MAX];
    for (int i = 0; i < g->ncase && !(b->target > 0); i++)
        snprintf(g->cases[i].skipped, sizeof g->cases[i].skipped, "u* is not known");
    return SS_OK;
}

/* The config of a case with its goal. */
static int goal_config(const ss_bench *b, const ss_bench_group *g, const ss_bench_case *c,
                       ss_config *out, ss_err *err)
{
    char error[32], most[32];
    double n = (double)ss_config_int(&g->cfg, ss_bench_size_name(&g->cfg));
    snprintf(error, sizeof error, "%.17g", b->target);
    snprintf(most, sizeof most, "%.0f", MOST * n * n + MOST_SMALL);
    if (ss_bench_config(g, &c->set, out, err) != SS_OK)
        return SS_FAIL;
    if (g->goal.n == 0)
        return SS_OK;
    return ss_config_set(out, "until-error", error, err) == SS_OK
               ? ss_config_set(out, "cycles", most, err)
               : SS_FAIL;
}

/* Where the data have no count. A method that does not reach the goal has no time. */
static int count_cycles(ss_bench *b, int problem, int index, ss_run *run, ss_err *err)
{
    ss_config cfg;
    ss_err why;
    double error[SS_NERROR];
    ss_bench_group *g = ss_bench_group_of(b, problem, 0);
    ss_bench_case *c = &g->cases[index];
    if (ss_config_given(&g->cfg, "until"))
        c->cycles = 0; /* the data are for the default */
    c->found[TARGET] = b->target;
    if (c->cycles > 0 || !ss_bench_take(g, c, run, 0))
        return SS_OK;
    if (goal_config(b, g, c, &cfg, err) != SS_OK)
        return SS_FAIL;
    if (ss_bench_count(run, &cfg, &c->cycles, &why) != SS_OK) {
        c->cycles = 0;
        snprintf(c->skipped, sizeof c->skipped, "%.180s", why.text);
        return SS_OK;
    }
    ss_result_errors(run, true, error);
    c->found[ERROR] = isfinite(error[SS_ERROR_MAX]) ? error[SS_ERROR_MAX] : 0;
    return SS_OK;
}

/* A run of some cycles is shorter than a sample: so many runs. */
static int time_runs(const ss_bench *b, ss_run *run, int64_t cycles, double *seconds, ss_err *err)
{
    double all = 0;
    int runs = 0;
    for (double one = 0; runs == 0 || (all < ss_bench_sample(b) && runs < MOST_RUNS); runs++) {
        if (ss_run_reset(run, err) != SS_OK ||
            ss_bench_solve(b, run, cycles, SS_BENCH_WHOLE, &one, err) != SS_OK)
            return SS_FAIL;
        all += one;
    }
    *seconds = all / runs;
    return SS_OK;
}

static int measure(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run, int round,
                   ss_err *err)
{
    const ss_ledger *one = &run->per_cycle;
    double cycles = (double)c->cycles;
    (void)g;
    c->found[ITERATIONS] = cycles * run->iterations_per_cycle;
    c->found[SWEEPS] = cycles * one->updates / ((double)run->problem.nx * run->problem.ny);
    c->found[BYTES] = cycles * one->global_bytes;
    c->found[REDUCTIONS] = cycles * one->reductions;
    c->found[LAUNCHES] = cycles * one->launches;
    return time_runs(b, run, c->cycles, &c->solve[round], err);
}

/* --- figures ---------------------------------------------------------------------------------- */

static double of_iterations(const ss_bench_at *at)
{
    return at->c->found[ITERATIONS];
}

static double of_sweeps(const ss_bench_at *at)
{
    return at->c->found[SWEEPS];
}

static double of_bytes(const ss_bench_at *at)
{
    return at->c->found[BYTES];
}

static double of_reductions(const ss_bench_at *at)
{
    return at->c->found[REDUCTIONS];
}

static double of_launches(const ss_bench_at *at)
{
    return at->c->found[LAUNCHES];
}

/* 0: not known. */
static double positive(double v)
{
    return v > 0 ? v : (double)NAN;
}

static double of_error(const ss_bench_at *at)
{
    return positive(at->c->found[ERROR]);
}

static double of_until(const ss_bench_at *at)
{
    return positive(at->g->goal.n == 0 ? ss_config_real(&at->g->cfg, "until") : 0);
}

static double of_until_error(const ss_bench_at *at)
{
    return positive(at->c->found[TARGET]);
}

// clang-format off
static const ss_bench_figure row[] = {
    {"problem", .text = ss_bench_put_problem},
    {"until", .value = of_until},
    {"until_error", .value = of_until_error},
    {"method", "", -46, .text = ss_bench_put_label},
    {0}};
static const ss_bench_figure ours[] = {
    {"seconds", "time", 9, "s", .value = ss_bench_of_seconds},
    SS_BENCH_SPREAD,
    {"speedup", "speed-up", 8, .format = "%.1f", .value = ss_bench_of_speedup},
    {"error", "error", 8, .format = "%.2e", .value = of_error},
    {"cycles", "cycles", 8, .format = "%.0f", .whole = true, .value = ss_bench_of_cycles},
    {"iterations", "iterations", 10, .format = "%.0f", .whole = true, .value = of_iterations},
    {"sweeps", "sweeps", 8, .format = "%.0f", .value = of_sweeps},
    {"bytes", "bytes", 8, "B", .value = of_bytes},
    {"reductions", "reductions", 10, .format = "%.0f", .whole = true, .value = of_reductions},
    {"synchronisations", "syncs", 8, .format = "%.0f", .whole = true, .value = of_launches},
    {0}};
// clang-format on

static const ss_bench_table table = {row, ours};

const ss_bench_method ss_bench_methods = {
    .name = "methods",
    .no_paper = true,
    .begin = begin,
    .prepare = count_cycles,
    .measure = measure,
    .tables = {[SS_ROW_CLASSIC] = &table, [SS_ROW_METHOD] = &table},
    .shape = SS_SHAPE_FLAT,
    .legend =
        "  time: to the goal, a residual (--until) or an error, without checks; speed-up: over\n"
        "  jacobi to the same goal; error: max|u - u*| / max|u*|, where the cycles were counted;\n"
        "  range: the fastest and the slowest round, beside the median;\n"
        "  sweeps: point updates over points, on all grids; reductions: dot products of one\n"
        "  moment; syncs: global synchronisations; bytes: modelled\n",
};
