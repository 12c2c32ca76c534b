/* The Kuramoto-Sivashinsky equation against an independent program, its own refinement and its
 * limits of stability. */
#include "src/app/tables.h"
#include "tests/fields.h"

/* --- reference figures ------------------------------------------------------------------------ */

static double rms(const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sqrt(sum / n);
}

static void check_figures(const char *settings, double tolerance)
{
    char text[160];
    snprintf(text, sizeof text, "equation ks1d %s n 256 dt 0.0025 until-time 1", settings);
    ss_run *run = open_run(text);
    while (run->status == SS_RUNNING)
        CHECK_INT(ss_run_step(run, 1000, NULL), SS_OK);
    CHECK_INT(run->step, 400);
    CHECK_NEAR(run->time, 1, 1e-12);
    double *u = get_fields(run, FIELD);
    CHECK_NEAR(u[0], 0.942347137570, tolerance);
    CHECK_NEAR(u[32], 1.265458809450, tolerance);
    CHECK_NEAR(rms(u, 256), 0.795620455808, tolerance);
    CHECK_NEAR(run->watch.now[1], rms(u, 256), 1e-14);
    free(u);
    ss_run_close(run);
}

TEST(ks1d, figures_at_time_one)
{
    check_figures("solver stepper", 1e-9);
    check_figures("solver swept block 32", 1e-9);
    check_figures("solver swept block 64", 1e-9); /* the last 16 of 400 steps are classic ones */
    check_figures("solver stepper precision f32", 1e-2);
}

/* The mean of u: the scheme is not in flux form, but conserves it. */
TEST(ks1d, the_mean_is_conserved)
{
    static const char *const problems[] = {"waves", "paper n 1024", "random"};
    for (int k = 0; k < 3; k++) {
        char text[160];
        snprintf(text, sizeof text, "equation ks1d solver swept n 256 block 32 problem %s",
                 problems[k]);
        ss_run *run = open_run(text);
        step_run(run, 500);
        CHECK_INT(ss_run_watch(run, NULL), SS_OK);
        CHECK_NEAR(run->watch.now[0], run->watch.first[0], 1e-12);
        ss_run_close(run);
    }
}

/* A ring is invariant to shifts: a shifted field stays shifted. */
static double shifted(const ss_run *run, int f, int i)
{
    double row[96];
    run->eq->init(&run->problem, f, 0, 0, row);
    return row[(i + 29) % 96];
}

TEST(ks1d, shifted_starts_give_shifted_fields)
{
    ss_run *a = open_run("equation ks1d solver swept n 96 block 24 problem random");
    ss_run *b = open_run("equation ks1d solver swept n 96 block 24 problem random");
    set_fields(b, shifted);
    step_run(a, 30);
    step_run(b, 30);
    double *u = get_fields(a, FIELD), *v = get_fields(b, FIELD);
    for (int i = 0; i < 96; i++)
        CHECK(v[i] == u[(i + 29) % 96]);
    free(u);
    free(v);
    ss_run_close(a);
    ss_run_close(b);
}

/* --- orders of accuracy ----------------------------------------------------------------------- */

/* The field at time 1 in `points` points that all grids share. */
static void field_at_one(int n, int steps, int points, double *out)
{
    char text[160];
    snprintf(text, sizeof text, "equation ks1d solver stepper n %d dt %.17g", n, 1.0 / steps);
    ss_run *run = open_run(text);
    step_run(run, steps);
    double *u = get_fields(run, FIELD);
    for (int i = 0; i < points; i++)
        out[i] = u[i * (n / points)];
    free(u);
    ss_run_close(run);
}

static double difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

TEST(ks1d, second_order_in_time)
{
    double u[4][128];
    for (int k = 0; k < 4; k++)
        field_at_one(128, 40 << k, 128, u[k]);
    double first = difference(u[0], u[1], 128), second = difference(u[1], u[2], 128);
    double third = difference(u[2], u[3], 128);
    CHECK_NEAR(log2(first / second), 2, 0.1);
    CHECK_NEAR(log2(second / third), 2, 0.05);
}

TEST(ks1d, second_order_in_space)
{
    double u[3][64];
    field_at_one(64, 6400, 64, u[0]);
    field_at_one(128, 6400, 64, u[1]);
    field_at_one(256, 6400, 64, u[2]);
    CHECK_NEAR(log2(difference(u[0], u[1], 64) / difference(u[1], u[2], 64)), 2, 0.2);
}

/* --- stability -------------------------------------------------------------------------------- */

/* The stability limit, found by bisection. */
static double limit_of(int n)
{
    double lo = 0, hi = 1;
    ss_config cfg;
    ss_tables_init();
    for (int k = 0; k < 60; k++) {
        char text[40];
        double mid = 0.5 * (lo + hi);
        ss_config_default(&cfg);
        snprintf(text, sizeof text, "%d", n);
        CHECK_INT(ss_config_set(&cfg, "equation", "ks1d", NULL), SS_OK);
        CHECK_INT(ss_config_set(&cfg, "backend", "cpu", NULL), SS_OK);
        CHECK_INT(ss_config_set(&cfg, "n", text, NULL), SS_OK);
        snprintf(text, sizeof text, "%.17g", mid);
        CHECK_INT(ss_config_set(&cfg, "dt", text, NULL), SS_OK);
        if (ss_config_check(&cfg, NULL, NULL) == SS_OK)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

TEST(ks1d, limits_of_stability)
{
    static const struct {
        int n;
        double dt, digit;
    } want[] = {
        {128, 5.62e-2, 1e-4}, {256, 3.09e-3, 1e-5}, {512, 1.876e-4, 1e-7}, {1024, 1.164e-5, 1e-8}};
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(limit_of(want[k].n), want[k].dt, 0.51 * want[k].digit);
}

/* Refused steps would diverge; allowed ones do not. */
static ss_status outcome(int n, double factor)
{
    char text[160];
    snprintf(text, sizeof text,
             "equation ks1d solver swept n %d allow-unstable on problem random dt %.17g", n,
             factor * limit_of(n));
    ss_run *run = open_run(text);
    for (int k = 0; k < 400 && run->status == SS_RUNNING; k++)
        CHECK_INT(ss_run_step(run, 10, NULL), SS_OK);
    ss_status status = run->status;
    if (status == SS_DIVERGED && factor > 1)
        CHECK_MSG(strstr(run->message, "because dt ") != NULL, "%s", run->message);
    ss_run_close(run);
    return status;
}

TEST(ks1d, runs_diverge_just_beyond_the_limits)
{
    for (int n = 128; n <= (CHECK_SANITIZED ? 128 : 512); n *= 2) {
        CHECK_INT(outcome(n, 0.98), SS_RUNNING);
        CHECK_INT(outcome(n, 1.05), SS_DIVERGED);
    }
}

TEST(ks1d, the_default_is_four_fifths_of_the_limit)
{
    ss_run *run = open_run("equation ks1d n 256");
    CHECK_NEAR(run->problem.dt, 0.8 * limit_of(256), 1e-12);
    ss_run_close(run);
    run = open_run("equation ks1d n 256 problem paper");
    CHECK_NEAR(run->problem.dx, 0.5, 0);
    CHECK_NEAR(run->problem.dt, 0.8 * 2 / (16 * 16 - 4 * 4), 1e-12);
    ss_run_close(run);
}
