/* Golden screens: fixed commands in deterministic mode give the same screen on every machine and at
 * any load, at three sizes, in both themes, with every panel open, after many resizes.
 * UPDATE_GOLDEN=1 rewrites tests/e2e/golden/; read the difference before you commit it. */
#include "tests/e2e/e2e.h"

#include <stdio.h>

#define FIXED "--deterministic --threads 2 "
#define SHARED                                                                                     \
    "poisson2d shared " FIXED "--n 256 --k 12 --overlap 4 -e 'view layer staleness' -e 'step 10'"
#define MULTIGRID "poisson2d multigrid " FIXED "--backend cpu --n 63 -e 'step 2' -e 'tick 12'"
#define LINE "poisson1d shared " FIXED "--n 1024 --k 16 --overlap 4 -e 'step 40'"
#define ASYNC                                                                                      \
    "poisson2d async " FIXED "--backend cpu --n 128 --block 16 --alpha 8 -e 'view layer age' "     \
    "-e 'step 10'"
#define THEATRE "heat1d swept " FIXED "--n 256 --block 32 --problem step -e 'step 10' -e 'tick 22'"
#define SHOCK                                                                                      \
    "euler1d swept " FIXED "--n 256 --until-time 0.2 -e 'view field pressure' -e 'step 32'"
#define CLASSIC "poisson2d jacobi " FIXED "--n 200 --problem spike -e 'step 25'"

static void check_screen_of(const char *name, int cols, int rows, const char *args,
                            const char *state, const char *shows)
{
    term *t = term_open(cols, rows, NULL, args);
    SHOWS(t, state);
    SHOWS(t, shows);
    e2e_golden(t, name);
    term_keys(t, "q");
    if (term_exit(t, 0.3) < 0)
        term_keys(t, "q"); /* the first q closed the help */
    ENDS(t, 0);
    term_close(t);
}

static void check_screen(const char *name, int cols, int rows, const char *args, const char *shows)
{
    check_screen_of(name, cols, rows, args, "paused", shows);
}

TEST(golden, shared_80x24)
{
    check_screen("shared-80x24", 80, 24, SHARED, "cycle 10");
}

TEST(golden, shared_120x40)
{
    check_screen("shared-120x40", 120, 40, SHARED, "cycle 10");
}

TEST(golden, shared_200x60)
{
    check_screen("shared-200x60", 200, 60, SHARED, "cycle 10");
}

TEST(golden, line_80x24)
{
    check_screen("line-80x24", 80, 24, LINE, "cycle 40");
}

TEST(golden, line_120x40)
{
    check_screen("line-120x40", 120, 40, LINE, "cycle 40");
}

TEST(golden, line_200x60)
{
    check_screen("line-200x60", 200, 60, LINE, "cycle 40");
}

TEST(golden, jacobi_80x24)
{
    check_screen("jacobi-80x24", 80, 24, CLASSIC, "cycle 25");
}

TEST(golden, jacobi_120x40)
{
    check_screen("jacobi-120x40", 120, 40, CLASSIC, "cycle 25");
}

TEST(golden, light_theme)
{
    check_screen("light-120x40", 120, 40, SHARED " --theme light", "cycle 10");
}

TEST(golden, residual_layer)
{
    check_screen("residual-120x40", 120, 40,
                 SHARED " -e 'view layer residual' -e 'view axis bytes'", "cycle 10");
}

TEST(golden, owner_layer)
{
    check_screen("owner-120x40", 120, 40, SHARED " -e 'view layer owner'", "cycle 10");
}

TEST(golden, error_layer)
{
    check_screen("error-120x40", 120, 40, SHARED " -e error -e 'view layer error'", "cycle 10");
}

/* A stroke, its mark on the curve, and the ring of the brush. */
#define BRUSH                                                                                      \
    SHARED " -e 'view layer value' -e 'view probe 90 150' -e 'brush on' -e 'brush radius 30' "     \
           "-e 'brush amount 0.5' -e 'brush dab'"

TEST(golden, brush)
{
    check_screen("brush-80x24", 80, 24, BRUSH, "brush: radius 30");
    check_screen("brush-120x40", 120, 40, BRUSH, "brush: radius 30");
}

TEST(golden, a_line_to_copy)
{
    check_screen("copy-80x24", 80, 24, SHARED " -e copy", "copied to the clipboard");
    check_screen("copy-painted-120x40", 120, 40, SHARED " -e 'paint 128 128 20 1' -e copy",
                 "copied to the clipboard");
}

TEST(golden, microscope)
{
    check_screen("microscope-120x40", 120, 40, SHARED " -e 'tick 6'", "cycle 10");
}

/* The visits of the grids, half-way through a V cycle. */
TEST(golden, visits_of_grids)
{
    check_screen("visits-120x40", 120, 40, MULTIGRID, "cycle 2");
    check_screen("visits-80x24", 80, 24, MULTIGRID, "cycle 2");
}

/* Ages half-way through the last launch, and four sweeps into the next one. */
TEST(golden, age_layer)
{
    check_screen("age-120x40", 120, 40, ASYNC, "cycle 10");
    check_screen("age-80x24", 80, 24, ASYNC " -e 'tick 4'", "cycle 10");
}

/* Half-way through the diamonds: finished sub-steps are lit. */
TEST(golden, theatre)
{
    check_screen("theatre-80x24", 80, 24, THEATRE, "sub-step 22 of 62");
    check_screen("theatre-120x40", 120, 40, THEATRE, "sub-step 22 of 62");
    check_screen("theatre-200x60", 200, 60, THEATRE, "sub-step 22 of 62");
}

TEST(golden, stages_of_the_theatre)
{
    check_screen("lanes-120x40", 120, 40, THEATRE " -e 'view stage lanes'", "sub-step 22 of 62");
    check_screen("stepper-120x40", 120, 40, "heat1d stepper " FIXED "--n 256 -e 'step 10'",
                 "cycle 10");
    check_screen("theatre-light-120x40", 120, 40, THEATRE " --theme light", "sub-step 22 of 62");
}

TEST(golden, shock_tube)
{
    check_screen_of("shock-120x40", 120, 40, SHOCK, "stopped", "t = 0.2");
    check_screen_of("shock-error-120x40", 120, 40, SHOCK " -e 'view layer error'", "stopped",
                    "[error]");
}

/* Beyond the limit of stability: the last finite field stays on the screen, with the cause. */
TEST(golden, a_diverged_run_names_the_cause)
{
    term *t = term_open(120, 40, NULL,
                        "heat1d swept " FIXED "--n 256 --block 8 --fo 0.55 --allow-unstable "
                        "-e 'step 20' -e 'view grid' -e 'step 200'");
    SHOWS(t, "diverged at cycle 37");
    SHOWS(t, "because fo 0.55 is unstable");
    term_keys(t, "r");
    SHOWS(t, "cycle 0");
    SHOWS(t, "exact numerical");
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

/* The raster gains one row per cycle; the test waits for each. */
static void fill_raster(const char *name, int cols, int rows)
{
    char shows[32];
    term *t = term_open(cols, rows, NULL,
                        "ks1d swept " FIXED "--n 128 --block 64 --dt 0.05 -e 'step 40'");
    SHOWS(t, "cycle 40");
    for (int cycle = 41; cycle <= 80; cycle++) {
        snprintf(shows, sizeof shows, "cycle %d", cycle);
        term_keys(t, ",");
        SHOWS(t, shows);
    }
    e2e_golden(t, name);
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

TEST(golden, raster)
{
    fill_raster("raster-80x24", 80, 24);
    fill_raster("raster-120x40", 120, 40);
    fill_raster("raster-200x60", 200, 60);
}

TEST(golden, a_change_leaves_a_mark)
{
    check_screen("marks-120x40", 120, 40,
                 "poisson2d jacobi " FIXED
                 "--n 256 -e 'step 40' -e 'set solver shared' -e 'set k 8' "
                 "-e 'step 20'",
                 "cycle 60");
}

/* A run that was rewound and changed twice, and rewound again. */
#define BACK                                                                                       \
    "poisson2d jacobi " FIXED "--backend cpu --n 96 -e 'step 600' -e 'rewind 0' -e 'set solver "   \
    "shared' -e 'set k 8' -e 'step 300' -e 'rewind 100' -e 'set overlap 6' -e 'step 400' "         \
    "-e 'rewind 250'"

TEST(golden, rewound)
{
    check_screen("rewind-80x24", 80, 24, BACK, "cycle 250 of 500");
    check_screen("rewind-120x40", 120, 40, BACK, "cycle 250 of 500");
}

/* Two runs in step, half-way; three runs that have finished. */
#define RACE                                                                                       \
    "race 'poisson2d jacobi' 'poisson2d shared --k 8 --overlap 4 --block 16' " FIXED               \
    "--backend cpu --n 64 -e 'race iterations' -e 'step 160'"
#define FINISH                                                                                     \
    "race 'poisson2d jacobi' 'poisson2d shared --k 8 --block 16' 'poisson2d shared --k 2' " FIXED  \
    "--backend cpu --n 64 --until 1e-2 -e 'race bytes' -e 'step 2000'"

/* Six runs in step: four pictures, six rows, six curves. */
#define SIX                                                                                        \
    "race 'poisson2d jacobi' 'poisson2d shared' 'poisson2d sor' 'poisson2d chebyshev' "            \
    "'poisson2d cg' 'poisson2d multigrid' " FIXED                                                  \
    "--backend cpu --n 63 -e 'race sweeps' -e 'step 100'"

/* Time-dependent runs to the end of the race: level in simulated time, with equal bits. */
#define TO_AN_END                                                                                  \
    "race 'heat1d swept --block 16' 'heat1d stepper' " FIXED                                       \
    "--backend cpu --n 64 --problem step -e 'step 1000000'"

TEST(golden, race)
{
    check_screen("race-80x24", 80, 24, RACE, "cycle 160");
    check_screen("race-120x40", 120, 40, RACE, "cycle 160");
    check_screen("race-200x60", 200, 60, RACE, "cycle 160");
    check_screen("race-line-120x40", 120, 40,
                 "race 'heat1d stepper' 'heat1d swept --block 32' " FIXED
                 "--backend cpu --n 256 --problem step -e 'race seconds' -e 'step 40'",
                 "cycle 40");
    check_screen_of("race-time-120x40", 120, 40, TO_AN_END, "finished", "wins by seconds");
    check_screen_of("race-time-200x60", 200, 60, TO_AN_END, "finished", "wins by seconds");
    check_screen_of("race-end-80x24", 80, 24, FINISH, "finished", "3rd");
    check_screen_of("race-end-120x40", 120, 40, FINISH, "finished", "3rd");
}

TEST(golden, a_race_of_six)
{
    check_screen("race-six-80x24", 80, 24, SIX, "cycle 100");
    check_screen("race-six-120x40", 120, 40, SIX, "cycle 100");
    check_screen("race-six-200x60", 200, 60, SIX, "cycle 100");
    /* A legend that has no room for six names is left out: the table has them. */
    check_screen("race-six-line-80x24", 80, 24,
                 "race 'poisson1d jacobi' 'poisson1d shared' 'poisson1d shared --k 4' "
                 "'poisson1d sor' 'poisson1d cg' 'poisson1d multigrid' " FIXED
                 "--backend cpu --n 63 -e 'race sweeps' -e 'step 30'",
                 "cycle 30");
    check_screen("race-six-last-120x40", 120, 40, SIX " -e 'select 6'", "6 multigrid");
}

TEST(golden, help)
{
    check_screen("help-80x24", 80, 24, SHARED " -e help", "one subiteration");
    check_screen("help-120x40", 120, 40, SHARED " -e help", "one subiteration");
}

TEST(golden, presets)
{
    term *t = term_open(120, 40, NULL, FIXED);
    SHOWS(t, "What would you like to see?");
    e2e_golden(t, "presets-120x40");
    term_close(t);
}

TEST(golden, without_colour)
{
    term *t = term_open(120, 40, "NO_COLOR=1", SHARED);
    SHOWS(t, "cycle 10");
    e2e_golden(t, "mono-120x40");
    term_close(t);
}

/* Not as xterm: libvterm 0.1 loses characters repeated into the last column. */
TEST(golden, without_utf8)
{
    term *t = term_open(120, 40, "LANG=C TERM=screen-256color", SHARED);
    SHOWS(t, "cycle 10");
    e2e_golden(t, "ascii-120x40");
    term_close(t);
}

TEST(golden, small_screens_say_so)
{
    check_screen("shared-60x20", 60, 20, SHARED, "cycle 10");
    check_screen("shared-40x12", 40, 12, SHARED, "cycle 10");
    check_screen("line-50x30", 50, 30, LINE, "80×24");
    term *t = term_open(20, 8, NULL, SHARED);
    SHOWS(t, "×");
    e2e_golden(t, "shared-20x8");
    term_resize(t, 12, 4);
    term_settle(t, 0.3, TERM_PATIENCE);
    term_resize(t, 1, 1);
    term_settle(t, 0.3, TERM_PATIENCE);
    term_resize(t, 120, 40);
    SHOWS(t, "cycle 10");
    e2e_golden(t, "shared-120x40");
    term_close(t);
}

/* splitmix64 */
static unsigned random_below(unsigned long long *state, unsigned n)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (unsigned)((z ^ z >> 31) % n);
}

TEST(golden, resize_storm)
{
    unsigned long long state = 2024;
    term *t = term_open(120, 40, NULL, SHARED);
    SHOWS(t, "cycle 10");
    for (int i = 0; i < 200; i++) {
        term_resize(t, 20 + (int)random_below(&state, 221), 8 + (int)random_below(&state, 63));
        term_pump(t, 0.001 * random_below(&state, 25));
    }
    term_resize(t, 120, 40);
    SHOWS(t, "cycle 10");
    e2e_golden(t, "shared-120x40");
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}

TEST(golden, resize_storm_while_running)
{
    unsigned long long state = 7;
    term *t = term_open(120, 40, NULL, "poisson2d shared --n 512 --threads 1");
    for (int i = 0; i < 100; i++) {
        term_resize(t, 20 + (int)random_below(&state, 221), 8 + (int)random_below(&state, 63));
        term_pump(t, 0.001 * random_below(&state, 25));
    }
    term_resize(t, 80, 24);
    SHOWS(t, "cycle ");
    term_keys(t, "q");
    ENDS(t, 0);
    term_close(t);
}
