/* Systems with a constant matrix (line, plane, advdiff2d): the solution u*, the spectral radius of
 * Jacobi's iteration, their agreement with Poisson's equation, and what the program says of
 * matrices that Jacobi has trouble with. */
#include "kernels/eq/inner.h"
#include "src/core/run.h"
#include "src/run/reference.h"
#include "tests/fields.h"

static const double PI = 3.14159265358979323846;

/* --- u* --------------------------------------------------------------------------------------- */

/* The largest residual of u* for a random right-hand side, divided by the diagonal and by the
 * largest value: that of a backward stable method, also where u* is huge. */
static double residual_of_exact(int dim, int nx, int ny, const ss_stencil *m)
{
    ss_problem p = {.dim = dim, .nx = nx, .ny = ny, .nz = 1};
    size_t count = (size_t)nx * (size_t)ny;
    double *g = malloc(count * sizeof *g), *u = malloc(count * sizeof *u), worst = 0, largest = 1;
    ss_err err = {0};
    for (size_t i = 0; i < count; i++)
        g[i] = 2 * ss_random_unit(7, i) - 1;
    CHECK_MSG(ss_stencil_solve(&p, m, g, u, &err) == SS_OK, "%s", err.text);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double *at = u + (size_t)j * (size_t)nx + i;
            double sum = m->d * at[0];
            largest = fmax(largest, fabs(at[0]));
            sum += i > 0 ? m->w * at[-1] : 0;
            sum += i + 1 < nx ? m->e * at[1] : 0;
            sum += dim > 1 && j > 0 ? m->s * at[-nx] : 0;
            sum += dim > 1 && j + 1 < ny ? m->n * at[nx] : 0;
            worst = fmax(worst, fabs(g[(size_t)j * (size_t)nx + (size_t)i] - sum / m->d));
        }
    free(g);
    free(u);
    return worst / largest;
}

/* The last matrix has a small diagonal: elimination without pivoting would fail. */
static const ss_stencil matrices[] = {{-1, -1, -1, -1, 4},
                                      {-1.7, -0.3, -0.2, -1.8, 4},
                                      {-1.5, 0.5, 0.7, -1.2, 2.5},
                                      {-1, 0.3, 0.8, -0.9, 0.01}};

TEST(constant, exact_solves_the_plane)
{
    static const int sizes[][2] = {{1, 1},   {1, 5},    {5, 1},    {2, 3},   {64, 64},
                                   {37, 91}, {150, 37}, {63, 130}, {65, 65}, {200, 2}};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            double worst = residual_of_exact(2, sizes[i][0], sizes[i][1], &matrices[k]);
            CHECK_MSG(worst < 1e-9, "matrix %zu, %d x %d: %g", k, sizes[i][0], sizes[i][1], worst);
        }
}

TEST(constant, exact_solves_each_line)
{
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) {
        ss_stencil m = {.w = matrices[k].w, .e = matrices[k].e, .d = matrices[k].d / 2};
        double worst = fmax(residual_of_exact(1, 203, 5, &m), residual_of_exact(1, 1, 2, &m));
        CHECK_MSG(worst < 1e-9, "matrix %zu: %g", k, worst);
    }
}

TEST(constant, a_singular_matrix_has_no_exact_solution)
{
    ss_problem line = {.dim = 1, .nx = 2, .ny = 1, .nz = 1}, plane = {.dim = 2, .nx = 1, .ny = 2};
    ss_stencil across = {.w = -1, .e = -1, .d = 1}, up = {.s = -1, .n = -1, .d = 1};
    double g[2] = {1, 0}, u[2];
    ss_err err = {0};
    CHECK(ss_stencil_solve(&line, &across, g, u, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "singular"), "%s", err.text);
    CHECK(ss_stencil_solve(&plane, &up, g, u, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "singular"), "%s", err.text);
}

TEST(constant, the_direct_solution_can_be_abandoned)
{
    ss_problem p[] = {{.dim = 1, .nx = 9, .ny = 2, .nz = 1}, {.dim = 2, .nx = 9, .ny = 9, .nz = 1}};
    double g[81] = {1}, u[81];
    atomic_bool cancelled = true;
    ss_err err = {0};
    ss_exact_cancel_by(&cancelled);
    for (int i = 0; i < 2; i++) {
        CHECK(ss_stencil_solve(&p[i], &matrices[0], g, u, &err) == SS_FAIL);
        CHECK_MSG(strstr(err.text, "abandoned"), "%s", err.text);
    }
    ss_exact_cancel_by(NULL);
}

RUN_TEST(constant, exact_of_poisson_is_that_of_the_sine_basis,
         "equation poisson2d solver jacobi n 45 ny 78 problem random")
{
    ss_problem *p = &run->problem;
    double x = 1 / (p->dx * p->dx), y = 1 / (p->dy * p->dy);
    ss_stencil m = {-x, -x, -y, -y, 2 * (x + y)};
    double *g = get_field(run, RHS), *u = malloc(45 * 78 * sizeof *u);
    double *v = malloc(45 * 78 * sizeof *v);
    CHECK_INT(run->eq->exact(p, g, u, NULL), SS_OK);
    CHECK_INT(ss_stencil_solve(p, &m, g, v, NULL), SS_OK);
    for (int i = 0; i < 45 * 78; i++)
        CHECK_NEAR(u[i], v[i], 1e-10);
    free(g);
    free(u);
    free(v);
}

TEST(constant, jacobi_converges_to_exact)
{
    static const char *const problems[] = {
        "equation line n 37 copies 3 west -1.3 east -0.6 diagonal 2.1",
        "equation line n 40 west -0.9 east 0.9 diagonal 1.9",
        "equation plane n 31 ny 18 west -1.3 east -0.6 south -1.1 north -0.8 diagonal 4",
        "equation plane n 18 ny 31 west -1 east 0.8 south -1 north -0.9 diagonal 3.9",
        "equation advdiff2d n 23 ny 31",
        "equation advdiff2d n 23 ny 14 velocity-x -300 velocity-y 170 scheme upwind",
        "equation advdiff2d n 23 ny 14 velocity-x 0 velocity-y 55 scheme central"};
    static const char *const kinds[] = {"random", "spike"};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (int k = 0; k < 2; k++) {
            char text[256], notice[320];
            ss_err err = {0};
            double error, residual;
            snprintf(text, sizeof text, "%s solver jacobi until 0 problem %s", problems[i],
                     kinds[k]);
            ss_run *run = open_run(text);
            step_run(run, 6000);
            run->reference = ss_reference_start(run, false, notice, sizeof notice, &err);
            CHECK_MSG(run->reference != NULL, "%s", err.text);
            const double *u = ss_reference_wait(run->reference, &err);
            CHECK_MSG(u != NULL, "%s", err.text);
            CHECK_INT(run->backend->reduce(run, &residual, u, &error, &err), SS_OK);
            CHECK_MSG(error < 1e-11, "%s: %g", text, error);
            ss_run_close(run);
        }
}

/* --- order of accuracy: u = sin(pi x) sin(2 pi y) --------------------------------------------- */

/* The largest error of u* on n by n points. */
static double error_of(int n, const char *scheme)
{
    char text[256];
    snprintf(text, sizeof text,
             "equation advdiff2d solver jacobi n %d velocity-x 9 velocity-y -5 scheme %s", n,
             scheme);
    ss_run *run = open_run(text);
    size_t count = (size_t)n * (size_t)n;
    double *g = malloc(count * sizeof *g), *u = malloc(count * sizeof *u), worst = 0;
    for (size_t i = 0; i < count; i++) {
        double x = PI * (double)(i % (size_t)n + 1) / (n + 1);
        double y = 2 * PI * (double)(i / (size_t)n + 1) / (n + 1);
        double f =
            5 * PI * PI * sin(x) * sin(y) + 9 * PI * cos(x) * sin(y) - 5 * 2 * PI * sin(x) * cos(y);
        g[i] = f / run->coef.residual;
    }
    CHECK_INT(run->eq->exact(&run->problem, g, u, NULL), SS_OK);
    for (size_t i = 0; i < count; i++) {
        double x = PI * (double)(i % (size_t)n + 1) / (n + 1);
        double y = 2 * PI * (double)(i / (size_t)n + 1) / (n + 1);
        worst = fmax(worst, fabs(u[i] - sin(x) * sin(y)));
    }
    free(g);
    free(u);
    ss_run_close(run);
    return worst;
}

SLOW_TEST(constant, central_differences_have_order_two_and_upwind_ones_order_one)
{
    double central = error_of(31, "central") / error_of(63, "central");
    double upwind = error_of(127, "upwind") / error_of(255, "upwind");
    CHECK_NEAR(log2(central), 2, 0.05);
    CHECK_NEAR(log2(upwind), 1, 0.05);
}

/* --- the spectral radius ---------------------------------------------------------------------- */

static double nothing(const ss_run *run, int i, int j, const void *ctx)
{
    (void)run, (void)i, (void)j, (void)ctx;
    return 0;
}

/* Matrices whose slowest eigenvalues have a power that is real and the same for all of them: their
 * factor over that many iterations is that power of the radius. */
TEST(constant, spectral_radius_is_the_factor_of_jacobi)
{
    static const struct {
        const char *problem;
        int power;
    } cases[] = {
        {"equation line n 29 copies 2 west -1.3 east -0.8 diagonal 2.1", 2},
        {"equation line n 29 west -1.2 east 0.8 diagonal 2.1", 2},
        {"equation plane n 23 ny 14 west -1.2 east -0.9 south -1.1 north -0.7 diagonal 3.95", 2},
        {"equation plane n 23 ny 14 west -1.2 east 0.9 south -1.1 north 0.9 diagonal 4.1", 2},
        {"equation plane n 17 ny 17 west -1.2 east 0.9 south -1.2 north -0.9 diagonal 3", 4},
        {"equation advdiff2d n 23 ny 14 velocity-x 20 velocity-y 10", 2},
        {"equation advdiff2d n 14 ny 23 velocity-x 20 velocity-y -30 scheme upwind", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s solver jacobi until 0 backend cpu problem random",
                 cases[i].problem);
        ss_run *run = open_run(text);
        ss_err err;
        double rho = ss_config_spectral_radius(&run->cfg);
        CHECK_MSG(rho > 0.4 && rho < 1, "%s: %g", text, rho);
        int settled = (int)fmin(3000, log(1e-200) / log(rho)) / 4 * 4;
        set_field(run, RHS, nothing, NULL);
        step_run(run, settled);
        CHECK(ss_run_settle(run, &err) == SS_OK);
        double before = run->residual;
        step_run(run, cases[i].power);
        CHECK(ss_run_settle(run, &err) == SS_OK);
        double factor = run->residual / before;
        CHECK_MSG(fabs(factor / pow(rho, cases[i].power) - 1) < 1e-6, "%s: %g, not %g", text,
                  factor, pow(rho, cases[i].power));
        ss_run_close(run);
    }
}

/* --- agreement with Poisson's equation -------------------------------------------------------- */

/* The largest difference of the fields after 50 Jacobi iterations, -1 if they are bit-for-bit
 * equal. */
static double difference(const char *a, const char *b)
{
    ss_run *x = open_run(a), *y = open_run(b);
    size_t n = (size_t)x->problem.nx * (size_t)x->problem.ny;
    x->tol = y->tol = 0;
    step_run(x, 50);
    step_run(y, 50);
    double *u = get_field(x, FIELD), *v = get_field(y, FIELD), most = 0;
    bool equal = memcmp(u, v, n * sizeof *u) == 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(u[i] - v[i]));
    free(u);
    free(v);
    ss_run_close(x);
    ss_run_close(y);
    return equal ? -1 : most;
}

#define RANDOM " solver jacobi problem random seed 3 "

TEST(constant, poisson_coefficients_agree_to_rounding_on_any_grid)
{
    /* South and north weigh (dx/dy)^2 = (48/32)^2 of west and east. */
    double plane =
        difference("equation poisson2d n 31 ny 47" RANDOM,
                   "equation plane n 31 ny 47 south -2.25 north -2.25 diagonal 6.5" RANDOM);
    double still = difference("equation poisson2d n 31 ny 47" RANDOM,
                              "equation advdiff2d n 31 ny 47 velocity-x 0 velocity-y 0" RANDOM);
    CHECK_MSG(plane < 1e-14 && still < 1e-14, "%g %g", plane, still);
    double other = difference("equation poisson2d n 31 ny 47" RANDOM,
                              "equation advdiff2d n 31 ny 47 velocity-x 1 velocity-y 0" RANDOM);
    CHECK_MSG(other > 1e-4, "%g", other);
}

/* --- what the program says -------------------------------------------------------------------- */

static const char *caution_of(const char *settings, char *buf, size_t size)
{
    ss_config cfg;
    set_config(&cfg, settings);
    ss_problem p = ss_config_problem(&cfg);
    buf[0] = '\0';
    ss_config_equation(&cfg)->caution(&p, buf, size);
    return buf;
}

static void check_caution(const char *settings, const char *words)
{
    char buf[320];
    caution_of(settings, buf, sizeof buf);
    CHECK_MSG(words ? strstr(buf, words) != NULL : !buf[0], "%s: %s", settings, buf);
    CHECK_MSG(strlen(buf) < 290, "%zu bytes", strlen(buf));
}

TEST(constant, a_divergent_matrix_is_announced_with_the_diagonal_that_suffices)
{
    check_caution("equation line", NULL);
    check_caution("equation plane", NULL);
    check_caution("equation line n 3 diagonal 1.4", "diverges with these entries");
    check_caution("equation line n 3 diagonal 1.4", "diagonal above 1.41421");
    check_caution("equation line n 3 diagonal 1.4143", "diagonal 2 or more");
    check_caution("equation plane west -3 east -0.1", "not diagonally dominant");
    check_caution("equation plane west -3 east -0.1 diagonal 5.1", NULL);
}

TEST(constant, a_cell_peclet_number_above_2_is_announced_with_the_points_that_suffice)
{
    check_caution("equation advdiff2d", NULL);
    check_caution("equation advdiff2d n 99 velocity-x 500", "number 5 is above 2");
    check_caution("equation advdiff2d n 99 velocity-x 500", "scheme upwind, or n 249 and ny 99");
    check_caution("equation advdiff2d n 99 velocity-x 500 scheme upwind", NULL);
    check_caution("equation advdiff2d n 249 ny 99 velocity-x -500", NULL);
    check_caution("equation advdiff2d n 248 ny 99 velocity-x -500", "n 249 and ny 99");
    check_caution("equation advdiff2d n 40 velocity-x 3 velocity-y 333", "n 40 and ny 166");
    check_caution("equation advdiff2d n 40 velocity-x 3 velocity-y 333 ny 166", NULL);
    check_caution("equation advdiff2d n 99 velocity-x 250 velocity-y 1", "may grow at first");
    check_caution("equation advdiff2d n 99 velocity-x 900 velocity-y 900", "iteration diverges");
}

/* No grid whose number of points is the announced one is itself announced. */
TEST(constant, the_announced_points_suffice)
{
    for (int v = 400; v < 700; v++) {
        char text[128], buf[320];
        int n = 0;
        snprintf(text, sizeof text, "equation advdiff2d n 99 velocity-x %d velocity-y 0", v);
        const char *at = strstr(caution_of(text, buf, sizeof buf), "or n ");
        CHECK_MSG(at && sscanf(at, "or n %d", &n) == 1, "%s", buf);
        CHECK_INT(n, (v + 1) / 2 - 1);
        snprintf(text, sizeof text, "equation advdiff2d n %d velocity-x %d velocity-y 0", n, v);
        check_caution(text, NULL);
    }
}

/* Runs until the residual has grown a million times. */
static void check_divergence(const char *settings, const char *cause)
{
    ss_err err;
    ss_run *run = open_run(settings);
    run->tol = 0;
    CHECK_INT(ss_run_step(run, 20000, &err), SS_OK);
    CHECK_INT(run->status, SS_DIVERGED);
    CHECK_MSG(strstr(run->message, cause), "%s", run->message);
    ss_run_close(run);
}

TEST(constant, divergence_names_its_cause)
{
    check_divergence("equation line solver jacobi n 64 diagonal 1.8 problem random",
                     "spectral radius of Jacobi's iteration is 1 or more");
    check_divergence("equation advdiff2d solver jacobi n 64 velocity-x 900 velocity-y 900",
                     "number is above 2 with central differences");
    check_divergence("equation plane solver cg n 64 diagonal 1", "the matrix is indefinite");
}

/* Its residual grows by more than a million, and yet it converges. */
TEST(constant, a_matrix_that_is_not_dominant_is_suspected_of_growth_alone)
{
    ss_err err;
    const char *settings = "equation plane solver shared n 64 west -3 east -0.1 problem random k 4";
    ss_run *run = open_run(settings);
    run->stop_at_tol = true;
    CHECK_INT(ss_run_step(run, 20000, &err), SS_OK);
    CHECK_INT(run->status, SS_CONVERGED);
    CHECK(strstr(ss_run_suspect(run), "not diagonally dominant"));
    ss_run_close(run);
}

/* Growth that passes: the residual is above 10^6 times the first between iterations 75 and 230. */
TEST(constant, an_iteration_whose_residual_grows_before_it_falls_converges)
{
    ss_err err;
    const char *settings = "equation advdiff2d solver jacobi n 31 velocity-x 85 velocity-y 85";
    ss_run *run = open_run(settings);
    double most = 0;
    run->stop_at_tol = true;
    CHECK_INT(ss_run_step(run, 1000, &err), SS_OK);
    for (size_t i = 0; i < run->history.count; i++)
        most = fmax(most, run->history.point[i].residual);
    CHECK_MSG(run->status == SS_CONVERGED, "%s", run->message);
    CHECK_INT(run->cycle, 357);
    CHECK_NEAR(most / run->residual0 / 2.47e7, 1, 0.01);
    ss_run_close(run);
}

/* Where the cause is unknown, none is named: the field was changed to one of huge values. */
RUN_TEST(constant, a_divergence_without_a_known_cause_names_none,
         "equation poisson2d solver jacobi n 8")
{
    ss_err err;
    step_run(run, 3);
    CHECK_INT(ss_run_settle(run, &err), SS_OK);
    run->residual_cycle = run->cycle - 1;
    CHECK(!ss_run_norm(run, 1e7 * run->residual0));
    CHECK_INT(run->status, SS_DIVERGED);
    CHECK_MSG(!strstr(run->message, "cause") && !strstr(run->message, "because"), "%s",
              run->message);
    CHECK_MSG(strstr(run->message, "a million times the first. u undoes"), "%s", run->message);
}

TEST(constant, asymmetric_matrices_say_why)
{
    static const struct {
        const char *settings, *why;
    } cases[] = {
        {"equation line", NULL},
        {"equation line west -1.5 east -1.5", NULL},
        {"equation line west -1.5", "west and east differ"},
        {"equation plane", NULL},
        {"equation plane south -2 north -2 diagonal 6", NULL},
        {"equation plane east -0.5", "west and east differ"},
        {"equation plane north -0.5", "south and north differ"},
        {"equation plane north -0.5 east -0.5", "west and east differ, and so do south and north"},
        {"equation advdiff2d velocity-x 0 velocity-y 0", NULL},
        {"equation advdiff2d velocity-x 0 velocity-y 1", "the velocity is not 0"},
        {"equation advdiff2d velocity-x -1 velocity-y 0 scheme upwind", "the velocity is not 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ss_config cfg;
        set_config(&cfg, cases[i].settings);
        ss_problem p = ss_config_problem(&cfg);
        const char *why = ss_config_equation(&cfg)->asymmetric(&p);
        CHECK_MSG(why && cases[i].why ? strcmp(why, cases[i].why) == 0 : why == cases[i].why,
                  "%s: %s", cases[i].settings, why ? why : "symmetric");
    }
}

/* --- the diagonal scales the stored right-hand side ------------------------------------------- */

TEST(constant, a_change_of_an_entry_begins_again)
{
    static const char *const changes[][2] = {{"diagonal", "5"}, {"west", "-0.25"}};
    for (int i = 0; i < 2; i++) {
        char text[128];
        ss_run *run = open_run("equation plane solver jacobi n 21 ny 13");
        step_run(run, 3);
        change_run(run, changes[i][0], changes[i][1]);
        CHECK_INT(run->cycle, 0);
        step_run(run, 4);
        snprintf(text, sizeof text, "equation plane solver jacobi n 21 ny 13 %s %s", changes[i][0],
                 changes[i][1]);
        ss_run *fresh = open_run(text);
        step_run(fresh, 4);
        double *u = get_field(run, FIELD), *v = get_field(fresh, FIELD);
        CHECK(memcmp(u, v, 21 * 13 * sizeof *u) == 0);
        CHECK(run->residual == fresh->residual);
        free(u);
        free(v);
        ss_run_close(run);
        ss_run_close(fresh);
    }
}
