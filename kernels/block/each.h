/*
 * Compiles SS_TEMPLATE, a header, once for each precision and instruction set; in it
 *     SS_REAL      is the type that computes,
 *     SS_BYTES     the bytes of a vector register,
 *     SS_NAME(x)   names what is emitted.
 * SS_PICK(x, prec) afterwards is the x for this processor. No include guard; once per file.
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
