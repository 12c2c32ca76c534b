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

/* P adjacent values of a thread, by 16-byte accesses where P allows it, and then from an aligned
 * address: a quarter (float) or half (double) of the load instructions is enough. Where P values
 * are 16 bytes, each instruction of a warp covers adjacent addresses without a gap. Where they are
 * more, it takes 16 bytes per thread out of every P values (P = 8 doubles: 16 of every 64 bytes),
 * and the next instructions take the rest of the same cache lines. */
template <int P, typename T>
static __device__ __forceinline__ void load_points(const T *from, T *to)
{
    const int N = P < pack<T>::n ? P : pack<T>::n;
#pragma unroll
    for (int k = 0; k < P; k += N) {
        if constexpr (N == pack<T>::n) {
            pack<T> v = load(from + k);
#pragma unroll
            for (int i = 0; i < N; i++)
                to[k + i] = v.v[i];
        } else {
#pragma unroll
            for (int i = 0; i < N; i++)
                to[k + i] = from[k + i];
        }
    }
}

template <int P, typename T>
static __device__ __forceinline__ void store_points(T *to, const T *from)
{
    const int N = P < pack<T>::n ? P : pack<T>::n;
#pragma unroll
    for (int k = 0; k < P; k += N) {
        if constexpr (N == pack<T>::n) {
            pack<T> v;
#pragma unroll
            for (int i = 0; i < N; i++)
                v.v[i] = from[k + i];
            store(to + k, v, N);
        } else {
#pragma unroll
            for (int i = 0; i < N; i++)
                to[k + i] = from[k + i];
        }
    }
}

#endif
