/*
 * Where the slabs of a run that several devices share leave the sums of a norm: slab_cycles.c says
 * so to slab_cycles.cuh. Valid as C11 and CUDA C++17.
 */
#ifndef SS_CUDA_SLAB_SUMS_H
#define SS_CUDA_SLAB_SUMS_H

#include "kernels/cuda/device/devices.h"

/* The bands of a slab that leave a sum: its inner rows and its edges. */
enum { SS_BAND_INNER, SS_BAND_SOUTH, SS_BAND_NORTH, SS_BANDS };

typedef struct ss_slab_sums {
    const double *of[SS_CUDA_DEVICES_MAX]; /* [SS_BANDS][2] of each slab */
    int slabs, bands; /* bands: SS_BANDS, or 1: only the inner one was launched */
} ss_slab_sums;

#endif
