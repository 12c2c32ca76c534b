/*
 * The rows of a line in device memory, and how a thread loads and stores its points there. Device
 * code.
 */
#ifndef SS_CUDA_ROW_IO_CUH
#define SS_CUDA_ROW_IO_CUH

#include "kernels/cuda/device/pack.cuh"

/*
 * The two arrays of a line, each with all fields; a row is the address of point 0 of field 0. In
 * stepper.cuh they are a double buffer: row[0] is the level at hand, and row[1] becomes the next
 * one. In the swept rule they hold the last two levels of each point, the even and the odd one;
 * different points may be on different levels (block.cuh).
 */
template <typename T> struct ss_rows { /* the host's: ss_cuda_rows */
    T *row[2];
    ptrdiff_t field; /* elements between fields */
    int n;
};

/*
 * P adjacent points per thread, by 16-byte accesses where P allows it: a quarter (float) or half
 * (double) of the load instructions is enough. Where P values are 16 bytes, each instruction of a
 * warp covers adjacent addresses without a gap. Where they are more, it takes 16 bytes per thread
 * out of every P values (P = 8 doubles: 16 of every 64 bytes), and the next instructions take the
 * rest of the same cache lines. Where P values are 16 bytes or more, the address must be 16-byte
 * aligned.
 */
template <typename T, int P>
static __device__ __forceinline__ void ss_load_points(const T *from, T *to)
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

template <typename T, int P>
static __device__ __forceinline__ void ss_store_points(T *to, const T *from)
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
