/* `bench --paper methods`, which no paper has: the time that every method takes from the same start
 * to the same tolerance, with what it costs besides: reductions, synchronisations, bytes. Cycles
 * are counted first, once; a time is that of as many cycles, without residual checks. See kit.h. */
#include <math.h>

#include "src/bench/paper.h"

/* Indices of ss_bench_case.found: of all cycles, by the ledger. */
enum { ITERATIONS, SWEEPS, BYTES, REDUCTIONS, LAUNCHES };

/* Where the data have no count. A method that does not reach the tolerance has no time. */
static int count_cycles(ss_bench *b, int problem, int index, ss_run *run, ss_err *err)
{
    ss_config cfg;
    ss_err why;
    ss_bench_group *g = ss_bench_group_of(b, problem, 0);
    ss_bench_case *c = &g->cases[index];
    if (ss_config_given(&g->cfg, "until"))
        c->cycles = 0; /* the data are for the default */
    if (c->cycles > 0 || !ss_bench_take(g, c, run, 0))
        return SS_OK;
    if (ss_bench_config(g, &c->set, &cfg, err) != SS_OK)
        return SS_FAIL;
    if (ss_bench_count(run, &cfg, &c->cycles, &why) != SS_OK) {
        c->cycles = 0;
        snprintf(c->skipped, sizeof c->skipped, "%.180s", why.text);
    }
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
    if (ss_run_reset(run, err) != SS_OK)
        return SS_FAIL;
    return ss_bench_solve(b, run, c->cycles, SS_BENCH_WHOLE, &c->solve[round], err);
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

// clang-format off
static const ss_bench_figure row[] = {
    {"problem", .text = ss_bench_put_problem},
    {"method", "", -46, .text = ss_bench_put_label},
    {0}};
static const ss_bench_figure ours[] = {
    {"seconds", "time", 9, "s", .value = ss_bench_of_seconds},
    {"speedup", "speed-up", 8, .format = "%.1f", .value = ss_bench_of_speedup},
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
    .prepare = count_cycles,
    .measure = measure,
    .tables = {[SS_ROW_CLASSIC] = &table, [SS_ROW_METHOD] = &table},
    .shape = SS_SHAPE_FLAT,
    .legend =
        "  time: to the tolerance (--until), without residual checks; speed-up: over jacobi;\n"
        "  sweeps: point updates over points, on all grids; reductions: dot products of one\n"
        "  moment; syncs: global synchronisations; bytes: modelled\n",
};
