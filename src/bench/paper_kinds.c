/*
 * The kinds of a paper's rows: how they are measured, and their columns. See kit.h. Main thread.
 *
 *   classic, row   time to the tolerance with both transfers (theirs: milliseconds; speed-up, best
 *                  of the list)
 *   step           seconds per time step, the transfers divided by 50,000 (theirs: microseconds)
 *   tune, tuned    seconds per iteration beside the triad's (theirs: percent of the bandwidth)
 *   transfer       shares of both transfers and of 32 iterations (theirs: percent)
 *   crossover      iterations until a GPU with its transfers has overtaken the CPU
 *   split, shares  the model of a run that a CPU and a GPU share, and its times by the share of the
 *                  CPU: src/core/split.h (theirs: speed-up, share)
 *   devices        two GPUs over one
 *   wild           asynchronous launches to the accuracy of 1000 iterations, interpolated in the
 *                  logarithm of the error, over the tuned kernel (theirs: speed-up; T_eff/T)
 *   smooth         three smoothing steps from the start, ghost cells included, the inverses of the
 *                  blocks not (theirs: seconds on 32 cores, on the GPU)
 *   convergence    the reduction of three steps and the factor of many
 *   scaling        all threads, and some of them, over one (theirs: speed-up of 24)
 *   inverses       the inverse of one shape of block, and of all shapes up to it (theirs: seconds)
 *   method         the time to one residual or error, and what it costs besides
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/block/inverse.h"
#include "kernels/solver/schedules.h"
#include "src/base/common.h"
#include "src/bench/kit.h"
#include "src/core/registry.h"
#include "src/run/reference.h"

static int skip(const ss_bench_at *at, const char *why)
{
    snprintf(at->c->skipped, sizeof at->c->skipped, "%.199s", why);
    return SS_OK;
}

static void put_theirs(const ss_bench_at *at, char *buf, size_t size)
{
    snprintf(buf, size, "%s", at->row->theirs);
}

static void put_further(const ss_bench_at *at, char *buf, size_t size)
{
    snprintf(buf, size, "%s", at->row->further);
}

/* --- classic, row ----------------------------------------------------------------------------- */

/* Where the data have no count, the last valid way counts the cycles. The other ways take the same
 * number, since all are bit-for-bit equal. */
static int count_cycles(const ss_bench_at *at, ss_err *err)
{
    ss_config cfg;
    int64_t cycles = at->c->cycles;
    if (cycles == 0 && (ss_bench_config(at->g, &at->c->set, &cfg, err) != SS_OK ||
                        ss_bench_count(at->run, &cfg, &cycles, err) != SS_OK))
        return SS_FAIL;
    for (int way = 0; way < at->b->nway; way++)
        ss_bench_group_of(at->b, at->problem, way)->cases[at->c - at->g->cases].cycles = cycles;
    return SS_OK;
}

static int measure_solve(const ss_bench_at *at, ss_err *err)
{
    double moved, solve;
    if (ss_bench_solve_from_host(at, ss_bench_whole(at->b), &moved, &solve, err) != SS_OK)
        return SS_FAIL;
    at->c->solve[at->round] = moved + solve;
    return SS_OK;
}

/* The paper gives milliseconds of classic solvers, and of the others the speed-up over the best. */
static double their_seconds(const ss_bench_at *at)
{
    const ss_paper *p = at->b->paper;
    double best = INFINITY, theirs = atof(at->row->theirs);
    if (at->row->kind->role == SS_BENCH_CLASSIC)
        return 1e-3 * theirs;
    for (int i = 0; i < p->nrow; i++)
        if (p->rows[i].kind->role == SS_BENCH_CLASSIC && p->rows[i].problem == at->problem)
            best = fmin(best, 1e-3 * atof(p->rows[i].theirs));
    return best / theirs;
}

/* --- step ------------------------------------------------------------------------------------- */

#define STEPS 50000 /* the paper's; all of them run only where they fit into a sample */

static int measure_steps(const ss_bench_at *at, ss_err *err)
{
    double moved, solve, cycle, sample = ss_bench_sample(at->b);
    ss_bench_case *c = at->c;
    if (c->cycles == 0 && ss_bench_time(at->run, 0, &cycle, err) != SS_OK)
        return SS_FAIL;
    if (c->cycles == 0)
        c->cycles = (int64_t)fmax(1, fmin(ceil((double)STEPS / c->per_cycle), sample / cycle));
    if (ss_bench_solve_from_host(at, c->cycles, &moved, &solve, err) != SS_OK)
        return SS_FAIL;
    c->solve[at->round] = solve / ss_bench_number_of(SS_ITERATIONS, at) + moved / STEPS;
    return SS_OK;
}

/* Figure 10 as one number: over the run of the same size and kind (Classic, or the swept rule) of
 * the problem on the CPU. */
static double over_the_cpu(const ss_bench_at *at)
{
    const ss_paper *p = at->b->paper;
    double over = NAN;
    for (int i = 0; i < p->nrow && ss_config_backend(&at->g->cfg) == at->b->backend; i++) {
        const ss_paper_row *row = &p->rows[i];
        const ss_config *cfg = &ss_bench_group_of(at->b, row->problem, 0)->cfg;
        if (row->kind != at->row->kind || ss_config_backend(cfg) == at->b->backend ||
            ss_config_equation(cfg) != ss_config_equation(&at->g->cfg) ||
            ss_config_int(cfg, "n") != ss_config_int(&at->g->cfg, "n"))
            continue;
        const ss_bench_case *c = ss_paper_best(at->b, row, 0);
        if (!*c->skipped && ss_bench_is_done(at->b, c))
            over = ss_bench_median_ratio(c->solve, at->c->solve, at->b->rounds);
    }
    return over;
}

/* --- tune, transfer, crossover, devices, wild ------------------------------------------------- */

#define T_TRANSFER 32 /* iterations between the transfers of figure 13 */

/* Indices of ss_bench_case.found: seconds of each transfer and of both, bytes per second to the
 * device; seconds of an iteration on the CPU and on two devices. */
enum { UP = SS_BENCH_NEQUAL, DOWN, MOVED, RATE, CPU, DEVICES };

static int find_transfers(const ss_bench_at *at, ss_err *err)
{
    const ss_problem *p = &at->run->problem;
    double *found = at->c->found;
    size_t bytes = (size_t)p->nx * (size_t)p->ny * ss_prec_size(at->run->prec);
    void *rows = ss_alloc(bytes, "the field", err);
    int status = rows ? SS_OK : SS_FAIL;
    for (int pass = 0; pass < 4 && status == SS_OK; pass++) /* the first ones touch the pages */
        status = ss_bench_transfer(at->run, 0, rows, pass % 2, &found[pass % 2 ? UP : DOWN], err);
    found[MOVED] = found[UP] + found[DOWN];
    found[RATE] = (double)bytes / found[UP];
    free(rows);
    return status;
}

/* Seconds per iteration of the same problem in a run of its own, with another setting. A machine
 * that has no such run skips the case. */
static int time_other(const ss_bench_at *at, const char *name, const char *value, double *out,
                      ss_err *err)
{
    ss_config cfg;
    ss_err why = {0};
    ss_settings jacobi = {.n = 1, .at = {{"solver", "jacobi", false}}};
    ss_run *run = NULL;
    cfg = at->g->cfg;
    if (ss_settings_apply(&jacobi, &cfg, &why) == SS_OK &&
        ss_config_set(&cfg, name, value, &why) == SS_OK &&
        ss_config_check(&cfg, NULL, &why) == SS_OK)
        run = ss_run_open(&cfg, NULL, NULL, &why);
    if (!run)
        return skip(at, why.text);
    int status = ss_bench_configure(run, &cfg, 0, err);
    if (status == SS_OK)
        status = ss_bench_time(run, ss_bench_sample(at->b), out, err);
    ss_run_close(run);
    return status;
}

/* The same problem on the CPU, with all its threads. */
static int find_crossover(const ss_bench_at *at, ss_err *err)
{
    return find_transfers(at, err) == SS_OK
               ? time_other(at, "backend", "cpu", &at->c->found[CPU], err)
               : SS_FAIL;
}

static int find_devices(const ss_bench_at *at, ss_err *err)
{
    return time_other(at, "devices", "0,1", &at->c->found[DEVICES], err);
}

static int measure_launch(const ss_bench_at *at, ss_err *err)
{
    ss_bench_case *c = at->c;
    if (ss_bench_time(at->run, ss_bench_sample(at->b), &c->solve[at->round], err) != SS_OK)
        return SS_FAIL;
    c->iteration[at->round] = c->solve[at->round] / c->per_cycle;
    ss_bench_bill(at);
    return SS_OK;
}

/* Shares of the time, in the paper's order: to the device, computing, back. */
static void put_shares(const ss_bench_at *at, char *buf, size_t size)
{
    double work = T_TRANSFER * ss_bench_number_of(SS_SECONDS_ITERATION, at),
           all = (work + at->c->found[MOVED]) / 100;
    snprintf(buf, size, "%.1f %.1f %.1f %%", at->c->found[UP] / all, work / all,
             at->c->found[DOWN] / all);
}

/* Iterations after which the GPU, transfers included, has overtaken the CPU. */
static double of_crossover(const ss_bench_at *at)
{
    double saved = at->c->found[CPU] - ss_bench_number_of(SS_SECONDS_ITERATION, at);
    return saved > 0 ? ceil(at->c->found[MOVED] / saved) : (double)NAN;
}

/* Seconds of T synchronous iterations of the tuned kernel over those of the variant. */
static double over_the_tuned(const ss_bench_at *at)
{
    return ss_bench_over(at, SS_BENCH_CLASSIC, false, at->c->solve) * SS_BENCH_T /
           at->c->found[SS_BENCH_LAUNCHES];
}

/* --- split, shares ---------------------------------------------------------------------------- */

#define BATCHES 20 /* within which `auto` settles */
#define FIXED 8    /* with given rows, after those that decide nothing */
#define CHUNK 64   /* cycles per step until then */
#define MOST 4096  /* chunks */
#define LEAST 0.15 /* seconds of a timed step */

/* Indices of ss_bench_case.found: c, g and e in seconds, the rows that `auto` has chosen, the share
 * x* with which c is measured, c with twice as much, x* and the gain of the model; with these
 * multiples of x* on the CPU, T/g as the model predicts it and as measured. */
static const double multiples[] = {0, 0.5, 1, 2};
enum { BEST = 2, TWICE, NAT };
enum { C, G, E, ROWS, SHARE, FAR, STAR, GAIN, MODEL, REAL = MODEL + NAT };
_Static_assert(REAL + NAT <= SS_FOUND_MAX, "the figures of a hybrid run");

/* Sets the rows of the CPU, and steps until so many batches are measured or the CPU is given up. */
static int run_batches(const ss_bench_at *at, const char *rows, int batches, ss_err *err)
{
    double seconds;
    const ss_split *s = &at->run->split;
    if (ss_bench_take_with(at, "split", rows, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < MOST && s->on && !s->refused[0] && s->batches < batches; i++)
        if (ss_bench_step(at->run, CHUNK, &seconds, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* A hybrid run calibrates itself. */
static int find_split(const ss_bench_at *at, ss_err *err)
{
    const ss_split *s = &at->run->split;
    if (!s->on)
        return skip(at, "needs a GPU beside the CPU: backend cuda");
    if (run_batches(at, "auto", BATCHES, err) != SS_OK)
        return SS_FAIL;
    at->c->found[ROWS] = s->rows;
    at->c->found[G] = s->cost.gpu;
    at->c->found[SHARE] = ss_split_best(&s->cost);
    return SS_OK;
}

/* An iteration with this share of the rows on the CPU: the costs, then its seconds. Each part keeps
 * a row. */
static int time_share(const ss_bench_at *at, double share, ss_split_cost *cost, double *seconds,
                      ss_err *err)
{
    char text[16];
    int all = at->run->problem.ny;
    int rows = share > 0 ? ss_clamp((int)lround(share * all), 1, all - 1) : 0;
    snprintf(text, sizeof text, "%d", rows);
    if (run_batches(at, text, rows > 0 ? SS_SPLIT_WARM + FIXED : 0, err) != SS_OK)
        return SS_FAIL;
    *cost = at->run->split.cost;
    return ss_bench_time(at->run, fmax(ss_bench_sample(at->b), LEAST), seconds, err);
}

/* Mean of the rounds so far. */
static void average(const ss_bench_at *at, int index, double v)
{
    at->c->found[index] += (v - at->c->found[index]) / (at->round + 1);
}

/* The run of `auto`, then T/g with each multiple of x*, as measured and by the model, whose c and e
 * are measured at x* and, c, at 2 x*. The CPU's kernels take longer than the GPU alone needs for
 * such rows (launches): like `auto`, e has the difference. */
static int measure_split(const ss_bench_at *at, ss_err *err)
{
    double *found = at->c->found, x = found[SHARE], seconds[NAT];
    ss_split_cost cost[NAT];
    if (measure_launch(at, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < NAT; i++)
        if (time_share(at, multiples[i] * x, &cost[i], &seconds[i], err) != SS_OK)
            return SS_FAIL;
    average(at, G, seconds[0]);
    average(at, C, cost[BEST].cpu);
    average(at, FAR, cost[TWICE].cpu);
    average(at, E, ss_split_time(&cost[BEST], 1, x) - fmax(x * cost[BEST].cpu, (1 - x) * found[G]));
    ss_split_cost m = {found[C], found[G], found[E], x, found[FAR]};
    found[STAR] = ss_split_best(&m);
    found[GAIN] = ss_split_gain(&m, 1);
    for (int i = 0; i < NAT; i++) {
        average(at, REAL + i, seconds[i] / seconds[0]);
        found[MODEL + i] = ss_split_time(&m, 1, multiples[i] * x) / found[G];
    }
    return SS_OK;
}

static double of_gain(const ss_bench_at *at) /* below 0 where the hybrid run is slower */
{
    return 100 * at->c->found[GAIN];
}

/* --- smooth, convergence, scaling, inverses --------------------------------------------------- */

#define SMOOTHED 3  /* the paper's steps */
#define MANY 5000   /* about the paper's, for the factor */
#define AT_ONCE 100 /* steps between two looks at the residual */

/* Indices of ss_bench_case.found: share of the time; seconds and bytes of the inverses; |r_3|/|r_0|
 * and the factor per step; seconds on one thread and on PARTS shares of the threads; threads;
 * seconds on one over them. Of a row of inverses: seconds of one, shapes of block and the bytes of
 * all. */
enum { PARTS = 3 };
enum { GHOSTS, INVERSES, BYTES, REDUCTION, FACTOR, ALONE, THREADS = ALONE + PARTS + 1, IDEAL };
enum { ONE = INVERSES, ALL_BYTES = BYTES, SHAPES = REDUCTION };

static int measure_smooth(const ss_bench_at *at, ss_err *err)
{
    ss_bench_case *c = at->c;
    if (ss_bench_restart(at->run, SMOOTHED, &c->solve[at->round], err) != SS_OK)
        return SS_FAIL;
    c->cycles = SMOOTHED;
    c->updates = at->run->per_cycle.updates;
    c->found[GHOSTS] += at->run->seconds_ghosts / c->solve[at->round] / at->b->rounds;
    c->found[INVERSES] = at->run->seconds_inverses;
    c->found[BYTES] = at->run->bytes_inverses;
    return SS_OK;
}

/* Until the residual reaches the floor of the measured factor: later ones do not count. */
static int find_factor(const ss_bench_at *at, ss_err *err)
{
    double seconds;
    bool settled;
    ss_run *run = at->run;
    while (run->cycle < MANY && run->residual > SS_FACTOR_FLOOR * run->residual0)
        if (ss_bench_step(run, AT_ONCE, &seconds, err) != SS_OK)
            return SS_FAIL;
    double factor = ss_run_factor(run, &settled);
    at->c->found[FACTOR] = settled ? factor : 0;
    at->c->cycles = run->cycle;
    return SS_OK;
}

/* Once: figures of the mathematics, not of the machine. The factor is that of the last way alone,
 * whose blocks have the same inverses. */
static int measure_convergence(const ss_bench_at *at, ss_err *err)
{
    double seconds;
    ss_run *run = at->run;
    if (at->round > 0)
        return SS_OK;
    run->check_every = 1;
    if (ss_bench_restart(run, SMOOTHED, &seconds, err) != SS_OK || ss_run_settle(run, err) != SS_OK)
        return SS_FAIL;
    at->c->found[REDUCTION] = run->residual0 > 0 ? run->residual / run->residual0 : 0;
    return at->way < at->b->nway - 1 ? SS_OK : find_factor(at, err);
}

/* Fewer threads are measured in the first round only: one thread takes the longest by far. Shares
 * of less than two threads are not measured. */
static int measure_fewer(const ss_bench_at *at, ss_err *err)
{
    char text[16];
    int all = at->run->threads;
    at->c->found[THREADS] = all;
    for (int i = 0; i <= PARTS; i++) {
        int threads = i > 0 ? all * i / (PARTS + 1) : 1;
        snprintf(text, sizeof text, "%d", threads);
        if ((i == 0 || threads > 1) &&
            (ss_bench_take_with(at, "threads", text, err) != SS_OK ||
             ss_bench_restart(at->run, SMOOTHED, &at->c->found[ALONE + i], err) != SS_OK))
            return SS_FAIL;
    }
    at->c->found[IDEAL] = at->c->found[ALONE] / all;
    return ss_bench_take_with(at, NULL, NULL, err);
}

static int measure_scaling(const ss_bench_at *at, ss_err *err)
{
    bool applies;
    ss_param_find(&at->run->cfg, "parallel", &applies);
    if (!applies)
        return skip(at, "speed-up of the CPU's threads");
    if (at->run->threads < 2)
        return skip(at, "needs two threads or more");
    if (at->round == 0 && measure_fewer(at, err) != SS_OK)
        return SS_FAIL;
    return measure_smooth(at, err);
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

static int measure_inverses(const ss_bench_at *at, ss_err *err)
{
    double one = 0, bytes = 0, *all = &at->c->solve[at->round], *found = at->c->found;
    int size[3];
    const ss_config *cfg = &at->run->cfg;
    at->run->solver->blocks(cfg, size);
    if (invert(cfg, size, &one, &bytes, err) != SS_OK)
        return SS_FAIL;
    int shapes = size[0] * size[1] * size[2];
    found[ONE] += one / at->b->rounds;
    found[SHAPES] = shapes;
    *all = found[ALL_BYTES] = 0;
    for (int i = 0; i < shapes; i++) {
        const int n[] = {1 + i % size[0], 1 + i / size[0] % size[1], 1 + i / size[0] / size[1]};
        if (invert(cfg, n, all, &found[ALL_BYTES], err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* --- method ----------------------------------------------------------------------------------- */

/* Indices of ss_bench_case.found: of all cycles, by the ledger; the error after them, 0 where they
 * were not counted here; the error or the residual that is the goal. */
enum { SWEEPS, TRAFFIC, REDUCTIONS, LAUNCHES, ERROR, TARGET, UNTIL };

/* Cycles after which a method is given up, per point of a row, squared, and besides. Jacobi needs
 * less than this to any error above rounding. */
#define MOST_CYCLES 16
#define MOST_SMALL 1000
#define MOST_RUNS 64 /* of one sample: a reset may take longer than the run */

/* Where errors are the goal: that of the method which sets it. */
static int find_target(const ss_bench_at *at, ss_err *err)
{
    ss_config cfg;
    int64_t cycles;
    double error[SS_NERROR];
    at->b->target = 0;
    if (at->g->goal.n == 0)
        return SS_OK;
    if (ss_bench_config(at->g, &at->g->goal, &cfg, err) != SS_OK ||
        ss_bench_count(at->run, &cfg, &cycles, err) != SS_OK)
        return SS_FAIL;
    ss_result_errors(at->run, true, error);
    at->b->target = error[SS_ERROR_MAX];
    for (int i = 0; i < at->g->ncase && !(at->b->target > 0); i++)
        snprintf(at->g->cases[i].skipped, sizeof at->c->skipped, "u* is not known");
    return SS_OK;
}

/* The config of a case with its goal. */
static int goal_config(const ss_bench_at *at, ss_config *out, ss_err *err)
{
    ss_settings goal = {.n = at->g->goal.n > 0 ? 2 : 0, .at = {{"until-error"}, {"cycles"}}};
    double n = (double)ss_config_int(&at->g->cfg, ss_bench_size_name(&at->g->cfg));
    snprintf(goal.at[0].value, sizeof goal.at->value, "%.17g", at->b->target);
    snprintf(goal.at[1].value, sizeof goal.at->value, "%.0f", MOST_CYCLES * n * n + MOST_SMALL);
    return ss_bench_config(at->g, &at->c->set, out, err) == SS_OK
               ? ss_settings_apply(&goal, out, err)
               : SS_FAIL;
}

/* Where the data have no count. A method that does not reach the goal has no time. */
static int count_to_goal(const ss_bench_at *at, ss_err *err)
{
    ss_config cfg;
    ss_err why;
    double error[SS_NERROR];
    ss_bench_case *c = at->c;
    if (ss_config_given(&at->g->cfg, "until"))
        c->cycles = 0; /* the data are for the default */
    c->found[TARGET] = at->b->target;
    c->found[UNTIL] = at->g->goal.n == 0 ? ss_config_real(&at->g->cfg, "until") : 0;
    if (c->cycles > 0)
        return SS_OK;
    if (goal_config(at, &cfg, err) != SS_OK)
        return SS_FAIL;
    if (ss_bench_count(at->run, &cfg, &c->cycles, &why) != SS_OK) {
        c->cycles = 0;
        return skip(at, why.text);
    }
    ss_result_errors(at->run, true, error);
    c->found[ERROR] = isfinite(error[SS_ERROR_MAX]) ? error[SS_ERROR_MAX] : 0;
    return SS_OK;
}

/* Runs from the start, without checks, as many as a sample needs. */
static int measure_method(const ss_bench_at *at, ss_err *err)
{
    ss_bench_case *c = at->c;
    ss_run *run = at->run;
    const ss_ledger *one = &run->per_cycle;
    double cycles = (double)c->cycles, all = 0, each;
    int runs = 0;
    c->found[SWEEPS] = cycles * one->updates / ((double)run->problem.nx * run->problem.ny);
    c->found[TRAFFIC] = cycles * one->global_bytes;
    c->found[REDUCTIONS] = cycles * one->reductions;
    c->found[LAUNCHES] = cycles * one->launches;
    for (; runs == 0 || (all < ss_bench_sample(at->b) && runs < MOST_RUNS); runs++) {
        if (ss_run_reset(run, err) != SS_OK ||
            ss_bench_solve(at->b, run, c->cycles, SS_BENCH_WHOLE, &each, err) != SS_OK)
            return SS_FAIL;
        all += each;
    }
    c->solve[at->round] = all / runs;
    return SS_OK;
}

/* --- columns ---------------------------------------------------------------------------------- */

// clang-format off
#define FOUND(index) .of = SS_FOUND(index)
#define SECONDS(key, heading) {key, heading, 9, "s", .of = SS_SECONDS}
#define SPEEDUP {"speedup", "speed-up", 8, "%.2f", .value = ss_bench_of_speedup}
#define BEST_OF {NULL, "best", 15, .text = ss_bench_put_best}
#define CYCLES {"cycles", "cycles", 8, "%.0f", .of = SS_CYCLES, .list = true}
#define COLUMNS (const ss_bench_figure[])
#define THEIRS(heading, key, further) COLUMNS{ \
    {"theirs", heading, 14, .text = put_theirs}, {key, further, 17, .text = put_further}, {0}}
#define THEIR_SECONDS(key, heading) {key, heading, 8, "s", .of = SS_THEIRS}
#define LAUNCH \
    SECONDS("seconds_per_launch", "launch"), {"sweeps_per_launch", .format = "%.0f", .of = SS_PER_CYCLE}, \
    {"triad_percent", "% of triad", 10, "%.1f", .value = ss_bench_of_triad, .times = 100}
#define TRANSFERS \
    {"seconds_upload", "there", 9, "s", FOUND(UP)}, {"seconds_download", "back", 9, "s", FOUND(DOWN)}
#define T_OVER_G(name, heading, i) \
    {"predicted_" name, "T/g at " heading, 12, "%.3f", FOUND(MODEL + (i))}, \
    {"measured_" name, "measured", 8, "%.3f", FOUND(REAL + (i))}
#define SOLVE .begin = ss_bench_copy_fields, .prepare = count_cycles, \
    .measure = measure_solve, .theirs = their_solve, .ours = solve
#define STEP .once = true, .steps = STEPS, .begin = ss_bench_copy_fields, \
    .measure = measure_steps, .theirs = their_step, .ours = step
#define LAUNCHED .limits_again = true, .begin = ss_bench_reference
#define TUNE LAUNCHED, .measure = measure_launch, .theirs = THEIRS("% of bandwidth", "expected_teff", NULL), .ours = tune
#define SPLIT LAUNCHED, .shared = true, .prepare = find_split, .measure = measure_split
#define METHOD .begin = find_target, .prepare = count_to_goal, .measure = measure_method, .ours = method

static const ss_bench_figure their_solve[] = {
    {"theirs", "theirs", 7, .text = put_theirs}, {NULL, "time", 8, "s", .value = their_seconds},
    {"their_best", "best", 10, .text = put_further}, {0}};
static const ss_bench_figure solve[] = {
    SPEEDUP, {"seconds", "time", 9, "s", .of = SS_SECONDS, .list = true}, SS_BENCH_SPREAD, CYCLES, BEST_OF, {0}};
static const ss_bench_figure their_step[] = {
    {"their_seconds_per_step", "theirs", 9, "s", .of = SS_THEIRS, .times = 1e-6}, {0}};
static const ss_bench_figure step[] = {
    SECONDS("seconds_per_step", "step"), {"steps", .format = "%.0f", .of = SS_ITERATIONS}, SPEEDUP,
    {"speedup_over_cpu", "over CPU", 8, "%.2f", .value = over_the_cpu}, BEST_OF, {0}};
static const ss_bench_figure tune[] = {
    LAUNCH, {NULL, "rate", 14, "flop/s", .of = SS_UPDATES, .per = SS_SECONDS_ITERATION, .times = 5}, {0}};
static const ss_bench_figure method[] = {
    {"until", FOUND(UNTIL)}, {"until_error", FOUND(TARGET)}, SECONDS("seconds", "time"), SS_BENCH_SPREAD,
    SPEEDUP, {"error", "error", 8, "%.2e", FOUND(ERROR)}, CYCLES,
    {"iterations", "iterations", 10, "%.0f", .of = SS_ITERATIONS}, {"sweeps", "sweeps", 9, "%.1f", FOUND(SWEEPS)},
    {"bytes", "bytes", 8, "B", FOUND(TRAFFIC)}, {"reductions", "reductions", 10, "%.0f", FOUND(REDUCTIONS)},
    {"synchronisations", "syncs", 8, "%.0f", FOUND(LAUNCHES)}, {0}};

static const ss_bench_kind kinds[] = {
    {"classic", SS_BENCH_CLASSIC, SOLVE},
    {"row", SOLVE},
    {"step-classic", SS_BENCH_CLASSIC, STEP},
    {"step", STEP},
    {"tune", TUNE},
    {"tuned", SS_BENCH_CLASSIC, TUNE},
    {"transfer", LAUNCHED, .measure = measure_launch, .prepare = find_transfers, .theirs = THEIRS("there,work,back", "expected_teff", NULL),
     .ours = COLUMNS{LAUNCH, {NULL, "there, work, back", 17, .text = put_shares}, TRANSFERS, {NULL, "bandwidth", 10, "B/s", FOUND(RATE)},
                     {NULL, "iterations", 10, "%.0f", .of = SS_FOUND(MOVED), .per = SS_SECONDS_ITERATION}, {0}}},
    {"crossover", LAUNCHED, .measure = measure_launch, .prepare = find_crossover, .theirs = THEIRS("iterations", "expected_teff", NULL),
     .ours = COLUMNS{LAUNCH, {"seconds_cpu", "on the CPU", 10, "s", FOUND(CPU)}, TRANSFERS,
                     {"crossover", "iterations", 10, "%.0f", .value = of_crossover}, {0}}},
    {"split", SPLIT, .theirs = THEIRS("speed-up", "theirs_share", "share of the CPU"),
     .ours = COLUMNS{{"seconds_cpu", "c", 9, "s", FOUND(C)}, {"seconds_cpu_at_double", "c at 2 x*", 9, "s", FOUND(FAR)},
                     {"seconds_gpu", "g", 9, "s", FOUND(G)}, {"seconds_exchange", "e", 9, "s", FOUND(E)},
                     {"best_share_percent", "x*, %", 6, "%.2f", FOUND(STAR), .times = 100}, {"gain_percent", "gain, %", 8, "%.2f", .value = of_gain},
                     {"rows", "auto: rows", 10, "%.0f", FOUND(ROWS)}, SECONDS("seconds_per_iteration", "measured"), {0}}},
    {"shares", SPLIT, .theirs = THEIRS("speed-up", "theirs_share", "at"),
     .ours = COLUMNS{T_OVER_G("0", "0", 0), T_OVER_G("half", "x*/2", 1), T_OVER_G("best", "x*", 2), T_OVER_G("double", "2 x*", 3), {0}}},
    {"devices", LAUNCHED, .measure = measure_launch, .prepare = find_devices, .theirs = THEIRS("speed-up", "theirs_share", "share of one"),
     .ours = COLUMNS{SECONDS("seconds_one", "one GPU"), {"seconds_two", "two", 9, "s", FOUND(DEVICES)},
                     {"speedup", "speed-up", 8, "%.2f", .of = SS_SECONDS, .per = SS_FOUND(DEVICES)}, {0}}},
    {"wild", LAUNCHED, .prepare = ss_bench_find_launches, .measure = measure_launch, .theirs = THEIRS("speed-up", "expected_teff", "expected T_eff/T"),
     .ours = COLUMNS{LAUNCH, {"launches", .of = SS_FOUND(SS_BENCH_LAUNCHES)}, {"teff", "T_eff/T", 7, "%.3f", .of = SS_FOUND(SS_BENCH_TEFF)},
                     {"speedup", "speed-up", 8, "%.2f", .value = over_the_tuned}, {0}}},
    {"smooth", .steps = SMOOTHED, .measure = measure_smooth,
     .theirs = COLUMNS{THEIR_SECONDS("their_seconds_32_cores", "32 cores"), {"their_seconds_gpu", "Kepler", 8, "s", .of = SS_FURTHER}, {0}},
     .ours = COLUMNS{SECONDS("seconds", "time"), {"cells_per_second", "Mcell/s", 8, "%.1f", .of = SS_UPDATES, .per = SS_SECONDS, .times = SMOOTHED, .scale = 1e-6},
                     {"ghost_share", "ghosts", 7, "%.1f %%", FOUND(GHOSTS), .scale = 100},
                     {"seconds_inverses", "inverses", 10, "s", FOUND(INVERSES)}, {"bytes_inverses", FOUND(BYTES)}, {0}}},
    {"convergence", .steps = SMOOTHED, .measure = measure_convergence,
     .ours = COLUMNS{{"reduction", "|r3|/|r0|", 10, "%.6f", FOUND(REDUCTION)}, {"factor", "factor", 9, "%.6f", FOUND(FACTOR)},
                     {"steps", "steps", 6, "%.0f", .of = SS_CYCLES}, {0}}},
    {"scaling", .steps = SMOOTHED, .measure = measure_scaling, .theirs = COLUMNS{{"their_speedup", "24 cores", 8, .text = put_theirs}, {0}},
     .ours = COLUMNS{{"speedup_quarter", "1/4", 5, "%.2f", FOUND(ALONE), .per = SS_FOUND(ALONE + 1)},
                     {"speedup_half", "1/2", 5, "%.2f", FOUND(ALONE), .per = SS_FOUND(ALONE + 2)},
                     {"speedup_three_quarters", "3/4", 5, "%.2f", FOUND(ALONE), .per = SS_FOUND(ALONE + 3)},
                     {"speedup", "speed-up", 8, "%.2f", FOUND(ALONE), .per = SS_SECONDS, .list = true},
                     {"threads", "threads", 7, "%.0f", FOUND(THREADS)},
                     {"efficiency", "efficiency", 10, "%.0f %%", .of = SS_FOUND(IDEAL), .per = SS_SECONDS, .scale = 100}, BEST_OF, {0}}},
    {"inverses", .steps = SMOOTHED, .measure = measure_inverses, .theirs = COLUMNS{THEIR_SECONDS("their_seconds", "32 cores"), {0}},
     .ours = COLUMNS{{"seconds_one", "one", 9, "s", FOUND(ONE)}, SECONDS("seconds_all", "all"),
                     {"shapes", "shapes", 6, "%.0f", FOUND(SHAPES)}, {"bytes_all", "all", 8, "B", FOUND(ALL_BYTES)}, {0}}},
    {"method-classic", SS_BENCH_CLASSIC, METHOD},
    {"method", METHOD},
};
// clang-format on

const ss_bench_kind *ss_paper_kind(const char *word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, word) == 0)
            return &kinds[i];
    return NULL;
}
