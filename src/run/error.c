/* Errors relative to u*: see error.h. */
#include "src/run/error.h"

#include <math.h>
#include <stdlib.h>

#include "src/core/registry.h"
#include "src/run/checkpoint.h"
#include "src/run/reference.h"

/* --- the energy norm -----------------------------------------------------------------------------
 */

/* A vector v with a halo of zeros, a row of zeros, and a row of J v, the point update without a
 * right-hand side. Rows start SS_ALIGN-aligned. */
typedef struct vector {
    double *v, *zero, *out;
    ptrdiff_t stride;
} vector;

enum { EDGE = SS_ALIGN / sizeof(double) };

static int make_vector(const ss_problem *p, vector *x, ss_err *err)
{
    x->stride = (p->nx + EDGE - 1) / EDGE * EDGE + 2 * EDGE;
    x->v = ss_alloc((size_t)x->stride * ((size_t)p->ny + 4) * sizeof *x->v, "the energy norm", err);
    if (!x->v)
        return SS_FAIL;
    x->zero = x->v + x->stride * (p->ny + 2);
    x->out = x->zero + x->stride;
    return SS_OK;
}

static double *row_of(const vector *x, int j)
{
    return x->v + (j + 1) * x->stride + EDGE;
}

/* v'A v over A's diagonal, which is constant: the sum of v (v - J v). */
static double energy_of(const ss_run *run, const vector *x)
{
    const ss_problem *p = &run->problem;
    const ss_sweep sweep = {.nx = p->nx,
                            .ny = 1,
                            .nz = 1,
                            .in_sy = x->stride,
                            .rhs_sy = x->stride,
                            .out_sy = x->stride};
    double sum = 0;
    for (int j = 0; j < p->ny; j++) {
        const double *v = row_of(x, j);
        double *next = x->out + EDGE, part = 0;
        run->eq->apply[SS_F64](&run->coef, 0, v, x->zero + EDGE, next, &sweep);
        for (int i = 0; i < p->nx; i++)
            part += v[i] * (v[i] - next[i]);
        sum += part;
    }
    return sum;
}

static double value_at(const ss_run *run, const char *field, size_t i)
{
    return run->prec == SS_F64 ? ((const double *)(const void *)field)[i]
                               : (double)((const float *)(const void *)field)[i];
}

/* v = u* - field; field NULL: u*. */
static void fill_vector(const ss_run *run, const double *exact, const char *field, vector *x)
{
    const ss_problem *p = &run->problem;
    for (int j = 0; j < p->ny; j++)
        for (int i = 0; i < p->nx; i++) {
            size_t at = (size_t)j * (size_t)p->nx + (size_t)i;
            row_of(x, j)[i] = exact[at] - (field ? value_at(run, field, at) : 0);
        }
}

static int energy_error(ss_run *run, const double *exact, double *out, ss_err *err)
{
    vector x = {.v = NULL};
    const char *why = ss_config_no_energy(&run->cfg);
    if (why)
        return ss_fail(err, "there is no energy norm here: %s", why);
    double before = run->seconds_field_down; /* of the problem's own transfers */
    char *field = ss_field_download(run);
    run->seconds_field_down = before;
    if (!field)
        return ss_fail(err, "the energy norm needs a copy of the field: out of memory");
    int status = make_vector(&run->problem, &x, err);
    if (status == SS_OK) {
        fill_vector(run, exact, field, &x);
        double error = energy_of(run, &x);
        fill_vector(run, exact, NULL, &x);
        *out = sqrt(error / energy_of(run, &x));
    }
    free(field);
    free(x.v);
    return status;
}

/* --- both norms ----------------------------------------------------------------------------------
 */

static int max_error(ss_run *run, const double *exact, double *out, ss_err *err)
{
    int status = run->backend->reduce(run, NULL, exact, out, err);
    *out /= ss_reference_largest(run->reference);
    return status;
}

int ss_error_of(ss_run *run, ss_error_norm norm, double *out, ss_err *err)
{
    static int (*const of[SS_NERROR])(ss_run *, const double *, double *, ss_err *) = {
        [SS_ERROR_MAX] = max_error, [SS_ERROR_ENERGY] = energy_error};
    const double *exact = ss_run_reference(run);
    *out = NAN;
    if (!exact)
        return ss_fail(err, "u* is not known yet");
    if (!(ss_reference_largest(run->reference) > 0))
        return ss_fail(err, "u*, the exact solution, is 0: no error is relative to it");
    return of[norm](run, exact, out, err);
}
