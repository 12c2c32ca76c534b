/*
 * Compiles the header SS_TEMPLATE once for each instruction set and precision. It may use
 *     SS_ISA       a part of a name: plain, avx2, avx512,
 *     SS_BYTES     the size of a vector register in bytes,
 *     SS_PREC      a part of a name: f64, f32,
 *     SS_REAL      the arithmetic type, double or float,
 *     SS_NAME(x)   the name of an emitted function, x_<isa>_<prec>.
 * SS_PICK(x, prec) afterwards selects the x for this processor. No include guard: a file may
 * compile several headers, and this one includes itself once per instruction set.
 */
#include "kernels/cpu/simd/machine.h"

#ifdef SS_ISA /* included by itself: both precisions, for one instruction set */
#define SS_PREC f64
#define SS_REAL double
#define SS_NAME(x) SS_JOIN(SS_JOIN(x, SS_ISA), SS_PREC)
#include SS_TEMPLATE
#undef SS_PREC
#undef SS_REAL
#undef SS_NAME
#define SS_PREC f32
#define SS_REAL float
#define SS_NAME(x) SS_JOIN(SS_JOIN(x, SS_ISA), SS_PREC)
#include SS_TEMPLATE
#undef SS_PREC
#undef SS_REAL
#undef SS_NAME

#else
#define SS_ISA plain
#define SS_BYTES 16
#include "kernels/cpu/simd/each.h"
#undef SS_ISA
#undef SS_BYTES

#if SS_ISA_CLONES
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define SS_ISA avx2
#define SS_BYTES 32
#include "kernels/cpu/simd/each.h"
#undef SS_ISA
#undef SS_BYTES
#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif
#define SS_ISA avx512
#define SS_BYTES 64
#include "kernels/cpu/simd/each.h"
#undef SS_ISA
#undef SS_BYTES
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
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
#endif
