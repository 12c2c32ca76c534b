/*
 * What vectors.h needs for every precision and instruction set: names of types, and the shuffle
 * indices that shift two adjacent vectors by one lane. Constant.
 */
#ifndef SS_CPU_LANES_H
#define SS_CPU_LANES_H

#include <stdint.h>

typedef double ss_f64;
typedef float ss_f32;

/* The integer type of an index. */
typedef int64_t ss_lane_f64;
typedef int32_t ss_lane_f32;
#define ss_east_16_f64 1, 2
#define ss_east_16_f32 1, 2, 3, 4
#define ss_east_32_f64 1, 2, 3, 4
#define ss_east_32_f32 1, 2, 3, 4, 5, 6, 7, 8
#define ss_east_64_f64 1, 2, 3, 4, 5, 6, 7, 8
#define ss_east_64_f32 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16

#endif
