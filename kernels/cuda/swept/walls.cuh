/*
 * The ends of the line in registers: the values that stand beyond a wall, where other points read a
 * neighbour. The same rule for memory is kernels/geom/ends.h. CUDA C++17.
 */
#ifndef SS_CUDA_WALLS_CUH
#define SS_CUDA_WALLS_CUH

#include "kernels/cuda/swept/equations.cuh"

/* Points between a thread's first (last) point and the left (right) end of the line. */
struct ss_walls {
    int left, right;
};
#define SS_NO_WALL (1 << 30)

/*
 * Fills the places beyond a wall: with the mirror image, or with the end's own value (fixed ends).
 * The thread's P points are in the middle of N places. Which registers are written must be known at
 * compile time; so the loop runs over the possible distances of the wall, and the run-time distance
 * only selects.
 */
template <class E, int P, int N>
static __device__ __forceinline__ void reflect(typename E::real (&at)[E::fields][N], ss_walls w)
{
    const int R = E::radius, first = (N - P) / 2, last = first + P - 1;
    if constexpr (E::bc != SS_BC_PERIODIC)
#pragma unroll
        for (int near = 0; near < R; near += P)
#pragma unroll
            for (int i = near + 1; i <= R; i++)
#pragma unroll
                for (int f = 0; f < E::fields; f++) {
                    int back = E::bc == SS_BC_MIRROR ? i - near : 0; /* from the end inwards */
                    if (w.left == near)
                        at[f][first - i] = at[f][first - near + back];
                    if (w.right == near)
                        at[f][last + i] = at[f][last + near - back];
                }
}

/* Is point k of the thread an end of the line that keeps its value? */
template <class E, int P> static __device__ __forceinline__ bool is_fixed(ss_walls w, int k)
{
    return E::bc == SS_BC_FIXED && ((k == 0 && w.left == 0) || (k == P - 1 && w.right == 0));
}

#endif
