/*
 * opaque(n): an empty instruction that the compiler must assume changes n. What depends on n is
 * then computed again after it instead of being kept in registers since the last use. For kernels
 * whose points fill the register file, where a kept value would be a register spill. Device code.
 */
#ifndef SS_CUDA_OPAQUE_CUH
#define SS_CUDA_OPAQUE_CUH

#include <stdint.h>

static __device__ __forceinline__ void opaque(int &n)
{
    asm volatile("" : "+r"(n));
}
static __device__ __forceinline__ void opaque(uint32_t &n)
{
    asm volatile("" : "+r"(n));
}
template <typename T> static __device__ __forceinline__ void opaque(T &n)
{
    static_assert(sizeof n == 8, "one 32-bit or one 64-bit register");
    asm volatile("" : "+l"(n));
}

#endif
