/*
 * The vector instruction set of the row kernels. Every loop of box.h is compiled several times; the
 * widest version that this processor supports is selected at run time. All are bit-for-bit equal,
 * so only tests and measurements limit the level: by ss_isa_limit, or by the environment variable
 * STENCILSCOPE_SIMD (plain, avx2, avx512), which is read once. Any thread may read the level; only
 * one may change it.
 */
#ifndef SS_CPU_ISA_H
#define SS_CPU_ISA_H

/* In increasing order of width; plain is the compiler's target. */
typedef enum ss_isa { SS_ISA_PLAIN, SS_ISA_AVX2, SS_ISA_AVX512, SS_NISA } ss_isa;

/* Versions for other instruction sets than the compiler's target exist on x86 only. */
#if defined(__x86_64__)
#define SS_ISA_CLONES 1
#else
#define SS_ISA_CLONES 0
#endif

ss_isa ss_isa_level(void);
/* Limits the level from now on. */
void ss_isa_limit(ss_isa most);
const char *ss_isa_name(ss_isa isa);

#endif
