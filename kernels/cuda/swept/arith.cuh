/*
 * Division and square root without a branch. CUDA C++17.
 *
 * The compiler's versions are correctly rounded for every input. To be so, each has a slow path for
 * subnormal and huge operands, behind a branch, and the branch keeps the compiler from interleaving
 * several divisions. Euler's update has three or four divisions and two square roots per face, and
 * another division per pressure. The versions here have no branch.
 *
 * They start from the hardware's approximation, refine it by Newton steps, and end with Markstein's
 * step: the residual 1 - x y is exact in a fused multiply-add, so that the final sum is the only
 * operation that rounds. The result is correctly rounded wherever x and 1/x are normal numbers
 * (single-precision roots: from 2^-102 on). x = 0 gives NaN. In single precision both functions
 * were compared with the compiler's for every float.
 */
#ifndef SS_CUDA_ARITH_CUH
#define SS_CUDA_ARITH_CUH

#include "kernels/cuda/device/common.cuh"

/* 1 / x */
static SS_HD __forceinline__ double reciprocal(double x)
{
#ifdef __CUDA_ARCH__
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x)); /* 23 correct bits */
    double e = fma(-x, y, 1.0);
    y = fma(y, fma(e, e, e), y); /* a third-order step: the error is cubed */
    return fma(fma(-x, y, 1.0), y, y);
#else
    return 1 / x;
#endif
}

static SS_HD __forceinline__ float reciprocal(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return fmaf(fmaf(-x, y, 1.0f), y, y); /* one step is enough in single precision */
#else
    return 1 / x;
#endif
}

static SS_HD __forceinline__ double square_root(double x)
{
#ifdef __CUDA_ARCH__
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double g = x * y, h = 0.5 * y; /* sqrt(x) and 1 / (2 sqrt(x)), 22 correct bits */
    double r = fma(-g, h, 0.5);
    r = fma(1.5 * r, r, r); /* a third-order step: the error is cubed */
    g = fma(g, r, g);
    h = fma(h, r, h);
    return fma(fma(-g, g, x), h, g);
#else
    return sqrt(x);
#endif
}

static SS_HD __forceinline__ float square_root(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    float g = x * y;
    return fmaf(fmaf(-g, g, x), 0.5f * y, g);
#else
    return sqrtf(x);
#endif
}

/* The slope limiter: min(x, 1/2), and 0 where x is not positive and finite. The device compares bit
 * patterns as integers, which leaves the double-precision units to the arithmetic. */
static SS_HD __forceinline__ double limited(double x)
{
#ifdef __CUDA_ARCH__
    unsigned high = (unsigned)__double2hiint(x);
    double most = high < 0x3fe00000u ? x : 0.5;
    return high < 0x7ff00000u ? most : 0;
#else
    return x > 0 && x - x == 0 ? (x < 0.5 ? x : 0.5) : 0;
#endif
}

static SS_HD __forceinline__ float limited(float x)
{
#ifdef __CUDA_ARCH__
    unsigned bits = __float_as_uint(x);
    float most = bits < 0x3f000000u ? x : 0.5f;
    return bits < 0x7f800000u ? most : 0;
#else
    return x > 0 && x - x == 0 ? (x < 0.5f ? x : 0.5f) : 0;
#endif
}

/* x - t / 2. The product is exact, so that fusing it saves an operation and changes no bit. */
static SS_HD __forceinline__ double minus_half(double x, double t)
{
    return fma(-0.5, t, x);
}

static SS_HD __forceinline__ float minus_half(float x, float t)
{
    return fmaf(-0.5f, t, x);
}

#endif
