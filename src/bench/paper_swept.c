/* `bench --paper swept`: the runs of Magee & Niemeyer behind their figures 7 to 10, threads per
 * block by points; for figure 10 the CPU's Classic and Swept beside the GPU's. A figure is the time
 * per step, with the transfers divided by the paper's 50,000 steps. All 50,000 steps run only where
 * they fit into a sample. See kit.h. */
#include <math.h>
#include <stdlib.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"

#define STEPS 50000 /* the paper's */

/* --- measuring -------------------------------------------------------------------------------- */

static double steps_of(const ss_bench_case *c)
{
    return (double)c->cycles * c->per_cycle;
}

static int begin(ss_bench *b, int problem, ss_run *run, ss_err *err)
{
    (void)problem;
    return ss_bench_copy_fields(b, run, err);
}

/* The cycles that fit into a sample, at most the paper's number of steps. */
static double estimate(const ss_bench *b, const ss_run *run, ss_bench_case *c, bool last,
                       double cycle)
{
    (void)run;

    (void)last;
    double most = ceil((double)STEPS / c->per_cycle);
    c->cycles = (int64_t)fmax(1, fmin(most, ss_bench_sample(b) / cycle));
    return b->rounds * (double)c->cycles * cycle;
}

static int measure(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run, int round,
                   ss_err *err)
{
    (void)g;
    ss_bench_times t;
    if (ss_bench_solve_from_host(b, run, c->cycles, c->cycles, &t, err) != SS_OK)
        return SS_FAIL;
    c->solve[round] = t.solve / steps_of(c) + (t.up + t.down) / STEPS;
    return SS_OK;
}

/* --- figures ---------------------------------------------------------------------------------- */

static double their_seconds(const ss_bench_at *at)
{
    return *at->row->theirs ? 1e-6 * atof(at->row->theirs) : (double)NAN;
}

static double of_points(const ss_bench_at *at)
{
    return (double)ss_config_int(&at->g->cfg, "n");
}

static double of_steps(const ss_bench_at *at)
{
    return steps_of(at->c);
}

/* The fastest run of the same size and kind (Classic, or the swept rule) on the backend of another
 * problem: papers.txt has one row of each kind there. NULL: none is measured. */
static const ss_bench_case *on_the_cpu(const ss_bench_at *at)
{
    const ss_paper *p = at->b->paper;
    const ss_bench_case *best = NULL;
    for (int i = 0; i < p->nrow; i++) {
        const ss_paper_row *row = &p->rows[i];
        const ss_config *cfg = &ss_bench_group_of(at->b, row->problem, 0)->cfg;
        if (row->kind != at->row->kind || ss_config_backend(cfg) == at->b->backend ||
            ss_config_equation(cfg) != ss_config_equation(&at->g->cfg) ||
            ss_config_int(cfg, "n") != ss_config_int(&at->g->cfg, "n"))
            continue;
        const ss_bench_case *c = ss_paper_best(at->b, row, 0);
        if (c && ss_bench_is_done(at->b, c))
            best = c;
    }
    return best;
}

/* Figure 10 as one number. The two devices are not measured in the same round. */
static double over_the_cpu(const ss_bench_at *at)
{
    const ss_bench_case *cpu =
        ss_config_backend(&at->g->cfg) == at->b->backend ? on_the_cpu(at) : NULL;
    return cpu ? ss_bench_median(cpu->solve, at->b->rounds) /
                     ss_bench_median(at->c->solve, at->b->rounds)
               : (double)NAN;
}

// clang-format off
static const ss_bench_figure row[] = {
    {"problem", .text = ss_bench_put_problem},
    {"n", .whole = true, .value = of_points},
    {"algorithm", "", -8, .text = ss_bench_put_source},
    {"their_seconds_per_step", "theirs", 9, "s", .value = their_seconds},
    {0}};
static const ss_bench_figure ours[] = {
    {"seconds_per_step", "step", 9, "s", .value = ss_bench_of_seconds},
    {"steps", .whole = true, .value = of_steps},
    {"speedup", "speed-up", 8, .format = "%.2f", .value = ss_bench_of_speedup},
    {"speedup_over_cpu", "over CPU", 8, .format = "%.2f", .value = over_the_cpu},
    {NULL, "best", 14, .text = ss_bench_put_best},
    {0}};
// clang-format on

static const ss_bench_table table = {row, ours};

const ss_bench_method ss_bench_swept = {
    .name = "swept",
    .once = true,
    .steps = STEPS,
    .begin = begin,
    .estimate = estimate,
    .measure = measure,
    .tables = {[SS_ROW_CLASSIC] = &table, [SS_ROW_SPEEDUP] = &table},
    .shape = SS_SHAPE_CASES,
    .legend =
        "  theirs, step: the time of a time step, transfers included as in 50000 steps; speed-up:\n"
        "  over the Classic of the same column, within a round; over CPU: the fastest run of the "
        "same\n"
        "  kind (Classic, swept) with all of the CPU's threads; best: of the list, by\n"
        "  more than the spread of the rounds\n",
};
