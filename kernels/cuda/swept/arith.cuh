/*
 * Reciprocal and square root without a branch, and three smaller helpers of Euler's flux. Device
 * code.
 *
 * The compiler's 1 / x and sqrt(x) are correctly rounded for every input. To be so, each has a slow
 * path for subnormal and huge operands, behind a branch, and the branch keeps the compiler from
 * interleaving several of them. Euler's update has two to four reciprocals and two square roots per
 * face, by limiter, and another reciprocal per pressure. The versions here have no branch. The
 * formulas of kernels/eq multiply by a reciprocal on every backend; no a / b is computed.
 *
 * They start from the hardware's approximation y and refine it by Newton steps. With the error
 * e = 1 - x y, 1/x = y / (1 - e) = y (1 + e + e^2 + ...). They end with Markstein's step: the
 * residual, 1 - x y or x - g g, is exact in a fused multiply-add, so that the final sum is the only
 * operation that rounds. The result is correctly rounded wherever x and 1/x are normal numbers.
 * For x of all ones in the mantissa, 1/x lies just above the middle between a power of two and the
 * next number; from that power the last sum would be the middle itself, and round down to it. The
 * step before, in double precision, therefore rounds up, which needs x > 0: the sign is put back.
 * Roots in single precision need x >= 2^-102: g g has 48 bits, and only from there on is the last
 * bit of x - g g at least 2^-149, the smallest float. x = 0 gives NaN. In single precision both
 * functions were compared with the compiler's for every float.
 */
#ifndef SS_CUDA_ARITH_CUH
#define SS_CUDA_ARITH_CUH

#include "kernels/cuda/device/ptx.cuh"

/* 1 / x */
static __device__ __forceinline__ double reciprocal(double x)
{
    double a = fabs(x), y = approximate_reciprocal(a), e = fma(-a, y, 1.0);
    y = __fma_ru(y, fma(e, e, e), y); /* y (1 + e + e^2): the error is cubed; see above */
    return copysign(fma(fma(-a, y, 1.0), y, y), x);
}

static __device__ __forceinline__ float reciprocal(float x)
{
    float y = approximate_reciprocal(x);
    return fmaf(fmaf(-x, y, 1.0f), y, y); /* one step is enough in single precision */
}

static __device__ __forceinline__ double square_root(double x)
{
    double y = approximate_inverse_root(x);
    /* sqrt(x) and 1 / (2 sqrt(x)), 22 correct bits; y / 2 by its exponent, an integer */
    double g = x * y, h = __hiloint2double(__double2hiint(y) - 0x00100000, __double2loint(y));
    double r = fma(-g, h, 0.5);
    r = fma(1.5 * r, r, r); /* 1/sqrt(1 - 2 r) = 1 + r + 1.5 r^2 + ...: third order */
    g = fma(g, r, g);
    h = fma(h, r, h);
    return fma(fma(-g, g, x), h, g);
}

static __device__ __forceinline__ float square_root(float x)
{
    float y = approximate_inverse_root(x), g = x * y;
    return fmaf(fmaf(-g, g, x), 0.5f * y, g);
}

/* The slope limiter: min(x, 1/2), and 0 where x is not positive and finite. The device compares bit
 * patterns as integers, which leaves the double-precision units to the arithmetic. Positive floats
 * are ordered as their bit patterns are; 0x3fe00000 is the upper half of 1/2, 0x7ff00000 that of
 * infinity; NaN and negative numbers (sign bit set) lie above it. */
static __device__ __forceinline__ double limited(double x)
{
    unsigned high = (unsigned)__double2hiint(x);
    double most = high < 0x3fe00000u ? x : 0.5;
    return high < 0x7ff00000u ? most : 0;
}

static __device__ __forceinline__ float limited(float x)
{
    unsigned bits = __float_as_uint(x);
    float most = bits < 0x3f000000u ? x : 0.5f;
    return bits < 0x7f800000u ? most : 0;
}

/* |x|, added to a root: there the sign of a zero x does not matter. Comparing x with 0 would occupy
 * a double-precision unit; |x| is a modifier of the sum's operand. */
static __device__ __forceinline__ double magnitude(double x)
{
    return fabs(x);
}

static __device__ __forceinline__ float magnitude(float x)
{
    return fabsf(x);
}

/* x - t / 2. The product is exact, so that fusing it saves an operation and changes no bit. */
static __device__ __forceinline__ double minus_half(double x, double t)
{
    return fma(-0.5, t, x);
}

static __device__ __forceinline__ float minus_half(float x, float t)
{
    return fmaf(-0.5f, t, x);
}

#endif
