/* combine_each.h in both precisions, for one instruction set. */
#define SS_PREC f64
#include "kernels/cpu/loops/combine_each.h"
#undef SS_PREC
#define SS_PREC f32
#include "kernels/cpu/loops/combine_each.h"
#undef SS_PREC
