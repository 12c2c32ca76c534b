/*
 * Between the dot products of the s-step variant and its new vectors (s_step.cuh): a thread block
 * adds the segments of one dot product; one thread of the last block does s iterations in
 * coordinates, on a few numbers. Device code; cycle.c launches it.
 */
#ifndef SS_CUDA_CG_ITERATE_CUH
#define SS_CUDA_CG_ITERATE_CUH

#include "kernels/cuda/cg/pass.cuh"

__global__ void __launch_bounds__(CG_THREADS)
    cg_iterate(ss_cg_basis basis, const __grid_constant__ cg_run a)
{
    __shared__ double gram[SS_CG_PAIRS], tree[CG_TREE];
    __shared__ ss_cg_coordinates vectors; /* not local memory, which is slower */
    cg_state *s = a.state;
    if (cg_begins(a))
        return;
    double sum = cg_tree_sum(a.partial + (size_t)blockIdx.x * a.segments, a.segments, tree);
    int thread = threadIdx.x;
    if (thread == 0)
        s->gram[blockIdx.x] = sum;
    if (!cg_is_last(s))
        return;
    for (int k = thread; k < (int)gridDim.x; k += CG_THREADS)
        gram[k] = __ldcg(s->gram + k);
    __syncthreads();
    if (thread == 0) {
        s->at.rr = ss_cg_iterate(basis, gram, &vectors);
        s->vectors = vectors;
    }
}

#endif
