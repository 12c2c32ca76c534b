/* box.h in both precisions, for one instruction set: the inner loop of apply.h. */
#if !SS_ISA_CLONES
/* One instruction set only, as in WebAssembly: a vector is two registers of 16 bytes, so that there
 * is half the arithmetic on addresses. */
#undef SS_BYTES
#define SS_BYTES 32
#endif
#define SS_PREC f64
#include "kernels/cpu/loops/box.h"
#undef SS_PREC
#define SS_PREC f32
#include "kernels/cpu/loops/box.h"
#undef SS_PREC
