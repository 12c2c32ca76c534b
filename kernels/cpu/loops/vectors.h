/*
 * Vectors of points, for one precision (SS_PREC) and one instruction set (SS_ISA, with vectors of
 * SS_BYTES): included once for each, hence no include guard. Before it ID(x) makes a name unique
 * and `scalar` is the type of a point.
 */
#include <stdint.h>

/* The integer type of an index. */
#define ss_lane_f64 int64_t
#define ss_lane_f32 int32_t
/* The shuffle indices that shift two adjacent vectors by one lane. */
#define ss_east_16_f64 1, 2
#define ss_east_16_f32 1, 2, 3, 4
#define ss_east_32_f64 1, 2, 3, 4
#define ss_east_32_f32 1, 2, 3, 4, 5, 6, 7, 8
#define ss_east_64_f64 1, 2, 3, 4, 5, 6, 7, 8
#define ss_east_64_f32 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16

#define vec ID(vec)
#define unaligned_vec ID(unaligned_vec)
#define lane_numbers ID(lane_numbers)
#define LANES ((int)(SS_BYTES / sizeof(scalar)))

typedef scalar vec __attribute__((vector_size(SS_BYTES)));
/* The same vector at any address. */
typedef scalar unaligned_vec
    __attribute__((vector_size(SS_BYTES), aligned(sizeof(scalar)), may_alias));
#define LOAD(p) ((vec) * (const unaligned_vec *)(p))
#define STORE(p, v) (*(unaligned_vec *)(p) = (unaligned_vec)(v))
#define SPLAT(x) ((vec){0} + (x))

/* Lanes 1, 2, ... of a, then lane 0 of b. */
#define LANE_LIST SS_JOIN(SS_JOIN(ss_east, SS_BYTES), SS_PREC)
#ifdef __clang__
#define EAST(a, b) __builtin_shufflevector(a, b, LANE_LIST)
#else
typedef SS_JOIN(ss_lane, SS_PREC) lane_numbers __attribute__((vector_size(SS_BYTES)));
#define EAST(a, b) __builtin_shuffle(a, b, (lane_numbers){LANE_LIST})
#endif
