/* Multigrid on constant matrices that are not Poisson's: the operators of the coarser grids, its
 * counts, its solution, and what it says before a run that may diverge. */
#include <math.h>

#include "kernels/solver/multigrid.h"
#include "tests/fields.h"

/* --- the operators of the coarser grids ------------------------------------------------------- */

static ss_coef coef_of(const char *settings, int level)
{
    ss_config cfg;
    ss_coef out;
    set_config(&cfg, settings);
    ss_problem p = ss_config_problem(&cfg);
    p = ss_mg_level(&p, level);
    ss_config_equation(&cfg)->coef(&p, &out);
    return out;
}

static void check_coef(const char *fine, int level, const char *coarse)
{
    ss_coef a = coef_of(fine, level), b = coef_of(coarse, 0);
    CHECK_NEAR(a.residual, b.residual, 1e-12 * fabs(b.residual));
    for (int i = 0; i < 4; i++)
        CHECK_MSG(fabs(a.c[i] - b.c[i]) <= 1e-12, "%s: c[%d] is %g, not %g", fine, i, a.c[i],
                  b.c[i]);
}

#define WIND "equation advdiff2d solver multigrid "
#define STRONG WIND "velocity-x 40 velocity-y -10 "

TEST(multigrid_matrix, advection_is_discretised_anew)
{
    check_coef(STRONG "scheme upwind n 63 ny 31", 1, STRONG "scheme upwind n 31 ny 15");
    check_coef(STRONG "scheme upwind n 63 ny 31", 3, STRONG "scheme upwind n 7 ny 3");
    check_coef(WIND "velocity-x 5 velocity-y 3 n 63", 2, WIND "velocity-x 5 velocity-y 3 n 15");
}

/* Cell Peclet numbers 2.5 and 0.625 on the second coarser grid: x is taken upwind, y is not. */
TEST(multigrid_matrix, central_differences_become_upwind_where_they_would_oscillate)
{
    ss_coef mixed = coef_of(STRONG "n 63", 2), upwind = coef_of(STRONG "scheme upwind n 15", 0);
    ss_coef central = coef_of(STRONG "n 15", 0);
    CHECK_NEAR(mixed.c[0] * mixed.residual, upwind.c[0] * upwind.residual, 1e-9);
    CHECK_NEAR(mixed.c[1] * mixed.residual, upwind.c[1] * upwind.residual, 1e-9);
    CHECK_NEAR(mixed.c[2] * mixed.residual, central.c[2] * central.residual, 1e-9);
    CHECK_NEAR(mixed.c[3] * mixed.residual, central.c[3] * central.residual, 1e-9);
    CHECK(central.c[1] < 0 && mixed.c[1] > 0);
    check_coef(STRONG "n 15", 0, STRONG "n 15"); /* the finest grid keeps its scheme */
}

/* Full weighting, the matrix, linear interpolation: the entry that coarse point I has in the row of
 * coarse point I - m. */
static double galerkin(const double a[3], int m)
{
    static const double to[3] = {0.5, 1, 0.5}, weight[3] = {0.25, 0.5, 0.25};
    double sum = 0;
    for (int r = -1; r <= 1; r++)
        for (int k = -1; k <= 1; k++) {
            int at = -2 * m + r + k; /* of fine point 2 I + at */
            sum += at < -1 || at > 1 ? 0 : weight[r + 1] * a[k + 1] * to[at + 1];
        }
    return sum;
}

/* In 1D the difference operator of twice the spacing is the product of the three. */
TEST(multigrid_matrix, the_coarser_operator_of_a_line_is_galerkins)
{
    const double a[3] = {-1.3, 2, -0.7};
    ss_coef c = coef_of("equation line solver multigrid n 63 diagonal 2 west -1.3 east -0.7", 1);
    CHECK_NEAR(c.residual, galerkin(a, 0), 1e-14);
    CHECK_NEAR(-c.c[0] * c.residual, galerkin(a, -1), 1e-14);
    CHECK_NEAR(-c.c[1] * c.residual, galerkin(a, 1), 1e-14);
}

/* A multiple of u does not depend on the spacing. */
TEST(multigrid_matrix, the_sum_of_the_entries_remains)
{
    const char *plane = "equation plane solver multigrid n 63 ny 31 diagonal 4.5 west -1.8 east "
                        "-0.4 south -0.9 north -1.1";
    for (int level = 0; level < 5; level++) {
        ss_coef c = coef_of(plane, level);
        CHECK_NEAR(c.residual * (1 - c.c[0] - c.c[1] - c.c[2] - c.c[3]), 4.5 - 4.2, 1e-12);
        for (int i = 0; i < 4; i++)
            CHECK_MSG(c.c[i] >= 0, "grid %d: c[%d] is %g", level, i, c.c[i]);
    }
}

/* --- counts and solutions --------------------------------------------------------------------- */

/* The counts of diffusion alone, and at most about twice as many with advection. */
TEST(multigrid_matrix, its_cycles_grow_little_with_n)
{
    CHECK_INT(cycles_of(WIND "velocity-x 0 velocity-y 0 n 127"), 6);
    CHECK_INT(cycles_of(WIND "scheme upwind n 63"), 10);
    CHECK_INT(cycles_of(WIND "scheme upwind n 255"), 12);
    CHECK(cycles_of(WIND "scheme upwind n 127 ny 63 velocity-x 1600 velocity-y -800") <= 15);
    CHECK_INT(cycles_of(WIND "n 63"), 10);
    CHECK_INT(cycles_of(WIND "n 255"), 10);
    CHECK(cycles_of(WIND "n 63 smoother red-black") < 10);
    CHECK_INT(cycles_of("equation plane solver multigrid n 127"), 5);
    CHECK_INT(cycles_of("equation plane solver multigrid n 127 diagonal 4"), 6);
    CHECK(cycles_of("equation plane solver multigrid n 127 diagonal 4 west -1.5 east -0.5") <= 12);
    CHECK(cycles_of("equation line solver multigrid n 511 diagonal 2 west -1.9 east -0.1") <= 10);
}

static void check_solution(const char *settings)
{
    ss_err err = {0};
    ss_run *run = open_run(settings);
    size_t n = (size_t)run->problem.nx * (size_t)run->problem.ny;
    double *g = get_field(run, RHS), *want = malloc(n * sizeof *want), most = 0, largest = 0;
    CHECK_INT(run->eq->exact(&run->problem, g, want, &err), SS_OK);
    step_run(run, 60);
    double *u = get_field(run, FIELD);
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(u[i] - want[i]));
        largest = fmax(largest, fabs(want[i]));
    }
    CHECK_MSG(most < 1e-9 * largest, "%s: differs by %g of %g", settings, most, largest);
    free(g), free(want), free(u);
    ss_run_close(run);
}

/* What the coarser grids approximate does not change the solution. */
TEST(multigrid_matrix, converges_to_the_solution_of_the_finest_grid)
{
    check_solution(STRONG "n 63 ny 31 until 0 problem random");
    check_solution(STRONG "scheme upwind n 31 ny 63 until 0");
    check_solution("equation plane solver multigrid n 31 ny 15 until 0 problem random west -1.6 "
                   "east -0.4 south -0.7 north -1.3 diagonal 4");
    check_solution("equation line solver multigrid n 127 copies 3 until 0 problem random west -1.6 "
                   "east -0.4 diagonal 2");
    check_solution("equation plane solver multigrid n 31 ny 1 until 0 west -1.6 east -0.4");
    check_solution("equation plane solver multigrid n 1 ny 31 until 0 south -1.6 north -0.4");
}

/* --- what it says ----------------------------------------------------------------------------- */

static void check_caution(const char *settings, const char *words)
{
    char text[320] = "";
    ss_run *run = open_run(settings);
    run->solver->caution(&run->cfg, &run->problem, text, sizeof text);
    CHECK_MSG(words ? strstr(text, words) != NULL : text[0] == '\0', "%s: %s", settings, text);
    ss_run_close(run);
}

TEST(multigrid_matrix, says_before_the_run_that_it_may_diverge)
{
    check_caution(WIND "n 127 velocity-x 800", "multigrid may diverge because the cell");
    check_caution(WIND "n 127 velocity-x 800 scheme upwind", NULL);
    check_caution(WIND "n 127 velocity-x 200", NULL);
    check_caution("equation plane solver multigrid n 63 diagonal 3.9", "raise diagonal");
    check_caution("equation plane solver multigrid n 63", NULL);
    check_caution("equation poisson2d solver multigrid n 63", NULL);
}

TEST(multigrid_matrix, divergence_names_its_cause)
{
    static const char *const settings[] = {WIND "n 31 velocity-x 400 velocity-y 200",
                                           "equation plane solver multigrid n 63 diagonal 3"};
    static const char *const words[] = {"with central differences", "raise diagonal"};
    for (int i = 0; i < 2; i++) { /* the second: a coarser grid has 0 on its diagonal */
        ss_run *run = open_run(settings[i]);
        CHECK_INT(ss_run_step(run, 200, NULL), SS_OK);
        CHECK_INT(run->status, SS_DIVERGED);
        CHECK_MSG(strstr(run->message, words[i]), "%s", run->message);
        ss_run_close(run);
    }
}
