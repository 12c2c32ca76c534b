/* Launches of plans: see kernel.cuh. */
#include "kernels/cuda/device/kernel.cuh"

/* Programmatic dependent launch: see await_previous. */
static cudaLaunchAttribute overlap_attribute(void)
{
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a.val.programmaticStreamSerializationAllowed = 1;
    return a;
}

static cudaLaunchAttribute cluster_attribute(int blocks)
{
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = (unsigned)blocks;
    a.val.clusterDim.y = a.val.clusterDim.z = 1;
    return a;
}

void ss_cuda_kernel_launch(const ss_cuda_kernel *k, void **args, cudaStream_t stream)
{
    cudaLaunchAttribute attributes[2];
    cudaLaunchConfig_t config = {};
    config.attrs = attributes;
    if (ss_cuda_overlap)
        attributes[config.numAttrs++] = overlap_attribute();
    if (k->cluster > 0)
        attributes[config.numAttrs++] = cluster_attribute(k->cluster);
    config.gridDim = k->blocks;
    config.blockDim = k->threads;
    config.dynamicSmemBytes = k->bytes;
    config.stream = stream;
    cudaLaunchKernelExC(&config, k->function, args);
}
