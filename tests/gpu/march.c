/* Marching tiles on the GPU against the CPU, bit for bit; and those that they refuse. Skipped
 * without a GPU. */
#include "tests/gpu/methods.h"

#define LENGTH(LIST) (int)(sizeof LIST / sizeof *(LIST))

/* Fields of whole tiles, of parts of one, lower than a march's overlap; products that round. */
static const char *const planes[] = {
    "equation poisson2d n 204 ny 131",
    "equation poisson2d n 36 ny 21",
    "equation poisson2d n 64 ny 48 aspect 1.37",
    "equation poisson2d n 4 ny 300",
    "equation poisson2d n 128 ny 5",
    "equation poisson2d n 300 ny 333",
};

static const char *const tiles_f64[] = {
    "k 8 block 40 block-y 50 overlap 16",
    "k 8 block 64 block-y 64 overlap 16",
    "k 8 block 62 block-y 100 overlap 18 overlap-y 14",
    "k 10 block 64 block-y 200 overlap 20",
};
static const char *const tiles_f32[] = {
    "k 8 block 100 block-y 50 overlap 16",
    "k 8 block 128 block-y 300 overlap 16",
    "k 8 block 64 block-y 64 overlap 16 overlap-y 14",
    "k 12 block 124 block-y 90 overlap 24",
};

TEST(march, tiles_have_the_bits_of_the_cpu)
{
    static const int every[] = {1, 3, 1000000};
    char common[300], only[64];
    need_gpu();
    for (int f = 0; f < LENGTH(planes); f++)
        for (int t = 0; t < LENGTH(tiles_f64); t++)
            for (int prec = 0; prec < 2; prec++) {
                snprintf(common, sizeof common, "%s solver shared %s", planes[f],
                         prec ? tiles_f32[t] : tiles_f64[t]);
                snprintf(only, sizeof only, "tile march %s", launches[(f + t) % 2]);
                compare_one(common, only, prec ? "f32" : "f64", every[(f + t) % 3]);
            }
}

/* Nothing but the kernel is given: it chooses k, the block, its height and the overlap. */
TEST(march, a_shape_that_fits_is_chosen)
{
    char settings[300];
    ss_config cfg;
    ss_err err;
    need_gpu();
    for (int f = 0; f < LENGTH(planes); f++)
        for (int prec = 0; prec < 2; prec++) {
            snprintf(settings, sizeof settings, "%s solver shared tile march backend cuda%s",
                     planes[f], prec ? " precision f32" : "");
            set_config(&cfg, settings);
            CHECK_INT(ss_config_int(&cfg, "k"), prec ? 12 : 10);
            CHECK_INT(ss_config_int(&cfg, "overlap"), prec ? 24 : 20);
            ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
            CHECK_MSG(run, "%s: %s", settings, err.text);
            CHECK_MSG(ss_run_step(run, 2, &err) == SS_OK, "%s: %s", settings, err.text);
            ss_run_close(run);
        }
}

TEST(march, runs_stop_at_the_same_cycle)
{
    static const char *const ends[] = {"n 44 ny 20 until 1e-2 check-every 1",
                                       "n 144 ny 120 until 1e-3 check-every 6",
                                       "n 148 ny 121 until 1e-3 check-every 7 precision f32"};
    char problem[300];
    need_gpu();
    for (int e = 0; e < LENGTH(ends); e++) {
        snprintf(problem, sizeof problem,
                 "equation poisson2d solver shared k 8 block 40 overlap 16 %s", ends[e]);
        stop_and_go_on(problem, "tile march");
    }
}

TEST(march, what_does_not_fit_is_refused)
{
    static const char *const refused[][2] = {
        {"equation poisson2d n 200 k 7 block 64 overlap 16", "a marching tile does"},
        {"equation poisson2d n 200 k 8 block 64 overlap 14", "overlap of at least 16"},
        {"equation poisson2d n 200 k 8 block 64 overlap 16 overlap-y 12", "overlap of at least 16"},
        {"equation poisson2d n 200 k 8 block 128 overlap 16", "at most 64 columns"},
        {"equation poisson2d n 201 k 8 block 64 overlap 16", "a multiple of 2 points"},
        {"equation poisson2d n 200 k 8 block 63 overlap 16", "begin at multiples of 2 columns"},
        {"equation plane n 200 k 8 block 64 overlap 16", "poisson2d"},
    };
    char settings[300];
    ss_config cfg;
    ss_err err;
    need_gpu();
    for (int i = 0; i < LENGTH(refused); i++) {
        snprintf(settings, sizeof settings, "%s solver shared tile march backend cuda",
                 refused[i][0]);
        set_config(&cfg, settings);
        CHECK_MSG(!ss_run_open(&cfg, NULL, NULL, &err), "%s was not refused", settings);
        CHECK_MSG(strstr(err.text, refused[i][1]), "%s: '%s' does not say '%s'", settings, err.text,
                  refused[i][1]);
    }
}
