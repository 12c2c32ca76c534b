/* See combine.h. */
#include "kernels/cpu/loops/combine.h"

#include "kernels/cpu/simd/norm.h"

#define SS_TEMPLATE "kernels/cpu/loops/combine_each.h"
#include "kernels/cpu/simd/each.h"

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
