/* Conjugate gradients on the GPU against the CPU: dot products are summed in the CPU's order, so
 * that fields, norms and iterations are bit-for-bit equal. Skipped without a GPU. */
#include "tests/gpu/methods.h"

enum { NVARIANT = 5 };
static const char *const variants[NVARIANT] = {
    "variant classic",        "variant pipelined",      "variant s-step",
    "variant s-step steps 1", "variant s-step steps 8",
};

static void check_bits_of_norms(const ss_run *cpu, const ss_run *gpu, const char *what)
{
    CHECK_MSG(memcmp(&cpu->residual, &gpu->residual, sizeof cpu->residual) == 0,
              "%s: |r| is %.17g, not %.17g", what, gpu->residual, cpu->residual);
}

TEST(methods, cg_has_the_bits_of_the_cpu)
{
    char common[200];
    need_gpu();
    for (int g = 0; g < NGRID; g++)
        for (int v = 0; v < NVARIANT; v++) {
            snprintf(common, sizeof common, "%s solver cg %s", grids[g], variants[v]);
            compare(common, launches[(g + v) % 2]);
        }
}

/* More segments of rows than a thread block adds in one round, rows of many segments, matrices that
 * are given by their entries, one of them not symmetric. Both norms are equal after every step. */
TEST(methods, cg_has_the_bits_of_the_cpu_on_other_fields)
{
    static const char *const fields[] = {
        "equation poisson2d n 5 ny 33000",
        "equation poisson2d n 20 ny 5000",
        "equation poisson2d n 4097 ny 9",
        "equation poisson2d n 17001 ny 3 precision f32",
        "equation poisson1d n 1 copies 1",
        "equation poisson1d n 300000 copies 1",
        "equation line n 203 copies 131 west -1 east -1 diagonal 2.7",
        "equation plane n 203 ny 131 west -1 east -1 south -1.5 north -1.5 diagonal 5.7",
        "equation plane n 131 ny 203 west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7",
        "equation advdiff2d n 131 ny 203 scheme upwind precision f32",
    };
    char text[300];
    need_gpu();
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        for (int v = 0; v < NVARIANT; v++) {
            ss_run *cpu, *gpu;
            snprintf(text, sizeof text, "%s problem random until 0 check-every 1 solver cg %s",
                     fields[f], variants[v]);
            open_both(text, launches[v % 2], &cpu, &gpu);
            for (int cycles = 1; cycles < 10; cycles += 3) {
                step_both(cpu, gpu, cycles, text);
                check_bits_of_norms(cpu, gpu, text);
            }
            close_both(cpu, gpu);
        }
}

/* At the rounding errors the true residual is computed in each check, and the method starts again
 * where that of the recurrence is too small. */
TEST(methods, cg_stays_at_round_off_as_on_the_cpu)
{
    static const char *const settings[] = {
        "n 31 solver cg", "n 31 solver cg precision f32", "n 31 solver cg variant pipelined",
        "n 64 ny 9 solver cg variant pipelined precision f32 check-every 3",
        "n 64 ny 5 solver cg variant s-step steps 8"};
    char text[200];
    need_gpu();
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        ss_run *cpu, *gpu;
        snprintf(text, sizeof text, "equation poisson2d until 0 %s", settings[s]);
        open_both(text, launches[s % 2], &cpu, &gpu);
        for (int part = 0; part < 2; part++) {
            step_both(cpu, gpu, 1500, text);
            check_bits_of_norms(cpu, gpu, text);
        }
        close_both(cpu, gpu);
    }
}

static const char *const ends[] = {"n 45 ny 20 until 1e-2 check-every 1",
                                   "n 45 ny 20 until 1e-12 check-every 1",
                                   "n 45 ny 20 until 1e-3 check-every 6",
                                   "n 63 until 1e-4 check-every 5",
                                   "n 46 ny 21 until 1e-3 check-every 7 precision f32",
                                   "n 45 ny 20 until 1e-4 check-every 100"};

/* Where the tolerance is 1e-12 the recurrence's residual meets it before the true one. */
TEST(methods, cg_stops_at_the_same_cycle_and_goes_on)
{
    char text[200];
    need_gpu();
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
        for (int v = 0; v < NVARIANT; v++) {
            snprintf(text, sizeof text, "equation poisson2d %s solver cg %s", ends[e], variants[v]);
            stop_and_go_on(text, launches[(e + (size_t)v) % 2]);
        }
    stop_and_go_on("equation poisson1d solver cg n 45 copies 9 until 1e-2 check-every 7", "");
}

/* The iterations to 1e-4 are the CPU's, and some of them are known. */
TEST(methods, counts_of_cg_are_those_of_the_cpu)
{
    static const char *const sizes[] = {"n 64", "n 127", "n 256", "n 127 precision f32"};
    static const int64_t known[][3] = {{0, 0, 0}, {169, 169, 43}, {0, 0, 0}, {169, 0, 0}};
    char text[200];
    need_gpu();
    for (int n = 0; n < 4; n++)
        for (int v = 0; v < 3; v++) {
            ss_run *cpu, *gpu;
            snprintf(text, sizeof text, "equation poisson2d %s until 1e-4 solver cg %s", sizes[n],
                     variants[v]);
            open_both(text, "", &cpu, &gpu);
            run_to_the_end(cpu, 1000);
            run_to_the_end(gpu, 1000);
            CHECK_INT(gpu->cycle, cpu->cycle);
            if (known[n][v])
                CHECK_INT(gpu->cycle, known[n][v]);
            check_bits_of_norms(cpu, gpu, text);
            check_fields(cpu, gpu, text);
            close_both(cpu, gpu);
        }
}

TEST(methods, cg_keeps_the_start_of_its_last_cycle)
{
    need_gpu();
    for (int v = 0; v < NVARIANT; v++) {
        char text[200];
        ss_run *cpu, *gpu;
        snprintf(text, sizeof text,
                 "equation poisson2d n 203 ny 131 problem random until 0 solver cg %s",
                 variants[v]);
        open_both(text, "", &cpu, &gpu);
        for (int cycles = 1; cycles < 60; cycles = 3 * cycles + 1) {
            step_both(cpu, gpu, cycles, text);
            check_starts(cpu, gpu, text);
        }
        close_both(cpu, gpu);
    }
}

/* --- copies and changes ----------------------------------------------------------------------- */

TEST(methods, cg_continues_from_a_copy_bit_for_bit)
{
    static const int cycles[][2] = {{1, 1}, {1, 40}, {2, 7}, {36, 5}, {41, 70}, {0, 9}};
    char text[200];
    need_gpu();
    for (int v = 0; v < NVARIANT; v++)
        for (size_t c = 0; c < sizeof cycles / sizeof *cycles; c++) {
            snprintf(text, sizeof text,
                     "equation poisson2d n 203 ny 131 problem random until 0 precision %s "
                     "check-every %d solver cg %s",
                     c % 2 ? "f32" : "f64", c % 3 ? 3 : 1, variants[v]);
            restore(text, cycles[c][0], cycles[c][1]);
        }
}

/* After a stroke and after a reset the method starts again from the field. */
TEST(methods, cg_starts_again_after_strokes_and_resets)
{
    need_gpu();
    for (int v = 0; v < NVARIANT; v++) {
        ss_run *run[2];
        char text[200];
        snprintf(text, sizeof text,
                 "equation poisson2d n 203 ny 131 problem random until 0 solver cg %s",
                 variants[v]);
        open_both(text, "", &run[0], &run[1]);
        for (int r = 0; r < 2; r++) {
            step_run(run[r], 37);
            paint_run(run[r], "paint 60.5 64 17 0.25");
            step_run(run[r], 40);
        }
        check_fields(run[0], run[1], text);
        for (int r = 0; r < 2; r++) {
            CHECK_INT(ss_run_reset(run[r], NULL), SS_OK);
            step_run(run[r], 41);
        }
        check_fields(run[0], run[1], text);
        close_both(run[0], run[1]);
    }
}

/* A change of the launch keeps the recurrence, one of the variant does not. */
TEST(methods, settings_of_cg_change_during_a_run)
{
    static const char *const changes[][2] = {
        {"launch", "stream"},  {"variant", "pipelined"}, {"launch", "graph"},
        {"variant", "s-step"}, {"steps", "7"},           {"launch", "stream"},
        {"steps", "2"},        {"solver", "jacobi"},     {"solver", "cg"},
        {"seed", "7"},         {"check-every", "5"},     {"variant", "classic"},
    };
    ss_run *cpu, *gpu;
    need_gpu();
    open_both("equation poisson2d solver cg n 203 ny 131 problem random until 0", "", &cpu, &gpu);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        step_both(cpu, gpu, 7, changes[i][0]);
        if (strcmp(changes[i][0], "launch") != 0)
            change_run(cpu, changes[i][0], changes[i][1]);
        change_run(gpu, changes[i][0], changes[i][1]);
        check_fields(cpu, gpu, changes[i][0]);
    }
    step_both(cpu, gpu, 71, "after all changes");
    close_both(cpu, gpu);
}
