/* `bench --paper smoother`: the reductions and factors of figure 4, and the times behind figures 6
 * to 10 of the paper on block-relaxation smoothers. A time is that of three smoothing steps from
 * the start, including the exchange of ghost cells, without the computation of the blocks'
 * inverses, which is figure 10. See kit.h. */
#include <math.h>
#include <stdlib.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"

#define STEPS 3     /* the paper's */
#define MANY 5000   /* about the paper's, for the factor */
#define AT_ONCE 100 /* steps between two looks at the residual */

/* Indices of ss_bench_case.found: share of the time; seconds and bytes of the inverses; |r_3|/|r_0|
 * and the factor per step, 0: unknown; seconds on one thread; threads. */
enum { GHOSTS, INVERSES, BYTES, REDUCTION, FACTOR, ALONE, THREADS };

static int measure_time(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run,
                        int round, ss_err *err)
{
    (void)g;
    if (ss_run_reset(run, err) != SS_OK ||
        ss_bench_step(run, STEPS, &c->solve[round], err) != SS_OK)
        return SS_FAIL;
    c->cycles = STEPS;
    c->updates = run->per_cycle.updates;
    c->found[GHOSTS] += run->seconds_ghosts / c->solve[round] / b->rounds;
    c->found[INVERSES] = run->seconds_inverses;
    c->found[BYTES] = run->bytes_inverses;
    return SS_OK;
}

/* Until the residual reaches the floor of the measured factor: later ones do not count. */
static int find_factor(ss_run *run, ss_bench_case *c, ss_err *err)
{
    double seconds;
    bool settled;
    while (run->cycle < MANY && run->residual > SS_FACTOR_FLOOR * run->residual0)
        if (ss_bench_step(run, AT_ONCE, &seconds, err) != SS_OK)
            return SS_FAIL;
    double factor = ss_factors_measured(&run->factors, &settled);
    c->found[FACTOR] = settled ? factor : 0;
    c->cycles = run->cycle;
    return SS_OK;
}

/* Once: figures of the mathematics, not of the machine. The factor is that of the last way alone,
 * whose blocks have the same inverses. */
static int measure_convergence(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run,
                               int round, ss_err *err)
{
    ss_config cfg;
    double seconds;
    if (round > 0)
        return SS_OK;
    if (ss_bench_config(g, &c->set, &cfg, err) != SS_OK ||
        ss_bench_configure(run, &cfg, 1, err) != SS_OK || ss_run_reset(run, err) != SS_OK ||
        ss_bench_step(run, STEPS, &seconds, err) != SS_OK || ss_run_settle(run, err) != SS_OK)
        return SS_FAIL;
    c->found[REDUCTION] = run->residual0 > 0 ? run->residual / run->residual0 : 0;
    return g - b->groups < (b->nway - 1) * b->nproblem ? SS_OK : find_factor(run, c, err);
}

/* The time on one thread is measured in the first round only: it is the longest by far. */
static int measure_alone(const ss_bench_group *g, ss_bench_case *c, ss_run *run, ss_err *err)
{
    ss_config cfg;
    c->found[THREADS] = run->threads;
    if (ss_bench_config(g, &c->set, &cfg, err) != SS_OK ||
        ss_config_set(&cfg, "threads", "1", err) != SS_OK ||
        ss_bench_configure(run, &cfg, 0, err) != SS_OK || ss_run_reset(run, err) != SS_OK ||
        ss_bench_step(run, STEPS, &c->found[ALONE], err) != SS_OK)
        return SS_FAIL;
    return ss_bench_take(g, c, run, 0) ? SS_OK : ss_fail(err, "%s", c->skipped);
}

static int measure_scaling(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run,
                           int round, ss_err *err)
{
    bool applies;
    ss_param_find(&run->cfg, "parallel", &applies);
    if (!applies || run->threads < 2) {
        snprintf(c->skipped, sizeof c->skipped, "%s",
                 applies ? "needs two threads or more" : "speed-up of the CPU's threads");
        return SS_OK;
    }
    if (round == 0 && measure_alone(g, c, run, err) != SS_OK)
        return SS_FAIL;
    return measure_time(b, g, c, run, round, err);
}

static int measure(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run, int round,
                   ss_err *err)
{
    static int (*const of[SS_NROW_KIND])(ss_bench * b, const ss_bench_group *g, ss_bench_case *c,
                                         ss_run *run, int round, ss_err *err) = {
        [SS_ROW_SMOOTH] = measure_time,
        [SS_ROW_CONVERGENCE] = measure_convergence,
        [SS_ROW_SCALING] = measure_scaling,
    };
    return of[c->kind](b, g, c, run, round, err);
}

/* --- figures ---------------------------------------------------------------------------------- */

static double of_rate(const ss_bench_at *at)
{
    return STEPS * at->c->updates / ss_bench_of_seconds(at);
}

static double of_ghosts(const ss_bench_at *at)
{
    return at->c->found[GHOSTS];
}

static double of_inverses(const ss_bench_at *at)
{
    return at->c->found[INVERSES];
}

static double of_bytes(const ss_bench_at *at)
{
    return at->c->found[BYTES];
}

static double known(double v)
{
    return v > 0 ? v : (double)NAN;
}

static double of_reduction(const ss_bench_at *at)
{
    return known(at->c->found[REDUCTION]);
}

static double of_factor(const ss_bench_at *at)
{
    return known(at->c->found[FACTOR]);
}

static double of_many(const ss_bench_at *at)
{
    return known((double)at->c->cycles);
}

static double of_speedup(const ss_bench_at *at)
{
    return known(at->c->found[ALONE] / ss_bench_of_seconds(at));
}

static double of_threads(const ss_bench_at *at)
{
    return known(at->c->found[THREADS]);
}

static double of_efficiency(const ss_bench_at *at)
{
    return of_speedup(at) / at->c->found[THREADS];
}

static double of_cores(const ss_bench_at *at)
{
    return *at->row->theirs ? atof(at->row->theirs) : (double)NAN;
}

static double of_kepler(const ss_bench_at *at)
{
    return *at->row->extra ? atof(at->row->extra) : (double)NAN;
}

// clang-format off
static const ss_bench_figure row[] = {
    {"patches", .text = ss_bench_put_problem},
    {"case", "", -34, .text = ss_bench_put_label},
    {"source", "", -9, .text = ss_bench_put_source},
    {"their_seconds_32_cores", "32 cores", 8, "s", .value = of_cores},
    {"their_seconds_gpu", "Kepler", 8, "s", .value = of_kepler},
    {0}};
static const ss_bench_figure ours[] = {
    {"seconds", "time", 9, "s", .value = ss_bench_of_seconds},
    {"cells_per_second", "Mcell/s", 8, .format = "%.1f", .scale = 1e-6, .value = of_rate},
    {"ghost_share", "ghosts", 7, .format = "%.1f %%", .scale = 100, .value = of_ghosts},
    {"seconds_inverses", "inverses", 10, "s", .value = of_inverses},
    {"bytes_inverses", .value = of_bytes},
    {0}};
static const ss_bench_figure convergence_row[] = {
    {"patches", .text = ss_bench_put_problem},
    {"case", "", -34, .text = ss_bench_put_label},
    {"source", "", -9, .text = ss_bench_put_source},
    {0}};
static const ss_bench_figure convergence[] = {
    {"reduction", "|r3|/|r0|", 10, .format = "%.6f", .value = of_reduction},
    {"factor", "factor", 9, .format = "%.6f", .value = of_factor},
    {"steps", "steps", 6, .format = "%.0f", .whole = true, .value = of_many},
    {0}};
static const ss_bench_figure scaling_row[] = {
    {"patches", .text = ss_bench_put_problem},
    {"case", "", -34, .text = ss_bench_put_label},
    {"source", "", -9, .text = ss_bench_put_source},
    {"their_speedup", "24 cores", 8, .text = ss_bench_put_theirs},
    {0}};
static const ss_bench_figure scaling[] = {
    {"speedup", "speed-up", 8, .format = "%.2f", .value = of_speedup},
    {"threads", "threads", 7, .format = "%.0f", .whole = true, .value = of_threads},
    {"efficiency", "efficiency", 10, .format = "%.0f %%", .scale = 100, .value = of_efficiency},
    {NULL, "best", 15, .text = ss_bench_put_choice},
    {0}};
static const ss_bench_figure lists[] = {
    {NULL, "speed-up", 10, .format = "%.2f", .value = of_speedup},
    {0}};
// clang-format on

static const ss_bench_table table = {row, ours}, convergence_table = {convergence_row, convergence},
                            scaling_table = {scaling_row, scaling};

const ss_bench_method ss_bench_smoother = {
    .name = "smoother",
    .steps = STEPS,
    .measure = measure,
    .tables = {[SS_ROW_SMOOTH] = &table,
               [SS_ROW_CONVERGENCE] = &convergence_table,
               [SS_ROW_SCALING] = &scaling_table},
    .lists = lists,
    .shape = SS_SHAPE_WAYS,
    .legend =
        "  time: three steps, the exchange of ghost cells included; ghosts: its share;\n"
        "  inverses: computed once, not part of the time\n"
        "  factor: of |r| per step, measured as far as |r| is above 1e-10 of the first; with\n"
        "  other inverses it is the same\n"
        "  theirs: two AMD 6272 with 32 cores, and a K20X with its transfers; speed-up:\n"
        "  over one thread, theirs about the largest, on two AMD 6168 with 24 cores\n",
};
