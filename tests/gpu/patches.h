/* Shared by the tests of patches on the GPU: runs of poisson3d on both backends, and their windows.
 */
#ifndef SS_TESTS_GPU_PATCHES_H
#define SS_TESTS_GPU_PATCHES_H

#include "tests/gpu/gpu.h"
#include "tests/windows.h"

/* tol is relative to the largest value. 0: bit-for-bit equal. */
FIELD_UNUSED static void check_windows(ss_run *cpu, ss_run *gpu, int which, double tol,
                                       const char *what)
{
    double *a = get_window(cpu, which), *b = get_window(gpu, which), most = 0;
    for (size_t c = 0; c < cells_of(cpu); c++)
        most = fabs(a[c]) > most ? fabs(a[c]) : most;
    for (size_t c = 0; c < cells_of(cpu); c++) {
        bool equal = memcmp(a + c, b + c, sizeof *a) == 0 || (isnan(a[c]) && isnan(b[c]));
        CHECK_MSG(equal || (tol > 0 && fabs(a[c] - b[c]) <= tol * most),
                  "%s: array %d, cell %zu is %.17g, not %.17g", what, which, c, b[c], a[c]);
    }
    free(a);
    free(b);
}

FIELD_UNUSED static ss_run *open_patches(const char *backend, const char *settings)
{
    char text[512];
    snprintf(text, sizeof text, "equation poisson3d backend %s %.400s", backend, settings);
    ss_run *run = open_run(text);
    run->stop_at_tol = true;
    random_rhs(run);
    return run;
}

#endif
