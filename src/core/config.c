/*
 * Configs: values in force, ranges, carried values, the list of controls. See registry.h and
 * param.h. Pure functions on a config, any thread. Only the rows equation, solver and backend are
 * known by name here.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/command.h"
#include "src/core/registry.h"

/* The default of a row, reduced to the upper limit of its current range. */
static int64_t fitting(const ss_config *cfg, const ss_param *row)
{
    double lo, hi;
    ss_config_range(cfg, row, &lo, &hi, NULL);
    return row->def > hi ? (int64_t)hi : (int64_t)row->def;
}

static int choice_count(const ss_param *row)
{
    int n = 0;
    while (row->choices[n])
        n++;
    return n;
}

/* Choices are carried by name: converts v if it counts in the list of another row. */
static bool holds_choice(const ss_param *row, ss_value *v)
{
    const char *name = v->list && v->list != row->list ? ss_param_choice(v->list, v->i) : NULL;
    if (!name)
        return v->i >= 0 && v->i < choice_count(row);
    for (int i = 0; row->choices[i]; i++)
        if (strcmp(row->choices[i], name) == 0) {
            *v = (ss_value){.i = i, .set = true, .list = (uint8_t)row->list};
            return true;
        }
    return false;
}

/* Can the row hold a value that may have been given to another row of its name? Converts a choice.
 */
static bool holds(const ss_param *row, ss_value *v)
{
    if (row->type == SS_CHOICE)
        return holds_choice(row, v);
    if (row->type == SS_BOOL || row->type == SS_STRING || row->type == SS_FILE)
        return true;
    double x = ss_param_number(row, *v);
    return (row->zero && x == 0) || (x >= row->min && x <= row->max);
}

bool ss_config_has(const ss_config *cfg, const ss_param *row)
{
    ss_value v = cfg->v[row->slot];
    return v.set && holds(row, &v);
}

static double computed_default(const ss_config *cfg, const ss_param *row)
{
    double x = row->usual(cfg);
    return x < row->min ? row->min : x > row->max ? row->max : x;
}

static ss_value default_value(const ss_config *cfg, const ss_param *row)
{
    bool real = row->type == SS_REAL_T || row->type == SS_DURATION;
    double x = row->usual ? computed_default(cfg, row) : row->def;
    if (row == &ss_common_rows[SS_ROW_SOLVER])
        return (ss_value){.i = ss_equation_solver(ss_config_equation(cfg))};
    if (row->type == SS_STRING || row->type == SS_FILE)
        return (ss_value){.s = row->def_text};
    if (real)
        return (ss_value){.d = x};
    return (ss_value){.i = row->flags & SS_P_FITS ? fitting(cfg, row) : (int64_t)x};
}

/* The best value of the kernel that the config chooses. False: it has none. */
static bool best_value(const ss_config *cfg, const ss_param *row, ss_value *out)
{
    const bool whole = row->type == SS_INT || row->type == SS_CHOICE;
    const ss_backend *backend = whole ? ss_config_backend(cfg) : NULL;
    if (!backend)
        return false;
    const ss_engine_ops *ops =
        ss_matrix(ss_config_equation(cfg), ss_config_solver(cfg), backend, NULL);
    *out = (ss_value){0};
    return ops && ops->best && ops->best(cfg, row->name, &out->i);
}

ss_value ss_config_value(const ss_config *cfg, const ss_param *row)
{
    ss_value v = cfg->v[row->slot];
    if ((v.set && holds(row, &v)) || best_value(cfg, row, &v))
        return v;
    if (row->follows)
        return ss_config_value(cfg, ss_param_find(cfg, row->follows, NULL));
    return default_value(cfg, row);
}

static const ss_param *row_of(const ss_config *cfg, const char *name)
{
    const ss_param *row = ss_param_find(cfg, name, NULL);
    assert(row);
    return row;
}

bool ss_config_given(const ss_config *cfg, const char *name)
{
    return ss_config_has(cfg, row_of(cfg, name));
}

int64_t ss_config_int(const ss_config *cfg, const char *name)
{
    return ss_config_value(cfg, row_of(cfg, name)).i;
}

double ss_config_real(const ss_config *cfg, const char *name)
{
    const ss_param *row = row_of(cfg, name);
    return ss_param_number(row, ss_config_value(cfg, row));
}

const char *ss_config_text(const ss_config *cfg, const char *name)
{
    return ss_config_value(cfg, row_of(cfg, name)).s;
}

void ss_config_range(const ss_config *cfg, const ss_param *row, double *lo, double *hi,
                     const char **why)
{
    const char *reason = NULL;
    *lo = row->min;
    *hi = row->max;
    if (row->type == SS_CHOICE)
        *lo = 0, *hi = choice_count(row) - 1;
    if (row->type == SS_BOOL)
        *lo = 0, *hi = 1;
    if (row->range)
        row->range(cfg, lo, hi, &reason);
    if (why)
        *why = reason;
}

void ss_config_track(const ss_config *cfg, const ss_param *row, ss_track *out)
{
    double lo, hi, now = ss_param_number(row, ss_config_value(cfg, row));
    ss_config_range(cfg, row, &lo, &hi, NULL);
    *out = (ss_track){.lo = lo, .hi = hi, .least = lo, .mark = NAN, .limit = NAN};
    if (row->track)
        row->track(cfg, out);
    out->hi = now > out->hi && now <= hi ? now : out->hi;
}

static const char *unique_name(const void *ctx, int i)
{
    (void)ctx;
    return ss_param_row(i)->name;
}

static bool has_row(const ss_param *rows, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(rows[i].name, name) == 0)
            return true;
    return false;
}

/* Does this solver have the row on some backend? *backend gets its name. */
static bool has_somewhere(const ss_equation *eq, const ss_solver *solver, const char *name,
                          const char **backend)
{
    for (int b = 0; ss_backends[b]; b++) {
        const ss_engine_ops *ops = ss_matrix(eq, solver, ss_backends[b], NULL);
        *backend = ss_backends[b]->name;
        if (ops && has_row(ops->params, ops->nparam, name))
            return true;
    }
    return false;
}

/* The owner of a row, for "it belongs to shared". A solver that fits the equation comes first. */
static const char *owner_of(const ss_config *cfg, const char *name)
{
    const char *backend;
    for (int s = 0; ss_solvers[s]; s++)
        if (ss_solvers[s]->kind == ss_config_equation(cfg)->kind &&
            has_row(ss_solvers[s]->params, ss_solvers[s]->nparam, name))
            return ss_solvers[s]->name;
    for (int s = 0; ss_solvers[s]; s++)
        if (has_row(ss_solvers[s]->params, ss_solvers[s]->nparam, name))
            return ss_solvers[s]->name;
    for (int e = 0; ss_equations[e]; e++)
        if (has_row(ss_equations[e]->params, ss_equations[e]->nparam, name))
            return ss_equations[e]->name;
    for (int s = 0; ss_solvers[s]; s++)
        if (has_somewhere(ss_config_equation(cfg), ss_solvers[s], name, &backend))
            return ss_solvers[s]->name;
    return "the program";
}

/* Fails with the reason why a row does not apply to the config. */
static int refuse_row(const ss_config *cfg, const ss_param *row, ss_err *err)
{
    const ss_equation *eq = ss_config_equation(cfg);
    if ((row->flags & SS_P_PLANE) && eq->dim == 1)
        return ss_fail(err, "%s does not apply in one dimension", row->name);
    if ((row->flags & SS_P_STEADY) && eq->kind != SS_STEADY)
        return ss_fail(err, "%s does not apply to %s: a transient equation has no residual",
                       row->name, eq->name);
    if ((row->flags & SS_P_TRANSIENT) && eq->kind != SS_TRANSIENT)
        return ss_fail(err, "%s does not apply to %s: the equation is steady", row->name, eq->name);
    const char *backend;
    if (has_somewhere(eq, ss_config_solver(cfg), row->name, &backend))
        return ss_fail(err, "%s of %s is a parameter of the backend %s only", row->name,
                       ss_config_solver(cfg)->name, backend);
    return ss_fail(err, "%s does not apply to %s with the solver %s: it belongs to %s", row->name,
                   eq->name, ss_config_solver(cfg)->name, owner_of(cfg, row->name));
}

int ss_config_put(ss_config *cfg, const ss_param *row, const char *text, ss_err *err)
{
    ss_value v;
    if (ss_param_parse(row, text, &v, err) != SS_OK)
        return SS_FAIL;
    cfg->v[row->slot] = v;
    return SS_OK;
}

int ss_config_set(ss_config *cfg, const char *name, const char *text, ss_err *err)
{
    bool applies;
    const ss_param *row = ss_param_find(cfg, name, &applies);
    if (!row) {
        const char *near = ss_nearest(name, unique_name, NULL, ss_param_count());
        return ss_fail(err, "unknown parameter '%.40s'%s%s%s", name, near ? "; did you mean " : "",
                       near ? near : "", near ? "?" : " (stencilscope --help lists them)");
    }
    if (!applies)
        return refuse_row(cfg, row, err);
    if (ss_config_put(cfg, row, text, err) != SS_OK)
        return SS_FAIL;
    /* The last setting wins: drop a solver that does not run with the new equation. */
    if (row == &ss_common_rows[SS_ROW_EQUATION] &&
        !ss_runs_somewhere(ss_config_equation(cfg), ss_config_solver(cfg)))
        cfg->v[ss_common_rows[SS_ROW_SOLVER].slot].set = false;
    return SS_OK;
}

int ss_config_set_of_run(ss_config *cfg, const char *name, const char *text, ss_err *err)
{
    const ss_param *row = ss_param_find(cfg, name, NULL);
    if (row && (row->flags & SS_P_STARTS))
        return ss_fail(err, "%s decides which programs are started: give it on the command line",
                       name);
    if (row && (row->flags & SS_P_APP))
        return ss_fail(err, "%s is an option of the program: give it on the command line", name);
    return ss_config_set(cfg, name, text, err);
}

int ss_config_unset(ss_config *cfg, const char *name, ss_err *err)
{
    const ss_param *row = ss_param_find(cfg, name, NULL);
    if (!row)
        return ss_fail(err, "unknown parameter '%.40s'", name);
    cfg->v[row->slot] = (ss_value){.set = false};
    if (row->type == SS_CHOICE)
        cfg->v[row->slot].i = (int64_t)row->def;
    return SS_OK;
}

bool ss_config_dropped(const ss_config *before, const ss_config *now, ss_err *notice)
{
    int slot = ss_common_rows[SS_ROW_SOLVER].slot;
    if (!before->v[slot].set || now->v[slot].set)
        return false;
    ss_fail(notice, "%s does not run with %s", ss_config_equation(now)->name,
            ss_config_solver(before)->name);
    return true;
}

void ss_config_fit_points(ss_config *cfg, const ss_solver *solver)
{
    const ss_param *row;
    for (ss_param_walk w = {.cfg = cfg}; solver->nearest_points && (row = ss_param_next(&w));)
        if ((row->flags & SS_P_POINTS) && !ss_config_has(cfg, row))
            cfg->v[row->slot] =
                (ss_value){.i = solver->nearest_points((int64_t)row->def), .set = true};
}

/* Is it a row of `now` that cannot hold the value given before to another row of its name? */
static bool is_unheld(const ss_config *before, const ss_config *now, const ss_param *row)
{
    bool applied;
    const ss_param *then = ss_param_find(before, row->name, &applied);
    return now->v[row->slot].set && !ss_config_has(now, row) &&
           !(applied && then == row && before->v[row->slot].set);
}

bool ss_config_unheld(const ss_config *before, const ss_config *now, ss_err *notice)
{
    char value[64];
    const ss_param *row;
    ss_param_walk w = {.cfg = now};
    while ((row = ss_param_next(&w)) && !is_unheld(before, now, row))
        ;
    if (!row)
        return false;
    ss_param_format(row, ss_config_value(now, row), value, sizeof value);
    ss_fail(notice, "%s is %s, its default: the value given before is not valid for %s with %s",
            row->name, value, ss_config_equation(now)->name, ss_config_solver(now)->name);
    return true;
}

ss_problem ss_config_problem(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p = {.cfg = cfg,
                    .seed = (uint64_t)ss_config_int(cfg, "seed"),
                    .nfield = eq->nfield,
                    .nstage = eq->nstage,
                    .radius = eq->radius};
    eq->shape(cfg, &p);
    p.i1 = p.nx;
    p.j1 = p.ny;
    return p;
}

const char *ss_config_no_energy(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p = ss_config_problem(cfg);
    if (eq->kind != SS_STEADY || !eq->apply[SS_F64])
        return "it is that of steady equations in 1D and 2D";
    if (eq->asymmetric && eq->asymmetric(&p))
        return "the matrix is not symmetric";
    return ss_config_spectral_radius(cfg) < 1 ? NULL : "the matrix is not positive definite";
}

double ss_config_spectral_radius(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p = ss_config_problem(cfg);
    return eq->spectral_radius ? eq->spectral_radius(&p) : (double)NAN;
}

ss_box ss_problem_box(const ss_problem *p, ss_prec prec)
{
    int radius = p->radius, line = SS_ALIGN / (int)ss_prec_size(prec);
    ss_box b = {.nx = p->nx, .ny = p->ny, .nz = p->nz, .hx = radius};
    b.hy = p->dim > 1 ? radius : 0;
    b.hz = p->dim > 2 ? radius : 0;
    ptrdiff_t lines = (line + (ptrdiff_t)p->nx + radius + line - 1) / line;
    b.sy = (lines | 1) * line;
    b.sz = b.sy * (p->ny + 2 * (ptrdiff_t)b.hy);
    b.first = (size_t)(line + b.hy * b.sy + b.hz * b.sz);
    b.count = (size_t)(b.sz * (p->nz + 2 * (ptrdiff_t)b.hz) + line);
    return b;
}

/* Points of a field in memory, halo and padding included. */
static double points_in_memory(const ss_equation *eq, const ss_problem *p, ss_prec prec)
{
    ss_patch *patch = NULL;
    int n = eq->patches ? eq->patches(p, NULL) : 0;
    if (n > 0)
        patch = malloc((size_t)n * sizeof *patch);
    if (!patch)
        return (double)ss_problem_box(p, prec).count;
    eq->patches(p, patch);
    double points = (double)ss_patches_layout(patch, n, SS_ALIGN / (int)ss_prec_size(prec));
    free(patch);
    return points;
}

/* Two buffers per field, and a right-hand side where the equation has one. */
double ss_config_bytes(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p = ss_config_problem(cfg);
    ss_prec prec = (ss_prec)ss_config_int(cfg, "precision");
    return points_in_memory(eq, &p, prec) * (eq->rhs ? 3 : 2) * eq->nfield *
           (double)ss_prec_size(prec);
}

/* --- controls ----------------------------------------------------------------------------------
 */

/* Adds the controls that are rows of the solver itself (own), or the others; returns their number.
 */
static int list_controls(const ss_config *cfg, bool own, const ss_param **out, int max)
{
    int n = 0;
    const ss_param *row;
    const ss_solver *solver = ss_config_solver(cfg);
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) && n < max;) {
        bool of_solver =
            solver->params && row >= solver->params && row < solver->params + solver->nparam;
        if (of_solver == own && (row->flags & SS_P_CONTROL) && (!row->shown || row->shown(cfg)))
            out[n++] = row;
    }
    return n;
}

/* The solver's own rows first: they are changed most often. */
int ss_config_controls(const ss_config *cfg, const ss_param **out, int max)
{
    int n = list_controls(cfg, true, out, max);
    return n + list_controls(cfg, false, out + n, max - n);
}

/* --- comparisons ------------------------------------------------------------------------------ */

bool ss_config_differ(const ss_config *a, const ss_config *b, bool (*counts)(const ss_param *row),
                      unsigned *flags)
{
    bool any = false;
    for (int i = 0; i < 2; i++) {
        const ss_param *row;
        for (ss_param_walk w = {.cfg = i ? b : a}; (row = ss_param_next(&w)) != NULL;) {
            ss_value x = ss_config_value(a, row), y = ss_config_value(b, row);
            if ((counts && !counts(row)) || memcmp(&x.i, &y.i, sizeof x.i) == 0)
                continue;
            any = true;
            if (flags)
                *flags |= row->flags;
        }
    }
    return any;
}

const char *ss_config_unusual(const ss_config *cfg, const ss_param *row, char *buf, size_t size)
{
    char usual[256];
    ss_config without = *cfg;
    if (!cfg->v[row->slot].set)
        return NULL;
    without.v[row->slot].set = false;
    ss_param_format(row, ss_config_value(&without, row), usual, sizeof usual);
    ss_param_format(row, ss_config_value(cfg, row), buf, size);
    return strcmp(buf, usual) == 0 ? NULL : buf;
}

void ss_config_unlimit(ss_config *cfg)
{
    static const char *const limits[] = {"until",      "until-accuracy", "until-error",
                                         "until-time", "cycles",         "seconds"};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        cfg->v[ss_param_find(cfg, limits[i], NULL)->slot] = (ss_value){.set = false};
}

int ss_config_threads(const ss_config *cfg)
{
    int64_t asked = ss_config_int(cfg, "threads");
    return asked > 0 ? (int)asked : ss_processors();
}
