/* Measurements of `bench`: see kit.h. The seconds of a kernel are the run's own, by the device's
 * clock where it has one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/bench/kit.h"
#include "src/core/registry.h"

#define QUICK 4          /* with a single round, samples are shorter by this factor */
#define LONG 4           /* a sample, or the load before it, may take so many times its seconds */
#define WARM_UP 2        /* cycles */
#define SHORT 0.5        /* a sample below this part of the seconds it should have is short */
#define MORE 1.5         /* after such a sample: this many times the cycles that it suggests, */
#define SPARE 1.05       /* else this many times */
#define WARM_SECONDS 0.5 /* for measurements of the limits that do not count */
#define STEADY 0.02      /* times at one clock rate differ by less than this */
#define COUNT_CHUNK 8192 /* cycles per call while the cycles to the tolerance are counted */

/* --- measuring -------------------------------------------------------------------------------- */

/* The highest rate of the triad so far. */
static double highest_triad(const ss_bench *b)
{
    double highest = 0;
    for (int i = 0; i < b->nsample; i++)
        highest = fmax(highest, b->limit[0][i]);
    return highest;
}

static bool is_warm(const ss_bench *b)
{
    return b->nsample > 0 && b->limits[0].value >= (1 - STEADY) * highest_triad(b);
}

/* An idle device has another clock rate than a busy one, memory is slower when it is touched for
 * the first time, and copies of a problem that was just opened may still run. So the first time for
 * WARM_SECONDS, later until the triad is as fast as it was. */
static int measure_warm(ss_bench *b, ss_err *err)
{
    double until = ss_clock() + WARM_SECONDS;
    do {
        b->nlimit = b->backend->meter->measure(b->meter, b->limits, err);
        if (b->nlimit < 0)
            return SS_FAIL;
    } while (!is_warm(b) && ss_clock() < until);
    return SS_OK;
}

int ss_bench_limits(ss_bench *b, ss_err *err)
{
    if (measure_warm(b, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < b->nlimit && b->nsample < SS_SAMPLES_MAX; i++)
        b->limit[i][b->nsample] = b->limits[i].value;
    b->nsample += b->nsample < SS_SAMPLES_MAX;
    return SS_OK;
}

/* After an open: prepares the schedule once more, without what is only for pictures. */
static int hide(ss_run *run, ss_err *err)
{
    if (run->unseen)
        return SS_OK;
    run->ops->release(run);
    run->unseen = true;
    if (run->ops->prepare(run, err) == SS_OK)
        return SS_OK;
    run->status = SS_FAILED;
    return SS_FAIL;
}

/* A schedule serves any interval between checks, and is prepared once per case. */
int ss_bench_configure(ss_run *run, const ss_config *cfg, int64_t check_every, ss_err *err)
{
    if (ss_run_configure(run, cfg, err) != SS_OK || hide(run, err) != SS_OK)
        return SS_FAIL;
    run->tol = run->until_accuracy = run->until_error = 0;
    run->stop_at_tol = false;
    run->max_seconds = 0;
    run->max_cycles = -1;
    run->check_every = check_every;
    return SS_OK;
}

/* Iterations of a cycle, or time steps. */
static int per_cycle(const ss_run *run)
{
    return run->iterations_per_cycle / run->eq->nstage;
}

int ss_bench_take_with(const ss_bench_at *at, const char *name, const char *value, ss_err *err)
{
    ss_config cfg;
    if (ss_bench_config(at->g, &at->c->set, &cfg, err) != SS_OK ||
        (name && ss_config_set(&cfg, name, value, err) != SS_OK))
        return SS_FAIL;
    return ss_bench_configure(at->run, &cfg, 0, err);
}

bool ss_bench_take(const ss_bench_at *at)
{
    ss_err why;
    ss_bench_case *c = at->c;
    if (*c->skipped)
        return false;
    if (ss_bench_take_with(at, NULL, NULL, &why) == SS_OK) {
        c->per_cycle = per_cycle(at->run);
        return true;
    }
    snprintf(c->skipped, sizeof c->skipped, "%.199s", why.text);
    return false;
}

ss_run *ss_bench_open(ss_bench_group *g, ss_err *err)
{
    ss_config cfg;
    ss_run *run = NULL;
    ss_fail(err, "there is no case");
    for (int i = 0; i < g->ncase && !run; i++)
        if (ss_bench_config(g, &g->cases[i].set, &cfg, err) == SS_OK)
            run = ss_run_open(&cfg, NULL, NULL, err);
    return run;
}

int ss_bench_step(ss_run *run, int64_t cycles, double *seconds, ss_err *err)
{
    double before = run->seconds_solve;
    if (ss_run_step(run, cycles, err) != SS_OK)
        return SS_FAIL;
    *seconds = run->seconds_solve - before;
    return run->status == SS_RUNNING ? SS_OK : ss_fail(err, "bench: %s", run->message);
}

int ss_bench_restart(ss_run *run, int64_t cycles, double *seconds, ss_err *err)
{
    if (ss_run_reset(run, err) != SS_OK)
        return SS_FAIL;
    return cycles > 0 ? ss_bench_step(run, cycles, seconds, err) : SS_OK;
}

void ss_bench_bill(const ss_bench_at *at)
{
    const ss_run *run = at->run;
    double points = (double)run->problem.nx * run->problem.ny;
    at->c->triad[at->round] = at->b->limits[0].value;
    at->c->bytes = run->per_cycle.global_bytes / at->c->per_cycle;
    at->c->updates = run->eq->patches ? run->per_cycle.updates : points;
}

double ss_bench_sample(const ss_bench *b)
{
    return b->backend->meter->sample_seconds / (b->rounds > 1 ? 1 : QUICK);
}

/* The cycles of a first sample, from the seconds of one: as many as the backend requires, fewer
 * where these would take far longer than the sample has to. A cycle of the swept rule may be a
 * thousand steps, so they are counted in steps there. */
static int64_t first_sample(const ss_run *run, int each, double least, double cycle)
{
    int64_t cycles = (run->backend->meter->sample_cycles + each - 1) / each;
    if (least > 0 && (double)cycles * cycle > LONG * least)
        cycles = (int64_t)ceil(least / cycle);
    return cycles;
}

/* `cycles` cycles, and as many more as the sample needs. A short sample has the launches in it: the
 * next one takes more than its mean cycle says, so that there is no third. */
static int sample(ss_run *run, int64_t cycles, double least, double *out, ss_err *err)
{
    double seconds;
    for (;;) {
        if (ss_bench_step(run, cycles, &seconds, err) != SS_OK)
            return SS_FAIL;
        *out = seconds / (double)cycles;
        if (seconds >= least)
            return SS_OK;
        double margin = seconds < SHORT * least ? MORE : SPARE;
        double factor = margin * least / fmax(seconds, 1e-3 * least);
        cycles = (int64_t)ceil((double)cycles * factor);
    }
}

static int warm_cycles(const ss_run *run, int *each)
{
    *each = run->eq->kind == SS_TRANSIENT ? per_cycle(run) : 1;
    return (WARM_UP + *each - 1) / *each;
}

int ss_bench_time(ss_run *run, double least, double *out, ss_err *err)
{
    double seconds;
    int each, warm = warm_cycles(run, &each);
    if (ss_bench_step(run, warm, &seconds, err) != SS_OK)
        return SS_FAIL;
    return sample(run, first_sample(run, each, least, seconds / warm), least, out, err);
}

/* Two times differ by more than samples of one clock rate do. */
static bool differs(double a, double b)
{
    return fabs(a - b) > STEADY * b;
}

int ss_bench_time_loaded(const ss_bench *b, ss_run *run, double *load, double *out, ss_err *err)
{
    const ss_meter *meter = b->backend->meter;
    double least = ss_bench_sample(b), first, before = 0;
    int wanted = (int)ceil(meter->load_seconds / meter->sample_seconds);
    if (ss_bench_time(run, least, &first, err) != SS_OK)
        return SS_FAIL;
    *out = first;
    *load = 0;
    for (int n = 1; n < wanted || (differs(*out, before) && n < LONG * wanted); n++) {
        before = *out;
        if (sample(run, (int64_t)ceil(SPARE * least / before), least, out, err) != SS_OK)
            return SS_FAIL;
        *load = differs(*out, first) ? n * least : 0;
    }
    return SS_OK;
}

int ss_bench_time_again(ss_run *run, double load, double least, double cycle, double *out,
                        ss_err *err)
{
    double seconds;
    int each, warm = warm_cycles(run, &each);
    warm = load > warm * cycle ? (int)ceil(load / cycle) : warm;
    if (ss_bench_step(run, warm, &seconds, err) != SS_OK)
        return SS_FAIL;
    int64_t most = first_sample(run, each, 0, 0), cycles = (int64_t)ceil(SPARE * least / cycle);
    if (cycles < most) /* slow cycles: as few as in the first round */
        cycles = first_sample(run, each, least, cycle);
    return sample(run, cycles, least, out, err);
}

int64_t ss_bench_whole(const ss_bench *b)
{
    return b->rounds > 1 ? INT64_MAX : SS_BENCH_WHOLE;
}

int ss_bench_solve(const ss_bench *b, ss_run *run, int64_t cycles, int64_t whole, double *seconds,
                   ss_err *err)
{
    if (cycles <= whole)
        return ss_bench_step(run, cycles, seconds, err);
    if (ss_bench_time(run, ss_bench_sample(b), seconds, err) != SS_OK)
        return SS_FAIL;
    *seconds *= (double)cycles;
    return SS_OK;
}

/* A reset forgets u*, but a bench never changes the right-hand side. */
static int reset(ss_run *run, ss_err *err)
{
    struct ss_reference *exact = run->reference;
    run->reference = NULL;
    int status = ss_run_reset(run, err);
    run->reference = exact;
    return status;
}

int ss_bench_count(ss_run *run, const ss_config *cfg, int64_t *cycles, ss_err *err)
{
    if (ss_bench_configure(run, cfg, 1, err) != SS_OK || reset(run, err) != SS_OK)
        return SS_FAIL;
    run->until_error = ss_config_real(cfg, "until-error");
    run->tol = run->until_error > 0 ? 0 : ss_config_real(cfg, "until");
    run->max_cycles = run->until_error > 0 ? ss_config_int(cfg, "cycles") : -1;
    run->stop_at_tol = true;
    while (run->status == SS_RUNNING)
        if (ss_run_step(run, COUNT_CHUNK, err) != SS_OK)
            return SS_FAIL;
    *cycles = run->cycle;
    if (run->status == SS_LIMIT)
        return ss_fail(err, "the error is above %.3g after %lld cycles", run->until_error,
                       (long long)run->cycle);
    return run->status == SS_CONVERGED ? SS_OK : ss_fail(err, "bench: %s", run->message);
}

int ss_bench_to_tolerance(ss_run *run, int64_t *cycles, double *seconds, ss_err *err)
{
    if (ss_run_reset(run, err) != SS_OK)
        return SS_FAIL;
    run->stop_at_tol = run->seldom = true;
    while (run->status == SS_RUNNING)
        if (ss_run_step(run, COUNT_CHUNK, err) != SS_OK)
            return SS_FAIL;
    run->stop_at_tol = run->seldom = false;
    bool exact = run->ops->caps & SS_CAP_EXACT;
    *cycles = *cycles > 0 ? *cycles : run->cycle;
    *seconds = run->seconds_solve * (double)*cycles / (double)run->cycle;
    if (run->status == SS_CONVERGED && (run->cycle == *cycles || !exact))
        return SS_OK;
    return ss_fail(err, "bench: the run ended at cycle %lld, an earlier one at %lld: %s",
                   (long long)run->cycle, (long long)*cycles, run->message);
}

/* --- transfers -------------------------------------------------------------------------------- */

static size_t field_bytes(const ss_run *run)
{
    return (size_t)run->problem.nx * (size_t)run->problem.ny * ss_prec_size(run->prec);
}

int ss_bench_transfer(ss_run *run, int which, void *rows, bool up, double *seconds, ss_err *err)
{
    double started = ss_clock();
    int ny = run->problem.ny, nfield = which == 1 ? 1 : run->problem.nfield, status = SS_OK;
    for (int f = 0; f < nfield && status == SS_OK; f++) {
        char *at = (char *)rows + (size_t)f * field_bytes(run);
        status = up ? run->backend->upload(run, which, f, 0, 0, ny, at, err)
                    : run->backend->download(run, which, f, 0, 0, ny, at, err);
    }
    *seconds = ss_clock() - started;
    return status;
}

int ss_bench_copy_fields(const ss_bench_at *at, ss_err *err)
{
    double seconds;
    ss_bench *b = at->b;
    ss_run *run = at->run;
    size_t bytes = field_bytes(run) * (size_t)run->problem.nfield;
    b->fields = ss_alloc(bytes, "the fields", err);
    b->result = b->fields ? ss_alloc(bytes, "the result", err) : NULL;
    if (!b->result || ss_bench_transfer(run, 0, b->fields, false, &seconds, err) != SS_OK)
        return SS_FAIL;
    if (run->eq->kind == SS_TRANSIENT)
        return SS_OK;
    b->rhs = ss_alloc(field_bytes(run), "the right-hand side", err);
    return b->rhs ? ss_bench_transfer(run, 1, b->rhs, false, &seconds, err) : SS_FAIL;
}

int ss_bench_solve_from_host(const ss_bench_at *at, int64_t whole, double *moved, double *solve,
                             ss_err *err)
{
    ss_bench *b = at->b;
    ss_run *run = at->run;
    double up, down, rhs = 0;
    if (ss_run_reset(run, err) != SS_OK ||
        ss_bench_transfer(run, 0, b->fields, true, &up, err) != SS_OK ||
        (b->rhs && ss_bench_transfer(run, 1, b->rhs, true, &rhs, err) != SS_OK) ||
        ss_bench_solve(b, run, at->c->cycles, whole, solve, err) != SS_OK ||
        ss_bench_transfer(run, 0, b->result, false, &down, err) != SS_OK)
        return SS_FAIL;
    *moved = up + rhs + down;
    b->transfers++;
    b->upload += (up + rhs - b->upload) / b->transfers;
    b->download += (down - b->download) / b->transfers;
    return SS_OK;
}

/* --- equal accuracy --------------------------------------------------------------------------- */

/*
 * Equal accuracy, for asynchronous solvers: the launches after which a solver is as near to a
 * reference as classic Jacobi is after SS_BENCH_T iterations. Accuracy is max |u - ref| / max
 * |ref|, and ref is the field after 4096 Jacobi iterations from the same start, as in the paper on
 * wild asynchrony. See kit.h.
 */

#define STRIDES 5  /* errors computed within T iterations, before every launch is tried */
#define TOO_LONG 4 /* gives up after this many times T */

/* Single precision fills the first half of the array; widened in place, from the end. */
static void widen(double *values, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        float v;
        memcpy(&v, (const char *)values + i * sizeof v, sizeof v);
        values[i] = (double)v;
    }
}

static double largest_of(const double *values, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static int error_now(const ss_bench *b, ss_run *run, double *out, ss_err *err)
{
    if (run->backend->reduce(run, NULL, b->fields, out, err) != SS_OK)
        return SS_FAIL;
    *out /= b->largest;
    return SS_OK;
}

int ss_bench_reference(const ss_bench_at *at, ss_err *err)
{
    double seconds;
    ss_bench *b = at->b;
    ss_run *run = at->run;
    size_t n = (size_t)run->problem.nx * (size_t)run->problem.ny;
    if (!ss_bench_take(at))
        return ss_fail(err, "%s", at->c->skipped);
    double *reference = b->fields = ss_alloc(n * sizeof *reference, "the reference", err);
    if (!reference || ss_bench_restart(run, SS_BENCH_REFERENCE, &seconds, err) != SS_OK ||
        ss_bench_transfer(run, 0, reference, false, &seconds, err) != SS_OK)
        return SS_FAIL;
    if (run->prec == SS_F32)
        widen(reference, n);
    b->largest = largest_of(reference, n);
    return ss_bench_restart(run, SS_BENCH_T, &seconds, err) == SS_OK
               ? error_now(b, run, &b->target, err)
               : SS_FAIL;
}

/* Runs `start` launches, then strides of launches until the error is below the target. *launches:
 * the crossing, interpolated in the logarithm of the error; 0: the error never falls below the
 * target. */
static int cross(const ss_bench *b, ss_run *run, int64_t start, int64_t stride, double *launches,
                 ss_err *err)
{
    double before = 0, now, seconds;
    int64_t most = TOO_LONG * SS_BENCH_T / run->iterations_per_cycle + 1;
    *launches = 0;
    if (ss_bench_restart(run, start, &seconds, err) != SS_OK ||
        error_now(b, run, &now, err) != SS_OK)
        return SS_FAIL;
    while (now > b->target && run->cycle < most) {
        before = now;
        if (ss_bench_step(run, stride, &seconds, err) != SS_OK ||
            error_now(b, run, &now, err) != SS_OK)
            return SS_FAIL;
    }
    if (now <= b->target && before > 0)
        *launches = (double)run->cycle - (double)stride * log(b->target / now) / log(before / now);
    else if (now <= b->target)
        *launches = (double)run->cycle; /* it started there */
    return SS_OK;
}

int ss_bench_find_launches(const ss_bench_at *at, ss_err *err)
{
    double *launches = &at->c->found[SS_BENCH_LAUNCHES];
    int64_t stride = SS_BENCH_T / STRIDES / at->run->iterations_per_cycle;
    if (cross(at->b, at->run, 0, stride > 0 ? stride : 1, launches, err) != SS_OK)
        return SS_FAIL;
    int64_t near = (int64_t)*launches - 1;
    if (*launches > 0 && stride > 1 &&
        cross(at->b, at->run, near > 0 ? near : 0, 1, launches, err) != SS_OK)
        return SS_FAIL;
    at->c->found[SS_BENCH_TEFF] = *launches * at->c->per_cycle / SS_BENCH_T;
    if (*launches == 0)
        snprintf(at->c->skipped, sizeof at->c->skipped, "not as accurate as %d iterations after %d",
                 SS_BENCH_T, TOO_LONG * SS_BENCH_T);
    return SS_OK;
}
