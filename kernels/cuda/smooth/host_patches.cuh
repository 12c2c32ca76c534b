/*
 * Runs whose patches live in the host's memory (stream-order depth, breadth): at every step each
 * patch goes to the GPU, is relaxed there and comes back, and then patches exchange ghosts here;
 * the paper's comparison of two orders of copies and kernels. Between steps the state is on the
 * device as always, so that pictures and files know nothing of this; to fetch it and to bring it
 * back is not counted. The fields are those of resident patches to the last bit. Engine thread.
 */
#ifndef SS_CUDA_ABROAD_CUH
#define SS_CUDA_ABROAD_CUH

#include "kernels/cuda/device/patches.cuh"
#include "kernels/cuda/smooth/common.cuh"

struct ss_cuda_abroad;

/* Room for all patches here and on the device; they must be of one size. */
int ss_cuda_abroad_make(ss_cuda_abroad **out, ss_run *run, const ss_cuda_smooth_how *how,
                        ss_stream_order order, ss_err *err);
void ss_cuda_abroad_free(ss_cuda_abroad *a);
/* The smoother of one patch. */
const ss_cuda_smooth *ss_cuda_abroad_smooth(const ss_cuda_abroad *a);
int ss_cuda_abroad_step(ss_run *run, ss_cuda_abroad *a, double omega, int64_t cycles, ss_err *err);

#endif
