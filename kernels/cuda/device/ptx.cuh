/*
 * What CUDA C++ has no name for, as named functions: the only file with PTX, the GPU's virtual
 * instructions. Kernels use these names and none of CUDA's libraries, so that a reader needs this
 * page and no other. Device code; instructions of compute capability 9.0 do nothing on older GPUs,
 * where the host does not launch their kernels.
 *
 *     dependent launch     await_previous, let_next_begin
 *     memory order         load_acquire, store_release, load_relaxed, store_relaxed, fence
 *     copies to shared     copy_async, copy_bulk and their waits; prefetch
 *     barriers             some warps of a block; arrivals and bytes; a cluster; the grid
 *     shared memory        of another block in a cluster
 *     arithmetic           approximations that Newton steps refine
 *     other                opaque, nanoseconds
 *
 * "l" is a 64-bit register, "r" 32-bit, "d" and "f" floating point; "memory": the compiler moves no
 * access across the instruction.
 */
#ifndef SS_CUDA_PTX_CUH
#define SS_CUDA_PTX_CUH

#include "kernels/cuda/device/pack.cuh"

#define PTX static __device__ __forceinline__

/* --- dependent launch ----------------------------------------------------------------------------
 */

/*
 * Programmatic dependent launch: kernels that follow each other on a stream may overlap, which
 * hides part of the launch latency. The host asks for it (loader.h). The next kernel may begin as
 * soon as EVERY block of this one has called let_next_begin or has ended; one block's call alone
 * has no effect. Where no block calls it, as on rungs 1 to 5 of the ladder, the next kernel begins
 * when the last block has ended.
 *
 * A kernel that has begun early may read what no cycle changes (the right-hand side). It accesses
 * the fields only after await_previous, which waits until the previous kernel has ended and all its
 * stores are visible, also those after let_next_begin. The place of let_next_begin therefore
 * changes when the next kernel begins, never what it reads.
 *
 * Waiting blocks are resident on an SM, and yet there is no deadlock: they become resident only
 * after all blocks of the previous kernel have begun, so that no block they wait for still needs
 * the space. Every kernel of a chain waits; the end of one kernel is the end of all before it.
 */
PTX void await_previous()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
PTX void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* --- memory order --------------------------------------------------------------------------------
 */

/* Who sees an access in order: all blocks of this GPU, or of all GPUs and the CPU. */
enum scope { GPU, SYSTEM };

/* What this thread reads after it is at least as new as what the thread that stored the value with
 * store_release had stored before. */
template <scope WHO = GPU> PTX int load_acquire(const int *from)
{
    int v;
    if (WHO == GPU)
        asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    else
        asm volatile("ld.acquire.sys.global.b32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    return v;
}
template <scope WHO = GPU> PTX void store_release(int *to, int v)
{
    if (WHO == GPU)
        asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(to), "r"(v) : "memory");
    else
        asm volatile("st.release.sys.global.b32 [%0], %1;" ::"l"(to), "r"(v) : "memory");
}

/* Whole values, in no order with others: a load gets the old or the new value, and never one from
 * L1, which other SMs' stores do not update. */
PTX double load_relaxed(const double *from)
{
    double v;
    asm volatile("ld.relaxed.gpu.global.f64 %0, [%1];" : "=d"(v) : "l"(from) : "memory");
    return v;
}
PTX float load_relaxed(const float *from)
{
    float v;
    asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(v) : "l"(from) : "memory");
    return v;
}
PTX void store_relaxed(double *to, double v)
{
    asm volatile("st.relaxed.gpu.global.f64 [%0], %1;" ::"l"(to), "d"(v) : "memory");
}
PTX void store_relaxed(float *to, float v)
{
    asm volatile("st.relaxed.gpu.global.f32 [%0], %1;" ::"l"(to), "f"(v) : "memory");
}

/* The same, 16 bytes at a time; each value of the pack is whole. */
PTX pack<double> load_relaxed(const pack<double> *from)
{
    pack<double> v;
    asm volatile("ld.relaxed.gpu.global.v2.f64 {%0, %1}, [%2];"
                 : "=d"(v.v[0]), "=d"(v.v[1])
                 : "l"(from)
                 : "memory");
    return v;
}
PTX pack<float> load_relaxed(const pack<float> *from)
{
    pack<float> v;
    asm volatile("ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.v[0]), "=f"(v.v[1]), "=f"(v.v[2]), "=f"(v.v[3])
                 : "l"(from)
                 : "memory");
    return v;
}
PTX void store_relaxed(pack<double> *to, const pack<double> &v)
{
    asm volatile("st.relaxed.gpu.global.v2.f64 [%0], {%1, %2};" ::"l"(to), "d"(v.v[0]), "d"(v.v[1])
                 : "memory");
}
PTX void store_relaxed(pack<float> *to, const pack<float> &v)
{
    asm volatile("st.relaxed.gpu.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(v.v[0]),
                 "f"(v.v[1]), "f"(v.v[2]), "f"(v.v[3])
                 : "memory");
}

/* Orders this thread's accesses before it with those after it, as other blocks of the GPU see them.
 */
PTX void fence_gpu()
{
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

/* --- copies to shared memory ------------------------------------------------------------------ */

/* The 32-bit address of something in shared memory. */
PTX unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* Begins a copy of 16 bytes, of which the last `zeros` are not read but set to 0. */
PTX void copy_async(void *to, const void *from, int zeros)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)),
                 "l"(from), "r"(16 - zeros)
                 : "memory");
#else
    for (int i = 0; i < 4; i++)
        ((int *)to)[i] = 4 * i < 16 - zeros ? ((const int *)from)[i] : 0;
#endif
}
/* Ends a group of copies; copy_async_wait waits until all but the last `LATER` groups of this
 * thread have arrived. */
PTX void copy_async_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int LATER> PTX void copy_async_wait()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
#endif
}

/* Into L2. */
PTX void prefetch(const void *from)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}

/* --- barriers --------------------------------------------------------------------------------- */

/* A numbered barrier of THREADS threads, whole warps, of a block: arrive and go on, or wait. */
template <int THREADS> PTX void barrier_arrive(int number)
{
    asm volatile("barrier.cta.arrive.aligned %0, %1;" ::"r"(number), "n"(THREADS) : "memory");
}
template <int THREADS> PTX void barrier_sync(int number)
{
    asm volatile("barrier.cta.sync.aligned %0, %1;" ::"r"(number), "n"(THREADS) : "memory");
}

/* An mbarrier, an object in shared memory at this address, completes a phase when `count` arrivals
 * and all announced bytes have come. Phases are numbered by parity, 0 and 1 in turn. */
PTX void arrivals_init(unsigned barrier, unsigned count)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
#endif
}
/* Arrives, and announces bytes that the phase waits for too; nothing where `when` is 0. A predicate
 * of the instruction: the warp does not branch. */
PTX void arrive_expecting(unsigned barrier, unsigned bytes, int when = 1)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; "
                 "@p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1; }" ::"r"(barrier),
                 "r"(bytes), "r"(when)
                 : "memory");
#endif
}
/* Has the phase of this parity completed? Waits for a short time before it says no. */
PTX bool arrived(unsigned barrier, unsigned parity)
{
    unsigned done = 1;
#if __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
#endif
    return done;
}

/* Begins a copy of `bytes`, a multiple of 16, from global memory; they are announced at the
 * barrier before. */
PTX void copy_bulk(void *to, const void *from, unsigned bytes, unsigned barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
#endif
}
/* Before copy_bulk may overwrite what this thread has read or written. */
PTX void fence_copies()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/* All threads of the cluster; mbarriers that were initialised before are visible to it. */
PTX void cluster_barrier()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;\n\t"
                 "barrier.cluster.arrive.release;\n\t"
                 "barrier.cluster.wait.acquire;" ::
                     : "memory");
#endif
}

/* All threads of a grid whose blocks are all resident (a cooperative launch): what any of them
 * stored before it, all see after it. *count, the same for all, is 0 before its first use. The
 * arrivals of all blocks add up to 2^31, block 0's being what the others leave: the top bit changes
 * with the last, and the other bits are 0 again. */
PTX void grid_barrier(int *count)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned others = gridDim.x * gridDim.y * gridDim.z - 1;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        __threadfence();
        int before = atomicAdd(count, block == 0 ? (int)(0x80000000u - others) : 1);
        while ((before ^ load_acquire(count)) >= 0) {
        }
    }
    __syncthreads();
}

/* --- shared memory of another block in the cluster -------------------------------------------- */

/* The address there of what lies at `own` here. */
PTX unsigned remote_address(unsigned own, int block)
{
    unsigned there = own;
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(block));
#endif
    return there;
}

/* Stores a value, or 16 bytes, there; they count as announced bytes at a barrier of that block. */
#define ST_ASYNC "st.async.shared::cluster.mbarrier::complete_tx::bytes"
PTX void remote_store(unsigned to, double v, unsigned barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(ST_ASYNC ".f64 [%0], %1, [%2];" ::"r"(to), "d"(v), "r"(barrier) : "memory");
#endif
}
PTX void remote_store(unsigned to, float v, unsigned barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(ST_ASYNC ".f32 [%0], %1, [%2];" ::"r"(to), "f"(v), "r"(barrier) : "memory");
#endif
}
PTX void remote_store(unsigned to, const pack<double> &u, unsigned barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(ST_ASYNC ".v2.f64 [%0], {%1, %2}, [%3];" ::"r"(to), "d"(u.v[0]), "d"(u.v[1]),
                 "r"(barrier)
                 : "memory");
#endif
}
PTX void remote_store(unsigned to, const pack<float> &u, unsigned barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(ST_ASYNC ".v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to), "f"(u.v[0]),
                 "f"(u.v[1]), "f"(u.v[2]), "f"(u.v[3]), "r"(barrier)
                 : "memory");
#endif
}
#undef ST_ASYNC

/* --- arithmetic ------------------------------------------------------------------------------- */

/* 1/x and 1/sqrt(x), with 23 and 22 correct bits; subnormal operands count as 0. */
PTX double approximate_reciprocal(double x)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}
PTX float approximate_reciprocal(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
PTX double approximate_inverse_root(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}
PTX float approximate_inverse_root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* --- other ------------------------------------------------------------------------------------ */

/*
 * No instruction, but the compiler must assume that it changes n ("+r": an operand in a register,
 * read and written). Values derived from n, such as the addresses of rows, are therefore computed
 * again after it; otherwise the compiler would compute them once and hold them in registers. For
 * kernels whose points fill the registers of a thread, where more values would cause register
 * spills.
 */
PTX void opaque(int &n)
{
    asm volatile("" : "+r"(n));
}
PTX void opaque(unsigned &n)
{
    asm volatile("" : "+r"(n));
}
template <typename T> PTX void opaque(T &n)
{
    static_assert(sizeof n == 8, "one 32-bit or one 64-bit register");
    asm volatile("" : "+l"(n));
}

/* The GPU's clock. */
PTX unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

#undef PTX
#endif
