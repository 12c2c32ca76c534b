/*
 * Compiles the header SS_TEMPLATE once for each precision and instruction set. It may use
 *     SS_REAL      the arithmetic type, float or double,
 *     SS_BYTES     the size of a vector register in bytes,
 *     SS_NAME(x)   the name of an emitted function.
 * SS_PICK(x, prec) afterwards selects the x for this processor. No include guard; include it once
 * per file.
 */
#include "kernels/cpu/simd/isa.h"

#define SS_PASTE(a, b) a##_##b
#define SS_JOIN(a, b) SS_PASTE(a, b)

#define SS_ISA_BODY "kernels/block/each_prec.h"
#include "kernels/cpu/simd/isa_each.h"

#define SS_CLONE(x, isa, prec) SS_JOIN(SS_JOIN(x, isa), prec)
#if SS_ISA_CLONES
#define SS_PICK(x, prec)                                                                           \
    (ss_isa_level() == SS_ISA_AVX512 ? SS_CLONE(x, avx512, prec)                                   \
     : ss_isa_level() == SS_ISA_AVX2 ? SS_CLONE(x, avx2, prec)                                     \
                                     : SS_CLONE(x, plain, prec))
#else
#define SS_PICK(x, prec) SS_CLONE(x, plain, prec)
#endif
