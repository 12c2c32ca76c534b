/* Pipelined tiles on the GPU against the CPU, bit for bit; and those that they refuse. Skipped
 * without a GPU, or on one without bulk copies. */
#include "tests/gpu/methods.h"

#define LENGTH(LIST) (int)(sizeof LIST / sizeof *(LIST))

/* Fields of several tiles, narrower than one, of one; lower than the overlap; products that round.
 */
static const char *const planes[] = {
    "equation poisson2d n 700 ny 90",  "equation poisson2d n 180 ny 131",
    "equation poisson2d n 180 ny 21",  "equation poisson2d n 180 ny 48 aspect 1.37",
    "equation poisson2d n 180 ny 300", "equation poisson2d n 360 ny 5",
};

static const char *const tiles_f64[] = {
    "k 24 block 320 block-y 200 overlap 48",
    "k 3 block 100 block-y 50 overlap 6",
    "k 12 block 64 block-y 60 overlap 24",
    "k 21 block 62 block-y 100 overlap 44 overlap-y 40",
};
static const char *const tiles_f32[] = {
    "k 24 block 576 block-y 200 overlap 48",
    "k 3 block 106 block-y 50 overlap 6",
    "k 12 block 64 block-y 60 overlap 24",
    "k 21 block 86 block-y 100 overlap 42 overlap-y 40",
};

/* Whether this GPU has pipelined tiles. */
static bool available(void)
{
    ss_config cfg;
    ss_err err;
    set_config(&cfg, "equation poisson2d n 60 solver shared k 3 block 64 overlap 6 tile pipeline "
                     "backend cuda");
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    if (run)
        ss_run_close(run);
    return run || !strstr(err.text, "compute capability");
}

TEST(pipeline, tiles_have_the_bits_of_the_cpu)
{
    static const int every[] = {1, 3, 1000000};
    char common[300], only[64];
    need_gpu();
    for (int f = 0; available() && f < LENGTH(planes); f++)
        for (int t = 0; t < LENGTH(tiles_f64); t++)
            for (int prec = 0; prec < 2; prec++) {
                snprintf(common, sizeof common, "%s solver shared %s", planes[f],
                         prec ? tiles_f32[t] : tiles_f64[t]);
                snprintf(only, sizeof only, "tile pipeline %s", launches[(f + t) % 2]);
                compare_one(common, only, prec ? "f32" : "f64", every[(f + t) % 3]);
            }
}

/* Nothing but the kernel is given: it chooses k, the block, its height and the overlap. */
TEST(pipeline, a_shape_that_fits_is_chosen)
{
    char settings[300];
    ss_config cfg;
    ss_err err;
    need_gpu();
    for (int f = 0; available() && f < LENGTH(planes); f++)
        for (int prec = 0; prec < 2; prec++) {
            snprintf(settings, sizeof settings, "%s solver shared tile pipeline backend cuda%s",
                     planes[f], prec ? " precision f32" : "");
            set_config(&cfg, settings);
            CHECK_INT(ss_config_int(&cfg, "k"), 24);
            CHECK_INT(ss_config_int(&cfg, "overlap"), 48);
            ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
            CHECK_MSG(run, "%s: %s", settings, err.text);
            CHECK_MSG(ss_run_step(run, 2, &err) == SS_OK, "%s: %s", settings, err.text);
            ss_run_close(run);
        }
}

TEST(pipeline, runs_stop_at_the_same_cycle)
{
    static const char *const ends[] = {"n 60 ny 20 until 1e-2 check-every 1",
                                       "n 160 ny 120 until 1e-3 check-every 6",
                                       "n 160 ny 121 until 1e-3 check-every 7 precision f32"};
    char problem[300];
    need_gpu();
    for (int e = 0; available() && e < LENGTH(ends); e++) {
        snprintf(problem, sizeof problem,
                 "equation poisson2d solver shared k 6 block 80 overlap 12 %s", ends[e]);
        stop_and_go_on(problem, "tile pipeline");
    }
}

TEST(pipeline, what_does_not_fit_is_refused)
{
    static const char *const refused[][2] = {
        {"equation poisson2d n 200 k 8 block 64 overlap 16", "a pipelined tile does"},
        {"equation poisson2d n 200 k 9 block 64 overlap 16", "overlap of at least 18"},
        {"equation poisson2d n 400 k 9 block 330 overlap 18", "at most 320 columns"},
        {"equation poisson2d n 205 k 9 block 320 overlap 18", "a multiple of 10 points"},
        {"equation poisson2d n 201 k 9 block 64 overlap 18", "a multiple of 2 points"},
        {"equation poisson2d n 200 k 9 block 63 overlap 18", "begin at multiples of 2 columns"},
        {"equation plane n 200 k 9 block 64 overlap 18", "poisson2d"},
    };
    char settings[300];
    ss_config cfg;
    ss_err err;
    need_gpu();
    for (int i = 0; available() && i < LENGTH(refused); i++) {
        snprintf(settings, sizeof settings, "%s solver shared tile pipeline backend cuda",
                 refused[i][0]);
        set_config(&cfg, settings);
        CHECK_MSG(!ss_run_open(&cfg, NULL, NULL, &err), "%s was not refused", settings);
        CHECK_MSG(strstr(err.text, refused[i][1]), "%s: '%s' does not say '%s'", settings, err.text,
                  refused[i][1]);
    }
}
