/*
 * Loads and stores of 16 bytes at a time, the widest access a thread has. Device code.
 */
#ifndef SS_CUDA_PACK_CUH
#define SS_CUDA_PACK_CUH

#include <cuda_runtime.h>

template <typename T> struct alignas(16) pack {
    static const int n = 16 / sizeof(T);
    T v[n];
};

template <typename T> static __device__ __forceinline__ pack<T> load(const T *p)
{
    return *(const pack<T> *)p;
}

template <typename T> static __device__ __forceinline__ void store(T *p, pack<T> u, int n)
{
    if (n >= pack<T>::n)
        *(pack<T> *)p = u;
    else
#pragma unroll
        for (int k = 0; k < pack<T>::n; k++)
            if (k < n)
                p[k] = u.v[k];
}

#endif
