/*
 * The swept rule's variant persistent: variant register with all diamonds in one launch. A thread
 * block has the same `each` adjacent nodes in every diamond. Node j of diamond d needs two nodes of
 * diamond d - 1: j and j + 1 for odd d, j - 1 and j for even d. Only one of them can belong to
 * another thread block, and only for one node of a thread block per diamond. That node waits for
 * the neighbour's flag, instead of for the end of a kernel. With each = 3, thread block 1:
 *
 *     odd d     nodes 3, 4, 5 in this order; node 5 waits for node 6 of diamond d - 1
 *     even d    nodes 5, 4, 3; node 3 waits for node 2
 *
 * So a node may run a diamond ahead of distant nodes, and wide and narrow phases of different nodes
 * overlap, which keeps the SMs evenly busy. CUDA C++17.
 *
 * On an H200, f64, a step of heat takes 140 ns for 2^10 points (blocks of 512; variant register:
 * 167 ns); for 2^20 points it is not faster than register (602 and 540 ns, blocks of 1024).
 */
#ifndef SS_CUDA_SWEPT_PERSISTENT_CUH
#define SS_CUDA_SWEPT_PERSISTENT_CUH

#include <cuda/atomic>

#include "kernels/cuda/swept/register.cuh"

/* Diamonds 0 .. last of a line, `each` nodes per thread block. A cooperative launch: all thread
 * blocks are resident at once, so that waiting for one another cannot deadlock. */
struct swept_persistent_args {
    ss_swept s;
    int last, each;
    int *done; /* flags: diamonds that each node has finished; 0 at first */
};

/* Waits until a node has finished this many diamonds. One thread polls with acquire loads; the
 * barrier extends what it has acquired to the whole thread block. */
static __device__ __forceinline__ void await_node(int *done, int node, int diamonds)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> theirs(done[node]);
    if (threadIdx.x == 0)
        while (theirs.load(cuda::memory_order_acquire) < diamonds) {
        }
    __syncthreads();
}

/* The barrier comes first: all threads have stored their points before one of them releases the
 * flag, and have read them from shared memory before the next node is loaded there. */
static __device__ __forceinline__ void finish_node(int *done, int node, int diamonds)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(done[node]);
    __syncthreads();
    if (threadIdx.x == 0)
        mine.store(diamonds, cuda::memory_order_release);
}

template <class E, int P>
__global__ void __launch_bounds__(32 * slab<E, P>::warps(1024), P < 8 ? 0 : 4)
    swept_persistent(E eq, ss_rows<typename E::real> rows, swept_persistent_args a)
{
    extern __shared__ double shared[];
    const int first = blockIdx.x * a.each, count = min(a.each, a.s.count - first);
    auto mine = rows_in<E, true>(shared, a.s.block);
    for (int d = 0; d <= a.last; d++) {
        const int odd = d % 2;
        /* parity = 0: h is even, because 32 divides the block. */
        const diamond now = {a.s,      ss_swept_first(a.s, d), ss_swept_end(a.s, d, a.last),
                             0,        odd * a.s.block / 2,    d == 0,
                             a.s.count};
        /* Even diamonds go down the line, odd ones up: the node that depends on another thread
         * block comes last, so that the flag has probably been set by then. */
        for (int i = 0; i < count; i++) {
            const int node = first + (odd ? i : count - 1 - i);
            const int other = odd ? node + 1 : node - 1;
            if (d > 0 && i == count - 1)
                await_node(a.done, (other + a.s.count) % a.s.count, d);
            run_diamond<E, P>(eq, rows, now, node, mine);
            finish_node(a.done, node, d + 1);
        }
    }
}

#endif
