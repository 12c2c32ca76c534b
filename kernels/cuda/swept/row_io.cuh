/*
 * The rows of a line in device memory; a thread loads and stores its points by load_points and
 * store_points (pack.cuh). Device code.
 */
#ifndef SS_CUDA_ROW_IO_CUH
#define SS_CUDA_ROW_IO_CUH

#include "kernels/cuda/device/pack.cuh"

/*
 * The two arrays of a line, each with all fields; a row is the address of point 0 of field 0. In
 * stepper.cuh they are a double buffer: row[0] is the level at hand, and row[1] becomes the next
 * one. In the swept rule they hold the last two levels of each point, the even and the odd one;
 * different points may be on different levels (block.cuh).
 */
template <typename T> struct ss_rows { /* the host's: ss_cuda_rows */
    T *row[2];
    ptrdiff_t field; /* elements between fields */
    int n;
};

#endif
