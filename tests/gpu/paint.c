/* Painting on the GPU and undo: bit-for-bit equal to the CPU, between equal cycles. Skipped without
 * a GPU. */
#include "tests/gpu/gpu.h"

#include "src/run/checkpoint.h"

typedef struct stroke {
    const char *settings, *line;
} stroke;

static const stroke strokes[] = {
    {"equation poisson2d solver jacobi n 203 ny 131", "paint 60.5 20 17 0.25"},
    {"equation poisson2d solver shared n 203 ny 131 k 5", "paint 202 130 40 -0.5"},
    {"equation poisson2d solver persistent n 128 ny 96", "paint 0 0 9 1"},
    {"equation poisson1d solver shared n 501 copies 7", "paint 300 3 25 0.5"},
    {"equation heat1d solver swept n 512", "paint 100 0 60 1"},
    {"equation ks1d solver swept n 512", "paint 3 0 20 0.5"},
    {"equation euler1d solver swept n 512", "paint 100 0 60 0.1 field=velocity"},
};

static void same_fields(ss_run *a, ss_run *b, const char *what)
{
    char *u = ss_field_download(a), *v = ss_field_download(b);
    CHECK(u && v && ss_field_bytes(a) == ss_field_bytes(b));
    CHECK_MSG(memcmp(u, v, ss_field_bytes(a)) == 0, "%s", what);
    free(u);
    free(v);
}

static void check_stroke(const stroke *s, const char *precision)
{
    char text[300];
    snprintf(text, sizeof text, "%s precision %s", s->settings, precision);
    ss_run *gpu = open_on("cuda", text);
    const char *elsewhere = strstr(s->settings, "persistent"); /* runs on GPUs only */
    if (elsewhere)
        snprintf(text, sizeof text, "equation poisson2d solver jacobi n 128 ny 96 precision %s",
                 precision);
    ss_run *cpu = open_on("cpu", text);
    CHECK_INT(gpu->iterations_per_cycle % cpu->iterations_per_cycle, 0);
    int each = gpu->iterations_per_cycle / cpu->iterations_per_cycle;
    step_run(cpu, 3 * each);
    step_run(gpu, 3);
    char *before = ss_field_download(gpu);
    paint_run(cpu, s->line);
    paint_run(gpu, s->line);
    same_fields(cpu, gpu, s->line);
    step_run(cpu, 2 * each);
    step_run(gpu, 2);
    same_fields(cpu, gpu, s->settings);
    CHECK(ss_field_upload(gpu, before, NULL) == SS_OK);
    char *after = ss_field_download(gpu);
    CHECK(memcmp(before, after, ss_field_bytes(gpu)) == 0);
    free(before);
    free(after);
    ss_run_close(cpu);
    ss_run_close(gpu);
}

TEST(gpu_paint, the_same_bits_as_on_the_cpu)
{
    need_gpu();
    for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++) {
        check_stroke(&strokes[i], "f64");
        check_stroke(&strokes[i], "f32");
    }
}

TEST(gpu_paint, a_ball_among_patches)
{
    static const stroke ball = {
        "equation poisson3d solver block-jacobi bx 4 patch 12 px 2 py 2 until 0",
        "paint 11 5 6 1 plane=xz slice=12"};
    need_patches();
    check_stroke(&ball, "f64");
}
