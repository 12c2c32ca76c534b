/* See combine.h. */
#include "kernels/cpu/loops/combine.h"

#include "kernels/cpu/loops/lanes.h"
#include "kernels/cpu/simd/isa.h"
#include "kernels/cpu/simd/norm.h"

#define SS_PASTE(a, b) a##_##b
#define SS_JOIN(a, b) SS_PASTE(a, b)

#define SS_ISA_BODY "kernels/cpu/loops/combine_both.h"
#include "kernels/cpu/simd/isa_each.h"

#define TABLE(isa, prec)                                                                           \
    {                                                                                              \
        .relax = relax_##isa##_##prec, .relax_colour = relax_colour_##isa##_##prec,                \
        .recur = recur_##isa##_##prec, .add = add_##isa##_##prec, .dot = dot_##isa##_##prec,       \
    }
#define BOTH(isa)                                                                                  \
    {                                                                                              \
        [SS_F64] = TABLE(isa, f64), [SS_F32] = TABLE(isa, f32)                                     \
    }

const ss_combine *ss_combine_of(ss_prec prec)
{
    static const ss_combine table[][SS_NPREC] = {
        BOTH(plain),
#if SS_ISA_CLONES
        BOTH(avx2),
        BOTH(avx512),
#endif
    };
    return &table[ss_isa_level()][prec];
}
