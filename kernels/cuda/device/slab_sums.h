/*
 * The devices that share a run, and where its slabs leave the sums of a norm (slab_cycles.c says so
 * to slab_cycles.cuh). Valid as C11 and CUDA C++17.
 */
#ifndef SS_CUDA_SLAB_SUMS_H
#define SS_CUDA_SLAB_SUMS_H

#include "src/base/common.h"

/* --- devices of a run ------------------------------------------------------------------------- */

#define SS_CUDA_DEVICES_MAX 8

/* The value of the parameter `devices`, as "0,1"; the first slab lies on the first device. */
typedef struct ss_cuda_devices {
    int count; /* at least 1 */
    int of[SS_CUDA_DEVICES_MAX];
} ss_cuda_devices;

/* Reads a list; text NULL: device 0. `present`: the number of CUDA devices. `twice`: a device may
 * be named more than once, so that tests need one device only. On SS_FAIL err has one sentence with
 * the valid range. */
int ss_cuda_devices_parse(const char *text, int present, bool twice, ss_cuda_devices *out,
                          ss_err *err);
/* Is it the first device alone? Then the run is not divided. */
bool ss_cuda_devices_single(const ss_cuda_devices *d);

/* --- sums ------------------------------------------------------------------------------------ */

/* The bands of a slab that leave a sum: its inner rows and its edges. */
enum { SS_BAND_INNER, SS_BAND_SOUTH, SS_BAND_NORTH, SS_BANDS };

typedef struct ss_slab_sums {
    const double *of[SS_CUDA_DEVICES_MAX]; /* [SS_BANDS][2] of each slab */
    int slabs, bands; /* bands: SS_BANDS, or 1: only the inner one was launched */
} ss_slab_sums;

#endif
