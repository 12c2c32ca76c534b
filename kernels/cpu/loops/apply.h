/*
 * Emits SS_EQ's box update for the CPU in both precisions: functions named <equation>_apply_f64 and
 * _f32 of type ss_apply_fn. Included once per equation, by the equation's own file, which first
 * defines
 *     SS_EQ         its name, e.g. poisson2d
 *     SS_EQ_HEADER  the header of its point update, e.g. "kernels/eq/steady.h"; a file with several
 *                   equations of one header defines it before the first only
 *     SS_UPDATE     the call of it: SS_UPDATE(f, g, w, e, s, n); c0 to c3 are ss_coef.c[0] to [3]
 * The loops are in box.h, which is compiled for every precision and instruction set.
 */
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/simd/norm.h"
#include "src/core/equation.h"

#if SS_ISA_CLONES
#include <immintrin.h>
#endif

/* The scalar update, for the points after the last whole vector of a row. */
#ifdef SS_EQ_HEADER
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
#endif

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

#define SS_TEMPLATE "kernels/cpu/loops/box.h"
#include "kernels/cpu/simd/each.h"

static void SS_JOIN(SS_EQ, apply_f64)(const ss_coef *coef, int stage, const void *in,
                                      const void *rhs, void *out, const ss_sweep *sweep)
{
    SS_PICK(SS_JOIN(SS_EQ, box), f64)(coef, stage, in, rhs, out, sweep);
}

static void SS_JOIN(SS_EQ, apply_f32)(const ss_coef *coef, int stage, const void *in,
                                      const void *rhs, void *out, const ss_sweep *sweep)
{
    SS_PICK(SS_JOIN(SS_EQ, box), f32)(coef, stage, in, rhs, out, sweep);
}

#undef SS_EQ
#undef SS_EQ_HEADER
#undef SS_UPDATE
