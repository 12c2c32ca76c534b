/*
 * The norm of a run that several devices share, and the decision whether it goes on: each device
 * makes it from the sums of all, in the same order. One thread; see slabs.h. Device code.
 */
#ifndef SS_CUDA_SLAB_CYCLES_CUH
#define SS_CUDA_SLAB_CYCLES_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/slab_sums.h"

/* Tells the bands of a device whether the run goes on, and into which half of their sums the next
 * norm goes. */
static __device__ void tell(const ss_cuda_control *control, ss_cuda_control *part)
{
    for (int i = 0; i < SS_BANDS; i++) {
        set_stop(part + i, control->stop[0]);
        part[i].count = control->count;
    }
}

__global__ void tell_parts(const ss_cuda_control *control, ss_cuda_control *part)
{
    tell(control, part);
}

/* Two halves of the sums alternate: a device may already add up the next norm while another one
 * still reads this one, but no more than that. */
__global__ void decide_parts(ss_cuda_control *control, ss_cuda_control *part, ss_slab_sums sums)
{
    double sum = 0;
    if (control->stop[0])
        return;
#pragma unroll /* an index known at compile time: the argument is not copied to local memory */
    for (int i = 0; i < SS_CUDA_DEVICES_MAX; i++)
        for (int band = 0; i < sums.slabs && band < sums.bands; band++)
            sum += __ldcg(sums.of[i] + 2 * band + control->count % 2);
    decide(control, sum);
    tell(control, part);
}

#endif
