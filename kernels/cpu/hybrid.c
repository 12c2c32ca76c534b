/* Hybrid runs: see hybrid.h. */
#include "kernels/cpu/hybrid.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/state.h"

/* --- the CPU's arrays ------------------------------------------------------------------------- */

static void *array_of(const ss_hybrid *h, int i)
{
    return i == SS_HYBRID_RHS ? h->state.rhs : h->state.u[i];
}

/* Zeroes rows that were never written, each by the thread that will update it: first touch places
 * them in its memory. */
static void touch(ss_hybrid *h, int rows)
{
    int from = h->touched, n = rows - from;
    size_t row = (size_t)h->state.box.sy * ss_prec_size(h->cpu.prec);
    if (n <= 0)
        return;
#pragma omp parallel num_threads(ss_run_threads(&h->cpu))
    {
        int t = omp_get_thread_num(), team = omp_get_num_threads();
        int lo = from + ss_team_row(n, t, team), hi = from + ss_team_row(n, t + 1, team);
        for (int i = 0; i <= SS_HYBRID_RHS; i++)
            memset((char *)array_of(h, i) + row * (size_t)(lo + 1), 0, row * (size_t)(hi - lo));
    }
    h->touched = rows;
}

/* The CPU's run has the config and the coefficients of the whole run. Its sweeps are short: they
 * are not interrupted, since a round that was begun must end on both parts. */
static void follow(ss_hybrid *h, const ss_run *run)
{
    void *scratch = h->cpu.scratch;
    h->cpu = *run;
    h->cpu.backend = &ss_backend_cpu;
    h->cpu.ops = &ss_cpu_jacobi;
    h->cpu.problem.cfg = &h->cpu.cfg;
    h->cpu.state = &h->state;
    h->cpu.scratch = scratch;
    h->cpu.abandon = NULL;
}

static int make_arrays(ss_hybrid *h, ss_err *err)
{
    size_t bytes = h->state.box.count * ss_prec_size(h->cpu.prec);
    size_t row = (size_t)h->state.box.sy * ss_prec_size(h->cpu.prec);
    h->state.u[0] = ss_memory_untouched(bytes, "the CPU's rows", err);
    h->state.u[1] = h->state.u[0] ? ss_memory_untouched(bytes, "the CPU's rows", err) : NULL;
    h->state.rhs = h->state.u[1] ? ss_memory_untouched(bytes, "the CPU's rows", err) : NULL;
    for (int i = 0; i <= SS_HYBRID_RHS && h->state.rhs; i++)
        memset(array_of(h, i), 0, row); /* the boundary, row -1 */
    return h->state.rhs ? SS_OK : SS_FAIL;
}

/* --- division --------------------------------------------------------------------------------- */

static void note_rows(const ss_hybrid *h, ss_run *run)
{
    ss_split *s = &run->split;
    s->on = true;
    s->automatic = h->choice.automatic;
    s->settled = h->tuner.settled;
    s->rows = h->rows;
    s->all = h->all;
    s->k = h->length;
}

/* Gives the CPU so many rows. All fields are on the other part when this returns, and the CPU's are
 * old. */
static int divide(ss_hybrid *h, int rows, ss_err *err)
{
    if (ss_hybrid_settle(h, 0, err) != SS_OK || ss_hybrid_settle(h, 1, err) != SS_OK)
        return SS_FAIL;
    h->rows = rows;
    h->state.stream =
        3 * (size_t)rows * (size_t)h->state.box.sy * ss_prec_size(h->cpu.prec) > ss_memory_cache();
    ss_hybrid_changed(h);
    if (rows == 0)
        return SS_OK;
    touch(h, rows + h->depth);
    return h->part.divide(h->part.self, rows, err);
}

int ss_hybrid_make(ss_hybrid *h, ss_run *run, const ss_box *box, const ss_hybrid_part *part,
                   const ss_split_choice *choice, int depth, int *cur, ss_err *err)
{
    memset(h, 0, sizeof *h);
    h->part = *part;
    h->choice = *choice;
    h->tuner.given = !choice->automatic;
    h->depth = h->length = depth;
    h->all = box->ny;
    h->cur = cur;
    h->state.box = *box;
    follow(h, run);
    if (make_arrays(h, err) != SS_OK || ss_cpu_jacobi.prepare(&h->cpu, err) != SS_OK)
        return SS_FAIL;
    int rows = choice->automatic ? ss_split_guess(h->all, depth) : choice->rows;
    if (divide(h, rows, err) != SS_OK)
        return SS_FAIL;
    memset(&run->split, 0, sizeof run->split);
    note_rows(h, run);
    return SS_OK;
}

void ss_hybrid_free(ss_hybrid *h)
{
    if (h->cpu.scratch)
        ss_cpu_jacobi.release(&h->cpu);
    for (int i = 0; i <= SS_HYBRID_RHS; i++)
        free(array_of(h, i));
    memset(&h->state, 0, sizeof h->state);
}

/* --- one copy of the field -------------------------------------------------------------------- */

int ss_hybrid_settle(ss_hybrid *h, int array, ss_err *err)
{
    if (!h->part_old[array])
        return SS_OK;
    h->part_old[array] = false;
    return h->part.copy(h->part.self, array, 0, h->rows, true, err);
}

void ss_hybrid_changed(ss_hybrid *h)
{
    h->cpu_old = true;
    h->part_old[0] = h->part_old[1] = false;
}

/* The CPU's rows and both halos are those of the current field. */
static int refresh(ss_hybrid *h, ss_err *err)
{
    const ss_hybrid_part *p = &h->part;
    int x = h->rows, k = h->depth, cur = *h->cur;
    int status = SS_OK;
    if (h->cpu_old) {
        status = p->copy(p->self, cur, -1, x + k, false, err);
        if (status == SS_OK)
            status = p->copy(p->self, SS_HYBRID_RHS, -1, x + k, false, err);
    } else if (!h->fresh) {
        status = p->copy(p->self, cur, x - k, x, true, err);
        if (status == SS_OK)
            status = p->copy(p->self, cur, x, x + k, false, err);
    }
    h->cpu_old = h->cpu_old && status != SS_OK;
    h->fresh = status == SS_OK;
    return status;
}

/* --- a round ---------------------------------------------------------------------------------- */

/* Fewer than in other runs: the threads were awake a moment ago. */
#define UPDATES_PER_THREAD 8192.0

/* One iteration of rows [0, rows) from u[from]. */
static void sweep(ss_hybrid *h, int from, int rows, double *squares)
{
    double team = (double)rows * h->state.box.nx / UPDATES_PER_THREAD;
    int most = ss_run_threads(&h->cpu);
    h->state.team = team < 2 ? 1 : team < most ? (int)team : most;
    h->state.cur = from;
    h->state.box.ny = rows;
    ss_sweeps_once(&h->cpu, squares);
    h->state.box.ny = h->all;
}

static void add_round(ss_hybrid *h, int n, double round, double cpu, const ss_hybrid_times *t)
{
    ss_hybrid_batch *b = &h->batch;
    double redundant = 0.5 * n * (n - 1);
    b->rounds++;
    b->iterations += n;
    b->cpu_rows += (double)n * h->rows + redundant;
    b->part_rows += (double)n * (h->all - h->rows) + redundant;
    b->seconds += round;
    b->cpu += cpu;
    b->part.up += t->up;
    b->part.kernel += t->kernel;
    b->part.down += t->down;
}

/* n iterations, and an exchange; *squares: of the last iteration, if `norm`. */
static int do_round(ss_hybrid *h, int n, bool norm, double *squares, ss_err *err)
{
    const ss_hybrid_part *p = &h->part;
    int from = *h->cur, to = (from + n) & 1;
    double others = 0, started = ss_clock();
    ss_hybrid_times times = {0, 0, 0};
    if (p->begin(p->self, from, n, norm, err) != SS_OK)
        return SS_FAIL;
    double begun = ss_clock();
    for (int i = 0; i < n; i++)
        sweep(h, (from + i) & 1, h->rows + n - 1 - i, norm && i == n - 1 ? squares : NULL);
    double ended = ss_clock();
    if (p->finish(p->self, to, &times, &others, err) != SS_OK)
        return SS_FAIL;
    *squares += others;
    h->part_old[1 - from] = true;
    h->part_old[from] = h->part_old[from] || n > 1;
    h->fresh = true;
    add_round(h, n, ss_clock() - started, ended - begun, &times);
    return SS_OK;
}

static bool is_checked(const ss_run *run, int64_t cycle)
{
    return run->check_every > 0 && cycle % run->check_every == 0 && run->residual_cycle != cycle;
}

/* Iterations of the next round: up to the next checked one; *norm: that one is the last. */
static int length_of(const ss_hybrid *h, const ss_run *run, int64_t left, bool *norm)
{
    int n = 0;
    *norm = false;
    while (n < h->depth && n < left && !*norm)
        *norm = is_checked(run, run->cycle + n++);
    return n;
}

/* Reports the cycles of a round. False: the last one is dropped, and the run has ended. */
static bool report(ss_hybrid *h, ss_run *run, int n, double squares)
{
    for (int i = 0; i < n; i++) {
        if (ss_run_wants_norm(run) && !ss_run_norm(run, run->coef.residual * sqrt(squares))) {
            h->fresh = false;
            return false;
        }
        *h->cur = 1 - *h->cur;
        ss_run_cycle_done(run);
    }
    return true;
}

/* --- batches ---------------------------------------------------------------------------------- */

#define BATCH_SECONDS 0.02 /* a batch lasts at least so long, */
#define BATCH_ROUNDS 16    /* and has so many rounds */

/* Where the time of a mean round went. What its kernels take longer than the other part alone
 * needs for such rows is latency, which belongs to the exchange. */
static ss_split_bars bars_of(ss_hybrid *h)
{
    const ss_hybrid_batch *b = &h->batch;
    double n = b->rounds, kernel = b->part.kernel / n, cpu = b->cpu / n;
    if (h->alone > 0 && h->tuner.batches == SS_SPLIT_WARM)
        h->latency = fmax(0, kernel - b->part_rows / n / h->all * h->alone);
    kernel = fmax(kernel - h->latency, 0);
    return (ss_split_bars){.up = b->part.up / n,
                           .kernel = kernel,
                           .down = b->part.down / n,
                           .cpu = cpu,
                           .wait = fabs(cpu - kernel),
                           .exchange = fmax(b->seconds / n - fmax(cpu, kernel), 0)};
}

/* The costs that a batch has measured. */
static ss_split_cost cost_of(const ss_hybrid *h, const ss_split_bars *mean)
{
    const ss_hybrid_batch *b = &h->batch;
    double n = b->rounds;
    return (ss_split_cost){.cpu = mean->cpu * n / b->cpu_rows * h->all,
                           .gpu = mean->kernel * n / b->part_rows * h->all,
                           .exchange = mean->exchange};
}

static void note_batch(const ss_hybrid *h, const ss_split_bars *bars, ss_run *run)
{
    ss_split *s = &run->split;
    s->batches = h->tuner.batches;
    s->cost = h->tuner.mean;
    s->measured = h->batch.seconds / (double)h->batch.iterations;
    s->bars = *bars;
}

/* `auto` has found that the other part alone is faster. */
static void note_refusal(const ss_hybrid *h, ss_run *run)
{
    ss_split *s = &run->split;
    ss_split_explain(&h->tuner.mean, h->length, s->refused, sizeof s->refused);
    snprintf(run->message, sizeof run->message, "split auto: %s", s->refused);
    s->measured = h->tuner.mean.gpu;
    memset(&s->bars, 0, sizeof s->bars);
}

static int end_batch(ss_hybrid *h, ss_run *run, ss_err *err)
{
    ss_split_bars bars = bars_of(h);
    ss_split_cost cost = cost_of(h, &bars);
    ss_split_measured(&h->tuner, &cost);
    note_batch(h, &bars, run);
    h->length = (int)lround((double)h->batch.iterations / h->batch.rounds);
    memset(&h->batch, 0, sizeof h->batch);
    int rows = h->rows;
    if (h->choice.automatic)
        rows = ss_split_move(&h->tuner, h->length, h->rows, h->all, h->depth);
    if (rows != h->rows && divide(h, rows, err) != SS_OK)
        return SS_FAIL;
    if (rows == 0)
        note_refusal(h, run);
    note_rows(h, run);
    return SS_OK;
}

static bool is_batch(const ss_hybrid_batch *b)
{
    return b->rounds >= BATCH_ROUNDS && b->seconds >= BATCH_SECONDS;
}

static int advance(ss_hybrid *h, ss_run *run, int64_t *cycles, ss_err *err)
{
    while (*cycles > 0 && h->rows > 0 && !ss_run_abandoned(run)) {
        bool norm;
        double squares = 0;
        int n = length_of(h, run, *cycles, &norm);
        if (refresh(h, err) != SS_OK || do_round(h, n, norm, &squares, err) != SS_OK)
            return SS_FAIL;
        *cycles -= n;
        if (!report(h, run, n, squares))
            *cycles = 0;
        if (is_batch(&h->batch) && end_batch(h, run, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

int ss_hybrid_step(ss_hybrid *h, ss_run *run, int64_t *cycles, ss_err *err)
{
    double started = ss_clock(), earlier = run->step_seconds > 0 ? run->step_seconds : 0;
    if (h->rows == 0)
        return SS_OK;
    run->step_seconds = -1;
    follow(h, run);
    run->start_kept = false;
    ss_team_enter(run);
    int status = advance(h, run, cycles, err);
    ss_team_leave(run);
    run->step_seconds = earlier + ss_clock() - started;
    return status;
}
