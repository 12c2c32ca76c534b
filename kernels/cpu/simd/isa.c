/* Selection of the instruction set at run time: see isa.h. */
#include "kernels/cpu/simd/isa.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { UNREAD = -1 };
static atomic_int limit = UNREAD;

/* What the environment allows; everything if it has no such word. */
static int limit_of_environment(void)
{
    static const char *const words[SS_NISA] = {"plain", "avx2", "avx512"};
    const char *want = getenv("STENCILSCOPE_SIMD");
    for (int i = 0; want && i < SS_NISA; i++)
        if (strcmp(want, words[i]) == 0)
            return i;
    return SS_NISA - 1;
}

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
    int most = atomic_load_explicit(&limit, memory_order_relaxed);
    if (most == UNREAD) {
        most = limit_of_environment();
        atomic_store_explicit(&limit, most, memory_order_relaxed);
    }
    return (int)supported < most ? supported : (ss_isa)most;
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
