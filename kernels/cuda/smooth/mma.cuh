/*
 * Small products of matrices by one warp, C += A B with A 16 x 8 and B 8 x 8: on tensor cores in
 * double precision from compute capability 8.0 on, otherwise with the ordinary units. CUDA C++17.
 *
 * Lane 4 g + t holds of C, with e = 0, 1: rows g and g + 8, columns 2 t + e; of A: rows g and g +
 * 8, columns t' and t' + 4; of B: rows t' and t' + 4, column g. Which of the eight k those are is
 * free, as long as A and B agree: here a lane has two that lie side by side, 2 t and 2 t + 1.
 *
 *              8 columns of B: g                     A is stored in the order in which lanes want
 *              +--------+                            it (kernels/cuda/smooth/batched.cu): for each
 *     k: 2t, + |        |                            tile, for i = 0, 1, for each lane the pair
 *              +--------+                            A[g][2t + i], A[g + 8][2t + i].
 *      +------++--------+
 *      | A    ||  C     |  rows g
 *      |      ||        |  rows g + 8
 *      +------++--------+
 */
#ifndef SS_CUDA_MMA_CUH
#define SS_CUDA_MMA_CUH

#include <stddef.h>

template <typename T> struct alignas(2 * sizeof(T)) two {
    T x, y;
};

/* Is there a unit for it? */
template <typename T> struct has_tensor {
    static const bool value = false;
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <> struct has_tensor<double> {
    static const bool value = true;
};
#endif

/* a[i]: the pair of k = 2 t + i; b: k = 2 t and 2 t + 1; c: rows g, g, g + 8, g + 8. */
static __device__ __forceinline__ void multiply_tile(const two<double> a[2], two<double> b,
                                                     double c[4])
{
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0].x), "d"(a[0].y), "d"(a[1].x), "d"(a[1].y), "d"(b.x), "d"(b.y));
#elif __CUDA_ARCH__ >= 800
#define QUARTER(LO, HI, A, B)                                                                      \
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"          \
        : "+d"(LO), "+d"(HI)                                                                       \
        : "d"(A), "d"(B))
    QUARTER(c[0], c[1], a[0].x, b.x);
    QUARTER(c[2], c[3], a[0].y, b.x);
    QUARTER(c[0], c[1], a[1].x, b.y);
    QUARTER(c[2], c[3], a[1].y, b.y);
#undef QUARTER
#else
    (void)a, (void)b, (void)c;
#endif
}

/* C of MT x NT tiles += a row of tiles of A times columns of B. A: the tiles, `tiles` of them in
 * a row, in their stored order; B: column n is the line at b + n * pitch. */
template <typename T, int MT, int NT, bool TENSOR> struct product;

/* The next tiles of A come while this product is made. */
template <int MT, int NT> struct product<double, MT, NT, true> {
    typedef two<double> pair;
    static __device__ __forceinline__ void fetch(const pair *a, int tiles, int k, pair to[MT][2])
    {
#pragma unroll
        for (int m = 0; m < MT; m++)
#pragma unroll
            for (int i = 0; i < 2; i++)
                to[m][i] = a[(((ptrdiff_t)m * tiles + k) * 2 + i) * 32];
    }
    static __device__ __forceinline__ void make(const pair *a, int tiles, const double *b,
                                                int pitch, int lane, double c[MT][NT][4])
    {
        pair now[MT][2], next[MT][2];
        a += lane;
        b += lane / 4 * pitch + lane % 4 * 2;
        fetch(a, tiles, 0, now);
#pragma unroll 1
        for (int k = 0; k < tiles; k++) {
            fetch(a, tiles, k + 1 < tiles ? k + 1 : k, next);
#pragma unroll
            for (int n = 0; n < NT; n++) {
                pair column = *(const pair *)(b + n * 8 * pitch + k * 8);
#pragma unroll
                for (int m = 0; m < MT; m++)
                    multiply_tile(now[m], column, c[m][n]);
            }
#pragma unroll
            for (int m = 0; m < MT; m++)
                now[m][0] = next[m][0], now[m][1] = next[m][1];
        }
    }
};

/* Every lane makes what it would hold of C. */
template <typename T, int MT, int NT> struct product<T, MT, NT, false> {
    typedef two<T> pair;
    static __device__ __forceinline__ void make(const pair *a, int tiles, const T *b, int pitch,
                                                int lane, T c[MT][NT][4])
    {
        const int g = lane / 4, t = lane % 4;
        b += 2 * t * pitch;
        for (int k = 0; k < 4 * tiles; k++) { /* two at a time */
            pair row[MT][2], column[NT][2];
#pragma unroll
            for (int m = 0; m < MT; m++)
#pragma unroll
                for (int i = 0; i < 2; i++)
                    row[m][i] = a[(((ptrdiff_t)m * tiles + k / 4) * 2 + i) * 32 + 4 * g + k % 4];
#pragma unroll
            for (int n = 0; n < NT; n++)
#pragma unroll
                for (int e = 0; e < 2; e++)
                    column[n][e] = *(const pair *)(b + (n * 8 + e) * pitch + 2 * k);
#pragma unroll
            for (int m = 0; m < MT; m++)
#pragma unroll
                for (int n = 0; n < NT; n++)
#pragma unroll
                    for (int e = 0; e < 2; e++) {
                        T *low = &c[m][n][e], *high = &c[m][n][2 + e];
                        *low = fma(row[m][0].x, column[n][e].x, *low);
                        *high = fma(row[m][0].y, column[n][e].x, *high);
                        *low = fma(row[m][1].x, column[n][e].y, *low);
                        *high = fma(row[m][1].y, column[n][e].y, *high);
                    }
        }
    }
};

#endif
