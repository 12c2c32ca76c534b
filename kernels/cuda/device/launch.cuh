/*
 * Kernel launches that may overlap, and the two calls with which a kernel takes part in that.
 * CUDA C++17; the launchers are host code of the engine thread.
 */
#ifndef SS_CUDA_LAUNCH_CUH
#define SS_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

/*
 * Kernels of cycles overlap: CUDA calls it programmatic dependent launch, and launch_clusters asks
 * for it. The next kernel may begin as soon as EVERY block of this one has called let_next_begin or
 * has ended; a single block's call has no effect by itself. Where no block calls it, as on all
 * rungs of ladder.cu but `vector`, the next one begins only when the last block has ended.
 *
 * A kernel that has begun early may read what no cycle changes (the right-hand side), and touches
 * the fields only after await_previous. That waits until the kernel before has ended altogether and
 * its stores can be seen, those after let_next_begin as well: where the call stands changes when
 * work begins, never what is read.
 *
 * Waiting blocks hold their place on a processor, and yet there is no deadlock: they are let in
 * only after all blocks of the kernel before have begun, so that none that is awaited is still in
 * need of a place. Every kernel of a chain waits, so that the end of one is the end of all before
 * it.
 */
static __device__ __forceinline__ void await_previous()
{
#if __CUDA_ARCH__ >= 900 /* before Hopper launches did not overlap */
    cudaGridDependencySynchronize();
#endif
}
static __device__ __forceinline__ void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* Can they on this device? Known once it has been looked at. */
extern bool ss_cuda_overlap;

/* `cluster` thread blocks at a time run side by side and can write each other's shared memory; 0:
 * nobody does. */
template <class... P, class... A>
static void launch_clusters(int cluster, void (*kernel)(P...), dim3 blocks, dim3 threads,
                            size_t shared, cudaStream_t stream, A... args)
{
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute attr[2] = {};
    how.attrs = attr;
    if (ss_cuda_overlap) {
        cudaLaunchAttribute *overlap = &attr[how.numAttrs++];
        overlap->id = cudaLaunchAttributeProgrammaticStreamSerialization;
        overlap->val.programmaticStreamSerializationAllowed = 1;
    }
    if (cluster > 0) {
        cudaLaunchAttribute *together = &attr[how.numAttrs++];
        together->id = cudaLaunchAttributeClusterDimension;
        together->val.clusterDim.x = (unsigned)cluster;
        together->val.clusterDim.y = together->val.clusterDim.z = 1;
    }
    how.gridDim = blocks;
    how.blockDim = threads;
    how.dynamicSmemBytes = shared;
    how.stream = stream;
    cudaLaunchKernelEx(&how, kernel, P(args)...);
}

template <class... P, class... A>
static void launch_kernel(void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared,
                          cudaStream_t stream, A... args)
{
    launch_clusters(0, kernel, blocks, threads, shared, stream, args...);
}

#endif
