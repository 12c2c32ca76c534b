/*
 * All that the CUDA files share, one header per idea:
 *
 *     check.h       checked calls and allocations
 *     update.cuh    the update of a point
 *     pack.cuh      16 bytes at a time
 *     norm.cuh      block sums, the norm of a cycle, the decision to stop
 *     launch.cuh    launches that overlap
 *     state.cuh     the state of a run on the device
 *     dispatch.cuh  a launcher's template by equation and precision
 *     cycles.cuh    solvers that launch once or more per cycle
 *
 * CUDA C++17; host functions are called from the engine thread.
 */
#ifndef SS_CUDA_COMMON_CUH
#define SS_CUDA_COMMON_CUH

#include <cuda_runtime.h>
#include <stdlib.h>

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/cycles.cuh"
#include "kernels/cuda/device/dispatch.cuh"
#include "kernels/cuda/device/launch.cuh"
#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/device/state.cuh"
#include "kernels/cuda/device/update.cuh"

#endif
