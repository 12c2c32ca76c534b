/* SOR's relaxation factor on matrices that are not symmetric: Young's from real eigenvalues of
 * Jacobi's iteration, the one below 1 from imaginary ones, none from complex ones. */
#include <math.h>

#include "tests/fields.h"

#define WIND "equation advdiff2d solver sor "

static double omega_of(const char *settings)
{
    ss_config cfg;
    set_config(&cfg, settings);
    return ss_config_real(&cfg, "omega");
}

/* The eigenvalues of -w, -e beside d on a line of n points: 2 sqrt(w e)/d cos. */
TEST(sor_matrix, its_default_is_youngs_where_the_eigenvalues_are_real)
{
    const double pi = acos(-1);
    double line = 2 * sqrt(1.4 * 0.6) / 2 * cos(pi / 65);
    CHECK_NEAR(omega_of("equation line solver sor n 64 west -1.4 east -0.6 diagonal 2"),
               2 / (1 + sqrt(1 - line * line)), 1e-12);
    /* Cell Peclet numbers 1 and 0.5. */
    double plane = (2 * sqrt(1.5 * 0.5) + 2 * sqrt(1.25 * 0.75)) / 4 * cos(pi / 40);
    CHECK_NEAR(omega_of(WIND "n 39 velocity-x 40 velocity-y 20"), 2 / (1 + sqrt(1 - plane * plane)),
               1e-12);
    /* One sign beside the diagonal, whichever. */
    CHECK_NEAR(omega_of("equation line solver sor n 64 west 1.4 east 0.6 diagonal 2"),
               2 / (1 + sqrt(1 - line * line)), 1e-12);
}

TEST(sor_matrix, its_default_is_below_1_where_the_eigenvalues_are_imaginary)
{
    const double pi = acos(-1);
    double line = 2 * sqrt(2.4 * 0.4) / 2 * cos(pi / 65);
    CHECK_NEAR(omega_of("equation line solver sor n 64 west -2.4 east 0.4 diagonal 2"),
               2 / (1 + sqrt(1 + line * line)), 1e-12);
    CHECK_NEAR(omega_of("equation plane solver sor n 9 west -2.4 east 0.4"), 1, 0); /* complex */
}

TEST(sor_matrix, the_default_needs_fewer_iterations_than_its_neighbours)
{
    static const struct {
        const char *wind;
        int64_t iterations;
    } cases[] = {{WIND "n 64 scheme upwind ", 71},
                 {WIND "n 64 ", 69},
                 {WIND "n 31 velocity-x 100 velocity-y 100 ", 34}};
    for (int i = 0; i < 3; i++) {
        double best = omega_of(cases[i].wind);
        CHECK_INT(cycles_of(cases[i].wind), cases[i].iterations);
        for (int side = -1; side <= 1; side += 2) {
            char text[200];
            snprintf(text, sizeof text, "%s omega %.6f", cases[i].wind, best + 0.05 * side);
            CHECK_MSG(cycles_of(text) > cases[i].iterations, "%s", text);
        }
    }
}

static void check_words(const char *settings, const char *note, const char *caution)
{
    char text[320] = "";
    ss_config cfg;
    set_config(&cfg, settings);
    ss_problem p = ss_config_problem(&cfg);
    ss_param_find(&cfg, "omega", NULL)->note(&cfg, text, sizeof text);
    CHECK_STR(text, note);
    text[0] = '\0';
    ss_config_solver(&cfg)->caution(&cfg, &p, text, sizeof text);
    CHECK_STR(text, caution);
}

TEST(sor_matrix, it_gives_the_reason)
{
    check_words("equation poisson2d solver sor n 127", "best 1.9521", "");
    check_words(WIND "n 64", "best 1.602: real eigenvalues", "");
    check_words(WIND "n 31 velocity-x 100 velocity-y 100", "best 0.7818: imaginary eigenvalues",
                "");
    check_words(WIND "n 31 velocity-x 100 velocity-y 20", "best unknown: complex eigenvalues", "");
    check_words(WIND "n 31 velocity-x 100 velocity-y 100 omega 1", "diverges from 0.911 on",
                "SOR with omega 1 diverges: it converges only with omega below 0.9112");
    check_words("equation poisson2d solver sor n 9 omega 2", "diverges from 2 on",
                "SOR with omega 2 diverges: it converges only with omega below 2");
}

/* The best value lies inside the slider's track, below its limit. */
TEST(sor_matrix, the_slider_reaches_smaller_values_than_the_best)
{
    ss_config cfg;
    ss_track track;
    set_config(&cfg, WIND "n 31 velocity-x 100 velocity-y 100");
    ss_config_track(&cfg, ss_param_find(&cfg, "omega", NULL), &track);
    CHECK_NEAR(track.mark, 0.78184, 1e-5);
    CHECK_NEAR(track.limit, 0.9112, 1e-4);
    CHECK(track.lo < 0.9 * track.mark);
}

TEST(sor_matrix, omega_1_diverges_where_the_default_converges)
{
    ss_run *run = open_run(WIND "n 31 velocity-x 100 velocity-y 100 omega 1");
    CHECK_INT(ss_run_step(run, 1000, NULL), SS_OK);
    CHECK_INT(run->status, SS_DIVERGED);
    CHECK_MSG(strstr(run->message, "SOR converges only with omega below 0.9112"), "%s",
              run->message);
    ss_run_close(run);
}
