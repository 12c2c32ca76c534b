/*
 * Tiles of the solver `shared`, host side: a thread block takes a subdomain, its frozen halo and
 * its right-hand side on chip, iterates k times, and writes back the points that the subdomain owns
 * (kernels/geom/tiles.h; kernels/cpu/shared.c is the same schedule on a CPU). There is a file of
 * host code per place where tiles lie; shared.cu chooses one by the row `tile`. Engine thread.
 */
#ifndef SS_CUDA_JACOBI_TILES_CUH
#define SS_CUDA_JACOBI_TILES_CUH

#include "kernels/cuda/device/common.cuh"
#include "kernels/cuda/jacobi/block_tile.cuh"

struct register_shape; /* tiles.cu */

struct tile_plan {
    launch_tiling tiling;
    int blocks;
    dim3 threads;
    size_t bytes;                /* of dynamic shared memory */
    const register_shape *shape; /* NULL: in shared memory, and then: */
    bool strided;                /* more points than threads */
};

/* tile=register and tile=memory (tiles.cu), tile=resident (resident.cu), tile=march and
 * tile=pipeline (march.cu). They set run->scratch. The first also takes one device's band of the
 * rows. */
int ss_cuda_tiles_prepare(ss_run *run, ss_err *err);
int ss_cuda_resident_prepare(ss_run *run, ss_err *err);
int ss_cuda_march_prepare(ss_run *run, ss_err *err);
int ss_cuda_pipeline_prepare(ss_run *run, ss_err *err);

/* Fills in the launch of kernels as in tile_memory.cuh from p->tiling, of which this device has
 * `tiles` tiles, or refuses tiles that shared memory cannot hold. The costs of the run become those
 * of these tiles. */
int ss_cuda_tiles_in_memory(ss_run *run, tile_plan *p, int tiles, ss_err *err);

/* Lets blocks of a kernel have as much dynamic shared memory as the device admits. The limit is the
 * kernel's, not the run's: another run may need more than this one. */
template <class K> static int allow_shared_memory(K kernel, ss_err *err)
{
    cudaFuncAttributes own;
    ss_cuda_limits limits;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaFuncGetAttributes(&own, kernel));
    SS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)(limits.block_bytes - own.sharedSizeBytes)));
    return SS_OK;
}

/* The shape of a schedule: its rows that are integers. A kernel with a list of shapes has a
 * function that completes one for a device: it replaces what is NOT_GIVEN, and returns false if
 * none of its shapes is for this config. Any thread. */
enum { SHAPE_K, SHAPE_BLOCK, SHAPE_BLOCK_Y, SHAPE_OVERLAP, SHAPE_OVERLAP_Y, NSHAPE };
#define NOT_GIVEN (-1)
typedef bool tile_best(const ss_config *cfg, int64_t shape[NSHAPE]);
tile_best ss_cuda_march_best, ss_cuda_pipeline_best;

#endif
