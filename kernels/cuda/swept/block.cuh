/*
 * The swept rule's variant block: a node is a thread block, a point is a thread, and both rows stay
 * in shared memory from the first level of a diamond to its last. The paper's Shared. CUDA C++17.
 *
 * The simplest of the variants, and the slowest on large grids: as the triangle shrinks, fewer and
 * fewer threads have work (half of them on average), and each level ends with a barrier of the
 * whole thread block. On an H200, f64, a step of heat takes 186 ns for 2^10 points (blocks of 256;
 * stepper: 677 ns) and 1.76 us for 2^20 (blocks of 512; stepper: 4.13 us).
 */
#ifndef SS_CUDA_SWEPT_BLOCK_CUH
#define SS_CUDA_SWEPT_BLOCK_CUH

#include "kernels/cuda/swept/diamond.cuh"

/*
 * The double buffer in shared memory: a level is read from row 1 - to and written to row `to`. A
 * second stage also reads `to`: the level before, which its own thread then overwrites. One barrier
 * per level is enough, because no thread writes a row that another one still reads.
 */
template <class E>
__global__ void __launch_bounds__(1024) swept_block(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int R = E::radius, x = threadIdx.x, node = blockIdx.x;
    extern __shared__ double shared[];
    node_rows<E, false> mine = rows_in<E, false>(shared, a.s.block);
    ss_walls w = walls_at(a, node, x, 1);
    bool fixed = is_fixed<E, 1>(w, 0);
    let_next_begin();
    await_previous();
    load_node(rows, a, node, mine);
    __syncthreads(); /* the rows are complete */
    for (int l = a.from; l < a.to; l++) {
        int to = (a.parity + l) & 1;
        if (x >= ss_swept_lo(a.s, l) && x < ss_swept_hi(a.s, l) && !fixed) {
            ss_around<E, 1> u;
            ss_points<E, 1> old;
#pragma unroll
            for (int f = 0; f < E::fields; f++) {
#pragma unroll
                for (int i = -R; i <= R; i++)
                    u.at[f][R + i] = mine.at(1 - to, f, x + i);
                old.at[f][0] = mine.at(to, f, x);
            }
            reflect<E, 1>(u.at, w);
            ss_points<E, 1> v = eq.next((a.parity + l - 1) % E::stages, u, old);
#pragma unroll
            for (int f = 0; f < E::fields; f++)
                mine.at(to, f, x) = v.at[f][0];
        }
        __syncthreads(); /* the level is complete before the next one reads it */
    }
    store_node(rows, a, node, mine);
}

/*
 * The same for equations in flux form (Euler). Each pressure and each flux is computed once, by the
 * thread of the point on its right, and passed on through shared memory: two more barriers per
 * level, and half of the arithmetic. Shared memory: two rows of three fields, a row of pressures
 * and three of fluxes.
 */
template <class E>
__global__ void __launch_bounds__(1024)
    swept_block_faces(E eq, ss_rows<typename E::real> rows, diamond a)
{
    typedef typename E::real T;
    const int x = threadIdx.x, node = blockIdx.x, block = a.s.block;
    extern __shared__ double shared[];
    node_rows<E, false> mine = rows_in<E, false>(shared, block);
    T *p = &mine.at(2, 0, 0), *flux = p + mine.width; /* behind the rows; flux has three fields */
    ss_walls w = walls_at(a, node, x, 1);
    bool fixed = is_fixed<E, 1>(w, 0);
    /* Beyond an end stands the end's own pressure. */
    int first = w.left == 1 ? x - 1 : x - 2, last = w.right == 0 ? x : x + 1;
    let_next_begin();
    await_previous();
    load_node(rows, a, node, mine);
    __syncthreads(); /* the rows are complete */
    for (int l = a.from; l < a.to; l++) {
        int to = (a.parity + l) & 1, lo = ss_swept_lo(a.s, l), hi = ss_swept_hi(a.s, l);
        for (int i = x - 2; i < block + 2; i += block)
            if (i >= lo - 2 && i < hi + 2)
                p[i] =
                    pressure(mine.at(1 - to, 0, i), mine.at(1 - to, 1, i), mine.at(1 - to, 2, i));
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
        __syncthreads(); /* the level is complete before the next one reads it */
    }
    store_node(rows, a, node, mine);
}

#endif
