/* Kernels of smooth_bench.c. Device code. */
#include "kernels/cuda/device/pack.cuh"

/* Pseudorandom values below 1e-3. */
template <typename T> __global__ void fill_array(T *a, size_t n, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned long long z = (i + 1) * 0x9E3779B97F4A7C15ull + seed;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        a[i] = (T)((double)((z ^ z >> 31) >> 11) * 0x1p-53 * 1e-3);
    }
}

template <typename T> __global__ void triad(const T *a, const T *b, T *c, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n / pack<T>::n;
         i += (size_t)gridDim.x * blockDim.x) {
        pack<T> x = load(a + i * pack<T>::n), y = load(b + i * pack<T>::n);
        for (int k = 0; k < pack<T>::n; k++)
            x.v[k] = x.v[k] + (T).5 * y.v[k];
        store(c + i * pack<T>::n, x, pack<T>::n);
    }
}
