/* What the GPU refuses, with a reason, when a run is opened or changed; what kernels choose by
 * themselves, and what they report. Skipped without a GPU. */
#include "kernels/cuda/device/names.h"
#include "kernels/cuda/device/slab_sums.h"
#include "tests/gpu/gpu.h"

/* --- at the start ----------------------------------------------------------------------------- */

/* Settings, a part of the sentence. */
typedef const char *const refusal[2];

/* The sentence that a GPU without thread block clusters or bulk copies has instead. */
static bool is_old(const char *sentence)
{
    return strstr(sentence, "clusters need") || strstr(sentence, "compute capability");
}

static void check_refused(refusal *cases, size_t n)
{
    need_gpu();
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    for (size_t i = 0; i < n; i++) {
        ss_config cfg;
        ss_err err = {0};
        char text[300];
        snprintf(text, sizeof text, "equation %s backend cuda", cases[i][0]);
        set_config(&cfg, text);
        CHECK_MSG(!ss_run_open(&cfg, NULL, NULL, &err), "%s was not refused", text);
        CHECK_MSG(strstr(err.text, cases[i][1]) || is_old(err.text), "%s: '%s' does not say '%s'",
                  text, err.text, cases[i][1]);
    }
    unsetenv("STENCILSCOPE_CUDA_TWICE");
}

#define REFUSED(NAME, ...)                                                                         \
    TEST(refused, NAME)                                                                            \
    {                                                                                              \
        static refusal cases[] = {__VA_ARGS__};                                                    \
        check_refused(cases, sizeof cases / sizeof *cases);                                        \
    }

REFUSED(
    tiles, {"poisson2d solver shared n 300 block 256 tile memory", "of shared memory"},
    {"poisson2d solver shared n 300 block 256", "does not fit the registers"},
    {"poisson2d solver shared n 300 block 128", "which take 64 \xc3\x97 128"},
    {"poisson1d solver shared n 3000 block 513", "which take 512"},
    {"poisson2d solver shared tile resident n 4096 block 64", "at once"},
    {"poisson2d solver shared tile resident block 200", "resident tile has at most"},
    {"poisson1d solver shared tile resident block 64", "lines"},
    {"poisson2d solver shared tile resident n 300 block 64 overlap 48", "choose an overlap"},
    {"poisson2d solver shared tile march n 200 k 7 block 64 overlap 16", "a marching tile does"},
    {"poisson2d solver shared tile march n 200 k 8 block 64 overlap 14", "overlap of at least 16"},
    {"poisson2d solver shared tile march n 200 k 8 block 64 overlap 16 overlap-y 12",
     "overlap of at least 16"},
    {"poisson2d solver shared tile march n 200 k 8 block 128 overlap 16", "at most 64 columns"},
    {"poisson2d solver shared tile march n 201 k 8 block 64 overlap 16", "a multiple of 2 points"},
    {"poisson2d solver shared tile march n 200 k 8 block 63 overlap 16",
     "begin at multiples of 2 columns"},
    {"plane solver shared tile march n 200 k 8 block 64 overlap 16", "poisson2d"},
    {"poisson2d solver shared tile pipeline n 200 k 8 block 64 overlap 16",
     "a pipelined tile does"},
    {"poisson2d solver shared tile pipeline n 200 k 9 block 64 overlap 16",
     "overlap of at least 18"},
    {"poisson2d solver shared tile pipeline n 400 k 9 block 330 overlap 18", "at most 320 columns"},
    {"poisson2d solver shared tile pipeline n 205 k 9 block 320 overlap 18",
     "a multiple of 10 points"},
    {"poisson2d solver shared tile pipeline n 201 k 9 block 64 overlap 18",
     "a multiple of 2 points"},
    {"poisson2d solver shared tile pipeline n 200 k 9 block 63 overlap 18",
     "begin at multiples of 2 columns"},
    {"plane solver shared tile pipeline n 200 k 9 block 64 overlap 18", "poisson2d"})

REFUSED(lines, {"heat1d solver swept n 3840 block 240 variant strip", "not 240: 128 or 256"},
        {"heat1d solver swept n 1280 block 20 variant strip", "not 20: 128"},
        {"heat1d solver swept n 1000 block 20 variant strip", "no such block divides n = 1000"},
        {"heat1d solver swept n 1024 block 512 variant warp", "32, 64, 128 or 256 points"},
        {"euler1d solver swept n 1024 block 128 variant warp", "32 or 64 points"},
        {"ks1d solver swept n 1024 variant hybrid", "is a ring"},
        {"heat1d solver swept n 8192 block 32 variant cluster", "at most 64 blocks of 32 points"},
        {"euler1d solver swept n 4096 block 64 variant cluster", "at most 32 blocks of 64 points"},
        {"heat1d solver swept n 1024 block 64 variant strip", "a multiple of 128 up to 1024"})

REFUSED(kernels,
        {"poisson2d solver jacobi n 64 damping 0.8 kernel padded", "choose it, or damping 1"},
        {"poisson2d solver jacobi n 64 problem random kernel inline", "random"},
        {"poisson1d solver jacobi n 64 kernel inline", "kernel vector"})

REFUSED(devices, {"poisson2d solver jacobi n 64 devices 99", "there is no device 99"},
        {"poisson2d solver jacobi n 64 devices two", "is no list of device numbers"},
        {"poisson2d solver jacobi n 64 ny 3 devices 0,0", "too few for 2 devices"},
        {"poisson2d solver jacobi n 64 ny 40 exchange 30 devices 0,0", "out of range 1\xe2\x80\xa6"
                                                                       "19"},
        {"poisson2d solver jacobi n 64 kernel naive devices 0,0", "one device only"},
        {"poisson2d solver jacobi n 64 kernel texture devices 0,0", "one device only"},
        {"poisson2d solver shared n 64 block-y 64 devices 0,0", "rows of subdomains"},
        {"poisson2d solver persistent n 40 devices 0,0", "do not fit"},
        {"poisson1d solver persistent n 64 copies 9 devices 0,0", "one device only"},
        {"heat1d solver swept n 64 block 64 devices 0,0", "needs a halo"},
        {"heat1d solver swept n 1024 variant hybrid devices 0,0", "one device only"})

REFUSED(split, {"poisson2d solver jacobi n 64 split half", "neither off, auto nor a number"},
        {"poisson2d solver jacobi n 64 split 64", "out of range 1\xe2\x80\xa6"
                                                  "63"},
        {"poisson2d solver jacobi n 64 split 2 exchange 5", "out of range 5\xe2\x80\xa6"
                                                            "59"},
        {"poisson2d solver jacobi n 64 ny 7 split auto exchange 5", "too few"},
        {"poisson2d solver jacobi n 64 split 9 kernel naive", "whole array"},
        {"poisson2d solver jacobi n 64 split 9 kernel smem-packed", "whole array"},
        {"poisson2d solver jacobi n 64 split auto kernel texture", "whole array"},
        {"poisson1d solver jacobi n 64 copies 64 split 9", "has lines"},
        {"poisson2d solver jacobi n 64 split 9 devices 0,0", "one GPU"})

TEST(refused, a_device_named_twice)
{
    ss_config cfg;
    ss_err err = {0};
    need_gpu();
    set_config(&cfg, "equation poisson2d solver jacobi n 64 devices 0,0 backend cuda");
    CHECK(!ss_run_open(&cfg, NULL, NULL, &err));
    CHECK_MSG(strstr(err.text, "named twice"), "%s", err.text);
}

static void list_is_refused(const char *text, int present, const char *sentence)
{
    ss_cuda_devices d;
    ss_err err = {0};
    CHECK_INT(ss_cuda_devices_parse(text, present, false, &d, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, sentence), "%s: '%s' does not say '%s'", text, err.text, sentence);
}

/* Needs no GPU. */
TEST(refused, lists_of_devices)
{
    ss_cuda_devices d;
    ss_err err = {0};
    CHECK_INT(ss_cuda_devices_parse(NULL, 1, false, &d, &err), SS_OK);
    CHECK(ss_cuda_devices_single(&d));
    CHECK_INT(ss_cuda_devices_parse("0", 1, false, &d, &err), SS_OK);
    CHECK(ss_cuda_devices_single(&d));
    CHECK_INT(ss_cuda_devices_parse("2,0,1", 3, false, &d, &err), SS_OK);
    CHECK(d.count == 3 && d.of[0] == 2 && d.of[1] == 0 && d.of[2] == 1);
    CHECK_INT(ss_cuda_devices_parse("1", 2, false, &d, &err), SS_OK);
    CHECK(!ss_cuda_devices_single(&d));
    list_is_refused("", 2, "no list");
    list_is_refused("0,", 2, "no list");
    list_is_refused("0 1", 2, "no list");
    list_is_refused("-1", 2, "no list");
    list_is_refused("0,2", 2,
                    "no device 2: choose among 0\xe2\x80\xa6"
                    "1");
    list_is_refused("1", 1, "one, device 0");
    list_is_refused("99999999999999999999", 2, "there is no device");
    list_is_refused("0,1,0", 2, "device 0 is named twice");
    list_is_refused("0,1,2,3,4,5,6,7,8", 9, "at most 8");
}

/* Kernels are written for an equation: another steady one of the same dimension must not use them.
 * Needs no GPU. */
TEST(refused, an_equation_without_kernels)
{
    ss_err err = {0};
    int update = 0, other = 0;
    ss_tables_init();
    for (int i = 0; ss_equations[i]; i++) {
        const ss_equation *eq = ss_equations[i];
        CHECK_INT(ss_cuda_update_of(eq, &update, &err), SS_OK);
        CHECK_INT(update >= 0, eq->kind == SS_STEADY && !eq->patches);
        if (update < 0)
            continue;
        ss_equation copy = *eq;
        copy.name = "helmholtz2d";
        CHECK_INT(ss_cuda_update_of(&copy, &other, &err), SS_FAIL);
        CHECK_MSG(strstr(err.text, "equation helmholtz2d:"), "%s", err.text);
    }
}

/* --- during a run ----------------------------------------------------------------------------- */

/* Sums over a thread block are reduced warp by warp. A change that is refused leaves the run as it
 * was. */
TEST(refused, changes)
{
    static const struct {
        const char *settings, *row, *value, *words;
    } cases[] = {
        {"equation poisson2d solver jacobi n 100", "tpb-x", "48", "choose 32 or 64"},
        {"equation poisson3d solver jacobi", "tpb-x", "48", "choose 32 or 64"},
        {"equation poisson2d solver jacobi n 203 ny 131 devices 0,0,0 exchange 3", "exchange", "60",
         "exchange"},
        {"equation poisson2d solver jacobi n 63 devices 0,0", "solver", "sor", "choose"},
        {"equation poisson2d solver jacobi n 63 devices 0,0", "solver", "chebyshev", "choose"},
        {"equation poisson2d solver jacobi n 63 devices 0,0", "solver", "cg", "choose"},
        {"equation poisson2d solver jacobi n 63 devices 0,0", "solver", "multigrid", "choose"},
        {"equation poisson3d solver block-jacobi bx 4 sizes 9,20", "stream-order", "depth",
         "one size"},
    };
    need_gpu();
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ss_err err = {0};
        char text[200];
        if (strstr(cases[i].settings, "poisson3d") && why_no_patches())
            continue;
        snprintf(text, sizeof text, "%s problem random until 0", cases[i].settings);
        ss_run *run = open_on("cuda", text), *same = open_on("cuda", text);
        step_run(run, 4);
        ss_config cfg = run->cfg;
        CHECK(ss_config_set(&cfg, cases[i].row, cases[i].value, &err) == SS_OK);
        CHECK_INT(ss_run_configure(run, &cfg, &err), SS_FAIL);
        CHECK_MSG(strstr(err.text, cases[i].words), "%s: %s", text, err.text);
        step_run(run, 5);
        step_run(same, 9);
        if (run->eq->dim < 3)
            check_fields(same, run, text);
        ss_run_close(run);
        ss_run_close(same);
    }
    unsetenv("STENCILSCOPE_CUDA_TWICE");
}

/* --- what is chosen and reported -------------------------------------------------------------- */

/* Nothing but the kernel is given: it chooses k (per precision), the block, its height and the
 * overlap, 2k. */
static void check_shape(const char *tile, const char *grid, bool narrow, int k)
{
    char settings[300];
    ss_config cfg;
    ss_err err = {0};
    snprintf(settings, sizeof settings, "equation poisson2d %s solver shared %s backend cuda%s",
             grid, tile, narrow ? " precision f32" : "");
    set_config(&cfg, settings);
    CHECK_INT(ss_config_int(&cfg, "k"), k);
    CHECK_INT(ss_config_int(&cfg, "overlap"), 2 * k);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    if (!run && is_old(err.text))
        return;
    CHECK_MSG(run, "%s: %s", settings, err.text);
    CHECK_MSG(ss_run_step(run, 2, &err) == SS_OK, "%s: %s", settings, err.text);
    ss_run_close(run);
}

TEST(chosen, shapes_of_tiles)
{
    static const char *const march[] = {"n 204 ny 131", "n 36 ny 21", "n 64 ny 48 aspect 1.37",
                                        "n 4 ny 300",   "n 128 ny 5", "n 300 ny 333"};
    static const char *const pipeline[] = {"n 700 ny 90", "n 180 ny 131", "n 180 ny 48 aspect 1.37",
                                           "n 180 ny 21", "n 180 ny 300", "n 360 ny 5"};
    need_gpu();
    for (int g = 0; g < 6; g++)
        for (int narrow = 0; narrow < 2; narrow++) {
            check_shape("tile march", march[g], narrow, narrow ? 12 : 10);
            check_shape("tile pipeline", pipeline[g], narrow, 24);
        }
}

/* Without a variant a line gets one that takes its block. */
TEST(chosen, variants_of_lines)
{
    static const struct {
        const char *line, *variant, *without_clusters;
    } cases[] = {{"heat1d n 2048", "cluster", "warp"},
                 {"ks1d n 8192 block 256", "cluster", "warp"},
                 {"euler1d n 2048 block 64", "cluster", "warp"},
                 {"heat1d n 4096", "warp", "warp"}, /* more nodes than a cluster holds */
                 {"euler1d n 2048 block 128", "block", "block"},
                 {"heat1d n 1000 block 20", "block", "block"},
                 {"heat1d n 16384 block 1024", "strip", "strip"},
                 {"euler1d n 16384 block 256", "strip", "strip"},
                 {"ks1d n 16384", "warp", "warp"},
                 {"heat1d n 10240 block 80", "block", "block"}};
    need_gpu();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[128], name[32];
        ss_config cfg;
        snprintf(text, sizeof text, "equation %s solver swept backend cuda", cases[c].line);
        set_config(&cfg, text);
        const ss_param *row = ss_param_find(&cfg, "variant", NULL);
        ss_param_format(row, ss_config_value(&cfg, row), name, sizeof name);
        CHECK_MSG(strcmp(name, cases[c].variant) == 0 ||
                      strcmp(name, cases[c].without_clusters) == 0,
                  "%s: %s", text, name);
    }
}

TEST(chosen, a_tile_reports_its_shared_memory_and_registers)
{
    need_gpu();
    ss_run *run = open_on("cuda", "equation poisson2d solver shared n 300 block 32 tile memory");
    CHECK_MSG(run->tile_bytes > 8 * 32 * 32 && run->tile_bytes < run->tile_room, "%g of %g",
              run->tile_bytes, run->tile_room);
    change_run(run, "tile", "register");
    CHECK_MSG(run->tile_bytes > 2 * 8 * 32 * 32 && run->tile_bytes < run->tile_room, "%g of %g",
              run->tile_bytes, run->tile_room);
    change_run(run, "solver", "jacobi");
    CHECK(run->tile_room <= 0);
    ss_run_close(run);
}
