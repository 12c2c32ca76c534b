/* `bench --paper smoother`: the reductions and factors of figure 4, and the times behind figures 6
 * to 10 of the paper on block-relaxation smoothers. A time is that of three smoothing steps from
 * the start, including the exchange of ghost cells, without the computation of the blocks'
 * inverses, which is figure 10: that of one shape of block, and those of all b^3 shapes up to it,
 * which patches of any size need. See kit.h. */
#include <math.h>
#include <stdlib.h>

#include "kernels/block/inverse.h"
#include "kernels/solver/block.h"
#include "src/bench/paper.h"
#include "src/core/registry.h"

#define STEPS 3     /* the paper's */
#define MANY 5000   /* about the paper's, for the factor */
#define AT_ONCE 100 /* steps between two looks at the residual */

/* Indices of ss_bench_case.found: share of the time; seconds and bytes of the inverses; |r_3|/|r_0|
 * and the factor per step, 0: unknown; seconds on one thread; threads; seconds on PARTS shares of
 * them, 0: too few. Of a row of inverses: seconds of one, shapes of block and the bytes of all. */
enum { GHOSTS, INVERSES, BYTES, REDUCTION, FACTOR, ALONE, THREADS, SOME };
enum { PARTS = 3 };
_Static_assert(SOME + PARTS <= SS_FOUND_MAX, "the figures of a smoother");
enum { ONE = INVERSES, ALL_BYTES = BYTES, SHAPES = REDUCTION };

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
    double factor = ss_run_factor(run, &settled);
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

/* Threads of share i of PARTS + 1 equal ones: a quarter, a half, three quarters; 0: less than two.
 */
static int some_of(int threads, int i)
{
    int n = threads * (i + 1) / (PARTS + 1);
    return n > 1 ? n : 0;
}

static int time_on(const ss_bench_group *g, const ss_bench_case *c, ss_run *run, int threads,
                   double *seconds, ss_err *err)
{
    ss_config cfg;
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    if (ss_bench_config(g, &c->set, &cfg, err) != SS_OK ||
        ss_config_set(&cfg, "threads", text, err) != SS_OK ||
        ss_bench_configure(run, &cfg, 0, err) != SS_OK || ss_run_reset(run, err) != SS_OK)
        return SS_FAIL;
    return ss_bench_step(run, STEPS, seconds, err);
}

/* Fewer threads are measured in the first round only: one thread takes the longest by far. */
static int measure_fewer(const ss_bench_group *g, ss_bench_case *c, ss_run *run, ss_err *err)
{
    int all = run->threads;
    c->found[THREADS] = all;
    if (time_on(g, c, run, 1, &c->found[ALONE], err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < PARTS; i++)
        if (some_of(all, i) > 0 &&
            time_on(g, c, run, some_of(all, i), &c->found[SOME + i], err) != SS_OK)
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
    if (round == 0 && measure_fewer(g, c, run, err) != SS_OK)
        return SS_FAIL;
    return measure_time(b, g, c, run, round, err);
}

/* Adds the time and the memory of the inverse of a block of n[0] * n[1] * n[2] cells. */
static int invert(const ss_config *cfg, const int n[3], double *seconds, double *bytes, ss_err *err)
{
    ss_inverse inverse;
    ss_prec prec = (ss_prec)ss_config_int(cfg, "precision");
    double began = ss_clock();
    if (ss_inverse_make(&inverse, ss_block_form(cfg), n, prec, err) != SS_OK)
        return SS_FAIL;
    *seconds += ss_clock() - began;
    *bytes += inverse.form->bytes(&inverse);
    ss_inverse_free(&inverse);
    return SS_OK;
}

static int measure_inverses(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run,
                            int round, ss_err *err)
{
    double one = 0, bytes = 0;
    int size[3], n[3];
    run->solver->blocks(&run->cfg, size);
    (void)g;
    if (invert(&run->cfg, size, &one, &bytes, err) != SS_OK)
        return SS_FAIL;
    c->found[ONE] += one / b->rounds;
    c->found[SHAPES] = size[0] * size[1] * size[2];
    c->solve[round] = c->found[ALL_BYTES] = 0;
    for (n[2] = 1; n[2] <= size[2]; n[2]++)
        for (n[1] = 1; n[1] <= size[1]; n[1]++)
            for (n[0] = 1; n[0] <= size[0]; n[0]++)
                if (invert(&run->cfg, n, &c->solve[round], &c->found[ALL_BYTES], err) != SS_OK)
                    return SS_FAIL;
    return SS_OK;
}

static int measure(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run, int round,
                   ss_err *err)
{
    static int (*const of[SS_NROW_KIND])(ss_bench * b, const ss_bench_group *g, ss_bench_case *c,
                                         ss_run *run, int round, ss_err *err) = {
        [SS_ROW_SMOOTH] = measure_time,
        [SS_ROW_CONVERGENCE] = measure_convergence,
        [SS_ROW_SCALING] = measure_scaling,
        [SS_ROW_INVERSES] = measure_inverses,
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

/* Speed-up of share i of the threads, over one. */
static double of_some(const ss_bench_at *at, int i)
{
    double seconds = at->c->found[SOME + i];
    return seconds > 0 ? known(at->c->found[ALONE] / seconds) : (double)NAN;
}

static double of_quarter(const ss_bench_at *at)
{
    return of_some(at, 0);
}

static double of_half(const ss_bench_at *at)
{
    return of_some(at, 1);
}

static double of_three_quarters(const ss_bench_at *at)
{
    return of_some(at, 2);
}

static double of_one(const ss_bench_at *at)
{
    return known(at->c->found[ONE]);
}

static double of_shapes(const ss_bench_at *at)
{
    return known(at->c->found[SHAPES]);
}

static double of_all_bytes(const ss_bench_at *at)
{
    return at->c->found[ALL_BYTES];
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
static const ss_bench_figure inverses_row[] = {
    {"patches", .text = ss_bench_put_problem},
    {"case", "", -34, .text = ss_bench_put_label},
    {"source", "", -9, .text = ss_bench_put_source},
    {"their_seconds", "32 cores", 8, "s", .value = of_cores},
    {0}};
static const ss_bench_figure inverses[] = {
    {"seconds_one", "one", 9, "s", .value = of_one},
    {"seconds_all", "all", 9, "s", .value = ss_bench_of_seconds},
    {"shapes", "shapes", 6, .format = "%.0f", .whole = true, .value = of_shapes},
    {"bytes_all", "all", 8, "B", .value = of_all_bytes},
    {0}};
static const ss_bench_figure scaling[] = {
    {"speedup_quarter", "1/4", 5, .format = "%.2f", .value = of_quarter},
    {"speedup_half", "1/2", 5, .format = "%.2f", .value = of_half},
    {"speedup_three_quarters", "3/4", 5, .format = "%.2f", .value = of_three_quarters},
    {"speedup", "speed-up", 8, .format = "%.2f", .value = of_speedup},
    {"threads", "threads", 7, .format = "%.0f", .whole = true, .value = of_threads},
    {"efficiency", "efficiency", 10, .format = "%.0f %%", .scale = 100, .value = of_efficiency},
    {NULL, "best", 15, .text = ss_bench_put_best},
    {0}};
static const ss_bench_figure lists[] = {
    {NULL, "speed-up", 10, .format = "%.2f", .value = of_speedup},
    {0}};
// clang-format on

static const ss_bench_table table = {row, ours}, convergence_table = {convergence_row, convergence},
                            scaling_table = {scaling_row, scaling},
                            inverses_table = {inverses_row, inverses};

const ss_bench_method ss_bench_smoother = {
    .name = "smoother",
    .steps = STEPS,
    .measure = measure,
    .tables = {[SS_ROW_SMOOTH] = &table,
               [SS_ROW_CONVERGENCE] = &convergence_table,
               [SS_ROW_SCALING] = &scaling_table,
               [SS_ROW_INVERSES] = &inverses_table},
    .lists = lists,
    .shape = SS_SHAPE_WAYS,
    .legend =
        "  time: three steps, the exchange of ghost cells included; ghosts: its share;\n"
        "  inverses: computed once, not part of the time; best: of the list, by more than the\n"
        "  spread of the rounds\n"
        "  factor: of |r| per step, measured as far as |r| is above 1e-10 of the first; with\n"
        "  other inverses it is the same\n"
        "  theirs: two AMD 6272 with 32 cores, and a K20X with its transfers; speed-up:\n"
        "  over one thread, theirs about the largest, on two AMD 6168 with 24 cores; 1/4, 1/2,\n"
        "  3/4: of so many of the threads\n"
        "  one, all: the inverse of a block of this size, and of all sizes up to it, which\n"
        "  patches of any size need\n",
};
