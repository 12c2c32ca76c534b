/* Pipelined tiles on the GPU against the CPU, bit for bit; and those that they refuse. Skipped
 * without a GPU, or on one without bulk copies. */
#include "tests/gpu/halo_tiles.h"

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
    need_gpu();
    if (available())
        tiles_equal_the_cpu("tile pipeline", planes, LENGTH(planes), tiles_f64, tiles_f32,
                            LENGTH(tiles_f64));
}

TEST(pipeline, a_shape_that_fits_is_chosen)
{
    static const int k[2] = {24, 24};
    need_gpu();
    if (available())
        a_shape_is_chosen("tile pipeline", planes, LENGTH(planes), k);
}

TEST(pipeline, runs_stop_at_the_same_cycle)
{
    static const char *const ends[] = {"n 60 ny 20 until 1e-2 check-every 1",
                                       "n 160 ny 120 until 1e-3 check-every 6",
                                       "n 160 ny 121 until 1e-3 check-every 7 precision f32"};
    need_gpu();
    if (available())
        runs_end_alike("tile pipeline", "k 6 block 80 overlap 12", ends, LENGTH(ends));
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
    need_gpu();
    if (available())
        settings_are_refused("tile pipeline", refused, LENGTH(refused));
}
