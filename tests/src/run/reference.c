/* u*: the direct solvers against exact solutions, their order of accuracy, Jacobi against u*. */
#include "kernels/eq/sine.h"
#include "src/run/reference.h"
#include "tests/fields.h"

static const double PI = 3.14159265358979323846;
static const int seed = 5;

static const double *solve(ss_run *run)
{
    char notice[320];
    ss_err err = {0};
    run->reference = ss_reference_start(run, false, notice, sizeof notice, &err);
    CHECK_MSG(run->reference != NULL, "%s", err.text);
    CHECK(strstr(notice, "u*") != NULL);
    const double *u = ss_reference_wait(run->reference, &err);
    CHECK_MSG(u != NULL, "%s", err.text);
    return u;
}

TEST(reference, sine_basis_is_its_own_inverse)
{
    static const int sizes[] = {1, 2, 7, 64, 203};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        ss_modes m[3];
        CHECK_INT(ss_modes_make(m, (const int[3]){n, n, n}, false, NULL), SS_OK);
        const double *basis = m[0].basis, *lambda = m[0].lambda;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double product = 0;
                for (int k = 0; k < n; k++)
                    product += basis[i * n + k] * basis[k * n + j];
                CHECK_NEAR(product, i == j, 1e-13);
                /* Row i of tridiag(-1, 2, -1) times mode j. */
                double applied = 2 * basis[i * n + j] - (i > 0 ? basis[(i - 1) * n + j] : 0) -
                                 (i + 1 < n ? basis[(i + 1) * n + j] : 0);
                CHECK_NEAR(applied, lambda[j] * basis[i * n + j], 1e-14);
            }
        ss_modes_free(m);
    }
}

RUN_TEST(reference, one_dimension_is_exact, "equation poisson1d solver jacobi n 1024 copies 3")
{
    const double *u = solve(run);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 1024; i++) {
            double x = (i + 1) / 1025.0;
            CHECK_NEAR(u[j * 1024 + i], x * (1 - x) / 2, 1e-13);
        }
}

/* --- order of accuracy: u = sin(pi x) sin(2 pi y / height), sin(pi x) in 1D ------------------- */

static double height(const ss_run *run)
{
    return (run->problem.ny + 1) * run->problem.dy;
}

static double solution(const ss_run *run, int i, int j)
{
    double x = (i + 1) * run->problem.dx;
    double y = (j + 1) * run->problem.dy / height(run);
    return sin(PI * x) * (run->eq->dim == 1 ? 1 : sin(2 * PI * y));
}

static double forcing(const ss_run *run, int i, int j, const void *ctx)
{
    (void)ctx;
    double ky = run->eq->dim == 1 ? 0 : 2 * PI / height(run);
    return (PI * PI + ky * ky) * solution(run, i, j) / run->coef.residual;
}

static double largest_error(const char *settings)
{
    ss_run *run = open_run(settings);
    double max = 0;
    set_field(run, RHS, forcing, NULL);
    const double *u = solve(run);
    for (int j = 0; j < run->problem.ny; j++)
        for (int i = 0; i < run->problem.nx; i++) {
            double e =
                fabs(u[(size_t)j * (size_t)run->problem.nx + (size_t)i] - solution(run, i, j));
            max = e > max ? e : max;
        }
    ss_run_close(run);
    return max;
}

/* n + 1 and ny + 1 double from one grid to the next. */
static void check_order(const char *format, int nx, int ny)
{
    double before = 0;
    for (int level = 0; level < 4; level++) {
        char settings[256];
        snprintf(settings, sizeof settings, format, nx, ny);
        double error = largest_error(settings);
        if (level > 0)
            CHECK_NEAR(log2(before / error), 2.0, 0.05);
        before = error;
        nx = 2 * nx + 1;
        ny = 2 * ny + 1;
    }
}

TEST(reference, second_order_in_one_dimension)
{
    check_order("equation poisson1d solver jacobi n %d copies 2", 31, 0);
}

TEST(reference, second_order_in_two_dimensions)
{
    check_order("equation poisson2d solver jacobi n %d ny %d", 31, 31);
    check_order("equation poisson2d solver jacobi n %d ny %d", 31, 19);
    check_order("equation poisson2d solver jacobi n %d ny %d", 15, 35);
    check_order("equation poisson2d solver jacobi n %d ny %d aspect 1.7", 31, 19);
}

/* --- the discrete solution -------------------------------------------------------------------- */

/* |r(u*)| / |r(0)| of a random right-hand side. */
static double residual_of_solution(const char *settings)
{
    ss_run *run = open_run(settings);
    double residual, start, zeros = 0;
    set_field(run, RHS, at_random, &seed);
    const double *u = solve(run);
    set_field(run, FIELD, from_array, u);
    CHECK_INT(run->backend->reduce(run, &residual, u, &zeros, NULL), SS_OK);
    if (run->prec == SS_F64)
        CHECK_NEAR(zeros, 0, 0);
    for (size_t i = 0; i < (size_t)run->problem.nx * (size_t)run->problem.ny; i++)
        ((double *)u)[i] = 0; /* overwritten: the reference needs it no more */
    set_field(run, FIELD, from_array, u);
    CHECK_INT(run->backend->reduce(run, &start, NULL, NULL, NULL), SS_OK);
    ss_run_close(run);
    return residual / start;
}

TEST(reference, residual_of_the_solution_is_round_off)
{
    CHECK(residual_of_solution("equation poisson2d solver jacobi n 203 ny 131") < 1e-10);
    CHECK(residual_of_solution("equation poisson2d solver jacobi n 64 ny 300 aspect 0.5") < 1e-10);
    CHECK(residual_of_solution("equation poisson1d solver jacobi n 1000 copies 4") < 1e-9);
    CHECK(residual_of_solution("equation poisson2d solver jacobi n 40 ny 30 precision f32") < 1e-3);
}

/* max |u - u*| of Jacobi after c cycles never grows and reaches round-off. */
static void check_convergence(const char *settings, int rounds, int cycles, double floor_error)
{
    ss_run *run = open_run(settings);
    set_field(run, FIELD, at_random, &seed);
    set_field(run, RHS, at_random, &seed);
    const double *u = solve(run);
    double before = HUGE_VAL, error = 0;
    for (int round = 0; round < rounds; round++) {
        step_run(run, cycles);
        CHECK_INT(run->backend->reduce(run, NULL, u, &error, NULL), SS_OK);
        CHECK_MSG(error <= before || error < floor_error, "%g after %g", error, before);
        before = error;
    }
    CHECK_MSG(error < floor_error, "%g remains", error);
    ss_run_close(run);
}

TEST(reference, jacobi_converges_to_the_discrete_solution)
{
    check_convergence("equation poisson2d solver jacobi n 15 ny 11", 60, 50, 1e-12);
    check_convergence("equation poisson1d solver jacobi n 20 copies 2", 60, 100, 1e-11);
    check_convergence("equation poisson2d solver shared n 15 ny 11 block 6 k 3 overlap 2", 60, 20,
                      1e-12);
}

/* --- in the background ------------------------------------------------------------------------ */

TEST(reference, a_background_solution_is_bit_for_bit_equal)
{
    char notice[320];
    ss_run *a = open_run("equation poisson2d solver jacobi n 203 ny 131");
    ss_run *b = open_run("equation poisson2d solver jacobi n 203 ny 131");
    set_field(a, RHS, at_random, &seed);
    set_field(b, RHS, at_random, &seed);
    const double *u = solve(a);
    b->reference = ss_reference_start(b, true, notice, sizeof notice, NULL);
    CHECK(b->reference && strstr(notice, "background"));
    set_field(b, RHS, at_random, &(int){9}); /* it has its own copy */
    step_run(b, 2);
    const double *v = ss_reference_wait(b->reference, NULL);
    CHECK(v && v == ss_run_reference(b) && ss_reference_seconds(b->reference) > 0);
    for (int i = 0; i < 203 * 131; i++)
        CHECK_NEAR(v[i], u[i], 1e-12 * fabs(u[i]) + 1e-14);
    ss_run_close(b);
    ss_run_close(a);
}

TEST(reference, closing_a_run_abandons_it)
{
    char notice[320];
    ss_run *run = open_run("equation poisson2d solver jacobi n 2000");
    double start = ss_clock();
    run->reference = ss_reference_start(run, true, notice, sizeof notice, NULL);
    CHECK(run->reference != NULL);
    CHECK(ss_run_reference(run) == NULL);
    ss_run_close(run);
    CHECK_MSG(ss_clock() - start < 30, "closing took %g s", ss_clock() - start);
}

/* --- the reference of --accuracy -------------------------------------------------------------- */

/* Computed from the run's start, in double precision, however far the run has advanced. */
static double accuracy_after(const char *settings, int before, int after)
{
    char notice[320];
    ss_err err = {0};
    ss_run *run = open_run(settings);
    run->tol = 0;
    step_run(run, before);
    run->baseline = ss_reference_iterate(run, 1, notice, sizeof notice, &err);
    CHECK_MSG(run->baseline != NULL, "%s", err.text);
    CHECK(strstr(notice, "4096") != NULL);
    step_run(run, after);
    CHECK_MSG(ss_reference_wait(run->baseline, &err) != NULL, "%s", err.text);
    CHECK(ss_accuracy_measure(run) && ss_accuracy_known(run));
    double accuracy = run->accuracy;
    CHECK_INT(ss_run_reset(run, NULL), SS_OK);
    CHECK(!run->baseline && !ss_accuracy_known(run));
    ss_run_close(run);
    return accuracy;
}

TEST(reference, iterations_are_those_of_jacobi)
{
    CHECK_NEAR(accuracy_after("equation poisson2d solver jacobi n 30 ny 20 problem random "
                              "backend cpu",
                              96, 4000),
               0, 0);
    CHECK_NEAR(accuracy_after("equation poisson1d solver jacobi n 50 copies 3 problem random "
                              "backend cpu precision f32",
                              4096, 0),
               0, 1e-4);
    CHECK(accuracy_after("equation poisson2d solver shared n 30 problem random backend cpu k 8", 4,
                         8) > 0);
}

TEST(reference, closing_a_run_abandons_iterations)
{
    char notice[320];
    ss_run *run = open_run("equation poisson2d solver jacobi n 2000 backend cpu");
    double start = ss_clock();
    run->baseline = ss_reference_iterate(run, 1, notice, sizeof notice, NULL);
    CHECK(run->baseline != NULL);
    CHECK(!ss_accuracy_measure(run));
    ss_run_close(run);
    CHECK_MSG(ss_clock() - start < 30, "closing took %g s", ss_clock() - start);
}
