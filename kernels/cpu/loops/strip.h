/*
 * The strip loop for one precision (SS_PREC) and one instruction set (SS_ISA): strips.h
 * compiles it for each (each.h), hence no include guard. The compiler vectorises the loop; an
 * equation with SS_EQ_VECTORS also has the update of a vector of points, SS_POINTS(<equation>), for
 * a loop that it writes in vectors.
 */
#define ID(x) SS_JOIN(SS_JOIN(x, SS_ISA), SS_PREC)
#define scalar ID(scalar)
typedef SS_REAL scalar;
#undef SS_NAME
#undef SS_REAL
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
#define SS_STRIP
#include SS_EQ_HEADER
#undef SS_STRIP
#undef SS_NAME
#undef SS_REAL
