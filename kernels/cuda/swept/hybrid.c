/*
 * The host's part of the swept rule's variant hybrid, the paper's Hybrid. In every second diamond
 * one node consists of both ends of the line, with a wall in its middle; it is the only node that
 * must test for a wall. The GPU leaves it out. The host computes it at the same time, on a short
 * line of its own: the two ends of the line, each with a halo of R points, put together. The
 * numbers are the same; two copies and two synchronisations per diamond are the cost. Engine
 * thread.
 */
#include "kernels/cuda/swept/chain.h"

#include <string.h>

#include "kernels/cpu/state.h"

static int points_of(const ss_cuda_hybrid *h)
{
    return 2 * (h->half + h->halo);
}

int ss_cuda_hybrid_make(const ss_run *run, ss_cuda_hybrid *h, int block, ss_err *err)
{
    ss_cuda_kept *kept = &ss_cuda_plan_of(run)->kept;
    h->half = block / 2;
    h->halo = run->eq->radius;
    h->field = points_of(h) + 2 * h->halo;
    size_t bytes = (size_t)h->field * (size_t)run->eq->nfield * ss_prec_size(run->prec);
    for (int i = 0; i < 2; i++) {
        if (ss_cuda_keep_pinned(kept, (void **)&h->row[i], bytes, "the host's node", err) != SS_OK)
            return SS_FAIL;
        memset(h->row[i], 0, bytes);
    }
    return ss_cuda_keep_event(kept, &h->here, SS_CU_NO_TIMING, err);
}

/* Copies one of the two ends, `count` points of all fields of a row, from the device or back. They
 * are at point `at` of the host's line and at point `p` of the device's. */
static int copy_end(ss_run *run, const ss_cuda_hybrid *h, int cur, int row, int at, int p,
                    int count, bool back, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t size = ss_prec_size(run->prec), width = (size_t)count * size;
    size_t near = (size_t)h->field * size, far = st->box.count * size;
    size_t fields = (size_t)run->eq->nfield;
    char *host = h->row[row] + (size_t)(h->halo + at) * size;
    char *device = (char *)st->u[row == 0 ? cur : 1 - cur] + (st->box.first + (size_t)p) * size;
    return back ? ss_cuda_copy_rows(run, device, far, host, near, width, fields, SS_CUDA_UP, err)
                : ss_cuda_copy_rows(run, host, near, device, far, width, fields, SS_CUDA_DOWN, err);
}

int ss_cuda_hybrid_fetch(ss_run *run, const ss_cuda_hybrid *h, int cur, ss_err *err)
{
    int n = run->problem.nx, count = h->half + h->halo;
    for (int row = 0; row < 2; row++)
        if (copy_end(run, h, cur, row, 0, 0, count, false, err) != SS_OK ||
            copy_end(run, h, cur, row, count, n - count, count, false, err) != SS_OK)
            return SS_FAIL;
    SS_CUDA(ss_cu->event_record(h->here, ss_cuda_of(run)->stream));
    return SS_OK;
}

int ss_cuda_hybrid_advance(ss_run *run, const ss_cuda_hybrid *h, int cur, ss_err *err)
{
    int n = run->problem.nx, own = points_of(h);
    ss_swept s = ss_swept_make(own, 2 * h->half, run->eq->radius);
    ss_run line = *run; /* the host's */
    size_t size = ss_prec_size(run->prec);
    line.problem.nx = own;
    ss_levels levels = {.run = &line,
                        .advance = run->eq->advance[run->prec],
                        .size = (ptrdiff_t)size,
                        .field = h->field * (ptrdiff_t)size};
    for (int row = 0; row < 2; row++)
        levels.row[row] = h->row[row] + (size_t)h->halo * size;
    SS_CUDA(ss_cu->event_wait(h->here));
    for (int l = 1; l < 2 * s.height; l++) /* the node begins `half` points before the wall */
        ss_levels_advance(&levels, l, own - h->half + ss_swept_lo(s, l),
                          own - h->half + ss_swept_hi(s, l));
    for (int row = 0; row < 2; row++)
        if (copy_end(run, h, cur, row, 0, 0, h->half, true, err) != SS_OK ||
            copy_end(run, h, cur, row, own - h->half, n - h->half, h->half, true, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}
