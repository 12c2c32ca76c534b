/*
 * opaque(n): no instruction, but the compiler must assume that it changes n ("+r": an operand in a
 * register, read and written). Values derived from n, such as the addresses of rows, are therefore
 * computed again after it; otherwise the compiler would compute them once and hold them in
 * registers. For kernels whose points fill the registers of a thread, where more values would cause
 * register spills. Device code.
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
