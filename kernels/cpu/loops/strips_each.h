/* strip.h in both precisions, for one instruction set: see strips.h. No include guard. */
#define SS_INVERSE(x) (1 / (x))
#define SS_LESS_HALF(x, t) ((x) - (SS_REAL)0.5 * (t))
#define SS_MAGNITUDE(x) ((x) < 0 ? -(x) : (x))
#define SS_TRUST(x) SS_NAME(euler1d_trust)(x)
#define SS_PREC f64
#define SS_SQRT(x) sqrt(x)
#include "kernels/cpu/loops/strip.h"
#undef SS_PREC
#undef SS_SQRT
#define SS_PREC f32
#define SS_SQRT(x) sqrtf(x)
#include "kernels/cpu/loops/strip.h"
#undef SS_PREC
#undef SS_SQRT
#undef SS_INVERSE
#undef SS_LESS_HALF
#undef SS_MAGNITUDE
#undef SS_TRUST
