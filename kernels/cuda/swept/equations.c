/* Time-dependent equations on the GPU: see chain.h. */
#include "kernels/cuda/swept/chain.h"

#include <stdio.h>

extern const ss_equation ss_eq_heat1d, ss_eq_ks1d, ss_eq_euler1d;

/* One row each. */
static const struct equation {
    const ss_equation *eq;
    const char *type;
    int version; /* the coefficient that is the type's second argument; 0: it has none */
    int shared_values;
} equations[] = {
    {&ss_eq_heat1d, "heat", 0, 0},
    {&ss_eq_ks1d, "ks", 0, 0},
    {&ss_eq_euler1d, "euler", 2, 4}, /* by its slope limiter */
};

static void describe(const ss_run *run, const struct equation *e, ss_cuda_equation *out)
{
    const char *real = ss_cuda_real_name(run->prec);
    const double *c = run->coef.c;
    if (e->version > 0)
        snprintf(out->type, sizeof out->type, "%s<%s, %d>", e->type, real, (int)c[e->version]);
    else
        snprintf(out->type, sizeof out->type, "%s<%s>", e->type, real);
    out->shared_values = e->shared_values;
    for (int i = 0; i < 8; i++)
        if (run->prec == SS_F64)
            out->coef.f64[i] = c[i];
        else
            out->coef.f32[i] = (float)c[i];
}

int ss_cuda_equation_of(const ss_run *run, ss_cuda_equation *out, ss_err *err)
{
    for (size_t i = 0; i < sizeof equations / sizeof *equations; i++)
        if (equations[i].eq == run->eq) {
            describe(run, &equations[i], out);
            return SS_OK;
        }
    return ss_fail(err, "equation %s: the GPU has no kernels for it: choose backend cpu",
                   run->eq->name);
}
