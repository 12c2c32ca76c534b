/* A GPU out of memory at every allocation: one error with the requested bytes, no leak, and the old
 * run goes on. A GPU that is lost at any call: the program goes on on the CPU and reports it.
 * Skipped without a GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "tests/gpu/gpu.h"

/* Makes the n-th allocation from now on fail. 0: none. */
static void fill_device(int n)
{
    char text[16];
    snprintf(text, sizeof text, "%d", n);
    unsetenv("STENCILSCOPE_CUDA_FULL");
    ss_view view = view_of(SS_VALUE); /* a successful allocation restarts the count */
    ss_picture pic = new_picture(3, 3);
    ss_run *run = open_on("cuda", "equation poisson2d solver jacobi n 20");
    take(run, &view, &pic);
    ss_run_close(run);
    free_picture(&pic);
    if (n > 0)
        setenv("STENCILSCOPE_CUDA_FULL", text, 1);
}

static double free_bytes(const ss_run *run)
{
    char what[80];
    return run->backend->memory(what, sizeof what);
}

TEST(fault, device_out_of_memory)
{
    static const char *const runs[] = {
        "equation poisson2d solver jacobi n 700", "equation poisson2d solver shared n 700",
        "equation poisson2d solver persistent n 700",
        "equation poisson3d solver multigrid patch 32 px 2 ghost mirror",
        "equation poisson3d solver multigrid patch 16 smoother block-gs inverse dense bx 2"};
    enum { MOST = 120 };
    need_gpu();
    ss_run *run = open_on("cuda", "equation poisson2d solver jacobi n 100");
    ss_config small = run->cfg;
    double before = free_bytes(run);
    for (size_t s = 0; s < sizeof runs / sizeof *runs; s++) {
        char text[200];
        ss_config cfg;
        if (strstr(runs[s], "poisson3d") && why_no_patches())
            continue;
        snprintf(text, sizeof text, "backend cuda %s", runs[s]);
        set_config(&cfg, text);
        int n = 1;
        for (int status = SS_FAIL; status != SS_OK && n < MOST; n++) {
            ss_err err = {0};
            fill_device(n);
            status = ss_run_configure(run, &cfg, &err);
            unsetenv("STENCILSCOPE_CUDA_FULL");
            if (status == SS_OK) /* there were fewer allocations than that */
                break;
            CHECK_MSG(strstr(err.text, "out of memory") && strstr(err.text, "needs"), "'%s'",
                      err.text);
            CHECK_INT(run->problem.nx, 100);
            step_run(run, 1);
        }
        CHECK_MSG(n > 4 && n < MOST, "%d allocations of %s", n - 1, runs[s]);
        step_run(run, 1);
        CHECK_INT(ss_run_configure(run, &small, NULL), SS_OK);
    }
    double lost = before - free_bytes(run);
    CHECK_MSG(lost < 64e6, "%g MB of the GPU's memory were left behind", lost * 1e-6);
    ss_run_close(run);
}

/* The program's exit status and the first line of its stderr. */
static int run_program(int fault, const char *arguments, char *said, size_t size)
{
    const char *program = getenv("STENCILSCOPE");
    char command[512];
    snprintf(command, sizeof command, "STENCILSCOPE_CUDA_FAULT=%d %s %s 2>&1 >/dev/null", fault,
             program ? program : "build/release/stencilscope", arguments);
    FILE *f = popen(command, "r");
    CHECK(f != NULL);
    said[0] = '\0';
    if (!fgets(said, (int)size, f))
        said[0] = '\0';
    char rest[256];
    while (fgets(rest, sizeof rest, f))
        continue;
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(fault, device_lost_at_any_call)
{
    static const char *const programs[] = {
        "poisson2d shared --n 300 --k 8 --cycles 100 --backend cuda --json -",
        "poisson2d jacobi --n 300 --cycles 100 --check-every 7 --ui none",
        "poisson2d persistent --n 300 --cycles 100 --backend cuda --json -",
        "heat1d swept --n 1024 --block 64 --cycles 100 --backend cuda --json -",
        "euler1d stepper --n 1024 --cycles 100 --backend cuda --json -",
        "poisson3d block-gs --patch 16 --px 2 --cycles 100 --backend cuda --json -",
        "poisson3d multigrid --patch 16 --px 2 --cycles 20 --until 0 --backend cuda --json -",
    };
    char said[512];
    need_gpu();
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        if (strstr(programs[p], "poisson3d") && why_no_patches())
            continue;
        int rescued = 0;
        bool late = false; /* the program ended before that call */
        for (int fault = 1; !late && fault < 2000; fault += fault / 2 + 2) {
            int status = run_program(fault, programs[p], said, sizeof said);
            CHECK_MSG(status == 0, "call %d of %s: exit status %d: %s", fault, programs[p], status,
                      said);
            late = said[0] == '\0';
            CHECK_MSG(late || (strstr(said, "the GPU failed") && strstr(said, "continuing on CPU")),
                      "call %d of %s: '%s'", fault, programs[p], said);
            rescued += !late;
        }
        CHECK_MSG(rescued >= 5 && late, "%s: rescued %d times", programs[p], rescued);
    }
}
