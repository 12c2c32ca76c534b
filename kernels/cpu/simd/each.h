/*
 * Compiles the header SS_TEMPLATE once for each instruction set and precision. It may use
 *     SS_ISA       a part of a name: plain, avx2, avx512,
 *     SS_BYTES     the size of a vector register in bytes,
 *     SS_PREC      a part of a name: f64, f32,
 *     SS_REAL      the arithmetic type, double or float,
 *     SS_NAME(x)   the name of an emitted function, x_<isa>_<prec>.
 * SS_PICK(x, prec) afterwards selects the x for this processor. No include guard: a file may
 * compile several headers.
 */
#include "kernels/cpu/simd/machine.h"

#define SS_PASTE(a, b) a##_##b
#define SS_JOIN(a, b) SS_PASTE(a, b)

#define SS_ISA_BODY "kernels/cpu/simd/prec_each.h"
#include "kernels/cpu/simd/isa_each.h"
#undef SS_TEMPLATE

/* One entry for each level of ss_isa. */
#define SS_CLONE(x, isa, prec) SS_JOIN(SS_JOIN(x, isa), prec)
#if SS_ISA_CLONES
#define SS_PICK(x, prec)                                                                           \
    (ss_isa_level() == SS_ISA_AVX512 ? SS_CLONE(x, avx512, prec)                                   \
     : ss_isa_level() == SS_ISA_AVX2 ? SS_CLONE(x, avx2, prec)                                     \
                                     : SS_CLONE(x, plain, prec))
#else
#define SS_PICK(x, prec) SS_CLONE(x, plain, prec)
#endif
