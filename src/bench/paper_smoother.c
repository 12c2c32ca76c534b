/* `bench --paper smoother`: some of the times behind figures 6 to 9 of the paper on
 * block-relaxation smoothers. A figure is the wall time of three smoothing steps from the start,
 * including the exchange of ghost cells, without the computation of the blocks' inverses. See
 * kit.h. */
#include <math.h>
#include <stdlib.h>

#include "src/bench/paper.h"

#define STEPS 3 /* the paper's */

/* Indices of ss_bench_case.found: share of the time; seconds and bytes of the inverses. */
enum { GHOSTS, INVERSES, BYTES };

static int measure(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run, int round,
                   ss_err *err)
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
// clang-format on

static const ss_bench_table table = {row, ours};

const ss_bench_method ss_bench_smoother = {
    .name = "smoother",
    .steps = STEPS,
    .measure = measure,
    .tables = {[SS_ROW_SMOOTH] = &table},
    .shape = SS_SHAPE_WAYS,
    .legend = "  time: three steps, the exchange of ghost cells included; ghosts: its share;\n"
              "  inverses: computed once, not part of the time\n"
              "  theirs: two AMD 6272 with 32 cores, and a K20X with its transfers\n",
};
