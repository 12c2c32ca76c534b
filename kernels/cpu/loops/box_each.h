/* box.h in both precisions, for one instruction set: the inner loop of apply.h. */
#if !SS_ISA_CLONES
/* In WebAssembly: two registers at once, for half the arithmetic on addresses. */
#undef SS_BYTES
#define SS_BYTES 32
#endif
#define SS_PREC f64
#include "kernels/cpu/loops/box.h"
#undef SS_PREC
#define SS_PREC f32
#include "kernels/cpu/loops/box.h"
#undef SS_PREC
