/* SS_TEMPLATE in both precisions, for one instruction set: the inner loop of each.h. */
#define SS_PREC f64
#define SS_REAL double
#define SS_NAME(x) SS_JOIN(SS_JOIN(x, SS_ISA), SS_PREC)
#include SS_TEMPLATE
#undef SS_PREC
#undef SS_REAL
#undef SS_NAME
#define SS_PREC f32
#define SS_REAL float
#define SS_NAME(x) SS_JOIN(SS_JOIN(x, SS_ISA), SS_PREC)
#include SS_TEMPLATE
#undef SS_PREC
#undef SS_REAL
#undef SS_NAME
