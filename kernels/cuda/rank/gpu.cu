/* Which GPU a rank has, and memory for its messages: see rank.h. Host code; the thread that steps
 * the rank. */
#include "kernels/cuda/device/common.cuh"
#include "kernels/cuda/rank/rank.h"

/* Where the system refuses, copies are slower. */
void ss_cuda_rank_pin(int which, void *data, size_t bytes, bool on)
{
    ss_cuda_on here(which);
    if ((on ? cudaHostRegister(data, bytes, cudaHostRegisterDefault) : cudaHostUnregister(data)) !=
        cudaSuccess)
        cudaGetLastError(); /* clear it */
}

/* 52 bits of the GPU's number of 128, which fit into a double. */
static double id_of(const cudaUUID_t *uuid)
{
    uint64_t h = 14695981039346656037ull; /* FNV-1a */
    for (char c : uuid->bytes)
        h = (h ^ (unsigned char)c) * 1099511628211ull;
    return (double)(h >> 12) + 1;
}

/* Without a context, which would take memory of a GPU that others use: only where there is no GPU
 * at all the probe finds out why. */
int ss_cuda_rank_find(int local, int *which, double *id, ss_err *err)
{
    int count = 0;
    cudaDeviceProp properties;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        cudaGetLastError(); /* clear it */
        return ss_cuda_probe(err) == SS_OK ? ss_fail(err, "no CUDA device") : SS_FAIL;
    }
    *which = local % count;
    SS_CUDA(cudaGetDeviceProperties(&properties, *which));
    *id = id_of(&properties.uuid);
    return SS_OK;
}

int ss_cuda_rank_begin(int which, ss_err *err)
{
    SS_CUDA(cudaSetDevice(which));
    return ss_cuda_probe(err);
}
