/* Shared by the tests of methods on the GPU: runs on both backends, step by step, and what has to
 * be equal. */
#ifndef SS_TESTS_GPU_METHODS_H
#define SS_TESTS_GPU_METHODS_H

#include "src/run/checkpoint.h"
#include "tests/gpu/gpu.h"

#define LENGTH(LIST) (int)(sizeof LIST / sizeof *(LIST))

enum { NGRID = 8 };
FIELD_UNUSED static const char *const grids[NGRID] = {
    "equation poisson2d n 203 ny 131",    "equation poisson2d n 64",
    "equation poisson2d n 127",           "equation poisson2d n 5 ny 300",
    "equation poisson2d n 1024 ny 40",    "equation poisson1d n 203 copies 131",
    "equation poisson1d n 5001 copies 1", "equation poisson1d n 64 copies 7",
};

FIELD_UNUSED static void open_both(const char *common, const char *gpu_only, ss_run **cpu,
                                   ss_run **gpu)
{
    char text[500];
    snprintf(text, sizeof text, "%s %s", common, gpu_only);
    *cpu = open_on("cpu", common);
    *gpu = open_on("cuda", text);
}

FIELD_UNUSED static void check_norms(const ss_run *cpu, const ss_run *gpu, const char *what)
{
    CHECK_MSG(fabs(cpu->residual - gpu->residual) <= 1e-12 * cpu->residual,
              "%s: |r| is %.17g, not %.17g", what, gpu->residual, cpu->residual);
}

/* Both also start the last cycle from the same field. */
FIELD_UNUSED static void check_starts(ss_run *cpu, ss_run *gpu, const char *what)
{
    double *a = get_field(cpu, START), *b = get_field(gpu, START);
    size_t points = (size_t)cpu->problem.nx * (size_t)cpu->problem.ny, at = 0;
    CHECK_INT(gpu->start_kept, cpu->start_kept);
    while (cpu->start_kept && at < points && memcmp(a + at, b + at, sizeof *a) == 0)
        at++;
    CHECK_MSG(!cpu->start_kept || at == points, "%s: the start differs at point %zu", what, at);
    free(a);
    free(b);
}

FIELD_UNUSED static void step_both(ss_run *cpu, ss_run *gpu, int cycles, const char *what)
{
    step_run(cpu, cycles);
    step_run(gpu, cycles);
    check_fields(cpu, gpu, what);
}

/* One precision, norms every so many cycles: steps of odd and even lengths, the first one longer
 * than a graph. */
FIELD_UNUSED static void compare_one(const char *common, const char *gpu_only, const char *prec,
                                     int every)
{
    static const int steps[] = {1, 98, 3, 37};
    char settings[400], what[500];
    ss_run *cpu, *gpu;
    snprintf(settings, sizeof settings, "%s problem random precision %s check-every %d until 0",
             common, prec, every);
    snprintf(what, sizeof what, "%s %s", settings, gpu_only);
    open_both(settings, gpu_only, &cpu, &gpu);
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        step_both(cpu, gpu, steps[s], what);
    check_norms(cpu, gpu, what);
    close_both(cpu, gpu);
}

FIELD_UNUSED static void compare(const char *common, const char *gpu_only)
{
    static const int every[] = {1, 3, 1000000};
    for (int prec = 0; prec < 2; prec++)
        for (int e = 0; e < 3; e++)
            compare_one(common, gpu_only, prec ? "f32" : "f64", every[e]);
}

FIELD_UNUSED static const char *const launches[] = {"launch graph", "launch stream"};
FIELD_UNUSED static void run_to_the_end(ss_run *run, int cycles)
{
    ss_err err = {0};
    while (run->status == SS_RUNNING)
        CHECK_MSG(ss_run_step(run, cycles, &err) == SS_OK, "%s", err.text);
    CHECK_INT(run->status, SS_CONVERGED);
}

FIELD_UNUSED static void go_on(ss_run *run)
{
    run->tol = 0;
    run->status = SS_RUNNING;
}

/* The GPU stops at the CPU's cycle with the CPU's field, and both go on from there: for Chebyshev
 * the cycle that was begun when the run stopped is not done again. */
FIELD_UNUSED static void stop_and_go_on(const char *problem, const char *gpu_only)
{
    char what[400];
    ss_run *cpu, *gpu;
    snprintf(what, sizeof what, "%s %s", problem, gpu_only);
    open_both(problem, gpu_only, &cpu, &gpu);
    run_to_the_end(cpu, 100);
    run_to_the_end(gpu, 333);
    CHECK_MSG(gpu->cycle == cpu->cycle, "%s: cycle %lld, not %lld", what, (long long)gpu->cycle,
              (long long)cpu->cycle);
    check_norms(cpu, gpu, what);
    check_fields(cpu, gpu, what);
    go_on(cpu);
    go_on(gpu);
    for (int cycles = 1; cycles < 200; cycles *= 3)
        step_both(cpu, gpu, cycles, what);
    check_norms(cpu, gpu, what);
    close_both(cpu, gpu);
}

/* A copy of the state after `before` cycles is restored after `more` of them; the run repeats these
 * bit for bit, with what it remembered besides the field. */
FIELD_UNUSED static void restore(const char *settings, int before, int more)
{
    ss_err err = {0};
    ss_run *gpu = open_on("cuda", settings);
    step_run(gpu, before);
    const ss_run then = *gpu;
    char *copy = ss_field_download(gpu);
    CHECK_MSG(copy != NULL, "%s: no copy", settings);
    step_run(gpu, more);
    double *first = get_field(gpu, FIELD);
    CHECK_MSG(ss_field_upload(gpu, copy, &err) == SS_OK, "%s", err.text);
    ss_run_return(gpu, &then);
    step_run(gpu, more);
    double *second = get_field(gpu, FIELD);
    size_t points = (size_t)gpu->problem.nx * (size_t)gpu->problem.ny, at = 0;
    while (at < points && memcmp(first + at, second + at, sizeof *first) == 0)
        at++;
    CHECK_MSG(at == points, "%s, %d and %d cycles: point %zu is %.17g, not %.17g", settings, before,
              more, at, second[at < points ? at : 0], first[at < points ? at : 0]);
    free(first);
    free(second);
    free(copy);
    ss_run_close(gpu);
}

#endif
