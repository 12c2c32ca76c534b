/*
 * Emits SS_EQ's ss_advance_fn for the CPU in both precisions: functions named
 * <equation>_advance_f64 and _f32. Included once, by the equation's own file, which first defines
 *     SS_EQ         its name, e.g. ks1d
 *     SS_EQ_HEADER  the header of its point update, e.g. "kernels/eq/ks1d.h"
 *     SS_EQ_STRIP   the header of <equation>_strip, the loop over points [lo, hi) with that update,
 *                   e.g. "kernels/eq/strip_ks1d.h"
 *     SS_EQ_VECTORS if that loop also uses the update of a vector of points (strip.h)
 * Both are compiled for every instruction set and precision; the widest set that the processor
 * supports is selected. All give the same bits because points do not depend on each other.
 */
#include "kernels/cpu/loops/lanes.h"
#include "kernels/cpu/simd/isa.h"
#include "src/core/equation.h"

#include <math.h>

#define SS_PASTE(a, b) a##_##b
#define SS_JOIN(a, b) SS_PASTE(a, b)

#define SS_ISA_BODY "kernels/cpu/loops/strips_each.h"
#include "kernels/cpu/simd/isa_each.h"

/* One entry for each level of ss_isa. */
#define SS_CLONE(isa, prec) SS_JOIN(SS_JOIN(SS_JOIN(SS_EQ, strip), isa), prec)
#if SS_ISA_CLONES
#define SS_PICK(prec)                                                                              \
    (ss_isa_level() == SS_ISA_AVX512 ? SS_CLONE(avx512, prec)                                      \
     : ss_isa_level() == SS_ISA_AVX2 ? SS_CLONE(avx2, prec)                                        \
                                     : SS_CLONE(plain, prec))
#else
#define SS_PICK(prec) SS_CLONE(plain, prec)
#endif

static void SS_JOIN(SS_EQ, advance_f64)(const ss_coef *coef, int stage, const ss_strip *s)
{
    SS_PICK(f64)(coef, stage, s, (const double *)s->in, (double *)s->out);
}

static void SS_JOIN(SS_EQ, advance_f32)(const ss_coef *coef, int stage, const ss_strip *s)
{
    SS_PICK(f32)(coef, stage, s, (const float *)s->in, (float *)s->out);
}
