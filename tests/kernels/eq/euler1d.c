/* The Euler equations against the exact Riemann solution, an exact smooth one, conservation, and
 * the effect of the printed limiter (kernels/misprints.md). */
#include "kernels/eq/inner.h"
#include "tests/fields.h"

#define GAMMA 1.4

/* --- the exact solution ----------------------------------------------------------------------- */

static const ss_gas sod_left = {1, 0, 1}, sod_right = {0.125, 0, 0.1};

TEST(riemann, states_between_the_waves)
{
    ss_riemann s = ss_riemann_solve(sod_left, sod_right, GAMMA);
    CHECK_NEAR(s.p, 0.303130178050647, 1e-14);
    CHECK_NEAR(s.u, 0.92745262004895, 1e-14);
    CHECK_NEAR(s.r_left, 0.426319428178495, 1e-14);
    CHECK_NEAR(s.r_right, 0.265573711705307, 1e-14);
}

/* The ray between lo and hi on which the density leaves `from`. */
static double edge(const ss_riemann *s, double lo, double hi, double from)
{
    for (int k = 0; k < 80; k++) {
        double mid = 0.5 * (lo + hi);
        if (fabs(ss_riemann_at(s, mid).r - from) < 1e-13)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

TEST(riemann, waves_are_at_their_exact_positions)
{
    const double t = 0.2;
    ss_riemann s = ss_riemann_solve(sod_left, sod_right, GAMMA);
    CHECK_NEAR(0.5 + t * edge(&s, -3, 0, 1), 0.263356808676, 1e-9);
    CHECK_NEAR(
        0.5 - t * edge(&(ss_riemann){sod_right, sod_left, GAMMA, s.p, -s.u, s.r_right, s.r_left},
                       -s.u, 3, s.r_left),
        0.485945437488, 1e-9);
    CHECK_NEAR(0.5 + t * edge(&s, 0, 1.5, s.r_left), 0.685490524010, 1e-9);
    CHECK_NEAR(edge(&s, 1, 3, s.r_right), 1.75215573203018, 1e-11);
    CHECK_NEAR(0.5 + t * edge(&s, 1, 3, s.r_right), 0.850431146406, 1e-9);
}

/* A tube seen in a mirror. */
TEST(riemann, mirrored_states_give_mirrored_solutions)
{
    static const ss_gas pairs[][2] = {{{1, 0, 1}, {0.125, 0, 0.1}},
                                      {{0.445, 0.698, 3.528}, {0.5, 0, 0.571}},
                                      {{1, -1, 0.4}, {1, 1, 0.4}},
                                      {{1, 1, 0.4}, {1, -1, 0.4}}};
    for (int k = 0; k < 4; k++) {
        ss_gas l = pairs[k][0], r = pairs[k][1], ml = {r.r, -r.u, r.p}, mr = {l.r, -l.u, l.p};
        ss_riemann a = ss_riemann_solve(l, r, GAMMA), b = ss_riemann_solve(ml, mr, GAMMA);
        CHECK_NEAR(a.p, b.p, 1e-13);
        for (int i = 0; i < 59; i++) {
            double ray = -4 + 0.137 * i;
            ss_gas x = ss_riemann_at(&a, ray), y = ss_riemann_at(&b, -ray);
            CHECK_NEAR(x.r, y.r, 1e-12);
            CHECK_NEAR(x.u, -y.u, 1e-12);
            CHECK_NEAR(x.p, y.p, 1e-12);
        }
    }
}

/* Rankine and Hugoniot at the shock of Lax's tube, from ss_riemann_at alone. */
TEST(riemann, fluxes_balance_across_a_shock)
{
    ss_riemann s = ss_riemann_solve((ss_gas){0.445, 0.698, 3.528}, (ss_gas){0.5, 0, 0.571}, GAMMA);
    double speed = edge(&s, s.u + 1e-9, 5, s.r_right);
    ss_gas b = ss_riemann_at(&s, speed - 1e-9), a = ss_riemann_at(&s, speed + 1e-9);
    double eb = b.p / (GAMMA - 1) + 0.5 * b.r * b.u * b.u;
    double ea = a.p / (GAMMA - 1) + 0.5 * a.r * a.u * a.u;
    CHECK_NEAR(speed * (b.r - a.r), b.r * b.u - a.r * a.u, 1e-8);
    CHECK_NEAR(speed * (b.r * b.u - a.r * a.u), b.r * b.u * b.u + b.p - a.r * a.u * a.u - a.p,
               1e-8);
    CHECK_NEAR(speed * (eb - ea), b.u * (eb + b.p) - a.u * (ea + a.p), 1e-8);
}

/* --- Sod's tube ------------------------------------------------------------------------------- */

/* Mean |density - exact density| at t = 0.2, dt/dx = 0.2. */
static double sod_error(int n, const char *settings, int cycles)
{
    char text[160];
    snprintf(text, sizeof text, "equation euler1d %s n %d dtdx 0.2", settings, n);
    ss_run *run = open_run(text);
    step_run(run, cycles);
    CHECK_NEAR(run->time, 0.2, 1e-14);
    double *u = get_fields(run, FIELD), *row = malloc((size_t)n * sizeof *row), sum = 0;
    CHECK(run->eq->solution(&run->problem, run->step, run->time, 0, row));
    for (int i = 0; i < n; i++)
        sum += fabs(u[i] - row[i]);
    free(u);
    free(row);
    ss_run_close(run);
    return sum / n;
}

TEST(euler1d, errors_of_sods_tube)
{
    CHECK_NEAR(sod_error(128, "solver stepper", 128), 9.471739e-3, 1e-8);
    CHECK_NEAR(sod_error(256, "solver stepper", 256), 5.651482e-3, 1e-8);
    CHECK_NEAR(sod_error(128, "solver swept block 32", 16), 9.471739e-3, 1e-8);
    CHECK_NEAR(sod_error(256, "solver swept block 256", 4), 5.651482e-3, 1e-8);
}

/* At jumps no scheme is more accurate than first order. */
TEST(euler1d, first_order_at_jumps)
{
    double coarse = sod_error(256, "solver swept block 32", 32);
    for (int n = 512; n <= 2048; n *= 2) {
        double fine = sod_error(n, "solver swept block 32", n / 8);
        CHECK_MSG(coarse / fine > 1.5 && coarse / fine < 2.1, "%g", coarse / fine);
        coarse = fine;
    }
}

TEST(euler1d, mass_momentum_and_energy_are_conserved)
{
    static const int sizes[] = {128, 256, 1024};
    for (int k = 0; k < 3; k++) {
        char text[160];
        snprintf(text, sizeof text, "equation euler1d solver swept n %d block 32 until-time 0.2",
                 sizes[k]);
        ss_run *run = open_run(text);
        while (run->status == SS_RUNNING)
            CHECK_INT(ss_run_step(run, 1, NULL), SS_OK);
        CHECK_NEAR(run->watch.now[0], run->watch.first[0], 1e-12);
        CHECK_NEAR(run->watch.now[1], 0.9 * run->time, 1e-12); /* (1 - 0.1) t */
        CHECK_NEAR(run->watch.now[2], run->watch.first[2], 1e-12);
        CHECK_NEAR(run->watch.first[0], 0.5625, 1e-15);
        CHECK_NEAR(run->watch.first[2], 1.375, 1e-14);
        ss_run_close(run);
    }
}

/* What flows through the ends is no conservation error: for every tube and all three sums, and
 * until a wave arrives; from another start it is unknown. */
TEST(euler1d, flow_through_the_ends_is_no_error)
{
    static const char *const tubes[] = {"sod", "lax", "expansion", "collision"};
    char text[128];
    for (int t = 0; t < 4; t++) {
        snprintf(text, sizeof text,
                 "equation euler1d solver stepper n 256 dtdx 0.1 problem %s until-time 0.1",
                 tubes[t]);
        ss_run *run = open_run(text);
        CHECK_INT(ss_run_step(run, 1000000, NULL), SS_OK);
        CHECK_INT(ss_run_watch(run, NULL), SS_OK);
        for (int i = 0; i < run->eq->nmonitor; i++)
            CHECK_MSG(fabs(ss_run_drift(run, i)) < 1e-12, "%s, %s: %g", tubes[t],
                      run->eq->monitors[i].name, ss_run_drift(run, i));
        run->watch.time = 1;
        CHECK(isnan(ss_run_drift(run, 0)));
        run->watch.time = 0.1;
        run->painted = true;
        CHECK(isnan(ss_run_drift(run, 0)));
        ss_run_close(run);
    }
}

/* The sentence of lesson 13: of symmetric data minmod makes halves that differ in the third digit,
 * since rounding decides the limiter where the pressure is flat; without a limiter none do. */
TEST(euler1d, rounding_decides_the_limiter_where_the_pressure_is_flat)
{
    static const struct {
        const char *limiter;
        double least, most;
    } cases[] = {{"minmod", 1e-3, 3e-3}, {"none", 0, 0}};
    for (int k = 0; k < 2; k++) {
        char text[160];
        snprintf(text, sizeof text,
                 "equation euler1d solver stepper n 128 problem collision dtdx 0.2 limiter %s "
                 "until-time 0.2",
                 cases[k].limiter);
        ss_run *run = open_run(text);
        CHECK_INT(ss_run_step(run, 1000000, NULL), SS_OK);
        double *u = get_fields(run, FIELD), largest = 0;
        for (int i = 0; i < 128; i++)
            largest = fmax(largest, fabs(u[i] - u[127 - i]));
        CHECK_MSG(cases[k].least <= largest && largest <= cases[k].most, "%s: %g", cases[k].limiter,
                  largest);
        free(u);
        ss_run_close(run);
    }
}

RUN_TEST(euler1d, the_ends_never_change,
         "equation euler1d solver swept n 64 block 16 problem collision")
{
    double *before = get_fields(run, FIELD);
    step_run(run, 40);
    double *after = get_fields(run, FIELD);
    for (int f = 0; f < 3; f++) {
        CHECK(before[f * 64] == after[f * 64] && before[f * 64 + 63] == after[f * 64 + 63]);
    }
    free(before);
    free(after);
}

/* Every tube approaches its exact solution, in every quantity that is shown. */
TEST(euler1d, every_shock_tube_runs)
{
    static const struct {
        const char *problem;
        double until, error;
    } tubes[] = {{"sod", 0.2, 0.01},
                 {"lax", 0.12, 0.03},
                 {"expansion", 0.2, 0.03},
                 {"collision", 0.2, 0.03}};
    for (int k = 0; k < 4; k++) {
        char text[160];
        double row[512];
        snprintf(text, sizeof text, "equation euler1d n 512 problem %s dtdx 0.15 until-time %g",
                 tubes[k].problem, tubes[k].until);
        ss_run *run = open_run(text);
        while (run->status == SS_RUNNING)
            CHECK_INT(ss_run_step(run, 1, NULL), SS_OK);
        CHECK_MSG(run->status == SS_LIMIT, "%s: %s", tubes[k].problem, run->message);
        double *u = get_fields(run, FIELD);
        for (int q = 0; q < 3; q++) {
            double sum = 0, size = 0;
            CHECK(run->eq->solution(&run->problem, run->step, run->time, q, row));
            for (int i = 0; i < 512; i++) {
                sum += fabs(u[q * 512 + i] - row[i]);
                size = fmax(size, fabs(row[i]));
            }
            CHECK_MSG(sum / 512 < tubes[k].error * size, "%s %s: %g of %g", tubes[k].problem,
                      run->eq->quantities[q].name, sum / 512, size);
        }
        free(u);
        ss_run_close(run);
    }
}

RUN_TEST(euler1d, quantities_of_a_known_state, "equation euler1d n 64")
{
    const double r = 0.5, v = -2, p = 0.7, q[3] = {r, r * v, p / 0.4 + 0.5 * r * v * v};
    static const char *const names[] = {"velocity", "pressure", "internal", "mach"};
    double want[] = {v, p, p / (0.4 * r), 2 / sqrt(GAMMA * p / r)};
    CHECK_INT(run->eq->nquantity, 7);
    for (int k = 0; k < 7; k++) {
        const ss_quantity *quantity = &run->eq->quantities[k];
        CHECK((quantity->of == NULL) == (k < 3));
        if (k >= 3) {
            CHECK_STR(quantity->name, names[k - 3]);
            CHECK_NEAR(quantity->of(q), want[k - 3], 1e-14);
        }
    }
}

/* --- a smooth case: an advected bump of density ----------------------------------------------- */

static double bump(double x)
{
    return 1 + 0.3 * exp(-(x / 0.06) * (x / 0.06));
}

static double bump_start(const ss_run *run, int f, int i)
{
    double r = bump((i + 0.5) * run->problem.dx - 0.35), u = 0.5, p = 1;
    double q[3] = {r, r * u, p / 0.4 + 0.5 * r * u * u};
    return q[f];
}

/* Largest error of the density after it has moved by 0.3. */
static double bump_error(int n, const char *limiter)
{
    char text[160];
    snprintf(text, sizeof text, "equation euler1d solver swept n %d block 32 dtdx 0.2 limiter %s",
             n, limiter);
    ss_run *run = open_run(text);
    set_fields(run, bump_start);
    step_run(run, 3 * n / 8); /* 8 steps per cycle */
    CHECK_NEAR(run->time, 0.6, 1e-13);
    double *u = get_fields(run, FIELD), most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(u[i] - bump((i + 0.5) / n - 0.65)));
    free(u);
    ss_run_close(run);
    return most;
}

TEST(euler1d, second_order_where_it_is_smooth)
{
    double coarse = bump_error(256, "none");
    for (int n = 512; n <= 1024; n *= 2) {
        double fine = bump_error(n, "none");
        CHECK_NEAR(log2(coarse / fine), 2, 0.15);
        coarse = fine;
    }
}

/* The exact solution is that of a tube without ends: Sod's shock is at its end after 0.285. */
/* The waves of a tube do not depend on the steps. */
RUN_TEST(euler1d, a_change_of_dt_keeps_the_exact_solution, "equation euler1d solver stepper n 64")
{
    step_run(run, 5);
    change_run(run, "dtdx", "0.1");
    step_run(run, 5);
    CHECK(ss_run_solution(run, 0, NULL));
}

RUN_TEST(euler1d, exact_until_waves_reach_the_ends,
         "equation euler1d solver swept n 1000 block 20 dtdx 0.2")
{
    CHECK(ss_run_solution(run, 0, NULL));
    while (run->time < 0.28)
        step_run(run, 1);
    CHECK(ss_run_solution(run, 0, NULL));
    while (run->time < 0.29)
        step_run(run, 1);
    CHECK(!ss_run_solution(run, 0, NULL));
}

/* --- the limiter as printed ------------------------------------------------------------------- */

/* The largest difference at t = 0.2 caused by noise of 1e-15. */
static double noisy(const ss_run *run, int f, int i)
{
    double row[1024];
    run->eq->init(&run->problem, f, 0, 0, row);
    return row[i] * (1 + 1e-15 * (2 * ss_random_unit(5, (uint64_t)f * 1024 + (uint64_t)i) - 1));
}

static double grown(const char *limiter)
{
    char text[160];
    snprintf(text, sizeof text, "equation euler1d solver swept n 128 block 32 limiter %s", limiter);
    ss_run *a = open_run(text), *b = open_run(text);
    set_fields(b, noisy);
    step_run(a, 16);
    step_run(b, 16);
    double *u = get_fields(a, FIELD), *v = get_fields(b, FIELD), most = 0;
    for (int i = 0; i < 3 * 128; i++)
        most = fmax(most, fabs(u[i] - v[i]));
    free(u);
    free(v);
    ss_run_close(a);
    ss_run_close(b);
    return most;
}

/* On few cells: at wide contacts the correct limiter also uses ratios of pressures that are
 * rounding, and a difference of 1e-3 appears from 512 cells on. */
TEST(euler1d, noise_grows_under_the_printed_limiter)
{
    double printed = grown("as-printed"), minmod = grown("minmod");
    CHECK_MSG(printed > 1e-3 && printed < 0.3, "%g", printed);
    CHECK_MSG(minmod < 1e-11, "%g", minmod);
}

static ss_run *sod_to_the_end(const char *limiter, const char *dtdx)
{
    char text[160];
    snprintf(text, sizeof text, "equation euler1d n 1024 limiter %s dtdx %s until-time 0.2",
             limiter, dtdx);
    ss_run *run = open_run(text);
    while (run->status == SS_RUNNING)
        CHECK_INT(ss_run_step(run, 1, NULL), SS_OK);
    return run;
}

TEST(euler1d, the_printed_limiter_blows_up)
{
    static const struct {
        const char *limiter, *dtdx;
        ss_status status;
    } want[] = {{"as-printed", "0.2", SS_LIMIT},      {"as-printed", "0.35", SS_LIMIT},
                {"as-printed", "0.355", SS_DIVERGED}, {"as-printed", "0.4", SS_DIVERGED},
                {"minmod", "0.37", SS_LIMIT},         {"minmod", "0.4", SS_LIMIT}};
    for (int k = 0; k < 6; k++) {
        ss_run *run = sod_to_the_end(want[k].limiter, want[k].dtdx);
        CHECK_MSG(run->status == want[k].status, "%s %s: %s %s", want[k].limiter, want[k].dtdx,
                  ss_status_name(run->status), run->message);
        if (run->status == SS_DIVERGED)
            CHECK_MSG(strstr(run->message, "limiter") != NULL, "%s", run->message);
        ss_run_close(run);
    }
}
