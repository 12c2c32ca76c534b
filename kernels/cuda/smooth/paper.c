/* The method for stored inverses: a thread block per block of cells (paper.cuh). Engine thread. */
#include "kernels/cuda/smooth/arguments.h"
#include "kernels/cuda/smooth/plan.h"

static int load(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    spatial_block *b = shape->argument = ss_alloc(sizeof *b, "a block", err);
    size_t values = (size_t)inv->cells * (size_t)inv->cells;
    if (!b)
        return SS_FAIL;
    *b = (spatial_block){inv->n[0], inv->n[1], inv->cells};
    return ss_cuda_keep_copy(&s->kept, &shape->table, inv->own, values * ss_prec_size(inv->prec),
                             "the inverse of a block", err);
}

static int find(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    const int cells = ((const spatial_block *)s->shape[l->shape].argument)->cells;
    ss_cuda_kernel *k = &l->kernel[0];
    l->width = 1;
    k->threads.x = (unsigned)(cells < PAPER_THREADS ? ceil_div(cells, 32) * 32 : PAPER_THREADS);
    k->shared = ((size_t)cells + PAPER_TERMS) * ss_prec_size(s->how.prec);
    int status = ss_cuda_kernel_get(k, err, "smooth/paper.cuh", "relax_block<%s, %s>",
                                    ss_smooth_access(s), ss_cuda_real_name(s->how.prec));
    l->kernel[1] = *k;
    return status;
}

const ss_smooth_method ss_smooth_paper = {&ss_inverse_dense, NULL, NULL, load, find};
