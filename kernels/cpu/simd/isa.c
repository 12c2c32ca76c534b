/* Selection of the instruction set at run time: see isa.h. */
#include "kernels/cpu/simd/isa.h"

#include <stdatomic.h>

static atomic_int limit = SS_NISA - 1;

static ss_isa detect(void)
{
#if SS_ISA_CLONES
    if (__builtin_cpu_supports("avx512f"))
        return SS_ISA_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return SS_ISA_AVX2;
#endif
    return SS_ISA_PLAIN;
}

ss_isa ss_isa_level(void)
{
    ss_isa supported = detect();
    ss_isa most = (ss_isa)atomic_load_explicit(&limit, memory_order_relaxed);
    return supported < most ? supported : most;
}

void ss_isa_limit(ss_isa most)
{
    atomic_store_explicit(&limit, (int)most, memory_order_relaxed);
}

const char *ss_isa_name(ss_isa isa)
{
    static const char *const names[SS_NISA] = {"plain", "AVX2", "AVX-512"};
    return names[isa];
}
