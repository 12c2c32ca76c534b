/* The swept rule under the microscope: after each tick every point has the level that the geometry
 * says, with the values of classic stepping. The ends of its cycles are rows of tests/equal. */
#include "kernels/geom/swept.h"
#include "tests/fields.h"

static const char *const systems[] = {"heat1d", "ks1d", "euler1d limiter minmod",
                                      "euler1d limiter none", "euler1d limiter as-printed"};
#define SYSTEMS (sizeof systems / sizeof *systems)

static ss_run *open_noise(const char *equation, const char *method, const char *settings)
{
    char text[256];
    /* The solver's name comes first: later names may be its own. */
    snprintf(text, sizeof text, "equation %s solver %s %s", equation, method, settings);
    ss_run *run = open_run(text);
    set_fields(run, noise);
    return run;
}

/* The fields of every level from the start to level `last`, from classic stepping; each nfield * n.
 * The level within a step is what its peek shows. */
static double **levels_of(const char *y, const char *problem, int last)
{
    double **levels = calloc((size_t)last + 1, sizeof *levels);
    ss_run *run = open_noise(y, "stepper", problem);
    for (int l = 0; l <= last; l++) {
        bool between = l % run->eq->nstage != 0;
        if (between)
            CHECK_INT(run->ops->peek(run, 1, NULL), SS_OK);
        levels[l] = get_fields(run, between ? START : FIELD);
        if ((l + 1) % run->eq->nstage == 0)
            step_run(run, 1);
    }
    ss_run_close(run);
    return levels;
}

/* The last level of a point after that many ticks: each level of each diamond, all nodes at once.
 */
static int newest(ss_swept s, int ticks, int i)
{
    int level = 0;
    for (int64_t d = 0; d <= 2; d++)
        for (int l = ss_swept_first(s, d); l < ss_swept_end(s, d, 2) && ticks > 0; l++, ticks--) {
            int64_t here = ss_swept_level(s, d, l);
            level = ss_swept_diamond(s, here, i) == d ? (int)here : level;
        }
    return level;
}

static void check_tick(ss_run *run, ss_swept s, int ticks, double **levels)
{
    double *u = get_fields(run, START);
    for (int f = 0; f < run->eq->nfield; f++)
        for (int i = 0; i < s.n; i++) {
            size_t at = (size_t)f * (size_t)s.n + (size_t)i;
            CHECK_MSG(memcmp(&u[at], &levels[newest(s, ticks, i)][at], sizeof *u) == 0,
                      "%s: tick %d, point %d", run->eq->name, ticks, i);
        }
    free(u);
}

static void check_ticks(const char *y, const char *problem, const char *block)
{
    char settings[128];
    snprintf(settings, sizeof settings, "%s block %s", problem, block);
    ss_run *run = open_noise(y, "swept", settings);
    ss_swept s = ss_swept_make(run->problem.nx, atoi(block), run->eq->radius);
    CHECK(s.height > 0);
    double **levels = levels_of(y, problem, 2 * s.height);
    CHECK_INT(run->ticks_per_cycle, 4 * s.height - 2);
    for (int t = 1; t < run->ticks_per_cycle; t++) {
        CHECK_INT(ss_run_tick(run, NULL), SS_OK);
        CHECK_INT(run->peek, t);
        CHECK_INT(run->cycle, 0);
        check_tick(run, s, t, levels);
        double *start = get_fields(run, FIELD);
        CHECK(levels[0] != NULL);
        CHECK(memcmp(start, levels[0], (size_t)s.n * sizeof *start) == 0);
        free(start);
    }
    CHECK_INT(ss_run_tick(run, NULL), SS_OK); /* the last one ends the cycle */
    CHECK_INT(run->cycle, 1);
    double *end = get_fields(run, FIELD);
    CHECK(memcmp(end, levels[2 * s.height], (size_t)s.n * sizeof *end) == 0);
    free(end);
    for (int l = 0; l <= 2 * s.height; l++)
        free(levels[l]);
    free(levels);
    ss_run_close(run);
}

TEST(swept, ticks_show_what_the_geometry_says)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        check_ticks(systems[i], "n 96 precision f64", "24");
        check_ticks(systems[i], "n 96 precision f32", "12"); /* odd heights */
        check_ticks(systems[i], "n 48 precision f64", "48"); /* one node */
        check_ticks(systems[i], "n 8 precision f64", "4");
    }
}
