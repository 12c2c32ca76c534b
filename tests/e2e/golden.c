/* Golden screens of the running program: fixed commands in deterministic mode give the same screen
 * on every machine and at any load. The panels at every size, with every layer, are goldens of
 * synthetic snapshots (tests/ui); here is what needs the program: its figures, races, rewinding,
 * terminals without colours or UTF-8, many resizes. UPDATE_GOLDEN=1 rewrites tests/e2e/golden/;
 * read the difference before you commit it. */
#include "tests/e2e/e2e.h"

#include <stdio.h>

#define FIXED "--deterministic --threads 2 "
#define SHARED                                                                                     \
    "poisson2d shared " FIXED "--n 256 --k 12 --overlap 4 -e 'view layer staleness' -e 'step 10'"

typedef struct screen {
    const char *name; /* with the size */
    int cols, rows;
    const char *args, *shows;
    const char *variables; /* of the environment; NULL: none */
} screen;

static void check_screen(const screen *s)
{
    term *t = term_open(s->cols, s->rows, s->variables, s->args);
    SHOWS(t, s->shows);
    e2e_golden(t, s->name);
    term_keys(t, "q");
    if (term_exit(t, 0.3) < 0)
        term_keys(t, "q"); /* the first q closed the help */
    ENDS(t, 0);
    term_close(t);
}

#define GOLDEN(NAME, ...)                                                                          \
    TEST(golden, NAME)                                                                             \
    {                                                                                              \
        static const screen screens[] = {__VA_ARGS__};                                             \
        for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)                              \
            check_screen(&screens[i]);                                                             \
    }

GOLDEN(of_a_run, {"shared-80x24", 80, 24, SHARED, "cycle 10"},
       {"shared-120x40", 120, 40, SHARED, "cycle 10"},
       {"error-120x40", 120, 40, SHARED " -e error -e 'view layer error'", "cycle 10"},
       {"copy-painted-120x40", 120, 40, SHARED " -e 'paint 128 128 20 1' -e copy",
        "copied to the clipboard"},
       {"help-80x24", 80, 24, SHARED " -e help", "one subiteration"},
       {"shock-120x40", 120, 40,
        "euler1d swept " FIXED "--n 256 --until-time 0.2 -e 'view field pressure' -e 'step 32'",
        "t = 0.2"})

/* The visits of the grids half-way through a V cycle; ages half-way through the last launch and
 * four sweeps into the next one; a run that was rewound and changed twice, and rewound again. */
GOLDEN(inside_a_cycle_and_back,
       {"visits-120x40", 120, 40,
        "poisson2d multigrid " FIXED "--backend cpu --n 63 -e 'step 2' -e 'tick 12'", "cycle 2"},
       {"age-80x24", 80, 24,
        "poisson2d async " FIXED "--backend cpu --n 128 --block 16 --alpha 8 -e 'view layer age' "
        "-e 'step 10' -e 'tick 4'",
        "cycle 10"},
       {"rewind-120x40", 120, 40,
        "poisson2d jacobi " FIXED
        "--backend cpu --n 96 -e 'step 600' -e 'rewind 0' -e 'set solver shared' -e 'set k 8' "
        "-e 'step 300' -e 'rewind 100' -e 'set overlap 6' -e 'step 400' -e 'rewind 250'",
        "cycle 250 of 500"})

/* Two runs in step, half-way; six in step: four pictures, six rows, six curves; three runs that
 * have finished. */
GOLDEN(races,
       {"race-120x40", 120, 40,
        "race 'poisson2d jacobi' 'poisson2d shared --k 8 --overlap 4 --block 16' " FIXED
        "--backend cpu --n 64 -e 'race iterations' -e 'step 160'",
        "cycle 160"},
       {"race-six-120x40", 120, 40,
        "race 'poisson2d jacobi' 'poisson2d shared' 'poisson2d sor' 'poisson2d chebyshev' "
        "'poisson2d cg' 'poisson2d multigrid' " FIXED
        "--backend cpu --n 63 -e 'race sweeps' -e 'step 100'",
        "cycle 100"},
       {"race-end-80x24", 80, 24,
        "race 'poisson2d jacobi' 'poisson2d shared --k 8 --block 16' 'poisson2d shared --k "
        "2' " FIXED "--backend cpu --n 64 --until 1e-2 -e 'race bytes' -e 'step 2000'",
        "3rd"})

/* ASCII not as xterm: libvterm 0.1 loses characters repeated into the last column. */
GOLDEN(poor_terminals, {"mono-120x40", 120, 40, SHARED, "cycle 10", "NO_COLOR=1"},
       {"ascii-120x40", 120, 40, SHARED, "cycle 10", "LANG=C TERM=screen-256color"})

TEST(golden, gallery)
{
    term *t = term_open(120, 40, NULL, FIXED);
    SHOWS(t, "What would you like to see?");
    e2e_golden(t, "presets-120x40");
    term_close(t);
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
    LEAVE(t);
}

/* The raster gains one row per cycle; the test waits for each. */
TEST(golden, raster)
{
    char shows[32];
    term *t =
        term_open(80, 24, NULL, "ks1d swept " FIXED "--n 128 --block 64 --dt 0.05 -e 'step 40'");
    SHOWS(t, "cycle 40");
    for (int cycle = 41; cycle <= 80; cycle++) {
        snprintf(shows, sizeof shows, "cycle %d", cycle);
        term_keys(t, ",");
        SHOWS(t, shows);
    }
    e2e_golden(t, "raster-80x24");
    LEAVE(t);
}

TEST(golden, small_screens_say_so)
{
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
    LEAVE(t);
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
    LEAVE(t);
}
