/* Evaluates checks against observations: see runner.h. Headless runs give the baseline, the best
 * value of a parameter and the fields of bit-for-bit comparisons. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/settings.h"
#include "src/core/registry.h"
#include "src/lesson/runner.h"

/* --- reference runs --------------------------------------------------------------------------- */

static int step_by(ss_headless *h, int64_t cycles, ss_err *err)
{
    char line[40];
    snprintf(line, sizeof line, "step %lld", (long long)cycles);
    return ss_headless_line(h, line, err);
}

/* Solves the scenario. A scenario without an end advances as far as the student's run. */
static int solve_baseline(ss_runner *r, const ss_observation *x, ss_wanted wanted,
                          ss_observation *out, ss_err *err)
{
    if (!r->baseline && !(r->baseline = ss_headless_open(&r->scenario, &r->budget, err)))
        return SS_FAIL;
    const ss_observation *now = ss_headless_now(r->baseline);
    int status = SS_OK;
    if (now->has_end)
        status = ss_headless_line(r->baseline, "run", err);
    else if (now->iteration > x->iteration)
        status = ss_headless_line(r->baseline, "reset", err);
    int64_t missing = x->iteration - now->iteration, per_cycle = now->iterations_per_cycle;
    if (status == SS_OK && !now->has_end && missing > 0)
        status = step_by(r->baseline, (missing + per_cycle - 1) / per_cycle, err);
    return status == SS_OK ? ss_headless_observe(r->baseline, wanted, out, err) : SS_FAIL;
}

/* A quantity or a parameter, of the observed run or of the baseline. */
static int value_of(ss_runner *r, const ss_observation *x, const ss_check *c,
                    const ss_quantity_ref *q, double *out, ss_err *err)
{
    bool applies;
    ss_observation baseline;
    if (q->baseline) {
        if (solve_baseline(r, x, ss_wanted_by(c, 1, true), &baseline, err) != SS_OK)
            return SS_FAIL;
        x = &baseline;
    }
    if (q->row) {
        *out = x->value[q->row - ss_lesson_quantities];
        return SS_OK;
    }
    const ss_param *row = ss_param_find(&x->cfg, q->name, &applies);
    *out = applies ? ss_param_number(row, ss_config_value(&x->cfg, row)) : (double)NAN;
    return SS_OK;
}

static bool holds(double a, int op, double b)
{
    switch (op) {
    case SS_OP_LE:
        return a <= b;
    case SS_OP_GE:
        return a >= b;
    case SS_OP_LT:
        return a < b;
    case SS_OP_GT:
        return a > b;
    }
    return a >= b && a <= b;
}

#define BEST_MAX 33 /* values that best() tries */

/* Powers of two, or evenly spaced values of the row. */
static int candidates(const ss_config *cfg, const ss_param *row, double *out)
{
    double lo, hi;
    const char *why;
    int n = 0;
    ss_config_range(cfg, row, &lo, &hi, &why);
    uint32_t taken = row->type == SS_CHOICE ? ss_config_choices(cfg, row) : 0;
    bool doubles = (row->flags & (SS_P_POW2 | SS_P_LOG)) != 0;
    if (doubles && lo <= 0)
        lo = row->step > 0 ? row->step : 1;
    double step = fmax(row->step > 0 ? row->step : 1, (row->flags & SS_P_EVEN) ? 2 : 0);
    while (!doubles && (hi - lo) / step > BEST_MAX - 1)
        step *= 2;
    for (double v = lo; v <= hi && n < BEST_MAX; v = doubles ? 2 * v : v + step)
        if (row->type != SS_CHOICE || (taken >> (int)v & 1))
            out[n++] = v;
    return n;
}

/* The quantity after a run to the end with this config; NaN: it diverged. */
static int solve(const ss_runner *r, const ss_config *cfg, const ss_check *c, double *out,
                 ss_err *err)
{
    ss_observation x;
    const ss_wanted wanted = {UINT32_C(1) << (c->left.row - ss_lesson_quantities), false};
    ss_headless *h = ss_headless_open(cfg, &r->budget, err);
    int status = h ? ss_headless_line(h, "run", err) : SS_FAIL;
    if (status == SS_OK)
        status = ss_headless_observe(h, wanted, &x, err);
    if (status == SS_OK)
        *out = x.value[c->left.row - ss_lesson_quantities];
    ss_headless_close(h);
    return status;
}

static int try_value(const ss_runner *r, const ss_observation *x, const ss_check *c,
                     const ss_param *row, double value, double *best, ss_err *err)
{
    ss_err ignored;
    ss_config cfg = x->cfg;
    bool whole = row->type != SS_REAL_T && row->type != SS_DURATION;
    double v;
    cfg.v[row->slot] = (ss_value){.set = true};
    if (whole)
        cfg.v[row->slot].i = (int64_t)value;
    else
        cfg.v[row->slot].d = value;
    if (ss_config_check(&cfg, NULL, &ignored) != SS_OK)
        return SS_OK;
    if (solve(r, &cfg, c, &v, err) != SS_OK)
        return SS_FAIL;
    bool less = c->op == SS_OP_LE || c->op == SS_OP_LT || c->op == SS_OP_EQ;
    if (isnan(*best) || (less ? v < *best : v > *best))
        *best = isnan(v) ? *best : v;
    return SS_OK;
}

static int best_of(const ss_runner *r, const ss_observation *x, const ss_check *c, double *out,
                   ss_err *err)
{
    bool applies;
    double value[BEST_MAX];
    const ss_param *row = ss_param_find(&x->cfg, c->right.name, &applies);
    *out = NAN;
    if (!applies)
        return ss_fail(err, "best(%s): it does not apply to %s with %s", c->right.name,
                       ss_config_equation(&x->cfg)->name, ss_config_solver(&x->cfg)->name);
    if (!x->has_end)
        return ss_fail(err, "best(%s): the run has neither a tolerance nor a limit", c->right.name);
    int n = candidates(&x->cfg, row, value);
    for (int i = 0; i < n; i++)
        if (try_value(r, x, c, row, value[i], out, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* The config of `open ...` on top of the student's, without limits. */
static int unlimited(const ss_cmd *open, const ss_config *of, ss_config *out, ss_err *err)
{
    *out = *of;
    if (ss_open_words(open, out, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        if (row->group && strcmp(row->group, "Limits") == 0)
            out->v[row->slot] = (ss_value){.set = false};
    }
    return SS_OK;
}

/* The field of another solver after the same number of iterations. *whole: that number is a
 * multiple of *per_cycle, the iterations of one of its cycles. */
static int field_after(ss_runner *r, const ss_observation *x, const ss_check *c, bool *whole,
                       int64_t *per_cycle, ss_observation *out, ss_err *err)
{
    ss_config cfg;
    const ss_wanted field = {0, true};
    if (unlimited(&c->same, &x->cfg, &cfg, err) != SS_OK)
        return SS_FAIL;
    ss_headless *h = ss_headless_open(&cfg, &r->budget, err);
    if (!h)
        return SS_FAIL;
    *per_cycle = ss_headless_now(h)->iterations_per_cycle;
    *whole = x->iteration % *per_cycle == 0;
    int status = *whole ? step_by(h, x->iteration / *per_cycle, err) : SS_OK;
    if (*whole && status == SS_OK)
        status = ss_headless_observe(h, field, out, err);
    ss_headless_close(h);
    return status;
}

/* --- the forms of checks ------------------------------------------------------------------------
 */

static void set_reason(ss_check_result *out, const char *fmt, ...) SS_PRINTF(2, 3);

static void set_reason(ss_check_result *out, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(out->why, sizeof out->why, fmt, ap);
    va_end(ap);
}

/* An upper bound on a quantity that grows with every cycle is checked when the run has ended. */
static bool counts(const ss_observation *x, const ss_check *c)
{
    bool less = c->op == SS_OP_LE || c->op == SS_OP_LT;
    bool ended = x->reached || x->status == SS_CONVERGED || x->status == SS_LIMIT ||
                 x->status == SS_STAGNATED || !x->has_end;
    return !less || ended || !c->left.row || !c->left.row->effort || c->left.baseline;
}

static int compare(ss_runner *r, const ss_observation *x, const ss_check *c, ss_check_result *out,
                   ss_err *err)
{
    double left = NAN, right = c->number;
    bool due = counts(x, c) && (x->still || c->against != SS_RIGHT_BEST);
    int status = value_of(r, x, c, &c->left, &left, err);
    if (status == SS_OK && c->against == SS_RIGHT_QUANTITY)
        status = value_of(r, x, c, &c->right, &right, err);
    else if (status == SS_OK && c->against == SS_RIGHT_BEST && due)
        status = best_of(r, x, c, &right, err);
    if (status != SS_OK)
        return SS_FAIL;
    const char *of = c->left.baseline ? "baseline." : "", *name = c->left.name;
    bool known = !isnan(left), later = !x->still && c->left.row && c->left.row->slow;
    out->met = holds(left, c->op, c->factor * right);
    if (known)
        set_reason(out, "%s%s is %.6g, against %.6g", of, name, left, c->factor * right);
    else
        set_reason(out, "%s%s is not known", of, name);
    if (later)
        set_reason(out, "%s is measured when the run pauses", name);
    else if (known && !due)
        set_reason(out, "%s is %.6g so far: it counts when the run has ended", name, left);
    out->pending = later || (known && !due);
    return SS_OK;
}

static int same_as(ss_runner *r, const ss_observation *x, const ss_check *c, ss_check_result *out,
                   ss_err *err)
{
    bool whole;
    int64_t per_cycle;
    ss_observation other = {.field = NULL};
    out->pending = !x->field;
    set_reason(out, "the fields are compared when the run pauses");
    if (!x->field)
        return SS_OK;
    if (field_after(r, x, c, &whole, &per_cycle, &other, err) != SS_OK)
        return SS_FAIL;
    out->met =
        other.field && x->bytes == other.bytes && memcmp(x->field, other.field, x->bytes) == 0;
    if (whole)
        set_reason(out, "after %lld iterations the fields %s", (long long)x->iteration,
                   out->met ? "are equal, bit for bit" : "differ");
    else
        set_reason(out, "%lld iterations are not a whole number of cycles of %lld",
                   (long long)x->iteration, (long long)per_cycle);
    ss_observation_drop(&other);
    return SS_OK;
}

static void is_status(const ss_observation *x, bool met, ss_check_result *out)
{
    bool ended = !x->has_end || x->reached || x->status != SS_RUNNING;
    out->met = met;
    out->pending = !met && !ended;
    set_reason(out, "%s at cycle %lld", x->reached ? "converged" : ss_status_name(x->status),
               (long long)x->cycle);
}

void ss_evaluate(ss_runner *r, const ss_observation *x, const ss_check *c, ss_check_result *out)
{
    ss_err err;
    int status = SS_OK;
    *out = (ss_check_result){.pending = !x->begun, .why = "nothing has been solved yet"};
    if (!x->begun)
        return;
    if (c->form == SS_CHECK_COMPARE)
        status = compare(r, x, c, out, &err);
    else if (c->form == SS_CHECK_SAME_AS)
        status = same_as(r, x, c, out, &err);
    else
        is_status(x, c->form == SS_CHECK_DIVERGED ? x->status == SS_DIVERGED : x->reached, out);
    if (status == SS_OK)
        out->met = out->met && !out->pending;
    else
        *out = (ss_check_result){.failed = true};
    if (status != SS_OK)
        set_reason(out, "%.200s", err.text);
}

int ss_runner_check(ss_runner *r, const ss_lesson_step *s, ss_check_result out[SS_CHECKS_MAX],
                    ss_err *err)
{
    ss_observation x = {.field = NULL};
    if (r->run &&
        ss_headless_observe(r->run, ss_wanted_by(s->check, s->ncheck, false), &x, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < s->ncheck; i++)
        ss_evaluate(r, &x, &s->check[i], &out[i]);
    ss_observation_drop(&x);
    return SS_OK;
}

/* --- fairness --------------------------------------------------------------------------------- */

/* True if the author's commands set this parameter or open another run. */
static bool is_touched(const ss_script *answer, const ss_param *row)
{
    for (int i = 0; i < answer->count; i++)
        if ((answer->cmd[i]->verb->flags & SS_V_OPENS) ||
            (answer->cmd[i]->argc > 0 && strcmp(answer->cmd[i]->arg[0], row->name) == 0))
            return true;
    return false;
}

int ss_evaluate_fair(const ss_runner *r, const ss_config *cfg, const ss_lesson_step *s, ss_err *err)
{
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_find(cfg, ss_param_row(i)->name, NULL);
        bool problem = (row->flags & (SS_P_REOPEN | SS_P_RESET)) != 0 ||
                       (row->group && strcmp(row->group, "Limits") == 0);
        ss_value x = ss_config_value(&r->scenario, row), y = ss_config_value(cfg, row);
        if (problem && memcmp(&x.i, &y.i, sizeof x.i) != 0 &&
            !is_touched(&s->commands[SS_L_DO], row) &&
            !is_touched(&s->commands[SS_L_SOLUTION], row))
            return ss_fail(err, "%s differs from the lesson's", row->name);
    }
    return SS_OK;
}
