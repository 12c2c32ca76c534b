/* Vectors of 16 bytes, the widest load or store of a thread: 2 doubles or 4 floats. Addresses must
 * be multiples of 16 bytes. Device code. */
#ifndef SS_CUDA_PACK_CUH
#define SS_CUDA_PACK_CUH

template <typename T> struct alignas(16) pack {
    static const int n = 16 / sizeof(T);
    T v[n];
};

template <typename T> static __device__ __forceinline__ pack<T> load(const T *p)
{
    return *(const pack<T> *)p;
}

/* The first n values; with n >= pack<T>::n in one store. */
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
