/*
 * Kernels for a device that need not be there, those on disk, and the one that a user edits:
 * ss_kernel_store of src/core/backend.h.
 */
#include <stdio.h>

#include "kernels/cuda/device/cache.h"
#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"

/* Compiles by an NVRTC whose code the driver can load, if there is a driver. */
static int pretend(int capability, bool ptx, bool shares, ss_err *err)
{
    int version, driver = 0;
    if (ss_cu_driver_open(NULL) == SS_OK)
        ss_cu->driver_version(&driver);
    if (ss_cuda_compiler_open(driver, &version, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_compiler_knows(capability) != capability)
        return ss_fail(err, "NVRTC %d.%d does not compile for compute capability %d.%d",
                       version / 1000, version % 1000 / 10, capability / 10, capability % 10);
    ss_cuda_dry_begin((ss_cuda_target){capability, ptx}, shares);
    return SS_OK;
}

static bool target(char *text, size_t size)
{
    ss_cuda_target t = ss_cuda_target_here();
    if (ss_cuda_probe(NULL) != SS_OK || ss_cuda_compiler_version() == 0 || !ss_cuda_cache_keeps() ||
        ss_cuda_text_version() > 0) /* children have the program's own texts */
        return false;
    snprintf(text, size, "%d%s", t.capability, t.ptx ? "-ptx" : "");
    return true;
}

const ss_kernel_store ss_cuda_kernel_store = {
    .target = target,
    .pretend = pretend,
    .beside = ss_cuda_beside_begin,
    .pretend_end = ss_cuda_dry_end,
    .each = ss_cuda_cache_each,
    .clear = ss_cuda_cache_clear,
    .edit = ss_cuda_edit,
    .edited = ss_cuda_edited,
};
