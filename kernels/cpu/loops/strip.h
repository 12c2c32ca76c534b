/*
 * The strip loop for one precision (SS_PREC) and one instruction set (SS_ISA): included by
 * strips_each.h once for each, hence no include guard. The compiler vectorises the loop; an
 * equation with SS_EQ_VECTORS also has the update of a vector of points, SS_POINTS(<equation>), for
 * a loop that it writes in vectors.
 */
#define ID(x) SS_JOIN(SS_JOIN(x, SS_ISA), SS_PREC)
#define scalar SS_JOIN(ss, SS_PREC)
#include "kernels/cpu/loops/vectors.h"

#ifdef SS_EQ_VECTORS
#define SS_POINTS(x) ID(SS_JOIN(x, points))
#define SS_NAME SS_POINTS
#define SS_REAL vec
#include SS_EQ_HEADER
#undef SS_NAME
#undef SS_REAL
#endif

#define SS_NAME ID
#define SS_REAL scalar
#include SS_EQ_HEADER
#include SS_EQ_STRIP
#undef SS_NAME
#undef SS_REAL

#undef SS_POINTS
#undef ID
#undef scalar
#include "kernels/cpu/loops/vectors_end.h"
