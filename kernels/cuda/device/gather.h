/*
 * Which points the kernels of pictures gather (gather.cuh): their arguments, which the host fills
 * in (sample.c, slab_sample.c). Valid as C11 and CUDA C++17.
 */
#ifndef SS_CUDA_GATHER_H
#define SS_CUDA_GATHER_H

#include "src/base/common.h"

/* A sampling plan on the device: the points [lo, hi) of each column and row of cells. */
typedef struct ss_cuda_boxes {
    const int *x_lo, *x_hi, *y_lo, *y_hi;
    int w, h, pairs;
    int widest; /* most points that a cell covers in x */
} ss_cuda_boxes;

/* The rows [lo, hi) of points that a row of cells covers, box number `box` of `boxes`, of which
 * this device has the rows [from, to); and the columns [x0, x0 + n) of the picture. */
typedef struct ss_cuda_rows_of_cells {
    int lo, hi, pairs, box, boxes;
    int from, to;
    int x0, n;
} ss_cuda_rows_of_cells;

/* Areas of the field. `to`: where its values go, if they are copied. */
#define SS_CUDA_AREAS 128
typedef struct ss_cuda_area {
    int x0, y0, nx, ny;
    int64_t to;
} ss_cuda_area;
typedef struct ss_cuda_areas {
    ss_cuda_area of[SS_CUDA_AREAS];
} ss_cuda_areas;

#endif
