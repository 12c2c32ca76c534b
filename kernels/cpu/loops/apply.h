/*
 * Emits SS_EQ's box update for the CPU in both precisions: functions named <equation>_apply_f64 and
 * _f32 of type ss_apply_fn. Included once, by the equation's own file, which first defines
 *     SS_EQ         its name, e.g. poisson2d
 *     SS_EQ_HEADER  the header of its point update, e.g. "kernels/eq/poisson2d.h"
 *     SS_UPDATE     the call of it: SS_UPDATE(f, g, w, e, s, n); c0 to c3 are ss_coef.c[0] to [3]
 * The loops are in box.h, which is included here once for every precision and instruction set.
 */
#include "kernels/cpu/loops/lanes.h"
#include "kernels/cpu/simd/isa.h"
#include "kernels/cpu/simd/norm.h"
#include "src/core/equation.h"

#if SS_ISA_CLONES
#include <immintrin.h>
#endif

#define SS_PASTE(a, b) a##_##b
#define SS_JOIN(a, b) SS_PASTE(a, b)

/* The scalar update, for the points after the last whole vector of a row. */
#define SS_REAL double
#define SS_NAME(x) SS_JOIN(x, f64)
#include SS_EQ_HEADER
#undef SS_REAL
#undef SS_NAME
#define SS_REAL float
#define SS_NAME(x) SS_JOIN(x, f32)
#include SS_EQ_HEADER
#undef SS_REAL
#undef SS_NAME

/* Non-temporal stores; ordinary stores on other processors. */
#if SS_ISA_CLONES
#define ss_stream_plain_f64(p, v) _mm_stream_pd(p, (__m128d)(v))
#define ss_stream_plain_f32(p, v) _mm_stream_ps(p, (__m128)(v))
#define ss_stream_avx2_f64(p, v) _mm256_stream_pd(p, (__m256d)(v))
#define ss_stream_avx2_f32(p, v) _mm256_stream_ps(p, (__m256)(v))
#define ss_stream_avx512_f64(p, v) _mm512_stream_pd(p, (__m512d)(v))
#define ss_stream_avx512_f32(p, v) _mm512_stream_ps(p, (__m512)(v))
#define ss_stream_fence() _mm_sfence()
#else
#define ss_stream_plain_f64(p, v) STORE(p, v)
#define ss_stream_plain_f32(p, v) STORE(p, v)
#define ss_stream_fence() ((void)0)
#endif

#define SS_ISA_BODY "kernels/cpu/loops/box_each.h"
#include "kernels/cpu/simd/isa_each.h"

/* One entry for each level of ss_isa. */
#define SS_CLONE(isa, prec) SS_JOIN(SS_JOIN(SS_JOIN(SS_EQ, box), isa), prec)
#if SS_ISA_CLONES
#define SS_CLONES(prec)                                                                            \
    {                                                                                              \
        SS_CLONE(plain, prec), SS_CLONE(avx2, prec), SS_CLONE(avx512, prec)                        \
    }
#else
#define SS_CLONES(prec)                                                                            \
    {                                                                                              \
        SS_CLONE(plain, prec)                                                                      \
    }
#endif

static void SS_JOIN(SS_EQ, apply_f64)(const ss_coef *coef, int stage, const void *in,
                                      const void *rhs, void *out, const ss_sweep *sweep)
{
    static ss_apply_fn *const clone[] = SS_CLONES(f64);
    clone[ss_isa_level()](coef, stage, in, rhs, out, sweep);
}

static void SS_JOIN(SS_EQ, apply_f32)(const ss_coef *coef, int stage, const void *in,
                                      const void *rhs, void *out, const ss_sweep *sweep)
{
    static ss_apply_fn *const clone[] = SS_CLONES(f32);
    clone[ss_isa_level()](coef, stage, in, rhs, out, sweep);
}
