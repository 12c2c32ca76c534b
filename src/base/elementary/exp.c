/*
 * exp: see elementary.h. By a table (Tang, Table-driven implementation of the exponential function,
 * 1989): with x = (16 q + j) ln2/16 + r, exp(x) = 2^q 2^(j/16) exp(r), and |r| <= ln2/32.
 */
#include "src/base/elementary/elementary.h"

#include <math.h>

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

/* exp(x), |x| <= EXPONENT_MOST */
static double exponential(double x)
{
    /* ln2/16; n times its first part is exact */
    static const ss_pair step = {0x1.62e42fefap-5, 0x1.cf79abc9e3b3ap-44};
    double n = ss_nearest(x * 0x1.71547652b82fep+4); /* 16/ln2 */
    double r = (x - n * step.hi) - n * step.lo;
    double high = 1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040)));
    double rest = r + r * r * (0.5 + r * (1.0 / 6 + r * high)); /* exp(r) - 1 */
    int k = (int)n, j = k & (ROOTS - 1);
    return scaled(roots[j].hi + (roots[j].lo + roots[j].hi * rest), (k - j) / ROOTS);
}

double ss_exp(double x)
{
    if (isnan(x))
        return x;
    return x > EXPONENT_MOST ? (double)INFINITY : x < -EXPONENT_MOST ? 0 : exponential(x);
}
