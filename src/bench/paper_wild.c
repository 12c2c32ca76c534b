/*
 * `bench --paper wild`: the results of Venkatasubramanian & Vuduc on tuning (figures 11 and 12),
 * transfers (13), a CPU beside a GPU (5, 6, 14), several GPUs (15; paper_hybrid.c) and asynchronous
 * variants (16). An asynchronous variant runs until it is as near
 * to the solution of 4096 iterations as the synchronous one after T = 1000 iterations. The number
 * of launches is found first, interpolated in the logarithm of the error; then the time of a
 * launch is measured in turn with the tuned kernel's. Only figure 13 has transfers. See kit.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"

#define T_TRANSFER 32 /* iterations between the transfers of figure 13 */
#define FLOPS 5       /* per point, as the paper counts */

/* Indices of ss_bench_case.found: seconds of both transfers and of an iteration on the CPU. */
enum { UP = SS_BENCH_LAUNCHES + 1, DOWN, CPU };

/* The run is that of the first case, which is classic. */
static int begin(ss_bench *b, int problem, ss_run *run, ss_err *err)
{
    ss_bench_group *g = ss_bench_group_of(b, problem, 0);
    if (!ss_bench_take(g, &g->cases[0], run, 0))
        return ss_fail(err, "%s", g->cases[0].skipped);
    return ss_bench_reference(b, run, err);
}

/* --- times ------------------------------------------------------------------------------------ */

static int find_transfers(ss_bench_case *c, ss_run *run, ss_err *err)
{
    size_t bytes = (size_t)run->problem.nx * (size_t)run->problem.ny * ss_prec_size(run->prec);
    void *rows = ss_alloc(bytes, "the field", err);
    int status = rows ? SS_OK : SS_FAIL;
    for (int pass = 0; pass < 2 && status == SS_OK; pass++) { /* the first one touches the pages */
        status = ss_bench_transfer(run, 0, rows, false, &c->found[DOWN], err);
        if (status == SS_OK)
            status = ss_bench_transfer(run, 0, rows, true, &c->found[UP], err);
    }
    free(rows);
    return status;
}

/* The same problem on the CPU, with all its threads. */
static int find_cpu(const ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_err *err)
{
    ss_config cfg = g->cfg;
    if (ss_config_set(&cfg, "backend", "cpu", err) != SS_OK ||
        ss_config_set(&cfg, "solver", "jacobi", err) != SS_OK ||
        ss_config_check(&cfg, NULL, err) != SS_OK)
        return SS_FAIL;
    ss_run *run = ss_run_open(&cfg, NULL, NULL, err);
    int status = run && ss_bench_configure(run, &cfg, 0, err) == SS_OK
                     ? ss_bench_time(run, ss_bench_sample(b), &c->found[CPU], err)
                     : SS_FAIL;
    ss_run_close(run);
    return status;
}

static int prepare(ss_bench *b, int problem, int index, ss_run *run, ss_err *err)
{
    ss_bench_group *g = ss_bench_group_of(b, problem, 0);
    ss_bench_case *c = &g->cases[index];
    if (c->kind == SS_ROW_TRANSFER)
        return find_transfers(c, run, err);
    if (c->kind == SS_ROW_CROSSOVER)
        return find_transfers(c, run, err) == SS_OK ? find_cpu(b, g, c, err) : SS_FAIL;
    if (c->kind == SS_ROW_SPLIT)
        return ss_bench_find_split(b, g, c, run, err);
    if (c->kind == SS_ROW_DEVICES)
        return ss_bench_find_devices(b, g, c, err);
    if (c->kind != SS_ROW_WILD || !ss_bench_take(g, c, run, 0))
        return SS_OK;
    return ss_bench_find_launches(b, c, run, err);
}

/* A variant runs T iterations about twice to find its launches, and every case has two samples per
 * round; the classic case also computes the reference and the target. */
static double estimate(const ss_bench *b, const ss_run *run, ss_bench_case *c, bool last,
                       double cycle)
{

    (void)last;
    double iterations = c->kind == SS_ROW_WILD        ? 2.0 * SS_BENCH_T
                        : c->role == SS_BENCH_CLASSIC ? SS_BENCH_REFERENCE + SS_BENCH_T
                                                      : 0;
    double split = run->split.on ? ss_bench_split_seconds(b) : 0;
    return cycle * iterations / c->per_cycle + 2 * ss_bench_sample(b) * b->rounds + split;
}

static int measure(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run, int round,
                   ss_err *err)
{
    (void)g;
    if (ss_bench_time(run, ss_bench_sample(b), &c->solve[round], err) != SS_OK)
        return SS_FAIL;
    c->iteration[round] = c->solve[round] / c->per_cycle;
    c->triad[round] = b->limits[0].value;
    c->bytes = run->per_cycle.global_bytes / c->per_cycle;
    c->updates = (double)run->problem.nx * run->problem.ny;
    return SS_OK;
}

/* --- figures ---------------------------------------------------------------------------------- */

static double of_iteration(const ss_bench_at *at)
{
    return ss_bench_median(at->c->iteration, at->b->rounds);
}

static double of_flops(const ss_bench_at *at)
{
    return FLOPS * at->c->updates / of_iteration(at);
}

static double of_triad_percent(const ss_bench_at *at)
{
    return 100 * ss_bench_of_triad(at);
}

static double of_sweeps(const ss_bench_at *at)
{
    return at->c->per_cycle;
}

/* Seconds of T synchronous iterations of the tuned kernel over those of the variant. */
static double of_speedup(const ss_bench_at *at)
{
    double tuned[SS_ROUNDS_MAX];
    if (!ss_bench_best(at->g, SS_BENCH_CLASSIC, false, at->b->rounds, tuned))
        return NAN;
    return ss_bench_median_ratio(tuned, at->c->solve, at->b->rounds) * SS_BENCH_T /
           ss_bench_of_launches(at);
}

static double of_up(const ss_bench_at *at)
{
    return at->c->found[UP];
}

static double of_down(const ss_bench_at *at)
{
    return at->c->found[DOWN];
}

static double of_up_rate(const ss_bench_at *at)
{
    int64_t prec = ss_config_int(&at->g->cfg, "precision");
    return at->c->updates * (double)ss_prec_size((ss_prec)prec) / of_up(at);
}

/* Number of iterations that take as long as the transfers. */
static double of_worth(const ss_bench_at *at)
{
    return ceil((of_up(at) + of_down(at)) / of_iteration(at));
}

/* Shares of the time, in the paper's order: to the device, computing, back. */
static void put_shares(const ss_bench_at *at, char *buf, size_t size)
{
    double work = T_TRANSFER * of_iteration(at), all = of_up(at) + work + of_down(at);
    snprintf(buf, size, "%.1f %.1f %.1f %%", 100 * of_up(at) / all, 100 * work / all,
             100 * of_down(at) / all);
}

/* Iterations after which the GPU, transfers included, has overtaken the CPU. */
static double of_crossover(const ss_bench_at *at)
{
    double saved = at->c->found[CPU] - of_iteration(at);
    return saved > 0 ? ceil((of_up(at) + of_down(at)) / saved) : (double)NAN;
}

static double of_cpu(const ss_bench_at *at)
{
    return at->c->found[CPU];
}

// clang-format off
#define ROW(their_heading, expected_heading) \
    {"source", "", -14, .text = ss_bench_put_source}, \
    {"problem", .text = ss_bench_put_problem}, \
    {"label", "", -44, .text = ss_bench_put_label}, \
    {"theirs", their_heading, 14, .text = ss_bench_put_theirs}, \
    {"expected_teff", expected_heading, 17, .text = ss_bench_put_extra}, \
    {NULL}
#define OURS \
    {"seconds_per_launch", "launch", 9, "s", .value = ss_bench_of_seconds}, \
    {"sweeps_per_launch", .whole = true, .value = of_sweeps}

static const ss_bench_figure tune_row[] = {ROW("% of bandwidth", NULL)};
static const ss_bench_figure tune[] = {
    OURS,
    {"triad_percent", "% of triad", 10, .format = "%.1f", .value = of_triad_percent},
    {NULL, "rate", 14, "flop/s", .value = of_flops},
    {0}};
static const ss_bench_figure transfer_row[] = {ROW("there,work,back", NULL)};
static const ss_bench_figure transfer[] = {
    OURS,
    {"triad_percent", .value = of_triad_percent},
    {NULL, "there, work, back", 17, .text = put_shares},
    {"seconds_upload", "there", 9, "s", .value = of_up},
    {NULL, "bandwidth", 10, "B/s", .value = of_up_rate},
    {"seconds_download", "back", 9, "s", .value = of_down},
    {NULL, "iterations", 10, .format = "%.0f", .value = of_worth},
    {0}};
static const ss_bench_figure crossover_row[] = {ROW("iterations", NULL)};
static const ss_bench_figure crossover[] = {
    OURS,
    {"triad_percent", .value = of_triad_percent},
    {"seconds_cpu", "on the CPU", 10, "s", .value = of_cpu},
    {"seconds_upload", "there", 9, "s", .value = of_up},
    {"seconds_download", "back", 9, "s", .value = of_down},
    {"crossover", "iterations", 10, .format = "%.0f", .value = of_crossover},
    {0}};
static const ss_bench_figure wild_row[] = {ROW("speed-up", "expected T_eff/T")};
static const ss_bench_figure wild[] = {
    OURS,
    {"triad_percent", .value = of_triad_percent},
    {"launches", .value = ss_bench_of_launches},
    {"teff", "T_eff/T", 7, .format = "%.3f", .value = ss_bench_of_teff},
    {"speedup", "speed-up", 8, .format = "%.2f", .value = of_speedup},
    {0}};
// clang-format on

static const ss_bench_table tunes = {tune_row, tune}, transfers = {transfer_row, transfer},
                            crossovers = {crossover_row, crossover}, wilds = {wild_row, wild};

const ss_bench_method ss_bench_wild = {
    .name = "wild",
    .limits_again = true,
    .begin = begin,
    .prepare = prepare,
    .estimate = estimate,
    .measure = measure,
    .tables = {[SS_ROW_TUNE] = &tunes,
               [SS_ROW_TUNED] = &tunes,
               [SS_ROW_TRANSFER] = &transfers,
               [SS_ROW_CROSSOVER] = &crossovers,
               [SS_ROW_SPLIT] = &ss_bench_split_table,
               [SS_ROW_SHARES] = &ss_bench_shares_table,
               [SS_ROW_DEVICES] = &ss_bench_devices_table,
               [SS_ROW_WILD] = &wilds},
    .shape = SS_SHAPE_FLAT,
    .legend =
        "  % of bandwidth, % of triad: of the streaming bandwidth, theirs and ours; there, work,\n"
        "  back: shares of the transfers and of 32 iterations; iterations: that take as long as\n"
        "  the transfers; speed-up: over the tuned kernel, to the same accuracy; T_eff: sweeps to\n"
        "  the accuracy of T = 1000 synchronous iterations; CPU + GPU: c, g, an iteration of the\n"
        "  whole grid on the CPU and on the GPU, e, an exchange; x*: the share of the rows on the\n"
        "  CPU where both take equally long; gain: of the model there; T/g: times by the share, "
        "as\n"
        "  the model predicts and as measured\n",
};
