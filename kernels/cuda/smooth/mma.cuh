/*
 * Small matrix products by one warp, C += A B, in tiles: A 16 x 8, B 8 x 8. Double precision uses
 * tensor cores from compute capability 8.0 on; everything else ordinary fused multiply-adds. CUDA
 * C++17.
 *
 * Lane 4 g + t holds, with e = 0, 1: of C rows g and g + 8, columns 2 t + e; of A rows g and g + 8,
 * columns t' and t' + 4; of B rows t' and t' + 4, column g. Which of the eight k the latter two are
 * is free, as long as A and B agree: here a lane has the adjacent pair 2 t, 2 t + 1, so that it
 * reads a pair of B by one 16-byte load.
 *
 *              8 columns of B: g                     A is stored in the order in which lanes read
 *              +--------+                            it (batched.cu), so that the reads are
 *     k: 2t, + |        |                            coalesced: for each tile, for i = 0, 1, for
 *              +--------+                            each lane the pair
 *      +------++--------+                            A[g][2t + i], A[g + 8][2t + i].
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

/* Are there tensor cores for the type? */
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

/* The tiles of A for one k, MT of them one below the other. */
template <int MT>
static __device__ __forceinline__ void load_tiles(const two<double> *a, int tiles, int k,
                                                  two<double> to[MT][2])
{
#pragma unroll
    for (int m = 0; m < MT; m++)
#pragma unroll
        for (int i = 0; i < 2; i++)
            to[m][i] = a[(((ptrdiff_t)m * tiles + k) * 2 + i) * 32];
}

/* On tensor cores. Software pipelining: the next tiles of A are loaded from L2 while the current
 * ones are multiplied (a double buffer in registers). */
template <int MT, int NT>
static __device__ __forceinline__ void product_tensor(const two<double> *a, int tiles,
                                                      const double *b, int pitch, int lane,
                                                      double c[MT][NT][4])
{
    two<double> now[MT][2], next[MT][2];
    a += lane;
    b += lane / 4 * pitch + lane % 4 * 2;
    load_tiles<MT>(a, tiles, 0, now);
#pragma unroll 1
    for (int k = 0; k < tiles; k++) {
        load_tiles<MT>(a, tiles, k + 1 < tiles ? k + 1 : k, next);
#pragma unroll
        for (int n = 0; n < NT; n++) {
            two<double> column = *(const two<double> *)(b + n * 8 * pitch + k * 8);
#pragma unroll
            for (int m = 0; m < MT; m++)
                multiply_tile(now[m], column, c[m][n]);
        }
#pragma unroll
        for (int m = 0; m < MT; m++)
            now[m][0] = next[m][0], now[m][1] = next[m][1];
    }
}

/* By fused multiply-adds: every lane computes the elements of C that it would hold after tensor
 * cores, two k at a time. */
template <typename T, int MT, int NT>
static __device__ __forceinline__ void product_fma(const two<T> *a, int tiles, const T *b,
                                                   int pitch, int lane, T c[MT][NT][4])
{
    typedef two<T> pair;
    const int g = lane / 4, t = lane % 4;
    b += 2 * t * pitch;
    for (int k = 0; k < 4 * tiles; k++) {
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

/* C, MT x NT tiles, += a row of tiles of A times columns of B. a: the tiles, `tiles` of them in a
 * row, in their stored order; column n of B is the line at b + n * pitch. */
template <typename T, int MT, int NT>
static __device__ __forceinline__ void product(const two<T> *a, int tiles, const T *b, int pitch,
                                               int lane, T c[MT][NT][4])
{
    if constexpr (has_tensor<T>::value)
        product_tensor<MT, NT>(a, tiles, b, pitch, lane, c);
    else
        product_fma<T, MT, NT>(a, tiles, b, pitch, lane, c);
}

#endif
