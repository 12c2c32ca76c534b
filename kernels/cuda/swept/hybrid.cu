/*
 * The host's part of the swept rule's variant hybrid, the paper's Hybrid. In every second diamond
 * one node consists of both ends of the line, with a wall in its middle; it is the only node that
 * must test for a wall. The GPU leaves it out. The host computes it at the same time, on a short
 * line of its own: the two ends of the line, each with a halo of R points, put together. The
 * numbers are the same; two copies and two synchronisations per diamond are the cost. Engine
 * thread.
 */
#include <stdlib.h>

#include "kernels/cuda/swept/hybrid.cuh"

struct ss_cuda_hybrid {
    char *row[2];     /* pinned; all fields one after the other, with room for halos around each */
    ptrdiff_t field;  /* values from field to field */
    int half, halo;   /* points of the node at each end of the line; and points beside them */
    cudaEvent_t here; /* the rows have arrived */
};

static int points_of(const ss_cuda_hybrid *h)
{
    return 2 * (h->half + h->halo);
}

void ss_cuda_hybrid_free(void *own)
{
    ss_cuda_hybrid *h = (ss_cuda_hybrid *)own;
    cudaFreeHost(h->row[0]);
    cudaFreeHost(h->row[1]);
    if (h->here)
        cudaEventDestroy(h->here);
    free(h);
}

static int allocate(const ss_run *run, ss_cuda_hybrid *h, ss_err *err)
{
    size_t bytes = (size_t)h->field * (size_t)run->eq->nfield * ss_prec_size(run->prec);
    for (int i = 0; i < 2; i++) {
        if (ss_cuda_alloc_host((void **)&h->row[i], bytes, "the host's node", err) != SS_OK)
            return SS_FAIL;
        memset(h->row[i], 0, bytes);
    }
    SS_CUDA(cudaEventCreateWithFlags(&h->here, cudaEventDisableTiming));
    return SS_OK;
}

ss_cuda_hybrid *ss_cuda_hybrid_make(const ss_run *run, int block, ss_err *err)
{
    ss_cuda_hybrid *h = (ss_cuda_hybrid *)calloc(1, sizeof *h);
    if (!h) {
        ss_fail(err, "out of memory");
        return NULL;
    }
    h->half = block / 2;
    h->halo = run->eq->radius;
    h->field = points_of(h) + 2 * h->halo;
    if (allocate(run, h, err) == SS_OK)
        return h;
    ss_cuda_hybrid_free(h);
    return NULL;
}

/* Copies one of the two ends, `count` points of all fields of a row, from the device or back. They
 * are at point `at` of the host's line and at point `p` of the device's. */
static int copy_end(ss_run *run, const ss_cuda_hybrid *h, int cur, int row, int at, int p,
                    int count, bool back, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t size = ss_prec_size(run->prec), width = (size_t)count * size;
    size_t near = (size_t)h->field * size, far = st->box.count * size;
    char *host = h->row[row] + (size_t)(h->halo + at) * size;
    char *device = (char *)st->u[row == 0 ? cur : 1 - cur] + (st->box.first + (size_t)p) * size;
    return back ? ss_cuda_copy_rows(run, device, far, host, near, width, (size_t)run->eq->nfield,
                                    cudaMemcpyHostToDevice, err)
                : ss_cuda_copy_rows(run, host, near, device, far, width, (size_t)run->eq->nfield,
                                    cudaMemcpyDeviceToHost, err);
}

int ss_cuda_hybrid_fetch(ss_run *run, ss_cuda_hybrid *h, int cur, ss_err *err)
{
    int n = run->problem.nx, count = h->half + h->halo;
    for (int row = 0; row < 2; row++)
        if (copy_end(run, h, cur, row, 0, 0, count, false, err) != SS_OK ||
            copy_end(run, h, cur, row, count, n - count, count, false, err) != SS_OK)
            return SS_FAIL;
    SS_CUDA(cudaEventRecord(h->here, ss_cuda_of(run)->stream));
    return SS_OK;
}

int ss_cuda_hybrid_advance(ss_run *run, ss_cuda_hybrid *h, int cur, ss_err *err)
{
    int n = run->problem.nx, own = points_of(h);
    ss_swept s = ss_swept_make(own, 2 * h->half, run->eq->radius);
    ss_run line = *run; /* the host's */
    ss_levels levels;
    size_t size = ss_prec_size(run->prec);
    line.problem.nx = own;
    memset(&levels, 0, sizeof levels);
    levels.run = &line;
    levels.advance = run->eq->advance[run->prec];
    levels.size = (ptrdiff_t)size;
    levels.field = h->field * (ptrdiff_t)size;
    for (int row = 0; row < 2; row++)
        levels.row[row] = h->row[row] + (size_t)h->halo * size;
    SS_CUDA(cudaEventSynchronize(h->here));
    for (int l = 1; l < 2 * s.height; l++) /* the node begins `half` points before the wall */
        ss_levels_advance(&levels, l, own - h->half + ss_swept_lo(s, l),
                          own - h->half + ss_swept_hi(s, l));
    for (int row = 0; row < 2; row++)
        if (copy_end(run, h, cur, row, 0, 0, h->half, true, err) != SS_OK ||
            copy_end(run, h, cur, row, own - h->half, n - h->half, h->half, true, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}
