/*
 * `bench --paper wild`, figures 5, 6, 14 and 15: a CPU beside a GPU, and two GPUs. A hybrid run
 * calibrates itself (split auto); then shares of the rows around the best one are measured against
 * the model. See kit.h and src/core/split.h. Main thread.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/bench/paper.h"
#include "src/core/registry.h"

#define BATCHES 20 /* within which `auto` settles */
#define FIXED 8    /* with given rows, after those that decide nothing */
#define CHUNK 64   /* cycles per step until then */
#define MOST 4096  /* chunks */
#define LEAST 0.15 /* seconds of a timed step */
#define TURNS 7    /* through all shares */
#define TRIES 3    /* at most, until the costs are measured at x* */
#define STAYS 0.1

/* Indices of ss_bench_case.found: c, g and e in seconds, the rows that `auto` has chosen, the share
 * x* with which c is measured, c with twice as much; with these multiples of x* on the CPU, T/g as
 * the model predicts it and as measured; of two devices. */
static const double multiples[] = {0, 0.5, 1, 2};
enum { BEST = 2, TWICE, NAT };
_Static_assert(NAT == sizeof multiples / sizeof *multiples, "multiples");
enum { C, G, E, ROWS, SHARE, FAR, MODEL, REAL = MODEL + NAT, NFOUND = REAL + NAT, DEVICES = 0 };
_Static_assert(NFOUND <= SS_FOUND_MAX, "the figures of a hybrid run");

static ss_split_cost cost_of(const ss_bench_case *c)
{
    return (ss_split_cost){c->found[C], c->found[G], c->found[E], c->found[SHARE], c->found[FAR]};
}

/* --- measuring -------------------------------------------------------------------------------- */

static int set_rows(const ss_bench_group *g, const ss_bench_case *c, ss_run *run, const char *value,
                    ss_err *err)
{
    ss_config cfg;
    if (ss_bench_config(g, &c->set, &cfg, err) != SS_OK ||
        ss_config_set(&cfg, "split", value, err) != SS_OK)
        return SS_FAIL;
    return ss_bench_configure(run, &cfg, 0, err);
}

/* Each part keeps a row. */
static int rows_of(double share, int all)
{
    int rows = (int)lround(share * all);
    return rows < 1 ? 1 : rows > all - 1 ? all - 1 : rows;
}

/* Steps a run until it has measured so many batches or gives the CPU up. */
static int step_batches(ss_run *run, int batches, ss_err *err)
{
    double seconds;
    const ss_split *s = &run->split;
    for (int i = 0; i < MOST && s->on && !s->refused[0] && s->batches < batches; i++)
        if (ss_bench_step(run, CHUNK, &seconds, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* An iteration with this share of the rows on the CPU: the costs, then its seconds. */
static int time_share(const ss_bench_group *g, const ss_bench_case *c, ss_run *run, double share,
                      double least, ss_split_cost *cost, double *seconds, ss_err *err)
{
    char rows[16];
    snprintf(rows, sizeof rows, "%d", share > 0 ? rows_of(share, run->problem.ny) : 0);
    if (set_rows(g, c, run, rows, err) != SS_OK ||
        (share > 0 && step_batches(run, SS_SPLIT_WARM + FIXED, err) != SS_OK))
        return SS_FAIL;
    *cost = run->split.cost;
    return ss_bench_time(run, least, seconds, err);
}

/* e from a round with x of the rows on the CPU. Its kernels take longer than the GPU alone needs
 * for such rows (launches); like `auto`, this counts the difference with the exchange. */
static double exchange_of(const ss_split_cost *at, double x, double gpu)
{
    return ss_split_time(at, 1, x) - fmax(x * at->cpu, (1 - x) * gpu);
}

/* The rows that `auto` chooses, g, and a first x*. */
static int calibrate(const ss_bench_group *g, ss_bench_case *c, ss_run *run, ss_err *err)
{
    if (set_rows(g, c, run, "auto", err) != SS_OK || step_batches(run, BATCHES, err) != SS_OK)
        return SS_FAIL;
    c->found[ROWS] = run->split.rows;
    c->found[G] = run->split.cost.gpu;
    c->found[SHARE] = ss_split_best(&run->split.cost);
    return SS_OK;
}

/* One turn: T/g with each multiple of x*, as measured and by the model, whose c and e are measured
 * at x* and, c, at 2 x*. */
static int take_turn(const ss_bench_group *g, ss_bench_case *c, ss_run *run, double least,
                     ss_err *err)
{
    double x = c->found[SHARE], seconds[NAT];
    ss_split_cost cost[NAT];
    for (int i = 0; i < NAT; i++)
        if (time_share(g, c, run, multiples[i] * x, least, &cost[i], &seconds[i], err) != SS_OK)
            return SS_FAIL;
    c->found[C] = cost[BEST].cpu;
    c->found[E] = exchange_of(&cost[BEST], x, c->found[G]);
    c->found[FAR] = cost[TWICE].cpu;
    ss_split_cost m = cost_of(c);
    for (int i = 0; i < NAT; i++) {
        c->found[MODEL + i] = ss_split_time(&m, 1, multiples[i] * x) / seconds[0];
        c->found[REAL + i] = seconds[i] / seconds[0];
    }
    return SS_OK;
}

/* The turn with the median of measured over predicted. */
static int median_turn(const double model[TURNS], const double real[TURNS])
{
    double ratio[TURNS], middle;
    for (int i = 0; i < TURNS; i++)
        ratio[i] = real[i] / model[i];
    middle = ss_bench_median(ratio, TURNS);
    for (int i = 0; i < TURNS - 1; i++)
        if (real[i] / model[i] == middle)
            return i;
    return TURNS - 1;
}

/* What else the machine does changes the times within a second by more than the model is wrong, so
 * that shares take turns. A time predicted and the same time measured are of one turn, that with
 * the median ratio; of each other value the median counts. */
static int take_turns(const ss_bench_group *g, ss_bench_case *c, ss_run *run, double least,
                      ss_err *err)
{
    double found[NFOUND][TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
        if (take_turn(g, c, run, least, err) != SS_OK)
            return SS_FAIL;
        for (int i = 0; i < NFOUND; i++)
            found[i][turn] = c->found[i];
    }
    for (int i = 0; i < NAT; i++) {
        int turn = median_turn(found[MODEL + i], found[REAL + i]);
        c->found[MODEL + i] = found[MODEL + i][turn];
        c->found[REAL + i] = found[REAL + i][turn];
    }
    for (int i = 0; i < MODEL; i++)
        c->found[i] = ss_bench_median(found[i], TURNS);
    return SS_OK;
}

static double least_seconds(const ss_bench *b)
{
    return fmax(ss_bench_sample(b), LEAST);
}

/* Turns are mostly taken twice; a share's batches take as long as its timed step, or longer. */
double ss_bench_split_seconds(const ss_bench *b)
{
    return 2 * TURNS * NAT * 3 * least_seconds(b);
}

int ss_bench_find_split(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_run *run,
                        ss_err *err)
{
    double least = least_seconds(b);
    if (!ss_bench_take(g, c, run, 0))
        return SS_OK;
    if (!run->split.on) {
        snprintf(c->skipped, sizeof c->skipped, "needs a GPU beside the CPU: backend cuda");
        return SS_OK;
    }
    if (calibrate(g, c, run, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < TRIES; i++) {
        if (take_turns(g, c, run, least, err) != SS_OK)
            return SS_FAIL;
        ss_split_cost m = cost_of(c);
        double best = ss_split_best(&m);
        if (fabs(best - c->found[SHARE]) <= STAYS * best || i == TRIES - 1)
            break;
        c->found[SHARE] = best;
    }
    return SS_OK;
}

int ss_bench_find_devices(ss_bench *b, const ss_bench_group *g, ss_bench_case *c, ss_err *err)
{
    ss_config cfg;
    ss_err why = {0};
    ss_run *run = NULL;
    if (ss_bench_config(g, &c->set, &cfg, &why) == SS_OK &&
        ss_config_set(&cfg, "devices", "0,1", &why) == SS_OK &&
        ss_config_check(&cfg, NULL, &why) == SS_OK)
        run = ss_run_open(&cfg, NULL, NULL, &why);
    if (!run) {
        snprintf(c->skipped, sizeof c->skipped, "%.199s", why.text);
        return SS_OK;
    }
    int status = ss_bench_configure(run, &cfg, 0, err);
    if (status == SS_OK)
        status = ss_bench_time(run, ss_bench_sample(b), &c->found[DEVICES], err);
    ss_run_close(run);
    return status;
}

/* --- figures ---------------------------------------------------------------------------------- */

static double of_c(const ss_bench_at *at)
{
    return at->c->found[C];
}

static double of_far(const ss_bench_at *at)
{
    return at->c->found[FAR] > 0 ? at->c->found[FAR] : (double)NAN;
}

static double of_g(const ss_bench_at *at)
{
    return at->c->found[G];
}

static double of_e(const ss_bench_at *at)
{
    return at->c->found[E];
}

static double of_best(const ss_bench_at *at)
{
    ss_split_cost m = cost_of(at->c);
    return 100 * ss_split_best(&m);
}

static double of_gain(const ss_bench_at *at)
{
    ss_split_cost m = cost_of(at->c);
    return 100 * ss_split_gain(&m, 1);
}

static double of_rows(const ss_bench_at *at)
{
    return at->c->found[ROWS];
}

static void put_chosen(const ss_bench_at *at, char *buf, size_t size)
{
    if (of_rows(at) > 0)
        snprintf(buf, size, "%.0f rows", of_rows(at));
    else
        snprintf(buf, size, "GPU alone");
}

/* T/g with multiple i of x*. */
static double predicted(const ss_bench_at *at, int i)
{
    return at->c->found[MODEL + i];
}

static double measured(const ss_bench_at *at, int i)
{
    return at->c->found[REAL + i];
}

#define MULTIPLE(NAME, I)                                                                          \
    static double of_predicted_##NAME(const ss_bench_at *at)                                       \
    {                                                                                              \
        return predicted(at, I);                                                                   \
    }                                                                                              \
    static double of_measured_##NAME(const ss_bench_at *at)                                        \
    {                                                                                              \
        return measured(at, I);                                                                    \
    }                                                                                              \
    static void put_##NAME(const ss_bench_at *at, char *buf, size_t size)                          \
    {                                                                                              \
        snprintf(buf, size, "%.3f %.3f", predicted(at, I), measured(at, I));                       \
    }
MULTIPLE(none, 0)
MULTIPLE(half, 1)
MULTIPLE(best, 2)
MULTIPLE(double, 3)

static double of_two(const ss_bench_at *at)
{
    return at->c->found[DEVICES];
}

static double of_two_speedup(const ss_bench_at *at)
{
    return ss_bench_of_seconds(at) / of_two(at);
}

// clang-format off
#define ROW(their_heading, extra) \
    {"source", "", -14, .text = ss_bench_put_source}, \
    {"problem", .text = ss_bench_put_problem}, \
    {"label", "", -44, .text = ss_bench_put_label}, \
    {"theirs", their_heading, 14, .text = ss_bench_put_theirs}, \
    {"theirs_share", extra, 17, .text = ss_bench_put_extra}, \
    {NULL}

static const ss_bench_figure split_row[] = {ROW("speed-up", "share of the CPU")};
static const ss_bench_figure split[] = {
    {"seconds_cpu", "c", 9, "s", .value = of_c},
    {"seconds_cpu_at_double", "c at 2 x*", 9, "s", .value = of_far},
    {"seconds_gpu", "g", 9, "s", .value = of_g},
    {"seconds_exchange", "e", 9, "s", .value = of_e},
    {"best_share_percent", "x*, %", 6, .format = "%.2f", .value = of_best},
    {"gain_percent", "gain, %", 8, .format = "%.2f", .value = of_gain},
    {"rows", .whole = true, .value = of_rows},
    {NULL, "auto", 10, .text = put_chosen},
    {"seconds_per_iteration", "measured", 9, "s", .value = ss_bench_of_seconds},
    {0}};
static const ss_bench_figure shares_row[] = {ROW("speed-up", "at")};
static const ss_bench_figure shares[] = {
    {"predicted_0", .value = of_predicted_none},      {"measured_0", .value = of_measured_none},
    {"predicted_half", .value = of_predicted_half},   {"measured_half", .value = of_measured_half},
    {"predicted_best", .value = of_predicted_best},   {"measured_best", .value = of_measured_best},
    {"predicted_double", .value = of_predicted_double}, {"measured_double", .value = of_measured_double},
    {NULL, "T/g at 0", 12, .text = put_none},
    {NULL, "x*/2", 12, .text = put_half},
    {NULL, "x*", 12, .text = put_best},
    {NULL, "2 x*", 12, .text = put_double},
    {0}};
static const ss_bench_figure devices_row[] = {ROW("speed-up", "share of one")};
static const ss_bench_figure devices[] = {
    {"seconds_one", "one GPU", 9, "s", .value = ss_bench_of_seconds},
    {"seconds_two", "two", 9, "s", .value = of_two},
    {"speedup", "speed-up", 8, .format = "%.2f", .value = of_two_speedup},
    {0}};
// clang-format on

const ss_bench_table ss_bench_split_table = {split_row, split},
                     ss_bench_shares_table = {shares_row, shares},
                     ss_bench_devices_table = {devices_row, devices};
