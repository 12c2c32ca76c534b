/*
 * The boundary conditions in registers. A wall is an end of the line; the values beyond it, where
 * other points read a neighbour, follow from E::bc: mirrored (insulated ends: point -i is point i),
 * or fixed (a Dirichlet condition: the end keeps its value, which is repeated beyond it). The same
 * rule for memory is kernels/geom/tiles.h. Device code.
 */
#ifndef SS_CUDA_WALLS_CUH
#define SS_CUDA_WALLS_CUH

#include "kernels/cuda/swept/equations.cuh"

/* Points between a thread's first (last) point and the left (right) end of the line: 0 if that
 * point is the end. SS_NO_WALL, or any distance that no loop below compares: no wall is near. */
struct ss_walls {
    int left, right;
};
#define SS_NO_WALL (1 << 30)

/*
 * Fills the neighbours that lie beyond a wall. The thread's P points are in the middle of at[f]:
 * first .. last; N = P + 2W, where W >= R neighbours on each side are wanted. A wall that is `near`
 * points to the left of `first` stands at first - near, and first - i lies i - near points beyond
 * it. P = 1, R = 2, near = 1, mirrored:
 *
 *     at         0    1    2    3    4        first = last = 2; the wall's point is at[1]; i = 2:
 *     point     -1    0    1    2    3        at[0] = at[2 - 1 + (2 - 1)] = at[2]
 *
 * A register's index must be known at compile time. So the loop runs over all distances at which
 * a wall matters, and the run-time distance only selects. They are multiples of P: a thread's first
 * point and both walls have local indices that P divides.
 */
template <class E, int P, int N>
static __device__ __forceinline__ void reflect(typename E::real (&at)[E::fields][N], ss_walls w)
{
    const int W = (N - P) / 2, first = W, last = first + P - 1;
    if constexpr (E::bc != SS_BC_PERIODIC)
#pragma unroll
        for (int near = 0; near < W; near += P)
#pragma unroll
            for (int i = near + 1; i <= W; i++)
#pragma unroll
                for (int f = 0; f < E::fields; f++) {
                    int back = E::bc == SS_BC_MIRROR ? i - near : 0; /* from the wall inwards */
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
