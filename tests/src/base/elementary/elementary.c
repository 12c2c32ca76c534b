/* The elementary functions against the long doubles of the C library: errors, special values, exact
 * results, symmetry, and the bits themselves. */
#include <stdint.h>

#include "src/base/elementary/pair.h"
#include "src/base/elementary/elementary.h"
#include "src/base/common.h"
#include "tests/check.h"

#define ARGUMENTS (CHECK_SANITIZED ? 20000 : 200000)
#define MOST_ULP 0.85L

/* Numbers uniform in [lo, hi), from a counter. */
static double between(double lo, double hi, int i)
{
    return lo + (hi - lo) * ss_random_unit(26, (uint64_t)i);
}

/* Finite numbers of any sign and exponent. */
static double any(int i)
{
    uint64_t fraction = (uint64_t)(ss_random_unit(1, (uint64_t)i) * 0x1p53);
    uint64_t exponent = (uint64_t)(ss_random_unit(2, (uint64_t)i) * 2047);
    return ss_double_of(fraction << 11 >> 12 | exponent << 52 | (uint64_t)(i & 1) << 63);
}

/* |got - want| in units of the last place of `want` as a double. */
static long double error_of(double got, long double want)
{
    double rounded = (double)want;
    if (isinf(rounded) || isinf(got))
        return rounded == got ? 0 : (long double)INFINITY;
    int e = rounded == 0 ? -1022 : ilogb(rounded);
    return fabsl((long double)got - want) / scalbnl(1, (e < -1022 ? -1022 : e) - 52);
}

typedef struct function {
    const char *name;
    double (*ours)(double x);
    long double (*theirs)(long double x);
} function;

static const function sines[] = {{"sin", ss_sin, sinl}, {"cos", ss_cos, cosl}};
static const function exponential = {"exp", ss_exp, expl};

static void check_at(const function *f, double x)
{
    long double error = error_of(f->ours(x), f->theirs((long double)x));
    CHECK_MSG(error <= MOST_ULP, "%s(%a) is %a: %.3Lf ulp away", f->name, x, f->ours(x), error);
}

static void check_between(const function *f, double lo, double hi)
{
    for (int i = 0; i < ARGUMENTS; i++)
        check_at(f, between(lo, hi, i));
}

TEST(elementary, sine_and_cosine_have_an_error_below_one_ulp)
{
    static const double most[] = {0x1p-20, 0.785, 6.3, 1000, 0x1p20, 0x1p60};
    for (int f = 0; f < 2; f++) {
        for (size_t i = 0; i < sizeof most / sizeof *most; i++)
            check_between(&sines[f], -most[i], most[i]);
        for (int i = 0; i < ARGUMENTS; i++)
            check_at(&sines[f], any(i));
    }
}

TEST(elementary, sine_and_cosine_are_accurate_beside_multiples_of_half_pi)
{
    const long double half_pi = 1.57079632679489661923132169163975144L;
    /* of all doubles, the one that is nearest to a multiple */
    const double nearest = 6381956970095103 * 0x1p797;
    for (int f = 0; f < 2; f++) {
        for (int n = 1; n < ARGUMENTS; n++) {
            double x = (double)(n * 13 * half_pi);
            check_at(&sines[f], x);
            check_at(&sines[f], -nextafter(x, 0));
        }
        check_at(&sines[f], nearest);
        check_at(&sines[f], nextafter(0x1p20, 0));
        check_at(&sines[f], 0x1p20);
    }
}

TEST(elementary, exp_has_an_error_below_one_ulp)
{
    check_between(&exponential, -0x1p-30, 0x1p-30);
    check_between(&exponential, -1, 1);
    check_between(&exponential, -745.2, 709.8); /* subnormal results, too */
}

/* --- special values --------------------------------------------------------------------------- */

/* Equal, or both NaN; zeros of another sign differ. */
static void check_same(const char *name, double x, double y, double got, double want)
{
    CHECK_MSG(isnan(want) ? isnan(got) : memcmp(&got, &want, sizeof got) == 0,
              "%s(%g, %g) is %g, not %g", name, x, y, got, want);
}

#define INF ((double)INFINITY)
#define NOT ((double)NAN)

TEST(elementary, special_values_of_one_argument_are_those_of_c)
{
    static const struct {
        double x, sine, cosine, exponential;
    } row[] = {{0.0, 0.0, 1, 1},
               {-0.0, -0.0, 1, 1},
               {INF, NOT, NOT, INF},
               {-INF, NOT, NOT, 0},
               {NOT, NOT, NOT, NOT},
               {0x1p-1074, 0x1p-1074, 1, 1},
               {-0x1p-1074, -0x1p-1074, 1, 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        check_same("sin", row[i].x, 0, ss_sin(row[i].x), row[i].sine);
        check_same("cos", row[i].x, 0, ss_cos(row[i].x), row[i].cosine);
        check_same("exp", row[i].x, 0, ss_exp(row[i].x), row[i].exponential);
    }
    check_same("exp", 710, 0, ss_exp(710), INF);
    check_same("exp", 1e300, 0, ss_exp(1e300), INF);
    check_same("exp", -746, 0, ss_exp(-746), 0);
    check_same("exp", -745, 0, ss_exp(-745), 0x1p-1074);
    check_same("exp", -1e300, 0, ss_exp(-1e300), 0);
}

/* --- exact results ---------------------------------------------------------------------------- */

TEST(elementary, sine_is_odd_and_cosine_even)
{
    for (int i = 0; i < ARGUMENTS; i++) {
        double x = i % 2 ? any(i) : between(-10, 10, i);
        CHECK_MSG(ss_sin(-x) == -ss_sin(x), "sin(%a)", x);
        CHECK_MSG(ss_cos(-x) == ss_cos(x), "cos(%a)", x);
    }
}

TEST(elementary, sums_and_products_of_pairs_are_exact)
{
    ss_pair product = ss_pair_product(0x1p52 + 1, 0x1p52 + 3);
    CHECK(product.hi == 0x1p104 + 0x1p54 && product.lo == 3);
    ss_pair sum = ss_pair_sum(1, 0x1p60 + 0x1p10);
    CHECK(sum.hi == 0x1p60 + 0x1p10 && sum.lo == 1);
}

/* --- bits ------------------------------------------------------------------------------------- */

static void add_bits(uint64_t *hash, double x)
{
    *hash = (*hash ^ ss_bits_of(x)) * 1099511628211u; /* FNV-1a with words */
    *hash ^= *hash >> 32;                             /* upper bits, too, reach all others */
}

/* The number was made with gcc on x86-64. Any compiler and machine must arrive at it. */
TEST(elementary, the_bits_are_the_same_everywhere)
{
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < 20000; i++) {
        double x = any(i), small = between(-7, 7, i);
        const double of[] = {
            ss_sin(x),    ss_cos(x), ss_sin(small), ss_cos(small), ss_exp(between(-745, 709, i)),
            ss_exp(small)};
        for (size_t f = 0; f < sizeof of / sizeof *of; f++)
            add_bits(&hash, of[f]);
    }
    CHECK_MSG(hash == 0x52c763cc7366eb4du, "the hash is 0x%llx", (unsigned long long)hash);
}
