/* When the measured factor of convergence has settled, and when it has not. */
#include <math.h>

#include "src/core/registry.h"
#include "tests/fields.h"

typedef double curve(double cycle);

static double like_a_power(double cycle)
{
    return pow(1 + cycle, -0.75);
}

static double geometric(double cycle)
{
    return pow(0.999925, cycle);
}

static double oscillating(double cycle)
{
    return pow(0.97, cycle) * (1.5 + sin(cycle / 20));
}

/* A floor of rounding errors, which differ from cycle to cycle. */
static double on_its_floor(double cycle)
{
    return 1e-7 * (1 + 0.1 * ss_random_unit(1, (uint64_t)cycle));
}

static bool settles(curve *of, int cycles)
{
    static ss_factors f;
    bool settled;
    f.n = 0;
    for (int c = 0; c <= cycles; c++)
        ss_factors_add(&f, c, of(c));
    ss_factors_measured(&f, &settled);
    return settled;
}

TEST(factors, a_residual_that_falls_like_a_power_never_settles)
{
    for (int cycles = 10; cycles < 200000; cycles *= 3)
        CHECK_MSG(!settles(like_a_power, cycles), "after %d cycles", cycles);
}

TEST(factors, a_geometric_residual_settles_once_it_has_changed_enough)
{
    CHECK(!settles(geometric, 100));
    CHECK(settles(geometric, 10000) && settles(geometric, 100000));
}

TEST(factors, neither_oscillation_nor_rounding_errors_settle)
{
    for (int cycles = 20; cycles < 400; cycles += 7)
        CHECK_MSG(!settles(oscillating, cycles), "after %d cycles", cycles);
    for (int cycles = 20; cycles < 4000; cycles += 71)
        CHECK_MSG(!settles(on_its_floor, cycles), "after %d cycles", cycles);
}

/* Runs that were far from their rate of the long run, whose two halves agree within 1 % in f. */
TEST(factors, no_run_settles_before_its_rate_is_that_of_the_long_run)
{
    static const struct {
        const char *settings;
        int cycles;
    } early[] = {
        {"equation poisson2d solver jacobi n 64", 40},
        {"equation poisson2d solver jacobi n 128", 500},
        {"equation poisson2d solver shared n 128 k 16 overlap 4", 25},
        {"equation poisson3d solver block-jacobi patch 32 bx 4", 15},
        {"equation plane solver jacobi west -1.4 east -0.5 south -0.8 north -1.1 diagonal 4.2 n 30 "
         "ny 20",
         78},
        {"equation advdiff2d solver jacobi n 31", 17},
        {"equation poisson2d solver sor n 63 precision f32", 1500},
        {"equation poisson2d solver cg n 64", 60},
    };
    bool settled;
    for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
        ss_run *run = open_run(early[i].settings);
        step_run(run, early[i].cycles);
        ss_run_factor(run, &settled);
        CHECK_MSG(!settled, "%s", early[i].settings);
        ss_run_close(run);
    }
}

TEST(factors, a_settled_factor_is_that_of_the_long_run)
{
    static const struct {
        const char *settings;
        int cycles;
        double within; /* of ln f */
    } late[] = {
        {"equation poisson2d solver jacobi n 32", 2000, 1e-6},
        {"equation poisson1d solver jacobi n 32", 2000, 1e-6},
        {"equation poisson2d solver sor n 32 omega 1", 700, 1e-4},
    };
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
        ss_run *run = open_run(late[i].settings);
        bool settled;
        step_run(run, late[i].cycles);
        double rate = log(ss_run_factor(run, &settled));
        double long_run = log(run->solver->factor(&run->cfg, &run->problem));
        CHECK_MSG(settled && fabs(rate - long_run) <= late[i].within * fabs(long_run),
                  "%s: %d, %g, not %g", late[i].settings, settled, rate, long_run);
        ss_run_close(run);
    }
}

RUN_TEST(factors, conjugate_gradients_have_none, "equation poisson2d solver cg n 127")
{
    bool settled = true;
    step_run(run, 160);
    CHECK(isnan(ss_run_factor(run, &settled)) && !settled);
}
