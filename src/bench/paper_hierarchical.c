/* `bench --paper hierarchical`: tables 1 to 4 of Islam & Wang, and the runs behind their figures 7,
 * 9, 12 and 13. Every case runs a number of cycles that was counted beforehand (with --rounds 1 a
 * sample of them: the tables have some 200 cases); the time includes both transfers between host
 * and device. See kit.h. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "src/bench/paper.h"

/* --- measuring -------------------------------------------------------------------------------- */

static int begin(ss_bench *b, int problem, ss_run *run, ss_err *err)
{
    (void)problem;
    return ss_bench_copy_fields(b, run, err);
}

/* Where the data have no count, the last valid way counts the cycles. The other ways take the same
 * number, since all are bit-for-bit equal. */
static int count_cycles(ss_bench *b, int problem, int index, ss_run *run, ss_err *err)
{
    ss_config cfg;
    int64_t cycles = 0;
    for (int way = b->nway - 1; way >= 0 && cycles == 0; way--) {
        ss_bench_group *g = ss_bench_group_of(b, problem, way);
        ss_bench_case *c = &g->cases[index];
        cycles = c->cycles;
        if (cycles == 0 && ss_bench_take(g, c, run, 0) &&
            (ss_bench_config(g, &c->set, &cfg, err) != SS_OK ||
             ss_bench_count(run, &cfg, &cycles, err) != SS_OK))
            return SS_FAIL;
    }
    for (int way = 0; way < b->nway; way++)
        ss_bench_group_of(b, problem, way)->cases[index].cycles = cycles;
    return SS_OK;
}

/* The most cycles that are run and not sampled. */
static int64_t whole(const ss_bench *b)
{
    return b->rounds > 1 ? INT64_MAX : SS_BENCH_WHOLE;
}

static double estimate(const ss_bench *b, const ss_run *run, ss_bench_case *c, bool last,
                       double cycle)
{
    (void)run;

    double all = cycle * (double)c->hint;
    double each = c->hint > whole(b) ? 2 * ss_bench_sample(b) : all; /* as ss_bench_time */
    bool counted = c->cycles == 0 && last;
    return each * b->rounds + (counted ? 1.2 * all : 0);
}

static int measure(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run, int round,
                   ss_err *err)
{
    (void)g;
    ss_bench_times t;
    if (ss_bench_solve_from_host(b, run, c->cycles, whole(b), &t, err) != SS_OK)
        return SS_FAIL;
    c->solve[round] = t.up + t.solve + t.down;
    return SS_OK;
}

/* --- figures ---------------------------------------------------------------------------------- */

/* The paper's best classic time in seconds, the baseline of its speed-ups. */
static double their_classic(const ss_bench_at *at)
{
    const ss_paper *p = at->b->paper;
    double best = INFINITY;
    for (int i = 0; i < p->nrow; i++) {
        double ms = atof(p->rows[i].theirs);
        if (p->rows[i].kind == SS_ROW_CLASSIC && p->rows[i].problem == at->problem && ms > 0)
            best = fmin(best, 1e-3 * ms);
    }
    return best;
}

/* The paper gives the time of classic solvers and the speed-up of the others. */
static double their_seconds(const ss_bench_at *at)
{
    double theirs = atof(at->row->theirs);
    return at->row->kind == SS_ROW_CLASSIC ? 1e-3 * theirs : their_classic(at) / theirs;
}

static double their_speedup(const ss_bench_at *at)
{
    return their_classic(at) / their_seconds(at);
}

// clang-format off
static const ss_bench_figure row[] = {
    {"source", "", -11, .text = ss_bench_put_source},
    {"problem", .text = ss_bench_put_problem},
    {"label", "", -32, .text = ss_bench_put_label},
    {"theirs", .text = ss_bench_put_theirs},
    {NULL, "theirs", 6, .format = "%.2f", .value = their_speedup},
    {NULL, "time", 8, "s", .value = their_seconds},
    {"their_best", "best", 10, .text = ss_bench_put_extra},
    {0}};
static const ss_bench_figure ours[] = {
    {"speedup", "ours", 6, .format = "%.2f", .value = ss_bench_of_speedup},
    {"seconds", "time", 8, "s", .value = ss_bench_of_seconds},
    SS_BENCH_SPREAD,
    {"cycles", "cycles", 7, .format = "%.0f", .whole = true, .value = ss_bench_of_cycles},
    {NULL, "best", 10, .text = ss_bench_put_best},
    {0}};
static const ss_bench_figure lists[] = {
    {NULL, "time", 10, "s", .value = ss_bench_of_seconds},
    {NULL, "cycles", 10, .format = "%.0f", .value = ss_bench_of_cycles},
    {0}};
// clang-format on

static const ss_bench_table table = {row, ours};

const ss_bench_method ss_bench_hierarchical = {
    .name = "hierarchical",
    .begin = begin,
    .prepare = count_cycles,
    .estimate = estimate,
    .measure = measure,
    .tables = {[SS_ROW_CLASSIC] = &table, [SS_ROW_SPEEDUP] = &table},
    .lists = lists,
    .shape = SS_SHAPE_CASES,
    .legend =
        "  theirs, ours: speed-up over the best classic solver of the same column; best: of the\n"
        "  list, if the others are slower by more than the spread of the rounds; time: to the\n"
        "  tolerance (--until), transfers included; range: the fastest and the slowest round,\n"
        "  beside the median. Their time of a hierarchical solver is their best classic time over "
        "their\n"
        "  speed-up. Figures 7 and 12 draw the times of tables 1 and 3, figures 9 and 13 those\n"
        "  for every overlap.\n",
};
