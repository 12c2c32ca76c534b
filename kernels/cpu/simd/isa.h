/*
 * Which vector instructions the row kernels use. The compiler builds every loop of box.h several
 * times; the widest that this processor has is taken at run time. All give the same bits, so only
 * tests and measurements ever ask for less. Any thread may read the level; change it from one.
 */
#ifndef SS_CPU_ISA_H
#define SS_CPU_ISA_H

/* In the order of what a processor must have; plain is what the compiler was told to assume. */
typedef enum ss_isa { SS_ISA_PLAIN, SS_ISA_AVX2, SS_ISA_AVX512, SS_NISA } ss_isa;

/* Clones for other processors than the compiler assumes exist on x86 only. */
#if defined(__x86_64__)
#define SS_ISA_CLONES 1
#else
#define SS_ISA_CLONES 0
#endif

ss_isa ss_isa_level(void);
/* Use at most this level from now on. */
void ss_isa_limit(ss_isa most);
const char *ss_isa_name(ss_isa isa);

#endif
