/* Residual checks at cycles of the run's own choice, and stagnation of steady runs: see
 * checks.h. */
#include "src/run/checks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/run/parts.h"

/* --- checks ----------------------------------------------------------------------------------- */

#define MARGIN 0.01  /* of the tolerance, from which on each cycle is checked */
#define STEEPER 2.0  /* the residual may fall so much faster than it did */
#define LONGER 2     /* a wait over the stretch on which the fall was measured */
#define LEAST 16     /* cycles that a wait may always take */
#define PART 4       /* no wait is longer than the cycles so far divided by it */
#define BASE 32      /* the stretch is at least the cycles so far divided by it */
#define ROUNDING 1e3 /* times the rounding floor: each residual below this is checked */

/* The relative residual at which rounding ends its fall; NaN: unknown. */
static double rounding_floor(const ss_run *run)
{
    double unit = run->prec == SS_F64 ? DBL_EPSILON / 2 : (double)FLT_EPSILON / 2;
    double radius = ss_config_spectral_radius(&run->cfg);
    return radius < 1 ? unit / (1 - radius) : (double)NAN;
}

/* The relative residual from which on each cycle is checked; 0: never. */
static double aim_of(const ss_run *run)
{
    double goal = run->reached ? 0 : ss_run_goal(run);
    return goal > 0 ? fmax(goal, ROUNDING * rounding_floor(run)) : 0;
}

/* Not with processes that are asked for, MPI ranks: there a norm for a picture costs messages, and
 * one in a cycle travels with its halos. */
bool ss_run_checks_seldom(const ss_run *run)
{
    const ss_equation *eq = run->eq;
    return run->seldom && run->no_stride && !run->backend->asked_by && eq->kind == SS_STEADY &&
           run->solver->falls_steadily && !run->split.on && !run->load &&
           !(eq->asymmetric && eq->asymmetric(&run->problem)) && isfinite(rounding_floor(run));
}

/* The norm with which the newest one is compared. */
static int base_of(const ss_factors *f)
{
    int64_t newest = f->cycle[f->n - 1];
    int at = f->n - 2;
    while (at > 0 && newest - f->cycle[at] < newest / BASE)
        at--;
    return at;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* x as a number of cycles, at most `most`, at least 1. */
static int64_t whole(double x, int64_t most)
{
    return x < (double)most ? larger((int64_t)x, 1) : most;
}

/* Cycles from the last norm to the next one. *each: the cycles until then have theirs, too. */
static int64_t wait_of(const ss_run *run, bool *each)
{
    const ss_factors *f = &run->factors;
    *each = false;
    if (f->n < 2)
        return 1;
    int newest = f->n - 1, base = base_of(f);
    int64_t length = f->cycle[newest] - f->cycle[base];
    int64_t most = larger(LEAST, run->residual_cycle / PART);
    double fall = log(f->residual[base] / f->residual[newest]) / (double)length;
    double aim = aim_of(run) * run->residual0;
    double left = aim > 0 ? log(run->residual / aim) : (double)INFINITY;
    *each = left <= MARGIN;
    if (*each) /* the step ends at the tolerance: a long wait does no harm */
        return most;
    if (!(fall > 0))
        return larger(length / LONGER, 1);
    return whole((left - MARGIN) / (STEEPER * fall), smaller(most, LONGER * length));
}

/* Does one stretch, at most up to cycle `end`, or the norm after it. *ended: so does the step. */
static int advance_stretch(ss_run *run, int64_t end, bool *ended, ss_err *err)
{
    bool each;
    int64_t before = run->cycle, until = run->residual_cycle + wait_of(run, &each);
    if (until <= before && !each)
        return ss_run_take_norm(run, true, err);
    int64_t to = smaller(larger(until, before + 1), end);
    run->check_every = each ? 1 : 0;
    int status = ss_run_advance(run, to - before, err);
    run->chained = true; /* for the ledger all stretches are one chain of cycles */
    *ended = run->cycle < to;
    return status;
}

int ss_run_advance_seldom(ss_run *run, int64_t cycles, ss_err *err)
{
    int64_t every = run->check_every, end = run->cycle + cycles;
    bool chained = run->chained, ended = false;
    int status = run->residual_cycle < 0 ? ss_run_take_norm(run, true, err) : SS_OK;
    while (status == SS_OK && !ended && run->status == SS_RUNNING && run->cycle < end &&
           !ss_run_abandoned(run))
        status = advance_stretch(run, end, &ended, err);
    run->check_every = every;
    run->chained = chained;
    return status;
}

/* --- stagnation ------------------------------------------------------------------------------- */

#define SOONEST 32 /* checked cycles without progress */
#define PARTS 4    /* judgements while the number of cycles doubles */
#define FLOORS 30  /* of rounding errors, times eps |A| |u| */
#define SWINGS 30  /* of the residual on its floor: the largest over the least */
#define RECORDS 4  /* at most one of so many residuals is the least so far */
#define PLATEAU 20 /* of conjugate gradients, times the points along the axes */

/* Only a run that would go on to its goal. */
static bool is_judged(const ss_run *run)
{
    bool goal = ss_run_goal(run) > 0 || run->until_accuracy > 0;
    bool said = run->factors.n > 0 && run->factors.stands.said;
    return run->eq->kind == SS_STEADY && run->status == SS_RUNNING && goal && run->stop_at_tol &&
           !run->reached && !said;
}

/* The first of the judged cycles from `cycle` on, counted from the first residual: 4, 5, 6, 7, 8,
 * 10, 12, 14, 16, 20 … */
static int64_t judged_from(int64_t cycle)
{
    int64_t step = 1;
    while (2 * PARTS * step <= cycle)
        step *= 2;
    return (cycle + step - 1) / step * step;
}

/* The cycles since the first residual after which the run may have stagnated. */
static int64_t earliest(const ss_run *run)
{
    const ss_standstill *s = &run->factors.stands;
    int64_t taken = s->cycle - s->start;
    return taken + larger(taken, SOONEST * larger(run->check_every, 1));
}

int64_t ss_run_until_judged(const ss_run *run)
{
    if (!is_judged(run))
        return INT64_MAX;
    if (run->factors.n == 0) /* no residual yet */
        return SOONEST * larger(run->check_every, 1);
    int64_t now = run->cycle - run->factors.stands.start;
    return judged_from(larger(earliest(run), now + 1)) - now;
}

static bool is_due(const ss_run *run)
{
    int64_t now = run->cycle - run->factors.stands.start;
    return now >= earliest(run) && judged_from(now) == now &&
           run->factors.stands.checks >= SOONEST / 2;
}

/* --- rounding --------------------------------------------------------------------------------- */

/* The residual from which rounding errors cannot be told. */
static int find_floor(ss_run *run, double *out, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t points = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    double unit = run->prec == SS_F64 ? DBL_EPSILON / 2 : (double)FLT_EPSILON / 2, largest = 0;
    double *zero = ss_alloc(points * sizeof *zero, "zeros, from which the field deviates", err);
    int status = zero ? run->backend->reduce(run, NULL, zero, &largest, err) : SS_FAIL;
    free(zero);
    *out = unit * ss_run_matrix_norm(run) * largest * sqrt((double)points);
    return status;
}

/* "1e-5": the least of 1, 2 and 5 times a power of ten that is not below x < 1. */
static const char *round_above(double x, char *buf, size_t size)
{
    static const int steps[] = {1, 2, 5};
    int power = 0, i = 0;
    while (x < pow(10, power))
        power--;
    while (i < 3 && steps[i] * pow(10, power) < x)
        i++;
    snprintf(buf, size, "%de%d", i < 3 ? steps[i] : 1, i < 3 ? power : power + 1);
    return buf;
}

/* ", --precision f64, or --until 1e-5": what the floor allows. */
static void advise(const ss_run *run, double least, char *buf, size_t size)
{
    double finer = least * DBL_EPSILON / (double)FLT_EPSILON;
    bool narrow = run->prec == SS_F32 && ss_run_goal(run) > finer;
    char until[24];
    *buf = '\0';
    if (run->tol > 0 && least < 1)
        snprintf(buf, size, ": %s--until %s", narrow ? "--precision f64, or " : "",
                 round_above(least, until, sizeof until));
    else if (narrow)
        snprintf(buf, size, ": --precision f64");
}

static void say_rounding(ss_run *run, double least)
{
    static const char *const precision[SS_NPREC] = {[SS_F64] = "double", [SS_F32] = "single"};
    char advice[80], about[24];
    advise(run, least, advice, sizeof advice);
    snprintf(run->message, sizeof run->message,
             "stagnated at cycle %lld: the residual cannot fall below about %s of the first in "
             "%s precision%s",
             (long long)run->cycle, ss_format_sci(least, about, sizeof about), precision[run->prec],
             advice);
}

static int judge_rounding(ss_run *run, ss_err *err)
{
    const ss_standstill *s = &run->factors.stands;
    double floor;
    if (RECORDS * s->records > s->checks || s->most > SWINGS * s->least)
        return SS_OK;
    if (find_floor(run, &floor, err) != SS_OK)
        return SS_FAIL;
    if (s->least <= FLOORS * floor) {
        run->status = SS_STAGNATED;
        say_rounding(run, s->least / run->residual0);
    }
    return SS_OK;
}

/* --- conjugate gradients ---------------------------------------------------------------------- */

static void judge_plateau(ss_run *run)
{
    const ss_problem *p = &run->problem;
    const char *cause = ss_run_suspect(run);
    int64_t stood = (run->cycle - run->factors.stands.cycle) * run->iterations_per_cycle;
    if (!run->solver->krylov || stood < PLATEAU * ((int64_t)p->nx + p->ny + p->nz))
        return;
    run->status = SS_STAGNATED;
    snprintf(run->message, sizeof run->message,
             "stagnated at cycle %lld: the residual has not fallen for %lld iterations%s%s",
             (long long)run->cycle, (long long)stood, cause ? ", " : "", cause ? cause : "");
}

/* --- both ------------------------------------------------------------------------------------- */

int ss_run_judge(ss_run *run, ss_err *err)
{
    if (!is_judged(run) || run->factors.n == 0 || !is_due(run))
        return SS_OK;
    judge_plateau(run);
    if (run->status == SS_RUNNING && judge_rounding(run, err) != SS_OK)
        return SS_FAIL;
    run->factors.stands.said = run->status == SS_STAGNATED;
    return SS_OK;
}
