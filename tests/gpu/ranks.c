/* Ranks that are threads, each with its part on a GPU, against the CPU: bit for bit. All parts lie
 * on device 0; CHECK_DEVICES=0,1 names others. Skipped without a GPU. */
#include "kernels/cuda/rank/rank.h"
#include "tests/gpu/gpu.h"
#include "tests/kernels/part/run.h"

/* The device of each rank: those of CHECK_DEVICES in turn. */
static const int *devices_of_ranks(void)
{
    static int which[8];
    const char *asked = getenv("CHECK_DEVICES");
    int number[8] = {0}, n = 0;
    for (; asked && *asked && n < 8; asked += *asked == ',')
        number[n++] = (int)strtol(asked, (char **)&asked, 10);
    for (int i = 0; i < 8; i++)
        which[i] = number[n ? i % n : 0];
    return which;
}

static void check_both(const char *settings, int exchange, bool mixed, const int64_t *batch)
{
    static const char *const precisions[] = {"f64", "f32"};
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s backend cpu precision %s", settings, precisions[i]);
        part_case c = {.settings = text,
                       .schedule = &ss_part_jacobi,
                       .exchange = exchange,
                       .batch = batch,
                       .device = ss_cuda_rank.device[SS_STEADY],
                       .which = devices_of_ranks(),
                       .mixed = mixed};
        part_check(&c, text, true);
    }
}

static const int64_t batches[] = {1, 60, 7, 1, 31, 0};

TEST(ranks, a_plane_has_the_bits_of_the_cpu)
{
    static const int exchanges[] = {1, 2, 5, 40};
    need_gpu();
    for (int i = 0; i < 4; i++)
        check_both("equation poisson2d solver jacobi problem random n 203 ny 131", exchanges[i],
                   false, batches);
    check_both("equation poisson2d solver jacobi problem random n 9 ny 8", 3, false, batches);
    check_both("equation poisson2d solver jacobi problem random n 700 ny 300", 2, false, batches);
}

TEST(ranks, lines_have_the_bits_of_the_cpu)
{
    static const int exchanges[] = {1, 2, 5, 40};
    need_gpu();
    for (int i = 0; i < 4; i++)
        check_both("equation poisson1d solver jacobi problem random n 611 copies 3", exchanges[i],
                   false, batches);
    check_both("equation poisson1d solver jacobi problem random n 2000", 3, false, batches);
}

/* Ranks are tiles that iterate with a frozen halo. */
TEST(ranks, tiles_have_the_bits_of_the_cpu)
{
    static const char *const settings[] = {
        "equation poisson2d solver shared problem random n 203 ny 131 k 7",
        "equation poisson2d solver shared problem random n 61 ny 90 k 4 overlap 6 overlap-y 4",
        "equation poisson1d solver shared problem random n 611 copies 3 k 5",
    };
    need_gpu();
    for (int i = 0; i < 3; i++) {
        const part_case like = {.settings = settings[i],
                                .batch = batches,
                                .device = ss_cuda_rank.device[SS_STEADY],
                                .which = devices_of_ranks()};
        part_check_tiles(&like);
    }
}

/* Each rank's range is a line of its own on its GPU. */
TEST(ranks, time_dependent_lines_have_the_bits_of_the_cpu)
{
    static const struct {
        const char *settings;
        const ss_part_schedule *schedule;
    } cases[] = {
        {"equation heat1d solver stepper problem step n 353", &ss_part_stepper},
        {"equation ks1d solver stepper n 203", &ss_part_stepper},
        {"equation euler1d solver stepper n 211", &ss_part_stepper},
        {"equation heat1d solver swept problem step n 1024 block 64", &ss_part_swept},
        {"equation ks1d solver swept n 1024 block 64", &ss_part_swept},
        {"equation euler1d solver swept n 1024 block 64", &ss_part_swept},
    };
    static int64_t cycles[] = {1, 20, 3, 0};
    need_gpu();
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s backend cpu precision %s", cases[i / 2].settings,
                 i % 2 ? "f32" : "f64");
        part_case c = {.settings = text,
                       .schedule = cases[i / 2].schedule,
                       .batch = cycles,
                       .finish = 3,
                       .device = ss_cuda_rank.device[SS_TRANSIENT],
                       .which = devices_of_ranks()};
        part_check(&c, text, false);
    }
}

TEST(ranks, gpus_and_cpus_work_together)
{
    need_gpu();
    check_both("equation poisson2d solver jacobi problem random n 43 ny 61", 1, true, batches);
    check_both("equation poisson2d solver jacobi problem random n 43 ny 61", 4, true, batches);
}

/* Cycles beyond the one that meets the tolerance are dropped. */
TEST(ranks, stop_at_the_cycle_of_the_tolerance)
{
    need_gpu();
    part_check_stop(&(part_case){
        .tol = 1e-2, .device = ss_cuda_rank.device[SS_STEADY], .which = devices_of_ranks()});
}

/* A rank of a machine finds a GPU; each has a number of its own. */
TEST(ranks, find_their_gpus)
{
    int which = -1, again = -1;
    double id = 0, same = 0;
    ss_err err = {0};
    need_gpu();
    CHECK_MSG(ss_cuda_rank.find(0, &which, &id, &err) == SS_OK, "%s", err.text);
    CHECK_INT(which, 0);
    CHECK(id > 0);
    CHECK_INT(ss_cuda_rank.find(0, &again, &same, &err), SS_OK);
    CHECK(same == id);
    CHECK_INT(ss_cuda_rank.begin(which, &err), SS_OK);
}
