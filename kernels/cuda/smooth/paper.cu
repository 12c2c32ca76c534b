/* The method for stored inverses: a thread block per block of cells (paper.cuh). Engine thread. */
#include <stdlib.h>

#include "kernels/cuda/smooth/paper.cuh"
#include "kernels/cuda/smooth/plan.cuh"

static int load(ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    const spatial_block b = {inv->n[0], inv->n[1], (int)inv->cells};
    size_t values = (size_t)inv->cells * (size_t)inv->cells;
    shape->argument = ss_alloc(sizeof b, "a block", err);
    if (!shape->argument)
        return SS_FAIL;
    memcpy(shape->argument, &b, sizeof b);
    return ss_cuda_alloc_copy(&shape->table, inv->own, values * ss_prec_size(inv->prec),
                              "the inverse of a block", err);
}

static void plan(const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    static const void *const kernels[SS_NPREC][2] = {
        {(const void *)relax_block<alone, double>, (const void *)relax_block<racing, double>},
        {(const void *)relax_block<alone, float>, (const void *)relax_block<racing, float>}};
    const int cells = ((const spatial_block *)s->shape[l->shape].argument)->cells;
    l->width = 1;
    l->with_norm = l->kernel.function = kernels[s->how.prec][s->how.order == SS_CUDA_CHAOTIC];
    l->kernel.threads =
        (unsigned)(cells < PAPER_THREADS ? ceil_div(cells, 32) * 32 : PAPER_THREADS);
    l->kernel.bytes = ((size_t)cells + TERMS) * ss_prec_size(s->how.prec);
}

const ss_smooth_method ss_smooth_paper = {&ss_inverse_dense, NULL, NULL, load, plan};
