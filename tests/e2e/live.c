/* The speed of the solver with the screen on, as a share of its headless speed. Headless and live
 * runs of equal length alternate; a figure is the median over the ratios of the rounds, since the
 * memory bandwidth of a shared machine changes within minutes. It takes a minute: only with
 * SS_TIMINGS=1, see live_rate.sh. Speed is iterations per second of wall-clock time: the engine's
 * thread also spends time on pictures, which a timer around the solver does not count. */
#include "tests/e2e/e2e.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS_MAX = 15, LAYERS = 3 };

#define SECONDS 3.0
#define ON_CPU " --backend cpu --threads 1" /* another core draws the screen */
#define ON_GPU " --backend cuda"

static const char *const layers[LAYERS] = {"value", "residual", "staleness"};

/* --- headless ------------------------------------------------------------------------------------
 */

static double number_in(const char *path, const char *key)
{
    char text[4096], want[64];
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    snprintf(want, sizeof want, "\"%s\":", key);
    const char *at = strstr(text, want);
    return at ? strtod(at + strlen(want), NULL) : (double)NAN;
}

/* Iterations per second of solving. */
static double headless(const char *args, const char *more)
{
    char line[512], path[64];
    snprintf(path, sizeof path, "/tmp/stencilscope-live-%d.json", (int)getpid());
    snprintf(line, sizeof line, "%s%s --ui none --seconds %g --json %s", args, more, SECONDS, path);
    term *t = term_open(80, 24, NULL, line);
    int status = term_exit(t, 60);
    CHECK_MSG(status == 0, "%s: exit status %d\n%s", line, status, term_screen(t));
    term_close(t);
    double rate = number_in(path, "iterations") / number_in(path, "solve");
    remove(path);
    return rate;
}

/* --- live ----------------------------------------------------------------------------------------
 */

/* Iterations per second, from two readings of the first line of the screen. */
static double live(const char *args, const char *more, const char *layer, double k, double *cpu)
{
    char line[512];
    snprintf(line, sizeof line, "%s%s -e 'view layer %s' -e 'speed full' -e run", args, more,
             layer);
    term *t = term_open(120, 40, NULL, line);
    SHOWS(t, "▶");
    LOSES(t, "cycle 0");
    term_pump(t, 0.5);
    long long first = e2e_cycle(t), last;
    while ((last = e2e_cycle(t)) == first)
        term_pump(t, 0.002);
    double began = term_clock(), busy = term_cpu(t, true);
    first = last;
    term_pump(t, SECONDS);
    long long before = e2e_cycle(t);
    while ((last = e2e_cycle(t)) == before)
        term_pump(t, 0.002);
    double seconds = term_clock() - began;
    *cpu = 100 * (term_cpu(t, true) - busy) / seconds;
    LEAVE(t);
    return k * (double)(last - first) / seconds;
}

/* --- rounds ----------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, ascending);
    return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

static bool on_gpu(void)
{
    const char *backend = getenv("LIVE_BACKEND");
    return backend && strcmp(backend, "cuda") == 0;
}

/* k: iterations (time levels, for time-dependent equations) per cycle. steady: the run also
 * computes residuals, which takes time. */
static void compare(const char *name, const char *problem, double k, int nlayer, bool steady)
{
    TIMING();
    const char *on = steady ? " --until 0" : ""; /* never stops, and never holds on the screen */
    double ratio[LAYERS][ROUNDS_MAX], unchecked[ROUNDS_MAX], base[ROUNDS_MAX], cpu[LAYERS];
    const char *asked = getenv("LIVE_ROUNDS");
    char args[256];
    snprintf(args, sizeof args, "%s%s", problem, on_gpu() ? ON_GPU : ON_CPU);
    int rounds = asked ? atoi(asked) : 5;
    char figure[96];
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    for (int r = 0; r < rounds; r++) {
        base[r] = headless(args, on);
        unchecked[r] = steady ? base[r] / headless(args, " --until 0 --check-every 1000000") : 1;
        for (int i = 0; i < nlayer; i++)
            ratio[i][r] = live(args, on, layers[i], k, &cpu[i]) / base[r];
    }
    for (int i = 0; i < nlayer; i++) {
        snprintf(figure, sizeof figure, "live_drawing_percent_%s_%s", name, layers[i]);
        printf("figure %s %.3g\n", figure, cpu[i]);
    }
    printf("figure headless_iterations_a_second_%s %.4g\n", name, median(base, rounds));
    printf("figure checked_over_unchecked_%s %.4g\n", name, median(unchecked, rounds));
    double worst = 9;
    for (int i = 0; i < nlayer; i++) {
        double whole[ROUNDS_MAX];
        for (int r = 0; r < rounds; r++)
            whole[r] = ratio[i][r] * unchecked[r];
        printf("figure live_over_unchecked_%s_%s %.4g\n", name, layers[i], median(whole, rounds));
    }
    for (int i = 0; i < nlayer; i++) {
        double m = median(ratio[i], rounds);
        printf("figure live_over_headless_%s_%s %.4g\n", name, layers[i], m);
        worst = m < worst ? m : worst;
    }
    snprintf(figure, sizeof figure, "live_over_headless_%s_least", name);
    e2e_figure(figure, worst, on_gpu() && steady ? 0.95 : 0.9, true);
}

TEST_CALL(live, jacobi, compare("jacobi", "poisson2d jacobi --n 4096", 1, 2, true))

TEST(live, shared)
{
    compare("shared",
            on_gpu() ? "poisson2d shared --n 4096 --k 16 --block 64 --overlap 2"
                     : "poisson2d shared --n 4096 --k 16 --block 256 --block-y 128 "
                       "--overlap 30",
            16, LAYERS, true);
}

/* Next to the curve: space-time diagram, raster, spectrum and conservation error. */
TEST_CALL(live, heat, compare("heat", "heat1d swept --n 65536 --block 1024", 1024, 1, false))
TEST_CALL(live, ks, compare("ks", "ks1d swept --n 16384 --block 512", 256, 1, false))
TEST_CALL(live, euler, compare("euler", "euler1d swept --n 16384 --block 512", 256, 1, false))

/* Slices, next to the spectrum of the error. */
TEST_CALL(live, smoother,
          compare("smoother", "poisson3d block-jacobi --patch 64 --px 2 --py 2", 1, 2, true))
