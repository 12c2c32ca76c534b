/* Adds the partial sums of many thread blocks, always in the same order: see sums.h. */
#include "kernels/cuda/device/sums.h"

#define SUM_THREADS 1024 /* as in sums.cuh */

int ss_cuda_sums_find(ss_cuda_sums *s, ss_err *err)
{
    s->add.threads.x = s->decide.threads.x = SUM_THREADS;
    return ss_cuda_kernel_get(&s->add, err, "device/sums.cuh", "add_sums") == SS_OK
               ? ss_cuda_kernel_get(&s->decide, err, "device/sums.cuh", "decide_norm")
               : SS_FAIL;
}

void ss_cuda_sums_decide(const ss_cuda_sums *s, const double *partial, uint32_t count,
                         ss_cuda_control *control, ss_cu_stream stream)
{
    ss_cuda_launch_kernel(&s->decide, stream, SS_ARGUMENTS(&partial, &count, &control));
}

void ss_cuda_sums_add(const ss_cuda_sums *s, const double *partial, uint32_t count, double *out,
                      ss_cu_stream stream)
{
    ss_cuda_launch_kernel(&s->add, stream, SS_ARGUMENTS(&partial, &count, &out));
}
