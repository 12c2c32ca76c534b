/*
 * The method `batched`: stored inverses as matrix products over panels of blocks (panel.cuh).
 * Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/smooth/batched.cuh"

static int round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

static panel panel_of(const ss_panel_variant *v, const int n[3])
{
    panel p;
    p.cells = 1;
    for (int d = 0; d < 3; d++)
        p.cells *= p.n[d] = n[d];
    p.terms = round_up(p.cells, 8);
    p.rows = round_up(p.cells, 16 * v->mt);
    /* An odd multiple of 8 elements: lanes that read adjacent columns use different banks. */
    p.pitch = round_up(p.terms, 16) + 8;
    int groups = p.rows / (16 * v->mt), down = groups < v->warps ? groups : v->warps;
    p.across = v->warps / down;
    return p;
}

static int size_index(const int n[3])
{
    static const int sizes[SS_PANEL_SIZES] = {0, 1, 2, 4, 8};
    for (int i = 1; i < SS_PANEL_SIZES; i++)
        if (n[0] == sizes[i] && n[1] == sizes[i] && n[2] == sizes[i])
            return i;
    return 0;
}

/* Tile by tile in the order in which lanes read them: see mma.cuh. */
template <typename T> static void pack_inverse(const T *from, const panel &p, T *to)
{
    for (int row = 0; row < p.rows; row += 16)
        for (int term = 0; term < p.terms; term += 8)
            for (int i = 0; i < 2; i++)
                for (int lane = 0; lane < 32; lane++)
                    for (int h = 0; h < 2; h++, to++) {
                        int r = row + lane / 4 + 8 * h, k = term + lane % 4 * 2 + i;
                        bool in = r < p.cells && k < p.cells;
                        *to = in ? from[(size_t)r * (size_t)p.cells + (size_t)k] : (T)0;
                    }
}

int ss_panel_load(const ss_panel_variant *v, ss_smooth_shape *shape, const ss_inverse *inv,
                  ss_err *err)
{
    panel p = panel_of(v, shape->n);
    size_t bytes = (size_t)p.rows * (size_t)p.terms * ss_prec_size(inv->prec);
    void *packed = ss_alloc(bytes, "the inverse of a block", err);
    shape->argument = packed ? ss_alloc(sizeof p, "a panel", err) : NULL;
    int status = SS_FAIL;
    if (shape->argument) {
        memcpy(shape->argument, &p, sizeof p);
        if (inv->prec == SS_F64)
            pack_inverse((const double *)inv->own, p, (double *)packed);
        else
            pack_inverse((const float *)inv->own, p, (float *)packed);
        status = ss_cuda_alloc_copy(&shape->table, packed, bytes, "the inverse of a block", err);
    }
    free(packed);
    return status;
}

void ss_panel_plan(const ss_panel_variant *v, const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    const ss_smooth_shape *shape = &s->shape[l->shape];
    const ss_panel_kernels *k = &v->kernels[s->how.prec][size_index(shape->n)];
    const panel *p = (const panel *)shape->argument;
    l->width = p->across * v->nt * 8;
    l->kernel.function = s->how.order == SS_CUDA_CHAOTIC ? k->chaotic : k->plain;
    l->with_norm = k->with_norm;
    l->kernel.threads = (unsigned)(32 * v->warps);
    l->kernel.bytes = (size_t)l->width * (size_t)p->pitch * ss_prec_size(s->how.prec);
}

int ss_panel_no_cube(int n, ss_cuda_order order)
{
    (void)n, (void)order;
    return 0;
}

/* Large blocks: one panel uses an SM's whole shared memory. Small ones: two thread blocks per SM,
 * so that one gathers while the other multiplies. */
static const ss_panel_variant *variant_of(const ss_cuda_smooth *s)
{
    const int *n = s->shape[0].n;
    return n[0] * n[1] * n[2] > 128 ? &ss_panel_variant_of<2, 4, 16, 1>
                                    : &ss_panel_variant_of<2, 4, 8, 2>;
}

static int load(const ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    return ss_panel_load(variant_of(s), shape, inv, err);
}

static void plan(const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    ss_panel_plan(variant_of(s), s, l);
}

const ss_smooth_method ss_smooth_batched = {
    "batched", &ss_inverse_dense, ss_panel_no_cube, NULL, load, plan};
