/*
 * Sine and cosine: see elementary.h. After range reduction to |r| <= pi/4 (quadrant.h) both are
 * Taylor polynomials; the first term that is left out is below 0.02 ulp. r is hi + lo: the rounding
 * of hi would be visible in the last digit of the result.
 */
#include "src/base/elementary/elementary.h"

#include <math.h>

#include "src/base/elementary/quadrant.h"

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
        n += ss_quadrant(x, &r);
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
