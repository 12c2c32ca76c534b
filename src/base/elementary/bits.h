/* The bits of an IEEE double, and its nearest whole number. Pure; any thread. */
#ifndef SS_ELEMENTARY_BITS_H
#define SS_ELEMENTARY_BITS_H

#include <stdint.h>
#include <string.h>

#define SS_FRACTION 0xfffffffffffff /* the bits of the fraction */
enum { SS_FRACTION_BITS = 52, SS_EXPONENT_BIAS = 1023 };

static inline uint64_t ss_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double ss_double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The exponent e of a normal number, 2^e <= |x| < 2^(e+1). */
static inline int ss_exponent_of(double x)
{
    return (int)(ss_bits_of(x) >> SS_FRACTION_BITS & 0x7ff) - SS_EXPONENT_BIAS;
}

/* 2^e of a normal number, -1022 <= e <= 1023. */
static inline double ss_power_of_2(int e)
{
    return ss_double_of((uint64_t)(e + SS_EXPONENT_BIAS) << SS_FRACTION_BITS);
}

/* The whole number nearest to x, |x| < 2^51: 1.5 * 2^52 leaves no bits for a fraction. */
static inline double ss_nearest(double x)
{
    const double large = 6755399441055744;
    return (x + large) - large;
}

#endif
