/*
 * exp, log and pow: see elementary.h.
 *
 * exp by a table (Tang, Table-driven implementation of the exponential function, 1989): with
 * x = (16 q + j) ln2/16 + r, exp(x) = 2^q 2^(j/16) exp(r), and |r| <= ln2/32.
 * log by a table and a series: x = 2^e m, m from sqrt(1/2) to sqrt(2), c = i/32 is nearest to m,
 * and s = (m - c)/(m + c): log(x) = e ln2 + log(c) + 2 (s + s^3/3 + s^5/5 + ...), |s| <= 1/88. pow
 * is exp(y log(x)). An error of y log(x) is a relative error of the result, and y log(x) is up to
 * 745, so that the logarithm needs 11 bits more than a double has: it is a pair.
 */
#include "src/base/elementary/elementary.h"

#include <math.h>
#include <stdbool.h>

#include "src/base/elementary/pair.h"

#define EXPONENT_MOST 800 /* exp of larger numbers overflows, that of smaller ones is 0 */
#define ROOTS 16

/* 2^(j/16) */
static const ss_pair roots[ROOTS] = {
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
};

/* v 2^e, rounded once: the first factor is exact. */
static double scaled(double v, int e)
{
    return v * ss_power_of_2(e / 2) * ss_power_of_2(e - e / 2);
}

/* exp(x.hi + x.lo), |x.hi| <= EXPONENT_MOST */
static double exponential(ss_pair x)
{
    /* ln2/16; n times its first part is exact */
    static const ss_pair step = {0x1.62e42fefap-5, 0x1.cf79abc9e3b3ap-44};
    double n = ss_nearest(x.hi * 0x1.71547652b82fep+4); /* 16/ln2 */
    double r = (x.hi - n * step.hi) - n * step.lo + x.lo;
    double high = 1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040)));
    double rest = r + r * r * (0.5 + r * (1.0 / 6 + r * high)); /* exp(r) - 1 */
    int k = (int)n, j = k & (ROOTS - 1);
    return scaled(roots[j].hi + (roots[j].lo + roots[j].hi * rest), (k - j) / ROOTS);
}

double ss_exp(double x)
{
    if (isnan(x))
        return x;
    return x > EXPONENT_MOST    ? (double)INFINITY
           : x < -EXPONENT_MOST ? 0
                                : exponential((ss_pair){x, 0});
}

#define PARTS 32
enum { FIRST = 23, LAST = 45 }; /* the nearest to 32 sqrt(1/2) and to 32 sqrt(2) */

/* log(i/32) */
static const ss_pair logs[LAST - FIRST + 1] = {
    {-0x1.522ae0738a3d8p-2, 0x1.8f7e9b38a6979p-57},
    {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56},
    {-0x1.f991c6cb3b379p-3, -0x1.f665066f980a2p-57},
    {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57},
    {-0x1.5bf406b543db2p-3, 0x1.1f5b44c0df7e7p-61},
    {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58},
    {-0x1.9335e5d594989p-4, 0x1.478a85704ccb7p-58},
    {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58},
    {-0x1.0415d89e74444p-5, -0x1.c05cf1d753622p-59},
    {0, 0},
    {0x1.f829b0e783300p-6, 0x1.33e3f04f1ef23p-60},
    {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},
    {0x1.6f0d28ae56b4cp-4, -0x1.906d99184b992p-58},
    {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
    {0x1.29552f81ff523p-3, 0x1.301771c407dbfp-57},
    {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},
    {0x1.9525a9cf456b4p-3, 0x1.d904c1d4e2e26p-57},
    {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
    {0x1.fb9186d5e3e2bp-3, -0x1.caaae64f21acbp-57},
    {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},
    {0x1.2e8e2bae11d31p-2, -0x1.8f4cdb95ebdf9p-56},
    {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
    {0x1.5d1bdbf5809cap-2, 0x1.4236383dc7fe1p-56},
};

/* (m - c) / (m + c) of close numbers */
static ss_pair quotient(double m, double c)
{
    double above = m - c; /* exact */
    ss_pair below = ss_pair_sum(m, c);
    double inverse = 1 / below.hi, s = above * inverse;
    ss_pair back = ss_pair_product(s, below.hi);
    return (ss_pair){s, (above - back.hi - back.lo - s * below.lo) * inverse};
}

/* log(m), sqrt(1/2) <= m <= sqrt(2) */
static ss_pair of_fraction(double m)
{
    double i = ss_nearest(m * PARTS);
    ss_pair s = quotient(m, i / PARTS);
    double z = s.hi * s.hi;
    double p = 1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11))));
    s = ss_pair_ordered_sum(2 * s.hi, 2 * (s.lo + s.hi * z * p));
    return ss_pair_add(logs[(int)i - FIRST], s);
}

/* x = 2^e m of a positive finite number, sqrt(1/2) < m <= sqrt(2); returns m. */
static double split(double x, int *e)
{
    const double root2 = 0x1.6a09e667f3bcdp+0;
    bool subnormal = x < 0x1p-1022;
    if (subnormal)
        x *= 0x1p54;
    *e = ss_exponent_of(x) - (subnormal ? 54 : 0);
    double m = ss_double_of((ss_bits_of(x) & SS_FRACTION) | ss_bits_of(1));
    if (m <= root2)
        return m;
    ++*e;
    return m / 2;
}

/* log(x) of a positive finite number */
static ss_pair logarithm(double x)
{
    static const ss_pair ln2 = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45}; /* e ln2.hi is exact */
    int e;
    double m = split(x, &e);
    ss_pair whole = ss_pair_ordered_sum(e * ln2.hi, e * ln2.lo);
    return ss_pair_add(whole, of_fraction(m));
}

double ss_log(double x)
{
    if (isnan(x) || x < 0)
        return (double)NAN;
    return x == 0 ? -(double)INFINITY : isinf(x) ? x : logarithm(x).hi;
}

enum { NO_INTEGER, EVEN, ODD };

static int parity(double y)
{
    if (fabs(y) >= 0x1p53)
        return EVEN;
    int64_t n = (int64_t)y;
    return (double)n != y ? NO_INTEGER : n & 1 ? ODD : EVEN;
}

/* |x|^y where the result overflows, is 0, or |x| is 1 */
static double extreme(double x, double y)
{
    return x == 1 ? 1 : (x > 1) == (y > 0) ? (double)INFINITY : 0;
}

/* x^y, x >= 0 */
static double power(double x, double y)
{
    if (x == 0 || x == 1 || isinf(x))
        return extreme(x, y);
    ss_pair l = logarithm(x);
    if (!(fabs(y * l.hi) <= EXPONENT_MOST))
        return extreme(x, y);
    ss_pair p = ss_pair_product(y, l.hi);
    p.lo += y * l.lo;
    return exponential(p);
}

double ss_pow(double x, double y)
{
    if (x == 1 || y == 0)
        return 1;
    if (isnan(x) || isnan(y))
        return (double)NAN;
    int kind = parity(y);
    if (x < 0 && kind == NO_INTEGER && isfinite(x))
        return (double)NAN;
    double v = power(fabs(x), y);
    return signbit(x) && kind == ODD ? -v : v;
}
