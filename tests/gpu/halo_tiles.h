/* Shared by the tests of tiles that need all of a cycle's overlap, marching and pipelined: the
 * loops over grids, tiles, ends and refusals. `tile` is "tile march" or "tile pipeline". */
#ifndef SS_TESTS_GPU_HALO_TILES_H
#define SS_TESTS_GPU_HALO_TILES_H

#include "tests/gpu/methods.h"

/* Every grid in every tile of its precision: the CPU's fields, bit for bit. */
static void tiles_equal_the_cpu(const char *tile, const char *const *grid, int ngrid,
                                const char *const *tiles_f64, const char *const *tiles_f32,
                                int ntile)
{
    static const int every[] = {1, 3, 1000000};
    char common[300], only[64];
    for (int g = 0; g < ngrid; g++)
        for (int t = 0; t < ntile; t++)
            for (int prec = 0; prec < 2; prec++) {
                snprintf(common, sizeof common, "%s solver shared %s", grid[g],
                         prec ? tiles_f32[t] : tiles_f64[t]);
                snprintf(only, sizeof only, "%s %s", tile, launches[(g + t) % 2]);
                compare_one(common, only, prec ? "f32" : "f64", every[(g + t) % 3]);
            }
}

/* Nothing but the kernel is given: it chooses k (per precision), the block, its height and the
 * overlap, 2k. */
static void a_shape_is_chosen(const char *tile, const char *const *grid, int ngrid, const int k[2])
{
    char settings[300];
    ss_config cfg;
    ss_err err;
    for (int g = 0; g < ngrid; g++)
        for (int prec = 0; prec < 2; prec++) {
            snprintf(settings, sizeof settings, "%s solver shared %s backend cuda%s", grid[g], tile,
                     prec ? " precision f32" : "");
            set_config(&cfg, settings);
            CHECK_INT(ss_config_int(&cfg, "k"), k[prec]);
            CHECK_INT(ss_config_int(&cfg, "overlap"), 2 * k[prec]);
            ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
            CHECK_MSG(run, "%s: %s", settings, err.text);
            CHECK_MSG(ss_run_step(run, 2, &err) == SS_OK, "%s: %s", settings, err.text);
            ss_run_close(run);
        }
}

static void runs_end_alike(const char *tile, const char *shape, const char *const *ends, int nend)
{
    char problem[300];
    for (int e = 0; e < nend; e++) {
        snprintf(problem, sizeof problem, "equation poisson2d solver shared %s %s", shape, ends[e]);
        stop_and_go_on(problem, tile);
    }
}

/* Pairs: settings, a part of the sentence that refuses them. */
static void settings_are_refused(const char *tile, const char *const (*refused)[2], int n)
{
    char settings[300];
    ss_config cfg;
    ss_err err;
    for (int i = 0; i < n; i++) {
        snprintf(settings, sizeof settings, "%s solver shared %s backend cuda", refused[i][0],
                 tile);
        set_config(&cfg, settings);
        CHECK_MSG(!ss_run_open(&cfg, NULL, NULL, &err), "%s was not refused", settings);
        CHECK_MSG(strstr(err.text, refused[i][1]), "%s: '%s' does not say '%s'", settings, err.text,
                  refused[i][1]);
    }
}

#endif
