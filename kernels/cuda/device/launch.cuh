/*
 * Kernel launches that may overlap, and the two calls with which a kernel takes part in that.
 * CUDA C++17; the launchers are host code of the engine thread.
 */
#ifndef SS_CUDA_LAUNCH_CUH
#define SS_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

/*
 * Programmatic dependent launch: kernels that follow each other on a stream may overlap, which
 * hides part of the launch latency. launch_kernel asks for it. The next kernel may begin as soon as
 * EVERY block of this one has called let_next_begin or has ended; one block's call alone has no
 * effect. Where no block calls it, as on rungs 1 to 5 of the ladder, the next kernel begins when
 * the last block has ended.
 *
 * A kernel that has begun early may read what no cycle changes (the right-hand side). It accesses
 * the fields only after await_previous, which waits until the previous kernel has ended and all its
 * stores are visible, also those after let_next_begin. The place of let_next_begin therefore
 * changes when the next kernel begins, never what it reads.
 *
 * Waiting blocks are resident on an SM, and yet there is no deadlock: they become resident only
 * after all blocks of the previous kernel have begun, so that no block they wait for still needs
 * the space. Every kernel of a chain waits; the end of one kernel is the end of all before it.
 */
static __device__ __forceinline__ void await_previous()
{
#if __CUDA_ARCH__ >= 900 /* the first devices that overlap launches */
    cudaGridDependencySynchronize();
#endif
}
static __device__ __forceinline__ void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* Whether the device can overlap launches; set by the first probe (backend.cu). */
extern bool ss_cuda_overlap;
/* Launches of this thread must not overlap now: their streams wait for other streams, which
 * await_previous knows nothing of (slab_cycles.cu). */
extern thread_local bool ss_cuda_in_order;

/* Launches a kernel in clusters of `cluster` thread blocks, which can write each other's shared
 * memory; 0: no clusters. */
template <class... P, class... A>
static void launch_clusters(int cluster, void (*kernel)(P...), dim3 blocks, dim3 threads,
                            size_t shared, cudaStream_t stream, A... args)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attr[2] = {};
    config.attrs = attr;
    if (ss_cuda_overlap && !ss_cuda_in_order) {
        cudaLaunchAttribute *overlap = &attr[config.numAttrs++];
        overlap->id = cudaLaunchAttributeProgrammaticStreamSerialization;
        overlap->val.programmaticStreamSerializationAllowed = 1;
    }
    if (cluster > 0) {
        cudaLaunchAttribute *clusters = &attr[config.numAttrs++];
        clusters->id = cudaLaunchAttributeClusterDimension;
        clusters->val.clusterDim.x = (unsigned)cluster;
        clusters->val.clusterDim.y = clusters->val.clusterDim.z = 1;
    }
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    cudaLaunchKernelEx(&config, kernel, P(args)...);
}

template <class... P, class... A>
static void launch_kernel(void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared,
                          cudaStream_t stream, A... args)
{
    launch_clusters(0, kernel, blocks, threads, shared, stream, args...);
}

#endif
