/* Inner numbers of this folder: pairs of doubles, and their bits. Pure; any thread. */
#ifndef SS_PAIR_H
#define SS_PAIR_H

#include <stdint.h>
#include <string.h>

/* --- bits ------------------------------------------------------------------------------------- */

/* The bits of an IEEE double, and its nearest whole number. */

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

/* --- pairs ------------------------------------------------------------------------------------ */

/*
 * Numbers of about 106 bits as unevaluated sums hi + lo of two doubles, |lo| <= ulp(hi) / 2
 * (Dekker 1971; Knuth, The art of computer programming, 4.2.2). The sum and the product of two
 * doubles are exact, unless they overflow or underflow. They hold only in round-to-nearest and
 * without contraction to FMA.
 */

typedef struct ss_pair {
    double hi, lo;
} ss_pair;

/* a + b, where |a| >= |b| or a = 0. */
static inline ss_pair ss_pair_ordered_sum(double a, double b)
{
    double sum = a + b;
    return (ss_pair){sum, b - (sum - a)};
}

/* a + b */
static inline ss_pair ss_pair_sum(double a, double b)
{
    double sum = a + b, of_b = sum - a;
    return (ss_pair){sum, (a - (sum - of_b)) + (b - of_b)};
}

/* The upper 26 bits of a, so that a product of two such halves is exact. */
static inline double ss_pair_upper(double a)
{
    double shifted = a * 134217729; /* 2^27 + 1 */
    return shifted - (shifted - a);
}

/* a b */
static inline ss_pair ss_pair_product(double a, double b)
{
    double a1 = ss_pair_upper(a), a2 = a - a1, b1 = ss_pair_upper(b), b2 = b - b1;
    double product = a * b;
    return (ss_pair){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

/* a + b of pairs; the error is small relative to |a| + |b|. */
static inline ss_pair ss_pair_add(ss_pair a, ss_pair b)
{
    ss_pair sum = ss_pair_sum(a.hi, b.hi);
    return ss_pair_ordered_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

/* a b of pairs */
static inline ss_pair ss_pair_multiply(ss_pair a, ss_pair b)
{
    ss_pair product = ss_pair_product(a.hi, b.hi);
    return ss_pair_ordered_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

#endif
