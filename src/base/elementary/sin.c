/*
 * Sine and cosine: see elementary.h. After range reduction to |r| <= pi/4 (`quadrant`) both are
 * Taylor polynomials; the first term that is left out is below 0.02 ulp. r is hi + lo: the rounding
 * of hi would be visible in the last digit of the result.
 */
#include <math.h>
#include <stdbool.h>

#include "src/base/elementary/elementary.h"
#include "src/base/elementary/pair.h"

/* --- range reduction -------------------------------------------------------------------------- */

/* For every finite x. A double comes as near as 2^-60 to a multiple of pi/2, so that
 * the first 60 bits of r may cancel. Two methods:
 *
 *  - |x| < 2^20: n pi/2 is subtracted in parts of few bits, n times each of which is exact (Cody &
 *    Waite, Software manual for the elementary functions, 1980).
 *  - larger: n may have hundreds of digits, but only n modulo 4 matters. x is an integer times a
 *    power of two, so the digits of 2/pi that give multiples of 4 can be left out, and a window of
 *    192 bits of 2/pi is enough (Payne & Hanek, Radian reduction for trigonometric functions,
 * 1983).
 */

#define CODY_WAITE_MOST 1048576 /* 2^20 */

static int subtract_parts(double x, ss_pair *r)
{
    const double two_over_pi = 0x1.45f306dc9c883p-1;
    /* pi/2: three parts of 33 bits, and the rest to double precision */
    static const double part[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                  0x1.b839a252049c1p-104};
    double n = ss_nearest(x * two_over_pi);
    ss_pair a = ss_pair_sum(x - n * part[0], -n * part[1]);
    ss_pair b = ss_pair_sum(a.hi, -n * part[2]);
    *r = ss_pair_ordered_sum(b.hi, b.lo + (a.lo - n * part[3]));
    return (int)n & 3;
}

#define WINDOW 6 /* words of 32 bits */

/* 64 zeros, then 2/pi after the binary point. */
static const uint32_t digits[] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};

/* The window of digits that begins with bit `first`. */
static void cut(int first, uint32_t window[WINDOW])
{
    for (int i = 0; i < WINDOW; i++) {
        const uint32_t *word = digits + first / 32 + i;
        uint64_t two = (uint64_t)word[0] << 32 | word[1];
        window[i] = (uint32_t)(two << first % 32 >> 32);
    }
}

/* sum += a factor of numbers of n words, the most significant first; a carry out of them is lost.
 */
static void add_product(uint32_t *sum, const uint32_t *a, int n, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = n - 1; i >= 0; i--) {
        carry += sum[i] + (uint64_t)a[i] * factor;
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* The fraction 0.w w w ... */
static ss_pair fraction(const uint32_t w[WINDOW])
{
    ss_pair sum = {0, 0};
    double weight = 1;
    for (int i = 0; i < WINDOW; i++) {
        weight *= 0x1p-32;
        ss_pair next = ss_pair_ordered_sum(sum.hi, w[i] * weight);
        sum = (ss_pair){next.hi, sum.lo + next.lo};
    }
    return ss_pair_ordered_sum(sum.hi, sum.lo);
}

/* turns: |x| / (2 pi) modulo 1 as a fraction; n: its nearest multiple of 1/4, which is subtracted.
 */
static int take_quarters(uint32_t turns[WINDOW], bool *negative)
{
    int n = (int)((turns[0] >> 29) + 1) >> 1; /* eighths, rounded to quarters */
    turns[0] -= (uint32_t)n << 30;
    *negative = turns[0] >> 31;
    for (int i = 0; i < WINDOW && *negative; i++)
        turns[i] = ~turns[i];
    return n & 3;
}

static int multiply_window(double x, ss_pair *r)
{
    static const ss_pair two_pi = {0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};
    uint64_t whole = (ss_bits_of(x) & SS_FRACTION) | (uint64_t)1 << SS_FRACTION_BITS;
    int exponent = ss_exponent_of(x) - SS_FRACTION_BITS; /* |x| = whole 2^exponent */
    uint32_t window[WINDOW], turns[WINDOW] = {0};
    bool negative, below = x < 0;
    cut(64 - 2 + exponent, window);
    add_product(turns, window, WINDOW, (uint32_t)whole);
    add_product(turns, window + 1, WINDOW - 1, (uint32_t)(whole >> 32));
    int n = take_quarters(turns, &negative);
    *r = ss_pair_multiply(fraction(turns), two_pi);
    if (negative != below)
        *r = (ss_pair){-r->hi, -r->lo};
    return below ? -n & 3 : n;
}

/* x = n pi/2 + r, |r| <= pi/4 up to rounding; returns n modulo 4, 0 ... 3. r has at least 100
 * correct bits after its leading zeros. */
static int quadrant(double x, ss_pair *r)
{
    return x > -CODY_WAITE_MOST && x < CODY_WAITE_MOST ? subtract_parts(x, r)
                                                       : multiply_window(x, r);
}

/* --- sine and cosine -------------------------------------------------------------------------- */

/* c[0] + c[1] z + ... + c[7] z^7: two halves, which a processor computes side by side */
static double polynomial(const double c[8], double z)
{
    double z2 = z * z;
    double even = c[0] + z2 * (c[2] + z2 * (c[4] + z2 * c[6]));
    double odd = c[1] + z2 * (c[3] + z2 * (c[5] + z2 * c[7]));
    return even + z * odd;
}

/* sin(r) = r - r^3/3! + ... + r^17/17! */
static double sine(ss_pair r)
{
    static const double c[] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    double z = r.hi * r.hi;
    return r.hi + (r.hi * z * polynomial(c, z) + r.lo * (1 - z / 2));
}

/* cos(r) = 1 - r^2/2! + ... - r^18/18!. The square is exact, because it is as large as the result.
 */
static double cosine(ss_pair r)
{
    static const double c[] = {
        1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
        1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000};
    ss_pair square = ss_pair_product(r.hi, r.hi);
    double z = square.hi;
    ss_pair first = ss_pair_ordered_sum(1, -z / 2);
    return first.hi + (first.lo - square.lo / 2 - r.hi * r.lo + z * z * polynomial(c, z));
}

/* sin(x + quarters pi/2) */
static double turned(double x, int quarters)
{
    ss_pair r = {x, 0};
    if (!isfinite(x))
        return (double)NAN;
    int n = quarters;
    if (fabs(x) > 0.78)
        n += quadrant(x, &r);
    double v = n & 1 ? cosine(r) : sine(r);
    return n & 2 ? -v : v;
}

double ss_sin(double x)
{
    return fabs(x) < 0x1p-27 ? x : turned(x, 0); /* also keeps the sign of 0 */
}

double ss_cos(double x)
{
    return turned(x, 1);
}
