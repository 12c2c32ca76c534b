/* A dab of paint: parsing, geometry, transfer of rows to and from the backend. See paint.h. */
#include "src/run/paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/geom/pictures.h"
#include "src/run/parts.h"

#define AMOUNT_MAX 1e9

/* --- parsing ---------------------------------------------------------------------------------- */

static int number(const char *what, const char *text, double lo, double hi, const char *unit,
                  double *out, ss_err *err)
{
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !(*out >= lo && *out <= hi))
        return ss_fail(err, "paint: %s is out of range: '%.40s' is not in %g\xe2\x80\xa6%g%s", what,
                       text, lo, hi, unit);
    return SS_OK;
}

static int quantity_named(const ss_run *run, const char *name, int *out, ss_err *err)
{
    const ss_quantity *table = run->eq->quantities;
    for (*out = 0; *out < run->eq->nquantity; ++*out)
        if (strcmp(table[*out].name, name) == 0)
            return SS_OK;
    *out = 0;
    return run->eq->nquantity == 0 && strcmp(name, "u") == 0
               ? SS_OK
               : ss_fail(err, "paint: %s has no field '%.40s'", run->eq->name, name);
}

typedef struct where {
    int axis, slice;
} where;

/* Parses one optional word after the four numbers. */
static int take_word(const ss_run *run, const char *word, ss_dab *out, where *w, ss_err *err)
{
    static const char *const planes[] = {"yz", "xz", "xy"};
    const int n[] = {run->problem.nx, run->problem.ny, run->problem.nz};
    double v;
    if (strcmp(word, "join") == 0) {
        out->joined = true;
        return SS_OK;
    }
    if (strncmp(word, "field=", 6) == 0)
        return quantity_named(run, word + 6, &out->quantity, err);
    if (run->eq->dim < 3)
        return ss_fail(err, "paint: '%.40s' is neither field=NAME nor join", word);
    for (int i = 0; i < 3; i++)
        if (strncmp(word, "plane=", 6) == 0 && strcmp(word + 6, planes[i]) == 0) {
            w->axis = i;
            return SS_OK;
        }
    if (strncmp(word, "slice=", 6) != 0)
        return ss_fail(err, "paint: '%.40s' is none of field=NAME, plane=xy|xz|yz, slice=N, join",
                       word);
    if (number("slice", word + 6, 0, n[w->axis] - 1, "", &v, err) != SS_OK)
        return SS_FAIL;
    w->slice = (int)floor(v + 0.5);
    return SS_OK;
}

int ss_dab_parse(const ss_run *run, const ss_cmd *cmd, ss_dab *out, ss_err *err)
{
    const ss_problem *p = &run->problem;
    where w = {2, -1};
    *out = (ss_dab){.quantity = 0};
    for (int pass = 0; pass < 2; pass++) /* the range of slice depends on plane */
        for (int i = 4; i < cmd->argc; i++)
            if ((strncmp(cmd->arg[i], "slice=", 6) == 0) == (pass == 1) &&
                take_word(run, cmd->arg[i], out, &w, err) != SS_OK)
                return SS_FAIL;
    ss_slice s = ss_slice_make(p->nx, p->ny, p->nz, w.axis, w.slice);
    int most = s.n[0] > s.n[1] ? s.n[0] : s.n[1];
    out->at[s.axis] = s.at;
    if (number("X", cmd->arg[0], 0, s.n[0] - 1, "", &out->at[s.d[0]], err) != SS_OK ||
        number("Y", cmd->arg[1], 0, s.n[1] - 1, "", &out->at[s.d[1]], err) != SS_OK ||
        number("RADIUS", cmd->arg[2], 1, most, " points", &out->radius, err) != SS_OK)
        return SS_FAIL;
    return number("AMOUNT", cmd->arg[3], -AMOUNT_MAX, AMOUNT_MAX, "", &out->amount, err);
}

/* --- the rows it touches ---------------------------------------------------------------------- */

typedef struct row_block {
    int j0, j1, k0, k1;
    size_t plane;       /* bytes of the rows of one plane */
    char *rows, *after; /* [field][k][j][x] in the run's precision: before and after painting */
} row_block;

static void span(double at, double radius, int n, int *lo, int *hi)
{
    double first = ceil(at - radius), last = floor(at + radius);
    *lo = first > 0 ? (int)first : 0;
    *hi = last < n - 1 ? (int)last + 1 : n;
}

static row_block rows_of(const ss_run *run, const ss_dab *d)
{
    const ss_problem *p = &run->problem;
    row_block r = {.k1 = 1};
    span(d->at[1], run->eq->dim > 1 ? d->radius : 0, p->ny, &r.j0, &r.j1);
    span(d->at[2], run->eq->dim > 2 ? d->radius : 0, p->nz, &r.k0, &r.k1);
    r.plane = (size_t)(r.j1 - r.j0) * (size_t)p->nx * ss_prec_size(run->prec);
    return r;
}

typedef int transfer_fn(ss_run *run, const row_block *r, char *rows, int field, int k, ss_err *err);

static int download_plane(ss_run *run, const row_block *r, char *rows, int field, int k,
                          ss_err *err)
{
    return run->backend->download(run, 0, field, k, r->j0, r->j1, rows, err);
}

static int upload_plane(ss_run *run, const row_block *r, char *rows, int field, int k, ss_err *err)
{
    return run->backend->upload(run, 0, field, k, r->j0, r->j1, rows, err);
}

static int transfer(ss_run *run, const row_block *r, char *rows, transfer_fn *plane, ss_err *err)
{
    int planes = r->k1 - r->k0;
    for (int i = 0; i < run->problem.nfield * planes; i++)
        if (plane(run, r, rows + (size_t)i * r->plane, i / planes, r->k0 + i % planes, err) !=
            SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* --- the points ------------------------------------------------------------------------------- */

static double read_value(ss_prec prec, const void *rows, size_t at)
{
    return prec == SS_F64 ? ((const double *)rows)[at] : (double)((const float *)rows)[at];
}

static void write_value(ss_prec prec, void *rows, size_t at, double v)
{
    if (prec == SS_F64)
        ((double *)rows)[at] = v;
    else
        ((float *)rows)[at] = (float)v;
}

/* (distance to the centre / radius)^2; periodic domains use the shorter distance. */
static double distance2(const ss_run *run, const ss_dab *d, int x, int y, int z)
{
    const int at[3] = {x, y, z};
    double sum = 0;
    for (int i = 0; i < 3 && i < run->eq->dim; i++) {
        double away = fabs(at[i] - d->at[i]);
        if (run->eq->bc == SS_BC_PERIODIC)
            away = fmin(away, run->problem.nx - away);
        sum += away * away;
    }
    return sum / (d->radius * d->radius);
}

/* The reason why a point may not have these fields; NULL: it may. */
static const char *refuse(const ss_run *run, const ss_painting *how, const double *fields)
{
    bool transient = run->eq->kind == SS_TRANSIENT;
    for (int f = 0; f < run->problem.nfield; f++)
        if (!isfinite(fields[f]) ||
            (transient && fabs(fields[f]) > SS_RUN_GROWTH * (run->watch.largest + 1)))
            return "a value would be too large for this run";
    return how ? how->refuse(fields) : NULL;
}

/* Paints one point. Cells between the patches of a 3D field are NaN and remain so. */
static int paint_point(const ss_run *run, const ss_dab *d, const ss_painting *how,
                       const row_block *r, size_t at, double q, ss_err *err)
{
    double fields[SS_FIELD_MAX] = {0}, amount = d->amount * ((1 - q) * (1 - q) * (1 - q));
    size_t field = r->plane * (size_t)(r->k1 - r->k0) / ss_prec_size(run->prec);
    for (int f = 0; f < run->problem.nfield; f++)
        fields[f] = read_value(run->prec, r->after, at + (size_t)f * field);
    if (!isfinite(fields[0]))
        return SS_OK;
    if (!how)
        fields[0] += amount;
    else if (!how->add(d->quantity, amount, fields))
        return ss_fail(err, "paint: %s cannot be painted: it is computed from the other fields",
                       run->eq->quantities[d->quantity].name);
    for (int f = 0; f < run->problem.nfield; f++) {
        write_value(run->prec, r->after, at + (size_t)f * field, fields[f]);
        fields[f] = read_value(run->prec, r->after, at + (size_t)f * field);
    }
    const char *why = refuse(run, how, fields);
    return why ? ss_fail(err, "paint: %s; give an AMOUNT nearer to 0 than %.4g", why, d->amount)
               : SS_OK;
}

static int paint_rows(const ss_run *run, const ss_dab *d, const row_block *r, ss_err *err)
{
    const ss_problem *p = &run->problem;
    const ss_painting *how = run->eq->painting;
    size_t at = 0;
    for (int k = r->k0; k < r->k1; k++)
        for (int j = r->j0; j < r->j1; j++)
            for (int i = 0; i < p->nx; i++, at++) {
                double q = distance2(run, d, i, j, k);
                bool fixed = i < run->eq->fixed || i >= p->nx - run->eq->fixed;
                if (q < 1 && !fixed && paint_point(run, d, how, r, at, q, err) != SS_OK)
                    return SS_FAIL;
            }
    return SS_OK;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Upper bound of the change of the residual: |A| is at most twice its diagonal (6 for patches). */
static double growth_bound(const ss_run *run, const ss_dab *d)
{
    double points = 1;
    for (int i = 0; i < run->eq->dim; i++)
        points *= 2 * d->radius + 1;
    return ss_run_matrix_norm(run) * fabs(d->amount) * sqrt(points);
}

/* Would the disturbance count as divergence at the next residual check? Reads the field only if the
 * bound is near the limit. */
static int check_growth(ss_run *run, const ss_dab *d, ss_err *err)
{
    double residual = 0;
    if (run->eq->kind != SS_STEADY || run->cycle == 0 || !(run->residual0 > 0) ||
        growth_bound(run, d) < 0.01 * run->growth * run->residual0)
        return SS_OK;
    if (run->backend->reduce(run, &residual, NULL, NULL, err) != SS_OK)
        return SS_FAIL;
    if (residual <= run->growth * run->residual0)
        return SS_OK;
    return ss_fail(err,
                   "paint: the residual would be %.2g times the first one and count as divergence; "
                   "give an AMOUNT nearer to 0",
                   residual / run->residual0);
}

static int paint_field(ss_run *run, const ss_dab *d, row_block *r, size_t bytes, ss_err *err)
{
    if (transfer(run, r, r->rows, download_plane, err) != SS_OK)
        return SS_FAIL;
    memcpy(r->after, r->rows, bytes);
    if (paint_rows(run, d, r, err) != SS_OK)
        return SS_FAIL;
    if (memcmp(r->after, r->rows, bytes) == 0)
        return ss_fail(err, "paint: the stroke changes no value of the field");
    if (transfer(run, r, r->after, upload_plane, err) == SS_OK &&
        check_growth(run, d, err) == SS_OK)
        return SS_OK;
    transfer(run, r, r->rows, upload_plane, NULL);
    return SS_FAIL;
}

int ss_dab_apply(ss_run *run, const ss_dab *d, ss_err *err)
{
    row_block r = rows_of(run, d);
    size_t bytes = r.plane * (size_t)(r.k1 - r.k0) * (size_t)run->problem.nfield;
    if (run->status == SS_FAILED || run->status == SS_DIVERGED)
        return ss_fail(err, "paint: the run has %s; press u to undo the last change",
                       run->status == SS_FAILED ? "failed" : "diverged");
    r.rows = ss_alloc(2 * bytes, "the rows under the brush", err);
    r.after = r.rows ? r.rows + bytes : NULL;
    int status = r.rows ? paint_field(run, d, &r, bytes, err) : SS_FAIL;
    free(r.rows);
    run->painted = run->painted || status == SS_OK;
    run->exact_since = status == SS_OK ? run->cycle : run->exact_since;
    if (status == SS_OK && run->ops->memory)
        status = run->ops->memory_put(run, NULL, err);
    return status;
}

void ss_run_disturbed(ss_run *run)
{
    run->peek = 0;
    run->start_kept = false;
    run->factors.n = 0;
    run->reached = false;
    run->accuracy_cycle = -1;
    run->watch.step = -1;
    if (run->residual_cycle >= run->cycle) /* at cycle 0 this makes it -1: the norm of the painted
                                              start becomes the first norm */
        run->residual_cycle = run->cycle - 1;
    if (run->cycle == 0)
        run->history.count = 0;
    if (run->status == SS_CONVERGED || run->status == SS_LIMIT || run->status == SS_STAGNATED)
        run->status = SS_RUNNING;
}
