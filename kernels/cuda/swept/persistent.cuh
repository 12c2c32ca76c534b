/*
 * The swept rule's variant persistent: variant register, but all diamonds are one launch, and a
 * node waits for its one new neighbour only, instead of for the whole line. Some nodes are wide
 * while others are narrow, which keeps the processors evenly busy. CUDA C++17.
 */
#ifndef SS_CUDA_CLIMB_PERSISTENT_CUH
#define SS_CUDA_CLIMB_PERSISTENT_CUH

#include <cuda/atomic>

#include "kernels/cuda/swept/slab.cuh"

/* Diamonds 0 .. last of a line, `each` nodes a thread block. All blocks are on the device at once.
 */
struct persistence {
    ss_swept s;
    int last, each;
    int *done; /* diamonds that each node has finished; 0 at first */
};

/* The whole thread block, until a node has finished so many diamonds. */
static __device__ __forceinline__ void await_node(int *done, int node, int diamonds)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> theirs(done[node]);
    if (threadIdx.x == 0)
        while (theirs.load(cuda::memory_order_acquire) < diamonds) {
        }
    __syncthreads();
}

static __device__ __forceinline__ void finish_node(int *done, int node, int diamonds)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(done[node]);
    __syncthreads();
    if (threadIdx.x == 0)
        mine.store(diamonds, cuda::memory_order_release);
}

template <class E, int P>
__global__ void __launch_bounds__(32 * slab<E, P>::warps(1024), P < 8 ? 0 : 4)
    climb_persistently(E eq, ss_rows<typename E::real> rows, persistence a)
{
    extern __shared__ double shared[];
    const int first = blockIdx.x * a.each, count = min(a.each, a.s.count - first);
    auto mine = rows_in<E, true>(shared, a.s.block);
    for (int d = 0; d <= a.last; d++) {
        const int odd = d % 2;
        const diamond now = {a.s,      ss_swept_first(a.s, d), ss_swept_end(a.s, d, a.last),
                             0,        odd * a.s.block / 2,    d == 0,
                             a.s.count};
        /* Up the line and down again: the node that waits for another block's comes last. */
        for (int i = 0; i < count; i++) {
            const int node = first + (odd ? i : count - 1 - i);
            const int other = odd ? node + 1 : node - 1;
            if (d > 0 && i == count - 1)
                await_node(a.done, (other + a.s.count) % a.s.count, d);
            climb_diamond<E, P>(eq, rows, now, node, mine);
            finish_node(a.done, node, d + 1);
        }
    }
}

#endif
