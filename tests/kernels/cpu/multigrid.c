/* Multigrid: against a plain recursive program, its counts, their independence of n and of the
 * threads, and the sizes that it refuses. */
#include <math.h>

#include "kernels/solver/multigrid.h"
#include "src/core/history.h"
#include "src/core/settings.h"
#include "tests/fields.h"

/* --- a plain program: Poisson on the unit square, V(2,2), damped Jacobi 0.8 ---------------------
 */

typedef double *array;

static size_t at(int n, int i, int j) /* points 1 ... n; 0 and n + 1 are the edge */
{
    return (size_t)j * (size_t)(n + 2) + (size_t)i;
}

static array zeros(int n)
{
    return calloc((size_t)(n + 2) * (size_t)(n + 2), sizeof(double));
}

/* b - A u with spacing h. */
static double rest(int n, double h, const double *u, const double *b, int i, int j)
{
    double around =
        u[at(n, i - 1, j)] + u[at(n, i + 1, j)] + u[at(n, i, j - 1)] + u[at(n, i, j + 1)];
    return b[at(n, i, j)] - (4 * u[at(n, i, j)] - around) / (h * h);
}

static void plain_sweeps(int n, double h, array u, const double *b)
{
    array r = zeros(n);
    for (int sweep = 0; sweep < 2; sweep++) {
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                r[at(n, i, j)] = rest(n, h, u, b, i, j);
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                u[at(n, i, j)] += 0.8 * h * h / 4 * r[at(n, i, j)];
    }
    free(r);
}

static void plain_cycle(int n, double h, array u, const double *b)
{
    int m = (n - 1) / 2;
    if (n == 1) {
        u[at(1, 1, 1)] = b[at(1, 1, 1)] * h * h / 4;
        return;
    }
    plain_sweeps(n, h, u, b);
    array r = zeros(n), coarse = zeros(m), e = zeros(m);
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++)
            r[at(n, i, j)] = rest(n, h, u, b, i, j);
    for (int j = 1; j <= m; j++)
        for (int i = 1; i <= m; i++)
            for (int k = 0; k < 9; k++) {
                int dx = k % 3 - 1, dy = k / 3 - 1;
                coarse[at(m, i, j)] +=
                    r[at(n, 2 * i + dx, 2 * j + dy)] / 16 * (dx ? 1 : 2) * (dy ? 1 : 2);
            }
    plain_cycle(m, 2 * h, e, coarse);
    for (int j = 1; j <= m; j++)
        for (int i = 1; i <= m; i++)
            for (int k = 0; k < 9; k++) {
                int dx = k % 3 - 1, dy = k / 3 - 1;
                u[at(n, 2 * i + dx, 2 * j + dy)] +=
                    e[at(m, i, j)] * (dx ? 0.5 : 1) * (dy ? 0.5 : 1);
            }
    plain_sweeps(n, h, u, b);
    free(r), free(coarse), free(e);
}

TEST(multigrid, agrees_with_a_plain_program)
{
    static const int sizes[] = {1, 3, 31, 127};
    for (int s = 0; s < 4; s++) {
        char text[128];
        int n = sizes[s];
        snprintf(text, sizeof text, "equation poisson2d solver multigrid n %d until 0", n);
        ss_run *run = open_run(text);
        array u = zeros(n), b = zeros(n);
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                u[at(n, i, j)] = b[at(n, i, j)] = 1;
        for (int cycle = 1; cycle <= 6; cycle++) {
            step_run(run, 1);
            plain_cycle(n, 1.0 / (n + 1), u, b);
            double *got = get_field(run, FIELD), most = 0, largest = 0;
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) {
                    double want = u[at(n, i + 1, j + 1)];
                    most = fmax(most, fabs(got[(size_t)j * (size_t)n + (size_t)i] - want));
                    largest = fmax(largest, fabs(want));
                }
            CHECK_MSG(most <= 1e-12 * largest, "n %d, cycle %d: differs by %g of %g", n, cycle,
                      most, largest);
            free(got);
        }
        free(u), free(b);
        ss_run_close(run);
    }
}

/* --- counts ----------------------------------------------------------------------------------- */

TEST(multigrid, its_cycles_do_not_grow_with_n)
{
    CHECK_INT(cycles_of("equation poisson2d solver multigrid n 63"), 5);
    CHECK_INT(cycles_of("equation poisson2d solver multigrid n 127"), 5);
    CHECK_INT(cycles_of("equation poisson2d solver multigrid n 511"), 5);
    CHECK_INT(cycles_of("equation poisson2d solver multigrid n 127 precision f32"), 5);
    CHECK(cycles_of("equation poisson2d solver multigrid n 127 shape w") <= 5);
    CHECK(cycles_of("equation poisson2d solver multigrid n 127 shape f") <= 5);
    CHECK(cycles_of("equation poisson2d solver multigrid n 127 smoother red-black") <= 4);
    CHECK(cycles_of("equation poisson1d solver multigrid n 1023 copies 3") <= 5);
    CHECK(cycles_of("equation poisson2d solver multigrid n 127 pre 0 post 1 smoother red-black") <=
          9);
    /* Both directions are coarsened until the smaller has one point; the line is solved. */
    CHECK(cycles_of("equation poisson2d solver multigrid n 255 ny 31 aspect 0.125") <= 6);
    CHECK(cycles_of("equation poisson2d solver multigrid n 15 ny 255 aspect 16") <= 6);
    /* Without the coarsest grids the smooth part of the error remains. */
    CHECK(cycles_of("equation poisson2d solver multigrid n 127 levels 3") > 50);
}

TEST(multigrid, its_factor_does_not_grow_with_n)
{
    static const int sizes[] = {31, 127, 511};
    double first = 0;
    for (int i = 0; i < 3; i++) {
        char text[128];
        bool settled;
        snprintf(text, sizeof text,
                 "equation poisson2d solver multigrid n %d problem random until 0", sizes[i]);
        ss_run *run = open_run(text);
        step_run(run, 14);
        double factor = ss_factors_measured(&run->factors, &settled);
        first = i == 0 ? factor : first;
        CHECK_MSG(factor < 0.2 && fabs(factor - first) < 0.05, "n %d: %.4f, n 31: %.4f", sizes[i],
                  factor, first);
        ss_run_close(run);
    }
}

/* A grid with one point in a direction is solved at once, and its norms are those of its fields. */
TEST(multigrid, a_line_of_points_is_solved_in_one_cycle)
{
    static const char *const settings[] = {
        "equation poisson2d solver multigrid n 1 ny 7 aspect 4 problem random until 0",
        "equation poisson2d solver multigrid n 63 ny 1 problem random until 0",
        "equation poisson2d solver multigrid n 1 problem random until 0",
        "equation poisson1d solver multigrid n 1 copies 3 problem random until 0",
    };
    for (int i = 0; i < 4; i++) {
        double before, after;
        ss_run *run = open_run(settings[i]);
        CHECK_INT(run->backend->reduce(run, &before, NULL, NULL, NULL), SS_OK);
        step_run(run, 1);
        CHECK_NEAR(run->residual0, before, 1e-12 * before);
        CHECK_INT(run->backend->reduce(run, &after, NULL, NULL, NULL), SS_OK);
        CHECK_MSG(after <= 1e-12 * before, "%s: %g of %g remain", settings[i], after, before);
        ss_run_close(run);
    }
}

/* --- the microscope --------------------------------------------------------------------------- */

/* max |u - u*| after `ticks` sweeps of the next cycle. */
static double error_after(ss_run *run, int ticks, const double *exact)
{
    double most = 0;
    while (run->peek < ticks)
        CHECK_INT(ss_run_tick(run, NULL), SS_OK);
    double *u = get_field(run, START); /* the other buffer */
    for (int c = 0; c < run->problem.nx * run->problem.ny; c++)
        most = fmax(most, fabs(u[c] - exact[c]));
    free(u);
    return most;
}

/* V(2,2) with 6 grids: two sweeps on each of five grids, the point, and up again. The way down and
 * up removes the smooth error that the first two sweeps leave. */
TEST(multigrid, the_microscope_shows_which_grid_removes_the_error)
{
    enum { GRIDS = 6, TICKS = 4 * (GRIDS - 1) + 1 };
    ss_run *run = open_run("equation poisson2d n 63 solver multigrid"), *far;
    CHECK_INT(run->ticks_per_cycle, TICKS);
    far = open_run("equation poisson2d n 63 solver multigrid until 0");
    step_run(far, 30);
    double *exact = get_field(far, FIELD);
    double first = error_after(run, 2, exact), at_point = error_after(run, TICKS / 2 + 1, exact);
    double last = error_after(run, TICKS - 1, exact);
    CHECK_MSG(first > 0.9 && at_point < 0.5 * first && last < 0.6 * at_point, "%g %g %g", first,
              at_point, last);
    free(exact);
    ss_run_close(run);
    ss_run_close(far);
}

static ss_visit visit_at(const char *settings, int tick)
{
    ss_config cfg;
    ss_visit v;
    set_config(&cfg, settings);
    ss_problem p = ss_config_problem(&cfg);
    ss_config_solver(&cfg)->visit(&cfg, &p, tick, &v);
    return v;
}

TEST(multigrid, the_visits_of_a_cycle_have_names)
{
    const char *v = "equation poisson2d n 7 solver multigrid";
    static const int levels[] = {0, 0, 1, 1, 2, 1, 1, 0, 0};
    for (int t = 0; t < 9; t++)
        CHECK_INT(visit_at(v, t + 1).level, levels[t]);
    CHECK_STR(visit_at(v, 2).what, "sweep before the correction");
    CHECK_STR(visit_at(v, 5).what, "solved exactly");
    CHECK_INT(visit_at(v, 7).sweep, 2);
    CHECK_STR(visit_at(v, 7).what, "sweep after the correction");
    const char *w = "equation poisson2d n 7 solver multigrid shape w pre 1 post 1";
    static const int twice[] = {0, 1, 2, 2, 1, 1, 2, 2, 1, 0};
    for (int t = 0; t < 10; t++)
        CHECK_INT(visit_at(w, t + 1).level, twice[t]);
    ss_run *run = open_run(w);
    CHECK_INT(run->ticks_per_cycle, 10);
    ss_run_close(run);
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refused(const char *name, const char *value, const char *words)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, "equation poisson2d solver multigrid n 63");
    CHECK_INT(ss_config_set(&cfg, name, value, &err), SS_OK);
    CHECK_INT(ss_config_check(&cfg, NULL, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, words), "%s", err.text);
}

TEST(multigrid, names_the_nearest_sizes)
{
    refused("n", "100",
            "n 100 cannot be halved down to one point: it must be 2^m - 1, and the nearest are 63 "
            "and 127");
    refused("ny", "64", "the nearest are 63 and 127");
    refused("n", "2", "the nearest are 1 and 3");
}

/* n of a run that is opened with these words. */
static int64_t opened(const char *words)
{
    ss_config machine, cfg;
    ss_cmd cmd;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&machine);
    ss_open_default(&machine, &cfg);
    CHECK_INT(ss_cmd_parse(words, &cmd, &err), SS_OK);
    CHECK_MSG(ss_open_words(&cmd, &cfg, &err) == SS_OK, "%s", err.text);
    return ss_config_int(&cfg, "n");
}

TEST(multigrid, default_size_is_the_nearest_that_can_be_halved)
{
    CHECK_INT(opened("open poisson2d multigrid"), 1023);
    CHECK_INT(opened("open poisson1d multigrid"), 1023);
    CHECK_INT(opened("open poisson2d jacobi"), 1024);
    CHECK_INT(opened("open poisson2d multigrid n=31"), 31);
    CHECK_INT(ss_mg_nearest_points(1), 1);
    CHECK_INT(ss_mg_nearest_points(2), 3);
    CHECK_INT(ss_mg_nearest_points(90), 63);
    CHECK_INT(ss_mg_nearest_points(100), 127);
}
