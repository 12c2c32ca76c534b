/*
 * The value of the parameter `devices`: the numbers of the CUDA devices that share a run, as "0,1".
 * The first slab of the field lies on the first one. Pure functions; any thread.
 */
#ifndef SS_CUDA_DEVICES_H
#define SS_CUDA_DEVICES_H

#include "src/base/common.h"

#define SS_CUDA_DEVICES_MAX 8

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

#endif
