/* Which GPU a rank has, and memory for its messages: see rank.h. Host code; the thread that steps
 * the rank. */
#include "kernels/cuda/rank/rank.h"

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"

/* Where the system refuses, copies are slower. */
void ss_cuda_rank_pin(int which, void *data, size_t bytes, bool on)
{
    ss_cuda_use(which);
    if (on)
        ss_cu->host_register(data, bytes, 0);
    else
        ss_cu->host_unregister(data);
}

/* 52 bits of the GPU's number of 128, which fit into a double. */
static double id_of(const ss_cu_uuid *uuid)
{
    uint64_t h = 14695981039346656037ull; /* FNV-1a */
    for (size_t i = 0; i < sizeof uuid->bytes; i++)
        h = (h ^ (unsigned char)uuid->bytes[i]) * 1099511628211ull;
    return (double)(h >> 12) + 1;
}

/* Without a context, which would take memory of a GPU that others use: only where there is no GPU
 * at all the probe finds out why. */
int ss_cuda_rank_find(int local, int *which, double *id, ss_err *err)
{
    int count = 0;
    ss_cu_uuid uuid;
    if (ss_cu_driver_open(NULL) != SS_OK || ss_cu->init(0) != 0 ||
        ss_cu->device_count(&count) != 0 || count == 0)
        return ss_cuda_probe(err) == SS_OK ? ss_fail(err, "no CUDA device") : SS_FAIL;
    *which = local % count;
    SS_CUDA(ss_cu->device_uuid(&uuid, *which));
    *id = id_of(&uuid);
    return SS_OK;
}

int ss_cuda_rank_begin(int which, ss_err *err)
{
    ss_cuda_use(which);
    return ss_cuda_probe(err);
}
