/*
 * The swept rule's variant block: a node is a thread block, a thread a point, and both rows stand
 * in shared memory from the first level of a diamond to its last. The paper's Shared. CUDA C++17.
 */
#ifndef SS_CUDA_CLIMB_MEMORY_CUH
#define SS_CUDA_CLIMB_MEMORY_CUH

#include "kernels/cuda/swept/diamond.cuh"

/* --- block: a thread a point ------------------------------------------------------------------ */

template <class E>
__global__ void __launch_bounds__(1024)
    climb_in_memory(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int R = E::radius, x = threadIdx.x, node = blockIdx.x;
    extern __shared__ double shared[];
    node_rows<E, false> mine = rows_in<E, false>(shared, a.s.block);
    ss_walls w = walls_at(a, node, x, 1);
    bool fixed = is_fixed<E, 1>(w, 0);
    let_next_begin();
    await_previous();
    fetch_node(rows, a, node, mine);
    __syncthreads();
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
        __syncthreads();
    }
    return_node(rows, a, node, mine);
}

/*
 * The same where a level goes by way of the faces between the points: each pressure and each flux
 * is computed once, by the thread of the point on its right, and found in shared memory by the
 * others. Two waits more a level, and half of the arithmetic less.
 */
template <class E>
__global__ void __launch_bounds__(1024)
    climb_by_faces(E eq, ss_rows<typename E::real> rows, diamond a)
{
    typedef typename E::real T;
    const int x = threadIdx.x, node = blockIdx.x, block = a.s.block;
    extern __shared__ double shared[];
    node_rows<E, false> mine = rows_in<E, false>(shared, block);
    T *p = &mine.at(2, 0, 0), *flux = p + mine.width; /* behind the rows; flux of three fields */
    ss_walls w = walls_at(a, node, x, 1);
    bool fixed = is_fixed<E, 1>(w, 0);
    /* Beyond an end its own pressure goes on. */
    int first = w.left == 1 ? x - 1 : x - 2, last = w.right == 0 ? x : x + 1;
    let_next_begin();
    await_previous();
    fetch_node(rows, a, node, mine);
    __syncthreads();
    for (int l = a.from; l < a.to; l++) {
        int to = (a.parity + l) & 1, lo = ss_swept_lo(a.s, l), hi = ss_swept_hi(a.s, l);
        for (int i = x - 2; i < block + 2; i += block)
            if (i >= lo - 2 && i < hi + 2)
                p[i] =
                    pressure(mine.at(1 - to, 0, i), mine.at(1 - to, 1, i), mine.at(1 - to, 2, i));
        __syncthreads();
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
        __syncthreads();
        if (x >= lo && x < hi && !fixed)
            for (int k = 0; k < 3; k++) {
                const T *f = flux + k * mine.width + x;
                int stage = (a.parity + l - 1) % E::stages;
                mine.at(to, k, x) =
                    eq.change(stage, mine.at(stage ? to : 1 - to, k, x), f[0], f[1]);
            }
        __syncthreads();
    }
    return_node(rows, a, node, mine);
}

#endif
