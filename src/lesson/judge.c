/* What checks make of a run: see document.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/checkpoint.h"
#include "src/lesson/parts.h"
#include "src/core/open.h"
#include "src/core/registry.h"
#include "src/core/run.h"

/* --- exhibits --------------------------------------------------------------------------------- */

static void measure(ss_run *run, const ss_quantity_ref *q, ss_exhibit *out)
{
    if (q->row && !q->baseline && (out->still || !q->row->slow))
        out->value[q->row - ss_lesson_quantities] =
            run->status == SS_DIVERGED ? (double)NAN : q->row->of(run);
}

int ss_exhibit_take(ss_run *run, const ss_check *check, int ncheck, bool still, ss_exhibit *out,
                    ss_err *err)
{
    *out = (ss_exhibit){.cfg = run->cfg,
                        .status = run->status,
                        .begun = run->cycle > 0 || run->step > 0 || run->status == SS_DIVERGED,
                        .reached = run->reached,
                        .has_end = ss_pupil_has_end(run),
                        .still = still,
                        .cycle = run->cycle,
                        .iteration = run->iteration};
    for (int i = 0; i < SS_QUANTITIES_MAX; i++)
        out->value[i] = NAN;
    for (int i = 0; i < ncheck && out->begun; i++) {
        measure(run, &check[i].left, out);
        if (check[i].against == SS_RIGHT_QUANTITY)
            measure(run, &check[i].right, out);
        if (check[i].form != SS_CHECK_SAME_AS || !still || out->field)
            continue;
        out->bytes = ss_field_bytes(run);
        out->field = ss_field_download(run);
        if (!out->field)
            return ss_fail(err, "out of memory: a copy of the field");
    }
    return SS_OK;
}

void ss_exhibit_drop(ss_exhibit *x)
{
    free(x->field);
    x->field = NULL;
}

/* --- comparisons ------------------------------------------------------------------------------ */

/* The scenario's own settings, solved; where nothing ends it, as far as the student has come. */
static ss_run *baseline(ss_pupil *p, const ss_exhibit *x, ss_err *err)
{
    bool beyond = p->solved && !ss_pupil_has_end(p->solved) && p->solved->iteration > x->iteration;
    if (beyond) {
        ss_run_close(p->solved);
        p->solved = NULL;
    }
    if (!p->solved && !(p->solved = ss_pupil_open(&p->baseline, err)))
        return NULL;
    ss_run *run = p->solved;
    int status = SS_OK;
    if (ss_pupil_has_end(run))
        status = ss_pupil_advance(p, run, SS_TO_END, err);
    while (!ss_pupil_has_end(run) && status == SS_OK && run->status == SS_RUNNING &&
           run->iteration < x->iteration)
        status = ss_pupil_advance(p, run, 1, err);
    return status == SS_OK ? run : NULL;
}

static int value_of(ss_pupil *p, const ss_exhibit *x, const ss_quantity_ref *q, double *out,
                    ss_err *err)
{
    ss_run *run = q->baseline ? baseline(p, x, err) : NULL;
    if (q->baseline && !run)
        return SS_FAIL;
    if (q->row) {
        *out = !run                         ? x->value[q->row - ss_lesson_quantities]
               : run->status == SS_DIVERGED ? (double)NAN
                                            : q->row->of(run);
        return SS_OK;
    }
    bool applies;
    const ss_config *cfg = run ? &run->cfg : &x->cfg;
    const ss_param *row = ss_param_find(cfg, q->name, &applies);
    *out = applies ? ss_param_number(row, ss_config_value(cfg, row)) : (double)NAN;
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

#define BEST_MAX 33 /* values that best() looks at */

/* The values of a row that best() tries: powers of two, or evenly spread. */
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

static int try_value(const ss_pupil *p, const ss_exhibit *x, const ss_check *c, const ss_param *row,
                     double value, double *best, ss_err *err)
{
    ss_err ignored;
    ss_config cfg = x->cfg;
    bool whole = row->type != SS_REAL_T && row->type != SS_DURATION;
    cfg.v[row->slot] = (ss_value){.set = true};
    if (whole)
        cfg.v[row->slot].i = (int64_t)value;
    else
        cfg.v[row->slot].d = value;
    if (ss_config_check(&cfg, NULL, &ignored) != SS_OK)
        return SS_OK;
    ss_run *run = ss_pupil_open(&cfg, err);
    if (!run)
        return SS_FAIL;
    int status = ss_pupil_advance(p, run, SS_TO_END, err);
    double v = status == SS_OK && run->status != SS_DIVERGED ? c->left.row->of(run) : (double)NAN;
    bool less = c->op == SS_OP_LE || c->op == SS_OP_LT || c->op == SS_OP_EQ;
    if (isnan(*best) || (less ? v < *best : v > *best))
        *best = isnan(v) ? *best : v;
    ss_run_close(run);
    return status;
}

static int best_of(const ss_pupil *p, const ss_exhibit *x, const ss_check *c, double *out,
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
        return ss_fail(err, "best(%s): nothing says when to stop", c->right.name);
    int n = candidates(&x->cfg, row, value);
    for (int i = 0; i < n; i++)
        if (try_value(p, x, c, row, value[i], out, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Little effort is no merit before the end is reached. */
static bool counts(const ss_exhibit *x, const ss_check *c)
{
    bool less = c->op == SS_OP_LE || c->op == SS_OP_LT;
    bool ended = x->reached || x->status == SS_LIMIT || !x->has_end;
    return !less || ended || !c->left.row || !c->left.row->effort || c->left.baseline;
}

static int compare(ss_pupil *p, const ss_exhibit *x, const ss_check *c, ss_verdict *out, char *why,
                   size_t size, ss_err *err)
{
    double left = NAN, right = c->number;
    bool asked = counts(x, c) && (x->still || c->against != SS_RIGHT_BEST);
    int status = value_of(p, x, &c->left, &left, err);
    if (status == SS_OK && c->against == SS_RIGHT_QUANTITY)
        status = value_of(p, x, &c->right, &right, err);
    else if (status == SS_OK && c->against == SS_RIGHT_BEST && asked)
        status = best_of(p, x, c, &right, err);
    if (status != SS_OK)
        return SS_FAIL;
    const char *of = c->left.baseline ? "baseline." : "";
    bool known = !isnan(left), later = !x->still && c->left.row && c->left.row->slow;
    *out = holds(left, c->op, c->factor * right) ? SS_MET : SS_UNMET;
    snprintf(why, size, known ? "%s%s is %.6g, against %.6g" : "%s%s is not known", of,
             c->left.name, left, c->factor * right);
    if ((known && !asked) || later)
        *out = SS_PENDING;
    if (later)
        snprintf(why, size, "%s is looked at when the run pauses", c->left.name);
    else if (known && !asked)
        snprintf(why, size, "%s is %.6g so far: it counts when the run has come to its end",
                 c->left.name, left);
    return SS_OK;
}

/* The same fields, bit for bit, from another solver after as many iterations. */
static int same_as(ss_pupil *p, const ss_exhibit *x, const ss_check *c, ss_verdict *out, char *why,
                   size_t size, ss_err *err)
{
    ss_config cfg = x->cfg;
    *out = SS_PENDING;
    snprintf(why, size, "the field is looked at when the run pauses");
    if (!x->field)
        return SS_OK;
    if (ss_open_words(&c->same, &cfg, err) != SS_OK)
        return SS_FAIL;
    ss_run *other = ss_pupil_open(&cfg, err);
    if (!other)
        return SS_FAIL;
    other->tol = other->max_time = other->max_seconds = other->until_accuracy = 0;
    other->max_cycles = -1;
    int64_t each = other->iterations_per_cycle, cycles = x->iteration / each;
    int status = SS_OK;
    *out = SS_UNMET;
    if (cycles * each != x->iteration) {
        snprintf(why, size, "%lld iterations are no whole cycles of %lld", (long long)x->iteration,
                 (long long)each);
    } else if ((status = ss_pupil_advance(p, other, cycles, err)) == SS_OK) {
        char *field = ss_field_download(other);
        bool same =
            field && x->bytes == ss_field_bytes(other) && memcmp(x->field, field, x->bytes) == 0;
        *out = same ? SS_MET : SS_UNMET;
        snprintf(why, size, "after %lld iterations the fields %s", (long long)x->iteration,
                 same ? "are the same, bit for bit" : "differ");
        free(field);
    }
    ss_run_close(other);
    return status;
}

int ss_judge(ss_pupil *p, const ss_exhibit *x, const ss_check *c, ss_verdict *out, char *why,
             size_t size, ss_err *err)
{
    bool ended = !x->has_end || x->reached || x->status != SS_RUNNING;
    *out = SS_PENDING;
    snprintf(why, size, "nothing has been solved yet");
    if (!x->begun)
        return SS_OK;
    switch (c->form) {
    case SS_CHECK_COMPARE:
        return compare(p, x, c, out, why, size, err);
    case SS_CHECK_SAME_AS:
        return same_as(p, x, c, out, why, size, err);
    case SS_CHECK_DIVERGED:
        *out = x->status == SS_DIVERGED ? SS_MET : ended ? SS_UNMET : SS_PENDING;
        break;
    case SS_CHECK_CONVERGED:
        *out = x->reached ? SS_MET : ended ? SS_UNMET : SS_PENDING;
        break;
    }
    snprintf(why, size, "%s at cycle %lld", x->reached ? "converged" : ss_status_name(x->status),
             (long long)x->cycle);
    return SS_OK;
}

int ss_pupil_check(ss_pupil *p, const ss_check *c, bool *met, char *why, size_t size, ss_err *err)
{
    ss_exhibit x = {.field = NULL};
    ss_verdict verdict = SS_PENDING;
    *met = false;
    snprintf(why, size, "nothing has been solved yet");
    if (!p->run)
        return SS_OK;
    int status = ss_exhibit_take(p->run, c, 1, true, &x, err);
    if (status == SS_OK)
        status = ss_judge(p, &x, c, &verdict, why, size, err);
    *met = verdict == SS_MET;
    ss_exhibit_drop(&x);
    return status;
}

/* --- fairness --------------------------------------------------------------------------------- */

/* Does a command of the author's have this word, or open something else altogether? */
static bool is_touched(const ss_script *answer, const ss_param *row)
{
    for (int i = 0; i < answer->count; i++)
        if ((answer->cmd[i]->verb->flags & SS_V_OPENS) ||
            (answer->cmd[i]->argc > 0 && strcmp(answer->cmd[i]->arg[0], row->name) == 0))
            return true;
    return false;
}

int ss_judge_fair(const ss_pupil *p, const ss_config *cfg, const ss_lesson_step *s, ss_err *err)
{
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_find(cfg, ss_param_row(i)->name, NULL);
        bool problem = (row->flags & (SS_P_REOPEN | SS_P_RESET)) != 0 ||
                       (row->group && strcmp(row->group, "Limits") == 0);
        ss_value x = ss_config_value(&p->baseline, row), y = ss_config_value(cfg, row);
        if (problem && memcmp(&x.i, &y.i, sizeof x.i) != 0 &&
            !is_touched(&s->commands[SS_L_DO], row) &&
            !is_touched(&s->commands[SS_L_SOLUTION], row))
            return ss_fail(err, "%s is not that of the lesson", row->name);
    }
    return SS_OK;
}

int ss_pupil_fair(const ss_pupil *p, const ss_lesson_step *s, ss_err *err)
{
    return ss_judge_fair(p, &p->run->cfg, s, err);
}
