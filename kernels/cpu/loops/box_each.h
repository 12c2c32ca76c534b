/* box.h in both precisions, for one instruction set: the inner loop of apply.h. */
#define SS_PREC f64
#include "kernels/cpu/loops/box.h"
#undef SS_PREC
#define SS_PREC f32
#include "kernels/cpu/loops/box.h"
#undef SS_PREC
