/*
 * Reads after `block.cuh`. The same for equations in flux form (Euler). Each pressure and each flux
 * is computed once and passed on through shared memory: two more barriers per level, and half of
 * the arithmetic. flux[i] is the flux through the face between points i - 1 and i; it needs the
 * pressures of points i - 2 to i + 1. So the points [lo, hi) need fluxes [lo, hi] and pressures
 * [lo - 2, hi + 2), more of them than the thread block has threads:
 *
 *     pressure i    thread i + 2; the last four, from block - 2 on: threads 0 .. 3
 *     flux i        thread i; flux `block`: thread 0
 *
 * Shared memory: two rows of three fields, a row of pressures and three of fluxes. Device code.
 */
#ifndef SS_CUDA_SWEPT_FACES_CUH
#define SS_CUDA_SWEPT_FACES_CUH

#include "kernels/cuda/swept/block.cuh"

template <class E>
__global__ void __launch_bounds__(1024)
    swept_block_faces(E eq, ss_rows<typename E::real> rows, diamond a)
{
    typedef typename E::real T;
    const int x = threadIdx.x, node = blockIdx.x, block = a.s.block;
    extern __shared__ double shared[];
    node_rows<E> mine = rows_in<E>(shared, block);
    T *p = &mine.at(2, 0, 0), *flux = p + mine.width; /* behind the rows; flux has three fields */
    ss_walls w = walls_at(a, node, x, 1);
    bool fixed = is_fixed<E, 1>(w, 0);
    /* Beyond an end of the line its own pressure is used: at the point next to the left end (1
     * point away) x - 2 would lie beyond, at the right end itself x + 1. */
    int first = w.left == 1 ? x - 1 : x - 2, last = w.right == 0 ? x : x + 1;
    let_next_begin();
    await_previous();
    load_node(rows, a, node, mine);
    __syncthreads(); /* threads have loaded points for one another */
    for (int l = a.from; l < a.to; l++) {
        int to = (a.parity + l) & 1, lo = ss_swept_lo(a.s, l), hi = ss_swept_hi(a.s, l);
        for (int i = x - 2; i < block + 2; i += block)
            if (i >= lo - 2 && i < hi + 2)
                p[i] = euler1d_pressure(mine.at(1 - to, 0, i), mine.at(1 - to, 1, i),
                                        mine.at(1 - to, 2, i));
        __syncthreads(); /* a flux needs the pressures of four points */
        for (int i = x; i <= block; i += block)
            if (i >= lo && i <= hi) {
                T ps[4] = {p[i == x ? first : i - 2], p[i - 1], p[i], p[i == x ? last : i + 1]};
                T f[3];
                E::face(ps, mine.at(1 - to, 0, i - 1), mine.at(1 - to, 1, i - 1),
                        mine.at(1 - to, 2, i - 1), mine.at(1 - to, 0, i), mine.at(1 - to, 1, i),
                        mine.at(1 - to, 2, i), f);
                for (int k = 0; k < 3; k++)
                    flux[k * mine.width + i] = f[k];
            }
        __syncthreads(); /* a point needs the fluxes of both of its faces */
        if (x >= lo && x < hi && !fixed)
            for (int k = 0; k < 3; k++) {
                const T *f = flux + k * mine.width + x;
                int stage = (a.parity + l - 1) % E::stages;
                mine.at(to, k, x) =
                    eq.change(stage, mine.at(stage ? to : 1 - to, k, x), f[0], f[1]);
            }
        /* The level is complete, and its pressures and fluxes are read, before the next begins. */
        __syncthreads();
    }
    store_node(rows, a, node, mine);
}

#endif
