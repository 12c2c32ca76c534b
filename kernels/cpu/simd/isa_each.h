/*
 * Compiles the header SS_ISA_BODY once for every instruction set. It may use
 *     SS_ISA    a part of a name: plain, avx2, avx512,
 *     SS_BYTES  the size of a vector register in bytes.
 * The caller selects a version by ss_isa_level. No include guard.
 */
#define SS_ISA plain
#define SS_BYTES 16
#include SS_ISA_BODY
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
#include SS_ISA_BODY
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
#include SS_ISA_BODY
#undef SS_ISA
#undef SS_BYTES
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#undef SS_ISA_BODY
