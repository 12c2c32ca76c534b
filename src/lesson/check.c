/* The grammar of checks, and the table of their quantities: see document.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/history.h"
#include "src/core/run.h"
#include "src/lesson/document.h"
#include "src/base/system.h"
#include "src/core/registry.h"
#include "src/run/reference.h"

/* --- quantities ------------------------------------------------------------------------------- */

static double q_cycles(ss_run *run)
{
    return (double)run->cycle;
}

static double q_iterations(ss_run *run)
{
    return (double)run->iteration;
}

static double q_steps(ss_run *run)
{
    return run->eq->kind == SS_TRANSIENT ? (double)run->step : (double)NAN;
}

static double q_t(ss_run *run)
{
    return run->eq->kind == SS_TRANSIENT ? run->time : (double)NAN;
}

static double q_time(ss_run *run)
{
    return run->ranks ? run->seconds_solve
                      : ss_modelled_seconds(run->total.launches, run->total.global_bytes);
}

/* A quantity of the ledger. */
#define LEDGER(id, value)                                                                          \
    static double q_##id(ss_run *run)                                                              \
    {                                                                                              \
        return value;                                                                              \
    }
LEDGER(bytes, run->total.global_bytes)
LEDGER(shared_bytes, run->total.shared_bytes)
LEDGER(edge_bytes, run->total.edge_bytes)
LEDGER(launches, run->total.launches)
LEDGER(reductions, run->total.reductions)
LEDGER(barriers, run->total.barriers)
LEDGER(updates, run->total.updates)
LEDGER(redundant, run->total.redundant_updates / run->total.updates)
LEDGER(stale, run->per_cycle.stale_kept)
LEDGER(idle, run->per_cycle.idle)
LEDGER(blocks, run->per_cycle.blocks)

static double q_residual(ss_run *run)
{
    return run->residual_cycle == run->cycle ? run->residual : (double)NAN;
}

static double q_sweeps(ss_run *run)
{
    return ss_run_work(run, &run->total);
}

static double q_reduction(ss_run *run)
{
    return q_residual(run) / run->residual0;
}

static double q_factor(ss_run *run)
{
    return ss_factors_mean(&run->factors);
}

static double q_error(ss_run *run)
{
    ss_result r;
    return ss_result_make(run, true, false, ss_clock(), &r, NULL) == SS_OK ? r.error_max
                                                                           : (double)NAN;
}

/* The largest conservation error. */
static double q_drift(ss_run *run)
{
    double most = run->eq->nmonitor > 0 ? 0 : NAN;
    for (int i = 0; i < run->eq->nmonitor; i++)
        if (run->eq->monitors[i].conserved)
            most = fmax(most, fabs(ss_run_drift(run, i)));
    return most;
}

const ss_lesson_quantity ss_lesson_quantities[] = {
    {"cycles", "finished cycles", q_cycles, true, false},
    {"iterations", "iterations; for time-dependent equations, time levels", q_iterations, true,
     false},
    {"steps", "time steps", q_steps, true, false},
    {"t", "simulated time", q_t, false, false},
    {"time", "modelled seconds: 3 us per launch, 4 TB/s; on modelled ranks those of their clocks",
     q_time, true, false},
    {"bytes", "bytes between memory and processors", q_bytes, true, false},
    {"shared-bytes", "bytes in shared memory, or in a core's private tile", q_shared_bytes, true,
     false},
    {"edge-bytes", "the part of bytes that is halo exchange", q_edge_bytes, true, false},
    {"launches", "global synchronisations", q_launches, true, false},
    {"barriers", "barriers inside blocks, summed over the blocks", q_barriers, true, false},
    {"updates", "point updates, redundant ones included", q_updates, true, false},
    {"sweeps", "updates per point of the finest grid", q_sweeps, true, false},
    {"reductions", "sums over all points for which the method waits", q_reductions, true, false},
    {"redundant", "fraction of the updates that are discarded, 0 to 1", q_redundant, false, false},
    {"stale", "fraction of the kept points that are stale, 0 to 1", q_stale, false, false},
    {"idle", "fraction of idle points in the working blocks, 0 to 1", q_idle, false, false},
    {"blocks", "subdomains", q_blocks, false, false},
    {"residual", "|b - A u|", q_residual, false, false},
    {"reduction", "the residual divided by the first one", q_reduction, false, false},
    {"factor", "mean factor of the residual per cycle", q_factor, false, false},
    {"error", "max |u - u*|", q_error, false, true},
    {"drift", "largest conservation error: change without what enters through the ends", q_drift,
     false, false},
    {NULL, NULL, NULL, false, false},
};

/* --- the grammar ------------------------------------------------------------------------------ */

static const char *const ops[SS_NOP] = {"<=", ">=", "<", ">", "=="};

/* The next token of *p: a number, a name, or signs; false at the end. */
static bool next_token(const char **p, char *out, size_t size)
{
    static const char signs[] = "<>=*()";
    const char *s = *p + strspn(*p, " \t");
    size_t n = strchr("()*", *s) ? 1 : strspn(s, "<>=");
    n = n ? n : strcspn(s, " \t<>=*()");
    if (!*s || !strchr(signs, *s))
        n = strcspn(s, " \t<>=*()");
    snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), s);
    *p = s + n;
    return n > 0;
}

static const char *quantity_name(const void *ctx, int i)
{
    (void)ctx;
    return ss_lesson_quantities[i].name;
}

static bool is_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out);
}

static const ss_param *find_param(const char *name)
{
    ss_config any;
    ss_config_default(&any);
    return ss_param_find(&any, name, NULL);
}

static int parse_quantity(const char *text, ss_quantity_ref *out, ss_err *err)
{
    static const char baseline[] = "baseline.";
    int n = 0;
    out->baseline = strncmp(text, baseline, sizeof baseline - 1) == 0;
    text += out->baseline ? sizeof baseline - 1 : 0;
    snprintf(out->name, sizeof out->name, "%.39s", text);
    out->row = NULL;
    for (const ss_lesson_quantity *q = ss_lesson_quantities; q->name; q++, n++)
        if (strcmp(q->name, text) == 0)
            out->row = q;
    const ss_param *param = out->row ? NULL : find_param(text);
    if (out->row || (param && param->type != SS_STRING && param->type != SS_FILE))
        return SS_OK;
    const char *near = ss_nearest(text, quantity_name, NULL, n);
    return ss_fail(err, "unknown quantity '%.40s'%s%s%s", text, near ? "; did you mean " : "",
                   near ? near : " (stencilscope lesson words lists them)", near ? "?" : "");
}

static int parse_op(const char *text, int *op, ss_err *err)
{
    for (*op = 0; *op < SS_NOP; ++*op)
        if (strcmp(ops[*op], text) == 0)
            return SS_OK;
    return ss_fail(err, "'%.20s' is not one of <= >= < > ==", text);
}

/* best(param), after the word best. */
static int parse_best(const char **p, ss_check *out, ss_err *err)
{
    char open[8], name[64], close[8];
    out->against = SS_RIGHT_BEST;
    if (!next_token(p, open, sizeof open) || !next_token(p, name, sizeof name) ||
        !next_token(p, close, sizeof close) || *open != '(' || *close != ')')
        return ss_fail(err, "the form is best(parameter)");
    snprintf(out->right.name, sizeof out->right.name, "%.39s", name);
    if (!find_param(name))
        return ss_fail(err, "best(%.40s): there is no such parameter", name);
    return out->left.row ? SS_OK : ss_fail(err, "best() compares quantities, not parameters");
}

/* [factor *] (number | quantity | best(param)) */
static int parse_right(const char **p, ss_check *out, ss_err *err)
{
    char word[64], sign[8];
    double number;
    if (!next_token(p, word, sizeof word))
        return ss_fail(err, "nothing follows %s", ops[out->op]);
    const char *ahead = *p;
    if (is_number(word, &number) && next_token(&ahead, sign, sizeof sign) && *sign == '*') {
        out->factor = number;
        *p = ahead;
        if (!next_token(p, word, sizeof word))
            return ss_fail(err, "nothing follows *");
    }
    if (is_number(word, &out->number)) {
        out->against = SS_RIGHT_NUMBER;
        return SS_OK;
    }
    ahead = *p;
    if (strcmp(word, "best") == 0 && next_token(&ahead, sign, sizeof sign) && *sign == '(')
        return parse_best(p, out, err);
    out->against = SS_RIGHT_QUANTITY;
    return parse_quantity(word, &out->right, err);
}

static int parse_compare(const char *line, ss_check *out, ss_err *err)
{
    char word[64];
    const char *p = line;
    out->form = SS_CHECK_COMPARE;
    out->factor = 1;
    if (!next_token(&p, word, sizeof word))
        return ss_fail(err, "a quantity is missing");
    if (parse_quantity(word, &out->left, err) != SS_OK)
        return SS_FAIL;
    if (!next_token(&p, word, sizeof word))
        return ss_fail(err, "%s needs a comparison: one of <= >= < > == follows", out->left.name);
    if (parse_op(word, &out->op, err) != SS_OK || parse_right(&p, out, err) != SS_OK)
        return SS_FAIL;
    if (next_token(&p, word, sizeof word))
        return ss_fail(err,
                       "'%.20s' is one word too many: quantity op [factor *] (number | quantity | "
                       "best(parameter))",
                       word);
    return SS_OK;
}

static int parse_same_as(const char *line, ss_check *out, ss_err *err)
{
    char open[SS_CMD_TEXT];
    out->form = SS_CHECK_SAME_AS;
    snprintf(open, sizeof open, "open%s", line + strlen("same-as"));
    if (ss_cmd_parse(open, &out->same, err) != SS_OK)
        return ss_fail(err, "the form is same-as EQUATION SOLVER [NAME=VALUE ...]");
    return SS_OK;
}

int ss_check_parse(const char *line, ss_check *out, ss_err *err)
{
    static const struct word {
        const char *word;
        ss_check_form form;
    } words[] = {{"diverged", SS_CHECK_DIVERGED}, {"converged", SS_CHECK_CONVERGED}};
    memset(out, 0, sizeof *out);
    if ((size_t)snprintf(out->text, sizeof out->text, "%s", line) >= sizeof out->text)
        return ss_fail(err, "the check is longer than %zu characters", sizeof out->text - 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, line) == 0) {
            out->form = words[i].form;
            return SS_OK;
        }
    if (strncmp(line, "keep ", 5) == 0) {
        int status = ss_check_parse(line + 5 + strspn(line + 5, " "), out, err);
        snprintf(out->text, sizeof out->text, "%s", line);
        out->keep = true;
        return status;
    }
    if (strncmp(line, "same-as", 7) == 0 && (line[7] == ' ' || !line[7]))
        return parse_same_as(line, out, err);
    return parse_compare(line, out, err);
}
