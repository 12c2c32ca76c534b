/* Marching tiles on the GPU against the CPU, bit for bit; and those that they refuse. Skipped
 * without a GPU. */
#include "tests/gpu/halo_tiles.h"

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
    need_gpu();
    tiles_equal_the_cpu("tile march", planes, LENGTH(planes), tiles_f64, tiles_f32,
                        LENGTH(tiles_f64));
}

TEST(march, a_shape_that_fits_is_chosen)
{
    static const int k[2] = {10, 12};
    need_gpu();
    a_shape_is_chosen("tile march", planes, LENGTH(planes), k);
}

TEST(march, runs_stop_at_the_same_cycle)
{
    static const char *const ends[] = {"n 44 ny 20 until 1e-2 check-every 1",
                                       "n 144 ny 120 until 1e-3 check-every 6",
                                       "n 148 ny 121 until 1e-3 check-every 7 precision f32"};
    need_gpu();
    runs_end_alike("tile march", "k 8 block 40 overlap 16", ends, LENGTH(ends));
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
    need_gpu();
    settings_are_refused("tile march", refused, LENGTH(refused));
}
