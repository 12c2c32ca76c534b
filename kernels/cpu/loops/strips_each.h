/* The strip loop in both precisions for instruction set SS_ISA: see strips.h. No include guard. */
#define SS_INVERSE(x) (1 / (x))
#define SS_LESS_HALF(x, t) ((x) - (SS_REAL)0.5 * (t))
#define SS_MAGNITUDE(x) ((x) < 0 ? -(x) : (x))
#define SS_TRUST(x) SS_NAME(euler1d_trust)(x)
#define SS_NAME(x) SS_JOIN(SS_JOIN(x, SS_ISA), f64)
#define SS_REAL double
#define SS_SQRT(x) sqrt(x)
#include SS_EQ_HEADER
#include SS_EQ_STRIP
#undef SS_NAME
#undef SS_REAL
#undef SS_SQRT
#define SS_NAME(x) SS_JOIN(SS_JOIN(x, SS_ISA), f32)
#define SS_REAL float
#define SS_SQRT(x) sqrtf(x)
#include SS_EQ_HEADER
#include SS_EQ_STRIP
#undef SS_NAME
#undef SS_REAL
#undef SS_SQRT
#undef SS_INVERSE
#undef SS_LESS_HALF
#undef SS_MAGNITUDE
#undef SS_TRUST
