/*
 * Emits SS_EQ's ss_advance_fn for the CPU in both precisions: functions named
 * <equation>_advance_f64 and _f32. Included once, by the equation's own file, which first defines
 *     SS_EQ         its name, e.g. ks1d
 *     SS_EQ_HEADER  the header of its point update, e.g. "kernels/eq/ks1d.h", and, if SS_STRIP is
 *                   defined, of <equation>_strip, the loop over points [lo, hi) with that update
 *     SS_EQ_VECTORS if that loop also uses the update of a vector of points (strip.h)
 * Both are compiled for every instruction set and precision; the widest set that the processor
 * supports is selected. All give the same bits because points do not depend on each other.
 */
#include "src/core/equation.h"

#include <math.h>

/* The arithmetic of an update (euler1d.h). */
#define SS_INVERSE(x) (1 / (x))
#define SS_LESS_HALF(x, t) ((x) - (SS_REAL)0.5 * (t))
#define SS_MAGNITUDE(x) ((x) < 0 ? -(x) : (x))
#define SS_TRUST(x) SS_NAME(euler1d_trust)(x)
#define ss_sqrt_f64 sqrt
#define ss_sqrt_f32 sqrtf
#define SS_SQRT(x) SS_JOIN(ss_sqrt, SS_PREC)(x)
#define SS_TEMPLATE "kernels/cpu/loops/strip.h"
#include "kernels/cpu/simd/each.h"
#undef SS_INVERSE
#undef SS_LESS_HALF
#undef SS_MAGNITUDE
#undef SS_TRUST
#undef SS_SQRT

static void SS_JOIN(SS_EQ, advance_f64)(const ss_coef *coef, int stage, const ss_strip *s)
{
    SS_PICK(SS_JOIN(SS_EQ, strip), f64)(coef, stage, s, (const double *)s->in, (double *)s->out);
}

static void SS_JOIN(SS_EQ, advance_f32)(const ss_coef *coef, int stage, const ss_strip *s)
{
    SS_PICK(SS_JOIN(SS_EQ, strip), f32)(coef, stage, s, (const float *)s->in, (float *)s->out);
}
