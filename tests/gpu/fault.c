/* A GPU out of memory, at every allocation: one sentence with the bytes asked for, nothing left
 * behind, and the run that was there goes on. Skipped where there is no GPU. */
#include <stdlib.h>

#include "tests/gpu/gpu.h"

/* Makes the n-th allocation from now on fail. 0: none. */
static void fill_device(int n)
{
    char text[16];
    snprintf(text, sizeof text, "%d", n);
    unsetenv("STENCILSCOPE_CUDA_FULL");
    ss_view view = view_of(SS_VALUE); /* the count starts anew with an allocation that succeeds */
    ss_picture pic = new_picture(3, 3);
    ss_run *run = open_on("cuda", "equation poisson2d solver jacobi n 20");
    take(run, &view, &pic);
    ss_run_close(run);
    free_picture(&pic);
    if (n > 0)
        setenv("STENCILSCOPE_CUDA_FULL", text, 1);
}

static ss_config config_of(const char *solver, const char *n)
{
    ss_config cfg;
    ss_err err = {""};
    ss_config_default(&cfg);
    CHECK(ss_config_set(&cfg, "backend", "cuda", &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "solver", solver, &err) == SS_OK);
    CHECK(ss_config_set(&cfg, "n", n, &err) == SS_OK);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    return cfg;
}

static double free_bytes(const ss_run *run)
{
    char what[80];
    return run->backend->memory(what, sizeof what);
}

TEST(fault, device_out_of_memory)
{
    static const char *const solvers[] = {"jacobi", "shared", "persistent"};
    need_gpu();
    ss_run *run = open_on("cuda", "equation poisson2d solver jacobi n 100");
    ss_config small = run->cfg;
    double before = free_bytes(run);
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        ss_config cfg = config_of(solvers[s], "700");
        int n = 1;
        for (int status = SS_FAIL; status != SS_OK && n < 40; n++) {
            ss_err err = {""};
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
        CHECK_MSG(n > 4 && n < 40, "%d allocations of %s", n - 1, solvers[s]);
        step_run(run, 1);
        CHECK_INT(ss_run_configure(run, &small, NULL), SS_OK);
    }
    double lost = before - free_bytes(run);
    CHECK_MSG(lost < 64e6, "%g MB of the GPU's memory were left behind", lost * 1e-6);
    ss_run_close(run);
}
