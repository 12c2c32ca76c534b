/*
 * Kernels for a device that need not be there, and those on disk: ss_kernel_store of
 * src/core/backend.h. Main thread.
 */
#include <string.h>

#include "kernels/cuda/device/cache.h"
#include "kernels/cuda/device/dry.h"
#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"

static int pretend(int capability, bool ptx, ss_err *err)
{
    int version;
    if (ss_cuda_compiler_open(0, &version, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_compiler_knows(capability) != capability)
        return ss_fail(err, "NVRTC %d.%d does not compile for compute capability %d.%d",
                       version / 1000, version % 1000 / 10, capability / 10, capability % 10);
    ss_cuda_dry_begin((ss_cuda_target){capability, ptx});
    return SS_OK;
}

const ss_kernel_store ss_cuda_kernel_store = {
    .pretend = pretend,
    .compiling = ss_cuda_compiling,
    .beside = ss_cu_beside_begin,
    .pretend_end = ss_cuda_dry_end,
    .each = ss_cuda_cache_each,
    .clear = ss_cuda_cache_clear,
};
